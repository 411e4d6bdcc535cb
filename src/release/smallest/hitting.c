/*
 * A completion y of what is known that gets another label than x is a counterexample to every set of revealed
 * attributes on which x and y agree: a core set must contain an attribute in which they differ.  So a core set hits
 * the difference set ("clause") of every counterexample, and the smallest set that hits all clauses found so far is a
 * lower bound. Propose it; if the prover proves it, it is the smallest core set.  If not, its witness gives a new
 * clause that the proposal does not hit, and so on: every round rules out the proposal, so the search ends.
 *
 * A proposal that the prover cannot decide counts as not proven: the clause is then "one of the others", and what hits it
 * is no lower bound any more.
 *
 * Both parts can take long, so there is a budget of work for a person: looking through clauses, and boxes of the prover.
 * When it is used up the last lower bound stays, and some core set is made of the attributes that can do most alone.
 */
#include "hitting.h"

#include <math.h>
#include <string.h>

#include "arena.h"

/* Work, in words of clauses looked at: a box of the prover, and a proposal. */
static const uint64_t BOX = 4000, PROPOSAL = 40000;
enum { SHORT = 2000 }; /* boxes for a set that is left when the budget is used up */

/* Sets of items are rows of `words` words. */
struct tct_hitting {
    const tacit_model *model;
    tct_prover *prover;
    size_t n_items, words;
    tct_arena arena; /* all but the clauses */
    size_t *attribute;
    double *cost;
    uint64_t *clauses; /* n_clauses rows */
    size_t n_clauses, room;
    uint64_t *taken, *refused, *used, *best, *clause;
    size_t *path; /* items refused, in the order in which they were */
    size_t n_path;
    unsigned char *known; /* per attribute */
    double *witness[2];   /* per input */
    double *lead;         /* per item */
    double best_cost, least;
    uint64_t budget, work;
    bool undecided; /* a proposal was given up on */
    bool cut;       /* the budget is used up */
};

static bool has(const uint64_t *set, size_t j)
{
    return set[j / 64] >> j % 64 & 1;
}

static void put(uint64_t *set, size_t j)
{
    set[j / 64] |= (uint64_t)1 << j % 64;
}

static void drop(uint64_t *set, size_t j)
{
    set[j / 64] &= ~((uint64_t)1 << j % 64);
}

static bool meet(const tct_hitting *h, const uint64_t *a, const uint64_t *b)
{
    uint64_t common = 0;

    for (size_t w = 0; w < h->words; w++)
        common |= a[w] & b[w];
    return common != 0;
}

static void fill(const tct_hitting *h, uint64_t *set)
{
    memset(set, 0, h->words * sizeof *set);
    for (size_t j = 0; j < h->n_items; j++)
        put(set, j);
}

static size_t count_items(const tct_hitting *h, const uint64_t *set)
{
    size_t n = 0;

    for (size_t w = 0; w < h->words; w++)
        n += (size_t)__builtin_popcountll(set[w]);
    return n;
}

tacit_status tct_hitting_new(tct_hitting **out, const tacit_model *model, uint64_t budget, tacit_error *err)
{
    size_t n = model->schema->n_attributes, d = model->codec->n_inputs;
    tct_hitting *h = tct_calloc(1, sizeof *h);
    tacit_status st;

    *out = NULL;
    if (!h)
        return tct_fail_memory(err);
    h->model = model;
    h->budget = budget;
    h->attribute = tct_take(&h->arena, n, sizeof *h->attribute);
    h->cost = tct_take(&h->arena, n, sizeof *h->cost);
    h->path = tct_take(&h->arena, n, sizeof *h->path);
    h->lead = tct_take(&h->arena, n, sizeof *h->lead);
    h->words = (n + 63) / 64;
    h->taken = tct_take(&h->arena, 5 * h->words, sizeof *h->taken); /* and the four behind it */
    h->known = tct_take(&h->arena, n, 1);
    h->witness[0] = tct_take(&h->arena, d, sizeof(double));
    h->witness[1] = tct_take(&h->arena, d, sizeof(double));
    st = tct_arena_check(&h->arena, err);
    if (!st)
        st = tct_prover_new(&h->prover, model, err);
    if (st) {
        tct_hitting_free(h);
        return st;
    }
    h->refused = h->taken + h->words;
    h->used = h->refused + h->words;
    h->best = h->used + h->words;
    h->clause = h->best + h->words;
    for (size_t a = 0; a < n; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            h->attribute[h->n_items++] = a;
    *out = h;
    return TACIT_OK;
}

void tct_hitting_free(tct_hitting *h)
{
    if (!h)
        return;
    tct_prover_free(h->prover);
    tct_arena_clear(&h->arena);
    tct_free_wiped(h->clauses, h->room * h->words * sizeof *h->clauses);
    tct_free(h);
}

/* Keep h->clause. */
static tacit_status add_clause(tct_hitting *h, tacit_error *err)
{
    uint64_t *clauses = tct_grow(h->clauses, &h->room, h->n_clauses + 1, h->words * sizeof *clauses);

    if (!clauses)
        return tct_fail_memory(err);
    h->clauses = clauses;
    memcpy(h->clauses + h->n_clauses++ * h->words, h->clause, h->words * sizeof *h->clause);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- cheapest hitting set */

/* Clauses not hit that share nothing with each other each need a member of their own. */
static double bound_rest(const tct_hitting *h)
{
    double bound = 0;

    memcpy(h->used, h->taken, h->words * sizeof *h->used);
    for (size_t i = 0; i < h->n_clauses; i++) {
        const uint64_t *clause = h->clauses + i * h->words;
        double cheapest = INFINITY;

        if (meet(h, clause, h->used))
            continue;
        for (size_t j = 0; j < h->n_items; j++)
            if (has(clause, j))
                cheapest = fmin(cheapest, h->cost[j]);
        bound += cheapest;
        for (size_t w = 0; w < h->words; w++)
            h->used[w] |= clause[w];
    }
    return bound;
}

/* Items of a clause that were not refused on this branch. */
static size_t count_left(const tct_hitting *h, const uint64_t *clause)
{
    size_t n = 0;

    for (size_t w = 0; w < h->words; w++)
        n += (size_t)__builtin_popcountll(clause[w] & ~h->refused[w]);
    return n;
}

static void hit(tct_hitting *h, double spent)
{
    const uint64_t *open = NULL;
    size_t fewest = 0, mark = h->n_path;

    h->work += 2 * h->words * (h->n_clauses + 1);
    h->cut = h->cut || h->work > h->budget;
    if (h->cut || spent + bound_rest(h) >= h->best_cost - 1e-9)
        return;
    for (size_t i = 0; i < h->n_clauses; i++) { /* the smallest clause not hit, without what was refused */
        const uint64_t *clause = h->clauses + i * h->words;
        size_t left;

        if (meet(h, clause, h->taken))
            continue;
        left = count_left(h, clause);
        if (left == 0)
            return;
        if (!open || left < fewest) {
            open = clause;
            fewest = left;
        }
    }
    if (!open) {
        memcpy(h->best, h->taken, h->words * sizeof *h->best);
        h->best_cost = spent;
        return;
    }
    for (size_t j = 0; j < h->n_items; j++)
        if (has(open, j) && !has(h->refused, j)) {
            put(h->taken, j);
            hit(h, spent + h->cost[j]);
            drop(h->taken, j);
            put(h->refused, j);
            h->path[h->n_path++] = j;
        }
    while (h->n_path > mark)
        drop(h->refused, h->path[--h->n_path]);
}

/* The cheapest set that hits all clauses, into h->best. */
static void propose(tct_hitting *h)
{
    fill(h, h->best);
    memset(h->taken, 0, 2 * h->words * sizeof *h->taken); /* and refused */
    h->n_path = 0;
    h->best_cost = INFINITY;
    hit(h, 0);
}

/* ---------------------------------------------------------------- counterexamples */

/* The attributes in which y still differs from x after as many as possible were set back without y regaining x's
 * label, into h->clause. */
static void shrink(const tct_hitting *h, const double *x, double *y, size_t label)
{
    double *before = h->witness[1] == y ? h->witness[0] : h->witness[1];

    memset(h->clause, 0, h->words * sizeof *h->clause);
    for (size_t j = 0; j < h->n_items; j++) {
        const tct_domain *domain = &h->model->codec->domains[h->attribute[j]];
        size_t size = domain->width * sizeof *y;

        if (memcmp(y + domain->first, x + domain->first, size) == 0)
            continue;
        memcpy(before, y + domain->first, size);
        memcpy(y + domain->first, x + domain->first, size);
        if (tct_label_of(h->model->classifier, y) != label)
            continue;
        memcpy(y + domain->first, before, size);
        put(h->clause, j);
    }
}

/* Is h->best a core set?  If not, h->clause tells what it must hit.  budget: of the prover, 0: the usual. */
static tacit_status test_proposal(tct_hitting *h, const double *x, size_t label, uint64_t budget, bool *core,
                                  tacit_error *err)
{
    const tacit_schema *schema = h->model->schema;
    tct_region region = tct_region_of(h->model->codec, h->known, x);
    tct_finding finding = {.witness = {h->witness[0], h->witness[1]}};
    tacit_status st;

    *core = count_items(h, h->best) == h->n_items;
    if (*core)
        return TACIT_OK;
    for (size_t a = 0; a < schema->n_attributes; a++)
        h->known[a] = schema->attributes[a].role == TACIT_PUBLIC;
    fill(h, h->clause);
    for (size_t j = 0; j < h->n_items; j++)
        if (has(h->best, j)) {
            h->known[h->attribute[j]] = 1;
            drop(h->clause, j);
        }
    st = tct_prover_decide(h->prover, &region, budget, &finding, err);
    if (st)
        return st;
    h->work += PROPOSAL + BOX * finding.nodes;
    *core = finding.verdict == TACIT_CERTIFIED;
    h->undecided = h->undecided || finding.verdict == TACIT_UNDECIDED;
    if (finding.verdict == TACIT_REFUTED)
        shrink(h, x, tct_label_of(h->model->classifier, h->witness[0]) != label ? h->witness[0] : h->witness[1], label);
    return TACIT_OK;
}

/* By how much the label of x leads. */
static double lead_of(const tct_hitting *h, const double *x, size_t label)
{
    const tct_classifier *c = h->model->classifier;
    double scores[TCT_MAX_CLASSES], lead = INFINITY;

    c->ops->scores(c, x, 1, scores);
    if (c->n_scores == 1)
        lead = label == 1 ? scores[0] : -scores[0];
    for (size_t s = 0; s < c->n_scores && c->n_scores > 1; s++)
        lead = s == label ? lead : fmin(lead, scores[label] - scores[s]);
    tct_wipe(scores, sizeof scores);
    return lead;
}

/* The least lead when one item alone has another value: an end of its range, or a level.  For its cost. */
static double lead_without(const tct_hitting *h, const double *x, size_t label, size_t item)
{
    const tct_domain *domain = &h->model->codec->domains[h->attribute[item]];
    double *y = h->witness[0], least = INFINITY, now = lead_of(h, x, label);

    memcpy(y, x, h->model->codec->n_inputs * sizeof *y);
    for (size_t k = 0; k < (domain->kind == TCT_ONEHOT ? domain->count : 2); k++) {
        double ends[2];

        if (domain->kind == TCT_ONEHOT)
            tct_codec_value(h->model->codec, h->attribute[item], k, y + domain->first);
        else {
            tct_codec_range(h->model->codec, h->attribute[item], &ends[0], &ends[1]);
            y[domain->first] = ends[k];
        }
        least = fmin(least, lead_of(h, y, label));
    }
    return (least - now) / h->cost[item];
}

/* Items in h->path, those that can lower the lead most first. */
static void sort_items(tct_hitting *h, const double *x, size_t label)
{
    for (size_t i = 0; i < h->n_items; i++)
        h->lead[i] = lead_without(h, x, label, i);
    for (size_t i = 0; i < h->n_items; i++) { /* insertion */
        size_t at = i;

        for (; at > 0 && h->lead[h->path[at - 1]] > h->lead[i]; at--)
            h->path[at] = h->path[at - 1];
        h->path[at] = i;
    }
}

/* Some core set, into h->best: as many of the items that can lower the lead most as a short search needs, found by
 * halving; then what it can do without is left out. */
static tacit_status settle_for_some(tct_hitting *h, const double *x, size_t label, tacit_error *err)
{
    size_t fewer = 0, enough = h->n_items;
    tacit_status st = TACIT_OK;
    bool core = false;

    sort_items(h, x, label);
    while (enough - fewer > 1 && !st) {
        size_t middle = fewer + (enough - fewer) / 2;

        memset(h->best, 0, h->words * sizeof *h->best);
        for (size_t i = 0; i < middle; i++)
            put(h->best, h->path[i]);
        st = test_proposal(h, x, label, SHORT, &core, err);
        *(core ? &enough : &fewer) = middle;
    }
    memset(h->best, 0, h->words * sizeof *h->best);
    for (size_t i = 0; i < enough; i++)
        put(h->best, h->path[i]);
    for (size_t i = enough; i-- > 0 && !st;) {
        drop(h->best, h->path[i]);
        st = test_proposal(h, x, label, SHORT, &core, err);
        if (!st && !core)
            put(h->best, h->path[i]);
    }
    return st;
}

static double cost_of(const tct_hitting *h, const uint64_t *set)
{
    double sum = 0;

    for (size_t j = 0; j < h->n_items; j++)
        sum += has(set, j) ? h->cost[j] : 0;
    return sum;
}

/* Propose and test until a proposal is proven, or the budget is used up.  h->least: what every core set costs. */
static tacit_status search(tct_hitting *h, const double *x, size_t label, tacit_error *err)
{
    bool core = false;
    tacit_status st = TACIT_OK;

    while (!core && !st) {
        propose(h);
        if (h->cut)
            return settle_for_some(h, x, label, err);
        if (!h->undecided)
            h->least = h->best_cost;
        st = test_proposal(h, x, label, 0, &core, err);
        if (!st && !core)
            st = add_clause(h, err);
        h->cut = h->work > h->budget;
    }
    return st;
}

tacit_status tct_hitting_find(tct_hitting *h, const double *x, bool by_cost, size_t *members, size_t *n_members,
                              bool *exact, tacit_error *err)
{
    size_t label = tct_label_of(h->model->classifier, x);
    tacit_status st;

    *n_members = 0;
    h->n_clauses = 0;
    h->undecided = h->cut = false;
    h->work = 0;
    h->least = 0;
    for (size_t j = 0; j < h->n_items; j++)
        h->cost[j] = by_cost ? h->model->schema->attributes[h->attribute[j]].cost : 1;
    tct_prover_forget(h->prover);
    st = search(h, x, label, err);
    for (size_t j = 0; j < h->n_items && !st; j++)
        if (has(h->best, j))
            members[(*n_members)++] = h->attribute[j];
    if (exact)
        *exact = cost_of(h, h->best) <= h->least + 1e-9;
    return st;
}

double tct_hitting_least(const tct_hitting *h)
{
    return h->least;
}

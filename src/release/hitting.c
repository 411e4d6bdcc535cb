/*
 * A completion y of what is known that gets another label than x is a counterexample to every set of revealed
 * attributes on which x and y agree: a core set must contain an attribute in which they differ.  So a core set hits
 * the difference set ("clause") of every counterexample, and the smallest set that hits all clauses found so far is a
 * lower bound. Propose it; if the prover proves it, it is the smallest core set.  If not, its witness gives a new
 * clause that the proposal does not hit, and so on: every round rules out the proposal, so the search ends.
 *
 * A proposal that the prover cannot decide counts as not proven: the clause is then "one of the others".
 */
#include "hitting.h"

#include <math.h>
#include <string.h>

struct tct_hitting {
    const tacit_model *model;
    tct_prover *prover;
    size_t n_items;
    size_t attribute[TCT_MAX_HITTING];
    double cost[TCT_MAX_HITTING];
    uint64_t *clauses;
    size_t n_clauses, room;
    unsigned char *known; /* per attribute */
    double *witness[2];   /* per input */
    uint64_t best;
    double best_cost;
    bool undecided; /* a proposal was given up on */
};

tacit_status tct_hitting_new(tct_hitting **out, const tacit_model *model, tacit_error *err)
{
    size_t n = model->schema->n_attributes, d = model->codec->n_inputs;
    tct_hitting *h = tct_calloc(1, sizeof *h);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!h)
        return tct_fail_memory(err);
    h->model = model;
    for (size_t a = 0; a < n && !st; a++) {
        if (model->schema->attributes[a].role != TACIT_SENSITIVE)
            continue;
        if (h->n_items == TCT_MAX_HITTING)
            st = tct_fail(err, TACIT_E_USAGE, "smallest core sets of a network: at most %d sensitive attributes",
                          TCT_MAX_HITTING);
        else
            h->attribute[h->n_items++] = a;
    }
    h->known = tct_calloc(n, 1);
    h->witness[0] = tct_calloc(d, sizeof(double));
    h->witness[1] = tct_calloc(d, sizeof(double));
    if (!st && (!h->known || !h->witness[0] || !h->witness[1]))
        st = tct_fail_memory(err);
    if (!st)
        st = tct_prover_new(&h->prover, model, err);
    if (!st) {
        *out = h;
        h = NULL;
    }
    tct_hitting_free(h);
    return st;
}

void tct_hitting_free(tct_hitting *h)
{
    if (!h)
        return;
    tct_prover_free(h->prover);
    tct_free_wiped(h->clauses, h->room * sizeof *h->clauses);
    tct_free(h->known);
    tct_free_wiped(h->witness[0], h->model->codec->n_inputs * sizeof(double));
    tct_free_wiped(h->witness[1], h->model->codec->n_inputs * sizeof(double));
    tct_free_wiped(h, sizeof *h);
}

static tacit_status add_clause(tct_hitting *h, uint64_t clause, tacit_error *err)
{
    if (h->n_clauses == h->room) {
        size_t room = h->room ? 2 * h->room : 64;
        uint64_t *grown = tct_realloc(h->clauses, room, sizeof *grown);

        if (!grown)
            return tct_fail_memory(err);
        h->clauses = grown;
        h->room = room;
    }
    h->clauses[h->n_clauses++] = clause;
    return TACIT_OK;
}

/* ---------------------------------------------------------------- cheapest hitting set */

/* Clauses not hit that share nothing with each other each need a member of their own. */
static double bound_rest(const tct_hitting *h, uint64_t taken)
{
    uint64_t used = 0;
    double bound = 0;

    for (size_t i = 0; i < h->n_clauses; i++) {
        uint64_t clause = h->clauses[i];
        double cheapest = INFINITY;

        if (clause & (taken | used))
            continue;
        for (size_t j = 0; j < h->n_items; j++)
            if (clause >> j & 1)
                cheapest = fmin(cheapest, h->cost[j]);
        bound += cheapest;
        used |= clause;
    }
    return bound;
}

static void hit(tct_hitting *h, uint64_t taken, uint64_t refused, double spent)
{
    uint64_t open = 0;

    if (spent + bound_rest(h, taken) >= h->best_cost - 1e-9)
        return;
    for (size_t i = 0; i < h->n_clauses;
         i++) { /* the smallest clause not hit, without what was refused on this branch */
        uint64_t clause = h->clauses[i] & ~refused;

        if (h->clauses[i] & taken)
            continue;
        if (!clause)
            return;
        if (!open || __builtin_popcountll(clause) < __builtin_popcountll(open))
            open = clause;
    }
    if (!open) {
        h->best = taken;
        h->best_cost = spent;
        return;
    }
    for (size_t j = 0; j < h->n_items; j++)
        if (open >> j & 1) {
            hit(h, taken | (uint64_t)1 << j, refused, spent + h->cost[j]);
            refused |= (uint64_t)1 << j;
        }
}

static uint64_t all_items(const tct_hitting *h)
{
    return h->n_items == 64 ? ~(uint64_t)0 : ((uint64_t)1 << h->n_items) - 1;
}

static uint64_t propose(tct_hitting *h)
{
    h->best = all_items(h);
    h->best_cost = INFINITY;
    hit(h, 0, 0, 0);
    return h->best;
}

/* ---------------------------------------------------------------- counterexamples */

/* The attributes in which y still differs from x after as many as possible were set back without y regaining x's
 * label. */
static uint64_t shrink(const tct_hitting *h, const double *x, double *y, size_t label)
{
    uint64_t clause = 0;
    double *before = h->witness[1] == y ? h->witness[0] : h->witness[1];

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
        clause |= (uint64_t)1 << j;
    }
    return clause;
}

/* Is the proposal a core set?  If not, *clause tells what it must hit. */
static tacit_status test_proposal(tct_hitting *h, uint64_t set, const double *x, size_t label, bool *core,
                                  uint64_t *clause, tacit_error *err)
{
    const tacit_schema *schema = h->model->schema;
    tct_region region = tct_region_of(h->model->codec, h->known, x);
    tct_finding finding = {.witness = {h->witness[0], h->witness[1]}};
    tacit_status st;

    *core = set == all_items(h);
    if (*core)
        return TACIT_OK;
    for (size_t a = 0; a < schema->n_attributes; a++)
        h->known[a] = schema->attributes[a].role == TACIT_PUBLIC;
    for (size_t j = 0; j < h->n_items; j++)
        if (set >> j & 1)
            h->known[h->attribute[j]] = 1;
    st = tct_prover_decide(h->prover, &region, 0, &finding, err);
    if (st)
        return st;
    *core = finding.verdict == TACIT_CERTIFIED;
    *clause = all_items(h) & ~set;
    h->undecided = h->undecided || finding.verdict == TACIT_UNDECIDED;
    if (finding.verdict == TACIT_REFUTED)
        *clause = shrink(
            h, x, tct_label_of(h->model->classifier, h->witness[0]) != label ? h->witness[0] : h->witness[1], label);
    return TACIT_OK;
}

tacit_status tct_hitting_find(tct_hitting *h, const double *x, bool by_cost, size_t *members, size_t *n_members,
                              bool *exact, tacit_error *err)
{
    size_t label = tct_label_of(h->model->classifier, x);

    *n_members = 0;
    h->n_clauses = 0;
    h->undecided = false;
    for (size_t j = 0; j < h->n_items; j++)
        h->cost[j] = by_cost ? h->model->schema->attributes[h->attribute[j]].cost : 1;
    tct_prover_forget(h->prover);
    for (;;) {
        uint64_t set = propose(h), clause = 0;
        bool core;
        tacit_status st = test_proposal(h, set, x, label, &core, &clause, err);

        if (st)
            return st;
        if (core) {
            for (size_t j = 0; j < h->n_items; j++)
                if (set >> j & 1)
                    members[(*n_members)++] = h->attribute[j];
            if (exact)
                *exact = !h->undecided;
            return TACIT_OK;
        }
        st = add_clause(h, clause, err);
        if (st)
            return st;
    }
}

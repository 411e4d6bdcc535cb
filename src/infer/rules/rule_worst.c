/*
 * Rules for networks whose decision must be proven: the margin and stop rules of rule_margin.c, with the margin that
 * is left in the worst completion found (worst_completion.h) in place of the closed form.
 *
 * margin: with y the label at the posterior mean, the candidate whose expected answer leaves y the largest margin in
 * the worst completion of the rest, per unit of cost.  The search starts from what is expected and from the worst
 * completion of everything.
 *
 * stop: the candidate most likely to leave no completion with another label, per unit of cost; by eight values of equal
 * probability, or by levels.  Below a chance of 5 % the margin leads.
 *
 * Searches take long, and few are needed.  Of every candidate it is known what its chance and its margin are at most.  Only
 * the one that would lead by these is looked into further, its most doubtful values first, until it is known to lead.
 *
 * Measured on held-out people against the margin that bounds prove (bench/figures_network): fewer questions, most of
 * all where domains are wide.
 */
#include <math.h>
#include <string.h>

#include "mlp.h"
#include "num.h"
#include "rules_inside.h"
#include "worst_completion.h"

enum { ROUNDS = 2, VALUES = TCT_LANES };

/* Does a value settle the decision, as far as the search can tell? */
typedef enum fate { UNKNOWN, LOST, SETTLED } fate;

/* A value that a candidate's answer may have: a number, or a level; how likely it is; the label expected with it, and
 * the margin of the label in the worst completion of all; its fate. */
typedef struct possible {
    double value, weight, at_worst;
    size_t label;
    fate fate;
} possible;

/* A candidate in the race. */
typedef struct runner {
    double chance;         /* at most: that its answer settles the decision */
    bool tried;            /* it is exactly that */
    double worth;          /* at most: the rise of the margin that is left, by its cost */
    bool promised, looked; /* there is such a bound; it is exactly that */
} runner;

enum { MOVE = sizeof(tct_move) / sizeof(double), POSSIBLE = sizeof(possible) / sizeof(double) }; /* doubles */
_Static_assert(sizeof(tct_move) == MOVE * sizeof(double), "moves fit into room for doubles");
_Static_assert(sizeof(possible) == POSSIBLE * sizeof(double), "values fit into room for doubles");
static const double WORTH_LEADING = 0.05, RARE_LEVEL = 0.02;
static const double CLEAR = 1e-6; /* a margin, beyond all rounding */

/* One choice. */
typedef struct choice {
    const tct_view *view;
    tct_worst search;
    tct_completion expected, worst; /* all unknown attributes as expected; as bad as found */
    size_t label;                   /* as expected */
    double now;                     /* margin at the worst */
    tct_outlying around_expected, around_worst;
    unsigned char known[TCT_MAX_ATTRIBUTES];
    double *mean;                           /* of the unknown inputs */
    double *values;                         /* inputs of a candidate's values, one after the other */
    double *weights;                        /* of levels */
    possible *possible[TCT_MAX_ATTRIBUTES]; /* values of each candidate */
    size_t n_possible[TCT_MAX_ATTRIBUTES];
    runner runners[TCT_MAX_ATTRIBUTES]; /* candidates */
    bool looked_from_worst;             /* around_worst is set */
} choice;

/* Room for the values of an attribute: levels count from RARE_LEVEL on. */
static size_t most_values(const tct_domain *domain)
{
    size_t levels = (size_t)(1 / RARE_LEVEL) + 1;

    return domain->kind != TCT_ONEHOT ? VALUES : domain->count < levels ? domain->count : levels;
}

size_t tct_worst_scratch(const tacit_model *model, size_t width)
{
    const tct_mlp *mlp = tct_as_mlp(model->classifier);
    size_t values = 0;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        values += most_values(&model->codec->domains[a]);
    return mlp ? POSSIBLE * values + 4 * model->codec->n_inputs + 4 * mlp->sizes[1] + (TCT_LANES + 1) * width +
                     model->schema->n_attributes * 2 * MOVE
               : 0;
}

static void copy_completion(const choice *c, tct_completion *to, const tct_completion *from)
{
    memcpy(to->x, from->x, c->view->model->codec->n_inputs * sizeof(double));
    memcpy(to->first, from->first, c->search.line->n_first * sizeof(double));
}

/* Put the search at `from`, with an attribute set. */
static void place(choice *c, const tct_completion *from, size_t attribute, const double *inputs)
{
    const tct_domain *domain = &c->view->model->codec->domains[attribute];

    copy_completion(c, &c->search.at, from);
    memcpy(c->search.at.x + domain->first, inputs, domain->width * sizeof(double));
}

/* The margin of the expected label in the worst completion found from `from`, which was looked at, with an attribute
 * set; most often to what it is there. */
static double search_from(choice *c, const tct_completion *from, const tct_outlying *seen, size_t attribute,
                          const double *inputs)
{
    const tct_domain *domain = &c->view->model->codec->domains[attribute];

    place(c, from, attribute, inputs);
    c->search.label = c->label;
    if (memcmp(from->x + domain->first, inputs, domain->width * sizeof(double)) == 0)
        tct_worst_search_on(&c->search, seen, ROUNDS);
    else
        tct_worst_search(&c->search, ROUNDS);
    return c->search.margin;
}

/* Look around at a completion, whose first layer is set. */
static void look_from(choice *c, tct_completion *from, tct_outlying *seen)
{
    copy_completion(c, &c->search.at, from);
    c->search.label = c->label;
    tct_worst_look(&c->search, seen);
    memcpy(from->first, c->search.at.first, c->search.line->n_first * sizeof(double));
}

static void prepare(choice *c, const tct_view *view, double *scratch)
{
    const tacit_model *model = view->model;
    size_t d = model->codec->n_inputs, n_first = view->around->line->n_first, width = 1;
    tct_completion *completions[] = {&c->expected, &c->worst, &c->search.at};

    for (size_t i = 0; i < 3; i++) {
        completions[i]->x = tct_scratch_take(&scratch, d);
        completions[i]->first = tct_scratch_take(&scratch, n_first);
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t w = model->codec->domains[view->candidates[i]].width;

        width = w > width ? w : width;
    }
    c->search.moved = tct_scratch_take(&scratch, n_first);
    c->mean = tct_scratch_take(&scratch, d);
    c->values = tct_scratch_take(&scratch, TCT_LANES * width);
    c->weights = tct_scratch_take(&scratch, width);
    for (size_t i = 0; i < view->n_candidates; i++)
        c->possible[i] = (possible *)(void *)tct_scratch_take(
            &scratch, POSSIBLE * most_values(&model->codec->domains[view->candidates[i]]));
    c->around_expected.best = (tct_move *)(void *)tct_scratch_take(&scratch, model->schema->n_attributes * MOVE);
    c->around_worst.best = (tct_move *)(void *)tct_scratch_take(&scratch, model->schema->n_attributes * MOVE);
    c->view = view;
    c->looked_from_worst = false;
    memset(c->runners, 0, view->n_candidates * sizeof c->runners[0]);
    c->label = tct_label(view->scores, model->classifier->n_scores);
    memcpy(c->known, view->known, model->schema->n_attributes);
    c->search.model = model;
    c->search.line = view->around->line;
    c->search.known = c->known;
    c->search.hint = 0;
    tct_belief_mean(view->belief, view->x, c->mean);
    memcpy(c->expected.x, view->x, d * sizeof(double));
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        size_t first = model->codec->domains[a].first;

        if (!view->known[a])
            tct_expected_inputs(view, a, c->mean + tct_belief_position(view->belief, first), c->expected.x + first);
    }
    look_from(c, &c->expected, &c->around_expected);
    c->search.enough = -INFINITY;
    tct_worst_search_on(&c->search, &c->around_expected, ROUNDS);
    c->now = c->search.margin;
    copy_completion(c, &c->worst, &c->search.at);
}

/* Margin at the expected answer, in the worst completion of the rest; some number that is no more than `enough` where it
 * is no more. */
static double margin_after(choice *c, size_t attribute, double enough)
{
    const double *inputs = c->expected.x + c->view->model->codec->domains[attribute].first;
    double margin;

    c->known[attribute] = 1;
    c->search.enough = enough;
    margin = search_from(c, &c->worst, &c->around_worst, attribute, inputs);
    if (margin > enough)
        margin = fmin(margin, search_from(c, &c->expected, &c->around_expected, attribute, inputs));
    c->known[attribute] = 0;
    return margin;
}

/* Numbers that margin_after of n candidates is not above, but for rounding: what the first steps of its searches leave.
 * Searches only go down. */
static void margins_at_most(choice *c, const size_t *candidates, size_t n, double *margins)
{
    const tct_move *best = c->around_expected.best;
    double others[TCT_MAX_ATTRIBUTES];

    copy_completion(c, &c->search.at, &c->expected);
    c->search.label = c->label;
    tct_worst_make_all(&c->search, &c->around_expected);
    tct_worst_swap(&c->search, &c->search.at, c->expected.x, candidates, n, margins);
    tct_worst_swap(&c->search, &c->worst, c->expected.x, candidates, n, others);
    for (size_t i = 0; i < n; i++) {
        margins[i] = fmin(margins[i], others[i]);
        for (size_t a = 0; a < c->view->model->schema->n_attributes; a++)
            if (!c->known[a] && a != candidates[i])
                margins[i] = fmin(margins[i], best[a].margin);
    }
}

/* Does a search from there find no other label than this once the attribute has these inputs? */
static bool holds_from(choice *c, const tct_completion *from, size_t attribute, const double *inputs, size_t label)
{
    place(c, from, attribute, inputs);
    c->search.label = label;
    c->search.enough = 0;
    tct_worst_search(&c->search, ROUNDS);
    return c->search.margin > 0;
}

/* The inputs of an attribute that has a value. */
static void put_inputs(const choice *c, size_t attribute, double value, double *inputs)
{
    const tct_domain *domain = &c->view->model->codec->domains[attribute];

    inputs[0] = value;
    for (size_t i = 0; domain->kind == TCT_ONEHOT && i < domain->width; i++)
        inputs[i] = (double)i == value ? 1 : 0;
}

/* The values that candidate i may have: eight of equal probability, or its levels. */
static void list_values(choice *c, size_t i)
{
    const tct_belief *b = c->view->belief;
    size_t attribute = c->view->candidates[i], n = 0;
    const tct_domain *domain = &c->view->model->codec->domains[attribute];
    size_t at = tct_belief_position(b, domain->first);
    double deviation = sqrt(b->cov[at * b->n_unknown + at]), low, high;

    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(c->mean + at, domain->count, c->weights);
        for (size_t l = 0; l < domain->count; l++)
            if (c->weights[l] >= RARE_LEVEL)
                c->possible[i][n++] = (possible){.value = (double)l, .weight = c->weights[l]};
    } else {
        tct_codec_range(c->view->model->codec, attribute, &low, &high);
        for (; n < VALUES; n++) {
            double z = tct_normal_quantile(((double)n + 0.5) / VALUES);
            double value = fmin(fmax(c->mean[at] + deviation * z, low), high);

            c->possible[i][n] = (possible){.value = value, .weight = 1.0 / VALUES};
        }
    }
    c->n_possible[i] = n;
}

/* What is seen at once of candidate i's values: the labels expected with them, and whether the worst completion of all is
 * clearly lost with them. */
static void look_at_values(choice *c, size_t i)
{
    size_t attribute = c->view->candidates[i], width = c->view->model->codec->domains[attribute].width;
    size_t labels[TCT_LANES];
    double at_worst[TCT_LANES];

    c->search.label = c->label;
    for (size_t done = 0; done < c->n_possible[i]; done += TCT_LANES) {
        possible *p = c->possible[i] + done;
        size_t n = c->n_possible[i] - done < TCT_LANES ? c->n_possible[i] - done : TCT_LANES;

        for (size_t k = 0; k < n; k++)
            put_inputs(c, attribute, p[k].value, c->values + k * width);
        tct_worst_labels(&c->search, &c->expected, attribute, c->values, n, labels);
        tct_worst_margins(&c->search, &c->worst, attribute, c->values, n, at_worst);
        for (size_t k = 0; k < n; k++) {
            p[k].label = labels[k];
            p[k].at_worst = at_worst[k];
            p[k].fate = labels[k] == c->label && at_worst[k] < -CLEAR ? LOST : UNKNOWN;
        }
    }
}

/* The chance of candidate i: of the values that are not lost.  Rounding keeps the order, so it does not rise. */
static void find_chance(choice *c, size_t i)
{
    runner *r = &c->runners[i];

    r->chance = 0;
    r->tried = true;
    for (const possible *p = c->possible[i]; p < c->possible[i] + c->n_possible[i]; p++) {
        r->chance += p->fate == LOST ? 0 : p->weight;
        r->tried = r->tried && p->fate != UNKNOWN;
    }
}

/* Does the search find no other label once the attribute has this value? */
static bool seems_settled(choice *c, size_t attribute, const possible *p)
{
    put_inputs(c, attribute, p->value, c->values);
    return (p->label != c->label || holds_from(c, &c->worst, attribute, c->values, p->label)) &&
           holds_from(c, &c->expected, attribute, c->values, p->label);
}

/* Is this value less likely to settle the decision than that one?  One that changes the expected label seldom does. */
static bool is_in_doubt(const choice *c, const possible *p, const possible *than)
{
    if ((p->label == c->label) != (than->label == c->label))
        return p->label != c->label;
    return p->at_worst < than->at_worst;
}

/* Try the value of candidate i that is the most in doubt. */
static void try_value(choice *c, size_t i)
{
    possible *from = c->possible[i], *to = from + c->n_possible[i], *tried = NULL;
    size_t attribute = c->view->candidates[i];
    fate found;

    for (possible *p = from; p < to; p++)
        if (p->fate == UNKNOWN && (!tried || is_in_doubt(c, p, tried)))
            tried = p;
    c->known[attribute] = 1;
    found = seems_settled(c, attribute, tried) ? SETTLED : LOST;
    c->known[attribute] = 0;
    for (possible *p = from; p < to; p++) /* at the end of a domain some are alike */
        if (p->value == tried->value)
            p->fate = found;
    find_chance(c, i);
}

static double cost_of(const choice *c, size_t i)
{
    return c->view->model->schema->attributes[c->view->candidates[i]].cost;
}

/* Bound what these runners are worth, where that is not done yet. */
static void promise(choice *c, const size_t *runners, size_t n)
{
    size_t which[TCT_MAX_ATTRIBUTES], candidates[TCT_MAX_ATTRIBUTES], count = 0;
    double margins[TCT_MAX_ATTRIBUTES];

    for (size_t i = 0; i < n; i++)
        if (!c->runners[runners[i]].promised) {
            which[count] = runners[i];
            candidates[count++] = c->view->candidates[runners[i]];
        }
    if (count == 0)
        return;
    if (!c->looked_from_worst)
        look_from(c, &c->worst, &c->around_worst);
    c->looked_from_worst = true;
    margins_at_most(c, candidates, count, margins);
    for (size_t i = 0; i < count; i++) {
        c->runners[which[i]].worth = (margins[i] + CLEAR - c->now) / cost_of(c, which[i]);
        c->runners[which[i]].promised = true;
    }
}

/* What a runner is worth; where that is less than `most`, only that it is. */
static void look_at(choice *c, size_t i, double most)
{
    double enough = most * cost_of(c, i) + c->now - CLEAR;
    double margin = margin_after(c, c->view->candidates[i], enough);

    c->runners[i].looked = margin > enough;
    c->runners[i].worth = (fmax(margin, enough) - c->now) / cost_of(c, i);
}

/* Of n runners the one that is worth the most.  Those that promise most are looked at first, and those that promise less
 * than another one keeps need no more than that. */
static size_t most_worthy(choice *c, const size_t *runners, size_t n)
{
    bool seen[TCT_MAX_ATTRIBUTES] = {false};

    if (n == 1)
        return runners[0];
    promise(c, runners, n);
    for (;;) {
        tct_best best = {TACIT_NONE, -INFINITY};
        size_t next = TACIT_NONE;

        for (size_t i = 0; i < n; i++)
            if (c->runners[runners[i]].looked)
                tct_consider(&best, runners[i], c->runners[runners[i]].worth);
        for (size_t i = 0; i < n; i++) {
            const runner *r = &c->runners[runners[i]];

            if (!r->looked && !seen[i] && r->worth >= best.score &&
                (next == TACIT_NONE || r->worth > c->runners[runners[next]].worth))
                next = i;
        }
        if (next == TACIT_NONE)
            return best.attribute;
        seen[next] = true;
        look_at(c, runners[next], best.score);
    }
}

/* The runners whose chance for their cost is the largest, as far as known; their number. */
static size_t find_leaders(const choice *c, size_t *leaders)
{
    double leading = 0;
    size_t n = 0;

    for (size_t i = 0; i < c->view->n_candidates; i++) {
        double chance = c->runners[i].chance / cost_of(c, i);

        n = chance > leading ? 0 : n;
        leading = fmax(leading, chance);
        if (chance == leading)
            leaders[n++] = i;
    }
    return n;
}

/* A runner whose chance is worth leading, and that was tried, or was not; n: there is none. */
static size_t find_likely(const choice *c, bool tried)
{
    size_t i = 0;

    while (i < c->view->n_candidates && (c->runners[i].tried != tried || c->runners[i].chance <= WORTH_LEADING))
        i++;
    return i;
}

/* Who leads by chance, and among equals by margin; n: no chance is worth it.  Only who would lead if its chance were as
 * large as it may be is tried any further: of those that are as likely, but leave less, it need not be known. */
static size_t race(choice *c)
{
    size_t n = c->view->n_candidates, leaders[TCT_MAX_ATTRIBUTES];

    for (size_t i = 0; i < n; i++) {
        list_values(c, i);
        look_at_values(c, i);
        find_chance(c, i);
    }
    for (;;) {
        size_t likely = find_likely(c, true), untried = find_likely(c, false), first;

        if (likely == n && untried == n)
            return n;
        first = most_worthy(c, leaders, find_leaders(c, leaders));
        if (c->runners[first].tried && likely < n)
            return first;
        /* a leader that is not worth it may hide somebody who costs more */
        try_value(c, c->runners[first].tried ? untried : first);
    }
}

static size_t choose(const tct_view *view, bool stop, double *scratch)
{
    size_t n = view->n_candidates, first = n, all[TCT_MAX_ATTRIBUTES];
    choice c;

    prepare(&c, view, scratch);
    if (stop)
        first = race(&c);
    for (size_t i = 0; i < n; i++)
        all[i] = i;
    return view->candidates[first < n ? first : most_worthy(&c, all, n)];
}

size_t tct_network_margin(const tct_view *view, double *scratch)
{
    return choose(view, false, scratch);
}

size_t tct_network_stop(const tct_view *view, double *scratch)
{
    return choose(view, true, scratch);
}

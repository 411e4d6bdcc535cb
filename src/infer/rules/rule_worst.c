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
enum { MOVE = sizeof(tct_move) / sizeof(double) }; /* doubles */
_Static_assert(sizeof(tct_move) == MOVE * sizeof(double), "moves fit into room for doubles");
static const double WORTH_LEADING = 0.05, RARE_LEVEL = 0.02, ROUNDING = 1e-9;
static const double CLEARLY_LOST = -1e-6; /* a margin, beyond all rounding */

/* One choice. */
typedef struct choice {
    const tct_view *view;
    tct_worst search;
    tct_completion expected, worst; /* all unknown attributes as expected; as bad as found */
    size_t label;                   /* as expected */
    double now;                     /* margin at the worst */
    tct_outlying around_expected, around_worst;
    unsigned char known[TCT_MAX_ATTRIBUTES];
    double *mean;    /* of the unknown inputs */
    double *values;  /* inputs of a candidate's values, one after the other */
    double *weights; /* of levels */
    double *chances; /* of candidates, per unit of cost */
    double enough;   /* a chance below this one does not matter: it need not be known */
    double lost;     /* probability of the candidate's values that did not settle it */
} choice;

size_t tct_worst_scratch(const tacit_model *model, size_t width)
{
    const tct_mlp *mlp = tct_as_mlp(model->classifier);

    return mlp ? 4 * model->codec->n_inputs + 4 * mlp->sizes[1] + (TCT_LANES + 1) * width +
                     model->schema->n_attributes * (2 * MOVE + 1)
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
        completions[i]->x = tct_take(&scratch, d);
        completions[i]->first = tct_take(&scratch, n_first);
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t w = model->codec->domains[view->candidates[i]].width;

        width = w > width ? w : width;
    }
    c->search.moved = tct_take(&scratch, n_first);
    c->mean = tct_take(&scratch, d);
    c->values = tct_take(&scratch, TCT_LANES * width);
    c->weights = tct_take(&scratch, width);
    c->chances = tct_take(&scratch, view->n_candidates);
    c->around_expected.best = (tct_move *)(void *)tct_take(&scratch, model->schema->n_attributes * MOVE);
    c->around_worst.best = (tct_move *)(void *)tct_take(&scratch, model->schema->n_attributes * MOVE);
    c->view = view;
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
    tct_worst_search_on(&c->search, &c->around_expected, ROUNDS);
    c->now = c->search.margin;
    copy_completion(c, &c->worst, &c->search.at);
}

/* Margin at the expected answer, in the worst completion of the rest. */
static double margin_after(choice *c, size_t attribute)
{
    const double *inputs = c->expected.x + c->view->model->codec->domains[attribute].first;
    double margin;

    c->known[attribute] = 1;
    margin = fmin(search_from(c, &c->expected, &c->around_expected, attribute, inputs),
                  search_from(c, &c->worst, &c->around_worst, attribute, inputs));
    c->known[attribute] = 0;
    return margin;
}

/* A number that margin_after is not above: what the first steps of its searches leave.  Searches only go down. */
static double margin_at_most(choice *c, size_t attribute)
{
    const double *inputs = c->expected.x + c->view->model->codec->domains[attribute].first;
    double margin;

    c->known[attribute] = 1;
    place(c, &c->expected, attribute, inputs);
    c->search.label = c->label;
    tct_worst_search_on(&c->search, &c->around_expected, 1);
    margin = c->search.margin;
    place(c, &c->worst, attribute, inputs);
    tct_worst_search(&c->search, 0);
    c->known[attribute] = 0;
    return fmin(margin, c->search.margin);
}

/* Does a search from there find no other label than this once the attribute has these inputs? */
static bool holds_from(choice *c, const tct_completion *from, size_t attribute, const double *inputs, size_t label)
{
    place(c, from, attribute, inputs);
    c->search.label = label;
    return tct_worst_holds(&c->search, ROUNDS);
}

/* Does the search find no other label once the attribute has these inputs, which make `label` the expected one?  at_worst:
 * the margin where the search from the worst completion begins. */
static bool seems_settled(choice *c, size_t attribute, const double *inputs, size_t label, double at_worst)
{
    if (label == c->label && (at_worst < CLEARLY_LOST || !holds_from(c, &c->worst, attribute, inputs, label)))
        return false;
    return holds_from(c, &c->expected, attribute, inputs, label);
}

/* Is it clear that the candidate's chance does not matter? */
static bool is_lost(const choice *c)
{
    return 1 + ROUNDING - c->lost < c->enough;
}

/* The share of n <= TCT_LANES values, in c->values, that seem to settle it; weights (NULL: equal). */
static double settling_share(choice *c, size_t attribute, size_t n, const double *weights)
{
    size_t width = c->view->model->codec->domains[attribute].width, labels[TCT_LANES];
    double share = 0, at_worst[TCT_LANES];

    tct_worst_labels(&c->search, &c->expected, attribute, c->values, n, labels);
    c->search.label = c->label;
    tct_worst_margins(&c->search, &c->worst, attribute, c->values, n, at_worst);
    for (size_t i = 0; i < n && !is_lost(c); i++) {
        double weight = weights ? weights[i] : 1.0 / (double)n;

        if (seems_settled(c, attribute, c->values + i * width, labels[i], at_worst[i]))
            share += weight;
        else
            c->lost += weight;
    }
    return share;
}

static double chance_over_levels(choice *c, size_t attribute, const double *mean)
{
    const tct_domain *domain = &c->view->model->codec->domains[attribute];
    double weights[TCT_LANES], chance = 0;
    size_t n = 0;

    tct_level_weights(mean, domain->count, c->weights);
    for (size_t l = 0; l <= domain->count; l++) {
        if (n == TCT_LANES || (l == domain->count && n > 0)) {
            chance += settling_share(c, attribute, n, weights);
            n = 0;
        }
        if (l == domain->count || c->weights[l] < RARE_LEVEL)
            continue;
        for (size_t i = 0; i < domain->width; i++)
            c->values[n * domain->width + i] = i == l ? 1 : 0;
        weights[n++] = c->weights[l];
    }
    return chance;
}

/* Probability that the answer settles the decision, as far as the search can tell; some number below `enough` where it is
 * below that. */
static double chance_to_stop(choice *c, size_t attribute, double enough)
{
    const tct_belief *b = c->view->belief;
    const tct_domain *domain = &c->view->model->codec->domains[attribute];
    size_t at = tct_belief_position(b, domain->first);
    double deviation = sqrt(b->cov[at * b->n_unknown + at]), low, high, chance;

    c->enough = enough;
    c->lost = 0;
    c->known[attribute] = 1;
    if (domain->kind == TCT_ONEHOT) {
        chance = chance_over_levels(c, attribute, c->mean + at);
    } else {
        tct_codec_range(c->view->model->codec, attribute, &low, &high);
        for (size_t i = 0; i < VALUES; i++) {
            double z = tct_normal_quantile(((double)i + 0.5) / VALUES);

            c->values[i] = fmin(fmax(c->mean[at] + deviation * z, low), high);
        }
        chance = settling_share(c, attribute, VALUES, NULL);
    }
    c->known[attribute] = 0;
    return chance;
}

/* What a candidate is worth that leaves this margin. */
static double worth(const choice *c, size_t attribute, double margin)
{
    return (margin - c->now) / c->view->model->schema->attributes[attribute].cost;
}

/* The candidate whose expected answer leaves the largest margin for its cost, of n.  Those that promise most are looked
 * at first, and those that promise less than another one keeps need no more than that. */
static size_t largest_margin(choice *c, const size_t *candidates, size_t n)
{
    double promised[TCT_MAX_ATTRIBUTES], kept[TCT_MAX_ATTRIBUTES], most = -INFINITY;
    bool looked_at[TCT_MAX_ATTRIBUTES] = {false};
    tct_best best = {TACIT_NONE, 0};

    look_from(c, &c->worst, &c->around_worst);
    for (size_t i = 0; i < n; i++)
        promised[i] = worth(c, candidates[i], margin_at_most(c, candidates[i]));
    for (size_t round = 0; round < n; round++) {
        size_t next = TACIT_NONE;

        for (size_t i = 0; i < n; i++)
            if (!looked_at[i] && (next == TACIT_NONE || promised[i] > promised[next]))
                next = i;
        if (promised[next] < most)
            break;
        looked_at[next] = true;
        kept[next] = worth(c, candidates[next], margin_after(c, candidates[next]));
        most = fmax(most, kept[next]);
    }
    for (size_t i = 0; i < n; i++)
        if (looked_at[i])
            tct_consider(&best, candidates[i], kept[i]);
    return best.attribute;
}

/* That candidate of those whose chance for their cost is `chance` (NULL: of all). */
static size_t by_margin(choice *c, const double *chances, double chance)
{
    const tct_view *view = c->view;
    size_t candidates[TCT_MAX_ATTRIBUTES], n = 0;

    for (size_t i = 0; i < view->n_candidates; i++)
        if (!chances || chances[i] == chance)
            candidates[n++] = view->candidates[i];
    return n == 0 ? TACIT_NONE : n == 1 ? candidates[0] : largest_margin(c, candidates, n);
}

static size_t choose(const tct_view *view, bool stop, double *scratch)
{
    double likeliest = 0, leading = 0;
    choice c;

    prepare(&c, view, scratch);
    for (size_t i = 0; i < view->n_candidates && stop; i++) {
        size_t a = view->candidates[i];
        double cost = view->model->schema->attributes[a].cost;
        double chance = chance_to_stop(&c, a, likeliest > WORTH_LEADING ? leading * cost : 0);

        c.chances[i] = chance / cost;
        likeliest = fmax(likeliest, chance);
        leading = fmax(leading, c.chances[i]);
    }
    return likeliest > WORTH_LEADING ? by_margin(&c, c.chances, leading) : by_margin(&c, NULL, 0);
}

size_t tct_network_margin(const tct_view *view, double *scratch)
{
    return choose(view, false, scratch);
}

size_t tct_network_stop(const tct_view *view, double *scratch)
{
    return choose(view, true, scratch);
}

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
static const double WORTH_LEADING = 0.05, RARE_LEVEL = 0.02;

/* One choice. */
typedef struct choice {
    const tct_view *view;
    tct_worst stress;
    tct_completion expected, worst; /* all unknown attributes as expected; as bad as found */
    size_t label;                   /* as expected */
    double now;                     /* margin at the worst */
    unsigned char known[TCT_MAX_ATTRIBUTES];
    double *mean;    /* of the unknown inputs */
    double *values;  /* inputs of a candidate's values, one after the other */
    double *weights; /* of levels */
} choice;

size_t tct_worst_scratch(const tacit_model *model, size_t width)
{
    const tct_mlp *mlp = tct_as_mlp(model->classifier);

    return mlp ? 4 * model->codec->n_inputs + 3 * mlp->sizes[1] + (TCT_LANES + 1) * width : 0;
}

static void copy_completion(const choice *c, tct_completion *to, const tct_completion *from)
{
    memcpy(to->x, from->x, c->view->model->codec->n_inputs * sizeof(double));
    memcpy(to->first, from->first, c->stress.line->n_first * sizeof(double));
}

/* The margin of `label` in the worst completion found from `from`, with an attribute (TACIT_NONE: none) set. */
static double search_from(choice *c, const tct_completion *from, size_t label, size_t attribute, const double *inputs,
                          bool brief)
{
    const tct_domain *domain = attribute == TACIT_NONE ? NULL : &c->view->model->codec->domains[attribute];

    copy_completion(c, &c->stress.at, from);
    if (domain)
        memcpy(c->stress.at.x + domain->first, inputs, domain->width * sizeof(double));
    c->stress.label = label;
    tct_worst_search(&c->stress, ROUNDS, brief);
    return c->stress.margin;
}

static void prepare(choice *c, const tct_view *view, double *scratch)
{
    const tacit_model *model = view->model;
    size_t d = model->codec->n_inputs, n_first = view->around->line->n_first, width = 1;
    tct_completion *completions[] = {&c->expected, &c->worst, &c->stress.at};

    for (size_t i = 0; i < 3; i++) {
        completions[i]->x = tct_take(&scratch, d);
        completions[i]->first = tct_take(&scratch, n_first);
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t w = model->codec->domains[view->candidates[i]].width;

        width = w > width ? w : width;
    }
    c->mean = tct_take(&scratch, d);
    c->values = tct_take(&scratch, TCT_LANES * width);
    c->weights = tct_take(&scratch, width);
    c->view = view;
    c->label = tct_label(view->scores, model->classifier->n_scores);
    memcpy(c->known, view->known, model->schema->n_attributes);
    c->stress.model = model;
    c->stress.line = view->around->line;
    c->stress.known = c->known;
    tct_belief_mean(view->belief, view->x, c->mean);
    memcpy(c->expected.x, view->x, d * sizeof(double));
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        size_t first = model->codec->domains[a].first;

        if (!view->known[a])
            tct_expected_inputs(view, a, c->mean + tct_belief_position(view->belief, first), c->expected.x + first);
    }
    tct_netline_first(c->stress.line, c->expected.x, c->expected.first);
    c->now = search_from(c, &c->expected, c->label, TACIT_NONE, NULL, false);
    copy_completion(c, &c->worst, &c->stress.at);
}

/* Margin at the expected answer, in the worst completion of the rest. */
static double margin_after(choice *c, size_t attribute)
{
    const double *inputs = c->expected.x + c->view->model->codec->domains[attribute].first;
    double margin;

    c->known[attribute] = 1;
    margin = fmin(search_from(c, &c->expected, c->label, attribute, inputs, false),
                  search_from(c, &c->worst, c->label, attribute, inputs, false));
    c->known[attribute] = 0;
    return margin;
}

/* Does the search find no other label once the attribute has these inputs, which make `label` the expected one? */
static bool seems_settled(choice *c, size_t attribute, const double *inputs, size_t label)
{
    return (label != c->label || search_from(c, &c->worst, label, attribute, inputs, true) > 0) &&
           search_from(c, &c->expected, label, attribute, inputs, true) > 0;
}

/* The share of n <= TCT_LANES values, in c->values, that seem to settle it; weights (NULL: equal). */
static double settling_share(choice *c, size_t attribute, size_t n, const double *weights)
{
    size_t width = c->view->model->codec->domains[attribute].width, labels[TCT_LANES];
    double share = 0;

    tct_worst_labels(&c->stress, &c->expected, attribute, c->values, n, labels);
    for (size_t i = 0; i < n; i++)
        if (seems_settled(c, attribute, c->values + i * width, labels[i]))
            share += weights ? weights[i] : 1.0 / (double)n;
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

/* Probability that the answer settles the decision, as far as the search can tell. */
static double chance_to_stop(choice *c, size_t attribute)
{
    const tct_belief *b = c->view->belief;
    const tct_domain *domain = &c->view->model->codec->domains[attribute];
    size_t at = tct_belief_position(b, domain->first);
    double deviation = sqrt(b->cov[at * b->n_unknown + at]), low, high, chance;

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

static size_t choose(const tct_view *view, bool stop, double *scratch)
{
    tct_best margin = {TACIT_NONE, 0};
    double likeliest = 0, leading = 0, lead_margin = 0;
    size_t lead = TACIT_NONE;
    choice c;

    prepare(&c, view, scratch);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];
        double cost = view->model->schema->attributes[a].cost, after = (margin_after(&c, a) - c.now) / cost;
        double chance = stop ? chance_to_stop(&c, a) : 0;

        tct_consider(&margin, a, after);
        likeliest = fmax(likeliest, chance);
        if (chance / cost > leading || (chance / cost == leading && (lead == TACIT_NONE || after > lead_margin))) {
            lead = a;
            leading = chance / cost;
            lead_margin = after;
        }
    }
    return likeliest > WORTH_LEADING ? lead : margin.attribute;
}

size_t tct_network_margin(const tct_view *view, double *scratch)
{
    return choose(view, false, scratch);
}

size_t tct_network_stop(const tct_view *view, double *scratch)
{
    return choose(view, true, scratch);
}

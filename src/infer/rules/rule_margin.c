/*
 * Rules for decisions that must be proven.
 *
 * margin: with y the label at the posterior mean, the candidate whose answer is expected to raise the certified margin
 * of y most, per unit of cost: its term at the posterior mean (clipped into its domain) instead of its worst.
 *
 * stop: the candidate whose answer is most likely to settle the decision, per unit of cost.  Early on no answer is;
 * below a chance of 5 % such figures are Gaussian tails and the margin is the better guide.  Measured on held-out
 * people (bench/figures): fewer questions than either alone.
 */
#include <math.h>
#include <string.h>

#include "levels.h"
#include "num.h"
#include "rules_inside.h"

static const double WORTH_LEADING = 0.05;

void tct_expected_inputs(const tct_view *view, size_t attribute, const double *mean, double *inputs)
{
    const tct_domain *domain = &view->model->codec->domains[attribute];
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        tct_belief_levels(view->model, attribute, mean, inputs);
        return;
    }
    tct_codec_range(view->model->codec, attribute, &low, &high);
    inputs[0] = fmin(fmax(mean[0], low), high);
}

/* Does an attribute count by the terms of its levels?  Then sums over these are formed in parts. */
static bool is_wide(const tct_view *view, size_t attribute)
{
    const tct_variables *v = view->model->variables;

    return v->span[v->first[attribute]] > 1;
}

/* The term that an attribute adds to a margin when its inputs are as expected. */
static double expected_term(const tct_view *view, size_t pair, size_t attribute, const double *inputs)
{
    const tct_extremes *e = view->extremes;
    const tct_domain *domain = &e->codec->domains[attribute];

    if (is_wide(view, attribute))
        return tct_levels_mean(inputs, e->weights + pair * e->linear->base.n_inputs + domain->first, domain->width);
    return tct_term(e, pair, attribute, inputs);
}

/* Posterior means of the unknown variables. */
static void find_means(const tct_view *view, double *mean)
{
    if (view->means)
        memcpy(mean, view->means, view->belief->n_unknown * sizeof *mean);
    else
        tct_belief_mean(view->belief, view->x, mean);
}

/* The certified margin of `label` over `against` now: known terms plus the worst of the unknown ones. */
static double margin_now(const tct_view *view, size_t label, size_t against)
{
    const tct_extremes *e = view->extremes;
    const double *worst = e->worst + tct_pair(e, label, against) * e->n_attributes;
    double margin;

    if (view->law->n_scores == 1)
        margin = label == 1 ? view->partial[0] : -view->partial[0];
    else
        margin = view->partial[label] - view->partial[against];
    for (size_t a = 0; a < e->n_attributes; a++)
        if (!view->known[a])
            margin += worst[a];
    return margin;
}

/* Does no answer gain as much as `score`, with more room than rounding takes?  now, smallest: margins before it.  The largest
 * term of one label is the worst of the other turned round. */
static bool gains_less(const tct_view *view, size_t label, size_t attribute, const double *now, double smallest,
                       double score)
{
    const tct_extremes *e = view->extremes;
    double enough = score * view->model->schema->attributes[attribute].cost * (1 - 1e-9);
    bool less = false;

    for (size_t c = 0; c < e->n_classes && score > 0 && !less; c++) {
        double worst, best;

        if (c == label)
            continue;
        worst = e->worst[tct_pair(e, label, c) * e->n_attributes + attribute];
        best = -e->worst[tct_pair(e, c, label) * e->n_attributes + attribute];
        less = now[c] - smallest + (best - worst) + 1e-9 * (fabs(now[c]) + fabs(smallest) + fabs(best) + fabs(worst)) <
               enough;
    }
    return less;
}

size_t tct_choose_by_margin(const tct_view *view, double *scratch)
{
    const tct_extremes *e = view->extremes;
    const tct_belief *b = view->belief;
    size_t classes = view->model->classifier->n_classes, label = tct_label(view->scores, view->law->n_scores);
    double *mean = tct_scratch_take(&scratch, b->n_unknown), *now = tct_scratch_take(&scratch, classes);
    double *inputs = scratch, smallest = INFINITY; /* the rest: as wide as any attribute */
    tct_best found = {TACIT_NONE, 0};

    find_means(view, mean);
    if (classes == 2) {
        now[1 - label] = smallest = 0; /* only the gain matters */
    } else {
        for (size_t c = 0; c < classes; c++) {
            now[c] = c == label ? INFINITY : margin_now(view, label, c);
            smallest = fmin(smallest, now[c]);
        }
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i], at;
        double after = INFINITY;

        if (gains_less(view, label, a, now, smallest, found.score))
            continue;
        at = tct_belief_at(b, a);

        tct_expected_inputs(view, a, mean + at, inputs);
        for (size_t c = 0; c < classes; c++) {
            size_t pair = tct_pair(e, label, c);

            if (c != label)
                after =
                    fmin(after, now[c] + expected_term(view, pair, a, inputs) - e->worst[pair * e->n_attributes + a]);
        }
        tct_consider(&found, a, (after - smallest) / view->model->schema->attributes[a].cost);
    }
    return found.attribute;
}

/* Would the decision be proven for `label` once the candidate's terms are known?  The range of a single input for
 * which it would, within its domain. */
static bool settling_range(const tct_view *view, const double *now, size_t label, size_t attribute, double *from,
                           double *to)
{
    const tct_extremes *e = view->extremes;
    size_t first = view->model->codec->domains[attribute].first;

    tct_codec_range(view->model->codec, attribute, from, to);
    for (size_t c = 0; c < e->n_classes; c++) {
        size_t pair = tct_pair(e, label, c);
        double w = e->weights[pair * e->linear->base.n_inputs + first];
        double missing = e->worst[pair * e->n_attributes + attribute] - now[pair]; /* w x must be at least this */

        if (c == label)
            continue;
        if (w > 0)
            *from = fmax(*from, missing / w);
        else if (w < 0)
            *to = fmin(*to, missing / w);
        else if (missing > 0)
            return false;
    }
    return *from <= *to;
}

/* Probability that a Gaussian, clipped into [low, high], lies in [from, to]. */
static double clipped_mass(double mean, double deviation, double low, double high, double from, double to)
{
    double below = from <= low ? 0 : deviation > 0 ? tct_normal_cdf((from - mean) / deviation) : mean < from;
    double upto = to >= high ? 1 : deviation > 0 ? tct_normal_cdf((to - mean) / deviation) : mean <= to;

    return fmax(upto - below, 0);
}

/* settling_levels() of a wide category. */
static double settling_share(const tct_view *view, const double *now, size_t label, size_t attribute,
                             const double *weights)
{
    const tct_extremes *e = view->extremes;
    const tct_domain *domain = &view->model->codec->domains[attribute];
    tct_level_margins margins[TCT_MAX_CLASSES];
    size_t n = 0;

    for (size_t c = 0; c < e->n_classes; c++) {
        size_t pair = tct_pair(e, label, c);

        if (c != label)
            margins[n++] = (tct_level_margins){now[pair], e->worst[pair * e->n_attributes + attribute],
                                               e->weights + pair * e->linear->base.n_inputs + domain->first};
    }
    return tct_levels_share(margins, n, weights, domain->count);
}

/* Share of a one-hot attribute's levels, by weight, that would prove `label`. */
static double settling_levels(const tct_view *view, const double *now, size_t label, size_t attribute,
                              const double *weights)
{
    const tct_extremes *e = view->extremes;
    const tct_domain *domain = &view->model->codec->domains[attribute];
    double share = 0;

    for (size_t l = 0; l < domain->count; l++) {
        bool settled = true;

        for (size_t c = 0; c < e->n_classes && settled; c++) {
            size_t pair = tct_pair(e, label, c);

            settled = c == label || now[pair] + e->weights[pair * e->linear->base.n_inputs + domain->first + l] -
                                            e->worst[pair * e->n_attributes + attribute] >=
                                        0;
        }
        share += settled ? weights[l] : 0;
    }
    return share;
}

/* Does no answer prove `label`, as it does not against one of the others?  The largest term of one label is the worst of the
 * other turned round.  Of levels rounding keeps the order, so the answer is that of settling_levels; a range gets more room
 * than its rounding. */
static bool none_settles(const tct_view *view, const double *now, size_t label, size_t attribute, bool levels)
{
    const tct_extremes *e = view->extremes;
    bool none = false;

    for (size_t c = 0; c < e->n_classes && !none; c++) {
        size_t pair = tct_pair(e, label, c), turned = tct_pair(e, c, label);
        double best, worst, room;

        if (c == label)
            continue;
        best = -e->worst[turned * e->n_attributes + attribute];
        worst = e->worst[pair * e->n_attributes + attribute];
        room = levels ? 0 : 1e-9 * (fabs(now[pair]) + fabs(best) + fabs(worst));
        none = now[pair] + best - worst < -room;
    }
    return none;
}

/* Does no answer to this prove anything? */
static bool settles_none(const tct_view *view, const double *now, size_t attribute)
{
    bool levels = view->model->codec->domains[attribute].kind == TCT_ONEHOT, none = true;

    for (size_t label = 0; label < view->extremes->n_classes && none; label++)
        none = none_settles(view, now, label, attribute, levels);
    return none;
}

/* Probability that the answer settles the decision.  mean: of the attribute's inputs; now: certified margins. */
static double chance_to_stop(const tct_view *view, const double *now, size_t attribute, size_t at, const double *mean,
                             double *weights)
{
    const tct_belief *b = view->belief;
    const tct_domain *domain = &view->model->codec->domains[attribute];
    double variance = view->variances ? view->variances[at] : b->cov[at * b->n_unknown + at];
    double chance = 0, low, high, from, to;
    bool weighed = false;

    for (size_t label = 0; label < view->extremes->n_classes; label++) {
        if (none_settles(view, now, label, attribute, domain->kind == TCT_ONEHOT))
            continue;
        if (domain->kind == TCT_ONEHOT) {
            if (!weighed)
                tct_belief_levels(view->model, attribute, mean, weights);
            weighed = true;
            chance +=
                (is_wide(view, attribute) ? settling_share : settling_levels)(view, now, label, attribute, weights);
        } else if (settling_range(view, now, label, attribute, &from, &to)) {
            tct_codec_range(view->model->codec, attribute, &low, &high);
            chance += clipped_mass(mean[0], sqrt(variance), low, high, from, to);
        }
    }
    return chance;
}

size_t tct_choose_by_stop(const tct_view *view, double *scratch)
{
    const tct_extremes *e = view->extremes;
    const tct_belief *b = view->belief;
    double *now, *mean, likeliest = 0;
    tct_best found = {TACIT_NONE, 0};

    now = tct_scratch_take(&scratch, e->n_classes * e->n_classes);
    mean = tct_scratch_take(&scratch, b->n_unknown);
    for (size_t label = 0; label < e->n_classes; label++)
        for (size_t c = 0; c < e->n_classes; c++)
            if (c != label)
                now[tct_pair(e, label, c)] = margin_now(view, label, c);
    find_means(view, mean);
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];
        double chance = 0;

        if (!settles_none(view, now, a)) {
            size_t at = tct_belief_at(b, a);

            chance = chance_to_stop(view, now, a, at, mean + at, scratch);
        }

        likeliest = fmax(likeliest, chance);
        tct_consider(&found, a, chance / view->model->schema->attributes[a].cost);
    }
    return likeliest > WORTH_LEADING ? found.attribute : tct_choose_by_margin(view, now);
}

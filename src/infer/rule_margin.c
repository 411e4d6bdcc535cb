/*
 * Rules for decisions that must be proven.
 *
 * margin: with y the label at the posterior mean, the candidate whose answer is expected to raise the certified margin
 * of y most, per unit of cost: its term at the posterior mean (clipped into its domain) instead of its worst.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "rules_inside.h"

/* The inputs an attribute is expected to have: posterior means moved into its domain (one-hot: level weights). */
static void expected_inputs(const tct_view *view, size_t attribute, const double *mean, double *inputs)
{
    const tct_domain *domain = &view->model->codec->domains[attribute];
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(mean, domain->count, inputs);
        return;
    }
    tct_codec_range(view->model->codec, attribute, &low, &high);
    inputs[0] = fmin(fmax(mean[0], low), high);
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

size_t tct_choose_by_margin(const tct_view *view, double *scratch)
{
    const tct_extremes *e = view->extremes;
    const tct_belief *b = view->belief;
    size_t k = view->law->n_scores, classes = e->n_classes, label;
    double *mean = tct_take(&scratch, b->n_unknown), *scores = tct_take(&scratch, k),
           *now = tct_take(&scratch, classes);
    double *inputs = scratch, smallest = INFINITY; /* the rest: as wide as any attribute */
    tct_best found = {TACIT_NONE, 0};

    if (view->n_candidates == 1)
        return view->candidates[0];
    tct_law_mean(view->law, b, view->x, scores);
    label = tct_label(scores, k);
    tct_belief_mean(b, view->x, mean);
    if (classes == 2) {
        now[1 - label] = smallest = 0; /* only the gain matters */
    } else {
        for (size_t c = 0; c < classes; c++) {
            now[c] = c == label ? INFINITY : margin_now(view, label, c);
            smallest = fmin(smallest, now[c]);
        }
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];
        size_t at = tct_belief_position(b, view->model->codec->domains[a].first);
        double after = INFINITY;

        expected_inputs(view, a, mean + at, inputs);
        for (size_t c = 0; c < classes; c++) {
            size_t pair = tct_pair(e, label, c);

            if (c != label)
                after = fmin(after, now[c] + tct_term(e, pair, a, inputs) - e->worst[pair * e->n_attributes + a]);
        }
        tct_consider(&found, a, (after - smallest) / view->model->schema->attributes[a].cost);
    }
    return found.attribute;
}

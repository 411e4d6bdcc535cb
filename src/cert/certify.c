/*
 * A constant label can only be the label of any one completion, so take one, and bound its margins.  For linear
 * classifiers the bound is attained at a corner: if the corner's label, evaluated by the deployed scores, is another
 * one, the two completions are witnesses.  If not, the margin is within rounding of zero and nothing is claimed.
 * Networks have a search of their own (verifier.c).
 */
#include "certify.h"

#include <math.h>
#include <string.h>

#include "mlp.h"
#include "verifier.h"

/* Inputs of attribute a at the value that makes the margin's term smallest. */
static void worst_inputs(const tct_extremes *e, size_t pair, size_t a, double *inputs)
{
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + pair * e->linear->base.n_inputs + domain->first;
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        size_t worst = 0;

        for (size_t l = 1; l < domain->count; l++)
            if (w[l] < w[worst])
                worst = l;
        tct_codec_value(e->codec, a, worst, inputs);
        return;
    }
    tct_codec_range(e->codec, a, &low, &high);
    inputs[0] = w[0] * low <= w[0] * high ? low : high;
}

/* The completion of the region with the smallest margin of a pair. */
static void worst_completion(const tct_extremes *e, const tct_region *region, size_t pair, double *x)
{
    for (size_t a = 0; a < e->n_attributes; a++) {
        const tct_domain *domain = &e->codec->domains[a];

        if (region->known[a])
            memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof *x);
        else
            worst_inputs(e, pair, a, x + domain->first);
    }
}

static size_t label_of(const tct_classifier *classifier, const double *x)
{
    double scores[TCT_MAX_CLASSES];
    size_t label;

    classifier->ops->scores(classifier, x, 1, scores);
    label = tct_label(scores, classifier->n_scores);
    tct_wipe(scores, classifier->n_scores * sizeof *scores);
    return label;
}

static tacit_status certify_network(tct_finding *finding, const tacit_model *model, const tct_region *region,
                                    tacit_error *err)
{
    tct_verifier *verifier = NULL;
    tacit_status st = tct_verifier_new(&verifier, model, err);

    if (!st)
        st = tct_verifier_decide(verifier, region, 0, finding, err);
    tct_verifier_free(verifier);
    return st;
}

static tacit_status certify_linear(tct_finding *finding, const tacit_model *model, const tct_region *region,
                                   tacit_error *err)
{
    const tct_classifier *classifier = model->classifier;
    tct_extremes *e = NULL;
    double lower[TCT_MAX_CLASSES];
    size_t label;
    bool settled = true;
    tacit_status st;

    finding->verdict = TACIT_UNDECIDED;
    finding->label = TACIT_NONE;
    finding->nodes = 1;
    st = tct_extremes_new(&e, tct_as_linear(classifier), model->codec, err);
    if (st)
        return st;
    worst_completion(e, region, tct_pair(e, 0, 1), finding->witness[0]);
    label = label_of(classifier, finding->witness[0]);
    classifier->ops->margins(classifier, region, label, lower);
    for (size_t c = 0; c < e->n_classes; c++)
        settled = settled && (c == label || tct_wins(e, label, c, lower[c]));
    if (settled) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = label;
    }
    for (size_t c = 0; c < e->n_classes && finding->verdict == TACIT_UNDECIDED; c++) {
        if (c == label || tct_wins(e, label, c, lower[c]))
            continue;
        finding->nodes++;
        worst_completion(e, region, tct_pair(e, label, c), finding->witness[1]);
        if (label_of(classifier, finding->witness[1]) != label)
            finding->verdict = TACIT_REFUTED;
    }
    tct_extremes_free(e);
    return TACIT_OK;
}

tacit_status tct_certify(tct_finding *finding, const tacit_model *model, const tct_region *region, tacit_error *err)
{
    if (tct_as_mlp(model->classifier))
        return certify_network(finding, model, region, err);
    return certify_linear(finding, model, region, err);
}

/*
 * prove_linear.c -- the prover of linear classifiers.
 *
 * A constant label can only be the label of any one completion, so take one, and bound its margins.  The bound is
 * attained at a corner: if the corner's label, evaluated by the deployed scores, is another one, the two completions
 * are witnesses.  If not, the margin is within rounding of zero and nothing is claimed.
 *
 * A single score leaves nothing open where one attribute is.  scores() adds its terms one after the other, and rounding
 * is monotone, so the score as computed is a monotone function of every single term; one input moves its term from end
 * to end, a one-hot attribute from level to level.  So the attribute's worst values give the worst scores as computed,
 * and evaluating those two completions decides.
 */
#include <math.h>
#include <string.h>

#include "checker.h"
#include "extremes.h"
#include "provers.h"

typedef struct linear_prover {
    tct_prover base;
    tct_extremes *extremes;
    double *witness[2]; /* n_inputs each */
} linear_prover;

static void linear_free(tct_prover *prover)
{
    linear_prover *p = (linear_prover *)prover;
    size_t size = p->base.model->codec->n_inputs * sizeof(double);

    tct_extremes_free(p->extremes);
    tct_free_wiped(p->witness[0], size);
    tct_free_wiped(p->witness[1], size);
    tct_free(p);
}

static tacit_status linear_make(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->codec->n_inputs;
    linear_prover *p = tct_calloc(1, sizeof *p);
    tacit_status st;

    *out = NULL;
    if (!p)
        return tct_fail_memory(err);
    p->base = (tct_prover){&tct_prover_linear, model};
    p->witness[0] = tct_calloc(d, sizeof(double));
    p->witness[1] = tct_calloc(d, sizeof(double));
    st = p->witness[0] && p->witness[1] ? TACIT_OK : tct_fail_memory(err);
    if (!st)
        st = tct_extremes_new(&p->extremes, tct_as_linear(model->classifier), model->codec, err);
    if (st)
        linear_free(&p->base);
    else
        *out = &p->base;
    return st;
}

/* Inputs of attribute a at the value in the region that makes the margin's term smallest. */
static void worst_inputs(const tct_extremes *e, const tct_region *region, size_t pair, size_t a, double *inputs)
{
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + pair * e->linear->base.n_inputs + domain->first;
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        size_t worst = TACIT_NONE;

        for (size_t l = 0; l < domain->count; l++)
            if (tct_region_has_level(region, a, l) && (worst == TACIT_NONE || w[l] < w[worst]))
                worst = l;
        tct_codec_value(e->codec, a, worst, inputs);
        return;
    }
    tct_region_range(region, a, &low, &high);
    inputs[0] = w[0] * low <= w[0] * high ? low : high;
}

/* The completion of the region with the smallest margin of a pair; how many attributes are open. */
static size_t worst_completion(const tct_extremes *e, const tct_region *region, size_t pair, double *x)
{
    size_t open = 0;

    for (size_t a = 0; a < e->n_attributes; a++) {
        const tct_domain *domain = &e->codec->domains[a];

        if (region->known[a]) {
            memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof *x);
        } else {
            worst_inputs(e, region, pair, a, x + domain->first);
            open++;
        }
    }
    return open;
}

/* Look for a completion that gives class c where its margin is not proven; fills witness[1]. */
static bool refute(linear_prover *p, const tct_region *region, size_t label, const double *lower, uint64_t *nodes)
{
    const tct_extremes *e = p->extremes;

    for (size_t c = 0; c < e->n_classes; c++) {
        if (c == label || tct_wins(e, label, c, lower[c]))
            continue;
        ++*nodes;
        worst_completion(e, region, tct_pair(e, label, c), p->witness[1]);
        if (tct_label_of(&e->linear->base, p->witness[1]) != label)
            return true;
    }
    return false;
}

static tacit_status linear_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                                  tacit_error *err)
{
    linear_prover *p = (linear_prover *)prover;
    const tct_extremes *e = p->extremes;
    const tct_classifier *classifier = &e->linear->base;
    double lower[TCT_MAX_CLASSES];
    bool settled = true;
    size_t label, open;

    (void)budget; /* a few bounds are all there is to do */
    (void)err;
    finding->verdict = TACIT_UNDECIDED;
    finding->label = TACIT_NONE;
    finding->nodes = 1;
    open = worst_completion(e, region, tct_pair(e, 0, 1), p->witness[0]);
    label = tct_label_of(classifier, p->witness[0]);
    classifier->ops->margins(classifier, region, label, lower);
    for (size_t c = 0; c < e->n_classes; c++)
        settled = settled && (c == label || tct_wins(e, label, c, lower[c]));
    if (!settled && refute(p, region, label, lower, &finding->nodes)) {
        finding->verdict = TACIT_REFUTED;
        for (size_t w = 0; w < 2; w++)
            if (finding->witness[w])
                memcpy(finding->witness[w], p->witness[w], classifier->n_inputs * sizeof(double));
    } else if (settled || (open <= 1 && classifier->n_scores == 1)) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = label;
    }
    tct_wipe(lower, sizeof lower);
    return TACIT_OK;
}

static void linear_forget(tct_prover *prover)
{
    linear_prover *p = (linear_prover *)prover;

    tct_wipe(p->witness[0], p->base.model->codec->n_inputs * sizeof(double));
    tct_wipe(p->witness[1], p->base.model->codec->n_inputs * sizeof(double));
}

static bool linear_decides_one(const tacit_model *model)
{
    return model->classifier->n_scores == 1;
}

/* A single leaf: the checker derives the margins again. */
static tacit_status linear_write(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves,
                                 tacit_error *err)
{
    tacit_status st = tct_check_whole(claim, err);

    (void)max_leaves;
    *made = !st;
    if (st == TACIT_E_INPUT)
        return TACIT_OK;
    return st ? st : tct_proof_add_leaf(proof, err);
}

const tct_prover_ops tct_prover_linear = {.kind = "logistic",
                                          .make = linear_make,
                                          .free = linear_free,
                                          .decide = linear_decide,
                                          .forget = linear_forget,
                                          .decides_one = linear_decides_one,
                                          .write = linear_write};

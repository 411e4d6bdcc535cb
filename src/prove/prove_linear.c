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
 *
 * Where the unknown attributes may have every value of their domains, what is worst of each is known beforehand, and the
 * completions are lists of the inputs that are not 0: of a category with a thousand levels that is one.  The numbers are the
 * same, in the same order.
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
    tct_given given;    /* n_inputs: a completion, and ... */
    size_t *open;       /* n_attributes: ... those of its attributes that are not known */
    size_t *place;      /* where each of these is in it */
    size_t n_open;
    size_t most;  /* of `given` that was ever used since it was wiped */
    bool spelled; /* the same of witness[] */
} linear_prover;

static void linear_free(tct_prover *prover)
{
    linear_prover *p = (linear_prover *)prover;
    size_t size = p->base.model->codec->n_inputs * sizeof(double);

    tct_extremes_free(p->extremes);
    tct_free_wiped(p->witness[0], size);
    tct_free_wiped(p->witness[1], size);
    tct_free_wiped(p->given.input, p->base.model->codec->n_inputs * sizeof *p->given.input);
    tct_free_wiped(p->given.value, size);
    tct_free(p->open);
    tct_free(p->place);
    tct_free(p);
}

static tacit_status linear_make(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->codec->n_inputs, n = model->schema->n_attributes;
    linear_prover *p = tct_calloc(1, sizeof *p);
    tacit_status st;

    *out = NULL;
    if (!p)
        return tct_fail_memory(err);
    p->base = (tct_prover){&tct_prover_linear, model};
    p->witness[0] = tct_calloc(d, sizeof(double));
    p->witness[1] = tct_calloc(d, sizeof(double));
    p->given.input = tct_calloc(d, sizeof *p->given.input);
    p->given.value = tct_calloc(d, sizeof(double));
    p->open = tct_calloc(n, sizeof *p->open);
    p->place = tct_calloc(n, sizeof *p->place);
    st = p->witness[0] && p->witness[1] && p->given.input && p->given.value && p->open && p->place
             ? TACIT_OK
             : tct_fail_memory(err);
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

/* ---- whole domains ---- */

/* The inputs that are known, and a place for every attribute that is not. */
static void list_known(linear_prover *p, const tct_region *region)
{
    const tct_extremes *e = p->extremes;
    tct_given *given = &p->given;

    given->n = p->n_open = 0;
    for (size_t a = 0; a < e->n_attributes; a++) {
        size_t first = e->codec->domains[a].first, end = first + e->codec->domains[a].width;

        if (!region->known[a]) {
            p->open[p->n_open] = a;
            p->place[p->n_open++] = given->n++;
            continue;
        }
        for (size_t i = tct_next_given(region->x, first, end); i < end; i = tct_next_given(region->x, i + 1, end)) {
            given->input[given->n] = i;
            given->value[given->n++] = region->x[i];
        }
    }
    p->most = given->n > p->most ? given->n : p->most;
}

/* What is not known becomes what makes the margin of a pair smallest. */
static void complete(linear_prover *p, size_t pair)
{
    const tct_extremes *e = p->extremes;

    for (size_t k = 0; k < p->n_open; k++) {
        size_t at = pair * e->n_attributes + p->open[k];

        p->given.input[p->place[k]] = e->worst_input[at];
        p->given.value[p->place[k]] = e->worst_value[at];
    }
}

static size_t label_of_given(const linear_prover *p)
{
    double scores[TCT_MAX_CLASSES];
    size_t label;

    tct_linear_scores_of(p->extremes->linear, &p->given, scores);
    label = tct_label(scores, p->extremes->linear->base.n_scores);
    tct_wipe(scores, sizeof scores);
    return label;
}

static void spell_out(const linear_prover *p, double *x)
{
    if (!x)
        return;
    memset(x, 0, p->extremes->linear->base.n_inputs * sizeof *x);
    for (size_t i = 0; i < p->given.n; i++)
        x[p->given.input[i]] = p->given.value[i];
}

/* As decide_within(), for regions without ranges. */
static void decide_whole(linear_prover *p, const tct_region *region, tct_finding *finding)
{
    const tct_extremes *e = p->extremes;
    bool settled = true, refuted = false;
    size_t label;

    list_known(p, region);
    complete(p, tct_pair(e, 0, 1));
    label = label_of_given(p);
    for (size_t c = 0; c < e->n_classes && !refuted; c++) {
        if (c == label)
            continue;
        complete(p, tct_pair(e, label, c));
        if (tct_wins(e, label, c, tct_linear_margin_of(e->linear, label, c, &p->given)))
            continue;
        settled = false;
        finding->nodes++;
        refuted = label_of_given(p) != label;
    }
    if (refuted) {
        finding->verdict = TACIT_REFUTED;
        spell_out(p, finding->witness[1]);
        complete(p, tct_pair(e, 0, 1));
        spell_out(p, finding->witness[0]);
    } else if (settled || (p->n_open <= 1 && e->linear->base.n_scores == 1)) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = label;
    }
}

/* ---- parts of them ---- */

static void decide_within(linear_prover *p, const tct_region *region, tct_finding *finding)
{
    const tct_extremes *e = p->extremes;
    const tct_classifier *classifier = &e->linear->base;
    double lower[TCT_MAX_CLASSES];
    bool settled = true;
    size_t label, open;

    p->spelled = true;
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
}

static tacit_status linear_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                                  tacit_error *err)
{
    linear_prover *p = (linear_prover *)prover;

    (void)budget; /* a few bounds are all there is to do */
    (void)err;
    finding->verdict = TACIT_UNDECIDED;
    finding->label = TACIT_NONE;
    finding->nodes = 1;
    if (region->low)
        decide_within(p, region, finding);
    else
        decide_whole(p, region, finding);
    return TACIT_OK;
}

static void linear_forget(tct_prover *prover)
{
    linear_prover *p = (linear_prover *)prover;

    for (size_t w = 0; w < 2 && p->spelled; w++)
        tct_wipe(p->witness[w], p->base.model->codec->n_inputs * sizeof(double));
    tct_wipe(p->given.input, p->most * sizeof *p->given.input);
    tct_wipe(p->given.value, p->most * sizeof(double));
    p->most = 0;
    p->spelled = false;
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

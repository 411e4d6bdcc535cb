/*
 * prover.c -- dividing the domain until the checker's bounds suffice.
 *
 * A part that does not hold is cut where the bounds lose most.  What the weakest margin loses, it loses in the lines put
 * in for ReLUs that may bend within the part (its gaps); cutting an attribute reduces the gap of a neuron by about the
 * share that the attribute has in the neuron's spread.  So an attribute is worth
 *
 *     sum over neurons:  gap  x  share of the attribute in the spread
 *
 * and, with a small weight, its own spread in the margin's form, for parts in which only rounding is in the way.
 * Intervals and grids are cut in the middle, levels into the half with the smaller coefficients and the rest.
 *
 * Along with every part that does not hold, the completion at which the margin's form is least is evaluated: should it
 * have another label, the claim is false and there is nothing to prove.
 */
#include "prover.h"

#include <math.h>
#include <string.h>

#include "leaf_network.h"

static const double OWN_SPREAD = 0.1;
enum { WITH_INTERVALS = 128 }; /* parts for which plain intervals are tried: seldom better, a third of the time */

typedef struct proving {
    const tct_claim *claim;
    tct_proof *proof;
    tct_net_leaf *leaf;
    const tct_leaf_forms *forms; /* of the part that was last looked at */
    size_t max_leaves;
    size_t seen;   /* parts looked at */
    bool failed;   /* there will be no proof */
    double *share; /* per attribute: spread of one neuron */
    double *gain;  /* per attribute */
} proving;

/* Difference between the most and the least that attribute a can contribute to a form. */
static double spread(const tct_leaf_forms *forms, size_t a, const double *form)
{
    const tct_domain *domain = &forms->claim->model->codec->domains[a];
    size_t at = forms->column[domain->first];
    double least = INFINITY, most = -INFINITY;

    if (domain->kind != TCT_ONEHOT)
        return fabs(form[at]) * (forms->to[at] - forms->from[at]);
    for (size_t k = at; k < at + domain->count; k++)
        if (forms->allowed[k]) {
            least = form[k] < least ? form[k] : least;
            most = form[k] > most ? form[k] : most;
        }
    return most - least;
}

/* Credit the gap of neuron j to the attributes that make it uncertain. */
static void credit(proving *p, const tct_forms_layer *layer, size_t j, double weight)
{
    size_t n = p->forms->stride, n_attributes = p->claim->model->schema->n_attributes;
    double total = 0;

    for (size_t a = 0; a < n_attributes; a++) {
        p->share[a] = p->claim->region.known[a]
                          ? 0
                          : spread(p->forms, a, layer->lower + j * n) + spread(p->forms, a, layer->upper + j * n);
        total += p->share[a];
    }
    for (size_t a = 0; a < n_attributes && total > 0; a++)
        p->gain[a] += weight * p->share[a] / total;
}

/* What cutting each attribute is worth, from the bounds of the part that was last looked at. */
static void estimate_gains(proving *p)
{
    const tct_mlp *mlp = p->leaf->mlp;

    for (size_t a = 0; a < p->claim->model->schema->n_attributes; a++)
        p->gain[a] = p->claim->region.known[a] ? 0 : OWN_SPREAD * spread(p->forms, a, p->forms->weakest);
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        const tct_forms_layer *layer = &p->forms->layers[l];

        for (size_t j = 0; j < mlp->sizes[l + 1]; j++)
            if (layer->gap[j] > 0)
                credit(p, layer, j, layer->gap[j]);
    }
}

/* Can attribute a be cut at all? */
static bool can_cut(const tct_region *part, size_t a)
{
    const tct_domain *domain = &part->codec->domains[a];
    double low, high;

    if (part->known[a])
        return false;
    if (domain->kind == TCT_ONEHOT)
        return tct_region_levels(part, a) > 1;
    tct_region_range(part, a, &low, &high);
    return domain->kind == TCT_GRID ? low < high : low < low + (high - low) / 2 && low + (high - low) / 2 < high;
}

/* The half of the levels with the smaller coefficients in the weakest margin. */
static void lower_half(const proving *p, const tct_region *part, size_t a, unsigned char *half)
{
    const tct_domain *domain = &part->codec->domains[a];
    const double *c = p->forms->weakest + p->forms->column[domain->first];
    size_t wanted = tct_region_levels(part, a) / 2;

    memset(half, 0, domain->count);
    for (; wanted > 0; wanted--) {
        size_t best = TACIT_NONE;

        for (size_t k = 0; k < domain->count; k++)
            if (tct_region_has_level(part, a, k) && !half[k] && (best == TACIT_NONE || c[k] < c[best]))
                best = k;
        half[best] = 1;
    }
}

/* Append the best cut of the part; when there is none, there will be no proof. */
static tacit_status add_cut(proving *p, const tct_region *part, tacit_error *err)
{
    const tct_codec *codec = p->claim->model->codec;
    unsigned char half[TCT_MAX_LEVELS];
    const tct_domain *domain;
    size_t best = TACIT_NONE;
    double low, high;

    estimate_gains(p);
    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        if (can_cut(part, a) && (best == TACIT_NONE || p->gain[a] > p->gain[best]))
            best = a;
    if (best == TACIT_NONE) {
        p->failed = true;
        return TACIT_OK;
    }
    domain = &codec->domains[best];
    if (domain->kind == TCT_BOX) {
        tct_region_range(part, best, &low, &high);
        return tct_proof_add_split(p->proof, best, low + (high - low) / 2, NULL, 0, err);
    }
    if (domain->kind == TCT_GRID) {
        tct_region_indices(part, best, &low, &high);
        return tct_proof_add_split(p->proof, best, low + floor((high - low + 1) / 2), NULL, 0, err);
    }
    lower_half(p, part, best, half);
    return tct_proof_add_split(p->proof, best, 0, half, domain->count, err);
}

/* Has the completion at which the weakest margin's form is least another label? */
static bool is_refuted(proving *p)
{
    const tct_classifier *classifier = p->claim->model->classifier;
    const tct_codec *codec = p->claim->model->codec;
    double *x = p->leaf->point, scores[TCT_MAX_CLASSES];
    size_t label;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        size_t at = p->forms->column[domain->first], best = TACIT_NONE;
        const double *c;

        if (p->claim->region.known[a]) {
            memcpy(x + domain->first, p->claim->region.x + domain->first, domain->width * sizeof(double));
            continue;
        }
        c = p->forms->weakest + at;
        if (domain->kind != TCT_ONEHOT) {
            x[domain->first] = *c > 0 ? p->forms->from[at] : p->forms->to[at];
            continue;
        }
        memset(x + domain->first, 0, domain->width * sizeof(double));
        for (size_t k = 0; k < domain->count; k++)
            if (p->forms->allowed[at + k] && (best == TACIT_NONE || c[k] < c[best]))
                best = k;
        x[domain->first + best] = 1;
    }
    classifier->ops->scores(classifier, x, 1, scores);
    label = tct_label(scores, classifier->n_scores);
    tct_wipe(scores, sizeof(scores));
    return label != p->claim->label;
}

static tacit_status prove_part(proving *p, const tct_region *part, size_t depth, tacit_error *err)
{
    tct_ranges side = {0};
    tct_cut cut;
    size_t node = p->proof->n_nodes;
    tacit_status st;

    if (depth > TCT_PROOF_DEPTH || p->proof->n_leaves == p->max_leaves) {
        p->failed = true;
        return TACIT_OK;
    }
    if (tct_net_leaf_holds_quickly(p->leaf, part, p->seen++ < WITH_INTERVALS))
        return tct_proof_add_leaf(p->proof, err);
    if (tct_region_is_point(part, p->leaf->point) || is_refuted(p)) {
        p->failed = true;
        return TACIT_OK;
    }
    st = add_cut(p, part, err);
    for (int right = 0; right < 2 && !st && !p->failed; right++) {
        st = tct_ranges_of(&side, part, err);
        if (!st) {
            tct_region half = tct_region_within(part, &side);

            cut = tct_proof_cut(p->proof, &p->proof->nodes[node]);
            tct_ranges_take(&side, part->codec, &cut, right);
            st = prove_part(p, &half, depth + 1, err);
        }
        tct_ranges_clear(&side);
    }
    return st;
}

tacit_status tct_prove(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves, tacit_error *err)
{
    size_t n_attributes = claim->model->schema->n_attributes;
    proving p = {.claim = claim, .proof = proof, .max_leaves = max_leaves ? max_leaves : TCT_PROOF_LEAVES};
    tacit_status st;

    *made = false;
    p.share = tct_calloc(n_attributes, sizeof(double));
    p.gain = tct_calloc(n_attributes, sizeof(double));
    st = p.share && p.gain ? tct_net_leaf_new(&p.leaf, claim, err) : tct_fail_memory(err);
    if (!st)
        p.forms = p.leaf->forms;
    if (!st)
        st = prove_part(&p, &claim->region, 0, err);
    *made = !st && !p.failed;
    if (!*made)
        tct_proof_clear(proof);
    tct_net_leaf_free(p.leaf);
    tct_free_wiped(p.share, n_attributes * sizeof(double));
    tct_free_wiped(p.gain, n_attributes * sizeof(double));
    return st;
}

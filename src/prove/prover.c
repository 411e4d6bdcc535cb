/*
 * prover.c -- dividing the domain until the checker's bounds suffice.
 *
 * A part that does not hold is cut where its bounds lose most, there where the checker halves its leaves too (leaf_cut.c).
 * Along with every such part the completion at which the margin's form is least is evaluated: should it have another
 * label, the claim is false and there is nothing to prove.
 */
#include "prover.h"

#include <math.h>
#include <string.h>

#include "leaf_network.h"

enum { WITH_INTERVALS = 1 }; /* parts for which plain intervals are tried: seldom better, and not quick */

typedef struct proving {
    const tct_claim *claim;
    tct_proof *proof;
    tct_net_leaf *leaf;
    size_t max_leaves;
    size_t seen; /* parts looked at */
    bool failed; /* there will be no proof */
} proving;

/* Append the best cut of the part that was last looked at; when there is none, there will be no proof. */
static tacit_status add_cut(proving *p, const tct_region *part, tacit_error *err)
{
    const tct_codec *codec = p->claim->model->codec;
    unsigned char half[TCT_MAX_LEVELS];
    size_t best = tct_leaf_forms_cut(p->leaf->forms, half);
    const tct_domain *domain;
    double low, high;

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
    return tct_proof_add_split(p->proof, best, 0, half, domain->count, err);
}

/* Has the completion at which the weakest margin's form is least another label? */
static bool is_refuted(proving *p)
{
    const tct_classifier *classifier = p->claim->model->classifier;
    double *x = p->leaf->point, scores[TCT_MAX_CLASSES];
    size_t label;

    tct_leaf_forms_corner(p->leaf->forms, x);
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
    proving p = {.claim = claim, .proof = proof, .max_leaves = max_leaves ? max_leaves : TCT_PROOF_LEAVES};
    tacit_status st;

    *made = false;
    st = tct_net_leaf_new(&p.leaf, claim, err);
    if (!st)
        st = prove_part(&p, &claim->region, 0, err);
    *made = !st && !p.failed;
    if (!*made)
        tct_proof_clear(proof);
    tct_net_leaf_free(p.leaf);
    return st;
}

/*
 * prove_trees.c -- the prover of ensembles of trees: the search decides (treesearch.h); proofs are written by cutting the
 * region until the checker's own bounds hold.
 *
 * A part that does not hold is cut where the sums of least leaves of both halves gain most, by the same estimate as in
 * the search.  The class that the checker could not rule out says which margin to look at.
 */
#include <string.h>

#include "leaves.h"
#include "treesearch.h"

typedef struct trees_prover {
    tct_prover base;
    tct_treesearch *search;
} trees_prover;

static void trees_prover_free(tct_prover *prover)
{
    tct_treesearch_free(((trees_prover *)prover)->search);
    tct_free(prover);
}

static tacit_status trees_prover_make(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    trees_prover *p = tct_calloc(1, sizeof *p);
    tacit_status st;

    *out = NULL;
    if (!p)
        return tct_fail_memory(err);
    p->base = (tct_prover){&tct_prover_trees, model};
    st = tct_treesearch_new(&p->search, model, err);
    if (st)
        trees_prover_free(&p->base);
    else
        *out = &p->base;
    return st;
}

static tacit_status trees_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                                 tacit_error *err)
{
    return tct_treesearch_decide(((trees_prover *)prover)->search, region, budget, finding, err);
}

static tacit_status trees_slices(tct_prover *prover, const tct_region *region, size_t label, tct_slices *out,
                                 tacit_error *err)
{
    return tct_treesearch_slices(((trees_prover *)prover)->search, region, label, out, err);
}

static tacit_status trees_leaves_open(tct_prover *prover, size_t attribute, size_t value, bool thorough, bool *open,
                                      tacit_error *err)
{
    return tct_treesearch_leaves_open(((trees_prover *)prover)->search, attribute, value, thorough, open, err);
}

static void trees_skip(tct_prover *prover, const tct_region *region)
{
    tct_treesearch_skip(((trees_prover *)prover)->search, region);
}

static void trees_forget(tct_prover *prover)
{
    tct_treesearch_forget(((trees_prover *)prover)->search);
}

/* Scores within rounding of the cut stay open. */
static bool trees_decides_one(const tacit_model *model)
{
    (void)model;
    return false;
}

/* ---- proofs ---- */

typedef struct writing {
    const tct_claim *claim;
    tct_proof *proof;
    tct_leaf *leaf;
    tct_treegrid *grid;
    size_t max_leaves;
    bool failed; /* there will be no proof */
} writing;

/* A cut of the grid as a cut of the part. */
static void name_cut(const writing *w, const tct_tree_cut *from, tct_cut *to, unsigned char *levels)
{
    const tct_tree_axis *axis = &w->grid->axes[from->axis];

    *to = (tct_cut){.attribute = axis->attribute, .levels = levels};
    if (axis->ordered) {
        to->at = tct_treegrid_cell(w->grid, from->axis, from->at);
        return;
    }
    memset(levels, 0, w->claim->model->codec->domains[axis->attribute].count);
    for (size_t c = 0; c < axis->n_cells; c++)
        levels[tct_treegrid_cell(w->grid, from->axis, c)] = from->left[c];
}

/* Where to cut a part that does not hold; *found is false where nobody is left to be told apart. */
static tacit_status find_cut(writing *w, const tct_region *part, tct_cut *cut, unsigned char *levels, bool *found,
                             tacit_error *err)
{
    tct_tree_cut best;
    tacit_status st;

    tct_treegrid_region(w->grid, part);
    *found = false;
    if (w->leaf->against == TACIT_NONE || tct_treegrid_is_point(w->grid))
        return TACIT_OK;
    st = tct_treegrid_margin(w->grid, w->claim->label, w->leaf->against, err);
    if (st)
        return st;
    tct_treegrid_whole(w->grid);
    *found = !tct_treegrid_constant(w->grid) && tct_treegrid_cut(w->grid, &best);
    if (*found)
        name_cut(w, &best, cut, levels);
    return TACIT_OK;
}

static tacit_status write_part(writing *w, const tct_region *part, size_t depth, tacit_error *err)
{
    unsigned char levels[TCT_MAX_LEVELS];
    tct_ranges side = {0};
    tct_cut cut;
    bool found = false, onehot;
    tacit_status st;

    if (w->leaf->ops->holds(w->leaf, part))
        return tct_proof_add_leaf(w->proof, err);
    st = find_cut(w, part, &cut, levels, &found, err);
    if (st)
        return st;
    if (!found || depth == TCT_PROOF_DEPTH || w->proof->n_leaves >= w->max_leaves) {
        w->failed = true;
        return TACIT_OK;
    }
    onehot = part->codec->domains[cut.attribute].kind == TCT_ONEHOT;
    st = tct_proof_add_split(w->proof, cut.attribute, cut.at, onehot ? levels : NULL,
                             onehot ? part->codec->domains[cut.attribute].count : 0, err);
    for (int right = 0; right < 2 && !st && !w->failed; right++) {
        st = tct_ranges_of(&side, part, err);
        if (!st) {
            tct_region half = tct_region_within(part, &side);

            tct_ranges_take(&side, part->codec, &cut, right);
            st = write_part(w, &half, depth + 1, err);
        }
        tct_ranges_clear(&side);
    }
    return st;
}

static tacit_status trees_write(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves,
                                tacit_error *err)
{
    writing w = {.claim = claim, .proof = proof, .max_leaves = max_leaves ? max_leaves : TCT_PROOF_LEAVES};
    tacit_status st = tct_leaf_trees.make(&w.leaf, claim, err);

    *made = false;
    if (!st)
        st = tct_treegrid_new(&w.grid, claim->model, NULL, err);
    if (!st)
        st = write_part(&w, &claim->region, 0, err);
    *made = !st && !w.failed;
    if (!*made)
        tct_proof_clear(proof);
    tct_treegrid_free(w.grid);
    if (w.leaf)
        tct_leaf_trees.free(w.leaf);
    return st;
}

const tct_prover_ops tct_prover_trees = {.kind = "trees",
                                         .make = trees_prover_make,
                                         .free = trees_prover_free,
                                         .decide = trees_decide,
                                         .slices = trees_slices,
                                         .leaves_open = trees_leaves_open,
                                         .skip = trees_skip,
                                         .forget = trees_forget,
                                         .decides_one = trees_decides_one,
                                         .write = trees_write};

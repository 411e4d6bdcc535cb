/*
 * checker.c -- checking claims.
 *
 * The walk goes down the tree with the part of the region that each node stands for, starting with all of it.  A node
 * must cut its part into two that are not empty, a leaf must hold (leaves.h), and the list of nodes must end where the
 * walk ends.
 */
#include "checker.h"

#include "leaves.h"

typedef struct walk {
    const tct_claim *claim;
    const tct_proof *proof;
    tct_leaf *leaf;
    size_t at;     /* next node */
    size_t leaves; /* seen */
} walk;

/* The leaf looked at last does not hold. */
static tacit_status refuse(const walk *w, tacit_error *err)
{
    if (w->leaf->ops->whole && w->leaf->against != TACIT_NONE)
        return tct_fail(err, TACIT_E_INPUT, "the label is not certain: other answers could give class '%s'",
                        w->claim->model->schema->classes[w->leaf->against]);
    return tct_fail(err, TACIT_E_INPUT, "leaf %zu of the proof does not hold", w->leaves);
}

/* The subtree that starts at the next node, for this part. */
static tacit_status check_node(walk *w, const tct_region *part, size_t depth, tacit_error *err)
{
    const tct_proof_node *node;
    tct_ranges side = {0};
    tct_cut cut;
    tacit_status st = TACIT_OK;

    if (w->at == w->proof->n_nodes)
        return tct_fail(err, TACIT_E_INPUT, "the proof ends too early");
    if (depth > TCT_PROOF_DEPTH)
        return tct_fail(err, TACIT_E_INPUT, "the proof is more than %d nodes deep", TCT_PROOF_DEPTH);
    node = &w->proof->nodes[w->at++];
    if (node->attribute == TACIT_NONE) {
        w->leaves++;
        return w->leaf->ops->holds(w->leaf, part) ? TACIT_OK : refuse(w, err);
    }
    cut = tct_proof_cut(w->proof, node);
    if (!tct_region_divides(part, &cut))
        return tct_fail(err, TACIT_E_INPUT, "node %zu of the proof does not divide its part in two", w->at);
    for (int right = 0; right < 2 && !st; right++) {
        st = tct_ranges_of(&side, part, err);
        if (!st) {
            tct_region half = tct_region_within(part, &side);

            tct_ranges_take(&side, part->codec, &cut, right);
            st = check_node(w, &half, depth + 1, err);
        }
        tct_ranges_clear(&side);
    }
    return st;
}

tacit_status tct_check(const tct_claim *claim, const tct_proof *proof, tacit_error *err)
{
    const tct_leaf_ops *ops = tct_leaf_row(claim->model);
    walk w = {.claim = claim, .proof = proof};
    tacit_status st;

    if (!ops)
        return tct_fail(err, TACIT_E_INPUT, "proofs about models of kind '%s' cannot be checked",
                        claim->model->classifier->ops->kind);
    st = ops->make(&w.leaf, claim, err);
    if (st)
        return st;
    st = check_node(&w, &claim->region, 0, err);
    if (!st && w.at != proof->n_nodes)
        st = tct_fail(err, TACIT_E_INPUT, "the proof goes on where it should end");
    ops->free(w.leaf);
    return st;
}

tacit_status tct_check_whole(const tct_claim *claim, tacit_error *err)
{
    tct_proof_node leaf = {.attribute = TACIT_NONE};
    tct_proof proof = {.nodes = &leaf, .n_nodes = 1, .n_leaves = 1};

    return tct_check(claim, &proof, err);
}

/*
 * tree_walk.c -- where people end in trees, for many trees at a time.
 *
 * Walking down a tree is waiting: which node is next is known only when the last one has been looked at, and no processor
 * foresees it.  So TCT_TREES_AT_ONCE trees are walked side by side, without branches, until all have arrived.  For that a
 * node must be one comparison.  "Missing" is the last cell of a number, so the cells that go left, or those that go
 * right, are a run whichever way it is sent; and most sets of levels are runs, or all but a run.
 */
#include "tree_walk.h"

/* The run of cells that go left, or else of those that go right; false: neither is one. */
static bool find_run(const tct_trees *t, const tct_tree_node *node, uint32_t i, tct_tree_step *step)
{
    const tct_tree_attribute *a = &t->attributes[node->attribute];

    for (int way = 0; way < 2; way++) {
        uint32_t first = 0, last = 0, count = 0;

        for (uint32_t k = 0; k < a->count; k++)
            if (tct_tree_goes_left(t, node, k) == (way == 0)) {
                first = count == 0 ? k : first;
                last = k;
                count++;
            }
        if (count > 0 && last - first + 1 != count)
            continue;
        *step = (tct_tree_step){.base = first, .span = count, .attribute = node->attribute};
        step->yes = way == 0 ? i + 1 : node->right;
        step->no = way == 0 ? node->right : i + 1;
        return true;
    }
    return false;
}

/* A number is not looked at cell by cell. */
static bool find_step(const tct_trees *t, uint32_t i, tct_tree_step *step)
{
    const tct_tree_node *node = &t->nodes[i];
    const tct_tree_attribute *a;

    *step = (tct_tree_step){.yes = i, .no = i};
    if (node->attribute == TCT_TREE_LEAF)
        return true;
    a = &t->attributes[node->attribute];
    if (a->levels)
        return find_run(t, node, i, step);
    *step = (tct_tree_step){0, node->test, i + 1, node->right, node->attribute};
    if (node->missing_left)
        *step = (tct_tree_step){node->test, (uint32_t)a->n_cuts + 1 - node->test, node->right, i + 1, node->attribute};
    return true;
}

tacit_status tct_tree_walk_prepare(tct_trees *t, tacit_error *err)
{
    bool all = true;

    tct_free(t->steps);
    t->steps = NULL;
    if (t->n_nodes == 0)
        return TACIT_OK;
    t->steps = tct_malloc(t->n_nodes, sizeof *t->steps);
    if (!t->steps)
        return tct_fail_memory(err);
    for (size_t i = 0; all && i < t->n_nodes; i++)
        all = find_step(t, (uint32_t)i, &t->steps[i]);
    if (!all) {
        tct_free(t->steps);
        t->steps = NULL;
    }
    return TACIT_OK;
}

void tct_tree_walk_plain(const tct_trees *t, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves)
{
    for (size_t k = 0; k < n; k++) {
        const tct_tree_node *node = &t->nodes[t->roots[first + k]];

        while (node->attribute != TCT_TREE_LEAF)
            node = tct_tree_goes_left(t, node, cells[node->attribute]) ? node + 1 : &t->nodes[node->right];
        leaves[k] = (uint32_t)(node - t->nodes);
    }
}

void tct_tree_walk(const tct_trees *t, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves)
{
    const tct_tree_step *steps = t->steps;
    uint32_t at[TCT_TREES_AT_ONCE], moved;

    if (!steps || n < TCT_TREES_AT_ONCE) {
        tct_tree_walk_plain(t, first, n, cells, leaves);
        return;
    }
    for (size_t k = 0; k < TCT_TREES_AT_ONCE; k++)
        at[k] = (uint32_t)t->roots[first + k];
    do {
        moved = 0;
        for (size_t k = 0; k < TCT_TREES_AT_ONCE; k++) {
            const tct_tree_step *step = &steps[at[k]];
            uint32_t next = cells[step->attribute] - step->base < step->span ? step->yes : step->no;

            moved |= next ^ at[k];
            at[k] = next;
        }
    } while (moved);
    for (size_t k = 0; k < TCT_TREES_AT_ONCE; k++)
        leaves[k] = at[k];
}

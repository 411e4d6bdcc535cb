/*
 * tree_walk.c -- where people end in trees, for many trees at a time.
 *
 * Walking down a tree is waiting: which node is next is known only when the last one has been looked at, and no processor
 * foresees it.  So TCT_TREES_WALKED trees are walked side by side, without branches, until all have arrived.  For that a
 * node must be one comparison.  "Missing" is the last cell of a number, so the cells that go left, or those that go
 * right, are a run whichever way it is sent; and most sets of levels are runs, or all but a run.
 *
 * Trees of up to 16 leaves are not walked at all: the leaves that each of a person's cells leaves are a word, and what all of them
 * leave is the leaf.  Words of many trees lie side by side.
 */
#include "tree_walk.h"

#include <string.h>

enum { MOST_REACH = 1 << 20 }; /* words of a table: 2 MiB, which a processor has at hand */

/* ---- words of leaves ---- */

void tct_tree_reach_free(tct_tree_reach *reach)
{
    if (!reach)
        return;
    tct_free(reach->attribute);
    tct_free(reach->first);
    tct_free(reach->leaves);
    tct_free(reach->rows);
    tct_free(reach);
}

/* Cells that an attribute may have.  A node of a number sends "missing" somewhere whether or not that may be. */
static size_t cells_of(const tct_tree_attribute *a)
{
    return a->levels ? a->count : a->n_cuts + 2;
}

/* The leaves of a tree from left to right, and those that a node's tests take away from the cells of its attribute.  i: node, which
 * is the one behind the node at the end; *n: leaves before it. */
static size_t take_away(const tct_trees *t, tct_tree_reach *reach, size_t tree, size_t i, unsigned *n)
{
    const tct_tree_node *node = &t->nodes[i];
    unsigned from = *n, middle;
    uint16_t left, right;
    size_t next;

    if (node->attribute == TCT_TREE_LEAF) {
        reach->leaves[tree * TCT_REACH_LEAVES + (*n)++] = (uint32_t)i;
        return i + 1;
    }
    take_away(t, reach, tree, i + 1, n);
    middle = *n;
    next = take_away(t, reach, tree, node->right, n);
    left = (uint16_t)((1U << middle) - (1U << from));
    right = (uint16_t)((1U << *n) - (1U << middle));
    for (uint32_t c = 0; c < cells_of(&t->attributes[node->attribute]); c++)
        reach->rows[(reach->first[node->attribute] + c) * reach->width + tree] &=
            (uint16_t) ~(tct_tree_goes_left(t, node, c) ? right : left);
    return next;
}

/* Which attributes some tree reads, and how many cells they have; false: a tree has too many leaves, or there are too many cells. */
static bool find_rows(const tct_trees *t, tct_tree_reach *reach, size_t *n_cells)
{
    for (size_t k = 0; k < t->n_trees; k++)
        if (t->roots[k + 1] - t->roots[k] > 2 * TCT_REACH_LEAVES - 1)
            return false;
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute != TCT_TREE_LEAF)
            reach->first[t->nodes[i].attribute] = 1;
    *n_cells = 0;
    for (size_t a = 0; a < t->n_attributes; a++) {
        if (!reach->first[a])
            continue;
        reach->attribute[reach->n_rows++] = a;
        reach->first[a] = *n_cells;
        *n_cells += cells_of(&t->attributes[a]);
    }
    return *n_cells * reach->width <= MOST_REACH;
}

static tacit_status make_reach(tct_trees *t, tacit_error *err)
{
    tct_tree_reach *reach = tct_calloc(1, sizeof *reach);
    size_t n_cells;

    if (!reach)
        return tct_fail_memory(err);
    reach->width = (t->n_trees + TCT_TREES_AT_ONCE - 1) / TCT_TREES_AT_ONCE * TCT_TREES_AT_ONCE;
    reach->attribute = tct_calloc(t->n_attributes + 1, sizeof *reach->attribute);
    reach->first = tct_calloc(t->n_attributes + 1, sizeof *reach->first);
    if (!reach->attribute || !reach->first) {
        tct_tree_reach_free(reach);
        return tct_fail_memory(err);
    }
    if (!find_rows(t, reach, &n_cells)) {
        tct_tree_reach_free(reach);
        return TACIT_OK;
    }
    reach->leaves = tct_calloc(reach->width, TCT_REACH_LEAVES * sizeof *reach->leaves);
    reach->rows = tct_malloc(n_cells * reach->width + 1, sizeof *reach->rows);
    if (!reach->leaves || !reach->rows) {
        tct_tree_reach_free(reach);
        return tct_fail_memory(err);
    }
    memset(reach->rows, 0xff, n_cells * reach->width * sizeof *reach->rows);
    for (size_t k = 0; k < t->n_trees; k++) {
        unsigned n = 0;

        take_away(t, reach, k, t->roots[k], &n);
    }
    t->reach = reach;
    return TACIT_OK;
}

/* Words of eight trees. */
typedef uint16_t words __attribute__((vector_size(16)));
typedef uint16_t words_loose __attribute__((vector_size(16), aligned(2), may_alias));

enum { AT_ONCE = TCT_TREES_AT_ONCE / 8 };

void tct_tree_leave(const tct_tree_reach *reach, size_t first, const uint32_t *cells, uint16_t *left)
{
    words all[AT_ONCE];

    memset(all, 0xff, sizeof all);
    for (size_t r = 0; r < reach->n_rows; r++) {
        size_t a = reach->attribute[r];
        const uint16_t *row = reach->rows + (reach->first[a] + cells[a]) * reach->width + first;

        for (size_t k = 0; k < AT_ONCE && cells[a] != UINT32_MAX; k++)
            all[k] &= *(const words_loose *)(const void *)(row + 8 * k);
    }
    memcpy(left, all, sizeof all);
}

/* The leaf is before the bits that no leaf has. */
static void find_leaves(const tct_tree_reach *reach, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves)
{
    uint16_t left[TCT_TREES_AT_ONCE];

    tct_tree_leave(reach, first, cells, left);
    for (size_t k = 0; k < n; k++)
        leaves[k] = reach->leaves[(first + k) * TCT_REACH_LEAVES + (size_t)__builtin_ctz(left[k])];
}

/* ---- steps ---- */

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
    tct_tree_reach_free(t->reach);
    t->steps = NULL;
    t->reach = NULL;
    if (t->n_nodes == 0)
        return TACIT_OK;
    if (make_reach(t, err))
        return TACIT_E_MEMORY;
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

/* So many trees as are walked side by side. */
static void walk_together(const tct_trees *t, size_t first, const uint32_t *cells, uint32_t *leaves)
{
    uint32_t at[TCT_TREES_WALKED], moved;

    for (size_t k = 0; k < TCT_TREES_WALKED; k++)
        at[k] = (uint32_t)t->roots[first + k];
    do {
        moved = 0;
        for (size_t k = 0; k < TCT_TREES_WALKED; k++) {
            const tct_tree_step *step = &t->steps[at[k]];
            uint32_t next = cells[step->attribute] - step->base < step->span ? step->yes : step->no;

            moved |= next ^ at[k];
            at[k] = next;
        }
    } while (moved);
    for (size_t k = 0; k < TCT_TREES_WALKED; k++)
        leaves[k] = at[k];
}

void tct_tree_walk(const tct_trees *t, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves)
{
    size_t done = 0;

    if (t->reach) {
        find_leaves(t->reach, first, n, cells, leaves);
        return;
    }
    for (; t->steps && done + TCT_TREES_WALKED <= n; done += TCT_TREES_WALKED)
        walk_together(t, first + done, cells, leaves + done);
    if (done < n)
        tct_tree_walk_plain(t, first + done, n - done, cells, leaves + done);
}

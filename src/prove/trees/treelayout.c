/*
 * treelayout.c -- laying out what is left of the trees: the grid, the pieces of every tree, its leaves.
 *
 * The cuts that are left make the grid: cells that no tree tells apart any more are one.  Then every tree is walked to
 * write down its leaves, each with a mask of pieces per attribute that it reads.
 */
#include "treegrid_inside.h"

#include <math.h>
#include <string.h>

/* ---- the grid ---- */

/* Mark the cuts of all trees: marks[first of the axis + cell of the model]. */
tacit_status tct_treegrid_lay_axes(tct_treegrid *g, size_t *offsets, tacit_error *err)
{
    size_t total = 0, n = 0;
    const tct_tree_link *links = g->links.items;
    const tct_left_test *tests = g->tests.items;
    unsigned char *marks;
    tacit_status st;

    for (size_t x = 0; x < g->n_axes; x++) {
        offsets[x] = total;
        total += g->trees->attributes[g->axes[x].attribute].count + 2;
    }
    if ((st = tct_tree_list_reserve(&g->marks, total * (1 + sizeof(uint32_t)) + 1, err)) ||
        (st = tct_tree_list_reserve(&g->cells, (total + 1) * sizeof(uint32_t), err)))
        return st;
    marks = (unsigned char *)g->marks.items + total * sizeof(uint32_t);
    memset(marks, 0, total);
    for (size_t k = 0; k < g->n_tests; k++) /* the link of a test is by now that of all */
        if (!g->trees->attributes[g->axes[links[tests[k].link].axis].attribute].levels)
            marks[offsets[links[tests[k].link].axis] + tests[k].test] = 1;
    for (size_t x = 0; x < g->n_axes; x++) {
        size_t a = g->axes[x].attribute;
        uint32_t *cells = (uint32_t *)g->cells.items, *ranks = (uint32_t *)g->marks.items + offsets[x];
        const tct_tree_attribute *seen = &g->trees->attributes[a];
        uint32_t from = seen->levels ? 0 : g->low[a], to = seen->levels ? (uint32_t)seen->count : g->high[a];

        g->axes[x].first = n;
        for (uint32_t k = from; k < to; k++) {
            bool fresh = seen->levels ? tct_set_has(g->levels[a], k) : k == from || marks[offsets[x] + k];

            if (fresh)
                cells[n++] = k;
            ranks[k] = (uint32_t)(n - g->axes[x].first) - 1;
        }
        if (g->lacks[a])
            cells[n++] = (uint32_t)seen->n_cuts + 1;
        g->axes[x].n_cells = n - g->axes[x].first;
    }
    g->n_cells = n;
    return TACIT_OK;
}

/* The grid cell that begins where a node cuts a number; those on either side of all cells have no cell of their own. */
static uint32_t rank_of(const tct_treegrid *g, size_t axis, const size_t *offsets, uint32_t test)
{
    size_t a = g->axes[axis].attribute;

    if (test <= g->low[a])
        return 0;
    if (test >= g->high[a])
        return (uint32_t)(g->axes[axis].n_cells - g->lacks[a]);
    return ((const uint32_t *)g->marks.items + offsets[axis])[test];
}

/* Pieces of a link with a number: `cuts` are grid cells at which one begins, in any order. */
static size_t lay_number(tct_treegrid *g, const tct_tree_link *link, uint32_t *map, const uint32_t *cuts, size_t n_cuts)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    size_t n = 1;

    map[0] = 0;
    for (size_t i = 0; i < n_cuts; i++) {
        size_t at = n;

        while (at > 0 && map[at - 1] > cuts[i])
            at--;
        if (at > 0 && map[at - 1] == cuts[i])
            continue;
        memmove(map + at + 1, map + at, (n - at) * sizeof *map);
        map[at] = cuts[i];
        n++;
    }
    if (g->lacks[axis->attribute] && map[n - 1] != axis->n_cells - 1)
        map[n++] = (uint32_t)axis->n_cells - 1;
    map[n] = (uint32_t)axis->n_cells;
    return n;
}

/* Pieces of a link with levels: cells with the same answers to all of its tests. */
static size_t lay_levels(tct_treegrid *g, const tct_tree_link *link, uint32_t *map, const uint32_t *sets, size_t n_sets)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *cells = (const uint32_t *)g->cells.items + axis->first;
    size_t n = 0;

    for (size_t v = 0; v < axis->n_cells; v++) {
        size_t like = v;

        for (size_t w = 0; w < v && like == v; w++) {
            bool same = true;

            for (size_t i = 0; i < n_sets && same; i++) {
                const uint64_t *set = g->trees->sets + sets[i];

                same = tct_set_has(set, cells[v]) == tct_set_has(set, cells[w]);
            }
            like = same ? w : like;
        }
        map[v] = like < v ? map[like] : (uint32_t)n++;
    }
    return n;
}

/* Pieces of all links of a tree.  Its tests are [from, to). */
tacit_status tct_treegrid_lay_links(tct_treegrid *g, tct_tree_rest *rest, const size_t *offsets, size_t from, size_t to,
                                    tacit_error *err)
{
    tct_tree_link *links = g->links.items;
    const tct_left_test *tests = g->tests.items;
    uint32_t *own;
    tacit_status st = tct_tree_list_reserve(&g->saved, (to - from + 1) * sizeof *own, err);

    for (size_t i = 0; i < rest->n_links && !st; i++) {
        tct_tree_link *link = &links[rest->first_link + i];
        const tct_tree_axis *axis = &g->axes[link->axis];
        bool levels = g->trees->attributes[axis->attribute].levels;
        size_t n = 0;

        own = g->saved.items;
        for (size_t k = from; k < to; k++)
            if (tests[k].link == rest->first_link + i)
                own[n++] = levels ? tests[k].test : rank_of(g, link->axis, offsets, tests[k].test);
        st = tct_tree_list_reserve(&g->maps, (g->n_maps + n + axis->n_cells + 4) * sizeof(uint32_t), err);
        if (st)
            break;
        link->map = g->n_maps;
        link->n_pieces = levels ? lay_levels(g, link, (uint32_t *)g->maps.items + g->n_maps, own, n)
                                : lay_number(g, link, (uint32_t *)g->maps.items + g->n_maps, own, n);
        g->n_maps += levels ? axis->n_cells : link->n_pieces + 1;
        link->first = g->n_pieces;
        g->n_pieces += link->n_pieces;
        link->words = tct_set_words(link->n_pieces);
        link->word = rest->words;
        rest->words += link->words;
    }
    return st;
}

/* ---- leaves ---- */

/* Writing down the leaves of a tree. */
typedef struct listing {
    tct_treegrid *g;
    tct_tree_rest *rest;
    const size_t *offsets;
    double sign;
    uint64_t *mask; /* rest->words, and room to keep words in */
    tacit_error *err;
} listing;

static tacit_status list_leaf(listing *l, double value)
{
    tct_treegrid *g = l->g;
    tacit_status st;

    if ((st = tct_tree_list_reserve(&g->values, (g->n_leaves + 1) * sizeof(int64_t), l->err)) ||
        (st = tct_tree_list_reserve(&g->masks, (g->n_masks + l->rest->words) * sizeof(uint64_t), l->err)))
        return st;
    ((int64_t *)g->values.items)[g->n_leaves++] = (int64_t)floor(l->sign * value / g->unit);
    memcpy((uint64_t *)g->masks.items + g->n_masks, l->mask, l->rest->words * sizeof(uint64_t));
    g->n_masks += l->rest->words;
    l->rest->n_leaves++;
    return TACIT_OK;
}

/* Keep, in the mask, the pieces of a link that a node sends one way. */
static void keep_side(const listing *l, const tct_left_node *node, const tct_tree_link *link, bool right)
{
    const tct_treegrid *g = l->g;
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *map = (const uint32_t *)g->maps.items + link->map;
    const uint32_t *cells = (const uint32_t *)g->cells.items + axis->first;
    const tct_tree_attribute *a = &g->trees->attributes[axis->attribute];
    uint32_t cut = a->levels ? 0 : rank_of(g, link->axis, l->offsets, node->test);

    for (size_t k = 0; k < (a->levels ? axis->n_cells : link->n_pieces); k++) {
        size_t piece = a->levels ? map[k] : k;
        bool left;

        if (a->levels)
            left = tct_set_has(g->trees->sets + node->test, cells[k]);
        else
            left = cells[map[k]] > a->n_cuts ? node->missing_left : map[k] < cut;
        if (left == right)
            l->mask[link->word + piece / 64] &= ~((uint64_t)1 << piece % 64);
    }
}

static tacit_status list_node(listing *l, uint32_t index, uint64_t *room)
{
    const tct_left_node node = ((const tct_left_node *)l->g->nodes.items)[index];
    const tct_tree_link *link;
    tacit_status st = TACIT_OK;

    if (node.link == TCT_OPEN)
        return list_leaf(l, node.value);
    link = (const tct_tree_link *)l->g->links.items + l->rest->first_link + node.link;
    memcpy(room, l->mask + link->word, link->words * sizeof *room);
    for (int right = 0; right < 2 && !st; right++) {
        keep_side(l, &node, link, right);
        st = list_node(l, right ? node.right : node.left, room + link->words);
        memcpy(l->mask + link->word, room, link->words * sizeof *room);
    }
    return st;
}

/* Depth of what is left below a node. */
static size_t depth_of(const tct_left_node *nodes, uint32_t index)
{
    size_t left, right;

    if (nodes[index].link == TCT_OPEN)
        return 0;
    left = depth_of(nodes, nodes[index].left);
    right = depth_of(nodes, nodes[index].right);
    return 1 + (left > right ? left : right);
}

tacit_status tct_treegrid_list_leaves(tct_treegrid *g, tct_tree_rest *rest, const size_t *offsets, double sign,
                                      tacit_error *err)
{
    size_t depth = depth_of(g->nodes.items, (uint32_t)rest->root);
    listing l = {g, rest, offsets, sign, NULL, err};
    const tct_tree_link *links = (const tct_tree_link *)g->links.items + rest->first_link;
    tacit_status st = tct_tree_list_reserve(&g->saved, (depth + 2) * (rest->words + 1) * sizeof(uint64_t), err);

    if (st)
        return st;
    l.mask = g->saved.items;
    memset(l.mask, 0, rest->words * sizeof *l.mask);
    for (size_t i = 0; i < rest->n_links; i++)
        for (size_t p = 0; p < links[i].n_pieces; p++)
            l.mask[links[i].word + p / 64] |= (uint64_t)1 << p % 64;
    rest->first_leaf = g->n_leaves;
    rest->first_mask = g->n_masks;
    rest->first_most = g->n_mosts;
    st = list_node(&l, (uint32_t)rest->root, l.mask + rest->words);
    g->n_mosts += rest->n_leaves * rest->n_links;
    return st;
}

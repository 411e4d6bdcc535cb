/*
 * treelayout.c -- laying out what is left of the trees: the grid, the pieces of every tree, its leaves.
 *
 * The cuts that are left make the grid: cells that no tree tells apart any more are one.  The leaves of a tree are
 * numbered from left to right, so those below a node are a run.  Every piece of a link begins with all leaves of its
 * tree; a node that sends it left takes those of its right side away, and the other way round.  What remains are the
 * leaves that the piece reaches.
 */
#include "treegrid_inside.h"

#include <string.h>

#include "treebound.h"
#include "treetable.h"

/* ---- the grid ---- */

/* Mark the cuts of all trees: marks[ranks of the axis + cell of the model]. */
static void mark_cuts(const tct_treegrid *g, unsigned char *marks)
{
    const tct_tree_rest *rests = g->rests.items;
    const tct_tree_link *links = g->links.items;
    const tct_left_node *nodes = g->nodes.items;

    for (size_t i = 0; i < g->n_rests; i++)
        for (size_t k = rests[i].root; k < rests[i].end && rests[i].n_links > 0; k++)
            if (nodes[k].link != TCT_OPEN) {
                size_t axis = links[rests[i].first_link + nodes[k].link].axis;

                if (!g->axes[axis].levels)
                    marks[g->axes[axis].ranks + nodes[k].test] = 1;
            }
    tct_treetable_mark(g, marks);
}

/* From cells of the model to cells of the grid. */
static void rank_tests(tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;
    const tct_tree_link *links = g->links.items;
    tct_left_node *nodes = g->nodes.items;

    for (size_t i = 0; i < g->n_rests; i++)
        for (size_t k = rests[i].root; k < rests[i].end && rests[i].n_links > 0; k++)
            if (nodes[k].link != TCT_OPEN) {
                const tct_tree_axis *axis = &g->axes[links[rests[i].first_link + nodes[k].link].axis];

                if (!axis->levels)
                    nodes[k].test = tct_treegrid_rank(g, axis, nodes[k].test);
            }
}

tacit_status tct_treegrid_lay_axes(tct_treegrid *g, tacit_error *err)
{
    size_t total = 0, n = 0;
    unsigned char *marks;
    tacit_status st;

    for (size_t x = 0; x < g->n_axes; x++) {
        g->axes[x].ranks = total;
        total += g->trees->attributes[g->axes[x].attribute].count + 2;
    }
    if ((st = tct_tree_list_reserve(&g->marks, total * (1 + sizeof(uint32_t)) + 1, err)) ||
        (st = tct_tree_list_reserve(&g->cells, (total + 1) * sizeof(uint32_t), err)))
        return st;
    marks = (unsigned char *)g->marks.items + total * sizeof(uint32_t);
    memset(marks, 0, total);
    mark_cuts(g, marks);
    for (size_t x = 0; x < g->n_axes; x++) {
        size_t a = g->axes[x].attribute;
        uint32_t *cells = (uint32_t *)g->cells.items, *ranks = (uint32_t *)g->marks.items + g->axes[x].ranks;
        const tct_tree_attribute *seen = &g->trees->attributes[a];
        uint32_t from = seen->levels ? 0 : g->low[a], to = seen->levels ? (uint32_t)seen->count : g->high[a];

        g->axes[x].first = n;
        for (uint32_t k = from; k < to; k++) {
            bool fresh = seen->levels ? tct_set_has(g->levels[a], k) : k == from || marks[g->axes[x].ranks + k];

            if (fresh)
                cells[n++] = k;
            ranks[k] = (uint32_t)(n - g->axes[x].first) - 1;
        }
        if (g->lacks[a])
            cells[n++] = (uint32_t)seen->n_cuts + 1;
        g->axes[x].n_cells = n - g->axes[x].first;
    }
    g->n_cells = n;
    rank_tests(g);
    return TACIT_OK;
}

/* ---- pieces ---- */

/* Another place at which a piece begins. */
static void add_cut(uint32_t *map, uint32_t *n, uint32_t cut)
{
    size_t at = *n;

    while (at > 0 && map[at - 1] > cut)
        at--;
    if (at > 0 && map[at - 1] == cut)
        return;
    memmove(map + at + 1, map + at, (*n - at) * sizeof *map);
    map[at] = cut;
    ++*n;
}

/* Pieces of a link with levels: cells with the same answers to all of its tests. */
static size_t lay_levels(tct_treegrid *g, const tct_tree_rest *rest, size_t own, uint32_t *map)
{
    const tct_tree_link *link = (const tct_tree_link *)g->links.items + rest->first_link + own;
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *cells = (const uint32_t *)g->cells.items + axis->first;
    const tct_left_node *nodes = g->nodes.items;
    size_t n = 0;

    for (size_t v = 0; v < axis->n_cells; v++) {
        size_t like = v;

        for (size_t w = 0; w < v && like == v; w++) {
            bool same = true;

            for (size_t k = rest->root; k < rest->end && same; k++)
                if (nodes[k].link == own) {
                    const uint64_t *set = g->trees->sets + nodes[k].test;

                    same = tct_set_has(set, cells[v]) == tct_set_has(set, cells[w]);
                }
            like = same ? w : like;
        }
        map[v] = like < v ? map[like] : (uint32_t)n++;
    }
    return n;
}

/* Room for the pieces of all links of a tree; those with numbers have one that begins with the first cell. */
static tacit_status reserve_links(tct_treegrid *g, const tct_tree_rest *rest, tacit_error *err)
{
    tct_tree_link *links = (tct_tree_link *)g->links.items + rest->first_link;
    size_t room = g->n_maps;
    tacit_status st;

    for (size_t i = 0; i < rest->n_links; i++) {
        const tct_tree_axis *axis = &g->axes[links[i].axis];

        links[i].map = room;
        links[i].n_pieces = 1;
        links[i].first_leaf = rest->first_leaf;
        links[i].n_blocks = (uint32_t)rest->n_blocks;
        room += axis->levels ? axis->n_cells : links[i].n_tests + 3;
    }
    st = tct_tree_list_reserve(&g->maps, room * sizeof(uint32_t), err);
    for (size_t i = 0; i < rest->n_links && !st; i++)
        ((uint32_t *)g->maps.items)[links[i].map] = 0;
    g->n_maps = room;
    return st;
}

/* Pieces of all links of a tree, each reaching all of its leaves so far. */
static tacit_status lay_links(tct_treegrid *g, const tct_tree_rest *rest, tacit_error *err)
{
    tct_tree_link *links = (tct_tree_link *)g->links.items + rest->first_link;
    const tct_left_node *nodes = g->nodes.items;
    size_t before = g->n_who;
    tacit_status st = reserve_links(g, rest, err);

    for (size_t k = rest->root; k < rest->end && !st; k++)
        if (nodes[k].link != TCT_OPEN && !g->axes[links[nodes[k].link].axis].levels)
            add_cut((uint32_t *)g->maps.items + links[nodes[k].link].map, &links[nodes[k].link].n_pieces,
                    nodes[k].test);
    for (size_t i = 0; i < rest->n_links && !st; i++) {
        tct_tree_link *link = &links[i];
        const tct_tree_axis *axis = &g->axes[link->axis];
        uint32_t *map = (uint32_t *)g->maps.items + link->map;

        if (axis->levels) {
            link->n_pieces = (uint32_t)lay_levels(g, rest, i, map);
        } else {
            if (g->lacks[axis->attribute] && map[link->n_pieces - 1] != axis->n_cells - 1)
                map[link->n_pieces++] = (uint32_t)axis->n_cells - 1;
            map[link->n_pieces] = (uint32_t)axis->n_cells;
        }
        link->who = g->n_who;
        g->n_who += link->n_pieces * tct_tree_words(rest->n_blocks);
    }
    if (!st)
        st = tct_tree_list_reserve(&g->who, g->n_who * sizeof(uint64_t), err);
    if (!st)
        memset((uint64_t *)g->who.items + before, 0xff, (g->n_who - before) * sizeof(uint64_t));
    return st;
}

/* ---- leaves ---- */

/* A piece does not reach leaves from ... to - 1. */
static inline void take_away(uint64_t *who, size_t from, size_t to)
{
    size_t first = from / 64, last = to / 64;
    uint64_t below = ((uint64_t)1 << from % 64) - 1, above = UINT64_MAX << to % 64;

    if (first == last) {
        who[first] &= below | above;
        return;
    }
    who[first] &= below;
    memset(who + first + 1, 0, (last - first - 1) * sizeof *who);
    if (to % 64)
        who[last] &= above;
}

/* Every piece of a node's link loses the leaves on the side that it is not sent to.  before: leaves left of the node. */
static void part_pieces(tct_treegrid *g, const tct_left_node *node, const tct_tree_link *link, size_t before)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *map = (const uint32_t *)g->maps.items + link->map;
    const uint32_t *cells = (const uint32_t *)g->cells.items + axis->first;
    uint64_t *who = (uint64_t *)g->who.items + link->who;
    size_t middle = before + node[1].leaves, end = before + node->leaves, words = tct_tree_words(link->n_blocks);

    if (axis->levels) {
        for (size_t k = 0; k < axis->n_cells; k++) {
            bool left = tct_set_has(g->trees->sets + node->test, cells[k]);

            take_away(who + map[k] * words, left ? middle : before, left ? end : middle);
        }
        return;
    }
    for (size_t k = 0; k < link->n_pieces; k++) {
        bool missing = g->lacks[axis->attribute] && k + 1 == link->n_pieces;
        bool left = missing ? node->missing_left : map[k] < node->test;

        take_away(who + k * words, left ? middle : before, left ? end : middle);
    }
}

tacit_status tct_treegrid_lay_tree(tct_treegrid *g, tct_tree_rest *rest, double sign, tacit_error *err)
{
    const tct_left_node *nodes = g->nodes.items;
    size_t n = nodes[rest->root].leaves, seen = 0;
    int64_t *values;
    tacit_status st;

    rest->first_leaf = g->n_leaves;
    rest->n_blocks = (n + TCT_TREE_BLOCK - 1) / TCT_TREE_BLOCK;
    g->n_leaves += rest->n_blocks * TCT_TREE_BLOCK;
    if ((st = tct_tree_list_reserve(&g->values, g->n_leaves * sizeof *values, err)) || (st = lay_links(g, rest, err)))
        return st;
    values = (int64_t *)g->values.items + rest->first_leaf;
    for (size_t k = rest->root; k < rest->end; k++) {
        if (nodes[k].link == TCT_OPEN)
            values[seen++] = tct_whole_below(sign * nodes[k].value / g->unit);
        else
            part_pieces(g, &nodes[k], (const tct_tree_link *)g->links.items + rest->first_link + nodes[k].link, seen);
    }
    while (seen < rest->n_blocks * TCT_TREE_BLOCK)
        values[seen++] = TCT_NOBODY;
    return TACIT_OK;
}

/* ---- pieces in their axes ---- */

/* A piece of numbers: the least share in it is the lesser of those of two runs of 2^k cells, which begin and end with it. */
static inline void lay_piece(const tct_tree_places *places, size_t at, size_t n_cells, uint32_t from, uint32_t to)
{
    unsigned k = 31 - (unsigned)__builtin_clz(to - from);
    uint32_t row = (uint32_t)((k ? TCT_LEAST_ROWS + k - 1 : TCT_SUMS_ROW) * (n_cells + 1));

    places->starts[at] = from;
    places->ends[at] = to;
    places->one[at] = row + from;
    places->other[at] = row + to - (1U << k);
}

tacit_status tct_treegrid_lay_pieces(tct_treegrid *g, tacit_error *err)
{
    size_t room = g->n_pieces + TCT_TREE_SPARE;
    tacit_status st = tct_tree_list_reserve(&g->pieces, 4 * room * sizeof(uint32_t), err);
    tct_tree_places places;

    if (st)
        return st;
    places = tct_tree_places_of(g);
    for (size_t k = 1; k <= 4; k++)
        memset(places.starts + k * room - TCT_TREE_SPARE, 0, TCT_TREE_SPARE * sizeof(uint32_t));
    for (size_t x = 0; x < g->n_axes; x++) {
        tct_tree_axis *axis = &g->axes[x];
        const tct_tree_link *own = (const tct_tree_link *)g->axis_links.items + axis->first_link;
        size_t at = axis->first_piece = axis->n_links ? own->first : 0;

        for (size_t i = 0; i < axis->n_links; i++) {
            const uint32_t *map = (const uint32_t *)g->maps.items + own[i].map;

            for (size_t p = 0; p < own[i].n_pieces && !axis->levels; p++)
                lay_piece(&places, at + p, axis->n_cells, map[p], map[p + 1]);
            at += own[i].n_pieces;
        }
        axis->n_pieces = at - axis->first_piece;
        if (axis->levels) {
            memset(places.one + axis->first_piece, 0, axis->n_pieces * sizeof(uint32_t));
            memset(places.other + axis->first_piece, 0, axis->n_pieces * sizeof(uint32_t));
        }
    }
    return TACIT_OK;
}

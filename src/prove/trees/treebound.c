/*
 * treebound.c -- bounds of the sum of what is left of the trees, over a box.
 *
 * For any numbers phi(tree, axis, piece):   sum of trees(x) = sum over axes of Phi(axis, x) + sum over trees of what is
 * left of the tree after its phi, where Phi adds up what the trees of an axis gave.  Each part is at least its own
 * minimum.  With phi = 0 that is the sum of the least leaves.  A sweep goes from axis to axis and sets the phi of one
 * such that the bound cannot be better as long as the others stay: with
 *     h(tree, piece) = least leaf of the piece less what the tree has given to other axes,   H(cell) = sum of h
 * the bound becomes rest + min H, and rest + H(cell) bounds the slice of that cell: slices that reach the target are
 * proven, and their cells die.  What H has above its minimum is given back to the trees in equal shares.
 *
 * All numbers are whole, so nothing is rounded and no order matters.
 */
#include <string.h>

#include "treegrid.h"

static const int64_t FAR = INT64_MAX / 4;

/* Everything that the loops below read, with its types. */
typedef struct view {
    const tct_tree_link *links;
    tct_tree_rest *rests;
    const uint32_t *maps;
    const int64_t *values;
    const uint64_t *masks;
    uint64_t *here;      /* living pieces; as in the masks, of all trees one after the other */
    int64_t *h;          /* per piece */
    int64_t *most;       /* per leaf and link of its tree: the largest phi in it */
    int64_t *total;      /* per leaf: sum of these */
    unsigned char *leaf; /* per leaf: somebody of the box is in it */
} view;

static view view_of(const tct_treegrid *g)
{
    return (view){g->links.items,     g->rests.items,  g->maps.items,      g->values.items,     g->masks.items,
                  g->here_room.items, g->h_room.items, g->most_room.items, g->total_room.items, g->leaf_room.items};
}

static bool is_levels(const tct_treegrid *g, size_t axis)
{
    return g->trees->attributes[g->axes[axis].attribute].levels;
}

/* The words of a tree's living pieces. */
static uint64_t *here_of(const view *v, const tct_tree_rest *rest)
{
    return v->here + rest->first_here;
}

/* Which pieces of a link have living cells. */
static void find_living(const tct_treegrid *g, const view *v, const tct_tree_link *link)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const unsigned char *alive = g->alive + axis->first;
    const uint32_t *map = v->maps + link->map;
    uint64_t *here = here_of(v, &v->rests[link->tree]) + link->word;

    memset(here, 0, link->words * sizeof *here);
    if (is_levels(g, link->axis)) {
        for (size_t c = 0; c < axis->n_cells; c++)
            here[map[c] / 64] |= (uint64_t)alive[c] << map[c] % 64;
        return;
    }
    for (size_t p = 0; p < link->n_pieces; p++)
        for (size_t c = map[p]; c < map[p + 1]; c++)
            if (alive[c]) {
                here[p / 64] |= (uint64_t)1 << p % 64;
                break;
            }
}

/* The largest phi among the living pieces of a leaf; -FAR: none lives. */
static int64_t largest_phi(const int64_t *phi, const uint64_t *mask, const uint64_t *here, size_t words)
{
    int64_t most = -FAR;

    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = mask[w] & here[w]; bits; bits &= bits - 1) {
            int64_t value = phi[64 * w + (size_t)__builtin_ctzll(bits)];

            most = value > most ? value : most;
        }
    return most;
}

/* The same for one word. */
static inline int64_t largest_of(const int64_t *phi, uint64_t bits)
{
    int64_t most = phi[__builtin_ctzll(bits)];

    for (bits &= bits - 1; bits; bits &= bits - 1) {
        int64_t value = phi[__builtin_ctzll(bits)];

        most = value > most ? value : most;
    }
    return most;
}

/* Set what leaves know about one of their tree's links. */
static void update_leaves(const tct_treegrid *g, const view *v, const tct_tree_link *link, bool first)
{
    const tct_tree_rest *rest = &v->rests[link->tree];
    const uint64_t *here = here_of(v, rest) + link->word, *mask = v->masks + rest->first_mask + link->word;
    int64_t *most = v->most + rest->first_most + link->slot;

    for (size_t i = 0; i < rest->n_leaves; i++, mask += rest->words, most += rest->n_links) {
        size_t leaf = rest->first_leaf + i;
        int64_t now;

        if (!v->leaf[leaf])
            continue;
        if (link->words == 1)
            now = *mask & *here ? largest_of(g->phi + link->first, *mask & *here) : -FAR;
        else
            now = largest_phi(g->phi + link->first, mask, here, link->words);
        if (now == -FAR) {
            v->leaf[leaf] = 0;
            continue;
        }
        v->total[leaf] += now - (first ? 0 : *most);
        *most = now;
    }
}

/* Least and largest leaf of a tree, and least with what was shifted away. */
static void update_tree(const view *v, tct_tree_rest *rest)
{
    const int64_t *values = v->values + rest->first_leaf, *total = v->total + rest->first_leaf;
    const unsigned char *leaf = v->leaf + rest->first_leaf;
    int64_t raw = FAR, part = FAR, most = -FAR;

    for (size_t i = 0; i < rest->n_leaves; i++) {
        int64_t value = values[i], left = value - total[i];

        if (!leaf[i])
            continue;
        raw = value < raw ? value : raw;
        most = value > most ? value : most;
        part = left < part ? left : part;
    }
    rest->raw = raw;
    rest->part = part;
    rest->most = most;
}

/* Few pieces, as most links have, are looked at all: which of them a leaf has cannot be foretold, and a wrong guess costs
 * more than to compute both ways. */
enum { FEW = 4 };

static inline int64_t largest_few(const int64_t *phi, uint64_t bits, size_t n)
{
    int64_t most = -FAR;

    for (size_t p = 0; p < n; p++) {
        int64_t value = bits >> p & 1 ? phi[p] : -FAR;

        most = value > most ? value : most;
    }
    return most;
}

/* As update_leaves and update_tree, after no cell died: only what is shifted differs.  n: pieces of the link, where they
 * are few; else 0. */
static inline void shift_leaves(const tct_treegrid *g, const view *v, const tct_tree_link *link, size_t n)
{
    tct_tree_rest *rest = &v->rests[link->tree];
    const uint64_t here = here_of(v, rest)[link->word], *mask = v->masks + rest->first_mask + link->word;
    const int64_t *values = v->values + rest->first_leaf, *phi = g->phi + link->first;
    const unsigned char *leaf = v->leaf + rest->first_leaf;
    int64_t *most = v->most + rest->first_most + link->slot, *total = v->total + rest->first_leaf, part = FAR;

    for (size_t i = 0; i < rest->n_leaves; i++, mask += rest->words, most += rest->n_links) {
        int64_t now, left;

        if (!leaf[i])
            continue;
        now = n ? largest_few(phi, *mask & here, n) : largest_of(phi, *mask & here);
        total[i] += now - *most;
        *most = now;
        left = values[i] - total[i];
        part = left < part ? left : part;
    }
    rest->part = part;
}

static void update_shifted(const tct_treegrid *g, const view *v, const tct_tree_link *link)
{
    if (link->n_pieces == 2)
        shift_leaves(g, v, link, 2);
    else if (link->n_pieces == 3)
        shift_leaves(g, v, link, 3);
    else if (link->n_pieces == FEW)
        shift_leaves(g, v, link, FEW);
    else
        shift_leaves(g, v, link, 0);
}

/* sums[cell] += numbers[piece], for the living pieces of a link.  sums has room for one more. */
static void add_pieces(const tct_treegrid *g, const view *v, const tct_tree_link *link, const int64_t *numbers,
                       int64_t *steps, int64_t *sums)
{
    const uint32_t *map = v->maps + link->map;
    const uint64_t *here = here_of(v, &v->rests[link->tree]) + link->word;

    if (is_levels(g, link->axis)) {
        for (size_t c = 0; c < g->axes[link->axis].n_cells; c++)
            if (tct_set_has(here, map[c]))
                sums[c] += numbers[map[c]];
        return;
    }
    for (size_t p = 0; p < link->n_pieces; p++)
        if (tct_set_has(here, p)) {
            steps[map[p]] += numbers[p];
            steps[map[p + 1]] -= numbers[p];
        }
}

/* Sums over the cells of an axis, of one number per piece of each of its links. */
static int64_t *sum_cells(const tct_treegrid *g, const view *v, const tct_tree_axis *axis, const int64_t *numbers,
                          size_t which)
{
    const size_t *own = (const size_t *)g->axis_links.items + axis->first_link;
    int64_t *sums = (int64_t *)g->sum_room.items + which * (axis->n_cells + 1);
    int64_t *steps = (int64_t *)g->sum_room.items + 3 * (axis->n_cells + 1), step = 0;

    memset(sums, 0, (axis->n_cells + 1) * sizeof *sums);
    memset(steps, 0, (axis->n_cells + 1) * sizeof *steps);
    for (size_t i = 0; i < axis->n_links; i++)
        add_pieces(g, v, &v->links[own[i]], numbers + v->links[own[i]].first, steps, sums);
    for (size_t c = 0; c < axis->n_cells; c++) {
        step += steps[c];
        sums[c] += step;
    }
    return sums;
}

static int64_t least_alive(const tct_treegrid *g, const tct_tree_axis *axis, const int64_t *sums)
{
    int64_t least = FAR;

    for (size_t c = 0; c < axis->n_cells; c++)
        if (g->alive[axis->first + c] && sums[c] < least)
            least = sums[c];
    return least;
}

static void add_up(tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;

    g->bound = g->constant;
    for (size_t i = 0; i < g->n_rests; i++)
        g->bound += rests[i].part;
    for (size_t x = 0; x < g->n_axes; x++)
        g->bound += g->least_phi[x];
}

void tct_treegrid_enter(tct_treegrid *g)
{
    view v = view_of(g);
    size_t words = 0;

    for (size_t i = 0; i < g->n_rests; i++) {
        v.rests[i].first_here = words;
        words += v.rests[i].words;
    }
    memset(v.leaf, 1, g->n_leaves);
    memset(v.total, 0, g->n_leaves * sizeof *v.total);
    for (size_t i = 0; i < g->n_links; i++) {
        find_living(g, &v, &v.links[i]);
        update_leaves(g, &v, &v.links[i], true);
    }
    for (size_t i = 0; i < g->n_rests; i++)
        update_tree(&v, &v.rests[i]);
    for (size_t x = 0; x < g->n_axes; x++)
        g->least_phi[x] =
            g->axes[x].n_links ? least_alive(g, &g->axes[x], sum_cells(g, &v, &g->axes[x], g->phi, 0)) : 0;
    add_up(g);
}

bool tct_treegrid_constant(const tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;

    for (size_t i = 0; i < g->n_rests; i++)
        if (rests[i].raw != rests[i].most)
            return false;
    return true;
}

int64_t tct_treegrid_raw(const tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;
    int64_t sum = g->constant;

    for (size_t i = 0; i < g->n_rests; i++)
        sum += rests[i].raw;
    return sum;
}

/* ---- the sweep ---- */

/* h of the living pieces of a link; n: their number, where they are few. */
static inline void find_h_few(const view *v, const tct_tree_link *link, size_t n)
{
    const tct_tree_rest *rest = &v->rests[link->tree];
    const uint64_t here = here_of(v, rest)[link->word], *mask = v->masks + rest->first_mask + link->word;
    const int64_t *most = v->most + rest->first_most + link->slot, *values = v->values + rest->first_leaf;
    const int64_t *total = v->total + rest->first_leaf;
    const unsigned char *leaf = v->leaf + rest->first_leaf;
    int64_t h[FEW] = {FAR, FAR, FAR, FAR};

    for (size_t i = 0; i < rest->n_leaves; i++, mask += rest->words, most += rest->n_links) {
        int64_t value = leaf[i] ? values[i] - total[i] + *most : FAR;
        uint64_t bits = *mask & here;

        for (size_t p = 0; p < n; p++) {
            int64_t own = bits >> p & 1 ? value : FAR;

            h[p] = own < h[p] ? own : h[p];
        }
    }
    memcpy(v->h + link->first, h, n * sizeof *h);
}

static void find_h_many(const view *v, const tct_tree_link *link)
{
    const tct_tree_rest *rest = &v->rests[link->tree];
    const uint64_t *here = here_of(v, rest) + link->word, *mask = v->masks + rest->first_mask + link->word;
    const int64_t *most = v->most + rest->first_most + link->slot, *values = v->values + rest->first_leaf;
    const int64_t *total = v->total + rest->first_leaf;
    const unsigned char *leaf = v->leaf + rest->first_leaf;
    int64_t *h = v->h + link->first;

    for (size_t p = 0; p < link->n_pieces; p++)
        h[p] = FAR;
    for (size_t i = 0; i < rest->n_leaves; i++, mask += rest->words, most += rest->n_links) {
        int64_t value = values[i] - total[i] + *most;

        if (!leaf[i])
            continue;
        for (size_t w = 0; w < link->words; w++)
            for (uint64_t bits = mask[w] & here[w]; bits; bits &= bits - 1) {
                int64_t *to = &h[64 * w + (size_t)__builtin_ctzll(bits)];

                *to = value < *to ? value : *to;
            }
    }
}

static void find_h(const view *v, const tct_tree_link *link)
{
    if (link->n_pieces == 2)
        find_h_few(v, link, 2);
    else if (link->n_pieces == 3)
        find_h_few(v, link, 3);
    else if (link->n_pieces == FEW)
        find_h_few(v, link, FEW);
    else
        find_h_many(v, link);
}

/* Give phi to the pieces of a link: h less an equal share of what H has above its minimum; slack: that, per cell, FAR
 * where it is dead. */
static void share_out(tct_treegrid *g, const view *v, const tct_tree_link *link, const int64_t *slack)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *map = v->maps + link->map;
    const uint64_t *here = here_of(v, &v->rests[link->tree]) + link->word;
    const int64_t *h = v->h + link->first;
    int64_t *phi = g->phi + link->first;
    bool levels = is_levels(g, link->axis);

    for (size_t p = 0; p < link->n_pieces; p++) {
        size_t from = levels ? 0 : map[p], to = levels ? axis->n_cells : map[p + 1];
        int64_t least = FAR;

        if (!tct_set_has(here, p))
            continue;
        if (levels) {
            for (size_t c = from; c < to; c++)
                least = map[c] == p && slack[c] < least ? slack[c] : least;
        } else {
            for (size_t c = from; c < to; c++)
                least = slack[c] < least ? slack[c] : least;
        }
        phi[p] = h[p] - least / (int64_t)axis->n_links;
    }
}

/* One axis.  True: nothing of the box is left to be proven. */
static bool raise_axis(tct_treegrid *g, const view *v, size_t x)
{
    tct_tree_axis *axis = &g->axes[x];
    const size_t *own = (const size_t *)g->axis_links.items + axis->first_link;
    int64_t rest = g->bound - g->least_phi[x], *sums, least = FAR;
    bool killed = false;

    for (size_t i = 0; i < axis->n_links; i++) {
        rest -= v->rests[v->links[own[i]].tree].part;
        find_h(v, &v->links[own[i]]);
    }
    sums = sum_cells(g, v, axis, v->h, 0);
    for (size_t c = 0; c < axis->n_cells; c++) {
        unsigned char *alive = &g->alive[axis->first + c];

        if (g->slices && *alive && rest + sums[c] > g->slices[axis->first + c])
            g->slices[axis->first + c] = rest + sums[c];
        if (*alive && rest + sums[c] >= g->target) {
            *alive = 0;
            killed = true;
        } else if (*alive && sums[c] < least) {
            least = sums[c];
            g->best[x] = c;
        }
    }
    if (least == FAR)
        return true;
    for (size_t c = 0; c < axis->n_cells; c++) /* from here on what each has above the least */
        sums[c] = g->alive[axis->first + c] ? sums[c] - least : FAR;
    for (size_t i = 0; i < axis->n_links; i++) {
        const tct_tree_link *link = &v->links[own[i]];

        if (killed)
            find_living(g, v, link);
        share_out(g, v, link, sums);
        if (killed || link->words > 1) {
            update_leaves(g, v, link, false);
            update_tree(v, &v->rests[link->tree]);
        } else {
            update_shifted(g, v, link);
        }
        rest += v->rests[link->tree].part;
    }
    g->least_phi[x] = least_alive(g, axis, sum_cells(g, v, axis, g->phi, 1));
    g->bound = rest + g->least_phi[x];
    return false;
}

/* Living cells of an axis. */
static size_t count_alive(const tct_treegrid *g, const tct_tree_axis *axis)
{
    size_t count = 0;

    for (size_t c = 0; c < axis->n_cells; c++)
        count += g->alive[axis->first + c];
    return count;
}

bool tct_treegrid_sweep(tct_treegrid *g)
{
    view v = view_of(g);

    for (size_t x = 0; x < g->n_axes; x++) {
        if (g->axes[x].n_links == 0 || count_alive(g, &g->axes[x]) < 2)
            continue;
        if (raise_axis(g, &v, x) || g->bound >= g->target)
            return true;
    }
    return g->bound >= g->target;
}

/* ---- where to cut ---- */

/* Least leaf of each living piece of a link, whatever was shifted. */
static void find_raw(const view *v, const tct_tree_link *link)
{
    const tct_tree_rest *rest = &v->rests[link->tree];
    const uint64_t *here = here_of(v, rest) + link->word;
    int64_t *h = v->h + link->first;

    for (size_t p = 0; p < link->n_pieces; p++)
        h[p] = FAR;
    for (size_t i = 0; i < rest->n_leaves; i++) {
        const uint64_t *mask = v->masks + rest->first_mask + i * rest->words + link->word;
        int64_t value = v->values[rest->first_leaf + i];

        for (size_t w = 0; w < link->words && v->leaf[rest->first_leaf + i]; w++)
            for (uint64_t bits = mask[w] & here[w]; bits; bits &= bits - 1) {
                int64_t *to = &h[64 * w + (size_t)__builtin_ctzll(bits)];

                *to = value < *to ? value : *to;
            }
    }
}

/* Cells of an axis in the order in which it may be cut: levels by the sum of their least leaves. */
static size_t *order_cells(const tct_treegrid *g, const view *v, const tct_tree_axis *axis)
{
    size_t *order = g->order_room.items;
    const int64_t *sums = axis->ordered ? NULL : sum_cells(g, v, axis, v->h, 0);

    for (size_t c = 0; c < axis->n_cells; c++) {
        size_t at = c;

        for (; sums && at > 0 && sums[order[at - 1]] > sums[c]; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    return order;
}

/* below[k], above[k]: what the links of an axis add up to when only its first k cells, or all others, live.  FAR where
 * none of them does. */
static void find_halves(const tct_treegrid *g, const view *v, const tct_tree_axis *axis, const size_t *order,
                        int64_t *below, int64_t *above)
{
    const size_t *own = (const size_t *)g->axis_links.items + axis->first_link;
    size_t n = axis->n_cells;

    memset(below, 0, (n + 1) * sizeof *below);
    memset(above, 0, (n + 1) * sizeof *above);
    for (size_t i = 0; i < axis->n_links; i++) {
        const tct_tree_link *link = &v->links[own[i]];
        const uint32_t *map = v->maps + link->map;
        const int64_t *h = v->h + link->first;
        bool levels = is_levels(g, link->axis);
        int64_t least = FAR;
        size_t p = 0;

        for (size_t k = 0; k < n; k++) {
            while (!levels && map[p + 1] <= k)
                p++;
            if (g->alive[axis->first + order[k]] && h[levels ? map[order[k]] : p] < least)
                least = h[levels ? map[order[k]] : p];
            below[k + 1] += least < FAR ? least : 0;
        }
        least = FAR;
        for (size_t k = n; k > 0; k--) {
            while (!levels && map[p] > k - 1)
                p--;
            if (g->alive[axis->first + order[k - 1]] && h[levels ? map[order[k - 1]] : p] < least)
                least = h[levels ? map[order[k - 1]] : p];
            above[k - 1] += least < FAR ? least : 0;
        }
    }
}

static double gain_of(int64_t half, int64_t base, int64_t target)
{
    int64_t most = half < target ? half : target;

    return most > base ? (double)(most - base) : 0;
}

/* The best cut of one axis, if it is better than what was found so far. */
static void consider_axis(tct_treegrid *g, const view *v, size_t x, int64_t raw, double *score, tct_tree_cut *cut)
{
    const tct_tree_axis *axis = &g->axes[x];
    const size_t *own = (const size_t *)g->axis_links.items + axis->first_link, *order;
    int64_t *below = (int64_t *)g->sum_room.items + (axis->n_cells + 1), *above = below + (axis->n_cells + 1),
            rest = raw;
    size_t alive = count_alive(g, axis), before = 0;

    if (alive < 2 || axis->n_links == 0)
        return;
    for (size_t i = 0; i < axis->n_links; i++) {
        rest -= v->rests[v->links[own[i]].tree].raw;
        find_raw(v, &v->links[own[i]]);
    }
    order = order_cells(g, v, axis);
    find_halves(g, v, axis, order, below, above);
    for (size_t k = 1; k < axis->n_cells; k++) {
        double here, even;

        before += g->alive[axis->first + order[k - 1]];
        if (!g->alive[axis->first + order[k - 1]] || before == 0 || before == alive)
            continue; /* the same as a cut further left, or none */
        even = (double)(before < alive - before ? before : alive - before) / (double)alive;
        here = (gain_of(rest + below[k], raw, g->target) + 1) * (gain_of(rest + above[k], raw, g->target) + 1);
        here += 0.25 * even; /* where all else is equal */
        if (here <= *score)
            continue;
        *score = here;
        *cut = (tct_tree_cut){x, k, NULL, above[k] < below[k]};
    }
    cut->left = g->left_room.items;
    for (size_t k = 0; k < axis->n_cells && cut->axis == x; k++)
        ((unsigned char *)g->left_room.items)[order[k]] = k < cut->at;
}

bool tct_treegrid_cut(tct_treegrid *g, tct_tree_cut *cut)
{
    view v = view_of(g);
    int64_t raw = tct_treegrid_raw(g);
    double score = -1;

    *cut = (tct_tree_cut){.axis = SIZE_MAX};
    for (size_t x = 0; x < g->n_axes; x++)
        consider_axis(g, &v, x, raw, &score, cut);
    return cut->axis != SIZE_MAX;
}

void tct_treegrid_take(tct_treegrid *g, const tct_tree_cut *cut, bool right)
{
    const tct_tree_axis *axis = &g->axes[cut->axis];

    for (size_t c = 0; c < axis->n_cells; c++) {
        bool left = cut->left[c];

        if (left == right)
            g->alive[axis->first + c] = 0;
    }
}

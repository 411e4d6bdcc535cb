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
#include "treebound.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* All ones in the lanes of vectors of two and four that a number has the bits of. */
#define LANE(bits, k) (-(int64_t)((bits) >> (k)&1))
#define TWO(bits)                                                                                                      \
    {                                                                                                                  \
        LANE(bits, 0), LANE(bits, 1)                                                                                   \
    }
#define FOUR(bits)                                                                                                     \
    {                                                                                                                  \
        LANE(bits, 0), LANE(bits, 1), LANE(bits, 2), LANE(bits, 3)                                                     \
    }
static const int64_t TWO_LANES[4][2] = {TWO(0), TWO(1), TWO(2), TWO(3)};
static const int64_t FOUR_LANES[16][4] = {FOUR(0), FOUR(1), FOUR(2),  FOUR(3),  FOUR(4),  FOUR(5),  FOUR(6),  FOUR(7),
                                          FOUR(8), FOUR(9), FOUR(10), FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15)};

#define FAR TCT_TREE_FAR

/* What a cell has above the least, divided among n links, rounded down.  Multiplying by 2^64 / n, rounded up, and dropping 64 bits
 * does that: it is too large by less than size / 2^64, which does not reach the next whole number as long as size * n is below
 * 2^64. */
static inline int64_t share_of(uint64_t size, size_t n)
{
    uint64_t inverse = n > 1 && n < 65536 ? UINT64_MAX / n + 1 : 0;

    if (inverse && size >> 47 == 0)
        return (int64_t)((unsigned __int128)size * inverse >> 64);
    return (int64_t)(size / n);
}

#define LOOPS "treebound_loops.h"
#include "simd_levels.h"

static const tct_treebound_loops *best_loops(void)
{
    return TCT_SIMD_PICK(&version);
}

static tct_treebound_view view_of(const tct_treegrid *g)
{
    return (tct_treebound_view){g->axis_links.items, g->rests.items,     g->maps.items,
                                g->values.items,     g->who.items,       g->here_room.items,
                                g->h_room.items,     g->most_room.items, g->leaf_room.items};
}

/* Row of numbers, one per cell of an axis and one more. */
static int64_t *row_of(const tct_treegrid *g, const tct_tree_axis *axis, size_t row)
{
    return (int64_t *)g->sum_room.items + row * (axis->n_cells + 1);
}

/* Which pieces of an axis have living cells. */
static void find_living(const tct_treegrid *g, const tct_treebound_view *v, size_t x)
{
    const tct_tree_axis *axis = &g->axes[x];
    const unsigned char *alive = g->alive + axis->first;
    const tct_tree_link *own = v->links + axis->first_link;
    const tct_tree_places places = tct_tree_places_of(g);
    size_t *before = g->order_room.items; /* living cells before each */

    before[0] = 0;
    for (size_t c = 0; c < axis->n_cells; c++)
        before[c + 1] = before[c] + alive[c];
    for (size_t p = axis->first_piece; p < axis->first_piece + axis->n_pieces && !axis->levels; p++)
        v->here[p] = before[places.starts[p]] != before[places.ends[p]];
    for (size_t i = 0; i < axis->n_links && axis->levels; i++) {
        const uint32_t *map = v->maps + own[i].map;

        memset(v->here + own[i].first, 0, own[i].n_pieces);
        for (size_t c = 0; c < axis->n_cells; c++)
            v->here[own[i].first + map[c]] |= alive[c];
    }
}

/* Sums over the cells of an axis, of one number per piece of each of its links; of no use where a cell is dead. */
static int64_t *sum_cells(const tct_treegrid *g, const tct_treebound_view *v, size_t x, const int64_t *all, size_t row)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    const uint32_t *starts = tct_tree_places_of(g).starts;
    int64_t *sums = row_of(g, axis, row), sum = 0, last = 0;

    memset(sums, 0, (axis->n_cells + 1) * sizeof *sums);
    for (size_t i = 0; i < axis->n_links && axis->levels; i++) {
        const uint32_t *map = v->maps + own[i].map;

        for (size_t c = 0; c < axis->n_cells; c++)
            sums[c] += all[own[i].first + map[c]];
    }
    if (axis->levels)
        return sums;
    for (size_t p = axis->first_piece; p < axis->first_piece + axis->n_pieces; p++) { /* steps, to be added up */
        last = starts[p] ? last : 0;
        sums[starts[p]] += all[p] - last;
        last = all[p];
    }
    for (size_t c = 0; c < axis->n_cells; c++)
        sums[c] = sum += sums[c];
    return sums;
}

static int64_t least_alive(const tct_treegrid *g, const tct_tree_axis *axis, const int64_t *sums)
{
    int64_t least = FAR;

    for (size_t c = 0; c < axis->n_cells; c++) {
        int64_t sum = g->alive[axis->first + c] ? sums[c] : FAR;

        least = sum < least ? sum : least;
    }
    return least;
}

void tct_treegrid_whole(tct_treegrid *g)
{
    tct_treebound_view v = view_of(g);

    memset(g->alive, 1, g->n_cells);
    memset(g->phi, 0, g->n_pieces * sizeof *g->phi);
    memset(v.here, 1, g->n_pieces);
    memset(v.most, 0, g->n_mosts * sizeof *v.most);
    memset(g->least_phi, 0, g->n_axes * sizeof *g->least_phi);
    g->bound = g->constant;
    for (size_t i = 0; i < g->n_rests; i++) {
        const int64_t *values = v.values + v.rests[i].first_leaf;
        int64_t *left = v.left + v.rests[i].first_leaf, least = FAR;

        for (size_t k = 0; k < v.rests[i].n_blocks * TCT_TREE_BLOCK; k++) {
            left[k] = values[k];
            least = values[k] < least ? values[k] : least;
        }
        g->bound += v.rests[i].part = least;
    }
}

void tct_treegrid_enter(tct_treegrid *g)
{
    tct_treebound_view v = view_of(g);

    if (g->n_leaves > 0) /* else there may be no memory either, of which nothing can be copied */
        memcpy(v.left, v.values, g->n_leaves * sizeof *v.left);
    if (g->n_mosts > 0)
        memset(v.most, 0, g->n_mosts * sizeof *v.most);
    for (size_t x = 0; x < g->n_axes; x++)
        find_living(g, &v, x);
    best_loops()->shift(&v, g->phi, v.links, g->n_links);
    g->bound = g->constant;
    for (size_t i = 0; i < g->n_rests; i++)
        g->bound += v.rests[i].part;
    for (size_t x = 0; x < g->n_axes; x++) {
        g->least_phi[x] =
            g->axes[x].n_links ? least_alive(g, &g->axes[x], sum_cells(g, &v, x, g->phi, TCT_SUMS_ROW)) : 0;
        g->bound += g->least_phi[x];
    }
}

void tct_treegrid_enter_axis(tct_treegrid *g, size_t x)
{
    tct_treebound_view v = view_of(g);
    const tct_tree_link *own = v.links + g->axes[x].first_link;
    size_t n = g->axes[x].n_links;

    if (n == 0)
        return;
    find_living(g, &v, x);
    g->bound -= g->least_phi[x];
    for (size_t i = 0; i < n; i++)
        g->bound -= v.rests[own[i].tree].part;
    g->bound += best_loops()->shift(&v, g->phi, own, n);
    g->least_phi[x] = least_alive(g, &g->axes[x], sum_cells(g, &v, x, g->phi, TCT_SUMS_ROW));
    g->bound += g->least_phi[x];
}

/* Arrays that a state is made of, and the bytes of each. */
enum { STATE_ARRAYS = 6 };

static void find_state(const tct_treegrid *g, void *arrays[STATE_ARRAYS], size_t sizes[STATE_ARRAYS])
{
    void *const all[STATE_ARRAYS] = {g->alive,           g->phi,      g->here_room.items, g->most_room.items,
                                     g->leaf_room.items, g->least_phi};
    const size_t bytes[STATE_ARRAYS] = {g->n_cells,
                                        g->n_pieces * sizeof *g->phi,
                                        g->n_pieces,
                                        g->n_mosts * sizeof(int64_t),
                                        g->n_leaves * sizeof(int64_t),
                                        g->n_axes * sizeof *g->least_phi};

    memcpy(arrays, all, sizeof all);
    memcpy(sizes, bytes, sizeof bytes);
}

size_t tct_treegrid_state_size(const tct_treegrid *g)
{
    void *arrays[STATE_ARRAYS];
    size_t sizes[STATE_ARRAYS], size = (g->n_rests + 1) * sizeof(int64_t);

    find_state(g, arrays, sizes);
    for (size_t i = 0; i < STATE_ARRAYS; i++)
        size += sizes[i];
    return size;
}

void tct_treegrid_save_state(const tct_treegrid *g, void *to)
{
    const tct_tree_rest *rests = g->rests.items;
    int64_t *numbers = to;
    unsigned char *next = (unsigned char *)(numbers + g->n_rests + 1);
    void *arrays[STATE_ARRAYS];
    size_t sizes[STATE_ARRAYS];

    numbers[0] = g->bound;
    for (size_t i = 0; i < g->n_rests; i++)
        numbers[i + 1] = rests[i].part;
    find_state(g, arrays, sizes);
    for (size_t i = 0; i < STATE_ARRAYS; next += sizes[i++])
        if (sizes[i] > 0)
            memcpy(next, arrays[i], sizes[i]);
}

void tct_treegrid_load_state(tct_treegrid *g, const void *from)
{
    tct_tree_rest *rests = g->rests.items;
    const int64_t *numbers = from;
    const unsigned char *next = (const unsigned char *)(numbers + g->n_rests + 1);
    void *arrays[STATE_ARRAYS];
    size_t sizes[STATE_ARRAYS];

    g->bound = numbers[0];
    for (size_t i = 0; i < g->n_rests; i++)
        rests[i].part = numbers[i + 1];
    find_state(g, arrays, sizes);
    for (size_t i = 0; i < STATE_ARRAYS; next += sizes[i++])
        if (sizes[i] > 0)
            memcpy(arrays[i], next, sizes[i]);
}

/* Least and largest leaf of every tree. */
static void find_extremes(const tct_treegrid *g)
{
    tct_treebound_view v = view_of(g);

    best_loops()->find_extremes(&v, g->n_rests);
}

bool tct_treegrid_constant(const tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;

    find_extremes(g);
    for (size_t i = 0; i < g->n_rests; i++)
        if (rests[i].raw != rests[i].most)
            return false;
    return true;
}

int64_t tct_treegrid_raw(const tct_treegrid *g)
{
    const tct_tree_rest *rests = g->rests.items;
    int64_t sum = g->constant;

    find_extremes(g);
    for (size_t i = 0; i < g->n_rests; i++)
        sum += rests[i].raw;
    return sum;
}

/* ---- the sweep ---- */

/* phi of the pieces of a link with levels, which have cells anywhere: h less the least share in the piece. */
static void share_levels(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *map,
                         const unsigned char *here, const int64_t *h, const int64_t *shares, int64_t *phi)
{
    int64_t *least = g->order_room.items; /* per piece, of which there are no more than cells */

    for (size_t p = 0; p < link->n_pieces; p++)
        least[p] = FAR;
    for (size_t c = 0; c < g->axes[link->axis].n_cells; c++)
        least[map[c]] = shares[c] < least[map[c]] ? shares[c] : least[map[c]];
    for (size_t p = 0; p < link->n_pieces; p++)
        phi[p] = here[p] ? h[p] - least[p] : phi[p];
}

/* Give phi to the pieces of all links of an axis: h less an equal share of what H has above its minimum. */
static void share_out(tct_treegrid *g, const tct_treebound_view *v, const tct_treebound_loops *loops, size_t x,
                      const tct_tree_row *row)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    const tct_tree_places places = tct_tree_places_of(g);

    for (size_t i = 0; i < axis->n_links && axis->levels; i++)
        share_levels(g, &own[i], v->maps + own[i].map, v->here + own[i].first, v->h + own[i].first, row->sums,
                     g->phi + own[i].first);
    if (axis->levels)
        return;
    loops->spread(row);
    loops->hand_out(v, &places, row->sums, axis->first_piece, axis->n_pieces, g->phi);
}

/* One axis.  True: nothing of the box is left to be proven. */
static bool raise_axis(tct_treegrid *g, const tct_treebound_view *v, const tct_treebound_loops *loops, size_t x)
{
    tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    tct_tree_row row = {.alive = g->alive + axis->first,
                        .slices = g->slices ? g->slices + axis->first : NULL,
                        .n = axis->n_cells,
                        .rest = g->bound - g->least_phi[x],
                        .target = g->target};
    bool killed;

    row.rest -= loops->find_h(v, own, axis->n_links);
    row.sums = sum_cells(g, v, x, v->h, TCT_SUMS_ROW);
    killed = loops->judge(&row);
    if (row.least == FAR)
        return true;
    loops->share(&row, axis->n_links);
    g->best[x] = row.best;
    if (killed)
        find_living(g, v, x);
    share_out(g, v, loops, x, &row);
    loops->give(v, g->phi, own, axis->n_links);
    g->least_phi[x] = row.least; /* no cell gives away more than it has above the least, and that one nothing */
    g->bound = row.rest + row.least;
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
    tct_treebound_view v = view_of(g);
    const tct_treebound_loops *loops = best_loops();

    for (size_t x = 0; x < g->n_axes; x++) {
        if (g->axes[x].n_links == 0 || count_alive(g, &g->axes[x]) < 2)
            continue;
        if (raise_axis(g, &v, loops, x) || g->bound >= g->target)
            return true;
    }
    return g->bound >= g->target;
}

/* ---- where to cut ---- */

/* Sort cells by their sums; those with the same sum stay as they are.  Runs that are sorted are merged, longer ones each
 * time.  There is room behind the cells for as many. */
static void sort_cells(size_t *cells, size_t n, const int64_t *sums)
{
    for (size_t run = 1; run < n; run *= 2) {
        size_t *merged = cells + n, at = 0;

        for (size_t from = 0; from < n; from += 2 * run) {
            size_t middle = from + run < n ? from + run : n, end = from + 2 * run < n ? from + 2 * run : n;

            for (size_t i = from, j = middle; i < middle || j < end;)
                merged[at++] = j == end || (i < middle && sums[cells[i]] <= sums[cells[j]]) ? cells[i++] : cells[j++];
        }
        memcpy(cells, merged, n * sizeof *cells);
    }
}

/* Cells of an axis in the order in which it may be cut: levels by the sum of their least leaves. */
static size_t *order_cells(const tct_treegrid *g, const tct_treebound_view *v, size_t x)
{
    const tct_tree_axis *axis = &g->axes[x];
    size_t *order = g->order_room.items;

    for (size_t c = 0; c < axis->n_cells; c++)
        order[c] = c;
    if (!axis->ordered)
        sort_cells(order, axis->n_cells, sum_cells(g, v, x, v->h, TCT_SUMS_ROW));
    return order;
}

/* below[k], above[k]: what the links of an axis add up to when only its first k cells, or all others, live; a link of
 * whose pieces none does counts nothing.  This is for levels, whose cells come in any order. */
static void find_level_halves(const tct_treegrid *g, const tct_treebound_view *v, size_t x, const size_t *order,
                              int64_t *below, int64_t *above)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    size_t n = axis->n_cells;

    for (size_t i = 0; i < axis->n_links; i++) {
        const uint32_t *map = v->maps + own[i].map;
        const int64_t *h = v->h + own[i].first;
        int64_t least = FAR;

        for (size_t k = 0; k < n; k++) {
            if (g->alive[axis->first + order[k]] && h[map[order[k]]] < least)
                least = h[map[order[k]]];
            below[k + 1] += least < FAR ? least : 0;
        }
        least = FAR;
        for (size_t k = n; k > 0; k--) {
            if (g->alive[axis->first + order[k - 1]] && h[map[order[k - 1]]] < least)
                least = h[map[order[k - 1]]];
            above[k - 1] += least < FAR ? least : 0;
        }
    }
}

/* The same for numbers.  The least of the first cells falls in few steps, where pieces begin to live; they are added up
 * at the end. */
static void find_number_halves(const tct_treegrid *g, const tct_treebound_view *v, size_t x, int64_t *below,
                               int64_t *above)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    size_t n = axis->n_cells, *next = (size_t *)g->order_room.items + n, *last = next + n + 1;

    next[n] = n; /* the next living cell, from each on; the last one up to each, and 1 */
    for (size_t c = n; c > 0; c--)
        next[c - 1] = g->alive[axis->first + c - 1] ? c - 1 : next[c];
    for (size_t c = 0; c < n; c++)
        last[c] = g->alive[axis->first + c] ? c + 1 : c > 0 ? last[c - 1] : 0;
    for (size_t i = 0; i < axis->n_links; i++) {
        const tct_tree_link *link = &own[i];
        const uint32_t *map = v->maps + link->map;
        const int64_t *h = v->h + link->first;
        int64_t least = FAR;

        for (size_t p = 0; p < link->n_pieces; p++)
            if (next[map[p]] < map[p + 1] && h[p] < least) {
                below[next[map[p]] + 1] += h[p] - (least < FAR ? least : 0);
                least = h[p];
            }
        least = FAR;
        for (size_t p = link->n_pieces; p > 0; p--)
            if (last[map[p] - 1] > map[p - 1] && h[p - 1] < least) {
                above[last[map[p] - 1] - 1] += h[p - 1] - (least < FAR ? least : 0);
                least = h[p - 1];
            }
    }
    for (size_t c = 1; c <= n; c++) {
        below[c] += below[c - 1];
        above[n - c] += above[n - c + 1];
    }
}

static double gain_of(int64_t half, int64_t base, int64_t target)
{
    int64_t most = half < target ? half : target;

    return most > base ? (double)(most - base) : 0;
}

/* The best cut of one axis, if it is better than what was found so far. */
static void consider_axis(tct_treegrid *g, const tct_treebound_view *v, size_t x, int64_t raw, double *score,
                          tct_tree_cut *cut)
{
    const tct_tree_axis *axis = &g->axes[x];
    const tct_tree_link *own = v->links + axis->first_link;
    const size_t *order;
    int64_t *below = row_of(g, axis, TCT_BELOW_ROW), *above = row_of(g, axis, TCT_ABOVE_ROW), rest = raw;
    size_t alive = count_alive(g, axis), before = 0;

    if (alive < 2 || axis->n_links == 0)
        return;
    for (size_t i = 0; i < axis->n_links; i++)
        rest -= v->rests[own[i].tree].raw;
    best_loops()->find_raw(v, own, axis->n_links);
    order = order_cells(g, v, x);
    memset(below, 0, 2 * (axis->n_cells + 1) * sizeof *below); /* and the row above */
    if (axis->levels)
        find_level_halves(g, v, x, order, below, above);
    else
        find_number_halves(g, v, x, below, above);
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
    tct_treebound_view v = view_of(g);
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

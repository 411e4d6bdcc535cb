/*
 * treegrid.c -- putting what is known into the trees.
 *
 * Every tree is walked with the sets of cells that its attributes may have; nodes that send all of a set one way
 * disappear.  What is left is laid out by treelayout.c.
 */
#include "treegrid_inside.h"

#include <math.h>
#include <string.h>

#include "tree_walk.h"
#include "treetable.h"

enum {
    HEADROOM = 47, /* units in the largest sum: 2^47 */
    MOST_PIECES = 8,
    MOST_LINKS = 4, /* of a link, of its tree: with more they are not told apart when put in order */
    SIZES = 2 * MOST_PIECES * MOST_LINKS
};

tacit_status tct_tree_list_reserve(tct_tree_list *list, size_t bytes, tacit_error *err)
{
    size_t room = list->room;
    void *items;

    if (bytes <= room) {
        list->used = bytes > list->used ? bytes : list->used;
        return TACIT_OK;
    }
    while (room < bytes)
        room = 2 * room + 256;
    items = tct_malloc(room, 1);
    if (!items)
        return tct_fail_memory(err);
    if (list->room > 0)
        memcpy(items, list->items, list->room);
    tct_free_wiped(list->items, list->room);
    list->items = items;
    list->room = room;
    list->used = bytes;
    return TACIT_OK;
}

void tct_tree_list_wipe(tct_tree_list *list)
{
    tct_wipe(list->items, list->used);
    list->used = 0;
}

static void clear_list(tct_tree_list *list)
{
    tct_free_wiped(list->items, list->room);
    *list = (tct_tree_list){0};
}

tacit_status tct_treegrid_new(tct_treegrid **out, const tacit_model *model, const tct_treetable *table,
                              tacit_error *err)
{
    tct_treegrid *g = tct_calloc(1, sizeof *g);
    const tct_trees *t = tct_as_trees(model->classifier);
    size_t n = t->n_attributes;
    bool there;

    *out = NULL;
    if (!g)
        return tct_fail_memory(err);
    g->trees = t;
    g->table = table;
    g->codec = model->codec;
    g->low = tct_calloc(n, sizeof *g->low);
    g->high = tct_calloc(n, sizeof *g->high);
    g->lacks = tct_calloc(n, 1);
    g->fixed = tct_calloc(n, sizeof *g->fixed);
    g->axis_of = tct_calloc(n, sizeof *g->axis_of);
    g->levels = tct_calloc(n, sizeof *g->levels);
    g->axes = tct_calloc(n, sizeof *g->axes);
    g->least_phi = tct_calloc(n, sizeof *g->least_phi);
    g->best = tct_calloc(n, sizeof *g->best);
    there = g->low && g->high && g->lacks && g->fixed && g->axis_of && g->levels && g->axes && g->least_phi && g->best;
    for (size_t a = 0; a < n && there; a++)
        if (t->attributes[a].levels) {
            g->levels[a] = tct_calloc(tct_set_words(t->attributes[a].count), sizeof **g->levels);
            there = g->levels[a] != NULL;
        }
    if (!there) {
        tct_treegrid_free(g);
        return tct_fail_memory(err);
    }
    *out = g;
    return TACIT_OK;
}

/* All lists of a grid. */
static void each_list(tct_treegrid *g, void (*what)(tct_tree_list *))
{
    tct_tree_list *lists[] = {&g->nodes,     &g->tests,      &g->rests,    &g->links,      &g->axis_links,
                              &g->pieces,    &g->cells,      &g->maps,     &g->values,     &g->who,
                              &g->marks,     &g->alive_room, &g->phi_room, &g->h_room,     &g->here_room,
                              &g->most_room, &g->leaf_room,  &g->sum_room, &g->order_room, &g->left_room};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        what(lists[i]);
}

/* What is known of a person, beside the lists. */
static void wipe_region(tct_treegrid *g)
{
    size_t n = g->trees->n_attributes;

    for (size_t a = 0; g->levels && a < n; a++)
        if (g->levels[a])
            tct_wipe(g->levels[a], tct_set_words(g->trees->attributes[a].count) * sizeof **g->levels);
    if (g->low)
        tct_wipe(g->low, n * sizeof *g->low);
    if (g->high)
        tct_wipe(g->high, n * sizeof *g->high);
    if (g->lacks)
        tct_wipe(g->lacks, n);
    if (g->fixed)
        tct_wipe(g->fixed, n * sizeof *g->fixed);
    if (g->best)
        tct_wipe(g->best, n * sizeof *g->best);
}

void tct_treegrid_forget(tct_treegrid *g)
{
    each_list(g, tct_tree_list_wipe);
    wipe_region(g);
}

void tct_treegrid_free(tct_treegrid *g)
{
    if (!g)
        return;
    each_list(g, clear_list);
    wipe_region(g);
    for (size_t a = 0; g->levels && a < g->trees->n_attributes; a++)
        tct_free(g->levels[a]);
    tct_free(g->levels);
    tct_free(g->low);
    tct_free(g->high);
    tct_free(g->lacks);
    tct_free(g->fixed);
    tct_free(g->axis_of);
    tct_free(g->axes);
    tct_free(g->least_phi);
    tct_free(g->best);
    tct_free(g);
}

/* ---- the region ---- */

/* The cell of a known attribute. */
static uint32_t known_cell(const tct_tree_attribute *a, const double *inputs)
{
    uint32_t k = 0;

    if (a->width == 1 && a->count > 1)
        return (uint32_t)lrint((*inputs + 1) / 2 * (double)(a->count - 1));
    while (k + 1 < a->width && inputs[k] < 0.5)
        k++;
    return k;
}

static void take_levels(tct_treegrid *g, const tct_region *region, size_t a, uint32_t first, uint32_t last)
{
    const tct_tree_attribute *seen = &g->trees->attributes[a];
    bool some = !region->known[a] && g->codec->domains[a].kind == TCT_ONEHOT;
    size_t count = 0;

    memset(g->levels[a], 0, tct_set_words(seen->count) * sizeof **g->levels);
    for (uint32_t k = first; k <= last; k++)
        if (!some || tct_region_has_level(region, a, k)) {
            g->levels[a][k / 64] |= (uint64_t)1 << k % 64;
            g->fixed[a] = k;
            count++;
        }
    g->fixed[a] = count == 1 ? g->fixed[a] : TCT_OPEN;
}

void tct_treegrid_region(tct_treegrid *g, const tct_region *region)
{
    g->n_axes = 0;
    for (size_t a = 0; a < g->trees->n_attributes; a++) {
        const tct_tree_attribute *seen = &g->trees->attributes[a];
        double first = 0, last = (double)seen->count - 1;

        if (region->known[a])
            first = last = known_cell(seen, region->x + seen->first);
        else if (g->codec->domains[a].kind == TCT_GRID)
            tct_region_indices(region, a, &first, &last);
        g->low[a] = (uint32_t)fmin(first, (double)seen->n_cuts + 1);
        g->high[a] = (uint32_t)fmin(last, (double)seen->n_cuts) + 1;
        g->lacks[a] = seen->missing && last > (double)seen->n_cuts;
        g->fixed[a] = first == last ? (uint32_t)first : TCT_OPEN;
        if (seen->levels)
            take_levels(g, region, a, (uint32_t)first, (uint32_t)last);
        if (g->fixed[a] == TCT_OPEN) {
            g->axis_of[a] = g->n_axes;
            g->axes[g->n_axes++] = (tct_tree_axis){
                .attribute = a, .ordered = g->codec->domains[a].kind == TCT_GRID, .levels = seen->levels};
        }
    }
}

void tct_treegrid_fit(const tct_treegrid *g, uint32_t *cells)
{
    for (size_t a = 0; a < g->trees->n_attributes; a++) {
        const tct_tree_attribute *seen = &g->trees->attributes[a];

        if (g->fixed[a] != TCT_OPEN) {
            cells[a] = g->fixed[a];
        } else if (seen->levels) {
            for (uint32_t k = 0; !tct_set_has(g->levels[a], cells[a]); k++)
                cells[a] = k;
        } else if (!(g->lacks[a] && cells[a] == seen->n_cuts + 1)) {
            cells[a] = cells[a] < g->low[a] ? g->low[a] : cells[a] >= g->high[a] ? g->high[a] - 1 : cells[a];
        }
    }
}

bool tct_treegrid_is_point(const tct_treegrid *g)
{
    return g->n_axes == 0;
}

/* ---- regions within regions ---- */

void tct_treegrid_adopt(tct_treegrid *g, const tct_treegrid *from)
{
    size_t n = g->trees->n_attributes;

    memcpy(g->low, from->low, n * sizeof *g->low);
    memcpy(g->high, from->high, n * sizeof *g->high);
    memcpy(g->lacks, from->lacks, n);
    memcpy(g->fixed, from->fixed, n * sizeof *g->fixed);
    memcpy(g->axis_of, from->axis_of, n * sizeof *g->axis_of);
    for (size_t a = 0; a < n; a++)
        if (g->levels[a])
            memcpy(g->levels[a], from->levels[a], tct_set_words(g->trees->attributes[a].count) * sizeof **g->levels);
    g->n_axes = from->n_axes;
    for (size_t x = 0; x < g->n_axes; x++)
        g->axes[x] = (tct_tree_axis){
            .attribute = from->axes[x].attribute, .ordered = from->axes[x].ordered, .levels = from->axes[x].levels};
}

/* Is what an attribute may be the same in both, less in the first, or neither? */
static int compare_attribute(const tct_treegrid *inner, const tct_treegrid *outer, size_t a)
{
    const tct_tree_attribute *seen = &inner->trees->attributes[a];
    bool same = true, within = true;

    if (!seen->levels) {
        within =
            inner->lacks[a] <= outer->lacks[a] &&
            (inner->low[a] >= inner->high[a] || (inner->low[a] >= outer->low[a] && inner->high[a] <= outer->high[a]));
        same = inner->lacks[a] == outer->lacks[a] && inner->low[a] == outer->low[a] && inner->high[a] == outer->high[a];
    }
    for (size_t w = 0; seen->levels && w < tct_set_words(seen->count); w++) {
        within = within && !(inner->levels[a][w] & ~outer->levels[a][w]);
        same = same && inner->levels[a][w] == outer->levels[a][w];
    }
    return same ? 0 : within ? 1 : -1;
}

size_t tct_treegrid_narrowed(const tct_treegrid *inner, const tct_treegrid *outer)
{
    size_t count = 0;

    for (size_t a = 0; a < inner->trees->n_attributes; a++) {
        int less = compare_attribute(inner, outer, a);

        if (less < 0)
            return SIZE_MAX;
        count += (size_t)less;
    }
    return count;
}

bool tct_treegrid_narrow(tct_treegrid *g, const tct_treegrid *inner, size_t *narrowed)
{
    *narrowed = g->n_axes;
    for (size_t x = 0; x < g->n_axes; x++) {
        const tct_tree_axis *axis = &g->axes[x];
        size_t a = axis->attribute;
        const tct_tree_attribute *seen = &g->trees->attributes[a];
        bool some = false;

        for (size_t c = 0; c < axis->n_cells; c++) {
            uint32_t from = tct_treegrid_cell(g, x, c), to = g->high[a];
            bool in;

            if (!seen->levels && c + 1 < axis->n_cells && tct_treegrid_cell(g, x, c + 1) <= seen->n_cuts)
                to = tct_treegrid_cell(g, x, c + 1);
            if (seen->levels)
                in = tct_set_has(inner->levels[a], from);
            else
                in = from > seen->n_cuts ? inner->lacks[a] : from < inner->high[a] && inner->low[a] < to;
            if (g->alive[axis->first + c] && !in)
                *narrowed = x;
            g->alive[axis->first + c] = g->alive[axis->first + c] && in;
            some = some || g->alive[axis->first + c];
        }
        if (!some)
            return false;
    }
    return true;
}

/* ---- what is left of the trees ---- */

/* One tree being looked at.  There is room for all that may be left of it. */
typedef struct conditioning {
    tct_treegrid *g;
    tct_tree_rest *rest;
    tct_left_node *nodes;
    uint32_t n_leaves;
    double most; /* largest leaf, in absolute value */
} conditioning;

/* The tree's link with an attribute, made if need be. */
static uint32_t find_link(conditioning *c, size_t attribute)
{
    tct_treegrid *g = c->g;
    tct_tree_link *links = (tct_tree_link *)g->links.items + c->rest->first_link;
    size_t axis = g->axis_of[attribute];

    for (size_t i = 0; i < c->rest->n_links; i++)
        if (links[i].axis == axis) {
            links[i].n_tests++;
            return (uint32_t)i;
        }
    links[c->rest->n_links] = (tct_tree_link){.axis = (uint32_t)axis, .n_tests = 1};
    g->axes[axis].n_links++;
    return (uint32_t)c->rest->n_links++;
}

/* Can somebody go left, and right? */
static void find_ways(const tct_treegrid *g, const tct_tree_node *node, bool ways[2])
{
    size_t a = node->attribute;

    if (g->trees->attributes[a].levels) {
        ways[0] = ways[1] = false;
        for (size_t w = 0; w < tct_set_words(g->trees->attributes[a].count); w++) {
            ways[0] = ways[0] || (g->levels[a][w] & g->trees->sets[node->test + w]);
            ways[1] = ways[1] || (g->levels[a][w] & ~g->trees->sets[node->test + w]);
        }
        return;
    }
    ways[0] = (g->low[a] < g->high[a] && g->low[a] < node->test) || (g->lacks[a] && node->missing_left);
    ways[1] = (g->low[a] < g->high[a] && node->test < g->high[a]) || (g->lacks[a] && !node->missing_left);
}

static void condition_node(conditioning *c, size_t i);

/* One side of a node that is left, its attribute narrowed meanwhile. */
static void condition_side(conditioning *c, size_t i, bool right)
{
    tct_treegrid *g = c->g;
    const tct_tree_node *node = &g->trees->nodes[i];
    size_t a = node->attribute, words = tct_set_words(g->trees->attributes[a].count);
    uint32_t low = g->low[a], high = g->high[a];
    unsigned char lacks = g->lacks[a];
    uint64_t kept[(TCT_MAX_LEVELS + 63) / 64];

    if (g->trees->attributes[a].levels) {
        memcpy(kept, g->levels[a], words * sizeof *kept);
        for (size_t w = 0; w < words; w++)
            g->levels[a][w] &= right ? ~g->trees->sets[node->test + w] : g->trees->sets[node->test + w];
    } else {
        if (right)
            g->low[a] = low > node->test ? low : node->test;
        else
            g->high[a] = high < node->test ? high : node->test;
        g->lacks[a] = lacks && node->missing_left != right;
    }
    condition_node(c, right ? node->right : i + 1);
    if (g->trees->attributes[a].levels)
        memcpy(g->levels[a], kept, words * sizeof *kept);
    g->low[a] = low;
    g->high[a] = high;
    g->lacks[a] = lacks;
}

/* Write down what is left of a node. */
static void condition_node(conditioning *c, size_t i)
{
    tct_treegrid *g = c->g;
    const tct_tree_node *node;
    tct_left_node *left = &c->nodes[g->n_nodes++];
    uint32_t before = c->n_leaves;
    bool ways[2];

    for (;;) {
        node = &g->trees->nodes[i];
        if (node->attribute == TCT_TREE_LEAF) {
            *left = (tct_left_node){.value = node->value, .link = TCT_OPEN, .leaves = 1};
            c->most = fmax(c->most, fabs(node->value));
            c->n_leaves++;
            return;
        }
        if (g->fixed[node->attribute] != TCT_OPEN) {
            i = tct_tree_next(g->trees, i, g->fixed[node->attribute]);
            continue;
        }
        find_ways(g, node, ways);
        if (ways[0] && ways[1])
            break;
        i = ways[0] ? i + 1 : node->right;
    }
    *left =
        (tct_left_node){.link = find_link(c, node->attribute), .test = node->test, .missing_left = node->missing_left};
    condition_side(c, i, false);
    condition_side(c, i, true);
    left->leaves = c->n_leaves - before;
}

/* ---- the margin ---- */

double tct_treegrid_sign(const tct_trees *t, size_t tree, size_t label, size_t against)
{
    if (t->base.n_scores == 1)
        return label == 1 ? 1 : -1;
    return t->scores[tree] == label ? 1 : t->scores[tree] == against ? -1 : 0;
}

/* Room for what may be left of a tree, whatever the region. */
static tacit_status reserve_tree(tct_treegrid *g, size_t tree, tacit_error *err)
{
    size_t nodes = g->trees->roots[tree + 1] - g->trees->roots[tree];
    size_t links = nodes < g->n_axes ? nodes : g->n_axes;
    tacit_status st = tct_tree_list_reserve(&g->nodes, (g->n_nodes + nodes) * sizeof(tct_left_node), err);

    if (!st)
        st = tct_tree_list_reserve(&g->links, (g->n_links + links) * sizeof(tct_tree_link), err);
    return st;
}

tacit_status tct_treegrid_condition(tct_treegrid *g, tct_tree_rest *rest, double *most, tacit_error *err)
{
    conditioning c = {.g = g, .rest = rest};
    tacit_status st = reserve_tree(g, rest->tree, err);

    if (st)
        return st;
    rest->root = g->n_nodes;
    c.nodes = g->nodes.items;
    condition_node(&c, g->trees->roots[rest->tree]);
    rest->end = g->n_nodes;
    *most = c.most;
    return TACIT_OK;
}

/* Look at all trees of the margin.  Largest leaves are added up, and trees counted, by sign. */
static tacit_status condition_all(tct_treegrid *g, size_t label, size_t against, double size[2], size_t count[2],
                                  tacit_error *err)
{
    const tct_trees *t = g->trees;

    for (size_t k = 0; k < t->n_trees; k++) {
        double sign = tct_treegrid_sign(t, k, label, against), most = 0;
        tct_tree_rest rest = {.tree = k, .first_link = g->n_links};
        tacit_status st = tct_tree_list_reserve(&g->rests, (g->n_rests + 1) * sizeof rest, err);

        if (sign == 0 && !st)
            continue;
        if (!st)
            st = tct_treegrid_condition(g, &rest, &most, err);
        if (st)
            return st;
        size[sign < 0] += most;
        count[sign < 0]++;
        g->n_links += rest.n_links;
        ((tct_tree_rest *)g->rests.items)[g->n_rests++] = rest;
    }
    return TACIT_OK;
}

/* Links of one size lie together: loops over what they have then take as many turns as the time before, which processors
 * foresee. */
static inline size_t size_of(const tct_treegrid *g, const tct_tree_link *link)
{
    size_t links = ((const tct_tree_rest *)g->rests.items)[link->tree].n_links;
    size_t pieces = link->n_pieces < MOST_PIECES ? link->n_pieces : MOST_PIECES;

    links = links < MOST_LINKS ? links : MOST_LINKS;
    return ((link->axis * 2 + (link->n_blocks > 1)) * MOST_PIECES + pieces - 1) * MOST_LINKS + links - 1;
}

/* The links once more, axis by axis, as bounds go through them; so lies what they compute of each. */
static tacit_status lay_axis_links(tct_treegrid *g, tacit_error *err)
{
    const tct_tree_link *links = g->links.items;
    size_t sizes = g->n_axes * SIZES, *next, first = 0;
    tct_tree_link *sorted;
    tacit_status st;

    if ((st = tct_tree_list_reserve(&g->axis_links, (g->n_links + 1) * sizeof *links, err)) ||
        (st = tct_tree_list_reserve(&g->order_room, (sizes + 1) * sizeof *next, err)))
        return st;
    sorted = g->axis_links.items;
    next = g->order_room.items; /* per axis and size: where the next link goes */
    memset(next, 0, sizes * sizeof *next);
    for (size_t i = 0; i < g->n_links; i++)
        next[size_of(g, &links[i])]++;
    for (size_t x = 0; x < g->n_axes; x++)
        g->axes[x].first_link = x ? g->axes[x - 1].first_link + g->axes[x - 1].n_links : 0;
    for (size_t k = 0; k < sizes; k++) {
        size_t n = next[k];

        next[k] = first;
        first += n;
    }
    for (size_t i = 0; i < g->n_links; i++) {
        sorted[next[size_of(g, &links[i])]++] = links[i];
    }
    for (size_t i = 0; i < g->n_links; i++) {
        sorted[i].first = g->n_pieces;
        g->n_pieces += sorted[i].n_pieces;
        sorted[i].most = g->n_mosts;
        g->n_mosts += sorted[i].n_blocks * TCT_TREE_BLOCK;
    }
    return TACIT_OK;
}

void tct_treegrid_target(tct_treegrid *g, size_t label, size_t against, const double size[2], const size_t count[2])
{
    const tct_trees *t = g->trees;
    double need, pad, all = fabs(t->cut) + size[0] + size[1];

    if (t->base.n_scores == 1) {
        size_t which = label == 0;

        pad = tct_trees_rounding(t, count[which] + 1, size[which] + fabs(t->start[0]) + fabs(t->cut));
        need = label == 1 ? t->cut - t->start[0] : t->start[0] - t->cut;
        all += fabs(t->start[0]);
    } else {
        pad = tct_trees_rounding(t, count[0] + 1, size[0] + fabs(t->start[label])) +
              tct_trees_rounding(t, count[1] + 1, size[1] + fabs(t->start[against]));
        need = t->start[against] - t->start[label];
        all += fabs(t->start[label]) + fabs(t->start[against]);
    }
    g->unit = all > 0 ? ldexp(1, ilogb(all) + 1 - HEADROOM) : 1;
    pad *= 1 + 1e-9;
    g->beaten = INT64_MIN / 2;
    if (fabs(need - pad) / g->unit < 0x1p60)
        g->beaten = (int64_t)floor((need - pad) / g->unit) - 2 - (int64_t)(count[0] + count[1]);
    need = (need + pad) / g->unit;
    g->target = need < 0x1p60 ? (int64_t)ceil(need) + 2 : INT64_MAX / 2;
}

/* Leaves, or the constant, of every tree that is left. */
static tacit_status list_all(tct_treegrid *g, size_t label, size_t against, tacit_error *err)
{
    tct_tree_rest *rests = g->rests.items;
    size_t kept = 0;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < g->n_rests && !st; i++) {
        tct_tree_rest rest = rests[i];
        double sign = tct_treegrid_sign(g->trees, rest.tree, label, against);

        if (rest.n_links == 0) {
            g->constant += tct_whole_below(sign * ((const tct_left_node *)g->nodes.items)[rest.root].value / g->unit);
            continue;
        }
        for (size_t k = rest.first_link; k < rest.first_link + rest.n_links; k++) {
            ((tct_tree_link *)g->links.items)[k].tree = (uint32_t)kept;
            ((tct_tree_link *)g->links.items)[k].own = (uint32_t)k;
        }
        st = tct_treegrid_lay_tree(g, &rest, sign, err);
        rests[kept++] = rest;
    }
    g->n_rests = kept;
    return st;
}

/* Room for what is computed of a box. */
static tacit_status reserve_box(tct_treegrid *g, tacit_error *err)
{
    size_t widest = 0, powers = 4;
    tacit_status st;

    for (size_t x = 0; x < g->n_axes; x++)
        widest = g->axes[x].n_cells > widest ? g->axes[x].n_cells : widest;
    for (size_t k = 1; k < widest; k *= 2)
        powers++;
    if ((st = tct_tree_list_reserve(&g->alive_room, g->n_cells + TCT_TREE_SPARE, err)) ||
        (st = tct_tree_list_reserve(&g->phi_room, (g->n_pieces + TCT_TREE_SPARE) * sizeof(int64_t), err)) ||
        (st = tct_tree_list_reserve(&g->h_room, (g->n_pieces + TCT_TREE_SPARE) * sizeof(int64_t), err)) ||
        (st = tct_tree_list_reserve(&g->here_room, g->n_pieces + TCT_TREE_SPARE, err)) ||
        (st = tct_tree_list_reserve(&g->most_room, (g->n_mosts + 1) * sizeof(int64_t), err)) ||
        (st = tct_tree_list_reserve(&g->leaf_room, (g->n_leaves + 1) * sizeof(int64_t), err)) ||
        (st = tct_tree_list_reserve(&g->sum_room, (powers * (widest + 2) + TCT_TREE_SPARE) * sizeof(int64_t), err)) ||
        (st = tct_tree_list_reserve(&g->left_room, widest + 2, err)) ||
        (st = tct_tree_list_reserve(&g->order_room, 3 * (widest + 2) * sizeof(size_t), err)))
        return st;
    g->alive = g->alive_room.items;
    g->phi = g->phi_room.items;
    return TACIT_OK;
}

/* What is left of the trees, by walking them. */
static tacit_status walk_margin(tct_treegrid *g, size_t label, size_t against, tacit_error *err)
{
    double size[2] = {0};
    size_t count[2] = {0};
    tacit_status st = condition_all(g, label, against, size, count, err);

    if (st)
        return st;
    tct_treegrid_target(g, label, against, size, count);
    st = tct_treegrid_lay_axes(g, err);
    return st ? st : list_all(g, label, against, err);
}

tacit_status tct_treegrid_margin(tct_treegrid *g, size_t label, size_t against, tacit_error *err)
{
    tacit_status st;

    g->n_nodes = g->n_tests = g->n_rests = g->n_links = g->n_leaves = g->n_pieces = 0;
    g->n_maps = g->n_who = g->n_mosts = 0;
    g->constant = 0;
    for (size_t x = 0; x < g->n_axes; x++)
        g->axes[x].n_links = 0;
    st = tct_treetable_fits(g) ? tct_treetable_margin(g, label, against, err) : walk_margin(g, label, against, err);
    if (!st)
        st = lay_axis_links(g, err);
    if (!st)
        st = tct_treegrid_lay_pieces(g, err);
    return st ? st : reserve_box(g, err);
}

/*
 * boost_tree.c -- growing one tree of a boosted ensemble.
 *
 * A leaf with slopes that add up to G and curvatures that add up to H moves the score of its people by -G / (H + l2), a
 * Newton step, which takes G^2 / (H + l2) off twice the loss, nearly.  A node is split where its two halves together
 * gain most by that measure: numbers at one of their cuts, with "missing" on the better side; categories into two sets
 * of levels, which for such a gain need only be looked for along the order of G / H.  To see all of that, sums by cell
 * are enough.  Of two children only the smaller is summed up, the other one's sums are the rest of its parent's.
 *
 * Nodes are visited in preorder, as the ensemble keeps them; so a list of sums per level of the tree is enough.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boost.h"

static const double LEAST_CURVE = 1; /* of a child: two people, or many who are certain */
static const double LEAST_GAIN = 1e-6;
static const double SMOOTH = 10;      /* curvature by which levels with few people are drawn to the middle */
enum { WORTH_A_THREAD = 1 << 13 };    /* people */
enum { AHEAD = 16, LEAF_DIGITS = 6 }; /* people to fetch ahead; digits of a leaf's value */

/* ---- sums ---- */

static void add_people(const tct_grower *g, const uint32_t *rows, size_t n, tct_slopes *sums)
{
    size_t n_columns = g->n_columns;

    for (size_t i = 0; i < n; i++) {
        const uint16_t *cells = g->cells + rows[i] * n_columns;
        const tct_slope own = g->slopes[rows[i]];
        const tct_slopes both = {own.slope, own.curve};

        if (i + AHEAD < n)
            __builtin_prefetch(g->cells + rows[i + AHEAD] * n_columns);
        for (size_t c = 0; c < n_columns; c++)
            sums[g->columns[c].first + cells[c]] += both;
    }
}

void tct_grower_sums(const tct_grower *g, const uint32_t *rows, size_t n, tct_slopes *sums)
{
    size_t parts = n / WORTH_A_THREAD < g->threads ? n / WORTH_A_THREAD : g->threads;
    tct_slopes *others = g->sums + (g->depth + 1) * g->n_cells;

    memset(sums, 0, g->n_cells * sizeof *sums);
    if (parts <= 1) {
        add_people(g, rows, n, sums);
        return;
    }
    memset(others, 0, (parts - 1) * g->n_cells * sizeof *others);
#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t p = 0; p < parts; p++) {
        size_t from = n / parts * p, to = p + 1 == parts ? n : n / parts * (p + 1);

        add_people(g, rows + from, to - from, p == 0 ? sums : others + (p - 1) * g->n_cells);
    }
    for (size_t p = 1; p < parts; p++)
        for (size_t i = 0; i < g->n_cells; i++)
            sums[i] += others[(p - 1) * g->n_cells + i];
}

/* ---- splits ---- */

static double curve_of(tct_slopes sums)
{
    return (double)sums[1] / TCT_BOOST_UNIT;
}

static double slope_of(tct_slopes sums)
{
    return (double)sums[0] / TCT_BOOST_UNIT;
}

static double worth(const tct_grower *g, tct_slopes sums)
{
    return slope_of(sums) * slope_of(sums) / (curve_of(sums) + g->l2);
}

/* What is gained by sending `left` of `all` left; 0 where that may not be. */
static double gain_of(const tct_grower *g, tct_slopes left, tct_slopes all)
{
    tct_slopes right = all - left;

    if (curve_of(left) < LEAST_CURVE || curve_of(right) < LEAST_CURVE)
        return 0;
    return worth(g, left) + worth(g, right) - worth(g, all);
}

static void try_cuts(const tct_grower *g, const tct_slopes *sums, size_t column, tct_slopes all, tct_split_rule *best)
{
    const tct_boost_column *c = &g->columns[column];
    const tct_slopes *own = sums + c->first, none = {0, 0};
    uint32_t cells = c->count - c->missing;
    tct_slopes missing = c->missing ? own[cells] : none, left = none;

    for (uint32_t test = 1; test < cells; test++) {
        left += own[test - 1];
        if (own[test - 1][1] == 0)
            continue; /* nobody: as good as the cut before */
        for (int side = 0; side < 1 + (missing[1] != 0); side++) {
            tct_slopes both = side ? left + missing : left;
            double gain = gain_of(g, both, all);

            if (gain <= best->gain)
                continue;
            best->gain = gain;
            best->column = column;
            best->test = test;
            best->left = both;
            best->missing_left = missing[1] != 0 ? side : both[1] > all[1] - both[1];
        }
    }
}

typedef struct level_key {
    double key;
    uint32_t level;
} level_key;

static int compare_keys(const void *a, const void *b)
{
    const level_key *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->level < y->level ? -1 : 1;
}

/* The first `n` levels go left, and those that nobody has to where more people are. */
static void take_set(tct_split_rule *best, const tct_boost_column *c, const tct_slopes *own, const level_key *keys,
                     size_t n, bool heavy_left)
{
    memset(best->set, 0, sizeof best->set);
    for (size_t i = 0; i < n; i++)
        best->set[keys[i].level / 64] |= (uint64_t)1 << keys[i].level % 64;
    for (uint32_t k = 0; heavy_left && k < c->count; k++)
        if (own[k][1] == 0)
            best->set[k / 64] |= (uint64_t)1 << k % 64;
}

static void try_sets(const tct_grower *g, const tct_slopes *sums, size_t column, tct_slopes all, tct_split_rule *best)
{
    const tct_boost_column *c = &g->columns[column];
    const tct_slopes *own = sums + c->first;
    level_key keys[TCT_MAX_LEVELS];
    tct_slopes left = {0, 0};
    size_t n = 0;

    for (uint32_t k = 0; k < c->count; k++)
        if (own[k][1] != 0)
            keys[n++] = (level_key){slope_of(own[k]) / (curve_of(own[k]) + SMOOTH), k};
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i + 1 < n; i++) {
        double gain;

        left += own[keys[i].level];
        gain = gain_of(g, left, all);
        if (gain <= best->gain)
            continue;
        best->gain = gain;
        best->column = column;
        best->left = left;
        take_set(best, c, own, keys, i + 1, left[1] > all[1] - left[1]);
    }
}

void tct_grower_split(const tct_grower *g, const tct_slopes *sums, tct_slopes all, tct_split_rule *best)
{
    *best = (tct_split_rule){.gain = LEAST_GAIN, .column = TACIT_NONE};
    for (size_t c = 0; c < g->n_columns; c++)
        (g->columns[c].levels ? try_sets : try_cuts)(g, sums, c, all, best);
    if (best->column == TACIT_NONE)
        best->gain = 0;
}

/* ---- the tree ---- */

/* A node to come: its people, its sums by cell and over all. */
typedef struct node {
    size_t from, to, depth;
    tct_slopes *sums; /* NULL: it is a leaf for its depth */
    tct_slopes all;
} node;

static bool goes_left(const tct_boost_column *c, const tct_split_rule *rule, uint16_t cell)
{
    if (c->levels)
        return tct_set_has(rule->set, cell);
    return c->missing && cell == c->count - 1 ? rule->missing_left : cell < rule->test;
}

/* Put a node's people in order of their sides, each side in the order it had; where the right ones begin. */
static size_t part_people(tct_grower *g, const node *n, const tct_split_rule *rule)
{
    size_t left = n->from, right = 0;

    for (size_t i = n->from; i < n->to; i++) {
        uint32_t row = g->rows[i];

        if (goes_left(&g->columns[rule->column], rule, g->cells[row * g->n_columns + rule->column]))
            g->rows[left++] = row;
        else
            g->spare[right++] = row;
    }
    memcpy(g->rows + left, g->spare, right * sizeof *g->rows);
    return left;
}

static tacit_status add_leaf(tct_grower *g, const node *n, tacit_error *err)
{
    double step = -g->rate * slope_of(n->all) / (curve_of(n->all) + g->l2);
    tct_tree_node leaf = {.attribute = TCT_TREE_LEAF, .value = tct_round_digits(step, LEAF_DIGITS)};
    size_t index;

    for (size_t i = n->from; i < n->to; i++)
        g->score[g->rows[i]] += leaf.value;
    return tct_trees_add_node(g->trees, &leaf, &index, err);
}

static tacit_status add_split(tct_grower *g, const tct_split_rule *rule, size_t *index, tacit_error *err)
{
    tct_tree_node split = {.attribute = (uint16_t)rule->column, .test = rule->test, .missing_left = rule->missing_left};
    const tct_boost_column *c = &g->columns[rule->column];
    tacit_status st = c->levels ? tct_trees_add_set(g->trees, rule->column, &split.test, err) : TACIT_OK;

    if (!st && c->levels)
        memcpy(g->trees->sets + split.test, rule->set, tct_set_words(c->count) * sizeof *rule->set);
    return st ? st : tct_trees_add_node(g->trees, &split, index, err);
}

/* The children's sums by cell: the smaller one's in the list of its depth, the other's in place of their parent's. */
static void sum_children(const tct_grower *g, const node *parent, node *left, node *right)
{
    bool left_less = left->to - left->from <= right->to - right->from;
    node *less = left_less ? left : right, *more = left_less ? right : left;

    if (parent->depth + 1 >= g->depth)
        return;
    less->sums = g->sums + less->depth * g->n_cells;
    more->sums = parent->sums;
    tct_grower_sums(g, g->rows + less->from, less->to - less->from, less->sums);
    for (size_t i = 0; i < g->n_cells; i++)
        more->sums[i] -= less->sums[i];
}

static tacit_status grow(tct_grower *g, const node *n, tacit_error *err)
{
    tct_split_rule rule = {.column = TACIT_NONE};
    node left, right;
    size_t index = 0, middle;
    tacit_status st;

    if (n->sums)
        tct_grower_split(g, n->sums, n->all, &rule);
    if (rule.column == TACIT_NONE)
        return add_leaf(g, n, err);
    middle = part_people(g, n, &rule);
    left = (node){.from = n->from, .to = middle, .depth = n->depth + 1, .all = rule.left};
    right = (node){.from = middle, .to = n->to, .depth = n->depth + 1, .all = n->all - rule.left};
    sum_children(g, n, &left, &right);
    st = add_split(g, &rule, &index, err);
    if (!st)
        st = grow(g, &left, err);
    if (!st) {
        g->trees->nodes[index].right = (uint32_t)g->trees->n_nodes;
        st = grow(g, &right, err);
    }
    return st;
}

tacit_status tct_grower_tree(tct_grower *g, tacit_error *err)
{
    node root = {.to = g->n, .sums = g->depth > 0 ? g->sums : NULL};

    for (size_t r = 0; r < g->n; r++) {
        const tct_slopes own = {g->slopes[r].slope, g->slopes[r].curve};

        g->rows[r] = (uint32_t)r;
        root.all += own;
    }
    if (root.sums)
        tct_grower_sums(g, g->rows, g->n, root.sums);
    return grow(g, &root, err);
}

tacit_status tct_grower_init(tct_grower *g, tacit_error *err)
{
    g->rows = tct_malloc(g->n, sizeof *g->rows);
    g->spare = tct_malloc(g->n, sizeof *g->spare);
    g->sums = tct_malloc((g->depth + g->threads) * g->n_cells, sizeof *g->sums);
    return g->rows && g->spare && g->sums ? TACIT_OK : tct_fail_memory(err);
}

void tct_grower_clear(tct_grower *g)
{
    tct_free_wiped(g->rows, g->n * sizeof *g->rows);
    tct_free_wiped(g->spare, g->n * sizeof *g->spare);
    tct_free_wiped(g->sums, (g->depth + g->threads) * g->n_cells * sizeof *g->sums);
}

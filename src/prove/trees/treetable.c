/*
 * treetable.c -- ensembles of small trees as lists of tests: making the lists, and what a region leaves of them.
 *
 * What comes out is the same as from walking the trees, but for the order of a tree's links, which no sum or minimum
 * depends on: trees__tables (tests/prop/test_trees.c) compares.
 */
#include "treetable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "tree_walk.h"

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { MANY_SCORES = 5 }; /* from so many on not all tests are gone through for a margin */

/* ---- making it ---- */

/* Leaves from ... to - 1. */
static uint64_t run_of(unsigned from, unsigned to)
{
    uint64_t below = to < 64 ? ((uint64_t)1 << to) - 1 : UINT64_MAX;

    return from < 64 ? below & UINT64_MAX << from : 0;
}

/* Until all trees are there, `asked` of a test is its attribute. */
static int compare_tests(const void *left, const void *right)
{
    const tct_tree_test *a = left, *b = right;

    if (a->asked != b->asked)
        return a->asked < b->asked ? -1 : 1;
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    if (a->test != b->test)
        return a->test < b->test ? -1 : 1;
    return a->sides[0] < b->sides[0] ? -1 : a->sides[0] > b->sides[0];
}

/* A tree as it was walked with nothing known. */
static tacit_status add_tree(tct_treetable *table, const tct_treegrid *g, const tct_tree_rest *rest, tacit_error *err)
{
    const tct_left_node *nodes = (const tct_left_node *)g->nodes.items;
    const tct_tree_link *links = (const tct_tree_link *)g->links.items + rest->first_link;
    size_t n = nodes[rest->root].leaves;
    unsigned first = 0;
    tacit_status st;

    table->shapes[rest->tree] = (tct_tree_shape){table->n_values, run_of(0, (unsigned)n)};
    if ((st = tct_tree_list_reserve(&table->tests, (table->n_tests + n) * sizeof(tct_tree_test), err)) ||
        (st = tct_tree_list_reserve(&table->values, (table->n_values + n + TCT_TREE_BLOCK) * sizeof(double), err)))
        return st;
    table->whole = table->whole && 2 * n - 1 == g->trees->roots[rest->tree + 1] - g->trees->roots[rest->tree];
    for (size_t k = rest->root; k < rest->end; k++) {
        unsigned middle, end;

        if (nodes[k].link == TCT_OPEN) {
            ((double *)table->values.items)[table->n_values++] = nodes[k].value;
            first++;
            continue;
        }
        middle = first + nodes[k + 1].leaves;
        end = first + nodes[k].leaves;
        ((tct_tree_test *)table->tests.items)[table->n_tests++] =
            (tct_tree_test){.sides = {run_of(first, middle), run_of(middle, end)},
                            .test = nodes[k].test,
                            .asked = (uint32_t)g->axes[links[nodes[k].link].axis].attribute,
                            .tree = (uint32_t)rest->tree,
                            .missing_left = nodes[k].missing_left};
    }
    for (; table->n_values % TCT_TREE_BLOCK; table->n_values++)
        ((double *)table->values.items)[table->n_values] = 0;
    return TACIT_OK;
}

/* Walk every tree with nothing known.  *fits: none has too many leaves. */
static tacit_status list_tests(tct_treetable *table, tct_treegrid *g, const unsigned char *nothing, bool *fits,
                               tacit_error *err)
{
    tct_region region = tct_region_of(g->codec, nothing, NULL);
    tacit_status st = TACIT_OK;

    *fits = table->whole = true;
    tct_treegrid_region(g, &region);
    for (size_t k = 0; k < g->trees->n_trees && !st && *fits; k++) {
        tct_tree_rest rest = {.tree = k};
        double most;

        g->n_nodes = g->n_links = 0;
        st = tct_treegrid_condition(g, &rest, &most, err);
        *fits = st || ((const tct_left_node *)g->nodes.items)[rest.root].leaves <= TCT_TABLE_LEAVES;
        if (!st && *fits)
            st = add_tree(table, g, &rest, err);
    }
    return st;
}

/* The leaves that a cell or level leaves of a tree: n tests. */
static uint64_t reach_of(const tct_trees *t, const tct_tree_attribute *seen, const tct_tree_test *tests, size_t n,
                         uint32_t cell)
{
    uint64_t leaves = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        bool left = seen->levels          ? tct_set_has(t->sets + tests[i].test, cell)
                    : cell > seen->n_cuts ? tests[i].missing_left
                                          : cell < tests[i].test;

        leaves &= ~tests[i].sides[left];
    }
    return leaves;
}

/* What a tree asks of an attribute: n tests. */
static tacit_status add_asked(tct_treetable *table, const tct_trees *t, size_t attribute, tct_tree_test *tests,
                              size_t n, tacit_error *err)
{
    const tct_tree_attribute *seen = &t->attributes[attribute];
    size_t count = seen->levels ? seen->count : 2;
    uint64_t *reaches;
    tacit_status st;

    if ((st = tct_tree_list_reserve(&table->asked, (table->n_asked + 1) * sizeof(tct_tree_asked), err)) ||
        (st = tct_tree_list_reserve(&table->reaches, (table->n_reaches + count) * sizeof *reaches, err)))
        return st;
    reaches = (uint64_t *)table->reaches.items + table->n_reaches;
    ((tct_tree_asked *)table->asked.items)[table->n_asked] = (tct_tree_asked){tests->tree, (uint32_t)table->n_reaches};
    for (size_t k = 0; k < count; k++)
        reaches[k] = reach_of(t, seen, tests, n, (uint32_t)(seen->levels || k == 0 ? k : seen->n_cuts + 1));
    for (size_t i = 0; i < n; i++) {
        tests[i].reach = seen->levels ? 0 : reach_of(t, seen, tests, n, tests[i].test);
        tests[i].asked = (uint32_t)table->n_asked;
    }
    table->n_asked++;
    table->n_reaches += count;
    return TACIT_OK;
}

/* Tests by attribute and tree. */
static tacit_status sort_tests(tct_treetable *table, const tct_trees *t, tacit_error *err)
{
    tct_tree_test *tests = table->tests.items;
    size_t at = 0;
    tacit_status st = TACIT_OK;

    if (table->n_tests > 0)
        qsort(tests, table->n_tests, sizeof *tests, compare_tests);
    for (size_t a = 0; a < t->n_attributes; a++) {
        table->first_test[a] = at;
        while (at < table->n_tests && tests[at].asked == a && !st) {
            size_t end = at;

            while (end < table->n_tests && tests[end].asked == a && tests[end].tree == tests[at].tree)
                end++;
            st = add_asked(table, t, a, tests + at, end - at, err);
            at = end;
        }
    }
    table->first_test[t->n_attributes] = at;
    return st;
}

/* Of many classes a margin is about the trees of two: which tests these are. */
static tacit_status sort_by_score(tct_treetable *table, const tct_trees *t, tacit_error *err)
{
    const tct_tree_test *tests = table->tests.items;
    size_t n_scores = t->base.n_scores, at = 0;
    size_t *next;

    if (n_scores < MANY_SCORES)
        return TACIT_OK;
    table->first_of = tct_calloc(t->n_attributes * n_scores + 1, sizeof *table->first_of);
    table->of_score = tct_calloc(table->n_tests + 1, sizeof *table->of_score);
    if (!table->first_of || !table->of_score)
        return tct_fail_memory(err);
    for (size_t a = 0; a < t->n_attributes; a++) {
        next = table->first_of + a * n_scores;
        for (size_t i = table->first_test[a]; i < table->first_test[a + 1]; i++)
            next[t->scores[tests[i].tree]]++;
        for (size_t s = 0; s < n_scores; s++) { /* where the tests of a score begin; then, as they are put there, end */
            size_t n = next[s];

            next[s] = at;
            at += n;
        }
        for (size_t i = table->first_test[a]; i < table->first_test[a + 1]; i++)
            table->of_score[next[t->scores[tests[i].tree]]++] = (uint32_t)i;
    }
    memmove(table->first_of + 1, table->first_of, t->n_attributes * n_scores * sizeof *table->first_of);
    table->first_of[0] = 0;
    return TACIT_OK;
}

tacit_status tct_treetable_new(tct_treetable **out, const tacit_model *model, tacit_error *err)
{
    const tct_trees *trees = tct_as_trees(model->classifier);
    tct_treetable *table = tct_calloc(1, sizeof *table);
    unsigned char *nothing = tct_calloc(trees->n_attributes, 1);
    tct_treegrid *g = NULL;
    bool fits = false;
    tacit_status st;

    *out = NULL;
    if (table) {
        table->shapes = tct_calloc(trees->n_trees + 1, sizeof *table->shapes);
        table->first_test = tct_calloc(trees->n_attributes + 1, sizeof *table->first_test);
    }
    st = table && table->shapes && table->first_test && nothing ? tct_treegrid_new(&g, model, NULL, err)
                                                                : tct_fail_memory(err);
    if (!st)
        st = list_tests(table, g, nothing, &fits, err);
    if (!st && fits)
        st = sort_tests(table, trees, err);
    if (!st && fits)
        st = sort_by_score(table, trees, err);
    tct_treegrid_free(g);
    tct_free(nothing);
    if (st || !fits)
        tct_treetable_free(table);
    else
        *out = table;
    return st;
}

void tct_treetable_free(tct_treetable *table)
{
    if (!table)
        return;
    tct_free(table->first_of);
    tct_free(table->of_score);
    tct_free(table->shapes);
    tct_free(table->first_test);
    tct_free(table->tests.items);
    tct_free(table->asked.items);
    tct_free(table->reaches.items);
    tct_free(table->values.items);
    tct_free(table);
}

/* ---- what is left ---- */

/* Is every level possible? */
static bool has_all_levels(const uint64_t *levels, size_t count)
{
    size_t words = tct_set_words(count);

    for (size_t w = 0; w + 1 < words; w++)
        if (levels[w] != UINT64_MAX)
            return false;
    return levels[words - 1] == UINT64_MAX >> (64 * words - count);
}

bool tct_treetable_fits(const tct_treegrid *g)
{
    for (size_t x = 0; x < g->n_axes && g->table; x++) {
        size_t a = g->axes[x].attribute;
        const tct_tree_attribute *seen = &g->trees->attributes[a];

        if (seen->levels ? !has_all_levels(g->levels[a], seen->count)
                         : g->low[a] > 0 || g->high[a] <= seen->n_cuts || g->lacks[a] != seen->missing)
            return false;
    }
    return g->table != NULL;
}

/* What a known cell takes away. */
static void put_in(const tct_treegrid *g, size_t a, uint32_t cell, uint64_t *alive)
{
    const tct_tree_attribute *seen = &g->trees->attributes[a];
    const tct_tree_test *test = (const tct_tree_test *)g->table->tests.items + g->table->first_test[a];
    const tct_tree_test *end = (const tct_tree_test *)g->table->tests.items + g->table->first_test[a + 1];

    if (seen->levels) {
        for (; test < end; test++)
            alive[test->tree] &= ~test->sides[tct_set_has(g->trees->sets + test->test, cell)];
    } else if (cell > seen->n_cuts) {
        for (; test < end; test++)
            alive[test->tree] &= ~test->sides[test->missing_left];
    } else {
        for (; test < end; test++)
            alive[test->tree] &= ~test->sides[cell < test->test];
    }
}

/* The same for the tests of one of many classes. */
static void put_in_score(const tct_treegrid *g, size_t a, uint32_t cell, size_t score, uint64_t *alive)
{
    const tct_tree_attribute *seen = &g->trees->attributes[a];
    const size_t *first = g->table->first_of + a * g->trees->base.n_scores + score;

    for (size_t i = first[0]; i < first[1]; i++) {
        const tct_tree_test *test = (const tct_tree_test *)g->table->tests.items + g->table->of_score[i];
        bool left = seen->levels          ? tct_set_has(g->trees->sets + test->test, cell)
                    : cell > seen->n_cuts ? test->missing_left
                                          : cell < test->test;

        alive[test->tree] &= ~test->sides[left];
    }
}

/* What all known cells take away. */
static void put_in_all(const tct_treegrid *g, size_t label, size_t against, uint64_t *alive)
{
    const tct_tree_reach *reach = g->table->whole ? g->trees->reach : NULL;
    size_t n_trees = g->trees->n_trees;

    for (size_t a = 0; a < g->trees->n_attributes && !reach; a++) {
        if (g->fixed[a] == TCT_OPEN)
            continue;
        if (!g->table->of_score) {
            put_in(g, a, g->fixed[a], alive);
            continue;
        }
        put_in_score(g, a, g->fixed[a], label, alive);
        put_in_score(g, a, g->fixed[a], against, alive);
    }
    for (size_t first = 0; first < n_trees && reach; first += TCT_TREES_AT_ONCE) {
        uint16_t left[TCT_TREES_AT_ONCE];

        tct_tree_leave(reach, first, g->fixed, left);
        for (size_t k = 0; k < TCT_TREES_AT_ONCE && first + k < n_trees; k++)
            alive[first + k] &= left[k];
    }
}

/* The answers of a level to tests that are left, at most 63 of a tree. */
static uint64_t answers_of(const tct_treegrid *g, const uint32_t *left, size_t n, uint32_t level)
{
    const tct_tree_test *tests = g->table->tests.items;
    uint64_t answers = 0;

    for (size_t j = 0; j < n; j++)
        answers |= (uint64_t)tct_set_has(g->trees->sets + tests[left[j]].test, level) << j;
    return answers;
}

#define LOOPS "treetable_loops.h"
#include "simd_levels.h"

/* The leaves that what is known leaves of each tree of a margin; none of others.  Largest leaves are added up, and trees
 * counted, by sign. */
static void find_alive(const tct_treegrid *g, size_t label, size_t against, uint64_t *alive, double size[2],
                       size_t count[2])
{
    double (*largest)(const double *, uint64_t) = TCT_SIMD_PICK(largest_leaf);

    for (size_t k = 0; k < g->trees->n_trees; k++)
        alive[k] = tct_treegrid_sign(g->trees, k, label, against) != 0 ? g->table->shapes[k].leaves : 0;
    put_in_all(g, label, against, alive);
    for (size_t k = 0; k < g->trees->n_trees; k++) {
        bool minus = tct_treegrid_sign(g->trees, k, label, against) < 0;

        size[minus] += largest((const double *)g->table->values.items + g->table->shapes[k].first_value, alive[k]);
        count[minus] += alive[k] != 0;
    }
}

static bool is_left(const tct_tree_test *test, const uint64_t *alive)
{
    uint64_t leaves = alive[test->tree];

    return ((leaves & test->sides[0]) != 0) & ((leaves & test->sides[1]) != 0);
}

/* The tests about an attribute that are left, of two of many classes: ascending, as they lie. */
static size_t merge_scores(const tct_treegrid *g, size_t a, size_t label, size_t against, const uint64_t *alive,
                           uint32_t *left)
{
    const tct_tree_test *tests = g->table->tests.items;
    const size_t *first = g->table->first_of + a * g->trees->base.n_scores;
    const uint32_t *of = g->table->of_score;
    size_t i = first[label], j = first[against], n = 0;

    while (i < first[label + 1] || j < first[against + 1]) {
        bool own = j == first[against + 1] || (i < first[label + 1] && of[i] < of[j]);

        left[n] = own ? of[i++] : of[j++];
        n += is_left(&tests[left[n]], alive);
    }
    return n;
}

/* The tests that are left, axis by axis. */
static void find_tests(tct_treegrid *g, size_t label, size_t against, const uint64_t *alive)
{
    const tct_tree_test *tests = g->table->tests.items;
    uint32_t *left = g->tests.items;
    size_t n = 0;

    for (size_t x = 0; x < g->n_axes; x++) {
        size_t a = g->axes[x].attribute;

        g->axes[x].first_test = n;
        if (g->table->of_score)
            n += merge_scores(g, a, label, against, alive, left + n);
        else
            for (size_t k = g->table->first_test[a]; k < g->table->first_test[a + 1]; k++) {
                left[n] = (uint32_t)k;
                n += is_left(&tests[k], alive);
            }
        g->axes[x].n_tests = n - g->axes[x].first_test;
    }
    g->n_tests = n;
}

void tct_treetable_mark(const tct_treegrid *g, unsigned char *marks)
{
    const tct_tree_test *tests = g->n_tests > 0 ? g->table->tests.items : NULL;

    for (size_t x = 0; x < g->n_axes && tests; x++) {
        const tct_tree_axis *axis = &g->axes[x];
        const uint32_t *left = (const uint32_t *)g->tests.items + axis->first_test;

        for (size_t j = 0; j < axis->n_tests && !axis->levels; j++)
            marks[axis->ranks + tests[left[j]].test] = 1;
    }
}

/* ---- laying it out ---- */

/* Leaves, or the constant, of every tree, each rounded down to units.  rest_of: per tree, its place among those that are
 * left. */
static tacit_status lay_leaves(tct_treegrid *g, size_t label, size_t against, const uint64_t *alive, uint32_t *rest_of,
                               tacit_error *err)
{
    size_t n_trees = g->trees->n_trees;
    size_t (*round_down)(const double *, uint64_t, double, double, int64_t *) = TCT_SIMD_PICK(round_leaves);
    tacit_status st;

    if ((st = tct_tree_list_reserve(&g->rests, (n_trees + 1) * sizeof(tct_tree_rest), err)) ||
        (st = tct_tree_list_reserve(&g->values, (g->table->n_values + TCT_TREE_BLOCK) * sizeof(int64_t), err)))
        return st;
    for (size_t k = 0; k < n_trees; k++) {
        const double *from = (const double *)g->table->values.items + g->table->shapes[k].first_value;
        int64_t *values = (int64_t *)g->values.items + g->n_leaves;
        double sign = tct_treegrid_sign(g->trees, k, label, against);
        size_t n;

        if (!(alive[k] & (alive[k] - 1))) {
            g->constant += alive[k] ? tct_whole_below(sign * from[__builtin_ctzll(alive[k])] / g->unit) : 0;
            continue;
        }
        n = round_down(from, alive[k], sign, g->unit, values);
        rest_of[k] = (uint32_t)g->n_rests;
        ((tct_tree_rest *)g->rests.items)[g->n_rests++] =
            (tct_tree_rest){.tree = k, .first_leaf = g->n_leaves, .n_blocks = n / TCT_TREE_BLOCK};
        g->n_leaves += n;
    }
    return TACIT_OK;
}

/* How many links each tree and axis has.  The room that their pieces need at most: places in maps. */
static size_t count_links(tct_treegrid *g, const uint32_t *rest_of)
{
    const tct_tree_test *tests = g->table->tests.items;
    const uint32_t *left = g->tests.items;
    tct_tree_rest *rests = g->rests.items;
    size_t room = 0;

    for (size_t x = 0; x < g->n_axes; x++) {
        tct_tree_axis *axis = &g->axes[x];
        uint32_t last = TCT_OPEN;

        for (size_t j = axis->first_test; j < axis->first_test + axis->n_tests; j++) {
            const tct_tree_test *test = &tests[left[j]];
            size_t fresh = test->asked != last;

            last = test->asked;
            axis->n_links += fresh;
            rests[rest_of[test->tree]].n_links += fresh;
        }
        room += axis->levels ? axis->n_links * axis->n_cells : axis->n_tests + 3 * axis->n_links;
        g->n_links += axis->n_links;
    }
    for (size_t i = 0, first = 0; i < g->n_rests; i++) {
        rests[i].first_link = first;
        first += rests[i].n_links;
        rests[i].n_links = 0; /* counted once more as they are laid out */
    }
    return room;
}

tacit_status tct_treetable_margin(tct_treegrid *g, size_t label, size_t against, tacit_error *err)
{
    size_t n_trees = g->trees->n_trees, count[2] = {0}, room;
    double size[2] = {0};
    uint32_t *rest_of;
    uint64_t *alive;
    tacit_status st;

    if ((st = tct_tree_list_reserve(&g->nodes, (n_trees + 1) * (sizeof *alive + sizeof *rest_of), err)) ||
        (st = tct_tree_list_reserve(&g->tests, (g->table->n_tests + 1) * sizeof(uint32_t), err)))
        return st;
    alive = g->nodes.items;
    rest_of = (uint32_t *)(alive + n_trees);
    find_alive(g, label, against, alive, size, count);
    tct_treegrid_target(g, label, against, size, count);
    find_tests(g, label, against, alive);
    if ((st = tct_treegrid_lay_axes(g, err)) || (st = lay_leaves(g, label, against, alive, rest_of, err)))
        return st;
    room = count_links(g, rest_of);
    if ((st = tct_tree_list_reserve(&g->links, (g->n_links + 1) * sizeof(tct_tree_link), err)) ||
        (st = tct_tree_list_reserve(&g->maps, (room + 1) * sizeof(uint32_t), err)) ||
        (st = tct_tree_list_reserve(&g->who, (room + 1) * sizeof(uint64_t), err)))
        return st;
    TCT_SIMD_PICK(lay_links)(g, alive, rest_of);
    return TACIT_OK;
}

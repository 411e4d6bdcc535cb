/*
 * treetable.c -- trees of few leaves as lists of tests: making the lists, and what a region leaves of them.
 *
 * What comes out is the same as from walking the trees, but for the order of a tree's links, which no sum or minimum
 * depends on: trees__tables (tests/prop/test_trees.c) compares.
 */
#include "treetable.h"

#include <math.h>
#include <string.h>

/* ---- making it ---- */

static bool comes_before(const tct_tree_test *a, const tct_tree_test *b)
{
    return a->attribute < b->attribute || (a->attribute == b->attribute && a->test < b->test);
}

/* Leaves from ... to - 1. */
static uint64_t run_of(unsigned from, unsigned to)
{
    uint64_t below = to < 64 ? ((uint64_t)1 << to) - 1 : UINT64_MAX;

    return from < 64 ? below & UINT64_MAX << from : 0;
}

/* Sort one more test in. */
static void add_test(tct_treetable *table, tct_tree_shape *shape, const tct_tree_test *test)
{
    tct_tree_test *tests = (tct_tree_test *)table->tests.items + shape->first_test;
    size_t at = shape->n_tests++;

    for (; at > 0 && comes_before(test, &tests[at - 1]); at--)
        tests[at] = tests[at - 1];
    tests[at] = *test;
    table->n_tests++;
}

/* A tree as it was walked with nothing known. */
static tacit_status add_tree(tct_treetable *table, const tct_treegrid *g, const tct_tree_rest *rest, tacit_error *err)
{
    const tct_left_node *nodes = (const tct_left_node *)g->nodes.items;
    const tct_tree_link *links = (const tct_tree_link *)g->links.items + rest->first_link;
    tct_tree_shape *shape = &table->shapes[rest->tree];
    size_t n = nodes[rest->root].leaves;
    tacit_status st;

    *shape = (tct_tree_shape){.first_test = table->n_tests, .first_value = table->n_values};
    if (n > TCT_TABLE_LEAVES)
        return TACIT_OK;
    if ((st = tct_tree_list_reserve(&table->tests, (table->n_tests + n) * sizeof(tct_tree_test), err)) ||
        (st = tct_tree_list_reserve(&table->values, (table->n_values + n) * sizeof(double), err)))
        return st;
    for (size_t k = rest->root; k < rest->end; k++) {
        unsigned first = (unsigned)shape->n_leaves;
        tct_tree_test test;

        if (nodes[k].link == TCT_OPEN) {
            ((double *)table->values.items)[table->n_values++] = nodes[k].value;
            shape->n_leaves++;
            continue;
        }
        test = (tct_tree_test){.test = nodes[k].test,
                               .attribute = (uint16_t)g->axes[links[nodes[k].link].axis].attribute,
                               .first = (unsigned char)first,
                               .middle = (unsigned char)(first + nodes[k + 1].leaves),
                               .end = (unsigned char)(first + nodes[k].leaves),
                               .missing_left = nodes[k].missing_left};
        test.sides[0] = run_of(test.first, test.middle);
        test.sides[1] = run_of(test.middle, test.end);
        add_test(table, shape, &test);
    }
    return TACIT_OK;
}

/* Walk every tree with nothing known. */
static tacit_status fill_table(tct_treetable *table, tct_treegrid *g, const unsigned char *nothing, tacit_error *err)
{
    tct_region region = tct_region_of(g->codec, nothing, NULL);
    tacit_status st = TACIT_OK;

    tct_treegrid_region(g, &region);
    for (size_t k = 0; k < g->trees->n_trees && !st; k++) {
        tct_tree_rest rest = {.tree = k};
        double most;

        g->n_nodes = g->n_links = 0;
        st = tct_treegrid_condition(g, &rest, &most, err);
        if (!st)
            st = add_tree(table, g, &rest, err);
    }
    return st;
}

tacit_status tct_treetable_new(tct_treetable **out, const tacit_model *model, tacit_error *err)
{
    const tct_trees *trees = tct_as_trees(model->classifier);
    tct_treetable *table = tct_calloc(1, sizeof *table);
    unsigned char *nothing = tct_calloc(trees->n_attributes, 1);
    tct_treegrid *g = NULL;
    tacit_status st;

    *out = NULL;
    if (table)
        table->shapes = tct_calloc(trees->n_trees + 1, sizeof *table->shapes);
    st = table && table->shapes && nothing ? tct_treegrid_new(&g, model, NULL, err) : tct_fail_memory(err);
    if (!st)
        st = fill_table(table, g, nothing, err);
    tct_treegrid_free(g);
    tct_free(nothing);
    if (st)
        tct_treetable_free(table);
    else
        *out = table;
    return st;
}

void tct_treetable_free(tct_treetable *table)
{
    if (!table)
        return;
    tct_free(table->shapes);
    tct_free(table->tests.items);
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

/* Which way a test sends a cell or level. */
static inline bool goes_left(const tct_trees *t, const tct_tree_attribute *seen, const tct_tree_test *test,
                             uint32_t cell)
{
    if (seen->levels)
        return tct_set_has(t->sets + test->test, cell);
    return cell > seen->n_cuts ? test->missing_left : cell < test->test;
}

/* The leaves that what is known leaves.  What is not known takes nothing away, without a branch, which could not be
 * foretold. */
static uint64_t find_alive(const tct_treegrid *g, const tct_tree_shape *shape, const tct_tree_test *tests)
{
    uint64_t alive = run_of(0, (unsigned)shape->n_leaves);

    for (size_t i = 0; i < shape->n_tests; i++) {
        size_t a = tests[i].attribute;
        const tct_tree_attribute *seen = &g->trees->attributes[a];
        uint32_t cell = g->fixed[a];
        uint64_t known = cell == TCT_OPEN ? 0 : UINT64_MAX;

        alive &= ~(tests[i].sides[goes_left(g->trees, seen, &tests[i], seen->levels && !known ? 0 : cell)] & known);
    }
    return alive;
}

/* The tests that are left. */
static size_t list_tests(tct_treegrid *g, const tct_tree_rest *rest, const tct_tree_shape *shape,
                         const tct_tree_test *tests)
{
    uint32_t *left = (uint32_t *)g->tests.items + g->n_tests;
    size_t n = 0;

    for (size_t i = 0; i < shape->n_tests; i++) {
        left[n] = (uint32_t)(shape->first_test + i);
        n += (g->fixed[tests[i].attribute] == TCT_OPEN) & ((rest->alive & tests[i].sides[0]) != 0) &
             ((rest->alive & tests[i].sides[1]) != 0);
    }
    return n;
}

/* Links for the tests that are left. */
static void list_links(tct_treegrid *g, tct_tree_rest *rest, size_t n_left)
{
    tct_tree_link *links = (tct_tree_link *)g->links.items + rest->first_link;
    const uint32_t *left = g->tests.items;
    const tct_tree_test *tests = g->table->tests.items;
    size_t last = SIZE_MAX;

    for (size_t i = 0; i < n_left; i++) {
        size_t a = tests[left[g->n_tests]].attribute;

        if (a != last) {
            tct_tree_link *link = &links[rest->n_links++]; /* the rest of it is set when it is laid out */

            link->axis = g->axis_of[a];
            link->first_test = g->n_tests;
            link->n_tests = 0;
            g->axes[link->axis].n_links++;
            last = a;
        }
        links[rest->n_links - 1].n_tests++;
        g->n_tests++;
    }
}

tacit_status tct_treetable_condition(tct_treegrid *g, tct_tree_rest *rest, double *most, tacit_error *err)
{
    const tct_tree_shape *shape = &g->table->shapes[rest->tree];
    const tct_tree_test *tests = (const tct_tree_test *)g->table->tests.items + shape->first_test;
    const double *values = (const double *)g->table->values.items + shape->first_value;
    size_t links = shape->n_tests < g->n_axes ? shape->n_tests : g->n_axes;
    tacit_status st;

    if ((st = tct_tree_list_reserve(&g->tests, (g->n_tests + shape->n_tests + 1) * sizeof(uint32_t), err)) ||
        (st = tct_tree_list_reserve(&g->links, (g->n_links + links) * sizeof(tct_tree_link), err)))
        return st;
    rest->alive = find_alive(g, shape, tests);
    *most = 0;
    for (uint64_t left = rest->alive; left; left &= left - 1) {
        double size = fabs(values[__builtin_ctzll(left)]);

        *most = size > *most ? size : *most;
    }
    if (rest->alive & (rest->alive - 1))
        list_links(g, rest, list_tests(g, rest, shape, tests));
    return TACIT_OK;
}

double tct_treetable_only(const tct_treegrid *g, const tct_tree_rest *rest)
{
    return ((const double *)g->table->values
                .items)[g->table->shapes[rest->tree].first_value + (size_t)__builtin_ctzll(rest->alive)];
}

void tct_treetable_mark(const tct_treegrid *g, unsigned char *marks)
{
    const tct_tree_rest *rests = g->rests.items;
    const uint32_t *left = g->tests.items;

    for (size_t i = 0; i < g->n_rests; i++)
        for (size_t k = 0; k < rests[i].n_links && rests[i].alive; k++) {
            const tct_tree_link *link = (const tct_tree_link *)g->links.items + rests[i].first_link + k;
            const tct_tree_axis *axis = &g->axes[link->axis];

            for (size_t j = 0; j < link->n_tests && !axis->levels; j++)
                marks[axis->ranks + ((const tct_tree_test *)g->table->tests.items)[left[link->first_test + j]].test] =
                    1;
        }
}

/* ---- laying it out ---- */

/* The answers of a level to all tests of a link that are left. */
static uint64_t answers_of(const tct_treegrid *g, const tct_tree_link *link, uint32_t level)
{
    const uint32_t *left = (const uint32_t *)g->tests.items + link->first_test;
    const tct_tree_test *tests = g->table->tests.items;
    uint64_t answers = 0;

    for (size_t j = 0; j < link->n_tests; j++)
        answers |= (uint64_t)tct_set_has(g->trees->sets + tests[left[j]].test, level) << j;
    return answers;
}

/* Cells of levels with the same answers are a piece. */
static size_t lay_levels(const tct_treegrid *g, const tct_tree_link *link, uint32_t *map)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *cells = (const uint32_t *)g->cells.items + axis->first;
    uint64_t pieces[TCT_MAX_LEVELS + 1];
    size_t n = 0, p = 0;

    for (size_t v = 0; v < axis->n_cells; v++) {
        pieces[n] = answers_of(g, link, cells[v]);
        if (v == 0 || pieces[p] != pieces[n]) /* else it is like the one before */
            for (p = 0; pieces[p] != pieces[n];)
                p++;
        map[v] = (uint32_t)p;
        n += p == n;
    }
    return n;
}

void tct_treetable_lay_pieces(tct_treegrid *g, const tct_tree_rest *rest)
{
    for (size_t i = 0; i < rest->n_links; i++) {
        tct_tree_link *link = (tct_tree_link *)g->links.items + rest->first_link + i;
        const uint32_t *left = (const uint32_t *)g->tests.items + link->first_test;
        const tct_tree_test *tests = g->table->tests.items;
        const tct_tree_axis *axis = &g->axes[link->axis];
        uint32_t *map = (uint32_t *)g->maps.items + link->map;

        if (axis->levels)
            link->n_pieces = lay_levels(g, link, map);
        for (size_t j = 0; j < link->n_tests && !axis->levels; j++) {
            uint32_t cut = tct_treegrid_rank(g, axis, tests[left[j]].test);

            if (cut != map[link->n_pieces - 1])
                map[link->n_pieces++] = cut;
        }
    }
}

/* The tests of a link as its tree is left: the leaves that each takes away on either side. */
typedef struct link_tests {
    size_t n;
    uint64_t sides[TCT_TABLE_LEAVES][2];
    uint64_t from[TCT_TABLE_LEAVES]; /* what the right sides of it and all later tests leave */
    const tct_tree_test *tests[TCT_TABLE_LEAVES];
} link_tests;

/* rank: how many of the tree's leaves are left below each. */
static void find_sides(const tct_treegrid *g, const tct_tree_link *link, const unsigned char *rank, link_tests *out)
{
    const uint32_t *left = (const uint32_t *)g->tests.items + link->first_test;
    uint64_t from = UINT64_MAX;

    out->n = link->n_tests;
    for (size_t j = out->n; j > 0; j--) {
        const tct_tree_test *test = (const tct_tree_test *)g->table->tests.items + left[j - 1];

        out->tests[j - 1] = test;
        out->sides[j - 1][0] = run_of(rank[test->first], rank[test->middle]);
        out->sides[j - 1][1] = run_of(rank[test->middle], rank[test->end]);
        out->from[j - 1] = from &= ~out->sides[j - 1][1];
    }
}

static inline void put_who(unsigned char *who, size_t blocks, uint64_t leaves)
{
    for (size_t b = 0; b < blocks; b++)
        who[b] = (unsigned char)(leaves >> 8 * b);
}

/* Pieces of levels: what each loses does not depend on the cell it is seen from. */
static void reach_by_level(const tct_treegrid *g, const tct_tree_link *link, const link_tests *t)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *map = (const uint32_t *)g->maps.items + link->map;

    for (size_t c = 0; c < axis->n_cells; c++) {
        uint32_t level = tct_treegrid_cell(g, link->axis, c);
        uint64_t leaves = UINT64_MAX;

        for (size_t j = 0; j < t->n; j++)
            leaves &= ~t->sides[j][tct_set_has(g->trees->sets + t->tests[j]->test, level)];
        put_who((unsigned char *)g->who.items + link->who + map[c] * link->n_blocks, link->n_blocks, leaves);
    }
}

/* Pieces of numbers: tests that cut at or below the piece send it right, the others left. */
static void reach_by_number(const tct_treegrid *g, const tct_tree_link *link, const link_tests *t)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const uint32_t *map = (const uint32_t *)g->maps.items + link->map;
    unsigned char *who = (unsigned char *)g->who.items + link->who;
    bool lacks = g->lacks[axis->attribute];
    uint64_t leaves = UINT64_MAX;
    size_t j = 0;

    for (size_t p = 0; p < link->n_pieces; p++) {
        while (j < t->n && tct_treegrid_rank(g, axis, t->tests[j]->test) <= map[p])
            leaves &= ~t->sides[j++][0];
        put_who(who + p * link->n_blocks, link->n_blocks, j < t->n ? leaves & t->from[j] : leaves);
    }
    if (lacks) {
        leaves = UINT64_MAX;
        for (j = 0; j < t->n; j++)
            leaves &= ~t->sides[j][t->tests[j]->missing_left];
        put_who(who + (link->n_pieces - 1) * link->n_blocks, link->n_blocks, leaves);
    }
}

void tct_treetable_lay_leaves(tct_treegrid *g, const tct_tree_rest *rest, double sign)
{
    const tct_tree_shape *shape = &g->table->shapes[rest->tree];
    const double *from = (const double *)g->table->values.items + shape->first_value;
    const tct_tree_link *links = (const tct_tree_link *)g->links.items + rest->first_link;
    int64_t *values = (int64_t *)g->values.items + rest->first_leaf;
    unsigned char rank[TCT_TABLE_LEAVES + 1];
    size_t n = 0;

    rank[0] = 0;
    for (size_t k = 0; k < shape->n_leaves; k++)
        rank[k + 1] = (unsigned char)(rank[k] + (rest->alive >> k & 1));
    for (uint64_t left = rest->alive; left; left &= left - 1)
        values[n++] = tct_whole_below(sign * from[__builtin_ctzll(left)] / g->unit);
    while (n < rest->n_blocks * TCT_TREE_BLOCK)
        values[n++] = TCT_NOBODY;
    for (size_t i = 0; i < rest->n_links; i++) {
        link_tests t;

        find_sides(g, &links[i], rank, &t);
        if (g->axes[links[i].axis].levels)
            reach_by_level(g, &links[i], &t);
        else
            reach_by_number(g, &links[i], &t);
    }
}

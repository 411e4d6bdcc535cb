/*
 * tree_crowd.c -- the sums of many people, side by side in every tree.
 *
 * Where one person at a time goes through trees side by side (tree_walk.c), all of the ensemble is read for everybody.  Here
 * tree after tree is taken, and in it 512 people, many of them in a vector.  A person has a word with a bit for each
 * leaf; a test that he fails takes from it the leaves on its left; the lowest bit that is left when all tests were gone
 * through is the leaf he ends in: all leaves further left were taken away by the test at which he went right, and no
 * test on his way took his own.  So a test costs four instructions for 32 people, and nothing waits for anything.
 *
 * Tests of what all these people have in common are settled before.  Their sums lie by score; a leaf is added to them as the
 * deployed program does it, tree after tree, in its precision, so the bits are those of tct_trees_sums, whatever the
 * level.
 *
 * The place of the lowest bit b is read off a number: as a float 2^k has k + 127 where the exponent is, of which the last
 * bits are those of k - 1.  So leaf k of a tree lies at place k - 1, and the first at the last.
 */
#include "tree_crowd.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "simd.h"

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum {
    ROOM = 1 << 18, /* bytes, on the stack: nothing can fail */
    STEP = 128      /* people that the loops go through at once, at most */
};

/* ---- making it ---- */

void tct_tree_crowd_free(tct_tree_crowd *c)
{
    if (!c)
        return;
    tct_free(c->attribute);
    tct_free(c->first);
    tct_free(c->value);
    tct_free(c->tests);
    tct_free(c->singles);
    tct_free(c->doubles);
    tct_free(c);
}

/* Places that the leaves of a tree take. */
static size_t places_of(size_t leaves)
{
    return leaves > TCT_CROWD_LEAVES ? TCT_CROWD_WIDE : TCT_CROWD_LEAVES;
}

static size_t leaves_of(const tct_trees *t, size_t tree)
{
    return (t->roots[tree + 1] - t->roots[tree] + 1) / 2;
}

/* The cells that go left, as a run; false: they are none.  A number's node sends the cells below its test left, and with them
 * "missing", which is the last cell, or not: counted in 16 bits the first cell comes after the last one, so both are runs. */
static bool find_run(const tct_trees *t, const tct_tree_node *node, tct_crowd_test *test)
{
    const tct_tree_attribute *a = &t->attributes[node->attribute];
    size_t from = 0, to, changes = 0;

    if (!a->levels) {
        test->base = node->missing_left ? (uint16_t)(a->n_cuts + 1) : 0;
        test->span = (uint16_t)(node->missing_left ? UINT16_MAX - a->n_cuts + node->test : node->test);
        return true;
    }
    for (size_t v = 1; v < a->count; v++)
        changes += tct_tree_goes_left(t, node, (uint32_t)v) != tct_tree_goes_left(t, node, (uint32_t)v - 1);
    while (from < a->count && !tct_tree_goes_left(t, node, (uint32_t)from))
        from++;
    for (to = from; to < a->count && tct_tree_goes_left(t, node, (uint32_t)to);)
        to++;
    test->base = (uint16_t)from;
    test->span = (uint16_t)(to - from);
    return changes < 2 || (changes == 2 && from > 0);
}

/* Node i and all below it, whose leaves begin with *n.  Returns the node behind them. */
static size_t add_node(const tct_trees *t, tct_tree_crowd *c, size_t tree, size_t i, size_t *n_tests, unsigned *n)
{
    const tct_tree_node *node = &t->nodes[i];
    size_t places = places_of(leaves_of(t, tree)), at = *n_tests, next;
    unsigned from = *n;
    tct_crowd_test test = {0};

    if (node->attribute == TCT_TREE_LEAF) {
        size_t place = c->value[tree] + (from + places - 1) % places;

        if (c->singles)
            c->singles[place] = (float)node->value;
        else
            c->doubles[place] = node->value;
        ++*n;
        return i + 1;
    }
    while (c->attribute[test.row] != node->attribute)
        test.row++;
    if (!find_run(t, node, &test)) {
        test.by_level = true;
        test.node = (uint32_t)i;
    }
    ++*n_tests;
    next = add_node(t, c, tree, i + 1, n_tests, n);
    test.left = ((uint64_t)1 << *n) - ((uint64_t)1 << from);
    c->tests[at] = test;
    return add_node(t, c, tree, next, n_tests, n);
}

/* Are trees small enough, and cells numbers of 16 bits?  Where things of a tree begin. */
static bool measure(const tct_trees *t, tct_tree_crowd *c)
{
    size_t places = 0, tests = 0;

    for (size_t k = 0; k < t->n_trees; k++) {
        size_t leaves = leaves_of(t, k);

        if (leaves > TCT_CROWD_WIDE)
            return false;
        c->wide = c->wide || leaves > TCT_CROWD_LEAVES;
        c->first[k] = tests;
        c->value[k] = places;
        tests += leaves - 1;
        places += places_of(leaves);
    }
    c->first[t->n_trees] = tests;
    c->value[t->n_trees] = places;
    for (size_t a = 0; a < t->n_attributes; a++)
        if (t->attributes[a].n_cuts + 2 > UINT16_MAX || t->attributes[a].count > UINT16_MAX)
            return false;
    return tests > 0;
}

static tacit_status find_rows(const tct_trees *t, tct_tree_crowd *c, tacit_error *err)
{
    unsigned char *reads = tct_calloc(t->n_attributes, 1);

    if (!reads)
        return tct_fail_memory(err);
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].attribute != TCT_TREE_LEAF)
            reads[t->nodes[i].attribute] = 1;
    for (size_t a = 0; a < t->n_attributes; a++)
        if (reads[a])
            c->attribute[c->n_rows++] = a;
    tct_free(reads);
    return TACIT_OK;
}

static void count_sides(tct_tree_crowd *c, size_t tree)
{
    size_t n = 0;

    for (size_t i = c->first[tree]; i < c->first[tree + 1]; i++)
        n += c->tests[i].by_level;
    c->n_sides = n > c->n_sides ? n : c->n_sides;
}

/* How many there is room for; 0: too few. */
static size_t find_people(const tct_trees *t, const tct_tree_crowd *c)
{
    size_t each =
        (c->n_rows + c->n_sides) * sizeof(uint16_t) + t->base.n_scores * (t->single ? sizeof(float) : sizeof(double));
    size_t people = (ROOM - c->n_rows) / each / STEP * STEP;

    return c->n_rows > ROOM / 2 ? 0 : people < TCT_CROWD ? people : TCT_CROWD;
}

tacit_status tct_tree_crowd_new(tct_tree_crowd **out, const tct_trees *t, tacit_error *err)
{
    tct_tree_crowd *c = tct_calloc(1, sizeof *c);
    size_t n_tests = 0;

    *out = NULL;
    if (!c)
        return tct_fail_memory(err);
    c->attribute = tct_calloc(t->n_attributes, sizeof *c->attribute);
    c->first = tct_calloc(t->n_trees + 1, sizeof *c->first);
    c->value = tct_calloc(t->n_trees + 1, sizeof *c->value);
    if (!c->attribute || !c->first || !c->value || find_rows(t, c, err)) {
        tct_tree_crowd_free(c);
        return tct_fail_memory(err);
    }
    if (t->rival.divide > 0 || !measure(t, c)) { /* a rival is another sum */
        tct_tree_crowd_free(c);
        return TACIT_OK;
    }
    c->tests = tct_calloc(c->first[t->n_trees], sizeof *c->tests);
    if (t->single)
        c->singles = tct_calloc(c->value[t->n_trees], sizeof *c->singles);
    else
        c->doubles = tct_calloc(c->value[t->n_trees], sizeof *c->doubles);
    if (!c->tests || !(t->single ? (void *)c->singles : (void *)c->doubles)) {
        tct_tree_crowd_free(c);
        return tct_fail_memory(err);
    }
    for (size_t k = 0; k < t->n_trees; k++) {
        unsigned n = 0;

        add_node(t, c, k, t->roots[k], &n_tests, &n);
        count_sides(c, k);
    }
    c->people = find_people(t, c);
    if (c->people > 0)
        *out = c;
    else
        tct_tree_crowd_free(c);
    return TACIT_OK;
}

/* ---- people ---- */

/* A test that is not settled. */
typedef struct asked {
    const uint16_t *cells; /* of all people */
    uint64_t left;
    uint16_t base, span;
} asked;

/* Sums come first, since they are the widest numbers. */
typedef struct crowd_room {
    const tct_trees *trees;
    const tct_tree_crowd *crowd;
    size_t n, filled; /* people, and with those who are like the first to fill up vectors */
    float *singles;   /* n_scores x people: sums */
    double *doubles;  /* one of the two */
    uint16_t *cells;  /* n_rows x people */
    uint16_t *sides;  /* n_sides x people: 1 goes right */
    bool *alike;      /* n_rows: everybody has the same cell */
    asked asked[TCT_CROWD_WIDE];
    size_t n_asked;
    uint64_t leaves; /* left by what is settled, and more */
} crowd_room;

#define LOOPS "tree_crowd_loops.h"
#include "simd_levels.h"

/* Returns how many bytes are used. */
static size_t room_make(crowd_room *r, const tct_trees *t, unsigned char *bytes)
{
    size_t people = t->crowd->people, sums = t->base.n_scores * people;
    unsigned char *at = bytes + sums * (t->single ? sizeof(float) : sizeof(double));

    *r = (crowd_room){.trees = t, .crowd = t->crowd};
    if (t->single)
        r->singles = (float *)(void *)bytes;
    else
        r->doubles = (double *)(void *)bytes;
    r->cells = (uint16_t *)(void *)at;
    r->sides = r->cells + t->crowd->n_rows * people;
    r->alike = (bool *)(r->sides + t->crowd->n_sides * people);
    return (size_t)((unsigned char *)(r->alike + t->crowd->n_rows) - bytes);
}

/* The cells of people, attribute by attribute. */
static void put_people(crowd_room *r, const double *x)
{
    size_t d = r->trees->base.n_inputs, people = r->crowd->people;
    uint32_t person[TCT_MAX_ATTRIBUTES];

    for (size_t a = 0; a < r->crowd->n_rows; a++)
        r->alike[a] = true;
    for (size_t i = 0; i < r->n; i++) {
        tct_trees_cells(r->trees, x + i * d, person);
        for (size_t a = 0; a < r->crowd->n_rows; a++) {
            uint16_t cell = (uint16_t)person[r->crowd->attribute[a]], *row = r->cells + a * people;

            row[i] = cell;
            r->alike[a] = r->alike[a] && cell == row[0];
        }
    }
    for (size_t a = 0; a < r->crowd->n_rows; a++)
        for (size_t i = r->n; i < r->filled; i++)
            r->cells[a * people + i] = r->cells[a * people];
    tct_wipe(person, r->trees->n_attributes * sizeof *person);
}

static void put_starts(crowd_room *r)
{
    size_t people = r->crowd->people;

    for (size_t s = 0; s < r->trees->base.n_scores; s++)
        for (size_t i = 0; i < people; i++)
            if (r->singles)
                r->singles[s * people + i] = (float)r->trees->start[s];
            else
                r->doubles[s * people + i] = r->trees->start[s];
}

static bool goes_right(const tct_trees *t, const tct_crowd_test *test, uint16_t cell)
{
    if (test->by_level)
        return !tct_tree_goes_left(t, &t->nodes[test->node], cell);
    return (uint16_t)(cell - test->base) >= test->span;
}

/* Who goes right, person by person. */
static const uint16_t *sides_of(const crowd_room *r, const tct_crowd_test *test, const uint16_t *cells, uint16_t *to)
{
    for (size_t i = 0; i < r->filled; i++)
        to[i] = goes_right(r->trees, test, cells[i]);
    return to;
}

/* Settle what all people of the room answer alike, and list the other tests of a tree.  Without branches, which nobody could
 * foresee, unless a test is by level. */
static void ask_tree(crowd_room *r, size_t tree)
{
    const tct_tree_crowd *c = r->crowd;
    uint64_t leaves = UINT64_MAX;
    size_t n = 0, n_sides = 0;

    for (size_t i = c->first[tree]; i < c->first[tree + 1]; i++) {
        const tct_crowd_test *test = &c->tests[i];
        const uint16_t *cells = r->cells + test->row * c->people;
        bool alike = r->alike[test->row], right;

        r->asked[n] = (asked){cells, test->left, test->base, test->span};
        if (test->by_level) {
            cells = alike ? cells : sides_of(r, test, cells, r->sides + n_sides++ * c->people);
            r->asked[n] = (asked){cells, test->left, 0, 1};
            right = alike && goes_right(r->trees, test, *cells);
        } else {
            right = (uint16_t)(*cells - test->base) >= test->span;
        }
        leaves &= ~(test->left & -(uint64_t)(alike && right));
        n += !alike;
    }
    r->n_asked = n;
    r->leaves = leaves;
}

static void take_sums(const crowd_room *r, double *sums)
{
    size_t n_scores = r->trees->base.n_scores, people = r->crowd->people;

    for (size_t i = 0; i < r->n; i++)
        for (size_t s = 0; s < n_scores; s++)
            sums[i * n_scores + s] = r->singles ? (double)r->singles[s * people + i] : r->doubles[s * people + i];
}

/* Not inlined: who is walked needs no such room. */
static __attribute__((noinline)) void add_up(const tct_trees *t, const double *x, size_t n, double *sums)
{
    _Alignas(64) unsigned char bytes[ROOM];
    crowd_room r;
    size_t used = room_make(&r, t, bytes), people = t->crowd->people;

    for (size_t done = 0; done < n; done += people) {
        r.n = n - done < people ? n - done : people;
        r.filled = (r.n + STEP - 1) / STEP * STEP;
        put_people(&r, x + done * t->base.n_inputs);
        put_starts(&r);
        for (size_t k = 0; k < t->n_trees; k++) {
            ask_tree(&r, k);
            TCT_SIMD_PICK(add_tree)(&r, k);
        }
        take_sums(&r, sums + done * t->base.n_scores);
    }
    tct_wipe(bytes, used);
    tct_wipe(&r, sizeof r); /* which leaves were left to all of them */
}

bool tct_tree_crowd_sums(const tct_trees *t, const double *x, size_t n, double *sums)
{
    if (!t->crowd || n < TCT_CROWD_LEAST || (t->crowd->wide && tct_simd_level() < TCT_SIMD_AVX512))
        return false;
    add_up(t, x, n, sums);
    return true;
}

/*
 * What is published of random small tables: with fractions, and with every set of atoms there is, nothing about few
 * people can be worked out.  The elimination here shares nothing with the one that is tested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base.h"
#include "scale.h"
#include "suppress.h"

enum { ATOMS = 11, TABLES = 4, ROWS = TABLES * ATOMS + 1 };

typedef struct puzzle {
    size_t n_atoms, n_tables, n_groups[TABLES];
    uint64_t people[ATOMS], least, work;
    uint32_t group_of[TABLES][ATOMS];
    bool shown[TABLES][ATOMS], withheld[TABLES];
} puzzle;

/* ---- fractions ---- */

typedef struct fraction {
    int64_t over, under; /* under > 0, no common divisor */
} fraction;

static int64_t common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static fraction make_fraction(int64_t over, int64_t under)
{
    int64_t by = common_divisor(over, under);

    by = under < 0 ? -by : by;
    return (fraction){over / by, under / by};
}

static fraction minus_product(fraction a, fraction b, fraction c) /* a - b c */
{
    fraction product = make_fraction(b.over * c.over, b.under * c.under);

    return make_fraction(a.over * product.under - product.over * a.under, a.under * product.under);
}

static fraction divide(fraction a, fraction b)
{
    return make_fraction(a.over * b.under, a.under * b.over);
}

/* A basis of what is published, in echelon form. */
typedef struct basis {
    fraction rows[ROWS][ATOMS];
    size_t pivots[ROWS], n;
} basis;

/* What is left of a vector once the basis is taken off; true: nothing. */
static bool take_off(const basis *b, fraction *vector, size_t n_atoms, size_t *pivot)
{
    for (size_t r = 0; r < b->n; r++) {
        fraction factor = vector[b->pivots[r]];

        for (size_t a = 0; factor.over && a < n_atoms; a++)
            vector[a] = minus_product(vector[a], factor, b->rows[r][a]);
    }
    for (*pivot = 0; *pivot < n_atoms && vector[*pivot].over == 0; ++*pivot)
        ;
    return *pivot == n_atoms;
}

static bool follows(const basis *b, const puzzle *p, unsigned set)
{
    fraction vector[ATOMS];
    size_t pivot;

    for (size_t a = 0; a < p->n_atoms; a++)
        vector[a] = (fraction){set >> a & 1, 1};
    return take_off(b, vector, p->n_atoms, &pivot);
}

static void publish(basis *b, const puzzle *p, unsigned set)
{
    fraction vector[ATOMS];
    size_t pivot;

    for (size_t a = 0; a < p->n_atoms; a++)
        vector[a] = (fraction){set >> a & 1, 1};
    if (take_off(b, vector, p->n_atoms, &pivot))
        return;
    for (size_t a = 0; a < p->n_atoms; a++)
        b->rows[b->n][a] = divide(vector[a], vector[pivot]);
    b->pivots[b->n++] = pivot;
}

/* ---- tables ---- */

static unsigned members(const puzzle *p, size_t table, size_t group)
{
    unsigned set = 0;

    for (size_t a = 0; a < p->n_atoms; a++)
        set |= (unsigned)(p->group_of[table][a] == group) << a;
    return set;
}

static uint64_t people_in(const puzzle *p, unsigned set)
{
    uint64_t people = 0;

    for (size_t a = 0; a < p->n_atoms; a++)
        people += set >> a & 1 ? p->people[a] : 0;
    return people;
}

static void solve(puzzle *p)
{
    const uint32_t *group_of[TABLES];
    bool *shown[TABLES];
    tct_tables tables = {.n_atoms = p->n_atoms,
                         .people = p->people,
                         .n_tables = p->n_tables,
                         .n_groups = p->n_groups,
                         .group_of = group_of,
                         .least = p->least,
                         .work = p->work};

    for (size_t t = 0; t < p->n_tables; t++) {
        group_of[t] = p->group_of[t];
        shown[t] = p->shown[t];
    }
    assert_int_equal(tct_suppress(&tables, shown, p->withheld, NULL), TACIT_OK);
}

/* Groups are numbered without gaps. */
static void number_groups(puzzle *p, size_t table)
{
    uint32_t names[64];
    size_t n = 0;

    for (size_t a = 0; a < p->n_atoms; a++) {
        size_t g = 0;

        while (g < n && names[g] != p->group_of[table][a])
            g++;
        if (g == n)
            names[n++] = p->group_of[table][a];
        p->group_of[table][a] = (uint32_t)g;
    }
    p->n_groups[table] = n;
}

/* Random tables; one may be the crossing of the two before it. */
static puzzle make_puzzle(tct_random *random)
{
    puzzle p = {.n_atoms = 1 + (size_t)tct_random_below(random, ATOMS),
                .n_tables = 1 + (size_t)tct_random_below(random, TABLES),
                .least = 2 + tct_random_below(random, 8)};
    uint64_t most = 1 + tct_random_below(random, 2 * p.least);

    for (size_t a = 0; a < p.n_atoms; a++)
        p.people[a] = 1 + tct_random_below(random, most);
    for (size_t t = 0; t < p.n_tables; t++) {
        uint64_t groups = 1 + tct_random_below(random, 5);
        bool crossing = t >= 2 && tct_random_below(random, 3) == 0;

        for (size_t a = 0; a < p.n_atoms; a++)
            p.group_of[t][a] =
                crossing ? p.group_of[t - 1][a] * 6 + p.group_of[t - 2][a] : (uint32_t)tct_random_below(random, groups);
        number_groups(&p, t);
    }
    return p;
}

static void check_puzzle(const puzzle *p)
{
    unsigned all = (1u << p->n_atoms) - 1;
    bool small = people_in(p, all) < p->least;
    basis b = {.n = 0};

    publish(&b, p, all);
    for (size_t t = 0; t < p->n_tables; t++) {
        for (size_t g = 0; g < p->n_groups[t]; g++)
            if (p->shown[t][g]) {
                assert_false(p->withheld[t]);
                assert_true(people_in(p, members(p, t, g)) >= p->least);
                publish(&b, p, members(p, t, g));
            }
        for (size_t g = 0; g < p->n_groups[t] && !small && p->work == 0; g++) /* what is hidden is not known yet */
            if (!p->shown[t][g] && people_in(p, members(p, t, g)) >= p->least)
                assert_false(follows(&b, p, members(p, t, g)));
    }
    for (unsigned set = 1; set <= all && !small; set++)
        if (people_in(p, set) < p->least)
            assert_false(follows(&b, p, set));
}

static void suppress__nothing_small_follows(void **state)
{
    tct_random random;
    size_t n = scaled(20000), hidden = 0, shown = 0;

    (void)state;
    tct_random_seed(&random, 1, 0);
    for (size_t i = 0; i < n; i++) {
        puzzle p = make_puzzle(&random), first;

        solve(&p);
        check_puzzle(&p);
        for (size_t t = 0; t < p.n_tables; t++)
            for (size_t g = 0; g < p.n_groups[t]; g++) {
                bool large = people_in(&p, members(&p, t, g)) >= p.least;

                hidden += large && !p.shown[t][g];
                shown += p.shown[t][g];
            }
        first = p; /* without the last table: those before it are the same */
        first.n_tables--;
        solve(&first);
        for (size_t t = 0; t < first.n_tables; t++)
            assert_memory_equal(first.shown[t], p.shown[t], p.n_groups[t] * sizeof **p.shown);
    }
    assert_true(hidden > n / 20); /* there was something to do */
    assert_true(shown > n / 2);
}

/* The old rule, for one table: small groups are hidden, and if they are few, the smallest other one. */
static void suppress__one_table(void **state)
{
    puzzle p = {.n_atoms = 4, .n_tables = 1, .least = 20, .people = {5, 33, 500, 60}, .n_groups = {4}};

    (void)state;
    for (uint32_t a = 0; a < 4; a++)
        p.group_of[0][a] = a;
    solve(&p);
    assert_false(p.shown[0][0]);
    assert_false(p.shown[0][1]);
    assert_true(p.shown[0][2] && p.shown[0][3]);
    p.people[1] = 19; /* two small ones that are 24 together hide each other */
    solve(&p);
    assert_false(p.shown[0][0] || p.shown[0][1]);
    assert_true(p.shown[0][2] && p.shown[0][3]);
    p.people[0] = 20;
    p.people[1] = 20;
    solve(&p);
    for (size_t g = 0; g < 4; g++)
        assert_true(p.shown[0][g]);
}

/* Below 40 less below 39: nobody may learn about those who are 39. */
static void suppress__nested_bins(void **state)
{
    puzzle p = {.n_atoms = 3, .n_tables = 2, .least = 20, .people = {97, 3, 200}, .n_groups = {2, 2}};

    (void)state;
    p.group_of[0][2] = 1;                    /* 40 and above */
    p.group_of[1][1] = p.group_of[1][2] = 1; /* 39 and above */
    solve(&p);
    assert_true(p.shown[0][0] && p.shown[0][1]);
    assert_false(p.shown[1][0] || p.shown[1][1]);
    assert_false(p.withheld[1]);
}

/* Without work nothing is shown, rather than something unsafe. */
static void suppress__no_work(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 2, 0);
    for (size_t i = 0; i < 300; i++) {
        puzzle p = make_puzzle(&random);

        for (p.work = 1; p.work < 400; p.work = 3 * p.work + 1) {
            solve(&p);
            check_puzzle(&p);
        }
    }
}

static void suppress__few_people_in_all(void **state)
{
    puzzle p = {.n_atoms = 1, .n_tables = 1, .least = 20, .people = {19}, .n_groups = {1}};

    (void)state;
    solve(&p);
    assert_false(p.shown[0][0]);
    p.people[0] = 20;
    solve(&p);
    assert_true(p.shown[0][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppress__nothing_small_follows), cmocka_unit_test(suppress__one_table),
        cmocka_unit_test(suppress__nested_bins),           cmocka_unit_test(suppress__no_work),
        cmocka_unit_test(suppress__few_people_in_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Many people side by side in trees get the sums of people who are walked one by one, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_trees.h"
#include "simd.h"
#include "tree_crowd.h"

enum { MOST_PEOPLE = 2 * TCT_CROWD + 77 };

/* People who have `alike` of the attributes in common. */
static void make_people(const tacit_model *m, size_t n, size_t alike, tct_random *random, double *x)
{
    size_t d = m->codec->n_inputs;

    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            const tct_domain *domain = &m->codec->domains[a];

            if (i > 0 && a < alike)
                memcpy(x + i * d + domain->first, x + domain->first, domain->width * sizeof *x);
            else
                tct_codec_value(m->codec, a, tct_random_below(random, domain->count), x + i * d + domain->first);
        }
}

/* All at once and one by one. */
static void compare(const tacit_model *m, const double *x, size_t n, bool whole)
{
    const tct_trees *t = tct_as_trees(m->classifier);
    double *sums = make_model_room(n * t->base.n_scores), *scores = make_model_room(n * t->base.n_scores);
    double one[TCT_MAX_CLASSES];
    uint32_t cells[32];

    assert_int_equal(tct_tree_crowd_sums(t, x, n, sums), whole);
    t->base.ops->scores(&t->base, x, n, scores);
    for (size_t i = 0; i < n; i++) {
        tct_trees_cells(t, x + i * t->base.n_inputs, cells);
        tct_trees_sums(t, cells, one);
        if (whole)
            assert_memory_equal(one, sums + i * t->base.n_scores, t->base.n_scores * sizeof *one);
        t->base.ops->scores(&t->base, x + i * t->base.n_inputs, 1, one);
        assert_memory_equal(one, scores + i * t->base.n_scores, t->base.n_scores * sizeof *one);
    }
    tct_free(sums);
    tct_free(scores);
}

/* Ensembles of every kind at every level; returns how many had a crowd. */
static size_t try_models(size_t depth, uint64_t seeds)
{
    static const size_t sizes[] = {TCT_CROWD_LEAST, 33, 127, TCT_CROWD, TCT_CROWD + 1, MOST_PEOPLE};
    size_t crowds = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        size_t n_classes = 2 + seed % 5;
        tacit_model *m = make_tree_model(seed, 3 + seed % 7, n_classes, 1 + 7 * (seed % 6), depth);
        const tct_trees *t = tct_as_trees(m->classifier);
        size_t n = sizes[seed % 6];
        double *x = make_model_room(MOST_PEOPLE * m->codec->n_inputs);
        tct_random random;

        tct_random_seed(&random, seed, 5);
        make_people(m, n, seed % 3 ? seed % 4 : m->schema->n_attributes, &random, x);
        for (tct_simd level = TCT_SIMD_PLAIN; level < TCT_SIMD_LEVELS; level++) {
            tct_simd_limit(level);
            compare(m, x, n, t->crowd && (!t->crowd->wide || tct_simd_level() >= TCT_SIMD_AVX512));
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        crowds += t->crowd != NULL;
        tct_free(x);
        tacit_model_free(m);
    }
    return crowds;
}

static void tree_crowd__small_trees(void **state)
{
    (void)state;
    assert_true(try_models(1, 24) > 0);
    assert_true(try_models(4, 60) > 40);
}

static void tree_crowd__wide_trees(void **state)
{
    (void)state;
    assert_true(try_models(6, 48) > 30);
}

/* Trees that are larger than a word are walked. */
static void tree_crowd__large_trees_have_none(void **state)
{
    (void)state;
    assert_true(try_models(12, 6) < 6);
}

/* The room for sums is the same however many there are: of many classes fewer people are looked at together. */
static void tree_crowd__many_classes(void **state)
{
    (void)state;
    for (size_t n_classes = 30; n_classes <= 210; n_classes += 45) {
        tacit_model *m = make_tree_model(n_classes, 4, n_classes, 300, 3);
        const tct_trees *t = tct_as_trees(m->classifier);
        size_t n = TCT_CROWD + 33;
        double *x = make_model_room(n * m->codec->n_inputs);
        tct_random random;

        assert_non_null(t->crowd);
        assert_true(n_classes < 150 || t->crowd->people < TCT_CROWD);
        tct_random_seed(&random, n_classes, 3);
        make_people(m, n, 2, &random, x);
        compare(m, x, n, true);
        tct_free(x);
        tacit_model_free(m);
    }
}

static void tree_crowd__few_people_are_walked(void **state)
{
    tacit_model *m = make_tree_model(3, 5, 3, 12, 4);
    double *x = make_model_room(TCT_CROWD_LEAST * m->codec->n_inputs);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 1);
    make_people(m, TCT_CROWD_LEAST, 0, &random, x);
    compare(m, x, TCT_CROWD_LEAST - 1, false);
    compare(m, x, TCT_CROWD_LEAST, true);
    tct_free(x);
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_crowd__small_trees),           cmocka_unit_test(tree_crowd__wide_trees),
        cmocka_unit_test(tree_crowd__large_trees_have_none), cmocka_unit_test(tree_crowd__many_classes),
        cmocka_unit_test(tree_crowd__few_people_are_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_newton.c -- damped Newton steps come to the minimum that L-BFGS comes to, and end where there is none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "newton.h"
#include "train.h"

enum { N = 700, D = 3 };

static void make_points(double *x, int32_t *labels, size_t n_classes)
{
    tct_random random;

    tct_random_seed(&random, 3, n_classes);
    for (size_t r = 0; r < N; r++) {
        double score = tct_random_normal(&random);

        for (size_t i = 0; i < D; i++) {
            x[i * N + r] = 2 * tct_random_uniform(&random) - 1;
            score += (double)(i + 1) * x[i * N + r];
        }
        labels[r] = score > 0;
        if (n_classes > 2 && score > 1)
            labels[r] = 2;
    }
}

static void newton__comes_to_the_minimum_of_lbfgs(void **state)
{
    static double x[D * N];
    static int32_t labels[N];

    (void)state;
    for (size_t n_classes = 2; n_classes <= 3; n_classes++) {
        size_t n_scores = n_classes == 2 ? 1 : n_classes;
        double w[3 * (D + 1)] = {0}, mean = 0;
        tct_newton p = {.x = x, .stride = N, .n = N, .d = D, .n_scores = n_scores, .labels = labels, .l2 = 0.7};
        tct_classifier *c = NULL;
        bool found = false;

        make_points(x, labels, n_classes);
        assert_int_equal(tct_newton_minimise(&p, w, 1e-8, &found, NULL), TACIT_OK);
        assert_true(found);
        assert_int_equal(tct_train_logistic(&c, x, N, labels, N, D, n_classes, 0.7, NULL, 1, NULL, NULL, NULL),
                         TACIT_OK);
        for (size_t k = 0; k < n_scores * D; k++)
            assert_true(fabs(w[k] - tct_as_linear(c)->weights[k]) < 1e-6);
        for (size_t s = 0; s < n_scores && n_scores > 1; s++)
            mean += w[n_scores * D + s] / (double)n_scores;
        for (size_t s = 0; s < n_scores; s++)
            assert_true(fabs(w[n_scores * D + s] - mean - tct_as_linear(c)->bias[s]) < 1e-6);
        c->ops->free(c);
    }
}

/* Whose levels are kept gets the same bits as with an input for each. */
static void newton__reads_levels(void **state)
{
    enum { LEVELS = 5, INPUTS = D - 1 + LEVELS };
    static double x[D * N], dense[INPUTS * N];
    static int32_t labels[N];
    static uint16_t level[N];
    static const size_t inputs[D - 1] = {0, INPUTS - 1}, first = 1; /* a number, the levels, a number */
    const uint16_t *const kept = level;
    double w[INPUTS + 1] = {0}, v[INPUTS + 1] = {0}, middle[2 * INPUTS] = {[0] = 0.1, [INPUTS - 1] = -0.2};
    tct_input_spread spread = {INPUTS, middle, middle + INPUTS};
    tct_levelled levels = {.inputs = inputs, .n_columns = D - 1, .n_categories = 1, .first = &first, .levels = &kept};
    tct_newton p = {
        .x = x, .stride = N, .n = N, .d = INPUTS, .n_scores = 1, .levels = &levels, .labels = labels, .l2 = 1};
    bool found[2];

    (void)state;
    make_points(x, labels, 2);
    for (size_t i = 0; i < INPUTS; i++)
        spread.width[i] = i == 0 ? 0.3 : i == INPUTS - 1 ? 0.5 : 1;
    for (size_t r = 0; r < N; r++) {
        level[r] = (uint16_t)(r * r % LEVELS);
        dense[r] = x[r];
        dense[(INPUTS - 1) * N + r] = x[N + r];
        dense[(1 + level[r]) * N + r] = 1;
    }
    p.spread = &spread;
    assert_int_equal(tct_newton_minimise(&p, w, 1e-8, &found[0], NULL), TACIT_OK);
    p.x = dense;
    p.levels = NULL;
    assert_int_equal(tct_newton_minimise(&p, v, 1e-8, &found[1], NULL), TACIT_OK);
    assert_true(found[0] && found[1] && w[1] != 0);
    assert_memory_equal(w, v, sizeof w);
}

static bool count_steps(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    *(uint64_t *)context = done + 1;
    return true;
}

/* Every step goes over everybody: none is taken for nothing. */
static void newton__ends_at_the_minimum(void **state)
{
    static double x[D * N];
    static int32_t labels[N];

    (void)state;
    for (size_t n_classes = 2; n_classes <= 3; n_classes++)
        for (int far = 0; far < 2; far++) {
            double w[3 * (D + 1)] = {0};
            uint64_t steps = 0;
            bool found = false;
            tct_newton p = {.x = x,
                            .stride = N,
                            .n = N,
                            .d = D,
                            .n_scores = n_classes == 2 ? 1 : n_classes,
                            .labels = labels,
                            .l2 = 0.7,
                            .progress = count_steps,
                            .context = &steps};

            make_points(x, labels, n_classes);
            for (size_t r = 0; r < N && far; r += 50)
                x[r] *= 1e5;
            assert_int_equal(tct_newton_minimise(&p, w, 1e-8, &found, NULL), TACIT_OK);
            assert_true(found);
            assert_in_range(steps, 2, 80);
        }
}

static bool stop_at_two(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)total;
    return done < 2;
}

static void newton__ends_when_stopped_or_without_memory(void **state)
{
    static double x[D * N];
    static int32_t labels[N];
    double w[D + 1] = {0};
    tct_newton p = {.x = x, .stride = N, .n = N, .d = D, .n_scores = 1, .labels = labels, .l2 = 1};
    tacit_error err;
    bool found = true;

    (void)state;
    make_points(x, labels, 2);
    tct_memory_fail_at(1, false);
    assert_int_equal(tct_newton_minimise(&p, w, 1e-8, &found, &err), TACIT_E_MEMORY);
    tct_memory_fail_at(0, false);
    assert_false(found);
    p.progress = stop_at_two;
    assert_int_equal(tct_newton_minimise(&p, w, 1e-8, &found, &err), TACIT_E_STOPPED);
    assert_false(found);
}

static void newton__is_for_few_parameters(void **state)
{
    (void)state;
    assert_true(tct_newton_small(9, 1, 1) && tct_newton_small(9, 1023, 1) && tct_newton_small(9, 127, 8));
    assert_false(tct_newton_small(9, 1024, 1) || tct_newton_small(9, 128, 8) || tct_newton_small(9, SIZE_MAX, 2));
    assert_true(tct_newton_small(1000000, 63, 4));
    assert_false(tct_newton_small(1000000, 127, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton__comes_to_the_minimum_of_lbfgs),
        cmocka_unit_test(newton__reads_levels),
        cmocka_unit_test(newton__ends_at_the_minimum),
        cmocka_unit_test(newton__ends_when_stopped_or_without_memory),
        cmocka_unit_test(newton__is_for_few_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

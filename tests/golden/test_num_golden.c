/*
 * test_num_golden.c -- src/num against reference numbers made by make_num.py.
 */
#include "num.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "num_golden.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void expect_absolute(const char *what, size_t row, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s row %zu: got %.17g, expected %.17g, off by %.3g", what, row, got, expected, got - expected);
}

static void expect_relative(const char *what, size_t row, double got, double expected, double tolerance)
{
    expect_absolute(what, row, got, expected, tolerance * fabs(expected));
}

static void num__normal_cdf_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(golden_cdf); i++)
        expect_absolute("cdf", i, tct_normal_cdf(golden_cdf[i].x), golden_cdf[i].value,
                        fmax(1.5e-15 * golden_cdf[i].value, 0x1p-1074)); /* one unit where doubles run out */
}

static void num__normal_quantile_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(golden_quantile); i++)
        expect_relative("quantile", i, tct_normal_quantile(golden_quantile[i].x), golden_quantile[i].value, 5e-16);
}

static void num__bvn_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(golden_bvn_rows); i++) {
        const golden_bvn *g = &golden_bvn_rows[i];

        expect_absolute("bvn", i, tct_bvn(g->h, g->k, g->r), g->value, 2e-15);
        expect_absolute("bvn swapped", i, tct_bvn(g->k, g->h, g->r), g->value, 2e-15);
    }
}

static void num__tvn_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(golden_tvn_rows); i++) {
        const golden_tvn *g = &golden_tvn_rows[i];
        double turned[3] = {g->h[2], g->h[0], g->h[1]};

        expect_absolute("tvn", i, tct_tvn(g->h, g->r12, g->r13, g->r23), g->value, 1e-13);
        expect_absolute("tvn turned", i, tct_tvn(turned, g->r13, g->r23, g->r12), g->value, 1e-13);
    }
}

static void num__orthant_agrees_with_one_factor(void **state)
{
    double mean[8], cov[64], scratch[64 + 4 * 8 + 16];

    (void)state;
    for (size_t i = 0; i < COUNT(golden_factor_rows); i++) {
        const golden_factor *g = &golden_factor_rows[i];

        for (size_t a = 0; a < g->n; a++) {
            double scale = 1.0 + (double)a;

            mean[a] = -g->h[a] * scale;
            for (size_t b = 0; b < g->n; b++)
                cov[a * g->n + b] = (a == b ? 1.0 : g->loading[a] * g->loading[b]) * scale * (1.0 + (double)b);
        }
        expect_absolute("orthant", i, tct_orthant(mean, cov, g->n, scratch), g->value, 1e-5);
    }
}

static void num__clopper_pearson_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(golden_interval_rows); i++) {
        const golden_interval *g = &golden_interval_rows[i];
        double low, high;

        tct_clopper_pearson(g->successes, g->trials, g->level, &low, &high);
        expect_absolute("low", i, low, g->low, 1e-12);
        expect_absolute("high", i, high, g->high, 1e-12);
        expect_relative("low", i, low, g->low, 1e-7); /* the reference's own precision for tiny shares */
        expect_relative("high", i, high, g->high, 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(num__normal_cdf_agrees),
        cmocka_unit_test(num__normal_quantile_agrees),
        cmocka_unit_test(num__bvn_agrees),
        cmocka_unit_test(num__tvn_agrees),
        cmocka_unit_test(num__orthant_agrees_with_one_factor),
        cmocka_unit_test(num__clopper_pearson_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

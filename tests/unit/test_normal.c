/*
 * test_normal.c -- the normal distribution: ends, symmetry, monotony, inverse; entropies.  Values: tests/golden.
 */
#include "num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void normal__ends(void **state)
{
    (void)state;
    assert_true(tct_normal_cdf(-INFINITY) == 0.0);
    assert_true(tct_normal_cdf(INFINITY) == 1.0);
    assert_true(tct_normal_cdf(0.0) == 0.5);
    assert_true(tct_normal_cdf(-50.0) == 0.0);
    assert_true(isnan(tct_normal_cdf(NAN)));
    assert_true(tct_normal_quantile(0.0) == -INFINITY);
    assert_true(tct_normal_quantile(1.0) == INFINITY);
    assert_true(tct_normal_quantile(0.5) == 0.0);
    assert_true(isnan(tct_normal_quantile(-0.1)));
    assert_true(isnan(tct_normal_quantile(1.1)));
    assert_true(isnan(tct_normal_quantile(NAN)));
    assert_true(isfinite(tct_normal_quantile(5e-324)));
    assert_true(tct_normal_pdf(0.0) == 0.39894228040143268);
    assert_true(tct_normal_pdf(INFINITY) == 0.0);
}

static void normal__is_symmetric(void **state)
{
    (void)state;
    for (double x = 0.0; x < 9.0; x += 0.01) {
        assert_true(fabs(tct_normal_cdf(x) + tct_normal_cdf(-x) - 1.0) < 3e-16);
        assert_true(tct_normal_pdf(x) == tct_normal_pdf(-x));
    }
    for (double q = 0.501; q < 1.0; q += 0.001) /* 1 - q is exact */
        assert_true(tct_normal_quantile(q) == -tct_normal_quantile(1.0 - q));
}

static void normal__quantile_inverts(void **state)
{
    (void)state;
    for (double x = -37.0; x < 0.0; x += 0.0371) {
        double p = tct_normal_cdf(x);

        /* A rounding of p moves x by p / pdf units: at the most |x| times less in the tail. */
        assert_true(fabs(tct_normal_quantile(p) - x) <= 4e-16 * (fabs(x) + p / tct_normal_pdf(x)));
    }
}

static void normal__grows(void **state)
{
    double before = 0.0, quantile = -INFINITY;

    (void)state;
    for (double x = -38.0; x < 8.0; x += 0.003) {
        assert_true(tct_normal_cdf(x) >= before);
        before = tct_normal_cdf(x);
    }
    for (double p = 1e-4; p < 1.0; p += 1e-4) {
        assert_true(tct_normal_quantile(p) > quantile);
        quantile = tct_normal_quantile(p);
    }
}

static void entropy__of_two(void **state)
{
    (void)state;
    assert_true(tct_entropy2(0.0) == 0.0 && tct_entropy2(1.0) == 0.0);
    assert_true(fabs(tct_entropy2(0.5) - log(2.0)) < 1e-16);
    for (double p = 1e-12; p < 0.5; p *= 1.7) {
        const double both[2] = {p, 1.0 - p};

        assert_true(fabs(tct_entropy2(p) - tct_entropy(both, 2)) < 1e-15);
        assert_true(tct_entropy2(p) > 0.0);
    }
    assert_true(fabs(tct_entropy2(1e-20) / (1e-20 * (1.0 + 20.0 * log(10.0))) - 1.0) < 1e-14);
}

static void entropy__of_many(void **state)
{
    const double even[4] = {0.25, 0.25, 0.25, 0.25}, sure[3] = {0.0, 1.0, 0.0};

    (void)state;
    assert_true(fabs(tct_entropy(even, 4) - log(4.0)) < 1e-15);
    assert_true(tct_entropy(sure, 3) == 0.0);
    assert_true(tct_entropy(sure, 0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal__ends),
        cmocka_unit_test(normal__is_symmetric),
        cmocka_unit_test(normal__quantile_inverts),
        cmocka_unit_test(normal__grows),
        cmocka_unit_test(entropy__of_two),
        cmocka_unit_test(entropy__of_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

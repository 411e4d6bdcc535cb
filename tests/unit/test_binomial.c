/*
 * test_binomial.c -- Clopper-Pearson intervals against the binomial sums that define them.
 */
#include "num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Pr(at most k of n) by summing. */
static double binomial_below(int k, int n, double p)
{
    double sum = 0.0;

    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) + (n - i) * log1p(-p));
    return sum;
}

static void clopper__tails_are_as_defined(void **state)
{
    static const double levels[] = {0.5, 0.9, 0.95, 0.999};

    (void)state;
    for (int n = 1; n <= 60; n += n < 5 ? 1 : 11)
        for (int k = 0; k <= n; k++)
            for (size_t l = 0; l < 4; l++) {
                double low, high, tail = (1.0 - levels[l]) / 2.0;

                tct_clopper_pearson(k, n, levels[l], &low, &high);
                assert_true(low <= (double)k / n && (double)k / n <= high);
                if (k > 0)
                    assert_true(fabs(1.0 - binomial_below(k - 1, n, low) - tail) < 1e-12);
                else
                    assert_true(low == 0.0);
                if (k < n)
                    assert_true(fabs(binomial_below(k, n, high) - tail) < 1e-12);
                else
                    assert_true(high == 1.0);
            }
}

static void clopper__is_symmetric(void **state)
{
    (void)state;
    for (double n = 10; n < 2e9; n *= 9.7)
        for (double share = 0.01; share < 1.0; share += 0.17) {
            double k = floor(n * share), low, high, low2, high2;

            tct_clopper_pearson(k, floor(n), 0.95, &low, &high);
            tct_clopper_pearson(floor(n) - k, floor(n), 0.95, &low2, &high2);
            assert_true(fabs(low + high2 - 1.0) < 1e-13 && fabs(high + low2 - 1.0) < 1e-13);
        }
}

static void clopper__grows_with_successes_and_level(void **state)
{
    double low, high, before_low = -1.0, before_high = 0.0, wide_low, wide_high;

    (void)state;
    for (double k = 0; k <= 100000; k += 1237) {
        tct_clopper_pearson(k, 100000, 0.95, &low, &high);
        tct_clopper_pearson(k, 100000, 0.99, &wide_low, &wide_high);
        assert_true(low > before_low && high > before_high);
        assert_true(wide_low <= low && high <= wide_high);
        before_low = low;
        before_high = high;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clopper__tails_are_as_defined),
        cmocka_unit_test(clopper__is_symmetric),
        cmocka_unit_test(clopper__grows_with_successes_and_level),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

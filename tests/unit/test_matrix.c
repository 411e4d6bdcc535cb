/*
 * test_matrix.c -- moments: against plain sums in long double, and the same bits for any number of threads.
 */
#include "num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"

static double *random_points(size_t n, size_t d, size_t stride)
{
    double *x = malloc(d * stride * sizeof(*x));
    tct_random random;

    tct_random_seed(&random, n, d);
    for (size_t i = 0; i < d * stride; i++)
        x[i] = NAN; /* what is between the columns must not be read */
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < d; i++)
            x[i * stride + r] = 1000.0 * (double)i + tct_random_normal(&random) + (i > 0 ? 0.5 * (x[r] - 3.0) : 3.0);
    return x;
}

static void moments__agree_with_plain_sums(void **state)
{
    static const size_t shapes[][2] = {{1, 1}, {2, 3}, {7, 8}, {255, 9}, {256, 2}, {257, 17}, {1000, 5}, {5003, 20}};

    (void)state;
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        size_t n = shapes[s][0], d = shapes[s][1], stride = n + 3;
        double *x = random_points(n, d, stride), mean[20], cov[400];

        tct_moments(x, stride, n, d, mean, cov, 2);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++) {
                long double mi = 0, mj = 0, c = 0;

                for (size_t r = 0; r < n; r++) {
                    mi += x[i * stride + r];
                    mj += x[j * stride + r];
                }
                mi /= (long double)n;
                mj /= (long double)n;
                for (size_t r = 0; r < n; r++)
                    c += (x[i * stride + r] - mi) * (x[j * stride + r] - mj);
                assert_true(fabsl(mean[i] - mi) <= 1e-15L * (1.0L + fabsl(mi)));
                assert_true(fabsl(cov[i * d + j] - c / (long double)n) < 1e-12L);
                assert_memory_equal(&cov[i * d + j], &cov[j * d + i], sizeof(double));
            }
        free(x);
    }
}

static void moments__same_bits_for_any_threads(void **state)
{
    const size_t n = 3001, d = 37;
    double *x = random_points(n, d, n), mean[2][37], cov[2][37 * 37];

    (void)state;
    tct_moments(x, n, n, d, mean[0], cov[0], 1);
    for (size_t threads = 0; threads <= 7; threads++) {
        tct_moments(x, n, n, d, mean[1], cov[1], threads);
        assert_memory_equal(mean[0], mean[1], sizeof(mean[0]));
        assert_memory_equal(cov[0], cov[1], sizeof(cov[0]));
    }
    free(x);
}

static void moments__constants_have_no_variance(void **state)
{
    double x[1000], mean, cov;

    (void)state;
    for (size_t r = 0; r < 1000; r++)
        x[r] = 0.1;
    tct_moments(x, 1000, 1000, 1, &mean, &cov, 1);
    assert_true(mean == 0.1 && cov == 0.0);
    tct_moments(x, 0, 0, 1, &mean, &cov, 1);
    assert_true(mean == 0.0 && cov == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments__agree_with_plain_sums),
        cmocka_unit_test(moments__same_bits_for_any_threads),
        cmocka_unit_test(moments__constants_have_no_variance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

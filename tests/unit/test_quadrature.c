/*
 * test_quadrature.c -- Gauss-Hermite rules integrate the moments of the normal distribution exactly.
 */
#include "num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void hermite__is_exact_to_degree_2n_minus_1(void **state)
{
    double nodes[64], weights[64];

    (void)state;
    for (size_t n = 1; n <= 64; n++) {
        double moment = 1.0;

        tct_hermite(n, nodes, weights);
        for (size_t degree = 0; degree < 2 * n; degree += 2) {
            double sum = 0.0;

            for (size_t i = 0; i < n; i++)
                sum += weights[i] * pow(nodes[i], (double)degree);
            assert_true(fabs(sum / moment - 1.0) < 1e-11);
            moment *= (double)degree + 1.0; /* 1, 1, 3, 15, ... */
        }
    }
}

static void hermite__is_ordered_and_symmetric(void **state)
{
    double nodes[64], weights[64];

    (void)state;
    for (size_t n = 1; n <= 64; n++) {
        tct_hermite(n, nodes, weights);
        for (size_t i = 0; i < n; i++) {
            assert_true(i == 0 || nodes[i] > nodes[i - 1]);
            assert_true(nodes[i] == -nodes[n - 1 - i]);
            assert_true(weights[i] == weights[n - 1 - i] && weights[i] > 0.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hermite__is_exact_to_degree_2n_minus_1),
        cmocka_unit_test(hermite__is_ordered_and_symmetric),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_rounding.c -- neighbours of doubles and the error factor of sums.
 */
#include "num.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void rounding__neighbours(void **state)
{
    static const double values[] = {0.0,     -0.0,     1.0,     -1.0,     0.1,   -0.1,   5e-324,   -5e-324,
                                    DBL_MIN, -DBL_MIN, DBL_MAX, -DBL_MAX, 1e300, 3e-310, INFINITY, -INFINITY};

    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        assert_true(tct_up(values[i]) == nextafter(values[i], INFINITY));
        assert_true(tct_down(values[i]) == nextafter(values[i], -INFINITY));
    }
    assert_true(isnan(tct_up(NAN)) && isnan(tct_down(NAN)));
}

static void rounding__gamma_is_an_upper_bound(void **state)
{
    static const size_t counts[] = {1, 2, 3, 10, 1000, 123456789, (size_t)1 << 40, ((size_t)1 << 53) - 1};

    (void)state;
    assert_true(tct_gamma(0) == 0.0);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        long double ne = (long double)counts[i] * 0x1p-53L, exact = ne / (1.0L - ne);

        assert_true(tct_gamma(counts[i]) > exact);
        assert_true(tct_gamma(counts[i]) <= exact * (1.0L + 0x1p-51L));
    }
    assert_true(tct_gamma((size_t)1 << 53) == INFINITY);
    assert_true(tct_gamma(SIZE_MAX) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding__neighbours),
        cmocka_unit_test(rounding__gamma_is_an_upper_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_simd.c -- levels and their limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "simd.h"

TCT_INLINED int twice_body(int x)
{
    return 2 * x;
}

TCT_SIMD_FUNCTION(int, twice, twice_body, (int x), (x))

static void simd__keeps_to_its_limit(void **state)
{
    tct_simd best = tct_simd_level();

    (void)state;
    for (int most = TCT_SIMD_PLAIN; most <= TCT_SIMD_LEVELS; most++) {
        tct_simd_limit((tct_simd)most);
        assert_int_equal(tct_simd_level(), most < (int)best ? most : (int)best);
        assert_int_equal(twice(21), 42);
    }
    assert_true(best < TCT_SIMD_LEVELS);
}

static void simd__plain_has_no_instructions_for_hashes(void **state)
{
    (void)state;
    tct_simd_limit(TCT_SIMD_PLAIN);
    assert_false(tct_simd_sha());
    tct_simd_limit(TCT_SIMD_LEVELS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simd__keeps_to_its_limit),
        cmocka_unit_test(simd__plain_has_no_instructions_for_hashes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

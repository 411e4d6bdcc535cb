/*
 * test_random.c -- the same numbers everywhere, streams apart, ranges and moments right.
 */
#include "base.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DRAWS 400000

static void random__is_fixed_for_a_seed(void **state)
{
    tct_random a, b;

    (void)state;
    tct_random_seed(&a, 1, 2);
    tct_random_seed(&b, 1, 2);
    for (int i = 0; i < 100; i++)
        assert_true(tct_random_bits(&a) == tct_random_bits(&b));
    tct_random_seed(&b, 1, 3);
    assert_true(tct_random_bits(&a) != tct_random_bits(&b));
    tct_random_seed(&b, 2, 1);
    assert_true(tct_random_bits(&a) != tct_random_bits(&b));
}

/* xoshiro256** from the state 1, 2, 3, 4: the first outputs are easily worked out by hand. */
static void random__is_xoshiro(void **state)
{
    tct_random random = {{1, 2, 3, 4}};

    (void)state;
    assert_true(tct_random_bits(&random) == 11520);
    assert_true(tct_random_bits(&random) == 0);
    assert_true(tct_random_bits(&random) == 1509978240);
}

static void random__uniform_stays_inside(void **state)
{
    tct_random random;
    double sum = 0.0, squares = 0.0;

    (void)state;
    tct_random_seed(&random, 9, 0);
    for (int i = 0; i < DRAWS; i++) {
        double u = tct_random_uniform(&random);

        assert_true(u > 0.0 && u < 1.0);
        sum += u;
        squares += u * u;
    }
    assert_true(fabs(sum / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
}

static void random__normal_has_its_moments(void **state)
{
    tct_random random;
    double m[5] = {0};
    size_t beyond_2 = 0;

    (void)state;
    tct_random_seed(&random, 10, 0);
    for (int i = 0; i < DRAWS; i++) {
        double z = tct_random_normal(&random), power = 1.0;

        for (int k = 1; k <= 4; k++)
            m[k] += (power *= z) / DRAWS;
        beyond_2 += fabs(z) > 2.0;
    }
    assert_true(fabs(m[1]) < 5 * sqrt(1.0 / DRAWS));
    assert_true(fabs(m[2] - 1.0) < 5 * sqrt(2.0 / DRAWS));
    assert_true(fabs(m[3]) < 5 * sqrt(15.0 / DRAWS));
    assert_true(fabs(m[4] - 3.0) < 5 * sqrt(96.0 / DRAWS));
    assert_true(fabs((double)beyond_2 / DRAWS - 0.04550026389635842) < 5 * sqrt(0.0455 / DRAWS));
}

static void random__below_is_unbiased(void **state)
{
    tct_random random;
    size_t counts[7] = {0}, high = 0;

    (void)state;
    tct_random_seed(&random, 11, 0);
    for (int i = 0; i < DRAWS; i++)
        counts[tct_random_below(&random, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_true(fabs((double)counts[i] - DRAWS / 7.0) < 5 * sqrt(DRAWS * 6.0 / 49));
    assert_true(tct_random_below(&random, 1) == 0);
    /* A plain remainder would give the lower third twice as often. */
    for (int i = 0; i < DRAWS; i++)
        high += tct_random_below(&random, UINT64_MAX / 3 * 2) >= UINT64_MAX / 3;
    assert_true(fabs((double)high - DRAWS / 2.0) < 5 * sqrt(DRAWS / 4.0));
}

/* Flipping any one bit of either word flips about half of the result. */
static void random__mix_spreads_every_bit(void **state)
{
    (void)state;
    for (int bit = 0; bit < 64; bit++) {
        int flips[2] = {0, 0};

        for (uint64_t i = 0; i < 200; i++) {
            uint64_t base = tct_mix(i, i + 1);

            flips[0] += __builtin_popcountll(base ^ tct_mix(i ^ 1ull << bit, i + 1));
            flips[1] += __builtin_popcountll(base ^ tct_mix(i, (i + 1) ^ 1ull << bit));
        }
        for (int word = 0; word < 2; word++)
            assert_true(abs(flips[word] - 6400) < 6 * 57); /* 12,800 coins */
    }
    assert_true(tct_mix(1, 2) != tct_mix(2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random__is_fixed_for_a_seed),  cmocka_unit_test(random__is_xoshiro),
        cmocka_unit_test(random__uniform_stays_inside), cmocka_unit_test(random__normal_has_its_moments),
        cmocka_unit_test(random__below_is_unbiased),    cmocka_unit_test(random__mix_spreads_every_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

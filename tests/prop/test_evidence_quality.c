/*
 * The stability index against a plain recomputation, and at its ends: same people, nobody, all in other bins, very many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "quality.h"

enum { BINS = 12, ROUNDS = 2000 };

/* As METHOD.md says it, in long double: shares with half a person more in every bin. */
static long double plain_index(const uint64_t *expected, const uint64_t *found, size_t n)
{
    long double index = 0, people[2] = {0, 0};

    for (size_t b = 0; b < n; b++) {
        people[0] += (long double)expected[b] + 0.5L;
        people[1] += (long double)found[b] + 0.5L;
    }
    for (size_t b = 0; b < n; b++) {
        long double p = ((long double)expected[b] + 0.5L) / people[0], q = ((long double)found[b] + 0.5L) / people[1];

        index += q * (logl(q) - logl(p)) + p * (logl(p) - logl(q));
    }
    return index;
}

static void check(const uint64_t *expected, const uint64_t *found, size_t n)
{
    double chance, index = tct_stability(expected, found, n, &chance), back_chance, back;
    long double plain = plain_index(expected, found, n);

    assert_true(isfinite(index) && isfinite(chance) && chance > 0);
    assert_true(fabsl((long double)index - plain) <= 1e-12L * (1 + plain));
    assert_true(index >= -1e-15);
    back = tct_stability(found, expected, n, &back_chance); /* neither side comes first */
    assert_true(fabs(back - index) <= 1e-12 * (1 + index) && fabs(back_chance - chance) <= 1e-12 * chance);
}

static void stability__equals_plain_recomputation(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 12, 5);
    for (size_t round = 0; round < ROUNDS; round++) {
        uint64_t expected[BINS], found[BINS], n = 2 + tct_random_below(&random, BINS - 1);

        for (size_t b = 0; b < n; b++) { /* none, a few, very many */
            expected[b] = tct_random_below(&random, (uint64_t)1 << tct_random_below(&random, 40));
            found[b] = tct_random_below(&random, (uint64_t)1 << tct_random_below(&random, 40));
        }
        check(expected, found, n);
    }
}

static void stability__at_its_ends(void **state)
{
    const uint64_t none[2] = {0, 0}, low[2] = {(uint64_t)1 << 40, 0}, high[2] = {0, (uint64_t)1 << 40};
    double chance;

    (void)state;
    check(none, none, 2);
    check(none, low, 2);
    check(low, high, 2);
    assert_true(tct_stability(low, low, 2, &chance) == 0);
    assert_true(tct_stability(none, none, 2, &chance) == 0);
    assert_true(chance == 2); /* one bin to choose, one person on either side */
    assert_true(tct_stability(low, high, 2, &chance) > 50);
    assert_true(isnan(tct_stability(low, high, 1, &chance)) && isnan(chance));
    assert_true(isnan(tct_stability(low, high, 0, &chance)) && isnan(chance));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stability__equals_plain_recomputation),
        cmocka_unit_test(stability__at_its_ends),
    };

    return cmocka_run_group_tests_name("evidence_quality", tests, NULL, NULL);
}

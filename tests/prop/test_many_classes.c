/*
 * test_many_classes.c -- the most likely of five and more classes against exact orthants and plain draws.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "law.h"
#include "many_classes.h"
#include "num.h"
#include "scale.h"
#include "simd.h"

enum { MOST = 12, RANK = 8, DRAWS = 200000 };

typedef struct problem {
    size_t k;
    double mean[MOST], cov[MOST * MOST], factor[MOST][RANK];
} problem;

/* Every rank; some with one class far ahead, some with two equal scores, some with no variance at all. */
static problem make_problem(size_t c, tct_random *random)
{
    problem p = {.k = 5 + c % (MOST - 4)};
    double ahead = 3 * tct_random_uniform(random), size = c % 11 ? 1 : 0;
    size_t rank = 1 + tct_random_below(random, RANK);

    for (size_t i = 0; i < p.k; i++) {
        p.mean[i] = tct_random_normal(random) + (i == 2 ? ahead : 0);
        for (size_t j = 0; j < rank; j++)
            p.factor[i][j] = size * 0.6 * tct_random_normal(random);
    }
    if (c % 7 == 0) {
        memcpy(p.factor[1], p.factor[2], sizeof p.factor[1]);
        p.mean[1] = p.mean[2];
    }
    for (size_t i = 0; i < p.k; i++)
        for (size_t j = 0; j < p.k; j++)
            for (size_t d = 0; d < RANK; d++)
                p.cov[i * p.k + j] += p.factor[i][d] * p.factor[j][d];
    return p;
}

/* The share of plain draws that class c wins. */
static double drawn(const problem *p, size_t c, tct_random *random)
{
    size_t wins = 0;

    for (size_t n = 0; n < DRAWS; n++) {
        double z[RANK], most = -INFINITY;
        size_t winner = 0;

        for (size_t d = 0; d < RANK; d++)
            z[d] = tct_random_normal(random);
        for (size_t i = 0; i < p->k; i++) {
            double score = p->mean[i];

            for (size_t d = 0; d < RANK; d++)
                score += p->factor[i][d] * z[d];
            if (score > most) {
                most = score;
                winner = i;
            }
        }
        wins += winner == c;
    }
    return (double)wins / DRAWS;
}

/* What is said is never above the truth by more than chance allows, and close below it where it is high: an estimate
 * that is always 0, or always 1, fails. */
static void most_likely__a_close_lower_estimate(void **state)
{
    static double scratch[MOST * MOST * 8 + (TCT_NOISE_POINTS + 8) * MOST + 64];
    size_t cases = scaled(120);
    tct_random random;

    (void)state;
    assert_true(tct_many_scratch(MOST) <= sizeof scratch / sizeof *scratch);
    tct_random_seed(&random, 3, 1);
    for (size_t c = 0; c < cases; c++) {
        problem p = make_problem(c, &random);
        double exact[MOST], said = -1;
        size_t label, best = 0;
        tct_noise noise;

        assert_int_equal(tct_noise_init(&noise, p.k, NULL), TACIT_OK);
        label = tct_most_likely(&noise, p.mean, p.cov, p.k, 0, &said, scratch);
        tct_class_probabilities(p.mean, p.cov, p.k, exact, scratch);
        for (size_t i = 1; i < p.k; i++)
            best = exact[i] > exact[best] ? i : best;
        if (exact[label] < exact[best] - 0.05)
            fail_msg("case %zu: class %zu has %.4f, class %zu %.4f", c, label, exact[label], best, exact[best]);
        if (said > exact[label] + 0.003 || said < exact[label] - 0.005 - 0.25 * (1 - exact[label]))
            fail_msg("case %zu, %zu classes: class %zu: %.5f, exactly %.5f", c, p.k, label, said, exact[label]);
        if (said < 0.5 && said < exact[label] - 0.09) /* three standard errors, and one of the count */
            fail_msg("case %zu, %zu classes: class %zu: only %.5f of %.5f", c, p.k, label, said, exact[label]);
        for (double needed = 0.55; needed < 1; needed += 0.1) { /* out of reach only where it is */
            double quick = -1;
            size_t same = tct_most_likely(&noise, p.mean, p.cov, p.k, needed, &quick, scratch);

            assert_int_equal(quick >= needed, said >= needed);
            assert_true(quick <= said + 1e-9 && (quick < needed || (quick == said && same == label)));
        }
        tct_noise_clear(&noise);
    }
}

/* The oracle shares nothing with the orthants either. */
static void most_likely__against_plain_draws(void **state)
{
    static double scratch[MOST * MOST * 8 + (TCT_NOISE_POINTS + 8) * MOST + 64];
    size_t cases = scaled(12);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 4, 1);
    for (size_t c = 0; c < cases; c++) {
        problem p = make_problem(7 * c + 1, &random); /* without ties, which rounding decides */
        double said = -1, share;
        size_t label;
        tct_noise noise;

        assert_int_equal(tct_noise_init(&noise, p.k, NULL), TACIT_OK);
        label = tct_most_likely(&noise, p.mean, p.cov, p.k, 0, &said, scratch);
        share = drawn(&p, label, &random);
        assert_true(said <= share + 0.006);
        assert_true(said >= share - 0.01 - 0.25 * (1 - share));
        tct_noise_clear(&noise);
    }
}

/* The same bits at every level of the processor. */
static void most_likely__same_bits_everywhere(void **state)
{
    static double scratch[MOST * MOST * 8 + (TCT_NOISE_POINTS + 8) * MOST + 64];
    size_t cases = scaled(200);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 5, 1);
    for (size_t c = 0; c < cases; c++) {
        problem p = make_problem(c, &random);
        double best = -1, plain = -1;
        size_t with, without;
        tct_noise noise;

        assert_int_equal(tct_noise_init(&noise, p.k, NULL), TACIT_OK);
        with = tct_most_likely(&noise, p.mean, p.cov, p.k, 0, &best, scratch);
        tct_simd_limit(TCT_SIMD_PLAIN);
        without = tct_most_likely(&noise, p.mean, p.cov, p.k, 0, &plain, scratch);
        tct_simd_limit(TCT_SIMD_LEVELS);
        assert_int_equal(with, without);
        assert_memory_equal(&best, &plain, sizeof best);
        tct_noise_clear(&noise);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_likely__a_close_lower_estimate),
        cmocka_unit_test(most_likely__against_plain_draws),
        cmocka_unit_test(most_likely__same_bits_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_levels.c -- sums over levels in parts: what plain sums give, and the same bits on every processor.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "levels.h"
#include "num.h"
#include "simd.h"

enum { MOST = 200, TERMS = 3 };

typedef struct made {
    double shares[MOST], slopes[TERMS * MOST], terms[2][MOST], moved[TERMS];
    tct_level_moves moves;
    tct_level_margins margins[2];
} made;

static void make(made *m, size_t n, uint64_t seed)
{
    tct_random random;

    tct_random_seed(&random, seed, n);
    for (size_t l = 0; l < n; l++) {
        m->shares[l] = seed % 5 ? tct_random_uniform(&random) : 0;
        m->terms[0][l] = tct_random_normal(&random);
        m->terms[1][l] = tct_random_normal(&random);
        for (size_t j = 0; j < TERMS; j++)
            m->slopes[j * MOST + l] = tct_random_normal(&random);
    }
    for (size_t j = 0; j < TERMS; j++)
        m->moved[j] = tct_random_normal(&random);
    m->moves = (tct_level_moves){.n = n,
                                 .shares = m->shares,
                                 .slopes = m->slopes,
                                 .step = MOST,
                                 .n_terms = 1 + seed % TERMS,
                                 .centre = seed % 2 ? 0 : 0.3,
                                 .moved = m->moved};
    for (size_t c = 0; c < 2; c++)
        m->margins[c] = (tct_level_margins){tct_random_normal(&random), -1, m->terms[c]};
}

/* As plainly as it can be said. */
static void weigh_plainly(const tct_level_moves *m, double *levels)
{
    double sum = 0;

    for (size_t l = 0; l < m->n; l++) {
        levels[l] = 1;
        for (size_t j = 0; j < m->n_terms; j++)
            levels[l] += (m->slopes[j * m->step + l] - m->centre) * m->moved[j];
        levels[l] = fmax(levels[l] * m->shares[l], 0);
        sum += levels[l];
    }
    for (size_t l = 0; l < m->n; l++)
        levels[l] = sum > 0 ? levels[l] / sum : 1.0 / (double)m->n;
}

static void compare(const made *m, const double *levels, double mean, double share)
{
    double plain[MOST], plain_mean = 0, plain_share = 0;

    weigh_plainly(&m->moves, plain);
    for (size_t l = 0; l < m->moves.n; l++) {
        bool proven = true;

        assert_true(fabs(levels[l] - plain[l]) < 1e-14);
        plain_mean += plain[l] * m->terms[0][l];
        for (size_t c = 0; c < 2; c++)
            proven = proven && m->margins[c].now + m->terms[c][l] - m->margins[c].worst >= 0;
        plain_share += proven ? plain[l] : 0;
    }
    assert_true(fabs(mean - plain_mean) < 1e-13);
    assert_true(fabs(share - plain_share) < 1e-13);
}

static void levels__sums_are_the_plain_ones_everywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        for (size_t n = 1; n <= MOST; n += n < 40 ? 1 : 17) {
            made m;
            double first[MOST], means[2], shares[2];

            make(&m, n, seed);
            for (int limit = 0; limit < TCT_SIMD_LEVELS; limit++) {
                double levels[MOST];

                tct_simd_limit((tct_simd)limit);
                tct_levels_weigh(&m.moves, levels);
                means[limit > 0] = tct_levels_mean(levels, m.terms[0], n);
                shares[limit > 0] = tct_levels_share(m.margins, 2, levels, n);
                if (limit == 0)
                    memcpy(first, levels, n * sizeof *levels);
                assert_memory_equal(levels, first, n * sizeof *levels);
                assert_memory_equal(&means[limit > 0], &means[0], sizeof *means);
                assert_memory_equal(&shares[limit > 0], &shares[0], sizeof *shares);
                compare(&m, levels, means[limit > 0], shares[limit > 0]);
            }
            tct_simd_limit(TCT_SIMD_LEVELS);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels__sums_are_the_plain_ones_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_panel.c -- inputs eliminated many at a time give the bits of one after the other, at every level of the processor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "panel.h"
#include "scale.h"
#include "simd.h"

enum { WIDEST = 150, SCORES = 3 };

/* A covariance of w inputs, some of which are the sum of others: what one-hot levels are to each other. */
static void make_covariance(double *block, size_t w, tct_random *random)
{
    static double factor[WIDEST][WIDEST];

    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w; j++)
            factor[i][j] = tct_random_normal(random);
    for (size_t i = 2; i < w; i += 7) /* determined by two others */
        for (size_t j = 0; j < w; j++)
            factor[i][j] = factor[i - 1][j] + factor[i - 2][j];
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;

            for (size_t m = 0; m < w; m++)
                sum += factor[i][m] * factor[j][m];
            block[i * w + j] = block[j * w + i] = sum;
        }
}

static void panel__eliminates_as_one_by_one(void **state)
{
    static double start[WIDEST * WIDEST], plain[WIDEST * WIDEST], fast[WIDEST * WIDEST], least[WIDEST];
    double cross[WIDEST * SCORES], plain_cross[WIDEST * SCORES], fast_cross[WIDEST * SCORES];
    size_t cases = scaled(60), determined = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        size_t w = 1 + c * 37 % WIDEST, k = 1 + c % SCORES;
        tct_random random;

        tct_random_seed(&random, c, 1);
        make_covariance(start, w, &random);
        for (size_t i = 0; i < w; i++)
            least[i] = start[i * w + i];
        for (size_t i = 0; i < w * k; i++)
            cross[i] = tct_random_normal(&random);
        memcpy(plain, start, w * w * sizeof *plain);
        memcpy(plain_cross, cross, w * k * sizeof *cross);
        tct_panel_eliminate(plain, plain_cross, w, k, least, 1, true);
        for (size_t p = 0; p < w; p++)
            determined += plain[p * w + p] == 0;
        for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
            tct_simd_limit((tct_simd)level);
            memcpy(fast, start, w * w * sizeof *fast);
            memcpy(fast_cross, cross, w * k * sizeof *cross);
            tct_panel_eliminate(fast, fast_cross, w, k, least, 1, false);
            for (size_t q = 0; q < w; q++)
                assert_memory_equal(fast + q * w, plain + q * w, (q + 1) * sizeof *fast);
            assert_memory_equal(fast_cross, plain_cross, w * k * sizeof *cross);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
    }
    assert_true(determined > cases);
}

static void panel__loses_in_turn(void **state)
{
    enum { LONG = 77, MOST = TCT_PANEL };
    double row[LONG], plain[LONG], fast[LONG], rows[MOST][LONG], factors[MOST];
    const double *each[MOST];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 5, 2);
    for (size_t k = 0; k < MOST; k++) {
        factors[k] = tct_random_normal(&random);
        each[k] = rows[k];
        for (size_t v = 0; v < LONG; v++)
            rows[k][v] = tct_random_normal(&random);
    }
    for (size_t v = 0; v < LONG; v++)
        row[v] = tct_random_normal(&random);
    for (size_t from = 0; from < LONG; from += 5)
        for (size_t n = 0; n <= MOST; n++) {
            memcpy(plain, row, sizeof row);
            for (size_t v = from; v < LONG - 2; v++)
                for (size_t k = 0; k < n; k++)
                    plain[v] -= factors[k] * rows[k][v];
            for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
                tct_simd_limit((tct_simd)level);
                memcpy(fast, row, sizeof row);
                tct_panel_lose(fast, from, LONG - 2 > from ? LONG - 2 : from, factors, each, n);
                assert_memory_equal(fast, plain, sizeof fast);
            }
            tct_simd_limit(TCT_SIMD_LEVELS);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panel__eliminates_as_one_by_one),
        cmocka_unit_test(panel__loses_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

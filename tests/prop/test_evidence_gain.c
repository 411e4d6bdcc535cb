/*
 * What a classifier adds to the most frequent class: figures against people counted one by one, the paired interval
 * against its definition on a grid, and how often it holds the truth.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gain.h"
#include "num.h"
#include "quality.h"
#include "scale.h"

static uint64_t state_of_draws = 7;

static size_t draw(size_t below)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((state_of_draws >> 33) % below);
}

/* Log likelihood of `more` and `less` of n, for shares q + d and q. */
static double likelihood(double more, double less, double n, double d, double q)
{
    double first = q + d, rest = 1 - first - q;

    if (first < -1e-15 || rest < -1e-15)
        return -INFINITY;
    return (more > 0 ? more * log(fmax(first, 0)) : 0) + (less > 0 ? less * log(q) : 0) +
           (n - more - less > 0 ? (n - more - less) * log(fmax(rest, 0)) : 0);
}

/* The statistic by trying shares one after the other. */
static double plain_distance(double more, double less, double n, double d)
{
    double best = -INFINITY, at = 0, low = fmax(0, -d), high = (1 - d) / 2;

    for (int round = 0; round < 6; round++) {
        double from = low, to = high;

        best = -INFINITY;
        for (int i = 0; i <= 200; i++) {
            double q = from + (to - from) * i / 200, value = likelihood(more, less, n, d, q);

            if (value > best) {
                best = value;
                at = q;
            }
        }
        low = fmax(fmax(0, -d), at - (to - from) / 100);
        high = fmin((1 - d) / 2, at + (to - from) / 100);
    }
    return fabs(more - less - n * d) / sqrt(n * (2 * at + d * (1 - d)));
}

static void gain__interval_is_what_its_definition_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < scaled(200); i++) {
        double n = (double)(2 + draw(60)), more = (double)draw((size_t)n + 1);
        double less = (double)draw((size_t)(n - more) + 1), low, high, difference = (more - less) / n;

        tct_paired_interval(more, less, n, 0.95, &low, &high);
        assert_true(low >= -1 && high <= 1 && low <= difference && difference <= high);
        if (low > -0.999)
            assert_true(fabs(plain_distance(more, less, n, low) - 1.959964) < 2e-3);
        if (high < 0.999)
            assert_true(fabs(plain_distance(more, less, n, high) - 1.959964) < 2e-3);
    }
}

static void gain__nobody_apart_is_no_proof(void **state)
{
    double low, high, z = 1.959963984540054;

    (void)state;
    tct_paired_interval(0, 0, 100, 0.95, &low, &high);
    assert_true(fabs(high - z * z / (100 + z * z)) < 1e-12);
    assert_true(fabs(low + high) < 1e-12);
}

/* A random table of people and the same one by one. */
static void gain__counts_are_those_of_single_people(void **state)
{
    (void)state;
    for (size_t i = 0; i < scaled(300); i++) {
        size_t classes = 2 + draw(4), n = 1 + draw(700), right = 0, known = 0, plain[6 * 6] = {0}, sums[6] = {0};
        uint8_t *decided = calloc(n, 1);
        int32_t *labels = calloc(n, sizeof *labels);
        bool without = draw(5) == 0;
        size_t skew = 1 + draw(8), majority = 0;
        tct_quality *q = NULL;
        tacit_baseline b;

        assert_int_equal(tct_quality_new(&q, classes, 3, 1, NULL, NULL), TACIT_OK);
        for (size_t p = 0; p < n; p++) {
            decided[p] = (uint8_t)(draw(skew) ? 0 : draw(classes));
            labels[p] = (int32_t)draw(classes + 1) - 1;
            if (labels[p] >= 0) {
                known++;
                right += decided[p] == labels[p];
                plain[(size_t)labels[p] * classes + decided[p]]++;
                sums[labels[p]]++;
            }
        }
        for (size_t at = 0; at < n; at += n / 2 + 1) /* in two pieces */
            tct_quality_decisions(q, decided + at, without ? NULL : labels + at,
                                  n - at < n / 2 + 1 ? n - at : n / 2 + 1);
        tct_quality_finish(q);
        tct_baseline_of(&b, q->confusion + classes, classes);
        for (size_t c = 1; c < classes; c++)
            majority = sums[c] > sums[majority] ? c : majority;
        assert_int_equal(b.people, without ? 0 : known);
        if (without || known == 0) {
            assert_int_equal(b.state, TACIT_USE_UNKNOWN);
            assert_true(isnan(b.gain) && isnan(b.accuracy) && b.majority_class == TACIT_NONE);
        } else {
            for (size_t k = 0; k < classes * classes; k++)
                assert_int_equal(q->confusion[classes + k], plain[k]);
            assert_int_equal(b.majority_class, majority);
            assert_true(fabs(b.accuracy - (double)right / (double)known) < 1e-12);
            assert_true(fabs(b.majority_accuracy - (double)sums[majority] / (double)known) < 1e-12);
            assert_true(fabs(b.gain - (b.accuracy - b.majority_accuracy)) < 1e-12);
            assert_true(b.gain_low <= b.gain && b.gain <= b.gain_high);
            assert_int_equal(b.state, right <= sums[majority] ? TACIT_USE_NO_BETTER
                                      : b.gain_low > 0        ? TACIT_USE_BETTER
                                                              : TACIT_USE_NOT_SHOWN);
        }
        tct_quality_free(q);
        free(decided);
        free(labels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gain__interval_is_what_its_definition_says),
        cmocka_unit_test(gain__nobody_apart_is_no_proof),
        cmocka_unit_test(gain__counts_are_those_of_single_people),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

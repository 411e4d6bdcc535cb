/*
 * test_netquick.c -- labels in single precision (netquick.h): those of double precision or none, by every set of
 * instructions, also where numbers are too large or too small for single precision; and hardly ever none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "netline.h"
#include "netquick.h"
#include "scale.h"
#include "simd.h"

enum { MOST = 24, MOST_INPUTS = 160 };

/* A random network whose weights are up to `size`, and which of its inputs are the points' own. */
typedef struct set_up {
    tct_classifier *classifier;
    tct_netline *line;
    size_t n_inputs, n_own;
    tct_quick_term own[MOST_INPUTS];
    double base[MOST];
} set_up;

static void fill(double *to, size_t n, double size, tct_random *random)
{
    for (size_t i = 0; i < n; i++)
        to[i] = size * (2 * tct_random_uniform(random) - 1);
}

static void begin(set_up *s, double size, tct_random *random)
{
    size_t layers = 1 + tct_random_below(random, 3), scores = 1 + tct_random_below(random, 4), sizes[4];
    static double weights[3][MOST_INPUTS * MOST], bias[3][MOST];
    const double *w[3] = {weights[0], weights[1], weights[2]}, *b[3] = {bias[0], bias[1], bias[2]};
    double x[MOST_INPUTS];

    memset(s, 0, sizeof *s);
    scores = scores == 2 ? 1 : scores;
    for (size_t l = 0; l <= layers; l++)
        sizes[l] = l == layers ? scores : 1 + tct_random_below(random, MOST);
    sizes[0] = tct_random_below(random, 4) ? sizes[0] : 1 + tct_random_below(random, MOST_INPUTS);
    for (size_t l = 0; l < layers; l++) {
        fill(weights[l], sizes[l] * sizes[l + 1], size, random);
        fill(bias[l], sizes[l + 1], size, random);
    }
    assert_int_equal(tct_mlp_new(&s->classifier, scores == 1 ? 2 : scores, layers, sizes, w, b, NULL), TACIT_OK);
    assert_int_equal(tct_netline_new(&s->line, s->classifier, true, NULL), TACIT_OK);
    s->n_inputs = sizes[0];
    fill(x, s->n_inputs, 1, random);
    for (size_t i = 0, levels; i<s->n_inputs; i += levels> 0 ? levels : 1) {
        levels = tct_random_below(random, 2) ? 0 : 1 + tct_random_below(random, s->n_inputs - i);
        if (tct_random_below(random, 2)) {
            memset(x + i, 0, (levels > 0 ? levels : 1) * sizeof *x);
            s->own[s->n_own++] = (tct_quick_term){i, levels};
        }
    }
    tct_netline_first(s->line, x, s->base);
}

static void end(set_up *s)
{
    tct_netline_free(s->line);
    s->classifier->ops->free(s->classifier);
}

/* In double precision, as net_draws.c does. */
static size_t label_of(const set_up *s, const double *x, size_t point)
{
    double scores[TCT_MAX_CLASSES];

    for (size_t j = 0; j < s->line->n_first; j++) {
        double sum = s->base[j];

        for (size_t i = 0; i < s->n_own; i++) {
            double v = x[i * TCT_QUICK + point];
            size_t level = s->own[i].levels > 0 ? (size_t)v : 0;

            sum += s->line->columns[(s->own[i].first + level) * s->line->n_first + j] * (s->own[i].levels > 0 ? 1 : v);
        }
        s->line->first[j * TCT_LANES] = sum;
    }
    tct_netline_scores(s->line, 1);
    for (size_t k = 0; k < s->line->n_scores; k++)
        scores[k] = s->line->scores[k * TCT_LANES];
    return tct_label(scores, s->line->n_scores);
}

/* How many of TCT_QUICK points get no label; all others the right one. */
static size_t count_unsure(const set_up *s, tct_random *random)
{
    tct_netquick *quick = NULL;
    double x[MOST_INPUTS * TCT_QUICK];
    float rough[MOST_INPUTS * TCT_QUICK];
    uint8_t label[TCT_QUICK];
    size_t unsure = 0;

    fill(x, s->n_own * TCT_QUICK, 1, random);
    for (size_t i = 0; i < s->n_own * TCT_QUICK; i++) {
        size_t levels = s->own[i / TCT_QUICK].levels;

        if (levels > 0)
            x[i] = (double)tct_random_below(random, levels);
        rough[i] = levels > 0 ? TCT_QUICK_LEVELS + (float)x[i] : (float)x[i];
    }
    assert_int_equal(tct_netquick_new(&quick, s->classifier, NULL), TACIT_OK);
    tct_netquick_begin(quick, s->base, s->own, s->n_own);
    tct_netquick_labels(quick, s->own, s->n_own, rough, label);
    for (size_t i = 0; i < TCT_QUICK; i++) {
        unsure += label[i] == TCT_UNSURE;
        if (label[i] != TCT_UNSURE)
            assert_int_equal(label[i], label_of(s, x, i));
    }
    tct_netquick_free(quick);
    return unsure;
}

static void netquick__labels_of_double_precision_or_none(void **state)
{
    static const double sizes[] = {1, 1e-3, 30, 1e-20, 1e-44, 1e12, 1e30, 1e40, 1e45};
    size_t unsure = 0, points = 0;

    (void)state;
    for (uint64_t seed = 0; seed < scaled(900); seed++) {
        tct_random random;
        set_up s;

        tct_random_seed(&random, seed, 3);
        begin(&s, sizes[seed % (sizeof sizes / sizeof *sizes)], &random);
        for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
            size_t none;

            tct_simd_limit((tct_simd)level);
            none = count_unsure(&s, &random);
            unsure += seed % 9 < 3 ? none : 0;
            points += seed % 9 < 3 ? TCT_QUICK : 0;
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        end(&s);
    }
    assert_true(unsure * 50 <= points);
}

/* A score that is 0 but for the last bits. */
static void netquick__no_label_at_ties(void **state)
{
    const tct_quick_term own[] = {{0, 0}, {1, 0}};
    const double weights[] = {1, 0x1p-40}, bias[] = {0}, base[] = {0};
    const double *w[] = {weights}, *b[] = {bias};
    float x[2 * TCT_QUICK];
    uint8_t label[TCT_QUICK];
    tct_classifier *classifier = NULL;
    tct_netquick *quick = NULL;

    (void)state;
    for (size_t i = 0; i < 2 * TCT_QUICK; i++)
        x[i] = i < TCT_QUICK ? 0 : 1; /* the score is 2^-40 */
    assert_int_equal(tct_mlp_new(&classifier, 2, 1, (const size_t[]){2, 1}, w, b, NULL), TACIT_OK);
    assert_int_equal(tct_netquick_new(&quick, classifier, NULL), TACIT_OK);
    tct_netquick_begin(quick, base, own, 2);
    tct_netquick_labels(quick, own, 2, x, label);
    for (size_t i = 0; i < TCT_QUICK; i++)
        assert_int_equal(label[i], TCT_UNSURE);
    tct_netquick_free(quick);
    classifier->ops->free(classifier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netquick__labels_of_double_precision_or_none),
        cmocka_unit_test(netquick__no_label_at_ties),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Conditioning: step by step equals solving the equations at once; singular covariances; the score law and what
 * learning an attribute does to it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "law.h"
#include "oracle.h"

enum { ROOM = 32 };

/* Solve A X = B by elimination with pivoting, n x n and n x m, in place. */
static void solve(double *a, double *b, size_t n, size_t m)
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;

        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        for (size_t j = 0; j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = t;
        }
        for (size_t j = 0; j < m; j++) {
            double t = b[k * m + j];
            b[k * m + j] = b[pivot * m + j];
            b[pivot * m + j] = t;
        }
        for (size_t i = 0; i < n; i++) {
            double f = i == k ? 0 : a[i * n + k] / a[k * n + k];

            for (size_t j = 0; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            for (size_t j = 0; j < m; j++)
                b[i * m + j] -= f * b[k * m + j];
        }
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < m; j++)
            b[k * m + j] /= a[k * n + k];
}

/* A model of numbers with a well-conditioned covariance. */
static tacit_model *regular_model(uint64_t seed, size_t n, size_t classes)
{
    tacit_model *m = make_linear_model(seed, n, classes, false);
    size_t d = m->codec->n_inputs;

    for (size_t i = 0; i < d; i++)
        m->covariance[i * d + i] += 0.05;
    return m;
}

/* All attributes of `known`, the first one first, one after the other. */
static tct_belief *reveal_in_turn(const tacit_model *m, const unsigned char *known)
{
    tct_belief *belief, *next;

    assert_int_equal(tct_belief_prior(&belief, m, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        if (!known[a])
            continue;
        assert_int_equal(tct_belief_reveal(&next, belief, m, a, NULL), TACIT_OK);
        tct_belief_free(belief);
        belief = next;
    }
    return belief;
}

static void assert_same(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(a[i] == b[i]);
}

static void assert_same_belief(const tct_belief *a, const tct_belief *b)
{
    assert_int_equal(a->n_known, b->n_known);
    assert_int_equal(a->n_unknown, b->n_unknown);
    for (size_t i = 0; i < a->n_known; i++)
        assert_int_equal(a->known[i], b->known[i]);
    for (size_t u = 0; u < a->n_unknown; u++)
        assert_int_equal(a->unknown[u], b->unknown[u]);
    assert_same(a->offset, b->offset, a->n_unknown);
    assert_same(a->map, b->map, a->n_known * a->n_unknown);
    assert_same(a->cov, b->cov, a->n_unknown * a->n_unknown);
}

static void belief__start_equals_steps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 200; seed++) {
        tacit_model *m =
            seed % 2 ? regular_model(seed, 3 + seed % 6, 2) : make_linear_model(seed, 3 + seed % 6, 2, true);
        size_t d = m->codec->n_inputs, n = m->schema->n_attributes;
        unsigned char known[ROOM];
        tct_belief *steps, *start;
        tct_random random;

        tct_random_seed(&random, seed, 2);
        for (size_t a = 0; a < n; a++)
            known[a] = seed % 7 == 0 || tct_random_below(&random, 3) > 0;
        if (seed % 3 == 0) /* the last input repeats the first */
            for (size_t i = 0; i < d; i++)
                m->covariance[i * d + d - 1] = m->covariance[(d - 1) * d + i] =
                    i == d - 1 ? m->covariance[0] : m->covariance[i * d];
        steps = reveal_in_turn(m, known);
        assert_int_equal(tct_belief_start(&start, m, known, NULL), TACIT_OK);
        assert_same_belief(start, steps);
        tct_belief_free(steps);
        tct_belief_free(start);
        tacit_model_free(m);
    }
}

/* A covariance of d inputs, of rank below that now and then; free it. */
static double *mixed_covariance(size_t d, uint64_t seed)
{
    size_t rank = seed % 3 == 0 ? d / 2 : d + 3;
    double *a = calloc(d * rank, sizeof *a), *covariance = calloc(d * d, sizeof *covariance);
    tct_random random;

    assert_non_null(a);
    assert_non_null(covariance);
    tct_random_seed(&random, seed, 7);
    for (size_t i = 0; i < d * rank; i++)
        a[i] = tct_random_uniform(&random) - 0.5;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t k = 0; k < rank; k++)
                covariance[i * d + j] = covariance[j * d + i] += a[i * rank + k] * a[j * rank + k];
    free(a);
    return covariance;
}

/* Many inputs at once, in place, give what one after the other gives, wherever they stand and whatever was known. */
static void belief__a_block_equals_its_inputs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        size_t widths[4] = {1 + seed % 5, 17 + 3 * (seed % 9), 2, 5}, d = widths[0] + widths[1] + 7;
        double *mean = mixed_covariance(d, seed + 1000), *covariance = mixed_covariance(d, seed);
        tct_domain domains[4] = {{.width = 0}};
        const tacit_schema schema = {.n_attributes = 4};
        tct_codec codec = {.schema = &schema, .domains = domains, .n_inputs = d};
        tacit_model fake = {.codec = &codec, .mean = mean, .covariance = covariance}, *m = &fake;
        tct_belief *plain, *quick, *next;

        for (size_t a = 0, first = 0; a < 4; first += widths[a++])
            domains[a] = (tct_domain){.first = first, .width = widths[a]};
        assert_int_equal(tct_variables_new(&fake.variables, &codec, mean, NULL, 1, NULL), TACIT_OK);
        assert_int_equal(tct_belief_prior(&plain, m, NULL), TACIT_OK);
        assert_int_equal(tct_belief_prior(&quick, m, NULL), TACIT_OK);
        for (size_t k = 0; k < 3; k++) {
            size_t a = (k + seed) % 4;

            assert_int_equal(tct_belief_reveal_inputs(&next, plain, m, a, NULL), TACIT_OK);
            tct_belief_free(plain);
            plain = next;
            assert_int_equal(tct_belief_reveal_block(&next, quick, m, a, NULL), TACIT_OK);
            tct_belief_free(quick);
            quick = next;
            assert_same_belief(plain, quick);
        }
        tct_belief_free(plain);
        tct_belief_free(quick);
        tct_variables_free(fake.variables);
        free(mean);
        free(covariance);
    }
}

static void belief__equals_solving_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 60; seed++) {
        tacit_model *m = regular_model(seed, 3 + seed % 6, 2);
        size_t d = m->codec->n_inputs, k = 1 + seed % (d - 1);
        double a[ROOM * ROOM], b[ROOM * ROOM], x[ROOM], mean[ROOM];
        tct_belief *belief, *next;
        tct_random random;

        tct_random_seed(&random, seed, 1);
        draw_person(m, &random, x);
        assert_int_equal(tct_belief_prior(&belief, m, NULL), TACIT_OK);
        for (size_t i = 0; i < k; i++) { /* the last k attributes, last first */
            assert_int_equal(tct_belief_reveal(&next, belief, m, d - 1 - i, NULL), TACIT_OK);
            tct_belief_free(belief);
            belief = next;
        }
        for (size_t i = 0; i < k; i++) {
            for (size_t j = 0; j < k; j++)
                a[i * k + j] = m->covariance[(d - k + i) * d + d - k + j];
            for (size_t u = 0; u < d - k; u++)
                b[i * (d - k) + u] = m->covariance[(d - k + i) * d + u];
        }
        solve(a, b, k, d - k); /* b = S_KK^-1 S_KU */
        tct_belief_mean(belief, x, mean);
        for (size_t u = 0; u < d - k; u++) {
            double expected = m->mean[u];

            for (size_t i = 0; i < k; i++)
                expected += b[i * (d - k) + u] * (x[d - k + i] - m->mean[d - k + i]);
            assert_true(fabs(mean[u] - expected) < 1e-9);
            for (size_t v = 0; v < d - k; v++) {
                double cov = m->covariance[u * d + v];

                for (size_t i = 0; i < k; i++)
                    cov -= b[i * (d - k) + u] * m->covariance[(d - k + i) * d + v];
                assert_true(fabs(belief->cov[u * (d - k) + v] - cov) < 1e-9);
                assert_true(belief->cov[u * (d - k) + v] == belief->cov[v * (d - k) + u]);
            }
        }
        tct_belief_free(belief);
        tacit_model_free(m);
    }
}

/* A column that repeats another is known once the other is; revealing it after that changes nothing. */
static void belief__a_repeated_column_is_determined(void **state)
{
    tacit_model *m = regular_model(5, 4, 2);
    size_t d = 4;
    tct_belief *prior, *one, *two;
    double x[ROOM] = {0.3, -0.2, 0.3, 0.5}, mean[ROOM], again[ROOM];

    (void)state;
    m->mean[2] = m->mean[0];
    for (size_t i = 0; i < d; i++) {
        m->covariance[2 * d + i] = m->covariance[0 * d + i];
    }
    for (size_t i = 0; i < d; i++)
        m->covariance[i * d + 2] = m->covariance[2 * d + i];
    m->covariance[2 * d + 2] = m->covariance[0];
    m->covariance[0 * d + 2] = m->covariance[2 * d + 0] = m->covariance[0];
    assert_int_equal(tct_belief_prior(&prior, m, NULL), TACIT_OK);
    assert_int_equal(tct_belief_reveal(&one, prior, m, 0, NULL), TACIT_OK);
    tct_belief_mean(one, x, mean);
    assert_true(fabs(mean[1] - 0.3) < 1e-12); /* unknown: 1, 2, 3 */
    assert_int_equal(tct_belief_reveal(&two, one, m, 2, NULL), TACIT_OK);
    tct_belief_mean(two, x, again);
    assert_true(again[0] == mean[0] && again[1] == mean[2]);
    assert_true(two->cov[0] == one->cov[0]);
    tct_belief_free(prior);
    tct_belief_free(one);
    tct_belief_free(two);
    tacit_model_free(m);
}

/* After revealing an attribute the law is what tct_effect_of said it would be. */
static void law__effect_foretells_the_next_law(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 80; seed++) {
        tacit_model *m = make_linear_model(seed, 2 + seed % 5, 2 + seed % 3, true);
        const tct_linear *linear = tct_as_linear(m->classifier);
        size_t k = linear->base.n_scores, d = m->codec->n_inputs, a = seed % m->schema->n_attributes;
        size_t w = m->codec->domains[a].width;
        double x[8 * ROOM], gain[8 * ROOM], cov[ROOM], scratch[64 * ROOM], before[8], after[8], mean[8 * ROOM];
        tct_effect effect = {gain, cov};
        tct_belief *prior, *next;
        tct_law *law, *then;
        tct_random random;

        tct_random_seed(&random, seed, 1);
        draw_person(m, &random, x);
        assert_true(d <= 8 * ROOM);
        assert_int_equal(tct_belief_prior(&prior, m, NULL), TACIT_OK);
        assert_int_equal(tct_law_linear(&law, prior, linear, NULL), TACIT_OK);
        assert_int_equal(tct_belief_reveal(&next, prior, m, a, NULL), TACIT_OK);
        assert_int_equal(tct_law_linear(&then, next, linear, NULL), TACIT_OK);
        tct_effect_of(&effect, law, prior, m, a, scratch);
        tct_law_mean(law, prior, x, before);
        tct_law_mean(then, next, x, after);
        tct_belief_mean(prior, x, mean);
        for (size_t s = 0; s < k; s++) {
            double moved = before[s];

            for (size_t i = 0; i < w; i++)
                moved += gain[i * k + s] * (x[m->codec->domains[a].first + i] - mean[m->codec->domains[a].first + i]);
            assert_true(fabs(moved - after[s]) < 1e-8 * (1 + fabs(moved)));
            for (size_t t = 0; t < k; t++)
                assert_true(fabs(cov[s * k + t] - then->cov[s * k + t]) < 1e-9 * (1 + law->cov[s * k + s]));
        }
        if (k == 1)
            assert_true(fabs(tct_tau2(law, prior, m, a, scratch) - (law->cov[0] - then->cov[0])) < 1e-9);
        tct_law_free(law);
        tct_law_free(then);
        tct_belief_free(prior);
        tct_belief_free(next);
        tacit_model_free(m);
    }
}

/* The class that is ahead gets what the others leave: that must be its own orthant. */
static void law__class_probabilities_are_orthants(void **state)
{
    double mean[4] = {0.3, -0.1, 0.2, 0}, p[4], scratch[128], margins[3], v[9];
    double cov[16] = {1, 0.2, 0.1, 0, 0.2, 2, 0.3, 0.1, 0.1, 0.3, 0.5, 0, 0, 0.1, 0, 0.7};
    double one[1] = {0}, none[1] = {0};

    (void)state;
    tct_class_probabilities(mean, cov, 4, p, scratch);
    for (size_t i = 0; i < 3; i++) {
        margins[i] = mean[i + 1] - mean[0];
        for (size_t j = 0; j < 3; j++)
            v[i * 3 + j] = cov[(i + 1) * 4 + j + 1] - cov[(i + 1) * 4] - cov[j + 1] + cov[0];
    }
    assert_true(fabs(p[0] - tct_orthant(margins, v, 3, scratch)) < 1e-9);
    tct_class_probabilities(one, none, 1, p, scratch); /* a score of exactly 0 without variance is label 1 */
    assert_true(p[1] == 1 && p[0] == 0);
}

static void law__level_weights(void **state)
{
    double mean[3] = {-0.2, 0.3, 0.1}, none[2] = {-1, 0}, w[3];

    (void)state;
    tct_level_weights(mean, 3, w);
    assert_true(w[0] == 0 && fabs(w[1] - 0.75) < 1e-15 && fabs(w[2] - 0.25) < 1e-15);
    tct_level_weights(none, 2, w);
    assert_true(w[0] == 0.5 && w[1] == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belief__start_equals_steps),
        cmocka_unit_test(belief__a_block_equals_its_inputs),
        cmocka_unit_test(belief__equals_solving_at_once),
        cmocka_unit_test(belief__a_repeated_column_is_determined),
        cmocka_unit_test(law__effect_foretells_the_next_law),
        cmocka_unit_test(law__class_probabilities_are_orthants),
        cmocka_unit_test(law__level_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

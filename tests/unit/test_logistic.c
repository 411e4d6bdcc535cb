/*
 * test_logistic.c -- training: the minimum is a minimum, the same on any number of threads, and errors are clean.
 *
 * The plain twin here computes the gradient point by point in long double; at a minimum it is zero.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "train.h"

enum { MAX_D = 12, MAX_CLASSES = 6, MANY = 300000 }; /* MANY points: enough for several threads */

typedef struct sample {
    double *x; /* input i of point r: x[i * stride + r] */
    int32_t *labels;
    size_t n, stride, d, n_classes;
} sample;

/* Points with labels that depend on them, noisily. */
static sample make_sample(uint64_t seed, size_t n, size_t d, size_t n_classes, double noise)
{
    sample s = {.n = n, .stride = n + 3, .d = d, .n_classes = n_classes};
    double w[MAX_CLASSES][MAX_D];
    tct_random random;

    tct_random_seed(&random, seed, 0);
    s.x = tct_calloc(s.stride * d, sizeof(double));
    s.labels = tct_calloc(n, sizeof(int32_t));
    assert_true(s.x && s.labels);
    for (size_t c = 0; c < n_classes; c++) {
        for (size_t i = 0; i < d; i++)
            w[c][i] = 2 * tct_random_normal(&random);
    }
    for (size_t r = 0; r < n; r++) {
        double best = -INFINITY;
        for (size_t i = 0; i < d; i++)
            s.x[i * s.stride + r] =
                i % 3 == 2 ? (double)tct_random_below(&random, 2) : 2 * tct_random_uniform(&random) - 1;
        for (size_t c = 0; c < n_classes; c++) {
            double f = noise * tct_random_normal(&random);
            for (size_t i = 0; i < d; i++)
                f += w[c][i] * s.x[i * s.stride + r];
            if (f > best) {
                best = f;
                s.labels[r] = (int32_t)c;
            }
        }
    }
    for (size_t c = 0; c < n_classes && c < n; c++)
        s.labels[c] = (int32_t)c; /* nobody is left out */
    return s;
}

static void free_sample(sample *s)
{
    tct_free(s->x);
    tct_free(s->labels);
}

static tct_classifier *train(const sample *s, double l2, size_t threads)
{
    tct_classifier *c = NULL;
    tacit_error err = {0};
    tacit_status st = tct_train_logistic(&c, s->x, s->stride, s->labels, s->n, s->d, s->n_classes, l2, NULL, threads,
                                         NULL, NULL, &err);

    if (st)
        fail_msg("%s", err.message);
    return c;
}

/* Largest entry of the gradient of the objective, the plain way. */
static double plain_gradient(const sample *s, const tct_linear *linear, double l2)
{
    size_t d = s->d, n_scores = linear->base.n_scores;
    long double g[MAX_CLASSES][MAX_D + 1] = {{0}}, p[MAX_CLASSES], largest = 0;

    for (size_t r = 0; r < s->n; r++) {
        long double total = n_scores == 1 ? 1 : 0; /* two classes: the score of class 0 is 0 */
        for (size_t k = 0; k < n_scores; k++) {
            long double z = linear->bias[k];
            for (size_t i = 0; i < d; i++)
                z += (long double)linear->weights[k * d + i] * s->x[i * s->stride + r];
            total += p[k] = expl(z);
        }
        for (size_t k = 0; k < n_scores; k++) {
            long double residual = p[k] / total - ((size_t)s->labels[r] == (n_scores == 1 ? 1 : k));
            for (size_t i = 0; i < d; i++)
                g[k][i] += residual * s->x[i * s->stride + r];
            g[k][d] += residual;
        }
    }
    for (size_t k = 0; k < n_scores; k++) {
        for (size_t i = 0; i <= d; i++) {
            long double entry = g[k][i] + (i < d ? l2 * linear->weights[k * d + i] : 0);
            largest = fmaxl(largest, fabsl(entry));
        }
    }
    return (double)largest;
}

static void logistic__gradient_vanishes(void **state)
{
    static const double penalties[] = {1, 0.01, 100};

    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        sample s = make_sample(seed, 40 + 97 * (seed % 8), 1 + seed % MAX_D, 2 + seed % 5, 1);
        double l2 = penalties[seed % 3];
        tct_classifier *c = train(&s, l2, 1);
        assert_true(plain_gradient(&s, tct_as_linear(c), l2) < 1e-8);
        c->ops->free(c);
        free_sample(&s);
    }
}

static void logistic__same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t n_classes = 2; n_classes <= 3; n_classes++) {
        sample s = make_sample(n_classes, n_classes == 2 ? MANY : MANY / 3, MAX_D, n_classes, 9);
        tct_classifier *one = train(&s, 1, 1), *two = train(&s, 1, 2);
        const tct_linear *a = tct_as_linear(one), *b = tct_as_linear(two);

        assert_memory_equal(a->weights, b->weights, one->n_scores * MAX_D * sizeof(double));
        assert_memory_equal(a->bias, b->bias, one->n_scores * sizeof(double));
        one->ops->free(one);
        two->ops->free(two);
        free_sample(&s);
    }
}

static void logistic__softmax_is_centred(void **state)
{
    sample s = make_sample(9, 500, 5, 4, 1);
    tct_classifier *c = train(&s, 0.5, 1);
    const tct_linear *linear = tct_as_linear(c);
    double sum = 0;

    (void)state;
    for (size_t k = 0; k < 4; k++)
        sum += linear->bias[k];
    assert_true(fabs(sum) < 1e-12);
    for (size_t i = 0; i < 5; i++) {
        sum = 0;
        for (size_t k = 0; k < 4; k++)
            sum += linear->weights[k * 5 + i];
        assert_true(fabs(sum) < 1e-8);
    }
    c->ops->free(c);
    free_sample(&s);
}

static void logistic__separable_points_and_extreme_penalties_converge(void **state)
{
    static const double penalties[] = {1e-6, 1e-3, 1e3, 1e6, 1e9};

    (void)state;
    for (size_t n_classes = 2; n_classes <= 3; n_classes++) {
        sample s = make_sample(31, 300, 4, n_classes, 0);
        for (size_t k = 0; k < 5; k++) {
            tct_classifier *c = train(&s, penalties[k], 1);
            assert_true(plain_gradient(&s, tct_as_linear(c), penalties[k]) < 1e-4);
            c->ops->free(c);
        }
        free_sample(&s);
    }
}

static void logistic__one_point_per_class_and_a_constant_input(void **state)
{
    double x[] = {-1, 1, 0, 0}; /* second input constant */
    int32_t labels[] = {0, 1};
    sample s = {x, labels, 2, 2, 2, 2};
    tct_classifier *c = train(&s, 1, 1);
    const tct_linear *linear = tct_as_linear(c);

    (void)state;
    assert_true(linear->weights[0] > 0);
    assert_true(linear->weights[1] == 0 && !signbit(linear->weights[1]));
    assert_true(fabs(linear->bias[0]) < 1e-12);
    c->ops->free(c);
}

static void logistic__heavy_imbalance_keeps_the_bias(void **state)
{
    sample s = make_sample(8, 4000, 2, 2, 1);
    tct_classifier *c;

    (void)state;
    for (size_t r = 0; r < s.n; r++)
        s.labels[r] = r % 1000 == 0;
    c = train(&s, 1e6, 1);
    /* With weights pressed to zero the bias is the log odds of the classes. */
    assert_true(fabs(tct_as_linear(c)->bias[0] - log(4.0 / 3996.0)) < 1e-3);
    c->ops->free(c);
    free_sample(&s);
}

static bool stop_at_three(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    *(uint64_t *)context = done;
    return done < 3;
}

static void logistic__progress_can_stop_it(void **state)
{
    sample s = make_sample(2, 800, 6, 2, 1);
    tct_classifier *c = NULL;
    uint64_t seen = 0;
    tacit_error err;

    (void)state;
    assert_int_equal(
        tct_train_logistic(&c, s.x, s.stride, s.labels, s.n, s.d, 2, 1, NULL, 1, stop_at_three, &seen, &err),
        TACIT_E_STOPPED);
    assert_null(c);
    assert_int_equal(seen, 3);
    assert_non_null(strstr(err.message, "stopped"));
    free_sample(&s);
}

static void logistic__says_when_it_does_not_converge(void **state)
{
    sample s = make_sample(2, 200, 3, 2, 1);
    tct_classifier *c = NULL;
    tacit_error err;

    (void)state;
    assert_int_equal(tct_train_logistic(&c, s.x, s.stride, s.labels, s.n, s.d, 2, INFINITY, NULL, 1, NULL, NULL, &err),
                     TACIT_E_INPUT);
    assert_null(c);
    assert_non_null(strstr(err.message, "converge"));
    free_sample(&s);
}

static void logistic__survives_lack_of_memory(void **state)
{
    sample s = make_sample(4, 100, 3, 3, 1);
    tct_classifier *c = NULL;
    tacit_status st = TACIT_E_MEMORY;
    uint64_t nth = 1;

    (void)state;
    for (; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = tct_train_logistic(&c, s.x, s.stride, s.labels, s.n, s.d, 3, 1, NULL, 1, NULL, NULL, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (c != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    assert_true(nth > 3);
    c->ops->free(c);
    free_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic__gradient_vanishes),
        cmocka_unit_test(logistic__same_bits_on_any_number_of_threads),
        cmocka_unit_test(logistic__softmax_is_centred),
        cmocka_unit_test(logistic__separable_points_and_extreme_penalties_converge),
        cmocka_unit_test(logistic__one_point_per_class_and_a_constant_input),
        cmocka_unit_test(logistic__heavy_imbalance_keeps_the_bias),
        cmocka_unit_test(logistic__progress_can_stop_it),
        cmocka_unit_test(logistic__says_when_it_does_not_converge),
        cmocka_unit_test(logistic__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

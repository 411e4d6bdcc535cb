/*
 * test_spread.c -- weights per spread: the minimum is that of training on standardised copies, what is 0 or 1 stays as it
 * is, long tails are learnt from, and a penalty that was asked for means what it says.
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

enum { N = 1500, D = 4, CLASSES = 3, MOST_INPUTS = 130 };
static const tct_inputs inputs = {.n = D};

typedef struct sample {
    double x[D * N]; /* lognormal, Cauchy, 0 or 1, mostly 0; each scaled to [-1, 1] by its ends, but for the third */
    int32_t labels[N];
} sample;

static void scale(double *x)
{
    double least = x[0], most = x[0];

    for (size_t r = 0; r < N; r++) {
        least = fmin(least, x[r]);
        most = fmax(most, x[r]);
    }
    for (size_t r = 0; r < N; r++)
        x[r] = 2 * (x[r] - least) / (most - least) - 1;
}

static void make_sample(sample *s, uint64_t seed, size_t n_classes)
{
    tct_random random;

    tct_random_seed(&random, seed, 0);
    for (size_t r = 0; r < N; r++) {
        double a = exp(2 * tct_random_normal(&random)), b = tct_random_normal(&random) / tct_random_normal(&random);
        double c = (double)tct_random_below(&random, 2);
        double d = tct_random_below(&random, 4) ? 0 : exp(tct_random_normal(&random));
        double score = 1.5 * a - 2 * b + c + d - 3 + tct_random_normal(&random);

        s->x[r] = a;
        s->x[N + r] = b;
        s->x[2 * N + r] = c;
        s->x[3 * N + r] = d;
        s->labels[r] = (score > 0) + (n_classes > 2 && score > 2);
    }
    scale(s->x);
    scale(s->x + N);
    scale(s->x + 3 * N);
}

static void measure(tct_input_spread *spread, const sample *s)
{
    assert_int_equal(tct_spread_init(spread, D, NULL), TACIT_OK);
    for (size_t i = 0; i < D; i++)
        assert_int_equal(tct_spread_measure(spread, i, s->x + i * N, N, NULL), TACIT_OK);
}

static tct_classifier *train(const double *x, const sample *s, size_t n_classes, double l2,
                             const tct_input_spread *spread)
{
    tct_classifier *c = NULL;
    tacit_error err = {0};

    if (tct_train_logistic(&c, x, N, s->labels, N, D, n_classes, l2, spread, 1, NULL, NULL, &err))
        fail_msg("%s", err.message);
    return c;
}

static double share_right(const tct_classifier *c, const sample *s)
{
    size_t right = 0;

    for (size_t r = 0; r < N; r++) {
        double point[D], score;
        for (size_t i = 0; i < D; i++)
            point[i] = s->x[i * N + r];
        c->ops->scores(c, point, 1, &score);
        right += (score >= 0) == (s->labels[r] == 1);
    }
    return (double)right / N;
}

static void spread__equals_standardised_copies(void **state)
{
    static sample s;
    static double copy[D * N];

    (void)state;
    for (size_t n_classes = 2; n_classes <= CLASSES; n_classes++) {
        size_t n_scores = n_classes == 2 ? 1 : n_classes;
        tct_input_spread spread;
        tct_classifier *a, *b;

        make_sample(&s, n_classes, n_classes);
        measure(&spread, &s);
        for (size_t k = 0; k < D * N; k++)
            copy[k] = (s.x[k] - spread.middle[k / N]) / spread.width[k / N];
        a = train(s.x, &s, n_classes, 1, &spread);
        b = train(copy, &s, n_classes, 1, NULL);
        for (size_t k = 0; k < n_scores * D; k++) {
            double w = tct_as_linear(a)->weights[k] * spread.width[k % D], v = tct_as_linear(b)->weights[k];
            assert_true(fabs(w - v) <= 1e-5 * fmax(1, fabs(v)));
        }
        a->ops->free(a);
        b->ops->free(b);
        tct_spread_clear(&spread);
    }
}

static void spread__widths_are_those_of_most_people(void **state)
{
    static sample s;
    static double alike[N];
    tct_input_spread spread;

    (void)state;
    make_sample(&s, 7, 2);
    measure(&spread, &s);
    assert_true(spread.width[0] < 0.05 && spread.width[1] < 0.05); /* tails do not move them */
    assert_true(spread.width[2] == 1 && spread.middle[2] == 0);    /* levels stay as they are */
    assert_true(spread.middle[3] == -1 && spread.width[3] > 0.005 && spread.width[3] < 0.5);
    assert_int_equal(tct_spread_measure(&spread, 2, alike, N, NULL), TACIT_OK);
    assert_true(spread.width[2] == 1 && spread.middle[2] == 0); /* one value only */
    assert_int_equal(tct_spread_measure(&spread, 2, alike, 0, NULL), TACIT_OK);
    tct_spread_clear(&spread);
}

/* As a fit trains a linear model. */
static tacit_status fit(tct_classifier **out, const sample *s, const tacit_fit_options *options, tacit_model_info *info)
{
    const tct_trainer *trainer = NULL;

    assert_int_equal(tct_trainer_find(&trainer, NULL, NULL), TACIT_OK);
    return trainer->train(out, s->x, N, s->labels, N, &inputs, 2, options, info, NULL);
}

/* What a fit does with nothing said is as good as the best of many penalties; a penalty of 1 as it is was not. */
static void spread__long_tails_are_learnt_from(void **state)
{
    static sample s;
    tacit_fit_options options = {.threads = 1};
    tacit_model_info info = {0};
    tct_classifier *c = NULL;
    double usual, best = 0, one;

    (void)state;
    make_sample(&s, 11, 2);
    assert_int_equal(fit(&c, &s, &options, &info), TACIT_OK);
    assert_true(info.standardised && info.l2 == 1);
    usual = share_right(c, &s);
    c->ops->free(c);
    for (double l2 = 1e-6; l2 < 1; l2 *= 10) {
        c = train(s.x, &s, 2, l2, NULL);
        best = fmax(best, share_right(c, &s));
        c->ops->free(c);
    }
    c = train(s.x, &s, 2, 1, NULL);
    one = share_right(c, &s);
    c->ops->free(c);
    assert_true(usual >= best - 0.01);
    assert_true(one < best - 0.05);
}

static void spread__a_penalty_given_is_as_it_is(void **state)
{
    static sample s;
    const tacit_fit_options ways[] = {{.l2 = 1}, {.paper = true}, {.l2 = 1, .paper = true}};
    tct_classifier *plain, *c = NULL;

    (void)state;
    make_sample(&s, 12, 2);
    plain = train(s.x, &s, 2, 1, NULL);
    for (size_t k = 0; k < 3; k++) {
        tacit_model_info info = {0};

        assert_int_equal(fit(&c, &s, &ways[k], &info), TACIT_OK);
        assert_true(!info.standardised && info.l2 == 1);
        assert_memory_equal(tct_as_linear(c)->weights, tct_as_linear(plain)->weights, D * sizeof(double));
        c->ops->free(c);
    }
    plain->ops->free(plain);
}

/* Normal, but for a hundredth of the people, who lie ten thousand times as far: L-BFGS gets stuck in their tails. */
static void make_mixed(double *x, int32_t *labels, size_t n, size_t d, size_t n_classes, uint64_t seed)
{
    tct_random random;

    tct_random_seed(&random, seed, 1);
    for (size_t r = 0; r < n; r++) {
        double score = 0;

        for (size_t i = 0; i < d; i++) {
            x[i * n + r] = tct_random_normal(&random) * (tct_random_below(&random, 100) ? 1 : 1e4);
            score += (i % 2 ? -1 : 1) * x[i * n + r] / sqrt((double)d);
        }
        score += tct_random_normal(&random) / 2;
        for (labels[r] = 0; labels[r] + 1 < (int32_t)n_classes && score > labels[r] - 0.5; labels[r]++)
            ;
    }
    for (size_t i = 0; i < d; i++) {
        double most = 0;

        for (size_t r = 0; r < n; r++)
            most = fmax(most, fabs(x[i * n + r]));
        for (size_t r = 0; r < n; r++)
            x[i * n + r] /= most;
    }
}

static size_t count_right(const tct_classifier *c, const double *x, const int32_t *labels, size_t n, size_t d)
{
    double point[MOST_INPUTS], scores[8];
    size_t right = 0;

    for (size_t r = 0; r < n; r++) {
        size_t best = 0;

        for (size_t i = 0; i < d; i++)
            point[i] = x[i * n + r];
        c->ops->scores(c, point, 1, scores);
        for (size_t s = 1; s < c->n_scores; s++)
            best = scores[s] > scores[best] ? s : best;
        right += (c->n_scores == 1 ? (size_t)(scores[0] >= 0) : best) == (size_t)labels[r];
    }
    return right;
}

static void spread__tails_thousands_of_times_as_long_are_trained_on(void **state)
{
    /* inputs, classes, and how many in a hundred are right at least; many parameters: it may be less, but it comes to an
     * end */
    static const size_t ways[][3] = {{4, 2, 85}, {6, 3, 70}, {4, 5, 50}, {45, 5, 60}, {130, 8, 0}};
    static double x[MOST_INPUTS * N];
    static int32_t labels[N];
    tct_trainer const *trainer = NULL;

    (void)state;
    assert_int_equal(tct_trainer_find(&trainer, NULL, NULL), TACIT_OK);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (uint64_t seed = 1; seed <= (ways[k][2] ? 4 : 1); seed++) {
            const tct_inputs some = {.n = ways[k][0]};
            tacit_fit_options options = {.threads = 1};
            tacit_model_info info = {0};
            tct_classifier *c = NULL;
            tacit_error err = {0};

            make_mixed(x, labels, N, ways[k][0], ways[k][1], seed);
            if (trainer->train(&c, x, N, labels, N, &some, ways[k][1], &options, &info, &err))
                fail_msg("%zu inputs, %zu classes, seed %zu: %s", ways[k][0], ways[k][1], (size_t)seed, err.message);
            if (100 * count_right(c, x, labels, N, ways[k][0]) < ways[k][2] * N)
                fail_msg("%zu inputs, %zu classes, seed %zu: %zu right", ways[k][0], ways[k][1], (size_t)seed,
                         count_right(c, x, labels, N, ways[k][0]));
            c->ops->free(c);
        }
}

enum { FAR_INPUTS = 5, FAR_CLASSES = 5 };

/* Normal, but for one cell of 10^9 in every input, which the first rows have; as a domain from -5 to 10^9 is read. */
static void make_far(double *x, int32_t *labels, uint64_t seed)
{
    double weights[FAR_INPUTS];
    tct_random random;

    tct_random_seed(&random, seed, 2);
    for (size_t i = 0; i < FAR_INPUTS; i++)
        weights[i] = tct_random_normal(&random);
    for (size_t r = 0; r < N; r++) {
        double score = tct_random_normal(&random);

        for (size_t i = 0; i < FAR_INPUTS; i++) {
            double u = r == i ? 1e9 : tct_random_normal(&random);

            x[i * N + r] = 2 * (u + 5) / (1e9 + 5) - 1;
            score += weights[i] * u;
        }
        for (labels[r] = 0; labels[r] + 1 < FAR_CLASSES && score > labels[r] * 1.2 - 1.8; labels[r]++)
            ;
    }
}

/* The far ends make up nearly all of the gradient at the start, beside which that of everybody else is short wherever training
 * stops.  What is learnt is what is learnt from the others alone. */
static void spread__far_ends_do_not_pass_for_everybody(void **state)
{
    static double x[FAR_INPUTS * N];
    static int32_t labels[N];
    const tct_inputs some = {.n = FAR_INPUTS};
    tct_trainer const *trainer = NULL;

    (void)state;
    assert_int_equal(tct_trainer_find(&trainer, NULL, NULL), TACIT_OK);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t right[2];

        make_far(x, labels, seed);
        for (size_t without = 0; without < 2; without++) {
            size_t first = without ? FAR_INPUTS : 0;
            tacit_fit_options options = {.threads = 1};
            tacit_model_info info = {0};
            tct_classifier *c = NULL;
            tacit_error err = {0};

            if (trainer->train(&c, x + first, N, labels + first, N - first, &some, FAR_CLASSES, &options, &info, &err))
                fail_msg("seed %zu: %s", (size_t)seed, err.message);
            right[without] = count_right(c, x, labels, N, FAR_INPUTS);
            c->ops->free(c);
        }
        if (right[0] + N / 100 < right[1])
            fail_msg("seed %zu: %zu right, %zu without far ends", (size_t)seed, right[0], right[1]);
    }
}

/* One cell of 10^9 among small numbers takes nearly all of the domain; the others are learnt from all the same. */
static void spread__one_cell_far_away_hides_nothing(void **state)
{
    static double x[2 * N];
    static int32_t labels[N];
    const tct_inputs some = {.n = 2};
    tacit_fit_options options = {.threads = 1};
    tacit_model_info info = {0};
    tct_classifier *c = NULL;
    const tct_trainer *trainer = NULL;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 5, 0);
    for (size_t r = 0; r < N; r++) {
        double a = tct_random_normal(&random), b = tct_random_normal(&random);

        labels[r] = a - b + tct_random_normal(&random) / 3 > 0;
        x[r] = r == 0 ? 1 : a / 1e9;
        x[N + r] = r == 1 ? 1 : b / 1e9;
    }
    assert_int_equal(tct_trainer_find(&trainer, NULL, NULL), TACIT_OK);
    assert_int_equal(trainer->train(&c, x, N, labels, N, &some, 2, &options, &info, NULL), TACIT_OK);
    assert_true(count_right(c, x, labels, N, 2) > 0.9 * N);
    assert_true(fabs(tct_as_linear(c)->weights[0]) > 2e9); /* as if nobody were there */
    c->ops->free(c);
}

static void spread__memory_may_fail(void **state)
{
    static sample s;
    tacit_fit_options options = {.threads = 1};
    tacit_status st = TACIT_E_MEMORY;

    (void)state;
    make_sample(&s, 13, 2);
    for (size_t k = 1; st == TACIT_E_MEMORY; k++) {
        tacit_model_info info = {0};
        tct_classifier *c = NULL;

        tct_memory_fail_at(k, false);
        st = fit(&c, &s, &options, &info);
        tct_memory_fail_at(0, false);
        assert_true((c != NULL) == (st == TACIT_OK));
        if (c)
            c->ops->free(c);
    }
    assert_int_equal(st, TACIT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread__equals_standardised_copies),
        cmocka_unit_test(spread__widths_are_those_of_most_people),
        cmocka_unit_test(spread__long_tails_are_learnt_from),
        cmocka_unit_test(spread__a_penalty_given_is_as_it_is),
        cmocka_unit_test(spread__tails_thousands_of_times_as_long_are_trained_on),
        cmocka_unit_test(spread__far_ends_do_not_pass_for_everybody),
        cmocka_unit_test(spread__one_cell_far_away_hides_nothing),
        cmocka_unit_test(spread__memory_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

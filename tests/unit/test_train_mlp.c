/*
 * test_train_mlp.c -- training networks: it learns what no linear model can, gives the same bits for the same seed,
 * stops when told to, and says what is wrong.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "train.h"

enum { N = 403, D = 2 }; /* N leaves a short batch for every batch size used here */

/* The corners of a square: the label is whether the two inputs have the same sign, or the quadrant. */
typedef struct sample {
    double x[D * N];
    int32_t labels[N];
    size_t n_classes;
} sample;

static void make_sample(sample *s, size_t n_classes)
{
    tct_random random;

    tct_random_seed(&random, n_classes, 9);
    s->n_classes = n_classes;
    for (size_t r = 0; r < N; r++) {
        double a = 2 * tct_random_uniform(&random) - 1, b = 2 * tct_random_uniform(&random) - 1;
        s->x[r] = a;
        s->x[N + r] = b;
        s->labels[r] = n_classes == 2 ? (a > 0) == (b > 0) : 2 * (a > 0) + (b > 0);
    }
}

static tacit_status train(tct_classifier **out, const sample *s, const tct_mlp_options *options,
                          tct_mlp_outcome *outcome, tacit_error *err)
{
    return tct_train_mlp(out, s->x, N, s->labels, N, D, s->n_classes, options, outcome, NULL, NULL, err);
}

static double accuracy(const tct_classifier *c, const sample *s)
{
    size_t right = 0;

    for (size_t r = 0; r < N; r++) {
        double point[D] = {s->x[r], s->x[N + r]}, f[4];
        c->ops->scores(c, point, 1, f);
        right += tct_label(f, c->n_scores) == (size_t)s->labels[r];
    }
    return (double)right / N;
}

static const size_t HIDDEN[] = {12, 8};
static const tct_mlp_options ADAM = {
    .hidden = HIDDEN, .n_hidden = 2, .epochs = 150, .batch = 32, .rate = 0.01, .adam = true, .seed = 3};

static void train_mlp__learns_what_no_line_separates(void **state)
{
    tct_mlp_options how[3] = {ADAM, ADAM, ADAM};

    (void)state;
    how[1].adam = how[2].adam = false;
    how[1].rate = 0.05;
    how[1].momentum = 0.9;
    how[2].rate = 0.2;
    for (size_t k = 0; k < 6; k++) {
        sample s;
        tct_classifier *c = NULL;
        tct_mlp_outcome outcome;

        make_sample(&s, k < 3 ? 2 : 4);
        assert_int_equal(train(&c, &s, &how[k % 3], &outcome, NULL), TACIT_OK);
        assert_true(accuracy(c, &s) > 0.95);
        assert_true(outcome.loss < 0.15 && outcome.loss > 0);
        assert_int_equal(outcome.epochs, 150);
        c->ops->free(c);
    }
}

static void assert_same(const tct_classifier *a, const tct_classifier *b, bool same)
{
    const tct_mlp *p = tct_as_mlp(a), *q = tct_as_mlp(b);
    bool equal = true;

    for (size_t l = 0; l < p->n_layers; l++)
        equal = equal && !memcmp(p->weights[l], q->weights[l], p->sizes[l] * p->sizes[l + 1] * sizeof(double)) &&
                !memcmp(p->bias[l], q->bias[l], p->sizes[l + 1] * sizeof(double));
    assert_true(equal == same);
}

static void train_mlp__same_seed_same_bits(void **state)
{
    tct_mlp_options options = ADAM, other = ADAM;
    tct_classifier *c[3] = {NULL};
    sample s;

    (void)state;
    make_sample(&s, 4);
    options.epochs = other.epochs = 3;
    other.seed = 4;
    assert_int_equal(train(&c[0], &s, &options, NULL, NULL), TACIT_OK);
    assert_int_equal(train(&c[1], &s, &options, NULL, NULL), TACIT_OK);
    assert_int_equal(train(&c[2], &s, &other, NULL, NULL), TACIT_OK);
    assert_same(c[0], c[1], true);
    assert_same(c[0], c[2], false);
    for (size_t k = 0; k < 3; k++)
        c[k]->ops->free(c[k]);
}

static void train_mlp__any_batch_size_and_no_hidden_layer(void **state)
{
    static const size_t batches[] = {1, 7, 8, 100, N, 10 * N};
    sample s;

    (void)state;
    make_sample(&s, 4);
    for (size_t k = 0; k < sizeof(batches) / sizeof(*batches); k++) {
        tct_mlp_options options = {.epochs = 300, .batch = batches[k], .rate = 0.2};
        tct_classifier *c = NULL;
        assert_int_equal(train(&c, &s, &options, NULL, NULL), TACIT_OK);
        assert_int_equal(tct_as_mlp(c)->n_layers, 1);
        assert_true(accuracy(c, &s) > 0.8); /* quadrants can be told apart by lines */
        c->ops->free(c);
    }
}

static void train_mlp__starts_from_he(void **state)
{
    /* A rate so small that the first weights stay: variance 2 / inputs, biases 0. */
    static const size_t wide[] = {2000, 50};
    tct_mlp_options options = {.hidden = wide, .n_hidden = 2, .epochs = 1, .batch = N, .rate = 1e-300};
    tct_classifier *c = NULL;
    const tct_mlp *mlp;
    sample s;

    (void)state;
    make_sample(&s, 2);
    assert_int_equal(train(&c, &s, &options, NULL, NULL), TACIT_OK);
    mlp = tct_as_mlp(c);
    for (size_t l = 0; l < 2; l++) {
        size_t count = mlp->sizes[l] * mlp->sizes[l + 1];
        double sum = 0, squares = 0, variance = 2 / (double)mlp->sizes[l];
        for (size_t i = 0; i < count; i++) {
            sum += mlp->weights[l][i];
            squares += mlp->weights[l][i] * mlp->weights[l][i];
        }
        assert_true(fabs(sum / (double)count) < 5 * sqrt(variance / (double)count));
        assert_true(fabs(squares / (double)count / variance - 1) < 0.15);
        assert_true(fabs(mlp->bias[l][0]) < 1e-200);
    }
    c->ops->free(c);
}

static void train_mlp__patience_ends_it(void **state)
{
    tct_mlp_options options = ADAM;
    tct_mlp_outcome outcome;
    tct_classifier *c = NULL;
    sample s;

    (void)state;
    make_sample(&s, 2);
    options.epochs = 1000000;
    options.patience = 5;
    options.rate = 1e-12; /* nothing ever improves */
    assert_int_equal(train(&c, &s, &options, &outcome, NULL), TACIT_OK);
    assert_int_equal(outcome.epochs, 6);
    c->ops->free(c);
}

static bool stop_at_three(void *context, uint64_t done, uint64_t total)
{
    uint64_t *seen = context;

    seen[0] = done;
    seen[1] = total;
    return done < 3;
}

static void train_mlp__progress_can_stop_it(void **state)
{
    tct_classifier *c = NULL;
    uint64_t seen[2] = {0};
    tacit_error err;
    sample s;

    (void)state;
    make_sample(&s, 2);
    assert_int_equal(tct_train_mlp(&c, s.x, N, s.labels, N, D, 2, &ADAM, NULL, stop_at_three, seen, &err),
                     TACIT_E_STOPPED);
    assert_null(c);
    assert_int_equal(seen[0], 3);
    assert_int_equal(seen[1], 150);
    assert_non_null(strstr(err.message, "stopped"));
}

static void train_mlp__says_when_it_diverges(void **state)
{
    tct_mlp_options options = ADAM;
    tct_classifier *c = NULL;
    tacit_error err;
    sample s;

    (void)state;
    make_sample(&s, 2);
    options.adam = false;
    options.rate = 1e200;
    assert_int_equal(train(&c, &s, &options, NULL, &err), TACIT_E_INPUT);
    assert_null(c);
    assert_non_null(strstr(err.message, "try a smaller rate (now 1e+200)"));
}

static void train_mlp__rejects_options_that_make_no_sense(void **state)
{
    static const size_t none[] = {3, 0}, wide[] = {TCT_MAX_WIDTH + 1}, deep[TCT_MAX_LAYERS] = {1, 1};
    struct {
        tct_mlp_options options;
        const char *words;
    } cases[] = {
        {{.hidden = none, .n_hidden = 2, .epochs = 1, .batch = 1, .rate = 1}, "1 to 4096 neurons"},
        {{.hidden = wide, .n_hidden = 1, .epochs = 1, .batch = 1, .rate = 1}, "1 to 4096 neurons"},
        {{.hidden = deep, .n_hidden = TCT_MAX_LAYERS, .epochs = 1, .batch = 1, .rate = 1}, "at most 15 hidden layers"},
        {{.epochs = 0, .batch = 1, .rate = 1}, "at least 1"},
        {{.epochs = 1, .batch = 0, .rate = 1}, "at least 1"},
        {{.epochs = 1, .batch = 1, .rate = 0}, "rate"},
        {{.epochs = 1, .batch = 1, .rate = NAN}, "rate"},
        {{.epochs = 1, .batch = 1, .rate = INFINITY}, "rate"},
        {{.epochs = 1, .batch = 1, .rate = 1, .momentum = 1}, "momentum"},
        {{.epochs = 1, .batch = 1, .rate = 1, .momentum = -0.1}, "momentum"},
        {{.epochs = 1, .batch = 1, .rate = 1, .momentum = 0.5, .adam = true}, "exclude"},
        {{.epochs = 1, .batch = 1, .rate = 1, .l2 = -1}, "l2"},
        {{.epochs = 1, .batch = 1, .rate = 1, .l2 = NAN}, "l2"},
    };
    tct_classifier *c = NULL;
    tacit_error err;
    sample s;

    (void)state;
    make_sample(&s, 2);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        assert_int_equal(train(&c, &s, &cases[k].options, NULL, &err), TACIT_E_USAGE);
        assert_null(c);
        if (!strstr(err.message, cases[k].words))
            fail_msg("expected '%s' in: %s", cases[k].words, err.message);
    }
    assert_int_equal(tct_train_mlp(&c, s.x, N, s.labels, 0, D, 2, &ADAM, NULL, NULL, NULL, &err), TACIT_E_USAGE);
}

static void train_mlp__rejects_first_weights_of_another_shape(void **state)
{
    tct_mlp_options options = ADAM;
    tct_classifier *c = NULL, *small = NULL;
    const double w[] = {1, 2}, b[] = {0}, *weights[] = {w}, *bias[] = {b};
    tacit_error err;
    sample s;

    (void)state;
    make_sample(&s, 2);
    assert_int_equal(tct_mlp_new(&small, 2, 1, (size_t[]){2, 1}, weights, bias, NULL), TACIT_OK);
    options.start = tct_as_mlp(small);
    assert_int_equal(train(&c, &s, &options, NULL, &err), TACIT_E_USAGE);
    assert_null(c);
    assert_non_null(strstr(err.message, "another shape"));
    small->ops->free(small);
}

static void train_mlp__survives_lack_of_memory(void **state)
{
    tct_mlp_options options = ADAM;
    tct_classifier *c = NULL;
    tacit_status st = TACIT_E_MEMORY;
    uint64_t nth = 1;
    sample s;

    (void)state;
    make_sample(&s, 4);
    options.epochs = 1;
    for (; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = train(&c, &s, &options, NULL, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (c != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    assert_true(nth > 6);
    c->ops->free(c);
}

static void train_mlp__takes_all_memory_before_the_first_step(void **state)
{
    uint64_t counts[2];
    sample s;

    (void)state;
    make_sample(&s, 2);
    for (size_t k = 0; k < 2; k++) {
        tct_mlp_options options = ADAM;
        tct_classifier *c = NULL;
        options.epochs = k ? 20 : 1;
        tct_memory_fail_at(0, false);
        assert_int_equal(train(&c, &s, &options, NULL, NULL), TACIT_OK);
        counts[k] = tct_memory_count();
        c->ops->free(c);
    }
    assert_int_equal(counts[0], counts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(train_mlp__learns_what_no_line_separates),
        cmocka_unit_test(train_mlp__same_seed_same_bits),
        cmocka_unit_test(train_mlp__any_batch_size_and_no_hidden_layer),
        cmocka_unit_test(train_mlp__starts_from_he),
        cmocka_unit_test(train_mlp__patience_ends_it),
        cmocka_unit_test(train_mlp__progress_can_stop_it),
        cmocka_unit_test(train_mlp__says_when_it_diverges),
        cmocka_unit_test(train_mlp__rejects_options_that_make_no_sense),
        cmocka_unit_test(train_mlp__rejects_first_weights_of_another_shape),
        cmocka_unit_test(train_mlp__survives_lack_of_memory),
        cmocka_unit_test(train_mlp__takes_all_memory_before_the_first_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

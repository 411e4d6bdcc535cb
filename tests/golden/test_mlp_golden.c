/*
 * test_mlp_golden.c -- scores, gradients and training of ReLU networks against numpy (make_mlp.py).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "mlp_golden.h"
#include "train.h"

enum { EPOCHS = 4, BATCH = 8, MAX_LAYERS = 3, MAX_NUMBERS = 1000 };
static const double TOLERANCE = 1e-12;

/* One golden network. */
typedef struct golden {
    size_t n_layers, n_points, n_classes;
    const size_t *sizes;
    const int32_t *labels;
    const double *start, *x, *scores, *jacobian;
} golden;

static const golden TWO = {two_layers, two_points, 2,          two_sizes,   two_labels,
                           two_start,  two_x,      two_scores, two_jacobian};
static const golden THREE = {three_layers, three_points,  3, three_sizes, three_labels, three_start, three_x,
                             three_scores, three_jacobian};

static void assert_near(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= TOLERANCE * fmax(1, fabs(b[i]))))
            fail_msg("number %zu: %.17g, expected %.17g", i, a[i], b[i]);
    }
}

static tct_classifier *start_network(const golden *g)
{
    const double *weights[MAX_LAYERS], *bias[MAX_LAYERS], *at = g->start;
    tct_classifier *c = NULL;

    for (size_t l = 0; l < g->n_layers; l++) {
        weights[l] = at;
        bias[l] = at + g->sizes[l] * g->sizes[l + 1];
        at = bias[l] + g->sizes[l + 1];
    }
    assert_int_equal(tct_mlp_new(&c, g->n_classes, g->n_layers, g->sizes, weights, bias, NULL), TACIT_OK);
    return c;
}

static void compare_scores(const golden *g)
{
    tct_classifier *c = start_network(g);
    double f[MAX_NUMBERS], j[MAX_NUMBERS];

    c->ops->scores(c, g->x, g->n_points, f);
    c->ops->gradient(c, g->x, g->n_points, j);
    assert_near(f, g->scores, g->n_points * c->n_scores);
    assert_near(j, g->jacobian, g->n_points * c->n_scores * c->n_inputs);
    c->ops->free(c);
}

static void compare_training(const golden *g, tct_mlp_options options, const double *losses, const double *end)
{
    tct_classifier *start = start_network(g), *c = NULL;
    size_t d = g->sizes[0], n = g->n_points;
    double x[MAX_NUMBERS];
    const tct_mlp *mlp;
    tacit_error err = {0};

    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < d; i++)
            x[i * n + r] = g->x[r * d + i];
    }
    options.hidden = g->sizes + 1;
    options.n_hidden = g->n_layers - 1;
    options.batch = BATCH;
    options.in_order = true;
    options.start = tct_as_mlp(start);
    for (options.epochs = 1; options.epochs <= EPOCHS; options.epochs++) {
        tct_mlp_outcome outcome;
        if (c)
            c->ops->free(c);
        if (tct_train_mlp(&c, x, n, g->labels, n, d, g->n_classes, &options, &outcome, NULL, NULL, &err))
            fail_msg("%s", err.message);
        assert_int_equal(outcome.epochs, options.epochs);
        assert_near(&outcome.loss, losses + options.epochs - 1, 1);
    }
    mlp = tct_as_mlp(c);
    for (size_t l = 0; l < g->n_layers; l++) {
        size_t count = g->sizes[l] * g->sizes[l + 1];
        assert_near(mlp->weights[l], end, count);
        assert_near(mlp->bias[l], end + count, g->sizes[l + 1]);
        end += count + g->sizes[l + 1];
    }
    c->ops->free(c);
    start->ops->free(start);
}

static void mlp_golden__scores_and_gradients(void **state)
{
    (void)state;
    compare_scores(&TWO);
    compare_scores(&THREE);
}

static void mlp_golden__plain_descent(void **state)
{
    (void)state;
    compare_training(&TWO, (tct_mlp_options){.rate = 0.1}, two_plain_losses, two_plain_end);
    compare_training(&THREE, (tct_mlp_options){.rate = 0.1}, three_plain_losses, three_plain_end);
}

static void mlp_golden__descent_with_a_penalty(void **state)
{
    (void)state;
    compare_training(&TWO, (tct_mlp_options){.rate = 0.1, .l2 = 3}, two_penalty_losses, two_penalty_end);
    compare_training(&THREE, (tct_mlp_options){.rate = 0.1, .l2 = 3}, three_penalty_losses, three_penalty_end);
}

static void mlp_golden__momentum(void **state)
{
    (void)state;
    compare_training(&TWO, (tct_mlp_options){.rate = 0.02, .momentum = 0.9}, two_momentum_losses, two_momentum_end);
    compare_training(&THREE, (tct_mlp_options){.rate = 0.02, .momentum = 0.9}, three_momentum_losses,
                     three_momentum_end);
}

static void mlp_golden__adam(void **state)
{
    (void)state;
    compare_training(&TWO, (tct_mlp_options){.rate = 0.01, .adam = true}, two_adam_losses, two_adam_end);
    compare_training(&THREE, (tct_mlp_options){.rate = 0.01, .adam = true}, three_adam_losses, three_adam_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mlp_golden__scores_and_gradients),
        cmocka_unit_test(mlp_golden__plain_descent),
        cmocka_unit_test(mlp_golden__descent_with_a_penalty),
        cmocka_unit_test(mlp_golden__momentum),
        cmocka_unit_test(mlp_golden__adam),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

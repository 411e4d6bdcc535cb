/*
 * choose_l2.c -- how much penalty a network's weights should bear, found out on points left out of training.
 *
 * The points are dealt out into four parts at random.  For every penalty on the list a network is trained on three parts
 * and its log loss measured on the fourth, with each part left out in turn; where there are many points, one part left
 * out says enough.  The penalty of the lowest loss is taken, of equals the larger one, and the network is trained on all
 * points with it.
 *
 * The trainings are independent and may run on any thread; sums are formed in one order.  With few points there is
 * nothing to be found out, and a middling penalty is taken.
 */
#include <math.h>
#include <stdint.h>

#include "train.h"

enum { PARTS = 4, FEW = 20, MANY = 4000 };
static const double PENALTIES[] = {20, 10, 5, 2, 0.5};
static const double MIDDLING = 1;
enum { N_PENALTIES = sizeof(PENALTIES) / sizeof(*PENALTIES) };
static const uint64_t DEALING = 0x6d6c7033; /* stream of random numbers */

/* All trainings of one choice, the last one included. */
typedef struct choice {
    const double *x;
    size_t stride, n, d, n_classes;
    const int32_t *labels;
    const tct_mlp_options *options;
    uint8_t *part; /* of each point */
    size_t turns;  /* parts that are left out */
    tacit_progress progress;
    void *context;
    uint64_t done, total; /* epochs */
    bool stopped;
} choice;

/* An epoch of some training is over. */
static bool count_epoch(void *context, uint64_t done, uint64_t total)
{
    choice *c = context;
    bool go_on;

    (void)done;
    (void)total;
#pragma omp critical(tct_choose_l2)
    {
        c->done++;
        if (c->progress && !c->stopped)
            c->stopped = !c->progress(c->context, c->done, c->total);
        go_on = !c->stopped;
    }
    return go_on;
}

/* Equal parts in random order. */
static void deal(choice *c, uint64_t seed)
{
    tct_random random;

    tct_random_seed(&random, seed, DEALING);
    for (size_t r = 0; r < c->n; r++)
        c->part[r] = (uint8_t)(r % PARTS);
    for (size_t k = c->n; k > 1; k--) {
        size_t other = (size_t)tct_random_below(&random, k);
        uint8_t kept = c->part[k - 1];
        c->part[k - 1] = c->part[other];
        c->part[other] = kept;
    }
}

/* Points that are not in part `out`, one input after the other. */
static void gather(const choice *c, size_t out, double *x, int32_t *labels, size_t m)
{
    for (size_t i = 0; i < c->d; i++) {
        size_t to = 0;
        for (size_t r = 0; r < c->n; r++) {
            if (c->part[r] != out)
                x[i * m + to++] = c->x[i * c->stride + r];
        }
    }
    for (size_t r = 0, to = 0; r < c->n; r++) {
        if (c->part[r] != out)
            labels[to++] = c->labels[r];
    }
}

/* Sum of log losses over part `out`. */
static double measure(const choice *c, const tct_classifier *network, size_t out, double *point, double *scores)
{
    double loss = 0;

    for (size_t r = 0; r < c->n; r++) {
        if (c->part[r] != out)
            continue;
        for (size_t i = 0; i < c->d; i++)
            point[i] = c->x[i * c->stride + r];
        network->ops->scores(network, point, 1, scores);
        loss += tct_log_losses(&c->labels[r], 1, network->n_scores, scores, 1);
    }
    return loss;
}

/* Train without part `out`, measure on it.  A training that diverges has an infinite loss. */
static tacit_status try_penalty(choice *c, double l2, size_t out, double *loss, tacit_error *err)
{
    size_t m = 0, d = c->d;
    tct_mlp_options options = *c->options;
    tct_classifier *network = NULL;
    double *x, *point, *scores;
    int32_t *labels;
    tacit_status st;

    for (size_t r = 0; r < c->n; r++)
        m += c->part[r] != out;
    x = tct_malloc(m, d * sizeof(double));
    labels = tct_malloc(m, sizeof(int32_t));
    point = tct_malloc(d, sizeof(double));
    scores = tct_malloc(c->n_classes, sizeof(double));
    st = x && labels && point && scores ? TACIT_OK : tct_fail_memory(err);
    if (!st) {
        gather(c, out, x, labels, m);
        options.l2 = l2;
        st = tct_train_mlp(&network, x, m, labels, m, d, c->n_classes, &options, NULL, count_epoch, c, err);
    }
    if (!st)
        *loss = measure(c, network, out, point, scores);
    if (network)
        network->ops->free(network);
    tct_free_wiped(x, m * d * sizeof(double));
    tct_free_wiped(labels, m * sizeof(int32_t));
    tct_free_wiped(point, d * sizeof(double));
    tct_free_wiped(scores, c->n_classes * sizeof(double));
    return st == TACIT_E_INPUT ? TACIT_OK : st;
}

static tacit_status choose(choice *c, size_t threads, double *l2, tacit_error *err)
{
    int n_threads = (int)tacit_threads(threads);
    size_t n_jobs = N_PENALTIES * c->turns, failed = SIZE_MAX;
    double losses[N_PENALTIES * PARTS], best = INFINITY;
    tacit_status st = TACIT_OK;

    for (size_t k = 0; k < n_jobs; k++)
        losses[k] = INFINITY;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t k = 0; k < n_jobs; k++) {
        tacit_error error = {0};
        tacit_status result = try_penalty(c, PENALTIES[k / c->turns], k % c->turns, &losses[k], &error);
#pragma omp critical(tct_choose_l2_failed)
        if (result && k < failed) {
            failed = k;
            st = result;
            if (err)
                *err = error;
        }
    }
    *l2 = MIDDLING;
    for (size_t p = 0; p < N_PENALTIES && !st; p++) {
        double sum = 0;
        for (size_t k = 0; k < c->turns; k++)
            sum += losses[p * c->turns + k];
        if (sum < best) {
            best = sum;
            *l2 = PENALTIES[p];
        }
    }
    return st;
}

tacit_status tct_train_mlp_chosen(tct_classifier **out, double *l2, const double *x, size_t stride,
                                  const int32_t *labels, size_t n, size_t n_inputs, size_t n_classes,
                                  const tct_mlp_options *options, size_t threads, tct_mlp_outcome *outcome,
                                  tacit_progress progress, void *context, tacit_error *err)
{
    tct_mlp_options last = *options;
    choice c = {.x = x,
                .stride = stride,
                .n = n,
                .d = n_inputs,
                .n_classes = n_classes,
                .labels = labels,
                .options = options,
                .turns = n < FEW    ? 0
                         : n < MANY ? PARTS
                                    : 1,
                .progress = progress,
                .context = context};
    tacit_status st = TACIT_OK;

    *out = NULL;
    *l2 = MIDDLING;
    c.total = (N_PENALTIES * c.turns + 1) * options->epochs;
    if (c.turns) {
        c.part = tct_malloc(n, 1);
        if (!c.part)
            return tct_fail_memory(err);
        deal(&c, options->seed);
        st = choose(&c, threads, l2, err);
        tct_free(c.part);
    }
    last.l2 = *l2;
    if (!st)
        st = tct_train_mlp(out, x, stride, labels, n, n_inputs, n_classes, &last, outcome, count_epoch, &c, err);
    return st;
}

/*
 * descent.h -- one network on its way down: its weights, their gradient over a batch, and a step.
 *
 * Internal to the training of networks (train_mlp.c).
 */
#ifndef TCT_DESCENT_H
#define TCT_DESCENT_H

#include "train.h"

/* What is learnt from. */
typedef struct tct_points {
    size_t n, d;
    const double *rows; /* n x d, row-major */
    const int32_t *labels;
} tct_points;

typedef struct tct_descent {
    const tct_mlp_options *options;
    const tct_points *points;
    size_t n_layers, sizes[TCT_MAX_LAYERS + 1], n_parameters;
    size_t lanes;   /* room for points of a batch */
    size_t *order;  /* of the points */
    int32_t *batch; /* labels of the batch */
    double *block;  /* all that follows, n_block doubles */
    size_t n_block;
    double *parameters, *gradient, *first, *second;         /* weights and biases; their gradient; running moments */
    double *weights[TCT_MAX_LAYERS], *bias[TCT_MAX_LAYERS]; /* in parameters */
    double *to_weights[TCT_MAX_LAYERS], *to_bias[TCT_MAX_LAYERS]; /* in gradient */
    double *values[TCT_MAX_LAYERS + 1]; /* [l]: sizes[l] runs of lanes; the last: scores, then residuals */
    double *back[2];                    /* derivatives by the values of a layer */
    uint64_t steps;
} tct_descent;

/* Takes all memory.  tct_descent_clear is allowed after a failure too. */
tacit_status tct_descent_init(tct_descent *t, const tct_points *points, size_t n_classes,
                              const tct_mlp_options *options, tacit_error *err);
void tct_descent_clear(tct_descent *t); /* wipes */

/* A new order of the points. */
void tct_descent_shuffle(tct_descent *t, tct_random *random);
/* Once through all points in their order, a step of length `rate` after every batch; returns the mean loss met. */
double tct_descent_epoch(tct_descent *t, double rate);

/* Inner loops, for tests: those in use are the best the machine has, and give the same bits as the plain ones. */
typedef struct tct_descent_loops {
    /* out_j = bias_j + sum over i of w[j * row + i * column] in_i, for runs of `lanes` (a multiple of 8); bias NULL: 0 */
    void (*combine)(const double *w, size_t row, size_t column, const double *bias, size_t n_in, size_t n_out,
                    const double *restrict in, double *restrict out, size_t lanes);
    /* out[j * n_in + i] = sum over the lanes of delta_j in_i; sums[j] = sum of delta_j */
    void (*outer)(const double *restrict delta, const double *restrict in, size_t n_in, size_t n_out, size_t lanes,
                  double *restrict out, double *restrict sums);
    /* Step number `steps`, from 1, by Adam's rule. */
    void (*adam)(double *restrict w, double *restrict first, double *restrict second, const double *restrict g,
                 size_t n, double rate, uint64_t steps);
} tct_descent_loops;
const tct_descent_loops *tct_descent_best(void);

#endif

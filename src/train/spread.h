/*
 * spread.h -- training: how far an input usually lies from its middle, and weights per spread.
 */
#ifndef TCT_SPREAD_H
#define TCT_SPREAD_H

#include "base.h"

/* Input i is read as (x - middle[i]) / width[i]; 0 and 1: as it is. */
typedef struct tct_input_spread {
    size_t n_inputs;
    double *middle, *width; /* width: above 0, at most 1 */
} tct_input_spread;

/* All inputs as they are, until they are measured. */
tacit_status tct_spread_init(tct_input_spread *spread, size_t n_inputs, tacit_error *err);
/* Measure input i on n values. */
tacit_status tct_spread_measure(tct_input_spread *spread, size_t i, const double *x, size_t n, tacit_error *err);
void tct_spread_clear(tct_input_spread *spread);

/* Weights (n_scores x n_inputs, then n_scores biases) for inputs that are read so, into weights for inputs as they are. */
void tct_spread_to_plain(const tct_input_spread *spread, const double *weights, size_t n_scores, double *plain);
/* A gradient with respect to the latter into one with respect to the former, in place. */
void tct_spread_gradient(const tct_input_spread *spread, double *gradient, size_t n_scores);
/* The same for a Hessian of one score (lower triangle, rows of n_inputs + 1, the bias last). */
void tct_spread_hessian(const tct_input_spread *spread, double *hessian);

#endif

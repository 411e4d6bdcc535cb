/*
 * newton.h -- the minimum of a logistic objective by damped Newton steps with the Hessian itself.
 */
#ifndef TCT_NEWTON_H
#define TCT_NEWTON_H

#include "train.h"

/* Sum of log losses + l2/2 |weights|^2, biases free; weights per spread, NULL: of the inputs as they are. */
typedef struct tct_newton {
    const double *x; /* column c of point r: x[c * stride + r] */
    size_t stride, n, d, n_scores;
    const tct_levelled *levels; /* NULL: every input is a column of its own number */
    const int32_t *labels;
    double l2;
    const tct_input_spread *spread;
    tacit_progress progress;
    void *context;
} tct_newton;

/* Few enough parameters for a matrix of them, to which n points are added? */
bool tct_newton_small(size_t n, size_t n_inputs, size_t n_scores);
/* From w (n_scores x d weights, then n_scores biases) on, never up.  *found: the minimum, since the gradient is not longer than
 * `flat`, or a Newton step promises next to nothing. */
tacit_status tct_newton_minimise(const tct_newton *p, double *w, double flat, bool *found, tacit_error *err);
/* Solve matrix * step = v by Cholesky, from the lower triangle and in place; false: it is not positive definite. */
bool tct_newton_solve(double *matrix, const double *v, size_t q, double *step);

#endif

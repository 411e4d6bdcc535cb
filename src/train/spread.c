/*
 * spread.c -- how far an input usually lies from its middle, and weights per spread.
 *
 * Inputs are encoded to [-1, 1] by the ends of their domains.  An amount with a long tail lies in a thousandth of that for
 * nearly everybody, so a weight that matters has to be large, and a squared penalty forbids it.  Penalised is therefore what
 * an input does when it moves by its own width: the weight of u = (x - middle) / width.
 *
 * Middle is the median, and width the median distance from it of those who are not at it: no tail moves either, unlike a
 * variance, and an amount that is 0 for most people has the width of the others.  A 0-or-1 input has width 1, so levels of
 * categories are penalised as they are, rare ones too; no width is above 1, so nobody's weight is penalised more than without.
 * Widths need not be exact: a few thousand values, evenly spaced over the rows, are looked at.
 *
 * Points are not copied: weights w for u are w / width for x, with w middle / width taken off the bias, and gradients and
 * Hessians follow by the chain rule.  The weights that are sought have inputs of one size then, which L-BFGS needs too.
 */
#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 };
static const double NARROWEST =
    1.0 / ((int64_t)1 << 36); /* sums of inputs as they are tell no more of what is narrower */

tacit_status tct_spread_init(tct_input_spread *spread, size_t n_inputs, tacit_error *err)
{
    *spread = (tct_input_spread){.n_inputs = n_inputs, .middle = tct_calloc(2 * n_inputs + 1, sizeof(double))};
    if (!spread->middle)
        return tct_fail_memory(err);
    spread->width = spread->middle + n_inputs;
    for (size_t i = 0; i < n_inputs; i++)
        spread->width[i] = 1;
    return TACIT_OK;
}

void tct_spread_clear(tct_input_spread *spread)
{
    tct_free_wiped(spread->middle, spread->middle ? 2 * spread->n_inputs * sizeof(double) : 0);
    *spread = (tct_input_spread){0};
}

tacit_status tct_spread_measure(tct_input_spread *spread, size_t i, const double *x, size_t n, tacit_error *err)
{
    size_t m = n < LOOKED_AT ? n : LOOKED_AT, away = 0;
    double *values = tct_malloc(m + 1, sizeof *values), middle, width;

    if (!values)
        return tct_fail_memory(err);
    for (size_t k = 0; k < m; k++)
        values[k] = x[(size_t)((double)k * ((double)n / (double)m))];
    qsort(values, m, sizeof *values, tct_compare_doubles);
    middle = m > 0 ? values[m / 2] : 0;
    for (size_t k = 0; k < m; k++)
        if (values[k] != middle)
            values[away++] = fabs(values[k] - middle);
    qsort(values, away, sizeof *values, tct_compare_doubles);
    width = away > 0 ? fmax(values[away / 2], NARROWEST) : 1;
    if (width < 1) {
        spread->middle[i] = middle;
        spread->width[i] = width;
    }
    tct_free_wiped(values, (m + 1) * sizeof *values);
    return TACIT_OK;
}

void tct_spread_to_plain(const tct_input_spread *spread, const double *weights, size_t n_scores, double *plain)
{
    size_t d = spread->n_inputs;

    for (size_t s = 0; s < n_scores; s++) {
        double bias = weights[n_scores * d + s];

        for (size_t i = 0; i < d; i++) {
            plain[s * d + i] = weights[s * d + i] / spread->width[i];
            bias -= plain[s * d + i] * spread->middle[i];
        }
        plain[n_scores * d + s] = bias;
    }
}

void tct_spread_gradient(const tct_input_spread *spread, double *gradient, size_t n_scores)
{
    size_t d = spread->n_inputs;

    for (size_t s = 0; s < n_scores; s++)
        for (size_t i = 0; i < d; i++) {
            double *own = &gradient[s * d + i];
            *own = (*own - spread->middle[i] * gradient[n_scores * d + s]) / spread->width[i];
        }
}

void tct_spread_hessian(const tct_input_spread *spread, double *hessian)
{
    size_t d = spread->n_inputs, q = d + 1;
    double *last = hessian + d * q; /* the bias's row */

    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double *own = &hessian[i * q + j], mi = spread->middle[i], mj = spread->middle[j];
            *own = (*own - mi * last[j] - mj * last[i] + mi * mj * last[d]) / (spread->width[i] * spread->width[j]);
        }
    for (size_t j = 0; j < d; j++)
        last[j] = (last[j] - spread->middle[j] * last[d]) / spread->width[j];
}

/*
 * cholesky.c -- solving with positive definite matrices.
 */
#include <math.h>

#include "logit.h"

enum { LANES = 4 }; /* independent sums in a dot product */

static double dot(const double *restrict a, const double *restrict b, size_t n)
{
    double sums[LANES] = {0};
    size_t i = 0;

    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sums[k] += a[i + k] * b[i + k];
    for (size_t k = 0; i < n; i++, k++)
        sums[k] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

bool tct_cholesky(double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = matrix + i * n, rest;

        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - dot(row, matrix + j * n, j)) / matrix[j * n + j];
        rest = row[i] - dot(row, row, i);
        if (!(rest > 0 && isfinite(rest)))
            return false;
        row[i] = sqrt(rest);
    }
    return true;
}

void tct_cholesky_solve(const double *factor, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (x[i] - dot(factor + i * n, x, i)) / factor[i * n + i];
    for (size_t i = n; i-- > 0;) {
        const double *row = factor + i * n;

        x[i] /= row[i];
        for (size_t j = 0; j < i; j++)
            x[j] -= row[j] * x[i];
    }
}

/*
 * matrix.c -- mean and covariance of many points.
 *
 * The order of every sum is fixed by the data alone: each mean and each pair of inputs is summed by one thread, block
 * of rows after block of rows, in LANES interleaved partial sums (which also lets the compiler use vectors without
 * being allowed to reorder).  Threads share out tiles of TILE x TILE pairs; a tile centres its columns of a block once
 * and uses them TILE times, so that memory is not what it waits for.
 */
#include "num.h"

#include <math.h>
#include <omp.h>

#define BLOCK 256
#define LANES 8
#define TILE 8

static double add_lanes(const double lanes[LANES])
{
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* Sum of x[r] - shift over n points. */
static double sum_shifted(const double *x, size_t n, double shift)
{
    double total = 0.0;

    for (size_t start = 0; start < n; start += BLOCK) {
        size_t size = n - start < BLOCK ? n - start : BLOCK;
        double lanes[LANES] = {0};
        size_t r = 0;

        for (; r + LANES <= size; r += LANES)
            for (size_t l = 0; l < LANES; l++)
                lanes[l] += x[start + r + l] - shift;
        for (; r < size; r++)
            lanes[r % LANES] += x[start + r] - shift;
        total += add_lanes(lanes);
    }
    return total;
}

/* Copy a block of `size` values less their mean, filled up to BLOCK with zeros. */
static void centre_block(const double *x, size_t size, double mean, double out[BLOCK])
{
    for (size_t r = 0; r < size; r++)
        out[r] = x[r] - mean;
    for (size_t r = size; r < BLOCK; r++)
        out[r] = 0.0;
}

static double dot_block(const double a[BLOCK], const double b[BLOCK])
{
    double lanes[LANES] = {0};

    for (size_t r = 0; r < BLOCK; r += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] += a[r + l] * b[r + l];
    return add_lanes(lanes);
}

/* Covariances of inputs first_i ... with inputs first_j ..., where first_i <= first_j. */
static void fill_tile(const double *x, size_t stride, size_t n, size_t d, const double *mean, double *cov,
                      size_t first_i, size_t first_j)
{
    size_t n_i = d - first_i < TILE ? d - first_i : TILE, n_j = d - first_j < TILE ? d - first_j : TILE;
    double a[TILE][BLOCK], b[TILE][BLOCK], sums[TILE][TILE] = {{0}};

    for (size_t start = 0; start < n; start += BLOCK) {
        size_t size = n - start < BLOCK ? n - start : BLOCK;

        for (size_t i = 0; i < n_i; i++)
            centre_block(x + (first_i + i) * stride + start, size, mean[first_i + i], a[i]);
        for (size_t j = 0; j < n_j; j++)
            centre_block(x + (first_j + j) * stride + start, size, mean[first_j + j], b[j]);
        for (size_t i = 0; i < n_i; i++)
            for (size_t j = first_i == first_j ? i : 0; j < n_j; j++)
                sums[i][j] += dot_block(a[i], b[j]);
    }
    for (size_t i = 0; i < n_i; i++)
        for (size_t j = first_i == first_j ? i : 0; j < n_j; j++)
            cov[(first_i + i) * d + first_j + j] = cov[(first_j + j) * d + first_i + i] = sums[i][j] / (double)n;
}

void tct_moments(const double *x, size_t stride, size_t n, size_t d, double *mean, double *cov, size_t threads)
{
    size_t tiles = (d + TILE - 1) / TILE;
    int team = threads > 0 ? (int)threads : omp_get_max_threads();

    if (n == 0) {
        for (size_t i = 0; i < d; i++)
            mean[i] = 0.0;
        for (size_t i = 0; i < d * d; i++)
            cov[i] = 0.0;
        return;
    }
#pragma omp parallel num_threads(team)
    {
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < d; i++) {
            double first = sum_shifted(x + i * stride, n, 0.0) / (double)n;

            /* A second pass takes away the rounding of the first: the mean of a constant is that constant. */
            mean[i] = first + sum_shifted(x + i * stride, n, first) / (double)n;
        }
#pragma omp for schedule(dynamic)
        for (size_t t = 0; t < tiles * tiles; t++)
            if (t / tiles <= t % tiles)
                fill_tile(x, stride, n, d, mean, cov, t / tiles * TILE, t % tiles * TILE);
    }
}

/*
 * lanes.c -- sums of products of many people.
 */
#include "lanes.h"

#define LOOPS "lanes_loops.h"
#include "simd_levels.h"

uint64_t tct_lanes_total(const double *counts)
{
    uint64_t sum = 0;

    for (size_t p = 0; p < TCT_EIGHT; p++)
        sum += (uint64_t)counts[p];
    return sum;
}

void tct_lanes_affine(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                      const double *x, size_t stride, size_t n)
{
    TCT_SIMD_PICK(affine)(out, start, coefficient, input, m, x, stride, n);
}

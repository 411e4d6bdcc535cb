/*
 * lanes.h -- people side by side: one per lane of a vector.
 *
 * Loops that treat people so are written once and compiled for each kind of processor (simd_levels.h).
 */
#ifndef TCT_LANES_H
#define TCT_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "simd.h"

/* People whose figures lie side by side are rounded up to a multiple of this: whole vectors at every level. */
enum { TCT_EIGHT = 8 };

/* What the lanes have counted, together: TCT_EIGHT whole numbers, of which narrow levels use the first. */
uint64_t tct_lanes_total(const double *counts);

/* out[p] = start + sum_i coefficient[i] x[input[i] * stride + p] for p < n, i ascending; input NULL: 0, 1, 2, ... */
void tct_lanes_affine(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                      const double *x, size_t stride, size_t n);

#endif

/*
 * lanes.h -- eight people side by side.
 *
 * Loops that treat people side by side are written once and compiled for each kind of processor (simd.h).
 */
#ifndef TCT_LANES_H
#define TCT_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "simd.h"

/* Eight people side by side.  Operators work lane by lane; comparisons give all ones where true. */
enum { TCT_EIGHT = 8 };
typedef double tct_eight __attribute__((vector_size(64)));
typedef int64_t tct_eight_mask __attribute__((vector_size(64)));
typedef double tct_eight_loose __attribute__((vector_size(64), aligned(8), may_alias)); /* in memory */
#define TCT_LOAD(from) (*(const tct_eight_loose *)(const void *)(from))
#define TCT_STORE(to, value) (*(tct_eight_loose *)(void *)(to) = (value))
#define TCT_ALL(value) ((value) - (tct_eight){0}) /* the same in every lane */
#define TCT_MAGNITUDE(v) ((tct_eight)((tct_eight_mask)(v)&INT64_MAX))
#define TCT_SELECT(mask, yes, no)                                                                                      \
    ((tct_eight)(((tct_eight_mask)(mask) & (tct_eight_mask)(yes)) | (~(tct_eight_mask)(mask) & (tct_eight_mask)(no))))

/* out[p] = start + sum_i coefficient[i] x[input[i] * stride + p] for p < n, i ascending; input NULL: 0, 1, 2, ... */
void tct_lanes_affine(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                      const double *x, size_t stride, size_t n);

#endif

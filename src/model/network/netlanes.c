/*
 * netlanes.c -- inner loops of bounding a network, numbers side by side.
 *
 * The loops are written once with vectors of the compiler and compiled for several instruction sets; products and
 * sums are never contracted, and a sum over a row is kept in eight lanes which are joined in one fixed order.  So all
 * versions give the same bits.
 *
 * A NaN must never vanish: a coefficient that is NaN counts as "not negative", and NaN times anything stays NaN.
 */
#include "netlanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define VECTORS_OF_BLOCK (TCT_LANES / LANES)

static const int64_t OPEN = TCT_PHASE_OPEN, ACTIVE = TCT_PHASE_ACTIVE, DEAD = TCT_PHASE_DEAD;

#define LOOPS "netlanes_loops.h"
#include "simd_levels.h"

const tct_lanes *tct_lanes_best(void)
{
    return TCT_SIMD_PICK(&version);
}

/*
 * odds_lanes.c -- who wins, for eight mean scores side by side.
 *
 * The loops are written once with vectors of the compiler and compiled for several instruction sets; products and
 * sums are never contracted, so all versions give the same bits.  exp, log and Phi are good to about 1e-8: Phi(-y) is
 * exp of a polynomial (fitted so that the absolute error is even), which makes exp(a) Phi(b) one exponential.
 *
 * A class that is behind by FAR standard deviations in all lanes counts as impossible, a margin that is ahead by as
 * much as decided: each is an error below 1e-7.
 */
#include <math.h>
#include <stdint.h>

#include "num.h"
#include "odds.h"
#include "simd.h"

#define TWO_PI 6.283185307179586
#define SQRT_2PI 2.5066282746310002
#define FAR 5.4
#define END 8.0           /* limits beyond this are at it */
#define PHI_END 7.0       /* of the polynomial */
#define LEAST (-80.0)     /* exp of less is that */
#define CLOSE_ENOUGH 1e-8 /* as good as exp, log and Phi are */
#define VECTORS_OF_BLOCK (TCT_ODDS_LANES / LANES)

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define LOOPS "odds_loops.h"
#include "simd_levels.h"

const tct_odds_loops *tct_odds_best(void)
{
    return TCT_SIMD_PICK(&version);
}

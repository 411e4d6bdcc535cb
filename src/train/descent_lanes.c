/*
 * descent_lanes.c -- inner loops of training a network.
 *
 * A batch goes through the network with its points side by side: value j of a layer for all points of the batch is one
 * run of numbers, and everything but the gradient's dot products is a sum of scaled runs.  Dot products are kept in eight
 * lanes that are joined in one fixed order.  The loops are written once and compiled for several instruction sets;
 * nothing is contracted and no sum is reordered, so all versions give the same bits.
 */
#include "descent.h"

#include <math.h>

#include "simd.h"

enum { RUN = 8 }; /* the number of points is a multiple of it */
#define VECTORS_OF_RUN (RUN / LANES)
static const double ADAM_FIRST = 0.9, ADAM_SECOND = 0.999, ADAM_SMALL = 1e-8;

#define LOOPS "descent_loops.h"
#include "simd_levels.h"

const tct_descent_loops *tct_descent_best(void)
{
    return TCT_SIMD_PICK(&version);
}

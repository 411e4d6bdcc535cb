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
#define CLOSE_ENOUGH 1e-9 /* with as many nodes as it takes: errors that are estimated may be larger */
#define PI_HIGH 3.141592653589793
#define PI_LOW 1.2246467991473532e-16
#define LEAST_DETERMINANT 1e-200 /* of correlations on the way: what is decided by less is decided */
#define LEAST_COSINE 1e-9
#define VECTORS_OF_BLOCK (TCT_ODDS_LANES / LANES)

/* Gauss-Kronrod with 21 nodes on [-1, 1], and the Gauss rule within; three more that do not count fill the vectors. */
/* clang-format off */
static const double kronrod_nodes[24] = {
    0, 0.14887433898163122, -0.14887433898163122, 0.2943928627014602, -0.2943928627014602, 0.43339539412924721,
    -0.43339539412924721, 0.56275713466860466, -0.56275713466860466, 0.67940956829902444, -0.67940956829902444,
    0.7808177265864169, -0.7808177265864169, 0.86506336668898454, -0.86506336668898454, 0.93015749135570824,
    -0.93015749135570824, 0.97390652851717174, -0.97390652851717174, 0.99565716302580809, -0.99565716302580809, 0, 0,
    0};
static const double kronrod_weights[24] = {
    0.1494455540029169, 0.14773910490133849, 0.14773910490133849, 0.14277593857706009, 0.14277593857706009,
    0.13470921731147334, 0.13470921731147334, 0.12349197626206584, 0.12349197626206584, 0.10938715880229764,
    0.10938715880229764, 0.093125454583697601, 0.093125454583697601, 0.075039674810919957, 0.075039674810919957,
    0.054755896574351995, 0.054755896574351995, 0.032558162307964725, 0.032558162307964725, 0.011694638867371874,
    0.011694638867371874, 0, 0, 0};
static const double gauss_weights[24] = {
    0, 0.29552422471475287, 0.29552422471475287, 0, 0, 0.26926671930999635, 0.26926671930999635, 0, 0,
    0.21908636251598204, 0.21908636251598204, 0, 0, 0.14945134915058059, 0.14945134915058059, 0, 0,
    0.066671344308688138, 0.066671344308688138, 0, 0, 0, 0, 0};
/* clang-format on */

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define LOOPS "odds_loops.h"
#include "simd_levels.h"

const tct_odds_loops *tct_odds_best(void)
{
    return TCT_SIMD_PICK(&version);
}

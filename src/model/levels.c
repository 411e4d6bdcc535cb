/*
 * levels.c -- see levels.h.
 */
#include "levels.h"

#include <stdbool.h>

#include "simd.h"

enum { LEVEL_SUMS = 16 };

#define LOOPS "levels_loops.h"
#include "simd_levels.h"

void tct_levels_weigh(const tct_level_moves *moves, double *levels)
{
    double sum = TCT_SIMD_PICK(weigh)(moves, levels);

    if (sum > 0)
        TCT_SIMD_PICK(divide)(levels, sum, moves->n);
    else
        for (size_t l = 0; l < moves->n; l++)
            levels[l] = 1.0 / (double)moves->n;
}

double tct_levels_mean(const double *levels, const double *terms, size_t n)
{
    return TCT_SIMD_PICK(mean_term)(levels, terms, n);
}

double tct_levels_share(const tct_level_margins *margins, size_t n_margins, const double *levels, size_t n)
{
    return TCT_SIMD_PICK(share_proven)(margins, n_margins, levels, n);
}

/*
 * levels.h -- sums over the levels of a wide category, with which what it costs to look at one grows.
 *
 * Sums are formed in sixteen parts, so that no addition waits for the one before, and all processors give the same bits.
 */
#ifndef TCT_LEVELS_H
#define TCT_LEVELS_H

#include <stddef.h>

/* What levels weigh once mean terms moved: share (1 + sum_j (slope_j - centre) moved_j). */
typedef struct tct_level_moves {
    size_t n;             /* levels */
    const double *shares; /* n */
    const double *slopes; /* n for each term, `step` apart */
    size_t step, n_terms;
    double centre;
    const double *moved; /* n_terms */
} tct_level_moves;
/* Not below 0, and so that they sum to one. */
void tct_levels_weigh(const tct_level_moves *moves, double *levels);

/* The mean of their terms. */
double tct_levels_mean(const double *levels, const double *terms, size_t n);

/* The margin over a class when a level is known: now + term - worst. */
typedef struct tct_level_margins {
    double now, worst;
    const double *terms; /* by level */
} tct_level_margins;
/* The weight of the levels of which no margin is below 0. */
double tct_levels_share(const tct_level_margins *margins, size_t n_margins, const double *levels, size_t n);

#endif

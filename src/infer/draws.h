/*
 * draws.h -- people like this one: completions drawn from a belief, or from anywhere in the region.
 *
 * From a belief, attribute after attribute in schema order, each given the ones before: a one-hot category gets a level
 * by the weights that its expected inputs have, clipped at 0; anything else a Gaussian value, clipped into what it may
 * be, a grid value rounded to the nearest.  What follows is conditioned on the value that came out.
 */
#ifndef TCT_DRAWS_H
#define TCT_DRAWS_H

#include "belief.h"

/* How a belief is drawn from, the same for everybody: lower triangle of a Cholesky factor of its covariance, 0 where an
 * input is determined by those before. */
typedef struct tct_factor {
    double *lower; /* n_unknown x n_unknown */
} tct_factor;

tacit_status tct_factor_add(tct_belief *belief, tacit_error *err);
void tct_factor_free(tct_factor *factor);

enum { TCT_DRAWS = 2048 };

typedef struct tct_draws {
    const tacit_model *model;
    double *x;      /* TCT_DRAWS x n_inputs */
    uint8_t *label; /* TCT_DRAWS: what the classifier gives them */
    double *room;   /* 2 n_inputs, and the scores of all */
} tct_draws;

tacit_status tct_draws_new(tct_draws **out, const tacit_model *model, tacit_error *err);
void tct_draws_free(tct_draws *draws); /* wipes */
void tct_draws_wipe(tct_draws *draws);

/* Completions of what is known, from the belief, which has its factor.  The same stream for everybody. */
void tct_draws_likely(tct_draws *draws, const tct_belief *belief, const tct_region *region, uint64_t seed);
/* Completions from anywhere: each value of an attribute as likely as any other, every fourth person at ends. */
void tct_draws_anywhere(tct_draws *draws, const tct_region *region, uint64_t seed);

#endif

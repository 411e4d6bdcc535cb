/*
 * draws.h -- people like this one: completions drawn from a posterior, or from anywhere in the region, and the labels
 * that the classifier gives them.
 */
#ifndef TCT_DRAWS_H
#define TCT_DRAWS_H

#include "belief.h"

enum { TCT_DRAWS = 2048 };

typedef struct tct_draws {
    const tacit_model *model;
    size_t n;       /* how many are drawn: TCT_DRAWS, or the first of them */
    double *x;      /* TCT_DRAWS x n_inputs */
    uint8_t *label; /* TCT_DRAWS: what the classifier gives them */
    double *room;   /* 2 n_inputs, and the scores of all */
} tct_draws;

tacit_status tct_draws_new(tct_draws **out, const tacit_model *model, tacit_error *err);
void tct_draws_free(tct_draws *draws); /* wipes */
void tct_draws_wipe(tct_draws *draws);

/* Completions of what is known, from the model's posterior, which has prepared the belief.  The same stream for
 * everybody. */
void tct_draws_likely(tct_draws *draws, const tct_belief *belief, const tct_region *region, uint64_t seed);
/* Completions from anywhere: each value of an attribute as likely as any other, every fourth person at ends. */
void tct_draws_anywhere(tct_draws *draws, const tct_region *region, uint64_t seed);

#endif

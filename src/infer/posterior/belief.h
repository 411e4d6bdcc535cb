/*
 * belief.h -- what the Gaussian says about the unknown inputs once some attributes are known.
 *
 * Conditioning a Gaussian splits into a part that depends on *which* inputs are known and a part that depends on
 * their values.  A tct_belief is the first part: an affine map from known values to posterior means, and the posterior
 * covariance.  It holds nothing about anybody, so one belief serves everybody who has answered the same questions.
 */
#ifndef TCT_BELIEF_H
#define TCT_BELIEF_H

#include "model.h"

typedef struct tct_first_layer tct_first_layer; /* first_layer.h */

/* How it is drawn from, the same for everybody: lower triangle of a Cholesky factor of its covariance, 0 where an input
 * is determined by those before.  Below the triangle of an attribute of more than TCT_WIDE_LEVELS
 * inputs: times the inverse of that triangle. */
typedef struct tct_factor {
    double *lower; /* n_unknown x n_unknown */
} tct_factor;

typedef struct tct_belief {
    const tct_variables *variables; /* of the model */
    size_t n_known;                 /* inputs */
    size_t *known;                  /* in the order in which they became known */
    size_t n_seen, n_unknown;       /* variables; where no category is wide, n_seen is n_known, and seen is known */
    size_t *seen;                   /* in the order in which they became known */
    size_t *unknown;                /* ascending */
    double *offset;                 /* n_unknown */
    double *map;                    /* n_seen x n_unknown: E[unknown[u]] = offset[u] + sum_i map[i][u] seen[i] */
    double *cov;                    /* n_unknown x n_unknown, symmetric to the bit */
    /* What score laws and posteriors keep with it, NULL until they do. */
    tct_first_layer *first_layer;
    tct_factor *factor;
} tct_belief;

/* Nothing known: the training distribution. */
tacit_status tct_belief_prior(tct_belief **out, const tacit_model *model, tacit_error *err);
/* As `from`, and attribute `attribute` known too. */
tacit_status tct_belief_reveal(tct_belief **out, const tct_belief *from, const tacit_model *model, size_t attribute,
                               tacit_error *err);
/* The same in two ways: one input after the other, each with a copy of its own; all in place.  To the bit. */
tacit_status tct_belief_reveal_inputs(tct_belief **out, const tct_belief *from, const tacit_model *model,
                                      size_t attribute, tacit_error *err);
tacit_status tct_belief_reveal_block(tct_belief **out, const tct_belief *from, const tacit_model *model,
                                     size_t attribute, tacit_error *err);
/* The same as revealing all attributes that are marked (NULL: none), the first one first, to nobody known; cheaper. */
tacit_status tct_belief_start(tct_belief **out, const tacit_model *model, const unsigned char *known, tacit_error *err);
/* Room for one of a model; NULL on lack of memory. */
tct_belief *tct_belief_alloc(const tacit_model *model, size_t n_known, size_t n_seen, size_t n_unknown);
/* In `b`: what is known in `from`, and attribute `attribute` too. */
void tct_belief_add_known(tct_belief *b, const tct_belief *from, const tacit_model *model, size_t attribute);
void tct_belief_free(tct_belief *belief);
tacit_status tct_factor_add(tct_belief *belief, tacit_error *err);
void tct_factor_free(tct_factor *factor);
size_t tct_belief_bytes(const tct_belief *belief);

/* Posterior means of the unknown variables, into mean[n_unknown]; reads x at known inputs only. */
void tct_belief_mean(const tct_belief *belief, const double *x, double *mean);
/* Position of a variable among the unknown ones, and of the first one of an attribute. */
size_t tct_belief_position(const tct_belief *belief, size_t variable);
size_t tct_belief_at(const tct_belief *belief, size_t attribute);
/* Weights of the levels of a one-hot attribute; mean: posterior means of its variables. */
void tct_belief_levels(const tacit_model *model, size_t attribute, const double *mean, double *levels);

/* Is a variance so far below the prior one that the input is already determined by what is known? */
bool tct_determined(double variance, double prior_variance);

#endif

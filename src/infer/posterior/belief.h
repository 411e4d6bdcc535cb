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
 * is determined by those before. */
typedef struct tct_factor {
    double *lower; /* n_unknown x n_unknown */
} tct_factor;

typedef struct tct_belief {
    size_t n_known, n_unknown; /* inputs */
    size_t *known;             /* in the order in which they became known */
    size_t *unknown;           /* ascending */
    double *offset;            /* n_unknown */
    double *map;               /* n_known x n_unknown: E[X_unknown[u]] = offset[u] + sum_i map[i][u] x[known[i]] */
    double *cov;               /* n_unknown x n_unknown, symmetric to the bit */
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
/* Room for one; NULL on lack of memory. */
tct_belief *tct_belief_alloc(size_t n_known, size_t n_unknown);
void tct_belief_free(tct_belief *belief);
tacit_status tct_factor_add(tct_belief *belief, tacit_error *err);
void tct_factor_free(tct_factor *factor);
size_t tct_belief_bytes(const tct_belief *belief);

/* Posterior means of the unknown inputs, into mean[n_unknown]; reads x at known inputs only. */
void tct_belief_mean(const tct_belief *belief, const double *x, double *mean);
/* Position of `input` among the unknown inputs. */
size_t tct_belief_position(const tct_belief *belief, size_t input);

/* Is a variance so far below the prior one that the input is already determined by what is known? */
bool tct_determined(double variance, double prior_variance);

#endif

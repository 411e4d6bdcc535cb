/*
 * follow.h -- one person's posterior means and variances, kept up to date answer by answer.
 *
 * A belief (belief.h) serves everybody who has answered the same questions.  With hundreds of questions nobody else has,
 * and a covariance for each of them is work for nothing: rules for proofs read means and variances only.  This keeps those,
 * and for every answer the one column of the covariance that it needed.
 */
#ifndef TCT_FOLLOW_H
#define TCT_FOLLOW_H

#include "belief.h"

typedef struct tct_follow tct_follow;

/* Is a model's every question one variable, and are there so many that people hardly share a way?  Then rules for proofs
 * go by this, whoever asks, so that all see the same. */
bool tct_follow_applies(const tacit_model *model);
tacit_status tct_follow_new(tct_follow **out, const tacit_model *model, tacit_error *err);
void tct_follow_free(tct_follow *follow);   /* wipes */
void tct_follow_forget(tct_follow *follow); /* wipes what is about somebody */

/* Come to where, after `start`, the variables seen[0] ... seen[n - 1] became known in this order; x as in tct_belief_mean.
 * Goes on from where it was where that is on the way. */
void tct_follow_to(tct_follow *follow, const tct_belief *start, const size_t *seen, size_t n, const double *x);
/* One more variable, from where it stands. */
void tct_follow_next(tct_follow *follow, size_t variable, const double *x);
/* By position among the unknown variables of `start`; of those that became known since: any. */
const double *tct_follow_means(const tct_follow *follow);
const double *tct_follow_variances(const tct_follow *follow);

#endif

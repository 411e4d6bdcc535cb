/*
 * posteriors.h -- who a person may be, given what is known: one row per way to know it.
 *
 * The first row that applies to a model is taken; the last, the Gaussian of the training people, always does.  What a
 * row knows of a stage, and of nobody in particular, is kept with the stage's belief.  Closed forms belong to the
 * Gaussian: under any other row the score law is the one that draws (score_laws.h), and so is all that rests on it.
 */
#ifndef TCT_POSTERIORS_H
#define TCT_POSTERIORS_H

#include "belief.h"

typedef struct tct_posterior_ops {
    const char *name;
    bool gaussian; /* it is what the belief says: a Gaussian with these means and covariances */
    bool (*applies)(const tacit_model *model);
    /* Keep with a belief what drawing people takes.  NULL: nothing. */
    tacit_status (*prepare)(tct_belief *belief, const tacit_model *model, tacit_error *err);
    /* Draw n people who fit the region into x, n x n_inputs, where known inputs are in place already.  The same stream for
     * everybody who has the same region, and a function of nothing else.  room: 2 n_inputs doubles. */
    void (*people)(const tacit_model *model, const tct_belief *belief, const tct_region *region, uint64_t seed,
                   size_t n, double *x, double *room);
    /* Draw the answer about one attribute of a person known at the belief's known inputs, into its inputs in x. */
    void (*answer)(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random, double *x);
} tct_posterior_ops;

extern const tct_posterior_ops tct_posterior_gaussian;

/* The row for a model; there always is one. */
const tct_posterior_ops *tct_posterior_row(const tacit_model *model);
/* One more row, before the others, for those that are not built in.  Before the first plan is made; up to 8. */
void tct_posterior_add_row(const tct_posterior_ops *ops);

#endif

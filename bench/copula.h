/*
 * copula.h -- another model of people, for comparison: a Gaussian copula with the attributes' own marginals.
 *
 * It is a row of the posterior table (posteriors.h) that only benchmarks register.
 */
#ifndef COPULA_H
#define COPULA_H

#include "tacit.h"

typedef enum copula_share { COPULA_NONE, COPULA_HALF, COPULA_ALL } copula_share;

/* From now on draw people of `model`, and of copies with other roles, by a copula learnt from these people; or half of
 * them, the other half by the model's Gaussian.  COPULA_NONE: as ever.  Categories must be ordinal. */
tacit_status copula_use(copula_share share, const tacit_model *model, const tacit_table *people, tacit_error *err);

#endif

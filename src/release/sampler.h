/*
 * sampler.h -- answers that might be given: drawn from what the Gaussian says and moved into their domains.
 */
#ifndef TCT_SAMPLER_H
#define TCT_SAMPLER_H

#include "belief.h"

/* Draw the value of an attribute that `belief` does not know, given the known values in x, and write its inputs there.
 * Drawn one after the other, each given those before, attributes make up a whole person. */
void tct_sample(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random, double *x);

#endif

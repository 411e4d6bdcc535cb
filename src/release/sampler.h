/*
 * sampler.h -- people who might be: completions of what is known, drawn from a belief and moved into their domains.
 */
#ifndef TCT_SAMPLER_H
#define TCT_SAMPLER_H

#include "belief.h"

typedef struct tct_sampler tct_sampler;
/* Draws given the known values in x (read at known inputs only; copied). */
tacit_status tct_sampler_new(tct_sampler **out, const tacit_model *model, const tct_belief *belief, const double *x,
                             uint64_t seed, tacit_error *err);
/* All inputs of one person into x. */
void tct_sampler_draw(tct_sampler *sampler, double *x);
void tct_sampler_free(tct_sampler *sampler); /* wipes */

#endif

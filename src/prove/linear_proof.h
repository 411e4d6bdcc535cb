/*
 * linear_proof.h -- is a linear decision settled, for one set of known attributes?
 *
 * The worst that the unknown attributes can do to a margin does not depend on what is known about the others.  A
 * tct_linear_proof holds it once per set of known attributes; testing a person is then a few additions.
 */
#ifndef TCT_LINEAR_PROOF_H
#define TCT_LINEAR_PROOF_H

#include "extremes.h"

typedef struct tct_linear_proof {
    const tct_extremes *extremes; /* borrowed */
    double *floor; /* (label, class): sum of the worst terms of the unknown attributes, minus the rounding pad */
} tct_linear_proof;

tacit_status tct_linear_proof_new(tct_linear_proof **out, const tct_extremes *extremes, const unsigned char *known,
                                  tacit_error *err);
/* The same once other attributes are known; unknown: those that are not, ascending. */
void tct_linear_proof_set(tct_linear_proof *proof, const size_t *unknown, size_t n);
void tct_linear_proof_free(tct_linear_proof *frame);

/* The label that every completion gets, or TACIT_NONE when that is not proven.  partial[n_scores]: bias plus the terms
 * of the known inputs. */
size_t tct_linear_proof_certain(const tct_linear_proof *frame, const double *partial);

#endif

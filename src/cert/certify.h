/*
 * certify.h -- is the label the same for every completion of what is known?  With witnesses when it is not.
 */
#ifndef TCT_CERTIFY_H
#define TCT_CERTIFY_H

#include "extremes.h"

typedef struct tct_finding {
    tacit_verdict verdict;
    size_t label;       /* TACIT_CERTIFIED */
    uint64_t nodes;     /* bound evaluations */
    double *witness[2]; /* given by the caller, n_inputs each; filled when TACIT_REFUTED */
} tct_finding;

/* Bounds first (the classifier's own, rounding included); when they leave a class open, look for a completion of that
 * label by evaluating the corner the bound was attained at.  Networks: tct_verifier_decide with the default budget. */
tacit_status tct_certify(tct_finding *finding, const tacit_model *model, const tct_region *region, tacit_error *err);

#endif

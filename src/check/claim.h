/*
 * claim.h -- what a proof is about.
 */
#ifndef TCT_CLAIM_H
#define TCT_CLAIM_H

#include "model.h"

/* Every completion of the region gets this label. */
typedef struct tct_claim {
    const tacit_model *model;
    tct_region region;
    size_t label;
} tct_claim;

#endif

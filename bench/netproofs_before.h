/*
 * netproofs_before.h -- lets bench_netproofs.c compile against builds from before there was a table of provers: their
 * networks have a verifier, a prover and a checker of their own, which say the same in other words.
 */
#ifndef NETPROOFS_BEFORE_H
#define NETPROOFS_BEFORE_H

#if __has_include("provers.h")
#include "checker.h"
#include "encoded.h"
#include "walk.h"

static inline tct_claim claim_of(const tacit_model *model, const tct_region *region, size_t label)
{
    return (tct_claim){model, *region, label};
}

#else
#define tct_part tct_encoded_rows /* two headers call something so */
#include "encoded.h"
#undef tct_part
#include "checker.h"
#include "prover.h"
#include "walk.h"

#define tct_prover tct_verifier
#define tct_prover_new tct_verifier_new
#define tct_prover_free tct_verifier_free
#define tct_prover_decide tct_verifier_decide
#define tct_prover_forget tct_verifier_forget
#define tct_prover_write tct_prove
#define tct_check tct_check_boxes

static inline tct_region tct_region_of(const tct_codec *codec, const unsigned char *known, const double *x)
{
    return (tct_region){codec, known, x};
}

static inline tct_claim claim_of(const tacit_model *model, const tct_region *region, size_t label)
{
    return (tct_claim){model, region->known, region->x, label};
}

#endif

#endif

/*
 * checker.h -- is a claim true?  Independent of the search that made it.
 *
 * The search is fast and has many parts.  The checker is small, slow, and shares nothing with it but the model: whoever
 * trusts the checker need not trust the search.
 */
#ifndef TCT_CHECKER_H
#define TCT_CHECKER_H

#include "claim.h"
#include "proof.h"

/* A claim, with a tree that divides its region.  TACIT_OK: the tree is whole and every leaf proven.  TACIT_E_INPUT: not,
 * with the reason. */
tacit_status tct_check(const tct_claim *claim, const tct_proof *proof, tacit_error *err);
/* The same where the region is not divided: one leaf. */
tacit_status tct_check_whole(const tct_claim *claim, tacit_error *err);

#endif

/*
 * checker.h -- is a claim true?  Independent of the search that made it.
 *
 * The search (certify, frame, verifier) is fast and has many parts.  The checker is small, slow, and shares nothing
 * with it but the model: whoever trusts the checker need not trust the search.
 */
#ifndef TCT_CHECKER_H
#define TCT_CHECKER_H

#include "part.h"

/* A claim about a linear classifier.  TACIT_OK: proven.  TACIT_E_INPUT: not, with the reason. */
tacit_status tct_check_linear(const tct_claim *claim, tacit_error *err);

/* A claim about a network, with a tree that divides the domain.  TACIT_OK: the tree is whole and every leaf proven.
 * TACIT_E_INPUT: not, with the reason. */
tacit_status tct_check_boxes(const tct_claim *claim, const tct_proof *proof, tacit_error *err);

#endif

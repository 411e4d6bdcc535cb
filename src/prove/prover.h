/*
 * prover.h -- writes down a proof about a network that the checker accepts.
 */
#ifndef TCT_PROVER_H
#define TCT_PROVER_H

#include "claim.h"
#include "proof.h"

/* Divide the domain until every leaf holds by the checker's own bounds.  *made is false, and the proof empty, when that
 * takes more than max_leaves leaves (0: TCT_PROOF_LEAVES), more than TCT_PROOF_DEPTH levels, or when a completion with
 * another label turns up.  Deterministic.  `proof` is empty before. */
tacit_status tct_prove(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves, tacit_error *err);

#endif

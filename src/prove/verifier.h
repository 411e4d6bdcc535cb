/*
 * verifier.h -- is a network's label the same for every completion of what is known?  Decided exactly, by branch and
 * bound over the domains of the unknown attributes (see verifier.c for the method).
 *
 * A verifier belongs to one thread.  It keeps the completions it has seen: when one more attribute becomes known, those
 * that still fit, with that attribute set, often show at once that the decision is still open.
 */
#ifndef TCT_VERIFIER_H
#define TCT_VERIFIER_H

#include "provers.h"

typedef struct tct_verifier tct_verifier;

tacit_status tct_verifier_new(tct_verifier **out, const tacit_model *model, tacit_error *err);
void tct_verifier_free(tct_verifier *verifier); /* wipes */

/* Decide a region.  max_nodes: work budget in boxes bounded; 0: a usual amount of work, whatever a box costs.
 * finding->witness: room for n_inputs each or NULL when not wanted.  Deterministic.  TACIT_UNDECIDED when the budget is
 * spent or margins are within rounding. */
tacit_status tct_verifier_decide(tct_verifier *verifier, const tct_region *region, uint64_t max_nodes,
                                 tct_finding *finding, tacit_error *err);

/* After an undecided one: the label that it could have, if all that was in the way is a margin within rounding of zero;
 * else TACIT_NONE. */
size_t tct_verifier_within_rounding(const tct_verifier *verifier);

/* Another person: forget the completions seen, and wipe what was known. */
void tct_verifier_forget(tct_verifier *verifier);

#endif

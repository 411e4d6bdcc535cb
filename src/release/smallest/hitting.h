/*
 * hitting.h -- the smallest core set of a classifier that is not linear: minimal hitting sets of counterexamples.
 */
#ifndef TCT_HITTING_H
#define TCT_HITTING_H

#include "provers.h"

/* What a person may take: words of clauses looked at, and boxes of the prover at a price in such words. */
enum { TCT_HITTING_BUDGET = 100000000 };

typedef struct tct_hitting tct_hitting;
tacit_status tct_hitting_new(tct_hitting **out, const tacit_model *model, uint64_t budget, tacit_error *err);
void tct_hitting_free(tct_hitting *hitting); /* wipes */
/* As tct_smallest_set_find; *exact is false when the prover could not decide a proposal on the way, or the budget of work
 * was used up, and nothing shows that no smaller set exists. */
tacit_status tct_hitting_find(tct_hitting *hitting, const double *x, bool by_cost, size_t *members, size_t *n_members,
                              bool *exact, tacit_error *err);
/* After that: what every core set costs at least. */
double tct_hitting_least(const tct_hitting *hitting);

#endif

/*
 * chain.h -- the fast path: many people at once where the order of questions is the same for everybody.
 *
 * For one score and the entropy rule, the order theorem makes the order a property of the model.  Then all stages lie
 * on one chain, and a person's walk is: add one term, compare with a few thresholds, repeat.  The arithmetic is that
 * of walk.c, term by term in the same order, so the results are equal to the bit.
 */
#ifndef TCT_CHAIN_H
#define TCT_CHAIN_H

#include "walk.h"

enum { TCT_TILE = 256 };

typedef struct tct_chain tct_chain;

/* NULL in *out when the model or the rule has no common order. */
tacit_status tct_chain_new(tct_chain **out, tct_plan *plan, const tct_stage *from, tacit_rule rule,
                           const tct_promise *promises, size_t n_promises, tacit_error *err);
void tct_chain_free(tct_chain *chain);

/* The common order: attributes. */
const size_t *tct_chain_order(const tct_chain *chain);

/* n <= TCT_TILE people: input i of person p at x[i * stride + p].  full[n]: labels with everything known.
 * ends[i * TCT_TILE + p]: person p, promise i. */
void tct_chain_tile(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    tct_ending *ends);
/* The same without `ends` for those of whom every promise is kept at the start in the same way: that is
 * tct_ending_of(0, once[p]).  once[p] = 0: see `ends`.  once has room for TCT_TILE people. */
void tct_chain_rest(const tct_chain *chain, const double *x, size_t stride, size_t n, const uint8_t *full,
                    uint8_t *once, tct_ending *ends);

/* Labels with everything known, for a linear classifier with one score: the bits of scores(). */
void tct_chain_labels(const tct_linear *linear, const double *x, size_t stride, size_t n, uint8_t *full);

#endif

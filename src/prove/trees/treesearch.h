/*
 * treesearch.h -- is the label of an ensemble of trees the same over a region?
 */
#ifndef TCT_TREESEARCH_H
#define TCT_TREESEARCH_H

#include "provers.h"
#include "treegrid.h"

typedef struct tct_treesearch tct_treesearch;

/* Finds extreme people of the model, which takes a moment; one thread. */
tacit_status tct_treesearch_new(tct_treesearch **out, const tacit_model *model, tacit_error *err);
void tct_treesearch_free(tct_treesearch *s);
/* Wipe what was seen of a person. */
void tct_treesearch_forget(tct_treesearch *s);
/* As tct_prover_ops.decide; budget in boxes. */
tacit_status tct_treesearch_decide(tct_treesearch *s, const tct_region *region, uint64_t budget, tct_finding *finding,
                                   tacit_error *err);
/* As tct_prover_ops.slices. */
tacit_status tct_treesearch_slices(tct_treesearch *s, const tct_region *region, size_t label, tct_slices *out,
                                   tacit_error *err);
/* As tct_prover_ops.leaves_open. */
tacit_status tct_treesearch_leaves_open(tct_treesearch *s, size_t attribute, size_t value, bool thorough, bool *open,
                                        tacit_error *err);
/* As tct_prover_ops.skip. */
void tct_treesearch_skip(tct_treesearch *s, const tct_region *region);

#endif

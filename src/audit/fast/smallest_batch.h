/*
 * smallest_batch.h -- sizes of the smallest core sets of many people at once: two classes, one score, equal costs.
 *
 * Then the largest gains make up the deficit with fewest attributes.  The plain way, which finds the same sets, is
 * src/release/smallest/smallest_set.c.
 */
#ifndef TCT_SMALLEST_BATCH_H
#define TCT_SMALLEST_BATCH_H

#include "gains.h"

typedef struct tct_smallest_batch tct_smallest_batch;
/* NULL in *out when the model is of another kind.  Borrows both. */
tacit_status tct_smallest_batch_new(tct_smallest_batch **out, const tacit_model *model, const tct_extremes *extremes,
                                    tacit_error *err);
void tct_smallest_batch_free(tct_smallest_batch *smallest); /* wipes */

/* The n people whose gains were filled in last, which are used up; full[n]: labels with everything known.  Counts each
 * once in histogram (by size) and each member of the set in members (sensitive attributes in schema order). */
void tct_smallest_batch_count(tct_smallest_batch *smallest, tct_gains *gains, size_t n, const uint8_t *full,
                              uint64_t *histogram, uint64_t *members);

#endif

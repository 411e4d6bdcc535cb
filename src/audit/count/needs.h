/*
 * needs.h -- what the people of an audit could have kept, counted beside everything else.
 *
 * One of these belongs to a worker.  A linear classifier of two classes is treated a tile at a time (gains.h); everybody
 * else, and those whose figures are too close to zero for that, by the plain way (dispense.h).
 */
#ifndef TCT_NEEDS_H
#define TCT_NEEDS_H

#include "auditor.h"
#include "group_bins.h"
#include "dispense.h"
#include "gains.h"

typedef struct tct_needs tct_needs;
/* gains: NULL when the model has none.  Borrows everything. */
tacit_status tct_needs_new(tct_needs **out, const tct_job *job, tct_gains *gains, tacit_error *err);
void tct_needs_free(tct_needs *needs); /* wipes */

/* People of a tile or a block: input i of person p at x[i * stride + p]; labels with everything known. */
typedef struct tct_folk {
    const double *x;
    size_t stride, n;
    const uint8_t *full;
} tct_folk;

/* A block is at hand, of people not seen before.  Its tiles are cut out of it.  group_bins: who is counted in groups too when
 * many are counted at a time; NULL: nobody. */
tacit_status tct_needs_block(tct_needs *needs, const tct_folk *block, tct_group_bins *group_bins, tacit_error *err);
/* Fill in needs and spare of one person's outcome; they hold until the next call. */
tacit_status tct_needs_outcome(tct_needs *needs, const tct_folk *folk, size_t p, tct_outcome *outcome,
                               tacit_error *err);

/* ---- many people at a time; only with gains, which are those of the tile ---- */

/* Everybody's needs, into all tallies. */
tacit_status tct_needs_count(tct_needs *needs, const tct_folk *tile, tct_tally *const *tallies, tacit_error *err);
/* Spare answers of the people on the list, who came by a chain: ends[i * TCT_TILE + p] of promise i of the pass.
 * order: common to all, as places. */
tacit_status tct_needs_chain(tct_needs *needs, const tct_folk *tile, const uint16_t *list, size_t n_list,
                             const tct_ending *ends, const tct_pass *pass, const size_t *order,
                             tct_tally *const *tallies, tacit_error *err);
/* Note what people of the block were asked for, and count the spare answers of those of a tile that begins at person
 * `from` of it. */
void tct_needs_note(tct_needs *needs, const tct_party *party, size_t delta_index);
tacit_status tct_needs_noted(tct_needs *needs, const tct_folk *tile, size_t delta_index, tct_tally *tally,
                             tacit_error *err);
/* After that, and after everything else was counted, for the same tallies. */
void tct_needs_finish(const tct_needs *needs, size_t delta_index, tct_tally *tally);

#endif

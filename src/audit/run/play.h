/*
 * play.h -- the questionnaires of people who are in memory, encoded: all of them, or some picked at even distances.
 */
#ifndef TCT_PLAY_H
#define TCT_PLAY_H

#include "encoded.h"
#include "tally.h"

/* Some inputs (columns: d of them, NULL: the first d) of `wanted` people at most, 0: of all; the same layout. */
tacit_status tct_people_sample(tct_encoded_rows *out, const tct_encoded_rows *part, const size_t *columns, size_t d,
                               size_t wanted, tacit_error *err);
/* The same of the people at rows[] (n of them; NULL: the first n). */
tacit_status tct_people_take(tct_encoded_rows *out, const tct_encoded_rows *part, const size_t *columns, size_t d,
                             const size_t *rows, size_t n, tacit_error *err);
void tct_people_clear(tct_encoded_rows *part, size_t d); /* wipes */

/* One pass over people by `rule`; tallies[i] gets the counts of deltas[i].  tick: as in tct_job, NULL allowed. */
tacit_status tct_play(const tacit_model *model, const tct_encoded_rows *people, tacit_rule rule, const double *deltas,
                      size_t n, tct_tally *const *tallies, tacit_status (*tick)(void *context, tacit_error *err),
                      void *context, tacit_error *err);

#endif

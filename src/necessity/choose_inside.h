/*
 * choose_inside.h -- what the two ways of choosing share.
 */
#ifndef TCT_CHOOSE_INSIDE_H
#define TCT_CHOOSE_INSIDE_H

#include "choose.h"

enum { TCT_FOLDS = 5, TCT_ENOUGH_JUDGES = 10000 };

/* A fold for everybody; each has its share of every class. */
void tct_deal_folds(unsigned char *folds, const tct_encoded_rows *part);

/* One attribute after the other leaves the list of those kept, all of them at the start: choose() finds the place in it of
 * the one that goes next.  order[0] goes first. */
tacit_status tct_leave_out_all(size_t *order, size_t *kept, size_t *n_kept,
                               tacit_status (*choose)(void *context, size_t *place, tacit_error *err), void *context,
                               const tct_watch *watch, tacit_error *err);

/* As tct_choose_order, for any kind of model: one training run for every attribute left out. */
tacit_status tct_choose_shuffling(size_t *order, const tct_encoded_rows *part, const tct_codec *codec,
                                  const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err);

#endif

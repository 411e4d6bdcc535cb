/*
 * opt.h -- the smallest core set, knowing everything: the yardstick no protocol can beat.
 */
#ifndef TCT_OPT_H
#define TCT_OPT_H

#include "extremes.h"

typedef struct tct_opt tct_opt;
/* For the sensitive attributes of `model`, whose roles say what is public. */
tacit_status tct_opt_new(tct_opt **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err);
void tct_opt_free(tct_opt *opt); /* wipes */

/* Members of the smallest set of sensitive attributes that, with the public ones, leaves no completion with another
 * label than x's.  by_cost: smallest total cost.  members has room for all; returns how many. */
size_t tct_opt_find(tct_opt *opt, const double *x, bool by_cost, size_t *members);

#endif

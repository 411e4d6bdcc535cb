/*
 * opt.h -- the smallest core set, knowing everything: the yardstick no protocol can beat.
 */
#ifndef TCT_OPT_H
#define TCT_OPT_H

#include "extremes.h"

typedef struct tct_opt tct_opt;
/* For the sensitive attributes of `model`, whose roles say what is public.  extremes: of a linear classifier; NULL for
 * others, which are searched by counterexamples (hitting.h). */
tacit_status tct_opt_new(tct_opt **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err);
void tct_opt_free(tct_opt *opt); /* wipes */

/* Members of the smallest set of sensitive attributes that, with the public ones, leaves no completion with another
 * label than x's.  by_cost: smallest total cost.  members has room for all.  *exact (NULL allowed): false when
 * the search was cut short, and a smaller set may exist. */
tacit_status tct_opt_find(tct_opt *opt, const double *x, bool by_cost, size_t *members, size_t *n_members, bool *exact,
                          tacit_error *err);

#endif

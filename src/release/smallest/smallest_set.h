/*
 * smallest_set.h -- the smallest core set, knowing everything: the yardstick no protocol can beat.
 */
#ifndef TCT_SMALLEST_SET_H
#define TCT_SMALLEST_SET_H

#include "extremes.h"

typedef struct tct_smallest_set tct_smallest_set;
/* For the sensitive attributes of `model`, whose roles say what is public.  extremes: of a linear classifier; NULL for
 * others, which are searched by counterexamples (hitting.h). */
tacit_status tct_smallest_set_new(tct_smallest_set **out, const tacit_model *model, const tct_extremes *extremes,
                                  tacit_error *err);
void tct_smallest_set_free(tct_smallest_set *search); /* wipes */

/* Members of the smallest set of sensitive attributes that, with the public ones, leaves no completion with another
 * label than x's.  by_cost: smallest total cost.  members has room for all.  *exact (NULL allowed): false when
 * the search was cut short, and a smaller set may exist. */
tacit_status tct_smallest_set_find(tct_smallest_set *search, const double *x, bool by_cost, size_t *members,
                                   size_t *n_members, bool *exact, tacit_error *err);
/* After that: how many members, or how much cost, every such set has at least; less than was found only if that was not
 * exact. */
double tct_smallest_set_least(const tct_smallest_set *search);

#endif

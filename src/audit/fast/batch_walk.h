/*
 * batch_walk.h -- the fast path where the order of questions differs from person to person: two classes, linear, margin and
 * stop rules.
 *
 * People who have answered the same questions stand at the same stage, and what there is to compute there (posterior
 * means, certified margins, the score of every candidate) is the same few lines for all of them.  So a block of people
 * walks the tree of stages together: at each stage those who are settled leave, the others are sorted by what they are
 * asked next.  Who is asked what, in which order, and how it ends is what walk.c finds.
 */
#ifndef TCT_BATCH_WALK_H
#define TCT_BATCH_WALK_H

#include "walk.h"

typedef struct tct_batch_walk tct_batch_walk;

/* NULL in *out when the model or the rule is of another kind.  Borrows the plan, the stage and the promises. */
tacit_status tct_batch_walk_new(tct_batch_walk **out, tct_plan *plan, const tct_stage *from, tacit_rule rule,
                                const tct_promise *promises, size_t n_promises, tacit_error *err);
void tct_batch_walk_free(tct_batch_walk *walk); /* wipes */
/* Call this now and then during runs; anything but TACIT_OK ends the run. */
void tct_batch_walk_tick(tct_batch_walk *walk, tacit_status (*tick)(void *context, tacit_error *err), void *context);

/* People for whom one promise was kept in the same way. */
typedef struct tct_party {
    size_t promise;
    tct_ending end;
    const size_t *order; /* attributes */
    const uint32_t *people;
    size_t n;
} tct_party;
typedef void (*tct_party_fn)(void *context, const tct_party *party);

/* n people: input i of person p at x[i * stride + p]; full[n]: labels with everything known.  Every person is told of
 * once per promise, unless the run fails.  *exactly (NULL allowed) grows by the number of choices that were left to the plain rule. */
tacit_status tct_batch_walk_run(tct_batch_walk *walk, const double *x, size_t stride, size_t n, const uint8_t *full,
                                tct_party_fn tell, void *context, uint64_t *exactly, tacit_error *err);

#endif

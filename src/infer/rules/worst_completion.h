/*
 * worst_completion.h -- what is left of a margin when the unknown attributes do their worst, as far as a short search finds.
 *
 * For choosing questions: what bounds prove is often far below what can happen, and then they point at attributes whose
 * domains are wide rather than at those that matter.  A search from the other side, for a completion that is as bad as
 * possible, comes close to the truth at a fraction of the cost.  It proves nothing.
 */
#ifndef TCT_WORST_COMPLETION_H
#define TCT_WORST_COMPLETION_H

#include "first_layer.h"

/* A completion: all inputs, and the first layer there. */
typedef struct tct_completion {
    double *x, *first;
} tct_completion;

typedef struct tct_worst {
    const tacit_model *model;
    tct_netline *line;
    const unsigned char *known; /* per attribute: what must not move */
    size_t label;               /* whose margin */
    tct_completion at;          /* where the search is */
    double margin;              /* there */
} tct_worst;

/* From s->at, whose `first` need not be set: go down while it helps, at most `rounds` times through all attributes.
 * brief: stop once the margin is not positive.  s->margin is what was found. */
void tct_worst_search(tct_worst *s, size_t rounds, bool brief);

/* The label at each of n <= TCT_LANES points that differ from `from` in the inputs of one attribute: inputs[i * width]
 * on. */
void tct_worst_labels(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs, size_t n,
                      size_t *labels);

#endif

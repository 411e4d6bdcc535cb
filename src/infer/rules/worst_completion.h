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
    double *moved;              /* room for a first layer */
    double margin;              /* there */
    double enough;              /* a move that leaves no more ends the search: what else there is does not matter */
    size_t hint;                /* an attribute that may well show another label, for brief searches; any will do */
} tct_worst;

/* An attribute to one end of its domain, or to a level, and the margin behind it. */
typedef struct tct_move {
    size_t attribute, index;
    double margin;
} tct_move;

/* What can be seen from a completion: its margin, and of every attribute the move that leaves least, with a margin that
 * is not smaller where none helps. */
typedef struct tct_outlying {
    double margin;
    tct_move *best; /* per attribute */
} tct_outlying;

/* From s->at, whose `first` need not be set: go down while it helps, at most `rounds` times through all attributes.
 * s->margin is what was found; where it is no more than s->enough, more might have been. */
void tct_worst_search(tct_worst *s, size_t rounds);

/* All that the first round of a search from s->at looks at, for several searches from there. */
void tct_worst_look(tct_worst *s, tct_outlying *seen);
/* The same as tct_worst_search, to the bit, from a completion that was looked at: s->at with its `first` is what it was
 * then, and so is the label; more may be known. */
void tct_worst_search_on(tct_worst *s, const tct_outlying *seen, size_t rounds);

/* From a completion that was looked at: make all moves that help.  s->margin is not set. */
void tct_worst_make_all(tct_worst *s, const tct_outlying *seen);

/* The margins at n points, each `from` with attributes[i] as in the inputs x; up to rounding. */
void tct_worst_swap(const tct_worst *s, const tct_completion *from, const double *x, const size_t *attributes, size_t n,
                    double *margins);

/* The label at each of n <= TCT_LANES points that differ from `from` in the inputs of one attribute: inputs[i * width]
 * on. */
void tct_worst_labels(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs, size_t n,
                      size_t *labels);
/* The same for the margin of s->label. */
void tct_worst_margins(const tct_worst *s, const tct_completion *from, size_t attribute, const double *inputs, size_t n,
                       double *margins);

#endif

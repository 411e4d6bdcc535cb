/*
 * rules_inside.h -- what the files of the rules share.
 */
#ifndef TCT_RULES_INSIDE_H
#define TCT_RULES_INSIDE_H

#include "rules.h"

size_t tct_choose_by_entropy(const tct_view *view, double *scratch);
size_t tct_choose_by_montecarlo(const tct_view *view, double *scratch);
size_t tct_choose_by_margin(const tct_view *view, double *scratch);
size_t tct_choose_by_stop(const tct_view *view, double *scratch);

/* Doubles off the front of the scratch. */
static inline double *tct_take(double **scratch, size_t count)
{
    double *block = *scratch;

    *scratch += count;
    return block;
}

/* The candidate with the largest score so far; the first among equals. */
typedef struct tct_best {
    size_t attribute; /* TACIT_NONE at first */
    double score;
} tct_best;

static inline void tct_consider(tct_best *b, size_t attribute, double score)
{
    if (b->attribute == TACIT_NONE || score > b->score) {
        b->attribute = attribute;
        b->score = score;
    }
}

#endif

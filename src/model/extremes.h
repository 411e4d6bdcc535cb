/*
 * extremes.h -- how far one attribute alone can move a linear classifier's margins.
 *
 * The margin of label i over class c is linear: f_i - f_c, or f and -f when there is a single score.  Each attribute
 * adds a term of its own, so over any product of domains the smallest margin is the sum of the smallest terms.
 */
#ifndef TCT_EXTREMES_H
#define TCT_EXTREMES_H

#include "model.h"

typedef struct tct_extremes {
    const tct_linear *linear; /* borrowed */
    const tct_codec *codec;   /* borrowed */
    size_t n_classes, n_attributes;
    double *weights;     /* (label, class) x n_inputs: the margin's weights */
    double *worst;       /* (label, class) x n_attributes: smallest term over the attribute's domain */
    size_t *worst_input; /* likewise: the input of its value there (one-hot: of the level), and what it is then */
    double *worst_value;
    double *pad; /* (label, class): a computed lower bound minus this holds for the deployed scores too */
} tct_extremes;

tacit_status tct_extremes_new(tct_extremes **out, const tct_linear *linear, const tct_codec *codec, tacit_error *err);
void tct_extremes_free(tct_extremes *extremes);

/* Row of the (label, class) tables. */
static inline size_t tct_pair(const tct_extremes *e, size_t label, size_t against)
{
    return label * e->n_classes + against;
}
/* The term that attribute `a` adds to a margin when its inputs are v. */
static inline double tct_term(const tct_extremes *e, size_t pair, size_t a, const double *v)
{
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + pair * e->linear->base.n_inputs + domain->first;
    double sum = 0;

    for (size_t i = 0; i < domain->width; i++)
        sum += w[i] * v[i];
    return sum;
}
/* Is a margin of at least `lower` a win of label over class?  Ties go to the lower index; with one score, zero
 * means label 1. */
static inline bool tct_wins(const tct_extremes *e, size_t label, size_t against, double lower)
{
    bool ties_won = e->linear->base.n_scores == 1 ? label == 1 : label < against;

    return ties_won ? lower >= 0 : lower > 0;
}

#endif

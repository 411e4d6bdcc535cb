/*
 * first_layer.h -- beliefs and laws seen from the first layer of a network (netline.h).
 *
 * The first layer is affine in the inputs, so what a belief says about it depends on which attributes are known and not
 * on their values: that part, a tct_first_layer, is kept with the belief.  The rest is one person's, a tct_around.
 */
#ifndef TCT_FIRST_LAYER_H
#define TCT_FIRST_LAYER_H

#include "law.h"
#include "netline.h"

struct tct_first_layer {
    size_t n_first; /* neurons of the first layer */
    size_t width;   /* inputs of the attribute that became known last; 0: there is none */
    double *along;  /* width x n_first: by how much they move the first layer at the posterior mean */
    double *cov;    /* n_first x n_first: covariance of the first layer; NULL where that of the inputs is the cheaper */
};

/* Give the belief its front, when the classifier is a network.  width: inputs of the attribute that became known last,
 * or 0. */
tacit_status tct_first_layer_add(tct_belief *belief, const tct_classifier *classifier, size_t width, tacit_error *err);
void tct_first_layer_free(tct_first_layer *front);
size_t tct_first_layer_bytes(const tct_first_layer *front);
/* The covariance by which to judge scores under this belief. */
tct_spread tct_first_layer_spread(const tct_belief *belief);

/* A person at a stage: where the posterior mean is, and what the network does there. */
typedef struct tct_around {
    tct_netline *line;
    double *mean;   /* n_unknown: posterior means */
    double *point;  /* all inputs: what is known, and the means */
    double *first;  /* n_first: the first layer there */
    double *slopes; /* n_scores x n_first: of the scores there */
    double *base;   /* n_first: room for the rules */
    void *block;
    size_t size;
} tct_around;

/* *out stays NULL when the classifier is no network.  plain: as in tct_netline_new. */
tacit_status tct_around_new(tct_around **out, const tct_classifier *classifier, bool plain, tacit_error *err);
void tct_around_free(tct_around *around); /* wipes */
void tct_around_wipe(tct_around *around);
/* Like tct_law_around; the belief has a front.  law->cross is left alone. */
void tct_around_law(tct_around *around, tct_law *law, double *mean, const tct_belief *belief, const double *x);

#endif

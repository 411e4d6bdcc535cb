/*
 * netline.h -- a network behind its first layer, at eight points side by side.
 *
 * The first layer of a network is affine.  So where a point moves along a line, or is known up to a Gaussian, the first
 * layer does the same in closed form; only what comes after has to be computed point by point.  Given the first
 * layer's values at TCT_LANES points this gives the scores there, their slopes with respect to the first layer, and
 * the covariance of the scores taken for linear around each point.  Numbers lie [neuron][point].
 */
#ifndef TCT_NETLINE_H
#define TCT_NETLINE_H

#include "mlp.h"
#include "netlanes.h"

/* A covariance behind the points. */
typedef struct tct_spread {
    size_t n;
    const double *cov;    /* n x n, symmetric to the bit */
    const size_t *inputs; /* of these inputs; NULL: of the first layer, n = its neurons */
} tct_spread;

struct tct_netline_loops;

/* A network, and room to work: for one thread. */
typedef struct tct_netline {
    const tct_mlp *mlp;
    size_t n_first, n_scores;
    double *first;  /* n_first x lanes: what the points are */
    double *scores; /* n_scores x lanes */
    double *slopes; /* n_scores x n_first x lanes */
    double *cov;    /* n_scores x n_scores x lanes */
    double *values; /* hidden layers after their ReLU, one after the other */
    double *signal; /* two layers: slopes on their way back */
    double *turned; /* n_scores x inputs x lanes: slopes with respect to the inputs of a spread */
    double *product;
    size_t *live; /* hidden neurons active at any of the points, layer after layer */
    size_t n_live[TCT_MAX_LAYERS], n_hidden;
    size_t *all;            /* 0, 1, 2, ... */
    double *columns;        /* weights of the first layer, one row per input */
    double *turned_weights; /* of each later layer its biases, and a row per input; rows filled up */
    const struct tct_netline_loops *loops;
    void *block;
    size_t size;
} tct_netline;

/* *out stays NULL for classifiers that are no networks.  plain: without the processor's vectors, for tests. */
tacit_status tct_netline_new(tct_netline **out, const tct_classifier *classifier, bool plain, tacit_error *err);
void tct_netline_free(tct_netline *line); /* wipes */
void tct_netline_wipe(tct_netline *line); /* what was computed: all but the network */

/* Values of the first layer at one point x, into first[n_first]. */
void tct_netline_first(const tct_netline *line, const double *x, double *first);
/* What changing one input by so much does to it. */
void tct_netline_step(const tct_netline *line, size_t input, double by, double *first);
/* line->first: at[j] + t[i] along[j] for point i. */
void tct_netline_place(tct_netline *line, const double *at, const double *along, const double t[TCT_LANES]);
/* From line->first to scores, at the first n <= TCT_LANES points. */
void tct_netline_scores(tct_netline *line, size_t n);
/* From line->first to scores, slopes and cov. */
void tct_netline_law(tct_netline *line, const tct_spread *spread);

#endif

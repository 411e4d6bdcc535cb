/*
 * mlp.h -- ReLU networks: affine layers with ReLU between them, none after the last.
 */
#ifndef TCT_MLP_H
#define TCT_MLP_H

#include "model.h"

enum { TCT_MAX_LAYERS = 16, TCT_MAX_WIDTH = 4096 };

typedef struct tct_mlp {
    tct_classifier base;
    size_t n_layers;  /* affine layers, at least 1 */
    size_t *sizes;    /* n_layers + 1: sizes[0] = inputs, sizes[n_layers] = scores */
    double **weights; /* [l]: sizes[l + 1] x sizes[l], row-major */
    double **bias;    /* [l]: sizes[l + 1] */
    double **columns; /* [l]: the same weights, one row per input, rows filled up with zeros: for scores() */
    size_t widest;    /* doubles that the values of one layer take, filled up likewise */
} tct_mlp;

extern const tct_classifier_ops tct_mlp_ops;

/* Takes copies.  n_classes: 2 with one score, else as many as scores.  Numbers must be finite and so small that no sum
 * can overflow. */
tacit_status tct_mlp_new(tct_classifier **out, size_t n_classes, size_t n_layers, const size_t *sizes,
                         const double *const *weights, const double *const *bias, tacit_error *err);
/* The classifier as network, or NULL when it is of another kind. */
const tct_mlp *tct_as_mlp(const tct_classifier *classifier);

/* How to train. */
typedef struct tct_mlp_options {
    const size_t *hidden; /* sizes of the hidden layers */
    size_t n_hidden;
    size_t epochs, batch;  /* at least 1 */
    double rate, momentum; /* rate > 0, momentum in [0, 1) */
    bool adam;             /* needs momentum 0 */
    double l2;             /* objective: sum of log losses + l2/2 |weights|^2, biases free of penalty */
    size_t patience;       /* stop after so many epochs without improvement of the training loss; 0 = never */
    uint64_t seed;
    const tct_mlp *start; /* first weights, of the shape asked for; NULL: drawn (He) */
    bool in_order;        /* go through the points in the order given instead of a new one in every epoch */
    /* Train on inputs moved to mean 0 and divided by sqrt(variance + narrow^2), and give the network back in the inputs
     * as they were.  The penalty is on the weights that are trained.  An input that never varies gets no weight.  Not
     * with `start`. */
    bool standardise;
    double narrow; /* 0 or more */
    bool cosine;   /* the rate falls to 0 along half a cosine; else it stays */
} tct_mlp_options;

/* How it went. */
typedef struct tct_mlp_outcome {
    size_t epochs; /* gone through */
    double loss;   /* mean log loss while going through the points for the last time */
} tct_mlp_outcome;

/* Mini-batch SGD on cross-entropy (logistic for two classes, softmax for more).  x and labels as in
 * tct_train_logistic.  One thread; the same seed gives the same bits on any machine of one kind.  outcome may be NULL. */
tacit_status tct_train_mlp(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                           size_t n_inputs, size_t n_classes, const tct_mlp_options *opt, tct_mlp_outcome *outcome,
                           tacit_progress progress, void *context, tacit_error *err);
/* The same with the penalty that does best on points left out (opt->l2 does not matter), which goes to *l2.  threads:
 * 0 = all cores; the result does not depend on it. */
tacit_status tct_train_mlp_chosen(tct_classifier **out, double *l2, const double *x, size_t stride,
                                  const int32_t *labels, size_t n, size_t n_inputs, size_t n_classes,
                                  const tct_mlp_options *opt, size_t threads, tct_mlp_outcome *outcome,
                                  tacit_progress progress, void *context, tacit_error *err);

#endif

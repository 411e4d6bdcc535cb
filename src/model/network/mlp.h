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

#endif

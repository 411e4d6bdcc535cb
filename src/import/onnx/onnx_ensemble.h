/*
 * onnx_ensemble.h -- the lists of a TreeEnsembleClassifier, and writing its trees down over raw values.
 */
#ifndef TCT_ONNX_ENSEMBLE_H
#define TCT_ONNX_ENSEMBLE_H

#include "onnx_inside.h"

/* How a node compares. */
typedef enum tct_node_mode { TCT_LEAF, TCT_LEQ, TCT_LT, TCT_GTE, TCT_GT, TCT_EQ, TCT_NEQ, TCT_IN } tct_node_mode;

/* What TCT_IN looks for; no mode of ONNX, and for categories only. */
typedef struct tct_code_set {
    const double *numbers;
    size_t count;
} tct_code_set;

/* A weight of a leaf. */
typedef struct tct_leaf_weight {
    size_t leaf, class;
    double value;
} tct_leaf_weight;

typedef struct tct_ensemble {
    const int64_t *trees, *nodes, *yes, *no, *features, *missing;
    const double *values;
    tct_code_set *sets; /* NULL: no node is TCT_IN */
    tct_node_mode *modes;
    size_t *left, *right; /* children: where the comparison holds, and where not */
    size_t count, n_classes;
    bool tracks; /* missing is there */
    bool single;
    tct_leaf_weight *weights; /* by leaf and class */
    size_t n_weights;
    const double *start;
    size_t n_start;
    size_t class; /* the one that is being written down */
    bool rival;   /* the first class is the rival of the one that is being written down */
    const tct_source *columns;
    size_t n_columns;
} tct_ensemble;

/* The weight of a leaf for a class; NULL where it has none. */
const tct_leaf_weight *tct_ensemble_weight(const tct_ensemble *e, size_t class, size_t leaf);

/* Write down the tree whose first node is `root`, for the class at hand, as one more tree of o->trees. */
tacit_status tct_ensemble_write(tct_onnx *o, const tct_ensemble *e, size_t root, size_t score);

#endif

/*
 * described_inside.h -- what the files that read described classifiers share.
 *
 * A document is read onto what ONNX graphs are read onto (onnx_inside.h): every feature is a function of one attribute,
 * kept to the bit for trees, as an affine function for linear models and networks.
 */
#ifndef TCT_DESCRIBED_INSIDE_H
#define TCT_DESCRIBED_INSIDE_H

#include "described.h"
#include "onnx_inside.h"

typedef struct tct_description {
    tct_onnx walk; /* memory, messages, codec; and the trees, once written down */
    tct_json_at at;
    json_t *columns, *features, *model; /* of the document */
    size_t n_classes;
    const char *const *classes; /* their names */
    size_t n_features;
    tct_source *sources; /* of the features */
} tct_description;

/* ---- described_columns.c ---- */

/* Is a category of the document (a text, a number, true or false, null for "missing") this level? */
bool tct_described_is_level(const json_t *category, const tacit_attribute *a, size_t level);
/* The name of a column; NULL with the error set. */
const char *tct_described_column(const tct_description *d, size_t column, const tct_json_at *place, tacit_error *err);
/* The names of the classes, as texts. */
tacit_status tct_described_classes(tct_description *d, const json_t *root);
/* d->sources from the features. */
tacit_status tct_described_features(tct_description *d);
/* The members of the document and their kinds. */
tacit_status tct_described_open(tct_description *d, const json_t *root, const char *file);

/* ---- described_trees.c ---- */

/* The trees of the model, written down over raw values as d->walk.trees.  threshold: as in described.h. */
tacit_status tct_described_trees(tct_description *d, double threshold);

#endif

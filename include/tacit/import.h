/*
 * tacit/import.h -- classifiers trained elsewhere.  Part of tacit.h, which says what holds everywhere; in the
 * library tacit-import.
 */
#ifndef TACIT_IMPORT_H
#define TACIT_IMPORT_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_import_options {
    size_t size;       /* see tacit.h */
    double test_share; /* as in tacit_fit_options: the distribution is learnt from the rest */
    uint64_t seed;     /* of the split */
    size_t threads;    /* 0 = all cores; the result does not depend on it */
    /* Where there is no schema: as in tacit_infer_options. */
    const char *label, *sensitive, *public_;
    /* Two classes: the label is 1 iff the probability is at least this; 0: as the library's own predict does.  The score
     * of an ONNX file is taken for the log-odds, as a sigmoid or softmax at its end does. */
    double threshold;
    /* Column of the table with the labels that the deployed model gave; NULL: there is none.  One that differs is an
     * error. */
    const char *predictions;
    /* Trees: the deployed program is known to add up one tree after the other, from the start, in the precision of its
     * numbers.  Certain then means certain for these sums, and for no others; where it is false, for sums in whatever order.
     * An error where more than the sums decides (softmax, LightGBM, CatBoost, forests that compare two means). */
    bool in_order;
} tacit_import_options;

/* Bring a classifier that was trained elsewhere.  What a file is, is seen from its content: a model file of XGBoost,
 * LightGBM (text) or CatBoost (JSON), or an ONNX file or a description (JSON; docs/FORMATS.md, "Classifier") with a linear
 * classifier, a ReLU network or an ensemble of trees, and a pipeline in front of it.  Only the distribution of the inputs is learnt from the table, and accuracies are measured on
 * it.
 *
 * Trees read raw values, as the library they are from does.  Their features are matched with attributes by name, else in
 * order; a category is the feature of its name, by the numbers that its levels spell or else by their positions, or one
 * feature for each level (NAME_LEVEL).  Without a schema (NULL) the columns of the table that are features are the
 * attributes.
 *
 * An ONNX file needs a schema, unless it holds trees.  It reads raw values: by name, if all its inputs are single columns
 * that are called like attributes; else in the order of the schema, a number or integer as it is, an ordinal category as
 * the index (from 0) of its level, a one-hot category as a 0 or 1 for each level, or else every attribute as one column.
 * Its classes are matched with the schema's by name where the file names them, else in order.  What is refused is refused
 * with the node that makes it so. */
TACIT_API tacit_status tacit_import(tacit_model **out, const char *path, const tacit_table *table,
                                    const tacit_schema *schema, const tacit_import_options *options, tacit_error *err);
/* The same for the bytes of such a file. */
TACIT_API tacit_status tacit_import_parse(tacit_model **out, const void *bytes, size_t size, const tacit_table *table,
                                          const tacit_schema *schema, const tacit_import_options *options,
                                          tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif

/*
 * model_parts.h -- what the files of this layer share and nobody else needs.
 */
#ifndef TCT_MODEL_PARTS_H
#define TCT_MODEL_PARTS_H

#include "model.h"

/* Trains a classifier of one kind on n points (as in tct_train_logistic).  `opt` as given by the user; what it came to
 * goes into `info` (l2, and what else the kind has). */
typedef tacit_status tct_train(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                               size_t n_inputs, size_t n_classes, const tacit_fit_options *opt, tacit_model_info *info,
                               tacit_error *err);
tct_train tct_fit_logistic, tct_fit_mlp;

/* Log losses of m points, added up, from their scores; row s of z at z + s * stride (a row alone: two classes).  The
 * scores become residuals, the derivatives of the losses. */
double tct_log_losses(const int32_t *labels, size_t m, size_t n_scores, double *z, size_t stride);

/* One row of the table of kinds. */
typedef struct tct_model_kind {
    const tct_classifier_ops *ops;
    tct_train *train;
} tct_model_kind;

/* The kind called `name`; an unknown name is a usage error with a suggestion. */
tacit_status tct_model_kind_find(const tct_model_kind **out, const char *name, tacit_error *err);

/* tct_model_assemble with a provenance: the numbers of `origin`, its data_hash and version (copied; NULL: none, and
 * this program's).  kind, inputs and scores come from the classifier.  calibration and reference: copied; NULL: none.  model_hash:
 * NULL, or the hash that is already known. */
tacit_status tct_model_build(tacit_model **out, tacit_schema *schema, tct_classifier *classifier, double *mean,
                             double *covariance, const tacit_model_info *origin, const tct_calibration *calibration,
                             const tct_reference *reference, const char *model_hash, tacit_error *err);

/* The text of the model file, checksum included, and that checksum.  `out` may be NULL when only the checksum is
 * wanted. */
tacit_status tct_model_dump(char **out, size_t *size, char hash[65], const tacit_model *model, tacit_error *err);
/* The model in the text of a model file; `file` is for messages. */
tacit_status tct_model_parse(tacit_model **out, const char *text, size_t size, const char *file, tacit_error *err);

/* A matrix, row-major, as an array of rows.  NULL on lack of memory. */
json_t *tct_matrix_to_json(const double *values, size_t n_rows, size_t n_columns);
/* Member `key` of `object`: exactly n_rows arrays of n_columns finite numbers. */
tacit_status tct_matrix_from_json(double *out, size_t n_rows, size_t n_columns, const json_t *object, const char *key,
                                  const tct_json_at *at, tacit_error *err);

/* From so many inputs on, a file of version 3 holds the covariance packed. */
enum { TCT_PACKED_INPUTS = 1025 };
/* A symmetric d x d matrix as d texts, each the numbers of a row up to the diagonal.  NULL on lack of memory. */
json_t *tct_packed_to_json(const double *matrix, size_t d);
tacit_status tct_packed_from_json(double *out, size_t d, const json_t *object, const char *key, const tct_json_at *at,
                                  tacit_error *err);

#endif

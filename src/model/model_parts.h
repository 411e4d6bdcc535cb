/*
 * model_parts.h -- what the files of this layer share and nobody else needs.
 */
#ifndef TCT_MODEL_PARTS_H
#define TCT_MODEL_PARTS_H

#include "model.h"

/* tct_model_assemble with a provenance: the numbers of `origin`, its data_hash and version (copied; NULL: none, and
 * this program's).  kind, inputs and scores come from the classifier.  calibration and reference: copied; NULL: none.  model_hash:
 * NULL, or the hash that is already known.  by_terms: wide categories are variables by their terms. */
tacit_status tct_model_build(tacit_model **out, tacit_schema *schema, tct_classifier *classifier, double *mean,
                             double *covariance, bool by_terms, const tacit_model_info *origin,
                             const tct_calibration *calibration, const tct_reference *reference, const char *model_hash,
                             tacit_error *err);

/* Each may be NULL. */
void tct_model_parts_free(tacit_schema *schema, tct_classifier *classifier, double *mean, double *covariance);

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

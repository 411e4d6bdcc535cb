/*
 * described.h -- classifiers described in words of our own: a JSON document that says which columns are read, what a
 * pipeline makes of each, and what the model behind it does with that (docs/FORMATS.md, "Classifier").
 */
#ifndef TCT_DESCRIBED_H
#define TCT_DESCRIBED_H

#include "json.h"
#include "model.h"

bool tct_described_looks_like(const json_t *root);

/* A schema for a table that has the columns: what the document takes for a category is one and has all categories that
 * it knows; where it replaces a missing number, that is the attribute's `fill`.  `infer` names the label. */
tacit_status tct_described_schema(tacit_schema **out, const json_t *root, const char *file, const tacit_table *table,
                                  const tacit_infer_options *infer, tacit_error *err);

/* The classifier over encoded inputs.  The table (or NULL) tells trees which numbers may be missing.  threshold: NaN, or
 * the probability from which on the second of two classes is given. */
tacit_status tct_described_read(tct_classifier **out, const json_t *root, const char *file, const tct_codec *codec,
                                const tacit_table *table, double threshold, tacit_error *err);

#endif

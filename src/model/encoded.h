/*
 * encoded.h -- the people of a table as numbers, split into those to learn from and those held out, and the model made
 * around a classifier that was trained on them or brought along.
 */
#ifndef TCT_ENCODED_H
#define TCT_ENCODED_H

#include "model.h"

/* Encoded people, one input after the other: input i of person r at x[i * n + r]. */
typedef struct tct_encoded_rows {
    double *x;
    int32_t *labels;
    size_t n;
} tct_encoded_rows;

typedef struct tct_encoded {
    const tacit_table *table; /* borrowed */
    size_t d;                 /* inputs */
    double test_share;
    uint64_t seed;
    tct_encoded_rows train, test; /* train has somebody */
    tct_encode_counts counts;
    tct_encode_counts *cells; /* the same by attribute */
    const tct_codec *codec;   /* borrowed */
    bool with_reference;      /* models made of them know how they were spread; set it where the model is to be kept */
} tct_encoded;

/* Encode all rows; every one needs a label.  test_share: 0 <= share < 1. */
tacit_status tct_encoded_new(tct_encoded **out, const tacit_table *table, const tct_codec *codec, double test_share,
                             uint64_t seed, size_t threads, tacit_error *err);
void tct_encoded_free(tct_encoded *people); /* wipes */

/* A model around `classifier`, which it takes over (on failure too): accuracies measured on both parts, mean and
 * covariance of the training part.  What people and table do not tell comes from `origin`. */
tacit_status tct_encoded_model(tacit_model **out, const tct_encoded *people, const tacit_schema *schema,
                               tct_classifier *classifier, const tacit_model_info *origin, size_t threads,
                               tacit_error *err);

#endif

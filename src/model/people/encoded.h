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
    uint16_t **levels; /* NULL, or by attribute: the level of each, in place of inputs; NULL where there are inputs */
    int32_t *labels;
    size_t n;
} tct_encoded_rows;

typedef struct tct_encoded {
    const tacit_table *table; /* borrowed */
    size_t d;                 /* columns of x: inputs, unless levels are in their place */
    double test_share;
    uint64_t seed;
    tct_encoded_rows train, test; /* train has somebody */
    tct_encode_counts counts;
    tct_encode_counts *cells; /* the same by attribute */
    const tct_codec *codec;   /* borrowed, or: */
    tct_codec *own;           /* NULL, or that of tct_encoded_recode */
    tct_codec *compact;       /* NULL, or as codec, and the attributes that are kept as levels have width 0 */
    bool with_reference;      /* models made of them know how they were spread; set it where the model is to be kept */
} tct_encoded;

/* Encode all rows; every one needs a label.  test_share: 0 <= share < 1. */
tacit_status tct_encoded_new(tct_encoded **out, const tacit_table *table, const tct_codec *codec, double test_share,
                             uint64_t seed, size_t threads, tacit_error *err);
/* The same, and of categories with more than TCT_WIDE_LEVELS levels only the levels are kept. */
tacit_status tct_encoded_new_compact(tct_encoded **out, const tacit_table *table, const tct_codec *codec,
                                     double test_share, uint64_t seed, size_t threads, tacit_error *err);
void tct_encoded_free(tct_encoded *people); /* wipes */
/* People as another codec reads them, which is theirs from then on: it differs only in that some cells of numbers are one,
 * or are not there since nobody was in them. */
void tct_encoded_recode(tct_encoded *people, tct_codec *codec);
/* The inputs of one person, all of them. */
void tct_encoded_point(const tct_encoded *people, const tct_encoded_rows *part, size_t row, double *x);

/* A model around `classifier`, which it takes over (on failure too): accuracies measured on both parts, mean and
 * covariance of the training part.  Where levels were kept, the classifier must have terms (tct_classifier_terms), and is
 * the only user of the levels' covariance.  What people and table do not tell comes from `origin`. */
tacit_status tct_encoded_model(tacit_model **out, const tct_encoded *people, const tacit_schema *schema,
                               tct_classifier *classifier, const tacit_model_info *origin, size_t threads,
                               tacit_error *err);

#endif

/*
 * reference.h -- what the people looked like from whom a model was made: outcomes against decisions, and for every
 * attribute how its values were spread, so that an audit can tell whether its people are other ones.
 *
 * Kept in the model file, so it must describe nobody: bins hold at least TCT_LEAST_IN_BIN people, their edges are
 * rounded, counts of missing and clipped cells are rounded to tens.
 */
#ifndef TCT_REFERENCE_H
#define TCT_REFERENCE_H

#include "encode.h"
#include "json.h"

enum { TCT_LEAST_IN_BIN = 20, TCT_MOST_BINS = 10 };

/* How one attribute was spread. */
typedef struct tct_profile {
    uint64_t missing, clipped; /* cells, rounded */
    size_t n_bins;             /* 0: not known */
    uint64_t *counts;          /* n_bins: people */
    double *edges;          /* n_bins - 1, ascending: values; ordinal categories: levels.  Bin b: above b edges.  NULL:
                                  one-hot */
    size_t *bins, n_levels; /* one-hot: the bin of each level, and how many levels; else NULL and 0 */
} tct_profile;

typedef struct tct_reference {
    size_t n_attributes, n_classes;
    uint64_t people;        /* of the training part */
    uint64_t *train, *test; /* n_classes x n_classes: people by outcome and decision */
    tct_profile *spreads;   /* n_attributes */
} tct_reference;

/* Room, all counts 0. */
tacit_status tct_reference_make(tct_reference **out, size_t n_attributes, size_t n_classes, tacit_error *err);
/* Of n people, input i of person r at x[i * n + r]; cells: what happened to their cells, by attribute.  levels: NULL, or
 * by attribute the level of each of them, where `columns`, which tells where inputs are in x, has none; else NULL. */
tacit_status tct_reference_new(tct_reference **out, const tct_codec *codec, const tct_codec *columns, const double *x,
                               uint16_t *const *levels, size_t n, const tct_encode_counts *cells, tacit_error *err);
void tct_reference_free(tct_reference *reference);
tacit_status tct_reference_copy(tct_reference **out, const tct_reference *reference, tacit_error *err);
/* NULL on lack of memory. */
json_t *tct_reference_to_json(const tct_reference *reference);
tacit_status tct_reference_from_json(tct_reference **out, const json_t *json, const tacit_schema *schema,
                                     const tct_json_at *at, tacit_error *err);

/* Numbers that tct_profile_count adds to: what makes the bins. */
size_t tct_profile_counters(const tct_profile *spread);
/* Count n people, whose inputs of this attribute are at x, x + stride, ... */
void tct_profile_count(const tct_profile *spread, const tct_codec *codec, size_t attribute, const double *x,
                       size_t stride, size_t n, uint64_t *counters);
/* Bins from counters. */
void tct_profile_bins(size_t n_bins, bool by_level, const uint64_t *counters, uint64_t people, uint64_t *bins);

#endif

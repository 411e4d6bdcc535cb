/*
 * quality.h -- counts about decisions with everything known, and about the cells they are made from.  Only `released`
 * depends on delta.
 */
#ifndef TCT_QUALITY_H
#define TCT_QUALITY_H

#include "arena.h"
#include "encode.h"
#include "json.h"
#include "reference.h"

/* At one delta, people with a clipped cell: given the label with everything known; given the one that an imported
 * classifier gives to their values as they are.  Those with a missing (or unknown) one: given the first. */
typedef struct tct_released {
    uint64_t clipped_agree, clipped_own, missing_agree;
} tct_released;

typedef struct tct_quality {
    size_t n_classes, n_attributes, n_deltas;
    tct_arena arena;
    /* (n_classes + 1) x n_classes: people by outcome (row 0: not known, row 1 + t: class t) and decision. */
    uint64_t *confusion;
    tct_encode_counts *cells; /* n_attributes */
    /* People with a clipped, and with a missing (or unknown) cell: all, with a known outcome, and decided so. */
    struct {
        uint64_t people, labelled, correct;
    } clipped, missing;
    /* Of those with a clipped cell, where it was asked for: scored on the values as they are, and decided as when clipped. */
    struct {
        uint64_t people, agree;
    } unclipped;
    tct_released *released;  /* n_deltas */
    size_t *first;           /* n_attributes + 1: where an attribute's counters begin */
    uint64_t *counters;      /* of tct_profile_count */
    uint64_t training_files; /* files that are the one the model was made from */
    uint64_t other_forms; /* columns in memory, where the model was made from a file: nobody knows whether they are */
    /* What follows: tct_quality_finish. */
    uint64_t *decided, *truth; /* n_classes */
} tct_quality;

/* n_counters: per attribute, NULL: none. */
tacit_status tct_quality_new(tct_quality **out, size_t n_classes, size_t n_attributes, size_t n_deltas,
                             const size_t *n_counters, tacit_error *err);
void tct_quality_free(tct_quality *quality);
void tct_quality_merge(tct_quality *into, const tct_quality *from);

/* n people: decided[p] with everything known, labels[p] the outcome or -1 (NULL: none is known). */
void tct_quality_decisions(tct_quality *quality, const uint8_t *decided, const int32_t *labels, size_t n);
/* The same people, as TCT_HAD_* tells of their cells; is there anybody with such a cell? */
bool tct_quality_rows(tct_quality *quality, const uint8_t *rows, const uint8_t *decided, const int32_t *labels,
                      size_t n);
/* How their values are spread: input i of person p at x[i * stride + p]; few at a time stay in the cache. */
void tct_quality_profile(tct_quality *quality, const tct_reference *reference, const tct_codec *codec, const double *x,
                         size_t stride, size_t n);
/* Population stability index of the counters against a reference of `n_bins` counts, and what it is by chance alone when
 * both are samples of the same people; NaN when there is nothing to compare. */
double tct_stability(const uint64_t *expected, const uint64_t *found, size_t n_bins, double *by_chance);
/* People whose outcome is known, and those of them who are decided so. */
void tct_quality_outcomes(const tct_quality *quality, uint64_t *labelled, uint64_t *correct);
/* Sums of the table. */
void tct_quality_finish(tct_quality *quality);

/* As partial audits carry it; NULL on lack of memory. */
json_t *tct_quality_to_json(const tct_quality *quality);
/* Into an empty one.  `people` were counted, `labelled` of them with an outcome, `correct` of these decided so. */
tacit_status tct_quality_from_json(tct_quality *quality, uint64_t people, uint64_t labelled, uint64_t correct,
                                   const json_t *json, const tct_json_at *at, tacit_error *err);

#endif

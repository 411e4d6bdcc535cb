/*
 * quality.h -- counts about decisions with everything known, and about the cells they are made from.  Nothing here
 * depends on delta.
 */
#ifndef TCT_QUALITY_H
#define TCT_QUALITY_H

#include "encode.h"
#include "json.h"

typedef struct tct_quality {
    size_t n_classes, n_attributes;
    /* (n_classes + 1) x n_classes: people by outcome (row 0: not known, row 1 + t: class t) and decision. */
    uint64_t *confusion;
    uint64_t training_files; /* files that are the one the model was made from */
    /* What follows: tct_quality_finish. */
    uint64_t *decided, *truth; /* n_classes */
} tct_quality;

tacit_status tct_quality_new(tct_quality **out, size_t n_classes, size_t n_attributes, tacit_error *err);
void tct_quality_free(tct_quality *quality);
void tct_quality_merge(tct_quality *into, const tct_quality *from);

/* n people: decided[p] with everything known, labels[p] the outcome or -1 (NULL: none is known). */
void tct_quality_decisions(tct_quality *quality, const uint8_t *decided, const int32_t *labels, size_t n);
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

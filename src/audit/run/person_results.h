/*
 * person_results.h -- what became of each person, for who wants to know it as arrays (tacit_audit_people).
 *
 * A keeper sits beside a worker and writes down outcomes as they are found, whichever path finds them.  Blocks are kept as
 * they come and put in the order of the files at the end.
 */
#ifndef TCT_PERSON_RESULTS_H
#define TCT_PERSON_RESULTS_H

#include "arena.h"
#include "auditor.h"

/* Entries of person p at delta d are at d * n + p. */
typedef struct tct_person_results {
    tct_arena arena; /* all of the following */
    size_t n, n_deltas, n_words;
    uint64_t *rows; /* n */
    uint8_t *full;  /* n */
    uint8_t *labels, *settled;
    uint16_t *asked;
    double *probabilities;
    uint64_t *sets;            /* n_words each */
    tacit_audit_people *views; /* per delta */
} tct_person_results;
void tct_person_results_free(tct_person_results *results); /* wipes */

typedef struct tct_keeper tct_keeper;
/* Borrows all of them; start: where everybody's walk begins. */
tacit_status tct_keeper_new(tct_keeper **out, const tct_job *job, tct_plan *plan, const tct_stage *start,
                            tacit_error *err);
void tct_keeper_free(tct_keeper *keeper); /* wipes */
/* n people come next, who are these rows. */
tacit_status tct_keeper_begin(tct_keeper *keeper, size_t n, const uint64_t *rows, tacit_error *err);
/* One of them: place p in the block, inputs at x[i * stride].  probability: NaN where it is not at hand; then it is found
 * out as a session would, since fast paths only compare. */
tacit_status tct_keeper_note(tct_keeper *keeper, size_t p, const double *x, size_t stride, uint8_t full,
                             size_t delta_index, const tct_outcome *outcome, double probability, tacit_error *err);

/* Blocks, in any order. */
typedef struct tct_person_list {
    struct tct_person_block {
        uint64_t file, sequence;
        tct_person_results *results;
    } * blocks;
    size_t n, room;
} tct_person_list;
/* What the keeper has written down since it began, taken over. */
tacit_status tct_person_list_add(tct_person_list *list, tct_keeper *keeper, uint64_t file, uint64_t sequence,
                                 tacit_error *err);
void tct_person_list_clear(tct_person_list *list);
/* All of them in order, as one. */
tacit_status tct_person_list_join(tct_person_results **out, tct_person_list *list, const tct_job *job,
                                  tacit_error *err);

#endif

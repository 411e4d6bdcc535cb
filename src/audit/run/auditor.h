/*
 * auditor.h -- deciding and counting blocks of people.
 *
 * A tct_job is what all workers share and nobody changes; a tct_worker is one thread's own: its plan, its counts.
 */
#ifndef TCT_AUDITOR_H
#define TCT_AUDITOR_H

#include <stdatomic.h>

#include "smallest_set.h"
#include "chain.h"
#include "quality.h"
#include "batch_walk.h"
#include "smallest_batch.h"
#include "sorter.h"
#include "tally.h"

/* Promises that are walked together because they share a rule. */
typedef struct tct_pass {
    tacit_rule rule;
    size_t n_promises;
    tct_promise *promises;
    size_t *delta_index; /* of each promise, in the order the user gave them */
} tct_pass;

/* Fast ways of which the plain one is to be taken: whoever compares them. */
enum {
    TCT_PLAIN_CHAIN = 1,
    TCT_PLAIN_BATCH_WALK = 2,
    TCT_PLAIN_SMALLEST = 4,
    TCT_PLAIN_NEEDS = 8,
    TCT_PLAIN_GROUPS = 16
};

typedef struct tct_job {
    const tacit_model *model;
    const tacit_audit_options *options;
    tct_pass *passes;
    size_t n_passes;
    size_t n_deltas;
    size_t *sensitive; /* attributes */
    size_t n_sensitive;
    size_t *position; /* attribute -> place in sensitive */
    bool equal_costs; /* among sensitive attributes */
    unsigned plain;   /* TCT_PLAIN_* */
    bool want_rows;
    double opt_share;               /* people whose smallest sets are looked for; 1: everybody, unless: */
    bool opt_sampled;               /* they are counted by octave: a sample, where there are many people */
    _Atomic uint64_t *people;       /* counted so far by all workers; NULL: not known */
    const tct_text *row_prefix;     /* in front of every row; NULL: nothing */
    const tct_groupings *groupings; /* borrowed; NULL: none */
    /* Called every few people while counting them takes long, so that whoever wants it to end need not wait.  NULL: not;
     * anything but TACIT_OK ends the counting. */
    tacit_status (*tick)(void *context, tacit_error *err);
    void *tick_context;
} tct_job;

tacit_status tct_job_new(tct_job **out, const tacit_model *model, const tacit_audit_options *options, tacit_error *err);
void tct_job_free(tct_job *job);

typedef struct tct_worker tct_worker;
tacit_status tct_worker_new(tct_worker **out, const tct_job *job, tacit_error *err);
void tct_worker_free(tct_worker *worker); /* wipes */

/* n people: input i of person r at x[i * n + r].  labels: class or -1, NULL when there are none.  groups: of
 * each person, per grouping, as the worker's sorter numbers them; NULL when there are none.  rows: number of each in its file, for the rows output. */
tacit_status tct_worker_count(tct_worker *worker, const double *x, size_t n, const int32_t *labels,
                              const size_t *groups, const uint64_t *rows, tct_text *rows_out, tacit_error *err);

/* A CSV cell, quoted where it must be. */
void tct_append_cell(tct_text *out, const char *cell);

/* Who remembers each person (person_results.h), and must begin before a block is counted; NULL unless the options say so. */
struct tct_keeper *tct_worker_keeper(tct_worker *worker);

tct_census *tct_worker_census(tct_worker *worker);
tct_quality *tct_worker_quality(tct_worker *worker);
/* Labels with everything known of the people counted last. */
const uint8_t *tct_worker_decided(const tct_worker *worker);
tct_tally *tct_worker_tally(tct_worker *worker, size_t delta_index);
tct_sorter *tct_worker_sorter(tct_worker *worker); /* NULL without groupings */

#endif

/*
 * tally.h -- counting people.  Whole numbers only, so sums do not depend on the order of adding: any number of threads
 * gives the same bytes.
 */
#ifndef TCT_TALLY_H
#define TCT_TALLY_H

#include "walk.h"

/* Counts of one delta, for everybody or for one group. */
typedef struct tct_tally {
    size_t n_sensitive;
    uint64_t people, labelled, agree, correct, certain, likely, all_revealed, stopped, failed;
    uint64_t *histogram; /* n_sensitive + 1 */
    uint64_t *asked;     /* n_sensitive */
} tct_tally;

tacit_status tct_tally_new(tct_tally **out, size_t n_sensitive, tacit_error *err);
void tct_tally_free(tct_tally *tally);
void tct_tally_merge(tct_tally *into, const tct_tally *from);

/* One person's outcome at one delta. */
typedef struct tct_outcome {
    size_t asked;        /* how many */
    const size_t *order; /* which, as positions in the list of sensitive attributes */
    tacit_settled settled;
    size_t label;
    size_t full_label; /* with everything known */
    int32_t truth;     /* -1: not known */
    bool exact;        /* delta = 0 */
} tct_outcome;

static inline void tct_tally_add(tct_tally *t, const tct_outcome *o)
{
    bool agrees = o->label == o->full_label;
    bool stopped = o->settled == (o->exact ? TACIT_CERTAIN : TACIT_LIKELY);

    t->people++;
    t->histogram[o->asked]++;
    for (size_t i = 0; i < o->asked; i++)
        t->asked[o->order[i]]++;
    t->agree += agrees;
    t->labelled += o->truth >= 0;
    t->correct += o->truth >= 0 && (size_t)o->truth == o->label;
    t->certain += o->settled == TACIT_CERTAIN;
    t->likely += o->settled == TACIT_LIKELY;
    t->all_revealed += o->settled == TACIT_ALL_REVEALED;
    t->stopped += stopped;
    t->failed += stopped && !agrees;
}

/* What does not depend on delta. */
typedef struct tct_census {
    uint64_t people, labelled, baseline_correct;
    tct_encode_counts cells;
    uint64_t *opt_histogram; /* n_sensitive + 1 */
    uint64_t *opt_members;   /* n_sensitive: members of cheapest core sets */
    size_t n_sensitive;
} tct_census;
tacit_status tct_census_new(tct_census **out, size_t n_sensitive, tacit_error *err);
void tct_census_free(tct_census *census);
void tct_census_merge(tct_census *into, const tct_census *from);

#endif

/*
 * tally.h -- counting people.  Whole numbers only, so sums do not depend on the order of adding: any number of threads
 * gives the same bytes.
 */
#ifndef TCT_TALLY_H
#define TCT_TALLY_H

#include "opt_sample.h"
#include "walk.h"

/* Counts of one delta, for everybody or for one group. */
typedef struct tct_tally {
    size_t n_sensitive;
    uint64_t people, labelled, agree, correct, certain, likely, all_revealed, stopped, failed;
    uint64_t *histogram; /* n_sensitive + 1 */
    uint64_t *asked;     /* n_sensitive */
    /* What could have been kept (src/release/dispense.h), n_sensitive each; all 0 where that is not counted. */
    uint64_t spare_people;   /* with a spare answer */
    uint64_t *indispensable; /* people to whom it is */
    uint64_t *undecided;     /* people of whom that is not known */
    uint64_t *spare;         /* people whose answer was */
    /* By label with everything known, where it is counted (else NULL, 0): people stopped, and those of them who failed. */
    uint64_t *label_stopped, *label_failed, *labels_told; /* the last: room for both as they are told */
    size_t n_labels;
    uint64_t *others; /* people whose decision was proven with it, and could be without it only for other answers */
} tct_tally;

tacit_status tct_tally_new(tct_tally **out, size_t n_sensitive, tacit_error *err);
void tct_tally_free(tct_tally *tally);
/* Count by label as well, from now on. */
tacit_status tct_tally_count_labels(tct_tally *tally, size_t n_labels, tacit_error *err);
void tct_tally_merge(tct_tally *into, const tct_tally *from);

/* One person's outcome at one delta. */
typedef struct tct_outcome {
    tct_ending end;
    const size_t *order; /* what was asked, as positions in the list of sensitive attributes */
    size_t full_label;   /* with everything known */
    int32_t truth;       /* -1: not known */
    bool exact;          /* delta = 0 */
    /* n_sensitive each; NULL: not counted.  spare is NULL also where no proof is at hand: stopped as likely. */
    const unsigned char *needs, *spare;
} tct_outcome;

void tct_tally_add(tct_tally *tally, const tct_outcome *outcome);
/* Only what could have been kept: spare and others, from an outcome's needs and spare. */
void tct_tally_add_spare(tct_tally *tally, const tct_outcome *outcome);
/* `count` people with the same outcome. */
void tct_tally_add_many(tct_tally *tally, const tct_outcome *outcome, uint64_t count);

/* With two classes people are of one of a few sorts: the label with everything known, and the truth. */
enum { TCT_SORTS = 6 };
static inline size_t tct_sort(size_t full_label, int32_t truth)
{
    return full_label * 3 + (size_t)(truth + 1);
}
/* Many of them who were asked in the same order are counted by outcome first, in one bin per ending and sort. */
enum { TCT_BINS_PER_COUNT = (TCT_ENDINGS_PACKED - 1) * TCT_SORTS };
static inline size_t tct_bin(tct_ending end, size_t sort)
{
    return (end.asked * (TCT_ENDINGS_PACKED - 1u) + (TCT_ENDING_PACKED(end.settled, end.label) - 1u)) * TCT_SORTS +
           sort;
}
/* The outcome of a bin, but for order and exact. */
tct_outcome tct_bin_outcome(size_t bin);
/* Add (n_sensitive + 1) x TCT_BINS_PER_COUNT bins and clear them. */
void tct_tally_add_bins(tct_tally *tally, uint32_t *bins, const size_t *order, bool exact);

/* What does not depend on delta. */
typedef struct tct_census {
    uint64_t people, labelled, baseline_correct;
    tct_encode_counts cells;
    uint64_t skipped;        /* bad rows that were left out */
    tct_opt_counts opt;      /* smallest sets */
    tct_opt_counts *octaves; /* TCT_OCTAVES, of which `opt` is to be made; NULL: counted at once */
    size_t n_sensitive;
} tct_census;
tacit_status tct_census_new(tct_census **out, size_t n_sensitive, tacit_error *err);
void tct_census_free(tct_census *census);
/* Count smallest sets by octave, from now on. */
tacit_status tct_census_count_octaves(tct_census *census, tacit_error *err);
/* Where the smallest set of a person is counted; NULL: it need not be looked for, since it is not in the sample: octaves
 * with so many people, or else a share by the numbers of rows (not looked at if it is 1). */
tct_opt_counts *tct_census_opt_of(tct_census *census, uint64_t people, double share, const uint64_t *row,
                                  const double *person, size_t n_inputs);
void tct_census_merge(tct_census *into, const tct_census *from);

#endif

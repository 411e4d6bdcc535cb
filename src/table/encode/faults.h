/*
 * faults.h -- all that is wrong with a file of people, so that it can be told at once.
 *
 * Faults are counted by what they are (a column that is not there, text for a number, an unknown level, ...), each with
 * its first row: who mends a file wants to know what to look for, not every place.  A tct_faults is plain data, so that
 * processes can tell each other; counts of parts of a file add up, whoever took which.
 */
#ifndef TCT_FAULTS_H
#define TCT_FAULTS_H

#include "encode.h"

typedef struct tct_fault {
    uint64_t count, first; /* rows; a column that is not there counts once, in row 0 */
} tct_fault;

typedef struct tct_faults {
    size_t n_attributes, n_others; /* others: columns beside attributes and label that must hold numbers */
    tacit_error record;            /* the first of the bad records */
    tct_fault records, no_label_column, no_label, other_label;
    tct_fault skipped; /* bad rows left out by choice: too many are a fault */
    tct_fault list[];  /* TCT_FAULT_KINDS for each attribute, then the others */
} tct_faults;

enum { TCT_FAULT_KINDS = 5 }; /* 0: no column; else a tct_coding */

tacit_status tct_faults_new(tct_faults **out, size_t n_attributes, size_t n_others, tacit_error *err);
void tct_faults_free(tct_faults *faults);
size_t tct_faults_size(const tct_faults *faults); /* in bytes */
void tct_faults_add(tct_faults *into, const tct_faults *from);

/* Bad records that were left out of a block. */
void tct_faults_records(tct_faults *faults, const tacit_error *first, uint64_t count);
/* A row of column `other` that holds no number. */
void tct_faults_other(tct_faults *faults, size_t other, uint64_t row);
/* Columns that the binding does not find. */
void tct_faults_columns(tct_faults *faults, const tct_binding *binding);
/* The cells of a split block; labels: the label's as well. */
void tct_faults_block(tct_faults *faults, const tct_binding *binding, const tct_block *block, bool labels);

/* All of it as an error, in the order of the schema; others: the names of those columns; before, after: problems to tell
 * besides, or NULL.  TACIT_OK where there is nothing. */
tacit_status tct_faults_tell(const tct_faults *faults, const tct_binding *binding, const char *const *others,
                             const tacit_error *before, const tacit_error *after, tacit_error *err);

/* A whole table: all that is wrong with it, or TACIT_OK. */
tacit_status tct_faults_table(const tct_binding *binding, const tacit_table *table, bool labels, tacit_error *err);
/* Somebody has failed on a table with `st` and *err: if its cells are the reason, tell all that is wrong with them. */
tacit_status tct_faults_instead(tacit_status st, const tct_binding *binding, const tacit_table *table, bool labels,
                                tacit_error *err);

#endif

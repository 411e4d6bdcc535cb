/*
 * schema_findings.h -- what the columns of a table hold: numbers, dates or text, with their stray cells.
 */
#ifndef TCT_SCHEMA_FINDINGS_H
#define TCT_SCHEMA_FINDINGS_H

#include "schema.h"

typedef enum tct_column_kind { TCT_COLUMN_TEXT = 0, TCT_COLUMN_NUMBERS, TCT_COLUMN_DATES } tct_column_kind;

/* What a pass over a column found. */
typedef struct tct_findings {
    size_t n_missing, n_numbers, n_other; /* other: neither missing nor a number */
    bool missing_trained; /* missing in some row of the training part: not knowing is one of its values */
    bool whole;           /* all numbers are whole and exact */
    size_t blurred;       /* row of the first whole number that no double can tell from its neighbours; 0: none */
    size_t n_zeros;       /* numbers that begin with a zero too many, as codes do */
    size_t n_written;     /* texts that are numbers but for signs and separators */
    size_t n_dates[4];    /* texts that are dates in this order; [0]: with years of two digits */
    size_t n_train;       /* numbers in the training part */
    double min, max, mean;
    size_t n_min, n_max;  /* people of the training part who have them */
    tct_column_kind kind; /* what all cells are, or nearly all */
    tacit_dates order;    /* of dates; TACIT_DATES_NONE: nobody knows the century */
    size_t n_stray;       /* cells that are not what the column holds */
} tct_findings;

enum { TCT_ROWS_TOLD = 5 };

/* Look at all columns.  held: by row number - 1; all: one for each column. */
void tct_findings_look(tct_findings *all, const tacit_table *table, const bool *held);
/* The first rows with stray cells; returns how many there are. */
size_t tct_findings_stray(const tct_findings *f, const tacit_table *table, size_t column, size_t rows[TCT_ROWS_TOLD]);
/* Count a number. */
void tct_findings_count(tct_findings *f, double v, bool held);

#endif

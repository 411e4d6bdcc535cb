/*
 * table_fill.h -- the cells of a block, from columns in memory.
 */
#ifndef TCT_TABLE_FILL_H
#define TCT_TABLE_FILL_H

#include "table_columns.h"

typedef struct tct_fill {
    const tct_csv *csv; /* names, and what the columns hold */
    const tct_columns *columns;
    const size_t *starts;  /* per chunk: its first row; n_chunks + 1 */
    const double *markers; /* numbers that mean "missing" */
    size_t n_markers;
    size_t first; /* row of the table that is the first of the block */
    size_t chunk; /* which that one is in */
} tct_fill;

/* The first n rows of a block that has room for their cells.  The same cells and bytes, however the columns are divided
 * into chunks, and whether texts are there themselves or as places in a dictionary.  An error is that of the earliest
 * row. */
tacit_status tct_fill_rows(const tct_fill *fill, tct_block *block, size_t n, tacit_error *err);

#endif

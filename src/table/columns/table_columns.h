/*
 * table_columns.h -- a table from columns in memory.
 *
 * The columns come in chunks, each of some rows of all columns.  Cells are filled row by row, so that blocks, and the hash
 * of the table, do not depend on where one chunk ends and the next begins.
 */
#ifndef TCT_TABLE_COLUMNS_H
#define TCT_TABLE_COLUMNS_H

#include "vectors.h"

typedef struct tct_chunk {
    tct_vector *vectors; /* one per column */
    size_t n_rows;
} tct_chunk;

typedef struct tct_columns {
    const char *const *names; /* NULL or "": one is made */
    size_t n_columns;
    const tct_chunk *chunks;
    size_t n_chunks;
} tct_columns;

/* Rows `first` to first + n_rows of a column of a caller's, as a vector; its levels as another one, which it points at.
 * at: its place, for messages. */
tacit_status tct_column_vector(const tacit_column *column, size_t at, size_t first, size_t n_rows, tct_vector *vector,
                               tct_vector *levels, tacit_error *err);

/* name: for messages, NULL: "table".  Everything is copied. */
tacit_status tct_table_from_columns(tacit_table **out, const char *name, const tct_columns *columns,
                                    const tacit_csv_options *options, size_t threads, tacit_error *err);

#endif

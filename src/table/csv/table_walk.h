/*
 * table_walk.h -- the cells of one column of a table, from the first row to the last.
 */
#ifndef TCT_TABLE_WALK_H
#define TCT_TABLE_WALK_H

#include "csv_inside.h"

/* Set table and column, then call tct_walk_next until it is false. */
typedef struct tct_walk {
    const tacit_table *table;
    size_t column, block, row; /* row: in the block, the next one */
    tct_datum value;
    size_t number; /* of the row in the file, from 1 */
    bool missing;
    const tct_cell *cell;
    char buffer[TCT_DATUM_ROOM];
} tct_walk;

/* The text of the cell; of a number it is good until the next call. */
static inline const char *tct_walk_text(tct_walk *w, size_t *size)
{
    const char *bytes = w->buffer;

    tct_datum_text(&w->value, 0, w->buffer, &bytes, size);
    return bytes;
}

/* Bytes that are the same where the cell is the same, and stay as long as the table. */
static inline const char *tct_walk_key(const tct_walk *w, size_t *size)
{
    *size = w->value.holds == TCT_TEXT ? w->value.size : sizeof(double);
    return w->value.holds == TCT_TEXT ? w->value.bytes : (const char *)&w->cell->number;
}

static inline bool tct_walk_next(tct_walk *w)
{
    const tct_csv *csv = w->table->csv;
    const tct_block *block;

    while (w->block < w->table->n_blocks && w->row == w->table->blocks[w->block].n_rows) {
        w->block++;
        w->row = 0;
    }
    if (w->block == w->table->n_blocks)
        return false;
    block = &w->table->blocks[w->block];
    w->cell = &block->cells[w->row * csv->n_columns + w->column];
    w->value = tct_datum_at(csv, block, w->row, w->column);
    w->number = (size_t)tct_block_row(block, w->row);
    w->missing = tct_datum_missing(csv, &w->value);
    w->row++;
    return true;
}

#endif

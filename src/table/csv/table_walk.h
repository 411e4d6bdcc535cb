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
    const char *bytes;
    size_t size;
    size_t number; /* of the row in the file, from 1 */
    bool missing;
} tct_walk;

static inline bool tct_walk_next(tct_walk *w)
{
    const tct_csv *csv = w->table->csv;
    const tct_block *block;
    const tct_cell *cell;

    while (w->block < w->table->n_blocks && w->row == w->table->blocks[w->block].n_rows) {
        w->block++;
        w->row = 0;
    }
    if (w->block == w->table->n_blocks)
        return false;
    block = &w->table->blocks[w->block];
    cell = &block->cells[w->row * csv->n_columns + w->column];
    w->bytes = block->bytes + cell->start;
    w->size = cell->size;
    w->number = (size_t)tct_block_row(block, w->row);
    w->missing = tct_csv_missing_quick(csv, w->bytes, w->size);
    w->row++;
    return true;
}

#endif

/*
 * rows.h -- one CSV row per person and delta: what was asked for and how it ended, never a value.
 */
#ifndef TCT_ROWS_H
#define TCT_ROWS_H

#include "auditor.h"

/* The people of a tile, remembered until their rows are written. */
typedef struct tct_rows {
    const tct_job *job;
    tct_outcome *outcomes; /* n_deltas x TCT_TILE */
    unsigned char *needs;  /* TCT_TILE x n_sensitive */
    unsigned char *spare;  /* n_deltas x TCT_TILE x n_sensitive */
    size_t *smallest;      /* TCT_TILE: members of the smallest set; SIZE_MAX: not looked for */
} tct_rows;

tacit_status tct_rows_new(tct_rows **out, const tct_job *job, tacit_error *err);
void tct_rows_free(tct_rows *rows); /* wipes */
/* Remember an outcome; its order must stay where it is, the rest is copied. */
void tct_rows_keep(tct_rows *rows, size_t p, size_t delta_index, const tct_outcome *outcome);
/* The rows of person p, who is row `row` of the file and in these groups, one per grouping (NULL: there are none). */
void tct_rows_write(const tct_rows *rows, size_t p, uint64_t row, const tct_sorter *sorter, const size_t *groups,
                    tct_text *out);
/* The header, without the name of the file in front and the groups behind. */
extern const char tct_rows_header[];

#endif

/*
 * encode_wide.h -- the usual cells of a column, eight rows at a time, for processors with AVX-512.
 *
 * What is found and what comes out is what encode_quick.h does cell by cell, except that a little more is left over.
 */
#ifndef TCT_ENCODE_WIDE_H
#define TCT_ENCODE_WIDE_H

#include "encode_quick.h"

enum { TCT_TILE_ROWS = 256 };

/* Some rows of a column. */
typedef struct tct_column {
    const char *bytes;     /* of the block */
    const tct_cell *cells; /* of the first row */
    size_t stride;         /* from a row's cell to the next row's */
    size_t n;              /* rows, at most TCT_TILE_ROWS */
} tct_column;

/* Rows whose cells are left to the plain way, in order. */
typedef struct tct_rest {
    uint16_t rows[TCT_TILE_ROWS + 1]; /* one more: written, but not counted */
    size_t n;
} tct_rest;

/* Does this processor have what the following need?  They must not be called on one of this family that has not; on
 * other families they leave every row over. */
bool tct_wide_here(void);

/* Spellings: grid values, or indices.  Both leave anything in the rows left over. */
void tct_wide_values(const tct_quick *quick, const tct_column *column, double *values, tct_rest *left);
void tct_wide_levels(const tct_quick *quick, const tct_column *column, uint32_t *levels, tct_rest *left);
/* Whole numbers, clipped and scaled to [-1, 1] as tct_box_value (number) and tct_grid_value do; min < max.  Returns how
 * many were clipped; rows (NULL: not wanted) get TCT_HAD_CLIPPED there. */
uint64_t tct_wide_numbers(const tct_column *column, double min, double max, bool number, double *x, uint8_t *rows,
                          tct_rest *left);

#endif

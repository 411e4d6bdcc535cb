/*
 * cells.h -- numbers for classifiers that only compare them: by the cell they are in.
 *
 * Cuts c_1 < ... < c_n make n + 1 cells of the number line; a value is in cell number {i : c_i <= value}.  Who compares
 * single-precision numbers sees the value rounded to one first.  The outermost cells reach as far as numbers do: nothing
 * is clipped, and the schema's minimum and maximum bound nothing.  A missing value may be one more cell, the last.
 *
 *     cuts 18 and 65:   17.9 -> cell 0    18 -> cell 1    64.9 -> cell 1    1e9 -> cell 2    missing -> cell 3
 *
 * After encoding, such an attribute is a TCT_GRID of its cells.
 */
#ifndef TCT_CELLS_H
#define TCT_CELLS_H

#include "encode.h"

struct tct_cells {
    double *cuts;
    size_t n_cuts;
    bool single;  /* values are rounded to single precision before they are compared */
    bool missing; /* there is a cell for it */
};

/* Read a number or an integer by cells from now on.  The cuts are copied.  Those of an integer are whole numbers,
 * compared as they are, and below 2^53 where others are of single precision; those of single-precision numbers are such
 * numbers.  TACIT_E_INPUT if not. */
tacit_status tct_codec_set_cells(tct_codec *codec, size_t attribute, const double *cuts, size_t n_cuts, bool single,
                                 bool missing, tacit_error *err);
void tct_cells_free(struct tct_cells *cells, size_t n_attributes);

/* How the attribute is read by cells; NULL: it is not. */
static inline const struct tct_cells *tct_codec_cells(const tct_codec *codec, size_t attribute)
{
    return codec->cells && codec->cells[attribute].cuts ? &codec->cells[attribute] : NULL;
}

/* The cell of a number. */
size_t tct_cell_of(const struct tct_cells *cells, double value);
/* A number in a cell that is not the one for "missing": between min and max if it can be, and short. */
double tct_cell_value(const struct tct_cells *cells, const tacit_attribute *a, size_t cell);
/* What is known of a number in a cell: "below 18", "from 18 to below 65", "from 65", "any", "missing".  Cuts are written
 * as short as they can be told from other numbers of their precision. */
void tct_cell_text(const struct tct_cells *cells, size_t cell, char *text, size_t size);

#endif

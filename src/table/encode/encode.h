/*
 * encode.h -- from a person's cells to the numbers a classifier reads.
 *
 * Attribute a feeds inputs first ... first + width - 1.  Kinds of domain, after encoding:
 *   TCT_BOX     one input, any value in [-1, 1]             numbers:  2 (v - min) / (max - min) - 1
 *   TCT_GRID    one input, `count` equidistant values        integers; ordinal categories (level order)
 *               from -1 to 1
 *   TCT_ONEHOT  `count` = width inputs, exactly one is 1,    one-hot categories
 *               the others 0
 * A domain with a single value (min = max, one level ordinal) encodes to 0.  Values outside are clipped first.  Numbers
 * and integers that a classifier only compares are read by cells instead (cells.h), and not clipped: a TCT_GRID.  So
 * every encoded input lies in [-1, 1], and what the proofs quantify over is exactly the set of values that encoding
 * can produce (a missing integer is filled with a rounded mean so that it stays on the grid).
 */
#ifndef TCT_ENCODE_H
#define TCT_ENCODE_H

#include "schema.h"

typedef enum tct_kind { TCT_BOX, TCT_GRID, TCT_ONEHOT } tct_kind;

typedef struct tct_domain {
    tct_kind kind;
    size_t first, width; /* inputs */
    size_t count;        /* TCT_GRID, TCT_ONEHOT: number of values; 0 for TCT_BOX */
} tct_domain;

typedef struct tct_codec {
    const tacit_schema *schema; /* borrowed */
    tct_domain *domains;        /* one per attribute, inputs in attribute order */
    size_t n_inputs;
    void *lookup;            /* levels and classes by spelling */
    struct tct_cells *cells; /* NULL, or per attribute how it is read by cells (cells.h) */
} tct_codec;

tacit_status tct_codec_new(tct_codec **out, const tacit_schema *schema, tacit_error *err);
void tct_codec_free(tct_codec *codec);

/* Value k of a TCT_GRID or TCT_ONEHOT domain, as inputs (width doubles).  Bit for bit what encoding gives. */
void tct_codec_value(const tct_codec *codec, size_t attribute, size_t k, double *inputs);
/* Lowest and highest encoded value of a TCT_BOX or TCT_GRID domain: -1 and 1, or 0 and 0. */
void tct_codec_range(const tct_codec *codec, size_t attribute, double *low, double *high);

/* What happened while encoding. */
typedef struct tct_encode_counts {
    uint64_t clipped, missing, unknown;
} tct_encode_counts;

/* The same told apart: by attribute, and by person.  Any may be NULL. */
enum { TCT_HAD_CLIPPED = 1, TCT_HAD_MISSING = 2, TCT_HAD_UNKNOWN = 4 };
typedef struct tct_encode_detail {
    tct_encode_counts *by_attribute; /* added to */
    uint8_t *rows;                   /* of the block: TCT_HAD_*, set anew */
    /* By attribute: the level of every row of the block, instead of its inputs, which x then has no room for (width 0 in
     * the codec); NULL: inputs as ever. */
    uint16_t *const *levels;
} tct_encode_detail;

/* One value from text (not terminated); missing = the cell is a missing marker.  Errors speak of `file` (NULL: none),
 * `row` (0: none) and the attribute's name, never of the value. */
tacit_status tct_encode_cell(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, bool missing,
                             bool unknown_as_missing, double *inputs, tct_encode_counts *counts, const char *file,
                             size_t row, tacit_error *err);
/* The same for a cell of a table, which may hold a number; the file is the table's. */
tacit_status tct_encode_datum(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                              double *inputs, tct_encode_counts *counts, size_t row, tacit_error *err);
/* The other way: text of an encoded value.  Numbers: the clipped value, as short as it can be and still be encoded
 * as the same input; at most 15 significant digits. */
void tct_decode_cell(const tct_codec *codec, size_t attribute, const double *inputs, char *text, size_t size);

/* What counts where a value is not known, as inputs; false where nothing does. */
bool tct_typical_value(const tct_codec *codec, size_t attribute, double *inputs);
/* Are these the inputs of the level that stands for "missing"?  Then nobody knows it, whoever set it. */
bool tct_is_missing_level(const tct_codec *codec, size_t attribute, const double *inputs);

/* Which columns of a CSV feed the codec.  Columns the model does not know are ignored. */
typedef struct tct_binding {
    const tct_codec *codec;
    const tct_csv *csv;
    size_t *columns;         /* per attribute */
    size_t label;            /* column or TACIT_NONE */
    bool need_label;         /* a missing label is an error */
    bool lacks;              /* a loose one: some column is not there (TACIT_NONE) */
    bool unknown_as_missing; /* false after tct_binding_new; set it to change */
    struct tct_quick *quick; /* per attribute and for the classes: the usual cells */
} tct_binding;
/* Attributes without their column are an error with suggestions; so is a missing label column if it is needed. */
tacit_status tct_binding_new(tct_binding **out, const tct_codec *codec, const tct_csv *csv, bool need_label,
                             tacit_error *err);
/* The same whatever is missing: to find out what else is wrong.  Encoding leaves the inputs of such attributes alone. */
tacit_status tct_binding_loose(tct_binding **out, const tct_codec *codec, const tct_csv *csv, bool need_label,
                               tacit_error *err);
/* No column for the attribute or label (`what`) `name`. */
tacit_status tct_binding_fail(const tct_csv *csv, const char *what, const char *name, tacit_error *err);
void tct_binding_free(tct_binding *binding);

/* Leave out the rows of a split block that have text for a number, where bad rows may be left out; they are counted. */
tacit_status tct_binding_skip_bad(const tct_binding *binding, tct_block *block, tacit_error *err);

/* Encode all rows of a split block.  x: n_inputs x n_rows, input i of row r at x[i * n_rows + r].  labels (NULL: do not
 * read): class index per row, -1 where the label is missing (an error if need_label was said); a label that is no known
 * class is an error. */
tacit_status tct_encode_block(const tct_binding *binding, const tct_block *block, double *x, int32_t *labels,
                              tct_encode_counts *counts, tacit_error *err);

/* The same with details. */
tacit_status tct_encode_block_detail(const tct_binding *binding, const tct_block *block, double *x, int32_t *labels,
                                     tct_encode_counts *counts, const tct_encode_detail *detail, tacit_error *err);

/* Is row `row` (from 1) held out, for this seed and share?  A function of its arguments only: needs no row count. */
bool tct_held_out(uint64_t seed, double share, uint64_t row);

#endif

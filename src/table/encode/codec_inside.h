/*
 * codec_inside.h -- single values, shared by encoding one cell and encoding a block.
 */
#ifndef TCT_CODEC_INSIDE_H
#define TCT_CODEC_INSIDE_H

#include "encode.h"
#include "lookup.h"

/* What is behind tct_codec.lookup: a table per attribute, that of the classes last.  Freeing it does not look at the
 * schema. */
typedef struct tct_codec_tables {
    size_t count;
    tct_lookup tables[];
} tct_codec_tables;

/* What became of a cell. */
typedef enum tct_coding { TCT_CODED, TCT_NOT_NUMBER, TCT_NOT_WHOLE, TCT_UNKNOWN, TCT_NO_MISSING } tct_coding;

/* A number as it is written, or the day number of a date where the attribute holds dates. */
tct_coding tct_read_number(const tacit_attribute *a, const char *bytes, size_t size, double *v);
/* Is it whole, where it must be? */
tct_coding tct_fits_type(const tacit_attribute *a, double v);
/* A number where it belongs: in its domain, clipped, or in its cell. */
tct_coding tct_place_value(const tct_codec *codec, size_t attribute, double v, double *input, bool *clipped);
/* What is found of a level, its index or TCT_LOOKUP_NONE, where it belongs. */
tct_coding tct_place_level(const tct_codec *codec, size_t attribute, uint32_t found, bool missing,
                           bool unknown_as_missing, size_t *level, tct_encode_counts *counts);

/* ---- encode_datum.c: cells that hold text or numbers ---- */

/* The number that a cell says, which is not missing. */
tct_coding tct_read_datum(const tct_csv *csv, const tacit_attribute *a, const tct_datum *value, double *v);
/* A number or integer from any cell that is not missing: a text may have a decimal comma, a truth value counts as 0 or 1,
 * a date is a number only where the attribute holds dates. */
tct_coding tct_code_datum(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                          double *input, bool *clipped);
/* The level that a cell names, which may be missing.  Of the spellings of a number the first that is a level counts. */
tct_coding tct_code_datum_level(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                                bool unknown_as_missing, size_t *level, tct_encode_counts *counts);
/* The place in a table of spellings of what a cell that is not missing says, or TCT_LOOKUP_NONE. */
uint32_t tct_find_datum(const tct_lookup *lookup, const tct_datum *value);
/* What becomes of a cell of a number or integer, which may be missing. */
tct_coding tct_try_number(const tct_csv *csv, const tacit_attribute *a, const tct_datum *value);
/* What a missing number or integer is encoded as, where it may be. */
tct_coding tct_code_fill(const tct_codec *codec, size_t attribute, double *input);
/* `digits` significant digits, the point a "." whatever the locale says. */
void tct_format_digits(double value, int digits, char *text, size_t size);
/* The error of an outcome other than TCT_CODED. */
tacit_status tct_code_fail(const tacit_attribute *a, tct_coding outcome, const char *file, size_t row,
                           tacit_error *err);

/* Value k of `count` equidistant ones from -1 to 1, the last exactly 1; 0 when there is only one. */
static inline double tct_grid_value(size_t k, size_t count)
{
    if (count == 1)
        return 0.0;
    return k == count - 1 ? 1.0 : 2.0 * (double)k / (double)(count - 1) - 1.0;
}

/* A number in its domain; 0 when the domain is a single value. */
static inline double tct_box_value(const tacit_attribute *a, double v)
{
    double x;

    if (a->min == a->max)
        return 0.0;
    if (v <= a->min)
        return -1.0;
    if (v >= a->max)
        return 1.0;
    x = 2.0 * ((v - a->min) / (a->max - a->min)) - 1.0;
    return x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x;
}

static inline const tct_lookup *tct_codec_levels(const tct_codec *codec, size_t attribute)
{
    return &((const tct_codec_tables *)codec->lookup)->tables[attribute];
}

static inline const tct_lookup *tct_codec_classes(const tct_codec *codec)
{
    const tct_codec_tables *all = codec->lookup;

    return &all->tables[all->count - 1];
}

#endif

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

tct_coding tct_code_number(const tacit_attribute *a, const char *bytes, size_t size, double *input, bool *clipped);
tct_coding tct_code_integer(const tacit_attribute *a, const char *bytes, size_t size, double *input, bool *clipped);
/* The two in one, by cells where the codec says so. */
tct_coding tct_code_value(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, double *input,
                          bool *clipped);
tct_coding tct_code_level(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, bool missing,
                          bool unknown_as_missing, size_t *level, tct_encode_counts *counts);
/* The same for a cell of a file, which may be missing or have a decimal comma. */
tct_coding tct_try_number(const tct_csv *csv, const tacit_attribute *a, const char *bytes, size_t size);
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

/*
 * encode.c -- the codec: one value from text to inputs and back.
 *
 * Grid values come from one function of (index, count), whoever asks: the values that proofs enumerate are the very
 * bits that encoding produces.
 */
#include "encode.h"

#include <math.h>
#include <string.h>

#include "cells.h"
#include "codec_inside.h"
#include "dates.h"

static tct_domain domain_of(const tacit_attribute *a, size_t first)
{
    tct_domain domain = {.kind = TCT_BOX, .first = first, .width = 1, .count = 0};

    if (a->type == TACIT_INTEGER) {
        domain.kind = TCT_GRID;
        domain.count = (size_t)(a->max - a->min) + 1;
    } else if (a->type == TACIT_CATEGORY) {
        domain.kind = a->encoding == TACIT_ONEHOT ? TCT_ONEHOT : TCT_GRID;
        domain.count = a->n_levels;
        domain.width = a->encoding == TACIT_ONEHOT ? a->n_levels : 1;
    }
    return domain;
}

static tacit_status fill_lookup(tct_lookup *lookup, const char *const *names, size_t count, tacit_error *err)
{
    tacit_status st = TACIT_OK;
    uint32_t index;

    for (size_t i = 0; !st && i < count; i++)
        st = tct_lookup_add(lookup, names[i], strlen(names[i]), &index, err);
    return st;
}

/* Index of the grid value nearest to an encoded input. */
static size_t nearest_index(double input, size_t count)
{
    double k = rint((input + 1) / 2 * (double)(count - 1));

    return k <= 0 ? 0 : k >= (double)(count - 1) ? count - 1 : (size_t)k;
}

void tct_format_digits(double value, int digits, char *text, size_t size)
{
    char buffer[64];
    size_t used = 0;

    snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
    for (const char *c = buffer; *c && used + 1 < size; c++) {
        bool plain = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';

        if (plain)
            text[used++] = *c;
        else if (used == 0 || text[used - 1] != '.') /* a point may be written with several bytes */
            text[used++] = '.';
    }
    text[used] = '\0';
}

/* The shortest text of a number in the domain that is encoded as x; 15 digits when none of them is. */
static void format_number(const tacit_attribute *a, double x, char *text, size_t size)
{
    double value = x <= -1 ? a->min : x >= 1 ? a->max : a->min + (x + 1) / 2 * (a->max - a->min), read = 0;
    int digits = 1;
    char buffer[64];
    bool found = false;

    for (double limit = 10; digits < 15 && fabs(value) >= limit; limit *= 10)
        digits++; /* no exponent where there need not be one */
    for (; digits <= 15 && !found; digits++) {
        tct_format_digits(value, digits, buffer, sizeof(buffer));
        found = tct_parse_number(buffer, strlen(buffer), &read) && read >= a->min && read <= a->max &&
                tct_box_value(a, read) == x;
    }
    snprintf(text, size, "%s", buffer);
}

/* ---- shared with encode_block.c ---- */

static tct_coding place_number(const tacit_attribute *a, double v, double *input, bool *clipped)
{
    *clipped = v < a->min || v > a->max;
    *input = tct_box_value(a, v);
    return TCT_CODED;
}

static bool is_whole(double v)
{
    return !(fabs(v) < 0x1p53) || v == (double)(int64_t)v; /* larger ones are always whole */
}

static tct_coding place_integer(const tacit_attribute *a, double v, double *input, bool *clipped)
{
    *clipped = v < a->min || v > a->max;
    v = v < a->min ? a->min : v > a->max ? a->max : v;
    *input = tct_grid_value((size_t)(v - a->min), (size_t)(a->max - a->min) + 1);
    return TCT_CODED;
}

tct_coding tct_read_number(const tacit_attribute *a, const char *bytes, size_t size, double *v)
{
    int64_t days;

    if (a->dates && tct_parse_date(bytes, size, a->dates, &days)) {
        *v = (double)days;
        return TCT_CODED;
    }
    return tct_parse_number(bytes, size, v) ? tct_fits_type(a, *v) : TCT_NOT_NUMBER;
}

tct_coding tct_fits_type(const tacit_attribute *a, double v)
{
    return a->type == TACIT_INTEGER && !is_whole(v) ? TCT_NOT_WHOLE : TCT_CODED;
}

tct_coding tct_place_value(const tct_codec *codec, size_t attribute, double v, double *input, bool *clipped)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);

    if (tct_fits_type(a, v) != TCT_CODED)
        return TCT_NOT_WHOLE;
    if (!cells)
        return a->type == TACIT_NUMBER ? place_number(a, v, input, clipped) : place_integer(a, v, input, clipped);
    *input = tct_grid_value(tct_cell_of(cells, v), codec->domains[attribute].count);
    return TCT_CODED;
}

static tct_coding code_value(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, double *input,
                             bool *clipped)
{
    double v = 0;
    tct_coding outcome = tct_read_number(&codec->schema->attributes[attribute], bytes, size, &v);

    if (outcome == TCT_CODED)
        outcome = tct_place_value(codec, attribute, v, input, clipped);
    tct_wipe(&v, sizeof v);
    return outcome;
}

static tct_coding code_level(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, bool missing,
                             bool unknown_as_missing, size_t *level, tct_encode_counts *counts)
{
    uint32_t found = missing ? TCT_LOOKUP_NONE : tct_lookup_find(tct_codec_levels(codec, attribute), bytes, size);

    return tct_place_level(codec, attribute, found, missing, unknown_as_missing, level, counts);
}

tct_coding tct_place_level(const tct_codec *codec, size_t attribute, uint32_t found, bool missing,
                           bool unknown_as_missing, size_t *level, tct_encode_counts *counts)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];

    if (found != TCT_LOOKUP_NONE) {
        *level = found;
        return TCT_CODED;
    }
    if (!missing) {
        if (!unknown_as_missing)
            return TCT_UNKNOWN;
        counts->unknown++;
    } else {
        counts->missing++;
    }
    *level = a->missing_level;
    return a->missing_level != TACIT_NONE ? TCT_CODED : missing ? TCT_NO_MISSING : TCT_UNKNOWN;
}

tct_coding tct_code_fill(const tct_codec *codec, size_t attribute, double *input)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);

    if (cells) {
        *input = tct_grid_value(codec->domains[attribute].count - 1, codec->domains[attribute].count);
        return cells->missing ? TCT_CODED : TCT_NO_MISSING;
    }
    *input = a->type == TACIT_NUMBER ? tct_box_value(a, a->fill)
                                     : tct_grid_value((size_t)(a->fill - a->min), (size_t)(a->max - a->min) + 1);
    return TCT_CODED;
}

tacit_status tct_code_fail(const tacit_attribute *a, tct_coding outcome, const char *file, size_t row, tacit_error *err)
{
    switch (outcome) {
    case TCT_NOT_NUMBER:
        return tct_fail_at(err, TACIT_E_INPUT, file, row, a->name, "expected a %s",
                           a->dates                   ? "date"
                           : a->type == TACIT_INTEGER ? "whole number"
                                                      : "number");
    case TCT_NOT_WHOLE:
        return tct_fail_at(err, TACIT_E_INPUT, file, row, a->name, "expected a whole number");
    case TCT_NO_MISSING:
        return tct_fail_at(err, TACIT_E_INPUT, file, row, a->name,
                           "missing value, but the model knows none for it: leave the row out, or train a model "
                           "on rows some of which have none, or with a missing_level in the schema");
    default:
        return tct_fail_at(err, TACIT_E_INPUT, file, row, a->name, "not one of the %zu level%s the model knows",
                           a->n_levels, a->n_levels == 1 ? "" : "s");
    }
}

/* ---- public ---- */

tacit_status tct_codec_new(tct_codec **out, const tacit_schema *schema, tacit_error *err)
{
    tct_codec *codec = NULL;
    tct_lookup *tables;
    tacit_status st;

    *out = NULL;
    st = tct_schema_check_inputs(schema, err);
    if (st)
        return st;
    codec = tct_calloc(1, sizeof(*codec));
    if (!codec)
        return tct_fail_memory(err);
    codec->schema = schema;
    codec->domains = tct_calloc(schema->n_attributes, sizeof(*codec->domains));
    codec->lookup = tct_calloc(1, sizeof(tct_codec_tables) + (schema->n_attributes + 1) * sizeof(tct_lookup));
    if (!codec->domains || !codec->lookup) {
        st = tct_fail_memory(err);
        goto done;
    }
    ((tct_codec_tables *)codec->lookup)->count = schema->n_attributes + 1;
    tables = ((tct_codec_tables *)codec->lookup)->tables;
    for (size_t i = 0; i < schema->n_attributes; i++) {
        const tacit_attribute *a = &schema->attributes[i];

        codec->domains[i] = domain_of(a, codec->n_inputs);
        codec->n_inputs += codec->domains[i].width;
        st = fill_lookup(&tables[i], a->levels, a->n_levels, err);
        if (st)
            goto done;
    }
    st = fill_lookup(&tables[schema->n_attributes], (const char *const *)schema->classes, schema->n_classes, err);
    if (st)
        goto done;
    *out = codec;
    codec = NULL;
done:
    tct_codec_free(codec);
    return st;
}

void tct_codec_free(tct_codec *codec)
{
    tct_codec_tables *all;

    if (!codec)
        return;
    all = codec->lookup;
    if (all)
        tct_cells_free(codec->cells, all->count - 1);
    for (size_t i = 0; all && i < all->count; i++)
        tct_lookup_clear(&all->tables[i]);
    tct_free(all);
    tct_free(codec->domains);
    tct_free(codec);
}

void tct_codec_value(const tct_codec *codec, size_t attribute, size_t k, double *inputs)
{
    const tct_domain *domain = &codec->domains[attribute];

    if (domain->kind == TCT_GRID) {
        *inputs = tct_grid_value(k, domain->count);
        return;
    }
    for (size_t i = 0; i < domain->width; i++)
        inputs[i] = i == k ? 1.0 : 0.0;
}

void tct_codec_range(const tct_codec *codec, size_t attribute, double *low, double *high)
{
    const tct_domain *domain = &codec->domains[attribute];
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    bool single = domain->kind == TCT_BOX ? a->min == a->max : domain->count == 1;

    *low = single ? 0.0 : -1.0;
    *high = single ? 0.0 : 1.0;
}

tacit_status tct_encode_cell(const tct_codec *codec, size_t attribute, const char *bytes, size_t size, bool missing,
                             bool unknown_as_missing, double *inputs, tct_encode_counts *counts, const char *file,
                             size_t row, tacit_error *err)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    tct_coding outcome = TCT_CODED;
    bool clipped = false;
    size_t level = 0;

    if (a->type == TACIT_CATEGORY) {
        outcome = code_level(codec, attribute, bytes, size, missing, unknown_as_missing, &level, counts);
        if (outcome == TCT_CODED)
            tct_codec_value(codec, attribute, level, inputs);
    } else if (missing) {
        outcome = tct_code_fill(codec, attribute, inputs);
        counts->missing++;
    } else {
        outcome = code_value(codec, attribute, bytes, size, inputs, &clipped);
        counts->clipped += clipped;
    }
    return outcome == TCT_CODED ? TACIT_OK : tct_code_fail(a, outcome, file, row, err);
}

void tct_decode_cell(const tct_codec *codec, size_t attribute, const double *inputs, char *text, size_t size)
{
    const tct_domain *domain = &codec->domains[attribute];
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);
    size_t k = 0;

    if (size == 0)
        return;
    if (domain->kind == TCT_BOX) {
        format_number(a, inputs[0], text, size);
        return;
    }
    if (domain->kind == TCT_ONEHOT)
        while (k + 1 < domain->count && inputs[k] < 0.5)
            k++;
    else if (domain->count > 1)
        k = nearest_index(inputs[0], domain->count);
    if (cells && k > cells->n_cuts)
        text[0] = '\0'; /* missing */
    else if (cells)
        tct_format_number(tct_cell_value(cells, a, k), text, size);
    else if (a->type == TACIT_INTEGER)
        tct_format_digits(a->min + (double)k, 17, text, size); /* whole: exact */
    else
        snprintf(text, size, "%s", a->levels[k]);
}

bool tct_held_out(uint64_t seed, double share, uint64_t row)
{
    return (double)(tct_mix(seed, row) >> 11) * 0x1p-53 < share;
}

bool tct_typical_value(const tct_codec *codec, size_t attribute, double *inputs)
{
    tct_encode_counts counts = {0};

    return tct_encode_cell(codec, attribute, "", 0, true, false, inputs, &counts, NULL, 0, NULL) == TACIT_OK;
}

bool tct_is_missing_level(const tct_codec *codec, size_t attribute, const double *inputs)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);
    double missing[TCT_MAX_LEVELS];

    if (cells)
        return cells->missing && *inputs == 1;
    if (a->type != TACIT_CATEGORY || a->missing_level == TACIT_NONE)
        return false;
    tct_codec_value(codec, attribute, a->missing_level, missing);
    return memcmp(missing, inputs, codec->domains[attribute].width * sizeof(double)) == 0;
}

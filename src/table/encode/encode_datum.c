/*
 * encode_datum.c -- cells of tables to inputs, whether they hold text or numbers: the plain way.
 *
 * A number goes to its place in the domain as it would if it were written down and read again.
 */
#include <math.h>

#include "codec_inside.h"
#include "csv_inside.h"

tct_coding tct_code_datum(const tct_csv *csv, const tacit_attribute *a, const tct_datum *value, double *input,
                          bool *clipped)
{
    char buffer[TCT_POINT_ROOM];
    const char *bytes = value->bytes;
    tct_coding outcome;

    if (value->holds == TCT_DAYS ? !a->dates : value->holds != TCT_TEXT && !isfinite(value->number))
        return TCT_NOT_NUMBER;
    if (value->holds != TCT_TEXT)
        return a->type == TACIT_NUMBER ? tct_place_number(a, value->number, input, clipped)
                                       : tct_place_integer(a, value->number, input, clipped);
    if (!a->dates)
        bytes = tct_csv_point(csv, bytes, value->size, buffer);
    outcome = a->type == TACIT_NUMBER ? tct_code_number(a, bytes, value->size, input, clipped)
                                      : tct_code_integer(a, bytes, value->size, input, clipped);
    if (bytes == buffer)
        tct_wipe(buffer, sizeof(buffer));
    return outcome;
}

uint32_t tct_find_datum(const tct_lookup *lookup, const tct_datum *value)
{
    char buffer[TCT_DATUM_ROOM];
    uint32_t found = TCT_LOOKUP_NONE;
    const char *bytes;
    size_t size;

    for (size_t i = 0; found == TCT_LOOKUP_NONE && tct_datum_text(value, i, buffer, &bytes, &size); i++)
        found = tct_lookup_find(lookup, bytes, size);
    tct_wipe(buffer, sizeof(buffer));
    return found;
}

tct_coding tct_code_datum_level(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                                bool unknown_as_missing, size_t *level, tct_encode_counts *counts)
{
    bool missing = tct_datum_missing(csv, value);
    uint32_t found = missing ? TCT_LOOKUP_NONE : tct_find_datum(tct_codec_levels(codec, attribute), value);

    return tct_place_level(codec, attribute, found, missing, unknown_as_missing, level, counts);
}

tct_coding tct_try_number(const tct_csv *csv, const tacit_attribute *a, const tct_datum *value)
{
    double input;
    bool clipped;

    return tct_datum_missing(csv, value) ? TCT_CODED : tct_code_datum(csv, a, value, &input, &clipped);
}

tacit_status tct_encode_datum(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                              double *inputs, tct_encode_counts *counts, size_t row, tacit_error *err)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    tct_coding outcome = TCT_CODED;
    bool clipped = false;
    size_t level = 0;

    if (a->type == TACIT_CATEGORY) {
        outcome = tct_code_datum_level(codec, csv, attribute, value, false, &level, counts);
        if (outcome == TCT_CODED)
            tct_codec_value(codec, attribute, level, inputs);
    } else if (tct_datum_missing(csv, value)) {
        *inputs = tct_code_fill(a);
        counts->missing++;
    } else {
        outcome = tct_code_datum(csv, a, value, inputs, &clipped);
        counts->clipped += clipped;
    }
    return outcome == TCT_CODED ? TACIT_OK : tct_code_fail(a, outcome, csv->path, row, err);
}

/*
 * encode_datum.c -- cells of tables to inputs, whether they hold text or numbers: the plain way.
 *
 * A number goes to its place in the domain as it would if it were written down and read again.
 */
#include <math.h>

#include "codec_inside.h"
#include "csv_inside.h"

tct_coding tct_read_datum(const tct_csv *csv, const tacit_attribute *a, const tct_datum *value, double *v)
{
    char buffer[TCT_POINT_ROOM];
    const char *bytes = value->bytes;
    tct_coding outcome;

    if (value->holds == TCT_DAYS ? !a->dates : value->holds != TCT_TEXT && !isfinite(value->number))
        return TCT_NOT_NUMBER;
    if (value->holds != TCT_TEXT) {
        *v = value->number;
        return tct_fits_type(a, *v);
    }
    if (!a->dates)
        bytes = tct_csv_point(csv, bytes, value->size, buffer);
    outcome = tct_read_number(a, bytes, value->size, v);
    if (bytes == buffer)
        tct_wipe(buffer, sizeof(buffer));
    return outcome;
}

tct_coding tct_code_datum(const tct_codec *codec, const tct_csv *csv, size_t attribute, const tct_datum *value,
                          double *input, bool *clipped)
{
    double v = 0;
    tct_coding outcome = tct_read_datum(csv, &codec->schema->attributes[attribute], value, &v);

    if (outcome == TCT_CODED)
        outcome = tct_place_value(codec, attribute, v, input, clipped);
    tct_wipe(&v, sizeof v);
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
    double v = 0;
    tct_coding outcome = tct_datum_missing(csv, value) ? TCT_CODED : tct_read_datum(csv, a, value, &v);

    tct_wipe(&v, sizeof v);
    return outcome;
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
        outcome = tct_code_fill(codec, attribute, inputs);
        counts->missing++;
    } else {
        outcome = tct_code_datum(codec, csv, attribute, value, inputs, &clipped);
        counts->clipped += clipped;
    }
    return outcome == TCT_CODED ? TACIT_OK : tct_code_fail(a, outcome, csv->path, row, err);
}

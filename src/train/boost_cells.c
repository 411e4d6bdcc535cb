/*
 * boost_cells.c -- by which cells boosted trees see numbers while they are trained.
 *
 * A cut lies between two values that are next to each other among the training rows, or in a sample of them, so that
 * the cells have about equally many people, and never fewer than LEAST_PEOPLE: what a model tells of its training rows
 * are short numbers between values, with several people on either side of each.  Only where whole numbers have no other
 * between them is the upper one the cut.
 */
#include <math.h>
#include <stdlib.h>

#include "boost.h"
#include "cells.h"
#include "codec_inside.h"
#include "table_walk.h"

enum { SAMPLE = 200000, LEAST_PEOPLE = 5, MOST_CUTS = TCT_BOOST_CELLS - 2, MOST_DIGITS = 17 };

double tct_round_digits(double v, int digits)
{
    int places = v == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(v)));
    double scale = pow(10, abs(places)), rounded;

    if (!isfinite(scale))
        return v;
    rounded = places > 0 ? rint(v * scale) / scale : rint(v / scale) * scale;
    return isfinite(rounded) ? rounded + 0.0 : v;
}

/* A short number above `low` and below `high`; `high` where there is none. */
static double cut_between(const tacit_attribute *a, double low, double high)
{
    double middle = low + (high - low) / 2;

    if (!isfinite(middle))
        middle = low / 2 + high / 2;
    if (a->type == TACIT_INTEGER)
        return floor(middle) + 1 < high ? floor(middle) + 1 : high;
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        double cut = tct_round_digits(middle, digits);

        if (cut > low && cut < high)
            return cut;
    }
    return high;
}

/* Cuts of n values in ascending order; how many. */
static size_t find_cuts(const tacit_attribute *a, const double *values, size_t n, double cuts[MOST_CUTS])
{
    size_t n_cuts = 0, from = 0;

    for (size_t i = 1; i + LEAST_PEOPLE <= n && n_cuts < MOST_CUTS; i++) {
        size_t share = (n - from + MOST_CUTS - n_cuts) / (MOST_CUTS - n_cuts + 1);

        if (values[i] == values[i - 1] || i - from < LEAST_PEOPLE || i - from < share)
            continue;
        cuts[n_cuts++] = cut_between(a, values[i - 1], values[i]);
        from = i;
    }
    return n_cuts;
}

/* The training rows' numbers of a column, or every so manyth; *missing: somebody of the table has none. */
static size_t collect(const tct_codec *codec, const tacit_table *table, size_t attribute,
                      const tacit_fit_options *options, size_t step, double *values, bool *missing)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    tct_walk cells = {.table = table, .column = tct_csv_find(table->csv, a->name)};
    size_t n = 0, row = 0;

    while (cells.column != TACIT_NONE && tct_walk_next(&cells)) {
        *missing = *missing || cells.missing;
        if (cells.missing || tct_held_out(options->seed, options->test_share, cells.number) || row++ % step != 0)
            continue;
        n += tct_read_datum(table->csv, a, &cells.value, &values[n]) == TCT_CODED; /* encoding complains of others */
    }
    tct_wipe(cells.buffer, sizeof cells.buffer);
    return n;
}

tacit_status tct_boost_cells(tct_codec *codec, const tacit_table *table, const tacit_fit_options *options,
                             tacit_error *err)
{
    size_t n_rows = 0, step, room;
    double *values, cuts[MOST_CUTS];
    tacit_status st = TACIT_OK;

    for (size_t b = 0; b < table->n_blocks; b++)
        n_rows += table->blocks[b].n_rows;
    step = n_rows / SAMPLE + 1;
    room = n_rows / step + 1;
    values = tct_malloc(room, sizeof *values);
    if (!values)
        return tct_fail_memory(err);
    for (size_t a = 0; a < codec->schema->n_attributes && !st; a++) {
        const tacit_attribute *attribute = &codec->schema->attributes[a];
        bool missing = attribute->missing_is_value;
        size_t n;

        if (attribute->type == TACIT_CATEGORY)
            continue;
        n = collect(codec, table, a, options, step, values, &missing);
        qsort(values, n, sizeof *values, tct_compare_doubles);
        st = tct_codec_set_cells(codec, a, cuts, find_cuts(attribute, values, n, cuts), false, missing, err);
    }
    tct_free_wiped(values, room * sizeof *values);
    return st;
}

/*
 * cells.c -- cells of the number line.
 *
 * The number that stands for a cell is found by writing the middle of what the cell and [min, max] share with more and
 * more digits until it reads back as a number of the cell; the least number of a cell is its cut, so that ends.
 */
#include "cells.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codec_inside.h"

/* From here on whole numbers and single-precision ones are compared in ways of their own. */
static const double MOST_WHOLE = 0x1p53;

static bool is_cut(const tacit_attribute *a, double cut, bool single)
{
    if (a->type == TACIT_INTEGER)
        return fabs(cut) < (single ? MOST_WHOLE : DBL_MAX) && cut == floor(cut);
    if (single)
        return fabs(cut) < FLT_MAX && (double)(float)cut == cut;
    return fabs(cut) < DBL_MAX;
}

tacit_status tct_codec_set_cells(tct_codec *codec, size_t attribute, const double *cuts, size_t n_cuts, bool single,
                                 bool missing, tacit_error *err)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    struct tct_cells *cells;

    if (a->type == TACIT_CATEGORY)
        return tct_fail(err, TACIT_E_INPUT, "attribute %s is a category, which has no cuts", a->name);
    for (size_t i = 0; i < n_cuts; i++)
        if (!is_cut(a, cuts[i], single) || (i > 0 && !(cuts[i] > cuts[i - 1])))
            return tct_fail(err, TACIT_E_INPUT, "cut %zu of attribute %s is not above the one before, or no %s", i + 1,
                            a->name, a->type == TACIT_INTEGER ? "whole number" : "number of its precision");
    if (!codec->cells)
        codec->cells = tct_calloc(codec->schema->n_attributes, sizeof *codec->cells);
    if (!codec->cells)
        return tct_fail_memory(err);
    cells = &codec->cells[attribute];
    tct_free(cells->cuts);
    *cells =
        (struct tct_cells){tct_malloc(n_cuts + 1, sizeof *cuts), n_cuts, single && a->type == TACIT_NUMBER, missing};
    if (!cells->cuts)
        return tct_fail_memory(err);
    if (n_cuts > 0)
        memcpy(cells->cuts, cuts, n_cuts * sizeof *cuts);
    codec->domains[attribute].kind = TCT_GRID;
    codec->domains[attribute].count = n_cuts + 1 + missing;
    return TACIT_OK;
}

void tct_cells_free(struct tct_cells *cells, size_t n_attributes)
{
    for (size_t a = 0; cells && a < n_attributes; a++)
        tct_free(cells[a].cuts);
    tct_free(cells);
}

size_t tct_cell_of(const struct tct_cells *cells, double value)
{
    size_t low = 0, high = cells->n_cuts;
    double v = cells->single ? (double)(float)value : value;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (cells->cuts[middle] <= v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A number well inside a cell, as long as it may be. */
static double inner_value(const struct tct_cells *cells, const tacit_attribute *a, size_t cell)
{
    double low = cell > 0 ? cells->cuts[cell - 1] : -INFINITY;
    double high = cell < cells->n_cuts ? cells->cuts[cell] : INFINITY;
    double from = fmax(low, a->min), to = fmin(high, a->max);

    if (from < to)
        return from + (to - from) / 2;
    if (low == -INFINITY && high == INFINITY)
        return a->min;
    if (from == to && tct_cell_of(cells, from) == cell)
        return from;
    if (low == -INFINITY)
        return high - fmax(1, fabs(high) / 4);
    if (high == INFINITY)
        return low + fmax(1, fabs(low) / 4);
    return low + (high - low) / 2;
}

double tct_cell_value(const struct tct_cells *cells, const tacit_attribute *a, size_t cell)
{
    double value = inner_value(cells, a, cell), read = 0;
    char text[64];
    int digits = 1;

    if (a->type == TACIT_INTEGER) {
        value = ceil(value);
        return tct_cell_of(cells, value) == cell ? value : floor(inner_value(cells, a, cell));
    }
    for (double limit = 10; digits < 15 && fabs(value) >= limit; limit *= 10)
        digits++; /* no exponent where there need not be one */
    for (; digits <= 17; digits++) {
        tct_format_digits(value, digits, text, sizeof text);
        if (tct_parse_number(text, strlen(text), &read) && tct_cell_of(cells, read) == cell)
            return read;
    }
    return tct_cell_of(cells, value) == cell || cell == 0 ? value : cells->cuts[cell - 1];
}

/* The shortest text of a cut. */
static void format_cut(const struct tct_cells *cells, double cut, char text[32])
{
    double read = 0;
    int digits = 1;

    tct_format_number(cut, text, 32);
    for (double limit = 10; digits < 9 && fabs(cut) >= limit; limit *= 10)
        digits++; /* no exponent where there need not be one */
    for (; cells->single && digits <= 9; digits++) {
        tct_format_digits(cut, digits, text, 32);
        if (tct_parse_number(text, strlen(text), &read) && (float)read == (float)cut)
            return;
    }
}

void tct_cell_text(const struct tct_cells *cells, size_t cell, char *text, size_t size)
{
    char from[32] = "", below[32] = "";

    if (cell > 0 && cell <= cells->n_cuts)
        format_cut(cells, cells->cuts[cell - 1], from);
    if (cell < cells->n_cuts)
        format_cut(cells, cells->cuts[cell], below);
    if (cell > cells->n_cuts)
        snprintf(text, size, "missing");
    else if (*from && *below)
        snprintf(text, size, "from %s to below %s", from, below);
    else if (*from || *below)
        snprintf(text, size, "%s %s", *from ? "from" : "below", *from ? from : below);
    else
        snprintf(text, size, "any");
}

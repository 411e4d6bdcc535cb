/*
 * chart_columns.c -- histograms side by side, as many in a row as there is room for, with the same scales.
 *
 * Where there are many numbers a column stands for a run of them, so that labels and columns stay readable at 360 pixels.
 */
#include <math.h>
#include <string.h>

#include "charts.h"

enum { MOST_COLUMNS = 16, LABELLED = 9, TOP = 20, PLOT = 120, BOTTOM = 40, ROOM = 226 };

typedef struct layout {
    size_t end, step, columns; /* numbers 0 ... end - 1, `step` to a column */
    double high;               /* largest share */
} layout;

static double count_at(const json_t *counts, size_t k)
{
    return json_number_value(json_array_get(counts, k));
}

static double sum_of(const json_t *counts, size_t from, size_t to)
{
    double sum = 0;

    for (size_t k = from; k < to && k < json_array_size(counts); k++)
        sum += count_at(counts, k);
    return sum;
}

static double share_of(const json_t *counts, const layout *l, size_t column)
{
    double all = sum_of(counts, 0, json_array_size(counts));
    size_t from = column * l->step, to = from + l->step < l->end ? from + l->step : l->end;

    return all > 0 ? sum_of(counts, from, to) / all : 0;
}

static layout lay_out(const tct_histogram *histograms, size_t n)
{
    layout l = {.end = json_array_size(histograms[0].counts)};
    size_t last = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < l.end; k++)
            if (count_at(histograms[i].counts, k) > 0 && k > last)
                last = k;
    if (l.end > MOST_COLUMNS + 1)
        l.end = last + 1;
    l.step = 1 + (l.end > 0 ? (l.end - 1) / (MOST_COLUMNS + 1) : 0);
    l.columns = (l.end + l.step - 1) / l.step;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < l.columns; c++)
            l.high = fmax(l.high, share_of(histograms[i].counts, &l, c));
    if (l.high <= 0)
        l.high = 1;
    return l;
}

static const char *column_name(tct_html *h, const layout *l, size_t column)
{
    size_t from = column * l->step, to = from + l->step < l->end ? from + l->step : l->end;

    return to - from > 1 ? tct_keepf(h, "%zu–%zu", from, to - 1) : tct_keepf(h, "%zu", from);
}

/* Few people are still not nobody. */
static const char *column_label(tct_html *h, double share)
{
    if (share < 0.001)
        return tct_keepf(h, "<%s", tct_decimal(h, 0.1, 1));
    return tct_decimal(h, 100 * share, share < 0.0995 ? 1 : 0);
}

static void draw_column(tct_html *h, const layout *l, size_t c, double share, const char *class_name)
{
    double width = 100.0 / (double)l->columns, height = (PLOT - 2) * share / (l->high * 1.1);

    if (share <= 0)
        return;
    tct_rawf(h, "<rect class=\"%s\" x=\"", class_name);
    tct_coord(h, width * ((double)c + 0.08));
    tct_raw(h, "%\" width=\"");
    tct_coord(h, width * 0.84);
    tct_raw(h, "%\" y=\"");
    tct_coord(h, PLOT - fmax(height, 0.8));
    tct_raw(h, "\" height=\"");
    tct_coord(h, fmax(height, 0.8));
    tct_raw(h, "\"/>");
    if (l->columns > LABELLED)
        return;
    tct_raw(h, "<text class=\"small\" text-anchor=\"middle\" x=\"");
    tct_coord(h, width * ((double)c + 0.5));
    tct_raw(h, "%\" y=\"");
    tct_coord(h, PLOT - height - 4);
    tct_raw(h, "\">");
    tct_escaped(h, column_label(h, share));
    tct_raw(h, "</text>");
}

static void draw_names(tct_html *h, const layout *l, const char *x_title)
{
    size_t last = l->columns - 1, longest = strlen(column_name(h, l, last)); /* in bytes: a dash counts as three */
    size_t before = strlen(column_name(h, l, last ? last - 1 : 0)), every;

    longest = before > longest ? before : longest;
    every = (size_t)ceil(((double)longest * 7 + 6) * (double)l->columns / ROOM);
    for (size_t c = 0; c < l->columns; c += every ? every : 1) {
        tct_rawf(h, "<text text-anchor=\"middle\" y=\"%d\" x=\"", PLOT + 15);
        tct_coord(h, 100.0 / (double)l->columns * ((double)c + 0.5));
        tct_raw(h, "%\">");
        tct_escaped(h, column_name(h, l, c));
        tct_raw(h, "</text>");
    }
    tct_rawf(h, "<text class=\"title\" text-anchor=\"middle\" x=\"50%%\" y=\"%d\">", PLOT + 34);
    tct_escaped(h, x_title);
    tct_raw(h, "</text>");
}

static void draw_one(tct_html *h, const tct_histogram *one, const layout *l, const char *x_title)
{
    tct_scale y = tct_scale_make(0, l->high * 1.1, true, false);

    tct_raw(h, "<div class=\"mini\"><b>");
    tct_escaped(h, one->title);
    tct_rawf(h, "</b><div class=\"plot\"><svg width=\"44\" height=\"%d\" aria-hidden=\"true\">", TOP + PLOT + BOTTOM);
    for (size_t i = 0; i < y.n_ticks; i++) {
        double at = TOP + PLOT - (PLOT - 2) * y.ticks[i] / y.high;

        tct_raw(h, "<text text-anchor=\"end\" x=\"38\" y=\"");
        tct_coord(h, at + 4);
        tct_raw(h, "\">");
        tct_escaped(h, tct_tick_label(h, &y, y.ticks[i]));
        tct_raw(h, "</text>");
    }
    tct_rawf(h, "</svg><svg width=\"100%%\" height=\"%d\" aria-hidden=\"true\"><svg y=\"%d\" overflow=\"visible\">",
             TOP + PLOT + BOTTOM, TOP);
    for (size_t i = 0; i < y.n_ticks; i++) {
        double at = PLOT - (PLOT - 2) * y.ticks[i] / y.high;

        tct_raw(h, "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"");
        tct_coord(h, at);
        tct_raw(h, "\" y2=\"");
        tct_coord(h, at);
        tct_raw(h, "\"/>");
    }
    for (size_t c = 0; c < l->columns; c++)
        draw_column(h, l, c, share_of(one->counts, l, c), one->class_name);
    tct_rawf(h, "<line class=\"base\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>", PLOT, PLOT);
    draw_names(h, l, x_title);
    tct_raw(h, "</svg></svg></div></div>\n");
}

void tct_columns_draw(tct_html *h, const tct_histogram *histograms, size_t n, const char *label, const char *x_title)
{
    layout l;

    if (n == 0 || json_array_size(histograms[0].counts) == 0)
        return;
    l = lay_out(histograms, n);
    tct_chart_begin(h, "minis", label);
    for (size_t i = 0; i < n; i++)
        draw_one(h, &histograms[i], &l, x_title);
    tct_chart_end(h);
}

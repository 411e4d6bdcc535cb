/*
 * charts.h -- charts as static SVG that fit every width without a script: across they are measured in per cent of the
 * room there is, up and down in pixels, so that marks move and letters stay as large as they are.  Colours and dashes are
 * classes of report.css.
 *
 *   strips     a row for each thing: its name, marks on a common scale, a word beside it
 *   lines      series against a number
 *   columns    histograms, small ones side by side
 */
#ifndef TCT_CHARTS_H
#define TCT_CHARTS_H

#include "html.h"

enum { TCT_MOST_TICKS = 8 };

/* From low to high in round steps. */
typedef struct tct_scale {
    double low, high, ticks[TCT_MOST_TICKS];
    size_t n_ticks;
    int digits;   /* of a tick's label */
    bool percent; /* labels are percentages */
} tct_scale;

/* A scale that holds both ends; whole: only whole numbers are ticks. */
tct_scale tct_scale_make(double low, double high, bool percent, bool whole);
const char *tct_tick_label(tct_html *h, const tct_scale *scale, double tick);

/* A chart is one picture with one sentence to a reader of screens. */
void tct_chart_begin(tct_html *h, const char *class_name, const char *label);
void tct_chart_end(tct_html *h);

/* The key of a chart: samples of marks with their words. */
void tct_key_begin(tct_html *h);
void tct_key_bar(tct_html *h, const char *class_name, const char *text);
void tct_key_dot(tct_html *h, size_t look, const char *text);
void tct_key_line(tct_html *h, const char *class_name, const char *text);
void tct_key_end(tct_html *h);

/* ---- strips ---- */

void tct_strip_begin(tct_html *h, const tct_scale *scale, const char *name, const char *small);
void tct_strip_end(tct_html *h, const char *badge, const char *badge_class); /* badge: NULL for none */
void tct_strip_axis(tct_html *h, const tct_scale *scale, const char *title);
void tct_mark_bar(tct_html *h, const tct_scale *scale, double from, double to, const char *class_name);
void tct_mark_span(tct_html *h, const tct_scale *scale, double low, double high, const char *class_name);
void tct_mark_tick(tct_html *h, const tct_scale *scale, double x, const char *class_name);
/* look: 0 circle, 1 triangle, 2 square, 3 diamond, and again; each has its colour. */
void tct_mark_dot(tct_html *h, const tct_scale *scale, double x, size_t look);

/* ---- lines ---- */

typedef struct tct_point {
    double x, y, low, high; /* low, high: NaN without an interval */
} tct_point;

typedef struct tct_series {
    const char *name, *class_name; /* of report.css: s0 ... */
    const tct_point *points;
    size_t n;
    bool flat; /* a level: no dots */
} tct_series;

typedef struct tct_plot {
    const char *label, *y_title, *x_title;
    const tct_series *series;
    size_t n_series;
    tct_scale y;
    const double *x_ticks; /* labelled values across */
    size_t n_x_ticks;
} tct_plot;

void tct_lines_draw(tct_html *h, const tct_plot *plot);

/* ---- columns ---- */

typedef struct tct_histogram {
    const char *title, *class_name;
    const json_t *counts;
} tct_histogram;

/* All with the same scales. */
void tct_columns_draw(tct_html *h, const tct_histogram *histograms, size_t n, const char *label, const char *x_title);

#endif

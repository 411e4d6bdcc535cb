/*
 * chart_lines.c -- series against a number: line segments between points that are placed in per cent across.
 *
 * Two drawings side by side: the labels of the vertical axis, of a fixed width, and the frame, as wide as the rest.
 */
#include <math.h>

#include "charts.h"

enum { TOP = 8, PLOT = 190, LEFT = 52, BOTTOM = 44, EDGE = 10 };

#define INSET 4.0

typedef struct frame {
    double low, high; /* across */
    const tct_scale *y;
} frame;

static double across(const frame *f, double x)
{
    return f->high > f->low ? INSET + (100 - 2 * INSET) * (x - f->low) / (f->high - f->low) : 50;
}

static double down(const frame *f, double y)
{
    double share = (y - f->y->low) / (f->y->high - f->y->low);

    return PLOT - EDGE - (PLOT - 2 * EDGE) * share;
}

static void draw_line(tct_html *h, const char *class_name, double x1, double y1, double x2, double y2)
{
    if (!isfinite(y1) || !isfinite(y2))
        return;
    tct_rawf(h, "<line class=\"%s\" x1=\"", class_name);
    tct_coord(h, x1);
    tct_raw(h, "%\" y1=\"");
    tct_coord(h, y1);
    tct_raw(h, "\" x2=\"");
    tct_coord(h, x2);
    tct_raw(h, "%\" y2=\"");
    tct_coord(h, y2);
    tct_raw(h, "\"/>");
}

static void draw_series(tct_html *h, const frame *f, const tct_series *s)
{
    if (s->flat && s->n)
        draw_line(h, s->class_name, 0, down(f, s->points[0].y), 100, down(f, s->points[0].y));
    for (size_t i = 1; i < s->n && !s->flat; i++)
        draw_line(h, s->class_name, across(f, s->points[i - 1].x), down(f, s->points[i - 1].y),
                  across(f, s->points[i].x), down(f, s->points[i].y));
    for (size_t i = 0; i < s->n && !s->flat; i++) {
        const tct_point *p = &s->points[i];
        double x = across(f, p->x);

        if (isfinite(p->low) && isfinite(p->high))
            draw_line(h, "whisker", x, down(f, p->low), x, down(f, p->high));
        if (!isfinite(p->y))
            continue;
        tct_rawf(h, "<circle class=\"%s dot\" r=\"3.6\" cx=\"", s->class_name);
        tct_coord(h, x);
        tct_raw(h, "%\" cy=\"");
        tct_coord(h, down(f, p->y));
        tct_raw(h, "\"/>");
    }
}

static void draw_y_axis(tct_html *h, const tct_plot *plot, const frame *f)
{
    tct_raw(h, "<div class=\"axis-title\">");
    tct_escaped(h, plot->y_title);
    tct_rawf(h, "</div><div class=\"plot\"><svg width=\"%d\" height=\"%d\" aria-hidden=\"true\">", LEFT,
             TOP + PLOT + BOTTOM);
    for (size_t i = 0; i < plot->y.n_ticks; i++) {
        tct_rawf(h, "<text text-anchor=\"end\" x=\"%d\" y=\"", LEFT - 6);
        tct_coord(h, TOP + down(f, plot->y.ticks[i]) + 4);
        tct_raw(h, "\">");
        tct_escaped(h, tct_tick_label(h, &plot->y, plot->y.ticks[i]));
        tct_raw(h, "</text>");
    }
    tct_raw(h, "</svg>");
}

/* Labels that would come too close on a narrow screen are left out there (class w), or everywhere. */
static void draw_x_labels(tct_html *h, const tct_plot *plot, const frame *f)
{
    double last = -100, last_shown = -100;

    for (size_t i = 0; i < plot->n_x_ticks; i++) {
        double x = across(f, plot->x_ticks[i]);
        bool narrow = x - last >= 15;

        if (x - last_shown < 5.5)
            continue;
        tct_rawf(h, "<text%s y=\"%d\" text-anchor=\"middle\" x=\"", narrow ? "" : " class=\"w\"", PLOT + 16);
        tct_coord(h, x);
        tct_raw(h, "%\">");
        tct_escaped(h, tct_short(h, plot->x_ticks[i]));
        tct_raw(h, "</text>");
        last_shown = x;
        if (narrow)
            last = x;
    }
    tct_rawf(h, "<text class=\"title\" x=\"50%%\" text-anchor=\"middle\" y=\"%d\">", PLOT + 36);
    tct_escaped(h, plot->x_title);
    tct_raw(h, "</text>");
}

void tct_lines_draw(tct_html *h, const tct_plot *plot)
{
    frame f = {.low = INFINITY, .high = -INFINITY, .y = &plot->y};

    for (size_t i = 0; i < plot->n_x_ticks; i++) {
        f.low = fmin(f.low, plot->x_ticks[i]);
        f.high = fmax(f.high, plot->x_ticks[i]);
    }
    tct_chart_begin(h, "lines", plot->label);
    tct_key_begin(h);
    for (size_t i = 0; i < plot->n_series; i++)
        tct_key_line(h, plot->series[i].class_name, plot->series[i].name);
    tct_key_end(h);
    draw_y_axis(h, plot, &f);
    tct_rawf(h, "<svg width=\"100%%\" height=\"%d\" aria-hidden=\"true\"><svg y=\"%d\" overflow=\"visible\">",
             TOP + PLOT + BOTTOM, TOP);
    for (size_t i = 0; i < plot->y.n_ticks; i++)
        draw_line(h, "grid", 0, down(&f, plot->y.ticks[i]), 100, down(&f, plot->y.ticks[i]));
    draw_x_labels(h, plot, &f);
    for (size_t i = plot->n_series; i-- > 0;)
        draw_series(h, &f, &plot->series[i]);
    tct_raw(h, "</svg></svg></div>\n");
    tct_chart_end(h);
}

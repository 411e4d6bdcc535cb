/*
 * chart_strips.c -- scales, keys, and charts with a row for each thing.
 *
 * A row is a grid of HTML (name, strip, word), so names wrap like any text; the strip is an SVG as wide as its cell.  The
 * scale fills it but for an inset at both ends, where dots find room.
 */
#include <math.h>
#include <string.h>

#include "charts.h"

#define INSET 2.0 /* per cent of the width, at either end */

enum { STRIP_HEIGHT = 26 };

tct_scale tct_scale_make(double low, double high, bool percent, bool whole)
{
    tct_scale s = {.low = low, .high = high, .percent = percent};
    double unit = percent ? 0.01 : 1, step, power;
    static const double steps[] = {1, 2, 5, 10};

    if (!(high > low))
        s.high = high = low + (percent ? 0.01 : 1);
    power = pow(10, floor(log10((high - low) / 5)));
    step = power * 10;
    for (size_t i = 0; i < 4; i++)
        if ((high - low) / (power * steps[i]) <= 5.01) {
            step = power * steps[i];
            break;
        }
    if (whole && step < 1)
        step = 1;
    for (double k = ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-12 && s.n_ticks < TCT_MOST_TICKS; k++)
        s.ticks[s.n_ticks++] = k * step;
    while (s.digits < 4 && fabs(step / unit * pow(10, s.digits) - nearbyint(step / unit * pow(10, s.digits))) > 1e-6)
        s.digits++;
    return s;
}

const char *tct_tick_label(tct_html *h, const tct_scale *scale, double tick)
{
    return scale->percent ? tct_percent(h, tick, scale->digits) : tct_decimal(h, tick, scale->digits);
}

static double place(const tct_scale *s, double x)
{
    double share = (x - s->low) / (s->high - s->low);

    return INSET + (100 - 2 * INSET) * (share < 0 ? 0 : share > 1 ? 1 : share);
}

void tct_chart_begin(tct_html *h, const char *class_name, const char *label)
{
    tct_rawf(h, "<div class=\"chart %s\" role=\"img\" aria-label=\"", class_name);
    tct_escaped(h, label);
    tct_raw(h, "\">\n");
}

void tct_chart_end(tct_html *h)
{
    tct_raw(h, "</div>\n");
}

/* ---- keys ---- */

void tct_key_begin(tct_html *h)
{
    tct_raw(h, "<div class=\"key\">");
}

static void key_entry(tct_html *h, const char *text)
{
    tct_raw(h, "</svg>");
    tct_escaped(h, text);
    tct_raw(h, "</span> ");
}

void tct_key_bar(tct_html *h, const char *class_name, const char *text)
{
    tct_rawf(
        h,
        "<span><svg width=\"22\" height=\"12\" aria-hidden=\"true\"><rect class=\"%s\" x=\"1\" y=\"1\" width=\"20\" "
        "height=\"10\"/>",
        class_name);
    key_entry(h, text);
}

static const char *const shapes[] = {"M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z", "M0,-5.5L5.2,4.2H-5.2Z",
                                     "M-4.3,-4.3H4.3V4.3H-4.3Z", "M0,-6L5.4,0L0,6L-5.4,0Z"};

void tct_key_dot(tct_html *h, size_t look, const char *text)
{
    tct_rawf(h,
             "<span><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><g transform=\"translate(7,7)\"><path "
             "class=\"d%zu\" "
             "d=\"%s\"/></g>",
             look % 4, shapes[look % 4]);
    key_entry(h, text);
}

void tct_key_line(tct_html *h, const char *class_name, const char *text)
{
    tct_rawf(
        h,
        "<span><svg width=\"30\" height=\"12\" aria-hidden=\"true\"><line class=\"%s\" x1=\"1\" y1=\"6\" x2=\"29\" "
        "y2=\"6\"/>",
        class_name);
    key_entry(h, text);
}

void tct_key_end(tct_html *h)
{
    tct_raw(h, "</div>\n");
}

/* ---- strips ---- */

void tct_strip_begin(tct_html *h, const tct_scale *scale, const char *name, const char *small)
{
    tct_raw(h, "<div class=\"strip\"><span class=\"name\">");
    tct_escaped(h, name);
    if (small) {
        tct_raw(h, " <small>");
        tct_escaped(h, small);
        tct_raw(h, "</small>");
    }
    tct_rawf(h, "</span><svg width=\"100%%\" height=\"%d\" aria-hidden=\"true\">", STRIP_HEIGHT);
    for (size_t i = 0; i < scale->n_ticks; i++)
        tct_mark_tick(h, scale, scale->ticks[i], "grid");
}

void tct_strip_end(tct_html *h, const char *badge, const char *badge_class)
{
    tct_raw(h, "</svg>");
    if (badge) {
        tct_rawf(h, "<span class=\"badge %s\">", badge_class);
        tct_escaped(h, badge);
        tct_raw(h, "</span>");
    }
    tct_raw(h, "</div>\n");
}

void tct_strip_axis(tct_html *h, const tct_scale *scale, const char *title)
{
    tct_raw(h, "<div class=\"strip axis\"><span class=\"name\"></span><svg width=\"100%\" height=\"34\" "
               "aria-hidden=\"true\">");
    for (size_t i = 0; i < scale->n_ticks; i++) {
        double x = place(scale, scale->ticks[i]);

        tct_raw(h, "<text y=\"12\" x=\"");
        tct_coord(h, x < 8 ? fmax(x - 2, 0) : x > 92 ? fmin(x + 2, 100) : x);
        tct_rawf(h, "%%\"%s>", x < 8 ? "" : x > 92 ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
        tct_escaped(h, tct_tick_label(h, scale, scale->ticks[i]));
        tct_raw(h, "</text>");
    }
    tct_raw(h, "<text class=\"title\" y=\"30\" x=\"50%\" text-anchor=\"middle\">");
    tct_escaped(h, title);
    tct_raw(h, "</text></svg></div>\n");
}

void tct_mark_bar(tct_html *h, const tct_scale *scale, double from, double to, const char *class_name)
{
    double left = place(scale, from), right = place(scale, to);
    bool thin = strcmp(class_name, "sure") == 0;

    if (!isfinite(from) || !isfinite(to) || to <= from)
        return;
    tct_rawf(h, "<rect class=\"%s\" y=\"%d\" height=\"%d\" x=\"", class_name, thin ? 10 : 6, thin ? 6 : 14);
    tct_coord(h, left);
    tct_raw(h, "%\" width=\"");
    tct_coord(h, right - left);
    tct_raw(h, "%\"/>");
}

void tct_mark_span(tct_html *h, const tct_scale *scale, double low, double high, const char *class_name)
{
    if (!isfinite(low) || !isfinite(high))
        return;
    tct_rawf(h, "<line class=\"%s\" y1=\"%d\" y2=\"%d\" x1=\"", class_name, STRIP_HEIGHT / 2, STRIP_HEIGHT / 2);
    tct_coord(h, place(scale, low));
    tct_raw(h, "%\" x2=\"");
    tct_coord(h, place(scale, high));
    tct_raw(h, "%\"/>");
}

void tct_mark_tick(tct_html *h, const tct_scale *scale, double x, const char *class_name)
{
    bool grid = strcmp(class_name, "grid") == 0;

    if (!isfinite(x))
        return;
    tct_rawf(h, "<line class=\"%s\" y1=\"%d\" y2=\"%d\" x1=\"", class_name, grid ? 0 : 2,
             grid ? STRIP_HEIGHT : STRIP_HEIGHT - 2);
    tct_coord(h, place(scale, x));
    tct_raw(h, "%\" x2=\"");
    tct_coord(h, place(scale, x));
    tct_raw(h, "%\"/>");
}

void tct_mark_dot(tct_html *h, const tct_scale *scale, double x, size_t look)
{
    if (!isfinite(x))
        return;
    tct_raw(h, "<svg overflow=\"visible\" x=\"");
    tct_coord(h, place(scale, x));
    tct_rawf(h, "%%\" y=\"%d\"><path class=\"d%zu\" d=\"%s\"/></svg>", STRIP_HEIGHT / 2, look % 4, shapes[look % 4]);
}

/*
 * necessity_page.c -- is an attribute needed for the purpose?  The document of `tacit necessity`, as sections of a report
 * and as a page of its own.
 */
#include <math.h>
#include <string.h>

#include "charts.h"
#include "parts.h"
#include "tacit/report.h"

enum { MOST_ROWS = 40, MOST_POINTS = 400 };

/* The entry of the frontier with the most attributes: the one that keeps all. */
static const json_t *full_of(const json_t *frontier)
{
    const json_t *full = NULL;

    for (size_t i = 0; i < json_array_size(frontier); i++) {
        const json_t *one = json_array_get(frontier, i);

        if (!full || tct_num(one, "attributes") > tct_num(full, "attributes"))
            full = one;
    }
    return full;
}

/* Names of a list, or as many as there is room for. */
static const char *names_in(tct_html *h, const json_t *list)
{
    const char *items[64];
    size_t n = json_array_size(list);

    for (size_t i = 0; i < n && i < 64; i++)
        items[i] = json_string_value(json_array_get(list, i)) ? json_string_value(json_array_get(list, i)) : "";
    if (n > 64)
        items[63] = "…";
    return n ? tct_list_of(h, items, n < 64 ? n : 64) : tct_word_text(h, W_none);
}

static const char *points_of(tct_html *h, double difference)
{
    return tct_decimal(h, 100 * difference, 2);
}

/* Percentage points that may be lost. */
static const char *tolerance_of(tct_html *h, const json_t *necessity)
{
    return tct_short(h, round(1e8 * tct_num(necessity, "tolerance")) / 1e6); /* 7, not 7.000000000000001 */
}

static void say_best(tct_html *h, const json_t *necessity)
{
    const json_t *frontier = json_object_get(necessity, "frontier"), *full = full_of(frontier);
    const json_t *index = json_object_get(necessity, "recommended");
    const json_t *best = json_is_integer(index) ? json_array_get(frontier, (size_t)json_integer_value(index)) : NULL;
    const char *all;

    if (!best || !full)
        return;
    all = tct_count(h, tct_num(full, "attributes"));
    if (best == full) {
        tct_tagf(h, "p class=\"hero\"", W_nec_best_all, all, tct_percent(h, tct_num(full, "accuracy"), 1));
        return;
    }
    tct_tagf(h, "p class=\"hero\"", W_nec_best, tct_count(h, tct_num(best, "attributes")), all,
             tct_percent(h, tct_num(best, "accuracy"), 1), tct_percent(h, tct_num(full, "accuracy"), 1));
    tct_raw(h, "<ul>\n");
    if (isfinite(tct_num(best, "mean_asked")) && isfinite(tct_num(full, "mean_asked")))
        tct_tagf(h, "li", W_nec_best_asked, tct_decimal(h, tct_num(best, "mean_asked"), 1),
                 tct_decimal(h, tct_num(full, "mean_asked"), 1));
    if (isfinite(tct_num(best, "difference")))
        tct_tagf(h, "li", W_nec_best_diff, points_of(h, tct_num(best, "difference")),
                 points_of(h, tct_num(best, "difference_low")), points_of(h, tct_num(best, "difference_high")),
                 tolerance_of(h, necessity));
    if (json_is_array(json_object_get(best, "kept")))
        tct_tagf(h, "li", W_nec_kept, names_in(h, json_object_get(best, "kept")));
    tct_tagf(h, "li", W_nec_dropped, names_in(h, json_object_get(best, "dropped")));
    if (isfinite(tct_num(best, "agreement")))
        tct_tagf(h, "li", W_nec_names, tct_percent(h, tct_num(best, "agreement"), 0));
    tct_raw(h, "</ul>\n");
}

typedef struct curve {
    tct_point points[MOST_POINTS], flat[1];
    double ticks[MOST_POINTS];
    size_t n;
    double low, high;
} curve;

/* The frontier from few attributes to many. */
static void read_curve(curve *c, const json_t *frontier, const char *key, const char *low, const char *high)
{
    c->low = INFINITY;
    c->high = -INFINITY;
    for (size_t i = 0; i < json_array_size(frontier) && c->n < MOST_POINTS; i++) {
        const json_t *one = json_array_get(frontier, i);
        tct_point p = {tct_num(one, "attributes"), tct_num(one, key), tct_num(one, low), tct_num(one, high)};
        size_t at = c->n;

        if (!isfinite(p.x) || !isfinite(p.y))
            continue;
        for (; at > 0 && c->points[at - 1].x > p.x; at--)
            c->points[at] = c->points[at - 1];
        c->points[at] = p;
        c->n++;
        c->low = fmin(c->low, fmin(p.y, isfinite(p.low) ? p.low : p.y));
        c->high = fmax(c->high, fmax(p.y, isfinite(p.high) ? p.high : p.y));
    }
    for (size_t i = 0; i < c->n; i++)
        c->ticks[i] = c->points[i].x;
}

static void number_frontier(tct_html *h, const json_t *frontier)
{
    static const char *const shares[] = {"accuracy", "low", "high", "difference", "difference_low", "difference_high"};
    static const char *const means[] = {"mean_asked", "asked_low", "asked_high"};
    static const tct_word heads[] = {W_h_collected, W_h_accuracy,   W_low, W_high, W_h_difference, W_low,
                                     W_high,        W_h_asked_mean, W_low, W_high, W_h_left_out};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tct_head(h, heads[i]);
    tct_body(h);
    for (size_t i = 0; i < json_array_size(frontier); i++) {
        const json_t *one = json_array_get(frontier, i);

        tct_tr(h);
        tct_td_of(h, tct_count(h, tct_num(one, "attributes")), tct_num(one, "attributes"));
        for (size_t k = 0; k < 6; k++)
            tct_td_of(h, tct_percent(h, tct_num(one, shares[k]), 2), tct_num(one, shares[k]));
        for (size_t k = 0; k < 3; k++)
            tct_td_of(h, tct_decimal(h, tct_num(one, means[k]), 2), tct_num(one, means[k]));
        tct_td(h, names_in(h, json_object_get(one, "dropped")));
        tct_tr_end(h);
    }
}

static void draw_frontier(tct_html *h, const json_t *necessity)
{
    const json_t *frontier = json_object_get(necessity, "frontier");
    double majority = tct_num(necessity, "majority_accuracy"), pad;
    const char *title = tct_word_text(h, W_nec_frontier);
    curve c = {.n = 0};
    tct_series series[2];
    tct_plot plot = {.series = series, .n_series = 1, .y_title = tct_word_text(h, W_nec_y_accuracy)};

    read_curve(&c, frontier, "accuracy", "low", "high");
    if (c.n == 0)
        return;
    series[0] = (tct_series){tct_word_text(h, W_nec_models), "s0", c.points, c.n, false};
    if (isfinite(majority)) {
        c.flat[0] = (tct_point){0, majority, NAN, NAN};
        series[plot.n_series++] = (tct_series){tct_word_text(h, W_nec_majority_line), "s2", c.flat, 1, true};
        c.low = fmin(c.low, majority);
        c.high = fmax(c.high, majority);
    }
    pad = fmax(0.05 * (c.high - c.low), 0.004);
    plot.y = tct_scale_make(fmax(0, c.low - pad), fmin(1, c.high + pad), true, false);
    plot.label = tct_line(h, W_nec_frontier_label, tct_short(h, c.points[0].x), tct_short(h, c.points[c.n - 1].x));
    plot.x_title = tct_word_text(h, W_nec_x);
    plot.x_ticks = c.ticks;
    plot.n_x_ticks = c.n;
    tct_figure_begin(h, "frontier", title);
    tct_lines_draw(h, &plot);
    tct_note_begin(h);
    tct_say(h, W_nec_frontier_note);
    if (plot.y.low > 0)
        tct_more(h, W_p_axis_cut);
    tct_note_end(h);
    tct_numbers_begin(h, "frontier", title);
    number_frontier(h, frontier);
    tct_numbers_end(h);
}

static void draw_asked(tct_html *h, const json_t *necessity)
{
    curve c = {.n = 0};
    tct_series series;
    tct_plot plot = {.series = &series, .n_series = 1};

    read_curve(&c, json_object_get(necessity, "frontier"), "mean_asked", "asked_low", "asked_high");
    if (c.n == 0)
        return;
    series = (tct_series){tct_word_text(h, W_nec_models), "s0", c.points, c.n, false};
    plot.y = tct_scale_make(0, c.high * 1.05, false, false);
    plot.y_title = tct_word_text(h, W_nec_y_asked);
    plot.x_title = tct_word_text(h, W_nec_x);
    plot.label = tct_word_text(h, W_nec_asked_label);
    plot.x_ticks = c.ticks;
    plot.n_x_ticks = c.n;
    tct_figure_begin(h, "frontier-asked", tct_word_text(h, W_nec_asked));
    tct_lines_draw(h, &plot);
    tct_note_begin(h);
    tct_say(h, W_nec_asked_note);
    tct_note_end(h);
    tct_figure_end(h);
}

static tct_word needed_word(const char *needed)
{
    return strcmp(needed, "yes") == 0 ? W_nec_yes : strcmp(needed, "no") == 0 ? W_nec_no : W_nec_not_shown;
}

static void number_each(tct_html *h, const json_t *attributes)
{
    static const char *const shares[] = {"accuracy_drop", "low", "high"};
    static const char *const means[] = {"asked_change", "asked_low", "asked_high"};
    static const tct_word heads[] = {W_h_attribute, W_h_role, W_h_accuracy_lost, W_low, W_high, W_h_asked_change,
                                     W_low,         W_high,   W_h_needed};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tct_head(h, heads[i]);
    tct_body(h);
    for (size_t i = 0; i < json_array_size(attributes); i++) {
        const json_t *one = json_array_get(attributes, i);

        tct_tr(h);
        tct_td(h, tct_name_of(h, one));
        tct_td(h, tct_word_text(h, strcmp(tct_str(one, "role"), "public") == 0 ? W_role_public : W_role_sensitive));
        for (size_t k = 0; k < 3; k++)
            tct_td_of(h, tct_percent(h, tct_num(one, shares[k]), 2), tct_num(one, shares[k]));
        for (size_t k = 0; k < 3; k++)
            tct_td_of(h, tct_decimal(h, tct_num(one, means[k]), 2), tct_num(one, means[k]));
        tct_td(h, tct_word_text(h, needed_word(tct_str(one, "needed"))));
        tct_tr_end(h);
    }
}

static void draw_each(tct_html *h, const json_t *necessity)
{
    const json_t *attributes = json_object_get(necessity, "attributes");
    const char *title = tct_word_text(h, W_nec_each);
    double low = 0, high = 0;
    tct_scale scale;

    if (json_array_size(attributes) == 0)
        return;
    for (size_t i = 0; i < json_array_size(attributes); i++) {
        const json_t *one = json_array_get(attributes, i);

        low = fmin(low, fmin(tct_num(one, "low"), tct_num(one, "accuracy_drop")));
        high = fmax(high, fmax(tct_num(one, "high"), tct_num(one, "accuracy_drop")));
    }
    scale = tct_scale_make(100 * low, 100 * high, false, false);
    tct_figure_begin(h, "each", title);
    tct_chart_begin(h, "strips badged", tct_word_text(h, W_nec_each_label));
    for (size_t i = 0; i < json_array_size(attributes) && i < MOST_ROWS; i++) {
        const json_t *one = json_array_get(attributes, i);
        tct_word needed = needed_word(tct_str(one, "needed"));

        tct_strip_begin(h, &scale, tct_name_of(h, one), NULL);
        tct_mark_tick(h, &scale, 0, "level");
        tct_mark_span(h, &scale, 100 * tct_num(one, "low"), 100 * tct_num(one, "high"), "span");
        tct_mark_dot(h, &scale, 100 * tct_num(one, "accuracy_drop"), 0);
        tct_strip_end(h, tct_word_text(h, needed), needed == W_nec_yes ? "good" : "open-state");
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_nec_each_axis));
    tct_chart_end(h);
    tct_note_begin(h);
    tct_sayf(h, W_nec_each_note, tolerance_of(h, necessity));
    tct_note_end(h);
    tct_numbers_begin(h, "each", title);
    number_each(h, attributes);
    tct_numbers_end(h);
}

static void tell_source(tct_html *h, const json_t *necessity)
{
    const json_t *data = json_object_get(necessity, "data");

    tct_tag(h, "h3", W_nec_source);
    tct_pairs_begin(h);
    tct_dt(h, W_p_data, tct_str(data, "file"));
    if (*tct_str(data, "sha256"))
        tct_dt_code(h, W_p_data_hash, tct_str(data, "sha256"));
    tct_dt(h, W_p_model, tct_str(necessity, "model"));
    tct_dt(h, W_p_splits, tct_count(h, tct_num(necessity, "splits")));
    if (isfinite(tct_num(necessity, "seed")))
        tct_dt(h, W_p_seed, tct_short(h, tct_num(necessity, "seed")));
    if (*tct_str(necessity, "command"))
        tct_dt_code(h, W_p_command, tct_str(necessity, "command"));
    tct_dt(h, W_p_made_by, tct_str(necessity, "made_by"));
    tct_pairs_end(h);
}

void tct_necessity_sections(tct_html *h, const json_t *necessity, bool inside)
{
    double majority = tct_num(necessity, "majority_accuracy");

    tct_section_begin(h, "necessity", tct_word_text(h, W_nec_section));
    tct_tag(h, "p", inside ? W_nec_how : W_nec_how_own);
    say_best(h, necessity);
    if (isfinite(majority))
        tct_tagf(h, "p", W_nec_majority, tct_percent(h, majority, 1));
    draw_frontier(h, necessity);
    draw_asked(h, necessity);
    draw_each(h, necessity);
    tell_source(h, necessity);
    tct_section_end(h);
}

static tacit_status check_document(const json_t *json, tacit_error *err)
{
    if (strcmp(tct_str(json, "format"), "tacit-necessity") != 0)
        return tct_fail(err, TACIT_E_INPUT,
                        "this is no document of tacit necessity: its format is not tacit-necessity");
    if (tct_num(json, "version") != 1)
        return tct_fail(err, TACIT_E_INPUT, "this document of tacit necessity has a version other than 1");
    if (!json_is_array(json_object_get(json, "frontier")) || !json_is_array(json_object_get(json, "attributes")))
        return tct_fail(err, TACIT_E_INPUT, "this document of tacit necessity lacks frontier or attributes");
    return TACIT_OK;
}

tacit_status tct_necessity_read(json_t **out, const char *json, tacit_error *err)
{
    tacit_status st = tct_json_parse(out, json, strlen(json), "necessity", err);

    if (!st && (st = check_document(*out, err))) {
        json_decref(*out);
        *out = NULL;
    }
    return st;
}

tacit_status tacit_necessity_html(char **out, const char *json, const char *lang, tacit_error *err)
{
    json_t *necessity = NULL;
    const json_t *data, *label;
    tct_html h;
    tacit_status st;

    *out = NULL;
    st = tct_html_begin(&h, lang, err);
    if (!st)
        st = tct_necessity_read(&necessity, json, err);
    if (st)
        return st;
    data = json_object_get(necessity, "data");
    label = json_object_get(necessity, "label");
    tct_page_begin(
        &h, tct_word_text(&h, W_nec_title), tct_word_text(&h, W_nec_title),
        tct_line(&h, W_nec_lead, *tct_str(data, "file") ? tct_str(data, "file") : "–",
                 tct_line_many(&h, W_rows_n, tct_num(data, "rows"), tct_count(&h, tct_num(data, "rows"))),
                 tct_line_many(&h, W_attributes_n, (double)json_array_size(json_object_get(necessity, "attributes")),
                               tct_count(&h, (double)json_array_size(json_object_get(necessity, "attributes")))),
                 tct_name_of(&h, label)));
    tct_necessity_sections(&h, necessity, false);
    tct_page_end(&h, tct_str(necessity, "made_by"), json);
    json_decref(necessity);
    return tct_html_end(&h, out, err);
}

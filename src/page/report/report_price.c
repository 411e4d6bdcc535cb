/*
 * report_price.c -- the price of certainty: what is asked, and what becomes of the decisions, against delta; and whether
 * the promise is kept, not shown to be kept, or broken.
 */
#include <math.h>
#include <string.h>

#include "report_parts.h"

static void read_points(const tct_report *r, tct_point *points, const char *key, bool interval)
{
    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *ends = json_object_get(json_object_get(r->results[i], "intervals"), key);
        const json_t *low = json_array_get(ends, 0), *high = json_array_get(ends, 1);

        points[i] = (tct_point){tct_delta(r->results[i]), tct_num(r->results[i], key),
                                interval && json_is_number(low) ? json_number_value(low) : NAN,
                                interval && json_is_number(high) ? json_number_value(high) : NAN};
    }
}

/* The lowest and the highest of what is drawn. */
static void find_range(const tct_series *series, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < series[s].n; i++) {
            const tct_point *p = &series[s].points[i];

            *low = fmin(*low, fmin(p->y, p->low));
            *high = fmax(*high, fmax(p->y, p->high));
        }
}

static void number_points(const tct_report *r, const tct_point *points, const tct_point *more, bool percent)
{
    tct_html *h = r->h;

    tct_body(h);
    for (size_t i = 0; i < r->n_results; i++) {
        double values[] = {points[i].y, points[i].low, points[i].high};

        tct_tr(h);
        tct_td_of(h, tct_short(h, points[i].x), points[i].x);
        for (size_t k = 0; k < 3; k++)
            tct_td_of(h, percent ? tct_percent(h, values[k], 3) : tct_decimal(h, values[k], 3), values[k]);
        if (more)
            tct_td_of(h, tct_percent(h, more[i].y, 3), more[i].y);
        tct_tr_end(h);
    }
}

static void draw_asked(const tct_report *r, tct_point *points, const double *deltas)
{
    const json_t *opt = json_object_get(r->audit, "opt");
    tct_point least = {0, tct_num(opt, "mean_asked"), NAN, NAN}, all = {0, (double)r->n, NAN, NAN};
    tct_html *h = r->h;
    const char *title = tct_word_text(h, W_p_asked);
    tct_series series[3] = {{tct_word_text(h, W_p_line_asked), "s0", points, r->n_results, false}};
    tct_plot plot = {.series = series, .n_series = 1, .x_ticks = deltas, .n_x_ticks = r->n_results};
    double low, high;

    read_points(r, points, "mean_asked", true);
    find_range(series, 1, &low, &high);
    if (opt)
        series[plot.n_series++] = (tct_series){tct_word_text(h, W_p_line_opt), "s2", &least, 1, true};
    if (high >= (double)r->n / 8)
        series[plot.n_series++] =
            (tct_series){tct_line(h, W_p_line_all, tct_count(h, (double)r->n)), "s3", &all, 1, true};
    find_range(series, plot.n_series, &low, &high);
    plot.y = tct_scale_make(0, high > 0 ? high : 1, false, false);
    plot.y_title = tct_word_text(h, W_p_asked_y);
    plot.x_title = tct_word_text(h, W_p_x);
    plot.label = tct_word_text(h, W_p_asked_label);
    tct_figure_begin(h, "leakage", title);
    tct_lines_draw(h, &plot);
    tct_note_begin(h);
    tct_sayf(h, W_p_asked_note, tct_count(h, (double)r->n));
    tct_note_end(h);
    tct_numbers_begin(h, "leakage", title);
    tct_heads(h, W_h_delta, W_h_asked_mean, W_low, W_high);
    number_points(r, points, NULL, false);
    tct_numbers_end(h);
}

static void draw_decisions(const tct_report *r, tct_point *same, tct_point *right, const double *deltas)
{
    tct_html *h = r->h;
    double accuracy = tct_num(json_object_get(r->audit, "baseline"), "accuracy"), low, high, pad;
    tct_point level = {0, accuracy, NAN, NAN};
    const char *title = tct_word_text(h, W_p_decisions);
    bool truth = isfinite(accuracy);
    tct_series series[3] = {{tct_word_text(h, W_p_line_same), "s0", same, r->n_results, false},
                            {tct_word_text(h, W_p_line_right), "s1", right, r->n_results, false},
                            {tct_word_text(h, W_p_line_right_all), "s3", &level, 1, true}};
    tct_plot plot = {.series = series, .n_series = truth ? 3 : 1, .x_ticks = deltas, .n_x_ticks = r->n_results};

    read_points(r, same, "fidelity", true);
    read_points(r, right, "accuracy", false);
    find_range(series, plot.n_series, &low, &high);
    pad = fmax(0.06 * (high - low), 0.004);
    plot.y = tct_scale_make(fmax(0, low - pad), fmin(1, high + pad), true, false);
    plot.y_title = tct_word_text(h, W_p_decisions_y);
    plot.x_title = tct_word_text(h, W_p_x);
    plot.label = tct_word_text(h, truth ? W_p_decisions_label : W_p_decisions_label_same);
    tct_figure_begin(h, "decisions", title);
    tct_lines_draw(h, &plot);
    tct_note_begin(h);
    tct_say(h, W_p_decisions_note);
    if (plot.y.low > 0)
        tct_more(h, W_p_axis_cut);
    if (!truth)
        tct_more(h, W_p_no_truth);
    tct_note_end(h);
    tct_numbers_begin(h, "decisions", title);
    tct_heads(h, W_h_delta, W_h_same, W_low, W_high);
    if (truth)
        tct_head(h, W_h_right);
    number_points(r, same, truth ? right : NULL, true);
    tct_numbers_end(h);
}

void tct_report_price(const tct_report *r)
{
    tct_point *points;
    double *deltas;

    if (r->n_results < 2)
        return;
    points = tct_malloc(3 * r->n_results, sizeof *points);
    deltas = tct_malloc(r->n_results, sizeof *deltas);
    if (points && deltas) {
        for (size_t i = 0; i < r->n_results; i++)
            deltas[i] = tct_delta(r->results[i]);
        tct_section_begin(r->h, "price", tct_word_text(r->h, W_p_section));
        tct_raw(r->h, "<div class=\"figures\">\n");
        draw_asked(r, points, deltas);
        draw_decisions(r, points + r->n_results, points + 2 * r->n_results, deltas);
        tct_raw(r->h, "</div>\n");
        tct_section_end(r->h);
    } else {
        r->h->text.failed = true;
    }
    tct_free(points);
    tct_free(deltas);
}

/* ---- the promise ---- */

static void tell_promise(const tct_report *r, const json_t *result)
{
    const json_t *f = json_object_get(result, "failure");
    const char *state = tct_state_of(result), *delta = tct_delta_is(r->h, tct_delta(result));
    bool kept = strcmp(state, "kept") == 0, broken = strcmp(state, "broken") == 0;
    tct_html *h = r->h;
    const char *failed = tct_count(h, tct_num(f, "failed")), *of = tct_people(h, tct_num(f, "people"));
    const char *observed = tct_percent(h, tct_num(f, "observed"), 1);
    const char *ends = tct_interval_text(h, tct_num(f, "low"), tct_num(f, "high"), 1);

    tct_raw(h, "<li>");
    if (!(tct_num(f, "people") > 0))
        tct_sayf(h, kept && tct_num(f, "promised") == 0 ? W_k_say_all_gave : W_k_say_nobody, delta);
    else if (kept && tct_num(f, "promised") == 0)
        tct_sayf(h, W_k_say_proven, delta, of);
    else
        tct_sayf(h,
                 kept     ? W_k_say_kept
                 : broken ? W_k_say_broken
                          : W_k_say_not_shown,
                 delta, failed, of, observed, ends);
    if (!kept && !broken && tct_num(f, "people") > 0 && tct_num(f, "more_people") > 0)
        tct_more_many(h, W_k_more, tct_num(f, "more_people"), tct_count(h, tct_num(f, "more_people")));
    tct_raw(h, "</li>\n");
}

/* Labels whose people fail more often than promised, where the whole does not. */
static void tell_labels(const tct_report *r, const json_t *result)
{
    const json_t *list = json_object_get(json_object_get(result, "failure"), "by_label"), *entry;
    tct_html *h = r->h;
    size_t i;

    json_array_foreach(list, i, entry)
    {
        if (!json_is_true(json_object_get(entry, "fails")))
            continue;
        tct_raw(h, "<li>");
        tct_sayf(h, W_k_label_fails, tct_delta_is(h, tct_delta(result)), tct_str(entry, "label"),
                 tct_people(h, tct_num(entry, "people")), tct_count(h, tct_num(entry, "failed")));
        tct_raw(h, "</li>\n");
    }
}

/* What is asked at delta = 0 keeps every promise: said where it is not there, and where a promise asks for more. */
static void tell_upper_limit(const tct_report *r)
{
    const json_t *limit = json_object_get(r->audit, "upper_limit");
    tct_html *h = r->h;

    if (json_is_null(limit) && r->n > 0)
        tct_tag(h, "li", W_k_no_limit);
    for (size_t i = 0; json_is_object(limit) && i < r->n_results; i++) {
        double asked = tct_num(r->results[i], "mean_asked"), most = tct_num(limit, "mean_asked");

        if (!(asked > most))
            continue;
        tct_raw(h, "<li>");
        tct_sayf(h, W_k_above_limit, tct_delta_is(h, tct_delta(r->results[i])), tct_decimal(h, asked, 2),
                 tct_decimal(h, most, 2));
        tct_raw(h, "</li>\n");
    }
}

static const char *state_words(const tct_report *r, const json_t *result)
{
    const char *state = tct_state_of(result);

    if (strcmp(state, "kept") != 0 && !(tct_num(json_object_get(result, "failure"), "people") > 0))
        return tct_word_text(r->h, W_k_nobody);
    return tct_word_text(r->h, strcmp(state, "kept") == 0     ? W_k_kept
                               : strcmp(state, "broken") == 0 ? W_k_broken
                                                              : W_k_not_shown);
}

static void draw_promise(const tct_report *r)
{
    double high = 0.01;
    tct_scale scale;
    tct_html *h = r->h;

    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *f = json_object_get(r->results[i], "failure");

        high = fmax(high, fmax(tct_num(f, "promised"), tct_is_proven(f) ? 0 : tct_num(f, "high")));
    }
    scale = tct_scale_make(0, high, true, false);
    tct_chart_begin(h, "strips badged", tct_word_text(h, W_k_label));
    tct_key_begin(h);
    tct_key_line(h, "limit", tct_word_text(h, W_k_key_promised));
    tct_key_dot(h, 0, tct_word_text(h, W_k_key_observed));
    tct_key_end(h);
    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *f = json_object_get(r->results[i], "failure");
        const char *state = tct_state_of(r->results[i]);

        tct_strip_begin(h, &scale, tct_delta_is(h, tct_delta(r->results[i])), NULL);
        if (!tct_is_proven(f))
            tct_mark_span(h, &scale, tct_num(f, "low"), tct_num(f, "high"), "span");
        tct_mark_dot(h, &scale, tct_num(f, "observed"), 0);
        tct_mark_tick(h, &scale, tct_num(f, "promised"), "limit");
        tct_strip_end(h, state_words(r, r->results[i]),
                      !(tct_num(f, "people") > 0)    ? "open-state"
                      : strcmp(state, "kept") == 0   ? "good"
                      : strcmp(state, "broken") == 0 ? "bad"
                                                     : "open-state");
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_k_axis));
    tct_chart_end(h);
}

static void number_promise(const tct_report *r)
{
    static const tct_word heads[] = {W_h_promised, W_h_stopped, W_h_failed, W_h_observed,
                                     W_low,        W_high,      W_h_state,  W_h_more};
    static const char *const shares[] = {"observed", "low", "high"};
    tct_html *h = r->h;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tct_head(h, heads[i]);
    tct_body(h);
    for (size_t i = 0; i < r->n_results; i++) {
        const json_t *f = json_object_get(r->results[i], "failure");

        tct_tr(h);
        tct_td_of(h, tct_percent(h, tct_num(f, "promised"), 1), tct_num(f, "promised"));
        tct_td_of(h, tct_count(h, tct_num(f, "people")), tct_num(f, "people"));
        tct_td_of(h, tct_count(h, tct_num(f, "failed")), tct_num(f, "failed"));
        for (size_t k = 0; k < 3; k++) {
            double share = k && tct_is_proven(f) ? NAN : tct_num(f, shares[k]);

            tct_td_of(h, tct_percent(h, share, 3), share);
        }
        tct_td(h, state_words(r, r->results[i]));
        tct_td_of(h, tct_count(h, tct_num(f, "more_people")), tct_num(f, "more_people"));
        tct_tr_end(h);
    }
}

void tct_report_promise(const tct_report *r)
{
    const char *title = tct_word_text(r->h, W_k_title);
    tct_html *h = r->h;

    tct_section_begin(h, "promise", tct_word_text(h, W_k_section));
    tct_tag(h, "p", W_k_about);
    tct_raw(h, "<ul>\n");
    for (size_t i = 0; i < r->n_results; i++) {
        tell_promise(r, r->results[i]);
        tell_labels(r, r->results[i]);
    }
    tell_upper_limit(r);
    tct_raw(h, "</ul>\n");
    if (tct_own_test(r))
        tct_warning(h, tct_word_text(h, W_k_own_test));
    tct_figure_begin(h, "failure", title);
    draw_promise(r);
    tct_note_begin(h);
    tct_say(h, W_k_note);
    tct_note_end(h);
    tct_numbers_begin(h, "failure", title);
    number_promise(r);
    tct_numbers_end(h);
    tct_section_end(h);
}

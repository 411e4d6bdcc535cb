/*
 * report_groups.c -- burden and outcome by group: differences beyond noise first, then charts, then every number.
 *
 * A grouping has the groups that may be described, and counts of those that may not.  Older documents have one, under
 * "groups", with fewer figures; it is read the same way.
 */
#include <math.h>
#include <string.h>

#include "report_parts.h"

enum { MOST_LINES = 12 };

typedef struct grouping {
    const json_t *json, *list;
    const char *by;     /* what people are grouped by */
    const char *suffix; /* of the figures' names in this page */
} grouping;

static const char *columns_of(const tct_report *r, const json_t *json)
{
    const json_t *columns = json_object_get(json, "columns");
    const char *by = tct_called(r, tct_str(json, "column"));

    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        const char *called = tct_called(r, name ? name : "");

        by = i ? tct_line(r->h, W_b_times, by, called) : called;
    }
    return by;
}

static size_t n_groupings(const tct_report *r)
{
    const json_t *all = json_object_get(r->audit, "groupings");

    return json_is_array(all) ? json_array_size(all) : json_is_object(json_object_get(r->audit, "groups"));
}

static grouping grouping_at(const tct_report *r, size_t i)
{
    const json_t *all = json_object_get(r->audit, "groupings");
    grouping g = {.json = json_is_array(all) ? json_array_get(all, i) : json_object_get(r->audit, "groups")};

    g.list = json_object_get(g.json, "list");
    g.by = columns_of(r, g.json);
    g.suffix = i ? tct_keepf(r->h, "-%zu", i + 1) : "";
    return g;
}

/* Does the text begin with `head`, hold a number and end with `tail`? */
static bool holds_number(const char *text, size_t size, const char *head, const char *tail, double *number)
{
    size_t before = strlen(head), after = strlen(tail);

    return size > before + after && strncmp(text, head, before) == 0 &&
           strncmp(text + size - after, tail, after) == 0 &&
           tct_parse_number(text + before, size - before - after, number);
}

/* A bin in the words of this page; a name that is none stays as it is. */
static const char *bin_name(const tct_report *r, const char *name)
{
    static const char MIDDLE[] = " to below ";
    const char *middle = strstr(name, MIDDLE);
    double from, to;

    if (middle && holds_number(name, (size_t)(middle - name), "", "", &from) &&
        holds_number(middle, strlen(middle), MIDDLE, "", &to))
        return tct_line(r->h, W_b_between, tct_short(r->h, from), tct_short(r->h, to));
    if (holds_number(name, strlen(name), "below ", "", &to))
        return tct_line(r->h, W_b_below, tct_short(r->h, to));
    if (holds_number(name, strlen(name), "", " and above", &from))
        return tct_line(r->h, W_b_above, tct_short(r->h, from));
    return name;
}

/* What a group is called: what it has in each column it is grouped by. */
static const char *group_name(const tct_report *r, const grouping *g, const json_t *group)
{
    const json_t *names = json_object_get(group, "names"), *bins = json_object_get(g->json, "bins");
    const char *all = *tct_name_of(r->h, group) ? tct_name_of(r->h, group) : tct_word_text(r->h, W_b_empty);

    if (json_is_true(json_object_get(group, "pooled")))
        return tct_word_text(r->h, W_b_pooled);
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));

        name = !name || !*name                                ? tct_word_text(r->h, W_b_empty)
               : strcmp(name, "(missing)") == 0               ? tct_word_text(r->h, W_b_missing)
               : json_array_size(json_array_get(bins, i)) > 0 ? bin_name(r, name)
                                                              : name;
        all = i ? tct_line(r->h, W_b_times, all, name) : name;
    }
    return all;
}

/* The same for a group that is only mentioned by its name. */
static const char *mentioned(const tct_report *r, const grouping *g, const json_t *mention)
{
    for (size_t i = 0; i < json_array_size(g->list); i++) {
        const json_t *group = json_array_get(g->list, i);

        if (strcmp(tct_str(group, "name"), tct_str(mention, "name")) == 0)
            return group_name(r, g, group);
    }
    return group_name(r, g, mention);
}

/* A group's result at this delta. */
static const json_t *result_at(const json_t *group, double delta)
{
    const json_t *results = json_object_get(group, "results");

    for (size_t i = 0; i < json_array_size(results); i++)
        if (tct_delta(json_array_get(results, i)) == delta)
            return json_array_get(results, i);
    return NULL;
}

static const char *class_called(const tct_report *r, const char *name)
{
    const json_t *classes = json_object_get(json_object_get(r->audit, "label"), "classes");

    for (size_t c = 0; c < json_array_size(classes); c++)
        if (strcmp(tct_str(json_array_get(classes, c), "name"), name) == 0)
            return tct_name_of(r->h, json_array_get(classes, c));
    return name;
}

/* ---- differences ---- */

static const char *figure_words(const tct_report *r, const json_t *difference)
{
    static const struct {
        const char *name;
        tct_word word;
    } figures[] = {{"mean_asked", W_b_fig_mean_asked},
                   {"fidelity", W_b_fig_fidelity},
                   {"accuracy", W_b_fig_accuracy},
                   {"failure", W_b_fig_failure},
                   {"none_asked", W_b_fig_none_asked},
                   {"false_positive_rate", W_b_fig_false_positive_rate},
                   {"false_negative_rate", W_b_fig_false_negative_rate}};
    const char *figure = tct_str(difference, "figure"), *class_name = tct_str(difference, "class");

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i].name, figure) == 0)
            return tct_word_text(r->h, figures[i].word);
    if (strcmp(figure, "selection_rate") == 0)
        return *class_name ? tct_line(r->h, W_b_fig_selection_rate, class_called(r, class_name))
                           : tct_word_text(r->h, W_b_fig_selection);
    if (strcmp(figure, "recall") == 0)
        return tct_line(r->h, W_b_fig_recall, class_called(r, class_name));
    return figure;
}

static const char *value_words(const tct_report *r, const json_t *difference, double value)
{
    if (strcmp(tct_str(difference, "figure"), "mean_asked") == 0)
        return tct_decimal(r->h, value, 2);
    return tct_percent(r->h, value, 1);
}

/* How far two groups are apart: shares differ by percentage points. */
static const char *gap_words(const tct_report *r, const json_t *difference)
{
    double gap = tct_num(difference, "difference");

    if (strcmp(tct_str(difference, "figure"), "mean_asked") == 0)
        return tct_decimal(r->h, gap, 2);
    return tct_line(r->h, W_b_points, tct_decimal(r->h, 100 * gap, 1));
}

static const char *gap_interval(const tct_report *r, const json_t *difference)
{
    bool mean = strcmp(tct_str(difference, "figure"), "mean_asked") == 0;
    double unit = mean ? 1 : 100;
    double least = unit * tct_num(difference, "low_end");
    int digits = mean ? 2 : 1, most = digits + 2;
    const char *low, *high;

    while (digits < most && least > 0 && tacit_round(least, digits) == 0) /* an end above 0 does not read as 0 */
        digits++;
    low = tct_decimal(r->h, least, digits);
    high = tct_decimal(r->h, unit * tct_num(difference, "high_end"), digits);

    return tct_line(r->h, mean ? W_to : W_b_points_to, low, high);
}

static const char *difference_words(const tct_report *r, const grouping *g, const json_t *d)
{
    const json_t *high = json_object_get(d, "high"), *low = json_object_get(d, "low");
    tct_html *h = r->h;

    return tct_line(h, W_b_differs, g->by, figure_words(r, d), tct_delta_is(h, tct_delta(d)),
                    value_words(r, d, tct_num(high, "value")), mentioned(r, g, high),
                    value_words(r, d, tct_num(low, "value")), mentioned(r, g, low), gap_words(r, d),
                    gap_interval(r, d));
}

static bool beyond_noise(const json_t *difference)
{
    return json_is_true(json_object_get(difference, "beyond_noise"));
}

size_t tct_group_headlines(const tct_report *r, const char **lines, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < n_groupings(r); i++) {
        grouping g = grouping_at(r, i);
        const json_t *all = json_object_get(g.json, "differences");

        for (size_t k = 0; k < json_array_size(all); k++) {
            const json_t *d = json_array_get(all, k);

            if (!beyond_noise(d))
                continue;
            if (n < room)
                lines[n] = tct_line(r->h, W_b_short, g.by, figure_words(r, d));
            n++;
        }
    }
    return n;
}

static void tell_differences(const tct_report *r, const grouping *g)
{
    const json_t *all = json_object_get(g->json, "differences");
    size_t found = 0;
    tct_html *h = r->h;

    if (!json_is_array(all) || json_array_size(g->list) < 2)
        return;
    tct_raw(h, "<ul>\n");
    for (size_t k = 0; k < json_array_size(all); k++)
        if (beyond_noise(json_array_get(all, k)) && found++ < MOST_LINES)
            tct_tagf(h, "li", W_verbatim, difference_words(r, g, json_array_get(all, k)));
    if (!found)
        tct_tag(h, "li", W_b_no_difference);
    if (found > MOST_LINES) {
        tct_raw(h, "<li>");
        tct_say_many(h, W_b_more_differences, (double)(found - MOST_LINES), tct_count(h, (double)(found - MOST_LINES)));
        tct_raw(h, "</li>\n");
    }
    tct_raw(h, "</ul>\n");
}

/* ---- charts ---- */

static double end_of(const json_t *result, const char *key, size_t end)
{
    const json_t *value = json_array_get(json_object_get(json_object_get(result, "intervals"), key), end);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void draw_burden(const tct_report *r, const grouping *g)
{
    double delta = tct_delta(r->first), everybody = tct_num(r->first, "mean_asked"), most = everybody;
    tct_scale scale;
    tct_html *h = r->h;

    for (size_t i = 0; i < json_array_size(g->list); i++) {
        const json_t *one = result_at(json_array_get(g->list, i), delta);

        most = fmax(most, fmax(tct_num(one, "mean_asked"), end_of(one, "mean_asked", 1)));
    }
    scale = tct_scale_make(0, most > 0 ? most : 1, false, false);
    tct_chart_begin(h, "strips", tct_line(h, W_b_asked_label, g->by, tct_delta_is(h, delta)));
    tct_key_begin(h);
    tct_key_dot(h, 0, tct_word_text(h, W_b_key_group));
    tct_key_line(h, "level", tct_word_text(h, W_b_key_all));
    tct_key_end(h);
    for (size_t i = 0; i < json_array_size(g->list) && i < TCT_MOST_DRAWN; i++) {
        const json_t *group = json_array_get(g->list, i), *one = result_at(group, delta);

        tct_strip_begin(h, &scale, group_name(r, g, group), tct_people(h, tct_num(group, "people")));
        tct_mark_tick(h, &scale, everybody, "level");
        tct_mark_span(h, &scale, end_of(one, "mean_asked", 0), end_of(one, "mean_asked", 1), "span");
        tct_mark_dot(h, &scale, tct_num(one, "mean_asked"), 0);
        tct_strip_end(h, NULL, NULL);
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_b_asked_axis));
    tct_chart_end(h);
}

/* Ends of the interval of a class's selection rate: intervals.selection_rate is a map like the rates. */
static double rate_end(const json_t *result, const char *class_name, size_t end)
{
    const json_t *map = json_object_get(json_object_get(result, "intervals"), "selection_rate");
    const json_t *value = json_array_get(json_object_get(map, class_name), end);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* With two classes one chart says it all: the share that gets the second. */
static void draw_rates(const tct_report *r, const grouping *g)
{
    const json_t *classes = json_object_get(json_object_get(r->audit, "label"), "classes");
    const char *class_name = tct_str(json_array_get(classes, 1), "name"), *called = class_called(r, class_name);
    const json_t *rates = json_object_get(result_at(json_array_get(g->list, 0), tct_delta(r->first)), "selection_rate");
    tct_scale scale = tct_scale_make(0, 1, true, false);
    tct_html *h = r->h;

    if (json_array_size(classes) != 2 || !json_is_object(rates))
        return;
    tct_figure_begin(h, tct_keepf(h, "rates%s", g->suffix), tct_line(h, W_b_rate_title, called, g->by));
    tct_chart_begin(h, "strips", tct_line(h, W_b_rate_label, called, g->by));
    for (size_t i = 0; i < json_array_size(g->list) && i < TCT_MOST_DRAWN; i++) {
        const json_t *group = json_array_get(g->list, i), *one = result_at(group, tct_delta(r->first));

        tct_strip_begin(h, &scale, group_name(r, g, group), tct_people(h, tct_num(group, "people")));
        tct_mark_span(h, &scale, rate_end(one, class_name, 0), rate_end(one, class_name, 1), "span");
        tct_mark_dot(h, &scale, tct_num(json_object_get(one, "selection_rate"), class_name), 0);
        tct_strip_end(h, NULL, NULL);
    }
    tct_strip_axis(h, &scale, tct_word_text(h, W_d_axis));
    tct_chart_end(h);
    tct_note_begin(h);
    tct_sayf(h, W_b_rate_note, tct_delta_is(h, tct_delta(r->first)));
    tct_note_end(h);
    tct_figure_end(h);
}

/* ---- numbers ---- */

typedef struct column {
    const char *key, *class_name; /* class_name: the key is a map */
    tct_word word;
    bool mean;
} column;

static const char *const mapped[] = {"selection_rate", "recall"};

/* The figures that the groups have. */
static size_t find_columns(const tct_report *r, const grouping *g, column *out, size_t room)
{
    static const column plain[] = {{"mean_asked", NULL, W_b_fig_mean_asked, true},
                                   {"none_asked", NULL, W_b_fig_none_asked, false},
                                   {"fidelity", NULL, W_b_fig_fidelity, false},
                                   {"accuracy", NULL, W_b_fig_accuracy, false},
                                   {"false_positive_rate", NULL, W_b_fig_false_positive_rate, false},
                                   {"false_negative_rate", NULL, W_b_fig_false_negative_rate, false}};
    const json_t *one = result_at(json_array_get(g->list, 0), tct_delta(r->first));
    size_t n = 0;
    const char *key;
    json_t *value;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (json_object_get(one, plain[i].key) && n < room)
            out[n++] = plain[i];
    for (size_t m = 0; m < 2; m++)
        json_object_foreach(json_object_get(one, mapped[m]), key, value) if (n < room) out[n++] =
            (column){mapped[m], key, m ? W_b_fig_recall : W_b_fig_selection_rate, false};
    return n;
}

static void number_cell(const tct_report *r, const json_t *one, const column *c)
{
    const json_t *interval = json_object_get(json_object_get(one, "intervals"), c->key);
    double value = c->class_name ? tct_num(json_object_get(one, c->key), c->class_name) : tct_num(one, c->key), low,
           high;
    tct_html *h = r->h;

    if (c->class_name)
        interval = json_object_get(interval, c->class_name);
    low = json_is_number(json_array_get(interval, 0)) ? json_number_value(json_array_get(interval, 0)) : NAN;
    high = json_is_number(json_array_get(interval, 1)) ? json_number_value(json_array_get(interval, 1)) : NAN;
    tct_td_of(h, c->mean ? tct_decimal(h, value, 2) : tct_percent(h, value, 1), value);
    tct_td_plain(h, c->mean && isfinite(low) ? tct_line(h, W_to, tct_decimal(h, low, 2), tct_decimal(h, high, 2))
                                             : tct_interval_text(h, low, high, 1));
}

static void number_groups(const tct_report *r, const grouping *g)
{
    column columns[24];
    size_t n = find_columns(r, g, columns, 24), rows = 0;
    tct_html *h = r->h;

    tct_heads(h, W_h_group, W_h_people, W_h_delta);
    for (size_t c = 0; c < n; c++) {
        tct_head_text(h, columns[c].class_name ? tct_line(h, columns[c].word, class_called(r, columns[c].class_name))
                                               : tct_word_text(h, columns[c].word));
        tct_head(h, W_h_low_high);
    }
    tct_heads(h, W_b_fig_failure, W_h_low_high);
    tct_body(h);
    for (size_t i = 0; i < json_array_size(g->list) && rows < r->rows; i++)
        for (size_t d = 0; d < r->n_results; d++, rows++) {
            const json_t *group = json_array_get(g->list, i), *one = result_at(group, tct_delta(r->results[d]));
            const json_t *f = json_object_get(one, "failure");

            tct_tr(h);
            tct_td(h, group_name(r, g, group));
            tct_td_of(h, tct_count(h, tct_num(group, "people")), tct_num(group, "people"));
            tct_td_of(h, tct_short(h, tct_delta(one)), tct_delta(one));
            for (size_t c = 0; c < n; c++)
                number_cell(r, one, &columns[c]);
            tct_td_of(h, tct_percent(h, tct_num(f, "observed"), 1), tct_num(f, "observed"));
            tct_td_plain(h, tct_is_proven(f) ? tct_interval_text(h, NAN, NAN, 1)
                                             : tct_interval_text(h, tct_num(f, "low"), tct_num(f, "high"), 1));
            tct_tr_end(h);
        }
}

static void tell_hidden(const tct_report *r, const grouping *g)
{
    double hidden = tct_num(g->json, "suppressed"), least = tct_num(g->json, "least_people");
    double pooled = tct_num(g->json, "pooled_groups"), more = tct_num(g->json, "left_out");
    tct_html *h = r->h;

    if (hidden > 0)
        tct_more_many(h, W_b_hidden, hidden, tct_count(h, hidden), tct_count(h, isfinite(least) ? least : 20));
    if (hidden > 0 && pooled > 0)
        tct_more_many(h, W_b_pooled_note, pooled, tct_count(h, pooled));
    if (more > 0)
        tct_more_many(h, W_b_left_out, more, tct_count(h, more));
}

static void show_grouping(const tct_report *r, const grouping *g)
{
    tct_html *h = r->h;
    const char *id = tct_keepf(h, "groups%s", g->suffix);
    const char *title = tct_line(h, W_b_asked_title, g->by, tct_delta_is(h, tct_delta(r->first)));

    tct_tagf(h, "h3", W_b_by, g->by);
    if (json_array_size(g->list) == 0) {
        tct_rawf(h, "<p id=\"%s\">", id);
        tct_say(h, W_b_nothing);
        tell_hidden(r, g);
        tct_raw(h, "</p>\n");
        return;
    }
    tell_differences(r, g);
    tct_figure_begin(h, id, title);
    draw_burden(r, g);
    tct_note_begin(h);
    tct_say(h, W_b_asked_note);
    tell_hidden(r, g);
    tct_note_end(h);
    tct_numbers_begin(h, id, title);
    number_groups(r, g);
    tct_numbers_end(h);
    draw_rates(r, g);
}

void tct_report_groups(const tct_report *r)
{
    size_t n = n_groupings(r);

    if (n == 0)
        return;
    tct_section_begin(r->h, "by-group", tct_word_text(r->h, W_b_section));
    for (size_t i = 0; i < n; i++) {
        grouping g = grouping_at(r, i);

        show_grouping(r, &g);
    }
    tct_section_end(r->h);
}

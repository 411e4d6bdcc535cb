/*
 * necessity_view.c -- see necessity_view.h.
 *
 * It reads the document, so that what is on the screen is what is in the file.
 */
#include "necessity_view.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

enum { NAME_COLUMNS = 20 };

/* NaN where there is none. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

/* Percentage points with two digits; what rounds to nothing has no sign.  NaN: a dash. */
static void write_points(double value, char *out, size_t size)
{
    double points = round(value * 1e4) / 100 + 0.0;

    if (isnan(value))
        snprintf(out, size, "%s", term.dash);
    else
        snprintf(out, size, "%.2f", points == 0 ? 0 : points);
}

static void write_number(double value, char *out, size_t size)
{
    double rounded = round(value * 100) / 100 + 0.0;

    if (isnan(value))
        snprintf(out, size, "%s", term.dash);
    else
        snprintf(out, size, "%.2f", rounded == 0 ? 0 : rounded);
}

/* "1 point", "0.5 points". */
static void write_tolerance(const json_t *json, char *out, size_t size)
{
    double points = 100 * number(json, "tolerance");

    snprintf(out, size, "%.4g point%s", points, points == 1 ? "" : "s");
}

static void points_cell(term_table *table, double value)
{
    char cell[32];

    write_points(value, cell, sizeof(cell));
    table_cell(table, STYLE_PLAIN, "%s", cell);
}

static void number_cell(term_table *table, double value)
{
    char cell[32];

    write_number(value, cell, sizeof(cell));
    table_cell(table, STYLE_PLAIN, "%s", cell);
}

/* "0.12 to 0.34", or a dash. */
static void span_cell(term_table *table, double low, double high)
{
    char from[32], to[32];

    write_points(low, from, sizeof(from));
    write_points(high, to, sizeof(to));
    if (isnan(low) || isnan(high))
        table_cell(table, STYLE_PLAIN, "%s", term.dash);
    else
        table_cell(table, STYLE_PLAIN, "%s to %s", from, to);
}

/* ---- the parts ---- */

static void print_head(const json_t *json)
{
    const json_t *data = json_object_get(json, "data"), *label = json_object_get(json, "label");
    size_t n = json_array_size(json_object_get(json, "attributes"));
    long long splits = (long long)json_integer_value(json_object_get(json, "splits"));
    char rows[32], share[24], *line;

    term_print(STYLE_BOLD, text(data, "file"));
    term_count((uint64_t)json_integer_value(json_object_get(data, "rows")), rows, sizeof(rows));
    term_percent(number(json, "test_share"), 0, share, sizeof(share));
    line = cli_format("%s rows, %zu attribute%s, decides %s; %s models, trained on %lld split%s with %s of the rows "
                      "held out.",
                      rows, n, n == 1 ? "" : "s", text(label, "name"), text(json, "model"), splits,
                      splits == 1 ? "" : "s", share);
    putchar('\n');
    {
        char *clean = term_clean(line, 0);

        term_wrap(stdout, 0, 0, term.width, clean);
        free(clean);
    }
    free(line);
}

static void print_frontier(const json_t *json)
{
    const json_t *frontier = json_object_get(json, "frontier");
    json_int_t best = json_integer_value(json_object_get(json, "recommended"));
    term_table *table = table_new("rlrrrrl");
    static const char *const head[] = {"collected", "then left out", "accuracy", "lost", "95 % interval", "asked", ""};

    term_heading("How many attributes, how good");
    for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
        table_cell(table, STYLE_PLAIN, "%s", head[i]);
    for (size_t i = 0; i < json_array_size(frontier); i++) {
        const json_t *point = json_array_get(frontier, i), *dropped = json_object_get(point, "dropped");
        size_t n = json_array_size(dropped);
        char *last = n ? term_clean(json_string_value(json_array_get(dropped, n - 1)), NAME_COLUMNS)
                       : cli_format("%s", term.dash);
        char accuracy[24];

        term_percent(number(point, "accuracy"), 2, accuracy, sizeof(accuracy));
        table_cell(table, STYLE_PLAIN, "%lld", (long long)json_integer_value(json_object_get(point, "attributes")));
        table_cell(table, STYLE_PLAIN, "%s", last);
        table_cell(table, STYLE_PLAIN, "%s", accuracy);
        points_cell(table, number(point, "difference"));
        if (i == 0)
            table_cell(table, STYLE_PLAIN, "%s", term.dash);
        else
            span_cell(table, number(point, "difference_low"), number(point, "difference_high"));
        number_cell(table, number(point, "mean_asked"));
        table_cell(table, STYLE_ACCENT, "%s", (json_int_t)i == best ? "*" : "");
        free(last);
    }
    table_print(table, 2);
}

static term_style style_of(const char *needed)
{
    return strcmp(needed, "yes") == 0 ? STYLE_BOLD : strcmp(needed, "no") == 0 ? STYLE_ACCENT : STYLE_PLAIN;
}

static void print_attributes(const json_t *json)
{
    const json_t *attributes = json_object_get(json, "attributes");
    term_table *table = table_new("llrrrl");
    static const char *const head[] = {"without", "role", "lost", "95 % interval", "asked", "needed"};

    term_heading("Each attribute left out alone");
    for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
        table_cell(table, STYLE_PLAIN, "%s", head[i]);
    for (size_t i = 0; i < json_array_size(attributes); i++) {
        const json_t *one = json_array_get(attributes, i);
        char *name = term_clean(text(one, "name"), NAME_COLUMNS), asked[32];
        double change = number(one, "asked_change");

        write_number(change, asked, sizeof(asked));
        table_cell(table, STYLE_PLAIN, "%s", name);
        table_cell(table, STYLE_PLAIN, "%s", text(one, "role"));
        points_cell(table, number(one, "accuracy_drop"));
        span_cell(table, number(one, "low"), number(one, "high"));
        table_cell(table, STYLE_PLAIN, "%s%s", change >= 0.005 ? "+" : "", asked);
        table_cell(table, style_of(text(one, "needed")), "%s", text(one, "needed"));
        free(name);
    }
    table_print(table, 2);
}

/* ---- the result in words ---- */

/* Attributes that are shown to be dispensable by themselves. */
static size_t count_spared(const json_t *json)
{
    const json_t *attributes = json_object_get(json, "attributes");
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(attributes); i++)
        count += strcmp(text(json_array_get(attributes, i), "needed"), "no") == 0;
    return count;
}

/* Every attribute stays: why. */
static char *tell_all_kept(const json_t *json, size_t n)
{
    const json_t *next = json_array_get(json_object_get(json, "frontier"), 1);
    size_t spared = n > 1 ? count_spared(json) : 0;
    char lost[32], low[32], high[32], most[48];

    write_points(number(next, "difference"), lost, sizeof(lost));
    write_points(number(next, "difference_low"), low, sizeof(low));
    write_points(number(next, "difference_high"), high, sizeof(high));
    write_tolerance(json, most, sizeof(most));
    if (isnan(number(next, "difference_low")))
        return cli_format("One split alone cannot show how much accuracy is lost: it takes --splits 2 or more to say "
                          "what can be left out.");
    return cli_format(
        "No smaller set is shown to lose at most %s: with %s, the loss is %s points, 95 %% interval %s "
        "to %s.%s",
        most, n == 1 ? "nothing collected" : "one attribute less, chosen anew in each split", lost, low, high,
        spared == 0   ? ""
        : spared == 1 ? " One attribute by itself is, if it is the one that is chosen beforehand: see below."
                      : " Some attributes by themselves are, if one of them is chosen beforehand: see below.");
}

/* The set with the star. */
static char *tell_set(const json_t *json, const json_t *best, const json_t *full, size_t n)
{
    size_t kept = json_array_size(json_object_get(best, "kept"));
    char lost[32], high[32], most[48], good[24], all[24], asked[32], before[32];

    write_points(number(best, "difference"), lost, sizeof(lost));
    write_points(number(best, "difference_high"), high, sizeof(high));
    write_tolerance(json, most, sizeof(most));
    term_percent(number(best, "accuracy"), 2, good, sizeof(good));
    term_percent(number(full, "accuracy"), 2, all, sizeof(all));
    write_number(number(best, "mean_asked"), asked, sizeof(asked));
    write_number(number(full, "mean_asked"), before, sizeof(before));
    if (kept == 0)
        return cli_format("No attribute is shown to be needed: deciding by the most frequent class alone is right for "
                          "%s, with %s attribute%s it is %s. Lost: %s points, at most %s by the 95 %% interval; %s "
                          "may be lost.",
                          good, n == 1 ? "the" : "all", n == 1 ? "" : "s", all, lost, high, most);
    return cli_format("%zu of %zu attributes are enough: accuracy %s instead of %s (lost: %s points, at most %s by the "
                      "95 %% interval; %s may be lost), and people are asked for %s of them on average, with "
                      "all attributes for %s.",
                      kept, n, good, all, lost, high, most, asked, before);
}

static void print_names(const char *title, const json_t *list)
{
    char *line = cli_format("%s", ""), *clean;

    for (size_t i = 0; i < json_array_size(list); i++) {
        char *longer = cli_format("%s%s%s", line, i ? ", " : "", json_string_value(json_array_get(list, i)));

        free(line);
        line = longer;
    }
    clean = term_clean(line, 0);
    printf("%s ", title);
    term_wrap(stdout, strlen(title) + 1, 2, term.width, clean);
    free(clean);
    free(line);
}

static void print_result(const json_t *json)
{
    const json_t *frontier = json_object_get(json, "frontier"), *full = json_array_get(frontier, 0);
    size_t best = (size_t)json_integer_value(json_object_get(json, "recommended")), n = json_array_size(frontier) - 1;
    const json_t *point = json_array_get(frontier, best);
    char *line = best == 0 ? tell_all_kept(json, n) : tell_set(json, point, full, n), *clean = term_clean(line, 0);

    putchar('\n');
    term_wrap(stdout, 0, 0, term.width, clean);
    free(clean);
    free(line);
    if (best > 0 && best < n)
        print_names("Kept:", json_object_get(point, "kept"));
    if (best > 0)
        print_names("Left out:", json_object_get(point, "dropped"));
}

/* How far the sets of the splits are those that are named. */
static char *tell_agreement(const json_t *json)
{
    const json_t *frontier = json_object_get(json, "frontier");
    size_t best = (size_t)json_integer_value(json_object_get(json, "recommended"));
    double agreement = number(json_array_get(frontier, best), "agreement");
    char share[24];

    term_percent(agreement, 0, share, sizeof(share));
    if (best == 0 || isnan(agreement)) /* everything, or nothing: there is no choice */
        return cli_format("%s", "");
    return cli_format(" Of the set with the star, a split has chosen %s on average.", share);
}

static void print_paragraph(char *line)
{
    term_wrap(stdout, 0, 0, term.width, line);
    free(line);
}

static void print_legend(const json_t *json)
{
    char people[32], most[48], *agreement = tell_agreement(json);
    bool intervals = json_integer_value(json_object_get(json, "splits")) > 1;

    term_count((uint64_t)json_integer_value(json_object_get(json, "people_played")), people, sizeof(people));
    write_tolerance(json, most, sizeof(most));
    putchar('\n');
    print_paragraph(cli_format("Accuracy: of people held out, whom neither training nor the choice of attributes has "
                               "seen; with nothing collected, that of the most frequent class. Lost: against all "
                               "attributes, in percentage points. Asked: sensitive attributes a person gives until "
                               "the decision is proven, mean over %s questionnaires; alone: how it changes.",
                               people));
    print_paragraph(cli_format("In each split the attributes left out are chosen from its training rows; the names in "
                               "the first table are what all rows together choose.%s",
                               agreement));
    free(agreement);
    if (intervals)
        print_paragraph(
            cli_format("Needed: yes, the loss without it is more than %s; no, it is at most that; not "
                       "shown, the interval allows for both. What can be spared alone cannot always be spared "
                       "together: see the first table for that.",
                       most));
    else
        print_paragraph(cli_format("One split alone gives no intervals, so nothing is shown to be needed or not."));
}

int necessity_view(const char *document)
{
    json_t *json = json_loads(document, 0, NULL);

    if (!json)
        return cli_complain(CLI_INTERNAL, "the document cannot be read back");
    print_head(json);
    print_frontier(json);
    print_result(json);
    print_attributes(json);
    print_legend(json);
    json_decref(json);
    return CLI_DONE;
}

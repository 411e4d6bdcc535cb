/*
 * experiment_view.c -- see experiment_view.h.
 *
 * One table a model, one row a size: what the baseline gets right, and how many attributes each method asks for.  It
 * reads the summary, so that what is on the screen is what is in the file.
 */
#include "experiment_view.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

enum { MOST_DELTAS = 6 }; /* more would not fit on a line; they are in the files */

/* The columns of the tables. */
typedef struct columns {
    bool baseline, paper, tacit, opt, gap;
    const char *method; /* whose leakage is shown at the deltas above 0; NULL: nobody's */
    double deltas[MOST_DELTAS];
    size_t n_deltas;
} columns;

static bool has_text(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
            return true;
    return false;
}

static columns find_columns(const json_t *settings)
{
    const json_t *methods = json_object_get(settings, "methods"), *deltas = json_object_get(settings, "deltas");
    bool exact = json_number_value(json_array_get(deltas, 0)) == 0; /* ascending */
    columns c = {.baseline = has_text(methods, "baseline"), .opt = has_text(methods, "opt")};

    c.paper = exact && has_text(methods, "paper");
    c.tacit = exact && has_text(methods, "tacit");
    c.gap = c.paper && c.tacit && c.opt;
    c.method = has_text(methods, "tacit") ? "tacit" : has_text(methods, "paper") ? "paper" : NULL;
    for (size_t i = 0; c.method && i < json_array_size(deltas) && c.n_deltas < MOST_DELTAS; i++)
        if (json_number_value(json_array_get(deltas, i)) > 0)
            c.deltas[c.n_deltas++] = json_number_value(json_array_get(deltas, i));
    return c;
}

/* The entry of a method at a delta (ignored for baseline and opt). */
static const json_t *find_method(const json_t *cell, const char *method, double delta)
{
    const json_t *methods = json_object_get(cell, "methods");

    for (size_t i = 0; i < json_array_size(methods); i++) {
        const json_t *entry = json_array_get(methods, i), *at = json_object_get(entry, "delta");

        if (strcmp(json_string_value(json_object_get(entry, "method")), method) == 0 &&
            (!json_is_number(at) || strcmp(method, "opt") == 0 || json_number_value(at) == delta))
            return entry;
    }
    return NULL;
}

/* NaN where there is none. */
static double mean_of(const json_t *entry, const char *figure)
{
    const json_t *mean = json_object_get(json_object_get(entry, figure), "mean");

    return json_is_number(mean) ? json_number_value(mean) : NAN;
}

static void print_leakage(term_table *table, term_style style, const json_t *cell, const char *method, double delta)
{
    double mean = mean_of(find_method(cell, method, delta), "leakage");

    if (isnan(mean))
        table_cell(table, style, "%s", term.dash);
    else
        table_cell(table, style, "%.2f", mean);
}

static void print_head(term_table *table, const columns *c)
{
    table_cell(table, STYLE_PLAIN, "sensitive");
    if (c->baseline)
        table_cell(table, STYLE_PLAIN, "accuracy");
    if (c->paper)
        table_cell(table, STYLE_PLAIN, "paper");
    if (c->tacit)
        table_cell(table, STYLE_PLAIN, "tacit");
    if (c->opt)
        table_cell(table, STYLE_PLAIN, "opt");
    if (c->gap)
        table_cell(table, STYLE_PLAIN, "closed");
    for (size_t i = 0; i < c->n_deltas; i++)
        table_cell(table, STYLE_PLAIN, "%s %g", term.delta, c->deltas[i]);
}

static void print_cell(term_table *table, const columns *c, const json_t *cell)
{
    const json_t *closed = json_object_get(json_object_get(cell, "gap"), "closed");
    char text[24];

    table_cell(table, STYLE_PLAIN, "%lld", (long long)json_integer_value(json_object_get(cell, "size")));
    if (c->baseline) {
        term_percent(mean_of(find_method(cell, "baseline", 0), "accuracy"), 2, text, sizeof(text));
        table_cell(table, STYLE_PLAIN, "%s", text);
    }
    if (c->paper)
        print_leakage(table, STYLE_PLAIN, cell, "paper", 0);
    if (c->tacit)
        print_leakage(table, STYLE_BOLD, cell, "tacit", 0);
    if (c->opt)
        print_leakage(table, STYLE_PLAIN, cell, "opt", 0);
    if (c->gap) {
        term_percent(json_is_number(closed) ? json_number_value(closed) : NAN, 0, text, sizeof(text));
        table_cell(table, STYLE_PLAIN, "%s", text);
    }
    for (size_t i = 0; i < c->n_deltas; i++)
        print_leakage(table, STYLE_PLAIN, cell, c->method, c->deltas[i]);
}

static void print_model(const columns *c, const json_t *model)
{
    const json_t *cells = json_object_get(model, "cells");
    term_table *table;
    char alignment[7 + MOST_DELTAS];
    size_t n = (size_t)1 + c->baseline + c->paper + c->tacit + c->opt + c->gap + c->n_deltas;

    memset(alignment, 'r', n);
    alignment[n] = '\0';
    table = table_new(alignment);
    term_heading(json_string_value(json_object_get(model, "model")));
    print_head(table, c);
    for (size_t i = 0; i < json_array_size(cells); i++)
        print_cell(table, c, json_array_get(cells, i));
    table_print(table, 2);
}

/* Smallest fidelity at delta = 0 over all cells and methods; above 1 when there is none. */
static double least_fidelity(const json_t *models)
{
    double least = 2;

    for (size_t k = 0; k < json_array_size(models); k++) {
        const json_t *cells = json_object_get(json_array_get(models, k), "cells");

        for (size_t i = 0; i < json_array_size(cells); i++)
            for (size_t m = 0; m < 2; m++) {
                const json_t *entry = find_method(json_array_get(cells, i), m ? "tacit" : "paper", 0);

                least = entry ? fmin(least, mean_of(entry, "fidelity")) : least;
            }
    }
    return least;
}

static void say_and_free(term_style style, char *text)
{
    term_say(style, text);
    free(text);
}

static void print_title(const json_t *data, const json_t *settings)
{
    const char *title = json_string_value(json_object_get(data, "title"));
    char rows[32], share[24], *text;

    term_count((uint64_t)json_integer_value(json_object_get(data, "rows")), rows, sizeof(rows));
    term_percent(json_number_value(json_object_get(settings, "test_share")), 0, share, sizeof(share));
    text = cli_format("%s%s%s", json_string_value(json_object_get(data, "file")), *title ? ": " : "", title);
    term_say(STYLE_BOLD, text);
    free(text);
    text = cli_format("%s rows, %zu attributes, %zu classes; repetitions: %lld, each with its own %s of the rows held "
                      "out.",
                      rows, json_array_size(json_object_get(data, "attributes")),
                      json_array_size(json_object_get(data, "classes")),
                      (long long)json_integer_value(json_object_get(settings, "repetitions")), share);
    term_say(STYLE_PLAIN, text);
    free(text);
}

static void print_legend(const columns *c, const json_t *settings, double fidelity)
{
    json_int_t sample = json_integer_value(json_object_get(settings, "opt_people"));
    bool proven = c->paper || c->tacit || c->opt;
    char *text = cli_format(
        "How many of the attributes drawn as sensitive a person gives on average%s%s%s%s%s%s.%s",
        proven ? " until the decision is proven" : "", proven && c->n_deltas ? "; " : "", c->n_deltas ? "at " : "",
        c->n_deltas ? term.delta : "", c->n_deltas ? " above 0, by the rule of " : "", c->n_deltas ? c->method : "",
        c->gap ? " Closed: how far tacit goes from paper to opt, which knows all values beforehand." : "");

    putchar('\n');
    term_wrap(stdout, 0, 0, term.width, text);
    free(text);
    for (size_t k = 0; c->opt && sample > 0 && tacit_fit_kinds[k]; k++)
        if (tacit_fit_has_layers(tacit_fit_kinds[k]) &&
            has_text(json_object_get(settings, "models"), tacit_fit_kinds[k]))
            say_and_free(STYLE_PLAIN, cli_format("%s: opt%s over %lld people of each repetition.", tacit_fit_kinds[k],
                                                 c->gap ? " and closed are" : " is", (long long)sample));
    if (fidelity == 1)
        term_say(STYLE_GOOD, "Proven decisions are those with everything known, without exception.");
    else if (fidelity < 1)
        say_and_free(
            STYLE_BAD,
            cli_format("Some proven decisions differ from those with everything known: fidelity %.6f.", fidelity));
}

int experiment_view(const char *summary)
{
    json_t *json = json_loads(summary, 0, NULL);
    const json_t *models = json_object_get(json, "models"), *settings = json_object_get(json, "settings");
    columns c;

    if (!json)
        return cli_complain(CLI_INTERNAL, "the summary cannot be read back");
    c = find_columns(settings);
    print_title(json_object_get(json, "data"), settings);
    for (size_t i = 0; i < json_array_size(models); i++)
        print_model(&c, json_array_get(models, i));
    print_legend(&c, settings, least_fidelity(models));
    json_decref(json);
    return CLI_DONE;
}

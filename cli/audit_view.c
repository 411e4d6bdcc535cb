/*
 * audit_view.c -- an audit as people see it: one sentence first, then the table that backs it, whether the promise was
 * kept, how many attributes, which ones, who carries the burden, and remarks about the data.
 *
 * Aggregates only.  The library says which groups may be shown.
 */
#include "audit_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration_view.h"
#include "cli.h"
#include "needs_view.h"
#include "decided_view.h"
#include "groups_view.h"
#include "terminal.h"

enum {
    MAX_BARS = 25,     /* attributes shown one by one */
    MAX_SIZES = 16,    /* lines of the histogram */
    SHARE_COLUMNS = 7, /* "100.0 %" */
    MIN_BAR = 8,
    MAX_BAR = 24
};

typedef struct view {
    const tacit_schema *schema;
    const tacit_audit *audit;
    const tacit_audit_summary *all;
    bool costs; /* attributes cost different amounts */
} view;

static const tacit_attribute *sensitive_attribute(const view *v, size_t i)
{
    return tacit_schema_attribute(v->schema, v->all->sensitive[i]);
}

static void percent(char *text, double share, int digits)
{
    term_percent(share, digits, text, 24);
}

static void print_headline(const view *v, const tacit_audit_result *first)
{
    char people[32], none[24], *text, *tail;

    term_count(v->all->people, people, sizeof(people));
    percent(none, first->none_asked, first->none_asked < 0.01 || first->none_asked > 0.99 ? 1 : 0);
    putchar('\n');
    if (v->all->n_sensitive == 0) {
        term_print(STYLE_BOLD, "No attribute is sensitive: nobody is asked for any.");
        putchar('\n');
        return;
    }
    if (first->none_asked > 0)
        tail = cli_format("%s are asked for none.", none);
    else
        tail = cli_format("%s", "everybody is asked for some.");
    text = cli_format("People are asked for %.1f of %zu sensitive attributes on average; %s",
                      tacit_round(first->mean_asked, 1), v->all->n_sensitive, tail);
    free(tail);
    printf("%s", term_on(STYLE_BOLD));
    term_wrap(stdout, 0, 0, term.width, text);
    printf("%s", term_on(STYLE_PLAIN));
    free(text);
    if (first->delta == 0)
        text = cli_format("%s people, %s = 0: decisions proven for every value of what was not asked.", people,
                          term.delta);
    else if (first->calibrated)
        text = cli_format("%s people, %s = %g, calibrated on %s.", people, term.delta, first->delta,
                          v->all->origin == TACIT_ORIGIN_TRAINED ? "people not trained on" : "other people");
    else
        text = cli_format("%s people, %s = %g: decisions settled with probability %s %g.", people, term.delta,
                          first->delta, term.at_least, 1 - first->delta);
    term_say(STYLE_DIM, text);
    free(text);
}

/* One line of the main table; negative numbers stand for "not known". */
static void add_line(const view *v, term_table *table, const char *name, double asked, double none, double cost,
                     double fidelity, double accuracy)
{
    char share[24], nobody[24], same[24], right[24];
    size_t n = v->all->n_sensitive;

    percent(share, n ? asked / (double)n : 0, 1);
    percent(nobody, none, 1);
    percent(same, fidelity, 2);
    percent(right, accuracy, 2);
    table_cell(table, STYLE_PLAIN, "%s", name);
    table_cell(table, STYLE_BOLD, "%.2f", tacit_round(asked, 2));
    table_cell(table, STYLE_PLAIN, "%s", share);
    table_cell(table, STYLE_PLAIN, "%s", nobody);
    if (v->costs)
        table_cell(table, STYLE_PLAIN, "%.2f", tacit_round(cost, 2));
    table_cell(table, STYLE_PLAIN, "%s", same);
    table_cell(table, STYLE_PLAIN, "%s", right);
}

static double total_cost(const view *v)
{
    double sum = 0;

    for (size_t i = 0; i < v->all->n_sensitive; i++)
        sum += sensitive_attribute(v, i)->cost;
    return sum;
}

/* Characters of the longest delta, so that rules stand below each other. */
static int delta_width(const view *v)
{
    int widest = 4;

    for (size_t d = 0; d < v->all->n_results; d++) {
        int width = snprintf(NULL, 0, "%g", tacit_audit_result_get(v->audit, d)->delta);

        widest = width > widest ? width : widest;
    }
    return widest;
}

static void print_results(const view *v)
{
    static const char *const heads[] = {"asked", "share", "none", "cost", "fidelity", "accuracy"};
    term_table *table = table_new(v->costs ? "lrrrrrr" : "lrrrrr");
    char *name;

    table_cell(table, STYLE_PLAIN, "%s", "");
    for (size_t i = 0; i < 6; i++)
        if (i != 3 || v->costs)
            table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    add_line(v, table, "Baseline: all asked", (double)v->all->n_sensitive, v->all->n_sensitive ? 0 : 1, total_cost(v),
             1, v->all->baseline_accuracy);
    for (size_t d = 0; d < v->all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(v->audit, d);

        name = cli_format("%s = %-*g  %s", term.delta, delta_width(v), r->delta, tacit_rule_name(r->rule));
        add_line(v, table, name, r->mean_asked, r->none_asked, r->mean_cost, r->fidelity, r->accuracy);
        free(name);
    }
    if (v->all->has_opt) {
        double people = (double)v->all->opt_people;

        add_line(v, table, v->all->opt_people < v->all->people ? "Opt: of a sample" : "Opt: least possible",
                 v->all->opt_mean_asked, (double)v->all->opt_histogram[0] / people, v->all->opt_mean_cost, 1,
                 v->all->baseline_accuracy);
    }
    putchar('\n');
    table_print(table, 2);
    fputs("  ", stdout);
    printf("%s", term_on(STYLE_DIM));
    term_wrap(stdout, 2, 2, term.width - 1,
              v->all->has_opt
                  ? "asked: mean number; none: people asked for nothing; fidelity: same decision as with everything "
                    "asked; accuracy: decision is right. Opt is a yardstick that sees all values, for proven decisions."
                  : "asked: mean number; none: people asked for nothing; fidelity: same decision as with everything "
                    "asked; accuracy: decision is right.");
    printf("%s", term_on(STYLE_PLAIN));
}

/* What the audit says about a promise, in one cell. */
static void add_state(term_table *table, const tacit_audit_result *r)
{
    static const term_style styles[] = {
        [TACIT_PROMISE_KEPT] = STYLE_GOOD, [TACIT_PROMISE_NOT_SHOWN] = STYLE_WARN, [TACIT_PROMISE_BROKEN] = STYLE_BAD};

    table_cell(table, styles[r->promise], "%s", tacit_promise_name(r->promise));
}

/* How many more people it would take where it is not shown. */
static void print_more_people(const view *v)
{
    bool any = false;

    for (size_t d = 0; d < v->all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(v->audit, d);
        char more[32], *text;

        any = any || (r->delta > 0 && r->stopped);
        if (!r->more_people)
            continue;
        term_count(r->more_people, more, sizeof(more));
        text =
            cli_format("%s = %g: %s more %s settled early, with %.2f %% of them differing as here, would show that it "
                       "is %s.",
                       term.delta, r->delta, more, r->more_people == 1 ? "person" : "people", 100 * r->observed,
                       r->observed < r->delta ? "kept" : "broken");
        fputs("  ", stdout);
        term_wrap(stdout, 2, 4, term.width - 1, text);
        free(text);
    }
    if (any) {
        fputs("  ", stdout);
        printf("%s", term_on(STYLE_DIM));
        term_wrap(stdout, 2, 2, term.width - 1,
                  "kept: the whole interval is at most what was promised; broken: all of it is above; not shown: "
                  "neither.");
        printf("%s", term_on(STYLE_PLAIN));
    }
}

static void print_line(char *text) /* frees it */
{
    char *clean = term_clean(text, 0);

    printf("  %s ", term.bullet);
    term_wrap(stdout, 4, 4, term.width - 1, clean);
    free(clean);
    free(text);
}

void failing_labels_view(const tacit_audit *audit)
{
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);

    for (size_t d = 0; d < all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, d);

        for (size_t c = 0; c < all->n_classes; c++) {
            char people[32], failed[32];

            if (!tacit_audit_label_fails(r, c))
                continue;
            term_count(r->label_stopped[c], people, sizeof(people));
            term_count(r->label_failed[c], failed, sizeof(failed));
            print_line(cli_format("%s = %g does not hold for everybody: of %s people settled early who would be "
                                  "decided \"%s\" with everything known, %s were decided otherwise.",
                                  term.delta, r->delta, people, tacit_audit_class(audit, c), failed));
        }
    }
}

static void print_promise(const view *v)
{
    static const char *const heads[] = {"settled early", "at most", "observed", "95 % interval", "promise"};
    term_table *table = table_new("lrrrll");

    term_heading("Is the promise kept? Decisions that differ from the full-information one");
    table_cell(table, STYLE_PLAIN, "%s", "");
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    for (size_t d = 0; d < v->all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(v->audit, d);
        char people[32], promised[24], observed[24], low[24], high[24];

        term_count(r->stopped, people, sizeof(people));
        percent(promised, r->promised, 2);
        percent(observed, r->observed, 2);
        percent(low, r->low, 2);
        percent(high, r->high, 2);
        table_cell(table, STYLE_PLAIN, "%s = %g", term.delta, r->delta);
        table_cell(table, STYLE_PLAIN, "%s", people);
        table_cell(table, STYLE_PLAIN, "%s", promised);
        table_cell(table, r->stopped ? STYLE_PLAIN : STYLE_DIM, "%s", observed);
        if (r->stopped && r->delta > 0) /* at 0 nothing is estimated */
            table_cell(table, STYLE_PLAIN, "[%s, %s]", low, high);
        else
            table_cell(table, STYLE_PLAIN, "%s", r->stopped ? "proven" : "");
        add_state(table, r);
    }
    table_print(table, 2);
    failing_labels_view(v->audit);
    print_more_people(v);
}

/* Where a calibrated model stopped, and whether the people here are those it was calibrated with. */
static void print_calibration(const view *v, const tacit_model *model)
{
    for (size_t d = 0; d < v->all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(v->audit, d);
        char *text = calibration_sentence(model, r->rule, r->delta);

        if (text)
            term_say_at(STYLE_DIM, 2, text);
        free(text);
    }
    if (v->all->calibrated_with) {
        printf("  %s ", term.bullet);
        term_wrap(
            stdout, 4, 4, term.width - 1,
            "Among these are the people the model was calibrated with: what is observed here is no test of that.");
    }
}

/* A bar chart: one column of names, then one column of share and bar for each delta from `from` to before `to`. */
typedef struct chart {
    term_table *table;
    size_t from, to, bar;
} chart;

/* Columns a delta takes: gap, share, blank, bar. */
static size_t chart_columns(size_t bar)
{
    return 2 + SHARE_COLUMNS + 1 + bar;
}

/* As many deltas as fit beside names of `columns`, starting with `from`; the bars share the room that is left. */
static chart chart_new(const view *v, size_t from, size_t columns, const char *head)
{
    static const char alignment[] = "llllllllllllllll";
    size_t room = term.width - 3 - columns, left = v->all->n_results - from;
    size_t fit = room / chart_columns(MIN_BAR), beside;
    chart c = {.from = from};

    fit = fit < 1 ? 1 : fit > 12 ? 12 : fit;
    c.to = from + (left < fit ? left : fit);
    beside = v->all->n_results < fit ? v->all->n_results : fit; /* the same bars in every chart */
    c.bar = room / beside - chart_columns(0);
    c.bar = c.bar < MIN_BAR ? MIN_BAR : c.bar > MAX_BAR ? MAX_BAR : c.bar;
    c.table = table_new(alignment + sizeof(alignment) - 2 - (c.to - from));
    table_cell(c.table, STYLE_PLAIN, "%s", head);
    for (size_t d = from; d < c.to; d++)
        table_cell(c.table, STYLE_PLAIN, "%s = %g", term.delta, tacit_audit_result_get(v->audit, d)->delta);
    return c;
}

static void chart_add(const chart *c, double share, double largest)
{
    char *bar = term_bar(largest > 0 ? share / largest : 0, c->bar);
    char text[24];

    percent(text, share, 1);
    table_cell(c->table, STYLE_PLAIN, "%*s%s%s", (int)SHARE_COLUMNS, text, *bar ? " " : "", bar);
    free(bar);
}

/* Share of people asked for at least `k` and fewer than `end` attributes. */
static double share_between(const tacit_audit_result *r, size_t k, size_t end)
{
    double people = 0;

    for (; k < end; k++)
        people += (double)r->histogram[k];
    return people / (double)r->people;
}

/* People by number of attributes asked, in steps so that few lines come out. */
static void print_histogram(const view *v)
{
    size_t last = 0, step;
    double largest = 0;

    for (size_t d = 0; d < v->all->n_results; d++)
        for (size_t k = 0; k <= v->all->n_sensitive; k++)
            if (tacit_audit_result_get(v->audit, d)->histogram[k] && k > last)
                last = k;
    step = last / MAX_SIZES + 1;
    for (size_t d = 0; d < v->all->n_results; d++)
        for (size_t k = 0; k <= last; k += step)
            largest = fmax(
                largest, share_between(tacit_audit_result_get(v->audit, d), k, k + step < last ? k + step : last + 1));
    term_heading("How many attributes people were asked for");
    for (size_t from = 0; from < v->all->n_results;) {
        chart c = chart_new(v, from, 5, "asked");

        for (size_t k = 0; k <= last; k += step) {
            size_t end = k + step <= last + 1 ? k + step : last + 1;

            if (end - k == 1)
                table_cell(c.table, STYLE_PLAIN, "%zu", k);
            else
                table_cell(c.table, STYLE_PLAIN, "%zu%s%zu", k, term.range, end - 1);
            for (size_t d = from; d < c.to; d++)
                chart_add(&c, share_between(tacit_audit_result_get(v->audit, d), k, end), largest);
        }
        if (from)
            putchar('\n');
        table_print(c.table, 2);
        from = c.to;
    }
}

/* Sensitive attributes, most asked first: by the first delta, then the next, then in the order of the schema. */
static int compare_asked(const void *a, const void *b, void *context)
{
    const view *v = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;

    for (size_t d = 0; d < v->all->n_results; d++) {
        const uint64_t *asked = tacit_audit_result_get(v->audit, d)->asked;

        if (asked[i] != asked[j])
            return asked[i] < asked[j] ? 1 : -1;
    }
    return i < j ? -1 : i > j;
}

static bool asked_at_all(const view *v, size_t i)
{
    for (size_t d = 0; d < v->all->n_results; d++)
        if (tacit_audit_result_get(v->audit, d)->asked[i])
            return true;
    return false;
}

static void print_attributes(const view *v, const size_t *order, size_t shown, size_t columns)
{
    for (size_t from = 0; shown && from < v->all->n_results;) {
        chart c = chart_new(v, from, columns, "attribute");

        for (size_t i = 0; i < shown; i++) {
            char *name = term_clean(sensitive_attribute(v, order[i])->name, columns);

            table_cell(c.table, STYLE_PLAIN, "%s", name);
            free(name);
            for (size_t d = from; d < c.to; d++)
                chart_add(&c, (double)tacit_audit_result_get(v->audit, d)->asked[order[i]] / (double)v->all->people, 1);
        }
        if (from)
            putchar('\n');
        table_print(c.table, 2);
        from = c.to;
    }
}

/* Names of order[from] ... order[to - 1], separated by commas. */
static char *join_names(const view *v, const size_t *order, size_t from, size_t to)
{
    char *text = cli_format("%s", "");

    for (size_t i = from; i < to; i++) {
        char *longer = cli_format("%s%s%s", text, i > from ? ", " : "", sensitive_attribute(v, order[i])->name);

        free(text);
        text = longer;
    }
    return text;
}

static void print_names(const char *title, const char *names)
{
    char *text = cli_format("%s: %s", title, names), *clean = term_clean(text, 0);

    fputs("  ", stdout);
    term_wrap(stdout, 2, 4, term.width - 1, clean);
    free(clean);
    free(text);
}

static void print_asked(const view *v)
{
    size_t n = v->all->n_sensitive, used = 0, widest = 9, shown;
    size_t *order = cli_alloc(n, sizeof(*order));
    view sorted = *v;

    for (size_t i = 0; i < n; i++) {
        size_t columns = term_columns(sensitive_attribute(v, i)->name);

        order[i] = i;
        used += asked_at_all(v, i);
        if (asked_at_all(v, i) && columns > widest)
            widest = columns < 24 ? columns : 24;
    }
    qsort_r(order, n, sizeof(*order), compare_asked, &sorted);
    shown = used < MAX_BARS ? used : MAX_BARS;
    term_heading("How often each attribute was asked for");
    print_attributes(v, order, shown, widest);
    if (shown < used) {
        char *names = join_names(v, order, shown, used);

        print_names("asked less often", names);
        free(names);
    }
    if (used < n) {
        char *names = join_names(v, order, used, n);

        print_names("never asked", names);
        free(names);
    }
    free(order);
}

static void print_remark(uint64_t count, const char *one, const char *many)
{
    char text[32];

    if (count == 0)
        return;
    term_count(count, text, sizeof(text));
    printf("  %s %s ", term.bullet, text);
    term_wrap(stdout, 5 + strlen(text), 4, term.width - 1, count == 1 ? one : many);
}

/* Opt where it was not found for everybody. */
static void print_opt_bounds(const tacit_audit_summary *s)
{
    char *one = cli_format("search for a smallest set was cut short: Opt is at least %.2f and at most %.2f.",
                           s->opt_mean_least, s->opt_mean_asked);
    char *many = cli_format("searches for a smallest set were cut short: Opt is at least %.2f and at most %.2f.",
                            s->opt_mean_least, s->opt_mean_asked);

    if (s->has_opt && s->opt_people < s->people) {
        char *sample = cli_format("%s a random sample for Opt: the mean of %.2f has a standard error of %.3f.",
                                  s->opt_people == 1 ? "person is" : "people are", s->opt_mean_asked, s->opt_error);

        print_remark(s->opt_people, sample, sample);
        free(sample);
    }
    if (!s->has_opt)
        print_remark(s->opt_people, "person is the sample for Opt: too few to tell it.",
                     "people are the sample for Opt: too few to tell it.");
    print_remark(s->has_opt ? s->opt_inexact : 0, one, many);
    free(one);
    free(many);
}

void upper_limit_view(const tacit_audit *audit)
{
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    const tacit_audit_result *proven = NULL;

    for (size_t d = 0; d < all->n_results; d++)
        if (tacit_audit_result_get(audit, d)->delta == 0)
            proven = tacit_audit_result_get(audit, d);
    if (!proven && all->n_sensitive)
        print_line(
            cli_format("%s = 0 was not counted: it shows the upper limit of what a promise need ask for.", term.delta));
    for (size_t d = 0; proven && d < all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, d);

        if (r->total_asked > proven->total_asked)
            print_line(cli_format("%s = %g asks for more than %s = 0, which keeps every promise: %.2f against %.2f.",
                                  term.delta, r->delta, term.delta, r->mean_asked, proven->mean_asked));
    }
}

static void print_remarks(const view *v)
{
    const tacit_audit_summary *s = v->all;
    term_heading("About the data");
    provenance_view(v->audit);
    quality_view(v->audit);
    print_remark(s->skipped, "bad row was left out, as --skip-bad-rows allows: nothing here is about it.",
                 "bad rows were left out, as --skip-bad-rows allows: nothing here is about them.");
    print_remark(s->clipped, "value lay outside its domain and was moved to the nearest end.",
                 "values lay outside their domain and were moved to the nearest end.");
    print_remark(s->missing, "value was missing.", "values were missing.");
    print_remark(s->unknown, "category was unknown to the model and taken as missing.",
                 "categories were unknown to the model and taken as missing.");
    print_opt_bounds(s);
    upper_limit_view(v->audit);
    print_remark(s->people - s->labelled, "person has no known outcome and does not count in the accuracy.",
                 "people have no known outcome and do not count in the accuracy.");
}

void audit_view(const tacit_model *model, const tacit_audit *audit)
{
    view v = {.schema = tacit_model_schema(model), .audit = audit, .all = tacit_audit_summary_get(audit)};

    for (size_t i = 1; i < v.all->n_sensitive; i++)
        v.costs = v.costs || sensitive_attribute(&v, i)->cost != sensitive_attribute(&v, 0)->cost;
    if (v.all->n_sensitive && sensitive_attribute(&v, 0)->cost != 1)
        v.costs = true;
    print_headline(&v, tacit_audit_result_get(audit, 0));
    print_results(&v);
    decided_view(audit);
    print_promise(&v);
    if (tacit_model_calibration(model))
        print_calibration(&v, model);
    if (v.all->n_sensitive) {
        print_histogram(&v);
        print_asked(&v);
        needs_view(v.schema, audit);
    }
    groups_view(audit, v.schema);
    print_remarks(&v);
}

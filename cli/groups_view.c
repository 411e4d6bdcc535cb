/*
 * groups_view.c -- groups in the terminal: what they are asked for, what they get, and by how much they differ.
 *
 * The library says which groups may be shown.  Differences are spoken of only where they exceed what chance explains.
 */
#include "groups_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

enum {
    BURDEN_NAME = 24, /* columns of a group's name */
    OUTCOME_NAME = 26,
    CLASS_NAME = 12,
    MAX_CLASSES = 3 /* beside each other */
};

typedef struct view {
    const tacit_audit *audit;
    const tacit_audit_grouping *grouping;
    size_t index, n_results;
} view;

static void percent_cell(term_table *table, double share, int digits)
{
    char text[24];

    term_percent(share, digits, text, sizeof(text));
    table_cell(table, STYLE_PLAIN, "%s", text);
}

/* Rows that are shown, the pooled one last: the next from `g` on, or the number of all. */
static size_t next_shown(const view *v, size_t g)
{
    size_t n = v->grouping->n_groups + (v->grouping->pooled_groups > 0);

    while (g < n && !tacit_audit_grouping_group(v->audit, v->index, g)->shown)
        g++;
    return g < n ? g : TACIT_NONE;
}

/* The name of a row, in its first line only; groups without a name have one here. */
static void name_cell(const view *v, term_table *table, size_t g, size_t d, size_t columns)
{
    char *name = term_clean(tacit_audit_grouping_group(v->audit, v->index, g)->name, columns);

    table_cell(table, STYLE_PLAIN, "%s", d ? "" : *name ? name : "(empty)");
    free(name);
}

/* The head of a table's first column: what groups are called after. */
static void head_cell(const view *v, term_table *table, size_t columns)
{
    char *name = term_clean(v->grouping->name, columns);

    table_cell(table, STYLE_PLAIN, "%s", name);
    free(name);
}

static void print_burden(const view *v)
{
    const char *heads[] = {"people", term.delta, "asked", "none", "fidelity", "accuracy"};
    term_table *table = table_new("lrrrrrr");
    char people[32];

    head_cell(v, table, BURDEN_NAME);
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    for (size_t g = next_shown(v, 0); g != TACIT_NONE; g = next_shown(v, g + 1))
        for (size_t d = 0; d < v->n_results; d++) {
            const tacit_audit_result *r = tacit_audit_grouping_result(v->audit, v->index, g, d);

            term_count(r->people, people, sizeof(people));
            name_cell(v, table, g, d, BURDEN_NAME);
            table_cell(table, STYLE_PLAIN, "%s", d ? "" : people);
            table_cell(table, STYLE_PLAIN, "%g", r->delta);
            table_cell(table, STYLE_BOLD, "%.2f", tacit_round(r->mean_asked, 2));
            percent_cell(table, r->none_asked, 1);
            percent_cell(table, r->fidelity, 2);
            percent_cell(table, r->accuracy, 2);
        }
    table_print(table, 2);
}

/* Heads of the second table: with two classes rates of error, with more the share of each class. */
static void outcome_heads(const view *v, term_table *table, size_t classes)
{
    head_cell(v, table, OUTCOME_NAME);
    table_cell(table, STYLE_PLAIN, "%s", term.delta);
    table_cell(table, STYLE_PLAIN, "%s", "promise");
    if (classes == 2) {
        table_cell(table, STYLE_PLAIN, "%s", "decided");
        table_cell(table, STYLE_PLAIN, "%s", "false pos.");
        table_cell(table, STYLE_PLAIN, "%s", "false neg.");
        return;
    }
    for (size_t c = 0; c < classes && c < MAX_CLASSES; c++) {
        char *name = term_clean(tacit_audit_class(v->audit, c), CLASS_NAME);

        table_cell(table, STYLE_PLAIN, "%s", name);
        free(name);
    }
}

static void print_outcome_note(const view *v, size_t classes)
{
    char *text, *clean;

    if (classes == 2)
        text = cli_format(
            "decided: share decided as '%s'; false pos.: of those whose outcome is '%s', share decided as "
            "'%s'; false neg.: the other way round; promise: of failing at most as often as %s says.",
            tacit_audit_class(v->audit, 1), tacit_audit_class(v->audit, 0), tacit_audit_class(v->audit, 1), term.delta);
    else
        text = cli_format("Share decided as each class%s; promise: of failing at most as often as %s says.",
                          classes > MAX_CLASSES ? ", the first three; the JSON file has all" : "", term.delta);
    clean = term_clean(text, 0);
    printf("  %s", term_on(STYLE_DIM));
    term_wrap(stdout, 2, 2, term.width - 1, clean);
    printf("%s", term_on(STYLE_PLAIN));
    free(clean);
    free(text);
}

static void print_outcome(const view *v)
{
    size_t classes = tacit_audit_summary_get(v->audit)->n_classes,
           shown = classes < MAX_CLASSES ? classes : MAX_CLASSES;
    static const char *const alignments[] = {[0] = "lrl", [1] = "lrlr", [2] = "lrlrrr", [3] = "lrlrrr"};
    term_table *table = table_new(alignments[shown]);

    putchar('\n');
    outcome_heads(v, table, classes);
    for (size_t g = next_shown(v, 0); g != TACIT_NONE; g = next_shown(v, g + 1))
        for (size_t d = 0; d < v->n_results; d++) {
            const tacit_audit_result *r = tacit_audit_grouping_result(v->audit, v->index, g, d);
            const tacit_audit_rates *rates = tacit_audit_grouping_rates(v->audit, v->index, g, d);

            name_cell(v, table, g, d, OUTCOME_NAME);
            table_cell(table, STYLE_PLAIN, "%g", r->delta);
            table_cell(table,
                       r->promise == TACIT_PROMISE_BROKEN ? STYLE_BAD
                       : r->promise == TACIT_PROMISE_KEPT ? STYLE_GOOD
                                                          : STYLE_WARN,
                       "%s", tacit_promise_name(r->promise));
            if (classes == 2) {
                percent_cell(table, rates->selection[1].value, 1);
                percent_cell(table, rates->false_positive.value, 1);
                percent_cell(table, rates->false_negative.value, 1);
            } else {
                for (size_t c = 0; c < shown; c++)
                    percent_cell(table, rates->selection[c].value, 1);
            }
        }
    table_print(table, 2);
    print_outcome_note(v, classes);
}

/* A figure's name for people. */
static char *figure_name(const tacit_audit_difference *d)
{
    static const struct {
        const char *figure, *words;
    } names[] = {{"mean_asked", "attributes asked for"},
                 {"fidelity", "fidelity"},
                 {"accuracy", "accuracy"},
                 {"failure", "failure"},
                 {"false_positive_rate", "false positives"},
                 {"false_negative_rate", "false negatives"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i].figure, d->figure) == 0)
            return cli_format("%s", names[i].words);
    if (strcmp(d->figure, "recall") == 0)
        return cli_format("rightly decided as '%s'", d->class_name);
    return cli_format("decided as '%s'", d->class_name);
}

/* A mean, or a share as per cent, with that many digits. */
static double shown(double x, bool mean, int digits)
{
    return tacit_round(mean ? x : 100 * x, digits);
}

static void print_difference(const view *v, const tacit_audit_difference *d)
{
    const char *high = tacit_audit_grouping_group(v->audit, v->index, d->high_group)->name;
    const char *low = tacit_audit_grouping_group(v->audit, v->index, d->low_group)->name;
    bool mean = strcmp(d->figure, "mean_asked") == 0;
    int digits = mean ? 2 : 1, end = digits; /* an end above 0 does not read as 0 */
    char *figure = figure_name(d), *text, *clean;

    while (end < digits + 2 && d->low_end > 0 && !(shown(d->low_end, mean, end) > 0))
        end++;
    text = cli_format("%s = %g, %s: %.*f%s (%s) against %.*f%s (%s); difference %.*f to %.*f%s.", term.delta,
                      tacit_audit_result_get(v->audit, d->delta_index)->delta, figure, digits,
                      shown(d->high, mean, digits), mean ? "" : " %", *high ? high : "empty", digits,
                      shown(d->low, mean, digits), mean ? "" : " %", *low ? low : "empty", end,
                      shown(d->low_end, mean, end), end, shown(d->high_end, mean, end), mean ? "" : " points");
    clean = term_clean(text, 0);
    printf("  %s ", term.bullet);
    term_wrap(stdout, 4, 4, term.width - 1, clean);
    free(clean);
    free(text);
    free(figure);
}

/* What exceeds chance; that nothing does is worth a line. */
static void print_differences(const view *v)
{
    size_t beyond = 0, pairs = 0;

    for (size_t i = 0; i < v->grouping->n_differences; i++) {
        beyond += v->grouping->differences[i].beyond_noise;
        if (v->grouping->differences[i].pairs > pairs)
            pairs = v->grouping->differences[i].pairs;
    }
    if (v->grouping->n_differences == 0)
        return;
    if (beyond == 0) {
        printf("  ");
        term_wrap(stdout, 2, 2, term.width - 1, "No difference between these groups is larger than chance explains.");
        return;
    }
    fputs("  ", stdout);
    term_wrap(stdout, 2, 2, term.width,
              pairs > 1 ? "Larger than chance explains (95 %, for all pairs of groups together):"
                        : "Larger than chance explains (95 %):");
    for (size_t i = 0; i < v->grouping->n_differences; i++)
        if (v->grouping->differences[i].beyond_noise)
            print_difference(v, &v->grouping->differences[i]);
}

static void print_hidden(const view *v)
{
    size_t hidden = v->grouping->suppressed;

    if (v->grouping->withheld) {
        printf("  ");
        term_wrap(stdout, 2, 2, term.width - 1,
                  "Not shown: together with the groupings before it there are too many combinations to be sure that "
                  "no figure about a handful of people follows. Ask for it alone, or for fewer groups.");
    } else if (hidden) {
        char *text =
            cli_format("%zu group%s not shown: too few people to speak of without pointing at someone%s.", hidden,
                       hidden == 1 ? " is" : "s are", v->grouping->pooled_groups ? ", except all together" : "");

        printf("  ");
        term_wrap(stdout, 2, 2, term.width - 1, text);
        free(text);
    }
}

/* A number taken value by value: bins say more. */
static void print_hint(const view *v, const tacit_schema *schema)
{
    enum { MANY = 20 };
    const tacit_audit_grouping *g = v->grouping;
    size_t a;
    char *name, *text;

    if (!schema || g->n_columns != 1 || g->edges[0] || g->n_groups <= MANY ||
        tacit_schema_lookup(schema, g->columns[0], &a, NULL) ||
        tacit_schema_attribute(schema, a)->type == TACIT_CATEGORY)
        return;
    name = term_clean(g->columns[0], 0);
    text = cli_format("%s has %zu different values here: --group %s:5 sorts them into five bins.", name, g->n_groups,
                      name);
    printf("  ");
    term_wrap(stdout, 2, 2, term.width - 1, text);
    free(text);
    free(name);
}

void groups_view(const tacit_audit *audit, const tacit_schema *schema)
{
    for (size_t i = 0; i < tacit_audit_groupings(audit); i++) {
        view v = {.audit = audit,
                  .grouping = tacit_audit_grouping_get(audit, i),
                  .index = i,
                  .n_results = tacit_audit_summary_get(audit)->n_results};
        char *name = term_clean(v.grouping->name, 0), *title = cli_format("Burden and outcome by %s", name);

        term_heading(title);
        free(title);
        free(name);
        if (next_shown(&v, 0) != TACIT_NONE) {
            print_burden(&v);
            print_outcome(&v);
            print_differences(&v);
        }
        print_hidden(&v);
        print_hint(&v, schema);
    }
}

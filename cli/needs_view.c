/*
 * needs_view.c -- asked, indispensable, spare, and what if it were never asked: a line per sensitive attribute, those
 * asked for most first, and a sentence about spare answers.
 */
#include "needs_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "terminal.h"

enum { MAX_LINES = 25, FIGURE_COLUMNS = 63, MIN_NAME = 9, MAX_NAME = 24 };

/* Most asked first, then most often indispensable, then in the order of the schema. */
static int compare_lines(const void *a, const void *b, void *context)
{
    const tacit_audit_result *r = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;

    if (r->asked[i] != r->asked[j])
        return r->asked[i] < r->asked[j] ? 1 : -1;
    if (r->indispensable[i] != r->indispensable[j])
        return r->indispensable[i] < r->indispensable[j] ? 1 : -1;
    return i < j ? -1 : i > j;
}

static void add_share(term_table *table, term_style style, uint64_t some, uint64_t people)
{
    char text[24];

    term_percent((double)some / (double)people, 1, text, sizeof(text));
    table_cell(table, style, "%s", text);
}

static void add_line(term_table *table, const tacit_schema *schema, const tacit_audit_summary *all,
                     const tacit_audit_result *r, size_t i)
{
    size_t room = term.width > FIGURE_COLUMNS + MIN_NAME ? term.width - FIGURE_COLUMNS : MIN_NAME;
    char *name = term_clean(tacit_schema_attribute(schema, all->sensitive[i])->name, room < MAX_NAME ? room : MAX_NAME);
    uint64_t proven = r->people - r->indispensable[i] - r->undecided[i];

    table_cell(table, STYLE_PLAIN, "%s", name);
    add_share(table, STYLE_PLAIN, r->asked[i], r->people);
    add_share(table, STYLE_BOLD, r->indispensable[i], r->people);
    add_share(table, STYLE_PLAIN, r->spare[i], r->people);
    add_share(table, STYLE_PLAIN, proven, r->people);
    add_share(table, STYLE_PLAIN, r->people - proven, r->people);
    add_share(table, STYLE_PLAIN, r->others[i], r->people);
    free(name);
}

static void print_note(char *text, term_style style)
{
    fputs("  ", stdout);
    printf("%s", term_on(style));
    term_wrap(stdout, 2, 2, term.width - 1, text);
    printf("%s", term_on(STYLE_PLAIN));
    free(text);
}

static void print_spare(const tacit_audit_result *r)
{
    char answers[24], people[24];

    if (r->total_asked == 0)
        return;
    term_percent((double)r->spare_answers / (double)r->total_asked, 1, answers, sizeof(answers));
    term_percent((double)r->spare_people / (double)r->people, 1, people, sizeof(people));
    if (r->certain + r->all_revealed == 0)
        print_note(cli_format("No decision is proven here, so no answer counts as spare."), STYLE_PLAIN);
    else if (r->spare_answers == 0)
        print_note(cli_format("No answer was spare: no proven decision stays proven without one of its answers."),
                   STYLE_PLAIN);
    else
        print_note(
            cli_format("%s of all answers were spare: the decisions of %s of people stay proven without one that "
                       "they gave.",
                       answers, people),
            STYLE_PLAIN);
}

/* People of whom it is not known whether an attribute is indispensable to them. */
static void print_undecided(const tacit_audit_summary *all, const tacit_audit_result *r)
{
    uint64_t most = 0;

    for (size_t i = 0; i < all->n_sensitive; i++)
        most = r->undecided[i] > most ? r->undecided[i] : most;
    if (most)
        print_note(cli_format("Of up to %llu %s it could not be proven whether an attribute is indispensable: they are "
                              "counted as open.",
                              (unsigned long long)most, most == 1 ? "person" : "people"),
                   STYLE_WARN);
}

void needs_view(const tacit_schema *schema, const tacit_audit *audit)
{
    static const char *const heads[] = {"attribute", "asked", "indispensable", "spare", "proven", "open", "others"};
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    const tacit_audit_result *r = tacit_audit_result_get(audit, 0);
    size_t n = all->n_sensitive, shown = n < MAX_LINES ? n : MAX_LINES, *order;
    tacit_audit_result sorted = *r;
    term_table *table;
    char *title;

    if (!all->has_needs || n == 0)
        return;
    order = cli_alloc(n, sizeof(*order));
    table = table_new("lrrrrrr");
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof(*order), compare_lines, &sorted);
    title = cli_format("What decisions depend on, and what if it were never asked (%s = %g)", term.delta, r->delta);
    term_heading(title);
    free(title);
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    for (size_t i = 0; i < shown; i++)
        add_line(table, schema, all, r, order[i]);
    table_print(table, 2);
    if (shown < n)
        print_note(cli_format("%zu more are in the JSON file.", n - shown), STYLE_PLAIN);
    print_note(
        cli_format("indispensable: with everything else known, some value of it would change the decision. spare: "
                   "the decision stays proven without this answer. If it were never asked: proven, by everything "
                   "else; open; others: would be asked for something else instead."),
        STYLE_DIM);
    print_spare(r);
    print_undecided(all, r);
    free(order);
}

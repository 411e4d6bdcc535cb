/*
 * cmd_merge.c -- tacit merge: audits of parts, joined into one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "audit_files.h"
#include "audit_said.h"
#include "audit_view.h"
#include "cli.h"
#include "commands.h"
#include "decided_view.h"
#include "gates.h"
#include "groups_view.h"
#include "command_text.h"
#include "terminal.h"

typedef struct merge_settings {
    audit_files files; /* no rows: parts have none */
    audit_said said;
    const char *date;
    bool quiet;
    size_t min_people;
    gate_settings gates;
} merge_settings;

static int write_results(const cli_args *args, const tacit_audit *audit, const merge_settings *s,
                         const audit_said_texts *said)
{
    static const char *const left_out[] = {"json", "report", "partial", "date", "quiet", NULL};
    char *command = cli_command_text(&cli_command_merge, args, s, left_out);
    tacit_audit_provenance about = {.command = command, .date = s->date};
    int code;

    audit_said_put(&about, &s->said, said);
    code = audit_files_write(&s->files, audit, &about);
    free(command);
    return code;
}

/* A line per delta. */
static void print_results(const tacit_audit *audit, size_t parts)
{
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    const char *heads[] = {term.delta, "asked", "share", "none", "fidelity", "accuracy", "failure", "promise"};
    term_table *table = table_new("rrrrrrrl");
    char people[32];

    term_count(all->people, people, sizeof(people));
    printf("%zu part%s, %s %s, %zu sensitive attributes.\n\n", parts, parts == 1 ? "" : "s", people,
           all->people == 1 ? "person" : "people", all->n_sensitive);
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    for (size_t d = 0; d < all->n_results; d++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, d);
        double shares[] = {r->share_asked, r->none_asked, r->fidelity, r->accuracy, r->observed};
        int digits[] = {1, 1, 2, 2, 2};

        table_cell(table, STYLE_PLAIN, "%g", r->delta);
        table_cell(table, STYLE_BOLD, "%.2f", tacit_round(r->mean_asked, 2));
        for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
            char text[24];

            term_percent(shares[i], digits[i], text, sizeof(text));
            table_cell(table, STYLE_PLAIN, "%s", text);
        }
        table_cell(table, STYLE_PLAIN, "%s", tacit_promise_name(r->promise));
    }
    table_print(table, 2);
    failing_labels_view(audit);
    decided_view(audit);
    provenance_view(audit);
    quality_view(audit);
    upper_limit_view(audit);
    groups_view(audit, NULL);
}

static int check_gates(const gate_settings *gates, const tacit_audit *audit)
{
    size_t n = tacit_audit_summary_get(audit)->n_results;
    double *deltas = cli_alloc(n, sizeof(*deltas));
    int code;

    for (size_t i = 0; i < n; i++)
        deltas[i] = tacit_audit_result_get(audit, i)->delta;
    code = gates_check(gates, deltas, n);
    free(deltas);
    return code;
}

static int show_results(const cli_args *args, const tacit_audit *audit, const merge_settings *s,
                        const audit_said_texts *said)
{
    bool spoken_for = audit_files_take_stdout(&s->files);
    int code = check_gates(&s->gates, audit);

    if (code == CLI_DONE)
        code = audit_files_enough(&s->files, audit, s->min_people, s->quiet, gates_given(&s->gates));
    if (code == CLI_DONE)
        code = write_results(args, audit, s, said);
    if (code != CLI_DONE)
        return code;
    if (audit_files_table(&s->files, audit, s->min_people, s->quiet))
        print_results(audit, args->n_operands);
    fflush(stdout);
    return gates_apply(&s->gates, audit, s->quiet ? NULL : spoken_for ? stderr : stdout);
}

static int run_merge(const cli_args *args, void *settings)
{
    const merge_settings *s = settings;
    tacit_audit *audit = NULL;
    audit_said_texts said = {0};
    tacit_error err = {0};
    int code = audit_files_check(&s->files, &s->said, "merge", args);

    if (code == CLI_DONE)
        code = audit_said_read(&said, &s->said);
    if (code == CLI_DONE && tacit_audit_merge(&audit, args->operands, args->n_operands, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        code = show_results(args, audit, s, &said);
    audit_said_free(&said);
    tacit_audit_free(audit);
    return code;
}

static const merge_settings defaults = {.min_people = USUAL_LEAST_PEOPLE};

static const cli_option options[] = {
    {.name = "json",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write the results as JSON, as tacit audit --json does; - prints them instead of the table.",
     .offset = offsetof(merge_settings, files.json),
     .heading = "Output"},
    {.name = "report",
     .kind = CLI_TEXT,
     .argument = "FILE.html",
     .help = "Write a page with figures that people can read: one file, no row in it, complete without JavaScript.",
     .offset = offsetof(merge_settings, files.report)},
    CLI_SAID_OPTIONS(merge_settings, said),
    {.name = "date",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .help = "Put this date into the report and the JSON file.",
     .offset = offsetof(merge_settings, date)},
    {.name = "partial",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write one larger part, to be merged again. Not for publication: it may describe small groups.",
     .offset = offsetof(merge_settings, files.partial)},
    CLI_LEAST_PEOPLE_OPTION(merge_settings, min_people),
    {.name = "quiet", .kind = CLI_FLAG, .help = "No table.", .offset = offsetof(merge_settings, quiet)},
    CLI_GATE_OPTIONS(merge_settings, gates),
    {0},
};

const cli_command cli_command_merge = {
    .name = "merge",
    .summary = "join audits of parts into one",
    .usage = "PART [PART ...] [options]",
    .text = "Adds up parts that tacit audit --partial wrote, wherever and in whatever order they were made, into the "
            "audit that one run over all files would have given. Parts of different models or settings do not fit "
            "together; a file that is in two parts is noticed. Small groups are hidden only now, when all are "
            "there. The model is not needed.",
    .examples = "tacit audit loans.tacit loans.csv --partial loans.part --quiet\n"
                "tacit merge loans.part --json audit.json",
    .options = options,
    .operands = (const char *const[]){"PART", NULL},
    .optional = CLI_ANY,
    .settings_size = sizeof(merge_settings),
    .defaults = &defaults,
    .run = run_merge,
};

/*
 * cmd_merge.c -- tacit merge: audits of parts, joined into one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "gates.h"
#include "retell.h"
#include "terminal.h"

typedef struct merge_settings {
    const char *json, *report, *partial, *date;
    bool quiet;
    gate_settings gates;
} merge_settings;

/* Files to write: each somewhere else, and nowhere that is read. */
static int check_outputs(const cli_args *args, const merge_settings *s)
{
    static const char *const names[] = {"json", "report", "partial"};
    const char *outputs[] = {s->json, s->report, s->partial};
    const size_t n = sizeof(outputs) / sizeof(*outputs);
    int code = CLI_DONE;

    if (s->report && !tacit_has_pages())
        return cli_complain(CLI_USAGE, "merge: --report needs pages, and this Tacit was built without them");
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (outputs[i] && outputs[k] && strcmp(outputs[i], outputs[k]) == 0)
                return cli_complain(CLI_USAGE, "merge: --%s and --%s cannot go to the same place", names[i], names[k]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < args->n_operands && code == CLI_DONE; k++)
            code = cli_refuse_overwrite(outputs[i], args->operands[k]);
    return code;
}

static bool is_spoken_for(const merge_settings *s)
{
    return cli_is_stdout(s->json) || cli_is_stdout(s->report) || cli_is_stdout(s->partial);
}

/* All texts are made before any is written. */
static int write_results(const cli_args *args, const tacit_audit *audit, const merge_settings *s)
{
    static const char *const left_out[] = {"json", "report", "partial", "date", "quiet", NULL};
    char *command = cli_retell(&cli_command_merge, args, s, left_out), *json = NULL, *page = NULL, *part = NULL;
    tacit_audit_provenance about = {.command = command, .date = s->date};
    tacit_error err = {0};
    tacit_status status = TACIT_OK;

    if (s->json)
        status = tacit_audit_json_about(&json, audit, &about, &err);
    if (status == TACIT_OK && s->report)
        status = tacit_audit_html(&page, audit, &about, &err);
    if (status == TACIT_OK && s->partial)
        status = tacit_audit_partial(&part, audit, NULL, &err);
    if (status == TACIT_OK && s->json)
        status = tacit_file_write(s->json, json, strlen(json), &err);
    if (status == TACIT_OK && s->report)
        status = tacit_file_write(s->report, page, strlen(page), &err);
    if (status == TACIT_OK && s->partial)
        status = tacit_file_write(s->partial, part, strlen(part), &err);
    tacit_text_free(json);
    tacit_text_free(page);
    tacit_text_free(part);
    free(command);
    return status ? cli_fail(&err) : CLI_DONE;
}

/* A line per delta. */
static void print_results(const tacit_audit *audit, size_t parts)
{
    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    const char *heads[] = {term.delta, "asked", "share", "none", "fidelity", "accuracy", "failure"};
    term_table *table = table_new("rrrrrrr");
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
        table_cell(table, STYLE_BOLD, "%.2f", r->mean_asked);
        for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
            char text[24];

            term_percent(shares[i], digits[i], text, sizeof(text));
            table_cell(table, STYLE_PLAIN, "%s", text);
        }
    }
    table_print(table, 2);
    if (all->n_groups) {
        size_t hidden = 0;

        for (size_t g = 0; g < all->n_groups; g++)
            hidden += !tacit_audit_group_shown(audit, g);
        printf("\n  %zu group%s, %zu of them too small to be described.\n", all->n_groups,
               all->n_groups == 1 ? "" : "s", hidden);
    }
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

static int show_results(const cli_args *args, const tacit_audit *audit, const merge_settings *s)
{
    size_t gates = 0;
    int code = check_gates(&s->gates, audit);

    if (code == CLI_DONE)
        code = write_results(args, audit, s);
    if (code != CLI_DONE)
        return code;
    if (!s->quiet && !is_spoken_for(s))
        print_results(audit, args->n_operands);
    fflush(stdout);
    code = gates_apply(&s->gates, audit, &gates);
    if (code == CLI_DONE && gates && !s->quiet)
        fprintf(is_spoken_for(s) ? stderr : stdout, "\n%s%zu gate%s passed.%s\n", term_on(STYLE_GOOD), gates,
                gates == 1 ? "" : "s", term_on(STYLE_PLAIN));
    return code;
}

static int run_merge(const cli_args *args, void *settings)
{
    const merge_settings *s = settings;
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    int code = check_outputs(args, s);

    if (code == CLI_DONE && tacit_audit_merge(&audit, args->operands, args->n_operands, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        code = show_results(args, audit, s);
    tacit_audit_free(audit);
    return code;
}

static const cli_option options[] = {
    {.name = "json",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write the results as JSON, as tacit audit --json does; - prints them instead of the table.",
     .offset = offsetof(merge_settings, json),
     .heading = "Output"},
    {.name = "report",
     .kind = CLI_TEXT,
     .argument = "FILE.html",
     .help = "Write a page with figures that people can read: one file, no row in it.",
     .offset = offsetof(merge_settings, report)},
    {.name = "date",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .help = "Put this date into the report and the JSON file.",
     .offset = offsetof(merge_settings, date)},
    {.name = "partial",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write one larger part, to be merged again. Not for publication: it may describe small groups.",
     .offset = offsetof(merge_settings, partial)},
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
    .run = run_merge,
};

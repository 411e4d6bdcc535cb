/*
 * cmd_audit.c -- tacit audit: the questionnaire of everybody in a file, counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_files.h"
#include "audit_said.h"
#include "audit_view.h"
#include "cli.h"
#include "commands.h"
#include "gates.h"
#include "mpi_team.h"
#include "command_text.h"
#include "terminal.h"

typedef struct audit_settings {
    const char *delta, *rule, *sensitive, *public_, *date;
    cli_texts groups;
    audit_files files;
    audit_said said;
    bool held_out, train_part, no_opt, no_needs, quiet;
    double opt_share;
    size_t unknown, threads, min_people;
    uint64_t seed;
    gate_settings gates;
    tacit_csv_options csv;
} audit_settings;

enum { UNKNOWN_ERROR, UNKNOWN_MISSING };
static const char *const unknown_words[] = {[UNKNOWN_ERROR] = "error", [UNKNOWN_MISSING] = "missing", NULL};

static int check_settings(const cli_args *args, const audit_settings *s)
{
    int code = cli_check_csv(&s->csv);

    if (code == CLI_DONE && s->held_out && s->train_part)
        return cli_complain(CLI_USAGE, "audit: --held-out and --train-part exclude each other");
    if (code == CLI_DONE && (s->held_out || s->train_part) && args->n_operands > 2)
        return cli_complain(CLI_USAGE, "audit: --held-out and --train-part are for the training file alone");
    return code == CLI_DONE ? audit_files_check(&s->files, &s->said, "audit", args) : code;
}

static int write_results(const cli_args *args, const tacit_audit *audit, const audit_settings *s,
                         const audit_said_texts *said)
{
    /* Neither changes the figures nor says anything about them. */
    static const char *const left_out[] = {"json", "rows", "report", "date", "partial", "quiet", "threads", NULL};
    char *command = cli_command_text(&cli_command_audit, args, s, left_out);
    tacit_audit_provenance about = {
        .files = args->operands + 1, .n_files = args->n_operands - 1, .command = command, .date = s->date};
    int code;

    audit_said_put(&about, &s->said, said);
    code = audit_files_write(&s->files, audit, &about);
    free(command);
    return code;
}

/* The files, the table and the gates. */
static int show_results(const cli_args *args, const tacit_model *model, const tacit_audit *audit,
                        const audit_settings *s, const audit_said_texts *said)
{
    bool spoken_for = audit_files_take_stdout(&s->files);
    int code = audit_files_enough(&s->files, audit, s->min_people, s->quiet, gates_given(&s->gates));

    if (code == CLI_DONE)
        code = write_results(args, audit, s, said);
    if (code != CLI_DONE)
        return code;
    if (audit_files_table(&s->files, audit, s->min_people, s->quiet))
        audit_view(model, audit);
    fflush(stdout);
    return gates_apply(&s->gates, audit, s->quiet ? NULL : spoken_for ? stderr : stdout);
}

static int run_audit(const cli_args *args, void *settings)
{
    const audit_settings *s = settings;
    bool tells = audit_files_tell(&s->files, s->quiet, gates_given(&s->gates));
    tacit_audit_options options = {.size = sizeof options,
                                   .threads = s->threads,
                                   .groupings = s->groups.items,
                                   .n_groupings = s->groups.count,
                                   .rows_path = s->files.rows,
                                   .unknown_as_missing = s->unknown == UNKNOWN_MISSING,
                                   .no_opt = s->no_opt,
                                   .opt_share = s->opt_share,
                                   .rows_least = tells ? s->min_people : 0,
                                   .no_needs = s->no_needs,
                                   .part = s->held_out     ? TACIT_PART_HELD_OUT
                                           : s->train_part ? TACIT_PART_TRAIN
                                                           : TACIT_PART_ALL,
                                   .seed = s->seed,
                                   .partial = s->files.report || s->files.partial, /* for the hash of the file */
                                   .team = team_get(),
                                   .progress = progress_step};
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    double *deltas = NULL;
    audit_said_texts said = {0};
    term_progress progress;
    tacit_error err = {0};
    tacit_status status;
    int code = check_settings(args, s);

    if (code == CLI_DONE)
        code = cli_parse_deltas(s->delta, &deltas, &options.n_deltas);
    if (code == CLI_DONE)
        code = gates_check(&s->gates, deltas, options.n_deltas);
    if (code == CLI_DONE && tacit_rule_from_name(&options.rule, s->rule, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        code = audit_said_read(&said, &s->said);
    if (code == CLI_DONE)
        code = cli_load_model(&model, args->operands[0], s->sensitive, s->public_);
    if (code != CLI_DONE)
        goto done;
    options.deltas = deltas;
    progress_start(&progress, "auditing", s->quiet);
    options.progress_context = &progress;
    status = tacit_audit_files(&audit, model, args->operands + 1, args->n_operands - 1, &s->csv, &options, &err);
    progress_end(&progress);
    if (status)
        code = cli_fail(&err);
    else if (team_speaks())
        code = show_results(args, model, audit, s, &said);
done:
    tacit_audit_free(audit);
    tacit_model_free(model);
    audit_said_free(&said);
    free(deltas);
    return code;
}

static const audit_settings defaults = {
    .delta = "0,0.05,0.1", .rule = "auto", .seed = 1, .min_people = USUAL_LEAST_PEOPLE};

static const cli_option options[] = {
    {.name = "delta",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "How often a decision may differ from the one with everything known, separated by commas. 0: never, "
             "proven. Default: "
             "0,0.05,0.1.",
     .offset = offsetof(audit_settings, delta),
     .heading = "What to audit"},
    {.name = "rule",
     .kind = CLI_TEXT,
     .argument = "RULE",
     .help = "Which attribute to ask for next: auto (stop; entropy from the delta on at which that asks for less), "
             "entropy, "
             "margin, stop or montecarlo.",
     .offset = offsetof(audit_settings, rule)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as sensitive and all others as public, whatever the model file says.",
     .offset = offsetof(audit_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as public and all others as sensitive.",
     .offset = offsetof(audit_settings, public_)},
    {.name = "group",
     .kind = CLI_TEXTS,
     .argument = "COLUMN",
     .help = "Break the results down by this column; 'age:25,40,60' sorts numbers into bins, 'age:5' into equal parts "
             "of the domain, 'sex*age:5' crosses. May be given again. Groups under 20 people, and those that would "
             "give them away, are not shown.",
     .offset = offsetof(audit_settings, groups)},
    {.name = "held-out",
     .kind = CLI_FLAG,
     .help = "Only the rows that were held out when the model was trained on this file.",
     .offset = offsetof(audit_settings, held_out)},
    {.name = "train-part",
     .kind = CLI_FLAG,
     .help = "Only the rows the model was trained on.",
     .offset = offsetof(audit_settings, train_part)},
    {.name = "unknown",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "A category the model does not know: error (default), or missing, where the model knows missing values.",
     .offset = offsetof(audit_settings, unknown),
     .words = unknown_words},
    {.name = "no-opt",
     .kind = CLI_FLAG,
     .help = "Leave out the smallest possible sets.",
     .offset = offsetof(audit_settings, no_opt)},
    {.name = "opt-share",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Networks and trees: find the smallest possible sets of this share of people, drawn by row, and tell the "
             "standard error. Default: 1, everybody, or less of more than 4,096 people, unless with --rows.",
     .offset = offsetof(audit_settings, opt_share),
     .min = 0,
     .max = 1,
     .above_min = true},
    {.name = "no-indispensable",
     .kind = CLI_FLAG,
     .help =
         "Leave out what is indispensable and which answers were spare: for networks both take proofs of their own.",
     .offset = offsetof(audit_settings, no_needs)},
    {.name = "json",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write the results as JSON; - prints them instead of the table.",
     .offset = offsetof(audit_settings, files.json),
     .heading = "Output"},
    {.name = "report",
     .kind = CLI_TEXT,
     .argument = "FILE.html",
     .help = "Write a page with figures that people can read: one file, no row in it, complete without JavaScript.",
     .offset = offsetof(audit_settings, files.report)},
    CLI_SAID_OPTIONS(audit_settings, said),
    {.name = "date",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .help = "Put this date into the report and the JSON file. Without it the same input gives the same bytes.",
     .offset = offsetof(audit_settings, date)},
    {.name = "rows",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write one CSV row per person and delta: what was asked for, how it ended and the groups, no other value.",
     .offset = offsetof(audit_settings, files.rows)},
    {.name = "partial",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write the counts for tacit merge. Not for publication: it may describe small groups.",
     .offset = offsetof(audit_settings, files.partial)},
    CLI_LEAST_PEOPLE_OPTION(audit_settings, min_people),
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "No table, no progress bar.",
     .offset = offsetof(audit_settings, quiet)},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The results do not depend on it.",
     .offset = offsetof(audit_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Of the montecarlo rule. Default: 1.",
     .offset = offsetof(audit_settings, seed)},
    CLI_GATE_OPTIONS(audit_settings, gates),
    CLI_CSV_OPTIONS(audit_settings, csv),
    {0},
};

const cli_command cli_command_audit = {
    .name = "audit",
    .summary = "how much has to be asked, over a whole file",
    .usage = "MODEL PEOPLE.csv [MORE.csv ...] [options]",
    .text = "Runs the questionnaire for every row of PEOPLE.csv (- is standard input) and counts: how many sensitive "
            "attributes people had to give before their decision was settled, which ones, and whether the promise was "
            "kept. Files are read in pieces and may be of any length. Under mpirun several processes share the work.",
    .examples = "tacit audit loans.tacit loans.csv --held-out --report report.html\n"
                "tacit audit loans.tacit loans.csv --held-out --delta 0,0.05 --json audit.json\n"
                "tacit audit loans.tacit loans.csv --delta 0 --group region --max-mean-asked 4",
    .options = options,
    .operands = (const char *const[]){"MODEL", "PEOPLE.csv", NULL},
    .optional = CLI_ANY,
    .team = true,
    .settings_size = sizeof(audit_settings),
    .defaults = &defaults,
    .run = run_audit,
};

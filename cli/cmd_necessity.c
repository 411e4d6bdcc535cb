/*
 * cmd_necessity.c -- tacit necessity: which attributes does the purpose need?
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "data_in.h"
#include "necessity_view.h"
#include "command_text.h"
#include "terminal.h"
#include "tree_options.h"

typedef struct necessity_settings {
    const char *label, *schema, *sensitive, *public_, *drop, *categories, *json, *report, *hidden;
    bool quiet;
    size_t encoding, kind, splits, people, threads, lang, trees, depth;
    double test_share, tolerance;
    uint64_t seed;
    tacit_csv_options csv;
    bool skip_unlabelled;
} necessity_settings;

static const char *const encodings[] = {[TACIT_ONEHOT] = "onehot", [TACIT_ORDINAL] = "ordinal", NULL};

static const char *const langs[] = {"en", "de", NULL};

/* Files that would be written over each other, or over what is read. */
static int check_files(const cli_args *args, const necessity_settings *s)
{
    static const char *const names[] = {"json", "report"};
    const char *outputs[] = {s->json, s->report}, *inputs[] = {args->operands[0], s->schema};
    int code = cli_refuse_same_outputs("necessity", names, outputs, 2);

    for (size_t i = 0; i < 4 && code == CLI_DONE; i++)
        code = cli_refuse_overwrite(outputs[i / 2], inputs[i % 2]);
    for (size_t i = 0; i < 2 && code == CLI_DONE; i++)
        code = cli_refuse_output(outputs[i]);
    return code;
}

static int check_settings(const cli_args *args, const necessity_settings *s)
{
    static const char *const inferred[] = {"drop", "category", "encode"};

    if (!s->label && !s->schema)
        return cli_complain(CLI_USAGE, "necessity: say which column to predict: --label COLUMN");
    for (size_t i = 0; s->schema && i < sizeof(inferred) / sizeof(*inferred); i++)
        if (cli_was_given(&cli_command_necessity, args, inferred[i]))
            return cli_complain(CLI_USAGE, "necessity: --%s cannot go with --schema, which already says it",
                                inferred[i]);
    if (s->hidden && !tacit_fit_has_layers(tacit_fit_kinds[s->kind]))
        return cli_complain(CLI_USAGE, "necessity: --hidden is for networks: add --model mlp");
    if ((s->trees || s->depth) && !tacit_fit_has_trees(tacit_fit_kinds[s->kind]))
        return cli_complain(CLI_USAGE, "necessity: --trees and --depth are for trees: add --model trees");
    if (!s->report && cli_was_given(&cli_command_necessity, args, "lang"))
        return cli_complain(CLI_USAGE, "necessity: --lang is the language of the page: add --report FILE");
    return check_files(args, s);
}

/* The schema file, with the roles asked for.  What it says about the data file fills what the options leave open. */
static int read_schema(tacit_schema **out, tacit_csv_options *csv, const necessity_settings *s)
{
    tacit_error err = {0};

    if (tacit_schema_read(out, s->schema, &err))
        return cli_fail(&err);
    if (s->label && strcmp(s->label, tacit_schema_label(*out)) != 0)
        return cli_complain(CLI_USAGE, "necessity: --label is %s, but %s predicts %s", s->label, s->schema,
                            tacit_schema_label(*out));
    tacit_schema_csv(*out, csv);
    return tacit_schema_set_roles(*out, s->sensitive, s->public_, &err) ? cli_fail(&err) : CLI_DONE;
}

/* Table and schema.  A schema file comes first: it may say how to read the table. */
static int read_data(tacit_table **table, tacit_schema **schema, const char *path, const necessity_settings *s)
{
    data_in in = {.skip_unlabelled = s->skip_unlabelled,
                  .infer = {.size = sizeof(tacit_infer_options),
                            .label = s->label,
                            .categories = s->categories,
                            .encoding = (tacit_encoding)s->encoding,
                            .sensitive = s->sensitive,
                            .public_ = s->public_,
                            .drop = s->drop,
                            .test_share = s->test_share,
                            .seed = s->seed},
                  .threads = s->threads};
    tacit_csv_options csv = s->csv;
    int code = s->schema ? read_schema(schema, &csv, s) : CLI_DONE;

    if (code == CLI_DONE)
        code = cli_check_csv(&csv);
    if (code != CLI_DONE)
        return code;
    in.csv = csv;
    return data_in_read(table, schema, path, &in);
}

static tacit_status write_files(const char *document, const necessity_settings *s, tacit_error *err)
{
    char *page = NULL;
    tacit_status status = TACIT_OK;

    if (s->report)
        status = tacit_necessity_html(&page, document, langs[s->lang], err);
    if (status == TACIT_OK && s->json)
        status = tacit_file_write(s->json, document, strlen(document), err);
    if (status == TACIT_OK && page)
        status = tacit_file_write(s->report, page, strlen(page), err);
    tacit_text_free(page);
    return status;
}

/* The document to its files and to the screen. */
static int show(const cli_args *args, const tacit_necessity *found, const necessity_settings *s)
{
    /* Neither changes the figures nor says anything about them. */
    static const char *const left_out[] = {"json", "report", "lang", "quiet", "threads", NULL};
    char *command = cli_command_text(&cli_command_necessity, args, s, left_out), *document = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_necessity_json(&document, found, command, &err);
    int code = CLI_DONE;

    if (status == TACIT_OK)
        status = write_files(document, s, &err);
    if (status)
        code = cli_fail(&err);
    else if (!s->quiet && !cli_is_stdout(s->json) && !cli_is_stdout(s->report))
        code = necessity_view(document);
    tacit_text_free(document);
    free(command);
    return code;
}

static int run_necessity(const cli_args *args, void *settings)
{
    const necessity_settings *s = settings;
    tacit_necessity_options options = {
        .splits = s->splits,
        .test_share = s->test_share,
        .seed = s->seed,
        .people = s->people,
        .tolerance = s->tolerance,
        .threads = s->threads,
        .fit = {.kind = tacit_fit_kinds[s->kind], .hidden = s->hidden, .trees = s->trees, .depth = s->depth},
        .progress = progress_step};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_necessity *found = NULL;
    term_progress progress;
    tacit_error err = {0};
    tacit_status status;
    int code = check_settings(args, s);

    if (code != CLI_DONE)
        return code;
    code = read_data(&table, &schema, args->operands[0], s);
    if (code != CLI_DONE)
        goto done;
    progress_start(&progress, "necessity", s->quiet);
    options.progress_context = &progress;
    status = tacit_necessity_run(&found, table, schema, &options, &err);
    progress_end(&progress);
    if (status == TACIT_OK)
        data_in_note_few(table, s->test_share);
    code = status ? cli_fail(&err) : show(args, found, s);
done:
    tacit_necessity_free(found);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return code;
}

static const necessity_settings defaults = {.splits = 10, .test_share = 0.3, .tolerance = 0.005, .seed = 1};

static const cli_option options[] = {
    {.name = "label",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .help = "The column to predict. Not needed with --schema.",
     .offset = offsetof(necessity_settings, label),
     .heading = "What is to be decided"},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Attributes a person would rather not give, names separated by commas. Default: all that are not public.",
     .offset = offsetof(necessity_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Attributes that are known anyway: they are not counted as asked, but may turn out not to be needed. "
             "Default: none, or all that are not sensitive when --sensitive is given.",
     .offset = offsetof(necessity_settings, public_)},
    {.name = "drop",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns to leave out from the beginning.",
     .offset = offsetof(necessity_settings, drop)},
    {.name = "category",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns that are categories, even if they hold numbers.",
     .offset = offsetof(necessity_settings, categories)},
    {.name = "encode",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "Categories as numbers: onehot (default) or ordinal.",
     .offset = offsetof(necessity_settings, encoding),
     .words = encodings},
    {.name = "schema",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Take attributes, domains and roles from this file instead of finding them out. What it says about "
             "reading CSV holds unless an option says otherwise.",
     .offset = offsetof(necessity_settings, schema)},
    {.name = "model",
     .kind = CLI_WORD,
     .argument = "KIND",
     .help = "logistic (default): logistic regression; or mlp: a ReLU network, or trees: boosted trees, which take far "
             "longer.",
     .offset = offsetof(necessity_settings, kind),
     .words = tacit_fit_kinds,
     .heading = "How it is found out"},
    {.name = "hidden",
     .kind = CLI_TEXT,
     .argument = "SIZES",
     .help = "Neurons of each hidden layer of a network, separated by commas. Default: as tacit fit has it.",
     .offset = offsetof(necessity_settings, hidden)},
    {.name = "splits",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Repetitions, each with its own rows held out. Default: 10; one alone gives no intervals.",
     .offset = offsetof(necessity_settings, splits),
     .min = 1,
     .max = 100000},
    {.name = "test-share",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Share of rows held out to measure on. Default: 0.3.",
     .offset = offsetof(necessity_settings, test_share),
     .min = 0,
     .max = 1,
     .above_min = true,
     .below_max = true},
    {.name = "tolerance",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Accuracy that may be lost, as a share. Default: 0.005, half a percentage point.",
     .offset = offsetof(necessity_settings, tolerance),
     .min = 0,
     .max = 1,
     .below_max = true},
    {.name = "people",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Play the questionnaires of at most so many people held out, for each model. Default: 1000, with networks "
             "100.",
     .offset = offsetof(necessity_settings, people),
     .min = 1,
     .max = 1e9},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Split s, from 0, is that of tacit fit with seed N + s. Default: 1.",
     .offset = offsetof(necessity_settings, seed)},
    {.name = "json",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write everything as JSON; - is standard output, in place of the tables.",
     .offset = offsetof(necessity_settings, json),
     .heading = "Output"},
    {.name = "report",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Write a page with figures that needs nothing beside it; - is standard output.",
     .offset = offsetof(necessity_settings, report)},
    {.name = "lang",
     .kind = CLI_WORD,
     .argument = "LANG",
     .help = "Language of the page: en (default) or de.",
     .offset = offsetof(necessity_settings, lang),
     .words = langs},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The results do not depend on it.",
     .offset = offsetof(necessity_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "No tables, no progress bar.",
     .offset = offsetof(necessity_settings, quiet)},
    CLI_TREE_OPTIONS(necessity_settings),
    CLI_CSV_OPTIONS(necessity_settings, csv),
    CLI_DATA_OPTIONS(necessity_settings, skip_unlabelled),
    {0},
};

const cli_command cli_command_necessity = {
    .name = "necessity",
    .summary = "which attributes does the purpose need?",
    .usage = "DATA.csv --label COLUMN [options]",
    .text = "Trains models on DATA.csv (- is standard input) with all attributes, without each one, and without more "
            "and more of them, and measures how much accuracy is lost and how much less is asked. An audit is about "
            "one model; this is about whether an attribute has to be collected at all.",
    .examples = "tacit necessity loans.csv --label outcome\n"
                "tacit necessity loans.csv --label outcome --tolerance 0.01 --report loans.html",
    .options = options,
    .operands = (const char *const[]){"DATA.csv", NULL},
    .settings_size = sizeof(necessity_settings),
    .defaults = &defaults,
    .run = run_necessity,
};

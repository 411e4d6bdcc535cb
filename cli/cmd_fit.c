/*
 * cmd_fit.c -- tacit fit: from a CSV file to a model file, or to a schema to edit first.
 */
#include <stdio.h>
#include <string.h>

#include "calibration_view.h"
#include "cli.h"
#include "commands.h"
#include "data_in.h"
#include "model_summary.h"
#include "terminal.h"
#include "tree_options.h"
#include "network_options.h"

typedef struct fit_settings {
    const char *label, *output, *schema, *sensitive, *public_, *drop, *categories;
    bool schema_only, calibrate, quiet, skip_unlabelled;
    size_t encoding, kind, dates;
    double test_share, l2, threshold;
    const char *hidden;
    size_t epochs, batch, patience, trees, depth;
    double rate, momentum;
    bool adam, paper;
    uint64_t seed;
    size_t threads;
    tacit_csv_options csv;
} fit_settings;

static const char *const encodings[] = {[TACIT_ONEHOT] = "onehot", [TACIT_ORDINAL] = "ordinal", NULL};
enum { DATES_DROP, DATES_DAYS };
static const char *const date_words[] = {[DATES_DROP] = "drop", [DATES_DAYS] = "days", NULL};
enum { MOST_REMARKS = 12 }; /* on a screen */

/* Options that only networks have, or only trees, or both. */
static int check_kind(const cli_args *args, const fit_settings *fit)
{
    static const char *const layers[] = {"hidden", "epochs", "batch", "momentum", "adam", "patience", "paper"};
    const char *kind = tacit_fit_kinds[fit->kind];
    bool has_layers = tacit_fit_has_layers(kind), has_trees = tacit_fit_has_trees(kind);

    for (size_t i = 0; !has_layers && i < sizeof(layers) / sizeof(*layers); i++)
        if (cli_was_given(&cli_command_fit, args, layers[i]))
            return cli_complain(CLI_USAGE, "fit: --%s is for networks: add --model mlp", layers[i]);
    if (!has_trees && (fit->trees || fit->depth))
        return cli_complain(CLI_USAGE, "fit: --trees and --depth are for trees: add --model trees");
    if (!has_layers && !has_trees && cli_was_given(&cli_command_fit, args, "rate"))
        return cli_complain(CLI_USAGE, "fit: --rate is for networks and trees: add --model mlp or --model trees");
    if (fit->adam && fit->momentum > 0)
        return cli_complain(CLI_USAGE, "fit: --adam and --momentum exclude each other");
    return CLI_DONE;
}

static int check_settings(const cli_args *args, const fit_settings *fit)
{
    static const char *const inferred[] = {"drop", "category", "encode", "dates"};
    int code;

    if (!fit->output)
        return cli_complain(CLI_USAGE, "fit: say where the %s goes: -o FILE", fit->schema_only ? "schema" : "model");
    if (!fit->label && !fit->schema)
        return cli_complain(CLI_USAGE, "fit: say which column to predict: --label COLUMN");
    if (fit->calibrate && (fit->schema_only || fit->test_share == 0))
        return cli_complain(CLI_USAGE, "fit: --calibrate needs a model and rows held out from its training");
    if (fit->schema && fit->schema_only)
        return cli_complain(CLI_USAGE, "fit: --schema-only makes a schema, --schema reads one: give one of them");
    for (size_t i = 0; fit->schema && i < sizeof(inferred) / sizeof(*inferred); i++)
        if (cli_was_given(&cli_command_fit, args, inferred[i]))
            return cli_complain(CLI_USAGE, "fit: --%s cannot go with --schema, which already says it", inferred[i]);
    code = check_kind(args, fit);
    if (code == CLI_DONE)
        code = cli_refuse_overwrite(fit->output, args->operands[0]);
    if (code == CLI_DONE)
        code = cli_refuse_overwrite(fit->output, fit->schema);
    if (code == CLI_DONE)
        code = cli_refuse_output(fit->output);
    return code;
}

/* The schema file, with the roles asked for. */
static int read_schema(tacit_schema **out, const fit_settings *fit)
{
    tacit_error err = {0};

    if (tacit_schema_read(out, fit->schema, &err))
        return cli_fail(&err);
    if (fit->label && strcmp(fit->label, tacit_schema_label(*out)) != 0)
        return cli_complain(CLI_USAGE, "fit: --label is %s, but %s predicts %s", fit->label, fit->schema,
                            tacit_schema_label(*out));
    return tacit_schema_set_roles(*out, fit->sensitive, fit->public_, &err) ? cli_fail(&err) : CLI_DONE;
}

/* Table and schema.  A schema file comes first: it may say how to read the table. */
static int read_data(tacit_table **table, tacit_schema **schema, const char *path, const fit_settings *fit)
{
    const data_in in = {.csv = fit->csv,
                        .skip_unlabelled = fit->skip_unlabelled,
                        .infer = {.size = sizeof(tacit_infer_options),
                                  .label = fit->label,
                                  .categories = fit->categories,
                                  .encoding = (tacit_encoding)fit->encoding,
                                  .sensitive = fit->sensitive,
                                  .public_ = fit->public_,
                                  .drop = fit->drop,
                                  .test_share = fit->test_share,
                                  .seed = fit->seed,
                                  .dates_as_days = fit->dates == DATES_DAYS},
                        .threads = fit->threads};
    int code = fit->schema ? read_schema(schema, fit) : CLI_DONE;

    return code == CLI_DONE ? data_in_read(table, schema, path, &in) : code;
}

/* Put a calibrated model in the place of the one just trained. */
static tacit_status calibrate(tacit_model **model, const fit_settings *fit, const tacit_table *table, tacit_error *err)
{
    tacit_calibrate_options options = {.part = TACIT_PART_HELD_OUT, .threads = fit->threads, .progress = progress_step};
    tacit_model *trained = *model;
    term_progress progress;
    tacit_status status;

    progress_start(&progress, "calibrating", fit->quiet);
    options.progress_context = &progress;
    status = tacit_model_calibrate(model, trained, table, &options, err);
    progress_end(&progress);
    tacit_model_free(trained);
    return status;
}

static int train(const fit_settings *fit, const tacit_table *table, const tacit_schema *schema, FILE *talk)
{
    tacit_fit_options options = {.kind = tacit_fit_kinds[fit->kind],
                                 .l2 = fit->l2,
                                 .test_share = fit->test_share,
                                 .seed = fit->seed,
                                 .threads = fit->threads,
                                 .progress = progress_step,
                                 .hidden = fit->hidden,
                                 .epochs = fit->epochs,
                                 .batch = fit->batch,
                                 .rate = fit->rate,
                                 .momentum = fit->momentum,
                                 .adam = fit->adam,
                                 .patience = fit->patience,
                                 .paper = fit->paper,
                                 .threshold = fit->threshold,
                                 .trees = fit->trees,
                                 .depth = fit->depth};
    tacit_model *model = NULL;
    term_progress progress;
    tacit_error err = {0};
    tacit_status status;

    progress_start(&progress, "training", fit->quiet);
    options.progress_context = &progress;
    status = tacit_fit(&model, table, schema, &options, &err);
    progress_end(&progress);
    if (!status && fit->calibrate)
        status = calibrate(&model, fit, table, &err);
    if (status)
        return cli_fail(&err);
    if (fit->calibrate && calibration_enough(model) != CLI_DONE) {
        tacit_model_free(model);
        return CLI_INPUT;
    }
    if (cli_interrupted()) {
        tacit_model_free(model);
        return CLI_INTERRUPTED;
    }
    status = tacit_model_save(model, fit->output, &err);
    if (status == TACIT_OK && !fit->quiet)
        made_print_model(talk, model);
    if (status == TACIT_OK && fit->calibrate && !fit->quiet && talk == stdout)
        calibration_view(model);
    tacit_model_free(model);
    return status ? cli_fail(&err) : CLI_DONE;
}

static int run_fit(const cli_args *args, void *settings)
{
    const fit_settings *fit = settings;
    /* What is said must not mix with a model written to standard output. */
    FILE *talk = cli_is_stdout(fit->output) ? stderr : stdout;
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    int code = check_settings(args, fit);

    if (code != CLI_DONE)
        return code;
    code = read_data(&table, &schema, args->operands[0], fit);
    if (code != CLI_DONE)
        goto done;
    if (cli_interrupted()) {
        code = CLI_INTERRUPTED;
        goto done;
    }
    if (fit->schema_only && tacit_schema_write(schema, fit->output, &err)) {
        code = cli_fail(&err);
        goto done;
    }
    if (!fit->quiet) {
        fprintf(talk, "%s\n", fit->output);
        made_print_schema(talk, table, schema);
        data_in_print_skipped(talk, table);
        data_in_print_remarks(talk, schema, MOST_REMARKS);
        fflush(talk);
    }
    if (!fit->schema_only)
        code = train(fit, table, schema, talk);
done:
    tacit_schema_free(schema);
    tacit_table_free(table);
    return code;
}

static const fit_settings defaults = {.test_share = 0.3, .seed = 1};

static const cli_option options[] = {
    {.name = "label",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .help = "The column to predict. Not needed with --schema.",
     .offset = offsetof(fit_settings, label),
     .heading = "What to learn"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Where the model goes; - is standard output.",
     .offset = offsetof(fit_settings, output)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Attributes a person would rather not give, names separated by commas. Default: all that are not public.",
     .offset = offsetof(fit_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help =
         "Attributes that are known anyway. Default: none, or all that are not sensitive when --sensitive is given.",
     .offset = offsetof(fit_settings, public_)},
    {.name = "drop",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns to leave out.",
     .offset = offsetof(fit_settings, drop)},
    {.name = "category",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns that are categories, even if they hold numbers.",
     .offset = offsetof(fit_settings, categories)},
    {.name = "encode",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "Categories as numbers: onehot (default) or ordinal.",
     .offset = offsetof(fit_settings, encoding),
     .words = encodings},
    {.name = "dates",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "Columns of dates: drop (default) leaves them out, days makes them numbers of days since 1970-01-01.",
     .offset = offsetof(fit_settings, dates),
     .words = date_words},
    CLI_DATA_OPTIONS(fit_settings, skip_unlabelled),
    {.name = "schema",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Take attributes, domains, roles, costs and questions from this file instead of finding them out. What "
             "it says about reading CSV holds unless an option says otherwise.",
     .offset = offsetof(fit_settings, schema)},
    {.name = "schema-only",
     .kind = CLI_FLAG,
     .help = "Do not train: write the schema that was found out, to edit and give back with --schema.",
     .offset = offsetof(fit_settings, schema_only)},
    {.name = "model",
     .kind = CLI_WORD,
     .argument = "KIND",
     .help = "logistic (default): logistic regression, multinomial for three and more classes; mlp: a ReLU network; or "
             "trees: boosted trees.",
     .offset = offsetof(fit_settings, kind),
     .words = tacit_fit_kinds,
     .heading = "Training"},
    {.name = "threshold",
     .kind = CLI_NUMBER,
     .argument = "P",
     .help = "Two classes: decide for the second from this probability on. Default: one half.",
     .offset = offsetof(fit_settings, threshold),
     .min = 0,
     .max = 1,
     .above_min = true,
     .below_max = true},
    {.name = "l2",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help =
         "Weight of the squared penalty on the weights, or on the values of leaves. Default: 1, on weights per usual "
         "spread of their input; for networks, the one of 0.5, 2, 5, 10 and 20 that does best on training rows left "
         "out "
         "for the trial.",
     .offset = offsetof(fit_settings, l2),
     .min = 0,
     .max = 1e9,
     .above_min = true},
    {.name = "test-share",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Share of rows held out to measure accuracy. Default: 0.3.",
     .offset = offsetof(fit_settings, test_share),
     .min = 0,
     .max = 1,
     .below_max = true},
    {.name = "calibrate",
     .kind = CLI_FLAG,
     .help = "Learn from the rows held out how far the model's confidence can be trusted (see tacit calibrate).",
     .offset = offsetof(fit_settings, calibrate)},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Chooses the rows held out, and where a network starts. Default: 1.",
     .offset = offsetof(fit_settings, seed)},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The model does not depend on it.",
     .offset = offsetof(fit_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "Say nothing unless something is wrong.",
     .offset = offsetof(fit_settings, quiet)},
    CLI_NETWORK_OPTIONS(
        fit_settings, "as many as make 4000 steps, at least 10.", "a hundredth of the training rows, from 32 to 128.",
        "the first step, from which it falls to 0. Default: 0.01. Trees: the share of each that counts, at most 1. "
        "Default: 0.1.",
        "; not with Adam's rule, which it replaces. Default: 0.", ": the default, but not with --paper."),
    {.name = "paper",
     .kind = CLI_FLAG,
     .help = "Train as in the paper: plain descent with steps of one length. Defaults are then 300 epochs, batches of "
             "32, rate 0.001, no penalty. On few rows such a network may give everybody the same label.",
     .offset = offsetof(fit_settings, paper)},
    CLI_TREE_OPTIONS(fit_settings),
    CLI_CSV_OPTIONS(fit_settings, csv),
    {0},
};

const cli_command cli_command_fit = {
    .name = "fit",
    .summary = "train a model on a CSV file",
    .usage = "DATA.csv --label COLUMN -o MODEL [options]",
    .text = "Reads DATA.csv (- is standard input), finds out what each column is, trains a classifier, learns how the "
            "attributes "
            "hang together, and writes it all into one model file.",
    .examples = "tacit fit loans.csv --label outcome --public region -o loans.tacit\n"
                "tacit fit loans.csv --label outcome --model mlp -o loans.tacit\n"
                "tacit fit loans.csv --label outcome --schema-only -o schema.json",
    .options = options,
    .operands = (const char *const[]){"DATA.csv", NULL},
    .settings_size = sizeof(fit_settings),
    .defaults = &defaults,
    .run = run_fit,
};

/*
 * cmd_calibrate.c -- tacit calibrate: learn on people the model was not trained on how often its confidence is right.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibration_view.h"
#include "cli.h"
#include "commands.h"
#include "terminal.h"

typedef struct calibrate_settings {
    const char *output, *sensitive, *public_;
    bool held_out, quiet;
    double alpha;
    size_t unknown, threads;
    tacit_csv_options csv;
} calibrate_settings;

enum { UNKNOWN_ERROR, UNKNOWN_MISSING };
static const char *const unknown_words[] = {[UNKNOWN_ERROR] = "error", [UNKNOWN_MISSING] = "missing", NULL};

static int check_settings(const cli_args *args, const calibrate_settings *s, const char *output)
{
    int code = cli_check_csv(&s->csv);

    if (code == CLI_DONE && !s->output && strcmp(args->operands[0], "-") == 0)
        return cli_complain(CLI_USAGE, "calibrate: a model from standard input needs -o FILE");
    if (code == CLI_DONE)
        code = cli_refuse_overwrite(output, args->operands[1]);
    if (code == CLI_DONE && (s->output || access(output, F_OK) == 0)) /* a model that is not there cannot be read */
        code = cli_refuse_output(output);
    return code;
}

/* Roles come first: a calibration is about them.  No word about an earlier calibration, which is replaced. */
static int load_model(tacit_model **out, const char *path, const calibrate_settings *s)
{
    tacit_model *model = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_model_load(&model, path, &err);

    if (!status)
        status = tacit_model_with_roles(out, model, s->sensitive, s->public_, &err);
    tacit_model_free(model);
    return status ? cli_fail(&err) : CLI_DONE;
}

static int run_calibrate(const cli_args *args, void *settings)
{
    const calibrate_settings *s = settings;
    const char *output = s->output ? s->output : args->operands[0];
    tacit_calibrate_options options = {.part = s->held_out ? TACIT_PART_HELD_OUT : TACIT_PART_ALL,
                                       .alpha = s->alpha,
                                       .threads = s->threads,
                                       .unknown_as_missing = s->unknown == UNKNOWN_MISSING,
                                       .progress = progress_step};
    tacit_model *model = NULL, *calibrated = NULL;
    tacit_csv_options csv = s->csv;
    tacit_table *table = NULL;
    size_t dropped;
    term_progress progress;
    tacit_error err = {0};
    tacit_status status;
    int code = check_settings(args, s, output);

    if (code == CLI_DONE)
        code = load_model(&model, args->operands[0], s);
    if (code == CLI_DONE)
        tacit_schema_csv(tacit_model_schema(model), &csv); /* as the training file was read */
    csv.defer_bad = true;
    if (code == CLI_DONE && (tacit_table_read(&table, args->operands[1], &csv, s->threads, &err) ||
                             tacit_table_drop_bad(table, tacit_model_schema(model), &dropped, &err)))
        code = cli_fail(&err);
    if (code != CLI_DONE)
        goto done;
    progress_start(&progress, "calibrating", s->quiet);
    options.progress_context = &progress;
    status = tacit_model_calibrate(&calibrated, model, table, &options, &err);
    progress_end(&progress);
    if (!status)
        code = cli_interrupted() ? CLI_INTERRUPTED : calibration_enough(calibrated);
    if (!status && code == CLI_DONE)
        status = tacit_model_save(calibrated, output, &err);
    if (status)
        code = cli_fail(&err);
    else if (code == CLI_DONE && !s->quiet && !cli_is_stdout(output)) {
        printf("%s\n", output);
        calibration_view(calibrated);
    }
done:
    tacit_table_free(table);
    tacit_model_free(calibrated);
    tacit_model_free(model);
    return code;
}

static const calibrate_settings defaults = {.alpha = 0.05};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Where the calibrated model goes; - is standard output. Default: the model file itself.",
     .offset = offsetof(calibrate_settings, output)},
    {.name = "held-out",
     .kind = CLI_FLAG,
     .help = "PEOPLE.csv is the file the model was trained on: only the rows held out then count.",
     .offset = offsetof(calibrate_settings, held_out)},
    {.name = "alpha",
     .kind = CLI_NUMBER,
     .argument = "X",
     .min = 1e-6,
     .max = 1,
     .below_max = true,
     .help = "Chance that the bounds do not hold. Default: 0.05.",
     .offset = offsetof(calibrate_settings, alpha)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "First make these attributes sensitive and all others public.",
     .offset = offsetof(calibrate_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "First make these attributes public and all others sensitive.",
     .offset = offsetof(calibrate_settings, public_)},
    {.name = "unknown",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "A category the model does not know: error (default), or missing, where the model knows missing values.",
     .offset = offsetof(calibrate_settings, unknown),
     .words = unknown_words},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The result does not depend on it.",
     .offset = offsetof(calibrate_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "Say nothing unless something is wrong.",
     .offset = offsetof(calibrate_settings, quiet)},
    CLI_CSV_OPTIONS(calibrate_settings, csv),
    {0},
};

const cli_command cli_command_calibrate = {
    .name = "calibrate",
    .summary = "learn how far a model's confidence can be trusted",
    .usage = "MODEL PEOPLE.csv [-o FILE] [options]",
    .text = "At delta > 0 a model stops asking when it is confident enough, and that confidence may be wrong. This "
            "command asks everybody in PEOPLE.csv, who must not be the people it was trained on, counts how often each "
            "confidence was right, and keeps the counts in the model file. From then on delta > 0 stops asking only "
            "where at most that share was observed to fail, with a bound for the number of people seen; where nothing "
            "observed allows that, asking goes on until the decision is proven.\n\n"
            "A calibration is about the attributes that are sensitive: with other roles it does not count.",
    .examples = "tacit calibrate loans.tacit loans.csv --held-out\n"
                "tacit calibrate loans.tacit new_loans.csv -o calibrated.tacit",
    .options = options,
    .operands = (const char *const[]){"MODEL", "PEOPLE.csv", NULL},
    .settings_size = sizeof(calibrate_settings),
    .defaults = &defaults,
    .run = run_calibrate,
};

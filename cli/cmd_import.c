/*
 * cmd_import.c -- tacit import: from a classifier trained elsewhere to a model file.
 */
#include <stdio.h>

#include "cli.h"
#include "commands.h"
#include "data_in.h"
#include "model_summary.h"
#include "terminal.h"

enum { ROUNDING_ANY, ROUNDING_PROGRAM };
static const char *const rounding_words[] = {[ROUNDING_ANY] = "any", [ROUNDING_PROGRAM] = "program", NULL};

typedef struct import_settings {
    const char *data, *schema, *output, *label, *sensitive, *public_, *predictions;
    size_t rounding;
    bool quiet;
    double threshold;
    double test_share;
    uint64_t seed;
    size_t threads;
    tacit_csv_options csv;
    bool skip_unlabelled;
} import_settings;

static int check_settings(const cli_args *args, const import_settings *import)
{
    const char *inputs[3] = {args->operands[0], import->data, import->schema};
    int code = CLI_DONE;

    if (!import->data)
        return cli_complain(CLI_USAGE, "import: say which people to learn the distribution from: --data FILE");
    if (!import->schema && !import->label)
        return cli_complain(CLI_USAGE, "import: say what the model's inputs are: --schema FILE (tacit fit "
                                       "--schema-only writes one to edit); or --label COLUMN, if they are the other "
                                       "columns");
    if (import->schema && import->label)
        return cli_complain(CLI_USAGE, "import: --label is for when there is no --schema, which names the label");
    if (!import->output)
        return cli_complain(CLI_USAGE, "import: say where the model goes: -o FILE");
    for (size_t i = 0; i < 3 && code == CLI_DONE; i++)
        code = cli_refuse_overwrite(import->output, inputs[i]);
    return code == CLI_DONE ? cli_refuse_output(import->output) : code;
}

/* The schema with the roles asked for, then the table: the schema may say how to read it. */
static int read_data(tacit_table **table, tacit_schema **schema, const import_settings *import)
{
    const data_in in = {.csv = import->csv, .skip_unlabelled = import->skip_unlabelled, .threads = import->threads};
    tacit_csv_options csv = import->csv;
    tacit_error err = {0};

    if (import->schema) {
        if (tacit_schema_read(schema, import->schema, &err) ||
            tacit_schema_set_roles(*schema, import->sensitive, import->public_, &err))
            return cli_fail(&err);
        return data_in_read(table, schema, import->data, &in);
    }
    /* The schema follows from the model and the columns. */
    if (tacit_table_read(table, import->data, &csv, import->threads, &err) ||
        (import->skip_unlabelled && tacit_table_drop_unlabelled(*table, import->label, &err)))
        return cli_fail(&err);
    return cli_interrupted() ? CLI_INTERRUPTED : CLI_DONE;
}

/* Classes the wrong way round look like a model that is worse than a coin.  A threshold of one's own may be so, too. */
static void print_doubt(FILE *talk, const tacit_model *model)
{
    const tacit_schema *schema = tacit_model_schema(model);
    const tacit_model_info *info = tacit_model_info_get(model);

    if (tacit_schema_classes(schema) == 2 && info->train_accuracy < 0.5 && !(info->threshold > 0))
        made_print_item(talk, "remark",
                        cli_format("more rows are wrong than right: is the first class of the model %s, and the second "
                                   "%s? If not, a schema says so",
                                   tacit_schema_class(schema, 0), tacit_schema_class(schema, 1)));
}

static int run_import(const cli_args *args, void *settings)
{
    const import_settings *import = settings;
    const tacit_import_options options = {.size = sizeof(options),
                                          .test_share = import->test_share,
                                          .seed = import->seed,
                                          .threads = import->threads,
                                          .label = import->label,
                                          .sensitive = import->sensitive,
                                          .public_ = import->public_,
                                          .threshold = import->threshold,
                                          .predictions = import->predictions,
                                          .in_order = import->rounding == ROUNDING_PROGRAM};
    /* What is said must not mix with a model written to standard output. */
    FILE *talk = cli_is_stdout(import->output) ? stderr : stdout;
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    int code = check_settings(args, import);

    if (code != CLI_DONE)
        return code;
    code = read_data(&table, &schema, import);
    if (code != CLI_DONE)
        goto done;
    if (tacit_import(&model, args->operands[0], table, schema, &options, &err)) {
        code = cli_fail(&err);
        goto done;
    }
    if (cli_interrupted())
        code = CLI_INTERRUPTED;
    else if (tacit_model_save(model, import->output, &err))
        code = cli_fail(&err);
    if (code != CLI_DONE)
        goto done;
    if (!import->quiet) {
        fprintf(talk, "%s\n", import->output);
        made_print_schema(talk, table, tacit_model_schema(model));
        data_in_print_skipped(talk, table);
        made_print_model(talk, model);
        print_doubt(talk, model);
        if (import->predictions)
            made_print_item(talk, "checked",
                            cli_format("gives the label of column %s in every row that has one", import->predictions));
        made_print_item(talk, "remark", cli_format("the model itself may have been trained on any of these rows"));
    }
done:
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return code;
}

static const import_settings defaults = {.test_share = 0.3, .seed = 1};

static const cli_option options[] = {
    {.name = "data",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "CSV file of people, with the label: how the attributes hang together is learnt from it. - is standard "
             "input.",
     .offset = offsetof(import_settings, data),
     .heading = "What belongs to the model"},
    {.name = "schema",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help =
         "The model's inputs: attributes, domains, roles, costs, questions; and its classes. Those of a network are "
         "in its order, those of trees are found by name if the model names them. What it says about reading CSV "
         "holds unless an option says otherwise.",
     .offset = offsetof(import_settings, schema)},
    {.name = "label",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .help =
         "Trees without a schema: the column to predict. The columns that the model names are the attributes, or all "
         "others in their order.",
     .offset = offsetof(import_settings, label)},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Where the model goes; - is standard output.",
     .offset = offsetof(import_settings, output)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Attributes a person would rather not give, names separated by commas. Default: as in the schema, else "
             "all.",
     .offset = offsetof(import_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Attributes that are known anyway. Default: as in the schema.",
     .offset = offsetof(import_settings, public_)},
    {.name = "threshold",
     .kind = CLI_NUMBER,
     .argument = "P",
     .help = "Two classes: decide for the second from this probability on. Default: as the library's predict does, one "
             "half.",
     .offset = offsetof(import_settings, threshold),
     .min = 0,
     .max = 1,
     .above_min = true,
     .below_max = true},
    {.name = "predictions",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .help =
         "Column with the labels, or the probabilities of the second class, that the deployed model gave: all labels "
         "must be the same.",
     .offset = offsetof(import_settings, predictions)},
    {.name = "rounding",
     .kind = CLI_WORD,
     .argument = "WHICH",
     .words = rounding_words,
     .help =
         "Trees: in which order the deployed program may add up what they give. any: certain holds for every order, "
         "so for every version and device; program: for one tree after the other alone, as XGBoost does on "
         "processors. Default: any.",
     .offset = offsetof(import_settings, rounding)},
    {.name = "test-share",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Share of rows that the distribution is not learnt from. Default: 0.3.",
     .offset = offsetof(import_settings, test_share),
     .min = 0,
     .max = 1,
     .below_max = true},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Chooses those rows. Default: 1.",
     .offset = offsetof(import_settings, seed)},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The model does not depend on it.",
     .offset = offsetof(import_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "Say nothing unless something is wrong.",
     .offset = offsetof(import_settings, quiet)},
    CLI_CSV_OPTIONS(import_settings, csv),
    CLI_DATA_OPTIONS(import_settings, skip_unlabelled),
    {0},
};

const cli_command cli_command_import = {
    .name = "import",
    .summary = "bring a model trained elsewhere (boosted trees, ONNX)",
    .usage = "FILE --data DATA.csv {--schema FILE | --label COLUMN} -o MODEL [options]",
    .text =
        "Reads boosted trees from a model file of XGBoost, LightGBM (text) or CatBoost (JSON), or trees, a linear "
        "classifier or a ReLU network from an ONNX file, as scikit-learn's and PyTorch's exporters write it, with the "
        "encoders and scalings in front of it; learns how the attributes hang together, measures how often the model "
        "is "
        "right, and writes a model file. What the file is, is seen from its content. Trees read raw values, with "
        "nothing "
        "clipped, and need no schema if the columns are their features. An ONNX file reads columns by name, or the raw "
        "values of the schema's attributes in their order: numbers as they are, ordinal categories as 0, 1, 2, ..., "
        "one-hot categories as a 0 or 1 for each level, or every attribute as one column. A sigmoid or softmax at the "
        "end is left out, since it changes no label.",
    .examples = "tacit import credit.json --data loans.csv --label approved -o credit.tacit\n"
                "tacit import m.txt --data loans.csv --label paid --threshold 0.3 -o m.tacit\n"
                "tacit import credit.onnx --data loans.csv --schema schema.json -o credit.tacit",
    .options = options,
    .operands = (const char *const[]){"FILE", NULL},
    .settings_size = sizeof(import_settings),
    .defaults = &defaults,
    .run = run_import,
};

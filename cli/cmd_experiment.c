/*
 * cmd_experiment.c -- tacit experiment: the paper's evaluation on one data set, into a folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"
#include "data_in.h"
#include "experiment_folder.h"
#include "experiment_view.h"
#include "mpi_team.h"
#include "terminal.h"
#include "network_options.h"
#include "tree_options.h"

typedef struct experiment_settings {
    const char *label, *output, *schema, *drop, *categories, *sizes, *delta, *models, *methods, *hidden;
    bool resume, json, quiet, adam;
    size_t encoding, reps, threads, opt_people, grid_people, epochs, batch, patience, trees, depth;
    double test_share, rate, momentum;
    uint64_t seed;
    tacit_csv_options csv;
    bool skip_unlabelled;
} experiment_settings;

/* What a run needs, put together from the settings. */
typedef struct plan {
    const experiment_settings *settings;
    const char *data;
    tacit_experiment_options options;
    char *models, *methods;
    size_t *sizes;
    double *deltas;
    tacit_schema *schema;
    tacit_table *table;
    experiment_folder folder;
} plan;

static const char *const encodings[] = {[TACIT_ONEHOT] = "onehot", [TACIT_ORDINAL] = "ordinal", NULL};
static const char *const method_words[] = {"baseline", "opt", "paper", "tacit", NULL};
enum { MOST_WORDS = 4, MOST_SIZE = 512 };

/* ---- lists on the command line ---- */

static int complain_word(const char *option, const char *word, const char *const *words, size_t n)
{
    const char *close = tacit_suggest(word, words, n);
    char *list = cli_format("%s", words[0]);
    int code;

    for (size_t i = 1; i < n; i++) {
        char *longer = cli_format("%s, %s", list, words[i]);

        free(list);
        list = longer;
    }
    code = close ? cli_complain(CLI_USAGE, "--%s: unknown word '%.60s' (did you mean %s?)", option, word, close)
                 : cli_complain(CLI_USAGE, "--%s: expected some of %s, separated by commas", option, list);
    free(list);
    return code;
}

/* The words of a list, each known and named once, in the order of `words`.  *out is malloc'ed. */
static int parse_words(const char *option, const char *text, const char *const *words, char **out)
{
    bool named[MOST_WORDS] = {false};
    size_t n = 0;

    while (words[n])
        n++;
    for (const char *rest = text;; rest++) {
        size_t size = strcspn(rest, ","), w = 0;
        char word[64];

        snprintf(word, sizeof(word), "%.*s", (int)(size < 63 ? size : 63), rest);
        while (w < n && strcmp(words[w], word) != 0)
            w++;
        if (w == n)
            return complain_word(option, word, words, n);
        if (named[w])
            return cli_complain(CLI_USAGE, "--%s: %s is given twice", option, word);
        named[w] = true;
        rest += size;
        if (!*rest)
            break;
    }
    *out = cli_format("%s", "");
    for (size_t w = 0; w < n; w++)
        if (named[w]) {
            char *longer = cli_format("%s%s%s", *out, **out ? "," : "", words[w]);

            free(*out);
            *out = longer;
        }
    return CLI_DONE;
}

/* Digits at *text, advancing it: 1 to MOST_SIZE, else 0. */
static size_t read_size(const char **text)
{
    size_t value = 0;

    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value > MOST_SIZE ? value : 10 * value + (size_t)(**text - '0');
    return value <= MOST_SIZE ? value : 0;
}

/* Where nobody says otherwise, and as far as there are attributes. */
static const char usual_sizes[] = "2-7";

/* Sizes that nobody asked for and that there are no attributes for. */
static void trim_sizes(plan *p, size_t attributes)
{
    while (p->options.n_sizes > 1 && p->sizes[p->options.n_sizes - 1] > attributes)
        p->options.n_sizes--;
    if (p->sizes[0] > attributes)
        p->sizes[0] = attributes;
}

/* "2-7", "2,4,6", "2-4,7". */
static int parse_sizes(const char *text, size_t **out, size_t *count)
{
    bool named[MOST_SIZE + 1] = {false};
    const char *rest = text;

    for (;; rest++) {
        size_t from = read_size(&rest), to = from;

        if (*rest == '-') {
            rest++;
            to = read_size(&rest);
        }
        if (from == 0 || to < from || (*rest && *rest != ','))
            return cli_complain(CLI_USAGE,
                                "--sizes: expected whole numbers from 1, separated by commas, or ranges as in 2-7");
        for (size_t size = from; size <= to; size++) {
            if (named[size])
                return cli_complain(CLI_USAGE, "--sizes: %zu is given twice", size);
            named[size] = true;
        }
        if (!*rest)
            break;
    }
    *out = cli_alloc(MOST_SIZE, sizeof(**out));
    for (size_t size = 1; size <= MOST_SIZE; size++)
        if (named[size])
            (*out)[(*count)++] = size;
    return CLI_DONE;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* ---- settings ---- */

/* Is a kind of which this holds among those in a list? */
static bool any_kind(const char *kinds, bool (*holds)(const char *kind))
{
    for (size_t k = 0; tacit_fit_kinds[k]; k++)
        if (holds(tacit_fit_kinds[k]) && strstr(kinds, tacit_fit_kinds[k]))
            return true;
    return false;
}

static int check_settings(const cli_args *args, const experiment_settings *s)
{
    static const char *const inferred[] = {"drop", "category", "encode"};
    static const char *const networks[] = {"hidden", "epochs",   "batch",      "momentum",
                                           "adam",   "patience", "opt-people", "grid-people"};
    bool layers = any_kind(s->models, tacit_fit_has_layers), trees = any_kind(s->models, tacit_fit_has_trees);

    if (!s->output)
        return cli_complain(CLI_USAGE, "experiment: say where the results go: -o FOLDER");
    if (!s->label && !s->schema)
        return cli_complain(CLI_USAGE, "experiment: say which column to predict: --label COLUMN");
    for (size_t i = 0; s->schema && i < sizeof(inferred) / sizeof(*inferred); i++)
        if (cli_was_given(&cli_command_experiment, args, inferred[i]))
            return cli_complain(CLI_USAGE, "experiment: --%s cannot go with --schema, which already says it",
                                inferred[i]);
    for (size_t i = 0; !layers && i < sizeof(networks) / sizeof(*networks); i++)
        if (cli_was_given(&cli_command_experiment, args, networks[i]))
            return cli_complain(CLI_USAGE, "experiment: --%s is for networks: add mlp to --model", networks[i]);
    if (!trees && (s->trees || s->depth))
        return cli_complain(CLI_USAGE, "experiment: --trees and --depth are for trees: add trees to --model");
    if (!layers && !trees && s->rate > 0)
        return cli_complain(CLI_USAGE, "experiment: --rate is for networks and trees: add mlp or trees to --model");
    if (s->adam && s->momentum > 0)
        return cli_complain(CLI_USAGE, "experiment: --adam and --momentum exclude each other");
    return CLI_DONE;
}

static int make_options(plan *p)
{
    const experiment_settings *s = p->settings;
    tacit_experiment_options *o = &p->options;
    int code = parse_words("model", s->models, tacit_fit_kinds, &p->models);

    if (code == CLI_DONE)
        code = parse_words("methods", s->methods, method_words, &p->methods);
    if (code == CLI_DONE)
        code = parse_sizes(s->sizes, &p->sizes, &o->n_sizes);
    if (code == CLI_DONE)
        code = cli_parse_deltas(s->delta, &p->deltas, &o->n_deltas);
    if (code != CLI_DONE)
        return code;
    qsort(p->deltas, o->n_deltas, sizeof(*p->deltas), compare_doubles);
    o->kinds = p->models;
    o->methods = p->methods;
    o->sizes = p->sizes;
    o->deltas = p->deltas;
    o->reps = s->reps;
    o->seed = s->seed;
    o->threads = s->threads;
    o->test_share = s->test_share;
    o->opt_people = s->opt_people;
    o->grid_people = s->grid_people;
    o->fit = (tacit_fit_options){.hidden = s->hidden,
                                 .epochs = s->epochs,
                                 .batch = s->batch,
                                 .rate = s->rate,
                                 .momentum = s->momentum,
                                 .adam = s->adam,
                                 .patience = s->patience,
                                 .trees = s->trees,
                                 .depth = s->depth};
    o->resume = s->resume;
    o->team = team_get();
    o->progress = progress_step;
    return CLI_DONE;
}

/* ---- data ---- */

/* The data file cannot be read: say what it is and where to get it, if the schema knows. */
static int complain_data(const plan *p, const tacit_error *err)
{
    const char *title = p->schema ? tacit_schema_about(p->schema, "title") : "";
    const char *file = p->schema ? tacit_schema_about(p->schema, "file") : "";
    const char *source = p->schema ? tacit_schema_about(p->schema, "source") : "";

    if (err->status != TACIT_E_IO || access(p->data, F_OK) == 0 || !(*title || *file || *source))
        return cli_fail(err);
    return cli_complain(CLI_INPUT, "%s; the schema is for %s%s%s%s%s", err->message, *file ? file : "the file",
                        *title ? " of " : "", title, *source ? ", to be had from " : "", source);
}

static int get_schema(plan *p, tacit_csv_options *csv)
{
    const experiment_settings *s = p->settings;
    tacit_error err = {0};

    if (tacit_schema_read(&p->schema, s->schema, &err))
        return cli_fail(&err);
    if (s->label && strcmp(s->label, tacit_schema_label(p->schema)) != 0)
        return cli_complain(CLI_USAGE, "experiment: --label is %s, but %s predicts %s", s->label, s->schema,
                            tacit_schema_label(p->schema));
    tacit_schema_csv(p->schema, csv);
    return CLI_DONE;
}

static int read_data(plan *p)
{
    const experiment_settings *s = p->settings;
    tacit_infer_options infer = {.size = sizeof(infer),
                                 .label = s->label,
                                 .categories = s->categories,
                                 .encoding = (tacit_encoding)s->encoding,
                                 .drop = s->drop,
                                 .test_share = s->test_share,
                                 .seed = s->seed};
    tacit_csv_options csv = s->csv;
    tacit_error err = {0};
    size_t largest, attributes, dropped;
    int code = s->schema ? get_schema(p, &csv) : CLI_DONE;

    if (code == CLI_DONE)
        code = cli_check_csv(&csv);
    if (code != CLI_DONE)
        return code;
    csv.defer_bad = true;
    if (tacit_table_read(&p->table, p->data, &csv, s->threads, &err))
        return complain_data(p, &err);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    if (s->skip_unlabelled &&
        tacit_table_drop_unlabelled(p->table, p->schema ? tacit_schema_label(p->schema) : s->label, &err))
        return cli_fail(&err);
    if ((!p->schema && tacit_schema_infer(&p->schema, p->table, &infer, &err)) ||
        tacit_table_drop_bad(p->table, p->schema, &dropped, &err) || tacit_table_check(p->table, p->schema, &err))
        return cli_fail(&err);
    attributes = tacit_schema_attributes(p->schema);
    if (s->sizes == usual_sizes)
        trim_sizes(p, attributes);
    largest = p->sizes[p->options.n_sizes - 1];
    if (largest > attributes)
        return cli_complain(CLI_USAGE, "--sizes: %zu is more than the %zu attributes there are", largest, attributes);
    return CLI_DONE;
}

/* ---- the run ---- */

/* Take back a run that never got going, with the journals of all processes. */
static void unmake(const plan *p)
{
    for (size_t r = 1; !p->folder.has_journal && team_get() && r < team_get()->size; r++) {
        char *path = cli_format("%s/journal.%zu.jsonl", p->folder.path, r);

        unlink(path);
        free(path);
    }
    folder_unmake(&p->folder);
}

#define INTERRUPTED                                                                                                    \
    "interrupted; what is finished is kept in %s: the same command with --resume "                                     \
    "goes on from there"

/* What the run did not get to say with a result. */
static int complain_run(const plan *p, const tacit_error *err)
{
    if (err->status == TACIT_E_STOPPED)
        return cli_complain(CLI_INTERRUPTED, INTERRUPTED, p->options.journal);
    /* Settings or data that cannot work: there is nothing to go on from. */
    if ((err->status == TACIT_E_USAGE || err->status == TACIT_E_INPUT) && team_speaks())
        unmake(p);
    return cli_fail(err);
}

/* The summary, one way or the other. */
static int show_summary(const plan *p, const char *summary, bool finished, bool pages)
{
    const experiment_settings *s = p->settings;
    const char *expected = tacit_schema_about(p->schema, "sha256");
    int code;

    if (s->json)
        fputs(summary, stdout);
    if (s->json || s->quiet)
        return CLI_DONE;
    code = experiment_view(summary);
    putchar('\n');
    if (finished)
        printf("It was finished already: nothing was run.\n");
    if (*expected && strcmp(expected, tacit_table_hash(p->table)) != 0)
        printf("%sThe data file is not the one the schema was made for: its SHA-256 differs.%s\n", term_on(STYLE_WARN),
               term_on(STYLE_PLAIN));
    if (!pages)
        printf("report.html is left out: this Tacit was built without pages.\n");
    printf("results.csv, seconds.csv, summary.json%s: ", pages ? ", report.html" : "");
    term_print(STYLE_PLAIN, p->folder.path);
    putchar('\n');
    return code;
}

static int run_trials(plan *p)
{
    tacit_experiment *experiment = NULL;
    term_progress progress;
    char *summary = NULL, *last_words;
    bool pages = true;
    tacit_error err = {0};
    tacit_status status;
    int code = team_speaks() ? folder_make(&p->folder) : CLI_DONE;

    if (code != CLI_DONE)
        return code;
    progress_start(&progress, "experiment", p->settings->quiet);
    p->options.progress_context = &progress;
    p->options.journal = p->folder.files[FOLDER_JOURNAL];
    last_words = cli_format("tacit: " INTERRUPTED "\n", p->options.journal);
    cli_set_last_words(last_words);
    status = tacit_experiment_run(&experiment, p->table, p->schema, &p->options, &err);
    cli_set_last_words(NULL);
    free(last_words);
    progress_end(&progress);
    if (status)
        return complain_run(p, &err);
    if (!team_speaks())
        return CLI_DONE;
    code = folder_write(&p->folder, experiment, &summary, &pages);
    if (code == CLI_DONE)
        code = show_summary(p, summary, false, pages);
    tacit_text_free(summary);
    tacit_experiment_free(experiment);
    return code;
}

/* A folder that holds results and no journal, and --resume. */
static int show_finished(const plan *p)
{
    char *summary = NULL;
    int code = folder_compare(&p->folder, p->table, &p->options, &summary);

    if (code == CLI_DONE)
        code = show_summary(p, summary, true, access(p->folder.files[FOLDER_REPORT], F_OK) == 0);
    free(summary);
    return code;
}

/* Of several processes the first one has looked into the folder: what it found holds for all. */
static int look_together(plan *p)
{
    const tacit_team *team = team_get();
    bool mine[] = {p->folder.has_journal, p->folder.has_summary};
    bool(*all)[2];
    tacit_error err = {0};
    int code = CLI_DONE;

    if (!team)
        return CLI_DONE;
    all = cli_alloc(team->size, sizeof(*all));
    if (team->share(team->context, mine, sizeof(mine), all, &err))
        code = cli_fail(&err);
    p->folder.has_journal = all[0][0];
    p->folder.has_summary = all[0][1];
    free(all);
    return code;
}

static int run_experiment(const cli_args *args, void *settings)
{
    plan p = {.settings = settings, .data = args->operands[0]};
    const experiment_settings *s = settings;
    int code = check_settings(args, s);

    if (code != CLI_DONE)
        return code;
    folder_look(&p.folder, s->output);
    code = make_options(&p);
    if (code == CLI_DONE)
        code = look_together(&p);
    if (code == CLI_DONE)
        code = folder_refuse_overwrite(&p.folder, p.data);
    if (code == CLI_DONE)
        code = folder_refuse_overwrite(&p.folder, s->schema);
    if (code == CLI_DONE && p.folder.has_journal && !s->resume)
        code = cli_complain(CLI_USAGE,
                            "%s holds an experiment that is not finished: add --resume to go on with it, or remove "
                            "%s to begin anew",
                            s->output, p.folder.files[FOLDER_JOURNAL]);
    if (code == CLI_DONE)
        code = read_data(&p);
    if (code == CLI_DONE && s->resume && p.folder.has_summary && !p.folder.has_journal)
        code = team_speaks() ? show_finished(&p) : CLI_DONE;
    else if (code == CLI_DONE)
        code = run_trials(&p);
    if (code == CLI_DONE && team_speaks())
        data_in_note_few(p.table, s->test_share);
    folder_free(&p.folder);
    tacit_table_free(p.table);
    tacit_schema_free(p.schema);
    free(p.models);
    free(p.methods);
    free(p.sizes);
    free(p.deltas);
    return code;
}

static const experiment_settings defaults = {.sizes = usual_sizes,
                                             .delta = "0,0.05,0.1,0.2,0.3",
                                             .models = "logistic,mlp",
                                             .methods = "baseline,opt,paper,tacit",
                                             .hidden = "10,10",
                                             .reps = 100,
                                             .grid_people = 20,
                                             .epochs = 300,
                                             .batch = 32,
                                             .test_share = 0.3,
                                             .seed = 1};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .argument = "FOLDER",
     .help = "Where results.csv, seconds.csv, summary.json and report.html go; made if it is not there.",
     .offset = offsetof(experiment_settings, output),
     .heading = "What to run"},
    {.name = "schema",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Take attributes, domains, costs and the label from this file. What it says about reading CSV holds "
             "unless an option says otherwise.",
     .offset = offsetof(experiment_settings, schema)},
    {.name = "label",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .help = "The column to predict; without --schema the rest is found out.",
     .offset = offsetof(experiment_settings, label)},
    {.name = "drop",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns to leave out.",
     .offset = offsetof(experiment_settings, drop)},
    {.name = "category",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Columns that are categories, even if they hold numbers.",
     .offset = offsetof(experiment_settings, categories)},
    {.name = "encode",
     .kind = CLI_WORD,
     .argument = "HOW",
     .help = "Categories as numbers: onehot (default) or ordinal.",
     .offset = offsetof(experiment_settings, encoding),
     .words = encodings},
    {.name = "sizes",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "How many attributes are sensitive, as in 2-7 or 2,4,6. Default: 2-7, as far as there are attributes.",
     .offset = offsetof(experiment_settings, sizes)},
    {.name = "reps",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Repetitions, each with its own split, models and draw of sensitive attributes. Default: 100.",
     .offset = offsetof(experiment_settings, reps),
     .min = 1,
     .max = 1e6},
    {.name = "delta",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Promises, separated by commas. Default: 0,0.05,0.1,0.2,0.3.",
     .offset = offsetof(experiment_settings, delta)},
    {.name = "model",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "logistic, mlp, trees, or several of them. Default: logistic,mlp.",
     .offset = offsetof(experiment_settings, models)},
    {.name = "methods",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "baseline (everything is asked), opt (the smallest set, known beforehand), paper (the entropy rule), "
             "tacit (our rules). Default: all.",
     .offset = offsetof(experiment_settings, methods)},
    {.name = "test-share",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Share of rows held out: the people who are asked. Default: 0.3.",
     .offset = offsetof(experiment_settings, test_share),
     .min = 0,
     .max = 1,
     .above_min = true,
     .below_max = true},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Repetition r, from 0, has seed N + r. Default: 1.",
     .offset = offsetof(experiment_settings, seed)},
    {.name = "resume",
     .kind = CLI_FLAG,
     .help = "Go on with a run that was cut off. The results are those of a run that was not.",
     .offset = offsetof(experiment_settings, resume),
     .heading = "Running"},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores. The results do not depend on it.",
     .offset = offsetof(experiment_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "json",
     .kind = CLI_FLAG,
     .help = "Print the summary as JSON instead of tables.",
     .offset = offsetof(experiment_settings, json)},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .help = "No tables, no progress bar.",
     .offset = offsetof(experiment_settings, quiet)},
    CLI_NETWORK_OPTIONS(experiment_settings, "300.", "32.",
                        "a step. Default: 0.001. Trees: the share of each that counts, at "
                        "most 1. Default: 0.1.",
                        ". Default: 0.", "."),
    {.name = "opt-people",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Find the smallest sets of so many people per repetition and size only; 0 (default): of all.",
     .offset = offsetof(experiment_settings, opt_people),
     .max = 1e9},
    {.name = "grid-people",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Put the paper's grid test beside the proof for so many people per repetition and size. Default: 20.",
     .offset = offsetof(experiment_settings, grid_people),
     .max = 1e9},
    CLI_TREE_OPTIONS(experiment_settings),
    CLI_CSV_OPTIONS(experiment_settings, csv),
    CLI_DATA_OPTIONS(experiment_settings, skip_unlabelled),
    {0},
};

const cli_command cli_command_experiment = {
    .name = "experiment",
    .summary = "the paper's evaluation on a data set",
    .usage = "DATA.csv --schema FILE -o FOLDER [options]",
    .text = "Trains models on a part of DATA.csv, draws some attributes as sensitive, runs the questionnaire of "
            "everybody held out by several methods, and does it all again with another split and another draw. "
            "Finished repetitions are kept in FOLDER/journal.jsonl until all are done.",
    .examples = "tacit experiment bank-full.csv --schema bank.json -o bank\n"
                "tacit experiment bank-full.csv --schema bank.json -o bank --resume\n"
                "tacit experiment loans.csv --label outcome -o loans --sizes 2,4 --reps 10",
    .options = options,
    .operands = (const char *const[]){"DATA.csv", NULL},
    .team = true,
    .settings_size = sizeof(experiment_settings),
    .defaults = &defaults,
    .run = run_experiment,
};

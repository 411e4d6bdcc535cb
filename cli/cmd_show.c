/*
 * cmd_show.c -- tacit show: what is in a model file.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration_view.h"
#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "jsonout.h"
#include "terminal.h"

typedef struct show_settings {
    bool json, weights;
} show_settings;

/* ---- the weights, which only the file has: read as JSON after the library has checked it ---- */

typedef struct weights {
    json_t *root;
    const json_t *rows, *bias; /* linear: one row per score */
    const json_t *layers;      /* networks: objects with weights (one row per neuron) and bias; else NULL */
} weights;

static int read_weights(weights *out, const char *path)
{
    json_error_t error;
    const json_t *classifier;

    memset(out, 0, sizeof(*out));
    out->root = json_load_file(path, 0, &error);
    classifier = json_object_get(out->root, "classifier");
    out->rows = json_object_get(classifier, "weights");
    out->bias = json_object_get(classifier, "bias");
    out->layers = json_object_get(classifier, "layers");
    if (out->layers)
        return CLI_DONE;
    if (json_array_size(out->rows) == 0 || json_array_size(out->bias) != json_array_size(out->rows))
        return cli_complain(CLI_INPUT, "%s: a model of this kind has no weights to show", path);
    return CLI_DONE;
}

/* Calls `line` for every input in order, with its attribute and, for one-hot categories, its level. */
static void for_inputs(const tacit_schema *schema,
                       void (*line)(void *context, size_t input, const tacit_attribute *a, const char *level),
                       void *context)
{
    size_t input = 0;

    for (size_t i = 0; i < tacit_schema_attributes(schema); i++) {
        const tacit_attribute *a = tacit_schema_attribute(schema, i);
        bool onehot = a->type == TACIT_CATEGORY && a->encoding == TACIT_ONEHOT;

        for (size_t k = 0; k < (onehot ? a->n_levels : 1); k++)
            line(context, input++, a, onehot ? a->levels[k] : NULL);
    }
}

typedef struct weight_lines {
    const weights *w;
    term_table *table;
    json_out *json;
} weight_lines;

static double weight_at(const weights *w, size_t score, size_t input)
{
    return json_number_value(json_array_get(json_array_get(w->rows, score), input));
}

static void add_weight_line(void *context, size_t input, const tacit_attribute *a, const char *level)
{
    weight_lines *lines = context;
    char *name = level ? cli_format("%s = %s", a->name, level) : cli_format("%s", a->name);
    char *cut = term_clean(name, 36);

    table_cell(lines->table, STYLE_PLAIN, "%s", cut);
    for (size_t s = 0; s < json_array_size(lines->w->rows); s++)
        table_cell(lines->table, STYLE_PLAIN, "%.4f", weight_at(lines->w, s, input));
    free(cut);
    free(name);
}

static void add_weight_json(void *context, size_t input, const tacit_attribute *a, const char *level)
{
    weight_lines *lines = context;

    json_begin(lines->json, NULL, '{');
    json_text(lines->json, "attribute", a->name);
    if (level)
        json_text(lines->json, "level", level);
    json_begin(lines->json, "weights", '[');
    for (size_t s = 0; s < json_array_size(lines->w->rows); s++)
        json_number(lines->json, NULL, weight_at(lines->w, s, input));
    json_end(lines->json, ']');
    json_end(lines->json, '}');
}

/* One matrix of a network, number by number, as JSON. */
static void layer_json(json_out *json, const json_t *layer)
{
    const json_t *rows = json_object_get(layer, "weights"), *bias = json_object_get(layer, "bias");

    json_begin(json, NULL, '{');
    json_begin(json, "weights", '[');
    for (size_t j = 0; j < json_array_size(rows); j++) {
        const json_t *row = json_array_get(rows, j);

        json_begin(json, NULL, '[');
        for (size_t i = 0; i < json_array_size(row); i++)
            json_number(json, NULL, json_number_value(json_array_get(row, i)));
        json_end(json, ']');
    }
    json_end(json, ']');
    json_begin(json, "bias", '[');
    for (size_t j = 0; j < json_array_size(bias); j++)
        json_number(json, NULL, json_number_value(json_array_get(bias, j)));
    json_end(json, ']');
    json_end(json, '}');
}

static void weights_json(json_out *json, const tacit_schema *schema, const weights *w)
{
    weight_lines lines = {.w = w, .json = json};

    if (w->layers) {
        json_begin(json, "layers", '[');
        for (size_t l = 0; l < json_array_size(w->layers); l++)
            layer_json(json, json_array_get(w->layers, l));
        json_end(json, ']');
        return;
    }
    json_begin(json, "bias", '[');
    for (size_t s = 0; s < json_array_size(w->bias); s++)
        json_number(json, NULL, json_number_value(json_array_get(w->bias, s)));
    json_end(json, ']');
    json_begin(json, "weights", '[');
    for_inputs(schema, add_weight_json, &lines);
    json_end(json, ']');
}

/* ---- for people ---- */

/* Put `more`, which it frees, behind `text`. */
static char *add_words(char *text, char *more)
{
    char *longer = cli_format("%s%s", text, more);

    free(text);
    free(more);
    return longer;
}

static void add_input_name(void *context, size_t input, const tacit_attribute *a, const char *level)
{
    char **text = context;
    const char *comma = input ? ", " : "";

    *text =
        add_words(*text, level ? cli_format("%s%s = %s", comma, a->name, level) : cli_format("%s%s", comma, a->name));
}

/* One neuron: its number, bias and weights in the order of what it reads. */
static void print_neuron(size_t number, double bias, const json_t *row)
{
    char *text = cli_format("bias %.4f; weights", bias);

    for (size_t i = 0; i < json_array_size(row); i++)
        text = add_words(text, cli_format(" %.4f", json_number_value(json_array_get(row, i))));
    printf("  %4zu  ", number);
    term_wrap(stdout, 8, 8, term.width - 1, text);
    free(text);
}

static void print_layers(const tacit_schema *schema, const weights *w)
{
    size_t n_layers = json_array_size(w->layers);
    char *text = cli_format("reads ");
    char *clean;

    for_inputs(schema, add_input_name, &text);
    clean = term_clean(text, 0);
    for (size_t l = 0; l < n_layers; l++) {
        const json_t *layer = json_array_get(w->layers, l), *rows = json_object_get(layer, "weights");
        char *heading = l + 1 < n_layers ? cli_format("Hidden layer %zu", l + 1) : cli_format("Scores");

        term_heading(heading);
        fputs("  ", stdout);
        if (l == 0)
            term_wrap(stdout, 2, 4, term.width - 1, clean);
        else
            printf("reads hidden layer %zu\n", l);
        for (size_t j = 0; j < json_array_size(rows); j++)
            print_neuron(j + 1, json_number_value(json_array_get(json_object_get(layer, "bias"), j)),
                         json_array_get(rows, j));
        free(heading);
    }
    free(clean);
    free(text);
}

static void print_weights(const tacit_schema *schema, const weights *w)
{
    size_t scores = json_array_size(w->rows);
    char *alignment = cli_alloc(scores + 2, 1);
    weight_lines lines = {.w = w};

    memset(alignment, 'r', scores + 1);
    alignment[0] = 'l';
    lines.table = table_new(alignment);
    term_heading("Weights, for inputs scaled to -1 ... 1 and one-hot levels 0 or 1");
    table_cell(lines.table, STYLE_PLAIN, "%s", "input");
    for (size_t s = 0; s < scores; s++)
        table_cell(lines.table, STYLE_PLAIN, "%s", tacit_schema_class(schema, scores == 1 ? 1 : s));
    table_cell(lines.table, STYLE_PLAIN, "%s", "(bias)");
    for (size_t s = 0; s < scores; s++)
        table_cell(lines.table, STYLE_PLAIN, "%.4f", json_number_value(json_array_get(w->bias, s)));
    for_inputs(schema, add_weight_line, &lines);
    table_print(lines.table, 2);
    free(alignment);
}

static bool costs_differ(const tacit_schema *schema)
{
    for (size_t i = 0; i < tacit_schema_attributes(schema); i++)
        if (tacit_schema_attribute(schema, i)->cost != 1)
            return true;
    return false;
}

static void print_attributes(const tacit_schema *schema)
{
    bool costs = costs_differ(schema);
    term_table *table = table_new(costs ? "lllrl" : "llll");
    static const char *const heads[] = {"name", "role", "type"};
    size_t widest = 4, room;

    for (size_t i = 0; i < tacit_schema_attributes(schema); i++) {
        size_t columns = term_columns(tacit_schema_attribute(schema, i)->name);

        widest = columns > widest ? columns : widest;
    }
    widest = widest < 28 ? widest : 28;
    room = term.width - 2 - widest - 2 - 9 - 2 - 8 - 2 - (costs ? 8 : 0) - 1;
    term_heading("Attributes");
    for (size_t i = 0; i < 3; i++)
        table_cell(table, STYLE_PLAIN, "%s", heads[i]);
    if (costs)
        table_cell(table, STYLE_PLAIN, "%s", "cost");
    table_cell(table, STYLE_PLAIN, "%s", "domain");
    for (size_t i = 0; i < tacit_schema_attributes(schema); i++) {
        const tacit_attribute *a = tacit_schema_attribute(schema, i);
        char *domain = describe_domain_short(a), *cut = term_clean(domain, room), *name = term_clean(a->name, 28);

        table_cell(table, STYLE_PLAIN, "%s", name);
        table_cell(table, a->role == TACIT_PUBLIC ? STYLE_DIM : STYLE_PLAIN, "%s", describe_role(a->role));
        table_cell(table, STYLE_PLAIN, "%s", describe_type(a->type));
        if (costs)
            table_cell(table, STYLE_PLAIN, "%g", a->cost);
        table_cell(table, STYLE_PLAIN, "%s", cut);
        free(name);
        free(cut);
        free(domain);
    }
    table_print(table, 2);
}

/* What the domains do not say. */
static void print_as_given(const tacit_model *model)
{
    const tacit_schema *schema = tacit_model_schema(model);
    bool number = false, whole = false;

    for (size_t a = 0; a < tacit_schema_attributes(schema); a++) {
        number = number || tacit_model_as_given(model, a);
        whole = whole || (tacit_model_as_given(model, a) && tacit_schema_attribute(schema, a)->type == TACIT_INTEGER);
    }
    if (!number)
        return;
    fputs("  ", stdout);
    term_wrap(stdout, 2, 2, term.width,
              whole ? "Numbers count as they are, also beyond these ends; proofs take integers for whole numbers."
                    : "Numbers count as they are, also beyond these ends.");
}

static void print_remarks(const tacit_schema *schema)
{
    if (tacit_schema_remarks(schema) == 0)
        return;
    term_heading("Remarks");
    for (size_t i = 0; i < tacit_schema_remarks(schema); i++) {
        char *text = term_clean(tacit_schema_remark(schema, i)->text, 0);

        fputs("  ", stdout);
        term_wrap(stdout, 2, 4, term.width, text);
        free(text);
    }
}

/* A line of where a model comes from. */
static void print_origin(const char *what, const char *text)
{
    printf("  %-10s  ", what);
    term_wrap(stdout, 14, 14, term.width, text);
}

static void print_origin_and_free(const char *what, char *text)
{
    print_origin(what, text);
    free(text);
}

/* In two halves where one line has no room for it. */
static void print_hash(const char *what, const char *hash)
{
    size_t half;

    hash = *hash ? hash : "not known";
    half = 14 + strlen(hash) > term.width ? strlen(hash) / 2 : strlen(hash);
    printf("  %-10s  %.*s\n", what, (int)half, hash);
    if (hash[half])
        printf("%14s%s\n", "", hash + half);
}

static void print_provenance(const tacit_model_info *info)
{
    char rows[32], share[24], *text;

    term_heading("Where it comes from");
    term_count(info->train_rows, rows, sizeof(rows));
    term_percent(info->train_accuracy, 2, share, sizeof(share));
    if (info->origin == TACIT_ORIGIN_IMPORTED)
        print_origin("origin", "imported: nobody here knows on whom it was trained");
    else if (info->origin == TACIT_ORIGIN_UNKNOWN)
        printf("  origin      not known\n");
    printf("  %s  %s rows, %s right\n", info->origin == TACIT_ORIGIN_TRAINED ? "trained on" : "made with ", rows,
           share);
    term_count(info->test_rows, rows, sizeof(rows));
    term_percent(info->test_accuracy, 2, share, sizeof(share));
    if (info->test_rows)
        printf("  tested on   %s rows held out, %s right\n", rows, share);
    else
        printf("  tested on   nothing\n");
    print_origin_and_free("settings", cli_format("seed %llu, test share %g, l2 %g%s", (unsigned long long)info->seed,
                                                 info->test_share, info->l2,
                                                 info->l2_chosen                       ? ", chosen by trial"
                                                 : info->standardised && !info->epochs ? ", standardised"
                                                                                       : ""));
    if (info->threshold > 0)
        print_origin_and_free("threshold", cli_format("the second class from the probability %g on", info->threshold));
    if (info->in_order)
        printf("  rounding    proofs are for sums in the order of the trees\n");
    if (info->depth)
        printf("  boosting    depth %zu at most, rate %g\n", info->depth, info->rate);
    if (info->epochs) {
        char momentum[40] = "";

        if (info->momentum > 0)
            snprintf(momentum, sizeof(momentum), ", momentum %g", info->momentum);
        text = cli_format("%zu epochs%s, batch %zu, rate %g%s%s%s%s; mean loss %.4f", info->epochs_run,
                          info->epochs_run < info->epochs ? " until the loss stayed" : "", info->batch, info->rate,
                          info->cosine ? " falling to 0" : "", momentum, info->adam ? ", Adam" : "",
                          info->standardised ? ", inputs standardised" : "", info->loss);
        printf("  descent     ");
        term_wrap(stdout, 14, 14, term.width - 1, text);
        free(text);
    }
    text = term_clean(info->version, 0);
    printf("  made by     tacit %s\n", text);
    free(text);
    if (info->has_reference)
        print_origin("reference", "how the values of the training rows were spread, to tell drift by");
    print_hash("data hash", info->data_hash);
    print_hash("model hash", info->model_hash);
}

static void print_text(const char *path, const tacit_model *model)
{
    const tacit_schema *schema = tacit_model_schema(model);
    const tacit_model_info *info = tacit_model_info_get(model);
    size_t n = tacit_schema_attributes(schema), sensitive = 0;
    char *text = NULL;

    for (size_t i = 0; i < n; i++)
        sensitive += tacit_schema_attribute(schema, i)->role == TACIT_SENSITIVE;
    term_print(STYLE_BOLD, path);
    if (info->trees > 0)
        text = cli_format("%s model, %zu attribute%s (%zu sensitive, %zu public), %zu tree%s with %zu leaves",
                          info->kind, n, n == 1 ? "" : "s", sensitive, n - sensitive, info->trees,
                          info->trees == 1 ? "" : "s", info->leaves);
    else
        text = cli_format("%s model, %zu attribute%s (%zu sensitive, %zu public), %zu inputs%s%s", info->kind, n,
                          n == 1 ? "" : "s", sensitive, n - sensitive, info->inputs,
                          *info->hidden ? ", hidden layers " : "", info->hidden);
    printf("\n  ");
    term_wrap(stdout, 2, 4, term.width - 1, text);
    free(text);
    text = cli_format("decides %s:", tacit_schema_label(schema));
    for (size_t i = 0; i < tacit_schema_classes(schema); i++) {
        char *longer = cli_format("%s%s %s", text, i ? "," : "", tacit_schema_class(schema, i));

        free(text);
        text = longer;
    }
    {
        char *clean = term_clean(text, 0);

        fputs("  ", stdout);
        term_wrap(stdout, 2, 4, term.width - 1, clean);
        free(clean);
    }
    free(text);
    print_attributes(schema);
    print_as_given(model);
    print_remarks(schema);
    if (tacit_model_calibration(model))
        calibration_view(model);
    print_provenance(info);
}

/* ---- for machines ---- */

static void attribute_json(json_out *json, const tacit_attribute *a)
{
    json_begin(json, NULL, '{');
    json_text(json, "name", a->name);
    json_text(json, "role", describe_role(a->role));
    json_text(json, "type", describe_type(a->type));
    if (a->type == TACIT_CATEGORY) {
        json_text(json, "encoding", a->encoding == TACIT_ONEHOT ? "onehot" : "ordinal");
        json_begin(json, "levels", '[');
        for (size_t k = 0; k < a->n_levels; k++)
            json_text(json, NULL, a->levels[k]);
        json_end(json, ']');
    } else {
        json_number(json, "min", a->min);
        json_number(json, "max", a->max);
    }
    json_number(json, "cost", a->cost);
    json_text(json, "missing", a->missing_is_value ? "value" : "refused");
    json_text(json, "special", *a->special ? a->special : NULL);
    json_text(json, "question", a->question);
    json_text(json, "help", a->help);
    json_end(json, '}');
}

static void provenance_json(json_out *json, const tacit_model_info *info)
{
    char *seed = cli_format("%llu", (unsigned long long)info->seed);

    json_begin(json, "provenance", '{');
    json_text(json, "origin", tacit_origin_name(info->origin));
    json_count(json, "train_rows", info->train_rows);
    json_count(json, "test_rows", info->test_rows);
    json_number(json, "train_accuracy", info->train_accuracy);
    json_number(json, "test_accuracy", info->test_accuracy);
    json_number(json, "test_share", info->test_share);
    json_text(json, "seed", seed); /* as in the model file: 64 bits do not fit every reader's numbers */
    json_number(json, "l2", info->l2);
    if (!info->epochs)
        json_truth(json, "standardised", info->standardised);
    json_count(json, "clipped", info->clipped);
    json_count(json, "missing", info->missing);
    if (info->threshold > 0)
        json_number(json, "threshold", info->threshold);
    if (info->epochs) {
        json_begin(json, "training", '{');
        json_count(json, "epochs", info->epochs);
        json_count(json, "epochs_run", info->epochs_run);
        json_count(json, "batch", info->batch);
        json_number(json, "rate", info->rate);
        json_number(json, "momentum", info->momentum);
        json_truth(json, "adam", info->adam);
        json_count(json, "patience", info->patience);
        json_truth(json, "cosine", info->cosine);
        json_truth(json, "standardised", info->standardised);
        json_truth(json, "l2_chosen", info->l2_chosen);
        json_number(json, "loss", info->loss);
        json_end(json, '}');
    }
    if (info->depth) {
        json_begin(json, "boosting", '{');
        json_count(json, "depth", info->depth);
        json_number(json, "rate", info->rate);
        json_end(json, '}');
    }
    json_text(json, "data_hash", info->data_hash);
    json_text(json, "model_hash", info->model_hash);
    json_text(json, "version", info->version);
    json_end(json, '}');
    free(seed);
}

static void calibration_json(json_out *json, const tacit_calibration *c)
{
    json_begin(json, "calibration", '{');
    json_count(json, "people", c->people);
    json_number(json, "alpha", c->alpha);
    json_text(json, "data_hash", c->data_hash);
    json_begin(json, "levels", '[');
    for (size_t k = 0; k < c->n_rows; k++) {
        const tacit_calibration_row *row = &c->rows[k];

        json_begin(json, NULL, '{');
        json_number(json, "confidence", row->confidence);
        json_count(json, "stopped", row->stopped);
        json_count(json, "failed", row->failed);
        json_number(json, "bound", row->bound);
        json_begin(json, "margins", '[');
        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            json_begin(json, NULL, '{');
            json_count(json, "stopped", row->marginal[m]);
            json_count(json, "failed", row->marginal_failed[m]);
            json_number(json, "bound", row->marginal_bound[m]);
            json_end(json, '}');
        }
        json_end(json, ']');
        json_number(json, "delta", row->delta);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_end(json, '}');
}

static void remarks_json(json_out *json, const tacit_schema *schema)
{
    json_begin(json, "remarks", '[');
    for (size_t i = 0; i < tacit_schema_remarks(schema); i++) {
        const tacit_remark *remark = tacit_schema_remark(schema, i);

        json_begin(json, NULL, '{');
        json_text(json, "kind", remark->kind);
        json_begin(json, "columns", '[');
        for (size_t k = 0; k < remark->n_columns; k++)
            json_text(json, NULL, remark->columns[k]);
        json_end(json, ']');
        json_text(json, "text", remark->text);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void print_json(const tacit_model *model, const weights *w)
{
    const tacit_schema *schema = tacit_model_schema(model);
    const tacit_model_info *info = tacit_model_info_get(model);
    json_out json = {0};

    json_begin(&json, NULL, '{');
    json_text(&json, "kind", info->kind);
    json_count(&json, "inputs", info->inputs);
    if (*info->hidden)
        json_text(&json, "hidden", info->hidden);
    if (info->trees > 0) {
        json_count(&json, "trees", info->trees);
        json_count(&json, "leaves", info->leaves);
        if (info->in_order)
            json_text(&json, "rounding", "program");
    }
    json_text(&json, "label", tacit_schema_label(schema));
    json_begin(&json, "classes", '[');
    for (size_t i = 0; i < tacit_schema_classes(schema); i++)
        json_text(&json, NULL, tacit_schema_class(schema, i));
    json_end(&json, ']');
    json_begin(&json, "attributes", '[');
    for (size_t i = 0; i < tacit_schema_attributes(schema); i++)
        attribute_json(&json, tacit_schema_attribute(schema, i));
    json_end(&json, ']');
    if (w->root)
        weights_json(&json, schema, w);
    if (tacit_model_calibration(model))
        calibration_json(&json, tacit_model_calibration(model));
    remarks_json(&json, schema);
    provenance_json(&json, info);
    json_end(&json, '}');
}

static int run_show(const cli_args *args, void *settings)
{
    const show_settings *s = settings;
    const char *path = args->operands[0];
    tacit_model *model = NULL;
    weights w = {0};
    int code;

    if (s->weights && strcmp(path, "-") == 0)
        return cli_complain(CLI_USAGE, "show: --weights needs a file, not standard input");
    code = cli_load_model(&model, path, NULL, NULL);
    if (code == CLI_DONE && s->weights)
        code = read_weights(&w, path);
    if (code == CLI_DONE && s->json) {
        print_json(model, &w);
    } else if (code == CLI_DONE) {
        print_text(path, model);
        if (s->weights && w.layers)
            print_layers(tacit_model_schema(model), &w);
        else if (s->weights)
            print_weights(tacit_model_schema(model), &w);
    }
    json_decref(w.root);
    tacit_model_free(model);
    return code;
}

static const cli_option options[] = {
    {.name = "weights",
     .kind = CLI_FLAG,
     .help = "The weights too, those of a network layer by layer.",
     .offset = offsetof(show_settings, weights)},
    {.name = "json", .kind = CLI_FLAG, .help = "Print it as JSON.", .offset = offsetof(show_settings, json)},
    {0},
};

const cli_command cli_command_show = {
    .name = "show",
    .summary = "what is in a model file",
    .usage = "MODEL [--weights] [--json]",
    .text = "Attributes with their domains, roles and costs, the classifier, how good it is and where it comes from.",
    .examples = "tacit show loans.tacit",
    .options = options,
    .operands = (const char *const[]){"MODEL", NULL},
    .settings_size = sizeof(show_settings),
    .run = run_show,
};

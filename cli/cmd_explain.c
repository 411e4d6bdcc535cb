/*
 * cmd_explain.c -- tacit explain: one person of a file.  What was asked in which order and what followed, the least
 * that would have settled it, and which single change would turn the decision.  The person's own values are never
 * printed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_said.h"
#include "basis_json.h"
#include "calibration_view.h"
#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "jsonout.h"
#include "terminal.h"
#include "words.h"

typedef struct explain_settings {
    size_t row;
    double delta;
    const char *rule, *sensitive, *public_;
    uint64_t seed;
    bool json, no_opt;
    size_t lang; /* of audit_languages */
    tacit_csv_options csv;
} explain_settings;

/* Everything there is to say. */
typedef struct explanation {
    const tacit_schema *schema;
    size_t row;
    double delta;
    const char *lang;
    tacit_rule rule;
    tacit_model *model;
    tacit_person *person;
    tacit_session *session;
    tacit_decision decision;
    tacit_basis *basis; /* for machines only */
    size_t full_label;
    session_lists lists;
    size_t *core, n_core;
    bool no_core;          /* it was not looked for */
    size_t least_core;     /* every one has so many members; fewer than n_core: a smaller one may exist */
    tacit_change *changes; /* one per attribute */
    /* attributes, all of them sensitive */
    size_t *indispensable, *undecided, *spare;
    size_t n_indispensable, n_undecided, n_spare;
} explanation;

static void explanation_clear(explanation *e)
{
    session_lists_clear(&e->lists);
    free(e->core);
    free(e->indispensable);
    free(e->undecided);
    free(e->spare);
    if (e->changes)
        explicit_bzero(e->changes, tacit_schema_attributes(e->schema) * sizeof(*e->changes));
    free(e->changes);
    tacit_basis_free(e->basis);
    tacit_session_free(e->session);
    tacit_person_free(e->person);
    tacit_model_free(e->model);
}

/* What the person could have kept.  Nothing is spare where nothing is proven. */
static int find_needs(explanation *e)
{
    bool proven = e->decision.settled == TACIT_CERTAIN || e->decision.settled == TACIT_ALL_REVEALED;
    size_t n = tacit_schema_attributes(e->schema);
    tacit_need *needs = cli_alloc(n, sizeof(*needs));
    bool *spare = cli_alloc(n, sizeof(*spare));
    tacit_error err = {0};
    int code = CLI_DONE;

    e->indispensable = cli_alloc(n, sizeof(size_t));
    e->undecided = cli_alloc(n, sizeof(size_t));
    e->spare = cli_alloc(n, sizeof(size_t));
    if (tacit_needs_of(e->person, e->lists.given, e->lists.n_given, needs, spare, &err))
        code = cli_fail(&err);
    for (size_t a = 0; a < n && code == CLI_DONE; a++) {
        if (needs[a] == TACIT_NEED_INDISPENSABLE)
            e->indispensable[e->n_indispensable++] = a;
        if (needs[a] == TACIT_NEED_UNDECIDED)
            e->undecided[e->n_undecided++] = a;
        if (proven && spare[a])
            e->spare[e->n_spare++] = a;
    }
    free(needs);
    free(spare);
    return code;
}

static int explanation_fill(explanation *e, const char *path, const explain_settings *s)
{
    tacit_release_options options = {.delta = s->delta, .rule = e->rule, .seed = s->seed};
    size_t n = tacit_schema_attributes(e->schema);
    tacit_error err = {0};
    double least = 0;

    e->core = cli_alloc(n, sizeof(size_t));
    e->no_core = s->no_opt;
    e->changes = cli_alloc(n, sizeof(*e->changes));
    if (tacit_person_read_row(&e->person, e->model, path, &s->csv, s->row, &err) ||
        tacit_session_open(&e->session, e->model, &options, &err) ||
        tacit_session_replay(e->session, e->person, &err) || tacit_session_decision(e->session, &e->decision, &err) ||
        (s->json && tacit_session_basis(&e->basis, e->session, &err)) ||
        (!s->no_opt && tacit_smallest_core_least(e->person, false, e->core, &e->n_core, &least, &err)))
        return cli_fail(&err);
    e->least_core = (size_t)least;
    for (size_t a = 0; a < n; a++)
        if (tacit_change_of(e->person, a, &e->changes[a], &err))
            return cli_fail(&err);
    e->rule = tacit_session_rule(e->session); /* what auto became */
    e->full_label = tacit_person_label(e->person);
    session_lists_fill(&e->lists, e->schema, e->session);
    return find_needs(e);
}

/* ---- for people ---- */

static void print_transcript(const explanation *e)
{
    static const char *const heads[] = {"", "asked for", "role", "then", "label so far", "probability"};
    term_table *table = table_new("rllllr");

    term_heading(WORDS("Step by step"));
    for (size_t i = 0; i < 6; i++)
        table_cell(table, STYLE_PLAIN, "%s", WORDS(heads[i]));
    for (size_t i = 0; i < tacit_session_events(e->session); i++) {
        const tacit_event *event = tacit_session_event(e->session, i);
        bool last = event->settled != TACIT_OPEN;
        char *name = term_clean(tacit_schema_name_text(e->schema, event->attribute, e->lang), 28), probability[24];

        term_percent(event->probability, 1, probability, sizeof(probability));
        table_cell(table, STYLE_DIM, "%zu", i + 1);
        table_cell(table, STYLE_PLAIN, "%s%s", name,
                   event->not_known ? WORDS(" (not known)")
                   : event->clipped ? WORDS(" (clipped)")
                                    : "");
        table_cell(table, STYLE_DIM, "%s", WORDS(describe_role(event->role)));
        table_cell(table, last ? STYLE_GOOD : STYLE_PLAIN, "%s", WORDS(tacit_settled_name(event->settled)));
        table_cell(table, STYLE_PLAIN, "%s", tacit_schema_class_text(e->schema, event->label, e->lang));
        table_cell(table, STYLE_PLAIN, "%s", probability);
        free(name);
    }
    table_print(table, 2);
}

/* "at most 2179.06419218976" with six digits, rounded so that it still turns the decision.  Free it. */
static char *shorten_change(const char *value)
{
    static const char *const words[] = {"at most ", "at least "};
    char text[40];
    double number;

    for (int up = 0; up < 2; up++) {
        size_t size = strlen(words[up]);

        if (strncmp(value, words[up], size) != 0 || !cli_parse_number(value + size, &number))
            continue;
        snprintf(text, sizeof(text), "%.6g", number);
        if (up ? strtod(text, NULL) < number : strtod(text, NULL) > number) {
            double unit = pow(10, floor(log10(fabs(number))) - 5);

            snprintf(text, sizeof(text), "%.6g", strtod(text, NULL) + (up ? unit : -unit));
        }
        return cli_format(up ? WORDS("at least %s") : WORDS("at most %s"), text);
    }
    return cli_format("%s", value);
}

/* A level as it is shown to people. */
static const char *show_change(const explanation *e, size_t attribute, const char *value)
{
    const tacit_attribute *a = tacit_schema_attribute(e->schema, attribute);

    for (size_t k = 0; k < a->n_levels; k++)
        if (strcmp(a->levels[k], value) == 0)
            return tacit_schema_level_text(e->schema, attribute, k, e->lang);
    return value;
}

static void print_changes(const explanation *e)
{
    term_table *table = table_new("lll");
    bool any = false;

    term_heading(WORDS("One change that would turn the decision"));
    table_cell(table, STYLE_PLAIN, "%s", WORDS("attribute"));
    table_cell(table, STYLE_PLAIN, "%s", WORDS("if it were"));
    table_cell(table, STYLE_PLAIN, "%s", WORDS("then"));
    for (size_t a = 0; a < tacit_schema_attributes(e->schema); a++) {
        char *name, *value;

        if (!e->changes[a].possible)
            continue;
        name = term_clean(tacit_schema_name_text(e->schema, a, e->lang), 28);
        table_cell(table, STYLE_PLAIN, "%s", name);
        value = shorten_change(show_change(e, a, e->changes[a].value));
        table_cell(table, STYLE_PLAIN, "%s", value);
        free(value);
        table_cell(table, STYLE_PLAIN, "%s", tacit_schema_class_text(e->schema, e->changes[a].label, e->lang));
        free(name);
        any = true;
    }
    if (any) {
        table_print(table, 2);
    } else {
        table_discard(table);
        puts(WORDS("  There is none: no attribute changes it alone."));
    }
}

/* The fewest that would have proven it, or how many at least and at most. */
static void print_core(const explanation *e)
{
    char *names = describe_names(e->schema, e->core, e->n_core, e->lang);
    char *text = e->least_core < e->n_core
                     ? cli_format(WORDS("at least %zu, at most %zu (%s)"), e->least_core, e->n_core, names)
                     : cli_format("%zu (%s)", e->n_core, names);

    describe_line(WORDS("least for a proof:"), e->n_core ? text : names);
    free(text);
    free(names);
}

static void print_otherwise(const explanation *e)
{
    char *text = cli_format(WORDS("With everything known it would be %s."),
                            tacit_schema_class_text(e->schema, e->full_label, e->lang));

    term_say_at(STYLE_WARN, 2, text);
    free(text);
}

static void print_text(const explanation *e)
{
    char *names = describe_count(e->lists.n_asked, e->lists.n_sensitive);
    char *text = cli_format(WORDS("Row %zu: %s, after %s"), e->row,
                            tacit_schema_class_text(e->schema, e->decision.label, e->lang), names);
    char *sure = describe_settled(e->model, &e->decision, tacit_model_confidence(e->model, e->rule, e->delta));

    term_say(STYLE_BOLD, text);
    printf("  ");
    term_wrap(stdout, 2, 2, term.width - 1, sure);
    if (e->decision.label != e->full_label)
        print_otherwise(e);
    printf(WORDS("  %s%s = %g, rule %s%s\n"), term_on(STYLE_DIM), term.delta, e->delta, tacit_rule_name(e->rule),
           term_on(STYLE_PLAIN));
    free(sure);
    sure = calibration_sentence(e->model, e->rule, e->delta);
    if (sure)
        term_say_at(STYLE_DIM, 2, sure);
    free(sure);
    free(text);
    free(names);
    if (tacit_session_events(e->session))
        print_transcript(e);
    if (e->lists.n_not_known)
        puts(WORDS("  Not known: the row has no value there; a typical one counts, or that it is not known."));
    term_heading(WORDS("What it took"));
    names = describe_names(e->schema, e->lists.not_asked, e->lists.n_not_asked, e->lang);
    describe_line(WORDS("never asked:      "), names);
    free(names);
    if (!e->no_core)
        print_core(e);
    names = describe_names(e->schema, e->indispensable, e->n_indispensable, e->lang);
    describe_line(WORDS("indispensable:    "), names);
    free(names);
    if (e->n_undecided) {
        names = describe_names(e->schema, e->undecided, e->n_undecided, e->lang);
        describe_line(WORDS("not decided:      "), names);
        free(names);
    }
    names = describe_names(e->schema, e->spare, e->n_spare, e->lang);
    describe_line(WORDS("spare answers:    "), names);
    free(names);
    print_changes(e);
}

/* ---- for machines ---- */

static void names_json(json_out *json, const char *key, const tacit_schema *schema, const size_t *attributes,
                       size_t count)
{
    json_begin(json, key, '[');
    for (size_t i = 0; i < count; i++)
        json_text(json, NULL, tacit_schema_attribute(schema, attributes[i])->name);
    json_end(json, ']');
}

static void steps_json(json_out *json, const explanation *e)
{
    json_begin(json, "steps", '[');
    for (size_t i = 0; i < tacit_session_events(e->session); i++) {
        const tacit_event *event = tacit_session_event(e->session, i);

        json_begin(json, NULL, '{');
        json_text(json, "attribute", tacit_schema_attribute(e->schema, event->attribute)->name);
        json_text(json, "role", describe_role(event->role));
        json_truth(json, "not_known", event->not_known);
        json_truth(json, "clipped", event->clipped);
        json_text(json, "status", tacit_settled_name(event->settled));
        json_text(json, "label", tacit_schema_class(e->schema, event->label));
        json_number(json, "probability", event->probability);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void changes_json(json_out *json, const explanation *e)
{
    json_begin(json, "changes", '[');
    for (size_t a = 0; a < tacit_schema_attributes(e->schema); a++) {
        const tacit_change *change = &e->changes[a];

        json_begin(json, NULL, '{');
        json_text(json, "attribute", tacit_schema_attribute(e->schema, a)->name);
        json_truth(json, "possible", change->possible);
        json_text(json, "value", change->possible ? change->value : NULL);
        json_text(json, "label", change->possible ? tacit_schema_class(e->schema, change->label) : NULL);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void print_json(const explanation *e)
{
    json_out json = {0};

    json_begin(&json, NULL, '{');
    json_count(&json, "row", e->row);
    json_number(&json, "delta", e->delta);
    json_text(&json, "rule", tacit_rule_name(e->rule));
    json_truth(&json, "calibrated", tacit_model_calibration(e->model) && e->delta > 0);
    json_number(&json, "confidence", tacit_model_confidence(e->model, e->rule, e->delta));
    json_text(&json, "label", tacit_schema_class(e->schema, e->decision.label));
    json_text(&json, "status", tacit_settled_name(e->decision.settled));
    json_number(&json, "probability", e->decision.probability);
    json_text(&json, "full_label", tacit_schema_class(e->schema, e->full_label));
    basis_json(&json, e->schema, e->basis);
    steps_json(&json, e);
    names_json(&json, "asked", e->schema, e->lists.asked, e->lists.n_asked);
    names_json(&json, "not_known", e->schema, e->lists.not_known, e->lists.n_not_known);
    names_json(&json, "not_asked", e->schema, e->lists.not_asked, e->lists.n_not_asked);
    if (!e->no_core) {
        names_json(&json, "smallest_core", e->schema, e->core, e->n_core);
        json_count(&json, "smallest_core_least", e->least_core);
    }
    names_json(&json, "indispensable", e->schema, e->indispensable, e->n_indispensable);
    names_json(&json, "undecided", e->schema, e->undecided, e->n_undecided);
    names_json(&json, "spare", e->schema, e->spare, e->n_spare);
    changes_json(&json, e);
    json_end(&json, '}');
}

static int run_explain(const cli_args *args, void *settings)
{
    const explain_settings *s = settings;
    explanation e = {.row = s->row, .delta = s->delta, .lang = audit_languages[s->lang]};
    tacit_error err = {0};
    int code = cli_check_csv(&s->csv);

    words_use(e.lang);
    if (code == CLI_DONE && s->row == 0)
        return cli_complain(CLI_USAGE, "explain: say which person: --row N, rows count from 1");
    if (code == CLI_DONE && tacit_rule_from_name(&e.rule, s->rule, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        code = cli_load_model(&e.model, args->operands[0], s->sensitive, s->public_);
    if (code == CLI_DONE) {
        e.schema = tacit_model_schema(e.model);
        code = explanation_fill(&e, args->operands[1], s);
    }
    if (code == CLI_DONE && s->json)
        print_json(&e);
    else if (code == CLI_DONE)
        print_text(&e);
    explanation_clear(&e);
    return code;
}

static const explain_settings defaults = {.rule = "auto", .seed = 1};

static const cli_option options[] = {
    {.name = "row",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Which person: data rows count from 1.",
     .offset = offsetof(explain_settings, row),
     .min = 1,
     .max = 1e15},
    {.name = "delta",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "How often the decision may differ from the one with everything known. Default: 0, never, proven.",
     .offset = offsetof(explain_settings, delta),
     .min = 0,
     .max = 0.5,
     .below_max = true},
    {.name = "rule",
     .kind = CLI_TEXT,
     .argument = "RULE",
     .help = "What to ask next: auto, entropy, margin, stop or montecarlo.",
     .offset = offsetof(explain_settings, rule)},
    {.name = "no-opt",
     .kind = CLI_FLAG,
     .help = "Do not look for the smallest set that would have proven the decision, which can take long.",
     .offset = offsetof(explain_settings, no_opt)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as sensitive and all others as public.",
     .offset = offsetof(explain_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as public and all others as sensitive.",
     .offset = offsetof(explain_settings, public_)},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "Of the montecarlo rule. Default: 1.",
     .offset = offsetof(explain_settings, seed)},
    {.name = "lang",
     .kind = CLI_WORD,
     .argument = "LANG",
     .help = "Language of what is printed: en (default) or de. JSON keeps names and codes.",
     .offset = offsetof(explain_settings, lang),
     .words = audit_languages},
    {.name = "json", .kind = CLI_FLAG, .help = "Print it as JSON.", .offset = offsetof(explain_settings, json)},
    CLI_CSV_OPTIONS(explain_settings, csv),
    {0},
};

const cli_command cli_command_explain = {
    .name = "explain",
    .summary = "one person's questionnaire, step by step",
    .usage = "MODEL PEOPLE.csv --row N [options]",
    .text =
        "Replays the questionnaire for one row of PEOPLE.csv: what was asked in which order and what was known "
        "after each answer, the "
        "smallest set of attributes that would have proven the decision, on which attributes it depends once "
        "everything else is known, which answers the proof could do without, and which change of a single attribute "
        "would turn it. "
        "The person's values are not printed.",
    .examples = "tacit explain loans.tacit loans.csv --row 17",
    .options = options,
    .operands = (const char *const[]){"MODEL", "PEOPLE.csv", NULL},
    .settings_size = sizeof(explain_settings),
    .defaults = &defaults,
    .run = run_explain,
};

/*
 * cmd_certify.c -- tacit certify: is the decision settled by what is known?
 *
 * On request with what the paper's grid test says to the same question, which is another thing than a proof.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis_json.h"
#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "jsonout.h"
#include "terminal.h"

typedef struct certify_settings {
    cli_texts known;
    double grid; /* step; 0: no grid */
    bool json;
} certify_settings;

/* What was asked, and what was found. */
typedef struct answer {
    const tacit_schema *schema;
    const tacit_person *person;
    tacit_certificate found;
    tacit_basis *basis; /* for machines only */
    double step;        /* of the grid; 0: there is none */
    tacit_grid grid;
} answer;

enum { VALUE_ROOM = 512 };

static bool is_level(const tacit_attribute *a, const char *text)
{
    for (size_t k = 0; k < a->n_levels; k++)
        if (strcmp(a->levels[k], text) == 0)
            return true;
    return false;
}

/* Does NAME= begin here, in quotes or not?  Its size, else 0; the name in `name`. */
static size_t read_name(const char *text, char name[VALUE_ROOM])
{
    size_t size = cli_unquote(text, name, VALUE_ROOM);

    if (size == 0) {
        size = strcspn(text, "=,");
        if (size >= VALUE_ROOM)
            return 0;
        snprintf(name, VALUE_ROOM, "%.*s", (int)size, text);
    }
    return text[size] == '=' && *name ? size + 1 : 0;
}

/* End of the value that starts at `text`: a comma followed by NAME= starts the next pair, any other comma belongs to
 * the value; and a level that is spelled like all the rest is that level. */
static size_t value_size(const tacit_attribute *a, const char *text)
{
    char name[VALUE_ROOM];
    size_t end = strcspn(text, ",");

    if (is_level(a, text))
        return strlen(text);
    while (text[end]) {
        const char *next = text + end + 1;

        if (read_name(next, name))
            break;
        end += 1 + strcspn(next, ",");
    }
    return end;
}

/* What is wrong with --known, to be told at once. */
typedef struct complaints {
    char *text; /* lines of two blanks each */
    size_t count;
    int code; /* of the first */
} complaints;

static void add_complaint(complaints *all, int code, char *text)
{
    char *longer = cli_format("%s\n  %s", all->text ? all->text : "", text);

    all->code = all->count++ ? all->code : code;
    free(all->text);
    all->text = longer;
    free(text);
}

/* The value of an attribute, which begins at `text`.  Returns its size. */
static size_t take_value(tacit_person *person, const tacit_schema *schema, size_t index, const char *text,
                         complaints *all)
{
    const char *name = tacit_schema_attribute(schema, index)->name;
    size_t size = value_size(tacit_schema_attribute(schema, index), text), quoted;
    char value[VALUE_ROOM];
    tacit_error err = {0};

    quoted = is_level(tacit_schema_attribute(schema, index), text) ? 0 : cli_unquote(text, value, sizeof(value));
    if (quoted && (text[quoted] == ',' || text[quoted] == '\0'))
        size = quoted;
    else
        quoted = 0;

    if (tacit_person_knows(person, index)) {
        add_complaint(all, CLI_USAGE, cli_format("%s is given twice", name));
    } else if (size >= sizeof(value)) {
        add_complaint(all, CLI_INPUT, cli_format("the value of %s is too long", name));
    } else {
        if (!quoted)
            snprintf(value, sizeof(value), "%.*s", (int)size, text);
        if (tacit_person_set(person, index, value, NULL, &err))
            add_complaint(all, err.status == TACIT_E_USAGE ? CLI_USAGE : CLI_INPUT, cli_format("%s", err.message));
    }
    explicit_bzero(value, sizeof(value));
    return size;
}

static int tell_complaints(complaints *all)
{
    tacit_error err = {.status = all->code == CLI_USAGE ? TACIT_E_USAGE : TACIT_E_INPUT};

    if (all->count == 1)
        snprintf(err.message, sizeof(err.message), "--known: %s", all->text + 3);
    else if (all->count > 1)
        snprintf(err.message, sizeof(err.message), "--known: %zu problems:%s", all->count, all->text);
    free(all->text);
    return all->count ? cli_fail(&err) : CLI_DONE;
}

/* "a=1,b=two": messages name the attribute or the place, never the value. */
static int take_known(tacit_person *person, const tacit_schema *schema, const char *text)
{
    complaints all = {0};

    while (*text) {
        char name[VALUE_ROOM];
        size_t size = read_name(text, name), index = 0;
        tacit_error err = {0};

        if (size == 0) {
            add_complaint(&all, CLI_USAGE, cli_format("expected NAME=VALUE, or several separated by commas"));
            break;
        }
        text += size;
        if (tacit_schema_lookup(schema, name, &index, &err)) {
            add_complaint(&all, CLI_USAGE, cli_format("%s", err.message));
            text += strcspn(text, ",");
        } else {
            text += take_value(person, schema, index, text, &all);
        }
        if (*text == ',' && *++text == '\0')
            add_complaint(&all, CLI_USAGE, cli_format("expected NAME=VALUE after the last comma"));
    }
    return tell_complaints(&all);
}

/* Does the grid say something else than what was proven? */
static bool is_grid_wrong(const answer *a)
{
    return a->grid.complete &&
           (a->grid.constant ? a->found.verdict == TACIT_REFUTED : a->found.verdict == TACIT_CERTIFIED);
}

/* ---- for people ---- */

static void print_witnesses(const tacit_schema *schema, const tacit_person *person, const tacit_certificate *found)
{
    term_table *table = table_new("lll");

    term_heading("Two people who agree with everything known, yet get different labels");
    table_cell(table, STYLE_PLAIN, "%s", "");
    for (int w = 0; w < 2; w++)
        table_cell(table, STYLE_BOLD, "%s", tacit_schema_class(schema, tacit_person_label(found->witness[w])));
    for (size_t a = 0; a < tacit_schema_attributes(schema); a++) {
        char text[VALUE_ROOM];

        if (tacit_person_knows(person, a))
            continue;
        table_cell(table, STYLE_PLAIN, "%s", tacit_schema_attribute(schema, a)->name);
        for (int w = 0; w < 2; w++) {
            tacit_person_text(found->witness[w], a, text, sizeof(text));
            table_cell(table, STYLE_PLAIN, "%s", text);
        }
    }
    table_print(table, 2);
}

static void print_grid(const answer *a)
{
    char points[32], *label;

    term_count(a->grid.points, points, sizeof(points));
    printf("  grid of step %g: ", a->step);
    if (!a->grid.complete) {
        printf("nothing, it has more than 100,000,000 points\n");
    } else if (a->grid.constant) {
        label = term_clean(tacit_schema_class(a->schema, a->grid.label), 0);
        if (a->grid.points == 1)
            printf("%s at its only point\n", label);
        else
            printf("%s at all %s points\n", label, points);
        free(label);
    } else {
        printf("another label at point %s\n", points);
    }
    if (is_grid_wrong(a))
        printf("  %sThe grid is wrong%s: %s\n", term_on(STYLE_WARN), term_on(STYLE_PLAIN),
               a->grid.constant ? "the label changes between its points."
                                : "nobody can be at that point, it lies between two values.");
}

/* Say what was not taken as it was given. */
static void print_taken(const answer *a)
{
    for (size_t i = 0; i < tacit_schema_attributes(a->schema); i++) {
        char *text = tacit_person_clipped(a->person, i)   ? describe_clipped(a->schema, a->person, i, "en")
                     : tacit_person_unknown(a->person, i) ? describe_not_known(a->schema, a->person, i, "en")
                                                          : NULL;
        char *clean = text ? term_clean(text, 0) : NULL;

        if (clean)
            term_say_at(STYLE_WARN, 2, clean);
        free(text);
        free(clean);
    }
}

/* Names of the attributes for which something holds. */
static void names_json(json_out *json, const char *key, const answer *a, bool (*holds)(const tacit_person *, size_t))
{
    json_begin(json, key, '[');
    for (size_t i = 0; i < tacit_schema_attributes(a->schema); i++)
        if (holds(a->person, i))
            json_text(json, NULL, tacit_schema_attribute(a->schema, i)->name);
    json_end(json, ']');
}

static void print_text(const answer *a)
{
    const tacit_schema *schema = a->schema;
    const tacit_certificate *found = &a->found;
    size_t n = tacit_schema_attributes(schema), open = 0;
    char probability[24], *label, *likely; /* or certain */

    for (size_t i = 0; i < n; i++)
        open += !tacit_person_knows(a->person, i);
    term_percent(found->probability, 1, probability, sizeof(probability));
    if (found->verdict == TACIT_CERTIFIED) {
        label = term_clean(tacit_schema_class(schema, found->label), 0);
        likely = open ? cli_format("%s, whatever the values of the %zu attribute%s not known", label, open,
                                   open == 1 ? "" : "s")
                      : cli_format("%s, everything is known", label);
        printf("%scertified%s: ", term_on(STYLE_GOOD), term_on(STYLE_PLAIN));
        term_wrap(stdout, 11, 2, term.width, likely);
        free(likely);
    } else {
        label = term_clean(tacit_schema_class(schema, found->likely_label), 0);
        printf("%s%s%s: %s\n", term_on(STYLE_WARN), found->verdict == TACIT_REFUTED ? "refuted" : "undecided",
               term_on(STYLE_PLAIN),
               found->verdict == TACIT_REFUTED ? "the label depends on what is not known"
                                               : "neither proven nor refuted: not safe to stop");
        likely = cli_format("most likely %s, probability %s; %zu of %zu attribute%s %s not known", label, probability,
                            open, n, n == 1 ? "" : "s", open == 1 ? "is" : "are");
        fputs("  ", stdout);
        term_wrap(stdout, 2, 2, term.width, likely);
        free(likely);
    }
    printf("  %s%llu bound evaluation%s%s\n", term_on(STYLE_DIM), (unsigned long long)found->nodes,
           found->nodes == 1 ? "" : "s", term_on(STYLE_PLAIN));
    free(label);
    print_taken(a);
    if (a->step > 0)
        print_grid(a);
    if (found->verdict == TACIT_REFUTED)
        print_witnesses(schema, a->person, found);
}

/* ---- for machines ---- */

static void witness_json(json_out *json, const tacit_schema *schema, const tacit_person *person,
                         const tacit_person *witness)
{
    json_begin(json, NULL, '{');
    json_text(json, "label", tacit_schema_class(schema, tacit_person_label(witness)));
    json_begin(json, "values", '{');
    for (size_t a = 0; a < tacit_schema_attributes(schema); a++) {
        char text[VALUE_ROOM];
        double number;

        if (tacit_person_knows(person, a))
            continue;
        tacit_person_text(witness, a, text, sizeof(text));
        if (tacit_schema_attribute(schema, a)->type != TACIT_CATEGORY && cli_parse_number(text, &number))
            json_number(json, tacit_schema_attribute(schema, a)->name, number);
        else
            json_text(json, tacit_schema_attribute(schema, a)->name, text);
    }
    json_end(json, '}');
    json_end(json, '}');
}

static void grid_json(json_out *json, const answer *a)
{
    json_begin(json, "grid", '{');
    json_number(json, "step", a->step);
    json_truth(json, "complete", a->grid.complete);
    json_truth(json, "constant", a->grid.constant);
    json_text(json, "label", a->grid.constant ? tacit_schema_class(a->schema, a->grid.label) : NULL);
    json_count(json, "points", a->grid.points);
    json_number(json, "seconds", a->grid.seconds);
    json_truth(json, "wrong", is_grid_wrong(a));
    json_end(json, '}');
}

static void print_json(const answer *a)
{
    static const char *const verdicts[] = {
        [TACIT_UNDECIDED] = "undecided", [TACIT_CERTIFIED] = "certified", [TACIT_REFUTED] = "refuted"};
    const tacit_schema *schema = a->schema;
    const tacit_certificate *found = &a->found;
    json_out json = {0};

    json_begin(&json, NULL, '{');
    json_text(&json, "verdict", verdicts[found->verdict]);
    json_text(&json, "label", found->verdict == TACIT_CERTIFIED ? tacit_schema_class(schema, found->label) : NULL);
    json_text(&json, "likely_label", tacit_schema_class(schema, found->likely_label));
    json_number(&json, "probability", found->probability);
    basis_json(&json, schema, a->basis);
    names_json(&json, "clipped", a, tacit_person_clipped);
    names_json(&json, "not_known", a, tacit_person_unknown);
    json_count(&json, "nodes", found->nodes);
    json_number(&json, "seconds", found->seconds);
    json_begin(&json, "witnesses", '[');
    for (int w = 0; found->verdict == TACIT_REFUTED && w < 2; w++)
        witness_json(&json, schema, a->person, found->witness[w]);
    json_end(&json, ']');
    if (a->step > 0)
        grid_json(&json, a);
    json_end(&json, '}');
}

static int run_certify(const cli_args *args, void *settings)
{
    const certify_settings *s = settings;
    tacit_model *model = NULL;
    tacit_person *person = NULL;
    answer a = {.step = s->grid};
    tacit_error err = {0};
    int code = cli_load_model(&model, args->operands[0], NULL, NULL);

    if (code == CLI_DONE && tacit_person_new(&person, model, &err))
        code = cli_fail(&err);
    for (size_t i = 0; code == CLI_DONE && i < s->known.count; i++)
        code = take_known(person, tacit_model_schema(model), s->known.items[i]);
    if (code == CLI_DONE && tacit_certify(&a.found, person, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE && a.step > 0 && tacit_certify_grid(&a.grid, person, a.step, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE && s->json && tacit_person_basis(&a.basis, person, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE) {
        a.schema = tacit_model_schema(model);
        a.person = person;
        (s->json ? print_json : print_text)(&a);
        code = a.found.verdict == TACIT_CERTIFIED ? CLI_DONE : CLI_NEGATIVE;
    }
    tacit_certificate_clear(&a.found);
    tacit_basis_free(a.basis);
    tacit_person_free(person);
    tacit_model_free(model);
    return code;
}

static const cli_option options[] = {
    {.name = "known",
     .kind = CLI_TEXTS,
     .argument = "LIST",
     .help = "What is known: name=value pairs separated by commas. May be given again, for example once per attribute "
             "when a value "
             "holds commas. An empty value means not known: that counts as such, or a typical value does.",
     .offset = offsetof(certify_settings, known)},
    {.name = "grid",
     .kind = CLI_NUMBER,
     .argument = "STEP",
     .max = 0.5,
     .above_min = true,
     .help = "For comparison, say beside the verdict whether the label is the same at all points of a grid: 1/STEP "
             "evenly spaced values of everything not known (0.2: five). A grid proves nothing, and where it "
             "contradicts the verdict it is wrong.",
     .offset = offsetof(certify_settings, grid)},
    {.name = "json", .kind = CLI_FLAG, .help = "Print it as JSON.", .offset = offsetof(certify_settings, json)},
    {0},
};

const cli_command cli_command_certify = {
    .name = "certify",
    .summary = "is the decision settled by what is known?",
    .usage = "MODEL [--known NAME=VALUE,...] [--grid STEP] [--json]",
    .text = "Certified: every value of what is not known gives the same label (exit code 0). Refuted: two made-up "
            "people who agree with "
            "everything known get different labels, and both are shown (exit code 1). Undecided: neither could be "
            "shown (exit code 1). A value outside its domain is moved to the domain's end, and that is said.",
    .examples = "tacit certify loans.tacit --known loan_amount=3000,loan_term=12",
    .options = options,
    .operands = (const char *const[]){"MODEL", NULL},
    .settings_size = sizeof(certify_settings),
    .run = run_certify,
};

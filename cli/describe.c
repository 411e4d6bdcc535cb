/*
 * describe.c -- attributes and decisions in words.
 */
#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"
#include "words.h"

enum { VALUE_ROOM = 512 };

/* *text grows by "separator, name"; `text` starts as NULL. */
static void add_name(char **text, const char *separator, const char *name)
{
    char *longer = cli_format("%s%s%s", *text ? *text : "", *text ? separator : "", name);

    free(*text);
    *text = longer;
}

static char *join_levels(const tacit_attribute *attribute)
{
    char *text = NULL;

    for (size_t i = 0; i < attribute->n_levels; i++)
        add_name(&text, ", ", attribute->levels[i]);
    return text ? text : cli_format("%s", "");
}

char *describe_domain(const tacit_schema *schema, size_t attribute, const char *language)
{
    const tacit_attribute *a = tacit_schema_attribute(schema, attribute);
    char *levels = NULL, *text;

    if (a->type != TACIT_CATEGORY)
        return cli_format(a->type == TACIT_INTEGER ? WORDS("a whole number from %.15g to %.15g")
                                                   : WORDS("a number from %.15g to %.15g"),
                          a->min, a->max);
    for (size_t i = 0; i < a->n_levels; i++)
        if (i != a->missing_level)
            add_name(&levels, ", ", tacit_schema_level_text(schema, attribute, i, language));
    text = cli_format(WORDS("one of: %s"), levels ? levels : "");
    free(levels);
    return text;
}

char *describe_domain_short(const tacit_attribute *attribute)
{
    char *levels, *text;

    if (attribute->type != TACIT_CATEGORY)
        return cli_format("%.10g %s %.10g", attribute->min, term.dots, attribute->max);
    levels = join_levels(attribute);
    text = cli_format("%zu: %s", attribute->n_levels, levels);
    free(levels);
    return text;
}

char *describe_clipped(const tacit_schema *schema, const tacit_person *person, size_t attribute, const char *language)
{
    const tacit_attribute *a = tacit_schema_attribute(schema, attribute);
    char counted[VALUE_ROOM], *text;

    tacit_person_text(person, attribute, counted, sizeof(counted));
    text = cli_format(WORDS("%s: outside its domain (%.15g to %.15g), counted as %s"),
                      tacit_schema_name_text(schema, attribute, language), a->min, a->max, counted);
    explicit_bzero(counted, sizeof(counted));
    return text;
}

char *describe_not_known(const tacit_schema *schema, const tacit_person *person, size_t attribute, const char *language)
{
    const tacit_attribute *a = tacit_schema_attribute(schema, attribute);
    char counted[VALUE_ROOM];

    if (a->type == TACIT_CATEGORY)
        return cli_format(WORDS("%s: not known, which counts as such"),
                          tacit_schema_name_text(schema, attribute, language));
    tacit_person_text(person, attribute, counted, sizeof(counted));
    if (!*counted) /* there is a value for it */
        return cli_format(WORDS("%s: not known, which counts as such"),
                          tacit_schema_name_text(schema, attribute, language));
    return cli_format(WORDS("%s: not known, counted as a typical value (%s)"),
                      tacit_schema_name_text(schema, attribute, language), counted);
}

char *describe_count(size_t count, size_t of)
{
    return cli_format(of == 1 ? WORDS("%zu of %zu sensitive attribute") : WORDS("%zu of %zu sensitive attributes"),
                      count, of);
}

char *describe_names(const tacit_schema *schema, const size_t *attributes, size_t count, const char *language)
{
    char *text = NULL;

    for (size_t i = 0; i < count; i++)
        add_name(&text, ", ", tacit_schema_name_text(schema, attributes[i], language));
    return text ? text : cli_format("%s", WORDS("nothing"));
}

/* From five classes on, what is told of linear models is three standard errors below its estimate. */
static bool is_lower_end(const tacit_model *model)
{
    return tacit_model_info_get(model)->additive && tacit_schema_classes(tacit_model_schema(model)) > 4;
}

char *describe_settled(const tacit_model *model, const tacit_decision *decision, double demanded)
{
    char number[24], probability[48];

    term_percent(decision->probability, 1, number, sizeof(number));
    snprintf(probability, sizeof(probability),
             decision->settled != TACIT_OPEN && is_lower_end(model) ? WORDS("at least %s") : "%s", number);
    switch (decision->settled) {
    case TACIT_CERTAIN:
        return cli_format("%s", decision->refused
                                    ? WORDS("Certain: no value of what was not asked or was refused can change it.")
                                    : WORDS("Certain: no value of what was not asked can change it."));
    case TACIT_LIKELY:
        return cli_format(
            WORDS("Likely: it would be the same with everything known with probability %s; %g %% was demanded."),
            probability, 100 * demanded);
    case TACIT_ALL_REVEALED:
        return cli_format("%s", WORDS("Everything was given: this is the ordinary decision."));
    case TACIT_UNSETTLED:
        return cli_format(WORDS("Not settled: what was refused can still change it. This label has probability %s."),
                          probability);
    case TACIT_OPEN:
        break;
    }
    return cli_format(WORDS("Open: this label has probability %s."), probability);
}

const char *describe_type(tacit_type type)
{
    return type == TACIT_NUMBER ? "number" : type == TACIT_INTEGER ? "integer" : "category";
}

const char *describe_role(tacit_role role)
{
    return role == TACIT_PUBLIC ? "public" : "sensitive";
}

void describe_line(const char *label, const char *text)
{
    size_t at = 2 + term_columns(label) + 1;
    char *clean = term_clean(text, 0);

    printf("  %s%s%s ", term_on(STYLE_DIM), label, term_on(STYLE_PLAIN));
    term_wrap(stdout, at, at, term.width - 1, clean);
    free(clean);
}

void session_lists_fill(session_lists *lists, const tacit_schema *schema, const tacit_session *session)
{
    size_t n = tacit_schema_attributes(schema);
    bool *refused = cli_alloc(n, sizeof(*refused));

    memset(lists, 0, sizeof(*lists));
    lists->asked = cli_alloc(n, sizeof(size_t));
    lists->given = cli_alloc(n, sizeof(size_t));
    lists->not_known = cli_alloc(n, sizeof(size_t));
    lists->refused = cli_alloc(n, sizeof(size_t));
    lists->not_asked = cli_alloc(n, sizeof(size_t));
    for (size_t e = 0; e < tacit_session_events(session); e++) {
        const tacit_event *event = tacit_session_event(session, e);

        refused[event->attribute] = event->refused;
        if (event->refused) {
            lists->refused[lists->n_refused++] = event->attribute;
            continue;
        }
        if (event->role == TACIT_SENSITIVE)
            lists->asked[lists->n_asked++] = event->attribute;
        if (event->not_known)
            lists->not_known[lists->n_not_known++] = event->attribute;
        else if (event->role == TACIT_SENSITIVE)
            lists->given[lists->n_given++] = event->attribute;
    }
    for (size_t a = 0; a < n; a++) {
        bool sensitive = tacit_schema_attribute(schema, a)->role == TACIT_SENSITIVE;

        lists->n_sensitive += sensitive;
        if (sensitive && !refused[a] && !tacit_person_knows(tacit_session_person(session), a))
            lists->not_asked[lists->n_not_asked++] = a;
    }
    free(refused);
}

void session_lists_leave_out(session_lists *lists, const tacit_model *model)
{
    size_t kept = 0;

    for (size_t i = 0; i < lists->n_not_asked; i++)
        if (tacit_model_reads(model, lists->not_asked[i]))
            lists->not_asked[kept++] = lists->not_asked[i];
    lists->n_sensitive -= lists->n_not_asked - kept;
    lists->n_not_asked = kept;
}

void session_lists_clear(session_lists *lists)
{
    free(lists->asked);
    free(lists->given);
    free(lists->not_known);
    free(lists->refused);
    free(lists->not_asked);
    memset(lists, 0, sizeof(*lists));
}

void describe_keys(void)
{
    static const char *const keys[] = {"- refuse", "< back", "? why this question", "q leave and erase"};
    size_t column = 0;

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        const char *key = WORDS(keys[i]);
        size_t columns = 2 + term_columns(key);

        if (column == 0 || column + columns > term.width) {
            putchar('\n');
            column = 0;
        }
        printf("  %s%c%s%s", term_on(STYLE_BOLD), key[0], term_on(STYLE_PLAIN), key + 1);
        column += columns;
    }
    putchar('\n');
}

/*
 * schema.c -- the schema as an object: making, copying, asking, roles.
 */
#include "schema.h"

#include <math.h>
#include <string.h>

#include "habits.h"
#include "remarks.h"

/* Attributes hand out const pointers to what the schema owns. */
static void free_const(const void *block)
{
    tct_free((void *)(uintptr_t)block);
}

static void clear_attribute(tacit_attribute *attribute)
{
    for (size_t i = 0; attribute->levels && i < attribute->n_levels; i++)
        free_const(attribute->levels[i]);
    free_const(attribute->levels);
    free_const(attribute->name);
    free_const(attribute->question);
    free_const(attribute->help);
    free_const(attribute->special);
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        tct_free(texts[i]);
    tct_free(texts);
}

/* A copy of a text that may be NULL. */
static tacit_status copy_text(const char **out, const char *text, tacit_error *err)
{
    *out = text ? tct_strdup(text) : NULL;
    return text && !*out ? tct_fail_memory(err) : TACIT_OK;
}

/* How files are written. */
static tacit_status copy_csv(tacit_schema *copy, const tacit_schema *schema, tacit_error *err)
{
    tacit_status st;

    copy->csv = schema->csv;
    copy->csv.names = NULL;
    st = copy_text(&copy->csv.missing, schema->csv.missing, err);
    if (!st)
        st = copy_text(&copy->csv.names, schema->csv.names, err);
    return st;
}

/* What people are shown.  The copy has its attributes and classes. */
static tacit_status copy_shown(tacit_schema *copy, const tacit_schema *schema, tacit_error *err)
{
    tacit_status st = tct_wording_copy(&copy->label_text, &schema->label_text, err);

    for (size_t i = 0; !st && i < TCT_ABOUT; i++)
        st = tct_wording_copy(&copy->about[i], &schema->about[i], err);
    for (size_t i = 0; !st && i < schema->n_attributes; i++) {
        tct_attribute_texts_clear(&copy->texts[i]);
        st = tct_attribute_texts_copy(&copy->texts[i], &schema->texts[i], err);
    }
    if (st || !schema->class_texts)
        return st;
    copy->class_texts = tct_calloc(schema->n_classes, sizeof(*copy->class_texts));
    if (!copy->class_texts)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < schema->n_classes; i++)
        st = tct_wording_copy(&copy->class_texts[i], &schema->class_texts[i], err);
    return st;
}

/* Mark the attributes named in a list.  `mark` is what they get. */
static tacit_status mark_roles(const tacit_schema *schema, const char *list, tacit_role mark, bool *named,
                               tacit_role *roles, tacit_error *err)
{
    tct_names names;
    size_t index;
    tacit_status st = tct_names_split(&names, list, err);

    for (size_t i = 0; !st && i < names.count; i++) {
        if (strcmp(names.items[i], schema->label) == 0) {
            st = tct_fail(err, TACIT_E_USAGE, "%s is the label: it has no role", names.items[i]);
            break;
        }
        st = tacit_schema_lookup(schema, names.items[i], &index, err);
        if (st)
            break;
        if (named[index])
            st = tct_fail(err, TACIT_E_USAGE,
                          roles[index] == mark ? "%s is named twice" : "%s is named both sensitive and public",
                          names.items[i]);
        named[index] = true;
        roles[index] = mark;
    }
    tct_names_free(&names);
    return st;
}

tacit_status tct_schema_copy(tacit_schema **out, const tacit_schema *schema, tacit_error *err)
{
    tacit_schema *copy = tct_calloc(1, sizeof(*copy));
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!copy)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < schema->n_attributes; i++)
        st = tct_schema_add(copy, &schema->attributes[i], err);
    if (st)
        goto done;
    copy->label = tct_strdup(schema->label);
    if (!copy->label) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_schema_copy_texts(&copy->classes, (const char *const *)schema->classes, schema->n_classes, err);
    if (st)
        goto done;
    copy->n_classes = schema->n_classes;
    st = tct_remarks_copy(copy, schema, err);
    if (st)
        goto done;
    st = copy_csv(copy, schema, err);
    if (!st)
        st = copy_shown(copy, schema, err);
    if (st)
        goto done;
    *out = copy;
    copy = NULL;
done:
    tacit_schema_free(copy);
    return st;
}

tacit_status tct_schema_copy_texts(char ***out, const char *const *texts, size_t count, tacit_error *err)
{
    char **copy = tct_calloc(count, sizeof(*copy));

    *out = copy;
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = tct_strdup(texts[i]);
        if (!copy[i]) {
            free_texts(copy, count);
            copy = *out = NULL;
        }
    }
    return copy ? TACIT_OK : tct_fail_memory(err);
}

/* Room for one more attribute and its texts, zeroed. */
static tacit_status grow(tacit_schema *schema, tacit_error *err)
{
    size_t n = schema->n_attributes;
    tacit_attribute *attributes = tct_realloc(schema->attributes, n + 1, sizeof(*attributes));
    tct_attribute_texts *texts;

    if (!attributes)
        return tct_fail_memory(err);
    schema->attributes = attributes;
    texts = tct_realloc(schema->texts, n + 1, sizeof(*texts));
    if (!texts)
        return tct_fail_memory(err);
    schema->texts = texts;
    attributes[n] = (tacit_attribute){0};
    texts[n] = (tct_attribute_texts){0};
    return TACIT_OK;
}

tacit_status tct_schema_add(tacit_schema *schema, const tacit_attribute *attribute, tacit_error *err)
{
    char **levels = NULL, *question = NULL;
    tacit_attribute *a;
    tacit_status st = grow(schema, err);

    if (st)
        return st;
    if (attribute->question && attribute->question[0])
        question = tct_strdup(attribute->question);
    else
        tct_question_make(&question, attribute->name, NULL);
    a = &schema->attributes[schema->n_attributes];
    *a = *attribute;
    a->levels = NULL;
    a->n_levels = 0;
    a->question = question;
    a->name = tct_strdup(attribute->name);
    a->help = tct_strdup(attribute->help ? attribute->help : "");
    a->special = tct_strdup(attribute->special ? attribute->special : "");
    schema->n_attributes++; /* from here on the schema frees what is there */
    if (!a->question || !a->name || !a->help || !a->special)
        return tct_fail_memory(err);
    st = tct_question_remake(&schema->texts[schema->n_attributes - 1], a->name, a->question, err);
    if (st || attribute->n_levels == 0)
        return st;
    st = tct_schema_copy_texts(&levels, attribute->levels, attribute->n_levels, err);
    if (st)
        return st;
    a->levels = (const char *const *)levels;
    a->n_levels = attribute->n_levels;
    return TACIT_OK;
}

tacit_status tct_schema_check_inputs(const tacit_schema *schema, tacit_error *err)
{
    size_t inputs = 0;

    for (size_t i = 0; i < schema->n_attributes; i++) {
        const tacit_attribute *a = &schema->attributes[i];

        inputs += a->type == TACIT_CATEGORY && a->encoding == TACIT_ONEHOT ? a->n_levels : 1;
    }
    if (inputs > TCT_MAX_INPUTS)
        return tct_fail(err, TACIT_E_INPUT,
                        "the attributes need %zu numbers once encoded, %d is the limit: drop some or encode as ordinal",
                        inputs, TCT_MAX_INPUTS);
    return TACIT_OK;
}

bool tct_schema_is_plain(const tacit_schema *schema)
{
    bool plain = schema->label_text.count == 0 && !schema->class_texts && schema->n_remarks == 0 &&
                 !schema->csv.missing && !schema->csv.decimal;

    for (size_t i = 0; i < TCT_ABOUT; i++)
        plain = plain && (schema->about[i].count == 0 || i == TCT_ABOUT_FILE || i == TCT_ABOUT_SHA256);
    for (size_t i = 0; plain && i < schema->n_attributes; i++) {
        const tacit_attribute *a = &schema->attributes[i];
        const tct_attribute_texts *texts = &schema->texts[i];

        plain = texts->name.count == 0 && texts->question.count == 0 && texts->help.count == 0 && !texts->levels &&
                !a->special[0] && !a->dates && a->missing_is_value == (a->missing_level != TACIT_NONE);
    }
    return plain;
}

bool tct_schema_is_whole(double value)
{
    return fabs(value) < 9007199254740992.0 && value == rint(value);
}

void tacit_schema_free(tacit_schema *schema)
{
    if (!schema)
        return;
    for (size_t i = 0; i < schema->n_attributes; i++) {
        clear_attribute(&schema->attributes[i]);
        tct_attribute_texts_clear(&schema->texts[i]);
    }
    tct_free(schema->attributes);
    tct_free(schema->texts);
    tct_wording_clear(&schema->label_text);
    for (size_t i = 0; schema->class_texts && i < schema->n_classes; i++)
        tct_wording_clear(&schema->class_texts[i]);
    tct_free(schema->class_texts);
    tct_free(schema->label);
    free_texts(schema->classes, schema->n_classes);
    tct_remarks_clear(schema);
    free_const(schema->csv.missing);
    free_const(schema->csv.names);
    for (size_t i = 0; i < TCT_ABOUT; i++)
        tct_wording_clear(&schema->about[i]);
    tct_free(schema);
}

size_t tacit_schema_attributes(const tacit_schema *schema)
{
    return schema->n_attributes;
}

const tacit_attribute *tacit_schema_attribute(const tacit_schema *schema, size_t index)
{
    return index < schema->n_attributes ? &schema->attributes[index] : NULL;
}

size_t tacit_schema_find(const tacit_schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->n_attributes; i++)
        if (strcmp(schema->attributes[i].name, name) == 0)
            return i;
    return TACIT_NONE;
}

tacit_status tacit_schema_lookup(const tacit_schema *schema, const char *name, size_t *index, tacit_error *err)
{
    const char *names[TCT_MAX_ATTRIBUTES];
    const char *close;

    *index = tacit_schema_find(schema, name);
    if (*index != TACIT_NONE)
        return TACIT_OK;
    for (size_t i = 0; i < schema->n_attributes; i++)
        names[i] = schema->attributes[i].name;
    close = tacit_suggest(name, names, schema->n_attributes);
    if (close)
        return tct_fail(err, TACIT_E_USAGE, "unknown attribute %s; did you mean %s?", name, close);
    return tct_fail(err, TACIT_E_USAGE, "unknown attribute %s", name);
}

const char *tacit_schema_label(const tacit_schema *schema)
{
    return schema->label;
}

size_t tacit_schema_classes(const tacit_schema *schema)
{
    return schema->n_classes;
}

const char *tacit_schema_class(const tacit_schema *schema, size_t index)
{
    return index < schema->n_classes ? schema->classes[index] : NULL;
}

/* The usual markers for "missing" that are no level and no class. */
static unsigned find_usual(const tacit_schema *schema)
{
    unsigned usual = 0;

    for (size_t m = 0; m < TCT_USUAL_MARKERS; m++) {
        bool is_value = false;

        for (size_t i = 0; i < schema->n_attributes; i++)
            for (size_t k = 0; k < schema->attributes[i].n_levels; k++)
                is_value = is_value || strcmp(schema->attributes[i].levels[k], tct_usual_markers[m]) == 0;
        for (size_t i = 0; i < schema->n_classes; i++)
            is_value = is_value || strcmp(schema->classes[i], tct_usual_markers[m]) == 0;
        usual |= is_value ? 0 : 1u << m;
    }
    return usual;
}

void tacit_schema_csv(const tacit_schema *schema, tacit_csv_options *csv)
{
    if (!csv->separator)
        csv->separator = schema->csv.separator;
    if (!csv->missing) {
        csv->missing = schema->csv.missing ? schema->csv.missing : "";
        csv->usual = find_usual(schema);
    }
    if (!csv->names)
        csv->names = schema->csv.names;
    if (!csv->skip_lines)
        csv->skip_lines = schema->csv.skip_lines;
    if (!csv->decimal)
        csv->decimal = schema->csv.decimal;
    csv->no_header |= schema->csv.no_header;
}

tacit_status tacit_schema_set_roles(tacit_schema *schema, const char *sensitive, const char *public_, tacit_error *err)
{
    bool named[TCT_MAX_ATTRIBUTES] = {false};
    tacit_role roles[TCT_MAX_ATTRIBUTES];
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < schema->n_attributes; i++)
        roles[i] = schema->attributes[i].role;
    if (sensitive)
        st = mark_roles(schema, sensitive, TACIT_SENSITIVE, named, roles, err);
    if (!st && public_)
        st = mark_roles(schema, public_, TACIT_PUBLIC, named, roles, err);
    if (st)
        return st;
    for (size_t i = 0; i < schema->n_attributes; i++) {
        if (!named[i] && !sensitive != !public_)
            roles[i] = sensitive ? TACIT_PUBLIC : TACIT_SENSITIVE;
        schema->attributes[i].role = roles[i];
    }
    return TACIT_OK;
}

/*
 * schema_json.c -- a schema as JSON.
 *
 * People edit these files, so everything is checked with its place, and a misspelt key is an error instead of a
 * default that nobody asked for.
 */
#include <math.h>
#include <string.h>

#include "json_put.h"
#include "lookup.h"
#include "names.h"
#include "schema.h"
#include "schema_json.h"

#define FORMAT "tacit-schema"
#define VERSION 1
#define FILE_LIMIT ((size_t)64 << 20)
#define MAX_COST 1e9

static const char *const type_names[] = {"number", "integer", "category"};
static const char *const date_names[] = {"none", "ymd", "dmy", "mdy"};
static const char *const role_names[] = {"public", "sensitive"};
static const char *const encoding_names[] = {"onehot", "ordinal"};
static const char *const missing_names[] = {"refused", "value"};

/* ---- reading ---- */

/* One of a few words; *out stays as it is when the key is not there and may be left out. */
static tacit_status read_word(int *out, const json_t *object, const char *key, bool needed, const char *const *words,
                              size_t n_words, const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL;
    tacit_status st = needed ? tct_json_get_string(&text, object, key, at, err)
                             : tct_json_optional_string(&text, object, key, at, err);

    if (st || !text)
        return st;
    for (size_t i = 0; i < n_words; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = (int)i;
            return TACIT_OK;
        }
    if (n_words == 2)
        return tct_json_fail(at, key, err, "expected \"%s\" or \"%s\"", words[0], words[1]);
    if (n_words == 4)
        return tct_json_fail(at, key, err, "expected \"%s\", \"%s\", \"%s\" or \"%s\"", words[0], words[1], words[2],
                             words[3]);
    return tct_json_fail(at, key, err, "expected \"%s\", \"%s\" or \"%s\"", words[0], words[1], words[2]);
}

tacit_status tct_json_check_text(const char *text, size_t limit, const char *key, const tct_json_at *at,
                                 tacit_error *err)
{
    const char *problem = tct_name_problem(text, strlen(text), limit);

    return problem ? tct_json_fail(at, key, err, "the text %s", problem) : TACIT_OK;
}

tacit_status tct_json_names(const char ***out, size_t *count, const json_t *object, const char *key, size_t least,
                            size_t most, const tct_json_at *at, tacit_error *err)
{
    tct_json_at list = {.parent = at, .key = key};
    tct_lookup seen = {0};
    json_t *array;
    tacit_status st = tct_json_get_array(&array, object, key, at, err);
    uint32_t index;

    *out = NULL;
    *count = 0;
    if (st)
        return st;
    if (json_array_size(array) < least || json_array_size(array) > most)
        return tct_json_fail(at, key, err, "expected %zu to %zu entries, not %zu", least, most, json_array_size(array));
    *count = json_array_size(array);
    *out = tct_malloc(*count, sizeof(**out));
    if (!*out)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < *count; i++) {
        tct_json_at item = {.parent = &list, .index = i};
        const char *text = json_string_value(json_array_get(array, i));

        if (!text) {
            st = tct_json_fail(&item, NULL, err, "expected a text");
            break;
        }
        st = tct_json_check_text(text, TCT_MAX_NAME, NULL, &item, err);
        if (!st)
            st = tct_lookup_add(&seen, text, strlen(text), &index, err);
        if (!st && index < i)
            st = tct_json_fail(&item, NULL, err, "the same as [%u]", index);
        (*out)[i] = text;
    }
    tct_lookup_clear(&seen);
    return st;
}

static tacit_status read_label(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    static const char *const keys[] = {"name", "classes", "text", "texts"};
    const char *name = NULL;
    const char **classes = NULL;
    size_t n_classes = 0;
    tacit_status st = tct_json_check_keys(json, keys, sizeof(keys) / sizeof(*keys), at, err);

    if (!st)
        st = tct_json_get_string(&name, json, "name", at, err);
    if (!st)
        st = tct_json_check_text(name, TCT_MAX_NAME, "name", at, err);
    if (!st)
        st = tct_json_names(&classes, &n_classes, json, "classes", 2, TCT_MAX_CLASSES, at, err);
    if (!st)
        st = tct_schema_copy_texts(&schema->classes, classes, n_classes, err);
    if (!st) {
        schema->n_classes = n_classes;
        schema->label = tct_strdup(name);
        if (!schema->label)
            st = tct_fail_memory(err);
    }
    if (!st)
        st = tct_wording_from_json(&schema->label_text, json, "text", at, err);
    if (!st)
        st = tct_wordings_from_json(&schema->class_texts, classes, n_classes, json, "texts", "class", at, err);
    tct_free(classes);
    return st;
}

/* min, max and fill of a number or an integer. */
static tacit_status read_range(tacit_attribute *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    bool whole = a->type == TACIT_INTEGER;
    int dates = TACIT_DATES_NONE;
    tacit_status st = tct_json_get_number(&a->min, json, "min", at, err);

    if (!st)
        st = tct_json_get_number(&a->max, json, "max", at, err);
    if (st)
        return st;
    if (a->min > a->max)
        return tct_json_fail(at, "max", err, "smaller than min");
    if (!isfinite(a->max - a->min))
        return tct_json_fail(at, "max", err, "too far from min");
    if (whole && !tct_schema_is_whole(a->min))
        return tct_json_fail(at, "min", err, "expected a whole number");
    if (whole && !tct_schema_is_whole(a->max))
        return tct_json_fail(at, "max", err, "expected a whole number");
    if (whole && a->max - a->min >= TCT_MAX_GRID)
        return tct_json_fail(at, "max", err, "more than %d values: make it a number", TCT_MAX_GRID);
    st = read_word(&dates, json, "dates", false, date_names, 4, at, err);
    if (st)
        return st;
    a->dates = (tacit_dates)dates;
    a->fill = a->min + (a->max - a->min) / 2;
    a->fill = whole ? rint(a->fill) : a->fill;
    st = tct_json_optional_number(&a->fill, json, "fill", at, err);
    if (st)
        return st;
    if (a->fill < a->min || a->fill > a->max)
        return tct_json_fail(at, "fill", err, "expected a number from min to max");
    if (whole && !tct_schema_is_whole(a->fill))
        return tct_json_fail(at, "fill", err, "expected a whole number");
    return TACIT_OK;
}

/* Levels of a category; the list (not its texts) is the caller's to free. */
static tacit_status read_levels(tacit_attribute *a, const char ***levels, const json_t *json, const tct_json_at *at,
                                tacit_error *err)
{
    const json_t *missing = json_object_get(json, "missing_level");
    int encoding = TACIT_ONEHOT;
    tacit_status st = read_word(&encoding, json, "encoding", false, encoding_names, 2, at, err);

    if (!st)
        st = tct_json_names(levels, &a->n_levels, json, "levels", 1, TCT_MAX_LEVELS, at, err);
    if (st)
        return st;
    a->levels = *levels;
    a->encoding = (tacit_encoding)encoding;
    if (!missing || json_is_null(missing))
        return TACIT_OK;
    if (!json_is_string(missing))
        return tct_json_fail(at, "missing_level", err, "expected one of the levels, or null");
    for (size_t i = 0; i < a->n_levels; i++)
        if (strcmp(a->levels[i], json_string_value(missing)) == 0)
            a->missing_level = i;
    if (a->missing_level == TACIT_NONE)
        return tct_json_fail(at, "missing_level", err, "expected one of the levels, or null");
    return TACIT_OK;
}

/* What every attribute has beside its domain. */
static tacit_status read_common(tacit_attribute *a, tct_attribute_texts *texts, const json_t *json,
                                const tct_json_at *at, tacit_error *err)
{
    int role = TACIT_SENSITIVE;
    tacit_status st = tct_json_get_string(&a->name, json, "name", at, err);

    if (!st)
        st = tct_json_check_text(a->name, TCT_MAX_NAME, "name", at, err);
    if (!st)
        st = read_word(&role, json, "role", false, role_names, 2, at, err);
    if (!st)
        st = tct_json_optional_number(&a->cost, json, "cost", at, err);
    a->role = (tacit_role)role;
    if (!st && !(a->cost > 0 && a->cost <= MAX_COST))
        st = tct_json_fail(at, "cost", err, "expected a number above 0 and at most %g", MAX_COST);
    if (!st)
        st = tct_asked_from_json(&a->question, &texts->question, json, "question", at, err);
    if (!st)
        st = tct_asked_from_json(&a->help, &texts->help, json, "help", at, err);
    if (!st)
        st = tct_wording_from_json(&texts->name, json, "text", at, err);
    if (!st)
        st = tct_json_optional_string(&a->special, json, "special", at, err);
    if (!st && a->special)
        st = tct_json_check_text(a->special, TCT_MAX_TEXT, "special", at, err);
    return st;
}

/* Is not knowing an answer?  Where nothing is said: exactly where a level stands for it. */
static tacit_status read_missing(tacit_attribute *a, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    int missing = a->missing_level != TACIT_NONE;
    tacit_status st = read_word(&missing, json, "missing", false, missing_names, 2, at, err);

    if (!st && missing && a->type == TACIT_CATEGORY && a->missing_level == TACIT_NONE)
        st = tct_json_fail(at, "missing", err, "a category needs a missing_level for that");
    a->missing_is_value = missing != 0;
    return st;
}

/* Put the attribute into the schema and its texts beside it.  `texts` is emptied. */
static tacit_status add_attribute(tacit_schema *schema, const tacit_attribute *a, tct_attribute_texts *texts,
                                  const tct_json_at *at, tacit_error *err)
{
    size_t same = tacit_schema_find(schema, a->name);
    tct_attribute_texts *own;
    tacit_status st;

    if (strcmp(a->name, schema->label) == 0)
        return tct_json_fail(at, "name", err, "the label cannot be an attribute");
    if (same != TACIT_NONE)
        return tct_json_fail(at, "name", err, "the same as attributes[%zu].name", same);
    st = tct_schema_add(schema, a, err);
    if (st)
        return st;
    own = &schema->texts[schema->n_attributes - 1];
    tct_attribute_texts_clear(own);
    *own = *texts;
    *texts = (tct_attribute_texts){0};
    return tct_question_remake(own, a->name, schema->attributes[schema->n_attributes - 1].question, err);
}

static tacit_status read_attribute(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    static const char *const range_keys[] = {"name",     "type", "role", "cost",    "min",     "max",  "fill",
                                             "question", "help", "text", "special", "missing", "dates"};
    static const char *const level_keys[] = {"name",    "type",          "role",     "cost", "encoding",
                                             "levels",  "missing_level", "question", "help", "text",
                                             "special", "missing",       "texts"};
    tacit_attribute a = {.cost = 1, .missing_level = TACIT_NONE};
    tct_attribute_texts texts = {0};
    const char **levels = NULL;
    int type = TACIT_NUMBER;
    tacit_status st = read_word(&type, json, "type", true, type_names, 3, at, err);

    if (st)
        return st;
    a.type = (tacit_type)type;
    st = type == TACIT_CATEGORY ? tct_json_check_keys(json, level_keys, 13, at, err)
                                : tct_json_check_keys(json, range_keys, type == TACIT_INTEGER ? 13 : 12, at, err);
    if (!st)
        st = read_common(&a, &texts, json, at, err);
    if (!st)
        st = type == TACIT_CATEGORY ? read_levels(&a, &levels, json, at, err) : read_range(&a, json, at, err);
    if (!st)
        st = read_missing(&a, json, at, err);
    if (!st) {
        texts.n_levels = a.n_levels;
        st = tct_wordings_from_json(&texts.levels, levels, a.n_levels, json, "texts", "level", at, err);
    }
    if (!st)
        st = add_attribute(schema, &a, &texts, at, err);
    tct_attribute_texts_clear(&texts);
    tct_free(levels);
    return st;
}

static tacit_status read_attributes(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at list = {.parent = at, .key = "attributes"};
    json_t *array;
    tacit_status st = tct_json_get_array(&array, json, "attributes", at, err);

    if (st)
        return st;
    if (json_array_size(array) < 1 || json_array_size(array) > TCT_MAX_ATTRIBUTES)
        return tct_json_fail(&list, NULL, err, "expected 1 to %d attributes, not %zu", TCT_MAX_ATTRIBUTES,
                             json_array_size(array));
    for (size_t i = 0; !st && i < json_array_size(array); i++) {
        tct_json_at item = {.parent = &list, .index = i};

        st = read_attribute(schema, json_array_get(array, i), &item, err);
    }
    return st;
}

/* How files are written, what is said about them, and what was noticed in one. */
static tacit_status read_parts(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at csv_at = {.parent = at, .key = "csv"}, about_at = {.parent = at, .key = "about"};
    const json_t *csv = json_object_get(json, "csv"), *about = json_object_get(json, "about");
    tacit_status st = csv ? tct_csv_from_json(&schema->csv, csv, !at->parent, &csv_at, err) : TACIT_OK;

    if (!st && about)
        st = tct_about_from_json(schema->about, about, &about_at, err);
    if (!st)
        st = tct_remarks_from_json(schema, json, at, err);
    return st;
}

static tacit_status check_format(const json_t *json, const tct_json_at *at, tacit_error *err)
{
    static const char *const keys[] = {"format", "version", "label", "attributes", "about", "csv", "remarks"};
    const char *format;
    uint64_t version;
    tacit_status st = tct_json_get_string(&format, json, "format", at, err);

    if (st)
        return st;
    if (strcmp(format, FORMAT) != 0)
        return tct_json_fail(at, "format", err, "expected \"%s\"", FORMAT);
    st = tct_json_get_count(&version, json, "version", at, err);
    if (st)
        return st;
    if (version != VERSION)
        return tct_json_fail(at, "version", err, "version %llu, but this program reads version %d",
                             (unsigned long long)version, VERSION);
    return tct_json_check_keys(json, keys, sizeof(keys) / sizeof(*keys), at, err);
}

/* ---- writing ---- */

static json_t *write_attribute(const tacit_attribute *a, const tct_attribute_texts *texts)
{
    json_t *json = json_object();

    tct_put_text(&json, "name", a->name);
    tct_put_text(&json, "type", type_names[a->type]);
    tct_put_text(&json, "role", role_names[a->role]);
    tct_put_number(&json, "cost", a->cost);
    if (a->type == TACIT_CATEGORY) {
        tct_put_text(&json, "encoding", encoding_names[a->encoding]);
        tct_put(&json, "levels", tct_texts_json(a->levels, a->n_levels));
        tct_put(&json, "missing_level",
                a->missing_level == TACIT_NONE ? json_null() : json_string(a->levels[a->missing_level]));
    } else {
        tct_put_number(&json, "min", a->min);
        tct_put_number(&json, "max", a->max);
        tct_put_number(&json, "fill", a->fill);
    }
    if (a->dates)
        tct_put_text(&json, "dates", date_names[a->dates]);
    if (a->missing_is_value != (a->missing_level != TACIT_NONE))
        tct_put_text(&json, "missing", missing_names[a->missing_is_value]);
    tct_put_asked(&json, "question", a->question, &texts->question);
    tct_put_asked(&json, "help", a->help, &texts->help);
    tct_put_wording(&json, "text", &texts->name);
    tct_put_wordings(&json, "texts", texts->levels, a->levels, a->n_levels);
    if (a->special[0])
        tct_put_text(&json, "special", a->special);
    return json;
}

static json_t *write_label(const tacit_schema *schema)
{
    const char *const *classes = (const char *const *)schema->classes;
    json_t *json = json_object();

    tct_put_text(&json, "name", schema->label);
    tct_put(&json, "classes", tct_texts_json(classes, schema->n_classes));
    tct_put_wording(&json, "text", &schema->label_text);
    tct_put_wordings(&json, "texts", schema->class_texts, classes, schema->n_classes);
    return json;
}

static json_t *write_schema(const tacit_schema *schema, bool file)
{
    json_t *json = json_object(), *list = json_array();

    for (size_t i = 0; i < schema->n_attributes; i++)
        tct_append(&list, write_attribute(&schema->attributes[i], &schema->texts[i]));
    tct_put_text(&json, "format", FORMAT);
    tct_put_count(&json, "version", VERSION);
    tct_put_filled(&json, "about", tct_about_to_json(schema->about, file));
    tct_put_csv(&json, &schema->csv, file);
    tct_put(&json, "label", write_label(schema));
    tct_put(&json, "attributes", list);
    if (schema->n_remarks > 0)
        tct_put(&json, "remarks", tct_schema_remarks_json(schema));
    return json;
}

/* ---- public ---- */

tacit_status tct_schema_from_json(tacit_schema **out, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at label_at = {.parent = at, .key = "label"};
    tacit_schema *schema = NULL;
    json_t *label;
    tacit_status st;

    *out = NULL;
    st = check_format(json, at, err);
    if (st)
        return st;
    schema = tct_calloc(1, sizeof(*schema));
    if (!schema)
        return tct_fail_memory(err);
    st = tct_json_get(&label, json, "label", at, err);
    if (!st)
        st = read_label(schema, label, &label_at, err);
    if (!st)
        st = read_attributes(schema, json, at, err);
    if (!st)
        st = read_parts(schema, json, at, err);
    if (!st && tct_schema_check_inputs(schema, NULL))
        st = tct_json_fail(at, "attributes", err, "more than %d numbers once encoded", TCT_MAX_INPUTS);
    if (st)
        goto done;
    *out = schema;
    schema = NULL;
done:
    tacit_schema_free(schema);
    return st;
}

json_t *tct_schema_to_json(const tacit_schema *schema)
{
    return write_schema(schema, false);
}

json_t *tct_schema_to_file_json(const tacit_schema *schema)
{
    return write_schema(schema, true);
}

tacit_status tacit_schema_read(tacit_schema **out, const char *path, tacit_error *err)
{
    tct_json_at at = {.file = path};
    json_t *json = NULL;
    tacit_status st;

    *out = NULL;
    st = tct_json_read(&json, path, FILE_LIMIT, err);
    if (!st)
        st = tct_schema_from_json(out, json, &at, err);
    json_decref(json);
    return st;
}

tacit_status tacit_schema_parse(tacit_schema **out, const char *text, size_t size, tacit_error *err)
{
    tct_json_at at = {.file = NULL};
    json_t *json = NULL;
    tacit_status st = tct_json_parse(&json, text, size, NULL, err);

    *out = NULL;
    if (!st)
        st = tct_schema_from_json(out, json, &at, err);
    json_decref(json);
    return st;
}

tacit_status tacit_schema_text(char **out, size_t *size, const tacit_schema *schema, tacit_error *err)
{
    json_t *json = tct_schema_to_file_json(schema);
    tacit_status st = json ? tct_json_dump(out, size, json, err) : tct_fail_memory(err);

    json_decref(json);
    return st;
}

tacit_status tacit_schema_write(const tacit_schema *schema, const char *path, tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tacit_status st = tacit_schema_text(&text, &size, schema, err);

    if (!st)
        st = tacit_file_write(path, text, size, err);
    tct_free(text);
    return st;
}

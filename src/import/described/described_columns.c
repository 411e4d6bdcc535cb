/*
 * described_columns.c -- the front of a described classifier: its columns, and what each feature makes of one of them.
 *
 * A feature of a number is the steps that are done to it, one after the other in double precision, so that a threshold
 * on it can be carried back to the raw value.  A feature of a category is a number for each of its levels:
 *
 *     {"column": 0, "steps": [["missing", 38], ["-", 38.6], ["/", 13.7]]}
 *     {"column": 1, "is": ["own", "mortgage"]}
 *     {"column": 2, "codes": [["low", 0], ["high", 1]], "others": -1}
 */
#include <math.h>

#include "described_inside.h"

/* ---- the document ---- */

tacit_status tct_described_open(tct_description *d, const json_t *root, const char *file)
{
    static const char *const known[] = {"format", "version", "made_by", "classes", "columns", "features", "model"};
    tacit_error *err = &d->walk.error;
    const char *made_by = NULL;
    uint64_t version = 0;
    tacit_status st;

    d->walk.file = file;
    d->at = (tct_json_at){.file = file};
    if ((st = tct_json_check_keys(root, known, sizeof known / sizeof *known, &d->at, err)) ||
        (st = tct_json_get_count(&version, root, "version", &d->at, err)) ||
        (st = tct_json_optional_string(&made_by, root, "made_by", &d->at, err)))
        return st;
    if (version != 1)
        return tct_json_fail(&d->at, "version", err, "version %llu is not known; 1 is", (unsigned long long)version);
    if ((st = tct_json_get_array(&d->columns, root, "columns", &d->at, err)) ||
        (st = tct_json_get_array(&d->features, root, "features", &d->at, err)) ||
        (st = tct_json_get(&d->model, root, "model", &d->at, err)))
        return st;
    if (json_array_size(d->columns) < 1 || json_array_size(d->columns) > TCT_MAX_ATTRIBUTES)
        return tct_json_fail(&d->at, "columns", err, "expected 1 to %d", TCT_MAX_ATTRIBUTES);
    d->n_features = json_array_size(d->features);
    if (d->n_features < 1 || d->n_features > TCT_MAX_INPUTS)
        return tct_json_fail(&d->at, "features", err, "expected 1 to %d", TCT_MAX_INPUTS);
    return tct_described_classes(d, root);
}

tacit_status tct_described_classes(tct_description *d, const json_t *root)
{
    tacit_error *err = &d->walk.error;
    json_t *list = NULL;
    const char **names;
    tacit_status st = tct_json_get_array(&list, root, "classes", &d->at, err);

    if (st)
        return st;
    d->n_classes = json_array_size(list);
    if (d->n_classes < 2 || d->n_classes > TCT_MAX_CLASSES)
        return tct_json_fail(&d->at, "classes", err, "expected 2 to %d", TCT_MAX_CLASSES);
    names = tct_onnx_alloc(&d->walk, d->n_classes, sizeof *names);
    for (size_t c = 0; names && c < d->n_classes; c++) {
        const json_t *item = json_array_get(list, c);

        if (json_is_number(item))
            names[c] = tct_onnx_number_text(&d->walk, json_number_value(item));
        else if (json_is_boolean(item))
            names[c] = json_is_true(item) ? "True" : "False";
        else
            names[c] = json_string_value(item);
        if (!names[c])
            return json_is_number(item) ? err->status
                                        : tct_json_fail(&d->at, "classes", err, "expected texts or numbers");
    }
    d->classes = names;
    return names ? TACIT_OK : err->status;
}

const char *tct_described_column(const tct_description *d, size_t column, const tct_json_at *place, tacit_error *err)
{
    static const char *const known[] = {"name", "categories", "others"};
    const json_t *json = json_array_get(d->columns, column), *others = json_object_get(json, "others"),
                 *categories = json_object_get(json, "categories");
    const char *name = NULL;

    if (tct_json_check_keys(json, known, 3, place, err) || tct_json_get_string(&name, json, "name", place, err))
        return NULL;
    if (categories && json_array_size(categories) == 0) {
        tct_json_fail(place, "categories", err, "expected a list of those that are known");
        return NULL;
    }
    if (others && (!json_is_boolean(others) || !categories)) {
        tct_json_fail(place, "others", err, "expected true or false, beside categories");
        return NULL;
    }
    return name;
}

/* ---- levels ---- */

/* The number that a level counts as, where it spells one; truth counts as 0 and 1. */
static bool level_number(const char *level, double *out)
{
    static const char *const words[] = {"False", "True", "false", "true", "FALSE", "TRUE"};

    for (size_t k = 0; k < 6; k++)
        if (strcmp(level, words[k]) == 0) {
            *out = (double)(k % 2);
            return true;
        }
    return tct_parse_number(level, strlen(level), out);
}

bool tct_described_is_level(const json_t *category, const tacit_attribute *a, size_t level)
{
    const char *text = json_string_value(category);
    double number;

    if (json_is_null(category))
        return level == a->missing_level;
    if (text)
        return strcmp(text, a->levels[level]) == 0;
    if (!level_number(a->levels[level], &number))
        return false;
    return json_is_boolean(category) ? number == (json_is_true(category) ? 1 : 0)
                                     : json_is_number(category) && number == json_number_value(category);
}

static bool has_level(const json_t *categories, const tacit_attribute *a, size_t level)
{
    for (size_t i = 0; i < json_array_size(categories); i++)
        if (tct_described_is_level(json_array_get(categories, i), a, level))
            return true;
    return false;
}

/* The attribute of a column, whose levels must be those that the document knows. */
static tacit_status find_attribute(tct_description *d, size_t column, size_t *attribute)
{
    const tct_json_at list = {.parent = &d->at, .key = "columns"}, place = {.parent = &list, .index = column};
    const tacit_schema *schema = d->walk.codec->schema;
    const json_t *json = json_array_get(d->columns, column), *categories = json_object_get(json, "categories");
    const char *name = tct_described_column(d, column, &place, &d->walk.error);
    const tacit_attribute *a;

    if (!name)
        return d->walk.error.status;
    *attribute = tacit_schema_find(schema, name);
    if (*attribute == TACIT_NONE)
        return tct_json_fail(&place, "name", &d->walk.error, "the model reads '%.100s', which is no attribute", name);
    a = &schema->attributes[*attribute];
    if (categories && a->type != TACIT_CATEGORY)
        return tct_json_fail(&place, NULL, &d->walk.error,
                             "'%.100s' is a number in the schema: let it be a category whose levels are its values",
                             name);
    for (size_t k = 0; categories && k < a->n_levels && !json_is_true(json_object_get(json, "others")); k++)
        if (!has_level(categories, a, k))
            return tct_json_fail(&place, NULL, &d->walk.error,
                                 "%s of '%.100s' is not among the categories that the model knows, and it stops at "
                                 "others: take it out of the data or the schema",
                                 k == a->missing_level ? "\"missing\"" : "a level", name);
    return TACIT_OK;
}

/* ---- features ---- */

/* What levels count as by themselves: the numbers that they spell. */
static tacit_status spell_levels(tct_description *d, const tacit_attribute *a, const tct_json_at *place, double *values)
{
    for (size_t k = 0; k < a->n_levels; k++) {
        if (k == a->missing_level)
            values[k] = NAN;
        else if (!level_number(a->levels[k], &values[k]))
            return tct_json_fail(place, NULL, &d->walk.error,
                                 "reads '%.100s' as a number, but some of its values are none", a->name);
    }
    return TACIT_OK;
}

/* What each level counts as by a list of pairs; NaN: missing. */
static tacit_status code_levels(tct_description *d, const tacit_attribute *a, const json_t *json,
                                const tct_json_at *place, double *values)
{
    const json_t *codes = json_object_get(json, "codes"), *others = json_object_get(json, "others");

    if (others && !json_is_number(others) && !json_is_null(others))
        return tct_json_fail(place, "others", &d->walk.error, "expected a number, or null for missing");
    for (size_t i = 0; i < json_array_size(codes); i++) {
        const json_t *pair = json_array_get(codes, i), *code = json_array_get(pair, 1);

        if (json_array_size(pair) != 2 || !(json_is_number(code) || json_is_null(code)))
            return tct_json_fail(place, "codes", &d->walk.error, "expected pairs of a category and a number");
    }
    for (size_t k = 0; k < a->n_levels; k++) {
        size_t i = 0, n = json_array_size(codes);

        while (i < n && !tct_described_is_level(json_array_get(json_array_get(codes, i), 0), a, k))
            i++;
        if (i < n)
            others = json_array_get(json_array_get(codes, i), 1);
        else
            others = json_object_get(json, "others");
        if (i == n && !others)
            return tct_json_fail(place, "codes", &d->walk.error, "a level of '%.100s' has no code", a->name);
        values[k] = json_is_null(others) ? NAN : json_number_value(others);
    }
    return TACIT_OK;
}

static tacit_status value_levels(tct_description *d, const json_t *json, const tct_json_at *place, tct_source *out)
{
    const tacit_attribute *a = &d->walk.codec->schema->attributes[out->attribute];
    const json_t *is = json_object_get(json, "is");
    double *values = tct_onnx_alloc(&d->walk, a->n_levels, sizeof *values);

    if (!values)
        return d->walk.error.status;
    out->values = values;
    if (is && json_array_size(is) == 0)
        return tct_json_fail(place, "is", &d->walk.error, "expected a list of categories");
    for (size_t k = 0; is && k < a->n_levels; k++)
        values[k] = has_level(is, a, k);
    if (is)
        return TACIT_OK;
    return json_object_get(json, "codes") ? code_levels(d, a, json, place, values) : spell_levels(d, a, place, values);
}

/* What stands for a missing value from here on. */
static bool fill_missing(tct_description *d, tct_source *column, double by)
{
    size_t n = column->values ? d->walk.codec->schema->attributes[column->attribute].n_levels : 0;
    double *values = n ? tct_onnx_alloc(&d->walk, n, sizeof *values) : NULL;

    for (size_t k = 0; values && k < n; k++)
        values[k] = isnan(column->values[k]) ? by : column->values[k];
    if (n)
        column->values = values;
    else if (isnan(column->missing))
        column->missing = by;
    return !n || values;
}

static tacit_status take_step(tct_description *d, const json_t *step, const tct_json_at *place, tct_source *column)
{
    const char *op = json_string_value(json_array_get(step, 0));
    bool single = op && strcmp(op, "float32") == 0, missing = op && strcmp(op, "missing") == 0, good;
    double number = json_number_value(json_array_get(step, 1));

    good = op && json_array_size(step) == (single ? 1 : 2) && (single || json_is_number(json_array_get(step, 1))) &&
           (single || missing || (strlen(op) == 1 && strchr("+-*/", *op)));
    if (!good || !isfinite(number) || (op && strchr("*/", *op) && number == 0))
        return tct_json_fail(place, NULL, &d->walk.error,
                             "expected [\"float32\"], or one of \"missing\", \"+\", \"-\", \"*\", \"/\" with a number "
                             "(no factor of 0)");
    if (missing ? !fill_missing(d, column, number)
                : !tct_source_step(&d->walk, column, single ? '=' : *op, single, number))
        return d->walk.error.status;
    return TACIT_OK;
}

static tacit_status read_feature(tct_description *d, size_t i, const size_t *attributes, const tct_json_at *place)
{
    static const char *const known[] = {"column", "is", "codes", "others", "steps"};
    const json_t *json = json_array_get(d->features, i), *steps = json_object_get(json, "steps");
    bool table = json_object_get(json, "is") || json_object_get(json, "codes");
    const tct_json_at step_place = {.parent = place, .key = "steps"};
    tct_source *out = &d->sources[i];
    uint64_t column = 0;
    tacit_status st;

    if ((st = tct_json_check_keys(json, known, 5, place, &d->walk.error)) ||
        (st = tct_json_get_count(&column, json, "column", place, &d->walk.error)))
        return st;
    if (column >= json_array_size(d->columns))
        return tct_json_fail(place, "column", &d->walk.error, "there are %zu", json_array_size(d->columns));
    if (json_object_get(json, "is") && json_object_get(json, "codes"))
        return tct_json_fail(place, NULL, &d->walk.error, "has both is and codes");
    if (steps && !json_is_array(steps))
        return tct_json_fail(place, "steps", &d->walk.error, "expected a list");
    *out = (tct_source){.attribute = attributes[column], .missing = NAN};
    if (d->walk.codec->schema->attributes[out->attribute].type == TACIT_CATEGORY)
        st = value_levels(d, json, place, out);
    else if (table)
        st = tct_json_fail(place, NULL, &d->walk.error,
                           "'%.100s' is a number in the schema: let it be a category whose levels are its values",
                           d->walk.codec->schema->attributes[out->attribute].name);
    for (size_t k = 0; k < json_array_size(steps) && !st; k++) {
        const tct_json_at at = {.parent = &step_place, .index = k};

        st = take_step(d, json_array_get(steps, k), &at, out);
    }
    return st;
}

tacit_status tct_described_features(tct_description *d)
{
    const tct_json_at list = {.parent = &d->at, .key = "features"};
    size_t n = json_array_size(d->columns);
    size_t *attributes = tct_onnx_alloc(&d->walk, n, sizeof *attributes);
    tacit_status st = attributes ? TACIT_OK : d->walk.error.status;

    d->sources = tct_onnx_alloc(&d->walk, d->n_features, sizeof *d->sources);
    if (!d->sources)
        st = d->walk.error.status;
    for (size_t c = 0; c < n && !st; c++)
        st = find_attribute(d, c, &attributes[c]);
    for (size_t i = 0; i < d->n_features && !st; i++) {
        const tct_json_at place = {.parent = &list, .index = i};

        st = read_feature(d, i, attributes, &place);
    }
    return st;
}

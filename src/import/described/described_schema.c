/*
 * described_schema.c -- a schema for a described classifier, from a table and from what the document knows.
 *
 * A proof is about every value that an attribute may have, so a category has all categories that the model knows beside
 * those that the table has.  The number that stands for a missing one is the model's; the domain is as wide as it takes
 * to hold it.
 */
#include <math.h>
#include <stdlib.h>

#include "csv_inside.h"
#include "described_inside.h"
#include "names.h"
#include "schema.h"

/* The text of a category; NULL for "missing", or what is none. */
static const char *category_text(tct_description *d, const json_t *category)
{
    if (json_is_number(category))
        return tct_onnx_number_text(&d->walk, json_number_value(category));
    if (json_is_boolean(category))
        return json_is_true(category) ? "True" : "False";
    return json_string_value(category);
}

/* Levels of the table and categories of the document, in the order of their bytes, "missing" last. */
static tacit_status add_levels(tct_description *d, const json_t *categories, const tct_json_at *place,
                               tacit_attribute *a)
{
    size_t n_known = json_array_size(categories), n = 0;
    const char **all = tct_onnx_alloc(&d->walk, a->n_levels + n_known + 1, sizeof *all);
    tacit_attribute old = *a;
    char **levels = NULL;
    tacit_status st = all ? TACIT_OK : d->walk.error.status;

    for (size_t k = 0; all && k < old.n_levels; k++)
        if (k != old.missing_level)
            all[n++] = old.levels[k];
    for (size_t i = 0; i < n_known && !st; i++) {
        const json_t *category = json_array_get(categories, i);
        const char *text, *problem;
        bool there = json_is_null(category);

        for (size_t k = 0; k < old.n_levels && !there; k++)
            there = tct_described_is_level(category, &old, k);
        if (there)
            continue;
        text = category_text(d, category);
        if (!text && json_is_number(category))
            return d->walk.error.status;
        problem = text ? tct_name_problem(text, strlen(text), TCT_MAX_NAME) : "is no text, number, true, false or null";
        if (problem)
            return tct_json_fail(place, "categories", &d->walk.error, "category %zu of '%.100s' %s", i + 1, a->name,
                                 problem);
        all[n++] = text;
    }
    if (!st && n + 1 > TCT_MAX_LEVELS)
        st = tct_json_fail(place, "categories", &d->walk.error, "'%.100s' has more than %d values", a->name,
                           TCT_MAX_LEVELS - 1);
    if (st)
        return st;
    if (n > 0)
        qsort(all, n, sizeof *all, tct_compare_texts);
    if (old.missing_level != TACIT_NONE)
        all[n++] = old.levels[old.missing_level];
    st = tct_schema_copy_texts(&levels, all, n, &d->walk.error);
    if (st)
        return st;
    for (size_t k = 0; k < old.n_levels; k++)
        tct_free((void *)(uintptr_t)old.levels[k]);
    tct_free((void *)(uintptr_t)old.levels);
    a->levels = (const char *const *)levels;
    a->n_levels = n;
    a->missing_level = old.missing_level == TACIT_NONE ? TACIT_NONE : n - 1;
    return TACIT_OK;
}

/* What stands for a missing value of a column: the number that the first step of a feature says. */
static tacit_status set_fills(tct_description *d, tacit_schema *schema)
{
    for (size_t i = 0; i < d->n_features; i++) {
        const json_t *feature = json_array_get(d->features, i),
                     *step = json_array_get(json_object_get(feature, "steps"), 0), *by = json_array_get(step, 1),
                     *column =
                         json_array_get(d->columns, (size_t)json_integer_value(json_object_get(feature, "column")));
        const char *name = json_string_value(json_object_get(column, "name")),
                   *op = json_string_value(json_array_get(step, 0));
        size_t at = name ? tacit_schema_find(schema, name) : TACIT_NONE;
        tacit_attribute *a = at == TACIT_NONE ? NULL : &schema->attributes[at];
        double v = json_number_value(by);

        if (!a || a->type == TACIT_CATEGORY || !op || strcmp(op, "missing") != 0 || !json_is_number(by))
            continue;
        a->fill = v;
        a->min = fmin(a->min, v);
        a->max = fmax(a->max, v);
        if (!isfinite(a->max - a->min))
            return tct_onnx_fail(&d->walk, "what stands for a missing '%.100s' is too far from its values", a->name);
        if (a->type == TACIT_INTEGER && (v != floor(v) || a->max - a->min >= TCT_MAX_GRID))
            a->type = TACIT_NUMBER;
    }
    return TACIT_OK;
}

/* The classes of the document, as the table spells them, if all of the table's are among them. */
static tacit_status set_classes(tct_description *d, tacit_schema *schema)
{
    const char **names = tct_onnx_alloc(&d->walk, d->n_classes, sizeof *names);
    char **classes = NULL;
    size_t found = 0;
    tacit_status st;

    if (!names)
        return d->walk.error.status;
    for (size_t c = 0; c < d->n_classes; c++) {
        double wanted, there;

        names[c] = d->classes[c];
        for (size_t k = 0; k < schema->n_classes; k++) {
            const char *name = schema->classes[k];

            if (strcmp(name, names[c]) != 0 && !(tct_parse_number(names[c], strlen(names[c]), &wanted) &&
                                                 tct_parse_number(name, strlen(name), &there) && wanted == there))
                continue;
            names[c] = name;
            found++;
            break;
        }
    }
    if (found != schema->n_classes)
        return TACIT_OK; /* the reader tells what does not fit */
    st = tct_schema_copy_texts(&classes, names, d->n_classes, &d->walk.error);
    if (st)
        return st;
    for (size_t k = 0; k < schema->n_classes; k++)
        tct_free(schema->classes[k]);
    tct_free(schema->classes);
    schema->classes = classes;
    schema->n_classes = d->n_classes;
    return TACIT_OK;
}

/* Names of the columns, and which of them are categories. */
static tacit_status list_columns(tct_description *d, const tacit_table *table, const char **names,
                                 const char **categories, size_t *n_categories)
{
    const tct_json_at list = {.parent = &d->at, .key = "columns"};
    size_t n = json_array_size(d->columns);

    for (size_t c = 0; c < n; c++) {
        const tct_json_at place = {.parent = &list, .index = c};

        names[c] = tct_described_column(d, c, &place, &d->walk.error);
        if (!names[c])
            return d->walk.error.status;
        if (tct_csv_find(table->csv, names[c]) == TACIT_NONE) {
            const char *close =
                tacit_suggest(names[c], (const char *const *)table->csv->columns, tct_csv_columns(table->csv));

            return tct_fail_at(&d->walk.error, TACIT_E_INPUT, tct_csv_path(table->csv), 0, NULL,
                               "no column '%.100s', which the model reads%s%s", names[c],
                               close ? "; the closest is " : "", close ? close : "");
        }
        if (json_object_get(json_array_get(d->columns, c), "categories"))
            categories[(*n_categories)++] = names[c];
    }
    return TACIT_OK;
}

/* Everything that the model does not read is left out. */
static tacit_status infer_schema(tct_description *d, tacit_schema **out, const tacit_table *table,
                                 const tacit_infer_options *infer)
{
    size_t n = json_array_size(d->columns), n_categories = 0;
    const char **names = tct_onnx_alloc(&d->walk, n, sizeof *names);
    const char **categories = tct_onnx_alloc(&d->walk, n, sizeof *categories);
    tacit_infer_options options = *infer;
    tct_text drop = {0};
    tacit_status st =
        names && categories ? list_columns(d, table, names, categories, &n_categories) : d->walk.error.status;

    if (infer->drop)
        tct_text_printf(&drop, "%s", infer->drop);
    for (size_t c = 0; c < tct_csv_columns(table->csv) && !st; c++) {
        const char *name = tct_csv_column(table->csv, c);
        bool wanted = strcmp(name, infer->label) == 0 || (infer->drop && strcmp(name, infer->drop) == 0);

        for (size_t i = 0; i < n && !wanted; i++)
            wanted = strcmp(names[i], name) == 0;
        if (!wanted)
            tct_text_printf(&drop, "%s%s", drop.size ? "," : "", name);
    }
    if (!st && drop.failed)
        st = tct_fail_memory(&d->walk.error);
    options.drop = drop.size ? drop.bytes : NULL;
    if (!st)
        st = tct_schema_infer_as(out, table, &options, categories, n_categories, &d->walk.error);
    tct_text_free(&drop);
    return st;
}

tacit_status tct_described_schema(tacit_schema **out, const json_t *root, const char *file, const tacit_table *table,
                                  const tacit_infer_options *infer, tacit_error *err)
{
    tct_description d = {.walk = {.threshold = NAN}};
    const tct_json_at list = {.parent = &d.at, .key = "columns"};
    tacit_schema *schema = NULL;
    tacit_status st = tct_described_open(&d, root, file);

    *out = NULL;
    if (!st)
        st = infer_schema(&d, &schema, table, infer);
    for (size_t c = 0; c < json_array_size(d.columns) && !st; c++) {
        const tct_json_at place = {.parent = &list, .index = c};
        const json_t *column = json_array_get(d.columns, c), *categories = json_object_get(column, "categories");
        size_t a = tacit_schema_find(schema, json_string_value(json_object_get(column, "name")));

        if (categories && a != TACIT_NONE)
            st = add_levels(&d, categories, &place, &schema->attributes[a]);
    }
    if (!st)
        st = set_fills(&d, schema);
    if (!st)
        st = set_classes(&d, schema);
    if (!st)
        st = tct_schema_check_inputs(schema, &d.walk.error);
    if (st && err)
        *err = d.walk.error;
    if (st)
        tacit_schema_free(schema);
    else
        *out = schema;
    tct_onnx_release(&d.walk);
    return st;
}

/*
 * raw_levels.c -- what names in a model file stand for: its features, and levels of categories.
 *
 * Libraries that take tables of words turn them into codes and write down which is which.  A level of the schema is
 * looked up by its text, or by the number that it spells: a file may say 1 where the column says 1.0.
 *
 * Others read numbers that somebody else made of the words.  A schema says which by the order of its levels; where none is
 * given, the order of those that happen to be in a column says nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raw_trees.h"

static bool same_level(const char *a, const char *b)
{
    double x, y;

    return strcmp(a, b) == 0 || (tct_parse_number(a, strlen(a), &x) && tct_parse_number(b, strlen(b), &y) && x == y);
}

bool tct_raw_level_values(const tct_raw_trees *raw, size_t feature, const tacit_attribute *a, double *values)
{
    bool any = false;

    for (size_t i = 0; i < raw->n_levels && !any; i++)
        any = raw->levels[i].feature == feature;
    for (size_t k = 0; k < a->n_levels && any; k++) {
        values[k] = NAN;
        for (size_t i = 0; i < raw->n_levels && k != a->missing_level && isnan(values[k]); i++)
            if (raw->levels[i].feature == feature && same_level(raw->levels[i].name, a->levels[k]))
                values[k] = raw->levels[i].value;
    }
    return any;
}

tacit_status tct_raw_add_level(tct_raw_trees *raw, size_t feature, const char *name, double value, tacit_error *err)
{
    tct_raw_level level = {feature, tct_strdup(name), value}, *longer;

    if (!level.name)
        return tct_fail_memory(err);
    longer = tct_grow(raw->levels, &raw->levels_room, raw->n_levels + 1, sizeof *longer);
    if (!longer) {
        tct_free(level.name);
        return tct_fail_memory(err);
    }
    raw->levels = longer;
    raw->levels[raw->n_levels++] = level;
    return TACIT_OK;
}

/* ---- names of features ---- */

tacit_status tct_raw_check_names(const tct_raw_trees *raw, const char *label, tacit_error *err)
{
    size_t n = raw->names ? raw->n_features : 0;
    const char **sorted = tct_malloc(n + 1, sizeof *sorted);
    const char *twice = NULL;

    if (!sorted)
        return tct_fail_memory(err);
    for (size_t f = 0; f < n; f++)
        sorted[f] = raw->names[f];
    if (n > 0)
        qsort(sorted, n, sizeof *sorted, tct_compare_texts);
    for (size_t f = 1; f < n && !twice; f++)
        twice = *sorted[f] && strcmp(sorted[f - 1], sorted[f]) == 0 ? sorted[f] : NULL;
    tct_free(sorted);
    if (twice)
        return tct_fail_at(err, TACIT_E_INPUT, raw->file, 0, NULL, "two features of the model are called '%.100s'",
                           twice);
    for (size_t f = 0; f < n && label; f++)
        if (strcmp(raw->names[f], label) == 0)
            return tct_fail_at(err, TACIT_E_INPUT, raw->file, 0, NULL,
                               "the model reads '%.100s' to decide by: it cannot be the label", label);
    return TACIT_OK;
}

/* ---- a schema that nobody gave ---- */

/* The feature that an attribute is as a whole; false: none. */
static bool has_feature(const tct_raw_trees *raw, const tacit_schema *schema, size_t a, size_t *feature)
{
    *feature = a;
    if (!raw->names)
        return true;
    for (*feature = 0; *feature < raw->n_features; ++*feature)
        if (strcmp(raw->names[*feature], schema->attributes[a].name) == 0)
            return true;
    return false;
}

/* Are the levels numbers, or "False" and "True", which count as 0 and 1 wherever there are both? */
static bool are_plain(const tacit_attribute *a)
{
    static const char *const pairs[][2] = {{"False", "True"}, {"FALSE", "TRUE"}, {"false", "true"}};
    const char *levels[2] = {"", ""};
    size_t n = 0, numbers = 0;
    double value;

    for (size_t k = 0; k < a->n_levels; k++) {
        if (k == a->missing_level)
            continue;
        numbers += tct_parse_number(a->levels[k], strlen(a->levels[k]), &value);
        if (n < 2)
            levels[n] = a->levels[k];
        n++;
    }
    for (size_t i = 0; i < 3 && n == 2; i++)
        if (strcmp(levels[0], pairs[i][0]) == 0 && strcmp(levels[1], pairs[i][1]) == 0)
            return true;
    return numbers == n;
}

tacit_status tct_raw_check_levels(const tct_raw_trees *raw, const tacit_schema *schema, tacit_error *err)
{
    for (size_t a = 0; a < schema->n_attributes; a++) {
        const tacit_attribute *attribute = &schema->attributes[a];
        size_t feature;
        bool told;

        if (attribute->type != TACIT_CATEGORY || !has_feature(raw, schema, a, &feature))
            continue;
        told = raw->worded && (!raw->names || raw->worded[feature]);
        for (size_t i = 0; i < raw->n_levels && !told; i++)
            told = raw->levels[i].feature == feature;
        if (!told && !are_plain(attribute))
            return tct_fail_at(
                err, TACIT_E_INPUT, raw->file, 0, NULL,
                "column '%.100s' holds texts, and the model reads numbers that its file does not give to "
                "them: give a schema with the levels in the order of these numbers, or predictions to "
                "compare with",
                attribute->name);
    }
    return TACIT_OK;
}

/*
 * raw_levels.c -- what levels of categories count as, where a model file names them.
 *
 * Libraries that take tables of words turn them into codes and write down which is which.  A level of the schema is
 * looked up by its text, or by the number that it spells: a file may say 1 where the column says 1.0.
 */
#include <math.h>
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

/*
 * audit_html.c -- an audit as a page: made in src/page from the audit's JSON, which the page carries as well.
 *
 * The page must stay small whatever is audited.  It grows with the attributes and the deltas, which the schema and the
 * user bound, and with the groups, which the data make.  Of groups it gets only what is readable, the largest first; of
 * attributes the tables have the most asked, and the JSON that the page carries the first, where there are many.  If the
 * page is still too large, it is made again with less.  The JSON file has everything.
 */
#include <stdlib.h>
#include <string.h>

#include "audit_json.h"
#include "pages.h"
#include "parts.h"

enum { MOST_BYTES = 980000, LEAST_GROUPS = 10 };

/* How much a page holds: tried from the top. */
static const struct limits {
    size_t figures;    /* of groups: one for each delta */
    size_t attributes; /* in the JSON, where there are more */
    size_t rows;       /* of a table */
} levels[] = {{600, 400, 200}, {200, 150, 100}, {60, 60, 40}, {20, 20, 10}};

static json_int_t people_of(const json_t *group)
{
    return json_integer_value(json_object_get(group, "people"));
}

static int compare_counts(const void *a, const void *b)
{
    json_int_t x = *(const json_int_t *)a, y = *(const json_int_t *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

/* Leave the `most` largest groups in the list, in their order; returns how many went. */
static size_t keep_largest(json_t *list, size_t most, bool *failed)
{
    size_t n = json_array_size(list), kept = 0, equal = most;
    json_int_t *counts, least;

    if (n <= most)
        return 0;
    counts = tct_malloc(n, sizeof *counts);
    *failed = !counts;
    if (!counts)
        return 0;
    for (size_t i = 0; i < n; i++)
        counts[i] = people_of(json_array_get(list, i));
    qsort(counts, n, sizeof *counts, compare_counts);
    least = counts[most - 1];
    for (size_t i = 0; i < most; i++)
        equal -= counts[i] > least; /* groups as small as that which find room */
    tct_free(counts);
    while (kept < json_array_size(list)) {
        json_int_t people = people_of(json_array_get(list, kept));

        if (people > least || (people == least && equal > 0)) {
            equal -= people == least;
            kept++;
        } else {
            json_array_remove(list, kept);
        }
    }
    return n - kept;
}

/* Leave as many groups as make `figures`.  False on lack of memory. */
static bool shorten_list(json_t *groups, size_t figures)
{
    json_t *list = json_object_get(groups, "list");
    size_t deltas = json_array_size(json_object_get(json_array_get(list, 0), "results"));
    size_t most = deltas && figures / deltas > LEAST_GROUPS ? figures / deltas : LEAST_GROUPS;
    bool failed = false;
    size_t gone = keep_largest(list, most, &failed) + (size_t)json_integer_value(json_object_get(groups, "left_out"));

    return !failed && (gone == 0 || json_object_set_new(groups, "left_out", json_integer((json_int_t)gone)) == 0);
}

/* Where there are groupings, "groups" says nothing new. */
static bool shorten_all_groups(json_t *json, size_t figures)
{
    json_t *groupings = json_object_get(json, "groupings");
    size_t n = json_array_size(groupings);

    if (n)
        json_object_del(json, "groups");
    for (size_t i = 0; i < n; i++)
        if (!shorten_list(json_array_get(groupings, i), figures / n))
            return false;
    return true;
}

/* ---- attributes ---- */

/* In a map from attributes, only those that stay. */
static void keep_names(json_t *map, const json_t *names)
{
    const char *key;
    json_t *value;
    void *next;

    json_object_foreach_safe(map, next, key, value) if (!json_object_get(names, key)) json_object_del(map, key);
}

/* The first `most` of the list of attributes, as a set; NULL on lack of memory. */
static json_t *names_kept(const json_t *attributes, size_t most)
{
    json_t *names = json_object();

    for (size_t i = 0; names && i < most; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(attributes, i), "name"));

        if (json_object_set_new(names, name ? name : "", json_true())) {
            json_decref(names);
            return NULL;
        }
    }
    return names;
}

/* The JSON without all but `most` attributes, where there are more; NULL on lack of memory. */
static json_t *shorten_attributes(const json_t *json, size_t most)
{
    static const char *const maps[] = {"asked",          "asked_people",         "indispensable",
                                       "if_never_asked", "indispensable_people", "undecided_people"};
    size_t n = json_array_size(json_object_get(json, "attributes"));
    json_t *brief = json_deep_copy(json), *names, *results;

    if (!brief || n <= most)
        return brief;
    names = names_kept(json_object_get(brief, "attributes"), most);
    results = json_object_get(brief, "results");
    for (size_t i = 0; names && i < json_array_size(results); i++) {
        json_t *one = json_array_get(results, i);

        for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
            keep_names(json_object_get(one, maps[k]), names);
        keep_names(json_object_get(json_object_get(one, "spare"), "by_attribute"), names);
    }
    keep_names(json_object_get(json_object_get(brief, "cells"), "by_attribute"), names);
    keep_names(json_object_get(brief, "quality"), names);
    while (names && json_array_size(json_object_get(brief, "attributes")) > most)
        json_array_remove(json_object_get(brief, "attributes"), most);
    if (!names || json_object_set_new(brief, "left_out_attributes", json_integer((json_int_t)(n - most)))) {
        json_decref(brief);
        brief = NULL;
    }
    json_decref(names);
    return brief;
}

/* ---- the page ---- */

static tacit_status write_page(char **out, const json_t *json, const struct limits *limits, const char *lang,
                               tacit_error *err)
{
    json_t *brief = shorten_attributes(json, limits->attributes);
    char *text = NULL;
    tacit_status st = brief ? tct_json_dump(&text, NULL, brief, err) : tct_fail_memory(err);

    *out = NULL;
    if (!st)
        st = tct_page_of_audit(out, json, text, lang, limits->rows, err);
    tct_free(text);
    json_decref(brief);
    return st;
}

tacit_status tacit_audit_html(char **out, const tacit_audit *audit, const tacit_audit_provenance *given,
                              tacit_error *err)
{
    tacit_audit_provenance own;
    const tacit_audit_provenance *about = given ? &own : NULL;
    json_t *json = NULL;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_audit_provenance, necessity, given, err);

    *out = NULL;
    if (!st)
        st = tct_audit_document(&json, audit, about, err);
    for (size_t i = 0; !st && i < sizeof levels / sizeof *levels; i++) {
        tct_free(*out);
        *out = NULL;
        st = shorten_all_groups(json, levels[i].figures) ? TACIT_OK : tct_fail_memory(err);
        if (!st)
            st = write_page(out, json, &levels[i], about ? about->lang : NULL, err);
        if (!st && strlen(*out) <= MOST_BYTES)
            break;
    }
    json_decref(json);
    return st;
}

bool tacit_has_pages(void)
{
    return tct_page_experiment != NULL;
}

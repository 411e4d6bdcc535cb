/*
 * audit_html.c -- an audit as a page: the one built from web/, with the audit's JSON in it.
 *
 * The page must stay small whatever is audited.  It grows with the attributes and the deltas, which the schema and the
 * user bound, and with the groups, which the data make: of them it gets only what it draws, and only as many as are
 * readable, the largest first.  The JSON file has them all.
 */
#include <stdlib.h>
#include <string.h>

#include "audit_json.h"
#include "pages.h"

/* Figures of groups (one for each delta) that a page holds, and groups in any case. */
enum { MOST_FIGURES = 600, LEAST_GROUPS = 20 };

/* What the page reads of a group's result. */
static const char *const group_keys[] = {"delta", "mean_asked", "none_asked", "fidelity", "intervals"};

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

/* The result with only what the page reads; NULL on lack of memory. */
static json_t *shorten_result(const json_t *result)
{
    json_t *brief = json_object();

    for (size_t k = 0; brief && k < sizeof group_keys / sizeof *group_keys; k++)
        if (json_object_set(brief, group_keys[k], json_object_get(result, group_keys[k]))) {
            json_decref(brief);
            return NULL;
        }
    return brief;
}

/* False on lack of memory. */
static bool shorten_groups(json_t *groups)
{
    json_t *list = json_object_get(groups, "list");
    size_t deltas = json_array_size(json_object_get(json_array_get(list, 0), "results"));
    size_t most = deltas && MOST_FIGURES / deltas > LEAST_GROUPS ? MOST_FIGURES / deltas : LEAST_GROUPS;
    bool failed = false;
    size_t gone = keep_largest(list, most, &failed);

    for (size_t g = 0; g < json_array_size(list); g++) {
        json_t *results = json_object_get(json_array_get(list, g), "results");

        for (size_t i = 0; i < json_array_size(results); i++)
            if (json_array_set_new(results, i, shorten_result(json_array_get(results, i))))
                return false;
    }
    return !failed && (gone == 0 || json_object_set_new(groups, "left_out", json_integer((json_int_t)gone)) == 0);
}

/* The audit as the page gets it; NULL on lack of memory. */
static json_t *page_json(const tacit_audit *audit, const tacit_audit_provenance *about)
{
    json_t *json = tct_audit_to_json(audit, about), *groups = json_object_get(json, "groups");

    json_object_del(json, "groupings"); /* it draws the first one */
    for (size_t i = 0; i < json_array_size(json_object_get(json, "results")); i++)
        json_object_del(json_array_get(json_object_get(json, "results"), i), "asked"); /* it reads the counts */
    if (json && groups && !shorten_groups(groups)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

tacit_status tacit_audit_html(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                              tacit_error *err)
{
    json_t *json;
    char *text = NULL;
    tacit_status st;

    *out = NULL;
    if (!tct_page_report)
        return tct_fail(err, TACIT_E_USAGE, "this Tacit was built without pages");
    json = page_json(audit, about);
    st = json ? tct_json_dump(&text, NULL, json, err) : tct_fail_memory(err);
    if (!st)
        st = tct_page_fill(out, tct_page_report, tct_page_report_size, text, err);
    tct_free(text);
    json_decref(json);
    return st;
}

bool tacit_has_pages(void)
{
    return tct_page_report != NULL;
}

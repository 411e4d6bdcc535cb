/*
 * report_read.c -- what the sections of a report read from the audit: results by delta, attributes by how often they were
 * asked for, figures by name.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"

double tct_delta(const json_t *result)
{
    return tct_num(result, "delta");
}

double tct_of(const json_t *result, const char *map, const char *name)
{
    return tct_num(json_object_get(result, map), name);
}

double tct_asked_share(const json_t *result, const char *name)
{
    double people = tct_num(result, "people");

    return people > 0 ? tct_of(result, "asked_people", name) / people : NAN;
}

/* Stable sorting by insertion: deltas are few, attributes at most thousands. */
static void sort_results(tct_report *r)
{
    for (size_t i = 1; i < r->n_results; i++) {
        const json_t *one = r->results[i];
        size_t k = i;

        for (; k > 0 && tct_delta(r->results[k - 1]) > tct_delta(one); k--)
            r->results[k] = r->results[k - 1];
        r->results[k] = one;
    }
}

typedef struct ranked {
    const json_t *attribute;
    double asked[2]; /* at the two smallest deltas */
    size_t place;    /* in the schema */
} ranked;

static int compare_ranked(const void *x, const void *y)
{
    const ranked *a = x, *b = y;

    for (size_t i = 0; i < 2; i++)
        if (a->asked[i] != b->asked[i])
            return a->asked[i] > b->asked[i] ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static bool sort_attributes(tct_report *r, const json_t *attributes)
{
    ranked *all = tct_malloc(r->n ? r->n : 1, sizeof *all);

    if (!all)
        return false;
    for (size_t i = 0; i < r->n; i++) {
        const char *name = tct_str(json_array_get(attributes, i), "name");

        all[i] = (ranked){.attribute = json_array_get(attributes, i), .place = i};
        for (size_t d = 0; d < 2 && d < r->n_results; d++) {
            double asked = tct_of(r->results[d], "asked_people", name);

            all[i].asked[d] = isfinite(asked) ? asked : -1;
        }
    }
    qsort(all, r->n, sizeof *all, compare_ranked);
    for (size_t i = 0; i < r->n; i++)
        r->attributes[i] = all[i].attribute;
    tct_free(all);
    return true;
}

bool tct_report_open(tct_report *r, tct_html *h, const json_t *audit)
{
    const json_t *results = json_object_get(audit, "results"), *attributes = json_object_get(audit, "attributes");

    *r = (tct_report){.h = h, .audit = audit, .people = tct_num(audit, "people")};
    r->n_results = json_array_size(results);
    r->n = json_array_size(attributes);
    r->results = tct_malloc(r->n_results + 1, sizeof *r->results);
    r->attributes = tct_malloc(r->n + 1, sizeof *r->attributes);
    if (!r->results || !r->attributes || r->n_results == 0) {
        tct_report_close(r);
        return false;
    }
    for (size_t i = 0; i < r->n_results; i++)
        r->results[i] = json_array_get(results, i);
    r->first = r->results[0];
    sort_results(r);
    r->strict = r->results[0];
    if (!sort_attributes(r, attributes)) {
        tct_report_close(r);
        return false;
    }
    return true;
}

void tct_report_close(tct_report *r)
{
    tct_free(r->results);
    tct_free(r->attributes);
    *r = (tct_report){0};
}

static const char *called_in(const tct_report *r, const char *list, const char *name)
{
    const json_t *all = json_object_get(r->audit, list);

    for (size_t i = 0; i < json_array_size(all); i++)
        if (strcmp(tct_str(json_array_get(all, i), "name"), name) == 0)
            return tct_name_of(r->h, json_array_get(all, i));
    return NULL;
}

const char *tct_called(const tct_report *r, const char *name)
{
    const char *called = called_in(r, "attributes", name);

    if (!called)
        called = called_in(r, "public_attributes", name);
    if (!called && strcmp(tct_str(json_object_get(r->audit, "label"), "name"), name) == 0)
        called = tct_name_of(r->h, json_object_get(r->audit, "label"));
    return called ? called : name;
}

const char *tct_some_of(tct_html *h, const char *const *items, size_t n, size_t most)
{
    tct_text text = {0};
    const char *shown;

    if (n <= most)
        return tct_list_of(h, items, n);
    for (size_t i = 0; i < most - 1; i++) {
        tct_text_append(&text, i ? ", " : "", i ? 2 : 0);
        tct_text_append(&text, items[i], strlen(items[i]));
    }
    h->text.failed |= text.failed;
    shown = tct_line(h, W_o_more, text.failed || !text.bytes ? "" : text.bytes, tct_count(h, (double)(n - most + 1)));
    tct_text_free(&text);
    return shown;
}

size_t tct_never_asked(const tct_report *r, const json_t *result, const char **names, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        if (tct_of(result, "asked_people", tct_str(r->attributes[i], "name")) == 0) {
            if (n < room)
                names[n] = tct_name_of(r->h, r->attributes[i]);
            n++;
        }
    return n;
}

/* Decisions that are proven are no sample: no interval. */
bool tct_is_proven(const json_t *failure)
{
    return tct_num(failure, "promised") == 0 && tct_num(failure, "failed") == 0;
}

const char *tct_state_of(const json_t *result)
{
    const json_t *failure = json_object_get(result, "failure");
    double low = tct_num(failure, "low"), high = tct_num(failure, "high"), promised = tct_num(failure, "promised");

    if (*tct_str(failure, "state"))
        return tct_str(failure, "state");
    if (promised == 0)
        return tct_num(failure, "failed") > 0 ? "broken" : "kept";
    return high <= promised ? "kept" : low > promised ? "broken" : "not shown";
}

const char *tct_deltas_in(const tct_report *r, const char *state)
{
    const char *items[16];
    size_t n = 0;

    for (size_t i = 0; i < r->n_results; i++) {
        bool tried = tct_num(json_object_get(r->results[i], "failure"), "people") > 0;

        if (tried && n < 16 && strcmp(tct_state_of(r->results[i]), state) == 0)
            items[n++] = tct_short(r->h, tct_delta(r->results[i]));
    }
    return n ? tct_list_of(r->h, items, n) : NULL;
}

double tct_opt_people(const tct_report *r)
{
    const json_t *opt = json_object_get(r->audit, "opt");

    return json_object_get(opt, "people") ? tct_num(opt, "people") : r->people;
}

bool tct_few_people(const tct_report *r)
{
    return json_is_true(json_object_get(r->audit, "few_people"));
}

bool tct_own_test(const tct_report *r)
{
    const json_t *model = json_object_get(r->audit, "model");

    return json_is_true(json_object_get(json_object_get(model, "calibration"), "same_people"));
}

const char *tct_none_words(const tct_report *r, const json_t *result)
{
    double none = tct_num(result, "none_asked");

    if (none >= 1)
        return tct_word_text(r->h, W_i_all_none);
    return none > 0 ? tct_line(r->h, W_i_some_none, tct_share(r->h, none)) : tct_word_text(r->h, W_i_all_some);
}

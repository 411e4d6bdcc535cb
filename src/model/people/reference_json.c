/*
 * reference_json.c -- the reference in a model file: written, and read without being believed.
 */
#include "json_put.h"
#include "reference.h"

static const uint64_t MOST_PEOPLE = (uint64_t)1 << 40;

/* ---------------------------------------------------------------- writing */

static json_t *spread_json(const tct_profile *s)
{
    json_t *object = json_object();

    tct_put_count(&object, "missing", s->missing);
    tct_put_count(&object, "clipped", s->clipped);
    if (s->edges)
        tct_put(&object, "edges", tct_json_numbers(s->edges, s->n_bins - 1));
    if (s->bins) {
        json_t *bins = json_array();

        for (size_t k = 0; k < s->n_levels; k++)
            tct_append(&bins, json_integer((json_int_t)s->bins[k]));
        tct_put(&object, "bins", bins);
    }
    tct_put(&object, "counts", tct_counts_json(s->counts, s->n_bins));
    return object;
}

json_t *tct_reference_to_json(const tct_reference *r)
{
    size_t n = r->n_classes * r->n_classes;
    json_t *object = json_object(), *list = json_array();

    for (size_t a = 0; a < r->n_attributes; a++)
        tct_append(&list, spread_json(&r->spreads[a]));
    tct_put_count(&object, "people", r->people);
    tct_put(&object, "train", tct_counts_json(r->train, n));
    tct_put(&object, "test", tct_counts_json(r->test, n));
    tct_put(&object, "attributes", list);
    return object;
}

/* ---------------------------------------------------------------- reading */

static uint64_t sum_of(const uint64_t *counts, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

static tacit_status read_edges(tct_profile *s, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tacit_status st;

    s->edges = tct_calloc(s->n_bins + 1, sizeof *s->edges);
    if (!s->edges)
        return tct_fail_memory(err);
    st = tct_json_get_numbers(s->edges, s->n_bins - 1, json, "edges", at, err);
    for (size_t e = 1; e + 1 < s->n_bins && !st; e++)
        if (!(s->edges[e] > s->edges[e - 1]))
            st = tct_json_fail(at, "edges", err, "expected ascending numbers");
    return st;
}

static tacit_status read_bins(tct_profile *s, size_t n_levels, const json_t *json, const tct_json_at *at,
                              tacit_error *err)
{
    uint64_t *bins = tct_calloc(n_levels, sizeof *bins);
    tacit_status st = TACIT_OK;

    s->bins = tct_calloc(n_levels, sizeof *s->bins);
    s->n_levels = n_levels;
    if (!bins || !s->bins)
        st = tct_fail_memory(err);
    if (!st)
        st = tct_json_get_counts(bins, n_levels, s->n_bins - 1, json, "bins", at, err);
    for (size_t k = 0; k < n_levels && !st; k++)
        s->bins[k] = (size_t)bins[k];
    tct_free(bins);
    return st;
}

static tacit_status read_spread(tct_profile *s, const tacit_attribute *a, uint64_t people, const json_t *json,
                                const tct_json_at *at, tacit_error *err)
{
    bool onehot = a->type == TACIT_CATEGORY && a->encoding == TACIT_ONEHOT;
    size_t most = onehot ? a->n_levels : TCT_MOST_BINS;
    json_t *list = NULL;
    tacit_status st;

    if ((st = tct_json_get_count(&s->missing, json, "missing", at, err)) ||
        (st = tct_json_get_count(&s->clipped, json, "clipped", at, err)) ||
        (st = tct_json_get_array(&list, json, "counts", at, err)))
        return st;
    if (json_array_size(list) < 1 || json_array_size(list) > most)
        return tct_json_fail(at, "counts", err, "expected 1 to %zu counts", most);
    s->n_bins = json_array_size(list);
    s->counts = tct_calloc(s->n_bins, sizeof *s->counts);
    if (!s->counts)
        return tct_fail_memory(err);
    st = tct_json_get_counts(s->counts, s->n_bins, people, json, "counts", at, err);
    if (!st && sum_of(s->counts, s->n_bins) != people)
        st = tct_json_fail(at, "counts", err, "does not add up to the people");
    if (!st)
        st = onehot ? read_bins(s, a->n_levels, json, at, err) : read_edges(s, json, at, err);
    return st;
}

static tacit_status read_attributes(tct_reference *r, const json_t *json, const tacit_schema *schema,
                                    const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "attributes"};
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, json, "attributes", at, err);

    if (!st && json_array_size(list) != r->n_attributes)
        st = tct_json_fail(at, "attributes", err, "expected %zu entries", r->n_attributes);
    for (size_t a = 0; a < r->n_attributes && !st; a++) {
        tct_json_at item = {.parent = &inside, .index = a};

        st = read_spread(&r->spreads[a], &schema->attributes[a], r->people, json_array_get(list, a), &item, err);
    }
    return st;
}

tacit_status tct_reference_from_json(tct_reference **out, const json_t *json, const tacit_schema *schema,
                                     const tct_json_at *at, tacit_error *err)
{
    size_t n = schema->n_classes * schema->n_classes;
    tct_reference *r = NULL;
    uint64_t people = 0;
    tacit_status st = tct_json_get_count(&people, json, "people", at, err);

    *out = NULL;
    if (!st && (people == 0 || people > MOST_PEOPLE))
        st = tct_json_fail(at, "people", err, "expected a number of people");
    if (!st)
        st = tct_reference_make(&r, schema->n_attributes, schema->n_classes, err);
    if (st)
        return st;
    r->people = people;
    if (!(st = tct_json_get_counts(r->train, n, people, json, "train", at, err)) &&
        !(st = tct_json_get_counts(r->test, n, MOST_PEOPLE, json, "test", at, err)))
        st = read_attributes(r, json, schema, at, err);
    if (!st && sum_of(r->train, n) != people)
        st = tct_json_fail(at, "train", err, "does not add up to the people");
    if (st)
        tct_reference_free(r);
    else
        *out = r;
    return st;
}

/*
 * An audit as JSON: aggregates only, never a row.  Keys are a contract (docs/FORMATS.md).  Groups too small to be
 * described are only counted.
 */
#include <math.h>

#include "audit.h"
#include "json.h"

/* json_object_set_new takes the value over and fails on NULL, so one check at the end is enough. */
typedef struct object {
    json_t *json;
    bool failed;
} object;

static object object_new(void)
{
    object o = {json_object(), false};

    o.failed = !o.json;
    return o;
}

static void put(object *o, const char *key, json_t *value)
{
    if (o->failed)
        json_decref(value);
    else
        o->failed = json_object_set_new(o->json, key, value) != 0;
}

static void put_count(object *o, const char *key, uint64_t count)
{
    put(o, key, json_integer((json_int_t)count));
}

static json_t *finish(object *o)
{
    if (o->failed) {
        json_decref(o->json);
        return NULL;
    }
    return o->json;
}

static json_t *counts_array(const uint64_t *counts, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < n; i++)
        if (json_array_append_new(array, json_integer((json_int_t)counts[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static const char *attribute_name(const tacit_audit *a, size_t i)
{
    return a->model->schema->attributes[a->sensitive[i]].name;
}

static json_t *result_json(const tacit_audit *a, const tacit_audit_result *r)
{
    object o = object_new(), asked = object_new(), settled = object_new(), failure = object_new();
    size_t n = a->summary.n_sensitive;

    put(&o, "delta", tct_json_number(r->delta));
    put(&o, "rule", json_string(tacit_rule_name(r->rule)));
    put_count(&o, "people", r->people);
    put(&o, "mean_asked", tct_json_number(r->mean_asked));
    put(&o, "share_asked", tct_json_number(r->share_asked));
    put(&o, "mean_cost", tct_json_number(r->mean_cost));
    put(&o, "none_asked", tct_json_number(r->none_asked));
    put(&o, "fidelity", tct_json_number(r->fidelity));
    put(&o, "accuracy", tct_json_number(r->accuracy));
    put(&o, "histogram", counts_array(r->histogram, n + 1));
    for (size_t i = 0; i < n; i++)
        put(&asked, attribute_name(a, i), tct_json_number((double)r->asked[i] / (double)r->people));
    put(&o, "asked", finish(&asked));
    put_count(&settled, "certain", r->certain);
    put_count(&settled, "likely", r->likely);
    put_count(&settled, "all_revealed", r->all_revealed);
    put(&o, "settled", finish(&settled));
    put(&failure, "promised", tct_json_number(r->promised));
    put(&failure, "observed", tct_json_number(r->observed));
    put(&failure, "low", tct_json_number(r->low));
    put(&failure, "high", tct_json_number(r->high));
    put_count(&failure, "people", r->stopped);
    put_count(&failure, "failed", r->failed);
    put(&o, "failure", finish(&failure));
    return finish(&o);
}

static json_t *results_json(const tacit_audit *a, const tacit_audit_result *results)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < a->summary.n_results; i++)
        if (json_array_append_new(array, result_json(a, &results[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *groups_json(const tacit_audit *a)
{
    object o = object_new();
    json_t *list = json_array();
    size_t hidden = 0;

    put(&o, "column", json_string(a->group_column));
    for (size_t g = 0; list && g < a->summary.n_groups; g++) {
        const tacit_audit_result *results = a->group_results + g * a->summary.n_results;
        object entry;

        if (!a->shown[g]) {
            hidden++;
            continue;
        }
        entry = object_new();
        put(&entry, "name", json_string(a->groups[g]));
        put_count(&entry, "people", results[0].people);
        put(&entry, "results", results_json(a, results));
        if (json_array_append_new(list, finish(&entry))) {
            json_decref(list);
            list = NULL;
        }
    }
    put(&o, "list", list);
    put_count(&o, "suppressed", hidden);
    return finish(&o);
}

static json_t *opt_json(const tacit_audit *a)
{
    object o = object_new();

    put(&o, "mean_asked", tct_json_number(a->summary.opt_mean_asked));
    put(&o, "mean_cost", tct_json_number(a->summary.opt_mean_cost));
    put(&o, "histogram", counts_array(a->summary.opt_histogram, a->summary.n_sensitive + 1));
    put_count(&o, "inexact", a->summary.opt_inexact);
    return finish(&o);
}

static json_t *audit_to_json(const tacit_audit *a)
{
    const tacit_audit_summary *s = &a->summary;
    object o = object_new(), model = object_new(), baseline = object_new(), cells = object_new();
    json_t *sensitive = json_array();

    put(&o, "format", json_string("tacit-audit"));
    put(&o, "version", json_integer(1));
    put(&o, "made_by", json_string(tacit_version()));
    put(&model, "kind", json_string(a->model->info.kind));
    put(&model, "sha256", json_string(a->model->model_hash));
    put(&o, "model", finish(&model));
    put_count(&o, "people", s->people);
    put_count(&o, "labelled", s->labelled);
    for (size_t i = 0; sensitive && i < s->n_sensitive; i++)
        if (json_array_append_new(sensitive, json_string(attribute_name(a, i)))) {
            json_decref(sensitive);
            sensitive = NULL;
        }
    put(&o, "sensitive", sensitive);
    put(&baseline, "mean_asked", json_integer((json_int_t)s->n_sensitive));
    put(&baseline, "accuracy", tct_json_number(s->baseline_accuracy));
    put(&o, "baseline", finish(&baseline));
    if (s->has_opt)
        put(&o, "opt", opt_json(a));
    put_count(&cells, "clipped", s->clipped);
    put_count(&cells, "missing", s->missing);
    put_count(&cells, "unknown", s->unknown);
    put(&o, "cells", finish(&cells));
    put(&o, "results", results_json(a, a->results));
    if (a->group_column)
        put(&o, "groups", groups_json(a));
    return finish(&o);
}

tacit_status tacit_audit_json(char **out, const tacit_audit *audit, tacit_error *err)
{
    json_t *json = audit_to_json(audit);
    tacit_status st = json ? TACIT_OK : tct_fail_memory(err);
    size_t size;

    *out = NULL;
    if (!st)
        st = tct_json_dump(out, &size, json, err);
    json_decref(json);
    return st;
}

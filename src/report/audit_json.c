/*
 * An audit as JSON: aggregates only, never a row.  Keys are a contract (docs/FORMATS.md).  Groups too small to be
 * described are only counted.
 */
#include "audit_json.h"

#include <math.h>
#include <string.h>

#include "audit_decided_json.h"
#include "audit_quality_json.h"
#include "num.h"

/* Standard errors on either side of a mean: 95 % of a normal distribution. */
#define INTERVAL_WIDTH 1.96

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

static json_t *interval_json(double low, double high)
{
    const double ends[] = {low, high};

    return tct_json_numbers(ends, 2);
}

/* 95 %, from the counts alone: of the mean by its standard error, within what is possible; NaN for one person. */
static json_t *mean_interval(const tacit_audit_result *r, size_t n_sensitive)
{
    double people = (double)r->people, square = 0, half;

    for (size_t k = 0; k <= n_sensitive; k++)
        square += (double)r->histogram[k] * ((double)k - r->mean_asked) * ((double)k - r->mean_asked);
    if (r->people < 2)
        return interval_json(NAN, NAN);
    half = INTERVAL_WIDTH * sqrt(square / (people - 1) / people);
    return interval_json(fmax(r->mean_asked - half, 0), fmin(r->mean_asked + half, (double)n_sensitive));
}

static json_t *share_interval(uint64_t some, uint64_t people)
{
    double low, high;

    tct_clopper_pearson((double)some, (double)people, 0.95, &low, &high);
    return interval_json(low, high);
}

static json_t *intervals_json(const tacit_audit_result *r, size_t n_sensitive)
{
    object o = object_new();

    put(&o, "mean_asked", mean_interval(r, n_sensitive));
    put(&o, "none_asked", share_interval(r->histogram[0], r->people));
    put(&o, "fidelity", share_interval(r->agree, r->people));
    return finish(&o);
}

/* What people could have kept: attribute -> share, and number, of people. */
static void put_needs(object *o, const tacit_audit *a, const tacit_audit_result *r)
{
    object share = object_new(), people = object_new(), undecided = object_new();
    object spare = object_new(), answers = object_new(), never = object_new();
    double all = (double)r->people;

    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        uint64_t proven = r->people - r->indispensable[i] - r->undecided[i];
        object without = object_new();

        put(&share, a->names[i], tct_json_number((double)r->indispensable[i] / all));
        put_count(&people, a->names[i], r->indispensable[i]);
        put_count(&undecided, a->names[i], r->undecided[i]);
        put_count(&answers, a->names[i], r->spare[i]);
        put(&without, "proven", tct_json_number((double)proven / all));
        put(&without, "open", tct_json_number((double)(r->people - proven) / all));
        put(&without, "others", tct_json_number((double)r->others[i] / all));
        put(&never, a->names[i], finish(&without));
    }
    put(o, "indispensable", finish(&share));
    put(o, "indispensable_people", finish(&people));
    if (a->summary.needs_undecided)
        put(o, "undecided_people", finish(&undecided));
    else
        json_decref(finish(&undecided));
    put(&spare, "people", tct_json_number((double)r->spare_people / all));
    put(&spare, "answers", tct_json_number(r->total_asked ? (double)r->spare_answers / (double)r->total_asked : NAN));
    put_count(&spare, "people_count", r->spare_people);
    put_count(&spare, "answers_count", r->spare_answers);
    put(&spare, "by_attribute", finish(&answers));
    put(o, "spare", finish(&spare));
    put(o, "if_never_asked", finish(&never));
}

static json_t *result_json(const tacit_audit *a, const tacit_audit_result *r)
{
    object o = object_new(), asked = object_new(), people = object_new();
    object settled = object_new(), failure = object_new();
    size_t n = a->summary.n_sensitive;

    put(&o, "delta", tct_json_number(r->delta));
    put(&o, "rule", json_string(tacit_rule_name(r->rule)));
    put(&o, "calibrated", json_boolean(r->calibrated));
    put(&o, "confidence", tct_json_number(r->confidence));
    put_count(&o, "people", r->people);
    put(&o, "mean_asked", tct_json_number(r->mean_asked));
    put(&o, "share_asked", tct_json_number(r->share_asked));
    put(&o, "mean_cost", tct_json_number(r->mean_cost));
    put(&o, "none_asked", tct_json_number(r->none_asked));
    put(&o, "fidelity", tct_json_number(r->fidelity));
    put(&o, "accuracy", tct_json_number(r->accuracy));
    put(&o, "histogram", counts_array(r->histogram, n + 1));
    for (size_t i = 0; i < n; i++) {
        put(&asked, a->names[i], tct_json_number((double)r->asked[i] / (double)r->people));
        put_count(&people, a->names[i], r->asked[i]);
    }
    put(&o, "asked", finish(&asked));
    put(&o, "asked_people", finish(&people));
    put(&o, "intervals", intervals_json(r, n));
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
    put(&failure, "state", json_string(tacit_promise_name(r->promise)));
    put(&failure, "more_people", r->more_people ? json_integer((json_int_t)r->more_people) : json_null());
    put(&o, "failure", finish(&failure));
    if (a->summary.has_needs)
        put_needs(&o, a, r);
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

    put(&o, "column", json_string(tacit_audit_group_column(a)));
    for (size_t g = 0; list && g < a->summary.n_groups; g++) {
        const tacit_audit_result *results = tacit_audit_group_result(a, g, 0);
        object entry;

        if (!tacit_audit_group_shown(a, g)) {
            hidden++;
            continue;
        }
        entry = object_new();
        put(&entry, "name", json_string_nocheck(tacit_audit_group_name(a, g))); /* any bytes: the writer mends them */
        put_count(&entry, "people", results[0].people);
        put(&entry, "results", results_json(a, results));
        if (json_array_append_new(list, finish(&entry))) {
            json_decref(list);
            list = NULL;
        }
    }
    put(&o, "list", list);
    put_count(&o, "suppressed", hidden);
    put_count(&o, "least_people", TCT_SMALL_GROUP);
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

/* A list of texts; NULL when it or an item could not be made. */
static bool append(json_t **list, json_t *item)
{
    if (*list && json_array_append_new(*list, item)) {
        json_decref(*list);
        *list = NULL;
    }
    return *list != NULL;
}

/* What people are asked for. */
static json_t *attributes_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        object o = object_new();

        put(&o, "name", json_string(a->names[i]));
        put(&o, "cost", tct_json_number(a->costs[i]));
        if (!o.failed)
            tct_audit_put_description(&o.json, a, a->sensitive[i]);
        o.failed = o.failed || !o.json;
        if (!append(&list, finish(&o)))
            return NULL;
    }
    return list;
}

/* The name of a file without its folders. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Which files, as far as they are known.  Names may be any bytes: the writer mends them. */
static json_t *data_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    static const char *const parts[] = {
        [TACIT_PART_ALL] = "all", [TACIT_PART_TRAIN] = "train", [TACIT_PART_HELD_OUT] = "held_out"};
    json_t *files = json_array(), *hashes = json_array();
    object o = object_new();

    for (size_t i = 0; about && i < about->n_files; i++)
        append(&files,
               json_string_nocheck(strcmp(about->files[i], "-") == 0 ? "standard input" : file_name(about->files[i])));
    for (size_t i = 0; (!about || about->n_files == 0) && i < a->n_sources; i++) /* as a merged audit knows them */
        if (a->sources[i].name)
            append(&files, json_string(a->sources[i].name));
    for (size_t i = 0; i < a->n_sources; i++)
        append(&hashes, json_string(a->sources[i].hash));
    if (a->n_sources == 0 && *a->data_hash)
        append(&hashes, json_string(a->data_hash));
    put(&o, "files", files);
    put(&o, "sha256", hashes);
    put(&o, "part", json_string(parts[a->part]));
    put(&o, "trained_on", json_string(tacit_trained_on_name(a->summary.trained_on)));
    put(&o, "trained_rows", a->summary.trained_on ? json_integer((json_int_t)a->summary.trained_rows) : json_null());
    put(&o, "training_file", a->summary.origin ? json_boolean(a->summary.training_file) : json_null());
    return finish(&o);
}

static json_t *model_json(const tacit_audit *a)
{
    object o = object_new(), calibration;

    put(&o, "kind", json_string(a->kind));
    put(&o, "origin", json_string(tacit_origin_name(a->summary.origin)));
    put(&o, "sha256", json_string(a->model_hash));
    if (*a->calibration.hash) {
        calibration = object_new();
        put_count(&calibration, "people", a->calibration.people);
        put(&calibration, "alpha", tct_json_number(a->calibration.alpha));
        put(&calibration, "sha256", json_string(a->calibration.hash));
        put(&calibration, "same_people", json_boolean(a->summary.calibrated_with));
        put(&o, "calibration", finish(&calibration));
    }
    return finish(&o);
}

json_t *tct_audit_to_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    const tacit_audit_summary *s = &a->summary;
    object o = object_new(), cells = object_new();
    json_t *sensitive = json_array();

    put(&o, "format", json_string("tacit-audit"));
    put(&o, "version", json_integer(1));
    put(&o, "made_by", json_string(tacit_version()));
    put(&o, "model", model_json(a));
    put_count(&o, "people", s->people);
    put_count(&o, "labelled", s->labelled);
    for (size_t i = 0; sensitive && i < s->n_sensitive; i++)
        if (json_array_append_new(sensitive, json_string(a->names[i]))) {
            json_decref(sensitive);
            sensitive = NULL;
        }
    put(&o, "sensitive", sensitive);
    put(&o, "attributes", attributes_json(a));
    put(&o, "label", tct_audit_label_json(a));
    put(&o, "public", tct_audit_public_json(a));
    put(&o, "public_attributes", tct_audit_public_attributes_json(a));
    put(&o, "about", json_incref(json_object_get(a->describe, "about")));
    put(&o, "remarks", json_incref(json_object_get(a->describe, "remarks")));
    put(&o, "baseline", tct_audit_baseline_json(a));
    if (s->has_opt)
        put(&o, "opt", opt_json(a));
    put_count(&cells, "clipped", s->clipped);
    put_count(&cells, "missing", s->missing);
    put_count(&cells, "unknown", s->unknown);
    put_count(&cells, "skipped_rows", s->skipped);
    put(&cells, "by_attribute", tct_audit_cells_json(a));
    put(&o, "cells", finish(&cells));
    put(&o, "quality", tct_audit_quality_json(a));
    put(&o, "quality_people", tct_audit_quality_people_json(a));
    put(&o, "results", results_json(a, a->results));
    if (tacit_audit_group_column(a))
        put(&o, "groups", groups_json(a));
    if (a->groupings)
        put(&o, "groupings", tct_groupings_json(a));
    put(&o, "data", data_json(a, about));
    if (about && about->command)
        put(&o, "command", json_string_nocheck(about->command));
    if (about && about->date)
        put(&o, "date", json_string_nocheck(about->date));
    return finish(&o);
}

tacit_status tacit_audit_json(char **out, const tacit_audit *audit, tacit_error *err)
{
    return tacit_audit_json_about(out, audit, NULL, err);
}

tacit_status tacit_audit_json_about(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                    tacit_error *err)
{
    json_t *json = NULL;
    tacit_status st = tct_audit_document(&json, audit, about, err);
    size_t size;

    *out = NULL;
    if (!st)
        st = tct_json_dump(out, &size, json, err);
    json_decref(json);
    return st;
}

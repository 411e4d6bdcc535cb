/*
 * An audit as JSON: aggregates only, never a row.  Keys are a contract (docs/FORMATS.md).  Groups too small to be
 * described are only counted.
 */
#include "audit_json.h"

#include <math.h>
#include <string.h>

#include "audit_decided_json.h"
#include "audit_quality_json.h"
#include "describe.h"
#include "json_put.h"
#include "num.h"

/* Standard errors on either side of a mean: 95 % of a normal distribution. */
#define INTERVAL_WIDTH 1.96

/* 95 %, from the counts alone: of the mean by its standard error, within what is possible; NaN for one person. */
static json_t *mean_interval(const tacit_audit_result *r, size_t n_sensitive)
{
    double people = (double)r->people, square = 0, half;

    for (size_t k = 0; k <= n_sensitive; k++)
        square += (double)r->histogram[k] * ((double)k - r->mean_asked) * ((double)k - r->mean_asked);
    if (r->people < 2)
        return tct_ends_json(NAN, NAN);
    half = INTERVAL_WIDTH * sqrt(square / (people - 1) / people);
    return tct_ends_json(fmax(r->mean_asked - half, 0), fmin(r->mean_asked + half, (double)n_sensitive));
}

static json_t *share_interval(uint64_t some, uint64_t people)
{
    double low, high;

    tct_clopper_pearson((double)some, (double)people, 0.95, &low, &high);
    return tct_ends_json(low, high);
}

static json_t *intervals_json(const tacit_audit_result *r, size_t n_sensitive)
{
    json_t *o = json_object();

    tct_put(&o, "mean_asked", mean_interval(r, n_sensitive));
    tct_put(&o, "none_asked", share_interval(r->histogram[0], r->people));
    tct_put(&o, "fidelity", share_interval(r->agree, r->people));
    return o;
}

/* What people could have kept: attribute -> share, and number, of people. */
static void put_needs(json_t **o, const tacit_audit *a, const tacit_audit_result *r)
{
    json_t *share = json_object(), *people = json_object(), *undecided = json_object();
    json_t *spare = json_object(), *answers = json_object(), *never = json_object();
    double all = (double)r->people;

    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        uint64_t proven = r->people - r->indispensable[i] - r->undecided[i];
        json_t *without = json_object();

        tct_put(&share, a->names[i], tct_json_number((double)r->indispensable[i] / all));
        tct_put_count(&people, a->names[i], r->indispensable[i]);
        tct_put_count(&undecided, a->names[i], r->undecided[i]);
        tct_put_count(&answers, a->names[i], r->spare[i]);
        tct_put(&without, "proven", tct_json_number((double)proven / all));
        tct_put(&without, "open", tct_json_number((double)(r->people - proven) / all));
        tct_put(&without, "others", tct_json_number((double)r->others[i] / all));
        tct_put(&never, a->names[i], without);
    }
    tct_put(o, "indispensable", share);
    tct_put(o, "indispensable_people", people);
    if (a->summary.needs_undecided)
        tct_put(o, "undecided_people", undecided);
    else
        json_decref(undecided);
    tct_put(&spare, "people", tct_json_number((double)r->spare_people / all));
    tct_put(&spare, "answers",
            tct_json_number(r->total_asked ? (double)r->spare_answers / (double)r->total_asked : NAN));
    tct_put_count(&spare, "people_count", r->spare_people);
    tct_put_count(&spare, "answers_count", r->spare_answers);
    tct_put(&spare, "by_attribute", answers);
    tct_put(o, "spare", spare);
    tct_put(o, "if_never_asked", never);
}

static json_t *told_json(uint64_t count)
{
    return count == TACIT_NOT_TOLD ? json_null() : json_integer((json_int_t)count);
}

/* Failure by label with everything known; null where that is not shown. */
static json_t *labels_json(const tacit_audit *a, const tacit_audit_result *r)
{
    json_t *list = r->label_stopped ? json_array() : json_null();

    for (size_t c = 0; r->label_stopped && c < tct_describe_classes(a->describe); c++) {
        json_t *entry = json_object();

        tct_put(&entry, "label", json_string(tct_describe_name(tct_describe_class(a->describe, c))));
        tct_put(&entry, "people", told_json(r->label_stopped[c]));
        tct_put(&entry, "failed", told_json(r->label_failed[c]));
        tct_put(&entry, "fails", json_boolean(tacit_audit_label_fails(r, c)));
        tct_append(&list, entry);
    }
    return list;
}

static json_t *result_json(const tacit_audit *a, const tacit_audit_result *r)
{
    json_t *o = json_object(), *asked = json_object(), *people = json_object();
    json_t *settled = json_object(), *failure = json_object();
    size_t n = a->summary.n_sensitive;

    tct_put(&o, "delta", tct_json_number(r->delta));
    tct_put(&o, "rule", json_string(tacit_rule_name(r->rule)));
    tct_put(&o, "calibrated", json_boolean(r->calibrated));
    tct_put(&o, "confidence", tct_json_number(r->confidence));
    tct_put_count(&o, "people", r->people);
    tct_put(&o, "mean_asked", tct_json_number(r->mean_asked));
    tct_put(&o, "share_asked", tct_json_number(r->share_asked));
    tct_put(&o, "mean_cost", tct_json_number(r->mean_cost));
    tct_put(&o, "none_asked", tct_json_number(r->none_asked));
    tct_put(&o, "fidelity", tct_json_number(r->fidelity));
    tct_put(&o, "accuracy", tct_json_number(r->accuracy));
    tct_put(&o, "histogram", tct_counts_json(r->histogram, n + 1));
    for (size_t i = 0; i < n; i++) {
        tct_put(&asked, a->names[i], tct_json_number((double)r->asked[i] / (double)r->people));
        tct_put_count(&people, a->names[i], r->asked[i]);
    }
    tct_put(&o, "asked", asked);
    tct_put(&o, "asked_people", people);
    tct_put(&o, "intervals", intervals_json(r, n));
    tct_put_count(&settled, "certain", r->certain);
    tct_put_count(&settled, "likely", r->likely);
    tct_put_count(&settled, "all_revealed", r->all_revealed);
    tct_put(&o, "settled", settled);
    tct_put(&failure, "promised", tct_json_number(r->promised));
    tct_put(&failure, "observed", tct_json_number(r->observed));
    tct_put(&failure, "low", tct_json_number(r->low));
    tct_put(&failure, "high", tct_json_number(r->high));
    tct_put_count(&failure, "people", r->stopped);
    tct_put_count(&failure, "failed", r->failed);
    tct_put(&failure, "state", json_string(tacit_promise_name(r->promise)));
    tct_put(&failure, "more_people", r->more_people ? json_integer((json_int_t)r->more_people) : json_null());
    tct_put(&o, "failure", failure);
    if (a->summary.has_needs)
        put_needs(&o, a, r);
    return o;
}

/* Everybody's result: also how those with clipped and missing cells fare, which is not counted for groups. */
static json_t *whole_json(const tacit_audit *a, const tacit_audit_result *r)
{
    json_t *o = result_json(a, r), *failure = json_object_get(o, "failure");

    if (failure && json_object_set_new(failure, "by_label", labels_json(a, r))) {
        json_decref(o);
        o = NULL;
    }
    if (a->summary.origin == TACIT_ORIGIN_IMPORTED)
        tct_put(&o, "fidelity_unclipped", tct_json_number(a->summary.unclipped_shown ? r->fidelity_unclipped : NAN));
    tct_put(&o, "quality_people", tct_audit_released_json(a, r));
    return o;
}

static json_t *results_json(const tacit_audit *a, const tacit_audit_result *results)
{
    json_t *array = json_array();

    for (size_t i = 0; i < a->summary.n_results; i++)
        tct_append(&array, results == a->results ? whole_json(a, &results[i]) : result_json(a, &results[i]));
    return array;
}

/* What no promise need exceed: decisions that are proven keep all of them.  Null when delta = 0 was not counted. */
static json_t *limit_json(const tacit_audit *a)
{
    const tacit_audit_result *proven = NULL;
    json_t *o;

    for (size_t i = 0; i < a->summary.n_results; i++)
        proven = a->results[i].delta == 0 ? &a->results[i] : proven;
    if (!proven)
        return json_null();
    o = json_object();
    tct_put(&o, "mean_asked", tct_json_number(proven->mean_asked));
    tct_put(&o, "mean_cost", tct_json_number(proven->mean_cost));
    return o;
}

static json_t *groups_json(const tacit_audit *a)
{
    json_t *o = json_object();
    json_t *list = json_array();
    size_t hidden = 0;

    tct_put(&o, "column", json_string(tacit_audit_group_column(a)));
    for (size_t g = 0; list && g < a->summary.n_groups; g++) {
        const tacit_audit_result *results = tacit_audit_group_result(a, g, 0);
        json_t *entry;

        if (!tacit_audit_group_shown(a, g)) {
            hidden++;
            continue;
        }
        entry = json_object();
        tct_put(&entry, "name",
                json_string_nocheck(tacit_audit_group_name(a, g))); /* any bytes: the writer mends them */
        tct_put_count(&entry, "people", results[0].people);
        tct_put(&entry, "results", results_json(a, results));
        tct_append(&list, entry);
    }
    tct_put(&o, "list", list);
    tct_put_count(&o, "suppressed", hidden);
    tct_put_count(&o, "least_people", TCT_SMALL_GROUP);
    return o;
}

static json_t *opt_json(const tacit_audit *a)
{
    json_t *o = json_object();

    tct_put(&o, "mean_asked", tct_json_number(a->summary.opt_mean_asked));
    tct_put(&o, "mean_least", tct_json_number(a->summary.opt_mean_least));
    tct_put(&o, "mean_cost", tct_json_number(a->summary.opt_mean_cost));
    tct_put(&o, "histogram", tct_counts_json(a->summary.opt_histogram, a->summary.n_sensitive + 1));
    tct_put_count(&o, "inexact", a->summary.opt_inexact);
    if (tct_audit_opt_share(a) < 1) {
        tct_put(&o, "share", tct_json_number(tct_audit_opt_share(a)));
        tct_put_count(&o, "people", a->summary.opt_people);
        tct_put(&o, "standard_error", tct_json_number(a->summary.opt_error));
    }
    return o;
}

/* What people are asked for. */
static json_t *attributes_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        json_t *o = json_object();

        tct_put(&o, "name", json_string(a->names[i]));
        tct_put(&o, "cost", tct_json_number(a->costs[i]));
        if (o)
            tct_audit_put_description(&o, a, a->sensitive[i]);
        tct_append(&list, o);
    }
    return list;
}

/* Which files, as far as they are known.  Names may be any bytes: the writer mends them. */
static json_t *data_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    static const char *const parts[] = {
        [TACIT_PART_ALL] = "all", [TACIT_PART_TRAIN] = "train", [TACIT_PART_HELD_OUT] = "held_out"};
    json_t *files = json_array(), *hashes = json_array();
    json_t *o = json_object();

    for (size_t i = 0; about && i < about->n_files; i++)
        tct_append(&files, json_string_nocheck(tct_source_name(about->files[i])));
    for (size_t i = 0; (!about || about->n_files == 0) && i < a->n_sources; i++) /* as a merged audit knows them */
        if (a->sources[i].name)
            tct_append(&files, json_string(a->sources[i].name));
    for (size_t i = 0; i < a->n_sources; i++)
        tct_append(&hashes, json_string(a->sources[i].hash));
    if (a->n_sources == 0 && *a->data_hash)
        tct_append(&hashes, json_string(a->data_hash));
    tct_put(&o, "files", files);
    tct_put(&o, "sha256", hashes);
    tct_put(&o, "part", json_string(parts[a->part]));
    tct_put(&o, "trained_on", json_string(tacit_trained_on_name(a->summary.trained_on)));
    tct_put(&o, "trained_rows",
            a->summary.trained_on ? json_integer((json_int_t)a->summary.trained_rows) : json_null());
    tct_put(&o, "training_file", a->summary.origin ? json_boolean(a->summary.training_file) : json_null());
    return o;
}

static json_t *model_json(const tacit_audit *a)
{
    json_t *o = json_object(), *calibration;

    tct_put(&o, "kind", json_string(a->kind));
    tct_put(&o, "origin", json_string(tacit_origin_name(a->summary.origin)));
    tct_put(&o, "sha256", json_string(a->model_hash));
    if (*a->calibration.hash) {
        calibration = json_object();
        tct_put_count(&calibration, "people", a->calibration.people);
        tct_put(&calibration, "alpha", tct_json_number(a->calibration.alpha));
        tct_put(&calibration, "sha256", json_string(a->calibration.hash));
        tct_put(&calibration, "same_people", json_boolean(a->summary.calibrated_with));
        tct_put(&o, "calibration", calibration);
    }
    return o;
}

json_t *tct_audit_to_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    const tacit_audit_summary *s = &a->summary;
    json_t *o = json_object(), *cells = json_object();

    tct_put(&o, "format", json_string("tacit-audit"));
    tct_put(&o, "version", json_integer(1));
    tct_put(&o, "made_by", json_string(tacit_version()));
    tct_put(&o, "model", model_json(a));
    tct_put_count(&o, "people", s->people);
    if (s->people < TCT_SMALL_GROUP)
        tct_put(&o, "few_people", json_true());
    tct_put_count(&o, "labelled", s->labelled);
    tct_put(&o, "sensitive", tct_texts_json((const char *const *)a->names, s->n_sensitive));
    tct_put(&o, "attributes", attributes_json(a));
    tct_put(&o, "label", tct_audit_label_json(a));
    tct_put(&o, "public", tct_audit_public_json(a));
    tct_put(&o, "public_attributes", tct_audit_public_attributes_json(a));
    tct_put(&o, "about", json_incref(json_object_get(a->describe, "about")));
    tct_put(&o, "remarks", json_incref(json_object_get(a->describe, "remarks")));
    tct_put(&o, "baseline", tct_audit_baseline_json(a));
    if (s->has_opt)
        tct_put(&o, "opt", opt_json(a));
    tct_put_count(&cells, "clipped", s->clipped);
    tct_put_count(&cells, "missing", s->missing);
    tct_put_count(&cells, "unknown", s->unknown);
    tct_put_count(&cells, "skipped_rows", s->skipped);
    tct_put(&cells, "by_attribute", tct_audit_cells_json(a));
    tct_put(&o, "cells", cells);
    tct_put(&o, "quality", tct_audit_quality_json(a));
    tct_put(&o, "quality_people", tct_audit_quality_people_json(a));
    tct_put(&o, "results", results_json(a, a->results));
    tct_put(&o, "upper_limit", limit_json(a));
    if (tacit_audit_group_column(a))
        tct_put(&o, "groups", groups_json(a));
    if (a->groupings)
        tct_put(&o, "groupings", tct_groupings_json(a));
    tct_put(&o, "data", data_json(a, about));
    if (about && about->command)
        tct_put(&o, "command", json_string_nocheck(about->command));
    if (about && about->date)
        tct_put(&o, "date", json_string_nocheck(about->date));
    return o;
}

tacit_status tacit_audit_json(char **out, const tacit_audit *audit, tacit_error *err)
{
    return tacit_audit_json_about(out, audit, NULL, err);
}

tacit_status tacit_audit_json_about(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                    tacit_error *err)
{
    tacit_audit_provenance own;
    json_t *json = NULL;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_audit_provenance, necessity, about, err);
    size_t size;

    *out = NULL;
    if (!st)
        st = tct_audit_document(&json, audit, about ? &own : NULL, err);
    if (!st)
        st = tct_json_dump(out, &size, json, err);
    json_decref(json);
    return st;
}

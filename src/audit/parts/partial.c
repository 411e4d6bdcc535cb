/*
 * partial.c -- writing a part of an audit.
 *
 * Whole numbers only, besides deltas, costs and edges of bins.  Every group is in it, however small: a group may be
 * small here and large in the whole.
 */
#include "partial.h"

#include <string.h>

#include "json_put.h"
#include "names.h"

const char *const tct_part_names[3] = {
    [TACIT_PART_ALL] = "all", [TACIT_PART_TRAIN] = "train", [TACIT_PART_HELD_OUT] = "held out"};

/* clang-format off */
#define COUNT(type, name) {#name, offsetof(type, name)}
/* clang-format on */
const tct_member tct_tally_members[TCT_TALLY_MEMBERS] = {
    COUNT(tct_tally, people),       COUNT(tct_tally, labelled), COUNT(tct_tally, agree),
    COUNT(tct_tally, correct),      COUNT(tct_tally, certain),  COUNT(tct_tally, likely),
    COUNT(tct_tally, stopped),      COUNT(tct_tally, failed),   COUNT(tct_tally, all_revealed),
    COUNT(tct_tally, spare_people),
};
const char *const tct_need_lists[TCT_NEED_LISTS] = {"indispensable", "undecided", "spare", "others"};
const tct_member tct_census_members[TCT_CENSUS_MEMBERS] = {
    COUNT(tct_census, people),
    COUNT(tct_census, labelled),
    COUNT(tct_census, baseline_correct),
    {"opt_inexact", offsetof(tct_census, opt) + offsetof(tct_opt_counts, inexact)},
    {"opt_slack", offsetof(tct_census, opt) + offsetof(tct_opt_counts, slack)},
    COUNT(tct_census, skipped),
    {"clipped", offsetof(tct_census, cells) + offsetof(tct_encode_counts, clipped)},
    {"missing", offsetof(tct_census, cells) + offsetof(tct_encode_counts, missing)},
    {"unknown", offsetof(tct_census, cells) + offsetof(tct_encode_counts, unknown)},
};

static void put_members(json_t **object, const void *base, const tct_member *members, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t count;

        memcpy(&count, (const char *)base + members[i].offset, sizeof count);
        tct_put_count(object, members[i].key, count);
    }
}

static json_t *tally_json(const tct_tally *t)
{
    json_t *object = json_object();

    put_members(&object, t, tct_tally_members, TCT_TALLY_MEMBERS);
    tct_put(&object, "histogram", tct_counts_json(t->histogram, t->n_sensitive + 1));
    tct_put(&object, "asked", tct_counts_json(t->asked, t->n_sensitive));
    for (size_t i = 0; i < TCT_NEED_LISTS; i++)
        tct_put(&object, tct_need_lists[i],
                tct_counts_json(t->indispensable + i * (t->n_sensitive + 1), t->n_sensitive));
    if (t->n_labels) {
        tct_put(&object, "label_stopped", tct_counts_json(t->label_stopped, t->n_labels));
        tct_put(&object, "label_failed", tct_counts_json(t->label_failed, t->n_labels));
    }
    return object;
}

json_t *tct_partial_results_json(const tacit_audit *a, tct_tally *const *tallies)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->summary.n_results; i++)
        tct_append(&list, tally_json(tallies[i]));
    return list;
}

/* Smallest sets by octave, those that count and have somebody; less than that depends on who counted whom. */
static json_t *octaves_json(const tct_census *c)
{
    json_t *list = json_array();

    for (size_t k = tct_opt_level(c->people); k < TCT_OCTAVES; k++) {
        const tct_opt_counts *o = &c->octaves[k];
        json_t *object;

        if (tct_opt_counted(o, c->n_sensitive) == 0)
            continue;
        object = json_object();
        tct_put_count(&object, "octave", k);
        tct_put_count(&object, "inexact", o->inexact);
        tct_put_count(&object, "slack", o->slack);
        tct_put(&object, "histogram", tct_counts_json(o->histogram, c->n_sensitive + 1));
        tct_put(&object, "members", tct_counts_json(o->members, c->n_sensitive));
        tct_append(&list, object);
    }
    return list;
}

static json_t *census_json(const tacit_audit *a)
{
    json_t *object = json_object();

    put_members(&object, a->census, tct_census_members, TCT_CENSUS_MEMBERS);
    tct_put(&object, "opt_histogram", tct_counts_json(a->census->opt.histogram, a->summary.n_sensitive + 1));
    tct_put(&object, "opt_members", tct_counts_json(a->census->opt.members, a->summary.n_sensitive));
    if (a->census->octaves)
        tct_put(&object, "opt_octaves", octaves_json(a->census));
    return object;
}

static json_t *sensitive_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        json_t *object = json_object();

        tct_put_count(&object, "attribute", a->sensitive[i]);
        tct_put_text(&object, "name", a->names[i]);
        tct_put_text(&object, "question", a->questions[i]);
        tct_put_number(&object, "cost", a->costs[i]);
        tct_append(&list, object);
    }
    return list;
}

static json_t *promises_json(const tacit_audit *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->summary.n_results; i++) {
        json_t *object = json_object();

        tct_put_number(&object, "delta", a->results[i].delta);
        tct_put_text(&object, "rule", tacit_rule_name(a->results[i].rule));
        tct_put(&object, "calibrated", json_boolean(a->results[i].calibrated));
        tct_put_number(&object, "confidence", a->results[i].confidence);
        tct_append(&list, object);
    }
    return list;
}

static json_t *sources_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->n_sources; i++) {
        const char *name =
            about && about->n_files == a->n_sources ? tct_source_name(about->files[i]) : a->sources[i].name;
        json_t *object = json_object();

        if (name && !tct_name_problem(name, strlen(name), SIZE_MAX)) /* one that cannot be shown is left out */
            tct_put_text(&object, "name", name);
        tct_put_text(&object, "sha256", a->sources[i].hash);
        tct_put_count(&object, "people", a->sources[i].people);
        tct_append(&list, object);
    }
    return list;
}

static json_t *settings_json(const tacit_audit *a)
{
    json_t *object = json_object();
    char seed[32];

    snprintf(seed, sizeof seed, "%llu", (unsigned long long)a->seed); /* a text: 64 bits, whoever reads it */
    tct_put_text(&object, "rows", tct_part_names[a->part]);
    tct_put_text(&object, "unknown", a->unknown_as_missing ? "missing" : "error");
    tct_put(&object, "opt", json_boolean(!a->no_opt));
    if (a->opt_share < 1)
        tct_put_number(&object, "opt_share", a->opt_share);
    tct_put_text(&object, "needs", a->no_needs ? "none" : a->needs_undecided ? "tried" : "decided");
    tct_put_text(&object, "seed", seed);
    return object;
}

static json_t *model_json(const tacit_audit *a)
{
    json_t *model = json_object(), *calibration;

    tct_put_text(&model, "kind", a->kind);
    tct_put_text(&model, "sha256", a->model_hash);
    if (!*a->calibration.hash)
        return model;
    calibration = json_object();
    tct_put_text(&calibration, "sha256", a->calibration.hash);
    tct_put_count(&calibration, "people", a->calibration.people);
    tct_put_number(&calibration, "alpha", a->calibration.alpha);
    tct_put(&model, "calibration", calibration);
    return model;
}

static json_t *part_json(const tacit_audit *a, const tacit_audit_provenance *about)
{
    json_t *o = json_object();

    tct_put_text(&o, "format", "tacit-audit-part");
    tct_put(&o, "version", json_integer(1));
    tct_put_text(&o, "made_by", tacit_version());
    tct_put(&o, "note",
            json_string("Not for publication: groups of any size are described. tacit merge makes the report."));
    tct_put(&o, "model", model_json(a));
    tct_put(&o, "settings", settings_json(a));
    tct_put(&o, "sensitive", sensitive_json(a));
    tct_put(&o, "promises", promises_json(a));
    tct_put(&o, "files", sources_json(a, about));
    tct_put(&o, "describe", json_incref(a->describe));
    tct_put(&o, "census", census_json(a));
    tct_put(&o, "quality", tct_quality_to_json(a->quality));
    tct_put(&o, "results", tct_partial_results_json(a, a->tallies));
    if (o && !tct_partial_put_groups(o, a)) {
        json_decref(o);
        o = NULL;
    }
    return o;
}

tacit_status tct_partial_write(tct_text *out, const tacit_audit *a, const tacit_audit_provenance *about,
                               tacit_error *err)
{
    json_t *json = part_json(a, about);
    char *text = NULL;
    size_t size = 0;
    tacit_status st = json ? tct_json_dump(&text, &size, json, err) : tct_fail_memory(err);

    if (!st) {
        tct_text_append(out, text, size);
        st = out->failed ? tct_fail_memory(err) : TACIT_OK;
    }
    tct_free_wiped(text, size);
    json_decref(json);
    return st;
}

tacit_status tacit_audit_partial(char **out, const tacit_audit *a, const tacit_audit_provenance *about,
                                 tacit_error *err)
{
    tacit_audit_provenance own;
    uint64_t people = 0;
    tct_text text = {0};
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_audit_provenance, necessity, about, err);

    *out = NULL;
    if (st)
        return st;
    for (size_t i = 0; i < a->n_sources; i++)
        people += a->sources[i].people;
    if (people != a->census->people)
        return tct_fail(err, TACIT_E_USAGE, "the audit was not made to be a part of another: its files are not known");
    for (size_t i = 0; i < a->n_sources; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->sources[i].hash, a->sources[k].hash) == 0)
                return tct_fail(err, TACIT_E_INPUT, "files %zu and %zu are the same: their people would count twice",
                                k + 1, i + 1);
    st = tct_partial_write(&text, a, about ? &own : NULL, err);
    if (!st)
        *out = text.bytes;
    else
        tct_text_free(&text);
    return st;
}

/*
 * necessity_json.c -- what tacit_necessity found, as JSON.  Keys are a contract (docs/FORMATS.md).  Nothing in it depends
 * on when, where or on how many threads it was found.
 */
#include <math.h>
#include <string.h>

#include "json_put.h"
#include "necessity.h"

/* Three numbers under three names. */
static void put_interval(json_t **json, tct_mean_interval i, const char *mean, const char *low, const char *high)
{
    tct_put_number(json, mean, i.mean);
    tct_put_number(json, low, i.low);
    tct_put_number(json, high, i.high);
}

/* Is the loss beyond the tolerance, within it, or not shown to be either? */
static const char *need(const tacit_necessity *e, tct_mean_interval loss)
{
    if (loss.low > e->tolerance)
        return "yes";
    return loss.high <= e->tolerance ? "no" : "not shown";
}

/* texts: what the schema says to people (tct_schema_texts_json). */
static json_t *attribute_json(const tacit_necessity *e, size_t attribute, const json_t *texts)
{
    const tacit_attribute *a = &e->schema->attributes[attribute];
    size_t place = e->schema->n_attributes + 1 + attribute;
    tct_mean_interval loss = tct_figure_difference(e, TCT_ACCURACY, 0, place);
    const json_t *said = json_object_get(json_object_get(texts, "attributes"), a->name);
    json_t *json = json_object();

    tct_put_text(&json, "name", a->name);
    tct_put_same(&json, said, "text");
    tct_put_same(&json, said, "special");
    tct_put_text(&json, "role", a->role == TACIT_PUBLIC ? "public" : "sensitive");
    put_interval(&json, loss, "accuracy_drop", "low", "high");
    put_interval(&json, tct_figure_difference(e, TCT_ASKED, place, 0), "asked_change", "asked_low", "asked_high");
    tct_put_text(&json, "needed", need(e, loss));
    return json;
}

static json_t *attributes_json(const tacit_necessity *e, const json_t *texts)
{
    json_t *list = json_array();

    for (size_t a = 0; a < e->schema->n_attributes; a++)
        tct_append(&list, attribute_json(e, a, texts));
    return list;
}

/* Names of the attributes from `from` on, up to `to`, of the order; in schema order when they are kept. */
static json_t *names_json(const tacit_necessity *e, size_t from, size_t to, bool kept)
{
    json_t *list = json_array();
    size_t n = e->schema->n_attributes;

    for (size_t a = 0; a < n && kept; a++)
        for (size_t i = from; i < to; i++)
            if (e->order[i] == a)
                tct_append(&list, json_string(e->schema->attributes[a].name));
    for (size_t i = from; i < to && !kept; i++)
        tct_append(&list, json_string(e->schema->attributes[e->order[i]].name));
    return list;
}

static json_t *point_json(const tacit_necessity *e, size_t place)
{
    size_t n = e->schema->n_attributes;
    json_t *json = json_object();

    tct_put_count(&json, "attributes", n - place);
    tct_put(&json, "kept", names_json(e, place, n, true));
    tct_put(&json, "dropped", names_json(e, 0, place, false));
    put_interval(&json, tct_figure_at(e, TCT_ACCURACY, place), "accuracy", "low", "high");
    put_interval(&json, tct_figure_difference(e, TCT_ACCURACY, 0, place), "difference", "difference_low",
                 "difference_high");
    put_interval(&json, tct_figure_at(e, TCT_ASKED, place), "mean_asked", "asked_low", "asked_high");
    put_interval(&json, tct_figure_difference(e, TCT_ASKED, place, 0), "asked_difference", "asked_difference_low",
                 "asked_difference_high");
    tct_put_number(&json, "agreement", place < n ? tct_agreement(e, place) : NAN);
    return json;
}

static json_t *frontier_json(const tacit_necessity *e)
{
    json_t *list = json_array();

    for (size_t place = 0; place <= e->schema->n_attributes; place++)
        tct_append(&list, point_json(e, place));
    return list;
}

static json_t *data_json(const tacit_necessity *e)
{
    json_t *json = json_object();

    tct_put_text(&json, "file", strcmp(e->data_name, "-") ? e->data_name : "standard input");
    tct_put_text(&json, "sha256", e->data_hash);
    tct_put_count(&json, "rows", e->n_rows);
    return json;
}

static json_t *label_json(const tacit_necessity *e)
{
    json_t *json = json_object();

    tct_put_text(&json, "name", e->schema->label);
    tct_put(&json, "classes", tct_texts_json((const char *const *)e->schema->classes, e->schema->n_classes));
    return json;
}

/* The class with most people in the training part, where all splits agree; else null. */
static json_t *majority_json(const tacit_necessity *e)
{
    for (size_t s = 1; s < e->n_splits; s++)
        if (e->splits[s].majority != e->splits[0].majority)
            return json_null();
    return json_string(e->schema->classes[e->splits[0].majority]);
}

static void put_settings(json_t **json, const tacit_necessity *e)
{
    size_t played = 0;

    for (size_t s = 0; s < e->n_splits; s++)
        played += e->splits[s].played;
    tct_put(json, "data", data_json(e));
    tct_put(json, "label", label_json(e));
    tct_put_text(json, "model", e->fit.kind);
    tct_put_count(json, "splits", e->n_splits);
    tct_put_number(json, "test_share", e->test_share);
    tct_put(json, "seed", tct_json_seed(e->seed));
    tct_put_number(json, "tolerance", e->tolerance);
    tct_put_count(json, "people_played", played);
    tct_put(json, "majority_class", majority_json(e));
    tct_put_number(json, "majority_accuracy", tct_majority_accuracy(e));
}

tacit_status tacit_necessity_json(char **out, const tacit_necessity *e, const char *command, tacit_error *err)
{
    json_t *json = json_object(), *texts = tct_schema_texts_json(e->schema);
    tacit_status st;

    *out = NULL;
    tct_put_text(&json, "format", "tacit-necessity");
    tct_put_count(&json, "version", 1);
    tct_put_text(&json, "made_by", tacit_version());
    put_settings(&json, e);
    tct_put(&json, "attributes", attributes_json(e, texts));
    tct_put(&json, "frontier", frontier_json(e));
    tct_put_count(&json, "recommended", tct_recommended(e));
    if (command)
        tct_put_text(&json, "command", command);
    st = texts && json ? tct_json_dump(out, NULL, json, err) : tct_fail_memory(err);
    json_decref(texts);
    json_decref(json);
    return st;
}

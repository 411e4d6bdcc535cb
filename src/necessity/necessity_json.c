/*
 * necessity_json.c -- what tacit_necessity found, as JSON.  Keys are a contract (docs/FORMATS.md).  Nothing in it depends
 * on when, where or on how many threads it was found.
 */
#include <math.h>
#include <string.h>

#include "necessity.h"

/* Three numbers under three names. */
static int put_interval(json_t *json, tct_mean_interval i, const char *mean, const char *low, const char *high)
{
    return json_object_set_new(json, mean, tct_json_number(i.mean)) ||
           json_object_set_new(json, low, tct_json_number(i.low)) ||
           json_object_set_new(json, high, tct_json_number(i.high));
}

/* Is the loss beyond the tolerance, within it, or not shown to be either? */
static const char *need(const tacit_necessity *e, tct_mean_interval loss)
{
    if (loss.low > e->tolerance)
        return "yes";
    return loss.high <= e->tolerance ? "no" : "not shown";
}

/* What `said` has under a key, too; nothing when it has not. */
static int put_said(json_t *json, const json_t *said, const char *key)
{
    json_t *value = json_object_get(said, key);

    return value ? json_object_set(json, key, value) : 0;
}

/* texts: what the schema says to people (tct_schema_texts_json). */
static json_t *attribute_json(const tacit_necessity *e, size_t attribute, const json_t *texts)
{
    const tacit_attribute *a = &e->schema->attributes[attribute];
    size_t place = e->schema->n_attributes + 1 + attribute;
    tct_mean_interval loss = tct_figure_difference(e, TCT_ACCURACY, 0, place);
    const json_t *said = json_object_get(json_object_get(texts, "attributes"), a->name);
    json_t *json = json_object();

    if (json_object_set_new(json, "name", json_string(a->name)) || put_said(json, said, "text") ||
        put_said(json, said, "special") ||
        json_object_set_new(json, "role", json_string(a->role == TACIT_PUBLIC ? "public" : "sensitive")) ||
        put_interval(json, loss, "accuracy_drop", "low", "high") ||
        put_interval(json, tct_figure_difference(e, TCT_ASKED, place, 0), "asked_change", "asked_low", "asked_high") ||
        json_object_set_new(json, "needed", json_string(need(e, loss)))) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *attributes_json(const tacit_necessity *e, const json_t *texts)
{
    json_t *list = json_array();

    for (size_t a = 0; a < e->schema->n_attributes && list; a++)
        if (json_array_append_new(list, attribute_json(e, a, texts))) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

/* Names of the attributes from `from` on, up to `to`, of the order; in schema order when they are kept. */
static json_t *names_json(const tacit_necessity *e, size_t from, size_t to, bool kept)
{
    json_t *list = json_array();
    size_t n = e->schema->n_attributes;

    for (size_t a = 0; a < n && kept && list; a++)
        for (size_t i = from; i < to; i++)
            if (e->order[i] == a && json_array_append_new(list, json_string(e->schema->attributes[a].name)))
                goto fail;
    for (size_t i = from; i < to && !kept && list; i++)
        if (json_array_append_new(list, json_string(e->schema->attributes[e->order[i]].name)))
            goto fail;
    return list;
fail:
    json_decref(list);
    return NULL;
}

static json_t *point_json(const tacit_necessity *e, size_t place)
{
    size_t n = e->schema->n_attributes;
    json_t *json = json_object();

    if (json_object_set_new(json, "attributes", json_integer((json_int_t)(n - place))) ||
        json_object_set_new(json, "kept", names_json(e, place, n, true)) ||
        json_object_set_new(json, "dropped", names_json(e, 0, place, false)) ||
        put_interval(json, tct_figure_at(e, TCT_ACCURACY, place), "accuracy", "low", "high") ||
        put_interval(json, tct_figure_difference(e, TCT_ACCURACY, 0, place), "difference", "difference_low",
                     "difference_high") ||
        put_interval(json, tct_figure_at(e, TCT_ASKED, place), "mean_asked", "asked_low", "asked_high") ||
        put_interval(json, tct_figure_difference(e, TCT_ASKED, place, 0), "asked_difference", "asked_difference_low",
                     "asked_difference_high") ||
        json_object_set_new(json, "agreement", tct_json_number(place < n ? tct_agreement(e, place) : NAN))) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *frontier_json(const tacit_necessity *e)
{
    json_t *list = json_array();

    for (size_t place = 0; place <= e->schema->n_attributes && list; place++)
        if (json_array_append_new(list, point_json(e, place))) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *data_json(const tacit_necessity *e)
{
    json_t *json = json_object();

    if (json_object_set_new(json, "file", json_string(strcmp(e->data_name, "-") ? e->data_name : "standard input")) ||
        json_object_set_new(json, "sha256", json_string(e->data_hash)) ||
        json_object_set_new(json, "rows", json_integer((json_int_t)e->n_rows))) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *label_json(const tacit_necessity *e)
{
    json_t *json = json_object(), *classes = json_array();

    for (size_t c = 0; c < e->schema->n_classes && classes; c++)
        if (json_array_append_new(classes, json_string(e->schema->classes[c]))) {
            json_decref(classes);
            classes = NULL;
        }
    if (json_object_set_new(json, "name", json_string(e->schema->label)) || json_object_set(json, "classes", classes)) {
        json_decref(classes);
        json_decref(json);
        return NULL;
    }
    json_decref(classes);
    return json;
}

static json_t *seed_json(uint64_t seed)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    return seed <= UINT64_C(9007199254740992) ? json_integer((json_int_t)seed) : json_string(text);
}

/* The class with most people in the training part, where all splits agree; else null. */
static json_t *majority_json(const tacit_necessity *e)
{
    for (size_t s = 1; s < e->n_splits; s++)
        if (e->splits[s].majority != e->splits[0].majority)
            return json_null();
    return json_string(e->schema->classes[e->splits[0].majority]);
}

static int put_settings(json_t *json, const tacit_necessity *e)
{
    size_t played = 0;

    for (size_t s = 0; s < e->n_splits; s++)
        played += e->splits[s].played;
    return json_object_set_new(json, "data", data_json(e)) || json_object_set_new(json, "label", label_json(e)) ||
           json_object_set_new(json, "model", json_string(e->kind)) ||
           json_object_set_new(json, "splits", json_integer((json_int_t)e->n_splits)) ||
           json_object_set_new(json, "test_share", tct_json_number(e->test_share)) ||
           json_object_set_new(json, "seed", seed_json(e->seed)) ||
           json_object_set_new(json, "tolerance", tct_json_number(e->tolerance)) ||
           json_object_set_new(json, "people_played", json_integer((json_int_t)played)) ||
           json_object_set_new(json, "majority_class", majority_json(e)) ||
           json_object_set_new(json, "majority_accuracy", tct_json_number(tct_majority_accuracy(e)));
}

tacit_status tacit_necessity_json(char **out, const tacit_necessity *e, const char *command, tacit_error *err)
{
    json_t *json = json_object(), *texts = tct_schema_texts_json(e->schema);
    tacit_status st;

    *out = NULL;
    if (!texts || json_object_set_new(json, "format", json_string("tacit-necessity")) ||
        json_object_set_new(json, "version", json_integer(1)) ||
        json_object_set_new(json, "made_by", json_string(tacit_version())) || put_settings(json, e) ||
        json_object_set_new(json, "attributes", attributes_json(e, texts)) ||
        json_object_set_new(json, "frontier", frontier_json(e)) ||
        json_object_set_new(json, "recommended", json_integer((json_int_t)tct_recommended(e))) ||
        (command && json_object_set_new(json, "command", json_string(command))))
        st = tct_fail_memory(err);
    else
        st = tct_json_dump(out, NULL, json, err);
    json_decref(texts);
    json_decref(json);
    return st;
}

/*
 * describe.c -- what an audit is about, made from the model and read from a part.
 */
#include "describe.h"

#include <math.h>
#include <string.h>

#include "json_put.h"
#include "names.h"

static const char *const ROLES[] = {[TACIT_PUBLIC] = "public", [TACIT_SENSITIVE] = "sensitive"};
static const char *const TYPES[] = {
    [TACIT_NUMBER] = "number", [TACIT_INTEGER] = "integer", [TACIT_CATEGORY] = "category"};

/* ---------------------------------------------------------------- making */

/* texts: all that people are shown, by tct_schema_texts_json. */
static json_t *label_json(const tacit_schema *schema, const json_t *texts)
{
    json_t *label = json_object(), *classes = json_array(), *text = json_object_get(texts, "label");

    tct_put_text(&label, "name", schema->label);
    if (text)
        tct_put(&label, "text", json_incref(text));
    for (size_t c = 0; c < schema->n_classes; c++) {
        json_t *entry = json_object();

        tct_put_text(&entry, "name", schema->classes[c]);
        text = json_object_get(json_object_get(texts, "classes"), schema->classes[c]);
        if (text)
            tct_put(&entry, "text", json_incref(text));
        tct_append(&classes, entry);
    }
    tct_put(&label, "classes", classes);
    return label;
}

/* How the training people were spread, without the values. */
static json_t *profile_json(const tct_reference *reference, size_t attribute, uint64_t rows)
{
    const tct_profile *p = &reference->spreads[attribute];
    json_t *object = json_object();

    tct_put_count(&object, "rows", rows);
    tct_put_count(&object, "missing", p->missing);
    tct_put_count(&object, "clipped", p->clipped);
    tct_put(&object, "by_level", json_boolean(p->bins != NULL));
    tct_put(&object, "counts", tct_counts_json(p->counts, p->n_bins));
    return object;
}

static json_t *attribute_json(const tacit_attribute *a, const json_t *texts)
{
    const json_t *own = json_object_get(json_object_get(texts, "attributes"), a->name);
    json_t *entry = json_object();

    tct_put_text(&entry, "name", a->name);
    tct_put_text(&entry, "role", ROLES[a->role]);
    tct_put_text(&entry, "type", TYPES[a->type]);
    tct_put_text(&entry, "question", a->question);
    if (json_is_object(json_object_get(own, "question")))
        tct_put(&entry, "question_text", json_incref(json_object_get(own, "question")));
    tct_put_same(&entry, own, "text");
    tct_put_same(&entry, own, "special");
    tct_put(&entry, "missing_is_value", json_boolean(a->missing_is_value));
    return entry;
}

/* Who trained it, and on what. */
static json_t *model_json(const tacit_model *model)
{
    json_t *object = json_object();

    tct_put_text(&object, "origin", tacit_origin_name(model->info.origin));
    tct_put_text(&object, "data_hash", model->data_hash);
    tct_put_count(&object, "train_rows", model->info.train_rows);
    tct_put_count(&object, "test_rows", model->info.test_rows);
    return object;
}

json_t *tct_describe_model(const tacit_model *model)
{
    const tacit_schema *schema = model->schema;
    json_t *describe = json_object(), *attributes = json_array(), *texts = tct_schema_texts_json(schema);

    for (size_t a = 0; texts && a < schema->n_attributes; a++) {
        json_t *entry = attribute_json(&schema->attributes[a], texts);

        if (model->reference)
            tct_put(&entry, "reference",
                    profile_json(model->reference, a, model->info.train_rows + model->info.test_rows));
        tct_append(&attributes, entry);
    }
    tct_put(&describe, "model", model_json(model));
    tct_put(&describe, "label", texts ? label_json(schema, texts) : NULL);
    tct_put(&describe, "attributes", attributes);
    tct_put(&describe, "about", json_incref(json_object_get(texts, "about")));
    tct_put(&describe, "remarks", tct_schema_remarks_json(schema));
    json_decref(texts);
    return describe;
}

/* ---------------------------------------------------------------- checking */

static tacit_status check_name(const json_t *entry, const tct_json_at *at, tacit_error *err)
{
    const char *name = NULL, *problem;
    tacit_status st = tct_json_get_string(&name, entry, "name", at, err);

    if (st)
        return st;
    problem = tct_name_problem(name, strlen(name), TCT_MAX_NAME);
    return problem ? tct_json_fail(at, "name", err, "the name %s", problem) : TACIT_OK;
}

/* A list of `least` to `most` things with names. */
static tacit_status check_list(json_t **list, const json_t *object, const char *key, size_t least, size_t most,
                               const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = key};
    tacit_status st = tct_json_get_array(list, object, key, at, err);

    if (!st && (json_array_size(*list) < least || json_array_size(*list) > most))
        return tct_json_fail(at, key, err, "expected %zu to %zu entries", least, most);
    for (size_t i = 0; !st && i < json_array_size(*list); i++) {
        tct_json_at item = {.parent = &inside, .index = i};

        st = check_name(json_array_get(*list, i), &item, err);
    }
    return st;
}

static tacit_status check_profile(const json_t *entry, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "reference"};
    const json_t *profile = json_object_get(entry, "reference");
    uint64_t counts[TCT_MAX_LEVELS], rows, missing, clipped;
    json_t *list = NULL, *by_level = NULL;
    tacit_status st;

    if (!profile)
        return TACIT_OK;
    if ((st = tct_json_get_count(&rows, profile, "rows", &inside, err)) ||
        (st = tct_json_get_count(&missing, profile, "missing", &inside, err)) ||
        (st = tct_json_get_count(&clipped, profile, "clipped", &inside, err)) ||
        (st = tct_json_get(&by_level, profile, "by_level", &inside, err)) ||
        (st = tct_json_get_array(&list, profile, "counts", &inside, err)))
        return st;
    if (json_array_size(list) < 1 || json_array_size(list) > TCT_MAX_LEVELS || !json_is_boolean(by_level))
        return tct_json_fail(&inside, "counts", err, "expected 1 to %d counts", TCT_MAX_LEVELS);
    return tct_json_get_counts(counts, json_array_size(list), (uint64_t)1 << 40, profile, "counts", &inside, err);
}

static tacit_status check_attribute(const json_t *entry, const tct_json_at *at, tacit_error *err)
{
    const char *role = NULL, *question = NULL;
    tacit_status st = tct_json_get_string(&role, entry, "role", at, err);

    if (!st)
        st = tct_json_get_string(&question, entry, "question", at, err);
    if (!st && strcmp(role, ROLES[TACIT_PUBLIC]) != 0 && strcmp(role, ROLES[TACIT_SENSITIVE]) != 0)
        st = tct_json_fail(at, "role", err, "expected public or sensitive");
    return st ? st : check_profile(entry, at, err);
}

static const char *const ORIGINS[] = {
    [TACIT_ORIGIN_UNKNOWN] = "unknown", [TACIT_ORIGIN_TRAINED] = "trained", [TACIT_ORIGIN_IMPORTED] = "imported"};

/* The origin called so, or one beyond all. */
static size_t find_origin(const char *name)
{
    size_t o = 0;

    while (o < 3 && strcmp(name, ORIGINS[o]) != 0)
        o++;
    return o;
}

static tacit_status check_model(const json_t *describe, const tct_json_at *at, tacit_error *err)
{
    tct_json_at inside = {.parent = at, .key = "model"};
    const char *origin = NULL, *hash = NULL;
    uint64_t train = 0, test = 0;
    json_t *model = NULL;
    tacit_status st;

    if ((st = tct_json_get(&model, describe, "model", at, err)) ||
        (st = tct_json_get_string(&origin, model, "origin", &inside, err)) ||
        (st = tct_json_get_string(&hash, model, "data_hash", &inside, err)) ||
        (st = tct_json_get_count(&train, model, "train_rows", &inside, err)) ||
        (st = tct_json_get_count(&test, model, "test_rows", &inside, err)))
        return st;
    if (find_origin(origin) == 3)
        return tct_json_fail(&inside, "origin", err, "expected trained, imported or unknown");
    return TACIT_OK;
}

tacit_status tct_describe_check(const json_t *describe, char *const *names, const size_t *attributes,
                                size_t n_sensitive, const tct_json_at *at, tacit_error *err)
{
    tct_json_at label_at = {.parent = at, .key = "label"}, list_at = {.parent = at, .key = "attributes"};
    json_t *label = NULL, *list = NULL, *about = NULL, *remarks = NULL;
    size_t sensitive = 0;
    tacit_status st;

    if ((st = check_model(describe, at, err)) || (st = tct_json_get(&label, describe, "label", at, err)) ||
        (st = check_name(label, &label_at, err)) ||
        (st = check_list(&list, label, "classes", 1, TCT_MAX_CLASSES, &label_at, err)) ||
        (st = check_list(&list, describe, "attributes", 1, TCT_MAX_ATTRIBUTES, at, err)) ||
        (st = tct_json_get(&about, describe, "about", at, err)) ||
        (st = tct_json_get_array(&remarks, describe, "remarks", at, err)))
        return st;
    if (!json_is_object(about))
        return tct_json_fail(at, "about", err, "expected an object");
    for (size_t a = 0; !st && a < json_array_size(list); a++) {
        const json_t *entry = json_array_get(list, a);
        tct_json_at item = {.parent = &list_at, .index = a};

        st = check_attribute(entry, &item, err);
        if (st || tct_describe_is_public(entry))
            continue;
        if (sensitive >= n_sensitive || attributes[sensitive] != a ||
            strcmp(names[sensitive], tct_describe_name(entry)) != 0)
            st = tct_json_fail(&item, NULL, err, "not the sensitive attributes that were counted");
        sensitive++;
    }
    if (!st && sensitive != n_sensitive)
        st = tct_json_fail(at, "attributes", err, "not the sensitive attributes that were counted");
    return st;
}

/* ---------------------------------------------------------------- looking */

const char *tct_describe_name(const json_t *entry)
{
    return json_string_value(json_object_get(entry, "name"));
}

const char *tct_describe_label(const json_t *describe)
{
    return tct_describe_name(json_object_get(describe, "label"));
}

static const json_t *classes_of(const json_t *describe)
{
    return json_object_get(json_object_get(describe, "label"), "classes");
}

size_t tct_describe_classes(const json_t *describe)
{
    return json_array_size(classes_of(describe));
}

const json_t *tct_describe_class(const json_t *describe, size_t c)
{
    return json_array_get(classes_of(describe), c);
}

size_t tct_describe_attributes(const json_t *describe)
{
    return json_array_size(json_object_get(describe, "attributes"));
}

const json_t *tct_describe_attribute(const json_t *describe, size_t a)
{
    return json_array_get(json_object_get(describe, "attributes"), a);
}

bool tct_describe_is_public(const json_t *attribute)
{
    const char *role = json_string_value(json_object_get(attribute, "role"));

    return role && strcmp(role, ROLES[TACIT_PUBLIC]) == 0;
}

tacit_origin tct_describe_origin(const json_t *describe)
{
    return (tacit_origin)find_origin(json_string_value(json_object_get(json_object_get(describe, "model"), "origin")));
}

uint64_t tct_describe_count(const json_t *describe, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(describe, "model"), key));
}

/* ---------------------------------------------------------------- of an audit */

tacit_status tct_audit_describe(tacit_audit *a, json_t *describe, tacit_error *err)
{
    size_t n = tct_describe_attributes(describe), *counters;
    tacit_status st;

    if (!describe)
        return tct_fail_memory(err);
    a->describe = describe;
    counters = tct_calloc(n, sizeof *counters);
    if (!counters)
        return tct_fail_memory(err);
    for (size_t k = 0; k < n; k++) {
        const json_t *profile = json_object_get(tct_describe_attribute(describe, k), "reference");
        size_t bins = json_array_size(json_object_get(profile, "counts"));

        counters[k] = json_is_true(json_object_get(profile, "by_level")) ? bins : bins ? bins - 1 : 0;
    }
    st = tct_quality_new(&a->quality, tct_describe_classes(describe), n, a->summary.n_results, counters, err);
    tct_free(counters);
    for (size_t i = 0; i < a->summary.n_results && !st; i++)
        st = tct_tally_count_labels(a->tallies[i], tct_describe_classes(describe), err);
    return st;
}

/* Drift of one attribute; NaN where nothing is known to compare with. */
static void fill_drift(tacit_audit_quality *out, const tacit_audit *a, size_t attribute, const json_t *profile)
{
    const json_t *list = json_object_get(profile, "counts");
    size_t n = json_array_size(list);
    uint64_t expected[TCT_MAX_LEVELS], found[TCT_MAX_LEVELS];
    double rows = (double)json_integer_value(json_object_get(profile, "rows"));

    out->psi = out->psi_by_chance = out->training_missing_share = out->training_clipped_share = NAN;
    if (!profile)
        return;
    for (size_t b = 0; b < n; b++)
        expected[b] = (uint64_t)json_integer_value(json_array_get(list, b));
    tct_profile_bins(n, json_is_true(json_object_get(profile, "by_level")),
                     a->quality->counters + a->quality->first[attribute], a->census->people, found);
    out->psi = tct_stability(expected, found, n, &out->psi_by_chance);
    out->training_missing_share = (double)json_integer_value(json_object_get(profile, "missing")) / rows;
    out->training_clipped_share = (double)json_integer_value(json_object_get(profile, "clipped")) / rows;
}

bool tacit_audit_quality_get(const tacit_audit *a, size_t attribute, tacit_audit_quality *out)
{
    const json_t *entry;

    *out = (tacit_audit_quality){0};
    if (attribute >= tct_describe_attributes(a->describe))
        return false;
    entry = tct_describe_attribute(a->describe, attribute);
    out->name = tct_describe_name(entry);
    out->clipped = a->quality->cells[attribute].clipped;
    out->missing = a->quality->cells[attribute].missing;
    out->unknown = a->quality->cells[attribute].unknown;
    fill_drift(out, a, attribute, json_object_get(entry, "reference"));
    return true;
}

const char *tacit_audit_label(const tacit_audit *a)
{
    return tct_describe_label(a->describe);
}

const char *tacit_audit_class(const tacit_audit *a, size_t c)
{
    return tct_describe_name(tct_describe_class(a->describe, c));
}

const char *tacit_audit_public_name(const tacit_audit *a, size_t i)
{
    for (size_t k = 0; k < tct_describe_attributes(a->describe); k++) {
        const json_t *entry = tct_describe_attribute(a->describe, k);

        if (tct_describe_is_public(entry) && i-- == 0)
            return tct_describe_name(entry);
    }
    return NULL;
}

/*
 * receipt_check.c -- checking receipts.
 *
 * Nothing in a receipt is believed.  Its checksum, its signature, its model, the roles of its attributes and the form of its values
 * are looked at first; then what it says about the decision is derived again: a proof is checked (checker.h), a
 * probability computed (receipt_odds.c), a fully known person evaluated.
 *
 * Inside, TACIT_E_INPUT means "not valid, and this is why"; every other failure is a failure of the check itself.
 */
#include <math.h>
#include <string.h>

#include "cells.h"
#include "checker.h"
#include "leaves.h"
#include "receipt.h"

static const size_t MAX_FILE = (size_t)64 << 20;

/* How an attribute appears in the receipt. */
typedef enum appearance { NOWHERE, ANSWERED, REFUSED, NOT_ASKED } appearance;

typedef struct reading {
    const tacit_model *model;
    const json_t *json;
    appearance *attributes;
    unsigned char *known; /* per attribute */
    double *x;            /* per input */
    size_t *order;        /* known attributes: public ones as in the schema, then the others as asked */
    size_t n_order, n_refused, n_not_asked;
    double delta, probability;
    tacit_rule rule;
    size_t label;
    tacit_settled settled;
    size_t leaves;
    size_t version, not_known;
    tacit_receipt_stamp stamp;
    char key[48]; /* "" when not signed */
    bool trusted;
} reading;

static const tct_json_at TOP = {NULL, NULL, NULL, 0};

/* ---- the document ---- */

/* Exactly these keys, in any order; ends with NULL. */
static tacit_status check_keys(const json_t *object, const char *const *keys, const tct_json_at *at, tacit_error *err)
{
    size_t count = 0;
    json_t *member;

    for (; keys[count]; count++) {
        tacit_status st = tct_json_get(&member, object, keys[count], at, err);

        if (st)
            return st;
    }
    if (json_object_size(object) != count)
        return tct_json_fail(at, NULL, err, "there is a key that does not belong here");
    return TACIT_OK;
}

/* Is this a receipt that this program can read? */
static tacit_status check_format(const json_t *json, const char *file, tacit_error *err)
{
    const char *format = json_string_value(json_object_get(json, "format"));
    const json_t *version = json_object_get(json, "version");

    if (!format || strcmp(format, TCT_RECEIPT_FORMAT) != 0 || !json_is_integer(version) ||
        json_integer_value(version) < 1)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "not a Tacit receipt");
    if (json_integer_value(version) > TCT_RECEIPT_VERSION)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL,
                           "made by a newer Tacit: file version %lld, this program reads %d",
                           (long long)json_integer_value(version), TCT_RECEIPT_VERSION);
    return TACIT_OK;
}

/* Takes "sha256" and "signature" out of the document. */
static tacit_status check_seal(reading *r, json_t *json, tacit_error *err)
{
    const char *sealed = NULL;
    json_t *kept;
    char hash[65];
    tacit_status st = tct_json_get_string(&sealed, json, "sha256", &TOP, err);

    if (st)
        return st;
    kept = json_incref(json_object_get(json, "sha256"));
    json_object_del(json, "sha256");
    st = tct_signature_check(r->key, json, sealed, err);
    if (!st)
        st = tct_json_hash(hash, json, err);
    if (!st && strcmp(hash, sealed) != 0)
        st = tct_fail(err, TACIT_E_INPUT, "it was changed after it was written (checksum does not match)");
    json_decref(kept);
    return st;
}

static tacit_status check_model(const reading *r, tacit_error *err)
{
    static const char *const KEYS[] = {"kind", "sha256", NULL};
    const tct_json_at at = {NULL, &TOP, "model", 0};
    const json_t *json = json_object_get(r->json, "model");
    const char *kind = NULL, *hash = NULL;
    tacit_status st;

    if ((st = check_keys(json, KEYS, &at, err)) || (st = tct_json_get_string(&kind, json, "kind", &at, err)) ||
        (st = tct_json_get_string(&hash, json, "sha256", &at, err)))
        return st;
    if (strcmp(hash, r->model->model_hash) != 0 || strcmp(kind, r->model->info.kind) != 0)
        return tct_fail(err, TACIT_E_INPUT, "it is about another model");
    return TACIT_OK;
}

/* made_by, delta and rule. */
static tacit_status read_settings(reading *r, tacit_error *err)
{
    const char *maker = NULL, *name = NULL;
    tacit_status st;

    if ((st = tct_json_get_string(&maker, r->json, "made_by", &TOP, err)) ||
        (st = tct_json_get_number(&r->delta, r->json, "delta", &TOP, err)) ||
        (st = tct_json_get_string(&name, r->json, "rule", &TOP, err)))
        return st;
    if (!(r->delta >= 0 && r->delta < 0.5))
        return tct_json_fail(&TOP, "delta", err, "expected a number from 0 to below 0.5");
    if (tacit_rule_from_name(&r->rule, name, NULL) || r->rule == TACIT_RULE_AUTO)
        return tct_json_fail(&TOP, "rule", err, "expected the name of a rule");
    return TACIT_OK;
}

static tacit_status read_decision(reading *r, tacit_error *err)
{
    static const char *const KEYS[] = {"label", "status", "probability", NULL};
    const tct_json_at at = {NULL, &TOP, "decision", 0};
    const json_t *json = json_object_get(r->json, "decision");
    const char *label = NULL, *status = NULL;
    tacit_status st;

    if ((st = check_keys(json, KEYS, &at, err)) || (st = tct_json_get_string(&label, json, "label", &at, err)) ||
        (st = tct_json_get_string(&status, json, "status", &at, err)) ||
        (st = tct_json_get_number(&r->probability, json, "probability", &at, err)))
        return st;
    for (r->label = 0; r->label < r->model->schema->n_classes; r->label++)
        if (strcmp(label, r->model->schema->classes[r->label]) == 0)
            break;
    if (r->label == r->model->schema->n_classes)
        return tct_json_fail(&at, "label", err, "not one of the classes of the model");
    for (r->settled = TACIT_CERTAIN; r->settled <= TACIT_UNSETTLED; r->settled++)
        if (strcmp(status, tacit_settled_name(r->settled)) == 0)
            return TACIT_OK;
    return tct_json_fail(&at, "status", err, "expected certain, likely, all revealed or unsettled");
}

/* ---- the attributes ---- */

/* The attribute called `name` appears once more: only the first time is right. */
static tacit_status find_attribute(reading *r, const char *name, appearance how, size_t *out, const tct_json_at *at,
                                   tacit_error *err)
{
    *out = tacit_schema_find(r->model->schema, name);
    if (*out == TACIT_NONE)
        return tct_json_fail(at, NULL, err, "not an attribute of the model");
    if (r->attributes[*out] != NOWHERE)
        return tct_fail(err, TACIT_E_INPUT, "attribute %s is there twice", name);
    r->attributes[*out] = how;
    return TACIT_OK;
}

/* The value of an answer: in its domain, and written the way receipts write it. */
static tacit_status read_value(reading *r, size_t a, const char *text, bool clipped, tacit_error *err)
{
    const tct_codec *codec = r->model->codec;
    const tacit_attribute *attribute = &codec->schema->attributes[a];
    double *inputs = r->x + codec->domains[a].first;
    char written[TCT_RECEIPT_VALUE];
    bool same;

    if (!tct_receipt_read(codec, a, text, inputs))
        return tct_fail(err, TACIT_E_INPUT, "the value of %s lies outside its domain", attribute->name);
    tct_receipt_value(codec, a, inputs, written);
    same = strcmp(written, text) == 0;
    tct_wipe(written, sizeof(written));
    if (!same)
        return tct_fail(err, TACIT_E_INPUT, "the value of %s is not written as receipts write it", attribute->name);
    if (clipped && (attribute->type == TACIT_CATEGORY || tct_codec_cells(codec, a) ||
                    (attribute->min < attribute->max && fabs(*inputs) != 1)))
        return tct_fail(err, TACIT_E_INPUT, "the value of %s is said to be clipped but lies inside its domain",
                        attribute->name);
    return TACIT_OK;
}

/* An answer that somebody gave. */
static tacit_status read_given(reading *r, size_t a, const json_t *answer, const tct_json_at *at, tacit_error *err)
{
    static const char *const KEYS[] = {"attribute", "value", "clipped", NULL};
    const char *value = NULL;
    tacit_status st = check_keys(answer, KEYS, at, err);

    if (!st)
        st = tct_json_get_string(&value, answer, "value", at, err);
    if (!st && !json_is_boolean(json_object_get(answer, "clipped")))
        st = tct_json_fail(at, "clipped", err, "expected true or false");
    if (!st)
        st = read_value(r, a, value, json_is_true(json_object_get(answer, "clipped")), err);
    if (!st && r->version > 1 && tct_is_missing_level(r->model->codec, a, r->x + r->model->codec->domains[a].first))
        st = tct_fail(err, TACIT_E_INPUT, "%s is not known, but stated as a value",
                      r->model->schema->attributes[a].name);
    return st;
}

/* That an answer is not known: what counted is derived again. */
static tacit_status read_not_known(reading *r, size_t a, const json_t *answer, const tct_json_at *at, tacit_error *err)
{
    static const char *const KEYS[] = {"attribute", "not_known", "counted_as", NULL};
    const tct_codec *codec = r->model->codec;
    const char *name = codec->schema->attributes[a].name, *counted = NULL;
    double *inputs = r->x + codec->domains[a].first;
    char written[TCT_RECEIPT_VALUE];
    bool same;
    tacit_status st = check_keys(answer, KEYS, at, err);

    if (!st)
        st = tct_json_get_string(&counted, answer, "counted_as", at, err);
    if (st)
        return st;
    if (!json_is_true(json_object_get(answer, "not_known")))
        return tct_json_fail(at, "not_known", err, "expected true");
    if (!codec->schema->attributes[a].missing_is_value || !tct_typical_value(codec, a, inputs))
        return tct_fail(err, TACIT_E_INPUT, "not knowing %s is no answer to this model", name);
    tct_receipt_value(codec, a, inputs, written);
    same = strcmp(written, counted) == 0;
    tct_wipe(written, sizeof(written));
    if (!same)
        return tct_fail(err, TACIT_E_INPUT, "%s was not known, and counted as something else than the typical value",
                        name);
    r->not_known++;
    return TACIT_OK;
}

/* The list of answers to attributes of one role. */
static tacit_status read_answers(reading *r, const char *key, tacit_role role, tacit_error *err)
{
    const tct_json_at list_at = {NULL, &TOP, key, 0};
    json_t *list = NULL;
    tacit_status st = tct_json_get_array(&list, r->json, key, &TOP, err);

    for (size_t i = 0; i < json_array_size(list) && !st; i++) {
        const tct_json_at at = {NULL, &list_at, NULL, i};
        const json_t *answer = json_array_get(list, i);
        const char *name = NULL;
        size_t a;

        if ((st = tct_json_get_string(&name, answer, "attribute", &at, err)) ||
            (st = find_attribute(r, name, ANSWERED, &a, &at, err)))
            return st;
        if (r->model->schema->attributes[a].role != role)
            return tct_fail(err, TACIT_E_INPUT, "attribute %s is %s in the model", name,
                            role == TACIT_PUBLIC ? "sensitive" : "public");
        st = r->version > 1 && json_object_get(answer, "not_known") ? read_not_known(r, a, answer, &at, err)
                                                                    : read_given(r, a, answer, &at, err);
        r->known[a] = 1;
        if (role == TACIT_SENSITIVE)
            r->order[r->n_order++] = a;
    }
    return st;
}

/* A list of names.  in_order: as in the schema. */
static tacit_status read_names(reading *r, const char *key, appearance how, bool in_order, size_t *count,
                               tacit_error *err)
{
    const tct_json_at list_at = {NULL, &TOP, key, 0};
    json_t *list = NULL;
    size_t before = 0, a;
    tacit_status st = tct_json_get_array(&list, r->json, key, &TOP, err);

    *count = json_array_size(list);
    for (size_t i = 0; i < *count && !st; i++) {
        const tct_json_at at = {NULL, &list_at, NULL, i};
        const char *name = json_string_value(json_array_get(list, i));

        if (!name)
            return tct_json_fail(&at, NULL, err, "expected a text");
        st = find_attribute(r, name, how, &a, &at, err);
        if (!st && in_order && i > 0 && a < before)
            st = tct_json_fail(&list_at, NULL, err, "expected names in the order of the model");
        before = a;
    }
    return st;
}

/* Every attribute in exactly one list, public ones that can matter among those not left out. */
static tacit_status check_complete(const reading *r, tacit_error *err)
{
    const tacit_schema *schema = r->model->schema;

    for (size_t a = 0; a < schema->n_attributes; a++) {
        if (r->attributes[a] == NOWHERE)
            return tct_fail(err, TACIT_E_INPUT, "attribute %s is neither given, refused nor left out",
                            schema->attributes[a].name);
        if (r->attributes[a] == NOT_ASKED && schema->attributes[a].role == TACIT_PUBLIC &&
            tacit_model_reads(r->model, a))
            return tct_fail(err, TACIT_E_INPUT, "attribute %s is public and was neither given nor refused",
                            schema->attributes[a].name);
    }
    return TACIT_OK;
}

static tacit_status read_attributes(reading *r, tacit_error *err)
{
    const tacit_schema *schema = r->model->schema;
    tacit_status st = read_answers(r, "public", TACIT_PUBLIC, err);

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (r->known[a])
            r->order[r->n_order++] = a;
    if (!st)
        st = read_answers(r, "asked", TACIT_SENSITIVE, err);
    if (!st)
        st = read_names(r, "refused", REFUSED, false, &r->n_refused, err);
    if (!st)
        st = read_names(r, "not_asked", NOT_ASKED, true, &r->n_not_asked, err);
    return st ? st : check_complete(r, err);
}

/* ---- the decision ---- */

static tacit_status check_certain(reading *r, const tct_claim *claim, tacit_error *err)
{
    static const char *const WHOLE_KEYS[] = {"kind", NULL}, *const TREE_KEYS[] = {"kind", "tree", NULL};
    const tct_leaf_ops *leaf = tct_leaf_row(r->model);
    const tct_json_at at = {NULL, &TOP, "proof", 0};
    const json_t *json = json_object_get(r->json, "proof");
    const char *kind = NULL;
    json_t *tree = NULL;
    tct_proof proof = {0};
    tacit_status st;

    if (r->n_refused + r->n_not_asked == 0)
        return tct_fail(err, TACIT_E_INPUT, "it says certain, but everything was given");
    if (json_is_null(json))
        return tct_fail(err, TACIT_E_INPUT, "it says certain but carries no proof");
    st = tct_json_get_string(&kind, json, "kind", &at, err);
    if (st)
        return st;
    if (!tct_leaf_proof_exists(kind))
        return tct_json_fail(&at, "kind", err, "expected a kind of proof, like linear or boxes");
    if (!leaf || strcmp(kind, leaf->proof) != 0)
        return tct_fail(err, TACIT_E_INPUT, "the proof is one for models of another kind");
    if (leaf->whole) {
        r->leaves = 1;
        st = check_keys(json, WHOLE_KEYS, &at, err);
        return st ? st : tct_check_whole(claim, err);
    }
    st = check_keys(json, TREE_KEYS, &at, err);
    tree = json_object_get(json, "tree");
    if (!st && !json_is_string(tree))
        st = tct_json_get_array(&tree, json, "tree", &at, err);
    if (st)
        return st;
    st = tct_proof_from_json(&proof, tree, r->model->codec, err);
    if (!st)
        st = tct_check(claim, &proof, err);
    r->leaves = proof.n_leaves;
    tct_proof_clear(&proof);
    return st;
}

/* Is there an attribute that was neither given nor refused and has more than one value?  Constants need not be asked. */
static bool could_ask(const reading *r, const tct_region *region)
{
    for (size_t a = 0; a < r->model->schema->n_attributes; a++)
        if (r->attributes[a] == NOT_ASKED && !tct_region_is_single(region, a))
            return true;
    return false;
}

static tacit_status check_all_revealed(const reading *r, const tct_region *region, tacit_error *err)
{
    const tct_classifier *classifier = r->model->classifier;
    double scores[TCT_MAX_CLASSES];
    size_t label;

    if (r->n_refused > 0 || could_ask(r, region))
        return tct_fail(err, TACIT_E_INPUT, "it says all revealed, but not everything was given");
    tct_model_fill_idle(r->model, r->known, r->x);
    classifier->ops->scores(classifier, r->x, 1, scores);
    label = tct_label(scores, classifier->n_scores);
    tct_wipe(scores, sizeof(scores));
    if (label != r->label)
        return tct_fail(err, TACIT_E_INPUT, "the model gives these answers another label");
    return TACIT_OK;
}

/* likely and unsettled: the label must be the most likely one, and as likely as it says. */
static tacit_status check_odds(const reading *r, const tct_claim *claim, tacit_error *err)
{
    const tct_promise promise = tct_promise_of(r->model, r->rule, r->delta);
    double p[TCT_MAX_CLASSES], above, below, promised = 1 - promise.delta, ours, sure;
    bool best = true;
    tacit_status st;

    if (r->settled == TACIT_LIKELY && r->n_refused + r->n_not_asked == 0)
        return tct_fail(err, TACIT_E_INPUT, "it says likely, but everything was given");
    if (r->settled == TACIT_LIKELY && r->delta == 0)
        return tct_fail(err, TACIT_E_INPUT, "it says likely, but delta is 0");
    if (r->settled == TACIT_LIKELY && !(promise.delta > 0))
        return tct_fail(err, TACIT_E_INPUT, "it says likely, but by the model's calibration only a proof keeps delta");
    if (r->settled == TACIT_UNSETTLED && (r->n_refused == 0 || could_ask(r, &claim->region)))
        return tct_fail(err, TACIT_E_INPUT, "it says unsettled, but %s",
                        r->n_refused == 0 ? "nothing was refused" : "there was more to ask");
    st = tct_receipt_odds(p, claim, r->order, r->n_order, err);
    if (st)
        return st;
    ours = p[r->label];
    tct_receipt_tolerance(r->model, ours, &above, &below);
    for (size_t c = 0; c < r->model->schema->n_classes; c++)
        best = best && p[c] <= ours + below;
    tct_wipe(p, sizeof(p));
    if (!(r->probability <= fmin(ours + above, 1) && r->probability >= ours - below))
        return tct_fail(err, TACIT_E_INPUT, "the probability of the label is another one");
    if (!best)
        return tct_fail(err, TACIT_E_INPUT, "another label is more likely");
    if (!tct_receipt_sure(r->model, r->probability, &sure))
        return tct_fail(err, TACIT_E_INPUT, "the probability of the label is not a share of people drawn");
    if (r->settled == TACIT_LIKELY && sure < promised - 1e-9)
        return tct_fail(err, TACIT_E_INPUT, "the label is less likely than delta promises");
    if (r->settled == TACIT_UNSETTLED && promise.delta > 0 && sure > promised + 1e-9)
        return tct_fail(err, TACIT_E_INPUT, "it says unsettled, but the label is as likely as delta asks");
    return TACIT_OK;
}

static tacit_status check_decision(reading *r, tacit_error *err)
{
    tct_claim claim = {r->model, tct_region_of(r->model->codec, r->known, r->x), r->label};
    bool proven = r->settled == TACIT_CERTAIN || r->settled == TACIT_ALL_REVEALED;

    if (proven && r->probability != 1)
        return tct_fail(err, TACIT_E_INPUT, "it says %s with a probability other than 1",
                        tacit_settled_name(r->settled));
    if (r->settled != TACIT_CERTAIN && !json_is_null(json_object_get(r->json, "proof")))
        return tct_fail(err, TACIT_E_INPUT, "it says %s and carries a proof", tacit_settled_name(r->settled));
    if (r->settled == TACIT_CERTAIN)
        return check_certain(r, &claim, err);
    return r->settled == TACIT_ALL_REVEALED ? check_all_revealed(r, &claim.region, err) : check_odds(r, &claim, err);
}

/* ---- all of it ---- */

/* Take the members out that came with version 2 and may be left out: number, time and order, which have a form only. */
static tacit_status read_stamp(reading *r, json_t *json, tacit_error *err)
{
    const char *id = "", *when = "", *order = "";
    tacit_status st = tct_json_optional_string(&id, json, "id", &TOP, err);

    if (!st)
        st = tct_json_optional_string(&when, json, "time", &TOP, err);
    if (!st)
        st = tct_json_optional_string(&order, json, "order", &TOP, err);
    if (st)
        return st;
    if (json_object_get(json, "id") && !tct_receipt_is_id(id))
        return tct_json_fail(&TOP, "id", err, "expected 32 hexadecimal digits in small letters");
    if (json_object_get(json, "time") && !tct_receipt_is_time(when))
        return tct_json_fail(&TOP, "time", err, "expected a time like 2026-01-31T23:59:59Z");
    if (json_object_get(json, "order") && strcmp(order, "rule") != 0 && strcmp(order, "person") != 0)
        return tct_json_fail(&TOP, "order", err, "expected rule or person");
    snprintf(r->stamp.order, sizeof(r->stamp.order), "%s", order);
    snprintf(r->stamp.id, sizeof(r->stamp.id), "%s", id);
    snprintf(r->stamp.time, sizeof(r->stamp.time), "%s", when);
    json_object_del(json, "id");
    json_object_del(json, "time");
    json_object_del(json, "order");
    return TACIT_OK;
}

/* A member must be what the model says; it is left out where that is nothing.  Takes `expected` over. */
static tacit_status check_said(const json_t *said, json_t *expected, const char *what, tacit_error *err)
{
    bool same = expected &&
                (said ? json_equal(said, expected) && json_object_size(expected) > 0 : json_object_size(expected) == 0);
    bool failed = !expected;

    json_decref(expected);
    if (failed)
        return tct_fail_memory(err);
    return same ? TACIT_OK : tct_fail(err, TACIT_E_INPUT, "its %s are not those of the model", what);
}

/* Texts and notices of version 2, once everything else is read. */
static tacit_status check_texts(const reading *r, const json_t *texts, const json_t *about, tacit_error *err)
{
    const tacit_schema *schema = r->model->schema;
    tacit_status st;

    if (r->version < 2)
        return TACIT_OK;
    st = check_said(
        texts,
        tct_receipt_texts(schema, r->label, json_object_get(r->json, "asked"), json_object_get(r->json, "public")),
        "texts", err);
    return st ? st : check_said(about, tct_receipt_notices(schema), "notices", err);
}

static tacit_status check_document(reading *r, json_t *json, tacit_error *err)
{
    static const char *const KEYS[] = {"format", "version", "made_by", "model",     "delta", "rule", "decision",
                                       "asked",  "public",  "refused", "not_asked", "proof", NULL};
    json_t *texts = NULL, *about = NULL;
    tacit_status st;

    r->version = (size_t)json_integer_value(json_object_get(json, "version"));
    st = check_seal(r, json, err);
    if (!st && r->version > 1) {
        st = read_stamp(r, json, err);
        texts = json_incref(json_object_get(json, "texts"));
        about = json_incref(json_object_get(json, "about"));
        json_object_del(json, "texts");
        json_object_del(json, "about");
    }
    if (!st)
        st = check_keys(json, KEYS, &TOP, err);
    if (!st && !(st = check_model(r, err)) && !(st = read_settings(r, err)) && !(st = read_decision(r, err)) &&
        !(st = read_attributes(r, err)) && !(st = check_texts(r, texts, about, err)))
        st = check_decision(r, err);
    json_decref(texts);
    json_decref(about);
    return st;
}

/* trusted: NULL, or keys of which one must have signed. */
static tacit_status check_trust(reading *r, const char *trusted, tacit_error *err)
{
    tacit_status st;

    if (!trusted)
        return TACIT_OK;
    st = tct_signature_trusts(&r->trusted, trusted, r->key, err);
    if (!st && !r->trusted)
        st = tct_fail(err, TACIT_E_INPUT, *r->key ? "it is signed by another key" : "it is not signed");
    return st;
}

tacit_status tct_receipt_check(tacit_check *out, const tacit_model *model, const char *text, size_t size,
                               const char *file, const char *trusted_key, tacit_error *err)
{
    size_t n = model->schema->n_attributes, d = model->codec->n_inputs;
    reading r = {.model = model, .label = TACIT_NONE};
    tacit_error reason = {0};
    json_t *json = NULL;
    bool none;
    tacit_status st = trusted_key ? tct_signature_trusts(&none, trusted_key, "", err) : TACIT_OK;

    memset(out, 0, sizeof(*out));
    out->label = TACIT_NONE;
    if (!st)
        st = tct_json_parse(&json, text, size, file, err);
    if (!st)
        st = check_format(json, file, err);
    if (st)
        goto done;
    r.json = json;
    r.attributes = tct_calloc(n, sizeof(*r.attributes));
    r.known = tct_calloc(n, 1);
    r.order = tct_calloc(n, sizeof(*r.order));
    r.x = tct_calloc(d, sizeof(double));
    if (!r.attributes || !r.known || !r.order || !r.x)
        st = tct_fail_memory(&reason);
    else
        st = check_document(&r, json, &reason);
    if (!st)
        st = check_trust(&r, trusted_key, &reason);
    if (st && st != TACIT_E_INPUT) {
        if (err)
            *err = reason;
        goto done;
    }
    out->valid = !st;
    snprintf(out->reason, sizeof(out->reason), "%.*s", (int)sizeof(out->reason) - 1, reason.message);
    if (!st) {
        out->label = r.label;
        out->settled = r.settled;
        out->probability = r.probability;
        out->leaves = r.leaves;
        out->is_signed = *r.key != '\0';
        out->trusted = r.trusted;
        out->version = r.version;
        out->not_known = r.not_known;
        out->stamp = r.stamp;
        out->delta = r.delta;
        memcpy(out->key, r.key, sizeof(out->key));
    }
    st = TACIT_OK;
done:
    tct_free(r.attributes);
    tct_free(r.known);
    tct_free(r.order);
    tct_free_wiped(r.x, d * sizeof(double));
    json_decref(json);
    return st;
}

tacit_status tacit_check_receipt_text(tacit_check *out, const tacit_model *model, const char *text, size_t size,
                                      const char *trusted_key, tacit_error *err)
{
    memset(out, 0, sizeof(*out));
    out->label = TACIT_NONE;
    return tct_receipt_check(out, model, text, size, NULL, trusted_key, err);
}

tacit_status tacit_check_receipt(tacit_check *out, const tacit_model *model, const char *path, const char *trusted_key,
                                 tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tacit_status st = tct_file_read(&text, &size, path, MAX_FILE, err);

    memset(out, 0, sizeof(*out));
    out->label = TACIT_NONE;
    if (!st)
        st = tct_receipt_check(out, model, text, size, path, trusted_key, err);
    tct_free_wiped(text, size);
    return st;
}

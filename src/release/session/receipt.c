/*
 * receipt.c -- writing receipts: what was asked, what was answered, what was decided, and what it takes to check that.
 *
 * Values are written as text, because that is what a person can read.  The proof is about the numbers which that text
 * is encoded as, so it is made for these and not for the ones in the session; they are the same wherever the answer
 * came as text.
 */
#include "receipt.h"

#include "cells.h"
#include "json_put.h"
#include "leaves.h"
#include "person.h"
#include "provers.h"
#include "session.h"

/* ---- the parts of the document; NULL on lack of memory ---- */

static json_t *model_to_json(const tacit_model *model)
{
    json_t *json = json_object();

    tct_put_text(&json, "kind", model->info.kind);
    tct_put_text(&json, "sha256", model->model_hash);
    return json;
}

static json_t *decision_to_json(const tacit_schema *schema, const tacit_decision *decision)
{
    json_t *json = json_object();

    tct_put_text(&json, "label", schema->classes[decision->label]);
    tct_put_text(&json, "status", tacit_settled_name(decision->settled));
    tct_put_number(&json, "probability", decision->probability);
    return json;
}

/* An answer; or that it is not known, and what counted, which is no answer. */
static json_t *answer_to_json(const tacit_person *person, const tacit_event *event)
{
    const tct_codec *codec = person->model->codec;
    char text[TCT_RECEIPT_VALUE];
    json_t *json = json_object();

    tct_receipt_value(codec, event->attribute, person->x + codec->domains[event->attribute].first, text);
    tct_put_text(&json, "attribute", codec->schema->attributes[event->attribute].name);
    if (event->not_known) {
        tct_put(&json, "not_known", json_true());
        tct_put_text(&json, "counted_as", text);
    } else {
        tct_put_text(&json, "value", text);
        tct_put(&json, "clipped", json_boolean(event->clipped));
    }
    tct_wipe(text, sizeof(text));
    return json;
}

/* Answers to attributes of one role, in order. */
static json_t *answers_to_json(const tacit_session *session, tacit_role role)
{
    json_t *list = json_array();

    for (size_t e = 0; e < tacit_session_events(session); e++) {
        const tacit_event *event = tacit_session_event(session, e);

        if (!event->refused && event->role == role)
            tct_append(&list, answer_to_json(tacit_session_person(session), event));
    }
    return list;
}

static json_t *refusals_to_json(const tacit_session *session, const tacit_schema *schema)
{
    json_t *list = json_array();

    for (size_t e = 0; e < tacit_session_events(session); e++) {
        const tacit_event *event = tacit_session_event(session, e);

        if (event->refused)
            tct_append(&list, json_string(schema->attributes[event->attribute].name));
    }
    return list;
}

/* Neither answered nor refused, in the order of the schema. */
static json_t *not_asked_to_json(const tacit_session *session, const tacit_schema *schema)
{
    json_t *list = json_array();

    for (size_t a = 0; a < schema->n_attributes; a++) {
        bool seen = false;

        for (size_t e = 0; e < tacit_session_events(session); e++)
            seen = seen || tacit_session_event(session, e)->attribute == a;
        if (!seen)
            tct_append(&list, json_string(schema->attributes[a].name));
    }
    return list;
}

/* ---- the proof ---- */

/* The person as the texts of the receipt say. */
static tacit_status read_back(tacit_person **out, const tacit_person *person, tacit_error *err)
{
    const tct_codec *codec = person->model->codec;
    char text[TCT_RECEIPT_VALUE];
    tacit_status st = tacit_person_new(out, person->model, err);

    for (size_t a = 0; a < codec->schema->n_attributes && !st; a++) {
        if (!person->known[a])
            continue;
        if (tct_codec_cells(codec, a)) { /* a cell is what its text says, to the bit */
            tct_person_take(*out, a, person->x);
            continue;
        }
        text[0] = '\0';
        if (!person->unknown[a])
            tct_receipt_value(codec, a, person->x + codec->domains[a].first, text);
        st = tacit_person_set(*out, a, text, NULL, err);
    }
    tct_wipe(text, sizeof(text));
    return st;
}

/* What `proof` says: null unless the decision is certain and the checker can be shown why. */
static tacit_status proof_to_json(json_t **out, const tacit_person *person, const tacit_decision *decision,
                                  tacit_error *err)
{
    tct_claim claim = {person->model, tct_region_of(person->model->codec, person->known, person->x), decision->label};
    const tct_leaf_ops *leaf = tct_leaf_row(person->model);
    tct_proof proof = {0};
    bool made = false;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (decision->settled == TACIT_CERTAIN && leaf)
        st = tct_prover_write(&proof, &made, &claim, 0, err);
    if (!st)
        *out = made ? json_object() : json_null();
    if (!st && made && json_object_set_new(*out, "kind", json_string(leaf->proof)))
        st = tct_fail_memory(err);
    if (!st && made && !leaf->whole && json_object_set_new(*out, "tree", tct_proof_to_json(&proof, claim.model->codec)))
        st = tct_fail_memory(err);
    tct_proof_clear(&proof);
    return st;
}

/* Number, time and whose the order was, where there are any. */
static void put_stamp(json_t **json, const tacit_receipt_stamp *stamp)
{
    if (stamp->id[0])
        tct_put_text(json, "id", stamp->id);
    if (stamp->time[0])
        tct_put_text(json, "time", stamp->time);
    if (stamp->order[0])
        tct_put_text(json, "order", stamp->order);
}

/* The document without its checksum, around a proof that is borrowed. */
static json_t *receipt_to_json(const tacit_session *session, const tacit_receipt_stamp *stamp,
                               const tacit_decision *decision, json_t *proof)
{
    const tacit_model *model = tacit_session_person(session)->model;
    const tacit_schema *schema = model->schema;
    json_t *json = json_object();

    tct_put_text(&json, "format", TCT_RECEIPT_FORMAT);
    tct_put_count(&json, "version", TCT_RECEIPT_VERSION);
    tct_put_text(&json, "made_by", tacit_version());
    put_stamp(&json, stamp);
    tct_put(&json, "model", model_to_json(model));
    tct_put_number(&json, "delta", session->options.delta);
    tct_put_text(&json, "rule", tacit_rule_name(session->options.rule));
    tct_put(&json, "decision", decision_to_json(schema, decision));
    tct_put(&json, "asked", answers_to_json(session, TACIT_SENSITIVE));
    tct_put(&json, "public", answers_to_json(session, TACIT_PUBLIC));
    tct_put(&json, "refused", refusals_to_json(session, schema));
    tct_put(&json, "not_asked", not_asked_to_json(session, schema));
    tct_put_filled(
        &json, "texts",
        tct_receipt_texts(schema, decision->label, json_object_get(json, "asked"), json_object_get(json, "public")));
    tct_put_filled(&json, "about", tct_receipt_notices(schema));
    tct_put(&json, "proof", json_incref(proof));
    return json;
}

/* The text of the document with its checksum at the end. */
static tacit_status write_sealed(char **out, const json_t *json, tacit_error *err)
{
    char hash[65], member[sizeof(TCT_RECEIPT_SEAL) + sizeof(hash) + 1], *text = NULL;
    size_t size = 0;
    tacit_status st = tct_json_dump(&text, &size, json, err);

    if (!st)
        st = tct_hash_text(hash, text, size, err);
    if (!st) {
        snprintf(member, sizeof(member), "%s%s\"", TCT_RECEIPT_SEAL, hash);
        *out = tct_receipt_append(text, member);
        st = *out ? TACIT_OK : tct_fail_memory(err);
    }
    tct_free_wiped(text, size);
    return st;
}

static void wipe_text(const json_t *text)
{
    if (json_is_string(text))
        tct_wipe((char *)(uintptr_t)json_string_value(text), json_string_length(text));
}

/* Answers are not left behind in the document. */
static void wipe_answers(const json_t *json, const char *key)
{
    const json_t *list = json_object_get(json, key);

    for (size_t i = 0; i < json_array_size(list); i++) {
        wipe_text(json_object_get(json_array_get(list, i), "value"));
        wipe_text(json_object_get(json_array_get(list, i), "counted_as"));
    }
}

/* Nor are their texts, each a string or one by language. */
static void wipe_texts(const json_t *json)
{
    json_t *values = json_object_get(json_object_get(json, "texts"), "values"), *text, *said;
    const char *key, *language;

    json_object_foreach(values, key, text)
    {
        wipe_text(text);
        json_object_foreach(text, language, said) wipe_text(said);
    }
}

/* Is the form of number and time right? */
static tacit_status check_stamp(const tacit_receipt_stamp *stamp, tacit_error *err)
{
    if (stamp->id[0] && !tct_receipt_is_id(stamp->id))
        return tct_fail(err, TACIT_E_USAGE, "the id of a receipt is 32 hexadecimal digits in small letters");
    if (stamp->time[0] && !tct_receipt_is_time(stamp->time))
        return tct_fail(err, TACIT_E_USAGE, "the time of a receipt is written like 2026-01-31T23:59:59Z");
    return TACIT_OK;
}

tacit_status tacit_session_receipt(char **out, tacit_session *session, const tacit_receipt_stamp *stamp, bool *unproven,
                                   tacit_error *err)
{
    static const tacit_receipt_stamp NO_STAMP = {0};
    tacit_person *person = NULL;
    tacit_decision decision;
    json_t *json = NULL, *proof = NULL;
    size_t next;
    tacit_status st;

    *out = NULL;
    stamp = stamp ? stamp : &NO_STAMP;
    st = check_stamp(stamp, err);
    if (!st)
        st = tacit_session_next(session, &next, err);
    if (!st && next != TACIT_NONE)
        return tct_fail(err, TACIT_E_USAGE, "there is no decision yet, so there is no receipt");
    if (!st)
        st = tct_session_refuse_narrowed(session, "a receipt", err);
    if (!st)
        st = tacit_session_decision(session, &decision, err);
    if (!st)
        st = read_back(&person, tacit_session_person(session), err);
    if (!st)
        st = proof_to_json(&proof, person, &decision, err);
    if (st)
        goto done;
    if (unproven)
        *unproven = decision.settled == TACIT_CERTAIN && json_is_null(proof);
    json = receipt_to_json(session, stamp, &decision, proof);
    st = json ? write_sealed(out, json, err) : tct_fail_memory(err);
done:
    wipe_answers(json, "asked");
    wipe_answers(json, "public");
    wipe_texts(json);
    json_decref(proof);
    json_decref(json);
    tacit_person_free(person);
    return st;
}

/*
 * api.c -- the endpoints.
 *
 * Details of problems are made of our own words, of names from the schema and of limits.  Nothing that came with the
 * request goes into them, not even a misspelt name: people put values in the strangest places.
 */
#include "api.h"

#include <stdio.h>
#include <sodium.h>
#include <string.h>

#include "api_request.h"
#include "api_step.h"
#include "base.h"
#include "openapi.h"

enum { DOMAIN_ROOM = 128 };

static void reply_text(srv_reply *reply, const srv_text *text)
{
    srv_reply_shared(reply, "application/json", text->bytes, text->size);
}

void srv_api_models(srv_call *call, srv_reply *reply)
{
    reply_text(reply, &call->service->list);
}

void srv_api_model(srv_call *call, srv_reply *reply)
{
    reply_text(reply, &call->model->about);
}

void srv_api_key(srv_call *call, srv_reply *reply)
{
    reply_text(reply, &call->service->key_list);
}

void srv_api_openapi(srv_call *call, srv_reply *reply)
{
    (void)call;
    srv_reply_shared(reply, "application/json", (const char *)srv_openapi, srv_openapi_size);
}

/* ---- attributes and values ---- */

/* A failure that is not the client's. */
static void fail_inside(srv_reply *reply, tacit_status st)
{
    srv_problem(reply, SRV_INTERNAL, "%s", st == TACIT_E_MEMORY ? "Memory is short." : "The step failed.");
}

static bool find_attribute(const srv_model *m, const srv_field *name, const char *member, size_t *attribute,
                           srv_reply *reply)
{
    const char **names, *close = NULL;

    *attribute = srv_model_find(m, name->text, name->size);
    if (*attribute != TACIT_NONE)
        return true;
    names = tct_malloc(m->n_attributes, sizeof(*names));
    for (size_t a = 0; names && a < m->n_attributes; a++)
        names[a] = tacit_schema_attribute(m->schema, a)->name;
    if (names)
        close = tacit_suggest(name->text, names, m->n_attributes);
    if (close)
        srv_problem(reply, SRV_ATTRIBUTE_UNKNOWN, "%s: there is no attribute of this name; did you mean %s?", member,
                    close);
    else
        srv_problem(reply, SRV_ATTRIBUTE_UNKNOWN, "%s: there is no attribute of this name.", member);
    tct_free(names);
    return false;
}

static void say_expected(const tacit_attribute *a, char text[DOMAIN_ROOM])
{
    char min[32], max[32];

    const char *or_null = a->missing_is_value ? ", or null" : "";

    if (a->type == TACIT_CATEGORY) {
        snprintf(text, DOMAIN_ROOM, "one of its %zu levels%s", a->n_levels - (a->missing_level != TACIT_NONE), or_null);
        return;
    }
    tct_format_number(a->min, min, sizeof(min));
    tct_format_number(a->max, max, sizeof(max));
    snprintf(text, DOMAIN_ROOM, "%s from %s to %s%s", a->type == TACIT_INTEGER ? "an integer" : "a number", min, max,
             or_null);
}

/* Setting or answering failed: tell the client, if it is about the value. */
static void fail_value(const srv_model *m, size_t attribute, const char *member, tacit_status st, srv_reply *reply)
{
    const tacit_attribute *a = tacit_schema_attribute(m->schema, attribute);
    char expected[DOMAIN_ROOM];

    if (st != TACIT_E_INPUT) {
        fail_inside(reply, st);
        return;
    }
    say_expected(a, expected);
    srv_problem(reply, SRV_BODY_MEMBER, "%s: for attribute %s expected %s.", member, a->name, expected);
}

/* Could this be a value?  The session says whether it is one of the attribute. */
static bool is_value(const srv_field *value)
{
    return (value->kind & (SRV_NUMBER | SRV_STRING | SRV_NULL)) && strlen(value->text) == value->size;
}

/* ---- a session begins ---- */

static bool take_delta(const srv_settings *settings, const srv_field *field, double *delta, srv_reply *reply)
{
    char min[32], max[32];

    *delta = settings->delta;
    if (field->kind == SRV_ABSENT)
        return true;
    if (tct_parse_number(field->text, field->size, delta) && *delta >= settings->delta_min &&
        *delta <= settings->delta_max)
        return true;
    tct_format_number(settings->delta_min, min, sizeof(min));
    tct_format_number(settings->delta_max, max, sizeof(max));
    if (settings->delta_min < settings->delta_max)
        srv_problem(reply, SRV_DELTA_NOT_ALLOWED, "delta: expected a number from %s to %s.", min, max);
    else
        srv_problem(reply, SRV_DELTA_NOT_ALLOWED, "delta: this server offers %s only; leave it out.", min);
    return false;
}

/* Put one public attribute down in the workspace. */
static bool take_pair(const srv_model *m, srv_workspace *workspace, const srv_pair *pair, bool *clipped,
                      srv_reply *reply)
{
    const tacit_attribute *a;
    size_t attribute;
    bool moved = false;
    tacit_status st = TACIT_E_INPUT;

    if (!find_attribute(m, &pair->name, "public", &attribute, reply))
        return false;
    a = tacit_schema_attribute(m->schema, attribute);
    if (a->role != TACIT_PUBLIC) {
        srv_problem(reply, SRV_BODY_MEMBER, "public: attribute %s is not public; it is asked for only if it is needed.",
                    a->name);
        return false;
    }
    if (tacit_person_knows(workspace->person, attribute)) {
        srv_problem(reply, SRV_BODY_MEMBER, "public: attribute %s: expected once, found twice.", a->name);
        return false;
    }
    if (is_value(&pair->value))
        st = tacit_person_set(workspace->person, attribute, pair->value.text, &moved, NULL);
    if (st) {
        fail_value(m, attribute, "public", st, reply);
        return false;
    }
    if (tacit_person_unknown(workspace->person, attribute) && !a->missing_is_value) {
        fail_value(m, attribute, "public", TACIT_E_INPUT, reply);
        return false;
    }
    *clipped = *clipped || moved;
    return true;
}

static void begin_session(srv_call *call, const srv_request *request, srv_reply *reply)
{
    const srv_model *m = call->model;
    srv_step step = {.receipt = request->receipt.kind == SRV_TRUE};
    srv_workspace *workspace = NULL;
    tacit_status st;

    if (!take_delta(&call->service->settings, &request->delta, &step.delta, reply))
        return;
    st = srv_workspace_open(&workspace, call->worker, m, NULL);
    if (!st)
        st = srv_workspace_begin(workspace, m, step.delta, NULL);
    if (st) {
        fail_inside(reply, st);
        goto done;
    }
    for (size_t i = 0; i < request->n_pairs; i++)
        if (!take_pair(m, workspace, &request->pairs[i], &step.clipped, reply))
            goto done;
    st = tacit_session_give_public(workspace->session, workspace->person, NULL);
    randombytes_buf(step.session, sizeof(step.session));
    if (st)
        fail_inside(reply, st);
    else
        srv_step_write(call, workspace, &step, reply);
done:
    srv_workspace_close(workspace, m);
}

void srv_api_sessions(srv_call *call, srv_reply *reply)
{
    srv_request request;

    if (!srv_request_read(&request, SRV_SESSIONS, call->model->n_attributes, call->body, call->size, reply))
        return;
    begin_session(call, &request, reply);
    srv_request_clear(&request);
}

/* ---- a session goes on ---- */

/* Are the members there that belong together? */
static bool check_members(const srv_request *request, srv_reply *reply)
{
    int refuses = request->refuse.kind == SRV_TRUE, answers = request->value.kind != SRV_ABSENT;
    int passes = request->unknown.kind == SRV_TRUE;

    if (request->token.kind == SRV_ABSENT)
        srv_problem(reply, SRV_BODY_MEMBER, "token: expected, but missing.");
    else if (request->attribute.kind == SRV_ABSENT)
        srv_problem(reply, SRV_BODY_MEMBER, "attribute: expected, but missing.");
    else if (refuses + answers + passes == 0)
        srv_problem(reply, SRV_BODY_MEMBER, "value: expected, but missing; to refuse, say \"refuse\": true.");
    else if (refuses + answers + passes > 1)
        srv_problem(reply, SRV_BODY_MEMBER, "value: expected either a value or %s, found both.",
                    refuses && passes ? "one of refuse and unknown"
                    : refuses         ? "\"refuse\": true"
                                      : "\"unknown\": true");
    else
        return true;
    return false;
}

/* Does the server still offer what the session was begun with? */
static bool check_delta(const srv_settings *settings, double delta, srv_reply *reply)
{
    if (delta >= settings->delta_min && delta <= settings->delta_max)
        return true;
    srv_problem(reply, SRV_TOKEN_HAS_OTHER_DELTA,
                "token: it was begun with a delta that this server does not offer. Begin again.");
    return false;
}

static bool open_token(srv_call *call, const srv_request *request, srv_token *token, srv_reply *reply)
{
    const srv_model *m = call->model;

    memcpy(token->model_hash, m->hash, sizeof(token->model_hash));
    switch (srv_token_open(token, call->service->keys, request->token.text, request->token.size, call->now)) {
    case SRV_TOKEN_FINE:
        return check_delta(&call->service->settings, token->delta, reply);
    case SRV_TOKEN_MALFORMED:
        srv_problem(reply, SRV_TOKEN_IS_MALFORMED,
                    "token: expected one of this server, whole; is a part of it missing?");
        break;
    case SRV_TOKEN_TAMPERED:
        srv_problem(reply, SRV_TOKEN_IS_TAMPERED, "token: it is not as it was when it was given out.");
        break;
    case SRV_TOKEN_UNKNOWN_KEY:
        srv_problem(reply, SRV_TOKEN_HAS_UNKNOWN_KEY,
                    "token: it was made with another key. Has the server been restarted without a key file, or its key "
                    "been replaced? Begin again.");
        break;
    case SRV_TOKEN_OTHER_MODEL:
        srv_problem(reply, SRV_TOKEN_HAS_OTHER_MODEL,
                    "token: it belongs to another model than this one, or to another version of it. Begin again.");
        break;
    case SRV_TOKEN_EXPIRED:
        srv_problem(reply, SRV_TOKEN_IS_EXPIRED, "token: its time is over. Begin again.");
        break;
    case SRV_TOKEN_NO_MEMORY:
        fail_inside(reply, TACIT_E_MEMORY);
        break;
    }
    return false;
}

/* Was the attribute answered or refused? */
static bool is_closed(const tacit_session *session, size_t attribute)
{
    for (size_t e = 0; e < tacit_session_events(session); e++)
        if (tacit_session_event(session, e)->attribute == attribute)
            return true;
    return false;
}

/* May it be answered?  Questions are asked in the order that needs fewest and keeps delta; whoever could choose another
 * could also choose the one that makes errors in their favour likelier. */
static bool check_asked(srv_call *call, const srv_token *token, size_t attribute, srv_reply *reply)
{
    const tacit_schema *schema = call->model->schema;

    if (token->asked == attribute || call->service->settings.free_order)
        return true;
    srv_problem(reply, SRV_ATTRIBUTE_NOT_ASKED,
                "attribute: expected %s, which was asked; this server decides the order.",
                token->asked < call->model->n_attributes ? tacit_schema_attribute(schema, token->asked)->name : "none");
    return false;
}

/* Give the session in the workspace the answer or the refusal. */
static bool take_answer(srv_call *call, const srv_request *request, const srv_token *token, tacit_session *session,
                        srv_step *step, srv_reply *reply)
{
    const srv_model *m = call->model;
    size_t attribute;
    tacit_status st = TACIT_E_INPUT;

    if (!find_attribute(m, &request->attribute, "attribute", &attribute, reply))
        return false;
    if (is_closed(session, attribute)) {
        srv_problem(reply, SRV_ATTRIBUTE_CLOSED,
                    "Attribute %s was answered or refused before; to change that, go on from an earlier token.",
                    tacit_schema_attribute(m->schema, attribute)->name);
        return false;
    }
    if (!check_asked(call, token, attribute, reply))
        return false;
    step->free_order = token->free_order || token->asked != attribute;
    if (request->unknown.kind == SRV_TRUE && !tacit_schema_attribute(m->schema, attribute)->missing_is_value) {
        srv_problem(reply, SRV_BODY_MEMBER,
                    "unknown: not knowing attribute %s is no answer; who does not know it, refuses it.",
                    tacit_schema_attribute(m->schema, attribute)->name);
        return false;
    }
    if (request->refuse.kind == SRV_TRUE)
        st = tacit_session_refuse(session, attribute, NULL);
    else if (request->unknown.kind == SRV_TRUE)
        st = tacit_session_answer_unknown(session, attribute, NULL);
    else if (is_value(&request->value))
        st = tacit_session_answer(session, attribute, request->value.text, NULL);
    if (st) {
        fail_value(m, attribute, "value", st, reply);
        return false;
    }
    if (request->refuse.kind == SRV_TRUE)
        atomic_fetch_add_explicit(&m->counts->refusals, 1, memory_order_relaxed);
    step->clipped = tacit_session_event(session, tacit_session_events(session) - 1)->clipped;
    return true;
}

/* What is to be done with a session that was put back in the workspace. */
typedef void go_on(srv_call *call, const srv_request *request, const srv_token *token, srv_workspace *workspace,
                   srv_reply *reply);

/* Is the session that the token holds a decided one, or an open one, as it must be? */
static bool check_decided(const srv_token *token, bool decided, srv_reply *reply)
{
    if (token->decided == decided)
        return true;
    if (decided)
        srv_problem(reply, SRV_SESSION_OPEN,
                    "There is no decision yet, and so no receipt; answer what is asked first.");
    else
        srv_problem(reply, SRV_SESSION_DECIDED,
                    "There is a decision; to change an answer, go on from an earlier token.");
    return false;
}

/* Open the token, put its session, which must or must not be decided, in the workspace, and go on. */
static void with_session(srv_call *call, const srv_request *request, bool decided, go_on *go, srv_reply *reply)
{
    srv_token token = {.state_size = call->model->state_size};
    srv_workspace *workspace = NULL;
    tacit_status st = srv_workspace_open(&workspace, call->worker, call->model, NULL);

    token.state = workspace->state;
    if (!st && (!open_token(call, request, &token, reply) || !check_decided(&token, decided, reply)))
        goto done;
    if (!st)
        st = srv_workspace_begin(workspace, call->model, token.delta, NULL);
    if (!st)
        st = tacit_session_restore(workspace->session, token.state, token.state_size, NULL);
    if (st)
        fail_inside(reply, st);
    else
        go(call, request, &token, workspace, reply);
done:
    srv_workspace_close(workspace, call->model);
}

static void write_step(srv_call *call, const srv_request *request, const srv_token *token, srv_workspace *workspace,
                       srv_reply *reply)
{
    srv_step step = {.delta = token->delta, .receipt = request->receipt.kind == SRV_TRUE};

    memcpy(step.session, token->session, sizeof(step.session));
    if (take_answer(call, request, token, workspace->session, &step, reply))
        srv_step_write(call, workspace, &step, reply);
}

void srv_api_answers(srv_call *call, srv_reply *reply)
{
    srv_request request;

    if (!srv_request_read(&request, SRV_ANSWERS, 0, call->body, call->size, reply))
        return;
    if (check_members(&request, reply))
        with_session(call, &request, false, write_step, reply);
    srv_request_clear(&request);
}

/* ---- a receipt ---- */

static void write_receipt(srv_call *call, const srv_request *request, const srv_token *token, srv_workspace *workspace,
                          srv_reply *reply)
{
    srv_step step = {.free_order = token->free_order};

    (void)request;
    memcpy(step.session, token->session, sizeof(step.session));
    srv_receipt_write(call, workspace, &step, reply);
}

void srv_api_receipts(srv_call *call, srv_reply *reply)
{
    srv_request request;

    if (!srv_request_read(&request, SRV_RECEIPTS, 0, call->body, call->size, reply))
        return;
    if (request.token.kind == SRV_ABSENT)
        srv_problem(reply, SRV_BODY_MEMBER, "token: expected, but missing.");
    else
        with_session(call, &request, true, write_receipt, reply);
    srv_request_clear(&request);
}

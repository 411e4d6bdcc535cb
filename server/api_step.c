/*
 * api_step.c -- writing a step.
 *
 * What does not depend on the person was written when the service started; here are the token, the names so far, and
 * either the next question with its reason or the decision with its receipt.
 */
#include "api_step.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base.h"

enum { STEP_ROOM = 2048, RECEIPT_ROOM = 4096 }; /* first guesses at the size of a step, of a receipt */
enum { RECEIPT_ID_ROOM = sizeof(((tacit_receipt_stamp *)0)->id) };

static void put_text(srv_out *out, const srv_text *text)
{
    srv_out_bytes(out, text->bytes, text->size);
}

static void put_bool(srv_out *out, bool value)
{
    srv_out_text(out, value ? "true" : "false");
}

/* ---- the token ---- */

static tacit_status seal_state(srv_call *call, srv_workspace *workspace, const srv_step *step, size_t next,
                               int64_t expires, tacit_error *err)
{
    const srv_model *m = call->model;
    srv_token token = {.expires = expires,
                       .delta = step->delta,
                       .decided = next == TACIT_NONE,
                       .free_order = step->free_order,
                       .asked = next == TACIT_NONE ? SRV_NOTHING_ASKED : (uint32_t)next,
                       .state = workspace->state,
                       .state_size = m->state_size};
    tacit_status st = tacit_session_save(workspace->session, workspace->state, err);

    memcpy(token.model_hash, m->hash, sizeof(token.model_hash));
    memcpy(token.session, step->session, sizeof(token.session));
    return st ? st : srv_token_seal(workspace->token, call->service->keys, &token, err);
}

/* ---- names ---- */

/* Attributes answered (sensitive ones), refused, or answered by not knowing, in order; the number of them. */
static size_t put_events(srv_out *out, const srv_model *m, const tacit_session *session, bool refused, bool not_known)
{
    size_t n = 0;

    srv_out_text(out, "[");
    for (size_t e = 0; e < tacit_session_events(session); e++) {
        const tacit_event *event = tacit_session_event(session, e);

        if (event->refused != refused || (not_known ? !event->not_known : !refused && event->role == TACIT_PUBLIC))
            continue;
        srv_out_text(out, n++ ? "," : "");
        put_text(out, &m->names[event->attribute]);
    }
    srv_out_text(out, "]");
    return n;
}

/* Attributes neither answered nor refused, in the order of the schema.  Public ones come before every decision. */
static tacit_status put_not_asked(srv_out *out, const srv_model *m, const tacit_session *session, tacit_error *err)
{
    unsigned char *seen = tct_calloc(m->n_attributes, 1);
    size_t n = 0;

    if (!seen)
        return tct_fail_memory(err);
    for (size_t e = 0; e < tacit_session_events(session); e++)
        seen[tacit_session_event(session, e)->attribute] = 1;
    srv_out_text(out, ",\"not_asked\":[");
    for (size_t a = 0; a < m->n_attributes; a++)
        if (!seen[a]) {
            srv_out_text(out, n++ ? "," : "");
            put_text(out, &m->names[a]);
        }
    srv_out_text(out, "]");
    tct_free(seen);
    return TACIT_OK;
}

/* ---- an open session ---- */

static void put_others(srv_out *out, size_t n)
{
    srv_out_count(out, n);
    srv_out_text(out, n == 1 ? " other question may be needed." : " other questions may be needed.");
}

/* Why this is asked for, as a JSON string. */
static void put_reason(srv_out *out, const tacit_outlook *outlook)
{
    size_t without = outlook->at_most - 1;
    long share = lround(100 * outlook->settles);

    if (without == 0) {
        srv_out_text(out,
                     "\"It is the last thing that can be asked, and with it the decision is settled. Without it, the "
                     "decision is the one that is likelier from what is known.");
    } else if (share > 0) {
        srv_out_text(out, "\"For about ");
        srv_out_count(out, (uint64_t)share);
        srv_out_text(out, " in 100 people who answered like you so far, this answer settles the decision. Without it, "
                          "up to ");
        put_others(out, without);
    } else {
        srv_out_text(out, "\"Of everything not yet given, it is expected to bring the decision nearest. Without it, up "
                          "to ");
        put_others(out, without);
    }
    srv_out_text(out, "\"");
}

static tacit_status put_open(srv_out *out, const srv_model *m, tacit_session *session, size_t next, size_t asked,
                             tacit_error *err)
{
    tacit_outlook outlook;
    tacit_status st = tacit_session_outlook(session, m->draws, &outlook, err);

    if (st)
        return st;
    srv_out_text(out, ",\"next\":");
    put_text(out, &m->objects[next]);
    srv_out_text(out, ",\"attribute\":");
    put_text(out, &m->names[next]);
    srv_out_text(out, ",\"why\":{");
    if (tacit_schema_attribute(m->schema, next)->role == TACIT_PUBLIC) {
        srv_out_text(out, "\"text\":\"It is public: everybody is asked for it first, and it does not count as "
                          "something you gave away. You may refuse it all the same.\"");
    } else {
        srv_out_text(out, "\"settles\":");
        srv_out_number(out, outlook.settles);
        srv_out_text(out, ",\"without\":");
        srv_out_count(out, outlook.at_most - 1);
        srv_out_text(out, ",\"text\":");
        put_reason(out, &outlook);
    }
    srv_out_text(out, "}},\"progress\":{\"asked\":");
    srv_out_count(out, asked);
    srv_out_text(out, ",\"at_most\":");
    srv_out_count(out, outlook.at_most);
    srv_out_text(out, ",\"about\":");
    srv_out_number(out, outlook.about);
    srv_out_text(out, "}");
    return TACIT_OK;
}

/* ---- a decision ---- */

static void free_personal_text(char *text)
{
    if (text)
        tct_wipe(text, strlen(text));
    tacit_text_free(text);
}

/* The number of a receipt: the same whenever, and by whichever replica, the same decision is written down.  What it is a
 * hash of are the answers, so the key is the session's number, which is random and never leaves the tokens. */
static tacit_status write_number(char id[RECEIPT_ID_ROOM], const srv_workspace *workspace, size_t state_size,
                                 const unsigned char session[SRV_SESSION_ID], tacit_error *err)
{
    unsigned char bytes[RECEIPT_ID_ROOM / 2];

    if (crypto_generichash(bytes, sizeof(bytes), workspace->state, state_size, session, SRV_SESSION_ID))
        return tct_fail(err, TACIT_E_INTERNAL, "libsodium cannot hash");
    sodium_bin2hex(id, RECEIPT_ID_ROOM, bytes, sizeof(bytes));
    return TACIT_OK;
}

/* The receipt of the session in the workspace, whose state is saved there. */
static tacit_status put_receipt(srv_out *out, srv_call *call, srv_workspace *workspace, const srv_step *step,
                                tacit_error *err)
{
    tacit_receipt_stamp stamp;
    char *receipt = NULL, *full = NULL;
    bool unproven = false;
    tacit_status st = tacit_receipt_stamp_at(&stamp, call->now, err);

    if (!st)
        st = write_number(stamp.id, workspace, call->model->state_size, step->session, err);
    if (!st) {
        snprintf(stamp.order, sizeof(stamp.order), "%s", step->free_order ? "person" : "rule");
        st = tacit_session_receipt(&receipt, workspace->session, &stamp, &unproven, err);
    }
    if (!st)
        st = tacit_receipt_sign(&full, receipt, srv_keys_signing(call->service->keys, 0), err);
    if (!st) {
        size_t size = strlen(full);

        while (size > 0 && full[size - 1] == '\n')
            size--;
        srv_out_text(out, "\"receipt\":");
        srv_out_bytes(out, full, size);
        srv_out_text(out, ",\"receipt_unproven\":");
        put_bool(out, unproven);
    }
    free_personal_text(receipt);
    free_personal_text(full);
    return st;
}

static tacit_status put_decided(srv_out *out, srv_call *call, srv_workspace *workspace, const srv_step *step,
                                tacit_error *err)
{
    tacit_decision decision;
    tacit_status st = tacit_session_decision(workspace->session, &decision, err);

    if (st)
        return st;
    atomic_fetch_add_explicit(&call->model->counts->decisions[decision.label * SRV_SETTLED + decision.settled], 1,
                              memory_order_relaxed);
    srv_out_text(out, ",\"decision\":{\"label\":");
    put_text(out, &call->model->outcomes[decision.label]);
    srv_out_text(out, ",\"status\":");
    srv_out_string(out, tacit_settled_name(decision.settled));
    srv_out_text(out, ",\"probability\":");
    srv_out_number(out, decision.probability);
    srv_out_text(out, "}");
    st = put_not_asked(out, call->model, workspace->session, err);
    if (st || !step->receipt)
        return st;
    srv_out_text(out, ",");
    return put_receipt(out, call, workspace, step, err);
}

/* Give what was written to the reply, unless something failed. */
static void finish(srv_out *out, tacit_status st, srv_reply *reply)
{
    if (st) {
        srv_out_drop(out);
        srv_problem(reply, SRV_INTERNAL, "%s", st == TACIT_E_MEMORY ? "Memory is short." : "The step failed.");
    } else {
        srv_out_finish(out, reply);
    }
}

/* A session comes to some decisions, when answers are changed; to many when somebody wants to know the model. */
static bool may_decide(srv_call *call, const srv_step *step, srv_reply *reply)
{
    const srv_service *service = call->service;
    uint32_t most = service->settings.forks;

    if (!service->forks || (srv_forks_count(service->forks, step->session, sizeof(step->session), most, call->now) &&
                            srv_forks_count(service->forks, &call->address, sizeof(call->address),
                                            most * SRV_FORKS_PER_CLIENT, call->now)))
        return true;
    atomic_fetch_add_explicit(&call->model->counts->forked, 1, memory_order_relaxed);
    srv_problem(reply, SRV_TOO_MANY_DECISIONS,
                "This session, or this address, has come to more decisions than one person needs; try again later.");
    reply->retry_after = (unsigned)service->settings.token_seconds;
    return false;
}

void srv_step_write(srv_call *call, srv_workspace *workspace, const srv_step *step, srv_reply *reply)
{
    const srv_model *m = call->model;
    int64_t expires = call->now + call->service->settings.token_seconds;
    size_t next = TACIT_NONE, asked;
    tacit_error err = {0};
    srv_out out = {0};
    tacit_status st = tacit_session_next(workspace->session, &next, &err);

    if (!st && next == TACIT_NONE && !may_decide(call, step, reply))
        return;
    if (!st)
        st = seal_state(call, workspace, step, next, expires, &err);
    if (st)
        goto done;
    srv_out_start(&out, STEP_ROOM + srv_token_length(m->state_size));
    srv_out_text(&out, "{\"token\":\"");
    srv_out_text(&out, workspace->token); /* base64url: nothing to escape */
    srv_out_text(&out, "\",\"expires\":");
    srv_out_count(&out, (uint64_t)expires);
    srv_out_text(&out, next == TACIT_NONE ? ",\"status\":\"decided\"" : ",\"status\":\"open\"");
    srv_out_text(&out, ",\"delta\":");
    srv_out_number(&out, step->delta);
    srv_out_text(&out, ",\"asked\":");
    asked = put_events(&out, m, workspace->session, false, false);
    srv_out_text(&out, ",\"refused\":");
    put_events(&out, m, workspace->session, true, false);
    srv_out_text(&out, ",\"not_known\":");
    put_events(&out, m, workspace->session, false, true);
    srv_out_text(&out, ",\"clipped\":");
    put_bool(&out, step->clipped);
    st = next == TACIT_NONE ? put_decided(&out, call, workspace, step, &err)
                            : put_open(&out, m, workspace->session, next, asked, &err);
    srv_out_text(&out, "}");
done:
    finish(&out, st, reply);
}

void srv_receipt_write(srv_call *call, srv_workspace *workspace, const srv_step *step, srv_reply *reply)
{
    srv_out out = {0};
    tacit_status st;

    srv_out_start(&out, RECEIPT_ROOM);
    srv_out_text(&out, "{");
    st = put_receipt(&out, call, workspace, step, NULL);
    srv_out_text(&out, "}");
    finish(&out, st, reply);
}

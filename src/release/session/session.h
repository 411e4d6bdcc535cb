/*
 * session.h -- the inside of tacit_session, for the files of this layer that make it up: session.c (questions and
 * answers), session_state.c (saving and restoring), outlook.c (what lies ahead), receipt.c.
 */
#ifndef TCT_SESSION_H
#define TCT_SESSION_H

#include "person.h"
#include "walk.h"

struct tacit_session {
    const tacit_model *model;
    tacit_release_options options; /* the rule is never TACIT_RULE_AUTO */
    tct_promise promise;
    tct_plan *plan;
    tct_walker *walker;
    tacit_person *person;
    unsigned char *refused; /* per attribute */
    tacit_event *events;    /* room for all attributes */
    size_t n_events;
    tct_ranges ranges;                /* low is NULL unless something was narrowed */
    struct tct_narrowing *narrowings; /* session_narrow.c */
    size_t n_narrowings;
    size_t state_size; /* see session_state.c */
    bool cached;       /* stage, look and next are of the current events */
    const tct_stage *stage;
    tct_look look;
    size_t next;
};

/* Everything answered so far is forgotten, wiped. */
void tct_session_clear(tacit_session *session);
/* Where the protocol stands: the stage, good until something is answered, refused or taken back. */
tacit_status tct_session_stage(tacit_session *session, const tct_stage **out, tacit_error *err);
/* Is it a public attribute that can matter, and was not refused? */
bool tct_session_wants_public(const tacit_session *session, size_t attribute);
/* The first of those that is not known, or TACIT_NONE. */
size_t tct_session_open_public(const tacit_session *session);

/* May something still be said about the attribute? */
tacit_status tct_session_check_open(const tacit_session *session, size_t attribute, tacit_error *err);

/* ---- session_narrow.c: ranges ---- */

/* An attribute that was narrowed and is not known, or TACIT_NONE. */
size_t tct_session_narrowed(const tacit_session *session);
/* An error where there is one: `what` cannot tell of it. */
tacit_status tct_session_refuse_narrowed(const tacit_session *session, const char *what, tacit_error *err);
/* Does a value fit what was said before? */
tacit_status tct_session_check_range(const tacit_session *session, size_t attribute, const double *inputs,
                                     tacit_error *err);
/* Is the decision proven within the ranges?  Then *look says so; else it stays. */
tacit_status tct_session_prove(const tacit_session *session, const tct_stage *stage, tct_look *look, tacit_error *err);
/* Was the last thing said a narrowing?  Take it back; take all back. */
bool tct_session_narrowed_last(const tacit_session *session);
void tct_session_widen(tacit_session *session);
void tct_session_widen_all(tacit_session *session);

/* ---- outlook_gaussian.c: the outlook without drawing anybody ---- */

/* Can it be had here?  Models with one score, decisions by proof only. */
bool tct_outlook_gaussian_applies(const tacit_session *session);
/* Adds up about and settles; *out is zero before.  The session is open at `stage` and asks for `next`. */
tacit_status tct_outlook_gaussian(tacit_session *session, const tct_stage *stage, size_t next, tacit_outlook *out,
                                  tacit_error *err);

#endif

/*
 * reply.h -- an answer of the server before HTTP: status, media type, body.  Problems are RFC 9457 objects.
 */
#ifndef SRV_REPLY_H
#define SRV_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct srv_reply {
    unsigned status;
    const char *type;     /* media type, static */
    const char *body;     /* NULL: none */
    size_t size;          /* of the body */
    unsigned retry_after; /* seconds for a Retry-After header; 0: none */
    bool shared;          /* the body lives as long as the service or the program: send it from where it is */
    bool padded;          /* see srv_reply_pad */
    const char *problem;  /* code of the problem, static; NULL: none.  For counting */
} srv_reply;

/* What can go wrong; each has a code, a status and a title (reply.c). */
typedef enum srv_problem_code {
    SRV_TOKEN_IS_MALFORMED,    /* token-malformed 400 */
    SRV_TOKEN_IS_TAMPERED,     /* token-tampered 400 */
    SRV_TOKEN_HAS_UNKNOWN_KEY, /* token-unknown-key 401 */
    SRV_TOKEN_HAS_OTHER_MODEL, /* token-other-model 401 */
    SRV_TOKEN_IS_EXPIRED,      /* token-expired 401 */
    SRV_TOKEN_HAS_OTHER_DELTA, /* token-other-delta 401 */
    SRV_BODY_NOT_JSON,         /* body-not-json 400 */
    SRV_BODY_TOO_DEEP,         /* body-too-deep 400 */
    SRV_BODY_MEMBER,           /* body-member 422 */
    SRV_ATTRIBUTE_UNKNOWN,     /* attribute-unknown 422 */
    SRV_ATTRIBUTE_CLOSED,      /* attribute-closed 409 */
    SRV_ATTRIBUTE_NOT_ASKED,   /* attribute-not-asked 409 */
    SRV_DELTA_NOT_ALLOWED,     /* delta-not-allowed 422 */
    SRV_SESSION_DECIDED,       /* session-decided 409 */
    SRV_SESSION_OPEN,          /* session-open 409 */
    SRV_BODY_TOO_LARGE,        /* body-too-large 413 */
    SRV_HEADERS_TOO_LARGE,     /* headers-too-large 431 */
    SRV_TOO_MANY_SESSIONS,     /* too-many-sessions 429 */
    SRV_TOO_MANY_DECISIONS,    /* too-many-decisions 429 */
    SRV_TOO_MUCH_WORK,         /* too-much-work 429 */
    SRV_TOO_MANY_FROM_ADDRESS, /* too-many-connections 429 */
    SRV_TOO_MANY_CONNECTIONS,  /* too-many-connections 503 */
    SRV_TOO_SLOW,              /* too-slow 408 */
    SRV_BAD_REQUEST,           /* bad-request 400 */
    SRV_MISDIRECTED,           /* misdirected 421 */
    SRV_NOT_FOUND,             /* not-found 404 */
    SRV_METHOD_NOT_ALLOWED,    /* method-not-allowed 405 */
    SRV_MEDIA_TYPE,            /* media-type 415 */
    SRV_INTERNAL,              /* internal 500 */
    SRV_PROBLEMS
} srv_problem_code;

/* Make *reply a problem; the detail (printf-style, one sentence, never a person's value) is cut off at some 500 bytes.
 * What *reply held is not freed.  Never fails: without memory it is a shared text without detail. */
void srv_problem(srv_reply *reply, srv_problem_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What stands in the list above. */
const char *srv_problem_name(srv_problem_code code);
unsigned srv_problem_status(srv_problem_code code);

/* Make *reply a body that stays where it is. */
void srv_reply_shared(srv_reply *reply, const char *type, const char *body, size_t size);
/* Wipe and free the body unless it is shared; *reply is empty afterwards. */
void srv_reply_clear(srv_reply *reply);
/* The same for a body alone.  NULL allowed. */
void srv_body_free(void *body);
/* Blanks behind a body that is not shared, up to a multiple of `step` bytes, so that its size says little about what is
 * in it; without memory it stays as it is, and is not called padded. */
void srv_reply_pad(srv_reply *reply, size_t step);

/* ---- writing bodies: growing JSON text ---- */

typedef struct srv_out {
    char *body; /* for srv_body_free; not terminated */
    size_t size, room;
    bool failed; /* memory ran out: later writes do nothing */
} srv_out;
/* Start with room for so many bytes. */
void srv_out_start(srv_out *out, size_t room);
/* See that `more` bytes fit; false when they do not. */
bool srv_out_grow(srv_out *out, size_t more);
/* These two are here because most texts are short and written out, and then copying them is a move or two. */
static inline void srv_out_bytes(srv_out *out, const char *bytes, size_t size)
{
    if (size > out->room - out->size && !srv_out_grow(out, size))
        return;
    if (size > 0)
        memcpy(out->body + out->size, bytes, size);
    out->size += size;
}
static inline void srv_out_text(srv_out *out, const char *text) /* as it is */
{
    srv_out_bytes(out, text, strlen(text));
}
void srv_out_string(srv_out *out, const char *text); /* as a JSON string, with quotes */
void srv_out_count(srv_out *out, uint64_t value);
void srv_out_number(srv_out *out, double value); /* shortest that reads back; null when not finite */
/* Give the text to a reply (200, application/json), or make it an internal problem when memory ran out. */
void srv_out_finish(srv_out *out, srv_reply *reply);
/* Wipe and free. */
void srv_out_drop(srv_out *out);

#endif

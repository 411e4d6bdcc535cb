/*
 * api_request.h -- the body of a request: strict JSON with the few members that there are.
 *
 * Read by a small reader of our own instead of a JSON library: all texts of a person land in one block, which is wiped
 * as a whole, and numbers stay the text they were written as, which is what a session wants.
 */
#ifndef SRV_API_REQUEST_H
#define SRV_API_REQUEST_H

#include "reply.h"

typedef enum srv_kind {
    SRV_ABSENT = 0,
    SRV_NULL = 1,
    SRV_TRUE = 2,
    SRV_FALSE = 4,
    SRV_NUMBER = 8,
    SRV_STRING = 16,
    SRV_ARRAY = 32,
    SRV_OBJECT = 64
} srv_kind;

typedef struct srv_field {
    srv_kind kind;
    const char *text; /* numbers as written, strings decoded; terminated, "" for everything else */
    size_t size;      /* a string may hold a NUL: then size is not strlen(text) */
} srv_field;

typedef struct srv_pair {
    srv_field name, value;
} srv_pair;

/* All members of all requests; absent where the request has none. */
typedef struct srv_request {
    srv_field token;                             /* answers, receipts */
    srv_field attribute, value, refuse, unknown; /* answers */
    srv_field public_, delta;                    /* sessions */
    srv_field receipt;                           /* sessions, answers */
    srv_pair *pairs;                             /* of `public` */
    size_t n_pairs;
    char *texts; /* what the fields point into */
    size_t texts_size;
} srv_request;

typedef enum srv_request_kind { SRV_SESSIONS, SRV_ANSWERS, SRV_RECEIPTS } srv_request_kind;

/* Read a body; at most `most_pairs` members of `public`.  On failure *reply is a problem and *request is empty. */
bool srv_request_read(srv_request *request, srv_request_kind kind, size_t most_pairs, const char *body, size_t size,
                      srv_reply *reply);
/* Wipes. */
void srv_request_clear(srv_request *request);

#endif

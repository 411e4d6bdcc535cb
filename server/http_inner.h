/*
 * http_inner.h -- what the http*.c files share.
 */
#ifndef SRV_HTTP_INNER_H
#define SRV_HTTP_INNER_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "api.h"
#include "guard.h"
#include "http.h"
#include "http_watch.h"
#include "metrics.h"
#include "route.h"

struct srv_http {
    srv_service *service;
    srv_http_settings settings;
    srv_guard *guard;
    srv_metrics *metrics;
    srv_watch *watch;
    struct MHD_Daemon *daemon;
    int listening; /* socket; -1: none */
    bool local;
    char url[128];
    char *policy;      /* Content-Security-Policy of pages */
    char *slow_reply;  /* see http_watch.h */
    size_t body_limit; /* bytes */
    atomic_bool starting, stopping;
    char talk[256]; /* what the library said last while starting */
};

/* ---- http_body.c: the body of a request; what is dropped is wiped ---- */

typedef struct srv_body {
    char *bytes;
    size_t size, room;
    size_t dropped; /* bytes that came and were not kept */
    bool too_large;
    bool refused; /* keep nothing */
    bool no_memory;
} srv_body;

/* Take bytes out of the library's own buffer, which is wiped.  false: enough, the connection should be closed. */
bool srv_body_take(srv_body *body, const char *bytes, size_t size, size_t limit);
void srv_body_clear(srv_body *body);

/* ---- http_head.c ---- */

/* What matters of a head; texts are those of the connection and last as long as the request. */
typedef struct srv_head {
    size_t size;               /* bytes; 0: not known */
    const char *fault;         /* what was expected instead of what makes it ambiguous; NULL: nothing is wrong */
    const char *host, *type;   /* NULL: none */
    const char *forwarded;     /* the last X-Forwarded-For: a proxy adds its own behind those that came; NULL: none */
    unsigned long long length; /* of the body, as announced; 0: nothing was */
    bool chunked, expects;
} srv_head;
void srv_head_read(srv_head *head, struct MHD_Connection *connection, const char *version);
bool srv_head_is_json(const srv_head *head);
/* Did the client mean this server, by its Host? */
bool srv_head_is_for_us(const srv_head *head, const srv_http *http);

/* ---- http_listen.c ---- */

/* A socket that listens where `place` ("HOST:PORT", "[HOST]:PORT") says; the URL it is reached by goes to `url`. */
tacit_status srv_listen(int *out, const char *place, bool tls, char *url, size_t size, bool *local, tacit_error *err);

/* A certificate and its key, as text. */
typedef struct srv_tls {
    char *cert, *key;
    size_t cert_size, key_size;
} srv_tls;
tacit_status srv_tls_read(srv_tls *out, const char *cert, const char *key, tacit_error *err);
void srv_tls_clear(srv_tls *tls); /* wipes */

/* ---- http_reply.c ---- */

/* Texts made once: policy and slow_reply. */
tacit_status srv_reply_texts(srv_http *http, tacit_error *err);
/* What an answer has beside its reply. */
typedef struct srv_extras {
    srv_method method;
    const char *allow;    /* NULL: none */
    const char *location; /* NULL: none */
    bool close;           /* the connection, afterwards */
    bool preflight;       /* OPTIONS: say what scripts of other origins may do */
} srv_extras;
/* Send a reply with all headers, which no longer owns its body then.  *bytes: size of the body sent.  *sent: a body to
 * be freed when the request is over. */
enum MHD_Result srv_send(const srv_http *http, struct MHD_Connection *connection, srv_reply *reply,
                         const srv_extras *extras, size_t *bytes, char **sent);

/* ---- http_request.c: what libmicrohttpd calls ---- */

enum MHD_Result srv_on_accept(void *http, const struct sockaddr *peer, socklen_t size);
void srv_on_connection(void *http, struct MHD_Connection *connection, void **slot,
                       enum MHD_ConnectionNotificationCode what);
enum MHD_Result srv_on_request(void *http, struct MHD_Connection *connection, const char *path, const char *method,
                               const char *version, const char *upload, size_t *upload_size, void **request);
void srv_on_end(void *http, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode why);
/* Somebody was too slow with the head of a request (http_watch.h). */
void srv_on_slow_head(void *http);

/* ---- http_answer.c: which endpoint, which page ---- */

/* What a request that has arrived is answered with; `location` is for the case that it is told to go elsewhere. */
typedef struct srv_question {
    srv_match match;
    const char *body;
    size_t size;
    srv_address address; /* counts for rates */
    char *location;      /* out; free it */
} srv_question;
void srv_answer(srv_http *http, srv_question *question, srv_reply *reply);
#endif

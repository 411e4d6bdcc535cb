/*
 * http.h -- the service on a socket: HTTP/1.1, one thread per core that serves connections, and one that proves.
 */
#ifndef SRV_HTTP_H
#define SRV_HTTP_H

#include "service.h"

typedef struct srv_http_settings {
    const char *listen;             /* "127.0.0.1:8080", "[::1]:8080", "unix:/run/x"; port 0: any that is free */
    const char *admin;              /* the same, for health, readiness and metrics; NULL: they are where people are */
    const char *tls_cert, *tls_key; /* PEM files; NULL: no TLS */
    const char *const *cors;        /* origins whose scripts may read answers; "*": all */
    size_t n_cors;
    const char *const *embed; /* origins that may show the page in a frame */
    size_t n_embed;
    bool behind_proxy;      /* believe X-Forwarded-For; no limit of connections per address */
    size_t threads;         /* 0: all cores */
    size_t connections;     /* at a time */
    size_t per_address;     /* at a time; 0: no limit */
    double rate;            /* sessions begun per second and address; 0: no limit */
    double work;            /* processors that an address may keep busy with what takes long; 0: no limit */
    size_t idle_seconds;    /* > 0; a connection may say nothing */
    size_t request_seconds; /* > 0; a request may take to arrive */
    size_t time_step; /* milliseconds; answers that take long leave after one, two, four, ... of them; 0: at once */
    bool no_log, json_log;
} srv_http_settings;

typedef struct srv_http srv_http;

/* Scheme, host and perhaps a port, such as "https://example.org:8443", spelt as browsers do: in small letters? */
bool srv_http_is_origin(const char *text);

/* Listen and serve, in threads of its own, until stopped.  The service and the texts in the settings are borrowed. */
tacit_status srv_http_start(srv_http **out, srv_service *service, const srv_http_settings *settings, tacit_error *err);

/* "http://127.0.0.1:8080/" */
const char *srv_http_url(const srv_http *http);
const char *srv_http_admin_url(const srv_http *http); /* NULL: none */
/* Can only this machine reach it? */
bool srv_http_is_local(const srv_http *http);
bool srv_http_admin_is_local(const srv_http *http); /* or there is no such place */

/* Serve this from now on; requests under way end as they began.  done (NULL allowed) is called, by any thread, once nobody
 * uses the service that there was before.  On failure nothing has changed. */
typedef void srv_done(void *context);
tacit_status srv_http_replace(srv_http *http, srv_service *service, srv_done *done, void *context, tacit_error *err);
/* Read certificate and key again, for connections to come.  On failure nothing has changed. */
tacit_status srv_http_reload_tls(srv_http *http, tacit_error *err);

/* Go on serving, but say that others should be asked: /readyz, and no connection outlives its answer. */
void srv_http_leave(srv_http *http);
/* Take no new connections, answer what is under way (for a bounded time), close the rest, free everything.  NULL
 * allowed. */
void srv_http_stop(srv_http *http);

#endif

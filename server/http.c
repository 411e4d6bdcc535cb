/*
 * http.c -- starting and stopping: the socket, the library with its threads, the watching thread.
 *
 * What libmicrohttpd answers by itself (a head that is no HTTP, or longer than the memory of a connection) cannot be
 * given our headers; its memory is therefore made larger than what we allow, so that all but the grossest get an answer
 * of ours.
 */
#include "http.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"

/* Backstop of the library, which only sees silence; the watching thread is quicker. */
enum { SPARE_SECONDS = 30 };

#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

enum { MOST_OPTIONS = 16 };

/* The library explains itself only in words.  Once it runs they are not needed, and might repeat what a client sent. */
static void hear(void *context, const char *format, va_list arguments)
{
    srv_http *http = context;

    if (!atomic_load(&http->starting))
        return;
    vsnprintf(http->talk, sizeof(http->talk), format, arguments);
    http->talk[strcspn(http->talk, "\r\n")] = '\0';
}

/* Paths are compared as they were sent: every endpoint has one spelling, and none with a NUL in it. */
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static size_t count_threads(const srv_http_settings *s)
{
    long cores = s->threads ? (long)s->threads : sysconf(_SC_NPROCESSORS_ONLN);

    if (cores > SRV_MAX_THREADS)
        cores = SRV_MAX_THREADS;
    return cores < 1 ? 1 : (size_t)cores;
}

/* Connections there can be at a time: those that are served, those that are turned away, and one for each thread that
 * has just let one in while another did. */
static size_t count_slots(const srv_http_settings *s)
{
    return s->connections + SRV_TURNED_AWAY + count_threads(s);
}

static tacit_status start_watch(srv_http *http, tacit_error *err)
{
    const srv_http_settings *s = &http->settings;
    bool plain = !s->tls_cert;
    srv_watch_settings settings = {.slots = count_slots(s),
                                   .patience = {.idle = (int64_t)s->idle_seconds * 1000,
                                                .request = (int64_t)s->request_seconds * 1000,
                                                .reply = SRV_REPLY_SECONDS * 1000},
                                   .slow_reply = plain ? http->slow_reply : NULL,
                                   .slow_size = strlen(http->slow_reply),
                                   .on_slow_head = srv_on_slow_head,
                                   .context = http};

    return srv_watch_new(&http->watch, &settings, err);
}

static tacit_status start_guard(srv_http *http, tacit_error *err)
{
    const srv_http_settings *s = &http->settings;
    srv_guard_settings settings = {
        .connections = s->connections, .per_address = s->behind_proxy ? 0 : s->per_address, .rate = s->rate};

    return srv_guard_new(&http->guard, &settings, err);
}

static tacit_status start_daemon(srv_http *http, srv_tls *tls, tacit_error *err)
{
    const srv_http_settings *s = &http->settings;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_TURBO | MHD_USE_ERROR_LOG;
    unsigned patience = (unsigned)(s->idle_seconds + s->request_seconds + SPARE_SECONDS);
    struct MHD_OptionItem options[MOST_OPTIONS] = {{MHD_OPTION_END, 0, NULL}};
    size_t n = 0;

    options[n++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)count_threads(s), NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, http->listening, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, (intptr_t)count_slots(s), NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)patience, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_MEMORY_LIMIT, SRV_CONNECTION_BYTES, NULL};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL};
    if (tls->cert) {
        flags |= MHD_USE_TLS;
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, tls->cert};
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, tls->key};
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES};
    }
    options[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    atomic_store(&http->starting, true);
    http->daemon =
        MHD_start_daemon(flags, 0, srv_on_accept, http, srv_on_request, http, /* port: of the socket */
                         MHD_OPTION_EXTERNAL_LOGGER, hear, http, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
                         MHD_OPTION_NOTIFY_CONNECTION, srv_on_connection, http, MHD_OPTION_NOTIFY_COMPLETED, srv_on_end,
                         http, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    atomic_store(&http->starting, false);
    if (http->daemon)
        return TACIT_OK;
    if (tls->cert) /* the library does not say more than that */
        return tct_fail(err, TACIT_E_INPUT, "%s, %s: expected a certificate and the private key that belongs to it",
                        s->tls_cert, s->tls_key);
    return tct_fail(err, TACIT_E_IO, "cannot start the server: %s", *http->talk ? http->talk : "no reason given");
}

bool srv_http_is_origin(const char *text)
{
    const char *host = strncmp(text, "https://", 8) == 0 ? text + 8 : strncmp(text, "http://", 7) == 0 ? text + 7 : "";

    return *host && strlen(host) < 300 && strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == strlen(host);
}

tacit_status srv_http_start(srv_http **out, srv_service *service, const srv_http_settings *settings, tacit_error *err)
{
    srv_http *http = tct_calloc(1, sizeof(*http));
    srv_tls tls = {0};
    tacit_status status = TACIT_OK;

    *out = NULL;
    if (!http)
        return tct_fail_memory(err);
    http->service = service;
    http->settings = *settings;
    http->listening = -1;
    http->body_limit = SRV_BODY_BYTES + srv_service_longest_body(service);
    http->metrics = srv_metrics_new();
    if (!http->metrics)
        status = tct_fail_memory(err);
    if (!status && settings->tls_cert && MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
        status = tct_fail(err, TACIT_E_USAGE, "--tls-cert: libmicrohttpd was built without TLS here");
    if (!status && settings->tls_cert)
        status = srv_tls_read(&tls, settings->tls_cert, settings->tls_key, err);
    if (!status)
        status = srv_reply_texts(http, err);
    if (!status)
        status = srv_listen(&http->listening, settings->listen, settings->tls_cert, http->url, sizeof(http->url),
                            &http->local, err);
    if (!status)
        status = start_guard(http, err);
    if (!status)
        status = start_watch(http, err);
    if (!status)
        status = start_daemon(http, &tls, err);
    srv_tls_clear(&tls);
    if (status)
        srv_http_stop(http);
    else
        *out = http;
    return status;
}

const char *srv_http_url(const srv_http *http)
{
    return http->url;
}

bool srv_http_is_local(const srv_http *http)
{
    return http->local;
}

void srv_http_stop(srv_http *http)
{
    if (!http)
        return;
    atomic_store(&http->stopping, true);
    if (http->daemon) {
        /* From now on clients are refused.  Not with MHD_quiesce_daemon: in 0.9.75 it and a thread of the pool may both
         * take the socket out of the same epoll set, and the second one to do so aborts the program. */
        shutdown(http->listening, SHUT_RD);
        srv_watch_drain(http->watch, SRV_STOP_SECONDS);
        MHD_stop_daemon(http->daemon);
        http->listening = -1; /* closed by that */
    }
    srv_watch_free(http->watch);
    if (http->listening >= 0)
        close(http->listening);
    srv_guard_free(http->guard);
    srv_metrics_free(http->metrics);
    tct_free(http->policy);
    tct_free(http->slow_reply);
    tct_free(http);
}

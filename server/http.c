/*
 * http.c -- starting and stopping: sockets, the threads that serve, the threads that prove.
 *
 * Whoever stops us wants nobody to notice.  First, for as long as it was told to, the server goes on but says that it
 * is not ready (/readyz), and that each connection ends with its answer: proxies and load balancers go elsewhere.  Then
 * the doors close: whoever has come is let in, nobody else gets an answer from the kernel, and sockets are closed when
 * every thread has taken its last client.  What is under way is answered.
 */
#include "http.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"

static size_t count_threads(const srv_http_settings *s)
{
    long cores = s->threads ? (long)s->threads : sysconf(_SC_NPROCESSORS_ONLN);

    if (cores > SRV_MAX_THREADS)
        cores = SRV_MAX_THREADS;
    return cores < 1 ? 1 : (size_t)cores;
}

static void rest(int milliseconds)
{
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};

    nanosleep(&time, NULL);
}

bool srv_http_is_origin(const char *text)
{
    const char *host = strncmp(text, "https://", 8) == 0 ? text + 8 : strncmp(text, "http://", 7) == 0 ? text + 7 : "";

    return *host && strlen(host) < 300 && strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == strlen(host);
}

static tacit_status start_guard(srv_http *http, tacit_error *err)
{
    const srv_http_settings *s = &http->settings;
    srv_guard_settings settings = {.connections = s->connections,
                                   .per_address = s->behind_proxy ? 0 : s->per_address,
                                   .rate = s->rate,
                                   .work = s->work};

    return srv_guard_new(&http->guard, &settings, err);
}

static tacit_status open_doors(srv_http *http, tacit_error *err)
{
    const srv_http_settings *s = &http->settings;
    tacit_status st = srv_listen(&http->listeners[SRV_PEOPLE], "--listen", s->listen, s->tls_cert, err);

    if (!st && s->admin)
        st = srv_listen(&http->listeners[SRV_ADMIN], "--admin", s->admin, false, err);
    return st;
}

/* ---- generations ---- */

static srv_generation *new_generation(srv_service *service)
{
    srv_generation *g = tct_calloc(1, sizeof(*g));

    if (!g)
        return NULL;
    g->service = service;
    g->body_limit = SRV_BODY_BYTES + srv_service_longest_body(service);
    atomic_store(&g->users, 1);
    return g;
}

srv_generation *srv_generation_take(srv_http *http)
{
    srv_generation *g;

    pthread_mutex_lock(&http->mutex);
    g = http->present;
    atomic_fetch_add(&g->users, 1);
    pthread_mutex_unlock(&http->mutex);
    return g;
}

void srv_generation_leave(srv_generation *g)
{
    if (!g || atomic_fetch_sub(&g->users, 1) > 1)
        return;
    if (g->done)
        g->done(g->context);
    tct_free(g);
}

tacit_status srv_http_replace(srv_http *http, srv_service *service, srv_done *done, void *context, tacit_error *err)
{
    srv_generation *fresh = new_generation(service), *old;

    if (!fresh)
        return tct_fail_memory(err);
    pthread_mutex_lock(&http->mutex);
    old = http->present;
    old->done = done;
    old->context = context;
    http->present = fresh;
    pthread_mutex_unlock(&http->mutex);
    srv_generation_leave(old);
    return TACIT_OK;
}

tacit_status srv_http_reload_tls(srv_http *http, tacit_error *err)
{
    srv_tls *fresh = NULL, *old;
    tacit_status st;

    if (!http->settings.tls_cert)
        return TACIT_OK;
    st = srv_tls_new(&fresh, http->settings.tls_cert, http->settings.tls_key, err);
    if (st)
        return st;
    pthread_mutex_lock(&http->mutex);
    old = http->tls;
    http->tls = fresh;
    pthread_mutex_unlock(&http->mutex);
    srv_tls_free(old);
    return TACIT_OK;
}

srv_tls_session *srv_http_open_tls(srv_http *http, int socket)
{
    srv_tls_session *session;

    pthread_mutex_lock(&http->mutex);
    session = srv_tls_open(http->tls, socket);
    pthread_mutex_unlock(&http->mutex);
    return session;
}

/* ---- starting ---- */

static srv_http *make(srv_service *service, const srv_http_settings *settings)
{
    srv_http *http = tct_calloc(1, sizeof(*http));

    if (!http)
        return NULL;
    http->present = new_generation(service);
    if (!http->present) {
        tct_free(http);
        return NULL;
    }
    pthread_mutex_init(&http->mutex, NULL);
    http->settings = *settings;
    http->listeners[SRV_PEOPLE].socket = http->listeners[SRV_ADMIN].socket = -1;
    http->listeners[SRV_ADMIN].admin = true;
    http->n_loops = count_threads(settings);
    http->patience = (srv_patience){.idle = (int64_t)settings->idle_seconds * 1000,
                                    .request = (int64_t)settings->request_seconds * 1000,
                                    .reply = SRV_REPLY_SECONDS * 1000};
    return http;
}

tacit_status srv_http_start(srv_http **out, srv_service *service, const srv_http_settings *settings, tacit_error *err)
{
    srv_http *http = make(service, settings);
    tacit_status status = TACIT_OK;

    *out = NULL;
    if (!http)
        return tct_fail_memory(err);
    http->metrics = srv_metrics_new();
    if (!http->metrics)
        status = tct_fail_memory(err);
    if (!status && settings->tls_cert)
        status = srv_tls_new(&http->tls, settings->tls_cert, settings->tls_key, err);
    if (!status)
        status = srv_reply_texts(http, err);
    if (!status)
        status = open_doors(http, err);
    if (!status)
        status = start_guard(http, err);
    if (!status)
        status = srv_pool_new(&http->pool, http->n_loops, srv_connection_work, err);
    if (!status)
        status = srv_loops_start(http, err);
    if (status)
        srv_http_stop(http);
    else
        *out = http;
    return status;
}

const char *srv_http_url(const srv_http *http)
{
    return http->listeners[SRV_PEOPLE].url;
}

const char *srv_http_admin_url(const srv_http *http)
{
    return http->settings.admin ? http->listeners[SRV_ADMIN].url : NULL;
}

/* This machine, or its file system. */
static bool is_local(const srv_listener *l)
{
    return l->local || strncmp(l->url, "unix:", 5) == 0;
}

bool srv_http_is_local(const srv_http *http)
{
    return is_local(&http->listeners[SRV_PEOPLE]);
}

bool srv_http_admin_is_local(const srv_http *http)
{
    return http->listeners[SRV_ADMIN].socket < 0 || is_local(&http->listeners[SRV_ADMIN]);
}

/* Until every thread has taken those who were waiting. */
static void close_doors(srv_http *http)
{
    for (size_t i = 0; i < SRV_LISTENERS; i++)
        srv_listener_shut(&http->listeners[i]);
    atomic_store(&http->stop_at, srv_clock() + SRV_STOP_SECONDS * 1000);
    atomic_store(&http->stage, SRV_STOPPING);
    srv_loops_wake(http);
    while (http->loops && atomic_load(&http->shut) < http->n_loops && srv_clock() < atomic_load(&http->stop_at))
        rest(1);
    for (size_t i = 0; i < SRV_LISTENERS; i++)
        srv_listener_close(&http->listeners[i]);
}

void srv_http_leave(srv_http *http)
{
    if (http)
        atomic_store(&http->stage, SRV_LEAVING);
}

void srv_http_stop(srv_http *http)
{
    if (!http)
        return;
    close_doors(http);
    srv_loops_stop(http);
    srv_pool_free(http->pool);
    srv_guard_free(http->guard);
    srv_metrics_free(http->metrics);
    srv_tls_free(http->tls);
    srv_generation_leave(http->present);
    pthread_mutex_destroy(&http->mutex);
    tct_free(http->on_page);
    tct_free(http->elsewhere);
    tct_free(http);
}

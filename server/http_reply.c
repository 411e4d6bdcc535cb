/*
 * http_reply.c -- answers with all their headers.
 *
 * Every answer, whatever it is, may not be stored, is not for the pages of others, tells nobody where it came from, and
 * is what its type says.  A page may run and show nothing that is not ours, and use no device; what is no page may not
 * run or show anything, nor be shown inside of one.
 */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "http_inner.h"

typedef struct header {
    const char *name, *value;
} header;

/* On every answer. */
static const header always[] = {
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};
enum { ALWAYS = sizeof(always) / sizeof(*always) };

/* On pages, beside their Content-Security-Policy. */
static const header on_pages[] = {
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Permissions-Policy", "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), "
                           "microphone=(), midi=(), payment=(), usb=()"},
};
enum { ON_PAGES = sizeof(on_pages) / sizeof(*on_pages) };

/* On everything else. */
static const header elsewhere = {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"};

static const header with_tls = {"Strict-Transport-Security", "max-age=31536000"};

static const char policy_start[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                   "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

/* The answer of the watching thread, which cannot use the library. */
static void write_slow_reply(srv_http *http, tct_text *text)
{
    srv_reply reply = {0};

    srv_problem(&reply, SRV_TOO_SLOW, "The request did not arrive within %zu seconds.", http->settings.request_seconds);
    tct_text_printf(text, "HTTP/1.1 %u Request Timeout\r\nConnection: close\r\nContent-Type: %s\r\n", reply.status,
                    reply.type);
    for (size_t i = 0; i < ALWAYS; i++)
        tct_text_printf(text, "%s: %s\r\n", always[i].name, always[i].value);
    tct_text_printf(text, "%s: %s\r\nContent-Length: %zu\r\n\r\n", elsewhere.name, elsewhere.value, reply.size);
    tct_text_append(text, reply.body, reply.size);
    srv_reply_clear(&reply);
}

tacit_status srv_reply_texts(srv_http *http, tacit_error *err)
{
    tct_text policy = {0}, slow = {0};

    tct_text_printf(&policy, "%s", policy_start);
    for (size_t i = 0; i < http->settings.n_embed; i++)
        tct_text_printf(&policy, " %s", http->settings.embed[i]);
    if (http->settings.n_embed == 0)
        tct_text_printf(&policy, " 'none'");
    http->policy = policy.bytes;
    if (policy.failed)
        return tct_fail_memory(err);
    write_slow_reply(http, &slow);
    http->slow_reply = slow.bytes;
    return slow.failed ? tct_fail_memory(err) : TACIT_OK;
}

/* ---- other origins ---- */

/* What Access-Control-Allow-Origin says to this client; NULL: nothing. */
static const char *allowed_origin(const srv_http *http, struct MHD_Connection *connection)
{
    const char *origin;

    if (http->settings.n_cors == 0)
        return NULL;
    origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    for (size_t i = 0; i < http->settings.n_cors; i++) {
        const char *allowed = http->settings.cors[i];

        if (strcmp(allowed, "*") == 0 || (origin && strcmp(allowed, origin) == 0))
            return allowed;
    }
    return NULL;
}

static bool add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_origin(const srv_http *http, struct MHD_Connection *connection, struct MHD_Response *response,
                       const srv_extras *extras)
{
    const char *allowed = allowed_origin(http, connection);
    bool done = true;

    if (http->settings.n_cors > 0)
        done = add(response, "Vary", "Origin");
    if (!allowed)
        return done;
    done = done && add(response, "Access-Control-Allow-Origin", allowed);
    done = done && add(response, "Access-Control-Expose-Headers", "Retry-After");
    if (extras->preflight) {
        done = done && add(response, "Access-Control-Allow-Methods", extras->allow);
        done = done && add(response, "Access-Control-Allow-Headers", "Content-Type");
        done = done && add(response, "Access-Control-Max-Age", "600");
    }
    return done;
}

/* ---- sending ---- */

static bool add_common(const srv_http *http, struct MHD_Response *response, const char *type)
{
    bool page = type && strncmp(type, "text/html", 9) == 0, done = true;

    for (size_t i = 0; i < ALWAYS; i++)
        done = done && add(response, always[i].name, always[i].value);
    for (size_t i = 0; i < ON_PAGES && page; i++)
        done = done && add(response, on_pages[i].name, on_pages[i].value);
    done = done && add(response, elsewhere.name, page ? http->policy : elsewhere.value);
    if (http->settings.tls_cert)
        done = done && add(response, with_tls.name, with_tls.value);
    return done && (!type || add(response, "Content-Type", type));
}

static bool add_headers(const srv_http *http, struct MHD_Connection *connection, struct MHD_Response *response,
                        const srv_reply *reply, const srv_extras *extras)
{
    bool done = add_common(http, response, reply->type);
    char seconds[16];

    if (reply->retry_after) {
        snprintf(seconds, sizeof(seconds), "%u", reply->retry_after);
        done = done && add(response, "Retry-After", seconds);
    }
    if (reply->status == 401) /* RFC 9110 wants a scheme; ours is the token in the body */
        done = done && add(response, "WWW-Authenticate", "Tacit-Token");
    if (extras->allow)
        done = done && add(response, "Allow", extras->allow);
    if (extras->location)
        done = done && add(response, "Location", extras->location);
    if (extras->close)
        done = done && add(response, "Connection", "close");
    return done && add_origin(http, connection, response, extras);
}

/* A response that owns the body of *reply, or shares it. */
static struct MHD_Response *make_response(srv_reply *reply)
{
    void *body = (void *)(uintptr_t)reply->body;
    struct MHD_Response *response;

    if (reply->shared || !body)
        return MHD_create_response_from_buffer(body ? reply->size : 0, body, MHD_RESPMEM_PERSISTENT);
    response = MHD_create_response_from_buffer_with_free_callback(reply->size, body, srv_body_free);
    if (response)
        reply->body = NULL; /* wiped and freed with the response */
    return response;
}

/* ---- steps ---- */

/*
 * Most answers are steps: 200, JSON, the same headers, one of few sizes.  To make a response for each, with a few pieces
 * of memory for every header, would take as long as the step itself; so responses stay with the memory of their bodies,
 * and the next step that is written there finds one.
 */

typedef struct packing {
    struct MHD_Response *response;
    size_t size;
} packing;

static void free_packing(void *context)
{
    packing *p = context;

    MHD_destroy_response(p->response);
    tct_free(p);
}

/* Does it have the headers that all steps have, and no more? */
static bool is_usual(const srv_http *http, const srv_reply *reply, const srv_extras *extras)
{
    return reply->padded && reply->status == MHD_HTTP_OK && !extras->close && http->settings.n_cors == 0;
}

/* The response for a usual reply; it stays with the body.  NULL when memory is short. */
static struct MHD_Response *find_response(const srv_http *http, const srv_reply *reply)
{
    void *body = (void *)(uintptr_t)reply->body;
    packing *p = srv_body_packing(body);

    if (p && p->size == reply->size)
        return p->response;
    p = tct_malloc(1, sizeof(*p));
    if (!p)
        return NULL;
    *p = (packing){MHD_create_response_from_buffer(reply->size, body, MHD_RESPMEM_PERSISTENT), reply->size};
    if (!p->response || !add_common(http, p->response, reply->type)) {
        if (p->response)
            MHD_destroy_response(p->response);
        tct_free(p);
        return NULL;
    }
    srv_body_pack(body, p, free_packing);
    return p->response;
}

enum MHD_Result srv_send(const srv_http *http, struct MHD_Connection *connection, srv_reply *reply,
                         const srv_extras *extras, size_t *bytes, char **sent)
{
    struct MHD_Response *response = is_usual(http, reply, extras) ? find_response(http, reply) : NULL;
    enum MHD_Result result = MHD_NO;

    *bytes = extras->method == SRV_HEAD ? 0 : reply->size;
    if (response) {
        *sent = (char *)(uintptr_t)reply->body;
        return MHD_queue_response(connection, MHD_HTTP_OK, response);
    }
    response = make_response(reply);
    if (response && add_headers(http, connection, response, reply, extras))
        result = MHD_queue_response(connection, reply->status, response);
    if (response)
        MHD_destroy_response(response);
    srv_reply_clear(reply);
    return result;
}

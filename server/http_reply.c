/*
 * http_reply.c -- answers with all their headers.
 *
 * Every answer, whatever it is, may not be stored, may not run anything that is not ours, is not for the pages of
 * others, tells nobody where it came from, and is what its type says.
 */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "http_inner.h"

typedef struct header {
    const char *name, *value;
} header;

/* On every answer, beside Content-Security-Policy. */
static const header always[] = {
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
    {"Permissions-Policy", "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), "
                           "microphone=(), midi=(), payment=(), usb=()"},
};
enum { ALWAYS = sizeof(always) / sizeof(*always) };

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
    tct_text_printf(text, "Content-Security-Policy: %s\r\nContent-Length: %zu\r\n\r\n", http->policy, reply.size);
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
    bool done = true;

    for (size_t i = 0; i < ALWAYS; i++)
        done = done && add(response, always[i].name, always[i].value);
    done = done && add(response, "Content-Security-Policy", http->policy);
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

static const char JSON_TYPE[] = "application/json";

static bool dress_json(const void *http, struct MHD_Response *response)
{
    return add_common(http, response, JSON_TYPE);
}

/* Does it have the headers that all steps have, and no more? */
static bool is_usual(const srv_http *http, const srv_reply *reply, const srv_extras *extras)
{
    return reply->status == MHD_HTTP_OK && extras->method == SRV_POST && reply->body && !reply->shared &&
           reply->retry_after == 0 && strcmp(reply->type, JSON_TYPE) == 0 && !extras->close && !extras->location &&
           !extras->allow && http->settings.n_cors == 0;
}

enum MHD_Result srv_send(const srv_http *http, struct MHD_Connection *connection, srv_reply *reply,
                         const srv_extras *extras, size_t *bytes, srv_loan **loan)
{
    struct MHD_Response *response;
    enum MHD_Result result = MHD_NO;

    *loan =
        is_usual(http, reply, extras) ? srv_pool_lend(http->pool, reply->body, reply->size, dress_json, http) : NULL;
    if (*loan) {
        *bytes = srv_loan_size(*loan);
        srv_reply_clear(reply);
        return MHD_queue_response(connection, MHD_HTTP_OK, srv_loan_response(*loan));
    }
    response = make_response(reply);
    *bytes = extras->method == SRV_HEAD ? 0 : reply->size;
    if (response && add_headers(http, connection, response, reply, extras))
        result = MHD_queue_response(connection, reply->status, response);
    if (response)
        MHD_destroy_response(response);
    srv_reply_clear(reply);
    return result;
}

/*
 * http_reply.c -- answers with all their headers.
 *
 * Every answer, whatever it is, may not be stored, is not for the pages of others, tells nobody where it came from, and
 * is what its type says.  A page may run and show nothing that is not ours, and use no device; what is no page may not
 * run or show anything, nor be shown inside of one.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"

/* On every answer. */
static const char always[] = "Cache-Control: no-store\r\n"
                             "Cross-Origin-Resource-Policy: same-origin\r\n"
                             "Referrer-Policy: no-referrer\r\n"
                             "X-Content-Type-Options: nosniff\r\n";
/* On pages, beside their Content-Security-Policy. */
static const char on_pages[] =
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Permissions-Policy: accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), "
    "midi=(), payment=(), usb=()\r\n";
static const char with_tls[] = "Strict-Transport-Security: max-age=31536000\r\n";
static const char policy_start[] = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                                   "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                                   "frame-ancestors";
static const char no_policy[] = "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";

static const struct {
    unsigned status;
    const char *reason;
} reasons[] = {
    {200, "OK"},
    {204, "No Content"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
};

static const char *reason_of(unsigned status)
{
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "-";
}

tacit_status srv_reply_texts(srv_http *http, tacit_error *err)
{
    tct_text page = {0}, other = {0};
    const char *tls = http->settings.tls_cert ? with_tls : "";

    tct_text_printf(&page, "%s%s%s%s", always, on_pages, tls, policy_start);
    for (size_t i = 0; i < http->settings.n_embed; i++)
        tct_text_printf(&page, " %s", http->settings.embed[i]);
    if (http->settings.n_embed == 0)
        tct_text_printf(&page, " 'none'");
    tct_text_printf(&page, "\r\n\r\n");
    tct_text_printf(&other, "%s%s%s\r\n", always, tls, no_policy);
    http->on_page = page.bytes;
    http->on_page_size = page.size;
    http->elsewhere = other.bytes;
    http->elsewhere_size = other.size;
    return page.failed || other.failed ? tct_fail_memory(err) : TACIT_OK;
}

/* ---- the part that differs ---- */

typedef struct writer {
    char *at, *end;
} writer;

/* There is room for everything that is ever written. */
static void put(writer *w, const char *text, size_t size)
{
    if (size > (size_t)(w->end - w->at))
        size = (size_t)(w->end - w->at);
    memcpy(w->at, text, size);
    w->at += size;
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_number(writer *w, size_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%zu", number);
    put_text(w, digits);
}

static void put_header(writer *w, const char *name, const char *value)
{
    put_text(w, name);
    put(w, ": ", 2);
    put_text(w, value);
    put(w, "\r\n", 2);
}

/* "Date: Sun, 06 Nov 1994 08:49:37 GMT", written once a second by each thread. */
static void put_date(writer *w)
{
    static _Thread_local char text[48];
    static _Thread_local size_t size;
    static _Thread_local time_t written;
    time_t now = time(NULL);
    struct tm parts;

    if (now != written && gmtime_r(&now, &parts)) {
        static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

        size = (size_t)snprintf(text, sizeof(text), "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n",
                                days + 3 * parts.tm_wday, parts.tm_mday, months + 3 * parts.tm_mon,
                                parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
        written = now;
    }
    put(w, text, size);
}

/* What Access-Control-Allow-Origin says to this client; NULL: nothing. */
static const char *allowed_origin(const srv_http *http, srv_slice origin)
{
    for (size_t i = 0; i < http->settings.n_cors; i++) {
        const char *allowed = http->settings.cors[i];

        if (strcmp(allowed, "*") == 0 ||
            (origin.text && strlen(allowed) == origin.size && memcmp(allowed, origin.text, origin.size) == 0))
            return allowed;
    }
    return NULL;
}

static void put_origin(writer *w, const srv_http *http, const srv_call *call, bool preflight)
{
    const char *allowed;

    if (http->settings.n_cors == 0)
        return;
    allowed = allowed_origin(http, call->head.origin);
    put_header(w, "Vary", "Origin");
    if (!allowed)
        return;
    put_header(w, "Access-Control-Allow-Origin", allowed);
    put_header(w, "Access-Control-Expose-Headers", "Retry-After");
    if (preflight) {
        put_header(w, "Access-Control-Allow-Methods", srv_route_allow(call->match.route));
        put_header(w, "Access-Control-Allow-Headers", "Content-Type");
        put_header(w, "Access-Control-Max-Age", "600");
    }
}

static void put_first_line(writer *w, unsigned status)
{
    static const char usual[] = "HTTP/1.1 200 OK\r\n";

    if (status == 200) {
        put(w, usual, sizeof(usual) - 1);
        return;
    }
    put_text(w, "HTTP/1.1 ");
    put_number(w, status);
    put(w, " ", 1);
    put_text(w, reason_of(status));
    put(w, "\r\n", 2);
}

static void put_extras(writer *w, const srv_connection *c)
{
    const srv_reply *reply = &c->reply;
    const srv_call *call = &c->call;

    if (reply->retry_after) {
        put_text(w, "Retry-After: ");
        put_number(w, reply->retry_after);
        put(w, "\r\n", 2);
    }
    if (reply->status == 401) /* RFC 9110 wants a scheme; ours is the token in the body */
        put_header(w, "WWW-Authenticate", "Tacit-Token");
    if (reply->status == 405 || reply->status == 204)
        put_header(w, "Allow", srv_route_allow(call->match.route));
    if (srv_loop_http(c->loop)->settings.json_log) {
        char id[20];

        snprintf(id, sizeof(id), "%016llx", (unsigned long long)c->id);
        put_header(w, "X-Request-Id", id);
    }
    if (*call->location)
        put_header(w, "Location", call->location);
    if (c->close)
        put_header(w, "Connection", "close");
    else if (call->head.old)
        put_header(w, "Connection", "keep-alive");
}

void srv_reply_write(srv_connection *c)
{
    const srv_http *http = srv_loop_http(c->loop);
    const srv_reply *reply = &c->reply;
    char *out = c->in + SRV_CONNECTION_BYTES;
    writer w = {out, out + SRV_OUT_ROOM};
    bool page = reply->type && strncmp(reply->type, "text/html", 9) == 0;

    put_first_line(&w, reply->status);
    put_date(&w);
    if (reply->type)
        put_header(&w, "Content-Type", reply->type);
    if (reply->status != 204) {
        put_text(&w, "Content-Length: ");
        put_number(&w, reply->body ? reply->size : 0);
        put(&w, "\r\n", 2);
    }
    put_extras(&w, c);
    put_origin(&w, http, &c->call, reply->status == 204);
    c->pieces[0] = (struct iovec){out, (size_t)(w.at - out)};
    c->pieces[1] = page ? (struct iovec){http->on_page, http->on_page_size}
                        : (struct iovec){http->elsewhere, http->elsewhere_size};
    c->pieces[2] = (struct iovec){(void *)(uintptr_t)reply->body, reply->size};
    c->n_pieces = reply->body && reply->size > 0 && c->call.head.method != SRV_HEAD ? 3 : 2;
    c->piece = 0;
}

/*
 * http_request.c -- one request from its first line to its last byte, as libmicrohttpd tells it: once when the head
 * is there, again for every piece of the body, once more when all has come, and when it is over.
 *
 * A request that is refused by its head is answered when its body, if that is not too long, has been read and dropped:
 * a client that is still sending while we close would lose the answer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"
#include "log.h"

/* With TLS, text that was decrypted passes through the processor's registers, and whoever saves registers leaves it on
 * the stack: the dynamic linker does when a function is called for the first time.  Deeper than this nobody gets. */
enum { STACK_TRACES = 48 << 10 };

typedef struct request {
    srv_method method;
    srv_match match;
    srv_head head;
    srv_address address;
    bool refused;
    srv_reply refusal;
    bool close; /* the connection, after the answer */
    srv_body body;
    char *sent; /* body of the answer, for srv_body_free */
    /* For the log. */
    unsigned status;
    const char *problem;
    size_t bytes;
    uint64_t micros;
} request;

static uint64_t clock_micros(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static srv_slot *slot_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

static void note(const srv_http *http, srv_method method, srv_route route, unsigned status, size_t bytes,
                 uint64_t micros)
{
    srv_log_line line = {.time = (int64_t)time(NULL),
                         .method = method,
                         .route = route,
                         .status = status,
                         .bytes = bytes,
                         .micros = micros};

    srv_metrics_request(http->metrics, route, status, micros, bytes);
    if (!http->settings.no_log && !srv_log_write(STDERR_FILENO, &line))
        srv_metrics_lost_line(http->metrics);
}

/* ---- the head ---- */

static srv_address client_address(const srv_http *http, const srv_head *head, const srv_slot *slot)
{
    srv_address address = *srv_slot_address(slot);

    if (http->settings.behind_proxy && head->forwarded)
        srv_address_forwarded(&address, head->forwarded);
    return address;
}

/* Refuse what can be refused before the body is there. */
static void judge_head(const srv_http *http, request *r, const srv_slot *slot)
{
    srv_admission admission = slot ? srv_slot_admission(slot) : SRV_FULL;
    const srv_head *head = &r->head;

    r->refused = true;
    if (admission == SRV_FULL_ADDRESS)
        srv_problem(&r->refusal, SRV_TOO_MANY_FROM_ADDRESS, "There are already %zu connections from this address.",
                    http->settings.per_address);
    else if (admission != SRV_ADMITTED)
        srv_problem(&r->refusal, SRV_TOO_MANY_CONNECTIONS, "All connections of this server are in use.");
    else if (head->fault)
        srv_problem(&r->refusal, SRV_BAD_REQUEST, "Expected %s.", head->fault);
    else if (!srv_head_is_for_us(head, http))
        srv_problem(&r->refusal, SRV_MISDIRECTED,
                    "This server only answers to names of its own machine; for a proxy, start it with --behind-proxy.");
    else if (head->size > SRV_HEADER_BYTES)
        srv_problem(&r->refusal, SRV_HEADERS_TOO_LARGE, "Request line and headers may have %d bytes.",
                    (int)SRV_HEADER_BYTES);
    else if (r->match.route != SRV_ROUTE_NONE && !r->match.allowed)
        srv_problem(&r->refusal, SRV_METHOD_NOT_ALLOWED, "Allowed here: %s.", srv_route_allow(r->match.route));
    else if (r->method == SRV_POST && r->match.route != SRV_ROUTE_NONE && !srv_head_is_json(head))
        srv_problem(&r->refusal, SRV_MEDIA_TYPE, "Content-Type must be application/json.");
    else if (head->length > http->body_limit)
        srv_problem(&r->refusal, SRV_BODY_TOO_LARGE, "A body may have %zu bytes.", http->body_limit);
    else
        r->refused = false;
    r->body.refused = r->refused || r->method != SRV_POST || r->match.route == SRV_ROUTE_NONE;
    r->close = head->fault || admission != SRV_ADMITTED;
    if (admission != SRV_ADMITTED)
        r->refusal.retry_after = 1;
}

/* Is it pointless, or rude, to read the body of a refused request? */
static bool answers_at_once(const srv_head *head)
{
    return head->fault || head->length > SRV_DRAIN_BYTES || head->expects;
}

/* Bytes of a request that was read to its end, as they came; 0 where that cannot be told: encrypted, in chunks, or
 * refused. */
static uint64_t request_size(const srv_http *http, const request *r)
{
    bool plain = !http->settings.tls_cert && !r->refused && !r->body.refused && !r->head.chunked;

    return plain && r->head.size > 0 && r->head.length == r->body.size ? r->head.size + r->body.size : 0;
}

/* ---- the answer ---- */

static enum MHD_Result send_answer(const srv_http *http, struct MHD_Connection *connection, request *r,
                                   srv_reply *reply, const char *location)
{
    srv_extras extras = {.method = r->method, .location = location};

    extras.close = r->close || atomic_load(&http->stopping);
    extras.preflight = r->method == SRV_OPTIONS && reply->status == MHD_HTTP_NO_CONTENT;
    if (extras.preflight || reply->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        extras.allow = srv_route_allow(r->match.route);
    r->status = reply->status;
    r->problem = reply->problem;
    return srv_send(http, connection, reply, &extras, &r->bytes, &r->sent);
}

static enum MHD_Result answer(srv_http *http, struct MHD_Connection *connection, request *r)
{
    srv_question question = {.match = r->match, .body = r->body.bytes, .size = r->body.size, .address = r->address};
    srv_slot *slot = slot_of(connection);
    uint64_t start = clock_micros();
    srv_reply reply = {0};
    enum MHD_Result result;

    if (slot)
        srv_slot_reply(slot, request_size(http, r));
    if (r->refused) {
        reply = r->refusal;
        r->refusal = (srv_reply){0};
    } else if (r->body.too_large) {
        srv_problem(&reply, SRV_BODY_TOO_LARGE, "A body may have %zu bytes.", http->body_limit);
    } else if (r->body.no_memory) {
        srv_problem(&reply, SRV_INTERNAL, "Memory is short.");
    } else if (r->method == SRV_OPTIONS && r->match.route != SRV_ROUTE_NONE) {
        srv_reply_shared(&reply, NULL, NULL, 0);
        reply.status = MHD_HTTP_NO_CONTENT;
    } else {
        srv_answer(http, &question, &reply);
    }
    srv_body_clear(&r->body);
    r->micros = clock_micros() - start;
    result = send_answer(http, connection, r, &reply, question.location);
    tct_free(question.location);
    return result;
}

static enum MHD_Result begin(srv_http *http, struct MHD_Connection *connection, const char *path, const char *method,
                             const char *version, void **context)
{
    srv_slot *slot = slot_of(connection);
    request *r = tct_malloc(1, sizeof(*r));

    if (!r)
        return MHD_NO;
    *r = (request){0};
    *context = r;
    r->method = srv_method_named(method);
    r->match = srv_route_find(r->method, path, strlen(path));
    srv_head_read(&r->head, connection, version);
    if (slot) {
        srv_slot_enter(slot, SRV_PHASE_BODY);
        r->address = client_address(http, &r->head, slot);
    }
    judge_head(http, r, slot);
    if (r->refused && answers_at_once(&r->head))
        return answer(http, connection, r);
    return MHD_YES;
}

/* What calls that have returned left on the stack of this thread. */
static void wipe_stack(const srv_http *http)
{
    if (http->settings.tls_cert)
        sodium_stackzero(STACK_TRACES);
}

enum MHD_Result srv_on_accept(void *context, const struct sockaddr *peer, socklen_t size)
{
    srv_http *http = context;
    srv_address address = srv_address_of(peer);

    (void)size;
    if (atomic_load(&http->stopping))
        return MHD_NO;
    if (srv_guard_judge(http->guard, &address) != SRV_SHUT_OUT)
        return MHD_YES;
    srv_metrics_shut_out(http->metrics);
    return MHD_NO;
}

void srv_on_connection(void *context, struct MHD_Connection *connection, void **slot,
                       enum MHD_ConnectionNotificationCode what)
{
    srv_http *http = context;
    const union MHD_ConnectionInfo *socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *peer = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    srv_address address = srv_address_of(peer ? peer->client_addr : NULL);

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        srv_admission admission = srv_guard_enter(http->guard, &address);

        srv_metrics_connection(http->metrics);
        *slot = srv_watch_open(http->watch, socket ? socket->connect_fd : -1, &address, admission);
    } else {
        if (*slot)
            srv_watch_close(http->watch, *slot);
        *slot = NULL;
        srv_guard_leave(http->guard, &address);
        wipe_stack(http);
    }
}

enum MHD_Result srv_on_request(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                               const char *version, const char *upload, size_t *upload_size, void **request_context)
{
    srv_http *http = context;
    request *r = *request_context;

    if (!r)
        return begin(http, connection, path, method, version, request_context);
    if (*upload_size > 0) {
        bool go_on = srv_body_take(&r->body, upload, *upload_size, http->body_limit);

        *upload_size = 0;
        return go_on ? MHD_YES : MHD_NO;
    }
    return answer(http, connection, r);
}

void srv_on_end(void *context, struct MHD_Connection *connection, void **request_context,
                enum MHD_RequestTerminationCode why)
{
    srv_http *http = context;
    request *r = *request_context;
    srv_slot *slot = slot_of(connection);

    (void)why;
    if (!r)
        return;
    if (r->status == 0 && slot && srv_slot_was_slow(slot)) {
        r->status = srv_problem_status(SRV_TOO_SLOW);
        r->problem = srv_problem_name(SRV_TOO_SLOW);
    }
    if (slot)
        srv_slot_enter(slot, SRV_PHASE_IDLE);
    note(http, r->method, r->match.route, r->status, r->bytes, r->micros);
    srv_metrics_problem(http->metrics, r->problem);
    srv_reply_clear(&r->refusal);
    srv_body_clear(&r->body);
    srv_body_free(r->sent);
    tct_free(r);
    *request_context = NULL;
    wipe_stack(http);
}

void srv_on_slow_head(void *context)
{
    srv_http *http = context;

    note(http, SRV_OTHER_METHOD, SRV_ROUTE_NONE, srv_problem_status(SRV_TOO_SLOW), 0, 0);
    srv_metrics_problem(http->metrics, srv_problem_name(SRV_TOO_SLOW));
}

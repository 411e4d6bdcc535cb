/*
 * http_connection.c -- one connection: reading a request, having it answered, sending the answer, and again.
 *
 * A request that is refused by its head is answered when its body, if that is not too long, has been read and dropped:
 * a client that is still sending while we close would lose the answer.  For the same reason a connection that ends with
 * an answer is read from for a moment longer.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"
#include "log.h"

enum { REQUESTS_AT_ONCE = 16, LINGER = 2000, FRESH = 1000 }; /* the last two: milliseconds */

/* What reading and writing can come to, beside numbers of bytes. */
enum { ENDED = 0, NOT_NOW = SRV_TLS_AGAIN, BROKEN = SRV_TLS_FAILED };

static srv_http *http_of(const srv_connection *c)
{
    return srv_loop_http(c->loop);
}

void srv_connection_enter(srv_connection *c, srv_phase phase)
{
    bool goes_on = c->phase == SRV_PHASE_HEAD && phase == SRV_PHASE_BODY; /* they share one deadline */

    c->phase = phase;
    if (!goes_on)
        c->since = srv_loop_now(c->loop);
}

/* ---- bytes ---- */

static ssize_t read_some(srv_connection *c, char *bytes, size_t room)
{
    ssize_t got;

    if (c->tls) {
        got = srv_tls_read(c->tls, bytes, room);
    } else {
        got = recv(c->socket, bytes, room, 0);
        if (got < 0)
            got = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? NOT_NOW : BROKEN;
        if (got > 0 && (size_t)got < room)
            c->readable = false; /* more will be another edge */
    }
    if (got == NOT_NOW)
        c->readable = false;
    return got;
}

static ssize_t write_pieces(srv_connection *c)
{
    const struct iovec *first = &c->pieces[c->piece];
    ssize_t sent;

    if (c->tls) {
        sent = srv_tls_write(c->tls, first->iov_base, first->iov_len);
    } else {
        struct msghdr message = {.msg_iov = &c->pieces[c->piece], .msg_iovlen = c->n_pieces - c->piece};

        sent = sendmsg(c->socket, &message, MSG_NOSIGNAL);
        if (sent < 0)
            sent = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? NOT_NOW : BROKEN;
    }
    if (sent == NOT_NOW)
        c->writable = false;
    return sent;
}

/* Forget `size` bytes at the beginning, or behind the head. */
static void drop_bytes(srv_connection *c, size_t at, size_t size)
{
    memmove(c->in + at, c->in + at + size, c->in_size - at - size);
    tct_wipe(c->in + c->in_size - size, size);
    c->in_size -= size;
}

/* ---- the end of a request ---- */

/* How long it took, as far as anybody is told: in steps, of which there are few. */
static uint64_t tell_millis(const srv_connection *c)
{
    uint64_t millis = SRV_TIME_STEP;

    while (millis * 1000 < c->micros)
        millis *= 2;
    return millis;
}

static void note(const srv_connection *c, srv_method method, srv_route route, unsigned status)
{
    const srv_http *http = http_of(c);
    bool sends = c->reply.body && method != SRV_HEAD;
    srv_log_line line = {.time = (int64_t)time(NULL),
                         .method = method,
                         .route = route,
                         .status = status,
                         .bytes = sends ? c->reply.size : 0,
                         .millis = tell_millis(c),
                         .id = c->id,
                         .problem = c->reply.problem};

    srv_metrics_request(http->metrics, route, status, line.millis, line.bytes);
    srv_metrics_problem(http->metrics, c->reply.problem);
    if (!http->settings.no_log && !srv_log_write(STDERR_FILENO, &line, http->settings.json_log))
        srv_metrics_lost_line(http->metrics);
}

void srv_connection_clear(srv_connection *c)
{
    srv_reply_clear(&c->reply);
    srv_body_clear(&c->body);
    srv_generation_leave(c->generation);
    c->generation = NULL;
    if (c->in) {
        tct_wipe(c->in, c->in_size);
        srv_loop_give_buffer(c->loop, c->in);
        c->in = NULL;
        c->in_size = 0;
    }
}

/* Be ready for the next one; what has come of it stays. */
static void begin_anew(srv_connection *c)
{
    size_t used = c->head_size + (c->in_place ? (size_t)c->call.head.length : 0);

    srv_reply_clear(&c->reply);
    srv_body_clear(&c->body);
    srv_generation_leave(c->generation);
    c->generation = NULL;
    drop_bytes(c, 0, used);
    c->body = (srv_body){0};
    c->chunks = (srv_chunks){0};
    c->call = (srv_call){0};
    c->scanned = c->head_size = 0;
    c->body_left = 0;
    c->has_head = c->in_place = c->refused = c->heavy = false;
    c->micros = 0;
    c->answers++;
    c->state = SRV_READING;
    if (c->in_size == 0)
        srv_connection_clear(c);
    srv_connection_enter(c, c->in_size > 0 ? SRV_PHASE_HEAD : SRV_PHASE_IDLE);
}

/* ---- the head ---- */

static void find_address(srv_connection *c)
{
    srv_slice forwarded = c->call.head.forwarded;
    char text[256];

    c->call.address = c->peer;
    if (!http_of(c)->settings.behind_proxy || !forwarded.text)
        return;
    if (forwarded.size >= sizeof(text)) { /* the last entry is what counts */
        forwarded.text += forwarded.size - (sizeof(text) - 1);
        forwarded.size = sizeof(text) - 1;
    }
    memcpy(text, forwarded.text, forwarded.size);
    text[forwarded.size] = '\0';
    srv_address_forwarded(&c->call.address, text);
}

/* Those who look after the server have a door of their own, where there is one. */
static void find_route(srv_connection *c)
{
    const srv_http *http = http_of(c);
    srv_call *call = &c->call;

    call->match =
        srv_route_find(call->head.method, call->head.path.text ? call->head.path.text : "", call->head.path.size);
    if (http->settings.admin && call->match.route != SRV_ROUTE_NONE &&
        srv_route_is(call->match.route, SRV_ABOUT_SERVER) != c->from->admin)
        call->match = (srv_match){.route = SRV_ROUTE_NONE};
}

static void refuse(srv_connection *c)
{
    c->refused = true;
    c->body.refused = true;
}

static bool is_for_us(const srv_connection *c)
{
    const srv_http *http = http_of(c);

    return !c->from->local || http->settings.behind_proxy || http->settings.tls_cert ||
           srv_head_is_local(&c->call.head);
}

/* Refuse what can be refused before the body is there. */
static void judge_head(srv_connection *c)
{
    const srv_http *http = http_of(c);
    const srv_head *head = &c->call.head;
    const srv_match *match = &c->call.match;
    bool allowed = match->route == SRV_ROUTE_NONE || match->allowed;

    refuse(c);
    c->close = head->fault || head->last || c->admission != SRV_ADMITTED;
    if (c->admission == SRV_FULL_ADDRESS)
        srv_problem(&c->reply, SRV_TOO_MANY_FROM_ADDRESS, "There are already %zu connections from this address.",
                    http->settings.per_address);
    else if (c->admission != SRV_ADMITTED)
        srv_problem(&c->reply, SRV_TOO_MANY_CONNECTIONS, "All connections of this server are in use.");
    else if (head->fault)
        srv_problem(&c->reply, SRV_BAD_REQUEST, "Expected %s.", head->fault);
    else if (!is_for_us(c))
        srv_problem(&c->reply, SRV_MISDIRECTED,
                    "This server only answers to names of its own machine; for a proxy, start it with --behind-proxy.");
    else if (!allowed)
        srv_problem(&c->reply, SRV_METHOD_NOT_ALLOWED, "Allowed here: %s.", srv_route_allow(match->route));
    else if (head->method == SRV_POST && match->route != SRV_ROUTE_NONE && !srv_head_is_json(head))
        srv_problem(&c->reply, SRV_MEDIA_TYPE, "Content-Type must be application/json.");
    else if (head->length > c->generation->body_limit)
        srv_problem(&c->reply, SRV_BODY_TOO_LARGE, "A body may have %zu bytes.", c->generation->body_limit);
    else
        c->refused = c->body.refused = false;
    if (c->admission != SRV_ADMITTED)
        c->reply.retry_after = 1;
    if (head->method != SRV_POST || match->route == SRV_ROUTE_NONE)
        c->body.refused = true;
}

/* Is it pointless, or rude, to read the body of a refused request? */
static bool answers_at_once(const srv_connection *c)
{
    const srv_head *head = &c->call.head;

    return head->fault || head->length > SRV_DRAIN_BYTES || head->expects;
}

static void take_head(srv_connection *c)
{
    srv_http *http = http_of(c);

    c->has_head = true;
    c->id = srv_loop_number(c->loop);
    srv_connection_enter(c, SRV_PHASE_BODY);
    srv_head_read(&c->call.head, c->in, c->head_size);
    c->call.http = http;
    c->generation = srv_generation_take(http);
    c->call.service = c->generation->service;
    find_route(c);
    find_address(c);
    judge_head(c);
    c->in_place = !c->call.head.chunked && c->call.head.length <= SRV_CONNECTION_BYTES - c->head_size;
    c->body_left = c->call.head.length;
}

static void refuse_large_head(srv_connection *c)
{
    c->has_head = true;
    c->id = srv_loop_number(c->loop);
    c->head_size = c->in_size;
    c->call.head = (srv_head){.method = SRV_OTHER_METHOD};
    refuse(c);
    c->close = true;
    srv_problem(&c->reply, SRV_HEADERS_TOO_LARGE, "Request line and headers may have %d bytes.", (int)SRV_HEADER_BYTES);
}

/* ---- the body ---- */

typedef enum progress { MORE, READY } progress;

static progress spoil(srv_connection *c)
{
    srv_reply_clear(&c->reply);
    refuse(c);
    c->close = true;
    srv_problem(&c->reply, SRV_BAD_REQUEST, "Expected a body in chunks as RFC 9112 has them.");
    return READY;
}

/* There was more than we drop for anybody. */
static progress cut_off(srv_connection *c)
{
    if (!c->refused)
        srv_problem(&c->reply, SRV_BODY_TOO_LARGE, "A body may have %zu bytes.", c->generation->body_limit);
    refuse(c);
    c->close = true;
    return READY;
}

static progress take_body(srv_connection *c)
{
    size_t here = c->in_size - c->head_size, limit = c->generation->body_limit, used;
    bool enough = false;

    if (c->call.head.chunked) {
        used = srv_chunks_take(&c->chunks, &c->body, c->in + c->head_size, here, limit, &enough);
    } else {
        used = here < c->body_left ? here : (size_t)c->body_left;
        if (used > 0)
            enough = !srv_body_take(&c->body, c->in + c->head_size, used, limit);
        c->body_left -= used;
    }
    drop_bytes(c, c->head_size, used);
    if (enough)
        return cut_off(c);
    if (c->call.head.chunked)
        return c->chunks.state == SRV_CHUNK_FAULT ? spoil(c) : c->chunks.state == SRV_CHUNK_DONE ? READY : MORE;
    return c->body_left == 0 ? READY : MORE;
}

/* Whoever asked whether to send the body is told so. */
static bool encourage(srv_connection *c)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    ssize_t size = sizeof(go_on) - 1;

    c->call.head.expects = false;
    return c->tls ? srv_tls_write(c->tls, go_on, (size_t)size) == size
                  : send(c->socket, go_on, (size_t)size, MSG_NOSIGNAL) == size;
}

/* How far does what has come get us? */
static progress look_at_bytes(srv_connection *c)
{
    while (!c->has_head && c->in_size >= 2 && memcmp(c->in, "\r\n", 2) == 0) {
        drop_bytes(c, 0, 2); /* some send an empty line behind a body */
        c->scanned = 0;
    }
    if (!c->has_head) {
        if (c->in_size == 0)
            return MORE;
        c->head_size = srv_head_end(c->in, c->in_size, &c->scanned);
        if (c->head_size > SRV_HEADER_BYTES || (c->head_size == 0 && c->in_size >= SRV_HEADER_BYTES)) {
            refuse_large_head(c);
            return READY;
        }
        if (c->head_size == 0)
            return MORE;
        take_head(c);
    }
    if (c->refused && answers_at_once(c)) {
        c->close = true;
        return READY;
    }
    if (c->in_place)
        return c->in_size - c->head_size >= c->call.head.length ? READY : MORE;
    return take_body(c);
}

/* ---- going on ---- */

/* false: it is over. */
static bool go_on_reading(srv_connection *c)
{
    ssize_t got;

    if (c->in && look_at_bytes(c) == READY) {
        srv_connection_answer(c);
        return true;
    }
    if (c->has_head && c->call.head.expects && !c->refused && !encourage(c))
        return false;
    if (!c->readable)
        return true;
    if (!c->in)
        c->in = srv_loop_take_buffer(c->loop);
    if (!c->in)
        return false;
    got = read_some(c, c->in + c->in_size, SRV_CONNECTION_BYTES - c->in_size);
    if (got > 0) {
        c->in_size += (size_t)got;
        if (c->phase == SRV_PHASE_IDLE)
            srv_connection_enter(c, SRV_PHASE_HEAD);
        return true;
    }
    if (c->in_size == 0)
        srv_connection_clear(c);
    if (got == NOT_NOW)
        return true;
    if (c->has_head)
        note(c, c->call.head.method, c->call.match.route, 0); /* it left in the middle */
    return false;
}

static bool go_on_sending(srv_connection *c)
{
    ssize_t sent = write_pieces(c);

    if (sent == NOT_NOW)
        return true;
    c->writable = true;
    if (sent < 0) {
        note(c, c->call.head.method, c->call.match.route, 0);
        return false;
    }
    while (c->piece < c->n_pieces && (size_t)sent >= c->pieces[c->piece].iov_len)
        sent -= (ssize_t)c->pieces[c->piece++].iov_len;
    if (c->piece < c->n_pieces) {
        c->pieces[c->piece].iov_base = (char *)c->pieces[c->piece].iov_base + sent;
        c->pieces[c->piece].iov_len -= (size_t)sent;
        return true;
    }
    note(c, c->call.head.method, c->call.match.route, c->reply.status);
    if (!c->close) {
        begin_anew(c);
        return true;
    }
    if (c->tls)
        srv_tls_bye(c->tls);
    shutdown(c->socket, SHUT_WR);
    srv_connection_clear(c);
    c->dropped = 0;
    c->state = SRV_LINGERING;
    srv_connection_enter(c, SRV_PHASE_IDLE);
    return true;
}

static bool go_on_lingering(srv_connection *c)
{
    char bytes[4096];
    ssize_t got = recv(c->socket, bytes, sizeof(bytes), 0);

    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        c->readable = false;
        return true;
    }
    tct_wipe(bytes, sizeof(bytes));
    c->dropped += got > 0 ? (size_t)got : 0;
    return got > 0 && c->dropped <= SRV_DRAIN_BYTES;
}

static bool go_on_shaking(srv_connection *c)
{
    int done = srv_tls_shake(c->tls);

    if (done == SRV_TLS_AGAIN) {
        c->readable = false;
        return true;
    }
    if (done == 0) {
        c->state = SRV_READING;
        c->readable = true; /* perhaps it has come with the last of the handshake */
        srv_connection_enter(c, SRV_PHASE_IDLE);
    }
    return done == 0;
}

bool srv_connection_run(srv_connection *c)
{
    for (size_t answers = c->answers; c->answers - answers < REQUESTS_AT_ONCE;) {
        switch (c->state) {
        case SRV_SHAKING:
            if (!go_on_shaking(c))
                return false;
            if (c->state == SRV_SHAKING)
                return true;
            break;
        case SRV_READING: {
            bool before = c->readable;

            if (!go_on_reading(c))
                return false;
            if (c->state == SRV_READING && (!before || (!c->in && !c->readable)))
                return true;
            break;
        }
        case SRV_WORKING:
        case SRV_WAITING:
            return true;
        case SRV_SENDING:
            if (!go_on_sending(c))
                return false;
            if (c->state == SRV_SENDING && !c->writable)
                return true;
            break;
        case SRV_LINGERING:
            if (!go_on_lingering(c))
                return false;
            if (!c->readable)
                return true;
            break;
        }
    }
    c->posted = true;
    srv_loop_post(c->loop, c); /* others are waiting, too */
    return true;
}

/* ---- patience ---- */

static bool tell_slow(srv_connection *c)
{
    bool has_head = c->has_head;

    if (!c->in)
        c->in = srv_loop_take_buffer(c->loop);
    if (c->state != SRV_READING || !c->in)
        return false;
    srv_reply_clear(&c->reply);
    srv_problem(&c->reply, SRV_TOO_SLOW, "The request did not arrive within %zu seconds.",
                http_of(c)->settings.request_seconds);
    if (!has_head) {
        c->id = srv_loop_number(c->loop);
        c->call.head.method = SRV_OTHER_METHOD;
    }
    c->close = true;
    srv_connection_send(c);
    return srv_connection_run(c);
}

bool srv_connection_check(srv_connection *c)
{
    srv_http *http = http_of(c);
    int64_t now = srv_loop_now(c->loop);

    switch (c->state) {
    case SRV_WORKING:
    case SRV_WAITING:
        return true;
    case SRV_LINGERING:
        return now - c->since < LINGER;
    case SRV_SHAKING:
        return now - c->since < http->patience.request;
    case SRV_READING:
    case SRV_SENDING:
        break;
    }
    if (atomic_load(&http->stage) == SRV_STOPPING && c->phase == SRV_PHASE_IDLE &&
        (c->answers > 0 || now - c->since >= FRESH)) /* whoever has just come may be about to say something */
        return false;
    switch (srv_patience_judge(&http->patience, c->phase, c->since, now)) {
    case SRV_IN_TIME:
        return true;
    case SRV_END_QUIETLY:
        return false;
    case SRV_END_SLOW:
        return tell_slow(c);
    }
    return true;
}

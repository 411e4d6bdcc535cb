/*
 * http_dispatch.c -- a request that is there: who answers it, whether it may be answered now, on which thread, and when
 * the answer may leave.
 */
#include <time.h>

#include "http_inner.h"
#include "http_pages.h"

static srv_http *http_of(const srv_connection *c)
{
    return srv_loop_http(c->loop);
}

/* When may it leave?  Time is told in steps, or how long a proof took would say whose it is. */
static void set_release(srv_connection *c)
{
    size_t step = http_of(c)->settings.time_step;
    uint64_t length = (uint64_t)step * 1000;

    c->wait = 0;
    while (c->micros > length && c->wait + 1 < SRV_WAITS) {
        length *= 2;
        c->wait++;
    }
    c->release = (int64_t)((c->start + length + 999) / 1000);
}

void srv_connection_send(srv_connection *c)
{
    c->close = c->close || atomic_load(&http_of(c)->stage) != SRV_SERVING;
    srv_reply_write(c);
    c->state = SRV_SENDING;
    srv_connection_enter(c, SRV_PHASE_REPLY);
}

static void answer_step(srv_connection *c)
{
    srv_call *call = &c->call;

    call->now = (int64_t)time(NULL);
    if (srv_route_is(call->match.route, SRV_POSTED)) {
        call->worker = srv_worker_mine(c->generation->service);
        if (!call->worker) {
            srv_problem(&c->reply, SRV_INTERNAL, "Memory is short.");
            return;
        }
    }
    srv_route_endpoint(call->match.route)(call, &c->reply);
    if (srv_route_is(call->match.route, SRV_POSTED))
        srv_reply_pad(&c->reply,
                      srv_model_step_size(call->model)); /* or whoever sees it pass by could tell decisions apart */
}

/* May this be asked for now, by this client? */
static bool is_allowed_now(srv_connection *c)
{
    srv_http *http = http_of(c);
    bool counted = srv_route_is(c->call.match.route, SRV_COUNTED);
    unsigned wait = counted ? srv_guard_session(http->guard, &c->call.address, srv_loop_now(c->loop)) : 0;

    if (wait == 0)
        return true;
    srv_problem(&c->reply, SRV_TOO_MANY_SESSIONS,
                "Too many sessions were begun, or receipts fetched, from this address; try again in %u s.", wait);
    c->reply.retry_after = wait;
    return false;
}

/* Is it long work, and so not for the thread that serves connections? */
static bool is_heavy(const srv_call *call)
{
    return srv_route_is(call->match.route, SRV_PROVES) ||
           (srv_route_is(call->match.route, SRV_POSTED) && srv_model_is_heavy(call->model));
}

/* Has this client kept us busy for long enough? */
static bool may_work(srv_connection *c)
{
    unsigned wait = srv_guard_work(http_of(c)->guard, &c->call.address, srv_clock());

    if (wait == 0)
        return true;
    srv_problem(&c->reply, SRV_TOO_MUCH_WORK, "This address has asked for more than its share; try again in %u s.",
                wait);
    c->reply.retry_after = wait;
    return false;
}

/* All of the request is there, and nothing is wrong with it so far. */
static void dispatch(srv_connection *c)
{
    srv_call *call = &c->call;
    srv_route route = call->match.route;

    call->body = c->in_place ? c->in + c->head_size : c->body.bytes;
    call->size = c->in_place ? (size_t)call->head.length : c->body.size;
    if (call->head.method == SRV_OPTIONS && route != SRV_ROUTE_NONE) {
        srv_reply_shared(&c->reply, NULL, NULL, 0);
        c->reply.status = 204;
        return;
    }
    if (srv_route_is(route, SRV_OF_MODEL) && !(srv_route_is(route, SRV_ANY_MODEL) && !call->match.model) &&
        !srv_page_model(call, &c->reply))
        return;
    if (!is_allowed_now(c))
        return;
    c->heavy = is_heavy(call);
    if (!c->heavy) {
        answer_step(c);
        return;
    }
    if (!may_work(c)) {
        c->heavy = false;
        return;
    }
    c->state = SRV_WORKING;
    if (!srv_loop_hand_over(c->loop, c)) {
        c->state = SRV_READING;
        c->heavy = false;
        srv_guard_worked(http_of(c)->guard, &call->address, 0, srv_loop_now(c->loop));
        srv_problem(&c->reply, SRV_INTERNAL, "Memory is short.");
    }
}

void srv_connection_answer(srv_connection *c)
{
    c->start = srv_clock_micros();
    if (!c->refused && c->body.too_large)
        srv_problem(&c->reply, SRV_BODY_TOO_LARGE, "A body may have %zu bytes.", c->generation->body_limit);
    else if (!c->refused && c->body.no_memory)
        srv_problem(&c->reply, SRV_INTERNAL, "Memory is short.");
    else if (!c->refused)
        dispatch(c);
    if (c->state == SRV_WORKING)
        return;
    c->micros = srv_clock_micros() - c->start;
    srv_connection_send(c);
}

/* Seconds that this thread, which does nothing else than such work, has used since it was last asked: the call goes into
 * the kernel, so there is one of it for each piece of work. */
static double seconds_used(void)
{
    static _Thread_local double before;
    struct timespec time;
    double now, used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    now = (double)time.tv_sec + (double)time.tv_nsec / 1e9;
    used = now - before;
    before = now;
    return used;
}

void srv_connection_work(void *connection)
{
    srv_connection *c = connection;

    answer_step(c);
    srv_guard_worked(http_of(c)->guard, &c->call.address, seconds_used(), srv_clock());
    srv_loop_hand_back(c->loop, c);
}

void srv_connection_worked(srv_connection *c)
{
    c->micros = srv_clock_micros() - c->start;
    set_release(c);
    srv_connection_send(c);
    if (http_of(c)->settings.time_step > 0) {
        c->state = SRV_WAITING;
        srv_loop_wait(c->loop, c);
    }
}

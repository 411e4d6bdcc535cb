/*
 * http_loop.c -- the threads that serve: each has a set of sockets it is told about (epoll), the connections that are
 * its own, and a list of those that came back from the pool.
 *
 * Sockets are watched by edges: it is noted that one can be read, and forgotten when there was nothing more to read, so
 * that a request costs one call to hear of it, one to read and one to write.  A few times a second all connections are
 * gone through for those that are too slow or idle for too long.
 *
 * Answers that must wait (see SRV_TIME_STEP in limits.h) lie on lists, one for each length of waiting, so that the next
 * one to leave is always at the head of one of them.
 */
#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <time.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"

/* Milliseconds between two looks at everybody; while stopping; at what the pool has done. */
enum { LOOK_EVERY = 200, LOOK_OFTEN = 20, LOOK_DONE = 1 };
enum { EVENTS = 64, ACCEPTS = 16, SPARE_BUFFERS = 32 };
/* With TLS, text that was decrypted passes through the processor's registers, and whoever saves registers leaves it on
 * the stack: the dynamic linker does when a function is called for the first time.  Deeper than this nobody gets. */
enum { STACK_TRACES = 48 << 10 };

struct srv_loop {
    srv_http *http;
    pthread_t thread;
    bool running;
    int epoll, wake;
    int64_t now, looked;
    srv_connection *all;
    pthread_mutex_t mutex; /* of what others post */
    srv_connection *done;
    bool woken;         /* since the list was last looked at; of the mutex, too */
    size_t handed_over; /* to the pool, and not seen to be back */
    srv_connection *waiting[SRV_WAITS], *last_waiting[SRV_WAITS];
    char *spare[SPARE_BUFFERS];
    size_t n_spare;
    bool shut; /* takes nobody any more */
    uint64_t numbers, numbers_key;
};

int64_t srv_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &time); /* patience is counted in seconds */
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

uint64_t srv_clock_micros(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

int64_t srv_loop_now(const srv_loop *loop)
{
    return loop->now;
}

srv_http *srv_loop_http(const srv_loop *loop)
{
    return loop->http;
}

char *srv_loop_take_buffer(srv_loop *loop)
{
    if (loop->n_spare > 0)
        return loop->spare[--loop->n_spare];
    return tct_malloc(SRV_CONNECTION_BYTES + SRV_OUT_ROOM, 1);
}

void srv_loop_give_buffer(srv_loop *loop, char *buffer)
{
    if (buffer && loop->n_spare < SPARE_BUFFERS)
        loop->spare[loop->n_spare++] = buffer;
    else
        tct_free(buffer);
}

/* A count, made unreadable: how many requests there were is nobody's business. */
uint64_t srv_loop_number(srv_loop *loop)
{
    unsigned char key[crypto_shorthash_KEYBYTES] = {0};
    uint64_t number = 0;

    memcpy(key, &loop->numbers_key, sizeof(loop->numbers_key));
    loop->numbers++;
    crypto_shorthash((unsigned char *)&number, (const unsigned char *)&loop->numbers, sizeof(loop->numbers), key);
    return number;
}

static void wake(srv_loop *loop)
{
    uint64_t one = 1;
    ssize_t written = write(loop->wake, &one, sizeof(one));

    (void)written; /* it is never read, but 2^64 writes are not reached */
}

bool srv_loop_hand_over(srv_loop *loop, srv_connection *c)
{
    if (!srv_pool_add(loop->http->pool, c))
        return false;
    loop->handed_over++;
    return true;
}

static void post(srv_loop *loop, srv_connection *c, bool urgent)
{
    bool asleep;

    pthread_mutex_lock(&loop->mutex);
    asleep = urgent && !loop->woken;
    loop->woken = loop->woken || urgent;
    c->next_done = loop->done;
    loop->done = c;
    pthread_mutex_unlock(&loop->mutex);
    if (asleep)
        wake(loop);
}

void srv_loop_post(srv_loop *loop, srv_connection *c)
{
    post(loop, c, true);
}

/* To wake the loop up, and to be put off the processor by it, costs as much as a short step.  So where more waits to be
 * done, that is begun at once; the loop knows of it and looks every LOOK_DONE milliseconds for what is done. */
void srv_loop_hand_back(srv_loop *loop, srv_connection *c)
{
    post(loop, c, srv_pool_is_empty(loop->http->pool));
}

void srv_loop_wait(srv_loop *loop, srv_connection *c)
{
    srv_connection *behind = loop->last_waiting[c->wait];

    while (behind && behind->release > c->release)
        behind = behind->before_waiting;
    c->before_waiting = behind;
    c->next_waiting = behind ? behind->next_waiting : loop->waiting[c->wait];
    *(behind ? &behind->next_waiting : &loop->waiting[c->wait]) = c;
    *(c->next_waiting ? &c->next_waiting->before_waiting : &loop->last_waiting[c->wait]) = c;
}

static void stop_waiting(srv_loop *loop, srv_connection *c)
{
    *(c->before_waiting ? &c->before_waiting->next_waiting : &loop->waiting[c->wait]) = c->next_waiting;
    *(c->next_waiting ? &c->next_waiting->before_waiting : &loop->last_waiting[c->wait]) = c->before_waiting;
    c->next_waiting = c->before_waiting = NULL;
}

/* ---- connections come and go ---- */

static void free_connection(srv_connection *c)
{
    srv_loop *loop = c->loop;

    *(c->before ? &c->before->next : &loop->all) = c->next;
    if (c->next)
        c->next->before = c->before;
    srv_connection_clear(c);
    tct_free_wiped(c, sizeof(*c));
}

static void close_connection(srv_connection *c)
{
    srv_loop *loop = c->loop;

    if (c->state == SRV_WAITING)
        stop_waiting(loop, c);
    if (c->socket >= 0) {
        if (c->tls && c->state != SRV_SHAKING && c->state != SRV_LINGERING)
            srv_tls_bye(c->tls);
        srv_tls_close(c->tls);
        c->tls = NULL;
        close(c->socket);
        c->socket = -1;
        srv_guard_leave(loop->http->guard, &c->peer);
        if (loop->http->settings.tls_cert)
            sodium_stackzero(STACK_TRACES);
    }
    if (c->state == SRV_WORKING)
        c->gone = true; /* the pool still needs it */
    else
        free_connection(c);
}

static void run_connection(srv_connection *c)
{
    if (!srv_connection_run(c))
        close_connection(c);
    else if (c->tls)
        sodium_stackzero(STACK_TRACES);
}

static bool set_up(srv_loop *loop, srv_connection *c)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    int on = 1;

    if (c->peer.bytes[10] || c->peer.bytes[0]) /* IP */
        setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (loop->http->settings.tls_cert && !c->from->admin) {
        c->tls = srv_http_open_tls(loop->http, c->socket);
        c->state = SRV_SHAKING;
        if (!c->tls)
            return false;
    }
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, c->socket, &event) == 0;
}

static void take_client(srv_loop *loop, const srv_listener *from, int socket, const srv_address *peer)
{
    srv_connection *c = tct_calloc(1, sizeof(*c));

    if (!c) {
        close(socket);
        return;
    }
    c->loop = loop;
    c->socket = socket;
    c->from = from;
    c->peer = *peer;
    c->state = SRV_READING;
    c->since = loop->now;
    c->admission = srv_guard_enter(loop->http->guard, peer);
    if (from->admin) /* operators are few, and must get in when people are many */
        c->admission = SRV_ADMITTED;
    c->next = loop->all;
    if (loop->all)
        loop->all->before = c;
    loop->all = c;
    srv_metrics_connection(loop->http->metrics);
    if (!set_up(loop, c))
        close_connection(c);
}

/* Take those who have come, some at a time; false: nobody is left. */
static bool take_clients(srv_loop *loop, const srv_listener *from, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof(peer);
        srv_address address;
        int socket;

        memset(&peer, 0, sizeof(peer));
        socket = accept4(from->socket, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0)
            return errno == EINTR || errno == ECONNABORTED;
        address = srv_address_of((const struct sockaddr *)&peer);
        if (!from->admin && srv_guard_judge(loop->http->guard, &address) == SRV_SHUT_OUT) {
            srv_metrics_shut_out(loop->http->metrics);
            close(socket);
        } else {
            take_client(loop, from, socket, &address);
        }
    }
    return true;
}

/* ---- the loop ---- */

static void look_at_everybody(srv_loop *loop)
{
    for (srv_connection *c = loop->all, *next; c; c = next) {
        next = c->next;
        if (!c->gone && !c->posted && !srv_connection_check(c))
            close_connection(c);
    }
    loop->looked = loop->now;
}

static void look_at_done(srv_loop *loop)
{
    srv_connection *c, *next;

    pthread_mutex_lock(&loop->mutex);
    c = loop->done;
    loop->done = NULL;
    loop->woken = false;
    pthread_mutex_unlock(&loop->mutex);
    for (; c; c = next) {
        next = c->next_done;
        c->next_done = NULL;
        c->posted = false;
        if (c->state == SRV_WORKING) {
            loop->handed_over--;
            if (!c->gone)
                srv_connection_worked(c);
            else
                c->state = SRV_READING;
        }
        if (c->gone)
            free_connection(c);
        else
            run_connection(c);
    }
}

static void look_at_waiting(srv_loop *loop)
{
    for (size_t i = 0; i < SRV_WAITS; i++)
        while (loop->waiting[i] && loop->waiting[i]->release <= (int64_t)(srv_clock_micros() / 1000)) {
            srv_connection *c = loop->waiting[i];

            stop_waiting(loop, c);
            c->state = SRV_SENDING;
            c->since = loop->now;
            run_connection(c);
        }
}

/* Milliseconds until something must be looked at. */
static int patience_of(const srv_loop *loop, bool stopping)
{
    int64_t most = stopping ? LOOK_OFTEN : loop->all ? LOOK_EVERY : 1000, now = (int64_t)(srv_clock_micros() / 1000);

    for (size_t i = 0; i < SRV_WAITS; i++)
        if (loop->waiting[i] && loop->waiting[i]->release - now < most)
            most = loop->waiting[i]->release - now;
    if (loop->handed_over > 0 && most > LOOK_DONE)
        most = LOOK_DONE;
    return most < 0 ? 0 : (int)most;
}

static void handle(srv_loop *loop, const struct epoll_event *event)
{
    void *what = event->data.ptr;

    if (what == loop) /* every write is told once, and nothing need be read */
        return;
    for (size_t i = 0; i < SRV_LISTENERS; i++)
        if (what == &loop->http->listeners[i]) {
            if (!loop->shut)
                take_clients(loop, what, ACCEPTS);
            return;
        }
    {
        srv_connection *c = what;

        c->readable = c->readable || (event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR));
        c->writable = c->writable || (event->events & (EPOLLOUT | EPOLLHUP | EPOLLERR));
        if (!c->posted)
            run_connection(c);
    }
}

/* The last ones that have come are let in, and then nobody. */
static void shut_doors(srv_loop *loop)
{
    loop->shut = true;
    for (size_t i = 0; i < SRV_LISTENERS; i++) {
        const srv_listener *l = &loop->http->listeners[i];

        if (l->socket < 0)
            continue;
        while (take_clients(loop, l, ACCEPTS))
            continue;
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, l->socket, NULL);
    }
    atomic_fetch_add(&loop->http->shut, 1);
}

static void *run(void *context)
{
    srv_loop *loop = context;
    struct epoll_event events[EVENTS];

    for (;;) {
        bool stopping = atomic_load(&loop->http->stage) == SRV_STOPPING;
        int n = epoll_wait(loop->epoll, events, EVENTS, patience_of(loop, stopping));

        loop->now = srv_clock();
        for (int i = 0; i < n; i++)
            handle(loop, &events[i]);
        look_at_done(loop);
        look_at_waiting(loop);
        if (stopping && !loop->shut)
            shut_doors(loop);
        if (loop->now - loop->looked >= LOOK_EVERY || stopping)
            look_at_everybody(loop);
        if (stopping && (!loop->all || loop->now >= atomic_load(&loop->http->stop_at)))
            break;
    }
    return NULL;
}

/* ---- starting and stopping ---- */

static bool prepare(srv_loop *loop, srv_http *http)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = loop};

    loop->http = http;
    loop->now = loop->looked = srv_clock();
    randombytes_buf(&loop->numbers_key, sizeof(loop->numbers_key));
    pthread_mutex_init(&loop->mutex, NULL);
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (loop->epoll < 0 || loop->wake < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event))
        return false;
    for (size_t i = 0; i < SRV_LISTENERS; i++) {
        event = (struct epoll_event){.events = EPOLLIN | EPOLLEXCLUSIVE, .data.ptr = &http->listeners[i]};
        if (http->listeners[i].socket >= 0 && epoll_ctl(loop->epoll, EPOLL_CTL_ADD, http->listeners[i].socket, &event))
            return false;
    }
    loop->running = pthread_create(&loop->thread, NULL, run, loop) == 0;
    return loop->running;
}

tacit_status srv_loops_start(srv_http *http, tacit_error *err)
{
    http->loops = tct_calloc(http->n_loops, sizeof(*http->loops));
    if (!http->loops)
        return tct_fail_memory(err);
    for (size_t i = 0; i < http->n_loops; i++)
        http->loops[i].epoll = http->loops[i].wake = -1;
    for (size_t i = 0; i < http->n_loops; i++)
        if (!prepare(&http->loops[i], http)) {
            http->n_loops = i + 1;
            atomic_fetch_add(&http->shut, 1); /* it takes nobody: no use in waiting for that */
            return tct_fail(err, TACIT_E_MEMORY, "cannot start a thread");
        }
    return TACIT_OK;
}

static void close_loop(srv_loop *loop)
{
    while (loop->all) {
        srv_connection *c = loop->all;

        if (c->gone || c->state == SRV_WORKING) { /* the pool has ended before: it is ours again */
            c->state = SRV_READING;
            if (c->gone)
                free_connection(c);
        } else {
            close_connection(c);
        }
    }
    while (loop->n_spare > 0)
        tct_free(loop->spare[--loop->n_spare]);
    pthread_mutex_destroy(&loop->mutex);
    if (loop->epoll >= 0)
        close(loop->epoll);
    if (loop->wake >= 0)
        close(loop->wake);
}

void srv_loops_wake(srv_http *http)
{
    for (size_t i = 0; http->loops && i < http->n_loops; i++)
        if (http->loops[i].running)
            wake(&http->loops[i]);
}

void srv_loops_stop(srv_http *http)
{
    if (!http->loops)
        return;
    srv_loops_wake(http);
    for (size_t i = 0; i < http->n_loops; i++)
        if (http->loops[i].running)
            pthread_join(http->loops[i].thread, NULL);
    srv_pool_free(http->pool);
    http->pool = NULL;
    for (size_t i = 0; i < http->n_loops; i++)
        close_loop(&http->loops[i]);
    tct_free(http->loops);
    http->loops = NULL;
}

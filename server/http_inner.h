/*
 * http_inner.h -- what the http*.c files share: the server, its loops, a connection.
 *
 * Every loop is a thread that serves its own connections and never waits for anybody but the kernel.  A call that takes
 * long is handed to the pool (work.h), and comes back over the loop's list of those that are done.
 */
#ifndef SRV_HTTP_INNER_H
#define SRV_HTTP_INNER_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/uio.h>

#include "call.h"
#include "http.h"
#include "http_body.h"
#include "http_tls.h"
#include "metrics.h"
#include "work.h"

typedef enum srv_stage {
    SRV_SERVING = 0,
    SRV_LEAVING, /* not ready for more; those who are there are served and told to come on another connection */
    SRV_STOPPING /* no new connections */
} srv_stage;

/* A place where clients come. */
typedef struct srv_listener {
    int socket; /* -1: none */
    bool admin; /* for those who look after the server */
    bool local; /* only this machine can reach it */
    char url[160];
} srv_listener;

enum { SRV_PEOPLE = 0, SRV_ADMIN, SRV_LISTENERS };

/* A service, for as long as somebody is served by it. */
typedef struct srv_generation {
    srv_service *service;
    size_t body_limit;   /* bytes */
    atomic_size_t users; /* requests, and the server while it is the present one */
    srv_done *done;      /* NULL: nobody wants to know */
    void *context;
} srv_generation;

typedef struct srv_loop srv_loop;

struct srv_http {
    pthread_mutex_t mutex; /* of the next two */
    srv_generation *present;
    srv_tls *tls; /* NULL: none */
    srv_http_settings settings;
    srv_guard *guard;
    srv_metrics *metrics;
    srv_pool *pool;
    srv_loop *loops;
    size_t n_loops;
    srv_listener listeners[SRV_LISTENERS];
    srv_patience patience;
    char *on_page, *elsewhere; /* headers that all answers have, with the empty line: for pages, for others */
    size_t on_page_size, elsewhere_size;
    atomic_int stage;
    atomic_size_t shut; /* loops that have taken who was waiting, and take nobody any more */
    _Atomic int64_t stop_at;
};

/* ---- a connection ---- */

typedef enum srv_state {
    SRV_SHAKING,  /* hands, for TLS */
    SRV_READING,  /* a request, or waiting for one */
    SRV_WORKING,  /* in the pool */
    SRV_WAITING,  /* until the answer may leave */
    SRV_SENDING,  /* it */
    SRV_LINGERING /* answered and about to be closed, once the client has stopped sending */
} srv_state;

enum { SRV_OUT_ROOM = 1536, SRV_WAITS = 16 };

typedef struct srv_connection srv_connection;
struct srv_connection {
    srv_loop *loop;
    srv_connection *next, *before; /* all of the loop */
    srv_connection *next_done;     /* those to be looked at again */
    srv_connection *next_waiting, *before_waiting;
    int socket;
    srv_tls_session *tls; /* NULL: none */
    const srv_listener *from;
    srv_address peer;
    srv_admission admission;
    srv_state state;
    srv_phase phase;
    int64_t since; /* in this phase; milliseconds */
    bool readable, writable;
    bool posted;    /* the loop will look at it again by itself */
    bool gone;      /* to be freed when the pool gives it back */
    size_t answers; /* given so far */

    /* The request: its bytes, and what is known of them. */
    char *in; /* SRV_CONNECTION_BYTES and SRV_OUT_ROOM behind them; NULL while there is nothing */
    size_t in_size, scanned, head_size;
    bool has_head, in_place;
    uint64_t body_left; /* to come; neither in place nor chunked */
    srv_body body;
    srv_chunks chunks;
    srv_call call;
    srv_generation *generation; /* that answers; NULL: none yet */
    uint64_t id;                /* of the request, for the log and for whoever got the answer */

    /* The answer. */
    bool refused; /* the reply was made from the head */
    bool close;
    bool heavy;
    srv_reply reply;
    struct iovec pieces[3];
    size_t n_pieces, piece;
    uint64_t start, micros; /* when all of the request was there; how long the answer took to make */
    int64_t release;        /* when it may leave; milliseconds */
    unsigned wait;          /* which list it waits on */
    size_t dropped;         /* bytes read while lingering */
};

/* http_dispatch.c: all of the request is there, or all that is needed to refuse it. */
void srv_connection_answer(srv_connection *c);
/* The reply is there. */
void srv_connection_send(srv_connection *c);
/* The pool's part of it. */
void srv_connection_work(void *connection);
/* It came back from there. */
void srv_connection_worked(srv_connection *c);

/* What it is doing from now on. */
void srv_connection_enter(srv_connection *c, srv_phase phase);
/* http_connection.c: go on as far as possible; false: it is over and must be closed. */
bool srv_connection_run(srv_connection *c);
/* What becomes of it now, with nothing having happened; false: close it. */
bool srv_connection_check(srv_connection *c);
/* Wipe and free what the request needed. */
void srv_connection_clear(srv_connection *c);

/* ---- http.c ---- */

srv_generation *srv_generation_take(srv_http *http);
void srv_generation_leave(srv_generation *generation); /* NULL allowed */
/* A session with the present certificate; NULL when memory is short. */
srv_tls_session *srv_http_open_tls(srv_http *http, int socket);

/* ---- http_loop.c ---- */

tacit_status srv_loops_start(srv_http *http, tacit_error *err);
/* Have them look around. */
void srv_loops_wake(srv_http *http);
/* Wait until all have ended. */
void srv_loops_stop(srv_http *http);
int64_t srv_loop_now(const srv_loop *loop);
srv_http *srv_loop_http(const srv_loop *loop);
/* Bytes for a connection's `in`, and back; taken from a few that are kept. */
char *srv_loop_take_buffer(srv_loop *loop);
void srv_loop_give_buffer(srv_loop *loop, char *buffer);
/* Have the loop look at it again. */
void srv_loop_post(srv_loop *loop, srv_connection *c);
/* To the pool; false: memory is short.  And, by a thread of the pool, back. */
bool srv_loop_hand_over(srv_loop *loop, srv_connection *c);
void srv_loop_hand_back(srv_loop *loop, srv_connection *c);
/* A number for a request: no other has it, and it says nothing. */
uint64_t srv_loop_number(srv_loop *loop);
/* Let it wait until c->release. */
void srv_loop_wait(srv_loop *loop, srv_connection *c);

/* ---- http_listen.c ---- */

/* A socket that listens where `place` ("HOST:PORT", "[HOST]:PORT") says. */
tacit_status srv_listen(srv_listener *out, const char *option, const char *place, bool tls, tacit_error *err);
/* Whoever has come is still there, but nobody else gets in. */
void srv_listener_shut(srv_listener *listener);
void srv_listener_close(srv_listener *listener);

/* ---- http_reply.c ---- */

/* Texts made once. */
tacit_status srv_reply_texts(srv_http *http, tacit_error *err);
/* Write the head of the answer and what is to be sent. */
void srv_reply_write(srv_connection *c);

/* ---- clocks ---- */

/* Milliseconds of a clock that does not go back; coarse. */
int64_t srv_clock(void);
/* The same in microseconds; not coarse. */
uint64_t srv_clock_micros(void);

#endif

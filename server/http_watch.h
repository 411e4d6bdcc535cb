/*
 * http_watch.h -- a thread that looks after connections: whoever is too slow is told and closed, whoever is idle for
 * too long is closed, and when the server stops it knows who is still being served.
 *
 * libmicrohttpd only sees silence: a client that sends a byte now and then would be waited for without end, and one
 * that is cut off would not be told.
 */
#ifndef SRV_HTTP_WATCH_H
#define SRV_HTTP_WATCH_H

#include "guard.h"

typedef struct srv_watch srv_watch;
typedef struct srv_slot srv_slot; /* one connection */

typedef struct srv_watch_settings {
    size_t slots; /* connections at a time */
    srv_patience patience;
    const char *slow_reply; /* all of an answer 408, as it goes over the wire; NULL: none is sent (TLS) */
    size_t slow_size;
    /* Somebody was too slow with the head of a request. */
    void (*on_slow_head)(void *context);
    void *context;
} srv_watch_settings;

tacit_status srv_watch_new(srv_watch **out, const srv_watch_settings *settings, tacit_error *err);
/* All slots must have been closed.  NULL allowed. */
void srv_watch_free(srv_watch *watch);

/* Milliseconds of the clock that everything here uses. */
int64_t srv_watch_clock(void);

/* A connection began.  NULL when there is no slot. */
srv_slot *srv_watch_open(srv_watch *watch, int socket, const srv_address *address, srv_admission admission);
/* It ends; to be called before the socket is closed. */
void srv_watch_close(srv_watch *watch, srv_slot *slot);
/* What it is doing from now on; not SRV_PHASE_REPLY, for which there is: */
void srv_slot_enter(srv_slot *slot, srv_phase phase);
/* A request is there, of so many bytes on the wire; 0: that is not known, and the kernel is asked. */
void srv_slot_reply(srv_slot *slot, uint64_t bytes);
/* Was it told that it is too slow? */
bool srv_slot_was_slow(srv_slot *slot);
const srv_address *srv_slot_address(const srv_slot *slot);
srv_admission srv_slot_admission(const srv_slot *slot);

/* Close connections as soon as they are idle, until there is none with a request under way, or for so long. */
void srv_watch_drain(srv_watch *watch, unsigned seconds);

#endif

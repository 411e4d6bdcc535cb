/*
 * guard.h -- who may come in, how many sessions an address may begin, and how long we wait for a slow client.
 *
 * Addresses are kept in a table of fixed size for as long as they have a connection or have begun a session a moment
 * ago.  An IPv6 client counts as its /64, which is what one subscriber gets.  Time is passed in, in milliseconds of any
 * clock that does not go back.
 */
#ifndef SRV_GUARD_H
#define SRV_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "tacit.h"

typedef struct srv_address {
    unsigned char bytes[16]; /* IPv4 as mapped into IPv6 */
} srv_address;

/* Of a peer; all zero for what is not IP. */
srv_address srv_address_of(const struct sockaddr *peer);
/* The last entry of an X-Forwarded-For header, the one our own proxy wrote; false when it is no address. */
bool srv_address_forwarded(srv_address *out, const char *header);

typedef struct srv_guard_settings {
    size_t connections; /* at a time */
    size_t per_address; /* at a time; 0: no limit */
    double rate;        /* sessions begun per second and address; 0: no limit */
    double work;        /* processors that an address may keep busy; 0: no limit */
} srv_guard_settings;

/* What becomes of a connection. */
typedef enum srv_admission {
    SRV_ADMITTED = 0,
    SRV_FULL_ADDRESS, /* let in to be told that its address has too many */
    SRV_FULL,         /* let in to be told that there are too many */
    SRV_SHUT_OUT      /* even those are too many */
} srv_admission;

typedef struct srv_guard srv_guard;

tacit_status srv_guard_new(srv_guard **out, const srv_guard_settings *settings, tacit_error *err);
void srv_guard_free(srv_guard *guard); /* NULL allowed */

/* What would become of a connection from here? */
srv_admission srv_guard_judge(srv_guard *guard, const srv_address *address);
/* A connection came, and is counted whatever the verdict; it must leave. */
srv_admission srv_guard_enter(srv_guard *guard, const srv_address *address);
void srv_guard_leave(srv_guard *guard, const srv_address *address);
size_t srv_guard_connections(srv_guard *guard);
/* May this address begin a session now?  0, or after how many seconds it may try again. */
unsigned srv_guard_session(srv_guard *guard, const srv_address *address, int64_t now);

/* May something that takes long be done for this address now?  0, and then it must be said when it is done; or after how
 * many seconds it may try again. */
unsigned srv_guard_work(srv_guard *guard, const srv_address *address, int64_t now);
/* It is done, and took so many seconds of a processor. */
void srv_guard_worked(srv_guard *guard, const srv_address *address, double seconds, int64_t now);

/* ---- patience ---- */

typedef enum srv_phase {
    SRV_PHASE_IDLE = 0, /* nothing of a request has come */
    SRV_PHASE_HEAD,     /* some of its head has */
    SRV_PHASE_BODY,     /* all of its head has, and some of its body may be missing */
    SRV_PHASE_REPLY     /* all of it has */
} srv_phase;

typedef enum srv_lateness {
    SRV_IN_TIME = 0,
    SRV_END_QUIETLY, /* close */
    SRV_END_SLOW     /* say so and close */
} srv_lateness;

typedef struct srv_patience {
    int64_t idle, request, reply; /* milliseconds; head and body of a request together */
} srv_patience;

srv_lateness srv_patience_judge(const srv_patience *patience, srv_phase phase, int64_t since, int64_t now);

#endif

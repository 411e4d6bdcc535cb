/*
 * http_head.h -- the head of a request: request line and headers, read from bytes; no sockets.
 *
 * Every byte of a head is looked at.  What two readers could understand in two ways is a fault: an ending without CR, a
 * folded line, a name that is empty or holds a blank, two lengths.  The texts point into the bytes that were read, but
 * for the path of "http://host", a "/" of our own.
 */
#ifndef SRV_HTTP_HEAD_H
#define SRV_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "route.h"

typedef struct srv_slice {
    const char *text; /* not terminated; NULL: there is none */
    size_t size;
} srv_slice;

typedef struct srv_head {
    const char *fault; /* what was expected instead; then nothing else counts.  NULL: nothing is wrong */
    srv_method method;
    srv_slice path;         /* as it was sent, without host and query */
    srv_slice host;         /* of the path, where it has one, else of the header */
    srv_slice type, origin; /* Content-Type, Origin */
    srv_slice forwarded;    /* the last X-Forwarded-For: a proxy adds its own behind those that came */
    uint64_t length;        /* of the body, as announced; 0: nothing was */
    bool has_length, chunked;
    bool expects; /* to be told before it sends the body */
    bool last;    /* the connection ends after this request */
    bool old;     /* HTTP/1.0 */
} srv_head;

/* Bytes up to and with the empty line that ends a head; 0: it is not there yet.  *scanned: how far one has looked
 * before, 0 at first. */
size_t srv_head_end(const char *bytes, size_t size, size_t *scanned);
/* Read a whole head. */
void srv_head_read(srv_head *head, const char *bytes, size_t size);

/* Is the body said to be JSON? */
bool srv_head_is_json(const srv_head *head);
/* Is the host an address, "localhost" or a name below it? */
bool srv_head_is_local(const srv_head *head);

#endif

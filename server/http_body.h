/*
 * http_body.h -- the body of a request that does not come in one piece with its head.  What is dropped is wiped.
 */
#ifndef SRV_HTTP_BODY_H
#define SRV_HTTP_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct srv_body {
    char *bytes;
    size_t size, room;
    size_t dropped; /* bytes that came and were not kept */
    bool too_large;
    bool refused; /* keep nothing */
    bool no_memory;
} srv_body;

/* Take bytes out of a buffer, where they are wiped.  false: enough, the connection should be closed. */
bool srv_body_take(srv_body *body, char *bytes, size_t size, size_t limit);
void srv_body_clear(srv_body *body);

/* Where one is in a body that comes in chunks; all zero at first. */
typedef struct srv_chunks {
    enum {
        SRV_CHUNK_SIZE = 0, /* digits of a size */
        SRV_CHUNK_REST,     /* what else stands on its line */
        SRV_CHUNK_FEED,     /* the LF that ends the line */
        SRV_CHUNK_DATA,
        SRV_CHUNK_CR, /* what ends the data */
        SRV_CHUNK_LF,
        SRV_CHUNK_TRAILER,      /* the beginning of a line behind the last chunk */
        SRV_CHUNK_TRAILER_LINE, /* inside of one */
        SRV_CHUNK_TRAILER_FEED, /* the LF that ends it */
        SRV_CHUNK_END,          /* the LF that ends all */
        SRV_CHUNK_DONE,
        SRV_CHUNK_FAULT
    } state;
    uint64_t left;  /* bytes of data to come */
    unsigned count; /* characters of the line, or of all trailers */
} srv_chunks;

/* Take chunks out of a buffer; how many bytes of it were used.  *enough: as srv_body_take, the other way round. */
size_t srv_chunks_take(srv_chunks *chunks, srv_body *body, char *bytes, size_t size, size_t limit, bool *enough);

#endif

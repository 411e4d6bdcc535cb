/*
 * http_body.c -- collecting the body of a request, bounded, and leaving nothing of it behind.
 *
 * A body grows as its bytes arrive, whatever length was announced: a client that promises much and sends little costs
 * little.  Chunks are read as strictly as heads: what others could read in another way is a fault.
 */
#include "http_body.h"

#include <string.h>

#include "base.h"
#include "limits.h"

enum { FIRST_ROOM = 1000 }; /* glibc gives out blocks of up to 1032 bytes with their head from a list of the thread */
enum { CHUNK_DIGITS = 8, CHUNK_LINE = 256 };

/* realloc would leave a copy behind. */
static bool make_room(srv_body *body, size_t needed)
{
    size_t room = body->room ? body->room : FIRST_ROOM;
    char *bytes;

    if (needed <= body->room)
        return true;
    while (room < needed)
        room *= 2;
    bytes = tct_malloc(room, 1);
    if (!bytes)
        return false;
    if (body->size)
        memcpy(bytes, body->bytes, body->size);
    tct_free_wiped(body->bytes, body->room);
    body->bytes = bytes;
    body->room = room;
    return true;
}

bool srv_body_take(srv_body *body, char *bytes, size_t size, size_t limit)
{
    if (!body->refused && size > limit - body->size) {
        body->too_large = true;
        body->refused = true;
        srv_body_clear(body);
    }
    if (!body->refused && !make_room(body, body->size + size)) {
        body->no_memory = true;
        body->refused = true;
        srv_body_clear(body);
    }
    if (!body->refused) {
        memcpy(body->bytes + body->size, bytes, size);
        body->size += size;
    } else {
        body->dropped += size;
    }
    tct_wipe(bytes, size);
    return body->dropped <= SRV_DRAIN_BYTES;
}

void srv_body_clear(srv_body *body)
{
    tct_free_wiped(body->bytes, body->room);
    body->bytes = NULL;
    body->size = body->room = 0;
}

/* ---- chunks ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Where a character of a line of a size leads. */
static void read_size(srv_chunks *c, char byte)
{
    int digit = digit_of(byte);

    if (digit >= 0 && c->count < CHUNK_DIGITS) {
        c->left = 16 * c->left + (uint64_t)digit;
        c->count++;
    } else if (c->count == 0 || digit >= 0) {
        c->state = SRV_CHUNK_FAULT;
    } else {
        c->state = byte == '\r' ? SRV_CHUNK_FEED : byte == ';' ? SRV_CHUNK_REST : SRV_CHUNK_FAULT;
    }
}

/* The same inside of text that nobody needs. */
static void skip_text(srv_chunks *c, char byte, unsigned most)
{
    if (byte == '\r')
        c->state = c->state == SRV_CHUNK_REST ? SRV_CHUNK_FEED : SRV_CHUNK_TRAILER_FEED;
    else if (((unsigned char)byte < 0x20 && byte != '\t') || ++c->count > most)
        c->state = SRV_CHUNK_FAULT;
}

static void read_byte(srv_chunks *c, char byte)
{
    switch (c->state) {
    case SRV_CHUNK_SIZE:
        read_size(c, byte);
        break;
    case SRV_CHUNK_REST:
        skip_text(c, byte, CHUNK_LINE);
        break;
    case SRV_CHUNK_FEED:
        c->count = 0;
        c->state = byte != '\n' ? SRV_CHUNK_FAULT : c->left > 0 ? SRV_CHUNK_DATA : SRV_CHUNK_TRAILER;
        break;
    case SRV_CHUNK_CR:
        c->state = byte == '\r' ? SRV_CHUNK_LF : SRV_CHUNK_FAULT;
        break;
    case SRV_CHUNK_LF:
        c->state = byte == '\n' ? SRV_CHUNK_SIZE : SRV_CHUNK_FAULT;
        break;
    case SRV_CHUNK_TRAILER:
        c->state = byte == '\r' ? SRV_CHUNK_END : SRV_CHUNK_TRAILER_LINE;
        if (byte != '\r')
            skip_text(c, byte, SRV_HEADER_BYTES);
        break;
    case SRV_CHUNK_TRAILER_LINE:
        skip_text(c, byte, SRV_HEADER_BYTES);
        break;
    case SRV_CHUNK_TRAILER_FEED:
        c->state = byte == '\n' ? SRV_CHUNK_TRAILER : SRV_CHUNK_FAULT;
        break;
    case SRV_CHUNK_END:
        c->state = byte == '\n' ? SRV_CHUNK_DONE : SRV_CHUNK_FAULT;
        break;
    case SRV_CHUNK_DATA:
    case SRV_CHUNK_DONE:
    case SRV_CHUNK_FAULT:
        break;
    }
}

size_t srv_chunks_take(srv_chunks *chunks, srv_body *body, char *bytes, size_t size, size_t limit, bool *enough)
{
    size_t at = 0;

    *enough = false;
    while (at < size && chunks->state != SRV_CHUNK_DONE && chunks->state != SRV_CHUNK_FAULT && !*enough) {
        if (chunks->state == SRV_CHUNK_DATA) {
            size_t piece = size - at < chunks->left ? size - at : (size_t)chunks->left;

            *enough = !srv_body_take(body, bytes + at, piece, limit);
            at += piece;
            chunks->left -= piece;
            if (chunks->left == 0)
                chunks->state = SRV_CHUNK_CR;
        } else {
            read_byte(chunks, bytes[at++]);
        }
    }
    return at;
}

/*
 * http_body.c -- collecting the body of a request, bounded, and leaving nothing of it behind.
 *
 * A body grows as its bytes arrive, whatever length was announced: a client that promises much and sends little costs
 * little.
 */
#include <string.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"

enum { FIRST_ROOM = 1000 }; /* glibc gives out blocks of up to 1032 bytes with their head from a list of the thread */

/* The library hands out its buffer as const, but what it holds is ours to take, and nobody else would wipe it. */
static void wipe_given(const char *bytes, size_t size)
{
    tct_wipe((char *)(uintptr_t)bytes, size);
}

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

bool srv_body_take(srv_body *body, const char *bytes, size_t size, size_t limit)
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
    wipe_given(bytes, size);
    return body->dropped <= SRV_DRAIN_BYTES;
}

void srv_body_clear(srv_body *body)
{
    tct_free_wiped(body->bytes, body->room);
    body->bytes = NULL;
    body->size = body->room = 0;
}

/*
 * arena.c -- a list of pieces, each behind its size and the place of the one before.
 */
#include "arena.h"

#include <stdalign.h>

struct tct_piece {
    struct tct_piece *before;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void *tct_take(tct_arena *arena, size_t count, size_t size)
{
    struct tct_piece *piece = NULL;
    size_t total;

    if (!__builtin_mul_overflow(count, size, &total) && !__builtin_add_overflow(total, sizeof *piece, &total))
        piece = tct_calloc(total, 1);
    if (!piece) {
        arena->failed = true;
        return NULL;
    }
    piece->before = arena->pieces;
    piece->size = total;
    arena->pieces = piece;
    return piece->bytes;
}

tacit_status tct_arena_check(const tct_arena *arena, tacit_error *err)
{
    return arena->failed ? tct_fail_memory(err) : TACIT_OK;
}

void tct_arena_clear(tct_arena *arena)
{
    while (arena->pieces) {
        struct tct_piece *piece = arena->pieces;

        arena->pieces = piece->before;
        tct_free_wiped(piece, piece->size);
    }
    arena->failed = false;
}

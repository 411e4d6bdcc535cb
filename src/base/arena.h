/*
 * arena.h -- pieces of memory that live and die together.
 *
 * An object with many arrays takes them all from one arena: it asks once whether any was refused, and frees and wipes them
 * in one go, so that no list of them has to be kept in step with another.
 */
#ifndef TCT_ARENA_H
#define TCT_ARENA_H

#include "base.h"

typedef struct tct_arena {
    struct tct_piece *pieces; /* the last one first */
    bool failed;              /* memory ran out */
} tct_arena;                  /* zero-initialise */

/* A piece, zeroed; NULL when memory is short, which is remembered. */
void *tct_take(tct_arena *arena, size_t count, size_t size);
tacit_status tct_arena_check(const tct_arena *arena, tacit_error *err);
void tct_arena_clear(tct_arena *arena); /* wipes; empty after that */

#endif

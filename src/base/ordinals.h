/*
 * ordinals.h -- byte strings numbered 0, 1, 2, ... in the order in which they first come.
 *
 * Names of groups are personal enough: freeing wipes.
 */
#ifndef TCT_ORDINALS_H
#define TCT_ORDINALS_H

#include "base.h"

typedef struct tct_ordinals {
    char *bytes; /* keys one after the other, each with a terminator */
    size_t used, room;
    struct tct_ordinal {
        size_t start, size;
    } * keys; /* n */
    size_t n, keys_room;
    uint32_t *slots; /* hash table of numbers + 1, 0: free */
    size_t n_slots;  /* a power of two, more than 2 n */
} tct_ordinals;      /* zero-initialise */

/* The number of a key, TACIT_NONE when it is not there. */
size_t tct_ordinals_find(const tct_ordinals *list, const void *key, size_t size);
/* The same, made when new. */
tacit_status tct_ordinals_add(tct_ordinals *list, const void *key, size_t size, size_t *number, tacit_error *err);
/* Terminated; valid until the next key is added. */
static inline const char *tct_ordinals_key(const tct_ordinals *list, size_t number)
{
    return list->bytes + list->keys[number].start;
}
void tct_ordinals_clear(tct_ordinals *list); /* wipes; empty after that */

#endif

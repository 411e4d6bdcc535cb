/*
 * ordinals.c -- byte strings numbered as they come: open addressing, linear probing, FNV-1a.
 *
 * Keys lie in one buffer, each at a multiple of eight, so that one made of numbers may be read as such.
 */
#include "ordinals.h"

#include <string.h>

enum { FIRST_SLOTS = 64, ALIGNMENT = 8 };

/* Bytes a key takes, its terminator included. */
static size_t padded(size_t size)
{
    return (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

static uint64_t hash_key(const unsigned char *key, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ key[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

/* Where the key is, or the free slot where it would be. */
static size_t find_slot(const tct_ordinals *list, const void *key, size_t size)
{
    size_t slot = hash_key(key, size) & (list->n_slots - 1);

    for (; list->slots[slot]; slot = (slot + 1) & (list->n_slots - 1)) {
        const struct tct_ordinal *there = &list->keys[list->slots[slot] - 1];

        if (there->size == size && memcmp(list->bytes + there->start, key, size) == 0)
            break;
    }
    return slot;
}

size_t tct_ordinals_find(const tct_ordinals *list, const void *key, size_t size)
{
    size_t slot;

    if (list->n_slots == 0)
        return TACIT_NONE;
    slot = find_slot(list, key, size);
    return list->slots[slot] ? list->slots[slot] - 1 : TACIT_NONE;
}

/* A larger table of the same numbers. */
static tacit_status grow_slots(tct_ordinals *list, tacit_error *err)
{
    tct_ordinals larger = *list;

    if (2 * (list->n + 1) < list->n_slots)
        return TACIT_OK;
    larger.n_slots = list->n_slots ? 2 * list->n_slots : FIRST_SLOTS;
    larger.slots = tct_calloc(larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return tct_fail_memory(err);
    for (size_t i = 0; i < list->n_slots; i++)
        if (list->slots[i]) {
            const struct tct_ordinal *key = &list->keys[list->slots[i] - 1];

            larger.slots[find_slot(&larger, list->bytes + key->start, key->size)] = list->slots[i];
        }
    tct_free(list->slots);
    *list = larger;
    return TACIT_OK;
}

/* Room for one more key. */
static tacit_status grow_keys(tct_ordinals *list, size_t size, tacit_error *err)
{
    char *bytes = tct_grow(list->bytes, &list->room, list->used + padded(size), 1);
    struct tct_ordinal *keys = tct_grow(list->keys, &list->keys_room, list->n + 1, sizeof *keys);

    list->bytes = bytes ? bytes : list->bytes;
    list->keys = keys ? keys : list->keys;
    return bytes && keys ? grow_slots(list, err) : tct_fail_memory(err);
}

tacit_status tct_ordinals_add(tct_ordinals *list, const void *key, size_t size, size_t *number, tacit_error *err)
{
    tacit_status st;

    *number = tct_ordinals_find(list, key, size);
    if (*number != TACIT_NONE)
        return TACIT_OK;
    st = grow_keys(list, size, err);
    if (st)
        return st;
    *number = list->n;
    list->slots[find_slot(list, key, size)] = (uint32_t)list->n + 1;
    memcpy(list->bytes + list->used, key, size);
    memset(list->bytes + list->used + size, 0, padded(size) - size);
    list->keys[list->n++] = (struct tct_ordinal){list->used, size};
    list->used += padded(size);
    return TACIT_OK;
}

void tct_ordinals_clear(tct_ordinals *list)
{
    tct_free_wiped(list->bytes, list->used);
    tct_free(list->keys);
    tct_free(list->slots);
    memset(list, 0, sizeof *list);
}

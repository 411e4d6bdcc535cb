/*
 * lookup.h -- from spellings to numbers: a small hash table for levels and classes.
 *
 * A spelling is packed into its size and two words that hold all of it up to 16 bytes (its first and last 8), so the
 * usual comparison is three integer compares and touches no other memory.
 */
#ifndef TCT_LOOKUP_H
#define TCT_LOOKUP_H

#include <string.h>

#include "base.h"

#define TCT_LOOKUP_NONE UINT32_MAX

typedef struct tct_spelling {
    const char *bytes; /* borrowed; NULL: an empty slot */
    uint64_t first, last;
    uint32_t size;
    uint32_t index;
} tct_spelling;

/* Zero-initialised is empty. */
typedef struct tct_lookup {
    tct_spelling *slots;
    size_t n_slots; /* a power of two, at least twice `count` */
    uint32_t count;
} tct_lookup;

void tct_lookup_clear(tct_lookup *lookup);
/* The index of a spelling; a new one gets the next index: 0, 1, 2, ...  The bytes must stay. */
tacit_status tct_lookup_add(tct_lookup *lookup, const char *bytes, size_t size, uint32_t *index, tacit_error *err);

static inline void tct_spelling_pack(tct_spelling *out, const char *bytes, size_t size)
{
    out->bytes = bytes;
    out->size = (uint32_t)size;
    if (size >= 8) {
        memcpy(&out->first, bytes, 8);
        memcpy(&out->last, bytes + size - 8, 8);
    } else if (size >= 4) {
        uint32_t head, tail;

        memcpy(&head, bytes, 4);
        memcpy(&tail, bytes + size - 4, 4);
        out->first = head | (uint64_t)tail << 32;
        out->last = 0;
    } else {
        const unsigned char *c = (const unsigned char *)bytes;

        out->first = size == 0 ? 0 : (uint64_t)c[0] | (uint64_t)c[size / 2] << 8 | (uint64_t)c[size - 1] << 16;
        out->last = 0;
    }
}

static inline size_t tct_spelling_slot(const tct_spelling *spelling, size_t n_slots)
{
    uint64_t mixed = (spelling->first ^ spelling->size) * 0x9E3779B97F4A7C15u + spelling->last * 0xC2B2AE3D27D4EB4Fu;

    return (size_t)((mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u >> 32) & (n_slots - 1);
}

static inline bool tct_spelling_equal(const tct_spelling *a, const tct_spelling *b)
{
    return a->first == b->first && a->last == b->last && a->size == b->size &&
           (a->size <= 16 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static inline uint32_t tct_lookup_find(const tct_lookup *lookup, const char *bytes, size_t size)
{
    tct_spelling wanted;

    if (lookup->n_slots == 0)
        return TCT_LOOKUP_NONE;
    tct_spelling_pack(&wanted, bytes, size);
    for (size_t slot = tct_spelling_slot(&wanted, lookup->n_slots);; slot = (slot + 1) & (lookup->n_slots - 1)) {
        const tct_spelling *here = &lookup->slots[slot];

        if (!here->bytes)
            return TCT_LOOKUP_NONE;
        if (tct_spelling_equal(here, &wanted))
            return here->index;
    }
}

#endif

/*
 * lookup.c -- building the hash table of lookup.h: open addressing, doubled when half full.
 */
#include "lookup.h"

static void place_spelling(tct_spelling *slots, size_t n_slots, const tct_spelling *spelling)
{
    size_t slot = tct_spelling_slot(spelling, n_slots);

    while (slots[slot].bytes)
        slot = (slot + 1) & (n_slots - 1);
    slots[slot] = *spelling;
}

static tacit_status grow_lookup(tct_lookup *lookup, tacit_error *err)
{
    size_t n_slots = lookup->n_slots ? 2 * lookup->n_slots : 16;
    tct_spelling *slots = tct_calloc(n_slots, sizeof(*slots));

    if (!slots)
        return tct_fail_memory(err);
    for (size_t i = 0; i < lookup->n_slots; i++)
        if (lookup->slots[i].bytes)
            place_spelling(slots, n_slots, &lookup->slots[i]);
    tct_lookup_clear(&(tct_lookup){.slots = lookup->slots, .n_slots = lookup->n_slots});
    lookup->slots = slots;
    lookup->n_slots = n_slots;
    return TACIT_OK;
}

void tct_lookup_clear(tct_lookup *lookup)
{
    tct_free_wiped(lookup->slots, lookup->n_slots * sizeof(*lookup->slots)); /* spellings may be answers */
    memset(lookup, 0, sizeof(*lookup));
}

tacit_status tct_lookup_add(tct_lookup *lookup, const char *bytes, size_t size, uint32_t *index, tacit_error *err)
{
    tct_spelling spelling;
    tacit_status st;

    *index = tct_lookup_find(lookup, bytes, size);
    if (*index != TCT_LOOKUP_NONE)
        return TACIT_OK;
    if (2 * ((size_t)lookup->count + 1) > lookup->n_slots) {
        st = grow_lookup(lookup, err);
        if (st)
            return st;
    }
    tct_spelling_pack(&spelling, bytes, size);
    spelling.index = *index = lookup->count++;
    place_spelling(lookup->slots, lookup->n_slots, &spelling);
    return TACIT_OK;
}

/*
 * recall.c -- a few places per hash: of these a newcomer takes a free one, or one after the other.
 *
 * A key is which attributes are known, bit by bit, and a word for each: the bits of a number, or a level.
 */
#include "recall.h"

#include <string.h>

enum { PLACES = 4 }; /* per hash */

struct tct_recall {
    const tct_codec *codec;
    size_t n_bits;           /* words of a key for which attributes are known */
    size_t n_words, n_slots; /* n_slots: a power of two */
    size_t size;
    uint64_t *keys;       /* n_slots + 1 of n_words each: of those seen, then of the one that was looked for */
    unsigned char *found; /* n_slots of `size` each */
    unsigned char *taken; /* n_slots */
    size_t at;            /* where the one that was looked for belongs */
    size_t turn;          /* of the places of a hash, the one that is taken next if none is free */
};

tacit_status tct_recall_new(tct_recall **out, const tct_codec *codec, size_t size, size_t room, tacit_error *err)
{
    tct_recall *r = tct_calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return tct_fail_memory(err);
    r->codec = codec;
    r->size = size;
    r->n_bits = (codec->schema->n_attributes + 63) / 64;
    r->n_words = r->n_bits + codec->schema->n_attributes;
    for (r->n_slots = PLACES; 2 * r->n_slots * (r->n_words * sizeof *r->keys + size + 1) <= room;)
        r->n_slots *= 2;
    r->keys = tct_calloc((r->n_slots + 1) * r->n_words, sizeof *r->keys);
    r->found = tct_calloc(r->n_slots, size);
    r->taken = tct_calloc(r->n_slots, 1);
    if (!r->keys || !r->found || !r->taken) {
        r->n_slots = 0; /* nothing to wipe yet */
        tct_recall_free(r);
        return tct_fail_memory(err);
    }
    *out = r;
    return TACIT_OK;
}

void tct_recall_forget(tct_recall *r)
{
    for (size_t i = 0; i < r->n_slots; i++)
        if (r->taken[i]) { /* what nobody touched takes no memory, and should not by being wiped */
            tct_wipe(r->keys + i * r->n_words, r->n_words * sizeof *r->keys);
            tct_wipe(r->found + i * r->size, r->size);
            r->taken[i] = 0;
        }
    if (r->n_slots > 0)
        tct_wipe(r->keys + r->n_slots * r->n_words, r->n_words * sizeof *r->keys);
}

void tct_recall_free(tct_recall *r)
{
    if (!r)
        return;
    tct_recall_forget(r);
    tct_free(r->keys);
    tct_free(r->found);
    tct_free(r->taken);
    tct_free(r);
}

/* A word for the value of an attribute. */
static uint64_t word_of(const tct_domain *domain, const double *x)
{
    uint64_t word = 0;

    if (domain->kind == TCT_ONEHOT)
        while (word < domain->width && x[domain->first + word] != 1)
            word++;
    else
        memcpy(&word, x + domain->first, sizeof word);
    return word;
}

/* The key of a person, and the first of its places. */
static size_t find_places(const tct_recall *r, const unsigned char *known, const double *x)
{
    uint64_t *key = r->keys + r->n_slots * r->n_words, hash = 0;

    memset(key, 0, r->n_words * sizeof *key);
    for (size_t a = 0; a < r->codec->schema->n_attributes; a++)
        if (known[a]) {
            key[a / 64] |= (uint64_t)1 << a % 64;
            key[r->n_bits + a] = word_of(&r->codec->domains[a], x);
        }
    for (size_t i = 0; i < r->n_words; i++) {
        hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return hash % (r->n_slots / PLACES) * PLACES;
}

void *tct_recall_find(tct_recall *r, const unsigned char *known, const double *x)
{
    const uint64_t *key = r->keys + r->n_slots * r->n_words;
    size_t first = find_places(r, known, x);

    r->turn = (r->turn + 1) % PLACES;
    r->at = first + r->turn;
    for (size_t i = first; i < first + PLACES; i++) {
        if (!r->taken[i])
            r->at = i;
        else if (memcmp(r->keys + i * r->n_words, key, r->n_words * sizeof *key) == 0)
            return r->found + i * r->size;
    }
    return NULL;
}

void *tct_recall_place(tct_recall *r)
{
    memcpy(r->keys + r->at * r->n_words, r->keys + r->n_slots * r->n_words, r->n_words * sizeof *r->keys);
    r->taken[r->at] = 1;
    return r->found + r->at * r->size;
}

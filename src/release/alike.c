/*
 * alike.c -- a table of what was found, a few places per hash: of these a newcomer takes a free one, or one after the other.
 *
 * A key is everything that what was found depends on: which attributes are known, and their inputs, bit by bit.  The
 * order in which they became known follows from them, since all walks of a table go by one rule from one start.
 */
#include "alike.h"

#include <string.h>

enum { ROOM = 1 << 22, PLACES = 4 }; /* bytes, about; per hash */

struct tct_alike {
    const tacit_model *model;
    size_t n_words, n_slots; /* n_slots: a power of two */
    uint64_t *keys;          /* n_slots + 1 of n_words each: of those seen, then of the one that was looked for */
    tct_found *found;        /* n_slots; label == TACIT_NONE: nobody */
    double deltas[TCT_ALIKE_PROMISES];
    size_t n_deltas; /* of the promises that what was found is about */
    size_t at;       /* where the one that was looked for belongs */
    size_t turn;     /* of the places of a hash, the one that is taken next if none is free */
    bool used;       /* since everything was forgotten: sessions look for nobody, and have nothing to wipe */
};

static const tct_found NOBODY = {.label = TACIT_NONE, .next = TACIT_NONE};

/* Words of a key for which attributes are known; inputs follow. */
static size_t bit_words(const tacit_model *model)
{
    return (model->schema->n_attributes + 63) / 64;
}

tacit_status tct_alike_new(tct_alike **out, const tacit_model *model, tacit_error *err)
{
    tct_alike *s = tct_calloc(1, sizeof *s);

    *out = NULL;
    if (!s)
        return tct_fail_memory(err);
    s->model = model;
    s->n_words = bit_words(model) + model->codec->n_inputs;
    for (s->n_slots = PLACES; 2 * s->n_slots * (s->n_words * sizeof *s->keys + sizeof *s->found) <= ROOM;)
        s->n_slots *= 2;
    s->keys = tct_calloc((s->n_slots + 1) * s->n_words, sizeof *s->keys);
    s->found = tct_calloc(s->n_slots, sizeof *s->found);
    if (!s->keys || !s->found) {
        tct_alike_free(s);
        return tct_fail_memory(err);
    }
    s->used = true;
    tct_alike_forget(s);
    *out = s;
    return TACIT_OK;
}

void tct_alike_forget(tct_alike *s)
{
    if (!s->used)
        return;
    s->used = false;
    tct_wipe(s->keys, (s->n_slots + 1) * s->n_words * sizeof *s->keys);
    for (size_t i = 0; i < s->n_slots; i++)
        s->found[i] = NOBODY;
}

void tct_alike_about(tct_alike *s, const tct_promise *promises, size_t n)
{
    bool same = n == s->n_deltas;

    for (size_t i = 0; i < n && same; i++)
        same = promises[i].delta == s->deltas[i];
    if (same)
        return;
    tct_alike_forget(s);
    s->n_deltas = n;
    for (size_t i = 0; i < n; i++)
        s->deltas[i] = promises[i].delta;
}

void tct_alike_free(tct_alike *s)
{
    if (!s)
        return;
    tct_free_wiped(s->keys, (s->n_slots + 1) * s->n_words * sizeof *s->keys);
    tct_free_wiped(s->found, s->n_slots * sizeof *s->found);
    tct_free(s);
}

/* The key of a person, and the first of its places. */
static size_t find_places(const tct_alike *s, const tct_stage *stage, const double *x)
{
    uint64_t *key = s->keys + s->n_slots * s->n_words, *inputs = key + bit_words(s->model), hash = 0;

    memset(key, 0, s->n_words * sizeof *key);
    for (size_t a = 0; a < s->model->schema->n_attributes; a++)
        if (stage->known[a]) {
            const tct_domain *domain = &s->model->codec->domains[a];

            key[a / 64] |= (uint64_t)1 << a % 64;
            memcpy(inputs + domain->first, x + domain->first, domain->width * sizeof *x);
        }
    for (size_t i = 0; i < s->n_words; i++) {
        hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return hash % (s->n_slots / PLACES) * PLACES;
}

const tct_found *tct_alike_find(tct_alike *s, const tct_stage *stage, const double *x)
{
    const uint64_t *key = s->keys + s->n_slots * s->n_words;
    size_t first = find_places(s, stage, x);

    s->used = true;
    s->turn = (s->turn + 1) % PLACES;
    s->at = first + s->turn;
    for (size_t i = first; i < first + PLACES; i++) {
        if (s->found[i].label == TACIT_NONE)
            s->at = i;
        else if (memcmp(s->keys + i * s->n_words, key, s->n_words * sizeof *key) == 0)
            return &s->found[i];
    }
    return NULL;
}

void tct_alike_keep(tct_alike *s, tct_found found)
{
    memcpy(s->keys + s->at * s->n_words, s->keys + s->n_slots * s->n_words, s->n_words * sizeof *s->keys);
    s->found[s->at] = found;
}

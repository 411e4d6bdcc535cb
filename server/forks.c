/*
 * forks.c -- counting decisions.
 *
 * An array of small sets; whoever it is can only be in the set that the hash says.  When a set is full the one whose
 * count began longest ago is forgotten: to bring that about takes as many decisions of other sessions.
 */
#include "forks.h"

#include <pthread.h>
#include <sodium.h>

#include "base.h"

enum { WAYS = 8, SETS = 8192 };

typedef struct entry {
    uint64_t hash;
    int64_t since;  /* unix seconds; when the count began */
    uint32_t count; /* 0: nobody */
} entry;

struct srv_forks {
    pthread_mutex_t mutex;
    unsigned char key[crypto_shorthash_KEYBYTES];
    int64_t window;
    entry entries[SETS][WAYS];
};

tacit_status srv_forks_new(srv_forks **out, int64_t window, tacit_error *err)
{
    srv_forks *forks = tct_calloc(1, sizeof(*forks));

    *out = forks;
    if (!forks)
        return tct_fail_memory(err);
    forks->window = window;
    randombytes_buf(forks->key, sizeof(forks->key));
    pthread_mutex_init(&forks->mutex, NULL);
    return TACIT_OK;
}

void srv_forks_free(srv_forks *forks)
{
    if (!forks)
        return;
    pthread_mutex_destroy(&forks->mutex);
    tct_free_wiped(forks, sizeof(*forks));
}

/* The entry of this hash, or one that may be taken for it. */
static entry *find(srv_forks *forks, uint64_t hash, int64_t now)
{
    entry *set = forks->entries[hash % SETS], *oldest = set;

    for (size_t i = 0; i < WAYS; i++)
        if (set[i].count > 0 && set[i].hash == hash && now - set[i].since < forks->window)
            return &set[i];
    for (size_t i = 0; i < WAYS && oldest->count > 0; i++)
        if (set[i].count == 0 || set[i].since < oldest->since)
            oldest = &set[i];
    *oldest = (entry){.hash = hash, .since = now};
    return oldest;
}

bool srv_forks_count(srv_forks *forks, const void *who, size_t size, uint32_t most, int64_t now)
{
    uint64_t hash = 0;
    bool counts;
    entry *e;

    crypto_shorthash((unsigned char *)&hash, who, size, forks->key);
    pthread_mutex_lock(&forks->mutex);
    e = find(forks, hash, now);
    counts = e->count < most;
    e->count += counts;
    pthread_mutex_unlock(&forks->mutex);
    return counts;
}

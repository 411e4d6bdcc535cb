/*
 * guard.c -- who may come in.
 *
 * The table is an array of small sets; an address can only be in the set that a keyed hash gives it, so that nobody
 * can choose addresses that get into each other's way.  When a set is full the address that was heard of longest ago
 * and has no connection is forgotten, and with it how many sessions it began: whoever commands enough addresses to
 * bring that about is not held by a limit per address anyway.
 */
#include "guard.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>

#include "base.h"
#include "limits.h"

enum {
    WAYS = 8,                /* addresses in a set */
    FEWEST_SETS = 512,       /* of which there are at least so many */
    ROOM_PER_CONNECTION = 4, /* addresses that are remembered for each connection there may be */
    LONGEST_RETRY = 60       /* seconds */
};

typedef struct entry {
    srv_address address;
    bool used;
    uint32_t connections;
    double allowance; /* sessions that may begin at once */
    int64_t seen;     /* when the allowance was brought up to date */
    double debt;      /* seconds of a processor that were used and not yet waited for */
    int64_t worked;   /* when that was brought up to date */
    uint32_t busy;    /* what takes long and is under way */
} entry;

struct srv_guard {
    pthread_mutex_t mutex;
    srv_guard_settings settings;
    unsigned char key[crypto_shorthash_KEYBYTES];
    size_t connections;
    size_t n_sets; /* a power of two */
    entry *entries;
};

static srv_address from_ipv4(const struct in_addr *ip)
{
    srv_address address = {.bytes = {[10] = 0xff, [11] = 0xff}};

    memcpy(address.bytes + 12, ip, 4);
    return address;
}

static srv_address from_ipv6(const struct in6_addr *ip)
{
    srv_address address = {0};

    if (IN6_IS_ADDR_V4MAPPED(ip))
        memcpy(address.bytes, ip, 16);
    else
        memcpy(address.bytes, ip, 8);
    return address;
}

srv_address srv_address_of(const struct sockaddr *peer)
{
    srv_address none = {0};

    if (peer && peer->sa_family == AF_INET) {
        struct sockaddr_in in;

        memcpy(&in, peer, sizeof(in));
        return from_ipv4(&in.sin_addr);
    }
    if (peer && peer->sa_family == AF_INET6) {
        struct sockaddr_in6 in;

        memcpy(&in, peer, sizeof(in));
        return from_ipv6(&in.sin6_addr);
    }
    return none;
}

/* "1.2.3.4", "1.2.3.4:80", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80" */
static bool parse_address(srv_address *out, char *text)
{
    struct in6_addr six;
    struct in_addr four;

    if (*text == '[') {
        char *end = strchr(++text, ']');

        if (!end || (end[1] && end[1] != ':'))
            return false;
        *end = '\0';
    } else if (strchr(text, ':') == strrchr(text, ':')) {
        text[strcspn(text, ":")] = '\0'; /* one colon at most: a port */
    }
    if (inet_pton(AF_INET, text, &four) == 1) {
        *out = from_ipv4(&four);
        return true;
    }
    if (inet_pton(AF_INET6, text, &six) != 1)
        return false;
    *out = from_ipv6(&six);
    return true;
}

bool srv_address_forwarded(srv_address *out, const char *header)
{
    const char *comma = strrchr(header, ',');
    const char *last = comma ? comma + 1 : header;
    char text[INET6_ADDRSTRLEN + 16];
    size_t size;

    last += strspn(last, " \t");
    size = strcspn(last, " \t");
    if (size >= sizeof(text))
        return false;
    memcpy(text, last, size);
    text[size] = '\0';
    return parse_address(out, text);
}

tacit_status srv_guard_new(srv_guard **out, const srv_guard_settings *settings, tacit_error *err)
{
    srv_guard *guard = tct_calloc(1, sizeof(*guard));

    *out = NULL;
    if (!guard)
        return tct_fail_memory(err);
    guard->settings = *settings;
    guard->n_sets = FEWEST_SETS;
    while (guard->n_sets * WAYS < settings->connections * ROOM_PER_CONNECTION)
        guard->n_sets *= 2;
    guard->entries = tct_calloc(guard->n_sets * WAYS, sizeof(*guard->entries));
    if (!guard->entries) {
        tct_free(guard);
        return tct_fail_memory(err);
    }
    randombytes_buf(guard->key, sizeof(guard->key));
    pthread_mutex_init(&guard->mutex, NULL);
    *out = guard;
    return TACIT_OK;
}

void srv_guard_free(srv_guard *guard)
{
    if (!guard)
        return;
    pthread_mutex_destroy(&guard->mutex);
    tct_free_wiped(guard->entries, guard->n_sets * WAYS * sizeof(*guard->entries));
    tct_free(guard);
}

static entry *set_of(srv_guard *guard, const srv_address *address)
{
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t number = 0;

    crypto_shorthash(hash, address->bytes, sizeof(address->bytes), guard->key);
    memcpy(&number, hash, sizeof(number));
    return guard->entries + (number & (guard->n_sets - 1)) * WAYS;
}

static entry *find(srv_guard *guard, const srv_address *address)
{
    entry *set = set_of(guard, address);

    for (size_t i = 0; i < WAYS; i++)
        if (set[i].used && memcmp(&set[i].address, address, sizeof(*address)) == 0)
            return &set[i];
    return NULL;
}

static double most_at_once(const srv_guard *guard)
{
    return fmax(1, guard->settings.rate);
}

/* The entry of an address, made when there is none; NULL when everybody in its set has a connection. */
static entry *find_or_make(srv_guard *guard, const srv_address *address)
{
    entry *found = find(guard, address), *set = set_of(guard, address);

    if (found)
        return found;
    for (size_t i = 0; i < WAYS; i++) {
        if (!set[i].used) {
            found = &set[i];
            break;
        }
        if (set[i].connections == 0 && set[i].busy == 0 && (!found || set[i].seen < found->seen))
            found = &set[i];
    }
    if (found)
        *found = (entry){.address = *address, .used = true, .allowance = most_at_once(guard), .seen = INT64_MIN};
    return found;
}

/* With so many of this address and so many in all already there. */
static srv_admission judge(const srv_guard *guard, size_t here, size_t all)
{
    const srv_guard_settings *s = &guard->settings;

    if (all >= s->connections + SRV_TURNED_AWAY || (s->per_address && here >= s->per_address + SRV_TURNED_AWAY))
        return SRV_SHUT_OUT;
    if (s->per_address && here >= s->per_address)
        return SRV_FULL_ADDRESS;
    return all >= s->connections ? SRV_FULL : SRV_ADMITTED;
}

srv_admission srv_guard_judge(srv_guard *guard, const srv_address *address)
{
    srv_admission verdict;
    const entry *e;

    pthread_mutex_lock(&guard->mutex);
    e = find(guard, address);
    verdict = judge(guard, e ? e->connections : 0, guard->connections);
    pthread_mutex_unlock(&guard->mutex);
    return verdict;
}

srv_admission srv_guard_enter(srv_guard *guard, const srv_address *address)
{
    srv_admission verdict;
    entry *e;

    pthread_mutex_lock(&guard->mutex);
    e = find_or_make(guard, address);
    verdict = judge(guard, e ? e->connections : 0, guard->connections);
    guard->connections++;
    if (e)
        e->connections++;
    pthread_mutex_unlock(&guard->mutex);
    return verdict;
}

void srv_guard_leave(srv_guard *guard, const srv_address *address)
{
    entry *e;

    pthread_mutex_lock(&guard->mutex);
    e = find(guard, address);
    if (e && e->connections > 0)
        e->connections--;
    guard->connections--;
    pthread_mutex_unlock(&guard->mutex);
}

size_t srv_guard_connections(srv_guard *guard)
{
    size_t count;

    pthread_mutex_lock(&guard->mutex);
    count = guard->connections;
    pthread_mutex_unlock(&guard->mutex);
    return count;
}

unsigned srv_guard_session(srv_guard *guard, const srv_address *address, int64_t now)
{
    double rate = guard->settings.rate;
    unsigned wait = 0;
    entry *e;

    if (rate <= 0)
        return 0;
    pthread_mutex_lock(&guard->mutex);
    e = find_or_make(guard, address);
    if (e) {
        if (e->seen != INT64_MIN)
            e->allowance = fmin(most_at_once(guard), e->allowance + rate * (double)(now - e->seen) / 1000);
        e->seen = now;
        if (e->allowance >= 1)
            e->allowance -= 1;
        else
            wait = (unsigned)fmin(LONGEST_RETRY, fmax(1, ceil((1 - e->allowance) / rate)));
    } else {
        wait = 1;
    }
    pthread_mutex_unlock(&guard->mutex);
    return wait;
}

/* What has been waited for is forgiven. */
static void forgive(const srv_guard *guard, entry *e, int64_t now)
{
    if (now > e->worked)
        e->debt = fmax(0, e->debt - guard->settings.work * (double)(now - e->worked) / 1000);
    e->worked = now;
}

unsigned srv_guard_work(srv_guard *guard, const srv_address *address, int64_t now)
{
    double share = guard->settings.work, most = share * SRV_WORK_SECONDS, debt;
    unsigned wait = 1;
    entry *e;

    if (share <= 0)
        return 0;
    pthread_mutex_lock(&guard->mutex);
    e = find_or_make(guard, address);
    if (e) {
        forgive(guard, e, now);
        e->seen = e->seen == INT64_MIN ? now : e->seen;     /* or it would be the first to be forgotten */
        debt = e->debt + e->busy * most / SRV_WORK_AT_ONCE; /* what is under way may come to that */
        wait = debt < most ? 0 : (unsigned)fmin(LONGEST_RETRY, fmax(1, ceil((e->debt - most) / share)));
        e->busy += wait == 0;
    }
    pthread_mutex_unlock(&guard->mutex);
    return wait;
}

void srv_guard_worked(srv_guard *guard, const srv_address *address, double seconds, int64_t now)
{
    entry *e;

    if (guard->settings.work <= 0)
        return;
    pthread_mutex_lock(&guard->mutex);
    e = find(guard, address);
    if (e) {
        forgive(guard, e, now);
        e->debt += seconds;
        e->busy -= e->busy > 0;
    }
    pthread_mutex_unlock(&guard->mutex);
}

srv_lateness srv_patience_judge(const srv_patience *patience, srv_phase phase, int64_t since, int64_t now)
{
    switch (phase) {
    case SRV_PHASE_IDLE:
        return now - since >= patience->idle ? SRV_END_QUIETLY : SRV_IN_TIME;
    case SRV_PHASE_HEAD:
    case SRV_PHASE_BODY:
        return now - since >= patience->request ? SRV_END_SLOW : SRV_IN_TIME;
    case SRV_PHASE_REPLY:
        return now - since >= patience->reply ? SRV_END_QUIETLY : SRV_IN_TIME;
    }
    return SRV_IN_TIME;
}

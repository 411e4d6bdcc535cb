/*
 * http_watch.c -- looking after connections.
 *
 * Each connection has a slot; the threads that serve only ever touch their own, and the watching thread goes through all
 * of them a few times a second.  What a connection is doing, and since when, is one word, so that to say so, which
 * happens several times in a request, takes no lock.  A socket is only used here under its slot's lock, and a slot is
 * closed, under the same lock, before its socket is: so no socket that was given to somebody else in the meantime can
 * be hit.
 *
 * Whether an idle client has begun to speak is asked from the kernel, which counts the bytes that have arrived: the
 * library tells us of a request only when its head is complete.
 */
#include "http_watch.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base.h"

/* Milliseconds between two looks; while draining. */
enum { LOOK_EVERY = 200, LOOK_OFTEN = 20 };
enum { PHASES = SRV_PHASE_REPLY + 1, NUMBERS = 1 << 14 };

struct srv_slot {
    pthread_mutex_t mutex;
    bool used;
    bool ended; /* shut down from here: nothing more to do */
    bool slow;
    int socket;
    _Atomic int64_t doing;  /* see pack() */
    _Atomic uint64_t heard; /* bytes that had come with the last request */
    srv_address address;
    srv_admission admission;
    srv_slot *next; /* free slots */
};

struct srv_watch {
    srv_watch_settings settings;
    pthread_mutex_t mutex; /* of the list of free slots */
    srv_slot *slots, *free_slots;
    pthread_t thread;
    bool running;
    atomic_bool draining, drained, over;
};

static void rest(int milliseconds)
{
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};

    nanosleep(&time, NULL);
}

/* Bytes that have come over a connection so far; 0 when nobody knows. */
static uint64_t bytes_heard(int socket)
{
    struct tcp_info info;
    socklen_t size = sizeof(info);

    memset(&info, 0, sizeof(info));
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size))
        return 0;
    return info.tcpi_bytes_received;
}

/* A phase, the milliseconds of its beginning, and a number that is another one in the next phase, in one word. */
static int64_t pack(srv_phase phase, int64_t since, int64_t number)
{
    return (since * NUMBERS + number % NUMBERS) * PHASES + (int64_t)phase;
}

static srv_phase phase_of(int64_t doing)
{
    return (srv_phase)(doing % PHASES);
}

static int64_t since_of(int64_t doing)
{
    return doing / PHASES / NUMBERS;
}

static int64_t number_of(int64_t doing)
{
    return doing / PHASES % NUMBERS;
}

/* What a connection is doing.  An idle client may have begun to speak; unless its thread was quicker to notice. */
static int64_t find_out(srv_slot *slot, int64_t now)
{
    int64_t doing = atomic_load(&slot->doing), speaking = pack(SRV_PHASE_HEAD, now, number_of(doing) + 1);

    if (phase_of(doing) != SRV_PHASE_IDLE || bytes_heard(slot->socket) <= atomic_load(&slot->heard))
        return doing;
    return atomic_compare_exchange_strong(&slot->doing, &doing, speaking) ? speaking : doing;
}

static void end(srv_slot *slot)
{
    shutdown(slot->socket, SHUT_RDWR);
    slot->ended = true;
}

/* The answer is short and goes into the socket's buffer, or the client has not read earlier ones and is just closed. */
static void end_slow(const srv_watch *watch, srv_slot *slot)
{
    const srv_watch_settings *s = &watch->settings;

    slot->slow = true;
    if (s->slow_reply && send(slot->socket, s->slow_reply, s->slow_size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        slot->slow = false;
    end(slot);
}

typedef struct glance {
    bool busy;      /* a request is under way */
    bool slow_head; /* it was, and took too long */
} glance;

static glance look(const srv_watch *watch, srv_slot *slot, int64_t now, bool draining)
{
    glance seen = {false, false};

    pthread_mutex_lock(&slot->mutex);
    if (slot->used && !slot->ended) {
        int64_t doing = find_out(slot, now);

        switch (srv_patience_judge(&watch->settings.patience, phase_of(doing), since_of(doing), now)) {
        case SRV_IN_TIME:
            seen.busy = phase_of(doing) != SRV_PHASE_IDLE;
            if (!seen.busy && draining)
                end(slot);
            break;
        case SRV_END_QUIETLY:
            end(slot);
            break;
        case SRV_END_SLOW:
            seen.slow_head = phase_of(doing) == SRV_PHASE_HEAD;
            end_slow(watch, slot);
            break;
        }
    }
    pthread_mutex_unlock(&slot->mutex);
    return seen;
}

static void *run(void *context)
{
    srv_watch *watch = context;

    while (!atomic_load(&watch->over)) {
        bool draining = atomic_load(&watch->draining);
        int64_t now = srv_watch_clock();
        size_t busy = 0;

        for (size_t i = 0; i < watch->settings.slots; i++) {
            glance seen = look(watch, &watch->slots[i], now, draining);

            busy += seen.busy;
            if (seen.slow_head)
                watch->settings.on_slow_head(watch->settings.context);
        }
        if (draining && busy == 0)
            atomic_store(&watch->drained, true);
        rest(draining ? LOOK_OFTEN : LOOK_EVERY);
    }
    return NULL;
}

tacit_status srv_watch_new(srv_watch **out, const srv_watch_settings *settings, tacit_error *err)
{
    srv_watch *watch = tct_calloc(1, sizeof(*watch));

    *out = NULL;
    if (!watch)
        return tct_fail_memory(err);
    watch->settings = *settings;
    watch->slots = tct_calloc(settings->slots, sizeof(*watch->slots));
    if (!watch->slots) {
        tct_free(watch);
        return tct_fail_memory(err);
    }
    pthread_mutex_init(&watch->mutex, NULL);
    for (size_t i = settings->slots; i-- > 0;) {
        pthread_mutex_init(&watch->slots[i].mutex, NULL);
        watch->slots[i].next = watch->free_slots;
        watch->free_slots = &watch->slots[i];
    }
    watch->running = pthread_create(&watch->thread, NULL, run, watch) == 0;
    if (!watch->running) {
        srv_watch_free(watch);
        return tct_fail(err, TACIT_E_MEMORY, "cannot start a thread");
    }
    *out = watch;
    return TACIT_OK;
}

void srv_watch_free(srv_watch *watch)
{
    if (!watch)
        return;
    atomic_store(&watch->over, true);
    if (watch->running)
        pthread_join(watch->thread, NULL);
    for (size_t i = 0; i < watch->settings.slots; i++)
        pthread_mutex_destroy(&watch->slots[i].mutex);
    pthread_mutex_destroy(&watch->mutex);
    tct_free_wiped(watch->slots, watch->settings.slots * sizeof(*watch->slots));
    tct_free(watch);
}

int64_t srv_watch_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &time); /* patience is counted in seconds */
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

srv_slot *srv_watch_open(srv_watch *watch, int socket, const srv_address *address, srv_admission admission)
{
    srv_slot *slot;

    pthread_mutex_lock(&watch->mutex);
    slot = watch->free_slots;
    if (slot)
        watch->free_slots = slot->next;
    pthread_mutex_unlock(&watch->mutex);
    if (!slot)
        return NULL;
    pthread_mutex_lock(&slot->mutex);
    slot->used = true;
    slot->ended = slot->slow = false;
    atomic_store(&slot->heard, 0);
    atomic_store(&slot->doing, pack(SRV_PHASE_IDLE, srv_watch_clock(), 0));
    slot->socket = socket;
    slot->address = *address;
    slot->admission = admission;
    pthread_mutex_unlock(&slot->mutex);
    return slot;
}

void srv_watch_close(srv_watch *watch, srv_slot *slot)
{
    pthread_mutex_lock(&slot->mutex);
    slot->used = false;
    slot->socket = -1;
    pthread_mutex_unlock(&slot->mutex);
    pthread_mutex_lock(&watch->mutex);
    slot->next = watch->free_slots;
    watch->free_slots = slot;
    pthread_mutex_unlock(&watch->mutex);
}

/* Only the watching thread looks at what others say of their slots: it may be late, but must not hear of things in
 * another order. */
void srv_slot_enter(srv_slot *slot, srv_phase phase)
{
    int64_t doing = atomic_load_explicit(&slot->doing, memory_order_relaxed);
    bool goes_on = phase_of(doing) == SRV_PHASE_HEAD && phase == SRV_PHASE_BODY; /* they share one deadline */
    int64_t since = goes_on ? since_of(doing) : srv_watch_clock();

    atomic_store_explicit(&slot->doing, pack(phase, since, number_of(doing) + 1), memory_order_release);
}

void srv_slot_reply(srv_slot *slot, uint64_t bytes)
{
    uint64_t heard = atomic_load_explicit(&slot->heard, memory_order_relaxed);

    heard = bytes > 0 ? heard + bytes : bytes_heard(slot->socket); /* what comes later is the next request */
    atomic_store_explicit(&slot->heard, heard, memory_order_relaxed);
    srv_slot_enter(slot, SRV_PHASE_REPLY);
}

bool srv_slot_was_slow(srv_slot *slot)
{
    bool slow;

    pthread_mutex_lock(&slot->mutex);
    slow = slot->slow;
    pthread_mutex_unlock(&slot->mutex);
    return slow;
}

const srv_address *srv_slot_address(const srv_slot *slot)
{
    return &slot->address;
}

srv_admission srv_slot_admission(const srv_slot *slot)
{
    return slot->admission;
}

void srv_watch_drain(srv_watch *watch, unsigned seconds)
{
    int64_t last = srv_watch_clock() + (int64_t)seconds * 1000;

    atomic_store(&watch->draining, true);
    while (!atomic_load(&watch->drained) && srv_watch_clock() < last)
        rest(LOOK_OFTEN);
}

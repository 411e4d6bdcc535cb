/*
 * make_team.h -- a tacit_team whose members are threads of this process.
 *
 *   run_team(3, member, context);    calls member(team, context) in three threads and waits for them
 */
#ifndef TEST_MAKE_TEAM_H
#define TEST_MAKE_TEAM_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tacit.h"

enum { TEAM_MOST = 16, TEAM_BYTES = 1 << 17 };

/* What all members share. */
typedef struct team_room {
    pthread_barrier_t barrier;
    char *shared; /* size x TEAM_BYTES */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct {
        const void *bytes; /* NULL: nothing on its way */
        size_t size;
    } letters[TEAM_MOST];
    void (*member)(const tacit_team *team, void *context);
    void *context;
} team_room;

typedef struct team_member {
    team_room *room;
    tacit_team team;
} team_member;

static inline tacit_status team_share(void *context, const void *mine, size_t size, void *all, tacit_error *err)
{
    team_member *m = context;

    (void)err;
    if (size > TEAM_BYTES)
        abort();
    memcpy(m->room->shared + m->team.rank * TEAM_BYTES, mine, size);
    pthread_barrier_wait(&m->room->barrier);
    for (size_t r = 0; r < m->team.size; r++)
        memcpy((char *)all + r * size, m->room->shared + r * TEAM_BYTES, size);
    pthread_barrier_wait(&m->room->barrier);
    return TACIT_OK;
}

static inline tacit_status team_send(void *context, const void *bytes, size_t size, tacit_error *err)
{
    team_member *m = context;
    team_room *room = m->room;

    (void)err;
    pthread_mutex_lock(&room->lock);
    room->letters[m->team.rank].bytes = bytes;
    room->letters[m->team.rank].size = size;
    pthread_cond_broadcast(&room->changed);
    while (room->letters[m->team.rank].bytes)
        pthread_cond_wait(&room->changed, &room->lock);
    pthread_mutex_unlock(&room->lock);
    return TACIT_OK;
}

static inline tacit_status team_receive(void *context, size_t from, void *bytes, size_t size, tacit_error *err)
{
    team_member *m = context;
    team_room *room = m->room;

    (void)err;
    pthread_mutex_lock(&room->lock);
    while (!room->letters[from].bytes)
        pthread_cond_wait(&room->changed, &room->lock);
    if (room->letters[from].size != size)
        abort();
    memcpy(bytes, room->letters[from].bytes, size);
    room->letters[from].bytes = NULL;
    pthread_cond_broadcast(&room->changed);
    pthread_mutex_unlock(&room->lock);
    return TACIT_OK;
}

static inline void *team_thread(void *argument)
{
    team_member *m = argument;

    m->room->member(&m->team, m->room->context);
    return NULL;
}

static inline void run_team(size_t size, void (*member)(const tacit_team *team, void *context), void *context)
{
    team_room room = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .member = member, .context = context};
    team_member members[TEAM_MOST];
    pthread_t threads[TEAM_MOST];

    room.shared = calloc(size, TEAM_BYTES);
    if (size > TEAM_MOST || !room.shared || pthread_barrier_init(&room.barrier, NULL, (unsigned)size))
        abort();
    for (size_t r = 0; r < size; r++) {
        members[r] = (team_member){.room = &room,
                                   .team = {.rank = r,
                                            .size = size,
                                            .share = team_share,
                                            .send = team_send,
                                            .receive = team_receive,
                                            .context = &members[r]}};
        if (pthread_create(&threads[r], NULL, team_thread, &members[r]))
            abort();
    }
    for (size_t r = 0; r < size; r++)
        pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&room.barrier);
    free(room.shared);
}

#endif

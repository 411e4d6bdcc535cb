/*
 * work.c -- a queue and the threads that empty it.
 *
 * The threads are nice: where processors are short, those who serve connections come first.
 */
#include "work.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base.h"

enum { FIRST_ROOM = 64, NICENESS = 5 };

struct srv_pool {
    pthread_mutex_t mutex;
    pthread_cond_t more;
    srv_job *job;
    void **queue; /* a ring */
    size_t room, first, count;
    bool over;
    pthread_t *threads;
    size_t n_threads;
};

static void *run(void *context)
{
    srv_pool *pool = context;

    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        void *next;

        while (pool->count == 0 && !pool->over)
            pthread_cond_wait(&pool->more, &pool->mutex);
        if (pool->count == 0)
            break;
        next = pool->queue[pool->first];
        pool->first = (pool->first + 1) % pool->room;
        pool->count--;
        pthread_mutex_unlock(&pool->mutex);
        pool->job(next);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

tacit_status srv_pool_new(srv_pool **out, size_t threads, srv_job *job, tacit_error *err)
{
    srv_pool *pool = tct_calloc(1, sizeof(*pool));

    *out = NULL;
    if (!pool)
        return tct_fail_memory(err);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->more, NULL);
    pool->job = job;
    pool->room = FIRST_ROOM;
    pool->queue = tct_calloc(pool->room, sizeof(*pool->queue));
    pool->threads = tct_calloc(threads, sizeof(*pool->threads));
    while (pool->queue && pool->threads && pool->n_threads < threads &&
           pthread_create(&pool->threads[pool->n_threads], NULL, run, pool) == 0)
        pool->n_threads++;
    if (pool->n_threads < threads) {
        srv_pool_free(pool);
        return tct_fail(err, TACIT_E_MEMORY, "cannot start a thread");
    }
    *out = pool;
    return TACIT_OK;
}

void srv_pool_free(srv_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->over = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < pool->n_threads; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->mutex);
    tct_free(pool->threads);
    tct_free(pool->queue);
    tct_free(pool);
}

/* Twice the room, from the first on. */
static bool grow(srv_pool *pool)
{
    size_t room = 2 * pool->room + 16;
    void **queue = tct_malloc(room, sizeof(*queue));

    if (!queue)
        return false;
    for (size_t i = 0; i < pool->count; i++)
        queue[i] = pool->queue[(pool->first + i) % pool->room];
    tct_free(pool->queue);
    pool->queue = queue;
    pool->room = room;
    pool->first = 0;
    return true;
}

bool srv_pool_add(srv_pool *pool, void *context)
{
    bool fits;

    pthread_mutex_lock(&pool->mutex);
    fits = pool->count < pool->room || grow(pool);
    if (fits) {
        pool->queue[(pool->first + pool->count++) % pool->room] = context;
        pthread_cond_signal(&pool->more);
    }
    pthread_mutex_unlock(&pool->mutex);
    return fits;
}

bool srv_pool_is_empty(srv_pool *pool)
{
    bool empty;

    pthread_mutex_lock(&pool->mutex);
    empty = pool->count == 0;
    pthread_mutex_unlock(&pool->mutex);
    return empty;
}

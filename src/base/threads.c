/*
 * threads.c -- how many threads may be had, and jobs for them.
 *
 * The OpenMP runtime ends the process when the system gives it fewer threads than were asked for (a limit on processes,
 * or no room for their stacks).  So whoever opens a parallel region asks here first: that many threads are started, which
 * wait for each other, and are ended again.  Where one cannot be had, the work is done by the thread that is there: results
 * are the same on any number, and at a limit nobody knows how much room the runtime, its stacks and the work itself need.
 */
#include <omp.h>
#include <pthread.h>

#include "base.h"

enum { MOST = 1024 };

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
} gate;

/* A thread that is there until the gate opens. */
static void *wait_at(void *context)
{
    gate *g = context;

    pthread_mutex_lock(&g->lock);
    while (!g->open)
        pthread_cond_wait(&g->opened, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* Of `n` threads beside this one, how many can be there at a time? */
static size_t try_threads(size_t n)
{
    gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};
    pthread_t threads[MOST];
    size_t started = 0;

    while (started < n && pthread_create(&threads[started], NULL, wait_at, &g) == 0)
        started++;
    pthread_mutex_lock(&g.lock);
    g.open = true;
    pthread_cond_broadcast(&g.opened);
    pthread_mutex_unlock(&g.lock);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started;
}

size_t tacit_threads(size_t wanted)
{
    size_t n = wanted ? wanted : (size_t)omp_get_max_threads();

    if (n <= 1 || omp_in_parallel())
        return 1;
    n = n < MOST ? n : MOST;
    return try_threads(n - 1) == n - 1 ? n : 1;
}

tacit_status tct_in_parallel(size_t n, size_t threads,
                             tacit_status (*run)(void *context, size_t index, tacit_error *err), void *context,
                             tacit_error *err)
{
    int n_threads = (int)tacit_threads(threads);
    size_t bad = n; /* first that failed */
    tacit_status st = TACIT_OK;

#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < n; i++) {
        tacit_error error = {0};
        tacit_status result;
        size_t stop;

#pragma omp atomic read
        stop = bad;
        if (i > stop)
            continue;
        result = run(context, i, &error);
#pragma omp critical(tct_in_parallel)
        if (result && i < bad) {
#pragma omp atomic write
            bad = i;
            st = result;
            if (err)
                *err = error;
        }
    }
    return st;
}

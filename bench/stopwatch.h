/*
 * stopwatch.h -- time for benchmarks, and what to do when something they need fails.
 */
#ifndef STOPWATCH_H
#define STOPWATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tacit.h"

static inline double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* That this program has computed, on all its threads together. */
static inline double processor_now(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* Of the processor where one thread works, else of the clock. */
static inline double work_now(size_t threads)
{
    return threads == 1 ? processor_now() : clock_now();
}

static inline void stop_on(tacit_status st, const tacit_error *err)
{
    if (!st)
        return;
    fprintf(stderr, "error: %s\n", err->message);
    exit(1);
}

#endif

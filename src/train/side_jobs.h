/*
 * side_jobs.h -- numbered jobs side by side: progress, an end when somebody wants one, and one error.
 *
 * What comes before a job that failed goes on, and the error of the first job that has one is kept: which error is told
 * does not depend on who was faster.
 */
#ifndef TCT_SIDE_JOBS_H
#define TCT_SIDE_JOBS_H

#include <pthread.h>

#include "base.h"

typedef struct tct_side_jobs {
    pthread_mutex_t lock; /* also for what jobs share beside this */
    tacit_progress progress;
    void *progress_context;
    uint64_t done, total; /* steps */
    bool stop;            /* somebody asked for it */
    size_t bad;           /* job of the error kept */
    tacit_status status;
    tacit_error error;
} tct_side_jobs;

/* Jobs 0 ... n - 1 on so many threads (0: all processors), in this order as far as threads are free. */
void tct_side_jobs_run(size_t n, size_t threads, void (*run)(void *context, size_t index), void *context);

/* Is a job not needed (any more)? */
bool tct_side_job_pointless(tct_side_jobs *jobs, size_t index);
/* So many more steps are done.  TACIT_E_STOPPED: the job is to end. */
tacit_status tct_side_job_tick(tct_side_jobs *jobs, size_t index, uint64_t steps, tacit_error *err);
/* With the lock held: keep this error, unless one of a job before it is kept.  A request to stop only if there is no
 * other. */
void tct_side_job_failed(tct_side_jobs *jobs, size_t index, tacit_status status, const tacit_error *error);

#endif

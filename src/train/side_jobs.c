/*
 * side_jobs.c -- see side_jobs.h.
 */
#include "side_jobs.h"

void tct_side_jobs_run(size_t n, size_t threads, void (*run)(void *context, size_t index), void *context)
{
    int n_threads = (int)tacit_threads(threads == 0 || threads < n ? threads : n);

#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++)
        run(context, i);
}

static bool is_pointless(const tct_side_jobs *jobs, size_t index)
{
    return jobs->stop || (jobs->status && index > jobs->bad);
}

bool tct_side_job_pointless(tct_side_jobs *jobs, size_t index)
{
    bool pointless;

    pthread_mutex_lock(&jobs->lock);
    pointless = is_pointless(jobs, index);
    pthread_mutex_unlock(&jobs->lock);
    return pointless;
}

tacit_status tct_side_job_tick(tct_side_jobs *jobs, size_t index, uint64_t steps, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    pthread_mutex_lock(&jobs->lock);
    jobs->done += steps;
    if (jobs->progress && !jobs->progress(jobs->progress_context, jobs->done, jobs->total))
        jobs->stop = true;
    if (is_pointless(jobs, index))
        st = tct_fail(err, TACIT_E_STOPPED, "stopped");
    pthread_mutex_unlock(&jobs->lock);
    return st;
}

void tct_side_job_failed(tct_side_jobs *jobs, size_t index, tacit_status status, const tacit_error *error)
{
    if (!jobs->status || (status != TACIT_E_STOPPED && (jobs->status == TACIT_E_STOPPED || index < jobs->bad))) {
        jobs->status = status;
        jobs->error = *error;
        jobs->bad = index;
    }
}

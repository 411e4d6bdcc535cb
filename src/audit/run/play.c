/*
 * play.c -- see play.h.
 */
#include "play.h"

#include "auditor.h"

tacit_status tct_people_take(tct_encoded_rows *out, const tct_encoded_rows *part, const size_t *columns, size_t d,
                             const size_t *rows, size_t n, tacit_error *err)
{
    *out = (tct_encoded_rows){.n = n};
    out->x = tct_malloc(n * d + 1, sizeof *out->x);
    out->labels = tct_malloc(n + 1, sizeof *out->labels);
    if (!out->x || !out->labels) {
        tct_people_clear(out, d);
        return tct_fail_memory(err);
    }
    for (size_t r = 0; r < n; r++)
        out->labels[r] = part->labels[rows ? rows[r] : r];
    for (size_t i = 0; i < d; i++) {
        const double *from = part->x + (columns ? columns[i] : i) * part->n;
        for (size_t r = 0; r < n; r++)
            out->x[i * n + r] = from[rows ? rows[r] : r];
    }
    return TACIT_OK;
}

tacit_status tct_people_sample(tct_encoded_rows *out, const tct_encoded_rows *part, const size_t *columns, size_t d,
                               size_t wanted, tacit_error *err)
{
    size_t n = wanted == 0 || wanted > part->n ? part->n : wanted;
    size_t *rows = tct_malloc(n + 1, sizeof *rows);
    tacit_status st;

    *out = (tct_encoded_rows){0};
    if (!rows)
        return tct_fail_memory(err);
    for (size_t r = 0; r < n; r++)
        rows[r] = (size_t)((double)r * (double)part->n / (double)n);
    st = tct_people_take(out, part, columns, d, rows, n, err);
    tct_free(rows);
    return st;
}

void tct_people_clear(tct_encoded_rows *part, size_t d)
{
    tct_free_wiped(part->x, part->n * d * sizeof *part->x);
    tct_free_wiped(part->labels, part->n * sizeof *part->labels);
    *part = (tct_encoded_rows){0};
}

tacit_status tct_play(const tacit_model *model, const tct_encoded_rows *people, tacit_rule rule, const double *deltas,
                      size_t n, tct_tally *const *tallies, tacit_status (*tick)(void *context, tacit_error *err),
                      void *context, tacit_error *err)
{
    tacit_audit_options options = {.deltas = deltas, .n_deltas = n, .rule = rule, .no_opt = true, .no_needs = true};
    tct_worker *worker = NULL;
    tct_job *job = NULL;
    tacit_status st = tct_job_new(&job, model, &options, err);

    if (!st) {
        job->tick = tick;
        job->tick_context = context;
        st = tct_worker_new(&worker, job, err);
    }
    if (!st)
        st = tct_worker_count(worker, people->x, people->n, people->labels, NULL, NULL, NULL, err);
    for (size_t i = 0; i < n && !st; i++)
        tct_tally_merge(tallies[i], tct_worker_tally(worker, i));
    tct_worker_free(worker);
    tct_job_free(job);
    return st;
}

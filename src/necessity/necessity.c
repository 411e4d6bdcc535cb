/*
 * necessity.c -- the splits, side by side, and the order that all rows would choose.
 *
 * A split is a function of its number alone, so it does not matter which thread runs it.  The sets that are named in the
 * end are chosen from all rows; what is said about their accuracy comes from the splits, whose own choices never saw
 * the rows that they are measured on.
 */
#include "necessity.h"

#include <math.h>
#include <string.h>

#include "side_jobs.h"
#include "train.h"

static const double USUAL_TEST_SHARE = 0.3;
enum { USUAL_SPLITS = 10, USUAL_PEOPLE = 1000, USUAL_PEOPLE_OTHERWISE = 100 };

/* What the threads share. */
typedef struct run {
    tacit_necessity *necessity;
    const tacit_table *table;
    const tacit_necessity_options *options;
    tct_side_jobs jobs;
} run;

/* One job of them. */
typedef struct job {
    run *run;
    size_t index;
} job;

/* ---------------------------------------------------------------- settings */

static tacit_status check_options(const tacit_necessity_options *options, const tacit_schema *schema, tacit_error *err)
{
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes: nothing to learn from");
    if (!(options->test_share >= 0 && options->test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "the share held out must be above 0 and below 1");
    if (!(options->tolerance >= 0 && options->tolerance < 1))
        return tct_fail(err, TACIT_E_USAGE, "the tolerance must be at least 0 and below 1");
    if (!(options->fit.l2 >= 0 && isfinite(options->fit.l2)))
        return tct_fail(err, TACIT_E_USAGE, "l2 must be a number, 0 or more");
    return TACIT_OK;
}

static tacit_status copy_fit(tacit_necessity *e, const tacit_fit_options *fit, tacit_error *err)
{
    tacit_status st = tct_trainer_find(&e->trainer, fit->kind, err);

    if (st)
        return st;
    if (fit->hidden && strlen(fit->hidden) >= sizeof e->hidden)
        return tct_fail(err, TACIT_E_USAGE, "too many hidden layers");
    e->fit = *fit;
    e->fit.kind = e->trainer->kind->kind;
    if (fit->hidden) {
        memcpy(e->hidden, fit->hidden, strlen(fit->hidden) + 1);
        e->fit.hidden = e->hidden;
    }
    if (fit->l2 == 0 && !e->trainer->layers)
        e->fit.l2 = 1; /* many trainings, one penalty: on the weights as they are, so that one can start from another */
    e->fit.progress = NULL;
    e->fit.threads = 1;
    return TACIT_OK;
}

/* Rows that some split holds out. */
static size_t count_seen(const tacit_necessity *e)
{
    size_t seen = 0;

    for (size_t r = 1; r <= e->n_rows; r++) {
        bool held = false;

        for (size_t s = 0; s < e->n_splits && !held; s++)
            held = tct_held_out(e->seed + s, e->test_share, r);
        seen += held;
    }
    return seen > 0 ? seen : 1;
}

static tacit_status copy_settings(tacit_necessity *e, const tacit_table *table, const tacit_necessity_options *options,
                                  tacit_error *err)
{
    size_t n = e->schema->n_attributes;
    tacit_status st = copy_fit(e, &options->fit, err);

    if (st)
        return st;
    e->n_rows = table->n_rows;
    memcpy(e->data_hash, table->hash, sizeof e->data_hash);
    e->data_name = tct_strdup(tct_file_name(tct_csv_path(table->csv)));
    e->n_splits = options->splits ? options->splits : USUAL_SPLITS;
    e->test_share = options->test_share > 0 ? options->test_share : USUAL_TEST_SHARE;
    e->tolerance = options->tolerance;
    e->seed = options->seed;
    e->people = options->people ? options->people : e->trainer->logit ? USUAL_PEOPLE : USUAL_PEOPLE_OTHERWISE;
    e->splits = tct_calloc(e->n_splits, sizeof *e->splits);
    e->order = tct_calloc(n, sizeof *e->order);
    if (!e->data_name || !e->splits || !e->order)
        return tct_fail_memory(err);
    for (size_t s = 0; s < e->n_splits && !st; s++)
        st = tct_split_init(&e->splits[s], n, err);
    e->seen = count_seen(e);
    return st;
}

static tacit_status make(tacit_necessity **out, const tacit_table *table, const tacit_schema *schema,
                         const tacit_necessity_options *options, tacit_error *err)
{
    tacit_status st = check_options(options, schema, err);
    tacit_necessity *e;

    *out = NULL;
    if (st)
        return st;
    e = tct_calloc(1, sizeof *e);
    if (!e)
        return tct_fail_memory(err);
    st = tct_schema_copy(&e->schema, schema, err);
    if (!st)
        st = copy_settings(e, table, options, err);
    if (st)
        tacit_necessity_free(e);
    else
        *out = e;
    return st;
}

void tacit_necessity_free(tacit_necessity *e)
{
    if (!e)
        return;
    for (size_t s = 0; e->splits && s < e->n_splits; s++)
        tct_split_clear(&e->splits[s]);
    tct_free(e->splits);
    tct_free(e->order);
    tct_free(e->data_name);
    tacit_schema_free(e->schema);
    tct_free(e);
}

/* ---------------------------------------------------------------- running */

static tacit_status tick(void *context, uint64_t steps, tacit_error *err)
{
    const job *j = context;

    return tct_side_job_tick(&j->run->jobs, j->index, steps, err);
}

/* The order that all rows choose. */
static tacit_status choose_from_all(run *r, const tct_watch *watch, tacit_error *err)
{
    tacit_necessity *e = r->necessity;
    tacit_fit_options fit = e->fit;
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_status st;

    fit.seed = e->seed;
    fit.test_share = 0;
    st = tct_fit_codec(&codec, e->schema, r->table, &fit, err);
    if (!st)
        st = tct_encoded_new(&people, r->table, codec, 0, e->seed, 1, err);
    if (!st)
        st = tct_choose_order(e->order, &people->train, codec, &fit, watch, err);
    tct_encoded_free(people);
    tct_codec_free(codec);
    return st;
}

/* Job 0 is the order from all rows, the longest choice; the others are the splits. */
static void run_job(void *context, size_t index)
{
    run *r = context;
    job this = {r, index};
    const tct_watch watch = {tick, &this};
    tacit_error error = {0};
    tacit_status st;

    if (tct_side_job_pointless(&r->jobs, index))
        return;
    st = index == 0
             ? choose_from_all(r, &watch, &error)
             : tct_split_run(&r->necessity->splits[index - 1], r->necessity, index - 1, r->table, &watch, &error);
    if (st) {
        pthread_mutex_lock(&r->jobs.lock);
        tct_side_job_failed(&r->jobs, index, st, &error);
        pthread_mutex_unlock(&r->jobs.lock);
    }
}

static tacit_status run_necessity(tacit_necessity **out, const tacit_table *table, const tacit_schema *schema,
                                  const tacit_necessity_options *options, tacit_error *err)
{
    run r = {.table = table,
             .options = options,
             .jobs = {.lock = PTHREAD_MUTEX_INITIALIZER,
                      .progress = options->progress,
                      .progress_context = options->progress_context}};
    tacit_status st = make(&r.necessity, table, schema, options, err);

    *out = NULL;
    if (st)
        return st;
    r.jobs.total = schema->n_attributes * (1 + 3 * (uint64_t)r.necessity->n_splits);
    tct_side_jobs_run(r.necessity->n_splits + 1, options->threads, run_job, &r);
    if (r.jobs.status) {
        if (err)
            *err = r.jobs.error;
        tacit_necessity_free(r.necessity);
        return r.jobs.status;
    }
    *out = r.necessity;
    return TACIT_OK;
}

tacit_status tacit_necessity_run(tacit_necessity **out, const tacit_table *table, const tacit_schema *schema,
                                 const tacit_necessity_options *options, tacit_error *err)
{
    tacit_necessity_options own;
    tacit_fit_options fit;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_necessity_options, progress_context, options, err);

    *out = NULL;
    if (!st)
        st = tct_fit_options_take(&fit, &own.fit, err);
    if (st)
        return st;
    own.fit = fit;
    return run_necessity(out, table, schema, &own, err);
}

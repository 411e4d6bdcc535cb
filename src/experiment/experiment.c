/*
 * The trials of an experiment, side by side.  A trial is a function of its kind and repetition alone, so it does not
 * matter which thread runs it, when, or in which run of the program.
 */
#include "experiment.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "encoded.h"
#include "model_parts.h"

static const char *const METHODS[TACIT_METHODS] = {
    [TACIT_METHOD_BASELINE] = "baseline",
    [TACIT_METHOD_OPT] = "opt",
    [TACIT_METHOD_PAPER] = "paper",
    [TACIT_METHOD_TACIT] = "tacit",
};
static const double USUAL_TEST_SHARE = 0.3;

/* What the threads share. */
typedef struct run {
    tacit_experiment *experiment;
    const tacit_table *table;
    const tacit_experiment_options *opt;
    tct_journal *journal;
    pthread_mutex_t lock;
    uint64_t done, total; /* cells */
    bool stop;
    size_t bad_trial; /* of the error kept */
    tacit_status status;
    tacit_error error;
} run;

const char *tacit_method_name(tacit_method method)
{
    return (size_t)method < TACIT_METHODS ? METHODS[method] : "?";
}

const tct_trial *tct_experiment_trial(const tacit_experiment *e, size_t kind, size_t rep)
{
    return &e->trials[kind * e->reps + rep];
}

/* ---------------------------------------------------------------- settings */

static tacit_status read_methods(bool *out, const char *list, tacit_error *err)
{
    tct_names names = {0};
    tacit_status st = tct_names_split(&names, list ? list : "baseline,opt,paper,tacit", err);

    if (!st && names.count == 0)
        st = tct_fail(err, TACIT_E_USAGE, "an experiment needs at least one method");
    for (size_t i = 0; i < names.count && !st; i++) {
        size_t m = 0;

        while (m < TACIT_METHODS && strcmp(names.items[i], METHODS[m]) != 0)
            m++;
        if (m < TACIT_METHODS) {
            out[m] = true;
        } else {
            const char *close = tacit_suggest(names.items[i], METHODS, TACIT_METHODS);

            st = tct_fail(err, TACIT_E_USAGE, "unknown method '%.64s'%s%s%s; expected baseline, opt, paper or tacit",
                          names.items[i], close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
        }
    }
    tct_names_free(&names);
    return st;
}

static tacit_status read_kinds(tct_names *out, const char *list, tacit_error *err)
{
    tacit_status st = tct_names_split(out, list ? list : "logistic,mlp", err);
    const tct_model_kind *kind;

    if (!st && out->count == 0)
        st = tct_fail(err, TACIT_E_USAGE, "an experiment needs at least one kind of model");
    for (size_t i = 0; i < out->count && !st; i++) {
        st = tct_model_kind_find(&kind, out->items[i], err);
        for (size_t j = 0; j < i && !st; j++)
            if (strcmp(out->items[i], out->items[j]) == 0)
                st = tct_fail(err, TACIT_E_USAGE, "model '%s' is named twice", out->items[i]);
    }
    return st;
}

static tacit_status check_numbers(const tacit_experiment_options *opt, const tacit_schema *schema, tacit_error *err)
{
    if (opt->n_sizes == 0 || opt->n_deltas == 0 || opt->reps == 0)
        return tct_fail(err, TACIT_E_USAGE, "an experiment needs at least one size, one delta and one repetition");
    for (size_t i = 0; i < opt->n_sizes; i++) {
        if (opt->sizes[i] == 0 || opt->sizes[i] > schema->n_attributes)
            return tct_fail(err, TACIT_E_USAGE,
                            "cannot draw %zu sensitive attributes: sizes go from 1 to the number of attributes, %zu",
                            opt->sizes[i], schema->n_attributes);
        if (i > 0 && opt->sizes[i] <= opt->sizes[i - 1])
            return tct_fail(err, TACIT_E_USAGE, "sizes must be ascending, each named once");
    }
    for (size_t i = 0; i < opt->n_deltas; i++) {
        if (!(opt->deltas[i] >= 0 && opt->deltas[i] < 0.5))
            return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
        if (i > 0 && !(opt->deltas[i] > opt->deltas[i - 1]))
            return tct_fail(err, TACIT_E_USAGE, "deltas must be ascending, each named once");
    }
    if (!(opt->test_share >= 0 && opt->test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "the share held out must be above 0 and below 1");
    return TACIT_OK;
}

/* The last part of a path. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static tacit_status copy_settings(tacit_experiment *e, const tacit_table *table, const tacit_experiment_options *opt,
                                  tacit_error *err)
{
    e->n_rows = table->n_rows;
    memcpy(e->data_hash, table->hash, sizeof e->data_hash);
    e->data_name = tct_strdup(file_name(tct_csv_path(table->csv)));
    e->n_sizes = opt->n_sizes;
    e->sizes = tct_calloc(opt->n_sizes, sizeof *e->sizes);
    e->n_deltas = opt->n_deltas;
    e->deltas = tct_calloc(opt->n_deltas, sizeof *e->deltas);
    e->reps = opt->reps;
    e->trials = tct_calloc(e->kinds.count * opt->reps, sizeof *e->trials);
    if (!e->data_name || !e->sizes || !e->deltas || !e->trials)
        return tct_fail_memory(err);
    memcpy(e->sizes, opt->sizes, opt->n_sizes * sizeof *e->sizes);
    memcpy(e->deltas, opt->deltas, opt->n_deltas * sizeof *e->deltas);
    e->seed = opt->seed;
    e->test_share = opt->test_share > 0 ? opt->test_share : USUAL_TEST_SHARE;
    e->opt_people = opt->opt_people;
    e->grid_people = opt->grid_people;
    e->fit = opt->fit;
    e->fit.progress = NULL;
    tct_fit_fill(&e->fit);
    if (strlen(e->fit.hidden) >= sizeof e->hidden)
        return tct_fail(err, TACIT_E_USAGE, "too many hidden layers");
    memcpy(e->hidden, e->fit.hidden, strlen(e->fit.hidden) + 1);
    e->fit.hidden = e->hidden;
    return TACIT_OK;
}

static tacit_status make_experiment(tacit_experiment **out, const tacit_table *table, const tacit_schema *schema,
                                    const tacit_experiment_options *opt, tacit_error *err)
{
    tacit_experiment *e = tct_calloc(1, sizeof *e);
    tct_codec *codec = NULL;
    tacit_status st;

    *out = NULL;
    if (!e)
        return tct_fail_memory(err);
    if ((st = check_numbers(opt, schema, err)) || (st = read_methods(e->methods, opt->methods, err)) ||
        (st = read_kinds(&e->kinds, opt->kinds, err)) || (st = tct_schema_copy(&e->schema, schema, err)) ||
        (st = tct_codec_new(&codec, e->schema, err)) || (st = copy_settings(e, table, opt, err)))
        goto done;
    e->n_inputs = codec->n_inputs;
    *out = e;
    e = NULL;
done:
    tct_codec_free(codec);
    tacit_experiment_free(e);
    return st;
}

void tacit_experiment_free(tacit_experiment *e)
{
    if (!e)
        return;
    for (size_t i = 0; e->trials && i < e->kinds.count * e->reps; i++)
        tct_trial_clear(&e->trials[i], e);
    tct_free(e->trials);
    tct_free(e->sizes);
    tct_free(e->deltas);
    tct_free(e->data_name);
    tct_names_free(&e->kinds);
    tacit_schema_free(e->schema);
    tct_free(e);
}

/* ---------------------------------------------------------------- running */

/* Keep the error of the first trial that has one, but a request to stop only when there is no other. */
static void keep_error(run *r, size_t trial, tacit_status status, const tacit_error *error)
{
    if (!r->status || (status != TACIT_E_STOPPED && (r->status == TACIT_E_STOPPED || trial < r->bad_trial))) {
        r->status = status;
        r->error = *error;
        r->bad_trial = trial;
    }
    r->stop = true;
}

/* `cells` more are done. */
static tacit_status tell_progress(run *r, uint64_t cells, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    pthread_mutex_lock(&r->lock);
    r->done += cells;
    if (r->stop || (r->opt->progress && !r->opt->progress(r->opt->progress_context, r->done, r->total)))
        st = tct_fail(err, TACIT_E_STOPPED, "stopped");
    pthread_mutex_unlock(&r->lock);
    return st;
}

static tacit_status cell_done(void *context, tacit_error *err)
{
    return tell_progress(context, 1, err);
}

static tacit_status tick(void *context, tacit_error *err)
{
    return tell_progress(context, 0, err);
}

static void run_trial(run *r, size_t index)
{
    tacit_experiment *e = r->experiment;
    tct_trial *trial = &e->trials[index];
    const tct_trial_watch watch = {cell_done, tick, r};
    tacit_error error = {0};
    bool stop;
    tacit_status st;

    pthread_mutex_lock(&r->lock);
    stop = r->stop;
    pthread_mutex_unlock(&r->lock);
    if (stop || trial->done)
        return;
    st = tct_trial_init(trial, e, index / e->reps, index % e->reps, &error);
    if (!st)
        st = tct_trial_run(trial, e, r->table, &watch, &error);
    pthread_mutex_lock(&r->lock);
    if (!st && r->journal)
        st = tct_journal_add(r->journal, e, trial, &error);
    if (st)
        keep_error(r, index, st, &error);
    pthread_mutex_unlock(&r->lock);
}

/* Networks take longer than linear models and come last in the list: from the end, so that no thread is left with a
 * long trial when the others are done. */
static void run_trials(run *r)
{
    size_t n = r->experiment->kinds.count * r->experiment->reps;
    size_t threads = r->opt->threads ? r->opt->threads : (size_t)omp_get_num_procs();

    threads = threads > n ? n : threads;
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++)
        run_trial(r, n - 1 - i);
}

tacit_status tacit_experiment_run(tacit_experiment **out, const tacit_table *table, const tacit_schema *schema,
                                  const tacit_experiment_options *opt, tacit_error *err)
{
    run r = {.table = table, .opt = opt, .lock = PTHREAD_MUTEX_INITIALIZER};
    tacit_status st;

    *out = NULL;
    st = make_experiment(&r.experiment, table, schema, opt, err);
    if (!st && opt->journal)
        st = tct_journal_open(&r.journal, opt->journal, opt->resume, r.experiment, err);
    if (st)
        goto done;
    r.total = (uint64_t)r.experiment->kinds.count * r.experiment->reps * r.experiment->n_sizes;
    for (size_t i = 0; i < r.experiment->kinds.count * r.experiment->reps; i++)
        r.done += r.experiment->trials[i].done ? r.experiment->n_sizes : 0;
    run_trials(&r);
    st = r.status;
    if (st && err)
        *err = r.error;
    if (!st) {
        *out = r.experiment;
        r.experiment = NULL;
    }
done:
    tct_journal_close(r.journal);
    tacit_experiment_free(r.experiment);
    return st;
}

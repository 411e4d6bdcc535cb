/*
 * The trials of an experiment, side by side.  A trial is a function of its kind and repetition alone, so it does not
 * matter which thread runs it, when, or in which run of the program.
 */
#include "experiment.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "side_jobs.h"
#include "team.h"
#include "train.h"

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
    const tacit_experiment_options *options;
    const tacit_team *team;
    tct_journal *journal;
    size_t *trials; /* to be run here, in this order */
    size_t n_trials;
    tct_side_jobs jobs; /* by number of trial; steps are cells */
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
    const tct_trainer *trainer;

    if (!st && out->count == 0)
        st = tct_fail(err, TACIT_E_USAGE, "an experiment needs at least one kind of model");
    for (size_t i = 0; i < out->count && !st; i++) {
        st = tct_trainer_find(&trainer, out->items[i], err);
        for (size_t j = 0; j < i && !st; j++)
            if (strcmp(out->items[i], out->items[j]) == 0)
                st = tct_fail(err, TACIT_E_USAGE, "model '%s' is named twice", out->items[i]);
    }
    return st;
}

static tacit_status check_numbers(const tacit_experiment_options *options, const tacit_schema *schema, tacit_error *err)
{
    if (options->n_sizes == 0 || options->n_deltas == 0 || options->reps == 0)
        return tct_fail(err, TACIT_E_USAGE, "an experiment needs at least one size, one delta and one repetition");
    for (size_t i = 0; i < options->n_sizes; i++) {
        if (options->sizes[i] == 0 || options->sizes[i] > schema->n_attributes)
            return tct_fail(err, TACIT_E_USAGE,
                            "cannot draw %zu sensitive attributes: sizes go from 1 to the number of attributes, %zu",
                            options->sizes[i], schema->n_attributes);
        if (i > 0 && options->sizes[i] <= options->sizes[i - 1])
            return tct_fail(err, TACIT_E_USAGE, "sizes must be ascending, each named once");
    }
    for (size_t i = 0; i < options->n_deltas; i++) {
        if (!(options->deltas[i] >= 0 && options->deltas[i] < 0.5))
            return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
        if (i > 0 && !(options->deltas[i] > options->deltas[i - 1]))
            return tct_fail(err, TACIT_E_USAGE, "deltas must be ascending, each named once");
    }
    if (!(options->test_share >= 0 && options->test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "the share held out must be above 0 and below 1");
    return TACIT_OK;
}

static tacit_status copy_settings(tacit_experiment *e, const tacit_table *table,
                                  const tacit_experiment_options *options, tacit_error *err)
{
    e->n_rows = table->n_rows;
    memcpy(e->data_hash, table->hash, sizeof e->data_hash);
    e->data_name = tct_strdup(tct_file_name(tct_csv_path(table->csv)));
    e->n_sizes = options->n_sizes;
    e->sizes = tct_calloc(options->n_sizes, sizeof *e->sizes);
    e->n_deltas = options->n_deltas;
    e->deltas = tct_calloc(options->n_deltas, sizeof *e->deltas);
    e->reps = options->reps;
    e->trials = tct_calloc(e->kinds.count * options->reps, sizeof *e->trials);
    if (!e->data_name || !e->sizes || !e->deltas || !e->trials)
        return tct_fail_memory(err);
    memcpy(e->sizes, options->sizes, options->n_sizes * sizeof *e->sizes);
    memcpy(e->deltas, options->deltas, options->n_deltas * sizeof *e->deltas);
    e->seed = options->seed;
    e->test_share = options->test_share > 0 ? options->test_share : USUAL_TEST_SHARE;
    e->opt_people = options->opt_people;
    e->grid_people = options->grid_people;
    e->fit = options->fit;
    e->fit.progress = NULL;
    e->trees_rate = options->fit.rate;
    tct_fit_fill_paper(&e->fit);
    if (strlen(e->fit.hidden) >= sizeof e->hidden)
        return tct_fail(err, TACIT_E_USAGE, "too many hidden layers");
    memcpy(e->hidden, e->fit.hidden, strlen(e->fit.hidden) + 1);
    e->fit.hidden = e->hidden;
    return TACIT_OK;
}

static tacit_status make_experiment(tacit_experiment **out, const tacit_table *table, const tacit_schema *schema,
                                    const tacit_experiment_options *options, tacit_error *err)
{
    tacit_experiment *e = tct_calloc(1, sizeof *e);
    tct_codec *codec = NULL;
    tacit_status st;

    *out = NULL;
    if (!e)
        return tct_fail_memory(err);
    if ((st = check_numbers(options, schema, err)) || (st = read_methods(e->methods, options->methods, err)) ||
        (st = read_kinds(&e->kinds, options->kinds, err)) || (st = tct_schema_copy(&e->schema, schema, err)) ||
        (st = tct_codec_new(&codec, e->schema, err)) || (st = copy_settings(e, table, options, err)))
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

/* One trial of them. */
typedef struct job {
    run *run;
    size_t trial;
} job;

static tacit_status cell_done(void *context, tacit_error *err)
{
    const job *j = context;

    return tct_side_job_tick(&j->run->jobs, j->trial, 1, err);
}

static tacit_status tick(void *context, tacit_error *err)
{
    const job *j = context;

    return tct_side_job_tick(&j->run->jobs, j->trial, 0, err);
}

static void run_trial(void *context, size_t place)
{
    run *r = context;
    size_t index = r->trials[place];
    tacit_experiment *e = r->experiment;
    tct_trial *trial = &e->trials[index];
    job this = {r, index};
    const tct_trial_watch watch = {cell_done, tick, &this};
    tacit_error error = {0};
    tacit_status st;

    if (tct_side_job_pointless(&r->jobs, index) || trial->done)
        return;
    st = tct_trial_init(trial, e, index / e->reps, index % e->reps, &error);
    if (!st)
        st = tct_trial_run(trial, e, r->table, &watch, &error);
    pthread_mutex_lock(&r->jobs.lock);
    if (!st && r->journal)
        st = tct_journal_add(r->journal, e, trial, &error);
    if (st)
        tct_side_job_failed(&r->jobs, index, st, &error);
    pthread_mutex_unlock(&r->jobs.lock);
}

/* ---------------------------------------------------------------- several processes */

/* The journal of this member, and what all of them have done before. */
static tacit_status open_journal(run *r, tacit_error *err)
{
    size_t rank = r->team ? r->team->rank : 0;
    tct_text name = {0};
    tacit_status st = tct_journal_name(&name, r->options->journal, rank, err);

    if (!st)
        st = tct_journal_open(&r->journal, name.bytes, r->options->resume, r->experiment, err);
    if (!st && r->options->resume)
        st = tct_journal_read_others(r->options->journal, rank, r->experiment, err);
    tct_text_free(&name);
    return st;
}

/* Which trials member 0 has (`first`), and which somebody has (`any`). */
static tacit_status share_done(const run *r, bool *first, bool *any, tacit_error *err)
{
    const tacit_experiment *e = r->experiment;
    size_t n = e->kinds.count * e->reps, size = tct_team_size(r->team);
    bool *mine = tct_calloc(n, sizeof *mine), *all = tct_calloc(n * size, sizeof *all);
    tacit_status st = mine && all ? TACIT_OK : tct_fail_memory(err);

    for (size_t i = 0; i < n && !st; i++)
        mine[i] = all[i] = e->trials[i].done;
    if (!st && size > 1)
        st = r->team->share(r->team->context, mine, n * sizeof *mine, all, err);
    for (size_t i = 0; i < n && !st; i++) {
        first[i] = all[i];
        for (size_t m = 0; m < size; m++)
            any[i] = any[i] || all[m * n + i];
    }
    tct_free(mine);
    tct_free(all);
    return st;
}

/* What is left to do goes round robin.  Networks take longer than linear models and come last in the list: from the end,
 * so that no thread is left with a long trial when the others are done. */
static tacit_status deal_trials(run *r, bool *first, tacit_error *err)
{
    const tacit_experiment *e = r->experiment;
    size_t n = e->kinds.count * e->reps, size = tct_team_size(r->team), rank = r->team ? r->team->rank : 0, left = 0;
    bool *any = tct_calloc(n, sizeof *any);
    tacit_status st = any ? share_done(r, first, any, err) : tct_fail_memory(err);

    r->trials = tct_calloc(n, sizeof *r->trials);
    if (!st && !r->trials)
        st = tct_fail_memory(err);
    for (size_t i = n; i-- > 0 && !st;) {
        if (any[i])
            r->jobs.done += e->n_sizes;
        else if (left++ % size == rank)
            r->trials[r->n_trials++] = i;
    }
    r->jobs.total = r->jobs.done + r->n_trials * e->n_sizes;
    tct_free(any);
    return st;
}

static tacit_status take_trials(void *context, const char *text, size_t size, tacit_error *err)
{
    run *r = context;

    return tct_journal_take_lines(r->experiment, r->journal, text, size, err);
}

/* All trials to member 0; then its journal is enough. */
static tacit_status bring_together(run *r, const bool *first, tacit_error *err)
{
    tct_text lines = {0};
    tacit_status st = TACIT_OK;

    if (!tct_team_leads(r->team))
        st = tct_journal_lines(&lines, r->experiment, first, err);
    st = tct_team_agree(r->team, st, err);
    if (!st)
        st = tct_team_agree(r->team, tct_team_texts(r->team, &lines, take_trials, r, err), err);
    if (!st && r->journal && tct_team_leads(r->team))
        tct_journal_remove_others(r->options->journal);
    tct_text_free(&lines);
    return st;
}

static tacit_status run_experiment(tacit_experiment **out, const tacit_table *table, const tacit_schema *schema,
                                   const tacit_experiment_options *options, tacit_error *err)
{
    run r = {.table = table,
             .options = options,
             .team = options->team,
             .jobs = {.lock = PTHREAD_MUTEX_INITIALIZER,
                      .progress = options->progress,
                      .progress_context = options->progress_context}};
    tacit_error error = {0};
    bool *first = NULL; /* trials that member 0 had from the beginning */
    tacit_status st;

    *out = NULL;
    st = make_experiment(&r.experiment, table, schema, options, &error);
    if (!st && options->journal && !options->resume && tct_team_leads(r.team) && access(options->journal, F_OK) != 0)
        tct_journal_remove_others(options->journal); /* left by a run that nobody wants to go on with */
    st = tct_team_agree(r.team, st, &error);
    if (!st && options->journal)
        st = tct_team_agree(r.team, open_journal(&r, &error), &error);
    if (st)
        goto done;
    first = tct_calloc(r.experiment->kinds.count * r.experiment->reps, sizeof *first);
    st = first ? deal_trials(&r, first, &error) : tct_fail_memory(&error);
    st = tct_team_agree(r.team, st, &error);
    if (st)
        goto done;
    tct_side_jobs_run(r.n_trials, options->threads, run_trial, &r);
    if (r.jobs.status)
        error = r.jobs.error;
    st = tct_team_agree(r.team, r.jobs.status, &error);
    if (!st)
        st = bring_together(&r, first, &error);
    if (!st && tct_team_leads(r.team)) {
        *out = r.experiment;
        r.experiment = NULL;
    }
done:
    if (st && err)
        *err = error;
    tct_journal_close(r.journal);
    tacit_experiment_free(r.experiment);
    tct_free(r.trials);
    tct_free(first);
    return st;
}

tacit_status tacit_experiment_run(tacit_experiment **out, const tacit_table *table, const tacit_schema *schema,
                                  const tacit_experiment_options *options, tacit_error *err)
{
    tacit_experiment_options own;
    tacit_fit_options fit;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_experiment_options, progress_context, options, err);

    *out = NULL;
    if (!st)
        st = tct_fit_options_take(&fit, &own.fit, err);
    if (st)
        return st;
    own.fit = fit;
    return run_experiment(out, table, schema, &own, err);
}

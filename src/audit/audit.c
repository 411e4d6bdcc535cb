/*
 * An audit: blocks of people, from a file or a table, through workers, into results.
 *
 * Workers take blocks in order and count on their own; counts are added up at the end, so results do not depend on
 * who took which block.  Rows are written in the order of the file: a worker that is ahead waits for its turn.  When
 * several blocks are bad, the first in the file is reported.
 */
#include "audit.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "auditor.h"
#include "num.h"

/* Where the people come from and what the workers share while running. */
typedef struct run {
    const tacit_model *model;
    const tacit_audit_options *opt;
    const tct_job *job;
    tct_csv *csv;             /* of the stream or of the table */
    const tacit_table *table; /* NULL: stream */
    tct_binding *binding;
    size_t group_column;
    bool has_labels;
    tct_file *rows_file;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t next_table_block, turn, done;
    bool stop;
    uint64_t bad_sequence; /* block of the error kept */
    tacit_status status;
    tacit_error error;
} run;

/* One thread's buffers. */
typedef struct desk {
    tct_worker *worker;
    tct_block block;
    double *x;
    int32_t *labels;
    size_t *groups;
    uint64_t *rows;
    size_t room;     /* people */
    tct_cell *cells; /* of the rows in the part asked for */
    size_t cells_room;
    tct_text rows_out;
} desk;

static void desk_clear(desk *d, const tacit_model *model)
{
    tct_free_wiped(d->x, d->room * model->codec->n_inputs * sizeof *d->x);
    tct_free_wiped(d->labels, d->room * sizeof *d->labels);
    tct_free_wiped(d->groups, d->room * sizeof *d->groups);
    tct_free(d->rows);
    tct_free_wiped(d->cells, d->cells_room * sizeof *d->cells);
    tct_block_clear(&d->block);
    if (d->rows_out.bytes)
        tct_wipe(d->rows_out.bytes, d->rows_out.room);
    tct_text_free(&d->rows_out);
}

static tacit_status desk_make_room(desk *d, const tacit_model *model, size_t people, tacit_error *err)
{
    if (people <= d->room)
        return TACIT_OK;
    tct_free_wiped(d->x, d->room * model->codec->n_inputs * sizeof *d->x);
    tct_free_wiped(d->labels, d->room * sizeof *d->labels);
    tct_free_wiped(d->groups, d->room * sizeof *d->groups);
    tct_free(d->rows);
    people += people / 4;
    d->room = people;
    d->x = tct_malloc(people * model->codec->n_inputs, sizeof *d->x);
    d->labels = tct_malloc(people, sizeof *d->labels);
    d->groups = tct_malloc(people, sizeof *d->groups);
    d->rows = tct_malloc(people, sizeof *d->rows);
    return d->x && d->labels && d->groups && d->rows ? TACIT_OK : tct_fail_memory(err);
}

/* Keep the error of the earliest block, and let everybody stop. */
static void report_error(run *r, uint64_t sequence, tacit_status status, const tacit_error *error)
{
    pthread_mutex_lock(&r->lock);
    if (!r->status || (status != TACIT_E_STOPPED && (sequence < r->bad_sequence || r->status == TACIT_E_STOPPED))) {
        r->status = status;
        r->error = *error;
        r->bad_sequence = sequence;
    }
    r->stop = true;
    pthread_cond_broadcast(&r->turned);
    pthread_mutex_unlock(&r->lock);
}

/* The next block to work on, split; NULL at the end. */
static tacit_status take_block(run *r, desk *d, const tct_block **out, uint64_t *sequence, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *out = NULL;
    *sequence = UINT64_MAX;
    if (r->table) {
        pthread_mutex_lock(&r->lock);
        if (!r->stop && r->next_table_block < r->table->n_blocks)
            *out = &r->table->blocks[r->next_table_block++];
        pthread_mutex_unlock(&r->lock);
        if (*out)
            *sequence = (*out)->sequence;
        return TACIT_OK;
    }
    st = tct_csv_next(r->csv, &d->block, err);
    if (st || d->block.n_rows == 0)
        return st;
    *sequence = d->block.sequence;
    st = tct_csv_split(r->csv, &d->block, err);
    *out = &d->block;
    return st;
}

static bool in_part(const run *r, uint64_t row)
{
    bool held_out = r->opt->part == TACIT_PART_HELD_OUT;

    return r->opt->part == TACIT_PART_ALL ||
           tct_held_out(r->model->info.seed, r->model->info.test_share, row) == held_out;
}

/* The rows of a block that are in the part asked for, as a block of their own that shares its bytes. */
static tacit_status select_part(const run *r, desk *d, const tct_block *block, tct_block *out, tacit_error *err)
{
    size_t columns = tct_csv_columns(r->csv), kept = 0;

    *out = *block;
    out->rows = d->rows;
    if (r->opt->part == TACIT_PART_ALL) {
        for (size_t i = 0; i < block->n_rows; i++)
            d->rows[i] = block->first_row + i;
        return TACIT_OK;
    }
    if (d->cells_room < block->n_rows * columns) {
        tct_free_wiped(d->cells, d->cells_room * sizeof *d->cells);
        d->cells_room = block->n_rows * columns;
        d->cells = tct_malloc(d->cells_room, sizeof *d->cells);
        if (!d->cells) {
            d->cells_room = 0;
            return tct_fail_memory(err);
        }
    }
    for (size_t i = 0; i < block->n_rows; i++)
        if (in_part(r, block->first_row + i)) {
            memcpy(d->cells + kept * columns, block->cells + i * columns, columns * sizeof *d->cells);
            d->rows[kept++] = block->first_row + i;
        }
    out->cells = d->cells;
    out->n_rows = kept;
    return TACIT_OK;
}

static tacit_status find_groups(const run *r, desk *d, const tct_block *block, tacit_error *err)
{
    static const char MISSING[] = "(missing)";
    size_t columns = tct_csv_columns(r->csv);

    for (size_t i = 0; i < block->n_rows; i++) {
        const tct_cell *cell = &block->cells[i * columns + r->group_column];
        const char *bytes = block->bytes + cell->start;
        bool missing = tct_csv_missing(r->csv, bytes, cell->size);
        tacit_status st = tct_worker_group(d->worker, missing ? MISSING : bytes,
                                           missing ? sizeof MISSING - 1 : cell->size, &d->groups[i], err);

        if (st)
            return st;
    }
    return TACIT_OK;
}

static tacit_status count_block(run *r, desk *d, const tct_block *block, tacit_error *err)
{
    tct_block part;
    tacit_status st = desk_make_room(d, r->model, block->n_rows, err);

    if (!st)
        st = select_part(r, d, block, &part, err);
    if (!st)
        st = tct_encode_block(r->binding, &part, d->x, r->has_labels ? d->labels : NULL,
                              &tct_worker_census(d->worker)->cells, err);
    if (!st && r->group_column != TACIT_NONE)
        st = find_groups(r, d, &part, err);
    if (st)
        return st;
    return tct_worker_count(d->worker, d->x, part.n_rows, r->has_labels ? d->labels : NULL,
                            r->group_column != TACIT_NONE ? d->groups : NULL, d->rows, &d->rows_out, err);
}

/* Tell about progress; with the lock held. */
static tacit_status tell_progress(run *r, tacit_error *err)
{
    uint64_t done = r->table ? r->done : tct_csv_bytes_done(r->csv);
    uint64_t total = r->table ? r->table->n_rows : tct_csv_bytes_total(r->csv);

    if (r->opt->progress && !r->opt->progress(r->opt->progress_context, done, total))
        return tct_fail(err, TACIT_E_STOPPED, "stopped");
    return TACIT_OK;
}

/* Called by the workers now and then: a block may take long. */
static tacit_status tick(void *context, tacit_error *err)
{
    run *r = context;
    tacit_status st;

    pthread_mutex_lock(&r->lock);
    st = r->stop ? tct_fail(err, TACIT_E_STOPPED, "stopped") : tell_progress(r, err);
    pthread_mutex_unlock(&r->lock);
    return st;
}

/* Write the block's rows when it is its turn, tell about progress. */
static tacit_status finish_block(run *r, desk *d, uint64_t sequence, size_t n_rows, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    pthread_mutex_lock(&r->lock);
    while (r->rows_file && r->turn != sequence && !r->stop)
        pthread_cond_wait(&r->turned, &r->lock);
    if (!r->stop) {
        if (r->rows_file && d->rows_out.size)
            st = tct_file_append(r->rows_file, d->rows_out.bytes, d->rows_out.size, err);
        r->turn++;
        r->done += n_rows;
        if (!st)
            st = tell_progress(r, err);
    }
    d->rows_out.size = 0;
    pthread_cond_broadcast(&r->turned);
    pthread_mutex_unlock(&r->lock);
    return st;
}

static bool stopped(run *r)
{
    bool stop;

    pthread_mutex_lock(&r->lock);
    stop = r->stop;
    pthread_mutex_unlock(&r->lock);
    return stop;
}

static void work(run *r, desk *d)
{
    tacit_error err = {0};

    while (!stopped(r)) {
        const tct_block *block;
        uint64_t sequence;
        tacit_status st = take_block(r, d, &block, &sequence, &err);

        if (!st && !block)
            return;
        if (!st)
            st = count_block(r, d, block, &err);
        if (!st)
            st = finish_block(r, d, sequence, block->n_rows, &err);
        if (st)
            report_error(r, sequence, st, &err);
    }
}

/* ---------------------------------------------------------------- results */

static void fill_result(tacit_audit_result *out, const tct_tally *t, const tacit_audit *audit, double delta,
                        tacit_rule rule)
{
    double people = (double)t->people;

    *out = (tacit_audit_result){.delta = delta,
                                .rule = rule,
                                .people = t->people,
                                .histogram = t->histogram,
                                .asked = t->asked,
                                .certain = t->certain,
                                .likely = t->likely,
                                .all_revealed = t->all_revealed,
                                .agree = t->agree,
                                .correct = t->correct,
                                .stopped = t->stopped,
                                .failed = t->failed,
                                .promised = delta,
                                .observed = NAN,
                                .low = NAN,
                                .high = NAN};
    for (size_t k = 1; k <= t->n_sensitive; k++)
        out->total_asked += k * t->histogram[k];
    for (size_t i = 0; i < t->n_sensitive; i++)
        out->mean_cost += (double)t->asked[i] * audit->model->schema->attributes[audit->sensitive[i]].cost;
    out->mean_asked = (double)out->total_asked / people;
    out->mean_cost /= people;
    out->share_asked = t->n_sensitive ? out->mean_asked / (double)t->n_sensitive : 0;
    out->none_asked = (double)t->histogram[0] / people;
    out->fidelity = (double)t->agree / people;
    out->accuracy = t->labelled ? (double)t->correct / (double)t->labelled : NAN;
    if (t->stopped) {
        out->observed = (double)t->failed / (double)t->stopped;
        tct_clopper_pearson((double)t->failed, (double)t->stopped, 0.95, &out->low, &out->high);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All group names of all workers, once each, sorted. */
static tacit_status collect_groups(tacit_audit *a, desk *desks, size_t n_desks, tacit_error *err)
{
    size_t room = 0, n = 0;

    for (size_t w = 0; w < n_desks; w++)
        room += tct_worker_groups(desks[w].worker);
    a->groups = tct_calloc(room + 1, sizeof *a->groups);
    if (!a->groups)
        return tct_fail_memory(err);
    for (size_t w = 0; w < n_desks; w++)
        for (size_t g = 0; g < tct_worker_groups(desks[w].worker); g++) {
            a->groups[n] = tct_strdup(tct_worker_group_name(desks[w].worker, g));
            if (!a->groups[n++])
                return tct_fail_memory(err);
        }
    qsort(a->groups, n, sizeof *a->groups, compare_names);
    for (size_t g = 0; g < n; g++) {
        if (a->summary.n_groups && strcmp(a->groups[a->summary.n_groups - 1], a->groups[g]) == 0) {
            tct_free(a->groups[g]);
        } else {
            a->groups[a->summary.n_groups++] = a->groups[g];
        }
        if (g >= a->summary.n_groups)
            a->groups[g] = NULL;
    }
    if (a->summary.n_groups > TCT_MAX_GROUPS)
        return tct_fail(err, TACIT_E_INPUT, "the group column has more than %d different values", TCT_MAX_GROUPS);
    return TACIT_OK;
}

static tacit_status merge_groups(tacit_audit *a, desk *desks, size_t n_desks, tacit_error *err)
{
    size_t n = a->summary.n_results;
    tacit_status st = collect_groups(a, desks, n_desks, err);

    if (st)
        return st;
    a->group_tallies = tct_calloc(a->summary.n_groups * n + 1, sizeof *a->group_tallies);
    a->group_results = tct_calloc(a->summary.n_groups * n + 1, sizeof *a->group_results);
    if (!a->group_tallies || !a->group_results)
        return tct_fail_memory(err);
    for (size_t i = 0; i < a->summary.n_groups * n && !st; i++)
        st = tct_tally_new(&a->group_tallies[i], a->summary.n_sensitive, err);
    for (size_t w = 0; w < n_desks && !st; w++)
        for (size_t g = 0; g < tct_worker_groups(desks[w].worker); g++) {
            const char *name = tct_worker_group_name(desks[w].worker, g);
            char **at = bsearch(&name, a->groups, a->summary.n_groups, sizeof *a->groups, compare_names);

            for (size_t i = 0; i < n; i++)
                tct_tally_merge(a->group_tallies[(size_t)(at - a->groups) * n + i],
                                tct_worker_group_tally(desks[w].worker, g, i));
        }
    return st;
}

/* Which groups may be described.  Small ones may not; and if those hidden have, together, fewer people than a group
 * must have, the smallest of the others is hidden too: what is hidden is the total less what is shown. */
static tacit_status choose_groups(tacit_audit *a, tacit_error *err)
{
    size_t n = a->summary.n_groups, hidden_groups = 0;
    uint64_t hidden = 0;

    a->shown = tct_calloc(n + 1, sizeof *a->shown);
    if (!a->shown)
        return tct_fail_memory(err);
    for (size_t g = 0; g < n; g++) {
        uint64_t people = a->group_tallies[g * a->summary.n_results]->people;

        a->shown[g] = people >= TCT_SMALL_GROUP;
        hidden += a->shown[g] ? 0 : people;
        hidden_groups += !a->shown[g];
    }
    while (hidden_groups > 0 && hidden < TCT_SMALL_GROUP) {
        size_t smallest = TACIT_NONE;

        for (size_t g = 0; g < n; g++)
            if (a->shown[g] &&
                (smallest == TACIT_NONE || a->group_tallies[g * a->summary.n_results]->people <
                                               a->group_tallies[smallest * a->summary.n_results]->people))
                smallest = g;
        if (smallest == TACIT_NONE)
            break;
        a->shown[smallest] = false;
        hidden += a->group_tallies[smallest * a->summary.n_results]->people;
    }
    return TACIT_OK;
}

static void fill_summary(tacit_audit *a, const run *r)
{
    tacit_audit_summary *s = &a->summary;
    const tct_census *c = a->census;
    const tacit_schema *schema = a->model->schema;
    uint64_t total = 0;

    s->people = c->people;
    s->labelled = c->labelled;
    s->sensitive = a->sensitive;
    s->baseline_correct = c->baseline_correct;
    s->baseline_accuracy = c->labelled ? (double)c->baseline_correct / (double)c->labelled : NAN;
    s->has_opt = !r->opt->no_opt;
    s->opt_histogram = c->opt_histogram;
    s->opt_inexact = c->opt_inexact;
    s->clipped = c->cells.clipped;
    s->missing = c->cells.missing;
    s->unknown = c->cells.unknown;
    s->data_hash = a->data_hash;
    for (size_t k = 1; k <= s->n_sensitive; k++)
        total += k * c->opt_histogram[k];
    s->opt_mean_asked = s->has_opt ? (double)total / (double)c->people : NAN;
    s->opt_mean_cost = 0;
    for (size_t i = 0; i < s->n_sensitive; i++)
        s->opt_mean_cost += (double)c->opt_members[i] * schema->attributes[a->sensitive[i]].cost;
    s->opt_mean_cost = s->has_opt ? s->opt_mean_cost / (double)c->people : NAN;
}

static tacit_status gather_results(tacit_audit *a, const run *r, desk *desks, size_t n_desks, tacit_error *err)
{
    size_t n = r->job->n_deltas;
    tacit_status st = tct_census_new(&a->census, r->job->n_sensitive, err);

    if (st)
        return st;
    a->summary.n_results = n;
    a->summary.n_sensitive = r->job->n_sensitive;
    a->sensitive = tct_calloc(r->job->n_sensitive + 1, sizeof *a->sensitive);
    a->results = tct_calloc(n, sizeof *a->results);
    a->tallies = tct_calloc(n, sizeof *a->tallies);
    if (!a->sensitive || !a->results || !a->tallies)
        return tct_fail_memory(err);
    memcpy(a->sensitive, r->job->sensitive, r->job->n_sensitive * sizeof *a->sensitive);
    for (size_t i = 0; i < n && !st; i++)
        st = tct_tally_new(&a->tallies[i], r->job->n_sensitive, err);
    for (size_t w = 0; w < n_desks && !st; w++) {
        tct_census_merge(a->census, tct_worker_census(desks[w].worker));
        for (size_t i = 0; i < n; i++)
            tct_tally_merge(a->tallies[i], tct_worker_tally(desks[w].worker, i));
    }
    if (!st && r->group_column != TACIT_NONE)
        st = merge_groups(a, desks, n_desks, err);
    if (!st && r->group_column != TACIT_NONE)
        st = choose_groups(a, err);
    if (st)
        return st;
    if (a->census->people == 0)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(r->csv), 0, NULL, "no people to audit");
    fill_summary(a, r);
    for (size_t i = 0; i < n; i++) {
        tacit_rule rule = tct_rule_for(r->opt->rule, r->opt->deltas[i]);

        fill_result(&a->results[i], a->tallies[i], a, r->opt->deltas[i], rule);
        for (size_t g = 0; g < a->summary.n_groups; g++)
            fill_result(&a->group_results[g * n + i], a->group_tallies[g * n + i], a, r->opt->deltas[i], rule);
    }
    return TACIT_OK;
}

/* ---------------------------------------------------------------- running */

static tacit_status find_group_column(run *r, tacit_error *err)
{
    size_t n = tct_csv_columns(r->csv);
    const char **names, *close;

    r->group_column = TACIT_NONE;
    if (!r->opt->group)
        return TACIT_OK;
    r->group_column = tct_csv_find(r->csv, r->opt->group);
    if (r->group_column != TACIT_NONE)
        return TACIT_OK;
    names = tct_malloc(n, sizeof *names);
    if (!names)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        names[i] = tct_csv_column(r->csv, i);
    close = tacit_suggest(r->opt->group, names, n);
    tct_free(names);
    return tct_fail_at(err, TACIT_E_USAGE, tct_csv_path(r->csv), 0, NULL, "no column called '%s' to group by%s%s%s",
                       r->opt->group, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tacit_status run_workers(run *r, desk *desks, size_t n_desks, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < n_desks && !st; i++) {
        st = tct_worker_new(&desks[i].worker, r->job, err);
        if (!st && r->job->want_rows && i == 0) {
            static const char HEADER[] = "row,delta,label,status,asked\n";

            st = tct_file_create(&r->rows_file, r->opt->rows_path, err);
            if (!st)
                st = tct_file_append(r->rows_file, HEADER, sizeof HEADER - 1, err);
        }
    }
    if (st)
        return st;
#pragma omp parallel for num_threads((int)n_desks) schedule(static, 1)
    for (size_t i = 0; i < n_desks; i++)
        work(r, &desks[i]);
    if (r->status && err)
        *err = r->error;
    return r->status;
}

/* The part of a training file only makes sense for the training file itself. */
static tacit_status check_part(const run *r, const char *hash, tacit_error *err)
{
    if (r->opt->part == TACIT_PART_ALL || strcmp(hash, r->model->data_hash) == 0)
        return TACIT_OK;
    return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(r->csv), 0, NULL,
                       "not the file the model was trained on, so there is no held-out or training part in it");
}

static tacit_status audit_run(tacit_audit **out, run *r, tacit_error *err)
{
    size_t n_desks = r->opt->threads ? r->opt->threads : (size_t)omp_get_num_procs();
    desk *desks = tct_calloc(n_desks, sizeof *desks);
    tacit_audit *a = tct_calloc(1, sizeof *a);
    tct_job *job = NULL;
    tacit_status st = TACIT_OK;

    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->turned, NULL);
    if (!a || !desks) {
        st = tct_fail_memory(err);
        goto done;
    }
    a->model = r->model;
    st = tct_job_new(&job, r->model, r->opt, err);
    if (job) {
        job->tick = tick;
        job->tick_context = r;
    }
    r->job = job;
    if (!st)
        st = find_group_column(r, err);
    if (!st && r->opt->group) {
        a->group_column = tct_strdup(r->opt->group);
        st = a->group_column ? TACIT_OK : tct_fail_memory(err);
    }
    if (!st)
        st = tct_binding_new(&r->binding, r->model->codec, r->csv, false, err);
    if (st)
        goto done;
    r->binding->unknown_as_missing = r->opt->unknown_as_missing;
    r->has_labels = r->binding->label != TACIT_NONE;
    if (r->table) {
        memcpy(a->data_hash, r->table->hash, sizeof a->data_hash);
        st = check_part(r, a->data_hash, err);
    } else if (r->opt->part != TACIT_PART_ALL) {
        st = tct_csv_hash_start(r->csv, err);
    }
    if (!st)
        st = run_workers(r, desks, n_desks, err);
    if (!st && !r->table && r->opt->part != TACIT_PART_ALL) {
        tct_csv_hash_finish(r->csv, a->data_hash);
        st = check_part(r, a->data_hash, err);
    }
    if (!st)
        st = gather_results(a, r, desks, n_desks, err);
    if (!st && r->rows_file) {
        st = tct_file_commit(r->rows_file, err);
        r->rows_file = NULL;
    }
    if (!st) {
        *out = a;
        a = NULL;
    }
done:
    for (size_t i = 0; desks && i < n_desks; i++) {
        tct_worker_free(desks[i].worker);
        desk_clear(&desks[i], r->model);
    }
    tct_free(desks);
    tct_file_abandon(r->rows_file);
    tct_binding_free(r->binding);
    tct_job_free(job);
    tacit_audit_free(a);
    pthread_cond_destroy(&r->turned);
    pthread_mutex_destroy(&r->lock);
    return st;
}

tacit_status tacit_audit_csv(tacit_audit **out, const tacit_model *model, const char *path,
                             const tacit_csv_options *csv, const tacit_audit_options *opt, tacit_error *err)
{
    run r = {.model = model, .opt = opt};
    tacit_status st;

    *out = NULL;
    if (!opt)
        return tct_fail(err, TACIT_E_USAGE, "an audit needs at least one delta");
    st = tct_csv_open(&r.csv, path, csv, err);
    if (!st)
        st = audit_run(out, &r, err);
    tct_csv_close(r.csv);
    return st;
}

tacit_status tacit_audit_table(tacit_audit **out, const tacit_model *model, const tacit_table *table,
                               const tacit_audit_options *opt, tacit_error *err)
{
    run r = {.model = model, .opt = opt, .csv = table->csv, .table = table};

    *out = NULL;
    if (!opt)
        return tct_fail(err, TACIT_E_USAGE, "an audit needs at least one delta");
    return audit_run(out, &r, err);
}

void tacit_audit_free(tacit_audit *a)
{
    size_t n_groups;

    if (!a)
        return;
    n_groups = a->summary.n_groups;
    for (size_t i = 0; a->tallies && i < a->summary.n_results; i++)
        tct_tally_free(a->tallies[i]);
    for (size_t i = 0; a->group_tallies && i < n_groups * a->summary.n_results; i++)
        tct_tally_free(a->group_tallies[i]);
    for (size_t g = 0; a->groups && a->groups[g]; g++) /* ends with NULL */
        tct_free_wiped(a->groups[g], strlen(a->groups[g]));
    tct_free(a->groups);
    tct_free(a->tallies);
    tct_free(a->group_tallies);
    tct_free(a->results);
    tct_free(a->group_results);
    tct_free(a->sensitive);
    tct_free(a->group_column);
    tct_free(a->shown);
    tct_census_free(a->census);
    tct_free(a);
}

const tacit_audit_summary *tacit_audit_summary_get(const tacit_audit *a)
{
    return &a->summary;
}

const tacit_audit_result *tacit_audit_result_get(const tacit_audit *a, size_t delta_index)
{
    return delta_index < a->summary.n_results ? &a->results[delta_index] : NULL;
}

const char *tacit_audit_group_name(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups ? a->groups[g] : NULL;
}

bool tacit_audit_group_shown(const tacit_audit *a, size_t g)
{
    return g < a->summary.n_groups && a->shown[g];
}

const tacit_audit_result *tacit_audit_group_result(const tacit_audit *a, size_t g, size_t delta_index)
{
    if (g >= a->summary.n_groups || delta_index >= a->summary.n_results)
        return NULL;
    return &a->group_results[g * a->summary.n_results + delta_index];
}

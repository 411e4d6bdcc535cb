/*
 * An audit: blocks of people, from files or a table, through workers, into counts.
 *
 * Workers take blocks in order and count on their own (audit_blocks.c); counts are added up at the end, so results do
 * not depend on who took which block.
 *
 * The members of a team do the same with their parts of the file, or their files.  What they counted reaches member 0 as
 * the text of a partial audit, the rows follow, and the first error in the order of the file is everybody's.
 */
#include "audit.h"

#include <string.h>
#include <sys/stat.h>

#include "audit_run.h"
#include "describe.h"
#include "dispense.h"
#include "partial.h"
#include "rows.h"
#include "score_laws.h"

/* Bytes at a time where deciding a person takes long: every core is to have some of a small file.  And where people have
 * more inputs than this, so that those of a block stay in the cache: fewer the more inputs there are. */
enum { SLOW_BLOCK = 8 << 10, MANY_INPUTS = 1024 };

/* ---------------------------------------------------------------- counts */

/* Does a promise rest on a calibration? */
static bool uses_calibration(const tct_run *r)
{
    for (size_t i = 0; i < r->options->n_deltas; i++)
        if (r->model->calibrated && r->options->deltas[i] > 0)
            return true;
    return false;
}

/* By what results are broken down. */
static tacit_status read_groupings(tacit_audit *a, const tct_run *r, tacit_error *err)
{
    const tacit_schema *schema = r->model->schema;
    tct_groupings *groupings;
    tacit_status st;

    if (!r->options->group && r->options->n_groupings == 0)
        return TACIT_OK;
    st = tct_groupings_new(&groupings, err);
    if (!st && r->options->group)
        st = tct_groupings_add_column(groupings, r->options->group, err);
    for (size_t i = 0; i < r->options->n_groupings && !st; i++)
        st = tct_groupings_add(groupings, r->options->groupings[i], schema, err);
    if (st) {
        tct_groupings_free(groupings);
        return st;
    }
    return tct_audit_set_groupings(a, groupings, err);
}

/* An audit of nobody so far. */
static tacit_status begin_audit(tacit_audit **out, const tct_run *r, tacit_error *err)
{
    const tct_job *job = r->job;
    const tacit_schema *schema = r->model->schema;
    tacit_audit *a = NULL;
    tacit_status st = tct_audit_new(&a, job->n_sensitive, job->n_deltas, err);

    *out = a;
    if (st)
        return st;
    snprintf(a->kind, sizeof a->kind, "%s", r->model->info.kind);
    memcpy(a->model_hash, r->model->model_hash, sizeof a->model_hash);
    a->no_opt = r->options->no_opt;
    a->opt_share = a->no_opt ? 1 : job->opt_share;
    a->no_needs = r->options->no_needs;
    a->needs_undecided = !a->no_needs && tct_dispense_may_be_open(r->model);
    a->unknown_as_missing = r->options->unknown_as_missing;
    a->part = r->options->part;
    a->seed = r->options->seed;
    for (size_t i = 0; i < job->n_sensitive; i++) {
        a->sensitive[i] = job->sensitive[i];
        a->names[i] = tct_strdup(schema->attributes[job->sensitive[i]].name);
        a->questions[i] = tct_strdup(schema->attributes[job->sensitive[i]].question);
        a->costs[i] = schema->attributes[job->sensitive[i]].cost;
        if (!a->names[i] || !a->questions[i])
            return tct_fail_memory(err);
    }
    for (size_t i = 0; i < job->n_deltas; i++) {
        a->results[i].delta = r->options->deltas[i];
        a->results[i].calibrated = r->model->calibrated && r->options->deltas[i] > 0;
        a->results[i].confidence = tacit_model_confidence(r->model, r->options->rule, r->options->deltas[i]);
    }
    for (size_t k = 0; k < job->n_passes; k++)
        for (size_t i = 0; i < job->passes[k].n_promises; i++)
            a->results[job->passes[k].delta_index[i]].rule = job->passes[k].rule;
    if (uses_calibration(r)) {
        memcpy(a->calibration.hash, r->model->calibration.data_hash, sizeof a->calibration.hash);
        a->calibration.people = r->model->calibration.people;
        a->calibration.alpha = r->model->calibration.alpha;
    }
    if (job->opt_sampled)
        st = tct_census_count_octaves(a->census, err);
    if (!st)
        st = tct_audit_describe(a, tct_describe_model(r->model), err);
    return st ? st : read_groupings(a, r, err);
}

/* What the workers have counted. */
static tacit_status add_counts(tacit_audit *a, const tct_thread_buffers *buffers, size_t n_threads, tacit_error *err)
{
    size_t n = a->summary.n_results;
    tacit_status st = TACIT_OK;

    for (size_t w = 0; w < n_threads && !st; w++) {
        tct_worker *worker = buffers[w].worker;

        tct_census_merge(a->census, tct_worker_census(worker));
        tct_quality_merge(a->quality, tct_worker_quality(worker));
        for (size_t i = 0; i < n; i++)
            tct_tally_merge(a->tallies[i], tct_worker_tally(worker, i));
        if (a->sorter)
            st = tct_sorter_merge(a->sorter, tct_worker_sorter(worker), err);
    }
    return st;
}

static uint64_t count_people(const tct_thread_buffers *buffers, size_t n_threads)
{
    uint64_t people = 0;

    for (size_t w = 0; w < n_threads; w++)
        people += tct_worker_census(buffers[w].worker)->people;
    return people;
}

/* ---------------------------------------------------------------- files */

static tacit_status find_group_column(const tct_run *r, const char *column, size_t *out, tacit_error *err)
{
    size_t n = tct_csv_columns(r->csv);
    const char **names, *close;

    *out = tct_csv_find(r->csv, column);
    if (*out != TACIT_NONE)
        return TACIT_OK;
    names = tct_malloc(n, sizeof *names);
    if (!names)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        names[i] = tct_csv_column(r->csv, i);
    close = tacit_suggest(column, names, n);
    tct_free(names);
    return tct_fail_at(err, TACIT_E_USAGE, tct_csv_path(r->csv), 0, NULL, "no column called '%s' to group by%s%s%s",
                       column, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tacit_status find_group_columns(tct_run *r, tacit_error *err)
{
    const tct_groupings *groupings = r->job->groupings;
    tacit_status st = TACIT_OK;

    if (!groupings)
        return TACIT_OK;
    if (!r->group_columns)
        r->group_columns = tct_calloc(groupings->n_dimensions, sizeof *r->group_columns);
    if (!r->group_columns)
        return tct_fail_memory(err);
    for (size_t d = 0; d < groupings->n_dimensions && !st; d++)
        st = find_group_column(r, groupings->dimensions[d].column, &r->group_columns[d], err);
    return st;
}

/* Is a person decided in less time than it takes to fetch a block? */
static bool is_quick(const tacit_model *model)
{
    return tct_linear_law(model) && model->classifier->n_scores == 1;
}

/* The file at hand, bound to the model. */
static tacit_status bind_file(tct_run *r, tacit_error *err)
{
    tacit_status st = find_group_columns(r, err);

    tct_binding_free(r->binding);
    r->binding = NULL;
    if (!st)
        st = tct_binding_loose(&r->binding, r->model->codec, r->csv, false, err);
    if (st)
        return st;
    r->faulty = r->binding->lacks || (r->table && r->table->problem);
    if (r->model->codec->n_inputs > MANY_INPUTS)
        tct_csv_set_block_size(r->csv, SLOW_BLOCK / (r->model->codec->n_inputs / MANY_INPUTS));
    else if (!is_quick(r->model))
        tct_csv_set_block_size(r->csv, SLOW_BLOCK);
    r->binding->unknown_as_missing = r->options->unknown_as_missing;
    r->has_labels = r->binding->label != TACIT_NONE;
    r->turn = 0;
    r->file++;
    return TACIT_OK;
}

static tacit_status run_workers(tct_run *r, tct_thread_buffers *buffers, size_t n_threads, tacit_error *err)
{
#pragma omp parallel for num_threads((int)n_threads) schedule(static, 1)
    for (size_t i = 0; i < n_threads; i++)
        tct_thread_buffers_work(r, &buffers[i]);
    if (r->status)
        *err = r->error;
    return r->status;
}

/* What all members have found wrong with the file. */
static tacit_status share_faults(const tct_run *r, tct_faults *sum, tacit_error *err)
{
    size_t n = tct_team_size(r->team), size = tct_faults_size(sum);
    char *all = tct_calloc(n, size);
    tacit_status st = tct_team_agree(r->team, all ? TACIT_OK : tct_fail_memory(err), err);

    if (!st && n > 1)
        st = r->team->share(r->team->context, sum, size, all, err);
    for (size_t i = 0; i < n && n > 1 && !st; i++)
        if (i != r->team->rank)
            tct_faults_add(sum, (const tct_faults *)(const void *)(all + i * size));
    tct_free(all);
    return st;
}

/* All that is wrong with the file as one error; st, *err: how reading it ended. */
static tacit_status tell_faults(tct_run *r, const tct_thread_buffers *buffers, size_t n_threads, bool together,
                                tacit_status st, tacit_error *err)
{
    const tct_groupings *groupings = r->job->groupings;
    const char *names[TCT_MAX_DIMENSIONS];
    tacit_error ended;
    tct_faults *sum = NULL;
    tacit_status found;

    if (st && st != TACIT_E_INPUT)
        return st;
    if (st)
        ended = *err;
    for (size_t k = 0; groupings && k < groupings->n_dimensions; k++)
        names[k] = groupings->dimensions[k].column;
    found = tct_faults_new(&sum, r->model->schema->n_attributes, groupings ? groupings->n_dimensions : 0, err);
    if (together)
        found = tct_team_agree(r->team, found, err);
    for (size_t i = 0; i < n_threads && !found; i++)
        tct_faults_add(sum, buffers[i].faults);
    if (!found && !r->table && tct_csv_may_skip(r->csv))
        sum->skipped = (tct_fault){tct_csv_bad(r->csv), tct_csv_first_bad(r->csv)};
    if (!found && together)
        found = share_faults(r, sum, err);
    if (!found)
        tct_faults_columns(sum, r->binding);
    if (!found)
        found = tct_faults_tell(sum, r->binding, names, r->table ? r->table->problem : NULL, st ? &ended : NULL, err);
    tct_faults_free(sum);
    return found;
}

/* The part of a training file only makes sense for the training file itself. */
static tacit_status check_part(const tct_run *r, const char *file, const char *hash, tacit_error *err)
{
    if (r->options->part == TACIT_PART_ALL || strcmp(hash, r->model->data_hash) == 0)
        return TACIT_OK;
    return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL,
                       "not the file the model was trained on, so there is no held-out or training part in it");
}

/* With a calibration: to know its people again. */
static bool wants_hash(const tct_run *r)
{
    return r->options->part != TACIT_PART_ALL || r->options->partial || uses_calibration(r);
}

static uint64_t file_size(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

/* May this be the file the model was trained on, or imported with?  Then its hash will tell; a file of another size need not be hashed. */
static bool may_be_training_file(const tct_run *r, const char *path)
{
    uint64_t size = file_size(path), trained = r->model->info.data_size;

    return *r->model->data_hash && (size == 0 || trained == 0 || size == trained);
}

/* A file that was counted, by its hash.  That of columns in memory is one of values, which no file has: where it differs
 * from the hash of a training file, they may be the people of that file all the same. */
static void note_training_file(const tct_run *r, tacit_audit *a, const char *hash)
{
    bool same = *hash && strcmp(hash, r->model->data_hash) == 0;

    a->quality->training_files += same;
    if (r->table && *hash && !same && tct_csv_bytes_total(r->csv) == 0 && r->model->info.data_size > 0)
        a->quality->other_forms++;
}

/* The file at hand has ended; `hash`: its own, empty when it was not needed. */
static void end_file(const tct_run *r, const char *hash, const tct_thread_buffers *buffers, size_t n_threads)
{
    for (size_t w = 0; w < n_threads && r->job->groupings; w++)
        tct_sorter_end_file(tct_worker_sorter(buffers[w].worker), *hash && strcmp(hash, r->model->data_hash) == 0);
}

/* Everybody in one file, from its beginning to its end. */
static tacit_status audit_file(tct_run *r, tacit_audit *a, const char *path, const tacit_csv_options *csv,
                               tct_thread_buffers *buffers, size_t n_threads, tacit_error *err)
{
    uint64_t people = count_people(buffers, n_threads);
    bool hashes = wants_hash(r) || r->seen || may_be_training_file(r, path);
    char hash[65] = "";
    tacit_status st = tct_csv_open(&r->csv, path, csv, err);

    if (!st)
        st = bind_file(r, err);
    if (!st && hashes)
        st = tct_csv_hash_start(r->csv, err);
    if (!st)
        st = tell_faults(r, buffers, n_threads, false, run_workers(r, buffers, n_threads, err), err);
    if (!st && hashes) {
        tct_csv_hash_finish(r->csv, hash);
        note_training_file(r, a, hash);
        st = check_part(r, tct_csv_path(r->csv), hash, err);
        if (!st)
            st = tct_refuse_seen(r, path, hash, err);
        if (!st && wants_hash(r))
            st = tct_audit_add_source(a, hash, NULL, count_people(buffers, n_threads) - people, err);
    }
    end_file(r, hash, buffers, n_threads);
    if (r->csv)
        r->bytes_before += tct_csv_bytes_done(r->csv);
    tct_csv_close(r->csv);
    r->csv = NULL;
    return st;
}

/* Which stretch of the file is whose. */
static tacit_status divide_file(tct_run *r, tacit_error *err)
{
    const tacit_team *team = r->team;
    tct_stretch mine, *all = tct_calloc(team->size, sizeof *all);
    tacit_status st = all ? tct_csv_look(r->csv, team->rank, team->size, &mine, err) : tct_fail_memory(err);

    st = tct_team_agree(team, st, err);
    if (!st)
        st = team->share(team->context, &mine, sizeof mine, all, err);
    if (!st)
        st = tct_csv_confine(r->csv, team->rank, team->size, all, err);
    r->bytes_total = st ? 0 : tct_csv_bytes_total(r->csv);
    tct_free(all);
    return st;
}

/* This member's share of the people in one file.  The hash of the file takes somebody who reads all of it. */
static tacit_status audit_stretch(tct_run *r, const char *path, const tacit_csv_options *csv, char hash[65],
                                  tct_thread_buffers *buffers, size_t n_threads, tacit_error *err)
{
    tacit_status st = tct_csv_open(&r->csv, path, csv, err);

    if (!st)
        st = bind_file(r, err);
    st = tct_team_agree(r->team, st, err);
    if (!st)
        st = divide_file(r, err);
    if (!st)
        st = run_workers(r, buffers, n_threads, err);
    st = tct_team_agree(r->team, st, err);
    if (!st || st == TACIT_E_INPUT)
        st = tell_faults(r, buffers, n_threads, true, st, err);
    if (!st && (wants_hash(r) || may_be_training_file(r, path)) && tct_team_leads(r->team))
        st = tct_csv_hash_file(r->csv, hash, err);
    tct_csv_close(r->csv);
    r->csv = NULL;
    return st;
}

/* The files of member `rank`: those that begin in its share of all bytes, so that they follow each other. */
static void deal_files(const char *const *paths, size_t n_paths, const tacit_team *team, size_t *from, size_t *to,
                       uint64_t *bytes)
{
    uint64_t total = 0, before = 0;
    size_t n = tct_team_size(team), rank = team ? team->rank : 0, owner = 0;

    bool known = true;

    *from = *to = 0;
    *bytes = 0;
    for (size_t i = 0; i < n_paths; i++) {
        total += file_size(paths[i]) + 1;
        known = known && file_size(paths[i]) > 0;
    }
    for (size_t i = 0; i < n_paths; i++) {
        uint64_t size = file_size(paths[i]) + 1;

        while (owner + 1 < n && before >= total / n * (owner + 1) + total % n * (owner + 1) / n)
            owner++;
        *from += owner < rank;
        *to += owner <= rank;
        *bytes += owner == rank && known ? size - 1 : 0;
        before += size;
    }
}

/* A file's name as the first cell of its rows. */
static tacit_status set_prefix(tct_run *r, const char *path, tacit_error *err)
{
    r->prefix.size = 0;
    tct_append_cell(&r->prefix, path);
    tct_text_append(&r->prefix, ",", 1);
    return r->prefix.failed ? tct_fail_memory(err) : TACIT_OK;
}

/* Whole files: all of them, or this member's. */
static tacit_status audit_own_files(tct_run *r, tacit_audit *a, const char *const *paths, size_t n_paths,
                                    const tacit_csv_options *csv, tct_thread_buffers *buffers, size_t n_threads,
                                    tacit_error *err)
{
    size_t from, to;
    tacit_status st = TACIT_OK;

    if (n_paths > 1 && r->options->part != TACIT_PART_ALL)
        return tct_fail(err, TACIT_E_USAGE, "a held-out or training part is one of a single file, the training file");
    deal_files(paths, n_paths, r->team, &from, &to, &r->bytes_total);
    for (size_t i = from; i < to && !st; i++) {
        if (n_paths > 1)
            st = set_prefix(r, paths[i], err);
        if (!st)
            st = audit_file(r, a, paths[i], csv, buffers, n_threads, err);
    }
    return st;
}

/* ---------------------------------------------------------------- the team's results */

static tacit_status take_part(void *context, const char *text, size_t size, tacit_error *err)
{
    tacit_audit *into = context, *from = NULL;
    tacit_status st = tct_partial_read(&from, text, size, "the count of another process", err);

    if (!st)
        st = tct_audit_absorb(into, from, err);
    tacit_audit_free(from);
    return st;
}

/* Counts and rows of all members to member 0. */
static tacit_status bring_together(tct_run *r, tacit_audit *a, tacit_error *err)
{
    tct_text part = {0};
    tacit_status st = TACIT_OK;

    if (tct_team_size(r->team) == 1)
        return TACIT_OK;
    if (!tct_team_leads(r->team))
        st = tct_partial_write(&part, a, NULL, err);
    st = tct_team_agree(r->team, st, err);
    if (!st)
        st = tct_team_agree(r->team, tct_team_texts(r->team, &part, take_part, a, err), err);
    if (!st && r->job->want_rows)
        st = tct_team_unspool(r->team, r->spool, r->rows_file, err);
    if (part.bytes)
        tct_wipe(part.bytes, part.room);
    tct_text_free(&part);
    return st;
}

/* ---------------------------------------------------------------- running */

static tacit_status open_rows(tct_run *r, bool named, tacit_error *err)
{
    tct_text header = {0};
    tacit_status st;

    if (!r->job->want_rows)
        return TACIT_OK;
    if (!tct_team_leads(r->team))
        return tct_spool_new(&r->spool, r->options->rows_path, err);
    tct_text_printf(&header, "%s%s", named ? "file," : "", tct_rows_header);
    for (size_t g = 0; r->job->groupings && g < r->job->groupings->n; g++) {
        tct_text cell = {0};

        tct_text_printf(&cell, "group:%s", r->job->groupings->list[g].name);
        tct_text_append(&header, ",", 1);
        tct_append_cell(&header, cell.bytes ? cell.bytes : "");
        header.failed = header.failed || cell.failed;
        tct_text_free(&cell);
    }
    tct_text_append(&header, "\n", 1);
    st = header.failed ? tct_fail_memory(err) : TACIT_OK;
    if (!st && r->options->keep_rows)
        tct_text_append(&r->rows_text, header.bytes, header.size);
    else if (!st)
        st = tct_file_create(&r->rows_file, r->options->rows_path, err);
    if (!st && r->rows_file)
        st = tct_file_append(r->rows_file, header.bytes, header.size, err);
    tct_text_free(&header);
    return st;
}

/* Job, workers, rows, an empty count. */
static tacit_status prepare(tct_run *r, tct_job **job, tacit_audit **a, tct_thread_buffers *buffers, size_t n_threads,
                            bool named, tacit_error *err)
{
    tacit_status st = tct_job_new(job, r->model, r->options, err);

    if (st)
        return st;
    (*job)->tick = tct_run_tick;
    (*job)->tick_context = r;
    (*job)->people = &r->people;
    (*job)->row_prefix = &r->prefix;
    r->job = *job;
    st = begin_audit(a, r, err);
    if (!st)
        (*job)->groupings = (*a)->groupings;
    for (size_t i = 0; i < n_threads && !st; i++) {
        st = tct_worker_new(&buffers[i].worker, *job, err);
        if (!st)
            st = tct_faults_new(&buffers[i].faults, r->model->schema->n_attributes,
                                (*job)->groupings ? (*job)->groupings->n_dimensions : 0, err);
    }
    return st ? st : open_rows(r, named, err);
}

/* Where the people are. */
typedef struct input {
    const char *const *paths; /* NULL: the table of the tct_run */
    size_t n_paths;
    const tacit_csv_options *csv;
} input;

static tacit_status audit_input(tct_run *r, tacit_audit *a, const input *c, tct_thread_buffers *buffers,
                                size_t n_threads, tacit_error *err)
{
    char hash[65] = "";
    bool stretched = !r->table && c->n_paths == 1 && tct_team_size(r->team) > 1;
    tacit_status st;

    if (r->table) {
        st = bind_file(r, err);
        if (!st)
            st = check_part(r, tct_csv_path(r->csv), r->table->hash, err);
        if (!st)
            st = tell_faults(r, buffers, n_threads, false, run_workers(r, buffers, n_threads, err), err);
        note_training_file(r, a, r->table->hash);
        end_file(r, r->table->hash, buffers, n_threads);
        if (!st)
            st = tct_audit_add_source(a, r->table->hash, NULL, count_people(buffers, n_threads), err);
    } else if (stretched) {
        st = audit_stretch(r, c->paths[0], c->csv, hash, buffers, n_threads, err);
        end_file(r, r->model->data_hash, buffers, n_threads); /* as if it were the training file: see below */
    } else {
        st = audit_own_files(r, a, c->paths, c->n_paths, c->csv, buffers, n_threads, err);
    }
    st = tct_team_agree(r->team, st, err);
    if (!st && *hash)
        st = check_part(r, c->paths[0], hash, err);
    if (!st)
        st = add_counts(a, buffers, n_threads, err);
    st = tct_team_agree(r->team, st, err);
    if (!st)
        st = bring_together(r, a, err);
    note_training_file(r, a, hash);
    if (stretched && a->sorter && strcmp(hash, r->model->data_hash) != 0)
        tct_sorter_forget_held(a->sorter);
    if (!st && !r->table && a->census->skipped > c->csv->skip_bad)
        st = tct_fail(err, TACIT_E_INPUT, "%llu bad rows, %zu may be left out (--skip-bad-rows)",
                      (unsigned long long)a->census->skipped, c->csv->skip_bad);
    if (!st && *hash && wants_hash(r))
        st = tct_audit_add_source(a, hash, NULL, a->census->people, err);
    return st;
}

/* What was kept of each person, and their rows, become the audit's. */
static tacit_status hand_over_people(tct_run *r, tacit_audit *a, tacit_error *err)
{
    if (r->rows_text.failed)
        return tct_fail_memory(err);
    a->rows = r->rows_text;
    r->rows_text = (tct_text){0};
    return r->options->keep_people ? tct_person_list_join(&a->people, &r->kept, r->job, err) : TACIT_OK;
}

static tacit_status audit_run(tacit_audit **out, tct_run *r, const input *c, tacit_error *err)
{
    size_t n_threads = tacit_threads(r->options->threads);
    tct_thread_buffers *buffers = tct_calloc(n_threads, sizeof *buffers);
    const char *name = r->table ? tct_csv_path(r->csv) : c->n_paths > 1 ? NULL : c->paths[0];
    tacit_audit *a = NULL;
    tct_job *job = NULL;
    tacit_error error = {0};
    tacit_status st;

    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->turned, NULL);
    st = buffers ? prepare(r, &job, &a, buffers, n_threads, c->n_paths > 1, &error) : tct_fail_memory(&error);
    st = tct_team_agree(r->team, st, &error);
    if (!st)
        st = audit_input(r, a, c, buffers, n_threads, &error);
    if (!st && tct_team_leads(r->team))
        st = tct_audit_finish(a, name && strcmp(name, "-") == 0 ? "standard input" : name, &error);
    if (!st && r->rows_file && tacit_audit_summary_get(a)->people >= r->options->rows_least) {
        st = tct_file_commit(r->rows_file, &error);
        r->rows_file = NULL;
    }
    if (!st)
        st = hand_over_people(r, a, &error);
    st = tct_team_agree(r->team, st, &error);
    if (st && err)
        *err = error;
    if (!st && tct_team_leads(r->team)) {
        *out = a;
        a = NULL;
    }
    for (size_t i = 0; buffers && i < n_threads; i++) {
        tct_worker_free(buffers[i].worker);
        tct_thread_buffers_clear(&buffers[i], r->model);
    }
    tct_free(buffers);
    tct_file_abandon(r->rows_file);
    tct_spool_free(r->spool);
    tct_person_list_clear(&r->kept);
    if (r->rows_text.bytes)
        tct_wipe(r->rows_text.bytes, r->rows_text.room);
    tct_text_free(&r->rows_text);
    tct_text_free(&r->prefix);
    tct_free(r->group_columns);
    tct_binding_free(r->binding);
    tct_job_free(job);
    tacit_audit_free(a);
    pthread_cond_destroy(&r->turned);
    pthread_mutex_destroy(&r->lock);
    return st;
}

tacit_status tacit_audit_csv(tacit_audit **out, const tacit_model *model, const char *path,
                             const tacit_csv_options *csv, const tacit_audit_options *options, tacit_error *err)
{
    return tacit_audit_files(out, model, &path, 1, csv, options, err);
}

/* The caller's options, checked as far as people need not be known for it. */
static tacit_status take_options(tacit_audit_options *own, const tacit_audit_options *options, tacit_error *err)
{
    tacit_status st = TCT_OPTIONS_TAKE(own, tacit_audit_options, rows_least, options, err);

    if (!st && !options)
        return tct_fail(err, TACIT_E_USAGE, "an audit needs at least one delta");
    if (!st && (own->keep_people || own->keep_rows) && tct_team_size(own->team) > 1)
        return tct_fail(err, TACIT_E_USAGE, "several processes do not keep people or rows: write rows to a file");
    if (!st && own->keep_rows && own->rows_path)
        return tct_fail(err, TACIT_E_USAGE, "rows are either kept or written to a file");
    return st;
}

tacit_status tacit_audit_files(tacit_audit **out, const tacit_model *model, const char *const *paths, size_t n_paths,
                               const tacit_csv_options *csv, const tacit_audit_options *options, tacit_error *err)
{
    tacit_audit_options own;
    tacit_csv_options reading;
    tct_run r = {.model = model, .options = &own};
    input c = {.paths = paths, .n_paths = n_paths, .csv = &reading};
    tacit_status st = take_options(&own, options, err);

    *out = NULL;
    if (!st)
        st = TCT_OPTIONS_TAKE(&reading, tacit_csv_options, defer_bad, csv, err);
    if (st)
        return st;
    r.team = own.team;
    tacit_schema_csv(model->schema, &reading); /* as the training file was read */
    if (n_paths == 0)
        return tct_fail(err, TACIT_E_USAGE, "an audit needs a file");
    for (size_t i = 0; i < n_paths; i++)
        if (strcmp(paths[i], "-") == 0 && (n_paths > 1 || tct_team_size(r.team) > 1))
            return tct_fail(err, TACIT_E_USAGE,
                            "standard input cannot be one of several files, nor be read by several "
                            "processes");
    st = tct_refuse_same_files(paths, n_paths, &r.seen, err);
    if (!st)
        st = audit_run(out, &r, &c, err);
    tct_free(r.seen);
    return st;
}

tacit_status tacit_audit_table(tacit_audit **out, const tacit_model *model, const tacit_table *table,
                               const tacit_audit_options *options, tacit_error *err)
{
    tacit_audit_options own;
    tct_run r = {.model = model, .options = &own, .csv = table->csv, .table = table};
    input c = {0};
    tacit_status st = take_options(&own, options, err);

    *out = NULL;
    return st ? st : audit_run(out, &r, &c, err);
}

/*
 * Blocks of people: taken in the order of the file, encoded, counted, their rows written in the order of the file.
 *
 * A worker whose rows are ready waits for its turn.  Once something is wrong with a row nobody is counted any more, but
 * the file is read to its end, so that all that is wrong can be told at once; blocks that are right pass quickly.
 */
#include <string.h>

#include "audit_run.h"
#include "touched.h"

void tct_thread_buffers_clear(tct_thread_buffers *d, const tacit_model *model)
{
    tct_free_wiped(d->x, d->room * model->codec->n_inputs * sizeof *d->x);
    tct_free_wiped(d->labels, d->room * sizeof *d->labels);
    tct_free_wiped(d->had, d->room);
    tct_touched_free(d->touched);
    tct_free_wiped(d->groups, d->room * d->n_groupings * sizeof *d->groups);
    tct_free(d->rows);
    tct_free_wiped(d->cells, d->cells_room * sizeof *d->cells);
    tct_block_clear(&d->block);
    if (d->rows_out.bytes)
        tct_wipe(d->rows_out.bytes, d->rows_out.room);
    tct_text_free(&d->rows_out);
    tct_faults_free(d->faults);
}

static tacit_status make_room(tct_thread_buffers *d, const tct_run *r, size_t people, tacit_error *err)
{
    const tacit_model *model = r->model;

    if (people <= d->room)
        return TACIT_OK;
    tct_free_wiped(d->x, d->room * model->codec->n_inputs * sizeof *d->x);
    tct_free_wiped(d->labels, d->room * sizeof *d->labels);
    tct_free_wiped(d->had, d->room);
    tct_free_wiped(d->groups, d->room * d->n_groupings * sizeof *d->groups);
    tct_free(d->rows);
    people += people / 4;
    d->room = people;
    d->x = tct_malloc(people * model->codec->n_inputs, sizeof *d->x);
    d->labels = tct_malloc(people, sizeof *d->labels);
    d->had = tct_malloc(people, 1);
    d->n_groupings = r->job->groupings ? r->job->groupings->n : 0;
    d->groups = tct_malloc(people * d->n_groupings + 1, sizeof *d->groups);
    d->rows = tct_malloc(people, sizeof *d->rows);
    return d->x && d->labels && d->had && d->groups && d->rows ? TACIT_OK : tct_fail_memory(err);
}

/* Keep the error of the earliest block, and let everybody stop. */
static void report_error(tct_run *r, uint64_t sequence, tacit_status status, const tacit_error *error)
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

static bool in_part(const tct_run *r, uint64_t row)
{
    bool held_out = r->options->part == TACIT_PART_HELD_OUT;

    return r->options->part == TACIT_PART_ALL ||
           tct_held_out(r->model->info.seed, r->model->info.test_share, row) == held_out;
}

static bool needs_numbers(const tct_run *r)
{
    return r->job->want_rows || r->options->keep_people || r->job->opt_share < 1 || r->job->opt_sampled;
}

/* The rows of a block that are in the part asked for, as a block of their own that shares its bytes. */
static tacit_status select_part(const tct_run *r, tct_thread_buffers *d, const tct_block *block, tct_block *out,
                                tacit_error *err)
{
    size_t columns = tct_csv_columns(r->csv), kept = 0;

    *out = *block;
    if (r->options->part == TACIT_PART_ALL) {
        for (size_t i = 0; needs_numbers(r) && i < block->n_rows; i++)
            d->rows[i] = tct_block_row(block, i);
        return TACIT_OK;
    }
    out->rows = d->rows;
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
        if (in_part(r, tct_block_row(block, i))) {
            memcpy(d->cells + kept * columns, block->cells + i * columns, columns * sizeof *d->cells);
            d->rows[kept++] = tct_block_row(block, i);
        }
    out->cells = d->cells;
    out->n_rows = kept;
    return TACIT_OK;
}

/* The value of one dimension in a cell.  Only a column that is sorted into bins can have a wrong one. */
static tacit_status find_value(const tct_run *r, tct_thread_buffers *d, size_t dimension, const tct_datum *cell,
                               uint32_t *value, tacit_error *err)
{
    const tct_dimension *by = &r->job->groupings->dimensions[dimension];
    bool missing = tct_datum_missing(r->csv, cell);
    char buffer[TCT_DATUM_ROOM];
    const char *bytes;
    double number;
    size_t size;

    if (!by->binned) {
        tacit_status st;

        tct_datum_text(cell, 0, buffer, &bytes, &size);
        st = tct_sorter_value(tct_worker_sorter(d->worker), dimension, missing ? TCT_MISSING_GROUP : bytes,
                              missing ? sizeof TCT_MISSING_GROUP - 1 : size, value, err);
        tct_wipe(buffer, sizeof buffer);
        return st;
    }
    if (!missing && !(cell->holds == TCT_TEXT ? tct_parse_number(cell->bytes, cell->size, &number)
                                              : tct_datum_number(r->csv, cell, &number))) {
        *value = UINT32_MAX;
        return TACIT_E_INPUT;
    }
    *value = (uint32_t)(missing ? by->n_edges + 1 : tct_dimension_bin(by, number));
    return TACIT_OK;
}

/* Is this row held out of its file, if that is the training file?  What is published of all rows must be safe beside
 * what is published of these. */
static bool may_be_held_out(const tct_run *r, uint64_t row)
{
    return r->options->part == TACIT_PART_ALL && tct_held_out(r->model->info.seed, r->model->info.test_share, row);
}

/* The groups of everybody in a block; rows without a number where there must be one are faults. */
static tacit_status find_groups(const tct_run *r, tct_thread_buffers *d, const tct_block *block, bool *faulty,
                                tacit_error *err)
{
    const tct_groupings *groupings = r->job->groupings;
    uint32_t values[TCT_MAX_DIMENSIONS];
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < block->n_rows && !st; i++) {
        bool good = true;

        for (size_t k = 0; k < groupings->n_dimensions && !st; k++) {
            tct_datum cell = tct_datum_at(r->csv, block, i, r->group_columns[k]);

            st = find_value(r, d, k, &cell, &values[k], err);
            if (st == TACIT_E_INPUT) { /* no number */
                tct_faults_other(d->faults, k, tct_block_row(block, i));
                good = false;
                st = TACIT_OK;
            }
        }
        *faulty = *faulty || !good;
        if (!st && good)
            st = tct_sorter_person(tct_worker_sorter(d->worker), values, may_be_held_out(r, tct_block_row(block, i)),
                                   d->groups + i * groupings->n, err);
    }
    tct_wipe(values, sizeof values);
    return st;
}

static bool is_faulty(tct_run *r, bool now)
{
    bool faulty;

    pthread_mutex_lock(&r->lock);
    faulty = r->faulty = r->faulty || now;
    pthread_mutex_unlock(&r->lock);
    return faulty;
}

/* The block's people in the part asked for, encoded and in their groups; *faulty: not all of them, or some before. */
static tacit_status encode_part(tct_run *r, tct_thread_buffers *d, const tct_block *block, tct_block *part,
                                bool *faulty, tacit_error *err)
{
    tct_encode_detail detail = {.by_attribute = tct_worker_quality(d->worker)->cells};
    tct_encode_counts *counts = &tct_worker_census(d->worker)->cells;
    tacit_status st = make_room(d, r, block->n_rows, err);
    bool bad = false;

    if (!st)
        st = select_part(r, d, block, part, err);
    if (st)
        return st;
    detail.rows = d->had;
    st = tct_encode_block_detail(r->binding, part, d->x, r->has_labels ? d->labels : NULL, counts, &detail, err);
    if (st == TACIT_E_INPUT) {
        tct_faults_block(d->faults, r->binding, part, r->has_labels);
        bad = true;
        st = TACIT_OK;
    }
    if (!st && r->job->groupings)
        st = find_groups(r, d, part, &bad, err);
    *faulty = is_faulty(r, bad);
    return st;
}

/* Split, without the bad rows: these are left out by choice, or they are faults. */
static tacit_status split_block(tct_run *r, tct_thread_buffers *d, tacit_error *err)
{
    size_t before = d->block.n_rows;
    tacit_error bad;
    tacit_status st = tct_csv_split_good(r->csv, &d->block, &bad, err);

    if (!st && bad.status) {
        tct_faults_records(d->faults, &bad, before - d->block.n_rows);
        is_faulty(r, true);
    }
    if (!st)
        st = tct_binding_skip_bad(r->binding, &d->block, err);
    if (!st)
        tct_worker_census(d->worker)->skipped += before - d->block.n_rows;
    return st;
}

/* The next block to work on, split; NULL at the end. */
static tacit_status take_block(tct_run *r, tct_thread_buffers *d, const tct_block **out, uint64_t *sequence,
                               tacit_error *err)
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
    st = split_block(r, d, err);
    *out = &d->block;
    return st;
}

static tacit_status count_block(tct_run *r, tct_thread_buffers *d, const tct_block *block, tacit_error *err)
{
    const int32_t *labels;
    tct_quality *q = tct_worker_quality(d->worker);
    uint64_t mistakes = tct_touched_mistakes(r, d);
    tct_block part;
    bool faulty;
    tacit_status st;

    if (block->n_rows == 0)
        return TACIT_OK; /* all of it was bad */
    st = encode_part(r, d, block, &part, &faulty, err);
    if (st || faulty)
        return st;
    labels = r->has_labels ? d->labels : NULL;
    st = r->options->keep_people ? tct_keeper_begin(tct_worker_keeper(d->worker), part.n_rows, d->rows, err) : TACIT_OK;
    if (st)
        return st;
    st = tct_worker_count(d->worker, d->x, part.n_rows, labels, r->job->groupings ? d->groups : NULL, d->rows,
                          &d->rows_out, err);
    if (st)
        return st;
    if (!tct_quality_rows(q, d->had, tct_worker_decided(d->worker), labels, part.n_rows))
        return TACIT_OK;
    return tct_touched_block(r, d, &part, tct_touched_mistakes(r, d) == mistakes, err);
}

/* Tell about progress; with the lock held. */
static tacit_status tell_progress(tct_run *r, tacit_error *err)
{
    uint64_t done = r->table ? r->done : r->bytes_before + tct_csv_bytes_done(r->csv);
    uint64_t total = r->table ? r->table->n_rows : r->bytes_total;

    if (r->options->progress && !r->options->progress(r->options->progress_context, done, total))
        return tct_fail(err, TACIT_E_STOPPED, "stopped");
    return TACIT_OK;
}

/* Called by the workers now and then: a block may take long. */
tacit_status tct_run_tick(void *context, tacit_error *err)
{
    tct_run *r = context;
    tacit_status st;

    pthread_mutex_lock(&r->lock);
    st = r->stop ? tct_fail(err, TACIT_E_STOPPED, "stopped") : tell_progress(r, err);
    pthread_mutex_unlock(&r->lock);
    return st;
}

static tacit_status write_rows(tct_run *r, const tct_text *rows, tacit_error *err)
{
    tacit_status st = r->spool       ? tct_spool_append(r->spool, rows->bytes, rows->size, err)
                      : r->rows_file ? tct_file_append(r->rows_file, rows->bytes, rows->size, err)
                                     : TACIT_OK;

    if (!st && r->options->keep_rows)
        tct_text_append(&r->rows_text, rows->bytes, rows->size);
    return st;
}

/* Write the block's rows when it is its turn, tell about progress. */
static tacit_status finish_block(tct_run *r, tct_thread_buffers *d, uint64_t sequence, size_t n_rows, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    pthread_mutex_lock(&r->lock);
    while (r->job->want_rows && r->turn != sequence && !r->stop)
        pthread_cond_wait(&r->turned, &r->lock);
    if (!r->stop) {
        if (r->job->want_rows && d->rows_out.size)
            st = write_rows(r, &d->rows_out, err);
        if (!st && r->options->keep_people)
            st = tct_person_list_add(&r->kept, tct_worker_keeper(d->worker), r->file, sequence, err);
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

static bool stopped(tct_run *r)
{
    bool stop;

    pthread_mutex_lock(&r->lock);
    stop = r->stop;
    pthread_mutex_unlock(&r->lock);
    return stop;
}

void tct_thread_buffers_work(tct_run *r, tct_thread_buffers *d)
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

/*
 * table.c -- a whole CSV file in memory: its blocks, split by all threads, kept in order.
 *
 * Threads take blocks in the order of the file, so when one finds an error, every earlier block is already in some
 * thread's hands: the error of the earliest block wins, whatever the threads did.
 */
#include <string.h>

#include "csv_inside.h"
#include "habits.h"

/* What the threads share. */
typedef struct reading {
    tacit_table *table;
    size_t room;
    bool stop;
    uint64_t failed_at; /* sequence of the earliest block with an error */
    tacit_status status;
    tacit_error error;
    uint64_t bad_at; /* sequence of the earliest block with such */
    tacit_error bad; /* its first; its status is TACIT_OK if there is none */
} reading;

static void note_failure(reading *all, tacit_status st, uint64_t sequence, const tacit_error *error)
{
    all->stop = true;
    if (!all->status || sequence < all->failed_at) {
        all->status = st;
        all->failed_at = sequence;
        all->error = *error;
    }
}

static void note_bad(reading *all, uint64_t sequence, const tacit_error *bad)
{
    if (!all->bad.status || sequence < all->bad_at) {
        all->bad = *bad;
        all->bad_at = sequence;
    }
}

/* The block becomes the table's. */
static tacit_status keep_block(reading *all, tct_block *block, tacit_error *err)
{
    tacit_table *table = all->table;

    if (block->sequence >= all->room) {
        size_t room = 2 * (size_t)block->sequence + 16;
        tct_block *larger = tct_realloc(table->blocks, room, sizeof(*larger));

        if (!larger)
            return tct_fail_memory(err);
        memset(larger + all->room, 0, (room - all->room) * sizeof(*larger));
        table->blocks = larger;
        all->room = room;
    }
    if (table->n_blocks <= block->sequence)
        table->n_blocks = (size_t)block->sequence + 1;
    table->n_rows += block->n_rows;
    table->blocks[block->sequence] = *block;
    memset(block, 0, sizeof(*block));
    return TACIT_OK;
}

/* One thread: blocks until there are no more. */
static void read_blocks(reading *all)
{
    for (bool more = true; more;) {
        tct_block block = {0};
        tacit_error error = {0}, bad = {0};
        tacit_status st = tct_csv_next(all->table->csv, &block, &error);

        more = !st && block.n_rows > 0;
        if (more)
            st = all->table->defer ? tct_csv_split_good(all->table->csv, &block, &bad, &error)
                                   : tct_csv_split(all->table->csv, &block, &error);
        if (more && !st)
            tct_habits_note(all->table, &block);
#pragma omp critical(tct_table)
        {
            if (bad.status)
                note_bad(all, block.sequence, &bad);
            if (!st && more)
                st = keep_block(all, &block, &error);
            if (st)
                note_failure(all, st, block.sequence, &error);
            more = more && !all->stop;
        }
        tct_block_clear(&block);
    }
}

/* The file cannot be read to its end: why, and bad rows before. */
static tacit_status fail_reading(const reading *all, tacit_error *err)
{
    const tct_csv *csv = all->table->csv;
    tacit_error problems[2];

    if (all->bad.status && all->status == TACIT_E_INPUT) {
        tct_csv_fail_bad(csv->path, &all->bad, csv->bad, &problems[0]);
        problems[1] = all->error;
        return tct_fail_list(err, csv->path, problems, 2);
    }
    if (err)
        *err = all->error;
    return all->status;
}

/* An error for now, or for whoever uses the table. */
static tacit_status put_off(tacit_table *table, const tacit_error *problem, tacit_error *err)
{
    if (!table->defer) {
        if (err)
            *err = *problem;
        return problem->status;
    }
    if (!table->problem)
        table->problem = tct_malloc(1, sizeof(*table->problem));
    if (!table->problem)
        return tct_fail_memory(err);
    *table->problem = *problem;
    return TACIT_OK;
}

tacit_status tct_table_check_bad(tacit_table *table, tacit_error *err)
{
    tacit_error bad = {0};

    return tct_csv_check_bad(table->csv, table->csv->bad, &bad) ? put_off(table, &bad, err) : TACIT_OK;
}

/* Bad rows, of which not all may be left out. */
static tacit_status check_bad(const reading *all, tacit_error *err)
{
    tacit_error bad;

    if (!all->bad.status)
        return tct_table_check_bad(all->table, err);
    tct_csv_fail_bad(all->table->csv->path, &all->bad, all->table->csv->bad, &bad);
    return put_off(all->table, &bad, err);
}

/* All blocks, what the file is like, and what of it may be left out. */
static tacit_status read_table(reading *all, const tct_csv_from *from, const tacit_csv_options *options, size_t threads,
                               tacit_error *err)
{
    tacit_table *table = all->table;
    int n_threads = (int)tacit_threads(threads < 256 ? threads : 256);
    tacit_status st = tct_csv_open_from(&table->csv, from, options, err);

    if (!st)
        st = tct_csv_hash_start(table->csv, err);
    if (!st)
        st = tct_habits_begin(table, options, err);
    if (st)
        return st;
#pragma omp parallel num_threads(n_threads)
    read_blocks(all);
    if (all->status)
        return fail_reading(all, err);
    if (table->n_rows == 0 && all->bad.status)
        return tct_fail_list(err, from->name, &all->bad, 1);
    if (table->n_rows == 0)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(table->csv), 0, NULL,
                           table->csv->bad ? "all rows are bad" : "no data rows");
    for (size_t b = 0; b < table->n_blocks; b++)
        if (table->blocks[b].n_rows > 0)
            table->last_row = (size_t)tct_block_row(&table->blocks[b], table->blocks[b].n_rows - 1);
    st = check_bad(all, err);
    if (!st)
        st = tct_habits_find(table, err);
    if (!st)
        tct_csv_hash_finish(table->csv, table->hash);
    return st;
}

static tacit_status make_table(tacit_table **out, const tct_csv_from *from, const tacit_csv_options *options,
                               size_t threads, tacit_error *err)
{
    reading all = {0};
    tacit_csv_options own;
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_csv_options, defer_bad, options, err);

    *out = NULL;
    if (st)
        return st;
    all.table = tct_calloc(1, sizeof(tacit_table));
    if (!all.table)
        return tct_fail_memory(err);
    all.table->defer = own.defer_bad;
    st = read_table(&all, from, &own, threads, err);
    if (st)
        tacit_table_free(all.table);
    else
        *out = all.table;
    return st;
}

tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *options, size_t threads,
                              tacit_error *err)
{
    tct_csv_from from = {.name = path};

    return make_table(out, &from, options, threads, err);
}

tacit_status tacit_table_parse(tacit_table **out, const char *name, const void *bytes, size_t size,
                               const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    tct_csv_from from = {.name = name ? name : "table", .bytes = bytes ? bytes : "", .size = bytes ? size : 0};

    return make_table(out, &from, options, threads, err);
}

void tacit_table_free(tacit_table *table)
{
    if (!table)
        return;
    tct_free(table->problem);
    tct_free(table->marked);
    for (size_t i = 0; i < table->n_blocks; i++)
        tct_block_clear(&table->blocks[i]);
    tct_free(table->blocks);
    tct_csv_close(table->csv);
    tct_free(table);
}

size_t tacit_table_rows(const tacit_table *table)
{
    return table->n_rows;
}

size_t tacit_table_columns(const tacit_table *table)
{
    return tct_csv_columns(table->csv);
}

const char *tacit_table_column_name(const tacit_table *table, size_t column)
{
    return tct_csv_column(table->csv, column);
}

const char *tacit_table_hash(const tacit_table *table)
{
    return table->hash;
}

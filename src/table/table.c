/*
 * table.c -- a whole CSV file in memory: its blocks, split by all threads, kept in order.
 *
 * Threads take blocks in the order of the file, so when one finds an error, every earlier block is already in some
 * thread's hands: the error of the earliest block wins, whatever the threads did.
 */
#include <omp.h>
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
        tacit_error error = {0};
        tacit_status st = tct_csv_next(all->table->csv, &block, &error);

        more = !st && block.n_rows > 0;
        if (more)
            st = tct_csv_split(all->table->csv, &block, &error);
#pragma omp critical(tct_table)
        {
            if (!st && more)
                st = keep_block(all, &block, &error);
            if (st)
                note_failure(all, st, block.sequence, &error);
            more = more && !all->stop;
        }
        tct_block_clear(&block);
    }
}

/* All blocks, what the file is like, and what of it may be left out. */
static tacit_status read_table(tacit_table **out, const char *path, const tacit_csv_options *opt, size_t threads,
                               tacit_error *err)
{
    reading all = {0};
    tacit_table *table = tct_calloc(1, sizeof(*table));
    int n_threads = threads == 0 ? omp_get_max_threads() : threads < 256 ? (int)threads : 256;
    tacit_status st;

    *out = NULL;
    if (!table)
        return tct_fail_memory(err);
    st = tct_csv_open(&table->csv, path, opt, err);
    if (!st)
        st = tct_csv_hash_start(table->csv, err);
    if (st)
        goto done;
    all.table = table;
#pragma omp parallel num_threads(n_threads)
    read_blocks(&all);
    st = all.status;
    if (st) {
        if (err)
            *err = all.error;
        goto done;
    }
    if (table->n_rows == 0) {
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(table->csv), 0, NULL,
                         table->csv->bad ? "all rows are bad" : "no data rows");
        goto done;
    }
    for (size_t b = 0; b < table->n_blocks; b++)
        if (table->blocks[b].n_rows > 0)
            table->last_row = (size_t)tct_block_row(&table->blocks[b], table->blocks[b].n_rows - 1);
    if ((st = tct_csv_check_bad(table->csv, table->csv->bad, err)) || (st = tct_habits_find(table, opt, err)))
        goto done;
    tct_csv_hash_finish(table->csv, table->hash);
    *out = table;
    table = NULL;
done:
    tacit_table_free(table);
    return st;
}

/* The file has a bad row that may not be left out.  Read what else there is, so that all problems can be told at once;
 * nothing more is tried where that does not work. */
static tacit_status read_in_spite(tacit_table **out, const char *path, const tacit_csv_options *opt, size_t threads,
                                  const tacit_error *first, tacit_error *err)
{
    tacit_csv_options all = *opt;
    tacit_table *table = NULL;

    all.skip_bad = SIZE_MAX;
    if (read_table(&table, path, &all, threads, NULL))
        return first->status;
    table->problem = tct_malloc(1, sizeof(*table->problem));
    if (!table->problem) {
        tacit_table_free(table);
        return tct_fail_memory(err);
    }
    *table->problem = *first;
    table->csv->skip_bad = opt->skip_bad;
    if (table->csv->bad > 1)
        tct_fail_at(table->problem, TACIT_E_INPUT, path, (size_t)table->csv->first_bad, NULL,
                    "the first of %llu bad rows (wrong number of cells, misplaced quotes); --skip-bad-rows leaves them "
                    "out",
                    (unsigned long long)table->csv->bad);
    *out = table;
    return TACIT_OK;
}

tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *opt, size_t threads,
                              tacit_error *err)
{
    tacit_error first = {0};
    tacit_status st = read_table(out, path, opt, threads, &first);

    if (st == TACIT_E_INPUT && opt && opt->defer_bad && first.row > 0 && strcmp(path, "-") != 0)
        st = read_in_spite(out, path, opt, threads, &first, &first);
    if (st && err)
        *err = first;
    return st;
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

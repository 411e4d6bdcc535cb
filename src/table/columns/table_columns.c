/*
 * table_columns.c -- blocks of cells from columns in memory, by all threads.
 *
 * Its texts lie in its bytes, as in a block that was read from a file, so all that works on blocks works on these; numbers
 * are cells themselves (csv.h).  How many rows a block has hangs on how many there are, and on nothing else.
 *
 * The hash of the table is that of what its columns are and of the hashes of its blocks, so that threads share the work.
 */
#include "table_columns.h"

#include <string.h>

#include "csv_inside.h"
#include "habits.h"
#include "lookup.h"
#include "names.h"
#include "table_fill.h"

/* Rows of a block: the more, the less an audit's work that is done once a block weighs; but threads share blocks, so that
 * small tables, whose people may take long to decide, have small ones. */
enum { FEWEST_ROWS = 256, MOST_ROWS = 8192, BLOCKS = 128 };

/* What the threads share. */
typedef struct building {
    tacit_table *table;
    const tct_columns *columns;
    size_t *starts;  /* per chunk: its first row; n_chunks + 1 */
    double *markers; /* numbers that mean "missing" */
    size_t n_markers;
    size_t block_rows;
    char (*hashes)[65]; /* per block */
} building;

/* ---- columns ---- */

static tacit_status name_columns(tct_csv *csv, const tct_columns *columns, tacit_error *err)
{
    tct_lookup seen = {0};
    tacit_status st = TACIT_OK;

    csv->n_columns = columns->n_columns;
    csv->columns = tct_calloc(csv->n_columns, sizeof(*csv->columns));
    csv->renamed = tct_calloc(csv->n_columns, sizeof(*csv->renamed));
    csv->holds = tct_calloc(csv->n_columns, sizeof(*csv->holds));
    if (!csv->columns || !csv->renamed || !csv->holds)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < csv->n_columns; i++) {
        const char *name = columns->names[i] ? columns->names[i] : "";
        const char *problem = *name ? tct_name_problem(name, strlen(name), SIZE_MAX) : NULL;

        st = problem ? tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "the name of column %zu %s", i + 1, problem)
                     : tct_csv_name_column(csv, i, name, strlen(name), &seen, err);
    }
    tct_lookup_clear(&seen);
    return st;
}

/* What the cells of each column hold. */
static void find_kinds(tct_csv *csv, const tct_columns *columns)
{
    for (size_t i = 0; i < csv->n_columns; i++) {
        bool beyond = false;

        for (size_t c = 0; c < columns->n_chunks && !beyond; c++)
            beyond = tct_vector_beyond(&columns->chunks[c].vectors[i]);
        csv->holds[i] =
            (unsigned char)(columns->n_chunks ? tct_vector_holds(&columns->chunks[0].vectors[i], beyond) : TCT_TEXT);
    }
}

/* Markers like 999 mean "missing" for numbers too. */
static tacit_status find_markers(building *b, tacit_error *err)
{
    const tct_names *missing = &b->table->csv->missing;

    b->markers = tct_calloc(missing->count + 1, sizeof(*b->markers));
    if (!b->markers)
        return tct_fail_memory(err);
    for (size_t i = 0; i < missing->count; i++)
        b->n_markers += tct_parse_number(missing->items[i], strlen(missing->items[i]), &b->markers[b->n_markers]);
    return TACIT_OK;
}

/* ---- blocks ---- */

/* The chunk that a row is in. */
static size_t find_chunk(const building *b, size_t row)
{
    size_t low = 0, high = b->columns->n_chunks;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        *(b->starts[middle] <= row ? &low : &high) = middle;
    }
    return low;
}

static tacit_status hash_block(const tct_block *block, size_t n_cells, char hex[65], tacit_error *err)
{
    tct_hash *hash = NULL;
    tacit_status st = tct_hash_new(&hash, err);

    if (st)
        return st;
    tct_hash_add(hash, block->cells, n_cells * sizeof(*block->cells));
    tct_hash_add(hash, block->bytes, block->size);
    tct_hash_finish(hash, hex);
    return TACIT_OK;
}

static tacit_status fill_block(void *context, size_t sequence, tacit_error *err)
{
    const building *b = context;
    tct_block *block = &b->table->blocks[sequence];
    size_t first = sequence * b->block_rows, left = b->table->n_rows - first, columns = b->table->csv->n_columns;
    size_t n = left < b->block_rows ? left : b->block_rows;
    tct_fill rows = {.csv = b->table->csv,
                     .columns = b->columns,
                     .starts = b->starts,
                     .markers = b->markers,
                     .n_markers = b->n_markers,
                     .first = first};
    tacit_status st = tct_block_reserve(block, 1, err);

    if (st)
        return st;
    block->numbers = true;
    block->sequence = sequence;
    block->first_row = first + 1;
    block->cells = tct_malloc(n * columns, sizeof(*block->cells));
    block->cells_room = block->cells ? n * columns : 0;
    if (!block->cells)
        return tct_fail_memory(err);
    rows.chunk = find_chunk(b, first);
    st = tct_fill_rows(&rows, block, n, err);
    block->n_rows = n;
    if (!st)
        st = hash_block(block, n * columns, b->hashes[sequence], err);
    if (!st)
        tct_habits_note(b->table, block);
    return st;
}

/* ---- the table ---- */

static tacit_status hash_table(const building *b, tacit_error *err)
{
    const tct_csv *csv = b->table->csv;
    uint64_t sizes[2] = {b->table->n_rows, csv->n_columns};
    tct_hash *hash = NULL;
    tacit_status st = tct_hash_new(&hash, err);

    if (st)
        return st;
    tct_hash_add(hash, sizes, sizeof sizes);
    tct_hash_add(hash, csv->holds, csv->n_columns);
    for (size_t i = 0; i < csv->n_columns; i++)
        tct_hash_add(hash, csv->columns[i], strlen(csv->columns[i]) + 1);
    for (size_t i = 0; i < b->table->n_blocks; i++)
        tct_hash_add(hash, b->hashes[i], sizeof b->hashes[i]);
    tct_hash_finish(hash, b->table->hash);
    return TACIT_OK;
}

/* How many rows, and where they begin. */
static tacit_status count_rows(building *b, tacit_error *err)
{
    size_t n = b->columns->n_chunks;

    b->starts = tct_calloc(n + 1, sizeof(*b->starts));
    if (!b->starts)
        return tct_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        if (__builtin_add_overflow(b->starts[c], b->columns->chunks[c].n_rows, &b->starts[c + 1]))
            return tct_fail_memory(err);
    b->table->n_rows = b->table->last_row = b->starts[n];
    if (b->table->n_rows == 0)
        return tct_fail_at(err, TACIT_E_INPUT, b->table->csv->path, 0, NULL, "no data rows");
    b->block_rows = b->table->n_rows / BLOCKS;
    b->block_rows = b->block_rows < FEWEST_ROWS ? FEWEST_ROWS : b->block_rows;
    b->block_rows = b->block_rows > MOST_ROWS ? MOST_ROWS : b->block_rows;
    b->table->n_blocks = (b->table->n_rows - 1) / b->block_rows + 1;
    b->table->blocks = tct_calloc(b->table->n_blocks, sizeof(*b->table->blocks));
    b->hashes = tct_calloc(b->table->n_blocks, sizeof(*b->hashes));
    if (b->table->blocks && b->hashes)
        return TACIT_OK;
    b->table->n_blocks = b->table->blocks ? b->table->n_blocks : 0;
    return tct_fail_memory(err);
}

static tacit_status build(building *b, const char *name, const tacit_csv_options *options, size_t threads,
                          tacit_error *err)
{
    tacit_csv_options all, own;
    tacit_table *table = b->table;
    tacit_status st = TCT_OPTIONS_TAKE(&all, tacit_csv_options, defer_bad, options, err);

    own = (tacit_csv_options){.missing = all.missing,
                              .usual = all.usual,
                              .decimal = all.decimal,
                              .skip_bad = all.skip_bad,
                              .defer_bad = all.defer_bad};
    if (!st)
        st = tct_csv_new(&table->csv, name ? name : "table", &own, err);
    if (st)
        return st;
    table->defer = own.defer_bad;
    table->csv->separator = ','; /* so that a decimal comma is not looked for */
    st = name_columns(table->csv, b->columns, err);
    if (!st)
        st = count_rows(b, err);
    if (!st)
        st = find_markers(b, err);
    if (!st)
        st = tct_habits_begin(table, &own, err);
    if (st)
        return st;
    find_kinds(table->csv, b->columns);
    st = tct_in_parallel(table->n_blocks, threads < 256 ? threads : 256, fill_block, b, err);
    if (!st)
        st = hash_table(b, err);
    return st ? st : tct_habits_find(table, err);
}

tacit_status tct_table_from_columns(tacit_table **out, const char *name, const tct_columns *columns,
                                    const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    building b = {.table = tct_calloc(1, sizeof(tacit_table)), .columns = columns};
    tacit_status st = b.table ? build(&b, name, options, threads, err) : tct_fail_memory(err);

    *out = NULL;
    if (st)
        tacit_table_free(b.table);
    else
        *out = b.table;
    tct_free(b.starts);
    tct_free(b.markers);
    tct_free(b.hashes);
    return st;
}

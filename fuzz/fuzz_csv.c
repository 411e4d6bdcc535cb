/*
 * fuzz_csv.c -- any bytes as a CSV file, with any options.
 *
 * The first two bytes choose the options, the rest is the file.  Three things must hold: the fast reader gives what the
 * plain one gives (tests/support/plain_csv.h); a schema inferred from a table encodes every row of that table, with
 * nothing unknown and nothing clipped; and nothing crashes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csv_inside.h"
#include "encode.h"
#include "plain_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The bytes as a file that can be opened by name. */
static void write_file(const uint8_t *data, size_t size, char *path, size_t room)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz_csv", 0);
    require(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, room, "/proc/self/fd/%d", fd);
}

static void compare_cells(const tct_block *block, const plain_csv *plain, size_t first)
{
    require(first + block->n_rows <= plain->n_rows);
    for (size_t i = 0; i < block->n_rows * plain->n_columns; i++) {
        const plain_cell *expected = &plain->cells[first * plain->n_columns + i];

        require(block->cells[i].size == expected->size);
        require(memcmp(block->bytes + block->cells[i].start, expected->text, expected->size) == 0);
    }
}

/* Read in small blocks and compare with the plain reader. */
static void compare_readers(const char *path, const tacit_csv_options *options, size_t block_size, const uint8_t *data,
                            size_t size)
{
    size_t header = !options->no_header, rows = 0;
    tct_block block = {0};
    tacit_error err = {0};
    plain_csv plain;
    tct_csv *csv = NULL;
    tacit_status st;

    if (tct_csv_open(&csv, path, options, &err)) {
        require(err.message[0] != '\0');
        return;
    }
    tct_csv_set_block_size(csv, block_size);
    plain_csv_read(&plain, (const char *)data, size, csv->separator, true);
    require(plain.n_columns == tct_csv_columns(csv));
    for (;;) {
        st = tct_csv_next(csv, &block, &err);
        if (st || block.n_rows == 0)
            break;
        st = tct_csv_split(csv, &block, &err);
        if (st)
            break;
        compare_cells(&block, &plain, rows + header);
        rows += block.n_rows;
    }
    require(plain.bad == (st != TACIT_OK));
    if (st)
        require(err.row + header == plain.n_rows + 1);
    else
        require(rows + header == plain.n_rows);
    tct_block_clear(&block);
    tct_csv_close(csv);
    plain_csv_free(&plain);
}

/* Encode the table that the schema was made from. */
static void check_encoding(const tacit_table *table, const tacit_schema *schema)
{
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tct_codec *codec = NULL;

    require(tct_codec_new(&codec, schema, NULL) == TACIT_OK);
    require(tct_binding_new(&binding, codec, table->csv, true, NULL) == TACIT_OK);
    for (size_t b = 0; b < table->n_blocks; b++) {
        size_t n = table->blocks[b].n_rows;
        double *x = tct_malloc(n * codec->n_inputs, sizeof(*x));
        int32_t *labels = tct_malloc(n, sizeof(*labels));

        require(x && labels && tct_encode_block(binding, &table->blocks[b], x, labels, &counts, NULL) == TACIT_OK);
        for (size_t i = 0; i < n * codec->n_inputs; i++)
            require(x[i] >= -1 && x[i] <= 1);
        for (size_t r = 0; r < n; r++)
            require(labels[r] >= 0 && (size_t)labels[r] < schema->n_classes);
        tct_free(x);
        tct_free(labels);
    }
    require(counts.clipped == 0 && counts.unknown == 0);
    tct_binding_free(binding);
    tct_codec_free(codec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char separators[] = {0, ',', ';', '\t', '|', ' ', 'a', '\r'};
    tacit_csv_options options = {.missing = "?,NA"};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    size_t block_size;
    char path[64];

    if (size < 2)
        return 0;
    options.separator = separators[data[0] & 7];
    options.no_header = data[0] & 8;
    options.skip_lines = data[0] >> 6;
    block_size = 1 + (size_t)data[1];
    data += 2;
    size -= 2;
    write_file(data, size, path, sizeof(path));
    if (options.skip_lines == 0)
        compare_readers(path, &options, block_size, data, size);
    if (tacit_table_read(&table, path, &options, 1, &err) == TACIT_OK) {
        tacit_infer_options infer = {.label = tacit_table_column_name(table, tacit_table_columns(table) - 1)};

        if (tacit_schema_infer(&schema, table, &infer, &err) == TACIT_OK)
            check_encoding(table, schema);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
    return 0;
}

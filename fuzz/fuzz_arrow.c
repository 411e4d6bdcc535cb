/*
 * fuzz_arrow.c -- any Arrow record batch of one to four columns, in pieces of any size.
 *
 * The bytes choose formats, lengths, offsets, null counts and missing buffers; what they choose is handed over with buffers
 * of a fixed size, filled from the rest of the bytes, and lengths that fit them (the interface has no sizes, so that much
 * is the producer's word).  Offsets of texts, views, places in dictionaries and bits are whatever comes.  What must hold:
 * nothing crashes or leaks, everything is released once, the way the batch is cut makes no difference, nor does a column
 * of the caller's beside it, and a schema inferred from the table encodes each of its rows.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "encode.h"
#include "make_arrow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 16, BUFFER = 1024, COLUMNS = 4 };

static const uint8_t *bytes_left;
static size_t n_left;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static uint8_t next_byte(void)
{
    uint8_t byte = n_left ? *bytes_left : 0;

    bytes_left += n_left > 0;
    n_left -= n_left > 0;
    return byte;
}

/* A column's buffers: twice as long as any type needs, and texts end inside. */
typedef struct memory {
    unsigned char valid[BUFFER], values[BUFFER], texts[BUFFER];
    int64_t sizes[2];
} memory;
static memory memories[2 * COLUMNS];

static void fill(memory *m, bool texts, size_t width)
{
    for (size_t i = 0; i < ROWS; i++)
        m->valid[i] = next_byte();
    for (size_t i = 0; i < 4 * ROWS; i++)
        m->values[i * 4] = next_byte();
    for (size_t i = 0; i < 64; i++)
        m->texts[i] = next_byte();
    m->sizes[0] = BUFFER;
    m->sizes[1] = next_byte();
    for (size_t i = 0; texts && i < BUFFER / width; i++) { /* offsets below 128: inside the texts */
        memset(m->values + i * width, 0, width);
        m->values[i * width] = (unsigned char)(m->texts[i % 64] % 128);
        if (i && m->texts[(i + 7) % 64] % 8)
            m->values[i * width] = (unsigned char)((m->values[(i - 1) * width] + m->texts[i % 64] % 9) % 128);
    }
}

static const char *const formats[] = {
    "n", "b",  "c",   "C",   "s",    "S",       "i",          "I",     "l",  "L", "e",        "f", "g",  "u",
    "U", "vu", "tdD", "tdm", "tss:", "tsu:UTC", "tsn:+01:30", "d:5,2", "+s", "z", "tsm:Mars", "",  "+l", "w:4"};

static void choose_column(arrow_column *column, arrow_column *dictionary, size_t at)
{
    memory *m = &memories[2 * at];
    const char *format = formats[next_byte() % (sizeof formats / sizeof *formats)];
    uint8_t flags = next_byte();
    bool text = strcmp(format, "u") == 0 || strcmp(format, "U") == 0, view = strcmp(format, "vu") == 0;

    memset(m, 0, 2 * sizeof *m);
    fill(m, text, *format == 'u' ? 4 : 8);
    *column = (arrow_column){.name = flags & 1 ? "same" : (const char *[]){"a", "b", "c", "d"}[at],
                             .format = format,
                             .buffers = {flags & 2 ? m->valid : NULL, flags & 4 ? NULL : m->values, m->texts, m->sizes},
                             .n_buffers = text               ? 3
                                          : view             ? 4
                                          : format[0] == 'n' ? 0
                                                             : 2,
                             .null_count = flags & 8 ? 1 : -(flags >> 4 & 1),
                             .offset = flags & 32 ? next_byte() % ROWS : 0};
    if (flags & 64 && strchr("cCsSiIlL", format[0]) && format[0]) {
        fill(m + 1, true, 4);
        *dictionary = (arrow_column){.format = next_byte() % 8 ? "u" : "i",
                                     .buffers = {flags & 2 ? m[1].valid : NULL, m[1].values, m[1].texts},
                                     .n_buffers = 3,
                                     .length = 1 + next_byte() % ROWS};
        column->dictionary = dictionary;
    }
}

static void check_encoding(const tacit_table *table)
{
    tacit_infer_options infer = {.label = tacit_table_column_name(table, tacit_table_columns(table) - 1),
                                 .dates_as_days = true};
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tct_codec *codec = NULL;
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_infer(&schema, table, &infer, &err)) {
        require(err.message[0] != '\0');
        return;
    }
    require(tct_codec_new(&codec, schema, NULL) == TACIT_OK);
    require(tct_binding_new(&binding, codec, table->csv, true, NULL) == TACIT_OK);
    for (size_t b = 0; b < table->n_blocks; b++) {
        double *x = tct_malloc(table->blocks[b].n_rows * codec->n_inputs, sizeof *x);
        int32_t *labels = tct_malloc(table->blocks[b].n_rows, sizeof *labels);

        require(x && labels && tct_encode_block(binding, &table->blocks[b], x, labels, &counts, NULL) == TACIT_OK);
        tct_free(x);
        tct_free(labels);
    }
    require(counts.clipped == 0 && counts.unknown == 0);
    tct_binding_free(binding);
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

/* The same with a column beside the stream, of as many rows or of others. */
static void check_beside(arrow_source source, tacit_status st)
{
    static const int8_t places[ROWS + 1] = {0, 1, -1, 1};
    static const char *const levels[] = {"no", "yes"};
    const tacit_column column = {
        .name = "beside", .type = TACIT_COLUMN_INT8, .values = places, .levels = levels, .n_levels = 2};
    size_t n = (size_t)source.rows + next_byte() % 2;
    struct ArrowArrayStream stream;
    tacit_table *table = NULL;
    tacit_status found;

    source.at = source.calls = 0;
    arrow_stream(&stream, &source);
    found = tacit_table_from_arrow_beside(&table, NULL, &stream, &column, 1, n, NULL, 1, NULL);
    require(arrow_alive == 0 && (found == TACIT_OK) == (table != NULL));
    require(n == (size_t)source.rows ? found == st || source.rows == 0 : found != TACIT_OK);
    require(!table || tacit_table_columns(table) == source.n + 1);
    tacit_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arrow_column columns[COLUMNS], dictionaries[COLUMNS];
    arrow_source source = {.columns = columns};
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowArrayStream stream;
    tacit_table *whole = NULL, *pieces = NULL;
    tacit_error err = {0}, again = {0};
    tacit_status st;

    bytes_left = data;
    n_left = size;
    source.n = 1 + next_byte() % COLUMNS;
    source.rows = next_byte() % ROWS;
    source.step = 1 + next_byte() % 5;
    for (size_t i = 0; i < source.n; i++)
        choose_column(&columns[i], &dictionaries[i], i);
    arrow_batch(&schema, &array, columns, source.n, source.rows);
    st = tacit_table_from_arrow(&whole, NULL, &schema, &array, NULL, 1, &err);
    require(arrow_alive == 0 && (st == TACIT_OK) == (whole != NULL) && (st == TACIT_OK || err.message[0]));
    arrow_stream(&stream, &source);
    require(tacit_table_from_arrow_stream(&pieces, NULL, &stream, NULL, 1, &again) == st || source.rows == 0);
    require(arrow_alive == 0);
    if (!st) {
        require(strcmp(tacit_table_hash(whole), tacit_table_hash(pieces)) == 0);
        check_encoding(whole);
    }
    check_beside(source, st);
    tacit_table_free(whole);
    tacit_table_free(pieces);
    return 0;
}

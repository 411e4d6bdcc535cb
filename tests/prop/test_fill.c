/*
 * Tables filled by whole columns hold what reading value by value gives: numbers of every type with and without gaps,
 * texts that repeat, texts of which no two are equal, places in short and long dictionaries; and cells, bytes and hash are
 * the same wherever chunks end, and whether texts are there themselves or as places.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "csv_inside.h"
#include "scale.h"
#include "table_columns.h"

enum { ROWS = 3000, LEVELS = 20000, NUMBERS = 12, TEXTS = 4, COLUMNS = NUMBERS + TEXTS, CHUNKS = 6, ROOM = 16 };

/* What vectors point at. */
static struct {
    unsigned char numbers[NUMBERS][ROWS * ROOM];
    unsigned char missing[COLUMNS][ROWS], valid[ROWS / 8 + 2];
    char texts[LEVELS][ROOM];
    const char *levels[LEVELS], *own[TEXTS][ROWS];
    int64_t places[TEXTS][ROWS];
} memory;

static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                           "i", "j", "k", "l", "m", "n", "o", "p"};
static const tct_vector_type types[NUMBERS] = {
    TCT_VECTOR_INT8,   TCT_VECTOR_INT16,   TCT_VECTOR_INT32,   TCT_VECTOR_INT64,   TCT_VECTOR_UINT8, TCT_VECTOR_UINT16,
    TCT_VECTOR_UINT32, TCT_VECTOR_FLOAT16, TCT_VECTOR_FLOAT32, TCT_VECTOR_FLOAT64, TCT_VECTOR_BOOL,  TCT_VECTOR_UINT64};

/* Random bits; those of 64-bit integers so that all are below 2^53, or not. */
static void draw_numbers(size_t column, bool large, tct_random *random)
{
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t bits = tct_random_bits(random);
        double real = tct_random_below(random, 9) == 0 ? -0.0 : tct_random_normal(random);
        float shorter = (float)real;

        if (!large && (types[column] == TCT_VECTOR_INT64 || types[column] == TCT_VECTOR_UINT64))
            bits >>= 12;
        memcpy(memory.numbers[column] + r * ROOM, &bits, sizeof bits);
        if (types[column] == TCT_VECTOR_FLOAT64)
            memcpy(memory.numbers[column] + r * ROOM, &real, sizeof real);
        if (types[column] == TCT_VECTOR_FLOAT32)
            memcpy(memory.numbers[column] + r * ROOM, &shorter, sizeof shorter);
    }
}

/* Few, some, many and all different texts. */
static void draw_texts(tct_random *random)
{
    static const size_t different[TEXTS] = {3, 700, 15000, LEVELS};

    for (size_t i = 0; i < LEVELS; i++) {
        snprintf(memory.texts[i], ROOM, i % 7 == 5 ? " %zu\t" : i % 7 == 6 ? "t%zut longer" : "t%zu", i);
        memory.levels[i] = memory.texts[i];
    }
    memory.levels[1] = "";
    for (size_t t = 0; t < TEXTS; t++)
        for (size_t r = 0; r < ROWS; r++) {
            memory.places[t][r] = (int64_t)tct_random_below(random, different[t] + 1) - 1;
            memory.own[t][r] = memory.places[t][r] < 0 ? NULL : memory.levels[memory.places[t][r]];
        }
}

/* Rows first ... of all columns.  placed: texts by their places; dictionaries: TEXTS more vectors. */
static void make_chunk(tct_chunk *chunk, size_t first, size_t n, bool placed, bool gaps, size_t levels)
{
    chunk->n_rows = n;
    for (size_t i = 0; i < NUMBERS; i++)
        chunk->vectors[i] = (tct_vector){.type = types[i],
                                         .values = memory.numbers[i] + first * ROOM,
                                         .stride = ROOM,
                                         .n = n,
                                         .missing = gaps && i % 3 == 0 ? memory.missing[i] + first : NULL,
                                         .valid = gaps && i % 3 == 1 ? memory.valid : NULL,
                                         .valid_at = first};
    for (size_t t = 0; t < TEXTS; t++) {
        tct_vector *v = &chunk->vectors[NUMBERS + t], *dictionary = &chunk->vectors[COLUMNS + t];

        *dictionary = (tct_vector){
            .type = TCT_VECTOR_POINTERS, .values = (const void *)memory.levels, .stride = sizeof(char *), .n = levels};
        *v = (tct_vector){.type = TCT_VECTOR_POINTERS,
                          .values = (const void *)(memory.own[t] + first),
                          .stride = sizeof(char *),
                          .n = n,
                          .missing = gaps ? memory.missing[NUMBERS + t] + first : NULL};
        if (placed) {
            v->type = TCT_VECTOR_INT64;
            v->values = (const void *)(memory.places[t] + first);
            v->dictionary = dictionary;
            v->negative_missing = true;
        }
    }
}

/* A table of the rows, cut in so many places. */
static tacit_table *build(size_t cuts, bool placed, bool gaps, const char *markers, tct_random *random)
{
    static tct_vector vectors[CHUNKS][COLUMNS + TEXTS];
    tct_chunk chunks[CHUNKS];
    tct_columns columns = {.names = names, .n_columns = COLUMNS, .chunks = chunks, .n_chunks = cuts + 1};
    tacit_csv_options options = {.missing = markers};
    tacit_table *table = NULL;
    tacit_error err = {0};
    size_t at = 0;

    for (size_t c = 0; c <= cuts; c++) {
        size_t n = c == cuts ? ROWS - at : tct_random_below(random, (ROWS - at) / 2);

        chunks[c].vectors = vectors[c];
        make_chunk(&chunks[c], at, n, placed, gaps, LEVELS);
        at += n;
    }
    assert_int_equal(tct_table_from_columns(&table, NULL, &columns, &options, 1 + cuts % 3, &err), TACIT_OK);
    return table;
}

/* Every cell as tct_vector_value reads it. */
static void compare_cells(const tacit_table *table, bool gaps, const double *marker)
{
    tct_vector vectors[COLUMNS + TEXTS];
    tct_chunk chunk = {.vectors = vectors};
    size_t row = 0;

    make_chunk(&chunk, 0, ROWS, true, gaps, LEVELS);
    for (size_t b = 0; b < table->n_blocks; b++)
        for (size_t r = 0; r < table->blocks[b].n_rows; r++, row++)
            for (size_t i = 0; i < COLUMNS; i++) {
                tct_datum found = tct_datum_at(table->csv, &table->blocks[b], r, i), wanted;
                char buffer[TCT_DATUM_ROOM];

                assert_null(tct_vector_value(&vectors[i], row, tct_csv_holds(table->csv, i), &wanted, buffer));
                if (marker && wanted.number == *marker)
                    wanted.number = NAN;
                assert_int_equal(found.holds, wanted.holds);
                if (wanted.holds == TCT_TEXT) {
                    assert_int_equal(found.size, wanted.size);
                    assert_memory_equal(found.bytes, wanted.size ? wanted.bytes : "", wanted.size);
                } else {
                    assert_true(isnan(wanted.number) ? isnan(found.number)
                                                     : memcmp(&found.number, &wanted.number, sizeof(double)) == 0);
                }
            }
    assert_int_equal(row, ROWS);
}

static void test_value_by_value(void **state)
{
    size_t cases = scaled(24);

    (void)state;
    for (size_t k = 0; k < cases; k++) {
        tct_random random;
        bool gaps = k % 2;
        double marker = 7;
        tacit_table *whole, *cut, *texts;

        tct_random_seed(&random, k, 31);
        for (size_t i = 0; i < NUMBERS; i++)
            draw_numbers(i, k % 3 == 2, &random);
        draw_texts(&random);
        for (size_t i = 0; i < COLUMNS; i++)
            for (size_t r = 0; r < ROWS; r++)
                memory.missing[i][r] = tct_random_below(&random, 5) == 0;
        for (size_t i = 0; i < sizeof memory.valid; i++)
            memory.valid[i] = (unsigned char)tct_random_bits(&random);
        whole = build(0, true, gaps, k % 4 == 3 ? "7" : NULL, &random);
        compare_cells(whole, gaps, k % 4 == 3 ? &marker : NULL);
        cut = build(1 + k % (CHUNKS - 1), true, gaps, k % 4 == 3 ? "7" : NULL, &random);
        texts = build(k % CHUNKS, false, gaps, k % 4 == 3 ? "7" : NULL, &random);
        assert_string_equal(cut->hash, whole->hash);
        assert_string_equal(texts->hash, whole->hash);
        tacit_table_free(whole);
        tacit_table_free(cut);
        tacit_table_free(texts);
    }
}

/* The error is that of the earliest row, and in it of the first column. */
static void test_first_problem(void **state)
{
    tct_vector vectors[COLUMNS + TEXTS];
    tct_chunk chunk = {.vectors = vectors};
    tct_columns columns = {.names = names, .n_columns = COLUMNS, .chunks = &chunk, .n_chunks = 1};
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 32);
    draw_texts(&random);
    for (size_t k = 0; k < 40; k++) {
        size_t row = 1 + tct_random_below(&random, ROWS - 1), after = row + tct_random_below(&random, ROWS - row);
        int64_t kept[2] = {memory.places[2][row], memory.places[0][after]};
        tacit_table *table = NULL;
        tacit_error err = {0};

        make_chunk(&chunk, 0, ROWS, true, false, LEVELS);
        memory.places[2][row] = LEVELS;
        memory.places[0][after] = LEVELS + 5;
        assert_int_equal(tct_table_from_columns(&table, NULL, &columns, NULL, 2, &err), TACIT_E_INPUT);
        assert_null(table);
        assert_int_equal(err.row, row + 1);
        assert_string_equal(err.column, after == row ? names[NUMBERS] : names[NUMBERS + 2]);
        memory.places[2][row] = kept[0];
        memory.places[0][after] = kept[1];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_value_by_value), cmocka_unit_test(test_first_problem)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_evidence_bad_rows.c -- a file with bad records, read in spite of them, has the cells of the same file without
 * them, with the row numbers it had; and all of them are told at once.  Whatever quotes the good records have: a block
 * that could not be split is put back as it was before it is split again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "scale.h"
#include "scratch.h"
#include "simd.h"

enum { COLUMNS = 3, MOST_ROWS = 400 };

/* A cell that is right: plain, with blanks around it, quoted, with doubled quotes, separators and line feeds inside. */
static void add_cell(tct_text *text, tct_random *random)
{
    static const char *const cells[] = {"",
                                        "x",
                                        "12.5",
                                        "  y ",
                                        "\"q\"",
                                        " \"r\" ",
                                        "\"a,b\"",
                                        "\"\"\"\"",
                                        "\"say \"\"hi\"\"\"",
                                        "\"\"",
                                        "\"two\nlines\"",
                                        "\"\"\"a\"\"\"\"b\"",
                                        "a rather long cell without anything in it",
                                        "\"x\"\"\n\"\",\""};
    const char *cell = cells[tct_random_below(random, sizeof(cells) / sizeof(*cells))];

    tct_text_append(text, cell, strlen(cell));
}

static void add_record(tct_text *text, tct_random *random, size_t n_cells)
{
    if (n_cells == 1)
        tct_text_append(text, "z", 1); /* not a blank line */
    for (size_t i = 0; i < n_cells; i++) {
        if (i > 0)
            tct_text_append(text, ",", 1);
        if (n_cells > 1)
            add_cell(text, random);
    }
    if (tct_random_below(random, 2))
        tct_text_append(text, "\r", 1);
    tct_text_append(text, "\n", 1);
}

/* A record that is wrong, with as many quotes as it takes to end where it ends. */
static void add_bad(tct_text *text, tct_random *random)
{
    static const char *const records[] = {"a\"b\"c,1,2\n",
                                          "1,\"ab\"c,2\n",
                                          "1,\"say \"\"hi\"\" \"x,2\n",
                                          "\"say \"\"hi\"\"\",1\n",
                                          "\"\"\"\",\"\"\"\",\"\"\"\",\"\"\"\"\n",
                                          "1,2,3,4,5,6,7,8,9,10\n",
                                          "\"\"\"x\"\"\",\"\"\"y\"\"\",\"z\" \"\"\n"};
    size_t kind = tct_random_below(random, 9);

    if (kind < 7)
        tct_text_append(text, records[kind], strlen(records[kind]));
    else
        add_record(text, random, kind == 7 ? 1 + tct_random_below(random, 2) : 4 + tct_random_below(random, 90));
}

/* Cells and row numbers, written down. */
static void write_table(tct_text *out, const tacit_table *table, const uint64_t *numbers)
{
    size_t row = 0;

    for (size_t b = 0; b < table->n_blocks; b++)
        for (size_t r = 0; r < table->blocks[b].n_rows; r++, row++) {
            tct_text_printf(out, "%llu",
                            (unsigned long long)(numbers ? numbers[row] : tct_block_row(&table->blocks[b], r)));
            for (size_t c = 0; c < COLUMNS; c++) {
                const tct_cell *cell = &table->blocks[b].cells[r * COLUMNS + c];

                tct_text_printf(out, "[%.*s]", (int)cell->size, table->blocks[b].bytes + cell->start);
            }
            tct_text_append(out, "\n", 1);
        }
}

/* One file with and without its bad records. */
static void check_file(tct_random *random, size_t threads)
{
    tct_text all = {0}, good = {0}, seen = {0}, expected = {0};
    uint64_t numbers[MOST_ROWS], first = 0, n_bad = 0;
    size_t n = 2 + tct_random_below(random, MOST_ROWS - 2), n_good = 0;
    const tacit_csv_options in_spite = {.separator = ',', .missing = "", .defer_bad = true};
    const tacit_csv_options strictly = {.separator = ',', .missing = ""};
    tacit_table *table = NULL, *twin = NULL;
    tacit_error err = {0};
    char place[64];

    tct_text_printf(&all, "a,b,c\n");
    tct_text_printf(&good, "a,b,c\n");
    for (size_t i = 1; i <= n; i++) {
        size_t before = all.size;

        if (i > 1 && tct_random_below(random, 20) == 0) {
            add_bad(&all, random);
            first = n_bad++ ? first : i;
            continue;
        }
        add_record(&all, random, COLUMNS);
        tct_text_append(&good, all.bytes + before, all.size - before);
        numbers[n_good++] = i;
        if (tct_random_below(random, 30) == 0)
            tct_text_append(&all, "\n", 1);
    }
    if (tacit_table_read(&twin, scratch_bytes(good.bytes, good.size), &strictly, threads, &err))
        fail_msg("%s", err.message);
    write_table(&expected, twin, numbers);
    if (tacit_table_read(&table, scratch_bytes(all.bytes, all.size), &in_spite, threads, &err))
        fail_msg("%s", err.message);
    write_table(&seen, table, NULL);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_int_equal(table->csv->bad, n_bad);
    assert_int_equal(table->problem != NULL, n_bad > 0);
    if (n_bad > 0) {
        snprintf(place, sizeof(place), n_bad > 1 ? "row %llu: the first of %llu bad rows" : "row %llu",
                 (unsigned long long)first, (unsigned long long)n_bad);
        assert_non_null(strstr(table->problem->message, place));
        assert_int_equal(table->problem->row, first);
    }
    tacit_table_free(table);
    tacit_table_free(twin);
    tct_text_free(&all);
    tct_text_free(&good);
    tct_text_free(&seen);
    tct_text_free(&expected);
}

static void bad_rows__leave_the_others_as_they_are(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 7, 0);
    for (size_t round = 0; round < scaled(600); round++) {
        tct_simd_limit((tct_simd)(round % TCT_SIMD_LEVELS));
        check_file(&random, 1 + round % 2);
    }
    tct_simd_limit(TCT_SIMD_LEVELS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_rows__leave_the_others_as_they_are)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Reading CSV: cells, line ends, quotes, separators, headers, and every documented error with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "names.h"
#include "scratch.h"
#include "sniff.h"

/* Read `text` and write it down again, cells in brackets, a line per row. */
static void check_cells(const char *text, const tacit_csv_options *options, const char *expected)
{
    const char *path = scratch_text(text);
    tacit_table *table = NULL;
    tacit_error err = {0};
    tct_text seen = {0};

    if (tacit_table_read(&table, path, options, 2, &err))
        fail_msg("%s", err.message);
    for (size_t c = 0; c < tacit_table_columns(table); c++)
        tct_text_printf(&seen, "%s|", tacit_table_column_name(table, c));
    for (size_t b = 0; b < table->n_blocks; b++)
        for (size_t i = 0; i < table->blocks[b].n_rows * tacit_table_columns(table); i++) {
            const tct_cell *cell = &table->blocks[b].cells[i];

            tct_text_printf(&seen, "%s[%.*s]", i % tacit_table_columns(table) == 0 ? "\n" : "", (int)cell->size,
                            table->blocks[b].bytes + cell->start);
        }
    assert_string_equal(seen.bytes, expected);
    tct_text_free(&seen);
    tacit_table_free(table);
}

static void check_error_bytes(const void *bytes, size_t size, const tacit_csv_options *options, tacit_status status,
                              size_t row, const char *message)
{
    const char *path = scratch_bytes(bytes, size);
    tacit_table *table = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_table_read(&table, path, options, 2, &err), status);
    assert_null(table);
    assert_int_equal(err.status, status);
    assert_string_equal(scratch_message(err.message, path), message);
    assert_int_equal(err.row, row);
}

static void check_error(const char *text, const tacit_csv_options *options, size_t row, const char *message)
{
    check_error_bytes(text, strlen(text), options, TACIT_E_INPUT, row, message);
}

static void csv__reads_plain_cells(void **state)
{
    (void)state;
    check_cells("a,b,c\n1,2,3\n4,,6\n", NULL, "a|b|c|\n[1][2][3]\n[4][][6]");
}

static void csv__reads_quoted_cells(void **state)
{
    (void)state;
    check_cells("\"a\",\"b c\"\n\"x, y\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\n\"two\nlines\",\" kept \"\n", NULL,
                "a|b c|\n[x, y][say \"hi\"]\n[][\"]\n[two\nlines][ kept ]");
}

static void csv__trims_blanks_outside_quotes(void **state)
{
    (void)state;
    check_cells(" a , \"b\" \n 1 2\t,\t\" 3 \" \n ,x\n", NULL, "a|b|\n[1 2][ 3 ]\n[][x]");
}

static void csv__takes_any_mix_of_line_ends(void **state)
{
    (void)state;
    check_cells("a;b\r\n1;2\n\"3\";4\r\n5;\"6\"\r\n7;8", NULL, "a|b|\n[1][2]\n[3][4]\n[5][6]\n[7][8]");
    check_cells("a;b\r\n1;2\r", NULL, "a|b|\n[1][2]");
    check_cells("a;b\n1;x\ry\n", NULL, "a|b|\n[1][x\ry]");
}

static void csv__passes_over_blank_lines(void **state)
{
    (void)state;
    check_cells("\n\r\na,b\n\n1,2\r\n\r\n\n3,4\n\n\n", NULL, "a|b|\n[1][2]\n[3][4]");
    check_cells("a\n1\n\n2\n\r\n\"\"\n", NULL, "a|\n[1]\n[2]\n[]");
}

static void csv__skips_the_byte_order_mark(void **state)
{
    (void)state;
    check_cells("\xEF\xBB\xBF\"a\",b\n1,2\n", NULL, "a|b|\n[1][2]");
}

static void csv__finds_the_separator(void **state)
{
    tacit_csv_options semicolon = {.separator = ';'}, space = {.separator = ' '};

    (void)state;
    check_cells("a;b\n1,5;2,5\n", NULL, "a|b|\n[1,5][2,5]");
    check_cells("a\tb\n1\t\n\t2\n", NULL, "a|b|\n[1][]\n[][2]");
    check_cells("a|b|c\n1|2|3\n", NULL, "a|b|c|\n[1][2][3]");
    check_cells("\"x;y\",b\n\"1;2;3\",2\n", NULL, "x;y|b|\n[1;2;3][2]");
    check_cells("name, first;age\na;1\nb;2\n", NULL, "name, first|age|\n[a][1]\n[b][2]");
    check_cells("alone\n1\n2\n", NULL, "alone|\n[1]\n[2]");
    check_cells("a,b\n1,2\n", &semicolon, "a,b|\n[1,2]");
    check_cells("a b\n1 \"2 3\"\n", &space, "a|b|\n[1][2 3]");
}

static void csv__names_columns_without_header(void **state)
{
    tacit_csv_options numbered = {.no_header = true}, named = {.no_header = true, .names = "x, y"};
    tacit_csv_options three = {.no_header = true, .names = "x,y,z"}, twice = {.no_header = true, .names = "x,x"};
    tacit_csv_options useless = {.names = "x,y"};

    (void)state;
    check_cells("1,2\n3,4\n", &numbered, "c1|c2|\n[1][2]\n[3][4]");
    check_cells("1,2\n3,4\n", &named, "x|y|\n[1][2]\n[3][4]");
    check_error("1,2\n3,4\n", &three, 0, "3 column names given, but the first row has 2 cells");
    check_error("1,2\n3,4\n", &twice, 0, "column x: the name occurs twice");
    check_error("1,2\n3\n", &numbered, 2, "row 2: 1 cell where the first row has 2");
    check_error_bytes("1,2\n", 4, &useless, TACIT_E_USAGE, 0,
                      "column names are given for a file that has a header of its own");
}

static void csv__skips_lines(void **state)
{
    tacit_csv_options two = {.skip_lines = 2}, many = {.skip_lines = 9};

    (void)state;
    check_cells("an \"odd line\nanother\na,b\n1,2\n", &two, "a|b|\n[1][2]");
    check_error("x\na,b\n1,2\n", &many, 0, "fewer than the 9 lines to skip");
}

static void csv__rejects_separators_that_cannot_be(void **state)
{
    tacit_csv_options quote = {.separator = '"'}, line = {.separator = '\n'};

    (void)state;
    check_error_bytes("a\n1\n", 4, &quote, TACIT_E_USAGE, 0, "a quote or a line end cannot separate cells");
    check_error_bytes("a\n1\n", 4, &line, TACIT_E_USAGE, 0, "a quote or a line end cannot separate cells");
}

static void csv__rejects_empty_files(void **state)
{
    (void)state;
    check_error("", NULL, 0, "empty file");
    check_error("\xEF\xBB\xBF", NULL, 0, "empty file");
    check_error("\n\r\n\n", NULL, 0, "empty file");
    check_error("\r", NULL, 0, "empty file");
    check_error("a,b\n", NULL, 0, "no data rows");
    check_error("a,b", NULL, 0, "no data rows");
    check_error("a,b\n\n\r\n", NULL, 0, "no data rows");
}

static void csv__rejects_bad_headers(void **state)
{
    (void)state;
    check_error("1,2,3\n", &(tacit_csv_options){.no_header = true, .names = "a,b,a"}, 0,
                "column a: the name occurs twice");
    check_error("a,b\xFF\n1,2\n", NULL, 0, "header: the name of column 2 is not UTF-8 text");
    check_error("a,\"b\nc\"\n1,2\n", NULL, 0, "header: the name of column 2 has a control character");
    check_error("a,b\"c\"\n1,2\n", NULL, 0, "header: cell 2: quote inside an unquoted cell");
    check_error("a,\"b\n1,2\n", NULL, 0, "header: unclosed quote");
    check_error("\xFF\xFE"
                "a",
                NULL, 0, "UTF-16 text; expected UTF-8");
}

static void csv__rejects_ragged_rows(void **state)
{
    (void)state;
    check_error("a,b,c\n1,2,3\n\n1,2\n", NULL, 2, "row 2: 2 cells where the header has 3");
    check_error("a,b\n1,2\n1,2,\"3,4\n5\",\"6\"\n", NULL, 2, "row 2: 4 cells where the header has 2");
    check_error("a;b\n1;2\n1;2;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;\n",
                NULL, 2, "row 2: 84 cells where the header has 2");
}

static void csv__rejects_unclosed_quote(void **state)
{
    (void)state;
    check_error("a,b\n1,2\n3,\"4\n5,6\n", NULL, 2, "row 2: unclosed quote");
    check_error("a,b\n1,2\n\"3,4\n5,6", NULL, 2, "row 2: unclosed quote");
}

static void csv__rejects_misplaced_quotes(void **state)
{
    (void)state;
    check_error("a,b\n1,5\"\n3,4\n", NULL, 1, "row 1: quote inside an unquoted cell");
    check_error("a,b\n1,5\"\n3,4\"\n", NULL, 1, "row 1, column b: quote inside an unquoted cell");
    check_error("a,b\n1,2\n\"x\"y,3\n", NULL, 2, "row 2, column a: text behind the closing quote");
    check_error("a,b\n1,2\n\"x\"y\",3\n", NULL, 2, "row 2: text behind the closing quote");
}

static void csv__rejects_nul_bytes(void **state)
{
    (void)state;
    check_error_bytes("a,b\n1,2\n3,\0\n5,6\n", 16, NULL, TACIT_E_INPUT, 2, "row 2: NUL byte");
    check_error_bytes("a,b\n1,2\n3,\"\0\"\n5,6\n", 18, NULL, TACIT_E_INPUT, 2, "row 2: NUL byte");
    check_error_bytes("a,\0\n1,2\n", 8, NULL, TACIT_E_INPUT, 0, "NUL byte in the first line: not a text file");
}

static void csv__reports_what_cannot_be_opened(void **state)
{
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_table_read(&table, "/nonexistent/people.csv", NULL, 1, &err), TACIT_E_IO);
    assert_int_equal(tacit_table_read(&table, "/", NULL, 1, &err), TACIT_E_IO);
    assert_null(table);
}

static void csv__reads_a_cell_of_ten_megabytes(void **state)
{
    size_t size = 10 << 20;
    char *text = tct_malloc(size + 32, 1);
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    assert_non_null(text);
    memcpy(text, "a,b\n1,\"", 7);
    memset(text + 7, '\n', size);
    memcpy(text + 7 + size, "\"\n2,3\n", 6);
    if (tacit_table_read(&table, scratch_bytes(text, size + 13), NULL, 2, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tacit_table_rows(table), 2);
    assert_int_equal(table->blocks[0].cells[1].size, size);
    tacit_table_free(table);
    tct_free(text);
}

static void csv__rejects_a_record_beyond_the_limit(void **state)
{
    size_t size = TCT_MAX_RECORD + 100;
    char *text = tct_malloc(size, 1);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, "a,b\n1,2\n", 8);
    check_error_bytes(text, size, NULL, TACIT_E_INPUT, 2,
                      "row 2: record longer than 64 MiB (a quote that is never closed?)");
    check_error_bytes(text + 8, size - 8, NULL, TACIT_E_INPUT, 0, "no end of the header within 64 MiB");
    tct_free(text);
}

/* Many blocks: rows stay in order, the hash is that of the file, the earliest error wins, whatever the threads do. */
static char *make_rows(size_t n, size_t *size, size_t bad_row)
{
    char *text = tct_malloc(n * 40 + 40, 1);
    size_t used;

    assert_non_null(text);
    used = (size_t)snprintf(text, 40, "row,text\n");
    for (size_t i = 1; i <= n; i++)
        used +=
            (size_t)snprintf(text + used, 40, i % bad_row == 0 ? "%zu\n" : "%zu,\"some \"\"text\"\", really\"\n", i);
    *size = used;
    return text;
}

static void csv__keeps_rows_in_order_with_any_number_of_threads(void **state)
{
    size_t size, n = 200000;
    char *text = make_rows(n, &size, SIZE_MAX);
    const char *path = scratch_bytes(text, size);
    char hex[65], expected[65];
    tacit_error err = {0};
    tct_hash *hash;

    (void)state;
    assert_int_equal(tct_hash_new(&hash, &err), TACIT_OK);
    tct_hash_add(hash, text, size);
    tct_hash_finish(hash, expected);
    for (size_t threads = 0; threads < 4; threads++) {
        tacit_table *table = NULL;
        size_t row = 0;

        assert_int_equal(tacit_table_read(&table, path, NULL, threads, &err), TACIT_OK);
        assert_int_equal(tacit_table_rows(table), n);
        assert_true(table->n_blocks > 3);
        for (size_t b = 0; b < table->n_blocks; b++)
            for (size_t r = 0; r < table->blocks[b].n_rows; r++) {
                char number[32];

                snprintf(number, sizeof(number), "%zu,", ++row);
                assert_memory_equal(table->blocks[b].bytes + table->blocks[b].cells[2 * r].start, number,
                                    strlen(number));
            }
        memcpy(hex, table->hash, sizeof(hex));
        assert_string_equal(hex, expected);
        tacit_table_free(table);
    }
    tct_free(text);
}

static void csv__reports_the_first_error_with_any_number_of_threads(void **state)
{
    size_t size;
    char *text = make_rows(200000, &size, 30011);
    const char *path = scratch_bytes(text, size);

    (void)state;
    for (size_t threads = 1; threads < 9; threads++) {
        tacit_table *table = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_table_read(&table, path, NULL, threads, &err), TACIT_E_INPUT);
        assert_int_equal(err.row, 30011);
    }
    tct_free(text);
}

static void csv__hashes_the_whole_file_with_small_blocks(void **state)
{
    static const char text[] = "\xEF\xBB\xBFskipped\n\na,b\n1,2\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n3,\"4\n\"\n\n5,6";
    tacit_csv_options options = {.skip_lines = 1};
    const char *path = scratch_text(text);
    char hex[65], expected[65];
    tct_hash *hash;

    (void)state;
    assert_int_equal(tct_hash_new(&hash, NULL), TACIT_OK);
    tct_hash_add(hash, text, strlen(text));
    tct_hash_finish(hash, expected);
    for (size_t size = 1; size < 40; size++) {
        tct_block block = {0};
        tct_csv *csv = NULL;
        uint64_t rows = 0, sequence = 0;

        assert_int_equal(tct_csv_open(&csv, path, &options, NULL), TACIT_OK);
        tct_csv_set_block_size(csv, size);
        assert_int_equal(tct_csv_hash_start(csv, NULL), TACIT_OK);
        for (;; rows += block.n_rows) {
            assert_int_equal(tct_csv_next(csv, &block, NULL), TACIT_OK);
            if (block.n_rows == 0)
                break;
            assert_int_equal(block.first_row, rows + 1);
            assert_int_equal(block.sequence, sequence++);
        }
        assert_int_equal(rows, 3);
        assert_int_equal(tct_csv_bytes_done(csv), strlen(text));
        assert_int_equal(tct_csv_bytes_total(csv), strlen(text));
        tct_csv_hash_finish(csv, hex);
        assert_string_equal(hex, expected);
        tct_block_clear(&block);
        tct_csv_close(csv);
    }
}

static void csv__knows_missing_markers(void **state)
{
    tacit_csv_options options = {.missing = "?, NA"};
    tct_csv *csv = NULL;

    (void)state;
    assert_int_equal(tct_csv_open(&csv, scratch_text("a,b\n1,2\n"), &options, NULL), TACIT_OK);
    assert_true(tct_csv_missing(csv, "", 0));
    assert_true(tct_csv_missing(csv, "?", 1));
    assert_true(tct_csv_missing(csv, "NA", 2));
    assert_false(tct_csv_missing(csv, "N", 1));
    assert_false(tct_csv_missing(csv, "NAN", 3));
    assert_false(tct_csv_missing(csv, "x", 1));
    assert_int_equal(tct_csv_find(csv, "b"), 1);
    assert_true(tct_csv_find(csv, "c") == TACIT_NONE);
    tct_csv_close(csv);
}

static void csv__survives_every_failed_allocation(void **state)
{
    tacit_csv_options options = {.missing = "?,NA", .no_header = true, .names = "a,b"};
    const char *path = scratch_text("1,2\n3,\"x\"\"y\"\n");
    tacit_status st = TACIT_E_MEMORY;

    (void)state;
    for (uint64_t nth = 1; st; nth++) {
        tacit_table *table = NULL;
        tacit_error err = {0};

        tct_memory_fail_at(nth, false);
        st = tacit_table_read(&table, path, &options, 1, &err);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_int_equal(err.status, st);
        assert_int_equal(table != NULL, st == TACIT_OK);
        tacit_table_free(table);
        assert_true(nth < 1000);
    }
}

static void csv__reports_failed_reads(void **state)
{
    const char *path = scratch_text("a,b\n1,2\n");
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    tct_io_fail_at(1);
    assert_int_equal(tacit_table_read(&table, path, NULL, 1, &err), TACIT_E_IO);
    tct_io_fail_at(0);
    assert_null(table);
}

static void names__are_clean_text(void **state)
{
    (void)state;
    assert_null(tct_name_problem("age", 3, 120));
    assert_null(tct_name_problem("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 9, 120));
    assert_string_equal(tct_name_problem("", 0, 120), "is empty");
    assert_string_equal(tct_name_problem("abc", 3, 2), "is too long");
    assert_string_equal(tct_name_problem("a\x1b[0m", 5, 120), "has a control character");
    assert_string_equal(tct_name_problem("\xC2\x85", 2, 120), "has a control character");
    assert_string_equal(tct_name_problem("\xC0\x80", 2, 120), "is not UTF-8 text");
    assert_string_equal(tct_name_problem("\xED\xA0\x80", 3, 120), "is not UTF-8 text");
    assert_string_equal(tct_name_problem("\xF4\x90\x80\x80", 4, 120), "is not UTF-8 text");
    assert_string_equal(tct_name_problem("\xE2\x82", 2, 120), "is not UTF-8 text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv__reads_plain_cells),
        cmocka_unit_test(csv__reads_quoted_cells),
        cmocka_unit_test(csv__trims_blanks_outside_quotes),
        cmocka_unit_test(csv__takes_any_mix_of_line_ends),
        cmocka_unit_test(csv__passes_over_blank_lines),
        cmocka_unit_test(csv__skips_the_byte_order_mark),
        cmocka_unit_test(csv__finds_the_separator),
        cmocka_unit_test(csv__names_columns_without_header),
        cmocka_unit_test(csv__skips_lines),
        cmocka_unit_test(csv__rejects_separators_that_cannot_be),
        cmocka_unit_test(csv__rejects_empty_files),
        cmocka_unit_test(csv__rejects_bad_headers),
        cmocka_unit_test(csv__rejects_ragged_rows),
        cmocka_unit_test(csv__rejects_unclosed_quote),
        cmocka_unit_test(csv__rejects_misplaced_quotes),
        cmocka_unit_test(csv__rejects_nul_bytes),
        cmocka_unit_test(csv__reports_what_cannot_be_opened),
        cmocka_unit_test(csv__reads_a_cell_of_ten_megabytes),
        cmocka_unit_test(csv__rejects_a_record_beyond_the_limit),
        cmocka_unit_test(csv__keeps_rows_in_order_with_any_number_of_threads),
        cmocka_unit_test(csv__reports_the_first_error_with_any_number_of_threads),
        cmocka_unit_test(csv__hashes_the_whole_file_with_small_blocks),
        cmocka_unit_test(csv__knows_missing_markers),
        cmocka_unit_test(csv__survives_every_failed_allocation),
        cmocka_unit_test(csv__reports_failed_reads),
        cmocka_unit_test(names__are_clean_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

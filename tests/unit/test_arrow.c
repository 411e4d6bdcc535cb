/*
 * Arrow data into tables: every type and what becomes of it, offsets and nulls, what is refused and how, and that all that
 * was handed over is released once, whatever happens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "csv.h"
#include "make_arrow.h"

/* A table of one column; NULL when it was refused. */
static tacit_table *table_of(const arrow_column *column, int64_t rows, tacit_error *err)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    tacit_table *table = NULL;
    tacit_status st;

    arrow_batch(&schema, &array, column, 1, rows);
    st = tacit_table_from_arrow(&table, "people", &schema, &array, NULL, 1, err);
    assert_true((st == TACIT_OK) == (table != NULL));
    assert_null(schema.release);
    assert_null(array.release);
    assert_int_equal(arrow_alive, 0);
    return table;
}

/* A column's cells as a file would have them, with | between them. */
static void check_cells(const arrow_column *column, int64_t rows, const char *expected)
{
    char text[512] = "", buffer[TCT_DATUM_ROOM];
    tacit_error err = {0};
    tacit_table *table = table_of(column, rows, &err);

    if (!table)
        fail_msg("%s: %s", column->format, err.message);
    for (size_t r = 0; r < (size_t)rows; r++) {
        tct_datum datum = tct_datum_at(table->csv, &table->blocks[0], r, 0);
        const char *bytes;
        size_t size, used = strlen(text);

        assert_true(tct_datum_text(&datum, 0, buffer, &bytes, &size));
        snprintf(text + used, sizeof text - used, "%s%.*s", r ? "|" : "", (int)size, bytes);
    }
    assert_string_equal(text, expected);
    tacit_table_free(table);
}

static void check_refused(const arrow_column *column, const char *expected)
{
    tacit_error err = {0};

    assert_null(table_of(column, 1, &err));
    if (!strstr(err.message, expected))
        fail_msg("%s: %s", column->format, err.message);
    assert_int_equal(err.status, TACIT_E_INPUT);
}

#define PLAIN(f, ...) (&(arrow_column){.name = "x", .format = f, .buffers = {NULL, __VA_ARGS__}, .n_buffers = 2})

static void arrow__numbers(void **state)
{
    (void)state;
    check_cells(PLAIN("c", (int8_t[]){-128, 0, 127}), 3, "-128|0|127");
    check_cells(PLAIN("C", (uint8_t[]){0, 200, 255}), 3, "0|200|255");
    check_cells(PLAIN("s", (int16_t[]){-32768, 7, 32767}), 3, "-32768|7|32767");
    check_cells(PLAIN("S", (uint16_t[]){0, 65535}), 2, "0|65535");
    check_cells(PLAIN("i", (int32_t[]){INT32_MIN, INT32_MAX}), 2, "-2147483648|2147483647");
    check_cells(PLAIN("I", (uint32_t[]){0, UINT32_MAX}), 2, "0|4294967295");
    check_cells(PLAIN("l", (int64_t[]){-9007199254740991, 9007199254740991}), 2, "-9007199254740991|9007199254740991");
    check_cells(PLAIN("l", (int64_t[]){INT64_MIN, 1, INT64_MAX}), 3, "-9223372036854775808|1|9223372036854775807");
    check_cells(PLAIN("L", (uint64_t[]){UINT64_MAX, 3}), 2, "18446744073709551615|3");
    check_cells(PLAIN("e", (uint16_t[]){0x3C00, 0xC000, 0x7BFF, 0x0001, 0x3555, 0x7E00}), 6,
                "1.0|-2.0|65504.0|5.9604644775390625e-8|0.333251953125|");
    check_cells(PLAIN("f", (float[]){1, 0.1f, -2.5f, (float)NAN}), 4, "1.0|0.10000000149011612|-2.5|");
    check_cells(PLAIN("g", (double[]){1, 0.1, -0.0, NAN, 1e300, INFINITY}), 6, "1.0|0.1|0.0||1e300|inf");
    check_cells(PLAIN("b", (unsigned char[]){0x05}), 4, "True|False|True|False");
    check_cells(&(arrow_column){.name = "x", .format = "n"}, 2, "|");
}

static void arrow__dates(void **state)
{
    (void)state;
    check_cells(PLAIN("tdD", (int32_t[]){0, -1, 11016, -719162, 2932896}), 5,
                "1970-01-01|1969-12-31|2000-02-29|0001-01-01|9999-12-31");
    check_cells(PLAIN("tdm", (int64_t[]){86400000, -1}), 2, "1970-01-02|1969-12-31");
    check_cells(PLAIN("tss:", (int64_t[]){86399, 86400, -1}), 3, "1970-01-01|1970-01-02|1969-12-31");
    check_cells(PLAIN("tsu:UTC", (int64_t[]){86399999999, 86400000000}), 2, "1970-01-01|1970-01-02");
    check_cells(PLAIN("tsn:Z", (int64_t[]){1717113600000000000}), 1, "2024-05-31");
    check_cells(PLAIN("tsm:+02:00", (int64_t[]){79200000, 79199999}), 2, "1970-01-02|1970-01-01");
    check_cells(PLAIN("tss:-0530", (int64_t[]){19799, 19800}), 2, "1969-12-31|1970-01-01");
    check_refused(PLAIN("tss:Europe/Berlin", (int64_t[]){0}), "people: column x: timestamps in a time zone");
    check_refused(PLAIN("tdD", (int32_t[]){2932897}), "people: row 1, column x: a date outside the years 1 to 9999");
    check_refused(PLAIN("tss:+12:00", (int64_t[]){INT64_MAX}), "a time beyond all years");
}

static void arrow__texts(void **state)
{
    const unsigned char valid[] = {0x0B};
    const int32_t ends[] = {0, 3, 3, 3, 8};
    const int64_t large[] = {1, 4, 4, 4, 9};
    unsigned char views[3][16] = {{2, 0, 0, 0, 'a', 'b'}, {13, 0, 0, 0, 'l'}, {0}};
    const int32_t place[] = {1, 2};
    const int64_t sizes[] = {4, 20};
    arrow_column text = {
        .name = "x", .format = "u", .buffers = {valid, ends, "one  two"}, .n_buffers = 3, .null_count = 1};
    arrow_column view = {
        .name = "x", .format = "vu", .buffers = {NULL, views, "none", "__a longer text_____", sizes}, .n_buffers = 5};

    (void)state;
    check_cells(&text, 4, "one|||two");
    text.format = "U";
    text.buffers[1] = large;
    text.buffers[2] = "-one \ttwo";
    check_cells(&text, 4, "one|||two");
    text.buffers[2] = "-one t\0wo";
    check_refused(
        &(arrow_column){.name = "x", .format = "U", .buffers = {NULL, (int64_t[]){0, 3}, "a\0b"}, .n_buffers = 3},
        "people: row 1, column x: a NUL byte in the text");
    memcpy(views[1] + 8, place, 8);
    check_cells(&view, 3, "ab|a longer text|");
    views[1][12] = 9;
    assert_null(table_of(&view, 3, NULL));
    views[1][8] = 2;
    assert_null(table_of(&view, 3, NULL));
    check_refused(
        &(arrow_column){.name = "x", .format = "u", .buffers = {NULL, (int32_t[]){3, 1}, "abc"}, .n_buffers = 3},
        "a text that ends before it begins");
}

static void arrow__dictionaries(void **state)
{
    const int32_t ends[] = {0, 3, 6, 6};
    arrow_column words = {
        .format = "u", .buffers = {(unsigned char[]){3}, ends, "onetwo"}, .n_buffers = 3, .length = 3, .null_count = 1};
    arrow_column numbers = {.format = "g", .buffers = {NULL, (double[]){0.5, 7}}, .n_buffers = 2, .length = 2};
    arrow_column column = {.name = "x",
                           .format = "s",
                           .buffers = {(unsigned char[]){0x17}, (int16_t[]){1, 0, 2, 9, 1}},
                           .n_buffers = 2,
                           .null_count = 1,
                           .dictionary = &words};

    (void)state;
    check_cells(&column, 5, "two|one|||two");
    column.dictionary = &numbers;
    column.buffers[1] = (int16_t[]){1, 0, 0, 9, 1};
    check_cells(&column, 5, "7.0|0.5|0.5||7.0");
    column.buffers[1] = (int16_t[]){2};
    check_refused(&column, "people: row 1, column x: a place that is not in the dictionary");
    column.buffers[1] = (int16_t[]){-1};
    check_refused(&column, "a place that is not in the dictionary");
    column.format = "g";
    check_refused(&column, "places in a dictionary that are no integers");
    column.format = "s";
    numbers.dictionary = &words;
    check_refused(&column, "dictionaries of dictionaries");
}

static void arrow__offsets(void **state)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    tacit_table *table = NULL;
    arrow_column columns[] = {
        {.name = "a",
         .format = "s",
         .buffers = {(unsigned char[]){0xEF}, (int16_t[]){0, 1, 2, 3, 4, 5, 6, 7}},
         .n_buffers = 2,
         .null_count = 1,
         .offset = 1,
         .length = 6},
        {.name = "b", .format = "b", .buffers = {NULL, (unsigned char[]){0xF0}}, .n_buffers = 2, .length = 7}};
    const double expected[] = {3, NAN, 5, 6};

    (void)state;
    arrow_batch_schema(&schema, columns, 2);
    arrow_batch_array(&array, columns, 2, 2, 4); /* rows 2 to 5 of both; a begins at its own second value */
    assert_int_equal(tacit_table_from_arrow(&table, NULL, &schema, &array, NULL, 1, NULL), TACIT_OK);
    for (size_t r = 0; r < 4; r++) {
        tct_datum a = tct_datum_at(table->csv, &table->blocks[0], r, 0);
        tct_datum b = tct_datum_at(table->csv, &table->blocks[0], r, 1);

        assert_true(a.number == expected[r] || (isnan(a.number) && isnan(expected[r])));
        assert_true(b.number == (r >= 2));
    }
    assert_string_equal(tct_csv_path(table->csv), "table");
    tacit_table_free(table);
    assert_int_equal(arrow_alive, 0);
}

static void arrow__refusals_name_column_and_type(void **state)
{
    static const char *const refused[][2] = {
        {"d:10,2", "decimals"},     {"d:10,2,256", "decimals"}, {"z", "binary"},         {"Z", "binary"},
        {"vz", "binary"},           {"w:16", "binary"},         {"ttm", "times of day"}, {"tDs", "durations"},
        {"tiM", "intervals"},       {"+s", "structs"},          {"+l", "lists"},         {"+L", "lists"},
        {"+vl", "lists"},           {"+w:3", "lists"},          {"+m", "maps"},          {"+ud:0,1", "unions"},
        {"+r", "run-end encoded"},  {"q", "no Arrow format"},   {"", "no Arrow format"}, {"tsx:", "no Arrow format"},
        {"tdx", "no Arrow format"}, {"ii", "no Arrow format"}};

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char expected[64];

        snprintf(expected, sizeof expected, "people: column x: %s", refused[i][1]);
        check_refused(PLAIN(refused[i][0], (double[]){0}), strstr(expected, "no Arrow") ? "no Arrow format" : expected);
    }
}

static void arrow__malformed_is_refused(void **state)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    tacit_table *table = NULL;
    tacit_error err = {0};
    arrow_column column = *PLAIN("g", (double[]){1, 2});
    const unsigned char first_only = 1;

    (void)state;
    column.n_buffers = 1;
    check_refused(&column, "too few buffers");
    column.n_buffers = 2;
    column.buffers[1] = NULL;
    check_refused(&column, "no values");
    column = *PLAIN("g", (double[]){1, 2});
    column.null_count = 1;
    check_refused(&column, "nulls, but nothing says which");
    column.null_count = 0;
    column.offset = -1;
    check_refused(&column, "lengths that do not fit together");
    column.offset = 0;
    column.length = -4;
    check_refused(&column, "lengths that do not fit together");
    column.length = 0;
    column.format = NULL;
    check_refused(&column, "no format");
    column.format = "g";
    for (int i = 0; i < 6; i++) {
        arrow_batch(&schema, &array, &column, 1, 2);
        if (i == 0)
            schema.format = "g";
        else if (i == 1)
            array.length = 3;
        else if (i == 2)
            array.length = -1;
        else if (i == 3)
            array.buffers[0] = &first_only, array.null_count = -1;
        else if (i == 4)
            array.offset = 1;
        else
            array.length = 0;
        assert_int_equal(tacit_table_from_arrow(&table, NULL, &schema, &array, NULL, 1, &err), TACIT_E_INPUT);
        assert_null(table);
        assert_int_equal(arrow_alive, 0);
    }
    assert_string_equal(err.message, "table: no data rows");
    assert_int_equal(tacit_table_from_arrow(&table, NULL, &schema, &array, NULL, 1, &err), TACIT_E_USAGE);
    arrow_batch_schema(&schema, &column, 1);
    assert_int_equal(tacit_table_from_arrow(&table, NULL, &schema, NULL, NULL, 1, &err), TACIT_E_USAGE);
    assert_int_equal(arrow_alive, 0);
    schema = (struct ArrowSchema){.format = "+s", .release = arrow_free_schema};
    arrow_alive++;
    array = (struct ArrowArray){.release = arrow_free_array};
    arrow_alive++;
    assert_int_equal(tacit_table_from_arrow(&table, NULL, &schema, &array, NULL, 1, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "table: no columns");
    assert_int_equal(arrow_alive, 0);
}

static int refuse_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    (void)stream;
    (void)out;
    return ENOMEM;
}

static void arrow__streams(void **state)
{
    arrow_column column = *PLAIN("l", (int64_t[]){1, 2, 3, 4, 5});
    struct ArrowArrayStream stream;
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    for (int fails_at = 0; fails_at <= 4; fails_at++) {
        arrow_source source = {.columns = &column, .n = 1, .rows = 5, .step = 2, .fails_at = fails_at};

        arrow_stream(&stream, &source);
        assert_int_equal(tacit_table_from_arrow_stream(&table, "them", &stream, NULL, 1, &err),
                         fails_at ? TACIT_E_IO : TACIT_OK);
        assert_null(stream.release);
        assert_int_equal(arrow_alive, 0);
        if (fails_at) {
            assert_null(table);
            assert_non_null(strstr(err.message, "them: the Arrow stream has failed"));
            assert_null(strstr(err.message, "what the producer says"));
        } else {
            assert_int_equal(tacit_table_rows(table), 5);
            tacit_table_free(table);
        }
    }
    assert_int_equal(tacit_table_from_arrow_stream(&table, NULL, &stream, NULL, 1, &err), TACIT_E_USAGE);
    arrow_stream(&stream, &(arrow_source){.columns = &column, .n = 1, .step = 1});
    assert_int_equal(tacit_table_from_arrow_stream(&table, NULL, &stream, NULL, 1, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "table: no data rows");
    arrow_stream(&stream, &(arrow_source){.columns = &column, .n = 1, .step = 1});
    stream.get_schema = refuse_schema;
    assert_int_equal(tacit_table_from_arrow_stream(&table, NULL, &stream, NULL, 1, &err), TACIT_E_MEMORY);
    assert_int_equal(arrow_alive, 0);
}

/* Columns beside a stream, cut as its batches are, make the table that columns alone would make. */
static void arrow__columns_beside(void **state)
{
    static int64_t ages[] = {31, 32, 33, 34, 35};
    static const char *const outcomes[] = {"yes", "no"};
    static int8_t places[] = {0, 1, -1, 1, 0};
    static const unsigned char missing[] = {0, 0, 0, 1, 0};
    arrow_column column = *PLAIN("l", ages);
    const tacit_column all[] = {
        {.name = column.name, .type = TACIT_COLUMN_INT64, .values = ages},
        {.name = "outcome", .type = TACIT_COLUMN_INT8, .values = places, .levels = outcomes, .n_levels = 2},
        {.name = "size", .type = TACIT_COLUMN_INT64, .values = &ages[4], .stride = -8, .missing = missing},
    };
    tacit_table *table = NULL, *expected = NULL;
    struct ArrowArrayStream stream;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_table_build(&expected, NULL, all, 3, 5, NULL, 1, NULL), TACIT_OK);
    for (int64_t step = 1; step <= 5; step++) {
        arrow_stream(&stream, &(arrow_source){.columns = &column, .n = 1, .rows = 5, .step = step});
        assert_int_equal(tacit_table_from_arrow_beside(&table, NULL, &stream, all + 1, 2, 5, NULL, 1, NULL), TACIT_OK);
        assert_int_equal(arrow_alive, 0);
        assert_string_equal(tacit_table_hash(table), tacit_table_hash(expected));
        tacit_table_free(table);
    }
    arrow_stream(&stream, &(arrow_source){.columns = &column, .n = 1, .rows = 5, .step = 2});
    assert_int_equal(tacit_table_from_arrow_beside(&table, "them", &stream, all + 1, 2, 4, NULL, 1, &err),
                     TACIT_E_INPUT);
    assert_string_equal(err.message, "them: column outcome: 4 rows, where the Arrow table has 5");
    assert_int_equal(arrow_alive, 0);
    tacit_table_free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow__numbers),
        cmocka_unit_test(arrow__dates),
        cmocka_unit_test(arrow__texts),
        cmocka_unit_test(arrow__dictionaries),
        cmocka_unit_test(arrow__offsets),
        cmocka_unit_test(arrow__refusals_name_column_and_type),
        cmocka_unit_test(arrow__malformed_is_refused),
        cmocka_unit_test(arrow__streams),
        cmocka_unit_test(arrow__columns_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

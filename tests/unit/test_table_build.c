/*
 * Tables from arrays: strides, masks, levels, markers, spellings of numbers that are levels, and what is a mistake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "csv.h"
#include "scratch.h"
#include "tacit.h"

static tacit_table *build(const tacit_column *columns, size_t n, size_t rows, const tacit_csv_options *options)
{
    tacit_table *table = NULL;
    tacit_error err = {0};

    if (tacit_table_build(&table, "here", columns, n, rows, options, 1, &err))
        fail_msg("%s", err.message);
    return table;
}

static void check_cells(const tacit_column *column, size_t rows, const tacit_csv_options *options, const char *expected)
{
    tacit_table *table = build(column, 1, rows, options);
    char text[512] = "", buffer[TCT_DATUM_ROOM];

    for (size_t r = 0; r < rows; r++) {
        tct_datum datum = tct_datum_at(table->csv, &table->blocks[0], r, 0);
        const char *bytes;
        size_t size, used = strlen(text);

        if (tct_datum_missing(table->csv, &datum))
            datum = (tct_datum){.bytes = "?", .size = 1};
        assert_true(tct_datum_text(&datum, 0, buffer, &bytes, &size));
        snprintf(text + used, sizeof text - used, "%s%.*s", r ? "|" : "", (int)size, bytes);
    }
    assert_string_equal(text, expected);
    tacit_table_free(table);
}

static void build__strides_masks_levels(void **state)
{
    const struct {
        double first;
        int16_t second;
        char third[6];
    } rows[] = {{1.5, 7, ""}, {2.5, -8, ""}, {NAN, 9, ""}};
    const unsigned char missing[] = {0, 4, 0};
    const char *const words[] = {"red", " green ", NULL, ""}, *const few[] = {"a", "b"};
    tacit_column column = {.name = "x", .type = TACIT_COLUMN_FLOAT64, .values = &rows[0].first, .stride = sizeof *rows};

    (void)state;
    check_cells(&column, 3, NULL, "1.5|2.5|?");
    column.missing = missing;
    check_cells(&column, 3, NULL, "1.5|?|?");
    column = (tacit_column){
        .name = "x", .type = TACIT_COLUMN_INT16, .values = &rows[2].second, .stride = -(ptrdiff_t)sizeof *rows};
    check_cells(&column, 3, NULL, "9|-8|7");
    column = (tacit_column){.name = "x", .type = TACIT_COLUMN_TEXT, .values = words};
    check_cells(&column, 4, NULL, "red|green|?|?");
    column = (tacit_column){
        .name = "x", .type = TACIT_COLUMN_INT64, .values = (int64_t[]){1, -1, 0}, .levels = few, .n_levels = 2};
    check_cells(&column, 3, NULL, "b|?|a");
    column = (tacit_column){.name = "x", .type = TACIT_COLUMN_DAYS, .values = (int64_t[]){0, INT64_MIN}};
    check_cells(&column, 2, NULL, "1970-01-01|?");
    column = (tacit_column){.name = "x", .type = TACIT_COLUMN_BOOL, .values = (unsigned char[]){0, 2}};
    check_cells(&column, 2, NULL, "False|True");
}

static void build__markers(void **state)
{
    const tacit_csv_options options = {.missing = "999,unknown"};
    const char *const words[] = {"unknown", "NA", "?"};
    tacit_column column = {.name = "x", .type = TACIT_COLUMN_INT32, .values = (int32_t[]){999, 99, -999}};

    (void)state;
    check_cells(&column, 3, &options, "?|99|-999");
    check_cells(&column, 3, NULL, "999|99|-999");
    column = (tacit_column){.name = "x", .type = TACIT_COLUMN_FLOAT32, .values = (float[]){999, 0.5f}};
    check_cells(&column, 2, &options, "?|0.5");
    column = (tacit_column){.name = "x", .type = TACIT_COLUMN_TEXT, .values = words};
    check_cells(&column, 3, &options, "?|NA|?");
    check_cells(&column, 3, NULL, "unknown|?|?");
}

/* A model whose levels and classes are written in one way takes numbers that would be written in another. */
static void build__numbers_as_levels(void **state)
{
    const char *schema_text =
        "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [\"0\", \"1\"]}, "
        "\"attributes\": [{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"1\", \"2\"]}, "
        "{\"name\": \"b\", \"type\": \"category\", \"levels\": [\"1.0\", \"2.0\"]}, "
        "{\"name\": \"c\", \"type\": \"category\", \"levels\": [\"false\", \"true\"]}, "
        "{\"name\": \"d\", \"type\": \"integer\", \"min\": 0, \"max\": 1}]}";
    tacit_column columns[] = {{.name = "a", .type = TACIT_COLUMN_FLOAT64, .values = (double[]){1, 2, 1}},
                              {.name = "b", .type = TACIT_COLUMN_INT8, .values = (int8_t[]){2, 1, 1}},
                              {.name = "c", .type = TACIT_COLUMN_BOOL, .values = (unsigned char[]){1, 0, 1}},
                              {.name = "d", .type = TACIT_COLUMN_BOOL, .values = (unsigned char[]){1, 0, 1}},
                              {.name = "y", .type = TACIT_COLUMN_FLOAT32, .values = (float[]){0, 1, 1}}};
    tacit_table *table = build(columns, 5, 3, NULL);
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    (void)state;
    if (tacit_schema_parse(&schema, schema_text, strlen(schema_text), &err) || tacit_table_check(table, schema, &err))
        fail_msg("%s", err.message);
    tacit_table_free(table);
    columns[0].values = (double[]){1, 3, 1.5};
    table = build(columns, 5, 3, NULL);
    assert_int_equal(tacit_table_check(table, schema, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "here: row 2, column a"));
    assert_non_null(strstr(err.message, "level"));
    tacit_table_free(table);
    columns[0].values = (double[]){1, 2, 1};
    columns[3] = (tacit_column){.name = "d", .type = TACIT_COLUMN_FLOAT64, .values = (double[]){0, 0.5, INFINITY}};
    table = build(columns, 5, 3, NULL);
    assert_int_equal(tacit_table_check(table, schema, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "expected a whole number"));
    tacit_table_free(table);
    columns[3] = (tacit_column){.name = "d", .type = TACIT_COLUMN_DAYS, .values = (int64_t[]){0, 1, 1}};
    table = build(columns, 5, 3, NULL);
    assert_int_equal(tacit_table_check(table, schema, &err), TACIT_E_INPUT);
    tacit_table_free(table);
    tacit_schema_free(schema);
}

static void build__rows_can_be_left_out(void **state)
{
    const char *const y[] = {"a", "b", NULL, "a"};
    const tacit_column columns[] = {{.name = "x", .type = TACIT_COLUMN_FLOAT64, .values = (double[]){1, 2, 3, 4}},
                                    {.name = "y", .type = TACIT_COLUMN_TEXT, .values = y}};
    tacit_table *table = build(columns, 2, 4, NULL);

    (void)state;
    assert_int_equal(tacit_table_drop_unlabelled(table, "y", NULL), TACIT_OK);
    assert_int_equal(tacit_table_rows(table), 3);
    assert_int_equal(tacit_table_unlabelled(table), 1);
    assert_int_equal(tct_block_row(&table->blocks[0], 2), 4);
    tacit_table_free(table);
}

static void check_mistake(const tacit_column *column, size_t n, size_t rows, tacit_status status, const char *expected)
{
    tacit_table *table = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_table_build(&table, "here", column, n, rows, NULL, 1, &err), status);
    assert_null(table);
    if (!strstr(err.message, expected))
        fail_msg("%s", err.message);
}

static void build__mistakes(void **state)
{
    const double values[] = {1};
    tacit_column good = {.name = "x", .type = TACIT_COLUMN_FLOAT64, .values = values}, bad = good;

    (void)state;
    check_mistake(&good, 0, 1, TACIT_E_USAGE, "a table needs a column");
    check_mistake(&good, 1, 0, TACIT_E_INPUT, "here: no data rows");
    bad.type = (tacit_column_type)0;
    check_mistake(&bad, 1, 1, TACIT_E_USAGE, "there is no type 0");
    bad.type = (tacit_column_type)15;
    check_mistake(&bad, 1, 1, TACIT_E_USAGE, "there is no type 15");
    bad = good;
    bad.values = NULL;
    check_mistake(&bad, 1, 1, TACIT_E_USAGE, "column 1 (x): no values");
    bad = good;
    bad.levels = (const char *const[]){"a"};
    check_mistake(&bad, 1, 1, TACIT_E_USAGE, "only integers");
    bad = good;
    bad.reserved[1] = values;
    check_mistake(&bad, 1, 1, TACIT_E_USAGE, "must be NULL");
    bad = good;
    bad.name = "a\nb";
    check_mistake(&bad, 1, 1, TACIT_E_INPUT, "the name of column 1 has a control character");
    bad = (tacit_column){.name = "x",
                         .type = TACIT_COLUMN_INT8,
                         .values = (int8_t[]){1},
                         .levels = (const char *const[]){"a"},
                         .n_levels = 1};
    check_mistake(&bad, 1, 1, TACIT_E_INPUT, "here: row 1, column x: a place that is not in the dictionary");
}

static void build__names_are_told_apart(void **state)
{
    const double values[] = {1};
    const tacit_column columns[] = {{.name = "x", .type = TACIT_COLUMN_FLOAT64, .values = values},
                                    {.name = "x", .type = TACIT_COLUMN_FLOAT64, .values = values},
                                    {.type = TACIT_COLUMN_FLOAT64, .values = values}};
    tacit_table *table = build(columns, 3, 1, NULL);

    (void)state;
    assert_string_equal(tacit_table_column_name(table, 0), "x");
    assert_string_equal(tacit_table_column_name(table, 1), "x.2");
    assert_string_equal(tacit_table_column_name(table, 2), "column 3");
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(build__strides_masks_levels),
        cmocka_unit_test(build__markers),
        cmocka_unit_test(build__numbers_as_levels),
        cmocka_unit_test(build__rows_can_be_left_out),
        cmocka_unit_test(build__mistakes),
        cmocka_unit_test(build__names_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

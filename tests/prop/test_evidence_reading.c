/*
 * test_evidence_reading.c -- cells as they come: dates against the C library, decimal commas against points, markers
 * for "missing", rows that are left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "csv.h"
#include "dates.h"
#include "encode.h"
#include "scale.h"
#include "schema.h"
#include "scratch.h"

static void dates__agree_with_the_library(void **state)
{
    static const char *const formats[4][3] = {{0},
                                              {"%04d-%02d-%02d", "%04d/%d/%d", "%04d-%02d-%02dT10:15:00Z"},
                                              {"%02d.%02d.%04d", "%d/%d/%04d", "%d-%d-%04d 10:15"},
                                              {"%02d/%02d/%04d", "%d.%d.%04d", "%d-%d-%04d 23:59:59.5"}};
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 0);
    for (size_t round = 0; round < scaled(20000); round++) {
        struct tm tm = {.tm_year = (int)tct_random_below(&random, 9999) - 1899,
                        .tm_mon = (int)tct_random_below(&random, 12),
                        .tm_mday = 1 + (int)tct_random_below(&random, 31)};
        int year = tm.tm_year + 1900, month = tm.tm_mon + 1, day = tm.tm_mday;
        struct tm made = tm;
        int64_t seconds = timegm(&made), days = -1;
        bool exists = made.tm_mon == tm.tm_mon && made.tm_mday == tm.tm_mday;

        for (int order = TACIT_DATES_YMD; order <= TACIT_DATES_MDY; order++) {
            const char *format = formats[order][tct_random_below(&random, 3)];
            char text[64];
            int size = order == TACIT_DATES_YMD   ? snprintf(text, sizeof(text), format, year, month, day)
                       : order == TACIT_DATES_DMY ? snprintf(text, sizeof(text), format, day, month, year)
                                                  : snprintf(text, sizeof(text), format, month, day, year);

            assert_int_equal(tct_parse_date(text, (size_t)size, order, &days), exists);
            if (exists)
                assert_int_equal(days * 86400, seconds);
        }
    }
}

static void dates__are_nothing_else(void **state)
{
    static const char *const texts[] = {"",           "2024",       "2024-05",     "2024-05-31-1", "20240531",
                                        "2024-5/31",  "24-05-31",   "2024-05-31x", "2024-05-31 ",  "2024-05-32",
                                        "0000-01-01", "2023-02-29", "1.5",         "-1-2-2024",    "2024-05-31T1",
                                        "12:30"};
    int64_t days;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        for (int order = TACIT_DATES_YMD; order <= TACIT_DATES_MDY; order++)
            assert_false(tct_parse_date(texts[i], strlen(texts[i]), order, &days));
    assert_true(tct_looks_like_short_date("31.12.99", 8));
    assert_true(tct_looks_like_short_date("1/2/03", 6));
    assert_false(tct_looks_like_short_date("31.13.99", 8));
    assert_false(tct_looks_like_short_date("1.2.2003", 8));
}

/* ---- tables ---- */

static tacit_status infer(tacit_schema **schema, tacit_table **table, const char *text, const tacit_csv_options *csv,
                          bool days, tacit_error *err)
{
    const tacit_infer_options options = {.label = "y", .dates_as_days = days};

    *schema = NULL;
    *table = NULL;
    if (tacit_table_read(table, scratch_text(text), csv, 2, err))
        fail_msg("%s", err->message);
    return tacit_schema_infer(schema, *table, &options, err);
}

static void need(tacit_status st, const tacit_error *err)
{
    if (st)
        fail_msg("%s", err->message);
}

/* Both tables encode to the same numbers. */
static void check_equal(const tacit_table *a, const tacit_table *b, const tacit_schema *schema)
{
    const tacit_table *tables[2] = {a, b};
    double x[2][4000];
    int32_t labels[2][1000];
    tct_codec *codec = NULL;
    tacit_error err = {0};

    need(tct_codec_new(&codec, schema, &err), &err);
    for (size_t t = 0; t < 2; t++) {
        tct_binding *binding = NULL;
        tct_encode_counts counts = {0};

        assert_int_equal(tables[t]->n_blocks, 1);
        need(tct_binding_new(&binding, codec, tables[t]->csv, true, &err), &err);
        need(tct_encode_block(binding, &tables[t]->blocks[0], x[t], labels[t], &counts, &err), &err);
        tct_binding_free(binding);
    }
    assert_memory_equal(x[0], x[1], a->n_rows * codec->n_inputs * sizeof(double));
    assert_memory_equal(labels[0], labels[1], a->n_rows * sizeof(int32_t));
    tct_codec_free(codec);
}

static void comma__reads_like_a_point(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 2, 0);
    for (size_t round = 0; round < scaled(30); round++) {
        tct_text point = {0}, comma = {0};
        tacit_schema *schema = NULL, *other = NULL;
        tacit_table *a = NULL, *b = NULL;
        tacit_error err = {0};

        tct_text_printf(&point, "v;w;y\n");
        for (int r = 0; r < 200; r++)
            tct_text_printf(&point, "%.*f;%de%d;%d\n", (int)tct_random_below(&random, 6),
                            200 * tct_random_uniform(&random) - 100, (int)tct_random_below(&random, 90),
                            (int)tct_random_below(&random, 3), r % 2);
        tct_text_append(&comma, point.bytes, point.size);
        for (size_t i = 0; i < comma.size; i++)
            comma.bytes[i] = comma.bytes[i] == '.' ? ',' : comma.bytes[i];
        need(infer(&schema, &a, point.bytes, NULL, false, &err), &err);
        need(infer(&other, &b, comma.bytes, NULL, false, &err), &err);
        assert_int_equal(other->csv.decimal, b->found_comma ? ',' : 0);
        assert_true(b->found_comma || !strchr(comma.bytes, ','));
        assert_int_equal(other->attributes[0].type, schema->attributes[0].type);
        assert_true(other->attributes[0].min == schema->attributes[0].min);
        assert_true(other->attributes[0].fill == schema->attributes[0].fill);
        check_equal(a, b, schema);
        tacit_table_free(a);
        tacit_table_free(b);
        tacit_schema_free(schema);
        tacit_schema_free(other);
        tct_text_free(&point);
        tct_text_free(&comma);
    }
}

static bool finds_comma(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    bool found;

    need(tacit_table_read(&table, scratch_text(text), NULL, 1, &err), &err);
    found = table->found_comma;
    tacit_table_free(table);
    return found;
}

static void comma__is_found_with_care(void **state)
{
    (void)state;
    assert_true(finds_comma("a;y\n1,5;0\n2;1\n"));
    assert_true(finds_comma("a\ty\n1,5\t0\n2,25\t1\n"));
    assert_true(finds_comma("a;b;y\n1,5;3.1.2024;0\n2;4.1.2024;1\n"));
    assert_false(finds_comma("a;y\n1,234;0\n2,345;1\n"));     /* thousands? */
    assert_false(finds_comma("a;b;y\n1,5;1.5;0\n2;2.5;1\n")); /* both */
    assert_false(finds_comma("a;y\nx 1,5;0\ny 2;1\n"));
    assert_false(finds_comma("a,y\n\"1,5\",0\n2,1\n")); /* separates cells */
}

static bool is_missing(const char *text, const char *marker)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    bool missing;

    need(tacit_table_read(&table, scratch_text(text), NULL, 1, &err), &err);
    missing = tct_csv_missing(table->csv, marker, strlen(marker));
    tacit_table_free(table);
    return missing;
}

static void markers__are_chosen_with_care(void **state)
{
    static const char *const sure[] = {"NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?"};
    static const char *const never[] = {"None", "none", "no", "unknown", "0", "-1", "999", "na", "Na"};
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof(sure) / sizeof(*sure); i++) {
        snprintf(text, sizeof(text), "a,y\nx,0\n%s,1\n", sure[i]);
        assert_true(is_missing(text, sure[i]));
        assert_false(is_missing("a,y\nx,0\n", sure[i])); /* where it does not occur it is not looked for */
    }
    for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
        assert_false(is_missing("a,y\n1,0\nNone,1\n", never[i]));
    assert_true(is_missing("a,y\n1,0\n-,1\n2,0\n", "-"));
    assert_false(is_missing("a,y\n+,0\n-,1\n", "-"));              /* blood groups */
    assert_false(is_missing("a,b,y\n1,+,0\n-,-,1\n2,+,0\n", "-")); /* a level elsewhere */
    assert_false(is_missing("a,y\n1,+\n2,-\n", "-"));              /* a class */
}

static void markers__go_into_the_schema(void **state)
{
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    need(infer(&schema, &table, "a,c,y\n1,x,0\nNA,NA,1\n3,z,0\n", NULL, false, &err), &err);
    assert_non_null(strstr(schema->csv.missing, "NA"));
    assert_int_equal(schema->attributes[0].type, TACIT_INTEGER);
    assert_true(schema->attributes[1].missing_level != TACIT_NONE);
    assert_string_equal(tacit_schema_remark(schema, 0)->kind, "missing_markers");
    assert_int_equal(tacit_schema_remark(schema, 0)->n_columns, 2);
    tacit_schema_free(schema);
    tacit_table_free(table);
    need(infer(&schema, &table, "a,c,y\n1,x,0\nNA,NA,1\n3,z,0\n", &(tacit_csv_options){.missing = ""}, false, &err),
         &err);
    assert_int_equal(schema->attributes[0].type, TACIT_CATEGORY); /* a level like any other */
    assert_int_equal(schema->attributes[1].n_levels, 3);
    assert_null(schema->csv.missing);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void dates__become_days_or_go(void **state)
{
    static const char text[] = "d,s,x,y\n31.12.1969,1.2.99,5,0\n2.1.1970,3.4.00,7,1\n1.1.1970,5.6.01,6,0\n";
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    need(infer(&schema, &table, text, NULL, false, &err), &err);
    assert_int_equal(schema->n_attributes, 1);
    assert_int_equal(tacit_schema_remarks(schema), 2);
    tacit_schema_free(schema);
    tacit_table_free(table);
    need(infer(&schema, &table, text, NULL, true, &err), &err);
    assert_int_equal(schema->n_attributes, 2);
    assert_int_equal(schema->attributes[0].dates, TACIT_DATES_DMY);
    assert_true(schema->attributes[0].min == -2 && schema->attributes[0].max == 2);
    check_equal(table, table, schema);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* ---- rows that are left out ---- */

static void bad_rows__keep_the_numbers_of_others(void **state)
{
    static const char text[] = "a,b,y\n1,2,0\n1,2\n3,4,1\n5,6,0,7\n\n7,x\"y\"z,1\n9,1,0\n";
    tacit_csv_options options = {.skip_bad = 3};
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    need(tacit_table_read(&table, scratch_text(text), &options, 1, &err), &err);
    assert_int_equal(tacit_table_rows(table), 3);
    assert_int_equal(tacit_table_skipped(table), 3);
    assert_int_equal(tct_block_row(&table->blocks[0], 1), 3);
    assert_int_equal(tct_block_row(&table->blocks[0], 2), 6);
    tacit_table_free(table);
    options.skip_bad = 2;
    assert_int_equal(tacit_table_read(&table, scratch_text(text), &options, 1, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "3 bad rows, 2 may be left out (--skip-bad-rows); the first is row 2"));
}

static void bad_rows__go_with_text_for_a_number(void **state)
{
    tct_text text = {0};
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_error err = {0};
    size_t dropped = 0;

    (void)state;
    tct_text_printf(&text, "a,y\n");
    for (int r = 1; r <= 200; r++)
        tct_text_printf(&text, r == 50 ? "oops,%d\n" : "%2$d.5,%1$d\n", r % 2, r);
    need(infer(&schema, &table, text.bytes, &(tacit_csv_options){.skip_bad = 1}, false, &err), &err);
    assert_int_equal(schema->attributes[0].type, TACIT_NUMBER);
    need(tacit_table_drop_bad(table, schema, &dropped, &err), &err);
    assert_int_equal(dropped, 1);
    assert_int_equal(tacit_table_rows(table), 199);
    assert_int_equal(tct_block_row(&table->blocks[0], 49), 51);
    tacit_schema_free(schema);
    tacit_table_free(table);
    assert_int_equal(infer(&schema, &table, text.bytes, NULL, false, &err), TACIT_E_INPUT);
    assert_int_equal(err.row, 50);
    tacit_table_free(table);
    tct_text_free(&text);
}

/* ---- everything that is wrong, at once ---- */

static void problems__are_told_together(void **state)
{
    const tacit_infer_options options = {.label = "y"};
    tacit_csv_options csv = {.defer_bad = true};
    tct_text text = {0};
    tacit_schema *schema = NULL;
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    tct_text_printf(&text, "a,b,c,y\n");
    for (int r = 1; r <= 200; r++)
        tct_text_printf(&text, "%d.5,,%s%d,%s\n", r, r == 7 ? "x" : "", r,
                        r == 9 || r == 11 ? ""
                        : r % 2           ? "no"
                                          : "yes");
    tct_text_printf(&text, "1,2\n");
    need(tacit_table_read(&table, scratch_text(text.bytes), &csv, 1, &err), &err);
    assert_int_equal(tacit_schema_infer(&schema, table, &options, &err), TACIT_E_INPUT);
    assert_non_null(
        strstr(err.message, ": 4 problems:\n  row 201: 2 cells where the header has 4\n  row 9, column y: "));
    assert_non_null(strstr(err.message, "\n  column b: all values are missing"));
    assert_non_null(strstr(err.message, "\n  row 7, column c: expected a number"));
    tacit_table_free(table);
    tct_text_free(&text);
}

static void names__are_told_apart(void **state)
{
    static const char *const names[] = {"a", "a.2", "a.3", "column 4", "a.2.2", "y"};
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    need(tacit_table_read(&table, scratch_text("a,a.2,a,,a.2,y\n1,2,3,4,5,0\n"), NULL, 1, &err), &err);
    for (size_t c = 0; c < 6; c++)
        assert_string_equal(tacit_table_column_name(table, c), names[c]);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates__agree_with_the_library),
        cmocka_unit_test(dates__are_nothing_else),
        cmocka_unit_test(comma__reads_like_a_point),
        cmocka_unit_test(comma__is_found_with_care),
        cmocka_unit_test(markers__are_chosen_with_care),
        cmocka_unit_test(markers__go_into_the_schema),
        cmocka_unit_test(dates__become_days_or_go),
        cmocka_unit_test(bad_rows__keep_the_numbers_of_others),
        cmocka_unit_test(bad_rows__go_with_text_for_a_number),
        cmocka_unit_test(problems__are_told_together),
        cmocka_unit_test(names__are_told_apart),
    };

    return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}

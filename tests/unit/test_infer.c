/*
 * A schema from a table: types, domains, levels, classes, roles, remarks, and every documented error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode.h"
#include "schema.h"
#include "scratch.h"

static tacit_table *read_table(const char *text, const char *missing, const char **path)
{
    tacit_csv_options options = {.missing = missing};
    tacit_table *table = NULL;
    tacit_error err = {0};

    *path = scratch_text(text);
    if (tacit_table_read(&table, *path, &options, 1, &err))
        fail_msg("%s", err.message);
    return table;
}

static tacit_schema *infer(const char *text, const tacit_infer_options *options, const char *missing)
{
    const char *path;
    tacit_table *table = read_table(text, missing, &path);
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_infer(&schema, table, options, &err))
        fail_msg("%s", err.message);
    tacit_table_free(table);
    return schema;
}

static void check_error(const char *text, const tacit_infer_options *options, tacit_status status, size_t row,
                        const char *message)
{
    const char *path;
    tacit_table *table = read_table(text, "?", &path);
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_schema_infer(&schema, table, options, &err), status);
    assert_null(schema);
    assert_string_equal(scratch_message(err.message, path), message);
    assert_int_equal(err.row, row);
    tacit_table_free(table);
}

static const tacit_infer_options plain = {.label = "y"};

static void infer__finds_types_and_domains(void **state)
{
    tacit_schema *s = infer("i,f,w,c,m,y\n"
                            "1,0.5,1,red,3,no\n"
                            "-2,1e3,2000000,blue,x,yes\n"
                            "3.0,2,3,red,3,no\n"
                            "?,?,4,?,3,no\n",
                            &plain, "?");
    const tacit_attribute *a = s->attributes;

    (void)state;
    assert_int_equal(s->n_attributes, 5);
    assert_true(a[0].type == TACIT_INTEGER && a[0].min == -2 && a[0].max == 4 && a[0].fill == 1);
    assert_true(a[1].type == TACIT_NUMBER && a[1].min == 0 && a[1].max == 1000);
    assert_float_equal(a[1].fill, 1002.5 / 3, 1e-12);
    assert_true(a[2].type == TACIT_NUMBER && a[2].max == 2000000); /* too many values for an integer */
    assert_true(a[3].type == TACIT_CATEGORY && a[3].n_levels == 3 && a[3].missing_level == 2);
    assert_string_equal(a[3].levels[0], "blue");
    assert_string_equal(a[3].levels[1], "red");
    assert_string_equal(a[3].levels[2], "(missing)");
    assert_true(a[4].type == TACIT_CATEGORY && a[4].n_levels == 2 && a[4].missing_level == TACIT_NONE);
    for (size_t i = 0; i < 5; i++) {
        assert_true(a[i].role == TACIT_SENSITIVE && a[i].cost == 1 && a[i].encoding == TACIT_ONEHOT);
        assert_string_equal(a[i].help, "");
    }
    assert_string_equal(a[0].question, "Please give: i");
    tacit_schema_free(s);
}

static void infer__keeps_a_spelt_out_missing_level_single(void **state)
{
    tacit_schema *s = infer("c,y\n(missing),a\n?,b\nx,a\n", &plain, "?");

    (void)state;
    assert_int_equal(s->attributes[0].n_levels, 2);
    assert_int_equal(s->attributes[0].missing_level, 0);
    tacit_schema_free(s);
}

static void infer__sorts_classes(void **state)
{
    tacit_schema *words = infer("a,y\n1,b\n2,B\n3,a\n", &plain, NULL),
                 *numbers = infer("a,y\n1,10\n2,9\n3,1e0\n", &plain, NULL);

    (void)state;
    assert_int_equal(words->n_classes, 3);
    assert_string_equal(words->classes[0], "B");
    assert_string_equal(words->classes[1], "a");
    assert_string_equal(words->classes[2], "b");
    assert_string_equal(numbers->classes[0], "1e0");
    assert_string_equal(numbers->classes[1], "9");
    assert_string_equal(numbers->classes[2], "10");
    tacit_schema_free(words);
    tacit_schema_free(numbers);
}

static void infer__takes_roles_drops_and_encoding(void **state)
{
    static const char text[] = "a,b,c,d,y\n1,2,x,4,0\n2,3,z,5,1\n";
    tacit_infer_options named = {.label = "y", .sensitive = "a,c", .drop = "d", .encoding = TACIT_ORDINAL};
    tacit_infer_options public_ = {.label = "y", .public_ = "b"};
    tacit_schema *s = infer(text, &named, NULL), *p = infer(text, &public_, NULL);

    (void)state;
    assert_int_equal(s->n_attributes, 3);
    assert_int_equal(s->attributes[0].role, TACIT_SENSITIVE);
    assert_int_equal(s->attributes[1].role, TACIT_PUBLIC);
    assert_int_equal(s->attributes[2].role, TACIT_SENSITIVE);
    assert_int_equal(s->attributes[2].encoding, TACIT_ORDINAL);
    assert_int_equal(p->n_attributes, 4);
    assert_int_equal(p->attributes[1].role, TACIT_PUBLIC);
    assert_int_equal(p->attributes[3].role, TACIT_SENSITIVE);
    tacit_schema_free(s);
    tacit_schema_free(p);
}

/* Numbers 1 ... n in column a, and a level of its own for each row that is held out. */
static void infer__takes_domains_from_the_training_part(void **state)
{
    tacit_infer_options options = {.label = "y", .test_share = 0.5, .seed = 3};
    tct_text text = {0};
    size_t n = 40, low = 0, high = 0, held = 0;
    double sum = 0;
    tacit_schema *s;
    char note[200];

    (void)state;
    tct_text_printf(&text, "a,b,y\n");
    for (size_t r = 1; r <= n; r++) {
        if (tct_held_out(options.seed, options.test_share, r)) {
            tct_text_printf(&text, "%zu,h%zu,%zu\n", r, r, r % 2);
            held++;
            continue;
        }
        tct_text_printf(&text, "%zu,t,%zu\n", r, r % 2);
        low = low ? low : r;
        high = r;
        sum += (double)r;
    }
    s = infer(text.bytes, &options, NULL);
    assert_true(held > 5 && held < 35);
    assert_true(s->attributes[0].min == (double)(2 * (low / 2)) &&
                s->attributes[0].max == (double)(2 * ((high + 1) / 2))); /* outward, in steps of 2 */
    assert_true(s->attributes[0].fill == (double)(long)(sum / (double)(n - held) + 0.5));
    assert_int_equal(s->attributes[1].n_levels, held + 1);
    assert_int_equal(tacit_schema_notes(s), 1);
    snprintf(note, sizeof(note), "column b: %zu of %zu levels do not occur in the training part", held, held + 1);
    assert_string_equal(tacit_schema_note(s, 0), note);
    tacit_schema_free(s);
    tct_text_free(&text);
}

static void infer__makes_remarks(void **state)
{
    static const char *const expected[] = {
        "column one has one value in the training part: it cannot matter",
        "column same has one value: it cannot matter",
        "column id looks like an identifier (no value occurs twice): consider leaving it out",
        "column name looks like an identifier (no value occurs twice): consider leaving it out",
        "column rare is missing in 90 % of the rows",
    };
    tct_text text = {0};
    tacit_schema *s;

    (void)state;
    tct_text_printf(&text, "one,same,id,name,rare,score,y\n");
    for (int r = 0; r < 60; r++)
        tct_text_printf(&text, "7,x,%d,n%d,%s,%d.5,%d\n", 1000 + r, r, r % 10 ? "" : "1.5", r % 59, r % 2);
    tct_text_printf(&text, "\n");
    s = infer(text.bytes, &plain, NULL);
    tct_text_free(&text);
    assert_int_equal(tacit_schema_notes(s), 6);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(tacit_schema_note(s, i), expected[i]);
    assert_string_equal(tacit_schema_note(s, 4), "column rare has one value in the training part: it cannot matter");
    assert_string_equal(tacit_schema_note(s, 5), expected[4]);
    assert_null(tacit_schema_note(s, 6));
    tacit_schema_free(s);
}

/* A value that only a few have is theirs, whether others have another one or none. */
static void infer__tells_no_value_of_a_few(void **state)
{
    static const struct {
        const char *cell;
        double v, min, max;
    } cases[] = {{"43817.25", 43817.25, 40000, 45000},
                 {"40000.5", 40000.5, 40000, 45000},
                 {"-40000", -40000, -40000, -38000},
                 {"1980", 1980, 1900, 2000},
                 {"0", 0, 0, 2},
                 {"0.5", 0.5, 0.5, 0.55}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int few = 1; few <= 5; few++) {
            tct_text text = {0};
            tacit_schema *s;
            const tacit_attribute *a;

            tct_text_printf(&text, "v,w,y\n");
            for (int r = 0; r < 300; r++)
                tct_text_printf(&text, "%s,%d,%d\n", r % 50 == 7 && r / 50 < few ? cases[k].cell : "", r % 7, r % 2);
            s = infer(text.bytes, &plain, NULL);
            a = &s->attributes[0];
            if (few < 5) {
                assert_true(a->min <= cases[k].v && cases[k].v <= a->max && a->min < a->max);
                assert_true(a->min == cases[k].min && a->max == cases[k].max && a->fill == (a->min + a->max) / 2);
                assert_int_equal(tacit_schema_notes(s), 1); /* mostly missing; it may matter */
                assert_string_equal(tacit_schema_note(s, 0), few == 1
                                                                 ? "column v is missing in more than 99 % of the rows"
                                                                 : "column v is missing in 99 % of the rows");
            } else {
                assert_true(a->min == cases[k].v && a->max == cases[k].v && a->fill == cases[k].v);
            }
            tacit_schema_free(s);
            tct_text_free(&text);
        }
}

static void infer__rejects_bad_options(void **state)
{
    static const char text[] = "age,job,y\n1,a,0\n2,b,1\n";
    static const struct {
        tacit_infer_options options;
        const char *message;
    } cases[] = {
        {{0}, "which column is the label?"},
        {{.label = "yy"}, "no column is called yy; did you mean y?"},
        {{.label = "zebra"}, "no column is called zebra"},
        {{.label = "y", .test_share = 1}, "the share held out for testing must be at least 0 and below 1"},
        {{.label = "y", .test_share = -0.1}, "the share held out for testing must be at least 0 and below 1"},
        {{.label = "y", .drop = "jobb"}, "no column is called jobb; did you mean job?"},
        {{.label = "y", .drop = "y"}, "y is the label: it cannot be dropped"},
        {{.label = "y", .drop = "age,age"}, "age is dropped twice"},
        {{.label = "y", .drop = "age", .sensitive = "age"}, "age is dropped: it has no role"},
        {{.label = "y", .sensitive = "agee"}, "unknown attribute agee; did you mean age?"},
        {{.label = "y", .sensitive = "age", .public_ = "age"}, "age is named both sensitive and public"},
        {{.label = "y", .public_ = "y"}, "y is the label: it has no role"},
    };
    tacit_infer_options everything = {.label = "y", .drop = "age,job"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        check_error(text, &cases[i].options, TACIT_E_USAGE, 0, cases[i].message);
    check_error(text, &everything, TACIT_E_INPUT, 0, "no column beside the label");
    check_error("age.job.y\n1.a.0\n", &plain, TACIT_E_USAGE, 0,
                "no column is called y; the file has a single column (another separator?)");
}

static void infer__rejects_bad_labels(void **state)
{
    tct_text text = {0};

    (void)state;
    check_error("a,y\n1,no\n2,no\n", &plain, TACIT_E_INPUT, 0, "column y: the label has one class only");
    check_error("a,y\n1,no\n2,?\n", &plain, TACIT_E_INPUT, 2,
                "row 2, column y: the label is missing; --skip-unlabelled leaves the row out");
    tct_text_printf(&text, "a,y\n");
    for (int r = 0; r < 70; r++)
        tct_text_printf(&text, "1,%d\n", r);
    check_error(text.bytes, &plain, TACIT_E_INPUT, 0,
                "column y: more than 64 classes: the label looks like a number to be predicted, not a class");
    tct_text_free(&text);
    text = (tct_text){0};
    tct_text_printf(&text, "a,y\n");
    for (int r = 0; r < 257; r++)
        tct_text_printf(&text, "1,class%d\n", r);
    check_error(text.bytes, &plain, TACIT_E_INPUT, 0,
                "column y: more than 256 classes: the label looks like free text");
    tct_text_free(&text);
}

static void infer__rejects_hopeless_columns(void **state)
{
    tct_text text = {0}, many = {0};

    (void)state;
    check_error("a,b,y\n1,?,0\n2,,1\n", &plain, TACIT_E_INPUT, 0,
                "column b: all values are missing; leave it out with --drop");
    check_error("a,y\n-1.7e308,0\n1.7e308,1\n", &plain, TACIT_E_INPUT, 0,
                "column a: the smallest and the largest number are too far apart");
    check_error("a,y\nx,0\n\xE4\xE4,1\n", &plain, TACIT_E_INPUT, 2, "row 2, column a: the value is not UTF-8 text");
    tct_text_printf(&text, "a,y\n");
    for (int r = 0; r < 300; r++)
        tct_text_printf(&text, r == 120 ? "unknown,%d\n" : "%d,%d\n", r % 2 ? 1 : r, r % 2);
    /* 150 different numbers and one text */
    check_error(text.bytes, &plain, TACIT_E_INPUT, 121,
                "row 121, column a: expected a number like the other rows have (if it means missing, name it in "
                "--missing; if the column is no number, name it in --category; --skip-bad-rows leaves such rows out)");
    tct_text_printf(&many, "a,y\n");
    for (int r = 0; r < 1001; r++)
        tct_text_printf(&many, "t%d,%d\n", r, r % 2);
    check_error(many.bytes, &plain, TACIT_E_INPUT, 0,
                "column a: more than 1000 different texts: leave it out with --drop");
    tct_text_free(&text);
    tct_text_free(&many);
}

static void infer__survives_every_failed_allocation(void **state)
{
    const char *path;
    tacit_table *table = read_table("a,b,c,y\n1,x,2.5,0\n2,?,3.5,1\n3,z,1,1\n", "?", &path);
    tacit_infer_options options = {.label = "y", .sensitive = "a", .drop = "c"};
    tacit_status st = TACIT_E_MEMORY;

    (void)state;
    for (uint64_t nth = 1; st; nth++) {
        tacit_schema *schema = NULL;

        tct_memory_fail_at(nth, false);
        st = tacit_schema_infer(&schema, table, &options, NULL);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_int_equal(schema != NULL, st == TACIT_OK);
        tacit_schema_free(schema);
        assert_true(nth < 1000);
    }
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infer__finds_types_and_domains),
        cmocka_unit_test(infer__keeps_a_spelt_out_missing_level_single),
        cmocka_unit_test(infer__sorts_classes),
        cmocka_unit_test(infer__takes_roles_drops_and_encoding),
        cmocka_unit_test(infer__takes_domains_from_the_training_part),
        cmocka_unit_test(infer__makes_remarks),
        cmocka_unit_test(infer__tells_no_value_of_a_few),
        cmocka_unit_test(infer__rejects_bad_options),
        cmocka_unit_test(infer__rejects_bad_labels),
        cmocka_unit_test(infer__rejects_hopeless_columns),
        cmocka_unit_test(infer__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

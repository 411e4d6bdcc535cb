/*
 * Encoding: domains, clipping, missing and unknown values, decoding, blocks against single cells, the split.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "encode.h"
#include "lookup.h"
#include "scratch.h"

static const char *const colours[] = {"blue", "green", "red"};
static const char *const sizes[] = {"s", "m", "l", "(missing)"};

/* number [-10, 10], integer 3 ... 7, one-hot colours, ordinal sizes with a missing level, one value of each kind. */
static tacit_schema *make_schema(void)
{
    static const tacit_attribute attributes[] = {
        {.name = "n", .type = TACIT_NUMBER, .min = -10, .max = 10, .fill = 5, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "i", .type = TACIT_INTEGER, .min = 3, .max = 7, .fill = 4, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "c", .type = TACIT_CATEGORY, .levels = colours, .n_levels = 3, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "o",
         .type = TACIT_CATEGORY,
         .encoding = TACIT_ORDINAL,
         .levels = sizes,
         .n_levels = 4,
         .cost = 1,
         .missing_level = 3},
        {.name = "n1",
         .type = TACIT_NUMBER,
         .min = 2.5,
         .max = 2.5,
         .fill = 2.5,
         .cost = 1,
         .missing_level = TACIT_NONE},
        {.name = "i1", .type = TACIT_INTEGER, .min = 4, .max = 4, .fill = 4, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "o1",
         .type = TACIT_CATEGORY,
         .encoding = TACIT_ORDINAL,
         .levels = colours,
         .n_levels = 1,
         .cost = 1,
         .missing_level = TACIT_NONE},
    };
    static const char *const classes[] = {"no", "yes"};
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));

    assert_non_null(schema);
    for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
        assert_int_equal(tct_schema_add(schema, &attributes[i], NULL), TACIT_OK);
    assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
    schema->n_classes = 2;
    schema->label = tct_strdup("y");
    return schema;
}

typedef struct fixture {
    tacit_schema *schema;
    tct_codec *codec;
} fixture;

static int set_up(void **state)
{
    fixture *f = tct_calloc(1, sizeof(*f));

    f->schema = make_schema();
    *state = f;
    return tct_codec_new(&f->codec, f->schema, NULL);
}

static int tear_down(void **state)
{
    fixture *f = *state;

    tacit_schema_free(f->schema); /* the codec may outlive it by a line */
    tct_codec_free(f->codec);
    tct_free(f);
    return 0;
}

static double encode_one(const fixture *f, size_t attribute, const char *text, tct_encode_counts *counts)
{
    tct_encode_counts ignored = {0};
    double inputs[3] = {9, 9, 9};
    tacit_error err = {0};

    if (tct_encode_cell(f->codec, attribute, text, strlen(text), !text[0], false, inputs, counts ? counts : &ignored,
                        NULL, 0, &err))
        fail_msg("%s", err.message);
    return inputs[0];
}

static void codec__lays_out_the_inputs(void **state)
{
    static const tct_domain expected[] = {{TCT_BOX, 0, 1, 0},  {TCT_GRID, 1, 1, 5}, {TCT_ONEHOT, 2, 3, 3},
                                          {TCT_GRID, 5, 1, 4}, {TCT_BOX, 6, 1, 0},  {TCT_GRID, 7, 1, 1},
                                          {TCT_GRID, 8, 1, 1}};
    const fixture *f = *state;

    assert_int_equal(f->codec->n_inputs, 9);
    for (size_t i = 0; i < 7; i++) {
        double low, high;
        bool single = i > 3;

        assert_int_equal(f->codec->domains[i].kind, expected[i].kind);
        assert_int_equal(f->codec->domains[i].first, expected[i].first);
        assert_int_equal(f->codec->domains[i].width, expected[i].width);
        assert_int_equal(f->codec->domains[i].count, expected[i].count);
        if (i == 2)
            continue;
        tct_codec_range(f->codec, i, &low, &high);
        assert_true(low == (single ? 0 : -1) && high == (single ? 0 : 1));
    }
}

static void encode__scales_and_clips_numbers(void **state)
{
    const fixture *f = *state;
    tct_encode_counts counts = {0};

    assert_true(encode_one(f, 0, "-10", &counts) == -1);
    assert_true(encode_one(f, 0, "10.0", &counts) == 1);
    assert_true(encode_one(f, 0, "0", &counts) == 0);
    assert_true(encode_one(f, 0, "2.5e0", &counts) == 0.25);
    assert_int_equal(counts.clipped, 0);
    assert_true(encode_one(f, 0, "-10.1", &counts) == -1);
    assert_true(encode_one(f, 0, "1e300", &counts) == 1);
    assert_int_equal(counts.clipped, 2);
    assert_true(encode_one(f, 0, "", &counts) == 0.5);
    assert_int_equal(counts.missing, 1);
    assert_true(encode_one(f, 4, "2.5", &counts) == 0);
    assert_true(encode_one(f, 4, "3", &counts) == 0);
    assert_int_equal(counts.clipped, 3);
}

static void encode__puts_integers_on_a_grid(void **state)
{
    const fixture *f = *state;
    tct_encode_counts counts = {0};
    char text[16];

    for (size_t k = 0; k < 5; k++) {
        double value;

        snprintf(text, sizeof(text), "%zu%s", 3 + k, k % 2 ? ".0" : "");
        tct_codec_value(f->codec, 1, k, &value);
        assert_true(encode_one(f, 1, text, &counts) == value);
        assert_true(value == -1 + 0.5 * (double)k);
    }
    assert_int_equal(counts.clipped, 0);
    assert_true(encode_one(f, 1, "-3", &counts) == -1);
    assert_true(encode_one(f, 1, "1e19", &counts) == 1);
    assert_int_equal(counts.clipped, 2);
    assert_true(encode_one(f, 1, "", &counts) == -0.5);
    assert_true(encode_one(f, 5, "4", &counts) == 0);
}

static void encode__turns_levels_into_inputs(void **state)
{
    const fixture *f = *state;
    tct_encode_counts counts = {0};
    double inputs[3];

    assert_int_equal(tct_encode_cell(f->codec, 2, "green", 5, false, false, inputs, &counts, NULL, 0, NULL), TACIT_OK);
    assert_true(inputs[0] == 0 && inputs[1] == 1 && inputs[2] == 0);
    assert_true(encode_one(f, 3, "s", NULL) == -1);
    assert_true(encode_one(f, 3, "", &counts) == 1);
    assert_int_equal(counts.missing, 1);
    assert_true(encode_one(f, 6, "blue", NULL) == 0);
    assert_int_equal(tct_encode_cell(f->codec, 3, "huge", 4, false, true, inputs, &counts, NULL, 0, NULL), TACIT_OK);
    assert_true(inputs[0] == 1);
    assert_int_equal(counts.unknown, 1);
    assert_int_equal(counts.missing, 1);
}

static void encode__names_the_place_of_errors(void **state)
{
    static const struct {
        size_t attribute;
        const char *text, *message;
        bool unknown_as_missing;
    } cases[] = {
        {0, "abc", "f.csv: row 7, column n: expected a number", false},
        {0, "nan", "f.csv: row 7, column n: expected a number", false},
        {0, "inf", "f.csv: row 7, column n: expected a number", false},
        {1, "x", "f.csv: row 7, column i: expected a whole number", false},
        {1, "3.5", "f.csv: row 7, column i: expected a whole number", false},
        {2, "purple", "f.csv: row 7, column c: not one of the 3 levels the model knows", false},
        {2, "purple", "f.csv: row 7, column c: not one of the 3 levels the model knows", true},
        {2, "",
         "f.csv: row 7, column c: missing value, but the model knows none for it: leave the row out, or train a model "
         "on rows some of which have none, or with a missing_level in the schema",
         false},
        {6, "green", "f.csv: row 7, column o1: not one of the 1 level the model knows", false},
    };
    const fixture *f = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tct_encode_counts counts = {0};
        double inputs[3];
        tacit_error err = {0};

        assert_int_equal(tct_encode_cell(f->codec, cases[i].attribute, cases[i].text, strlen(cases[i].text),
                                         !cases[i].text[0], cases[i].unknown_as_missing, inputs, &counts, "f.csv", 7,
                                         &err),
                         TACIT_E_INPUT);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.row, 7);
    }
}

static void decode__gives_the_text_back(void **state)
{
    static const char *const texts[][6] = {
        {"-10", "10", "0", "2.5", "0.1", "-9.99"},       {"3", "4", "5", "6", "7", "3"},
        {"blue", "green", "red", "red", "blue", "red"},  {"s", "m", "l", "(missing)", "m", "s"},
        {"2.5", "2.5", "2.5", "2.5", "2.5", "2.5"},      {"4", "4", "4", "4", "4", "4"},
        {"blue", "blue", "blue", "blue", "blue", "blue"}};
    const fixture *f = *state;
    tct_encode_counts counts = {0};
    double inputs[3];
    char text[32], tiny[3];

    for (size_t a = 0; a < 7; a++)
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(tct_encode_cell(f->codec, a, texts[a][i], strlen(texts[a][i]), false, false, inputs,
                                             &counts, NULL, 0, NULL),
                             TACIT_OK);
            tct_decode_cell(f->codec, a, inputs, text, sizeof(text));
            assert_string_equal(text, texts[a][i]);
        }
    tct_codec_value(f->codec, 2, 1, inputs);
    tct_decode_cell(f->codec, 2, inputs, tiny, sizeof(tiny));
    assert_string_equal(tiny, "gr");
    inputs[0] = -1;
    tct_decode_cell(f->codec, 0, inputs, tiny, sizeof(tiny));
    assert_string_equal(tiny, "-1");
}

static const char people[] = "extra,y,o,n,i,c,n1,i1,o1\n"
                             "q,no,s,-3,3,red,2.5,4,blue\n"
                             "q,yes,?,99,9,blue,1,4,blue\n"
                             "q,?,l,?,?,green,2.5,4,blue\n";

/* The rows of `text` as one block; fails the test when it cannot be read. */
static tct_csv *read_block(const char *text, tct_block *block, const char **path)
{
    tacit_csv_options options = {.missing = "?"};
    tct_csv *csv = NULL;

    *path = scratch_text(text);
    assert_int_equal(tct_csv_open(&csv, *path, &options, NULL), TACIT_OK);
    assert_int_equal(tct_csv_next(csv, block, NULL), TACIT_OK);
    assert_int_equal(tct_csv_split(csv, block, NULL), TACIT_OK);
    return csv;
}

static void encode_block__equals_single_cells(void **state)
{
    const fixture *f = *state;
    tct_block block = {0};
    const char *path;
    tct_csv *csv = read_block(people, &block, &path);
    tct_encode_counts counts = {0}, single_counts = {0};
    tct_binding *binding = NULL;
    double x[9 * 3], one[3];
    int32_t labels[3];

    assert_int_equal(tct_binding_new(&binding, f->codec, csv, false, NULL), TACIT_OK);
    assert_int_equal(tct_encode_block(binding, &block, x, labels, &counts, NULL), TACIT_OK);
    for (size_t r = 0; r < 3; r++)
        for (size_t a = 0; a < 7; a++) {
            const tct_cell *cell = &block.cells[r * 9 + binding->columns[a]];
            const char *bytes = block.bytes + cell->start;

            assert_int_equal(tct_encode_cell(f->codec, a, bytes, cell->size, tct_csv_missing(csv, bytes, cell->size),
                                             false, one, &single_counts, NULL, 0, NULL),
                             TACIT_OK);
            for (size_t i = 0; i < f->codec->domains[a].width; i++)
                assert_true(x[(f->codec->domains[a].first + i) * 3 + r] == one[i]);
        }
    assert_memory_equal(&counts, &single_counts, sizeof(counts));
    assert_int_equal(counts.clipped, 3);
    assert_int_equal(counts.missing, 3);
    assert_int_equal(labels[0], 0);
    assert_int_equal(labels[1], 1);
    assert_int_equal(labels[2], -1);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
}

static void check_block_error(const fixture *f, const char *text, bool need_label, size_t row, const char *message)
{
    tct_block block = {0};
    const char *path;
    tct_csv *csv = read_block(text, &block, &path);
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tacit_error err = {0};
    double *x = tct_malloc(block.n_rows * 9, sizeof(*x));
    int32_t *labels = tct_malloc(block.n_rows, sizeof(*labels));

    assert_int_equal(tct_binding_new(&binding, f->codec, csv, need_label, NULL), TACIT_OK);
    assert_int_equal(tct_encode_block(binding, &block, x, labels, &counts, &err), TACIT_E_INPUT);
    assert_string_equal(scratch_message(err.message, path), message);
    assert_int_equal(err.row, row);
    tct_free(x);
    tct_free(labels);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
}

static void encode_block__reports_the_first_row_that_is_wrong(void **state)
{
    const fixture *f = *state;
    tct_text text = {0};

    check_block_error(f, people, true, 3, "row 3, column y: the label is missing");
    tct_text_printf(&text, "n,i,c,o,n1,i1,o1,y\n");
    for (int r = 1; r <= 600; r++)
        tct_text_printf(&text, "%s,5,%s,%s,2.5,4,blue,%s\n", r == 530 ? "x" : "1", r == 520 ? "pink" : "red",
                        r == 525 ? "xl" : "s", r == 540 ? "maybe" : "no");
    check_block_error(f, text.bytes, true, 520, "row 520, column c: not one of the 3 levels the model knows");
    text.size = 0;
    tct_text_printf(&text, "n,i,c,o,n1,i1,o1,y\n1,3,red,s,2.5,4,blue,maybe\n");
    check_block_error(f, text.bytes, false, 1, "row 1, column y: not one of the 2 classes the model knows");
    tct_text_free(&text);
}

static void binding__names_missing_columns(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"n,i,cc,o,n1,i1,o1,y\n1,2,3,4,5,6,7,8\n", "no column for the attribute c; the closest is cc"},
        {"zebra,b\n1,2\n",
         "8 problems:\n  no column for the label y\n  no column for the attribute n\n  no column for the attribute i\n "
         " no "
         "column for the attribute c\n  no column for the attribute o\n  no column for the attribute n1\n  no column "
         "for the attribute i1\n  no column for the attribute o1"},
        {"zebra,i,c,o,n1,i1,o1,why\n1,2,3,4,5,6,7,8\n",
         "2 problems:\n  no column for the label y\n  no column for the attribute n; the closest is n1"},
        {"n,i,c,o,n1,i1,o1\n1,2,3,4,5,6,7\n", "no column for the label y"},
    };
    const fixture *f = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *path = scratch_text(cases[i].text);
        tct_binding *binding = NULL;
        tct_csv *csv = NULL;
        tacit_error err = {0};

        assert_int_equal(tct_csv_open(&csv, path, NULL, NULL), TACIT_OK);
        assert_int_equal(tct_binding_new(&binding, f->codec, csv, true, &err), TACIT_E_INPUT);
        assert_null(binding);
        if (i == 3) /* a suggestion may follow: names of one letter are close to anything */
            assert_memory_equal(scratch_message(err.message, path), cases[i].message, strlen(cases[i].message));
        else
            assert_string_equal(scratch_message(err.message, path), cases[i].message);
        tct_csv_close(csv);
    }
}

static void lookup__finds_spellings_of_every_length(void **state)
{
    char names[300][40];
    tct_lookup lookup = {0};
    uint32_t index;

    (void)state;
    for (size_t i = 0; i < 300; i++) { /* share their first and last bytes */
        snprintf(names[i], sizeof(names[i]), "%.*s%03zu%.*s", (int)(i % 15), "aaaaaaaaaaaaaaaa", i, (int)(i % 13),
                 "zzzzzzzzzzzzzzzz");
        assert_int_equal(tct_lookup_add(&lookup, names[i], strlen(names[i]), &index, NULL), TACIT_OK);
        assert_int_equal(index, i);
    }
    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(tct_lookup_find(&lookup, names[i], strlen(names[i])), i);
        assert_int_equal(tct_lookup_find(&lookup, names[i], strlen(names[i]) - 1), TCT_LOOKUP_NONE);
    }
    assert_int_equal(tct_lookup_find(&lookup, "", 0), TCT_LOOKUP_NONE);
    tct_lookup_clear(&lookup);
}

static void held_out__is_a_fair_function_of_seed_and_row(void **state)
{
    size_t held = 0, differ = 0;

    (void)state;
    for (uint64_t row = 1; row <= 10000; row++) {
        held += tct_held_out(1, 0.3, row);
        differ += tct_held_out(1, 0.3, row) != tct_held_out(2, 0.3, row);
        assert_false(tct_held_out(1, 0, row));
        assert_true(!tct_held_out(1, 0.3, row) || tct_held_out(1, 0.5, row));
    }
    assert_in_range(held, 2800, 3200);
    assert_in_range(differ, 3900, 4500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(codec__lays_out_the_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode__scales_and_clips_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode__puts_integers_on_a_grid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode__turns_levels_into_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode__names_the_place_of_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(decode__gives_the_text_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode_block__equals_single_cells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(encode_block__reports_the_first_row_that_is_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(binding__names_missing_columns, set_up, tear_down),
        cmocka_unit_test(lookup__finds_spellings_of_every_length),
        cmocka_unit_test(held_out__is_a_fair_function_of_seed_and_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

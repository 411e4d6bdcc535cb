/*
 * The usual cells taken quickly are what the plain way makes of them: whole numbers, spellings, whole blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "encode_quick.h"
#include "scan.h"
#include "scratch.h"
#include "simd.h"

enum { N_ATTRIBUTES = 5, ROWS = 1000 };

static const char *const woods[] = {"ash",       "NA", "a spelling of 16", "a spelling of 17!", "self-employed",
                                    "self-empl", "elm"};
static const char *const classes[] = {"no", "yes"};

static tacit_schema *make_schema(void)
{
    static const tacit_attribute attributes[N_ATTRIBUTES] = {
        {.name = "n", .type = TACIT_NUMBER, .min = -7, .max = 93, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "i", .type = TACIT_INTEGER, .min = -2, .max = 98, .fill = 4, .cost = 1, .missing_level = TACIT_NONE},
        {.name = "c", .type = TACIT_CATEGORY, .levels = woods, .n_levels = 7, .cost = 1, .missing_level = 6},
        {.name = "o",
         .type = TACIT_CATEGORY,
         .encoding = TACIT_ORDINAL,
         .levels = woods,
         .n_levels = 7,
         .cost = 1,
         .missing_level = 0},
        {.name = "one", .type = TACIT_INTEGER, .min = 5, .max = 5, .fill = 5, .cost = 1, .missing_level = TACIT_NONE},
    };
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));

    assert_non_null(schema);
    for (size_t i = 0; i < N_ATTRIBUTES; i++)
        assert_int_equal(tct_schema_add(schema, &attributes[i], NULL), TACIT_OK);
    assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
    schema->n_classes = 2;
    schema->label = tct_strdup("y");
    return schema;
}

/* Padded as in a block. */
static bool take(const char *text, double *v)
{
    char bytes[64];

    memset(bytes, '7', sizeof(bytes)); /* digits that are not part of it */
    memcpy(bytes, text, strlen(text));
    return tct_quick_whole(bytes, strlen(text), v);
}

static void quick__reads_whole_numbers(void **state)
{
    static const char *const others[] = {"",    "-",   "+5",   "1.5", "1e3",      "123456789", "-123456789",
                                         "1 2", "--1", "12a4", "1-",  "\xb1\xb2", "12:4",      "1/3"};
    char text[32];
    tct_random random;
    double v, plain;

    (void)state;
    tct_random_seed(&random, 1, 1);
    for (size_t i = 0; i < 20000; i++) {
        uint64_t limit = 1;

        for (uint64_t digits = 1 + tct_random_below(&random, 8); digits > 0; digits--)
            limit *= 10;
        snprintf(text, sizeof(text), "%s%llu", i % 3 ? "" : "-", (unsigned long long)tct_random_below(&random, limit));
        assert_true(take(text, &v));
        assert_true(tct_parse_number(text, strlen(text), &plain));
        assert_true(v == plain);
    }
    assert_true(take("00000000", &v) && v == 0);
    assert_true(take("-00000001", &v) && v == -1);
    assert_true(take("99999999", &v) && v == 99999999);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_false(take(others[i], &v));
}

/* A cell of each kind of trouble and each kind of ease. */
static void write_cell(tct_text *text, tct_random *random, bool number)
{
    static const char *const numbers[] = {"3.25", "1e1", "+4", "-0", "200", "-300", "0042", "", "NA", "7.0", "?"};
    static const char *const spellings[] = {"", "NA", "?", "ashes", "a spelling of 18!!", "nowhere known", "\"ash\""};

    if (number && tct_random_below(random, 3))
        tct_text_printf(text, "%d", (int)tct_random_below(random, 100) - 5);
    else if (number)
        tct_text_printf(text, "%s", numbers[tct_random_below(random, sizeof(numbers) / sizeof(*numbers))]);
    else if (tct_random_below(random, 3))
        tct_text_printf(text, "%s", woods[tct_random_below(random, 7)]);
    else
        tct_text_printf(text, "%s", spellings[tct_random_below(random, sizeof(spellings) / sizeof(*spellings))]);
}

static char *make_people(uint64_t seed, bool whole_only)
{
    tct_text text = {0};
    tct_random random;

    tct_random_seed(&random, seed, 2);
    tct_text_printf(&text, "n,i,c,o,one,y\n");
    for (size_t r = 0; r < ROWS; r++) {
        write_cell(&text, &random, true);
        tct_text_printf(&text, ",");
        if (whole_only)
            tct_text_printf(&text, "%d", (int)tct_random_below(&random, 120) - 10);
        else
            tct_text_printf(&text, "%s", r % 7 ? "12" : "NA");
        tct_text_printf(&text, ",");
        write_cell(&text, &random, false);
        tct_text_printf(&text, ",");
        write_cell(&text, &random, false);
        tct_text_printf(&text, ",%d,%s\n", 4 + (int)(r % 3), r % 5 ? classes[r % 2] : "NA");
    }
    assert_false(text.failed);
    return text.bytes;
}

static void compare_rows(const tct_binding *binding, const tct_block *block, const double *x, const int32_t *labels,
                         const tct_encode_counts *counts)
{
    tct_encode_counts plain_counts = {0};
    const tct_codec *codec = binding->codec;
    double one[80];

    for (size_t r = 0; r < ROWS; r++) {
        const tct_cell *cells = block->cells + r * (N_ATTRIBUTES + 1);
        const tct_cell *label = &cells[binding->label];
        bool no = label->size == 2 && memcmp(block->bytes + label->start, "no", 2) == 0;

        for (size_t a = 0; a < N_ATTRIBUTES; a++) {
            const tct_cell *cell = &cells[binding->columns[a]];
            const char *bytes = block->bytes + cell->start;

            assert_int_equal(tct_encode_cell(codec, a, bytes, cell->size,
                                             tct_csv_missing(binding->csv, bytes, cell->size), true, one, &plain_counts,
                                             NULL, 0, NULL),
                             TACIT_OK);
            for (size_t i = 0; i < codec->domains[a].width; i++)
                assert_true(x[(codec->domains[a].first + i) * ROWS + r] == one[i]);
        }
        assert_int_equal(labels[r], r % 5 == 0 ? -1 : no ? 0 : 1);
    }
    assert_memory_equal(counts, &plain_counts, sizeof(plain_counts));
}

static void compare_text(const tct_codec *codec, const char *people, const char *missing)
{
    tacit_csv_options options = {.missing = missing};
    double *x = tct_malloc(ROWS * codec->n_inputs, sizeof(*x));
    int32_t *labels = tct_malloc(ROWS, sizeof(*labels));
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tct_block block = {0};
    tct_csv *csv = NULL;
    tacit_error err = {0};

    assert_int_equal(tct_csv_open(&csv, scratch_text(people), &options, &err), TACIT_OK);
    assert_int_equal(tct_csv_next(csv, &block, &err), TACIT_OK);
    assert_int_equal(tct_csv_split(csv, &block, &err), TACIT_OK);
    assert_int_equal(block.n_rows, ROWS);
    assert_int_equal(tct_binding_new(&binding, codec, csv, false, &err), TACIT_OK);
    binding->unknown_as_missing = true;
    if (tct_encode_block(binding, &block, x, labels, &counts, &err))
        fail_msg("%s", err.message);
    compare_rows(binding, &block, x, labels, &counts);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
    tct_free(labels);
    tct_free(x);
}

/* missing: with "NA" no marker begins like a number, with "12" one does. */
static void compare_block(const tct_codec *codec, uint64_t seed, const char *missing)
{
    char *people = make_people(seed, seed % 2);

    compare_text(codec, people, missing);
    tct_free(people);
}

static void quick__blocks_equal_single_cells(void **state)
{
    tacit_schema *schema = make_schema();
    tct_codec *codec = NULL;

    (void)state;
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        tct_simd_limit((tct_simd)(seed % TCT_SIMD_LEVELS)); /* for every kind of processor that this one can be */
        compare_block(codec, seed, "NA,?");
        compare_block(codec, seed, "NA,?,12,-3");
    }
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

static double draw_end(tct_random *random, bool whole)
{
    static const double sizes[] = {10, 1000, 1e6, 99999999, 0x1p40, 0x1p55};
    double v = sizes[tct_random_below(random, 6)] * (2 * tct_random_uniform(random) - 1);

    return whole ? floor(v) : v;
}

/* A schema of numbers and integers with ends of any size, whole or not. */
static tacit_schema *make_ranges(uint64_t seed)
{
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));
    tct_random random;

    tct_random_seed(&random, seed, 3);
    assert_non_null(schema);
    for (size_t i = 0; i < N_ATTRIBUTES; i++) {
        bool number = tct_random_below(&random, 2), whole = !number || tct_random_below(&random, 3) > 0;
        double a = draw_end(&random, whole), b = draw_end(&random, whole);
        char name[8];
        tacit_attribute attribute = {.name = name,
                                     .type = number ? TACIT_NUMBER : TACIT_INTEGER,
                                     .min = fmin(a, b),
                                     .max = fmax(a, b),
                                     .fill = a,
                                     .cost = 1,
                                     .missing_level = TACIT_NONE};

        snprintf(name, sizeof(name), "a%zu", i);
        assert_int_equal(tct_schema_add(schema, &attribute, NULL), TACIT_OK);
    }
    assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
    schema->n_classes = 2;
    schema->label = tct_strdup("y");
    return schema;
}

static char *make_numbers(uint64_t seed)
{
    tct_text text = {0};
    tct_random random;

    tct_random_seed(&random, seed, 4);
    tct_text_printf(&text, "a0,a1,a2,a3,a4,y\n");
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t a = 0; a < N_ATTRIBUTES; a++) {
            uint64_t limit = 10;

            for (uint64_t digits = tct_random_below(&random, 8); digits > 0; digits--)
                limit *= 10;
            tct_text_printf(&text, "%s%llu,", tct_random_below(&random, 3) ? "" : "-",
                            (unsigned long long)tct_random_below(&random, limit));
        }
        tct_text_printf(&text, "%s\n", r % 5 ? classes[r % 2] : "NA");
    }
    assert_false(text.failed);
    return text.bytes;
}

/* Places in a range, to the bit: the fast way does not divide. */
static void quick__scales_as_the_plain_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tacit_schema *schema = make_ranges(seed);
        char *numbers = make_numbers(seed);
        tct_codec *codec = NULL;

        tct_simd_limit((tct_simd)(seed % TCT_SIMD_LEVELS));
        assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
        compare_text(codec, numbers, "NA");
        tct_codec_free(codec);
        tacit_schema_free(schema);
        tct_free(numbers);
    }
}

/* From 8 levels, which fit into 16 slots, to 60, which need more; spellings of all sizes up to 17. */
static void quick__finds_levels_in_tables_of_any_size(void **state)
{
    enum { MOST = 60 };
    char names[MOST][24];
    const char *levels[MOST];

    (void)state;
    for (size_t n = 2; n <= MOST; n += n < 16 ? 1 : 11)
        for (size_t level = 0; level < TCT_SIMD_LEVELS; level++) {
            tacit_schema *schema = tct_calloc(1, sizeof(*schema));
            tct_codec *codec = NULL;
            tct_text text = {0};

            assert_non_null(schema);
            for (size_t i = 0; i < n; i++) {
                snprintf(names[i], sizeof(names[i]), "%.*s%zu", (int)(i * 7 % 16), "spelling-spelling", i);
                levels[i] = names[i];
            }
            for (size_t a = 0; a < N_ATTRIBUTES; a++) {
                char name[8];
                tacit_attribute attribute = {.name = name,
                                             .type = TACIT_CATEGORY,
                                             .encoding = a % 2 ? TACIT_ORDINAL : TACIT_ONEHOT,
                                             .levels = levels,
                                             .n_levels = n,
                                             .cost = 1,
                                             .missing_level = 1};

                snprintf(name, sizeof(name), "a%zu", a);
                assert_int_equal(tct_schema_add(schema, &attribute, NULL), TACIT_OK);
            }
            assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
            schema->n_classes = 2;
            schema->label = tct_strdup("y");
            tct_text_printf(&text, "a0,a1,a2,a3,a4,y\n");
            for (size_t r = 0; r < ROWS; r++) {
                for (size_t a = 0; a < N_ATTRIBUTES; a++)
                    tct_text_printf(&text, "%s,", (r + a) % 37 == 0 ? "spelling" : levels[(r * 31 + a * 7) % n]);
                tct_text_printf(&text, "%s\n", r % 5 ? classes[r % 2] : "NA");
            }
            assert_false(text.failed);
            tct_simd_limit((tct_simd)level);
            assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
            compare_text(codec, text.bytes, "NA");
            tct_codec_free(codec);
            tacit_schema_free(schema);
            tct_text_free(&text);
        }
}

/* Many levels: no multipliers keep them apart, and the plain way is taken. */
static void quick__leaves_many_levels_to_the_plain_way(void **state)
{
    enum { LEVELS = 900 };
    static char names[LEVELS][8];
    static const char *levels[LEVELS];
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));
    tacit_attribute a = {.name = "c",
                         .type = TACIT_CATEGORY,
                         .encoding = TACIT_ORDINAL,
                         .levels = levels,
                         .n_levels = LEVELS,
                         .cost = 1,
                         .missing_level = TACIT_NONE};
    tct_encode_counts counts = {0};
    tct_binding *binding = NULL;
    tct_codec *codec = NULL;
    tct_block block = {0};
    tct_csv *csv = NULL;
    double x[3];

    (void)state;
    for (size_t i = 0; i < LEVELS; i++) {
        snprintf(names[i], sizeof(names[i]), "v%zu", i);
        levels[i] = names[i];
    }
    assert_int_equal(tct_schema_add(schema, &a, NULL), TACIT_OK);
    assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
    schema->n_classes = 2;
    schema->label = tct_strdup("y");
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    assert_int_equal(tct_csv_open(&csv, scratch_text("c,y\nv0,no\nv899,no\nv17,yes\n"), NULL, NULL), TACIT_OK);
    assert_int_equal(tct_csv_next(csv, &block, NULL), TACIT_OK);
    assert_int_equal(tct_csv_split(csv, &block, NULL), TACIT_OK);
    assert_int_equal(tct_binding_new(&binding, codec, csv, false, NULL), TACIT_OK);
    assert_null(binding->quick[0].slots);
    assert_non_null(binding->quick[1].slots);
    assert_int_equal(tct_encode_block(binding, &block, x, NULL, &counts, NULL), TACIT_OK);
    assert_true(x[0] == -1 && x[1] == 1 && x[2] == 2.0 * 17 / 899 - 1);
    tct_binding_free(binding);
    tct_block_clear(&block);
    tct_csv_close(csv);
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick__reads_whole_numbers),
        cmocka_unit_test(quick__blocks_equal_single_cells),
        cmocka_unit_test(quick__scales_as_the_plain_way),
        cmocka_unit_test(quick__finds_levels_in_tables_of_any_size),
        cmocka_unit_test(quick__leaves_many_levels_to_the_plain_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

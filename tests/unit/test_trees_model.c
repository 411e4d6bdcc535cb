/*
 * Ensembles of trees as classifiers: cells of numbers, files, what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cells.h"
#include "make_trees.h"
#include "receipt.h"
#include "scratch.h"

static tacit_schema *small_schema(void)
{
    tacit_schema *schema = tct_calloc(1, sizeof *schema);
    static const char *const levels[] = {"ash", "birch", "cedar"}, *classes[] = {"no", "yes"};
    tacit_attribute a[] = {
        {.name = "income", .type = TACIT_NUMBER, .cost = 1, .min = 0, .max = 100, .fill = 50},
        {.name = "age", .type = TACIT_INTEGER, .cost = 1, .min = 18, .max = 90, .fill = 40},
        {.name = "tree", .type = TACIT_CATEGORY, .cost = 1, .levels = levels, .n_levels = 3, .encoding = TACIT_ONEHOT}};

    for (size_t i = 0; i < 3; i++) {
        a[i].role = TACIT_SENSITIVE;
        a[i].missing_level = TACIT_NONE;
        assert_int_equal(tct_schema_add(schema, &a[i], NULL), TACIT_OK);
    }
    schema->label = tct_strdup("label");
    assert_int_equal(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), TACIT_OK);
    schema->n_classes = 2;
    return schema;
}

/* The index of a cell that a text is read as; -1: it is refused. */
static int cell_of(const tct_codec *codec, size_t a, const char *text)
{
    tct_encode_counts counts = {0};
    double input = 0;

    if (tct_encode_cell(codec, a, text, strlen(text), !*text, false, &input, &counts, NULL, 0, NULL))
        return -1;
    assert_int_equal(counts.clipped, 0);
    return (int)lround((input + 1) / 2 * (double)(codec->domains[a].count - 1));
}

/* Nothing is clipped, and a double counts as the single-precision number it is rounded to. */
static void trees_model__cells(void **state)
{
    double third = (double)(1.0f / 3), cuts[] = {third, 20}, years[] = {25, 65};
    tacit_schema *schema = small_schema();
    tct_codec *codec = NULL;

    (void)state;
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    assert_int_equal(tct_codec_set_cells(codec, 0, cuts, 2, true, true, NULL), TACIT_OK);
    assert_int_equal(tct_codec_set_cells(codec, 1, years, 2, true, false, NULL), TACIT_OK);
    assert_int_equal(codec->domains[0].count, 4);
    assert_int_equal(codec->domains[1].count, 3);
    assert_int_equal(cell_of(codec, 0, "-1e300"), 0);
    assert_int_equal(cell_of(codec, 0, "0.3333"), 0);
    assert_int_equal(cell_of(codec, 0, "0.33333333333333331"), 1); /* below the cut as a double, on it as a float */
    assert_int_equal(cell_of(codec, 0, "19.999999999"), 2);        /* rounds to 20 */
    assert_int_equal(cell_of(codec, 0, "19.99999"), 1);
    assert_int_equal(cell_of(codec, 0, "1e39"), 2); /* infinite as a float */
    assert_int_equal(cell_of(codec, 0, ""), 3);
    assert_int_equal(cell_of(codec, 1, "24"), 0);
    assert_int_equal(cell_of(codec, 1, "25"), 1);
    assert_int_equal(cell_of(codec, 1, "-70"), 0);
    assert_int_equal(cell_of(codec, 1, "900719925474099300"), 2);
    assert_int_equal(cell_of(codec, 1, "64.5"), -1);
    assert_int_equal(cell_of(codec, 1, ""), -1);
    cuts[1] = 0.1; /* descending */
    assert_int_equal(tct_codec_set_cells(codec, 0, cuts, 2, true, true, NULL), TACIT_E_INPUT);
    years[0] = 25.5;
    assert_int_equal(tct_codec_set_cells(codec, 1, years, 2, true, true, NULL), TACIT_E_INPUT);
    assert_int_equal(tct_codec_set_cells(codec, 2, years, 0, true, true, NULL), TACIT_E_INPUT);
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

/* What stands for a cell is in it, and short where it can be. */
static void trees_model__text_of_cells(void **state)
{
    char text[64];

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        tacit_model *m = make_tree_model(seed, 6, 2, 1, 1);

        for (size_t a = 0; a < 6; a++)
            for (size_t k = 0; k < m->codec->domains[a].count && m->schema->attributes[a].type != TACIT_CATEGORY; k++) {
                double input;

                tct_codec_value(m->codec, a, k, &input);
                tct_decode_cell(m->codec, a, &input, text, sizeof text);
                assert_int_equal(cell_of(m->codec, a, text), k);
            }
        tacit_model_free(m);
    }
}

/* A model file gives back the same model, to the byte, and the same scores. */
/* A receipt states the cell, which is true of whatever was typed, and not a number that nobody said. */
static void trees_model__cells_in_receipts(void **state)
{
    static const char *const income[] = {"below 0.33333334", "from 0.33333334 to below 20", "from 20", "missing"};
    static const char *const age[] = {"below 25", "from 25 to below 65", "from 65"};
    double third = (double)(1.0f / 3), cuts[] = {third, 20}, years[] = {25, 65}, input, read;
    tacit_schema *schema = small_schema();
    char text[TCT_RECEIPT_VALUE];
    tct_codec *codec = NULL;

    (void)state;
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    assert_int_equal(tct_codec_set_cells(codec, 0, cuts, 2, true, true, NULL), TACIT_OK);
    assert_int_equal(tct_codec_set_cells(codec, 1, years, 2, true, false, NULL), TACIT_OK);
    for (size_t a = 0; a < 2; a++)
        for (size_t k = 0; k < codec->domains[a].count; k++) {
            tct_codec_value(codec, a, k, &input);
            tct_receipt_value(codec, a, &input, text);
            assert_string_equal(text, a ? age[k] : income[k]);
            if (k > 2)
                assert_false(tct_receipt_read(codec, a, text, &read)); /* no answer */
            else
                assert_true(tct_receipt_read(codec, a, text, &read) && read == input);
        }
    assert_false(tct_receipt_read(codec, 1, "40", &read));
    assert_false(tct_receipt_read(codec, 1, "from 25", &read));
    assert_int_equal(tct_codec_set_cells(codec, 1, NULL, 0, true, false, NULL), TACIT_OK);
    input = 0;
    tct_receipt_value(codec, 1, &input, text);
    assert_string_equal(text, "any");
    tct_codec_free(codec);
    tacit_schema_free(schema);
}

static void trees_model__file(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tacit_model *m = make_tree_model(seed, 1 + seed % 6, 2 + seed % 3, seed % 9, 4), *read = NULL;
        double x[256], f[2][TCT_MAX_CLASSES];
        tct_classifier *copy = NULL;
        char *text[2] = {NULL};
        size_t size[2];
        tct_random random;
        tacit_error err = {0};

        assert_int_equal(tacit_model_text(&text[0], &size[0], m, NULL), TACIT_OK);
        if (tacit_model_parse(&read, text[0], size[0], &err))
            fail_msg("%s", err.message);
        assert_int_equal(tacit_model_text(&text[1], &size[1], read, NULL), TACIT_OK);
        assert_string_equal(text[0], text[1]);
        assert_int_equal(m->classifier->ops->copy(&copy, read->classifier, NULL), TACIT_OK);
        tct_random_seed(&random, seed, 8);
        for (size_t k = 0; k < 50; k++) {
            draw_person(m, &random, x);
            m->classifier->ops->scores(m->classifier, x, 1, f[0]);
            copy->ops->scores(copy, x, 1, f[1]);
            assert_memory_equal(f[0], f[1], m->classifier->n_scores * sizeof(double));
        }
        copy->ops->free(copy);
        tacit_text_free(text[0]);
        tacit_text_free(text[1]);
        tacit_model_free(read);
        tacit_model_free(m);
    }
}

/* That sums are in order is in the file, and in its hash; where they are not, nothing is. */
static void trees_model__file_in_order(void **state)
{
    tacit_model *m = make_tree_model(7, 3, 3, 5, 3), *ordered = NULL;
    tacit_error err = {0};
    char *text = NULL, *at;
    size_t size;

    (void)state;
    assert_int_equal(tacit_model_text(&text, &size, m, NULL), TACIT_OK);
    assert_null(strstr(text, "\"order\""));
    assert_false(tacit_model_info_get(m)->in_order);
    tacit_text_free(text);
    assert_int_equal(m->classifier->ops->in_order(m->classifier, NULL), TACIT_OK);
    assert_int_equal(tacit_model_with_roles(&ordered, m, NULL, NULL, NULL), TACIT_OK);
    assert_true(tacit_model_info_get(ordered)->in_order);
    assert_string_not_equal(tacit_model_info_get(ordered)->model_hash, tacit_model_info_get(m)->model_hash);
    assert_int_equal(tacit_model_text(&text, &size, ordered, NULL), TACIT_OK);
    tacit_model_free(m);
    if (tacit_model_parse(&m, text, size, &err))
        fail_msg("%s", err.message);
    assert_true(tacit_model_info_get(m)->in_order && tct_as_trees(m->classifier)->in_order);
    at = strstr(text, "\"order\"");
    assert_non_null(at);
    at[2] = 'x'; /* the hash says that this is another file */
    tacit_model_free(m);
    assert_int_equal(tacit_model_parse(&m, text, size, NULL), TACIT_E_INPUT);
    tacit_text_free(text);
    tacit_model_free(ordered);
}

/* A classifier from JSON over two numbers and a one-hot category of three; what is said when it is refused. */
static tacit_status parse(const char *json, const char *reason)
{
    const tct_json_at at = {"file", NULL, NULL, 0};
    json_t *root = json_loads(json, 0, NULL);
    tct_classifier *c = NULL;
    tacit_error err = {0};
    tacit_status st;

    assert_non_null(root);
    st = tct_trees_ops.from_json(&c, root, &at, 5, 2, &err);
    if (c)
        c->ops->free(c);
    json_decref(root);
    if (reason && !strstr(err.message, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, err.message);
    return st;
}

#define HEAD "{\"kind\": \"trees\", \"precision\": \"single\", \"start\": [0], \"cut\": 0, "
#define ATTRIBUTES                                                                                                     \
    "\"attributes\": [{\"cuts\": [1, 2]}, {\"cuts\": [0.5], \"missing\": true}, {\"levels\": 3, \"inputs\": 3}], "

static void trees_model__refusals(void **state)
{
    static const struct {
        const char *json, *reason;
    } wrong[] = {
        {HEAD ATTRIBUTES "\"trees\": [[0, 3, 0, -1, 1, -1, 2]]}", "trees[0]"},        /* no such cell */
        {HEAD ATTRIBUTES "\"trees\": [[0, 0, 0, -1, 1, -1, 2]]}", "trees[0]"},        /* nobody goes left */
        {HEAD ATTRIBUTES "\"trees\": [[3, 1, 0, -1, 1, -1, 2]]}", "trees[0]"},        /* no such attribute */
        {HEAD ATTRIBUTES "\"trees\": [[0, 1, 0, -1, 1]]}", "trees[0]"},               /* cut off */
        {HEAD ATTRIBUTES "\"trees\": [[-1, 1, -1, 2]]}", "trees[0]"},                 /* two trees */
        {HEAD ATTRIBUTES "\"trees\": [[2, \"0101\", 0, -1, 1, -1, 2]]}", "trees[0]"}, /* four levels */
        {HEAD ATTRIBUTES "\"trees\": [[2, \"01\", 0, -1, 1, -1, 2]]}", "trees[0]"},   /* two levels */
        {HEAD ATTRIBUTES "\"trees\": [[2, 1, 0, -1, 1, -1, 2]]}", "trees[0]"},        /* a cut of levels */
        {HEAD ATTRIBUTES "\"trees\": [[1, 1, 2, -1, 1, -1, 2]]}", "trees[0]"},        /* no way */
        {HEAD ATTRIBUTES "\"trees\": [[-1, 0.1]]}", "tree 1"},                        /* not single */
        {HEAD ATTRIBUTES "\"trees\": [[-1, 1.2980742146337069e33]]}", "too large"},   /* nor its size */
        {HEAD "\"attributes\": [{\"cuts\": []}], \"trees\": []}", "5 inputs"},        /* others than the schema's */
        {HEAD "\"attributes\": [], \"trees\": []}", "attributes"},
        {HEAD "\"attributes\": [{\"levels\": 3, \"inputs\": 2}], \"trees\": []}", "levels"},
        {HEAD "\"order\": \"any\", " ATTRIBUTES "\"trees\": []}", "order"},
        {HEAD "\"order\": \"trees\", \"slack\": 0.001, " ATTRIBUTES "\"trees\": []}", "sums alone decide"},
        {"{\"kind\": \"trees\", \"precision\": \"half\", \"start\": [0], " ATTRIBUTES "\"trees\": []}",
         "single or double"},
        {"{\"kind\": \"trees\", \"precision\": \"double\", \"start\": [0, 1], " ATTRIBUTES "\"trees\": []}", "start"},
        {"{\"kind\": \"trees\", \"precision\": \"double\", \"start\": [0], " ATTRIBUTES "\"trees\": []}", "cut"},
    };

    (void)state;
    assert_int_equal(parse(HEAD ATTRIBUTES "\"trees\": [[0, 1, 0, -1, 1, 2, \"101\", 0, -1, 0.5, -1, 2]]}", NULL),
                     TACIT_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(parse(wrong[i].json, wrong[i].reason), TACIT_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_model__cells),
        cmocka_unit_test(trees_model__text_of_cells),
        cmocka_unit_test(trees_model__cells_in_receipts),
        cmocka_unit_test(trees_model__file),
        cmocka_unit_test(trees_model__file_in_order),
        cmocka_unit_test(trees_model__refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

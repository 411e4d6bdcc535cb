/*
 * test_catboost_golden.c -- JSON models of CatBoost, imported: everybody has the label and, to the bit, the sums that
 * make_catboost.py worked out.  TACIT_CATBOOST_FOLDER names another folder of such models.
 *
 * TACIT_FOREIGN_FOLDER names a folder with cb_numeric_only.json, which CatBoost itself wrote; no predictions are known,
 * so a plain walk through its JSON is compared with.  Without the folder that is left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden_trees.h"
#include "scratch.h"

static void catboost_golden__json(void **state)
{
    (void)state;
    golden_trees_compare("TACIT_CATBOOST_FOLDER", TEST_DATA_DIR "/catboost", ".json", 10);
}

/* The sum of an oblivious model of one score. */
static double plain_sum(const json_t *root, const double *row)
{
    double sum = 0;
    size_t t, i;
    json_t *tree, *split;

    json_array_foreach(json_object_get(root, "oblivious_trees"), t, tree)
    {
        size_t place = 0;

        json_array_foreach(json_object_get(tree, "splits"), i, split)
        {
            double value = row[json_integer_value(json_object_get(split, "float_feature_index"))];

            place |= (size_t)((float)value > (float)json_number_value(json_object_get(split, "border"))) << i;
        }
        sum += json_number_value(json_array_get(json_object_get(tree, "leaf_values"), place));
    }
    return sum;
}

/* The model is a regression, which is refused; called a classifier, its sums can be seen. */
static void catboost_golden__foreign(void **state)
{
    static const double values[] = {-2, -1.5, -1.4999999, -1, -0.9999999, 0, 1.55, 1.5500000715255737, 1.5500001, 3};
    enum { N = sizeof values / sizeof *values };
    const tacit_import_options options = {.label = "outcome", .threads = 1};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tct_text csv = {0};
    tacit_error err = {0};
    json_t *root;
    char *text, *file = NULL;
    size_t size;

    (void)state;
    if (!getenv("TACIT_FOREIGN_FOLDER")) {
        print_message("TACIT_FOREIGN_FOLDER is not set: the file of CatBoost itself is not compared with\n");
        skip();
        return;
    }
    assert_int_equal(tct_file_read(&file, &size,
                                   golden_path(getenv("TACIT_FOREIGN_FOLDER"), "cb_numeric_only", ".json"), 1 << 20,
                                   NULL),
                     TACIT_OK);
    tct_text_printf(&csv, "a,b,c,outcome\n");
    for (size_t i = 0; i < N * N * N; i++)
        tct_text_printf(&csv, "%.17g,%.17g,%.17g,%zu\n", values[i % N], values[i / N % N], values[i / N / N], i % 2);
    assert_int_equal(tacit_table_read(&table, scratch_bytes(csv.bytes, csv.size), NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_import_parse(&model, file, size, table, NULL, &options, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "the loss RMSE gives no label"));
    for (char *at; (at = strstr(file, "18446744073709551615"));) /* a limit that Jansson does not read */
        memcpy(at, "1                   ", 20);
    root = json_loads(file, 0, NULL);
    assert_non_null(root);
    json_object_set_new(
        json_object_get(json_object_get(json_object_get(root, "model_info"), "params"), "loss_function"), "type",
        json_string("Logloss"));
    text = json_dumps(root, JSON_REAL_PRECISION(17));
    if (tacit_import_parse(&model, text, strlen(text), table, NULL, &options, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < N * N * N; i++) {
        const double row[3] = {values[i % N], values[i / N % N], values[i / N / N]};
        uint32_t cells[3];
        double sum;

        for (size_t a = 0; a < 3; a++)
            cells[a] = (uint32_t)tct_cell_of(tct_codec_cells(model->codec, a), row[a]);
        tct_trees_sums(tct_as_trees(model->classifier), cells, &sum);
        assert_true(sum == plain_sum(root, row));
    }
    print_message("%d people: sums equal to the bit\n", N * N * N);
    free(text);
    tct_free(file);
    json_decref(root);
    tct_text_free(&csv);
    tacit_model_free(model);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(catboost_golden__json),
        cmocka_unit_test(catboost_golden__foreign),
    };

    return cmocka_run_group_tests_name("catboost_golden", tests, NULL, NULL);
}

/*
 * test_described_golden.c -- descriptions of classifiers that make_described.py wrote: everybody has the label that
 * scikit-learn or XGBoost gave, and questionnaires end with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"

static tacit_model *imported(const char *name, tacit_table **table)
{
    const tacit_import_options options = {.label = "outcome", .predictions = "said", .threads = 1};
    char path[1024];
    tacit_model *model = NULL;
    tacit_error err = {0};

    snprintf(path, sizeof path, "%s/described/%s.csv", TEST_DATA_DIR, name);
    assert_int_equal(tacit_table_read(table, path, NULL, 1, &err), TACIT_OK);
    snprintf(path, sizeof path, "%s/described/%s.json", TEST_DATA_DIR, name);
    if (tacit_import(&model, path, *table, NULL, &options, &err))
        fail_msg("%s: %s", name, err.message);
    return model;
}

static void described_golden__labels(void **state)
{
    static const struct {
        const char *name, *kind;
        size_t classes;
    } files[] = {{"logistic", "logistic", 2}, {"network", "mlp", 2},        {"network_three", "mlp", 3},
                 {"forest", "trees", 2},      {"forest_three", "trees", 3}, {"gradient", "trees", 2},
                 {"hist", "trees", 2},        {"xgboost", "trees", 2},      {"xgboost_sparse", "trees", 3}};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tacit_table *table = NULL;
        tacit_model *model = imported(files[i].name, &table);

        assert_string_equal(tacit_model_info_get(model)->kind, files[i].kind);
        assert_int_equal(tacit_schema_classes(tacit_model_schema(model)), files[i].classes);
        tacit_model_free(model);
        tacit_table_free(table);
    }
}

/* A file of a model that adds up in single precision and compares in double reads back to itself. */
static void described_golden__model_files(void **state)
{
    static const char *const names[] = {"xgboost", "xgboost_sparse", "forest"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char *text = NULL, *again = NULL;
        tacit_table *table = NULL;
        tacit_model *model = imported(names[i], &table), *read = NULL;
        size_t size;

        assert_int_equal(tacit_model_text(&text, &size, model, NULL), TACIT_OK);
        assert_true((strstr(text, "\"compared\": \"double\"") != NULL) == (i < 2));
        assert_int_equal(tacit_model_parse(&read, text, size, NULL), TACIT_OK);
        assert_int_equal(tacit_model_text(&again, &size, read, NULL), TACIT_OK);
        assert_string_equal(text, again);
        tacit_text_free(text);
        tacit_text_free(again);
        tacit_model_free(read);
        tacit_model_free(model);
        tacit_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(described_golden__labels),
        cmocka_unit_test(described_golden__model_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_onnx_golden.c -- networks made by scikit-learn and torch, imported: everybody gets the label that onnxruntime
 * gives them (make_onnx.py).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"
#include "mlp.h"
#include "model.h"

#define FOLDER TEST_DATA_DIR "/onnx/"

/* The labels of one network: the first line is the schema, then one class per person. */
typedef struct expected {
    char *text;
    const char *schema;
    const char *labels[2000];
    size_t count;
} expected;

static void read_expected(expected *e, const char *name)
{
    char path[512];
    size_t size;
    char *at, *line;
    tacit_error err = {0};

    snprintf(path, sizeof(path), FOLDER "%s.labels", name);
    if (tct_file_read(&e->text, &size, path, 1 << 20, &err))
        fail_msg("%s", err.message);
    at = e->text;
    e->schema = strsep(&at, "\n");
    e->count = 0;
    while ((line = strsep(&at, "\n")) && *line) {
        assert_true(e->count < sizeof(e->labels) / sizeof(*e->labels));
        e->labels[e->count++] = line;
    }
}

/* Labels that the model gives to the people of the table, against the expected ones; how many are right in truth. */
static size_t compare_labels(const tacit_model *m, const tacit_table *table, const expected *e)
{
    const tct_classifier *c = m->classifier;
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};
    size_t row = 0, right = 0, d = m->codec->n_inputs;

    assert_int_equal(tct_binding_new(&binding, m->codec, table->csv, true, NULL), TACIT_OK);
    for (size_t b = 0; b < table->n_blocks; b++) {
        size_t n = table->blocks[b].n_rows;
        double *x = tct_malloc(n * d, sizeof(double)), *point = tct_malloc(d, sizeof(double)), f[8];
        int32_t *truth = tct_malloc(n, sizeof(int32_t));
        assert_int_equal(tct_encode_block(binding, &table->blocks[b], x, truth, &counts, NULL), TACIT_OK);
        for (size_t r = 0; r < n; r++, row++) {
            size_t label;
            for (size_t i = 0; i < d; i++)
                point[i] = x[i * n + r];
            c->ops->scores(c, point, 1, f);
            label = tct_label(f, c->n_scores);
            assert_true(row < e->count);
            if (strcmp(m->schema->classes[label], e->labels[row]) != 0)
                fail_msg("row %zu: label %s, expected %s", row + 1, m->schema->classes[label], e->labels[row]);
            right += label == (size_t)truth[r];
        }
        tct_free(x);
        tct_free(point);
        tct_free(truth);
    }
    assert_int_equal(row, e->count);
    assert_int_equal(counts.clipped, 0);
    tct_binding_free(binding);
    return right;
}

/* hidden: number of hidden layers expected. */
static void compare(const char *name, size_t hidden)
{
    static expected e;
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    char path[512];
    const tct_mlp *mlp;
    size_t right;

    read_expected(&e, name);
    snprintf(path, sizeof(path), FOLDER "%s", e.schema);
    if (tacit_table_read(&table, FOLDER "people.csv", NULL, 1, &err) || tacit_schema_read(&schema, path, &err))
        fail_msg("%s", err.message);
    snprintf(path, sizeof(path), FOLDER "%s.onnx", name);
    if (tacit_import(&model, path, table, schema, NULL, &err))
        fail_msg("%s", err.message);
    mlp = tct_as_mlp(model->classifier);
    assert_int_equal(mlp ? mlp->n_layers - 1 : 0, hidden);
    right = compare_labels(model, table, &e);
    assert_int_equal(model->info.train_rows, e.count);
    assert_true(model->info.train_accuracy == (double)right / (double)e.count);
    print_message("%s: %zu labels equal, accuracy %.3f\n", name, e.count, model->info.train_accuracy);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    tct_free(e.text);
}

#define CASE(name, hidden)                                                                                             \
    static void onnx_golden__##name(void **state)                                                                      \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        compare(#name, hidden);                                                                                        \
    }

CASE(sklearn_logistic_binary, 0)
CASE(sklearn_scaled_logistic_three, 0)
CASE(sklearn_scaled_mlp_binary, 2)
CASE(sklearn_scaled_mlp_three, 1)
CASE(torch_linear_binary_logit, 0)
CASE(torch_mlp_binary_sigmoid, 2)
CASE(torch_mlp_binary_softmax, 1)
CASE(torch_mlp_three_logits, 2)
CASE(torch_mlp_three_log_softmax, 3)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_golden__sklearn_logistic_binary),
        cmocka_unit_test(onnx_golden__sklearn_scaled_logistic_three),
        cmocka_unit_test(onnx_golden__sklearn_scaled_mlp_binary),
        cmocka_unit_test(onnx_golden__sklearn_scaled_mlp_three),
        cmocka_unit_test(onnx_golden__torch_linear_binary_logit),
        cmocka_unit_test(onnx_golden__torch_mlp_binary_sigmoid),
        cmocka_unit_test(onnx_golden__torch_mlp_binary_softmax),
        cmocka_unit_test(onnx_golden__torch_mlp_three_logits),
        cmocka_unit_test(onnx_golden__torch_mlp_three_log_softmax),
    };

    return cmocka_run_group_tests_name("onnx_golden", tests, NULL, NULL);
}

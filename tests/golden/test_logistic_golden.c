/*
 * test_logistic_golden.c -- the whole way from a CSV file to weights, against scikit-learn (make_logistic.py).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "exact_domains.h"
#include "logistic_golden.h"
#include "model.h"

/* Promised is 1e-4; anything above this is a change worth knowing about. */
static const double TOLERANCE = 1e-7;

static double largest_difference(const double *a, const double *b, size_t n)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static void compare(const char *file, tacit_encoding encoding, double l2, const double *weights, size_t n_weights,
                    const double *bias, size_t n_bias)
{
    const tacit_infer_options how = {.label = "label", .encoding = encoding};
    const tacit_fit_options options = {.l2 = l2};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    const tct_linear *linear;
    double apart;

    if (tacit_table_read(&table, file, NULL, 1, &err) || tacit_schema_infer(&schema, table, &how, &err))
        fail_msg("%s", err.message);
    set_exact_domains(schema, table, 0, 0);
    if (tacit_fit(&model, table, schema, &options, &err))
        fail_msg("%s", err.message);
    linear = tct_as_linear(model->classifier);
    assert_non_null(linear);
    assert_int_equal(linear->base.n_scores, n_bias);
    assert_int_equal(linear->base.n_inputs * n_bias, n_weights);
    apart =
        fmax(largest_difference(linear->weights, weights, n_weights), largest_difference(linear->bias, bias, n_bias));
    print_message("weights and biases differ by at most %.2g\n", apart);
    assert_true(apart < TOLERANCE);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define COMPARE(data, encoding, name, l2)                                                                              \
    compare(TEST_DATA_DIR "/logistic_" data ".csv", encoding, l2, name##_weights, COUNT(name##_weights), name##_bias,  \
            COUNT(name##_bias))

static void logistic__two_classes_like_scikit_learn(void **state)
{
    (void)state;
    COMPARE("binary", TACIT_ONEHOT, binary_onehot_1, 1);
    COMPARE("binary", TACIT_ONEHOT, binary_onehot_01, 0.1);
    COMPARE("binary", TACIT_ORDINAL, binary_ordinal_1, 1);
    COMPARE("binary", TACIT_ORDINAL, binary_ordinal_01, 0.1);
}

static void logistic__three_classes_like_scikit_learn(void **state)
{
    (void)state;
    COMPARE("three", TACIT_ONEHOT, three_onehot_1, 1);
    COMPARE("three", TACIT_ONEHOT, three_onehot_01, 0.1);
    COMPARE("three", TACIT_ORDINAL, three_ordinal_1, 1);
    COMPARE("three", TACIT_ORDINAL, three_ordinal_01, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic__two_classes_like_scikit_learn),
        cmocka_unit_test(logistic__three_classes_like_scikit_learn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

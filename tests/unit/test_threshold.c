/*
 * Thresholds other than one half: which people get another label, what the file keeps, what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "scratch.h"

/* People whose outcome depends on two numbers and chance. */
static tacit_table *make_table(size_t classes)
{
    tct_text csv = {0};
    tacit_table *table = NULL;

    tct_text_printf(&csv, "age,income,outcome\n");
    for (size_t i = 0; i < 120; i++) {
        size_t age = 20 + i * 37 % 45, income = i * 733 % 3000;
        double score = (double)age / 20 + (double)income / 800 + (double)(i * 31 % 11) / 4;

        tct_text_printf(&csv, "%zu,%zu.5,%zu\n", age, income, (size_t)(score / 2.8) % classes);
    }
    assert_int_equal(tacit_table_read(&table, scratch_bytes(csv.bytes, csv.size), NULL, 1, NULL), TACIT_OK);
    tct_text_free(&csv);
    return table;
}

static tacit_status fit(tacit_model **model, const char *kind, double threshold, size_t classes, tacit_error *err)
{
    const tacit_infer_options infer = {.label = "outcome", .test_share = 0.3, .seed = 1};
    const tacit_fit_options options = {.kind = kind,
                                       .threshold = threshold,
                                       .test_share = 0.3,
                                       .seed = 1,
                                       .threads = 1,
                                       .epochs = strcmp(kind, "mlp") == 0 ? 20 : 0};
    tacit_table *table = make_table(classes);
    tacit_schema *schema = NULL;
    tacit_status st;

    *model = NULL;
    assert_int_equal(tacit_schema_infer(&schema, table, &infer, NULL), TACIT_OK);
    st = tacit_fit(model, table, schema, &options, err);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return st;
}

/* The score is less by the threshold's log-odds, for everybody on a grid, and so the label is 1 iff p is reached. */
static void threshold__moves_the_score(void **state)
{
    static const char *const kinds[] = {"logistic", "mlp", "trees"};
    static const double thresholds[] = {1e-6, 0.2, 0.5, 0.9};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        tacit_model *usual = NULL;
        size_t moved = 0;

        assert_int_equal(fit(&usual, kinds[k], 0, 2, NULL), TACIT_OK);
        assert_true(tacit_model_info_get(usual)->threshold == 0);
        for (size_t i = 0; i < 4; i++) {
            tacit_model *model = NULL;
            double t = thresholds[i];

            assert_int_equal(fit(&model, kinds[k], t, 2, NULL), TACIT_OK);
            assert_true(tacit_model_info_get(model)->threshold == t);
            for (size_t g = 0; g < 441; g++) {
                const double x[2] = {(double)(g % 21) / 10 - 1, (double)(g / 21) / 10 - 1};
                double before, after, p;

                usual->classifier->ops->scores(usual->classifier, x, 1, &before);
                model->classifier->ops->scores(model->classifier, x, 1, &after);
                p = 1 / (1 + exp(-before));
                assert_true(fabs(before - log(t / (1 - t)) - after) < 1e-12 * (1 + fabs(before) + fabs(after)));
                if (fabs(p - t) > 1e-12)
                    assert_int_equal(tct_label(&after, 1), p >= t);
                moved += tct_label(&after, 1) != tct_label(&before, 1);
            }
            tacit_model_free(model);
        }
        assert_true(moved > 0);
        tacit_model_free(usual);
    }
}

static void threshold__is_in_the_file(void **state)
{
    tacit_model *model = NULL, *again = NULL;
    char *text = NULL, *second = NULL;
    size_t size;

    (void)state;
    assert_int_equal(fit(&model, "logistic", 0.3, 2, NULL), TACIT_OK);
    assert_int_equal(tacit_model_text(&text, &size, model, NULL), TACIT_OK);
    assert_int_equal(tacit_model_parse(&again, text, size, NULL), TACIT_OK);
    assert_true(tacit_model_info_get(again)->threshold == 0.3);
    assert_int_equal(tacit_model_text(&second, &size, again, NULL), TACIT_OK);
    assert_string_equal(text, second);
    assert_non_null(strstr(text, "\"threshold\": 0.3"));
    tacit_text_free(text);
    tacit_text_free(second);
    tacit_model_free(model);
    tacit_model_free(again);
}

static void threshold__refused(void **state)
{
    static const double wrong[] = {-0.1, 1, 1.5, NAN};
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(fit(&model, "logistic", wrong[i], 2, &err), TACIT_E_USAGE);
        assert_non_null(strstr(err.message, "above 0 and below 1"));
    }
    assert_int_equal(fit(&model, "logistic", 0.3, 3, &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "a threshold is for two classes, and outcome has 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold__moves_the_score),
        cmocka_unit_test(threshold__is_in_the_file),
        cmocka_unit_test(threshold__refused),
    };

    return cmocka_run_group_tests_name("threshold", tests, NULL, NULL);
}

/*
 * JSON models of CatBoost: what is refused, and with which words; borders; thresholds; files that are no models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "csv.h"
#include "model.h"
#include "scratch.h"
#include "trees.h"

/* What a document has where nothing is changed. */
#define FEATURE(i, more)                                                                                               \
    "{\"feature_index\": " #i ", \"flat_feature_index\": " #i ", \"nan_value_treatment\": \"AsIs\"" more "}"
#define FEATURES                                                                                                       \
    "{\"float_features\": [" FEATURE(0, ", \"feature_id\": \"x\"") ", " FEATURE(1, ", \"feature_id\": \"y\"") "]}"
#define INFO "{\"params\": {\"loss_function\": {\"type\": \"Logloss\"}}}"
#define SPLIT "{\"split_type\": \"FloatFeature\", \"float_feature_index\": 0, \"border\": 0.5}"
#define TREES "[{\"splits\": [" SPLIT "], \"leaf_values\": [-1, 1]}]"
#define SCALE "[1, [0]]"

static tacit_status import(tacit_model **model, const char *features, const char *info, const char *scale,
                           const char *trees, double threshold, tacit_error *err)
{
    static const char PEOPLE[] = "x,y,outcome\n1.5,1,0\n-2.5,2.5,1\n,1,0\n0,1,1\n";
    const tacit_import_options options = {.label = "outcome", .threshold = threshold, .threads = 1};
    tct_text text = {0};
    tacit_table *table = NULL;
    tacit_status st;

    tct_text_printf(&text, "{\"features_info\": %s, \"model_info\": %s, \"scale_and_bias\": %s, %s}", features, info,
                    scale, trees);
    assert_int_equal(tacit_table_read(&table, scratch_text(PEOPLE), NULL, 1, NULL), TACIT_OK);
    st = tacit_import_parse(model, text.bytes, text.size, table, NULL, &options, err);
    tacit_table_free(table);
    tct_text_free(&text);
    return st;
}

static void catboost__refusals(void **state)
{
#define T(trees) "\"oblivious_trees\": " trees
#define LOSS(name) "{\"params\": {\"loss_function\": {\"type\": \"" name "\"}}}"
#define ONE(split) T("[{\"splits\": [" split "], \"leaf_values\": [-1, 1]}]")
    static const struct {
        const char *features, *info, *scale, *trees, *reason;
    } wrong[] = {
        {FEATURES, LOSS("RMSE"), SCALE, T(TREES), "the loss RMSE gives no label"},
        {FEATURES, LOSS("YetiRank"), SCALE, T(TREES), "the loss YetiRank gives no label"},
        {FEATURES, "{}", SCALE, T(TREES), "loss_function.type is missing"},
        {FEATURES, LOSS("MultiClass"), SCALE, T(TREES), "one score, but a loss for several classes"},
        {FEATURES, INFO, "[1, [0, 0, 0]]", T(TREES), "several scores, but a loss for two classes"},
        {FEATURES, LOSS("MultiClass"), "[1, [0, 0]]", T(TREES), "two classes as if they were more"},
        {FEATURES, LOSS("MultiClass"), "[2, [0, 0, 0]]", T(TREES), "its scores are scaled"},
        {FEATURES, INFO, "[0, [0]]", T(TREES), "no scale from 0.001 to 1000"},
        {FEATURES, INFO, "[1, [1e10]]", T(TREES), "a bias of scale_and_bias"},
        {FEATURES,
         "{\"binclass_probability_threshold\": \"0.3\", \"params\": {\"loss_function\": {\"type\": \"Logloss\"}}}",
         SCALE, T(TREES), "a threshold of its own"},
        {"{}", INFO, SCALE, T(TREES), "no features that are numbers"},
        {"{\"float_features\": [{\"feature_index\": 0}]}", INFO, SCALE, T(TREES), "no flat_feature_index"},
        {"{\"float_features\": [{\"feature_index\": 0, \"flat_feature_index\": 1000000}]}", INFO, SCALE, T(TREES),
         "far beyond the features"},
        {"{\"float_features\": [{\"feature_index\": 3, \"flat_feature_index\": 0}]}", INFO, SCALE, T(TREES),
         "no feature_index, or one that is too large"},
        {"{\"float_features\": [{\"feature_index\": 0, \"flat_feature_index\": 0, \"nan_value_treatment\": \"Drop\"}]}",
         INFO, SCALE, T(TREES), "the nan_value_treatment Drop is not known"},
        {FEATURES, INFO, SCALE, ONE("{\"split_type\": \"OnlineCtr\"}"), "statistics of categories (CTR)"},
        {FEATURES, INFO, SCALE, ONE("{\"split_type\": \"OneHotFeature\"}"), "a category by its hash (one-hot)"},
        {FEATURES, INFO, SCALE, ONE("{\"split_type\": \"EstimatedFeature\"}"),
         "the test EstimatedFeature is not known"},
        {FEATURES, INFO, SCALE, ONE("{\"float_feature_index\": 2, \"border\": 1}"), "a feature that is not there"},
        {FEATURES, INFO, SCALE, ONE("{\"float_feature_index\": -1, \"border\": 1}"), "a feature that is not there"},
        {FEATURES, INFO, SCALE, ONE("{\"float_feature_index\": 0, \"border\": NaN}"), "a border is no number"},
        {FEATURES, INFO, SCALE, ONE("{\"float_feature_index\": 0, \"border\": 1e39}"), "a border is no number"},
        {FEATURES, INFO, SCALE, T("[]"), "it has no trees"},
        {FEATURES, INFO, SCALE, T("[{\"splits\": [" SPLIT "], \"leaf_values\": [1]}]"), "not one for each leaf"},
        {FEATURES, INFO, SCALE, T("[{\"splits\": [], \"leaf_values\": [\"1\"]}]"), "a leaf is no finite number"},
        {FEATURES, INFO, SCALE,
         T("[{\"splits\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], \"leaf_values\": []}]"),
         "more than 16 tests"},
        {FEATURES, INFO, SCALE, "\"trees\": [{\"split\": " SPLIT ", \"left\": {\"value\": 1}}]", "no finite number"},
        {FEATURES, INFO, SCALE, "\"trees\": [{\"value\": [1, 2]}]", "no value for each score"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tacit_model *model = NULL;
        tacit_error err = {0};

        if (import(&model, wrong[i].features, wrong[i].info, wrong[i].scale, wrong[i].trees, 0, &err) != TACIT_E_INPUT)
            fail_msg("not refused: %s (%s)", wrong[i].reason, err.message);
        if (!strstr(err.message, wrong[i].reason))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].reason, err.message);
    }
}

/* Doubles that round to a float above the border, and not a bit less, are above it. */
static void catboost__borders(void **state)
{
    static const double borders[] = {0.5, 0.1, -3.7, 1e-40, 16777216, 0};

    (void)state;
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        float border = (float)borders[i], next = nextafterf(border, INFINITY);
        tacit_model *model = NULL;
        char trees[300];
        double cut;

        snprintf(
            trees, sizeof trees,
            "\"oblivious_trees\": [{\"splits\": [{\"float_feature_index\": 0, \"border\": %.17g}], \"leaf_values\": "
            "[-1, 1]}]",
            (double)border);
        assert_int_equal(import(&model, FEATURES, INFO, SCALE, trees, 0, NULL), TACIT_OK);
        cut = tct_codec_cells(model->codec, 0)->cuts[0];
        assert_true((float)cut > border && !((float)nextafter(cut, -INFINITY) > border));
        assert_true(cut > (double)border && cut <= (double)next);
        tacit_model_free(model);
    }
}

/* Predict gives 1 above 0, which is not the smallest probability of at least one half. */
static void catboost__threshold(void **state)
{
    const double thresholds[] = {0, 0.5, 0.9};
    double cuts[3];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tacit_model *model = NULL;

        assert_int_equal(
            import(&model, FEATURES, INFO, "[2, [0.5]]", "\"oblivious_trees\": " TREES, thresholds[i], NULL), TACIT_OK);
        cuts[i] = tct_as_trees(model->classifier)->cut;
        tacit_model_free(model);
    }
    assert_true(2 * cuts[0] + 0.5 > 0 && !(2 * nextafter(cuts[0], -1) + 0.5 > 0));
    assert_true(cuts[1] <= cuts[0] && fabs(cuts[1] + 0.25) < 1e-15);
    assert_true(fabs(cuts[2] - (log(9) - 0.5) / 2) < 1e-14);
}

#define BYTES(literal) literal, sizeof literal - 1

static void catboost__other_files(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *reason;
    } files[] = {
        {BYTES("CBM1\x08\x00\x00\x00"), "format=\"json\""},
        {BYTES("\x80\x04\x95\x10\x00\x00"), "a pickle"},
        {BYTES("\x80\x03}q\x00"), "a pickle"},
        {BYTES("x\x9c\x01\x02"), "joblib"},
        {BYTES("\x1f\x8b\x08\x00"), "packed by gzip"},
        {BYTES("PK\3\4\x14\x00"), "export the model as ONNX"},
        {BYTES("\x89HDF\r\n"), "an HDF5 file"},
        {BYTES("<?xml version=\"1.0\"?>"), "PMML is not read"},
        {BYTES("______LightGBM_Binary_File_Token______\n"), "no model"},
        {BYTES("binf\1\2"), "old binary format"},
        {BYTES("{\"name\": \"tree\", \"tree_info\": []}"), "dump_model"},
        {BYTES("{\"a\": 1}"), "no model of XGBoost"},
        {BYTES("[{\"nodeid\": 0}]"), "a dump of trees"},
        {BYTES("Tree=0\nnum_leaves=1\n"), "without the head of the file"},
    };
    tacit_table *table = NULL;

    (void)state;
    assert_int_equal(tacit_table_read(&table, scratch_text("x,outcome\n1,0\n2,1\n"), NULL, 1, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const tacit_import_options options = {.label = "outcome", .threads = 1};
        tacit_model *model = NULL;
        tacit_error err = {0};

        assert_int_equal(tacit_import_parse(&model, files[i].bytes, files[i].size, table, NULL, &options, &err),
                         TACIT_E_INPUT);
        if (!strstr(err.message, files[i].reason))
            fail_msg("\"%s\" is not in \"%s\"", files[i].reason, err.message);
    }
    tacit_table_free(table);
}

/* XGBoost's old format without its mark: 136 bytes of numbers, then two names. */
static void catboost__old_xgboost(void **state)
{
    const tacit_import_options options = {.label = "outcome", .threads = 1};
    char bytes[200] = {0};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    bytes[136] = 15;
    memcpy(bytes + 144, "binary:logistic", 15);
    bytes[159] = 6;
    memcpy(bytes + 167, "gbtree", 6);
    assert_int_equal(tacit_table_read(&table, scratch_text("x,outcome\n1,0\n2,1\n"), NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_import_parse(&model, bytes, sizeof bytes, table, NULL, &options, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "old binary format"));
    bytes[159] = 7; /* no booster */
    assert_int_not_equal(tacit_import_parse(&model, bytes, sizeof bytes, table, NULL, &options, &err), TACIT_OK);
    assert_null(strstr(err.message, "old binary format"));
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(catboost__refusals),    cmocka_unit_test(catboost__borders),
        cmocka_unit_test(catboost__threshold),   cmocka_unit_test(catboost__other_files),
        cmocka_unit_test(catboost__old_xgboost),
    };

    return cmocka_run_group_tests_name("catboost", tests, NULL, NULL);
}

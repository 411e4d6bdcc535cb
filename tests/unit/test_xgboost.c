/*
 * Model files of XGBoost: what is refused, and with which words; thresholds; what other versions write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv.h"
#include "json.h"
#include "model.h"
#include "raw_trees.h"
#include "scratch.h"
#include "trees.h"
#include "ubjson.h"

#define FOLDER TEST_DATA_DIR "/../golden/xgboost/"

/* The member of a document at a path like "learner.objective.name" or "trees[0].left_children"; and who holds it. */
static json_t *holder_of(json_t *root, const char *path, char key[64], size_t *index)
{
    json_t *at = root;

    while (*path) {
        size_t n = strcspn(path, ".[");

        if (*path == '[') {
            *index = (size_t)strtoul(path + 1, NULL, 10);
            n = strcspn(path, "]") + 1;
            path += n;
            path += *path == '.';
            key[0] = '\0';
            if (!*path)
                return at;
            at = json_array_get(at, *index);
            continue;
        }
        snprintf(key, 64, "%.*s", (int)n, path);
        path += n;
        path += *path == '.';
        if (!*path)
            return at;
        at = json_object_get(at, key);
    }
    return at;
}

/* A file with one member changed; NULL: taken away. */
static const char *changed_file(const char *from, const char *path, const char *value)
{
    char key[64] = "", *text;
    const char *out;
    json_t *root, *holder;
    size_t index = 0;

    root = json_load_file(from, 0, NULL);
    assert_non_null(root);
    holder = holder_of(root, path, key, &index);
    assert_non_null(holder);
    if (!value)
        assert_int_equal(json_object_del(holder, key), 0);
    else if (*key)
        assert_int_equal(json_object_set_new(holder, key, json_loads(value, JSON_DECODE_ANY, NULL)), 0);
    else
        assert_int_equal(json_array_set_new(holder, index, json_loads(value, JSON_DECODE_ANY, NULL)), 0);
    text = json_dumps(root, 0);
    out = scratch_bytes(text, strlen(text));
    free(text);
    json_decref(root);
    return out;
}

/* A file of the fixtures with one member changed. */
static const char *changed(const char *name, const char *path, const char *value)
{
    char from[1024];

    snprintf(from, sizeof from, FOLDER "%s.json", name);
    return changed_file(from, path, value);
}

static tacit_status import(tacit_model **model, const char *path, const char *people,
                           const tacit_import_options *options, tacit_error *err)
{
    tacit_table *table = NULL;
    char data[1024];
    tacit_status st;

    snprintf(data, sizeof data, FOLDER "%s.csv", people);
    assert_int_equal(tacit_table_read(&table, data, NULL, 1, NULL), TACIT_OK);
    st = tacit_import(model, path, table, NULL, options, err);
    tacit_table_free(table);
    return st;
}

static const tacit_import_options LABEL = {.label = "outcome", .threads = 1};

static void refused(const char *path, const char *people, const char *reason)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    assert_int_equal(import(&model, path, people, &LABEL, &err), TACIT_E_INPUT);
    assert_null(model);
    if (!strstr(err.message, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, err.message);
    if (!strstr(err.message, path) && !strstr(err.message, people))
        fail_msg("no file is named in \"%s\"", err.message);
}

#define TREES "learner.gradient_booster.model.trees"

static void xgboost__refusals(void **state)
{
    static const struct {
        const char *name, *path, *value, *reason;
    } wrong[] = {
        {"logistic", "learner.objective.name", "\"reg:squarederror\"", "reg:squarederror gives no label"},
        {"logistic", "learner.objective.name", "\"rank:pairwise\"", "rank:pairwise gives no label"},
        {"logistic", "learner.objective.name", "\"survival:cox\"", "survival:cox gives no label"},
        {"logistic", "learner.objective.name", NULL, "objective.name is missing"},
        {"logistic", "learner.gradient_booster.name", "\"gblinear\"", "a linear model without trees"},
        {"logistic", "learner.gradient_booster.name", "\"gbforest\"", "gbforest is not known"},
        {"logistic", "learner.gradient_booster.name", "\"dart\"", "no weight_drop"},
        {"logistic", "learner.learner_model_param.base_score", "\"1\"", "not between 0 and 1"},
        {"logistic", "learner.learner_model_param.base_score", "\"half\"", "not a list of numbers"},
        {"logistic", "learner.learner_model_param.base_score", NULL, "base_score is missing"},
        {"logistic", "learner.learner_model_param.base_score", "0.5", "base_score is missing, or no text"},
        {"logistic", "learner.learner_model_param.base_score", "\"9E-7\"", "within 1e-6 of 0 or 1"},
        {"logistic", "learner.learner_model_param.base_score", "\"9.999992E-1\"", "within 1e-6 of 0 or 1"},
        {"softprob", "learner.learner_model_param.base_score", "\"[5E-1,5E-1]\"", "one for each class"},
        {"logistic", "learner.learner_model_param.base_score", "\"[5E-1,5E-1]\"", "one for each class"},
        {"logistic", "learner.learner_model_param.base_score", "\"[5E-1]5\"", "not a list of numbers"},
        {"logistic", "learner.learner_model_param.base_score", "\"[5E-1\"", "not a list of numbers"},
        {"logistic", "learner.learner_model_param.base_score", "\"5E-1]\"", "not a list of numbers"},
        {"logistic", "learner.learner_model_param.base_score", "\"[]\"", "one for each class"},
        {"logistic", "learner.learner_model_param.num_class", "\"3\"", "the objective is for one"},
        {"logistic", "learner.learner_model_param.num_target", "\"2\"", "several targets"},
        {"softprob", "learner.learner_model_param.num_class", "\"2\"", "train it with binary:logistic"},
        {"softprob", "learner.learner_model_param.num_class", "\"257\"", "not one of 3 to 256"},
        {"softprob", "learner.learner_model_param.num_class", "\"4\"",
         "the model has 4 classes, the label outcome has 3"},
        {"logistic", "learner.learner_model_param.num_feature", "\"5\"", "feature_names are not as many"},
        {"logistic", "learner.feature_names[2]", "\"debts\"",
         "no column for the model's feature 'debts'; the closest is debt"},
        {"logistic", "learner.feature_names[2]", "\"age\"", "two features of the model are called 'age'"},
        {"logistic", "learner.feature_names[2]", "\"outcome\"", "it cannot be the label"},
        {"logistic", "learner.gradient_booster.model.cats", "{\"enc\": [{}]}", "recodes categories"},
        {"logistic", "learner.gradient_booster.model.tree_info", "[0]", "no class for each"},
        {"softprob", "learner.gradient_booster.model.tree_info[1]", "7", "the class of a tree"},
        {"dart", "learner.gradient_booster.weight_drop", "[1.0]", "one number for each tree"},
        {"logistic", TREES "[0].tree_param.size_leaf_vector", "\"3\"", "leaves are vectors"},
        {"logistic", TREES "[0].left_children[0]", "0", "not one"},
        {"logistic", TREES "[0].split_conditions[0]", "1.0000000200408773e+20",
         "a threshold on 'age' is too large to be compared with"},
        {"logistic", TREES "[0].left_children[0]", "99999", "not one"},
        {"logistic", TREES "[0].right_children[0]", "-1", "no children"},
        {"logistic", TREES "[0].split_indices[0]", "6", "a feature that is not there"},
        {"logistic", TREES "[0].split_conditions[0]", "null", "no finite number"},
        {"logistic", TREES "[0].split_conditions[0]", "1e39", "a threshold or leaf is no finite number"},
        {"logistic", TREES "[0].split_conditions[14]", "3.4e38", "too large to be added up"},
        {"logistic", TREES "[0].split_conditions[0]", "1e20", "a threshold on 'age' is too large"}, /* ended never */
        {"logistic", TREES "[0].split_conditions[0]", "1.000000059604644775390625", "between two single-precision"},
        {"logistic", TREES "[0].split_conditions[0]", "\"1.5\"", "no finite number"},
        {"logistic", TREES "[0].left_children[0]", "\"1\"", "no whole number"},
        {"logistic", TREES "[0].right_children[0]", "2.0", "no whole number"},
        {"logistic", TREES "[0].split_indices[0]", "\"1\"", "a feature that is not there"},
        {"logistic", TREES "[0].split_type[0]", "7", "neither on a number nor on a category"},
        {"logistic", TREES "[0].split_type[0]", "\"1\"", "neither on a number nor on a category"},
        {"logistic", TREES "[0].default_left[0]", "2", "neither left nor right"},
        {"logistic", TREES "[0].default_left[0]", "\"yes\"", "neither left nor right"},
        {"logistic", TREES "[0].id", "1", "not in the order of their numbers"},
        {"logistic", TREES "[0].default_left", "[]", "not of one length"},
        {"logistic", "learner.gradient_booster.model.gbtree_model_param.num_trees", "\"7\"", "as many trees"},
        {"logistic", TREES, "[]", "as many trees"},
        {"early", "learner.attributes.best_iteration", "\"soon\"", "best_iteration is no number"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(changed(wrong[i].name, wrong[i].path, wrong[i].value), wrong[i].name, wrong[i].reason);
}

static void xgboost__other_files(void **state)
{
    (void)state;
    refused(scratch_text("[{\"nodeid\": 0, \"leaf\": 0.5}]"), "logistic", "save_model");
    refused(scratch_text("{\"trees\": []}"), "logistic", "no model of XGBoost");
    refused(scratch_text("{\"learner\": "), "logistic", "not valid JSON");
    refused(scratch_text("binf\1\2\3"), "logistic", "old binary format");
    refused(scratch_text("booster[0]:\n0:[age<5] yes=1,no=2,missing=1\n"), "logistic", "a dump of trees");
    refused(scratch_text(""), "logistic", "the file is empty");
}

/* What takes two changes. */
static void xgboost__more_refusals(void **state)
{
    const char *unnamed = changed("logistic", "learner.feature_names", "[]");
    const char *nothing = changed_file(changed("early", TREES, "[]"),
                                       "learner.gradient_booster.model.gbtree_model_param.num_trees", "\"0\"");

    (void)state;
    refused(changed_file(unnamed, "learner.learner_model_param.num_feature", "\"2147483646\""), "logistic",
            "2147483646 features without names");
    refused(changed_file(nothing, "learner.attributes.best_iteration", "\"-1\""), "early", "it has no trees");
    refused(changed("early", "learner.gradient_booster.model.gbtree_model_param.num_parallel_tree", "\"99\""), "early",
            "more than there are trees");
}

/* A column that is no feature, but begins the name of one, is left out like any other. */
static void xgboost__begins_a_feature(void **state)
{
    const char *model_file = changed("logistic", "learner.feature_names[1]", "\"debt_age\"");
    const char *people = scratch_text("income,debt_age,debt,years,ratio,children,outcome,ratio_of\n"
                                      "1000.5,30,-5e3,3,0.0002,0,0,1\n2500,61,1e4,39,0.0009,5,1,2\n"
                                      "700,45,0,20,0.0004,2,1,2\n800,18,20000,0,1e-9,1,0,3\n");
    tacit_import_options options = {.label = "outcome", .threads = 1};
    tacit_table *table = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    model_file = changed_file(model_file, "learner.feature_names[4]", "\"ratio_of\"");
    assert_int_equal(tacit_table_read(&table, people, NULL, 1, NULL), TACIT_OK);
    if (tacit_import(&model, model_file, table, NULL, &options, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tacit_model_schema(model)->n_attributes, 6);
    tacit_model_free(model);
    tacit_table_free(table);
}

/* One tree that asks whether the category is 0 or 4, as XGBoost writes it. */
#define ONE_SET                                                                                                        \
    "{\"learner\": {\"feature_names\": [\"code\"], \"gradient_booster\": {\"name\": \"gbtree\", \"model\": {"          \
    "\"tree_info\": [0], \"trees\": [{\"left_children\": [1, -1, -1], \"right_children\": [2, -1, -1],"                \
    "\"split_indices\": [0, 0, 0], \"split_conditions\": [NaN, 0.5870968, -0.58918923], \"split_type\": [1, 0, 0],"    \
    "\"default_left\": [1, 0, 0], \"categories\": [0, 4], \"categories_nodes\": [0], \"categories_segments\": [0],"    \
    "\"categories_sizes\": [2]}]}}, \"learner_model_param\": {\"base_score\": \"5E-1\", \"num_class\": \"0\","         \
    "\"num_feature\": \"1\"}, \"objective\": {\"name\": \"binary:logistic\"}}}"

/* Categories that are no whole numbers go where XGBoost 1.7.4 was seen to send them: below 0 there is none, and the rest is
 * cut off after it was rounded to single precision. */
static void xgboost__odd_categories(void **state)
{
    const char *people = scratch_text("code,outcome,said\n-0.5,0,1\n-1,0,1\n0,1,0\n0.5,1,0\n0.99999999999,0,1\n1,1,1\n"
                                      "4,0,0\n5,1,1\n16777216,1,1\n");
    const char *text =
        "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"outcome\", \"classes\": [\"0\", "
        "\"1\"]},"
        "\"attributes\": [{\"name\": \"code\", \"type\": \"category\", \"levels\": [\"-0.5\", \"-1\", \"0\", \"0.5\","
        "\"0.99999999999\", \"1\", \"4\", \"5\", \"16777216\"]}]}";
    tacit_import_options options = {.predictions = "said", .threads = 1};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_table_read(&table, people, NULL, 1, NULL), TACIT_OK);
    if (tacit_schema_parse(&schema, text, strlen(text), &err) ||
        tacit_import(&model, scratch_text(ONE_SET), table, schema, &options, &err))
        fail_msg("%s", err.message);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* From 2^24 on the shortest text of a float may lie between two: XGBoost writes 33554528 as 3.355453E7.  Both it and a
 * double are then rounded to even; where the text has more digits than are sure, that is not known. */
static void xgboost__large_thresholds(void **state)
{
    double single;

    (void)state;
    assert_true(tct_raw_single(3.355453E7, &single) && single == 33554528);
    assert_true(tct_raw_single(-3.355453E7, &single) && single == -33554528);
    assert_true(tct_raw_single(33554534, &single) && single == 33554536);
    assert_true(tct_raw_single(0x1.000003p+60, &single) == false); /* 19 digits */
    assert_true(tct_raw_single(0x1.000001p+0, &single) == false);
    assert_true(tct_raw_single(0x1.000002p+0, &single) && single == 0x1.000002p+0);
}

/* The same file as other versions write it decides the same. */
static void xgboost__versions(void **state)
{
    static const struct {
        const char *name, *path, *value;
    } same[] = {
        {"logistic", "learner.learner_model_param.base_score", "\"[5E-1]\""},
        {"logistic", "learner.learner_model_param.base_score", "\"5.0E-1\""},
        {"softprob", "learner.learner_model_param.base_score", "\"[5E-1,5E-1,5E-1]\""},
        {"logistic", "learner.learner_model_param.num_target", NULL},
        {"logistic", "learner.gradient_booster.model.cats", "{\"enc\": []}"},
        {"logistic", TREES "[0].default_left[0]", "true"},
        {"logistic", TREES "[0].split_type", NULL},
        {"logistic", TREES "[0].id", NULL},
        {"logistic", "version", "[3, 1, 0]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        tacit_import_options options = {.label = "outcome", .predictions = "label", .threads = 1};
        tacit_model *model = NULL;
        tacit_error err = {0};
        const char *path = changed(same[i].name, same[i].path, same[i].value);

        if (import(&model, path, same[i].name, &options, &err))
            fail_msg("%s: %s", same[i].path, err.message);
        tacit_model_free(model);
    }
}

/* A higher threshold decides for nobody who was not decided for before; one half is the usual one but for "at least". */
static void xgboost__threshold(void **state)
{
    double cuts[4];
    const double thresholds[] = {0, 0.2, 0.5, 0.9};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        tacit_import_options options = {.label = "outcome", .threshold = thresholds[i], .threads = 1};
        tacit_model *model = NULL;

        assert_int_equal(import(&model, FOLDER "logistic.json", "logistic", &options, NULL), TACIT_OK);
        cuts[i] = tct_as_trees(model->classifier)->cut;
        tacit_model_free(model);
    }
    assert_true(cuts[1] < cuts[2] && cuts[2] <= cuts[0] && cuts[0] < cuts[3]);
    assert_true((float)cuts[0] == 8.94069743e-8f); /* found with XGBoost's own predict */
    assert_true(fabs(cuts[1] - log(0.25)) < 1e-6 && fabs(cuts[3] - log(9)) < 1e-6);
}

/* Predictions that differ are told with their row. */
static void xgboost__predictions(void **state)
{
    tacit_import_options options = {.label = "outcome", .predictions = "outcome", .threads = 1};
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(import(&model, FOLDER "early.json", "early", &options, &err), TACIT_E_INPUT);
    options.predictions = "lable";
    assert_int_equal(import(&model, FOLDER "logistic.json", "logistic", &options, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "label"));
    options.predictions = "debt";
    assert_int_equal(import(&model, FOLDER "one_hot.json", "one_hot", &options, &err), TACIT_E_INPUT);
    options.predictions = "m0";
    assert_int_equal(import(&model, FOLDER "logistic.json", "logistic", &options, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "expected a class"));
    options = (tacit_import_options){0};
    assert_int_equal(import(&model, FOLDER "logistic.json", "logistic", &options, &err), TACIT_E_USAGE);
}

/* Files cut off anywhere are refused. */
static void xgboost__cut_off(void **state)
{
    static const char *const endings[] = {"json", "ubj"};

    (void)state;
    for (size_t e = 0; e < 2; e++) {
        char path[1024], *bytes = NULL;
        size_t size = 0;

        snprintf(path, sizeof path, FOLDER "logistic.%s", endings[e]);
        assert_int_equal(tct_file_read(&bytes, &size, path, 1 << 20, NULL), TACIT_OK);
        for (size_t n = 1; n < size; n += 1 + n / 7) {
            tacit_model *model = NULL;

            assert_true(import(&model, scratch_bytes(bytes, n), "logistic", &LABEL, NULL) != TACIT_OK);
            assert_null(model);
        }
        tct_free(bytes);
    }
}

#define BYTES(literal) literal, sizeof literal - 1

static void xgboost__ubjson(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *json; /* NULL: refused */
    } cases[] = {
        {BYTES("{}"), "{}"},
        {BYTES("{U\1aU\5}"), "{\"a\": 5}"},
        {BYTES("{i\1ai\376}"), "{\"a\": -2}"},
        {BYTES("{U\1aSU\2hi}"), "{\"a\": \"hi\"}"},
        {BYTES("{U\1a[$U#U\3\1\2\3}"), "{\"a\": [1, 2, 3]}"},
        {BYTES("{U\1a[#U\2TF}"), "{\"a\": [true, false]}"},
        {BYTES("{U\1a[U\1ZN]}"), "{\"a\": [1, null]}"},
        {BYTES("{U\1ad\x3f\x80\0\0}"), "{\"a\": 1.0}"},
        {BYTES("{U\1ad\x7f\x80\0\0}"), "{\"a\": null}"},
        {BYTES("{U\1aI\1\0}"), "{\"a\": 256}"},
        {BYTES("{#U\1U\1aU\7"), "{\"a\": 7}"},
        {BYTES("{U\1aU\5U\1aU\6}"), NULL},
        {BYTES("{U\1a"), NULL},
        {BYTES("{U\1aU\5}}"), NULL},
        {BYTES("{U\1a[$U#U\377\1}"), NULL},
        {BYTES("{U\1a[$U\1}"), NULL},
        {BYTES("{U\1aX}"), NULL},
        {BYTES("{U\1\xffU\1}"), NULL},
        {BYTES("{U\1a[#l\x7f\xff\xff\xff}"), NULL},
        {BYTES(""), NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *got = NULL, *want = cases[i].json ? json_loads(cases[i].json, 0, NULL) : NULL;
        tacit_error err = {0};
        tacit_status st = tct_ubjson_parse(&got, cases[i].bytes, cases[i].size, "file", &err);

        if (st != (want ? TACIT_OK : TACIT_E_INPUT) || (want && !json_equal(got, want)))
            fail_msg("case %zu: %s", i, err.message);
        json_decref(got);
        json_decref(want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xgboost__refusals),         cmocka_unit_test(xgboost__other_files),
        cmocka_unit_test(xgboost__versions),         cmocka_unit_test(xgboost__threshold),
        cmocka_unit_test(xgboost__predictions),      cmocka_unit_test(xgboost__cut_off),
        cmocka_unit_test(xgboost__ubjson),           cmocka_unit_test(xgboost__more_refusals),
        cmocka_unit_test(xgboost__odd_categories),   cmocka_unit_test(xgboost__begins_a_feature),
        cmocka_unit_test(xgboost__large_thresholds),
    };

    return cmocka_run_group_tests_name("xgboost", tests, NULL, NULL);
}

/*
 * Descriptions of classifiers: what the parts of a document do, and what is refused, with which words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"
#include "model.h"
#include "scratch.h"
#include "trees.h"

static const char PEOPLE[] = "age,debt,rooms,city,outcome\n"
                             "20,2,1,oslo,no\n"
                             "40,,2,paris,yes\n"
                             "60,0,3,,yes\n"
                             "30.5,-2,1,oslo,no\n";

#define COLUMNS                                                                                                        \
    "'columns': [{'name': 'age'}, {'name': 'debt'}, {'name': 'rooms', 'categories': [1, 2, 3]}, "                      \
    "{'name': 'city', 'categories': ['oslo', 'rome', null], 'others': true}]"
#define FEATURES                                                                                                       \
    "'features': [{'column': 0, 'steps': [['-', 40], ['/', 20]]}, {'column': 1, 'steps': [['missing', 0.25]]}, "       \
    "{'column': 2, 'is': [2, 3]}, {'column': 3, 'codes': [['oslo', 0], ['rome', 1], [null, 2]], 'others': -1}]"
#define DOCUMENT(model)                                                                                                \
    "{'format': 'tacit-classifier', 'version': 1, 'classes': ['no', 'yes'], " COLUMNS ", " FEATURES                    \
    ", 'model': " model "}"
static const char LINEAR[] =
    DOCUMENT("{'kind': 'linear', 'score': 'odds', 'weights': [[1, 0.5, 2, -1]], 'bias': [-0.25]}");
static const char NETWORK[] =
    DOCUMENT("{'kind': 'network', 'layers': [{'weights': [[1, 0, 1, 0], [0, 1, 0, -1]], 'bias': "
             "[0.5, 0]}, {'weights': [[1, -1]], 'bias': [-1]}]}");
static const char TREES[] = DOCUMENT("{'kind': 'trees', 'score': 'probability', 'divide': 2, 'float32': true, 'start': "
                                     "[0], 'cut': 1, 'trees': [{'nodes': [0, 0.5, 0, -1, 0.25, -1, 1]}, {'nodes': [3, "
                                     "[0, 2], 0, 1, 1, 1, -1, 1, -1, 0, -1, 0.5]}]}");

/* A document, with ' for ", and one member changed; value NULL: taken away. */
static json_t *document(const char *text, const char *path, const char *value)
{
    char *copy = strdup(text), *other = value ? strdup(value) : NULL, key[64] = "", *at = NULL;
    json_t *root, *holder;
    size_t index = 0;
    bool last = false;

    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    for (char *c = other; c && *c; c++)
        *c = *c == '\'' ? '"' : *c;
    root = holder = json_loads(copy, 0, NULL);
    assert_non_null(root);
    free(copy);
    while (path && !last) {
        size_t n = strcspn(path, ".");

        snprintf(key, sizeof key, "%.*s", (int)n, path);
        index = strtoul(key, &at, 10);
        path += n;
        last = !*path;
        path += *path == '.';
        if (!last)
            holder = json_is_array(holder) ? json_array_get(holder, index) : json_object_get(holder, key);
    }
    if (last && !value)
        assert_int_equal(json_object_del(holder, key), 0);
    else if (last && json_is_array(holder))
        assert_int_equal(json_array_set_new(holder, index, json_loads(other, JSON_DECODE_ANY, NULL)), 0);
    else if (last)
        assert_int_equal(json_object_set_new(holder, key, json_loads(other, JSON_DECODE_ANY, NULL)), 0);
    free(other);
    return root;
}

static tacit_status import_changed(tacit_model **model, const char *text, const char *path, const char *value,
                                   double threshold, tacit_error *err)
{
    const tacit_import_options options = {.label = "outcome", .threads = 1, .threshold = threshold};
    json_t *root = document(text, path, value);
    char *bytes = json_dumps(root, 0);
    tacit_table *table = NULL;
    tacit_status st;

    assert_non_null(bytes);
    assert_int_equal(tacit_table_parse(&table, "people.csv", PEOPLE, sizeof PEOPLE - 1, NULL, 1, err), TACIT_OK);
    st = tacit_import_parse(model, bytes, strlen(bytes), table, NULL, &options, err);
    tacit_table_free(table);
    free(bytes);
    json_decref(root);
    return st;
}

static void assert_refused(const char *text, const char *path, const char *value, const char *words)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (!import_changed(&model, text, path, value, 0, &err))
        fail_msg("taken: %s", words);
    assert_null(model);
    if (!strstr(err.message, words) || strchr(err.message, '\n'))
        fail_msg("expected '%s' in '%s'", words, err.message);
}

/* The label of a person; numbers as they are, NaN: missing. */
static size_t label_of(const tacit_model *m, double age, double debt, const char *rooms, const char *city)
{
    char row[200], number[40] = "";
    tacit_table *table = NULL;
    uint8_t label = 9;
    size_t size;

    if (!isnan(debt))
        snprintf(number, sizeof number, "%.17g", debt);
    size = (size_t)snprintf(row, sizeof row, "age,debt,rooms,city\n%.17g,%s,%s,%s\n", age, number, rooms, city);
    assert_int_equal(tacit_table_parse(&table, "one.csv", row, size, NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_model_labels(m, table, NULL, &label, NULL, NULL), TACIT_OK);
    tacit_table_free(table);
    return label;
}

static tacit_model *imported(const char *text, const char *path, const char *value, double threshold)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (import_changed(&model, text, path, value, threshold, &err))
        fail_msg("%s", err.message);
    return model;
}

static void described__linear(void **state)
{
    tacit_model *m = imported(LINEAR, NULL, NULL, 0);
    const tacit_schema *schema = tacit_model_schema(m);
    const tacit_attribute *debt = tacit_schema_attribute(schema, 1), *city = tacit_schema_attribute(schema, 3);

    (void)state;
    assert_string_equal(tacit_model_info_get(m)->kind, "logistic");
    assert_true(debt->fill == 0.25);
    assert_int_equal(tacit_schema_attribute(schema, 2)->type, TACIT_CATEGORY);
    assert_int_equal(city->n_levels, 4); /* oslo, paris of the table, rome of the document, missing */
    assert_string_equal(city->levels[2], "rome");
    assert_int_equal(city->missing_level, 3);
    /* (40 - 40) / 20 + 0.5 d + 2 - 0 - 0.25; of rooms 1 and rome the other way */
    assert_int_equal(label_of(m, 40, 0, "2", "oslo"), 1);
    assert_int_equal(label_of(m, 40, 0, "1", "rome"), 0);
    assert_int_equal(label_of(m, 40, 0.5, "1", "oslo"), 0); /* 0 is not above 0 */
    assert_int_equal(label_of(m, 40, NAN, "3", "oslo"), 1);
    assert_int_equal(label_of(m, 40, -2.5, "1", "paris"), 0);
    tacit_model_free(m);
    m = imported(LINEAR, "model.bias", "[-0.125]", 0);
    assert_int_equal(label_of(m, 40, NAN, "1", "oslo"), 0); /* 0.5 * 0.25 - 0.125 */
    tacit_model_free(m);
    m = imported(LINEAR, NULL, NULL, 0.5); /* with a threshold it is "at least" */
    assert_int_equal(label_of(m, 40, 0.5, "1", "oslo"), 1);
    tacit_model_free(m);
}

static void described__network(void **state)
{
    tacit_model *m = imported(NETWORK, NULL, NULL, 0);

    (void)state;
    assert_string_equal(tacit_model_info_get(m)->kind, "mlp");
    assert_int_equal(label_of(m, 40, 0, "2", "oslo"), 1); /* 1.5 - 0 - 1 */
    assert_int_equal(label_of(m, 40, 1.5, "2", "oslo"), 0);
    tacit_model_free(m);
}

static void described__trees(void **state)
{
    tacit_model *m = imported(TREES, NULL, NULL, 0);

    (void)state;
    /* age up to 50 (its float32 up to 0.5): 0.25, else 1; oslo and "missing" by debt up to 1: 1, else 0; others 0.5 */
    assert_int_equal(label_of(m, 50, 1, "1", "oslo"), 1);
    assert_int_equal(label_of(m, 50, 1.5, "1", "oslo"), 0);
    assert_int_equal(label_of(m, 51, 1.5, "1", "oslo"), 1);
    assert_int_equal(label_of(m, 50, NAN, "1", ""), 1);
    assert_int_equal(label_of(m, 50, 0, "1", "paris"), 0);
    /* where features are rounded to single precision, a number a little above the test is still below it */
    assert_int_equal(label_of(m, 50 + 1e-7, 0, "1", "paris"), 0);
    tacit_model_free(m);
    m = imported(TREES, "model.float32", "false", 0);
    assert_int_equal(label_of(m, 50 + 1e-7, 0, "1", "paris"), 1);
    tacit_model_free(m);
    m = imported(TREES, NULL, NULL, 0.3); /* of the mean of the two */
    assert_int_equal(label_of(m, 50, 1.5, "1", "paris"), 1);
    assert_int_equal(label_of(m, 50, 1.5, "1", "oslo"), 0);
    tacit_model_free(m);
    m = imported(TREES, "classes", "['yes', 'no']", 0); /* the other way round */
    assert_int_equal(label_of(m, 50, 1, "1", "oslo"), 1);
    tacit_model_free(m);
}

static void described__refuses_documents(void **state)
{
    (void)state;
    assert_refused(LINEAR, "version", "2", "version 2 is not known");
    assert_refused(LINEAR, "colums", "[]", "colums");
    assert_refused(LINEAR, "classes", "['no']", "classes: expected 2 to 256");
    assert_refused(LINEAR, "classes", "['no', [1]]", "expected texts or numbers");
    assert_refused(LINEAR, "classes", "['no', 'maybe']", "a class 'maybe', which is not a class of outcome");
    assert_refused(LINEAR, "columns", "[]", "columns: expected 1 to");
    assert_refused(LINEAR, "columns.0.name", "'aga'", "no column 'aga', which the model reads; the closest is age");
    assert_refused(LINEAR, "columns.2.categories", "[1, 2]", "a level of 'rooms' is not among the categories");
    assert_refused(LINEAR, "columns.2.categories", "[1, 2, 3, {}]", "category 4 of 'rooms' is no text");
}

static void described__refuses_features(void **state)
{
    (void)state;
    assert_refused(LINEAR, "features.0.column", "4", "features[0].column: there are 4");
    assert_refused(LINEAR, "features.0.steps", "[['^', 2]]", "features[0].steps[0]: expected [\"float32\"]");
    assert_refused(LINEAR, "features.0.steps", "[['/', 0]]", "no factor of 0");
    assert_refused(LINEAR, "features.0.steps", "[['float32']]", "rounded to float32, which is followed for trees only");
    assert_refused(LINEAR, "features.1", "{'column': 1}", "'debt' may be missing, and the model has no number");
    assert_refused(LINEAR, "features.1", "{'column': 1, 'steps': [['-', 1], ['missing', 3]]}",
                   "another number in place of a missing 'debt'");
    assert_refused(LINEAR, "features",
                   "[{'column': 0, 'steps': [['missing', 1.5e308]]}, {'column': 0, 'steps': [['missing', -1.5e308]]}]",
                   "what stands for a missing 'age' is too far from its values");
    assert_refused(LINEAR, "features.0", "{'column': 0, 'is': [20]}", "'age' is a number in the schema");
    assert_refused(LINEAR, "features.2.is", "[]", "expected a list of categories");
    assert_refused(LINEAR, "features.3", "{'column': 3}", "reads 'city' as a number, but some of its values are none");
    assert_refused(LINEAR, "features.3.others", NULL, "a level of 'city' has no code");
    assert_refused(LINEAR, "features.3.others", "null", "'city' counts as missing for some of its levels");
    assert_refused(LINEAR, "features.3.codes", "[['oslo']]", "expected pairs of a category and a number");
}

static void described__refuses_models(void **state)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    assert_refused(LINEAR, "model.kind", "'kernel'", "'kernel' is not linear, network, trees or xgboost");
    assert_refused(LINEAR, "model.weights", "[[1, 2, 3]]", "weights");
    assert_refused(LINEAR, "model.weights", "[]", "expected 1 to 4096 rows");
    assert_refused(NETWORK, "model.layers", "[]", "expected 1 to 16");
    assert_refused(NETWORK, "model.layers.1.weights", "[[1, 2], [1, 2], [1, 2]]", "bias");
    assert_refused(TREES, "model.cut", NULL, "model.cut: missing");
    assert_refused(TREES, "model.slack", "-1", "expected a number of at least 0");
    assert_refused(TREES, "model.trees.0.nodes", "[0, 0.5, 0, -1, 0.25]", "trees[0]: expected the nodes of one tree");
    assert_refused(TREES, "model.trees.0.nodes", "[-1, 0, 1]", "expected the nodes of one tree");
    assert_refused(TREES, "model.trees.0.nodes", "[9, 1, 0, -1, 0, -1, 1]", "expected the nodes of one tree");
    assert_refused(TREES, "model.trees.0.nodes", "[0, [1], 0, -1, 0, -1, 1]", "which comes from a number");
    assert_refused(TREES, "model.trees.0.score", "1", "there are 1");
    assert_refused(TREES, "model", "{'kind': 'xgboost', 'model': {}}", "XGBoost model");
    assert_int_equal(import_changed(&model, NETWORK, NULL, NULL, 0.3, &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "no log-odds"));
    assert_int_equal(import_changed(&model, TREES, "model.score", "'margin'", 0.3, &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "no probability to compare"));
    assert_int_equal(import_changed(&model, TREES, "model.divide", "0", 0.3, &err), TACIT_E_INPUT);
}

/* Options without a size have every member: the order of the program is asked for, and refused where there is none. */
static void described__order_is_for_trees(void **state)
{
    const tacit_import_options options = {.label = "outcome", .in_order = true};
    const char *texts[] = {LINEAR, TREES};
    tacit_table *table = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_table_parse(&table, "people.csv", PEOPLE, sizeof PEOPLE - 1, NULL, 1, NULL), TACIT_OK);
    for (size_t k = 0; k < 2; k++) {
        json_t *root = document(texts[k], NULL, NULL);
        char *bytes = json_dumps(root, 0);
        tacit_model *model = NULL;
        tacit_status st = tacit_import_parse(&model, bytes, strlen(bytes), table, NULL, &options, &err);

        assert_int_equal(st, k == 0 ? TACIT_E_USAGE : TACIT_OK);
        if (k == 0)
            assert_non_null(strstr(err.message, "are for trees, not for logistic models"));
        else
            assert_true(tacit_model_info_get(model)->in_order);
        tacit_model_free(model);
        free(bytes);
        json_decref(root);
    }
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(described__linear),
        cmocka_unit_test(described__network),
        cmocka_unit_test(described__trees),
        cmocka_unit_test(described__refuses_documents),
        cmocka_unit_test(described__refuses_features),
        cmocka_unit_test(described__refuses_models),
        cmocka_unit_test(described__order_is_for_trees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

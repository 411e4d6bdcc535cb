/*
 * Text models of LightGBM: what is refused, and with which words; zeros as missing values; thresholds.
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

#define FOLDER TEST_DATA_DIR "/../golden/lightgbm/"

static const tacit_import_options LABEL = {.label = "outcome", .threads = 1};

static tacit_status import(tacit_model **model, const char *text, size_t size, const char *people,
                           const tacit_import_options *options, tacit_error *err)
{
    tacit_table *table = NULL;
    char data[1024];
    tacit_status st;

    snprintf(data, sizeof data, FOLDER "%s.csv", people);
    assert_int_equal(tacit_table_read(&table, data, NULL, 1, NULL), TACIT_OK);
    st = tacit_import_parse(model, text, size, table, NULL, options, err);
    tacit_table_free(table);
    return st;
}

static void read_fixture(char **out, size_t *size, const char *name)
{
    char path[1024];

    snprintf(path, sizeof path, FOLDER "%s.txt", name);
    assert_int_equal(tct_file_read(out, size, path, 1 << 20, NULL), TACIT_OK);
}

/* A fixture whose first `from` is `to`. */
static void changed(tct_text *out, const char *name, const char *from, const char *to)
{
    size_t size;
    char *text = NULL, *at;

    read_fixture(&text, &size, name);
    at = strstr(text, from);
    if (!at)
        fail_msg("%s has no %s", name, from);
    tct_text_append(out, text, (size_t)(at - text));
    tct_text_printf(out, "%s%s", to, at + strlen(from));
    tct_free(text);
}

static void lightgbm__refusals(void **state)
{
    static const struct {
        const char *name, *from, *to, *reason;
    } wrong[] = {
        {"nan", "objective=binary sigmoid:1", "objective=regression", "the objective regression gives no label"},
        {"nan", "objective=binary sigmoid:1", "objective=lambdarank", "the objective lambdarank gives no label"},
        {"nan", "objective=binary sigmoid:1", "objective=cross_entropy_lambda", "cross_entropy_lambda gives no label"},
        {"nan", "objective=binary sigmoid:1\n", "", "does not name its objective"},
        {"nan", "sigmoid:1", "sigmoid:0", "sigmoid of the objective"},
        {"nan", "version=v3", "version=v5", "not one of v2, v3 and v4"},
        {"nan", "num_class=1", "num_class=x", "num_class is missing"},
        {"nan", "num_class=1", "num_class=2", "two classes as if they were more"},
        {"multiclass", "num_class=3", "num_class=257", "num_class does not go with the objective"},
        {"multiclass", "num_tree_per_iteration=3", "num_tree_per_iteration=1", "not the number of scores"},
        {"nan", "max_feature_idx=5", "max_feature_idx=6", "not as many as max_feature_idx says"},
        {"nan", "max_feature_idx=5", "max_feature_idx=4", "not as many as max_feature_idx says"},
        {"nan", "max_feature_idx=5", "max_feature_idx=2000000000", "not as many as max_feature_idx says"},
        {"nan", "feature_names=income", "feature_names=incomes", "the closest is income"},
        {"nan", "is_linear=0", "is_linear=1", "linear functions (linear_tree)"},
        {"nan", "tree_sizes=", "tree_sizes=1 ", "it has 12 trees, but should have 13"},
        {"nan", "num_leaves=", "num_leaves=99999", "too short"},
        {"nan", "num_leaves=", "num_leaves=-", "num_leaves of a tree is missing"},
        {"none", "threshold=", "threshold=nan ", "no finite number"},
        {"none", "threshold=", "threshold=1e999 ", "no finite number"},
        {"nan", "leaf_value=", "leaf_value=inf ", "no finite number"},
        {"none", "split_feature=", "split_feature=9 ", "too many entries"},
        {"none", "decision_type=", "decision=", "has no decision_type"},
        {"pandas", "cat_boundaries=0", "cat_boundaries=3", "do not rise"},
        {"pandas", "cat_threshold=", "cat_threshold=-", "no word of a bit set"},
        {"pandas", "pandas_categorical:[[", "pandas_categorical:[[\"x\"],[", "do not tell which feature"},
        {"pandas", "pandas_categorical:[[", "pandas_categorical:[[null,", "neither text nor number"},
        {"pandas", "pandas_categorical:[[", "pandas_categorical:[", "not valid JSON"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tacit_model *model = NULL;
        tacit_error err = {0};
        tct_text text = {0};

        changed(&text, wrong[i].name, wrong[i].from, wrong[i].to);
        if (import(&model, text.bytes, text.size, wrong[i].name, &LABEL, &err) != TACIT_E_INPUT || model)
            fail_msg("not refused: %s", wrong[i].to);
        if (!strstr(err.message, wrong[i].reason))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].reason, err.message);
        tct_text_free(&text);
    }
}

/* One tree over the feature x, given by its lists. */
static tacit_status import_tree(tacit_model **model, const char *lists, tacit_error *err)
{
    static const char PEOPLE[] = "x,outcome\n1.5,0\n-2.5,1\n,0\n0,1\n";
    tct_text text = {0};
    tacit_table *table = NULL;
    tacit_status st;

    tct_text_printf(&text,
                    "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=0\n"
                    "objective=binary sigmoid:1\nfeature_names=x\nfeature_infos=[0:1]\n\nTree=0\n%s\nend of trees\n",
                    lists);
    assert_int_equal(tacit_table_read(&table, scratch_text(PEOPLE), NULL, 1, NULL), TACIT_OK);
    st = tacit_import_parse(model, text.bytes, text.size, table, NULL, &LABEL, err);
    tacit_table_free(table);
    tct_text_free(&text);
    return st;
}

/* Lists that are no tree: cycles, children that are not there, or twice; features and sets that are not there. */
static void lightgbm__no_trees(void **state)
{
    static const struct {
        const char *lists, *reason;
    } wrong[] = {
        {"num_leaves=3\nsplit_feature=0 0\nthreshold=1 2\ndecision_type=2 2\nleft_child=1 0\nright_child=-1 -2\n"
         "leaf_value=1 2 3",
         "not one"},
        {"num_leaves=3\nsplit_feature=0 0\nthreshold=1 2\ndecision_type=2 2\nleft_child=1 1\nright_child=-1 -2\n"
         "leaf_value=1 2 3",
         "not one"},
        {"num_leaves=2\nsplit_feature=0\nthreshold=1\ndecision_type=2\nleft_child=-1\nright_child=-3\nleaf_value=1 2",
         "not one"},
        {"num_leaves=2\nsplit_feature=0\nthreshold=1\ndecision_type=2\nleft_child=-1\nright_child=-1\nleaf_value=1 2",
         "not one"},
        {"num_leaves=2\nsplit_feature=0\nthreshold=1\ndecision_type=2\nleft_child=-1\nright_child=7\nleaf_value=1 2",
         "not one"},
        {"num_leaves=2\nsplit_feature=1\nthreshold=1\ndecision_type=2\nleft_child=-1\nright_child=-2\nleaf_value=1 2",
         "a feature that is not there"},
        {"num_leaves=2\nsplit_feature=-1\nthreshold=1\ndecision_type=2\nleft_child=-1\nright_child=-2\nleaf_value=1 2",
         "a feature that is not there"},
        {"num_leaves=2\nsplit_feature=0\nthreshold=1\ndecision_type=12\nleft_child=-1\nright_child=-2\nleaf_value=1 2",
         "decision_type of a node is not known"},
        {"num_leaves=2\nsplit_feature=0\nthreshold=1\ndecision_type=1\nleft_child=-1\nright_child=-2\nleaf_value=1 2",
         "the categories of a node are not there"},
        {"num_leaves=2\nnum_cat=1\nsplit_feature=0\nthreshold=0\ndecision_type=1\nleft_child=-1\nright_child=-2\n"
         "leaf_value=1 2\ncat_boundaries=0 1\ncat_threshold=5",
         "make it a category whose levels are its codes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tacit_model *model = NULL;
        tacit_error err = {0};

        assert_int_equal(import_tree(&model, wrong[i].lists, &err), TACIT_E_INPUT);
        if (!strstr(err.message, wrong[i].reason))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].reason, err.message);
    }
}

/* A chain of 600 nodes is too deep. */
static void lightgbm__deep(void **state)
{
    enum { N = 600 };
    static const char *const keys[] = {"split_feature", "threshold", "decision_type", "left_child", "right_child"};
    tct_text lists = {0};
    tacit_model *model = NULL;
    tacit_error err = {0};

    (void)state;
    tct_text_printf(&lists, "num_leaves=%d\nleaf_value=", N + 1);
    for (int i = 0; i <= N; i++)
        tct_text_printf(&lists, "1 ");
    for (int k = 0; k < 5; k++) {
        tct_text_printf(&lists, "\n%s=", keys[k]);
        for (int i = 0; i < N; i++)
            tct_text_printf(&lists, "%d ",
                            k == 0      ? 0
                            : k == 1    ? i
                            : k == 2    ? 2
                            : k == 3    ? -i - 1
                            : i < N - 1 ? i + 1
                                        : -N - 1);
    }
    assert_int_equal(import_tree(&model, lists.bytes, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "more than 500 nodes deep"));
    tct_text_free(&lists);
}

/* Where values go at a node "x <= threshold" with 0 as missing value, written down plainly. */
static double plain_value(double x, double threshold, bool left)
{
    static const double zero = 1e-35f;

    if (isnan(x) || fabs(x) <= zero)
        return left ? 1 : 2;
    return x <= threshold ? 1 : 2;
}

static void lightgbm__zero_is_missing(void **state)
{
    static const double zero = 1e-35f;
    const double thresholds[] = {-3, -zero, 0, zero, 5};
    const double values[] = {-4, -3, -2.5, -2e-35, -zero, -1e-36, 0, 1e-36, zero, 2e-35, 4.5, 5, 5.5, NAN};

    (void)state;
    for (size_t i = 0; i < 10; i++) {
        double threshold = thresholds[i / 2];
        bool left = i % 2;
        tacit_model *model = NULL;
        tacit_error err = {0};
        char lists[300];

        snprintf(lists, sizeof lists,
                 "num_leaves=2\nsplit_feature=0\nthreshold=%.17g\ndecision_type=%d\nleft_child=-1\nright_child=-2\n"
                 "leaf_value=1 2",
                 threshold, 4 | (left ? 2 : 0));
        if (import_tree(&model, lists, &err))
            fail_msg("%s", err.message);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            const tct_trees *t = tct_as_trees(model->classifier);
            const struct tct_cells *cells = tct_codec_cells(model->codec, 0);
            uint32_t cell = (uint32_t)(isnan(values[v]) ? cells->n_cuts + 1 : tct_cell_of(cells, values[v]));
            double sum;

            tct_trees_sums(t, &cell, &sum);
            if (sum != plain_value(values[v], threshold, left))
                fail_msg("%g at %g, %d: %g", values[v], threshold, left, sum);
        }
        tacit_model_free(model);
    }
}

/* p > 1/2 is not s > 0 in doubles; a higher threshold decides for nobody who was not decided for before. */
static void lightgbm__threshold(void **state)
{
    const double thresholds[] = {0, 0.2, 0.9};
    double cuts[3];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tacit_import_options options = {.label = "outcome", .threshold = thresholds[i], .threads = 1};
        tacit_model *model = NULL;
        size_t size;
        char *text = NULL;

        read_fixture(&text, &size, "sigmoid");
        assert_int_equal(import(&model, text, size, "sigmoid", &options, NULL), TACIT_OK);
        cuts[i] = tct_as_trees(model->classifier)->cut;
        assert_true(tct_as_trees(model->classifier)->slack > 0);
        tacit_model_free(model);
        tct_free(text);
    }
    assert_true(1 / (1 + exp(-0.7 * cuts[0])) > 0.5);
    assert_false(1 / (1 + exp(-0.7 * nextafter(cuts[0], -1))) > 0.5);
    assert_true(cuts[0] > 0 && cuts[0] < 1e-15);
    assert_true(fabs(cuts[1] - log(0.25) / 0.7) < 1e-12 && fabs(cuts[2] - log(9) / 0.7) < 1e-12);
}

/* One-versus-all compares sigmoids, which are all 1 for large scores. */
static void lightgbm__saturated(void **state)
{
    tacit_model *model = NULL;
    tacit_error err = {0};
    tct_text text = {0};

    (void)state;
    changed(&text, "ova", "sigmoid:1.5", "sigmoid:200");
    assert_int_equal(import(&model, text.bytes, text.size, "ova", &LABEL, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "do not tell the classes apart"));
    tct_text_free(&text);
}

/* Files cut off before the end of their trees are refused. */
static void lightgbm__cut_off(void **state)
{
    size_t size, end;
    char *text = NULL;

    (void)state;
    read_fixture(&text, &size, "pandas");
    end = (size_t)(strstr(text, "end of trees") - text);
    for (size_t n = 1; n + 100 < end; n += 1 + n / 50) {
        tacit_model *model = NULL;

        assert_true(import(&model, text, n, "pandas", &LABEL, NULL) != TACIT_OK);
        assert_null(model);
    }
    tct_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lightgbm__refusals),  cmocka_unit_test(lightgbm__no_trees),
        cmocka_unit_test(lightgbm__deep),      cmocka_unit_test(lightgbm__zero_is_missing),
        cmocka_unit_test(lightgbm__threshold), cmocka_unit_test(lightgbm__saturated),
        cmocka_unit_test(lightgbm__cut_off),
    };

    return cmocka_run_group_tests_name("lightgbm", tests, NULL, NULL);
}

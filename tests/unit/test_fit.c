/*
 * test_fit.c -- from a table to a model: split, counts, accuracies, and every way it can fail.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base.h"
#include "model.h"
#include "scale.h"

/* Rows that take several blocks. */
static size_t many(void)
{
    return scaled(150000) > 45000 ? scaled(150000) : 45000;
}

static char path[64];

static int make_path(void **state)
{
    int file;

    (void)state;
    snprintf(path, sizeof(path), "/tmp/tacit-fit-XXXXXX");
    file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static tacit_table *read_text(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};

    if (tacit_file_write(path, text, strlen(text), &err) || tacit_table_read(&table, path, NULL, 1, &err))
        fail_msg("%s", err.message);
    return table;
}

static tacit_schema *infer(const tacit_table *table, double test_share, uint64_t seed)
{
    const tacit_infer_options how = {.label = "y", .test_share = test_share, .seed = seed};
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_infer(&schema, table, &how, &err))
        fail_msg("%s", err.message);
    return schema;
}

/* n rows of a number, an integer, a category and a label of `n_classes` that depends on them. */
static char *make_text(size_t n, size_t n_classes, uint64_t seed)
{
    tct_text text = {0};
    tct_random random;

    tct_random_seed(&random, seed, 5);
    tct_text_printf(&text, "income,children,region,y\n");
    for (size_t r = 0; r < n; r++) {
        double income = 1000 + 4000 * tct_random_uniform(&random);
        unsigned children = (unsigned)tct_random_below(&random, 5), region = (unsigned)tct_random_below(&random, 3);
        double score = income / 2500 - 0.3 * children + 0.4 * region + 0.5 * tct_random_normal(&random);
        unsigned y = score < 0.5 ? 0 : score < 1.2 ? 1 : 2;
        tct_text_printf(&text, "%.2f,%u,%c,%u\n", income, children, "nsw"[region], n_classes == 2 ? y > 0 : y);
    }
    assert_false(text.failed);
    return text.bytes;
}

static tacit_model *fit(const tacit_table *table, const tacit_schema *schema, const tacit_fit_options *options)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (tacit_fit(&model, table, schema, options, &err))
        fail_msg("%s", err.message);
    return model;
}

/* Count again, by hand: encode each row and take the label of its scores. */
static void recount(const tacit_model *m, const tacit_table *table, size_t rows[2], size_t right[2])
{
    tct_binding *binding = NULL;
    tct_encode_counts counts = {0};

    rows[0] = rows[1] = right[0] = right[1] = 0;
    assert_int_equal(tct_binding_new(&binding, m->codec, table->csv, true, NULL), TACIT_OK);
    for (size_t b = 0; b < table->n_blocks; b++) {
        const tct_block *block = &table->blocks[b];
        size_t n = block->n_rows, d = m->codec->n_inputs;
        double *x = tct_malloc(n * d, sizeof(double)), point[16], f[4];
        int32_t *labels = tct_malloc(n, sizeof(int32_t));
        assert_int_equal(tct_encode_block(binding, block, x, labels, &counts, NULL), TACIT_OK);
        for (size_t r = 0; r < n; r++) {
            bool out = tct_held_out(m->info.seed, m->info.test_share, block->first_row + r);
            for (size_t i = 0; i < d; i++)
                point[i] = x[i * n + r];
            m->classifier->ops->scores(m->classifier, point, 1, f);
            rows[out]++;
            right[out] += tct_label(f, m->classifier->n_scores) == (size_t)labels[r];
        }
        tct_free(x);
        tct_free(labels);
    }
    assert_int_equal(m->info.clipped, counts.clipped);
    assert_int_equal(m->info.missing, counts.missing);
    tct_binding_free(binding);
}

static void fit__info_is_what_it_says(void **state)
{
    (void)state;
    for (size_t n_classes = 2; n_classes <= 3; n_classes++) {
        char *text = make_text(1000, n_classes, n_classes);
        tacit_table *table = read_text(text);
        tacit_schema *schema = infer(table, 0.3, 42);
        const tacit_fit_options options = {.test_share = 0.3, .seed = 42};
        tacit_model *m = fit(table, schema, &options);
        const tacit_model_info *info = tacit_model_info_get(m);
        size_t rows[2], right[2];

        recount(m, table, rows, right);
        assert_int_equal(info->train_rows, rows[0]);
        assert_int_equal(info->test_rows, rows[1]);
        assert_int_equal(rows[0] + rows[1], 1000);
        assert_true(info->train_accuracy == (double)right[0] / (double)rows[0]);
        assert_true(info->test_accuracy == (double)right[1] / (double)rows[1]);
        assert_true(info->train_accuracy > 0.5);
        assert_string_equal(info->kind, "logistic");
        assert_string_equal(info->version, tacit_version());
        assert_string_equal(info->data_hash, table->hash);
        assert_int_equal(strlen(info->model_hash), 64);
        assert_int_equal(info->inputs, 5);
        assert_int_equal(info->scores, n_classes == 2 ? 1 : 3);
        assert_true(info->l2 == 1 && info->test_share == 0.3 && info->seed == 42);
        tacit_schema_free(schema);
        tacit_table_free(table);
        tct_free(text);
        assert_string_equal(tacit_schema_label(tacit_model_schema(m)), "y"); /* needs neither table nor schema */
        tacit_model_free(m);
    }
}

static void fit__moments_are_of_the_training_part(void **state)
{
    tacit_table *table = read_text("a,y\n0,n\n10,p\n5,p\n5,n\n");
    tacit_schema *schema = infer(table, 0, 0);
    const tacit_fit_options options = {0};
    tacit_model *m = fit(table, schema, &options);

    (void)state;
    assert_int_equal(m->codec->n_inputs, 1);
    assert_true(fabs(m->mean[0]) < 1e-15);
    assert_true(fabs(m->covariance[0] - 0.5) < 1e-15);
    assert_int_equal(m->info.test_rows, 0);
    assert_true(isnan(m->info.test_accuracy));
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit__same_bytes_on_any_number_of_threads(void **state)
{
    static const size_t threads[] = {1, 2, 5, 0};
    char *text = make_text(many(), 3, 9), first[65] = "";
    tacit_table *table = read_text(text);
    tacit_schema *schema = infer(table, 0.3, 1);

    (void)state;
    assert_true(table->n_blocks > 1);
    for (size_t k = 0; k < 4; k++) {
        const tacit_fit_options options = {.test_share = 0.3, .seed = 1, .threads = threads[k]};
        tacit_model *m = fit(table, schema, &options);
        if (k == 0)
            snprintf(first, sizeof(first), "%s", m->model_hash);
        assert_string_equal(m->model_hash, first);
        tacit_model_free(m);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
    tct_free(text);
}

static void fit__counts_clipped_and_missing_cells(void **state)
{
    tacit_table *small = read_text("a,c,y\n0,u,n\n10,v,p\n,u,p\n4,,n\n");
    tacit_schema *schema = infer(small, 0, 0);
    tacit_table *table = read_text("a,c,y\n-5,u,n\n99,v,p\n,u,p\n4,,n\n11,,n\n");
    const tacit_fit_options options = {0};
    tacit_model *m = fit(table, schema, &options);

    (void)state;
    assert_int_equal(m->info.clipped, 3);
    assert_int_equal(m->info.missing, 3);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
    tacit_table_free(small);
}

static void expect(const tacit_table *table, const tacit_schema *schema, const tacit_fit_options *options,
                   tacit_status status, const char *words)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_fit(&model, table, schema, options, &err), status);
    assert_null(model);
    if (!strstr(err.message, words))
        fail_msg("expected '%s' in: %s", words, err.message);
    assert_int_equal(tacit_fit(&model, table, schema, options, NULL), status);
}

static void fit__rejects_options_that_make_no_sense(void **state)
{
    tacit_table *table = read_text("a,y\n0,n\n10,p\n5,p\n4,n\n");
    tacit_schema *schema = infer(table, 0, 0);

    (void)state;
    expect(table, schema, &(tacit_fit_options){.kind = "logitsic"}, TACIT_E_USAGE, "did you mean 'logistic'?");
    expect(table, schema, &(tacit_fit_options){.kind = "forest"}, TACIT_E_USAGE, "unknown kind of model 'forest'");
    expect(table, schema, &(tacit_fit_options){.test_share = 1}, TACIT_E_USAGE, "test share");
    expect(table, schema, &(tacit_fit_options){.test_share = -0.1}, TACIT_E_USAGE, "test share");
    expect(table, schema, &(tacit_fit_options){.test_share = NAN}, TACIT_E_USAGE, "test share");
    expect(table, schema, &(tacit_fit_options){.l2 = -1}, TACIT_E_USAGE, "l2");
    expect(table, schema, &(tacit_fit_options){.l2 = INFINITY}, TACIT_E_USAGE, "l2");
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit__rejects_a_schema_without_attributes(void **state)
{
    tacit_table *table = read_text("a,y\n0,n\n10,p\n5,p\n4,n\n");
    tacit_schema empty = {.label = (char[]){"y"}};

    (void)state;
    expect(table, &empty, &(tacit_fit_options){0}, TACIT_E_INPUT, "no attributes");
    tacit_table_free(table);
}

static void fit__names_a_class_without_training_rows(void **state)
{
    tacit_table *all = read_text("a,y\n0,no\n10,perhaps\n5,yes\n4,no\n");
    tacit_schema *schema = infer(all, 0, 0);
    tacit_table *table = read_text("a,y\n0,no\n10,yes\n5,yes\n4,no\n");

    (void)state;
    expect(table, schema, &(tacit_fit_options){0}, TACIT_E_INPUT, "class 'perhaps' has no row in the training part");
    tacit_schema_free(schema);
    tacit_table_free(table);
    tacit_table_free(all);
}

static void fit__says_when_everybody_is_held_out(void **state)
{
    tacit_table *table = read_text("a,y\n0,n\n10,p\n");
    tacit_schema *schema = infer(table, 0, 0);
    tacit_fit_options options = {.test_share = 0.999999};

    (void)state;
    expect(table, schema, &options, TACIT_E_INPUT, "no row in the training part");
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit__reports_the_first_bad_cell(void **state)
{
    char *text = make_text(many(), 2, 9);
    tacit_table *good = read_text(text), *bad;
    tacit_schema *schema = infer(good, 0, 0);
    tct_text broken = {0};
    tacit_model *model = NULL;
    tacit_error err;

    (void)state;
    tct_text_append(&broken, text, strlen(text));
    tct_text_printf(&broken, "secret,1,n,0\n");
    tct_text_append(&broken, strchr(text, '\n') + 1, strlen(strchr(text, '\n') + 1));
    tct_text_printf(&broken, "secret,1,n,0\n");
    bad = read_text(broken.bytes);
    for (size_t threads = 1; threads <= 4; threads++) {
        const tacit_fit_options options = {.threads = threads};
        assert_int_equal(tacit_fit(&model, bad, schema, &options, &err), TACIT_E_INPUT);
        assert_null(model);
        assert_int_equal(err.row, many() + 1);
        assert_string_equal(err.column, "income");
        assert_null(strstr(err.message, "secret"));
    }
    tct_text_free(&broken);
    tct_free(text);
    tacit_schema_free(schema);
    tacit_table_free(bad);
    tacit_table_free(good);
}

static bool refuse(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    return false;
}

static void fit__can_be_stopped(void **state)
{
    char *text = make_text(300, 2, 1);
    tacit_table *table = read_text(text);
    tacit_schema *schema = infer(table, 0.3, 0);

    (void)state;
    expect(table, schema, &(tacit_fit_options){.test_share = 0.3, .progress = refuse}, TACIT_E_STOPPED, "stopped");
    tacit_schema_free(schema);
    tacit_table_free(table);
    tct_free(text);
}

static void fit__survives_lack_of_memory(void **state)
{
    char *text = make_text(200, 3, 1);
    tacit_table *table = read_text(text);
    tacit_schema *schema = infer(table, 0.3, 0);
    const tacit_fit_options options = {.test_share = 0.3, .threads = 1};
    tacit_model *model = NULL;
    tacit_status st = TACIT_E_MEMORY;
    uint64_t nth;

    (void)state;
    for (nth = 1; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = tacit_fit(&model, table, schema, &options, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (model != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    assert_true(nth > 20);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    tct_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit__info_is_what_it_says),
        cmocka_unit_test(fit__moments_are_of_the_training_part),
        cmocka_unit_test(fit__same_bytes_on_any_number_of_threads),
        cmocka_unit_test(fit__counts_clipped_and_missing_cells),
        cmocka_unit_test(fit__rejects_options_that_make_no_sense),
        cmocka_unit_test(fit__rejects_a_schema_without_attributes),
        cmocka_unit_test(fit__names_a_class_without_training_rows),
        cmocka_unit_test(fit__says_when_everybody_is_held_out),
        cmocka_unit_test(fit__reports_the_first_bad_cell),
        cmocka_unit_test(fit__can_be_stopped),
        cmocka_unit_test(fit__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, make_path, remove_path);
}

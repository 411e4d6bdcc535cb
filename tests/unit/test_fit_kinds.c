/*
 * test_fit_kinds.c -- a fit of a network: usual values for what is left open, what the model says about its training,
 * and that it survives its file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_parts.h"
#include "scale.h"
#include "scratch.h"
#include "train.h"

/* A table of 300 rows in which the label is an exclusive or, and its schema. */
static void make_table(tacit_table **table, tacit_schema **schema)
{
    const tacit_infer_options how = {.label = "y", .test_share = 0.3, .seed = 5};
    tct_text text = {0};
    tct_random random;
    tacit_error err = {0};

    tct_random_seed(&random, 1, 1);
    tct_text_printf(&text, "a,b,c,y\n");
    for (size_t r = 0; r < 300; r++) {
        double a = tct_random_uniform(&random), b = tct_random_uniform(&random);
        tct_text_printf(&text, "%.4f,%.4f,%c,%s\n", a, b, "pq"[r % 2], (a > 0.5) == (b > 0.5) ? "same" : "other");
    }
    if (tacit_table_read(table, scratch_text(text.bytes), NULL, 1, &err) ||
        tacit_schema_infer(schema, *table, &how, &err))
        fail_msg("%s", err.message);
    tct_text_free(&text);
}

static tacit_model *fit(const tacit_table *table, const tacit_schema *schema, const tacit_fit_options *options)
{
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (tacit_fit(&model, table, schema, options, &err))
        fail_msg("%s", err.message);
    return model;
}

/* The names that programs offer are those of the rows. */
static void kinds__each_can_be_trained(void **state)
{
    size_t layered = 0, trees = 0;

    (void)state;
    assert_non_null(tacit_fit_kinds[0]);
    for (size_t k = 0; tacit_fit_kinds[k]; k++) {
        const tct_trainer *trainer = NULL;
        tacit_error err = {0};

        assert_int_equal(tct_trainer_find(&trainer, tacit_fit_kinds[k], &err), TACIT_OK);
        assert_non_null(trainer);
        layered += tacit_fit_has_layers(tacit_fit_kinds[k]);
        trees += tacit_fit_has_trees(tacit_fit_kinds[k]);
    }
    assert_int_equal(layered, 1);
    assert_int_equal(trees, 1);
    assert_false(tacit_fit_has_trees("mlp") || tacit_fit_has_trees("forest") || tacit_fit_has_trees(NULL));
    assert_false(tacit_fit_has_layers("forest"));
    assert_false(tacit_fit_has_layers(NULL));
}

static void fit_mlp__usual_values(void **state)
{
    const tacit_fit_options options = {.kind = "mlp", .test_share = 0.3, .seed = 5};
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m;

    (void)state;
    make_table(&table, &schema);
    m = fit(table, schema, &options);
    assert_string_equal(m->info.kind, "mlp");
    assert_string_equal(m->info.hidden, "10,10");
    assert_int_equal(m->info.inputs, 4);
    assert_int_equal(m->info.scores, 1);
    assert_int_equal(m->info.epochs, 4000 / 7 + 1); /* seven batches an epoch */
    assert_int_equal(m->info.epochs_run, m->info.epochs);
    assert_int_equal(m->info.batch, 32);
    assert_int_equal(m->info.patience, 0);
    assert_true(m->info.rate == 0.01 && m->info.momentum == 0 && m->info.l2 > 0 && m->info.adam);
    assert_true(m->info.loss > 0 && m->info.loss < 1);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_mlp__given_values_survive_the_file(void **state)
{
    const tacit_fit_options options = {.kind = "mlp",
                                       .test_share = 0.3,
                                       .seed = 5,
                                       .l2 = 0.01,
                                       .hidden = " 16, 8,4 ",
                                       .epochs = 5000,
                                       .batch = 20,
                                       .rate = 0.02,
                                       .adam = true,
                                       .patience = 40};
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m, *back = NULL;
    char *text = NULL, *again = NULL, hash[65];
    size_t size, size_again;

    (void)state;
    make_table(&table, &schema);
    m = fit(table, schema, &options);
    assert_true(m->info.train_accuracy > 0.95);
    assert_true(m->info.test_accuracy > 0.85);
    assert_true(m->info.epochs_run > 40 && m->info.epochs_run < 5000);
    assert_int_equal(tct_model_dump(&text, &size, hash, m, NULL), TACIT_OK);
    assert_int_equal(tct_model_parse(&back, text, size, "m", NULL), TACIT_OK);
    assert_string_equal(back->info.hidden, "16,8,4");
    assert_int_equal(back->info.epochs, 5000);
    assert_int_equal(back->info.epochs_run, m->info.epochs_run);
    assert_int_equal(back->info.batch, 20);
    assert_int_equal(back->info.patience, 40);
    assert_true(back->info.adam && back->info.rate == 0.02 && back->info.l2 == 0.01 && back->info.momentum == 0);
    assert_true(back->info.loss == m->info.loss);
    assert_int_equal(tct_model_dump(&again, &size_again, hash, back, NULL), TACIT_OK);
    assert_int_equal(size, size_again);
    assert_memory_equal(text, again, size);
    tct_free(text);
    tct_free(again);
    tacit_model_free(back);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_mlp__same_bytes_on_any_number_of_threads(void **state)
{
    tacit_table *table;
    tacit_schema *schema;
    char first[65] = "";

    (void)state;
    make_table(&table, &schema);
    for (size_t threads = 1; threads <= 3; threads++) {
        const tacit_fit_options options = {
            .kind = "mlp", .test_share = 0.3, .seed = 5, .epochs = 4, .threads = threads};
        tacit_model *m = fit(table, schema, &options);
        if (threads == 1)
            memcpy(first, m->model_hash, sizeof(first));
        assert_string_equal(m->model_hash, first);
        tacit_model_free(m);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_mlp__rejects_options_that_make_no_sense(void **state)
{
    static const struct {
        tacit_fit_options options;
        const char *words;
    } cases[] = {
        {{.kind = "mpl"}, "did you mean 'mlp'?"},
        {{.kind = "mlp", .hidden = "10,"}, "empty name"},
        {{.kind = "mlp", .hidden = "0"}, "from 1 to 4096"},
        {{.kind = "mlp", .hidden = "10,x"}, "from 1 to 4096"},
        {{.kind = "mlp", .hidden = "4097"}, "from 1 to 4096"},
        {{.kind = "mlp", .hidden = "-3"}, "from 1 to 4096"},
        {{.kind = "mlp", .hidden = "99999999999999999999999"}, "from 1 to 4096"},
        {{.kind = "mlp", .hidden = "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"}, "at most 15 hidden layers"},
        {{.kind = "mlp", .rate = -1}, "rate"},
        {{.kind = "mlp", .momentum = 1}, "momentum"},
        {{.kind = "mlp", .momentum = 0.5, .adam = true}, "exclude"},
        {{.kind = "mlp", .l2 = -1}, "l2"},
    };
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m = NULL;
    tacit_error err;

    (void)state;
    make_table(&table, &schema);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        assert_int_equal(tacit_fit(&m, table, schema, &cases[k].options, &err), TACIT_E_USAGE);
        assert_null(m);
        if (!strstr(err.message, cases[k].words))
            fail_msg("expected '%s' in: %s", cases[k].words, err.message);
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
}

/* A model file whose provenance.training is `training`. */
static tacit_status parse_with_training(const tacit_model *m, const char *training, tacit_error *err)
{
    tacit_model *back = NULL;
    char *text = NULL, hash[65];
    tct_hash *sum = NULL;
    json_t *json = NULL;
    size_t size = 0;
    tacit_status st;

    assert_int_equal(tct_model_dump(&text, &size, hash, m, NULL), TACIT_OK);
    assert_int_equal(tct_json_parse(&json, text, size, "m", NULL), TACIT_OK);
    tct_free(text);
    json_object_set_new(json_object_get(json, "provenance"), "training", json_loads(training, JSON_DECODE_ANY, NULL));
    json_object_del(json, "sha256");
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    assert_int_equal(tct_hash_new(&sum, NULL), TACIT_OK);
    tct_hash_add(sum, text, size);
    tct_hash_finish(sum, hash);
    tct_free(text);
    json_object_set_new(json, "sha256", json_string(hash));
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    st = tct_model_parse(&back, text, size, "m.tacit", err);
    assert_true((st == TACIT_OK) == (back != NULL));
    tacit_model_free(back);
    tct_free(text);
    json_decref(json);
    return st;
}

#define TRAINING(epochs, rate, adam)                                                                                   \
    "{\"epochs\": " epochs ", \"epochs_run\": 3, \"batch\": 32, \"rate\": " rate ", \"momentum\": 0, \"adam\": " adam  \
    ", \"patience\": 0, \"loss\": 0.5}"

static void fit_mlp__training_in_a_file_is_checked(void **state)
{
    static const struct {
        const char *training, *words;
    } cases[] = {
        {"7", "training: expected an object"},
        {"{}", "training.epochs: missing"},
        {TRAINING("0", "1", "true"), "training.epochs: expected at least 1"},
        {TRAINING("-1", "1", "true"), "training.epochs"},
        {TRAINING("3", "\"1\"", "true"), "training.rate"},
        {TRAINING("3", "1", "1"), "training.adam: expected true or false"},
        {TRAINING("3", "1", "true, \"cosine\": 1"), "training.cosine: expected true, or nothing"},
    };
    const tacit_fit_options options = {.kind = "mlp", .test_share = 0.3, .seed = 5, .epochs = 3};
    tacit_table *table;
    tacit_schema *schema;
    tacit_model *m;
    tacit_error err;

    (void)state;
    make_table(&table, &schema);
    m = fit(table, schema, &options);
    assert_int_equal(parse_with_training(m, TRAINING("3", "1", "true"), &err), TACIT_OK);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        assert_int_equal(parse_with_training(m, cases[k].training, &err), TACIT_E_INPUT);
        if (strncmp(err.message, "m.tacit: ", 9) != 0 || !strstr(err.message, cases[k].words))
            fail_msg("%s: %s", cases[k].training, err.message);
    }
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

static void fit_mlp__survives_lack_of_memory(void **state)
{
    const tacit_fit_options options = {.kind = "mlp", .test_share = 0.3, .seed = 5, .epochs = 1, .threads = 1};
    tacit_status st = TACIT_E_MEMORY;
    tacit_model *m = NULL;
    tacit_table *table;
    tacit_schema *schema;
    const uint64_t step = scaled(10) < 10 ? 7 : 1; /* each takes a training until there */
    uint64_t nth = 1;

    (void)state;
    make_table(&table, &schema);
    for (; st == TACIT_E_MEMORY; nth += step) {
        tct_memory_fail_at(nth, false);
        st = tacit_fit(&m, table, schema, &options, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (m != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    assert_true(nth > 20);
    tacit_model_free(m);
    tacit_schema_free(schema);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds__each_can_be_trained),
        cmocka_unit_test(fit_mlp__usual_values),
        cmocka_unit_test(fit_mlp__given_values_survive_the_file),
        cmocka_unit_test(fit_mlp__same_bytes_on_any_number_of_threads),
        cmocka_unit_test(fit_mlp__rejects_options_that_make_no_sense),
        cmocka_unit_test(fit_mlp__training_in_a_file_is_checked),
        cmocka_unit_test(fit_mlp__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

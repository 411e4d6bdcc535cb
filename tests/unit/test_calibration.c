/*
 * test_calibration.c -- bounds and the least delta from counts; calibrations in model files, and no impossible one gets
 * through; what a change of roles does to them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "model_parts.h"
#include "scratch.h"

/* 2000 people, fewer and fewer of them stopped, 1 % of these failing, half of them on the far margin. */
static tct_calibration example(void)
{
    tct_calibration c = {.alpha = 0.05, .people = 2000};

    memset(c.data_hash, 'c', 64);
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        uint64_t stopped = 2000 - 100 * k;

        c.rows[k] = (tacit_calibration_row){.stopped = stopped,
                                            .failed = stopped / 100,
                                            .marginal = {100 + 10 * k, 300 + 10 * k},
                                            .marginal_failed = {1, 3}};
    }
    tct_calibration_derive(&c);
    return c;
}

static tacit_model *example_model(void)
{
    tacit_model *plain = make_linear_model(3, 4, 2, true), *model = NULL;
    tct_calibration c = example();

    assert_int_equal(tct_model_with_calibration(&model, plain, &c, NULL), TACIT_OK);
    tacit_model_free(plain);
    return model;
}

static void calibration__levels_halve(void **state)
{
    (void)state;
    assert_true(tct_calibration_level(0) == 0.4);
    for (size_t k = 0; k < TCT_LEVELS + TCT_MOST_STEPS; k++)
        assert_true(tct_calibration_level(k + 1) == tct_calibration_level(k) / 2);
}

static void calibration__bounds_are_clopper_pearson(void **state)
{
    tct_calibration c = example();
    double low, high;

    (void)state;
    /* alpha is shared by 16 levels with three bounds each; one side of a two-sided interval */
    tct_clopper_pearson(20, 2000, 1 - 2 * 0.05 / 48, &low, &high);
    assert_true(fabs(c.rows[0].bound - high) < 1e-9 && c.rows[0].bound >= high);
    tct_clopper_pearson(1, 100, 1 - 2 * 0.05 / 48, &low, &high);
    assert_true(fabs(c.rows[0].marginal_bound[0] - high) < 1e-8);
    tct_clopper_pearson(3, 300, 1 - 2 * 0.05 / 48, &low, &high);
    assert_true(fabs(c.rows[0].marginal_bound[1] - high) < 1e-8);
    assert_true(c.rows[0].confidence == 0.6);
}

/* Margins too small to speak about a delta do not stand in its way, unless it would be loosened. */
static void calibration__least_delta(void **state)
{
    tct_calibration c = example();

    (void)state;
    for (size_t k = 0; k < TCT_LEVELS; k++) {
        double nominal = tct_calibration_level(k), expected = c.rows[k].bound;

        for (size_t m = 0; m < TACIT_MARGINS; m++) {
            double bound = c.rows[k].marginal_bound[m];

            assert_true(bound * (double)c.rows[k].marginal[m] < 20);
            expected = fmax(expected, fmin(bound, nominal));
        }
        assert_true(c.rows[k].delta == expected);
    }
    c.rows[6].marginal_failed[0] = 12; /* of 160: now it has something to say */
    tct_calibration_derive(&c);
    assert_true(c.rows[6].marginal_bound[0] * 160 > 20);
    assert_true(c.rows[6].delta == c.rows[6].marginal_bound[0]);
    c.rows[6].marginal[0] = c.rows[6].marginal_failed[0] = 0; /* nobody there: no looser than nominal */
    tct_calibration_derive(&c);
    assert_true(c.rows[6].marginal_bound[0] == 1);
    assert_true(c.rows[6].delta >= tct_calibration_level(6) && c.rows[6].delta < 0.1);
}

static void calibration__picks_the_loosest_level(void **state)
{
    tct_calibration c = example();

    (void)state;
    for (size_t k = 0; k < TCT_LEVELS; k++)
        c.rows[k].delta = k == 4 || k == 9 ? 0.03 : k == 12 ? 0.01 : 0.2;
    assert_true(tct_calibration_nominal(&c, 0.3) == tct_calibration_level(0));
    assert_true(tct_calibration_nominal(&c, 0.2) == tct_calibration_level(0));
    assert_true(tct_calibration_nominal(&c, 0.1) == tct_calibration_level(4));
    assert_true(tct_calibration_nominal(&c, 0.03) == tct_calibration_level(4));
    assert_true(tct_calibration_nominal(&c, 0.029) == tct_calibration_level(12));
    assert_true(tct_calibration_nominal(&c, 0.009) == 0);
}

/* ---- files ---- */

static char *dump(const tacit_model *model, size_t *size)
{
    char *text = NULL, hash[65];

    assert_int_equal(tct_model_dump(&text, size, hash, model, NULL), TACIT_OK);
    assert_string_equal(hash, model->model_hash);
    return text;
}

static void calibration__survives_the_file(void **state)
{
    tacit_model *model = example_model(), *read = NULL;
    size_t size = 0, again_size = 0;
    char *text = dump(model, &size), *again;

    (void)state;
    assert_non_null(strstr(text, "\"version\": 2"));
    assert_int_equal(tct_model_parse(&read, text, size, "m", NULL), TACIT_OK);
    again = dump(read, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(text, again, size);
    assert_non_null(tacit_model_calibration(read));
    assert_int_equal(tacit_model_calibration(read)->people, 2000);
    assert_int_equal(tacit_model_calibration(read)->n_rows, TCT_LEVELS);
    for (size_t k = 0; k < TCT_LEVELS; k++)
        assert_true(read->calibration.rows[k].delta == model->calibration.rows[k].delta);
    tct_free(text);
    tct_free(again);
    tacit_model_free(read);
    tacit_model_free(model);
}

static void calibration__is_not_in_plain_files(void **state)
{
    tacit_model *model = make_linear_model(3, 4, 2, true);
    size_t size = 0;
    char *text = dump(model, &size);

    (void)state;
    assert_non_null(strstr(text, "\"version\": 1"));
    assert_null(strstr(text, "calibration"));
    assert_null(tacit_model_calibration(model));
    tct_free(text);
    tacit_model_free(model);
}

/* Parse the document of the example with one member of its calibration (of level `level`, or TACIT_NONE) replaced. */
static tacit_status parse_with(size_t level, const char *key, json_t *value, tacit_error *err)
{
    tacit_model *model = example_model(), *read = NULL;
    json_t *json = NULL, *part;
    tct_hash *hash = NULL;
    size_t size = 0;
    char *text = dump(model, &size), hex[65];
    tacit_status st;

    assert_int_equal(tct_json_parse(&json, text, size, "m", NULL), TACIT_OK);
    tct_free(text);
    json_object_del(json, "sha256");
    part = json_object_get(json, "calibration");
    if (level != TACIT_NONE)
        part = json_array_get(json_object_get(part, "levels"), level);
    if (!value)
        json_object_del(part, key);
    else if (strcmp(key, "version") == 0)
        json_object_set_new(json, key, value);
    else
        json_object_set_new(part, key, value);
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    assert_int_equal(tct_hash_new(&hash, NULL), TACIT_OK);
    tct_hash_add(hash, text, size);
    tct_hash_finish(hash, hex);
    tct_free(text);
    json_object_set_new(json, "sha256", json_string(hex));
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    st = tct_model_parse(&read, text, size, "m", err);
    assert_int_equal(st == TACIT_OK, read != NULL);
    tct_free(text);
    json_decref(json);
    tacit_model_free(read);
    tacit_model_free(model);
    return st;
}

static void refuse(size_t level, const char *key, json_t *value, const char *place)
{
    tacit_error err = {0};

    assert_int_equal(parse_with(level, key, value, &err), TACIT_E_INPUT);
    if (!strstr(err.message, place))
        fail_msg("%s: '%s' does not name the place %s", key, err.message, place);
}

static json_t *pair(json_int_t a, json_int_t b)
{
    return json_pack("[I,I]", a, b);
}

static void calibration__refuses_what_cannot_be(void **state)
{
    tacit_error err = {0};

    (void)state;
    assert_int_equal(parse_with(TACIT_NONE, "alpha", json_real(0.1), &err), TACIT_OK);
    refuse(TACIT_NONE, "alpha", json_real(0), "calibration.alpha");
    refuse(TACIT_NONE, "alpha", json_real(1e-7), "calibration.alpha");
    refuse(TACIT_NONE, "alpha", json_real(1), "calibration.alpha");
    refuse(TACIT_NONE, "alpha", NULL, "alpha");
    refuse(TACIT_NONE, "rule", json_string("margin"), "calibration.rule");
    refuse(TACIT_NONE, "data_hash", json_string("c"), "calibration.data_hash");
    refuse(TACIT_NONE, "people", json_integer(1999), "levels[0].stopped");
    refuse(TACIT_NONE, "people", json_integer(-1), "people");
    refuse(TACIT_NONE, "levels", json_array(), "calibration.levels");
    refuse(TACIT_NONE, "version", json_integer(1), "calibration");
    refuse(0, "nominal", json_real(0.5), "levels[0].nominal");
    refuse(3, "nominal", json_real(0.4), "levels[3].nominal");
    refuse(3, "stopped", json_integer(1801), "levels[3].stopped");
    refuse(3, "failed", json_integer(1701), "levels[3].failed");
    refuse(3, "failed", json_integer(2), "levels[3].marginal_failed");
    refuse(3, "marginal", pair(500, 400), "levels[3].marginal");
    refuse(3, "marginal", pair(130, 1701), "levels[3].marginal");
    refuse(3, "marginal", pair(99, 330), "levels[3].marginal");
    refuse(3, "marginal", pair(130, 299), "levels[3].marginal");
    refuse(3, "marginal", json_integer(3), "marginal");
    refuse(3, "marginal", json_pack("[i]", 130), "levels[3].marginal");
    refuse(3, "marginal", json_pack("[i,f]", 130, 330.5), "levels[3].marginal");
    refuse(3, "marginal_failed", pair(4, 3), "levels[3].marginal_failed");
    refuse(3, "marginal_failed", pair(-1, 3), "levels[3].marginal_failed");
    refuse(15, "stopped", NULL, "stopped");
}

/* ---- roles ---- */

static void calibration__goes_when_roles_change(void **state)
{
    tacit_model *model = example_model(), *copy = NULL;
    size_t n = model->schema->n_attributes, first = TACIT_NONE;

    (void)state;
    for (size_t a = n; a-- > 0;)
        first = model->schema->attributes[a].role == TACIT_SENSITIVE ? a : first;
    assert_int_equal(tacit_model_with_roles(&copy, model, NULL, NULL, NULL), TACIT_OK);
    assert_non_null(tacit_model_calibration(copy));
    assert_string_equal(copy->model_hash, model->model_hash);
    tacit_model_free(copy);
    assert_int_equal(tacit_model_with_roles(&copy, model, NULL, model->schema->attributes[first].name, NULL), TACIT_OK);
    assert_null(tacit_model_calibration(copy));
    tacit_model_free(copy);
    tacit_model_free(model);
}

/* ---- whom it takes ---- */

static void calibration__refuses_training_people(void **state)
{
    const char *path = scratch_text("a,b,y\n1,2,n\n3,1,y\n2,2,n\n5,0,y\n4,4,n\n6,1,y\n7,2,n\n1,1,y\n2,3,n\n3,3,y\n");
    const char *other = scratch_text("a,b\n1,2\n3,4\n2,2\n");
    tacit_infer_options infer = {.label = "y", .test_share = 0.4, .seed = 1};
    tacit_fit_options fit = {.test_share = 0.4, .seed = 1};
    tacit_calibrate_options options = {0};
    tacit_table *table = NULL, *people = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL, *out = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_table_read(&table, path, NULL, 1, &err), TACIT_OK);
    assert_int_equal(tacit_table_read(&people, other, NULL, 1, &err), TACIT_OK);
    assert_int_equal(tacit_schema_infer(&schema, table, &infer, &err), TACIT_OK);
    assert_int_equal(tacit_fit(&model, table, schema, &fit, &err), TACIT_OK);
    assert_int_equal(tacit_model_calibrate(&out, model, table, &options, &err), TACIT_E_INPUT);
    assert_null(out);
    assert_non_null(strstr(err.message, "trained on"));
    options.part = TACIT_PART_TRAIN;
    assert_int_equal(tacit_model_calibrate(&out, model, table, &options, &err), TACIT_E_USAGE);
    options.part = TACIT_PART_HELD_OUT;
    assert_int_equal(tacit_model_calibrate(&out, model, people, &options, &err), TACIT_E_INPUT);
    assert_int_equal(tacit_model_calibrate(&out, model, table, &options, &err), TACIT_OK);
    assert_int_equal(tacit_model_calibration(out)->people, model->info.test_rows);
    assert_true(tacit_model_calibration(out)->alpha == 0.05);
    tacit_model_free(out);
    options.part = TACIT_PART_ALL;
    options.alpha = 1;
    assert_int_equal(tacit_model_calibrate(&out, model, people, &options, &err), TACIT_E_USAGE);
    options.alpha = 0.1;
    assert_int_equal(tacit_model_calibrate(&out, model, people, &options, &err), TACIT_OK); /* needs no truth */
    assert_int_equal(tacit_model_calibration(out)->people, 3);
    assert_string_equal(tacit_model_calibration(out)->data_hash, tacit_table_hash(people));
    tacit_model_free(out);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(people);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibration__levels_halve),
        cmocka_unit_test(calibration__bounds_are_clopper_pearson),
        cmocka_unit_test(calibration__least_delta),
        cmocka_unit_test(calibration__picks_the_loosest_level),
        cmocka_unit_test(calibration__survives_the_file),
        cmocka_unit_test(calibration__is_not_in_plain_files),
        cmocka_unit_test(calibration__refuses_what_cannot_be),
        cmocka_unit_test(calibration__goes_when_roles_change),
        cmocka_unit_test(calibration__refuses_training_people),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_model_file.c -- model files: exact round trips, and no damaged, edited or foreign file gets through.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "make_model.h"
#include "model_parts.h"

static char path[64];

static int make_path(void **state)
{
    int file;

    (void)state;
    snprintf(path, sizeof(path), "/tmp/tacit-model-XXXXXX");
    file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static char *dump(const tacit_model *model, size_t *size)
{
    char *text = NULL, hash[65];

    assert_int_equal(tct_model_dump(&text, size, hash, model, NULL), TACIT_OK);
    return text;
}

static json_t *dump_json(const tacit_model *model)
{
    size_t size = 0;
    char *text = dump(model, &size);
    json_t *json = NULL;

    assert_int_equal(tct_json_parse(&json, text, size, "m", NULL), TACIT_OK);
    tct_free(text);
    return json;
}

/* Parse a document after putting the right checksum under it; takes it over. */
static tacit_status parse_resealed(json_t *json, tacit_error *err)
{
    tacit_model *model = NULL;
    tct_hash *hash = NULL;
    char *text = NULL, hex[65];
    size_t size = 0;
    tacit_status st;

    json_object_del(json, "sha256");
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    assert_int_equal(tct_hash_new(&hash, NULL), TACIT_OK);
    tct_hash_add(hash, text, size);
    tct_hash_finish(hash, hex);
    tct_free(text);
    json_object_set_new(json, "sha256", json_string(hex));
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    json_decref(json);
    st = tct_model_parse(&model, text, size, "m.tacit", err);
    assert_true((st == TACIT_OK) == (model != NULL));
    tacit_model_free(model);
    tct_free(text);
    return st;
}

static void assert_same_doubles(const double *a, const double *b, size_t n)
{
    assert_memory_equal(a, b, n * sizeof(double));
}

static void model_file__load_gives_back_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tacit_model *a = make_linear_model(seed, 1 + seed % 9, 2 + seed % 4, true), *b = NULL;
        const tct_linear *la = tct_as_linear(a->classifier), *lb;
        size_t d = a->codec->n_inputs;

        assert_int_equal(tacit_model_save(a, path, NULL), TACIT_OK);
        assert_int_equal(tacit_model_load(&b, path, NULL), TACIT_OK);
        lb = tct_as_linear(b->classifier);
        assert_int_equal(b->codec->n_inputs, d);
        assert_same_doubles(la->weights, lb->weights, d * la->base.n_scores);
        assert_same_doubles(la->bias, lb->bias, la->base.n_scores);
        assert_same_doubles(la->rounding, lb->rounding, la->base.n_scores);
        assert_same_doubles(a->mean, b->mean, d);
        assert_same_doubles(a->covariance, b->covariance, d * d);
        assert_string_equal(a->info.model_hash, b->info.model_hash);
        assert_string_equal(b->info.version, tacit_version());
        assert_string_equal(b->info.kind, "logistic");
        assert_int_equal(b->info.inputs, d);
        assert_int_equal(b->info.scores, la->base.n_scores);
        assert_true(isnan(b->info.test_accuracy));
        for (size_t i = 0; i < a->schema->n_attributes; i++)
            assert_int_equal(a->schema->attributes[i].role, b->schema->attributes[i].role);
        tacit_model_free(a);
        tacit_model_free(b);
    }
}

static void model_file__save_after_load_gives_the_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tacit_model *a = make_linear_model(seed, 1 + seed % 7, 2 + seed % 3, true), *b = NULL;
        size_t size_a = 0, size_b = 0;
        char *text_a = dump(a, &size_a), *text_b;

        assert_int_equal(tct_model_parse(&b, text_a, size_a, "m", NULL), TACIT_OK);
        text_b = dump(b, &size_b);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(text_a, text_b, size_a);
        tct_free(text_a);
        tct_free(text_b);
        tacit_model_free(a);
        tacit_model_free(b);
    }
}

/* Doubles that are hard to write: the ends of the range, subnormals, many digits, whole numbers beyond 2^63. */
static void model_file__hard_doubles_survive(void **state)
{
    static const double hard[] = {
        5e-324, 2.2250738585072014e-308,  0.1, 1.0 / 3, 1e22, 123456789012345678901.0, -9007199254740993.0, 1e-7,
        1e299,  -4.9406564584124654e-320, 3.0, -0.0};
    enum { N = sizeof(hard) / sizeof(*hard) };
    tacit_model *shape = make_linear_model(1, 1, 2, false), *a = NULL, *b = NULL;

    (void)state;
    for (size_t k = 0; k < N; k++) {
        tacit_schema *schema = NULL;
        tct_classifier *c = NULL;
        double *mean = make_model_room(1), *covariance = make_model_room(1);
        size_t size_a = 0, size_b = 0;
        char *text_a, *text_b;
        *mean = hard[k];
        *covariance = fabs(hard[k]);
        assert_int_equal(tct_schema_copy(&schema, shape->schema, NULL), TACIT_OK);
        assert_int_equal(tct_linear_new(&c, 1, 2, &hard[k], &hard[(k + 1) % N], NULL), TACIT_OK);
        assert_int_equal(tct_model_assemble(&a, schema, c, mean, covariance, NULL), TACIT_OK);
        text_a = dump(a, &size_a);
        assert_int_equal(tct_model_parse(&b, text_a, size_a, "m", NULL), TACIT_OK);
        assert_same_doubles(a->mean, b->mean, 1);
        assert_same_doubles(a->covariance, b->covariance, 1);
        assert_same_doubles(tct_as_linear(a->classifier)->weights, tct_as_linear(b->classifier)->weights, 1);
        text_b = dump(b, &size_b);
        assert_string_equal(text_a, text_b);
        tct_free(text_a);
        tct_free(text_b);
        tacit_model_free(a);
        tacit_model_free(b);
    }
    tacit_model_free(shape);
}

static void model_file__provenance_survives(void **state)
{
    tacit_model *shape = make_linear_model(2, 2, 2, true), *a = NULL, *b = NULL;
    const tacit_model_info info = {.train_rows = 700,
                                   .test_rows = 300,
                                   .train_accuracy = 0.9,
                                   .test_accuracy = 1.0 / 3,
                                   .test_share = 0.3,
                                   .seed = UINT64_MAX,
                                   .l2 = 0.25,
                                   .clipped = 17,
                                   .missing = 4000000000000,
                                   .version = "0.0.9-old",
                                   .data_hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"};
    tacit_schema *schema = NULL;
    tct_classifier *c = NULL;
    size_t d = shape->codec->n_inputs, size = 0;
    double *mean = make_model_room(d), *covariance = make_model_room(d * d);
    char *text;

    (void)state;
    assert_int_equal(tct_schema_copy(&schema, shape->schema, NULL), TACIT_OK);
    assert_int_equal(shape->classifier->ops->copy(&c, shape->classifier, NULL), TACIT_OK);
    assert_int_equal(tct_model_build(&a, schema, c, mean, covariance, false, &info, NULL, NULL, NULL, NULL), TACIT_OK);
    text = dump(a, &size);
    assert_int_equal(tct_model_parse(&b, text, size, "m", NULL), TACIT_OK);
    assert_int_equal(b->info.train_rows, 700);
    assert_int_equal(b->info.test_rows, 300);
    assert_true(b->info.train_accuracy == 0.9 && b->info.test_accuracy == 1.0 / 3);
    assert_true(b->info.test_share == 0.3 && b->info.l2 == 0.25);
    assert_true(b->info.seed == UINT64_MAX);
    assert_int_equal(b->info.clipped, 17);
    assert_true(b->info.missing == 4000000000000);
    assert_string_equal(b->info.version, "0.0.9-old");
    assert_string_equal(b->info.data_hash, info.data_hash);
    assert_ptr_equal(b->info.data_hash, b->data_hash);
    tct_free(text);
    tacit_model_free(a);
    tacit_model_free(b);
    tacit_model_free(shape);
}

static void model_file__white_space_may_change(void **state)
{
    tacit_model *a = make_linear_model(3, 3, 3, true), *b = NULL;
    json_t *json = dump_json(a);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    (void)state;
    assert_int_equal(tct_model_parse(&b, text, strlen(text), "m", NULL), TACIT_OK);
    assert_string_equal(a->model_hash, b->model_hash);
    free(text);
    json_decref(json);
    tacit_model_free(a);
    tacit_model_free(b);
}

/* Change one digit anywhere: refused, whatever the digit meant.  (The 17th digit of a number may have no meaning:
 * then the model is the same.) */
static void model_file__every_changed_digit_is_noticed(void **state)
{
    tacit_model *a = make_linear_model(4, 3, 2, true), *b = NULL;
    size_t size = 0, changed = 0, same = 0;
    char *text = dump(a, &size);
    tacit_error err;

    (void)state;
    for (size_t i = 0; i < size; i++) {
        char was = text[i];
        if (was < '0' || was > '9')
            continue;
        text[i] = was == '9' ? '8' : (char)(was + 1);
        if (tct_model_parse(&b, text, size, "m.tacit", &err)) {
            assert_null(b);
            assert_int_equal(err.status, TACIT_E_INPUT);
            assert_int_equal(strncmp(err.message, "m.tacit: ", 9), 0);
            changed += strstr(err.message, "checksum does not match") != NULL;
        } else {
            assert_string_equal(a->model_hash, b->model_hash);
            tacit_model_free(b);
            same++;
        }
        text[i] = was;
    }
    assert_true(changed > 100 && same < changed / 10);
    tct_free(text);
    tacit_model_free(a);
}

static void model_file__every_cut_is_noticed(void **state)
{
    tacit_model *a = make_linear_model(5, 2, 2, true), *b = NULL;
    size_t size = 0;
    char *text = dump(a, &size);
    tacit_error err;

    (void)state;
    while (size > 0 && text[size - 1] == '\n')
        size--;
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(tct_model_parse(&b, text, cut, "m.tacit", &err), TACIT_E_INPUT);
        assert_null(b);
        assert_non_null(strstr(err.message, "m.tacit: "));
        assert_non_null(strstr(err.message, "not a Tacit model file"));
    }
    tct_free(text);
    tacit_model_free(a);
}

static void model_file__rejects_what_is_no_model(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "not a Tacit model file"},
        {"hello", "not a Tacit model file"},
        {"[]", "not a Tacit model file"},
        {"3", "not a Tacit model file"},
        {"{}", "not a Tacit model file"},
        {"{\"format\": \"tacit-schema\", \"version\": 1}", "not a Tacit model file"},
        {"{\"format\": 1, \"version\": 1}", "not a Tacit model file"},
        {"{\"format\": \"tacit-model\"}", "not a Tacit model file"},
        {"{\"format\": \"tacit-model\", \"version\": \"1\"}", "not a Tacit model file"},
        {"{\"format\": \"tacit-model\", \"version\": 0}", "not a Tacit model file"},
        {"{\"format\": \"tacit-model\", \"version\": 5}",
         "made by a newer Tacit: file version 5, this program reads 4"},
        {"{\"format\": \"tacit-model\", \"version\": 1}", "sha256: missing"},
        {"{\"format\": \"tacit-model\", \"version\": 1, \"sha256\": \"00\"}",
         "the file was changed after it was written (checksum does not match)"},
        {"{\"format\": \"tacit-model\", \"version\": 1, \"sha256\": 5}", "sha256"},
    };
    tacit_model *model = NULL;
    tacit_error err;

    (void)state;
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        assert_int_equal(tct_model_parse(&model, cases[k].text, strlen(cases[k].text), "m.tacit", &err), TACIT_E_INPUT);
        assert_null(model);
        if (strncmp(err.message, "m.tacit: ", 9) != 0 || !strstr(err.message, cases[k].expected))
            fail_msg("%s: %s", cases[k].text, err.message);
    }
}

/* Set a member, given as "a.b", to a value written as JSON; NULL takes it away. */
static void change(json_t *json, const char *where, const char *value)
{
    const char *dot = strchr(where, '.');
    char first[32];

    if (dot) {
        snprintf(first, sizeof(first), "%.*s", (int)(dot - where), where);
        change(json_object_get(json, first), dot + 1, value);
    } else if (value) {
        assert_int_equal(json_object_set_new(json, where, json_loads(value, JSON_DECODE_ANY, NULL)), 0);
    } else {
        assert_int_equal(json_object_del(json, where), 0);
    }
}

static void model_file__believes_nothing_even_with_a_right_checksum(void **state)
{
    /* The model has two inputs and one score. */
    static const struct {
        const char *where, *value, *expected;
    } cases[] = {
        {"made_by", NULL, "made_by: missing"},
        {"made_by", "\"0123456789012345678901234567890123456789\"", "made_by: expected a version"},
        {"schema", NULL, "schema: missing"},
        {"schema", "7", "schema"},
        {"schema.attributes", "[]", "schema"},
        {"classifier", NULL, "classifier: missing"},
        {"classifier", "[1]", "classifier: expected an object"},
        {"classifier.kind", NULL, "classifier.kind: missing"},
        {"classifier.kind", "\"logistik\"", "did you mean 'logistic'"},
        {"classifier.kind", "\"forest\"", "unknown kind of model 'forest'"},
        {"classifier.weights", NULL, "classifier.weights: missing"},
        {"classifier.weights", "[1, 2]", "classifier.weights: expected 1 rows, not 2"},
        {"classifier.weights", "[[1]]", "classifier.weights[0]: expected a list of 2 numbers"},
        {"classifier.weights", "[[1, 2, 3]]", "classifier.weights[0]: expected a list of 2 numbers"},
        {"classifier.weights", "[[1, \"2\"]]", "classifier.weights[0][1]: expected a number"},
        {"classifier.weights", "[[1, null]]", "classifier.weights[0][1]: expected a number"},
        {"classifier.weights", "[[1, 1e300]]", "classifier.weights: expected smaller numbers"},
        {"classifier.weights", "[[1, 2], [3, 4]]", "classifier.weights: expected 1 rows, not 2"},
        {"classifier.bias", "1", "classifier.bias: expected a list"},
        {"classifier.bias", "[1, 2]", "classifier.bias: expected 1 numbers, not 2"},
        {"distribution", NULL, "distribution: missing"},
        {"distribution", "null", "distribution: expected an object"},
        {"distribution.mean", "[0]", "distribution.mean: expected 2 numbers, not 1"},
        {"distribution.mean", "[0, true]", "distribution.mean[1]: expected a number"},
        {"distribution.covariance", "[[1, 0]]", "distribution.covariance: expected 2 rows, not 1"},
        {"distribution.covariance", "[[1, 0], 1]", "distribution.covariance[1]: expected a list of 2 numbers"},
        {"distribution.covariance", "[[1, 0], [0.1, 1]]", "symmetric"},
        {"distribution.covariance", "[[1, 0], [0, -1]]", "variances of at least 0"},
        {"distribution.covariance", "[[1, 2], [2, 1]]", "beyond 1"},
        {"provenance", NULL, "provenance: missing"},
        {"provenance.data_hash", "\"12\"", "provenance.data_hash: expected 64"},
        {"provenance.train_rows", "-1", "provenance.train_rows"},
        {"provenance.train_rows", "1.5", "provenance.train_rows"},
        {"provenance.test_rows", "\"1\"", "provenance.test_rows"},
        {"provenance.train_accuracy", "1.5", "provenance.train_accuracy: expected a number from 0 to 1"},
        {"provenance.test_accuracy", "\"x\"", "provenance.test_accuracy"},
        {"provenance.test_accuracy", NULL, "provenance.test_accuracy: missing"},
        {"provenance.seed", "7", "provenance.seed"},
        {"provenance.seed", "\"\"", "provenance.seed: expected a whole number"},
        {"provenance.seed", "\"-1\"", "provenance.seed: expected a whole number"},
        {"provenance.seed", "\"18446744073709551616\"", "provenance.seed: expected a whole number"},
        {"provenance.test_share", "1", "provenance.test_share: expected"},
        {"provenance.l2", "-1", "provenance.l2: expected a number of at least 0"},
        {"provenance.clipped", "null", "provenance.clipped"},
        {"provenance.missing", NULL, "provenance.missing: missing"},
    };
    tacit_model *model = make_linear_model(6, 2, 2, false);
    tacit_error err;

    (void)state;
    assert_int_equal(model->codec->n_inputs, 2);
    assert_int_equal(parse_resealed(dump_json(model), &err), TACIT_OK);
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        json_t *json = dump_json(model);
        change(json, cases[k].where, cases[k].value);
        assert_int_equal(parse_resealed(json, &err), TACIT_E_INPUT);
        if (strncmp(err.message, "m.tacit: ", 9) != 0 || !strstr(err.message, cases[k].expected))
            fail_msg("%s = %s: %s", cases[k].where, cases[k].value ? cases[k].value : "(gone)", err.message);
    }
    tacit_model_free(model);
}

static void model_file__errors_of_files(void **state)
{
    tacit_model *model = make_linear_model(7, 2, 2, false), *loaded = NULL;
    tacit_error err;

    (void)state;
    assert_int_equal(tacit_model_load(&loaded, "/nonexistent/m.tacit", &err), TACIT_E_IO);
    assert_non_null(strstr(err.message, "/nonexistent/m.tacit"));
    assert_null(loaded);
    assert_int_not_equal(tacit_model_load(&loaded, "/tmp", &err), TACIT_OK);
    assert_null(loaded);
    assert_int_equal(tacit_model_save(model, "/nonexistent/m.tacit", &err), TACIT_E_IO);
    assert_int_equal(tacit_model_save(model, "/dev/full", &err), TACIT_E_IO);
    tacit_model_free(model);
}

static void model_file__survives_lack_of_memory(void **state)
{
    tacit_model *a = make_linear_model(8, 3, 3, true), *b = NULL;
    tacit_status st = TACIT_E_MEMORY;
    uint64_t nth;

    (void)state;
    for (nth = 1; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = tacit_model_save(a, path, NULL);
        tct_memory_fail_at(0, false);
    }
    assert_int_equal(st, TACIT_OK);
    st = TACIT_E_MEMORY;
    for (nth = 1; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = tacit_model_load(&b, path, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (b != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    assert_true(nth > 10);
    tacit_model_free(b);
    st = TACIT_E_MEMORY;
    for (nth = 1; st == TACIT_E_MEMORY; nth++) {
        tct_memory_fail_at(nth, false);
        st = tacit_model_with_roles(&b, a, "a0", NULL, NULL);
        tct_memory_fail_at(0, false);
        assert_true((st == TACIT_OK) == (b != NULL));
    }
    assert_int_equal(st, TACIT_OK);
    tacit_model_free(b);
    tacit_model_free(a);
}

static void model__with_roles_is_a_copy(void **state)
{
    tacit_model *a = make_linear_model(9, 4, 3, true), *b = NULL, *c = NULL;
    char *before, *after;
    size_t size;
    tacit_error err;

    (void)state;
    before = dump(a, &size);
    assert_int_equal(tacit_model_with_roles(&b, a, "a1, a3", NULL, &err), TACIT_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(b->schema->attributes[i].role, i % 2 ? TACIT_SENSITIVE : TACIT_PUBLIC);
    assert_ptr_equal(b->codec->schema, b->schema);
    assert_string_not_equal(a->model_hash, b->model_hash);
    after = dump(a, &size);
    assert_string_equal(before, after);
    assert_int_equal(tacit_model_with_roles(&c, a, NULL, NULL, &err), TACIT_OK);
    assert_string_equal(a->model_hash, c->model_hash);
    tacit_model_free(c);
    tacit_model_free(a);
    /* The copy lives on without the original. */
    assert_string_equal(tacit_schema_attribute(tacit_model_schema(b), 3)->name, "a3");
    assert_int_equal(tacit_model_with_roles(&c, b, "a11", NULL, &err), TACIT_E_USAGE);
    assert_null(c);
    tacit_model_free(b);
    tct_free(before);
    tct_free(after);
}

static void model__assemble_rejects_parts_that_do_not_fit(void **state)
{
    tacit_model *shape = make_linear_model(10, 2, 2, false), *model = NULL;
    tacit_schema *schema = NULL;
    tct_classifier *c = NULL;
    tacit_error err;

    (void)state;
    assert_int_equal(tct_schema_copy(&schema, shape->schema, NULL), TACIT_OK);
    assert_int_equal(tct_linear_new(&c, 3, 2, (double[]){1, 2, 3}, (double[]){0}, NULL), TACIT_OK);
    assert_int_equal(tct_model_assemble(&model, schema, c, make_model_room(3), make_model_room(9), &err),
                     TACIT_E_USAGE);
    assert_null(model);
    assert_non_null(strstr(err.message, "2 and 3 inputs"));
    tacit_model_free(NULL);
    tacit_model_free(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_file__load_gives_back_everything),
        cmocka_unit_test(model_file__save_after_load_gives_the_same_bytes),
        cmocka_unit_test(model_file__hard_doubles_survive),
        cmocka_unit_test(model_file__provenance_survives),
        cmocka_unit_test(model_file__white_space_may_change),
        cmocka_unit_test(model_file__every_changed_digit_is_noticed),
        cmocka_unit_test(model_file__every_cut_is_noticed),
        cmocka_unit_test(model_file__rejects_what_is_no_model),
        cmocka_unit_test(model_file__believes_nothing_even_with_a_right_checksum),
        cmocka_unit_test(model_file__errors_of_files),
        cmocka_unit_test(model_file__survives_lack_of_memory),
        cmocka_unit_test(model__with_roles_is_a_copy),
        cmocka_unit_test(model__assemble_rejects_parts_that_do_not_fit),
    };

    return cmocka_run_group_tests(tests, make_path, remove_path);
}

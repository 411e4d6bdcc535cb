/*
 * test_protocol_golden.c -- the whole protocol against an independent oracle.
 *
 * protocol_golden.json (written by make_protocol.py, numpy) holds models, people, and for every person, rule and delta
 * what must be asked in which order, and how it ends.  Here each model is put together from its numbers and each person
 * answers a session's questions.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "json.h"
#include "model.h"
#include "schema.h"

enum { FILE_LIMIT = 16 << 20, MAX_ATTRIBUTES = 32 };

#define PROBABILITY_ERROR 1e-7

static json_t *golden;

static double *read_numbers(const json_t *object, const char *key, size_t *count)
{
    const json_t *array = json_object_get(object, key);
    double *out = tct_malloc(json_array_size(array), sizeof(*out));

    assert_non_null(out);
    *count = json_array_size(array);
    for (size_t i = 0; i < *count; i++)
        out[i] = json_number_value(json_array_get(array, i));
    return out;
}

static tacit_model *build_model(const json_t *json)
{
    tct_json_at at = {.file = "protocol_golden.json", .key = "schema"};
    tacit_schema *schema = NULL;
    tct_classifier *classifier = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    size_t n_weights, n_bias, n_mean, n_covariance;
    double *weights = read_numbers(json, "weights", &n_weights), *bias = read_numbers(json, "bias", &n_bias);
    double *mean = read_numbers(json, "mean", &n_mean), *covariance = read_numbers(json, "covariance", &n_covariance);

    assert_int_equal(n_weights, n_bias * n_mean);
    assert_int_equal(n_covariance, n_mean * n_mean);
    if (tct_schema_from_json(&schema, json_object_get(json, "schema"), &at, &err))
        fail_msg("%s", err.message);
    if (tct_linear_new(&classifier, n_mean, n_bias == 1 ? 2 : n_bias, weights, bias, &err))
        fail_msg("%s", err.message);
    if (tct_model_assemble(&model, schema, classifier, mean, covariance, &err))
        fail_msg("%s", err.message);
    tct_free(weights);
    tct_free(bias);
    return model;
}

static const char *value_of(const json_t *person, size_t attribute)
{
    return json_string_value(json_array_get(json_object_get(person, "values"), attribute));
}

/* A session answered by this person: public attributes come first and do not count. */
static void check_run(const tacit_model *model, const json_t *person, const json_t *run, const char *where)
{
    tacit_release_options options = {.delta = json_number_value(json_object_get(run, "delta"))};
    const json_t *asked = json_object_get(run, "asked");
    const char *rule = json_string_value(json_object_get(run, "rule"));
    tacit_session *session = NULL;
    tacit_decision decision;
    tacit_error err = {0};
    size_t n_asked = 0, next;

    assert_int_equal(tacit_rule_from_name(&options.rule, rule, &err), TACIT_OK);
    assert_int_equal(tacit_session_open(&session, model, &options, &err), TACIT_OK);
    for (;;) {
        assert_int_equal(tacit_session_next(session, &next, &err), TACIT_OK);
        if (next == TACIT_NONE)
            break;
        if (tacit_schema_attribute(tacit_model_schema(model), next)->role == TACIT_SENSITIVE) {
            size_t expected = n_asked < json_array_size(asked)
                                  ? (size_t)json_integer_value(json_array_get(asked, n_asked))
                                  : TACIT_NONE;

            if (next != expected)
                fail_msg("%s, rule %s, delta %g: question %zu is %zu, expected %zd", where, rule, options.delta,
                         n_asked + 1, next, (ssize_t)expected);
            n_asked++;
        }
        if (tacit_session_answer(session, next, value_of(person, next), &err))
            fail_msg("%s: %s", where, err.message);
    }
    assert_int_equal(tacit_session_decision(session, &decision, &err), TACIT_OK);
    if (n_asked != json_array_size(asked) || decision.asked != n_asked ||
        decision.label != (size_t)json_integer_value(json_object_get(run, "label")) ||
        strcmp(tacit_settled_name(decision.settled), json_string_value(json_object_get(run, "status"))) != 0 ||
        !(fabs(decision.probability - json_number_value(json_object_get(run, "probability"))) < PROBABILITY_ERROR))
        fail_msg("%s, rule %s, delta %g: %zu asked, label %zu, %s, probability %.9g", where, rule, options.delta,
                 n_asked, decision.label, tacit_settled_name(decision.settled), decision.probability);
    tacit_session_free(session);
}

/* Full-information label and smallest core sets. */
static void check_person(const tacit_model *model, const json_t *json, const char *where)
{
    size_t n = tacit_schema_attributes(tacit_model_schema(model)), members[MAX_ATTRIBUTES], n_members;
    tacit_person *person = NULL;
    tacit_error err = {0};
    double cost = 0;

    assert_int_equal(tacit_person_new(&person, model, &err), TACIT_OK);
    for (size_t a = 0; a < n; a++)
        if (tacit_person_set(person, a, value_of(json, a), NULL, &err))
            fail_msg("%s: %s", where, err.message);
    assert_int_equal(tacit_person_label(person), json_integer_value(json_object_get(json, "label")));
    assert_int_equal(tacit_smallest_core(person, false, members, &n_members, &err), TACIT_OK);
    if (n_members != (size_t)json_integer_value(json_object_get(json, "opt")))
        fail_msg("%s: smallest core set has %zu members", where, n_members);
    assert_int_equal(tacit_smallest_core(person, true, members, &n_members, &err), TACIT_OK);
    for (size_t i = 0; i < n_members; i++)
        cost += tacit_schema_attribute(tacit_model_schema(model), members[i])->cost;
    if (!(fabs(cost - json_number_value(json_object_get(json, "opt_cost"))) < 1e-9))
        fail_msg("%s: cheapest core set costs %g", where, cost);
    tacit_person_free(person);
}

static void check_model(const char *name)
{
    const json_t *models = json_object_get(golden, "models"), *found = NULL, *people, *runs;
    tacit_model *model;
    char where[256];

    for (size_t i = 0; i < json_array_size(models); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(models, i), "name")), name) == 0)
            found = json_array_get(models, i);
    assert_non_null(found);
    model = build_model(found);
    people = json_object_get(found, "people");
    assert_true(json_array_size(people) > 0);
    for (size_t p = 0; p < json_array_size(people); p++) {
        const json_t *person = json_array_get(people, p);

        snprintf(where, sizeof(where), "model \"%s\", person %zu", name, p + 1);
        check_person(model, person, where);
        runs = json_object_get(person, "runs");
        for (size_t r = 0; r < json_array_size(runs); r++)
            check_run(model, person, json_array_get(runs, r), where);
    }
    tacit_model_free(model);
}

static int load_golden(void **state)
{
    (void)state;
    return tct_json_read(&golden, TEST_DATA_DIR "/protocol_golden.json", FILE_LIMIT, NULL) != TACIT_OK;
}

static int drop_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

static void protocol__numbers_two_classes(void **state)
{
    (void)state;
    check_model("numbers");
}

static void protocol__mixed_attributes_two_classes(void **state)
{
    (void)state;
    check_model("mixed");
}

static void protocol__singular_covariance(void **state)
{
    (void)state;
    check_model("singular");
}

static void protocol__nothing_public_with_costs(void **state)
{
    (void)state;
    check_model("no public, costs");
}

static void protocol__numbers_three_classes(void **state)
{
    (void)state;
    check_model("three classes");
}

static void protocol__mixed_attributes_three_classes(void **state)
{
    (void)state;
    check_model("three classes, mixed");
}

static void protocol__three_classes_with_costs(void **state)
{
    (void)state;
    check_model("three classes, costs");
}

static void protocol__nothing_sensitive(void **state)
{
    (void)state;
    check_model("nothing sensitive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocol__numbers_two_classes),
        cmocka_unit_test(protocol__mixed_attributes_two_classes),
        cmocka_unit_test(protocol__singular_covariance),
        cmocka_unit_test(protocol__nothing_public_with_costs),
        cmocka_unit_test(protocol__numbers_three_classes),
        cmocka_unit_test(protocol__mixed_attributes_three_classes),
        cmocka_unit_test(protocol__three_classes_with_costs),
        cmocka_unit_test(protocol__nothing_sensitive),
    };

    return cmocka_run_group_tests(tests, load_golden, drop_golden);
}

/*
 * The API and what is evidence: not knowing is taken only where the schema says so and never as a value; texts, notices,
 * numbers and times are in what the API gives out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "make_service.h"
#include "scratch.h"

/* Six numbers and integers, not knowing allowed for the first only. */
static tacit_model *one_allowed(void)
{
    tacit_model *model = make_linear_model(21, 6, 2, false);

    for (size_t a = 0; a < 6; a++) {
        model->schema->attributes[a].role = TACIT_SENSITIVE;
        model->schema->attributes[a].missing_is_value = a == 0;
    }
    return model;
}

static json_t *answer(test_service *t, const char *token, const char *attribute, const char *rest, unsigned status)
{
    tct_text body = {0};
    json_t *json;

    tct_text_printf(&body, "{\"token\": \"%s\", \"attribute\": \"%s\", %s}", token, attribute, rest);
    json = call_json(t, srv_api_answers, 0, body.bytes, status);
    tct_text_free(&body);
    return json;
}

static void check_detail(test_service *t, const char *token, const char *attribute, const char *rest,
                         const char *detail)
{
    json_t *problem = answer(t, token, attribute, rest, 422);

    assert_non_null(strstr(text_of(problem, "detail"), detail));
    json_decref(problem);
}

static void evidence__not_knowing_is_told_apart(void **state)
{
    tacit_model *model = one_allowed();
    test_service t;
    json_t *step, *next;
    const char *token;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    step = call_json(&t, srv_api_sessions, 0, "{}", 200);
    token = text_of(step, "token");
    check_detail(&t, token, "a1", "\"unknown\": true", "unknown: not knowing attribute a1 is no answer");
    check_detail(&t, token, "a1", "\"value\": null", "value: for attribute a1 expected");
    check_detail(&t, token, "a1", "\"value\": \"\"", "value: for attribute a1 expected");
    check_detail(&t, token, "a0", "\"value\": 1, \"unknown\": true", "value: expected either");
    check_detail(&t, token, "a0", "\"refuse\": true, \"unknown\": true", "found both");
    check_detail(&t, token, "a0", "\"unknown\": false", "value: expected, but missing");
    for (int way = 0; way < 2; way++) {
        next = answer(&t, token, "a0", way ? "\"value\": null" : "\"unknown\": true", 200);
        assert_string_equal(json_string_value(json_array_get(json_object_get(next, "not_known"), 0)), "a0");
        assert_int_equal(json_array_size(json_object_get(next, "not_known")), 1);
        assert_int_equal(json_array_size(json_object_get(next, "asked")), 1);
        json_decref(next);
    }
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

static void evidence__receipts_state_no_value_for_it(void **state)
{
    tacit_model *model = one_allowed();
    test_service t;
    json_t *step, *next, *receipt;
    const json_t *entry;
    tacit_check check;
    char *text;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    next = call_json(&t, srv_api_sessions, 0, "{}", 200);
    step = answer(&t, text_of(next, "token"), "a0", "\"unknown\": true", 200);
    json_decref(next);
    while (strcmp(text_of(step, "status"), "open") == 0) {
        next = call_answer(&t, 0, text_of(step, "token"), text_of(json_object_get(step, "next"), "name"), NULL, 200);
        json_decref(step);
        step = next;
    }
    receipt = json_object_get(step, "receipt");
    entry = json_array_get(json_object_get(receipt, "asked"), 0);
    assert_string_equal(text_of(entry, "attribute"), "a0");
    assert_true(json_is_true(json_object_get(entry, "not_known")));
    assert_null(json_object_get(entry, "value"));
    assert_int_equal(strlen(text_of(receipt, "id")), 32);
    assert_int_equal(strlen(text_of(receipt, "time")), 20);
    text = json_dumps(receipt, JSON_COMPACT | JSON_PRESERVE_ORDER);
    assert_int_equal(tacit_check_receipt(&check, model, scratch_text(text), srv_keys_public(t.keys, 0), NULL),
                     TACIT_OK);
    assert_string_equal(check.reason, "");
    assert_int_equal(check.not_known, 1);
    free(text);
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

static void evidence__models_come_with_their_texts(void **state)
{
    tacit_model *model = one_allowed();
    test_service t;
    json_t *json;
    const json_t *attribute;

    (void)state;
    assert_int_equal(tct_wording_add(&model->schema->texts[0].name, "de", "Alter", NULL), TACIT_OK);
    assert_int_equal(tct_wording_add(&model->schema->about[10], "", "dpo@example.org", NULL), TACIT_OK);
    make_service(&t, 1, 0, &model, 1, 0, 0);
    json = call_json(&t, srv_api_model, 0, "", 200);
    attribute = json_object_get(json_object_get(json_object_get(json, "texts"), "attributes"), "a0");
    assert_string_equal(text_of(json_object_get(attribute, "text"), "de"), "Alter");
    assert_string_equal(text_of(json_object_get(json_object_get(json, "texts"), "about"), "contact"),
                        "dpo@example.org");
    assert_true(
        json_is_true(json_object_get(json_array_get(json_object_get(json, "attributes"), 0), "missing_allowed")));
    assert_true(
        json_is_false(json_object_get(json_array_get(json_object_get(json, "attributes"), 1), "missing_allowed")));
    assert_true(json_is_true(json_object_get(json_array_get(json_object_get(json, "attributes"), 1), "matters")));
    json_decref(json);
    free_service(&t);
    tacit_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence__not_knowing_is_told_apart),
        cmocka_unit_test(evidence__receipts_state_no_value_for_it),
        cmocka_unit_test(evidence__models_come_with_their_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_api_order.c -- what a server does not let clients choose: the order of questions, a delta that it does not offer,
 * and how many decisions they collect.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "forks.h"
#include "make_model.h"
#include "make_service.h"

static const srv_settings strict = {.token_seconds = TEST_TOKEN_SECONDS, .delta = 0, .delta_min = 0, .delta_max = 0.1};

/* An attribute that is not the one asked for. */
static const char *another(const tacit_model *model, const char *asked)
{
    const char *name = model->schema->attributes[0].name;

    return strcmp(name, asked) == 0 ? model->schema->attributes[1].name : name;
}

static void expect_code(json_t *problem, const char *code)
{
    assert_string_equal(text_of(problem, "code"), code);
    json_decref(problem);
}

static json_t *begin(test_service *t)
{
    json_t *step = call_json(t, srv_api_sessions, 0, "{}", 200);

    assert_string_equal(text_of(step, "status"), "open");
    return step;
}

static const char *asked_of(const json_t *step)
{
    return text_of(json_object_get(step, "next"), "name");
}

/* Refuse what is asked, to the end. */
static json_t *refuse_to_the_end(test_service *t, json_t *step, unsigned status)
{
    while (json_object_get(step, "next")) {
        json_t *next = call_answer(t, 0, text_of(step, "token"), asked_of(step), NULL, 0);

        json_decref(step);
        step = next;
    }
    assert_int_equal(json_object_get(step, "decision") ? 200 : 429, status);
    return step;
}

static void order__only_what_was_asked_is_answered(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, false);
    test_service t;
    json_t *step;

    (void)state;
    make_service_with(&t, 1, 0, &model, 1, &strict);
    step = begin(&t);
    expect_code(call_answer(&t, 0, text_of(step, "token"), another(model, asked_of(step)), "1", 409),
                "attribute-not-asked");
    expect_code(call_answer(&t, 0, text_of(step, "token"), another(model, asked_of(step)), NULL, 409),
                "attribute-not-asked");
    json_decref(call_answer(&t, 0, text_of(step, "token"), asked_of(step), "1", 200));
    step = refuse_to_the_end(&t, step, 200);
    assert_string_equal(text_of(json_object_get(step, "receipt"), "order"), "rule");
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

static void order__a_receipt_says_whose_it_was(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, false);
    test_service t;
    json_t *step, *next;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0.1);
    step = begin(&t);
    next = call_answer(&t, 0, text_of(step, "token"), another(model, asked_of(step)), NULL, 200);
    json_decref(step);
    step = refuse_to_the_end(&t, next, 200);
    assert_string_equal(text_of(json_object_get(step, "receipt"), "order"), "person");
    next = call_receipt(&t, 0, text_of(step, "token"), 200);
    assert_string_equal(text_of(json_object_get(next, "receipt"), "order"), "person");
    json_decref(step);
    json_decref(next);
    free_service(&t);
    tacit_model_free(model);
}

/* A server that was started again with another range does not go on with what it would not begin. */
static void delta__of_a_token_must_be_offered(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, false);
    srv_settings narrow = strict;
    test_service t, later;
    json_t *step;

    (void)state;
    make_service_with(&t, 1, 0, &model, 1, &strict);
    narrow.delta_max = 0.05;
    make_service_with(&later, 1, 0, &model, 1, &narrow);
    step = call_json(&t, srv_api_sessions, 0, "{\"delta\": 0.1}", 200);
    expect_code(call_answer(&later, 0, text_of(step, "token"), asked_of(step), "1", 401), "token-other-delta");
    json_decref(step);
    step = call_json(&t, srv_api_sessions, 0, "{\"delta\": 0.05}", 200);
    json_decref(call_answer(&later, 0, text_of(step, "token"), asked_of(step), "1", 200));
    json_decref(step);
    free_service(&t);
    free_service(&later);
    tacit_model_free(model);
}

/* ---- forks ---- */

static json_t *decide_from(test_service *t, const json_t *start, unsigned status)
{
    return refuse_to_the_end(t, json_deep_copy(start), status);
}

static void forks__a_session_comes_to_few_decisions(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, false);
    srv_settings settings = strict;
    json_t *start, *other, *step;
    test_service t;

    (void)state;
    settings.forks = 3;
    make_service_with(&t, 1, 0, &model, 1, &settings);
    start = begin(&t);
    for (int i = 0; i < 3; i++)
        json_decref(decide_from(&t, start, 200));
    step = decide_from(&t, start, 429);
    expect_code(step, "too-many-decisions");
    other = begin(&t); /* others are not hindered */
    step = decide_from(&t, other, 200);
    json_decref(call_receipt(&t, 0, text_of(step, "token"), 200)); /* what was decided is decided */
    json_decref(step);
    json_decref(start);
    json_decref(other);
    free_service(&t);
    tacit_model_free(model);
}

static void forks__a_client_comes_to_more_but_not_to_all(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, false);
    srv_settings settings = strict;
    json_t *start = NULL;
    test_service t;

    (void)state;
    settings.forks = 1;
    make_service_with(&t, 1, 0, &model, 1, &settings);
    for (int i = 0; i <= SRV_FORKS_PER_CLIENT; i++) {
        start = begin(&t);
        json_decref(decide_from(&t, start, i < SRV_FORKS_PER_CLIENT ? 200 : 429));
        json_decref(start);
    }
    t.address.bytes[15] = 1; /* somebody else */
    start = begin(&t);
    json_decref(decide_from(&t, start, 200));
    json_decref(start);
    t.address.bytes[15] = 0;
    t.now += TEST_TOKEN_SECONDS; /* the window is over */
    start = begin(&t);
    json_decref(decide_from(&t, start, 200));
    json_decref(start);
    free_service(&t);
    tacit_model_free(model);
}

static void forks__the_table_has_room_for_many_and_forgets_the_oldest(void **state)
{
    srv_forks *forks = NULL;
    uint32_t who = 0;

    (void)state;
    assert_int_equal(srv_forks_new(&forks, 100, NULL), TACIT_OK);
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(srv_forks_count(forks, &i, sizeof(i), 1, 10));
    for (uint32_t i = 0; i < 1000; i++)
        assert_false(srv_forks_count(forks, &i, sizeof(i), 1, 109));
    assert_true(srv_forks_count(forks, &who, sizeof(who), 1, 110));
    for (uint32_t i = 1; i < 2000000; i++)
        srv_forks_count(forks, &i, sizeof(i), 1, 111);
    assert_true(srv_forks_count(forks, &who, sizeof(who), 1, 112));
    srv_forks_free(forks);
    srv_forks_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order__only_what_was_asked_is_answered),
        cmocka_unit_test(order__a_receipt_says_whose_it_was),
        cmocka_unit_test(delta__of_a_token_must_be_offered),
        cmocka_unit_test(forks__a_session_comes_to_few_decisions),
        cmocka_unit_test(forks__a_client_comes_to_more_but_not_to_all),
        cmocka_unit_test(forks__the_table_has_room_for_many_and_forgets_the_oldest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What the API refuses: every code that it has, in words that hold nothing of the request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "limits.h"
#include "make_model.h"
#include "make_service.h"

#define MARKER "Zq7Person"

typedef struct setting {
    tacit_model *models[2];
    test_service t;
    json_t *first; /* step of m0, open */
    char *token, *name;
} setting;

/* Numbers and integers; a1 is public. */
static tacit_model *make_problem_model(uint64_t seed)
{
    tacit_model *plain = make_linear_model(seed, 6, 2, false), *model = NULL;

    assert_int_equal(tacit_model_with_roles(&model, plain, NULL, "a1", NULL), TACIT_OK);
    allow_missing(model);
    tacit_model_free(plain);
    return model;
}

static int set_up(void **state)
{
    setting *s = calloc(1, sizeof(*s));

    need(s != NULL, "no memory");
    s->models[0] = make_problem_model(21);
    s->models[1] = make_linear_model(4, 5, 2, true);
    make_service(&s->t, 1, 0, s->models, 2, 0.01, 0.1);
    s->first = call_json(&s->t, srv_api_sessions, 0, "{\"public\": {\"a1\": null}}", 200);
    s->token = tct_strdup(text_of(s->first, "token"));
    s->name = tct_strdup(text_of(json_object_get(s->first, "next"), "name"));
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    setting *s = *state;

    json_decref(s->first);
    tct_free(s->token);
    tct_free(s->name);
    free_service(&s->t);
    tacit_model_free(s->models[0]);
    tacit_model_free(s->models[1]);
    free(s);
    return 0;
}

/* ---- one problem ---- */

static void expect_document(const json_t *json, const srv_reply *reply, const char *code)
{
    char type[64];

    snprintf(type, sizeof(type), "urn:tacit:problem:%s", code);
    assert_string_equal(text_of(json, "code"), code);
    assert_string_equal(text_of(json, "type"), type);
    assert_int_equal(json_integer_value(json_object_get(json, "status")), reply->status);
    assert_true(text_of(json, "title")[0] != '\0');
    assert_string_equal(reply->type, "application/problem+json");
    assert_string_equal(reply->problem, code);
    assert_int_equal(json_object_size(json), 5);
}

/* detail: how the detail must begin. */
static void expect_problem(test_service *t, srv_endpoint *endpoint, const char *body, size_t size, unsigned status,
                           const char *code, const char *detail)
{
    srv_reply reply;
    json_t *json;

    call_api(t, endpoint, 0, body, size, &reply);
    json = json_loadb(reply.body, reply.size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    if (reply.status != status || strcmp(code, text_of(json, "code")) != 0 ||
        strncmp(text_of(json, "detail"), detail, strlen(detail)) != 0)
        print_message("%.*s\n  %.*s\n", (int)size, body, (int)reply.size, reply.body);
    assert_int_equal(reply.status, status);
    expect_document(json, &reply, code);
    assert_true(strncmp(text_of(json, "detail"), detail, strlen(detail)) == 0);
    json_decref(json);
    srv_reply_clear(&reply);
    assert_null(reply.body);
}

static void expect_start(setting *s, const char *body, unsigned status, const char *code, const char *detail)
{
    expect_problem(&s->t, srv_api_sessions, body, strlen(body), status, code, detail);
}

/* The body has TOKEN and NAME for those of the first step. */
static void expect_answer(setting *s, const char *pattern, unsigned status, const char *code, const char *detail)
{
    tct_text body = {0};

    while (*pattern) {
        if (strncmp(pattern, "TOKEN", 5) == 0) {
            tct_text_printf(&body, "%s", s->token);
            pattern += 5;
        } else if (strncmp(pattern, "NAME", 4) == 0) {
            tct_text_printf(&body, "%s", s->name);
            pattern += 4;
        } else {
            tct_text_append(&body, pattern++, 1);
        }
    }
    expect_problem(&s->t, srv_api_answers, body.bytes, body.size, status, code, detail);
    tct_text_free(&body);
}

/* ---- codes ---- */

static void problem__has_a_status_and_a_title_each(void **state)
{
    (void)state;
    for (int code = 0; code < SRV_PROBLEMS; code++) {
        srv_reply reply;
        json_t *json;

        srv_problem(&reply, (srv_problem_code)code, "%s", "<\"\\\x01\xC3\xA9>");
        json = json_loadb(reply.body, reply.size, 0, NULL);
        assert_non_null(json);
        expect_document(json, &reply, srv_problem_name((srv_problem_code)code));
        assert_int_equal(reply.status, srv_problem_status((srv_problem_code)code));
        assert_string_equal(text_of(json, "detail"), "<\"\\\x01\xC3\xA9>");
        json_decref(json);
        srv_reply_clear(&reply);
    }
}

/* Cut off between characters. */
static void problem__cuts_off_long_details(void **state)
{
    char detail[2000];

    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        srv_reply reply;
        json_t *json;

        memset(detail, 'x', shift);
        for (size_t i = shift; i < sizeof(detail); i++)
            detail[i] = "\xF0\x9F\x8C\xB3"[(i - shift) % 4];
        srv_problem(&reply, SRV_NOT_FOUND, "%.*s", (int)sizeof(detail), detail);
        json = json_loadb(reply.body, reply.size, 0, NULL);
        assert_non_null(json); /* Jansson wants valid UTF-8 */
        assert_in_range(strlen(text_of(json, "detail")), 500, 512);
        json_decref(json);
        srv_reply_clear(&reply);
    }
}

static void problem__without_memory_is_still_one(void **state)
{
    srv_reply reply, held;

    (void)state;
    srv_problem(&held, SRV_NOT_FOUND, "There is nothing here."); /* has the body that the thread had to spare, if any */
    tct_memory_fail_at(1, true);
    srv_problem(&reply, SRV_NOT_FOUND, "There is nothing here.");
    tct_memory_fail_at(0, false);
    assert_true(reply.shared && reply.status == 500);
    assert_string_equal(reply.problem, "internal");
    srv_reply_clear(&reply);
    srv_reply_clear(&held);
}

static void token__problems(void **state)
{
    setting *s = *state;
    tct_text body = {0};
    test_service other;
    json_t *step;

    expect_answer(s, "{\"token\": \"\", \"attribute\": \"a0\", \"value\": 1}", 400, "token-malformed",
                  "token: expected");
    expect_answer(s, "{\"token\": \"?\", \"attribute\": \"a0\", \"value\": 1}", 400, "token-malformed", "token: ");
    expect_answer(s, "{\"token\": \"TOKENA\", \"attribute\": \"a0\", \"value\": 1}", 400, "token-malformed", "token: ");
    s->token[60] = s->token[60] == 'A' ? 'B' : 'A';
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": 1}", 400, "token-tampered",
                  "token: it is not as it was");
    make_service(&other, 2, 0, s->models, 2, 0, 0);
    step = call_json(&other, srv_api_sessions, 0, "{}", 200);
    tct_text_printf(&body, "{\"token\": \"%s\", \"attribute\": \"a0\", \"value\": 1}", text_of(step, "token"));
    expect_problem(&s->t, srv_api_answers, body.bytes, body.size, 401, "token-unknown-key", "token: it was made with");
    json_decref(step);
    tct_text_free(&body);
    step = call_json(&s->t, srv_api_sessions, 1, "{}", 200);
    tct_text_printf(&body, "{\"token\": \"%s\", \"attribute\": \"a0\", \"value\": 1}", text_of(step, "token"));
    expect_problem(&s->t, srv_api_answers, body.bytes, body.size, 401, "token-other-model", "token: it belongs to");
    json_decref(step);
    tct_text_free(&body);
    free_service(&other);
}

static void token__of_the_same_model_with_other_roles_is_another(void **state)
{
    setting *s = *state;
    tacit_model *model = NULL;
    test_service other;

    assert_int_equal(tacit_model_with_roles(&model, s->models[0], NULL, "a2", NULL), TACIT_OK);
    make_service(&other, 1, 0, &model, 1, 0, 0);
    json_decref(call_answer(&other, 0, s->token, "a0", "1", 401));
    free_service(&other);
    tacit_model_free(model);
}

static void token__expires(void **state)
{
    setting *s = *state;

    s->t.now += TEST_TOKEN_SECONDS - 1;
    json_decref(call_answer(&s->t, 0, s->token, s->name, "0", 200));
    s->t.now++;
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": 1}", 401, "token-expired",
                  "token: its time is over");
}

static void attribute__problems(void **state)
{
    setting *s = *state;
    json_t *step = call_answer(&s->t, 0, s->token, s->name, "0", 200);

    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"b0\", \"value\": 1}", 422, "attribute-unknown",
                  "attribute: there is no attribute of this name; did you mean a0?");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"" MARKER "\", \"value\": 1}", 422, "attribute-unknown",
                  "attribute: there is no attribute of this name.");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\\u0000\", \"value\": 1}", 422, "attribute-unknown",
                  "");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a1\", \"value\": 1}", 409, "attribute-closed",
                  "Attribute a1 was answered or refused before");
    assert_string_equal(text_of(step, "status"), "open");
    json_decref(call_answer(&s->t, 0, text_of(step, "token"), s->name, "0", 409));
    json_decref(step);
}

static void value__problems(void **state)
{
    static const char *const values[] = {"\"\\u0000\"", "\"1\\u0000\"", "\"x\"",   "\" 1\"", "\"0x1\"",
                                         "\"nan\"",     "\"inf\"",      "\"1,5\"", "1e999",  "\"" MARKER "\""};
    setting *s = *state;
    char body[128];

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        snprintf(body, sizeof(body), "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": %s}", values[i]);
        expect_answer(s, body, 422, "body-member", "value: for attribute a0 expected a");
    }
}

static void level__problems(void **state)
{
    tacit_model *model = make_linear_model(33, 8, 2, true);
    size_t category = TACIT_NONE;
    char detail[96];
    test_service t;
    json_t *step;

    (void)state;
    for (size_t a = 0; a < 8; a++)
        if (model->schema->attributes[a].type == TACIT_CATEGORY)
            category = a;
    assert_true(category != TACIT_NONE);
    make_service(&t, 1, 0, &model, 1, 0, 0);
    step = call_json(&t, srv_api_sessions, 0, "{}", 200);
    snprintf(detail, sizeof(detail), "value: for attribute a%zu expected one of its %zu levels.", category,
             model->schema->attributes[category].n_levels);
    for (size_t i = 0; i < 3; i++) {
        static const char *const values[] = {"\"pine\"", "null", "17"};
        json_t *problem;
        char name[16];

        snprintf(name, sizeof(name), "a%zu", category);
        problem = call_answer(&t, 0, text_of(step, "token"), name, values[i], 422);
        assert_string_equal(text_of(problem, "detail"), detail);
        json_decref(problem);
    }
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

static void answers__need_their_members(void **state)
{
    setting *s = *state;

    expect_answer(s, "{\"attribute\": \"a0\", \"value\": 1}", 422, "body-member", "token: expected, but missing");
    expect_answer(s, "{\"token\": \"TOKEN\", \"value\": 1}", 422, "body-member", "attribute: expected, but missing");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\"}", 422, "body-member",
                  "value: expected, but missing");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"refuse\": false}", 422, "body-member",
                  "value: expected, but missing");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": null, \"refuse\": true}", 422,
                  "body-member", "value: expected either");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": true}", 422, "body-member",
                  "value: expected a number, a string or null.");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": [1]}", 422, "body-member", "value: ");
    expect_answer(s, "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": {\"a\": 1}}", 422, "body-member", "");
    expect_answer(s, "{\"token\": 5}", 422, "body-member", "token: expected the token of the step before, a string.");
    expect_answer(s, "{\"attribute\": null}", 422, "body-member", "attribute: expected the name");
    expect_answer(s, "{\"refuse\": \"yes\"}", 422, "body-member", "refuse: expected true or false.");
    expect_answer(s, "{\"receipt\": 0}", 422, "body-member", "receipt: expected true or false.");
    expect_answer(s, "{\"tokem\": \"\"}", 422, "body-member",
                  "There is a member that is not known; did you mean token?");
    expect_answer(s, "{\"public\": {}}", 422, "body-member",
                  "There is a member that is none of: token, attribute, value, refuse, unknown, receipt.");
    expect_answer(s, "{\"value\": 1, \"value\": 1}", 422, "body-member", "value: expected once, found twice.");
    expect_answer(s, "{}", 422, "body-member", "token: ");
}

static void sessions__need_their_members(void **state)
{
    setting *s = *state;

    expect_start(s, "{\"public\": []}", 422, "body-member", "public: expected an object of attributes and values.");
    expect_start(s, "{\"public\": {\"a0\": 1}}", 422, "body-member", "public: attribute a0 is not public");
    expect_start(s, "{\"public\": {\"a9\": 1}}", 422, "attribute-unknown",
                 "public: there is no attribute of this name; did you mean a");
    expect_start(s, "{\"public\": {\"a1\": 1, \"a1\": 1}}", 422, "body-member",
                 "public: attribute a1: expected once, found twice.");
    expect_start(s, "{\"public\": {\"a1\": \"" MARKER "\"}}", 422, "body-member",
                 "public: for attribute a1 expected a");
    expect_start(s, "{\"public\": {\"a1\": true}}", 422, "body-member", "public: for attribute a1 expected a");
    expect_start(s, "{\"public\": {\"a1\": {\"a\": []}}}", 422, "body-member", "public: for attribute a1 expected a");
    expect_start(s, "{\"public\": {\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1}}", 422, "body-member",
                 "public: expected at most 6 members");
    expect_start(s, "{\"public\": {}, \"public\": {}}", 422, "body-member", "public: expected once, found twice.");
    expect_start(s, "{\"token\": \"\"}", 422, "body-member",
                 "There is a member that is none of: public, delta, receipt.");
    expect_start(s, "{\"delta\": \"0\"}", 422, "body-member", "delta: expected a number.");
    expect_start(s, "{\"delta\": 0.2}", 422, "delta-not-allowed", "delta: expected a number from 0 to 0.1.");
    expect_start(s, "{\"delta\": -1e-9}", 422, "delta-not-allowed", "delta: ");
    expect_start(s, "{\"delta\": 1e999}", 422, "delta-not-allowed", "delta: ");
    json_decref(call_json(&s->t, srv_api_sessions, 0, "{\"delta\": 0.1}", 200));
    json_decref(call_json(&s->t, srv_api_sessions, 0, " {\"delta\": 0, \"receipt\": true, \"public\": {}}\n", 200));
}

static void delta__is_fixed_unless_offered(void **state)
{
    setting *s = *state;
    test_service t;
    json_t *problem;

    make_service(&t, 1, 0, s->models, 1, 0, 0);
    problem = call_json(&t, srv_api_sessions, 0, "{\"delta\": 0.05}", 422);
    assert_string_equal(text_of(problem, "detail"), "delta: this server offers 0 only; leave it out.");
    json_decref(problem);
    json_decref(call_json(&t, srv_api_sessions, 0, "{\"delta\": 0}", 200));
    free_service(&t);
}

static void session__is_decided_once(void **state)
{
    setting *s = *state;
    json_t *step = json_incref(s->first), *next;

    while (strcmp(text_of(step, "status"), "open") == 0) {
        next = call_answer(&s->t, 0, text_of(step, "token"), text_of(json_object_get(step, "next"), "name"), NULL, 200);
        json_decref(step);
        step = next;
    }
    next = call_answer(&s->t, 0, text_of(step, "token"), "a0", "1", 409);
    assert_string_equal(text_of(next, "code"), "session-decided");
    json_decref(next);
    json_decref(step);
}

static void receipt__needs_a_decision(void **state)
{
    setting *s = *state;
    json_t *problem = call_receipt(&s->t, 0, text_of(s->first, "token"), 409);

    assert_string_equal(text_of(problem, "code"), "session-open");
    json_decref(problem);
    problem = call_receipt(&s->t, 0, "AQ", 400);
    assert_string_equal(text_of(problem, "code"), "token-malformed");
    json_decref(problem);
    problem = call_json(&s->t, srv_api_receipts, 0, "{}", 422);
    assert_string_equal(text_of(problem, "detail"), "token: expected, but missing.");
    json_decref(problem);
    problem = call_json(&s->t, srv_api_receipts, 0, "{\"token\": 1}", 422);
    assert_string_equal(text_of(problem, "detail"), "token: expected the token of a decided session, a string.");
    json_decref(problem);
}

static void body__is_not_too_deep(void **state)
{
    setting *s = *state;
    char body[256];
    size_t n;

    for (size_t depth = 1; depth < 40; depth++) {
        n = (size_t)snprintf(body, sizeof(body), "{\"public\": {\"a1\": ");
        for (size_t i = 0; i < depth; i++)
            n += (size_t)snprintf(body + n, sizeof(body) - n, "%s", i % 2 ? "{\"a\":" : "[");
        n += (size_t)snprintf(body + n, sizeof(body) - n, "1");
        for (size_t i = depth; i-- > 0;)
            n += (size_t)snprintf(body + n, sizeof(body) - n, "%s", i % 2 ? "}" : "]");
        snprintf(body + n, sizeof(body) - n, "}}");
        if (depth + 2 > SRV_JSON_DEPTH)
            expect_start(s, body, 400, "body-too-deep", "More than 16 objects and arrays are inside each other.");
        else
            expect_start(s, body, 422, "body-member", "public: for attribute a1");
    }
}

/* ---- nothing about a person ---- */

/* Marked texts in all places, whole and broken: no answer that is a problem has the mark. */
static void problem__holds_nothing_of_the_request(void **state)
{
    static const char *const patterns[] = {
        "{\"token\": \"" MARKER "\", \"attribute\": \"a0\", \"value\": \"" MARKER "\"}",
        "{\"token\": \"TOKEN\", \"attribute\": \"" MARKER "\", \"value\": \"" MARKER "\"}",
        "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": \"" MARKER "\"}",
        "{\"token\": \"TOKEN\", \"attribute\": \"a1\", \"value\": \"" MARKER "\"}",
        "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"" MARKER "\": \"" MARKER "\"}",
        "{\"token\": \"TOKEN\", \"attribute\": \"a0\", \"value\": {\"" MARKER "\": \"" MARKER "\"}}",
        "{\"public\": {\"a1\": \"" MARKER "\"}, \"delta\": 0}",
        "{\"public\": {\"" MARKER "\": \"" MARKER "\"}}",
        "{\"public\": {\"a0\": \"" MARKER "\"}}",
        "{\"public\": \"" MARKER "\"}",
        "\"" MARKER "\"",
    };
    setting *s = *state;

    for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++) {
        const char *at = strstr(patterns[p], "TOKEN");
        tct_text body = {0};

        tct_text_append(&body, patterns[p], at ? (size_t)(at - patterns[p]) : strlen(patterns[p]));
        if (at)
            tct_text_printf(&body, "%s%s", s->token, at + 5);
        for (size_t cut = 0; cut <= body.size; cut++)
            for (int e = 0; e < 2; e++) {
                srv_reply reply;

                call_api(&s->t, e ? srv_api_answers : srv_api_sessions, 0, body.bytes, cut, &reply);
                assert_in_range(reply.status, 400, 499);
                assert_null(memmem(reply.body, reply.size, MARKER, strlen(MARKER)));
                srv_reply_clear(&reply);
            }
        tct_text_free(&body);
    }
}

/* ---- memory ---- */

static void api__survives_lack_of_memory(void **state)
{
    setting *s = *state;
    tct_text body = {0};
    unsigned status = 500;

    tct_text_printf(&body, "{\"token\": \"%s\", \"attribute\": \"%s\", \"refuse\": true}", s->token, s->name);
    for (uint64_t nth = 1; status == 500; nth++) {
        srv_reply reply;

        tct_memory_fail_at(nth, nth % 2);
        call_api(&s->t, srv_api_answers, 0, body.bytes, body.size, &reply);
        tct_memory_fail_at(0, false);
        status = reply.status;
        assert_true(status == 200 || (status == 500 && strcmp(reply.problem, "internal") == 0));
        srv_reply_clear(&reply);
        assert_in_range(nth, 1, 10000);
    }
    assert_int_equal(status, 200);
    tct_text_free(&body);
}

#define WITH_SETTING(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problem__has_a_status_and_a_title_each),
        cmocka_unit_test(problem__cuts_off_long_details),
        cmocka_unit_test(problem__without_memory_is_still_one),
        WITH_SETTING(token__problems),
        WITH_SETTING(token__of_the_same_model_with_other_roles_is_another),
        WITH_SETTING(token__expires),
        WITH_SETTING(attribute__problems),
        WITH_SETTING(value__problems),
        cmocka_unit_test(level__problems),
        WITH_SETTING(answers__need_their_members),
        WITH_SETTING(sessions__need_their_members),
        WITH_SETTING(delta__is_fixed_unless_offered),
        WITH_SETTING(session__is_decided_once),
        WITH_SETTING(receipt__needs_a_decision),
        WITH_SETTING(body__is_not_too_deep),
        WITH_SETTING(problem__holds_nothing_of_the_request),
        WITH_SETTING(api__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Reading request bodies: JSON and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api_request.h"

/* The code of the problem, or NULL. */
static const char *read_body(const char *body, size_t size, srv_request *request)
{
    srv_reply reply = {0};
    char *exact = malloc(size ? size : 1); /* so that reading beyond is found out */
    const char *code = NULL;

    assert_non_null(exact);
    memcpy(exact, body, size);
    if (!srv_request_read(request, SRV_SESSIONS, 8, exact, size, &reply))
        code = reply.problem;
    free(exact);
    srv_reply_clear(&reply);
    return code;
}

/* A text as the value of a member. */
static const char *read_value(const char *value, size_t size, srv_request *request)
{
    char body[512];
    int n = snprintf(body, sizeof(body), "{\"public\": {\"a\": ");

    assert_true(size + 32 < sizeof(body));
    memcpy(body + n, value, size);
    memcpy(body + n + size, "}}", 2);
    return read_body(body, (size_t)n + size + 2, request);
}

static void request__takes_values_as_jansson_does(void **state)
{
    static const char *const values[] = {"1",
                                         "0",
                                         "-0",
                                         "-1.5",
                                         "1e5",
                                         "1E+5",
                                         "1e-5",
                                         "0.25",
                                         "12345678901234567890",
                                         "1e400", /* numbers */
                                         "01",
                                         "+1",
                                         ".5",
                                         "1.",
                                         "1e",
                                         "1e+",
                                         "--1",
                                         "0x10",
                                         "-",
                                         "1_000",
                                         "NaN",
                                         "Infinity",
                                         "-Infinity", /* not */
                                         "null",
                                         "true",
                                         "false",
                                         "nul",
                                         "nulll",
                                         "True",
                                         "undefined", /* words */
                                         "\"\"",
                                         "\"a\"",
                                         "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                         "\"\\u00e9\"",
                                         "\"\\uD83C\\uDF33\"", /* strings */
                                         "\"\\u20AC\"",
                                         "\"\xC3\xA9\"",
                                         "\"\xF0\x9F\x8C\xB3\"",
                                         "\"\\x\"",
                                         "\"\\u12\"",
                                         "\"\\u12G4\"",
                                         "\"\\uD83C\"",
                                         "\"\\uDF33\"",
                                         "\"\\uD83C\\u0041\"",
                                         "\"\\uD83Cx\"",
                                         "\"\xC3\"",
                                         "\"\xC0\x80\"",
                                         "\"\xE0\x80\x80\"",
                                         "\"\xED\xA0\x80\"",
                                         "\"\xF4\x90\x80\x80\"",
                                         "\"\xF8\x88\x80\x80\x80\"",
                                         "\"\xE2\x82\"",
                                         "\"\x80\"",
                                         "\"\n\"",
                                         "\"\x1f\"",
                                         "\"\x7f\"",
                                         "'a'",
                                         "\"a",
                                         "a\"", /* strings or not */
                                         "[]",
                                         "[1]",
                                         "[1,2]",
                                         "[1,]",
                                         "[,1]",
                                         "[1 2]",
                                         "[",
                                         "]",
                                         "[[]]",
                                         "[1,[2,{\"a\":[]}]]", /* arrays */
                                         "{}",
                                         "{\"a\":1}",
                                         "{\"a\":1,}",
                                         "{a:1}",
                                         "{\"a\"}",
                                         "{\"a\":}",
                                         "{1:1}",
                                         "{\"a\":1 \"b\":2}",
                                         "{,}",
                                         "{",
                                         "",
                                         " 1 ",
                                         "\t1\r\n",
                                         "\v1",
                                         "1//",
                                         "/**/1",
                                         ("\xEF\xBB\xBF"
                                          "1")};

    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        json_t *theirs = json_loads(values[i], JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
        bool too_large = strcmp(values[i], "1e400") == 0; /* for a double, but it is JSON */
        srv_request request;
        const char *code = read_value(values[i], strlen(values[i]), &request);

        if ((theirs != NULL || too_large) != (code == NULL))
            print_message("%s\n", values[i]);
        assert_true((theirs != NULL || too_large) == (code == NULL));
        if (code)
            assert_string_equal(code, "body-not-json");
        else if (json_is_string(theirs))
            assert_string_equal(request.pairs[0].value.text, json_string_value(theirs));
        if (!code)
            srv_request_clear(&request);
        json_decref(theirs);
    }
}

static void request__keeps_numbers_as_written(void **state)
{
    static const char number[] = "-0.10000000000000000000000000001E+01";
    srv_request request;

    (void)state;
    assert_null(read_value(number, strlen(number), &request));
    assert_int_equal(request.pairs[0].value.kind, SRV_NUMBER);
    assert_string_equal(request.pairs[0].value.text, number);
    srv_request_clear(&request);
    assert_null(request.texts);
}

static void request__tells_a_nul_from_the_end(void **state)
{
    srv_request request;

    (void)state;
    assert_null(read_value("\"a\\u0000b\"", 10, &request));
    assert_int_equal(request.pairs[0].value.size, 3);
    srv_request_clear(&request);
    assert_string_equal(read_value("\"a\0b\"", 5, &request), "body-not-json");
    assert_string_equal(read_body("{}\0", 3, &request), "body-not-json");
}

static void request__is_one_object(void **state)
{
    static const char *const bodies[] = {"",
                                         " ",
                                         "[]",
                                         "1",
                                         "null",
                                         "\"a\"",
                                         "{} {}",
                                         "{}x",
                                         "{} ,",
                                         "{\"delta\"",
                                         "{\"delta\":0",
                                         "{\"delta\":0,}",
                                         "{\"delta\":0]",
                                         "\xEF\xBB\xBF{}",
                                         "{\"delta\" 0}",
                                         "{'delta':0}"};
    srv_request request;

    (void)state;
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
        assert_string_equal(read_body(bodies[i], strlen(bodies[i]), &request), "body-not-json");
    assert_null(read_body(" { } ", 5, &request));
    assert_int_equal(request.n_pairs, 0);
    srv_request_clear(&request);
}

/* Cut off anywhere it is no JSON any more. */
static void request__needs_its_end(void **state)
{
    static const char body[] =
        "{\"public\": {\"a\": -1.5e+7, \"b\": \"\\uD83C\\uDF33\xC3\xA9\\n\", \"c\": [true, {}]}, "
        "\"delta\": 0.25, \"receipt\": false}";
    srv_request request;

    (void)state;
    for (size_t size = 0; size < sizeof(body) - 1; size++)
        assert_string_equal(read_body(body, size, &request), "body-not-json");
    assert_null(read_body(body, sizeof(body) - 1, &request));
    assert_int_equal(request.n_pairs, 3);
    assert_int_equal(request.pairs[2].value.kind, SRV_ARRAY);
    assert_string_equal(request.delta.text, "0.25");
    assert_int_equal(request.receipt.kind, SRV_FALSE);
    assert_int_equal(request.token.kind, SRV_ABSENT);
    srv_request_clear(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(request__takes_values_as_jansson_does),
        cmocka_unit_test(request__keeps_numbers_as_written),
        cmocka_unit_test(request__tells_a_nul_from_the_end),
        cmocka_unit_test(request__is_one_object),
        cmocka_unit_test(request__needs_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

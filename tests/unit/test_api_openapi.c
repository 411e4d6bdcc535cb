/*
 * Is openapi.json true?  Real answers, and the requests that led to them, are held against its schemas by a small
 * validator that knows the words of JSON Schema used there and refuses all others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <regex.h>

#include "make_model.h"
#include "make_service.h"
#include "openapi.h"

static json_t *document;

/* ---- validator ---- */

/* What a "$ref" leads to: "#/components/schemas/NAME". */
static const json_t *follow(const json_t *schema)
{
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    char path[128], *rest = path;
    const json_t *at = document;
    const char *part;

    if (!ref)
        return schema;
    assert_true(strncmp(ref, "#/", 2) == 0 && strlen(ref) < sizeof(path));
    snprintf(path, sizeof(path), "%s", ref + 2);
    while ((part = strsep(&rest, "/")))
        at = json_object_get(at, part);
    assert_non_null(at);
    assert_null(json_object_get(at, "$ref"));
    return at;
}

static bool is_of_type(const json_t *value, const char *type)
{
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value));
}

static bool fits(const json_t *value, const json_t *schema);

static bool fits_object(const json_t *value, const json_t *schema)
{
    const json_t *properties = json_object_get(schema, "properties"),
                 *more = json_object_get(schema, "additionalProperties");
    const char *key;
    json_t *member;

    if (!json_is_object(value))
        return true;
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        const json_t *of_member = json_object_get(properties, key);

        if (of_member ? !fits(member, of_member) : json_is_false(more) || (json_is_object(more) && !fits(member, more)))
            return false;
    }
    return true;
}

static bool fits_list(const json_t *value, const json_t *required)
{
    for (size_t i = 0; i < json_array_size(required); i++)
        if (!json_object_get(value, json_string_value(json_array_get(required, i))))
            return false;
    return true;
}

static bool fits_pattern(const json_t *value, const char *pattern)
{
    regex_t compiled;
    bool found;

    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    found = regexec(&compiled, json_string_value(value), 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* How many of the schemas in the list it fits. */
static size_t count_fits(const json_t *value, const json_t *list)
{
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(list); i++)
        n += fits(value, json_array_get(list, i));
    return n;
}

static bool fits_one_of(const json_t *value, const json_t *list, bool types)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (types ? is_of_type(value, json_string_value(json_array_get(list, i)))
                  : json_equal(value, json_array_get(list, i)))
            return true;
    return false;
}

/* One word of a schema. */
static bool fits_word(const json_t *value, const json_t *schema, const char *word, const json_t *rule)
{
    double number = json_number_value(value), bound = json_number_value(rule);

    if (strcmp(word, "type") == 0)
        return json_is_string(rule) ? is_of_type(value, json_string_value(rule)) : fits_one_of(value, rule, true);
    if (strcmp(word, "properties") == 0 || strcmp(word, "additionalProperties") == 0)
        return fits_object(value, schema);
    if (strcmp(word, "required") == 0)
        return fits_list(value, rule);
    if (strcmp(word, "enum") == 0)
        return fits_one_of(value, rule, false);
    if (strcmp(word, "const") == 0)
        return json_equal(value, rule);
    if (strcmp(word, "pattern") == 0)
        return !json_is_string(value) || fits_pattern(value, json_string_value(rule));
    if (strcmp(word, "items") == 0) {
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!fits(json_array_get(value, i), rule))
                return false;
        return true;
    }
    if (strcmp(word, "oneOf") == 0)
        return count_fits(value, rule) == 1;
    if (strcmp(word, "anyOf") == 0)
        return count_fits(value, rule) >= 1;
    if (strcmp(word, "allOf") == 0)
        return count_fits(value, rule) == json_array_size(rule);
    if (strcmp(word, "minimum") == 0)
        return number >= bound;
    if (strcmp(word, "maximum") == 0)
        return number <= bound;
    if (strcmp(word, "exclusiveMaximum") == 0)
        return number < bound;
    assert_string_equal(word, "description"); /* a word we do not know proves nothing */
    return true;
}

static bool fits(const json_t *value, const json_t *schema)
{
    const char *word;
    json_t *rule;

    schema = follow(schema);
    json_object_foreach((json_t *)(uintptr_t)schema, word, rule)
    {
        if (!fits_word(value, schema, word, rule))
            return false;
    }
    return true;
}

static const json_t *schema_of(const char *name)
{
    const json_t *schema = json_object_get(json_object_get(json_object_get(document, "components"), "schemas"), name);

    assert_non_null(schema);
    return schema;
}

static void expect_fit(const json_t *value, const char *name)
{
    if (!fits(value, schema_of(name))) {
        char *text = json_dumps(value, JSON_INDENT(1));

        print_message("not a %s: %s\n", name, text);
        free(text);
        fail();
    }
}

/* ---- answers ---- */

/* Without any one of its members it does not fit either, unless that one is optional. */
static void expect_tight(const json_t *value, const char *name, const char *optional)
{
    const char *key;
    json_t *member;

    expect_fit(value, name);
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        json_t *less = json_copy((json_t *)(uintptr_t)value);

        (void)member;
        json_object_del(less, key);
        assert_true(fits(less, schema_of(name)) == (strstr(optional, key) != NULL));
        json_object_set_new(less, key, json_array());
        if (strcmp(key, "asked") != 0 && strcmp(key, "refused") != 0 && strcmp(key, "not_asked") != 0 &&
            strcmp(key, "not_known") != 0 && strcmp(key, "models") != 0 && strcmp(key, "classes") != 0 &&
            strcmp(key, "attributes") != 0 && strcmp(key, "keys") != 0)
            assert_false(fits(less, schema_of(name)));
        json_object_set(less, key, member);
        json_object_set_new(less, "another", json_true());
        assert_false(fits(less, schema_of(name)));
        json_decref(less);
    }
}

/* Refuse everything, looking at each step. */
static void walk(test_service *t, size_t model, const char *start)
{
    json_t *request = json_loads(start, 0, NULL), *step = call_json(t, srv_api_sessions, model, start, 200), *next;

    expect_fit(request, "NewSession");
    json_decref(request);
    for (;;) {
        expect_fit(step, "Step");
        if (strcmp(text_of(step, "status"), "open") != 0)
            break;
        expect_tight(step, "OpenStep", "");
        request = json_pack("{s:s, s:s, s:b}", "token", text_of(step, "token"), "attribute",
                            text_of(json_object_get(step, "next"), "name"), "refuse", 1);
        expect_tight(request, "Answer", "");
        json_decref(request);
        next = call_answer(t, model, text_of(step, "token"), text_of(json_object_get(step, "next"), "name"), NULL, 200);
        json_decref(step);
        step = next;
    }
    expect_tight(step, "DecidedStep", "receipt receipt_unproven");
    request = json_pack("{s:s}", "token", text_of(step, "token"));
    expect_tight(request, "ReceiptRequest", "");
    next = call_receipt(t, model, text_of(step, "token"), 200);
    expect_tight(next, "ReceiptReply", "");
    json_decref(request);
    json_decref(next);
    json_decref(step);
}

static void openapi__is_true_of_steps(void **state)
{
    tacit_model *models[3] = {make_linear_model(1, 7, 2, true), make_linear_model(2, 5, 3, true),
                              make_mlp_model(1, 4, 2, true, 1, 4)};
    test_service t;

    (void)state;
    make_service(&t, 1, 0, models, 3, 0, 0.1);
    for (size_t m = 0; m < 3; m++) {
        walk(&t, m, "{}");
        walk(&t, m, "{\"public\": {}, \"delta\": 0.1, \"receipt\": true}");
    }
    free_service(&t);
    for (size_t m = 0; m < 3; m++)
        tacit_model_free(models[m]);
}

static void openapi__is_true_of_descriptions(void **state)
{
    tacit_model *models[2] = {make_linear_model(1, 7, 2, true), make_mlp_model(1, 4, 2, true, 1, 4)};
    static const struct {
        srv_endpoint *endpoint;
        const char *name;
    } cases[] = {{srv_api_model, "Model"}, {srv_api_models, "Models"}, {srv_api_key, "Key"}};
    test_service t;

    (void)state;
    make_service(&t, 1, 2, models, 2, 0, 0.1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t m = 0; m < 2; m++) {
            json_t *answer = call_json(&t, cases[i].endpoint, m, "", 200);

            expect_tight(answer, cases[i].name, "");
            json_decref(answer);
        }
    free_service(&t);
    tacit_model_free(models[0]);
    tacit_model_free(models[1]);
}

static void openapi__is_true_of_problems(void **state)
{
    const json_t *codes =
        json_object_get(json_object_get(json_object_get(schema_of("Problem"), "properties"), "code"), "enum");
    size_t seen = 0;

    (void)state;
    for (int code = 0; code < SRV_PROBLEMS; code++) {
        srv_reply reply;
        json_t *json;

        srv_problem(&reply, (srv_problem_code)code, "Expected something else.");
        json = json_loadb(reply.body, reply.size, 0, NULL);
        expect_tight(json, "Problem", "");
        json_decref(json);
        srv_reply_clear(&reply);
    }
    for (size_t i = 0; i < json_array_size(codes); i++)
        for (int code = 0; code < SRV_PROBLEMS; code++)
            if (strcmp(json_string_value(json_array_get(codes, i)), srv_problem_name((srv_problem_code)code)) == 0) {
                seen++;
                break;
            }
    assert_int_equal(seen, json_array_size(codes)); /* no code that there is not */
}

/* Problems of an operation are among those its description lists. */
static void expect_listed_by(const json_t *operation, srv_problem_code code)
{
    const json_t *responses = json_object_get(operation, "responses");
    char status[8];
    const json_t *response;

    snprintf(status, sizeof(status), "%u", srv_problem_status(code));
    response = json_object_get(responses, status);
    assert_non_null(response);
    assert_non_null(strstr(text_of(follow(response), "description"), srv_problem_name(code)));
}

static void expect_listed(const char *path, srv_problem_code code)
{
    expect_listed_by(json_object_get(json_object_get(json_object_get(document, "paths"), path), "post"), code);
}

static void openapi__lists_what_any_request_may_meet(void **state)
{
    static const srv_problem_code any[] = {SRV_BAD_REQUEST,           SRV_MISDIRECTED,          SRV_HEADERS_TOO_LARGE,
                                           SRV_TOO_MANY_FROM_ADDRESS, SRV_TOO_MANY_CONNECTIONS, SRV_INTERNAL};
    const char *path, *method;
    json_t *methods, *operation;
    size_t n = 0;

    (void)state;
    json_object_foreach(json_object_get(document, "paths"), path, methods)
        json_object_foreach(methods, method, operation)
    {
        if (strcmp(method, "get") != 0 && strcmp(method, "post") != 0)
            continue;
        n++;
        for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
            expect_listed_by(operation, any[i]);
    }
    assert_int_equal(n, 10);
}

static void openapi__lists_the_problems_of_each_operation(void **state)
{
    static const srv_problem_code both[] = {
        SRV_BODY_NOT_JSON,  SRV_BODY_TOO_DEEP, SRV_BODY_MEMBER, SRV_ATTRIBUTE_UNKNOWN,    SRV_INTERNAL,
        SRV_BODY_TOO_LARGE, SRV_MEDIA_TYPE,    SRV_TOO_SLOW,    SRV_TOO_MANY_CONNECTIONS, SRV_TOO_MANY_FROM_ADDRESS,
        SRV_NOT_FOUND};
    static const srv_problem_code answers[] = {
        SRV_TOKEN_IS_MALFORMED, SRV_TOKEN_IS_TAMPERED, SRV_TOKEN_HAS_UNKNOWN_KEY, SRV_TOKEN_HAS_OTHER_MODEL,
        SRV_TOKEN_IS_EXPIRED,   SRV_ATTRIBUTE_CLOSED,  SRV_SESSION_DECIDED,       SRV_ATTRIBUTE_NOT_ASKED,
        SRV_TOO_MANY_DECISIONS, SRV_TOO_MUCH_WORK,     SRV_TOKEN_HAS_OTHER_DELTA};
    static const srv_problem_code receipts[] = {SRV_BODY_NOT_JSON,
                                                SRV_BODY_TOO_DEEP,
                                                SRV_BODY_MEMBER,
                                                SRV_INTERNAL,
                                                SRV_BODY_TOO_LARGE,
                                                SRV_MEDIA_TYPE,
                                                SRV_TOO_SLOW,
                                                SRV_TOO_MANY_CONNECTIONS,
                                                SRV_TOO_MANY_FROM_ADDRESS,
                                                SRV_NOT_FOUND,
                                                SRV_TOKEN_IS_MALFORMED,
                                                SRV_TOKEN_IS_TAMPERED,
                                                SRV_TOKEN_HAS_UNKNOWN_KEY,
                                                SRV_TOKEN_HAS_OTHER_MODEL,
                                                SRV_TOKEN_IS_EXPIRED,
                                                SRV_SESSION_OPEN};

    (void)state;
    for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
        expect_listed("/v1/sessions", both[i]);
        expect_listed("/v1/answers", both[i]);
    }
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
        expect_listed("/v1/answers", answers[i]);
    for (size_t i = 0; i < sizeof(receipts) / sizeof(receipts[0]); i++)
        expect_listed("/v1/receipts", receipts[i]);
    expect_listed("/v1/sessions", SRV_DELTA_NOT_ALLOWED);
    expect_listed("/v1/sessions", SRV_TOO_MANY_SESSIONS);
}

static int read_document(void **state)
{
    (void)state;
    document = json_loadb((const char *)srv_openapi, srv_openapi_size, JSON_REJECT_DUPLICATES, NULL);
    return document ? 0 : -1;
}

static int drop_document(void **state)
{
    (void)state;
    json_decref(document);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openapi__is_true_of_steps),
        cmocka_unit_test(openapi__is_true_of_descriptions),
        cmocka_unit_test(openapi__is_true_of_problems),
        cmocka_unit_test(openapi__lists_the_problems_of_each_operation),
        cmocka_unit_test(openapi__lists_what_any_request_may_meet),
    };

    return cmocka_run_group_tests(tests, read_document, drop_document);
}

/*
 * test_json.c -- JSON in with places in the messages and nothing of the content, JSON out that reads back.
 */
#include "json.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text)
{
    json_t *json = NULL;

    assert_int_equal(tct_json_parse(&json, text, strlen(text), "f.json", NULL), TACIT_OK);
    return json;
}

static void expect_dump(const char *text, const char *expected)
{
    json_t *json = parse(text);
    char *out = NULL;
    size_t size = 0;

    assert_int_equal(tct_json_dump(&out, &size, json, NULL), TACIT_OK);
    assert_string_equal(out, expected);
    assert_int_equal(size, strlen(expected));
    tct_free(out);
    json_decref(json);
}

static void json__syntax_errors_have_a_place(void **state)
{
    static const struct {
        const char *text, *start;
    } cases[] = {
        {"", "f.json: not valid JSON: the file is empty"},
        {" \n ", "f.json: not valid JSON: the file is empty"},
        {"{\"a\": 1,\n  \"b\" 2}", "f.json: line 2, column "},
        {"{\"a\": 1, \"a\": 2}", "f.json: line 1, column 12: not valid JSON: duplicate object key"},
        {"{} x", "f.json: line 1, column 4: not valid JSON: end of file expected"},
        {"[1, 2", "f.json: line 1, column 5: not valid JSON: ']' expected where the file ends"},
        {"[1e999]", "f.json: line 1, column "},
        {"3", "f.json: line 1, column 1: not valid JSON: '[' or '{' expected"},
        {"[\"\xff\"]", "f.json: line 1, column "},
    };
    tacit_error err;
    json_t *json;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(tct_json_parse(&json, cases[i].text, strlen(cases[i].text), "f.json", &err), TACIT_E_INPUT);
        assert_null(json);
        if (strncmp(err.message, cases[i].start, strlen(cases[i].start)) != 0)
            fail_msg("case %zu: %s", i, err.message);
    }
}

static void json__syntax_errors_do_not_quote(void **state)
{
    static const char *const texts[] = {"{\"income\": 54321 \"diagnosis\"}", "{\"secret\": 1, \"secret\": 2}",
                                        "[secret]", "{\"a\": \"secret near 'x'\" \"secret near 'y'\"}"};
    tacit_error err;
    json_t *json;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(tct_json_parse(&json, texts[i], strlen(texts[i]), "f.json", &err), TACIT_E_INPUT);
        assert_null(strstr(err.message, "secret"));
        assert_null(strstr(err.message, "diagnosis"));
        assert_null(strstr(err.message, "54321"));
        assert_null(strstr(err.message, "near"));
    }
}

static void json__read_names_the_file(void **state)
{
    tacit_error err;
    json_t *json;

    (void)state;
    assert_int_equal(tct_json_read(&json, "/no/such.json", 100, &err), TACIT_E_IO);
    assert_null(json);
    assert_int_equal(tct_json_read(&json, "/dev/null", 100, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "/dev/null: not valid JSON: the file is empty");
}

static void json__members_are_found(void **state)
{
    json_t *json = parse("{\"s\": \"text\", \"n\": 2.5, \"i\": 3, \"l\": [1, 2.5, -3]}"), *list;
    tct_json_at at = {.file = "f.json"};
    const char *text = "left alone";
    double number = 7.0, numbers[3];
    uint64_t count;

    (void)state;
    assert_int_equal(tct_json_get_string(&text, json, "s", &at, NULL), TACIT_OK);
    assert_string_equal(text, "text");
    assert_int_equal(tct_json_get_number(&number, json, "n", &at, NULL), TACIT_OK);
    assert_true(number == 2.5);
    assert_int_equal(tct_json_get_number(&number, json, "i", &at, NULL), TACIT_OK);
    assert_true(number == 3.0);
    assert_int_equal(tct_json_get_count(&count, json, "i", &at, NULL), TACIT_OK);
    assert_int_equal(count, 3);
    assert_int_equal(tct_json_get_array(&list, json, "l", &at, NULL), TACIT_OK);
    assert_int_equal(json_array_size(list), 3);
    assert_int_equal(tct_json_get_numbers(numbers, 3, json, "l", &at, NULL), TACIT_OK);
    assert_true(numbers[0] == 1.0 && numbers[1] == 2.5 && numbers[2] == -3.0);
    assert_int_equal(tct_json_optional_number(&number, json, "none", &at, NULL), TACIT_OK);
    assert_true(number == 3.0);
    assert_int_equal(tct_json_optional_string(&text, json, "none", &at, NULL), TACIT_OK);
    assert_string_equal(text, "text");
    assert_int_equal(tct_json_optional_string(&text, json, "s", &at, NULL), TACIT_OK);
    json_decref(json);
}

static void json__wrong_members_have_a_path(void **state)
{
    json_t *json = parse("{\"min\": \"1\", \"n\": -1, \"r\": 1.5, \"w\": [1, \"2\"], \"null\": null}"), *list;
    tct_json_at root = {.file = "m.tacit"};
    tct_json_at attributes = {.parent = &root, .key = "attributes"};
    tct_json_at third = {.parent = &attributes, .index = 3};
    double number, numbers[2];
    const char *text;
    uint64_t count;
    tacit_error err;

    (void)state;
    assert_int_equal(tct_json_get_number(&number, json, "min", &third, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: attributes[3].min: expected a number");
    assert_int_equal(tct_json_optional_number(&number, json, "null", &third, &err), TACIT_E_INPUT);
    assert_int_equal(tct_json_get_number(&number, json, "max", &third, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: attributes[3].max: missing");
    assert_int_equal(tct_json_get_string(&text, json, "n", &root, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: n: expected a text");
    assert_null(text);
    assert_int_equal(tct_json_get_count(&count, json, "n", &root, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: n: expected a whole number, 0 or more");
    assert_int_equal(tct_json_get_count(&count, json, "r", &root, &err), TACIT_E_INPUT);
    assert_int_equal(tct_json_get_array(&list, json, "n", &root, &err), TACIT_E_INPUT);
    assert_null(list);
    assert_string_equal(err.message, "m.tacit: n: expected a list");
    assert_int_equal(tct_json_get_numbers(numbers, 2, json, "w", &third, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: attributes[3].w[1]: expected a number");
    assert_int_equal(tct_json_get_numbers(numbers, 1, json, "w", &root, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: w: expected 1 numbers, not 2");
    assert_int_equal(tct_json_get(&list, json_object_get(json, "w"), "x", &third, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "m.tacit: attributes[3]: expected an object");
    assert_int_equal(tct_json_fail(NULL, NULL, &err, "wrong"), TACIT_E_INPUT);
    assert_string_equal(err.message, "wrong");
    json_decref(json);
}

static void json__deep_paths_are_cut_not_overrun(void **state)
{
    tct_json_at chain[200] = {{.file = "f"}};
    tacit_error err;

    (void)state;
    for (size_t i = 1; i < 200; i++)
        chain[i] = (tct_json_at){.parent = &chain[i - 1], .key = "a-rather-long-name-for-a-key"};
    assert_int_equal(tct_json_fail(&chain[199], "end", &err, "wrong"), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "wrong"));
}

static void json__dumps_with_indentation(void **state)
{
    (void)state;
    expect_dump("{\"z\":1,\"a\":{\"b\":[],\"c\":{}},\"l\":[1,2.5,\"x\",null,true,false],\"o\":[{\"k\":-1},[3]]}",
                "{\n"
                "  \"z\": 1,\n"
                "  \"a\": {\n"
                "    \"b\": [],\n"
                "    \"c\": {}\n"
                "  },\n"
                "  \"l\": [1, 2.5, \"x\", null, true, false],\n"
                "  \"o\": [\n"
                "    {\n"
                "      \"k\": -1\n"
                "    },\n"
                "    [3]\n"
                "  ]\n"
                "}\n");
    expect_dump("[]", "[]\n");
}

static void json__long_lists_fill_lines(void **state)
{
    json_t *list = json_array(), *object = json_object(), *again = NULL;
    char *out;
    size_t size, lines = 0;

    (void)state;
    for (int i = 0; i < 1000; i++)
        json_array_append_new(list, i % 7 ? json_real(i / 7.0) : json_string("a text"));
    json_object_set_new(object, "list", list);
    assert_int_equal(tct_json_dump(&out, &size, object, NULL), TACIT_OK);
    for (const char *line = out; *line;) {
        size_t length = strcspn(line, "\n");

        assert_true(length <= 100);
        assert_true(length == 0 || line[length - 1] != ' ');
        line += length + 1;
        lines++;
    }
    assert_true(lines > 100 && lines < 300);
    assert_int_equal(tct_json_parse(&again, out, size, "f", NULL), TACIT_OK);
    assert_int_equal(json_array_size(json_object_get(again, "list")), 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_true(json_number_value(json_array_get(json_object_get(again, "list"), i)) ==
                    json_number_value(json_array_get(list, i)));
    tct_free(out);
    json_decref(again);
    json_decref(object);
}

static void json__strings_are_escaped(void **state)
{
    json_t *list = json_array();
    char *out;

    (void)state;
    expect_dump("[\"\\u0001\\b\\f\\n\\r\\t\\u001f\\u007f \\\" \\\\ / \xC3\xA9 \xF0\x9F\x98\x80\"]",
                "[\"\\u0001\\b\\f\\n\\r\\t\\u001f\\u007f \\\" \\\\ / \xC3\xA9 \xF0\x9F\x98\x80\"]\n");
    /* What is not UTF-8 can only come in behind Jansson's back, and still does not get out. */
    json_array_append_new(list, json_string_nocheck("a\xFFz\xC3"));
    json_array_append_new(list, json_string_nocheck("\xED\xA0\x80\xC0\x80"));
    assert_int_equal(tct_json_dump(&out, NULL, list, NULL), TACIT_OK);
    assert_string_equal(
        out, "[\"a\xEF\xBF\xBDz\xEF\xBF\xBD\", \"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"]\n");
    tct_free(out);
    json_decref(list);
}

static void json__numbers_read_back_exactly(void **state)
{
    const double values[] = {0.1,         -0.0, 1.0 / 3,  1e300, 5e-324, 9007199254740993.0,
                             123456789.0, NAN,  INFINITY, 1e18,  -1e17};
    const size_t n = sizeof(values) / sizeof(values[0]);
    json_t *list = tct_json_numbers(values, n), *again;
    char *out;
    size_t size;

    (void)state;
    assert_int_equal(tct_json_dump(&out, &size, list, NULL), TACIT_OK);
    assert_int_equal(tct_json_parse(&again, out, size, "f", NULL), TACIT_OK);
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(again, i);
        double value = json_number_value(item);

        if (isfinite(values[i]))
            assert_memory_equal(&value, &values[i], sizeof(value));
        else
            assert_true(json_is_null(item));
    }
    tct_free(out);
    json_decref(list);
    json_decref(again);
}

static void json__dump_survives_lack_of_memory(void **state)
{
    json_t *json =
        parse("{\"a\": [1, 2, 3], \"b\": {\"c\": [\"0123456789012345678901234567890123456789\","
              "\"0123456789012345678901234567890123456789\", \"0123456789012345678901234567890123456789\"]}}");
    uint64_t nth = 0;
    tacit_status st;
    char *out;

    (void)state;
    do {
        tct_memory_fail_at(++nth, false);
        st = tct_json_dump(&out, NULL, json, NULL);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK ? out != NULL : st == TACIT_E_MEMORY && !out);
    } while (st != TACIT_OK);
    assert_true(nth > 3);
    tct_free(out);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json__syntax_errors_have_a_place),   cmocka_unit_test(json__syntax_errors_do_not_quote),
        cmocka_unit_test(json__read_names_the_file),          cmocka_unit_test(json__members_are_found),
        cmocka_unit_test(json__wrong_members_have_a_path),    cmocka_unit_test(json__deep_paths_are_cut_not_overrun),
        cmocka_unit_test(json__dumps_with_indentation),       cmocka_unit_test(json__long_lists_fill_lines),
        cmocka_unit_test(json__strings_are_escaped),          cmocka_unit_test(json__numbers_read_back_exactly),
        cmocka_unit_test(json__dump_survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

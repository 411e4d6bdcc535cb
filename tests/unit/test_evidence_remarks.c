/*
 * test_evidence_remarks.c -- remarks are carried by schemas and models, and are checked when they are read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "remarks.h"
#include "schema.h"
#include "scratch.h"

#define SCHEMA(rest)                                                                                                   \
    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [\"a\", \"b\"]}, "       \
    "\"attributes\": [{\"name\": \"x\", \"type\": \"number\", \"min\": 0, \"max\": 1}]" rest "}"

static void remarks__make_the_round_trip(void **state)
{
    static const char *const columns[] = {"x", "a column that was left out"};
    tacit_schema *schema = NULL, *copy = NULL, *again = NULL;
    tacit_error err = {0};
    json_t *json;

    (void)state;
    assert_int_equal(tacit_schema_read(&schema, scratch_text(SCHEMA("")), &err), TACIT_OK);
    assert_true(tct_schema_is_plain(schema));
    assert_int_equal(tct_remark_add(schema, "determined", columns, 2, &err, "%s follows", "x"), TACIT_OK);
    assert_int_equal(tct_remark_add(schema, "decimal", NULL, 0, &err, "a comma"), TACIT_OK);
    assert_false(tct_schema_is_plain(schema));
    assert_int_equal(tct_schema_copy(&copy, schema, &err), TACIT_OK);
    json = tct_schema_to_json(copy);
    assert_non_null(json);
    assert_int_equal(tct_schema_from_json(&again, json,
                                          &(tct_json_at){.parent = &(tct_json_at){.file = "m"}, .key = "schema"}, &err),
                     TACIT_OK);
    json_decref(json);
    assert_int_equal(tacit_schema_remarks(again), 2);
    assert_string_equal(tacit_schema_remark(again, 0)->kind, "determined");
    assert_string_equal(tacit_schema_remark(again, 0)->text, "x follows");
    assert_int_equal(tacit_schema_remark(again, 0)->n_columns, 2);
    assert_string_equal(tacit_schema_remark(again, 0)->columns[1], columns[1]);
    assert_int_equal(tacit_schema_remark(again, 1)->n_columns, 0);
    assert_null(tacit_schema_remark(again, 2));
    assert_string_equal(tacit_schema_note(again, 1), "a comma");
    tacit_schema_free(schema);
    tacit_schema_free(copy);
    tacit_schema_free(again);
}

static void remarks__say_when_there_are_more(void **state)
{
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_schema_read(&schema, scratch_text(SCHEMA("")), &err), TACIT_OK);
    for (size_t i = 0; i < 2 * TCT_MAX_REMARKS; i++)
        assert_int_equal(tct_remark_add(schema, "constant", NULL, 0, &err, "number %zu", i), TACIT_OK);
    assert_int_equal(tacit_schema_remarks(schema), TCT_MAX_REMARKS);
    assert_string_equal(tacit_schema_remark(schema, TCT_MAX_REMARKS - 1)->kind, "more");
    tacit_schema_free(schema);
}

static void check_error(const char *text, const char *message)
{
    const char *path = scratch_text(text);
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_schema_read(&schema, path, &err), TACIT_E_INPUT);
    assert_null(schema);
    assert_string_equal(scratch_message(err.message, path), message);
}

static void remarks__are_checked(void **state)
{
    (void)state;
    check_error(SCHEMA(", \"remarks\": {}"), "remarks: expected a list");
    check_error(SCHEMA(", \"remarks\": [1]"), "remarks[0]: expected an object");
    check_error(SCHEMA(", \"remarks\": [{\"kind\": \"date\", \"columns\": []}]"), "remarks[0].text: missing");
    check_error(SCHEMA(", \"remarks\": [{\"kind\": \"date\", \"columns\": [], \"text\": \"a\\u0007\"}]"),
                "remarks[0].text: the text has a control character");
    check_error(SCHEMA(", \"remarks\": [{\"kind\": \"date\", \"columns\": [1], \"text\": \"a\"}]"),
                "remarks[0].columns[0]: expected a text");
    check_error(SCHEMA(", \"remarks\": [{\"kind\": \"\", \"columns\": [], \"text\": \"a\"}]"),
                "remarks[0].kind: the text is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remarks__make_the_round_trip),
        cmocka_unit_test(remarks__say_when_there_are_more),
        cmocka_unit_test(remarks__are_checked),
    };

    return cmocka_run_group_tests_name("remarks", tests, NULL, NULL);
}

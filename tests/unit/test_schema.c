/*
 * Schemas as JSON and as objects: what is written reads back, every mistake is named with its place, roles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schema.h"
#include "scratch.h"

#define HEAD "{\"format\": \"tacit-schema\", \"version\": 1, "
#define LABEL "\"label\": {\"name\": \"y\", \"classes\": [\"no\", \"yes\"]}, "
#define AGE "{\"name\": \"age\", \"type\": \"integer\", \"min\": 18, \"max\": 95}"
#define INCOME "{\"name\": \"income\", \"type\": \"number\", \"min\": -1.5, \"max\": 1e6, \"fill\": 0.1}"
#define JOB                                                                                                            \
    "{\"name\": \"job\", \"type\": \"category\", \"encoding\": \"ordinal\", \"levels\": [\"a\", \"b\", \"?\"], "       \
    "\"missing_level\": \"?\", \"role\": \"public\", \"cost\": 2.5, \"question\": \"Your job?\", \"help\": \"Main "    \
    "one\"}"
#define GOOD HEAD LABEL "\"attributes\": [" AGE ", " INCOME ", " JOB "]}"

static tacit_schema *read_good(void)
{
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_read(&schema, scratch_text(GOOD), &err))
        fail_msg("%s", err.message);
    return schema;
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

/* An attribute in an otherwise good schema. */
static void check_attribute_error(const char *attribute, const char *message)
{
    char text[4000];

    snprintf(text, sizeof(text), "%s%s\"attributes\": [%s, %s]}", HEAD, LABEL, AGE, attribute);
    check_error(text, message);
}

static void schema__reads_everything(void **state)
{
    tacit_schema *schema = read_good();
    const tacit_attribute *age, *income, *job;

    (void)state;
    assert_string_equal(tacit_schema_label(schema), "y");
    assert_int_equal(tacit_schema_classes(schema), 2);
    assert_string_equal(tacit_schema_class(schema, 1), "yes");
    assert_null(tacit_schema_class(schema, 2));
    assert_int_equal(tacit_schema_attributes(schema), 3);
    assert_null(tacit_schema_attribute(schema, 3));
    assert_int_equal(tacit_schema_notes(schema), 0);
    age = tacit_schema_attribute(schema, tacit_schema_find(schema, "age"));
    income = tacit_schema_attribute(schema, 1);
    job = tacit_schema_attribute(schema, 2);
    assert_int_equal(age->type, TACIT_INTEGER);
    assert_int_equal(age->role, TACIT_SENSITIVE);
    assert_true(age->cost == 1 && age->min == 18 && age->max == 95 && age->fill == 56);
    assert_string_equal(age->question, "Please give: age");
    assert_string_equal(age->help, "");
    assert_true(age->missing_level == TACIT_NONE);
    assert_true(income->type == TACIT_NUMBER && income->min == -1.5 && income->max == 1e6 && income->fill == 0.1);
    assert_true(job->type == TACIT_CATEGORY && job->encoding == TACIT_ORDINAL && job->n_levels == 3);
    assert_int_equal(job->missing_level, 2);
    assert_int_equal(job->role, TACIT_PUBLIC);
    assert_true(job->cost == 2.5);
    assert_string_equal(job->question, "Your job?");
    assert_string_equal(job->help, "Main one");
    tacit_schema_free(schema);
}

static void schema__writes_what_it_reads(void **state)
{
    tacit_schema *schema = read_good(), *copy = NULL, *again = NULL;
    const char *path = scratch_text(""), *path2 = scratch_text("");
    char *text = NULL, *text2 = NULL;
    size_t size, size2;

    (void)state;
    assert_int_equal(tct_schema_copy(&copy, schema, NULL), TACIT_OK);
    assert_int_equal(tacit_schema_write(copy, path, NULL), TACIT_OK);
    assert_int_equal(tacit_schema_read(&again, path, NULL), TACIT_OK);
    assert_int_equal(tacit_schema_write(again, path2, NULL), TACIT_OK);
    assert_int_equal(tct_file_read(&text, &size, path, 1 << 20, NULL), TACIT_OK);
    assert_int_equal(tct_file_read(&text2, &size2, path2, 1 << 20, NULL), TACIT_OK);
    assert_string_equal(text, text2);
    assert_true(again->attributes[1].fill == 0.1);
    tct_free(text);
    tct_free(text2);
    tacit_schema_free(schema);
    tacit_schema_free(copy);
    tacit_schema_free(again);
}

static void schema__rejects_other_files(void **state)
{
    (void)state;
    check_error("[]", "expected an object");
    check_error("{}", "format: missing");
    check_error("{\"format\": \"tacit-model\", \"version\": 1}", "format: expected \"tacit-schema\"");
    check_error("{\"format\": \"tacit-schema\", \"version\": 2}",
                "version: version 2, but this program reads version 1");
    check_error(HEAD "\"labels\": 1}", "labels: unknown key; did you mean label?");
    check_error(HEAD "\"attributes\": []}", "label: missing");
}

static void schema__rejects_bad_labels(void **state)
{
    (void)state;
    check_error(HEAD "\"label\": 3}", "label: expected an object");
    check_error(HEAD "\"label\": {\"name\": \"y\"}}", "label.classes: missing");
    check_error(HEAD "\"label\": {\"name\": \"\", \"classes\": [\"a\", \"b\"]}}", "label.name: the text is empty");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"a\"]}}",
                "label.classes: expected 2 to 64 entries, not 1");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"a\", 1]}}", "label.classes[1]: expected a text");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"a\", \"b\", \"a\"]}}",
                "label.classes[2]: the same as [0]");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"clases\": []}}",
                "label.clases: unknown key; did you mean classes?");
}

static void schema__rejects_bad_attributes(void **state)
{
    (void)state;
    check_error(HEAD LABEL "\"attributes\": []}", "attributes: expected 1 to 512 attributes, not 0");
    check_error(HEAD LABEL "\"attributes\": 5}", "attributes: expected a list");
    check_attribute_error("7", "attributes[1]: expected an object");
    check_attribute_error("{}", "attributes[1].type: missing");
    check_attribute_error("{\"type\": \"date\"}",
                          "attributes[1].type: expected \"number\", \"integer\" or \"category\"");
    check_attribute_error(AGE, "attributes[1].name: the same as attributes[0].name");
    check_attribute_error("{\"name\": \"y\", \"type\": \"number\", \"min\": 0, \"max\": 1}",
                          "attributes[1].name: the label cannot be an attribute");
    check_attribute_error("{\"name\": \"a\\u001b\", \"type\": \"number\", \"min\": 0, \"max\": 1}",
                          "attributes[1].name: the text has a control character");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"maximum\": 1}",
                          "attributes[1].maximum: unknown key");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"mx\": 1}",
                          "attributes[1].mx: unknown key; did you mean max?");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 1, \"cost\": 0}",
                          "attributes[1].cost: expected a number above 0 and at most 1e+09");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 1, \"role\": \"secret\"}",
                          "attributes[1].role: expected \"public\" or \"sensitive\"");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 1, \"help\": 1}",
                          "attributes[1].help: expected a text");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 1, \"question\": \"a\\nb\"}",
                          "attributes[1].question: the text has a control character");
}

static void schema__rejects_bad_ranges(void **state)
{
    (void)state;
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"max\": 1}", "attributes[1].min: missing");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 2, \"max\": 1}",
                          "attributes[1].max: smaller than min");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": -1e308, \"max\": 1e308}",
                          "attributes[1].max: too far from min");
    check_attribute_error("{\"name\": \"a\", \"type\": \"integer\", \"min\": 0.5, \"max\": 1}",
                          "attributes[1].min: expected a whole number");
    check_attribute_error("{\"name\": \"a\", \"type\": \"integer\", \"min\": 0, \"max\": 1.5}",
                          "attributes[1].max: expected a whole number");
    check_attribute_error("{\"name\": \"a\", \"type\": \"integer\", \"min\": 0, \"max\": 1000000}",
                          "attributes[1].max: more than 1000000 values: make it a number");
    check_attribute_error("{\"name\": \"a\", \"type\": \"integer\", \"min\": 0, \"max\": 9, \"fill\": 0.5}",
                          "attributes[1].fill: expected a whole number");
    check_attribute_error("{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 9, \"fill\": 10}",
                          "attributes[1].fill: expected a number from min to max");
}

static void schema__rejects_bad_levels(void **state)
{
    (void)state;
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\"}", "attributes[1].levels: missing");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": []}",
                          "attributes[1].levels: expected 1 to 1000 entries, not 0");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"x\", \"\"]}",
                          "attributes[1].levels[1]: the text is empty");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"x\"], \"missing_level\": \"z\"}",
                          "attributes[1].missing_level: expected one of the levels, or null");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"x\"], \"missing_level\": 0}",
                          "attributes[1].missing_level: expected one of the levels, or null");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"x\"], \"encoding\": \"hash\"}",
                          "attributes[1].encoding: expected \"onehot\" or \"ordinal\"");
    check_attribute_error("{\"name\": \"a\", \"type\": \"category\", \"levels\": [\"x\"], \"min\": 0}",
                          "attributes[1].min: unknown key");
}

static void schema__limits_the_inputs(void **state)
{
    tct_text text = {0};

    (void)state;
    tct_text_printf(&text, "%s%s\"attributes\": [", HEAD, LABEL);
    for (int a = 0; a < 5; a++) {
        tct_text_printf(&text, "%s{\"name\": \"a%d\", \"type\": \"category\", \"levels\": [", a ? ", " : "", a);
        for (int level = 0; level < 900; level++)
            tct_text_printf(&text, "%s\"%d\"", level ? ", " : "", level);
        tct_text_printf(&text, "]}");
    }
    tct_text_printf(&text, "]}");
    check_error(text.bytes, "attributes: more than 4096 numbers once encoded");
    tct_text_free(&text);
}

static void check_roles(const tacit_schema *schema, const char *expected)
{
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(schema->attributes[i].role, expected[i] == 's' ? TACIT_SENSITIVE : TACIT_PUBLIC);
}

static void schema__sets_roles(void **state)
{
    tacit_schema *schema = read_good();

    (void)state;
    assert_int_equal(tacit_schema_set_roles(schema, NULL, NULL, NULL), TACIT_OK);
    check_roles(schema, "ssp");
    assert_int_equal(tacit_schema_set_roles(schema, "job , income", NULL, NULL), TACIT_OK);
    check_roles(schema, "pss");
    assert_int_equal(tacit_schema_set_roles(schema, NULL, "income", NULL), TACIT_OK);
    check_roles(schema, "sps");
    assert_int_equal(tacit_schema_set_roles(schema, "income", "age", NULL), TACIT_OK);
    check_roles(schema, "pss");
    assert_int_equal(tacit_schema_set_roles(schema, "", NULL, NULL), TACIT_OK);
    check_roles(schema, "ppp");
    tacit_schema_free(schema);
}

static void schema__rejects_bad_roles(void **state)
{
    static const struct {
        const char *sensitive, *public_, *message;
    } cases[] = {
        {"agee", NULL, "unknown attribute agee; did you mean age?"},
        {NULL, "zebra", "unknown attribute zebra"},
        {"age,age", NULL, "age is named twice"},
        {"age", "job,age", "age is named both sensitive and public"},
        {"y", NULL, "y is the label: it has no role"},
    };
    tacit_schema *schema = read_good();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tacit_error err = {0};

        assert_int_equal(tacit_schema_set_roles(schema, cases[i].sensitive, cases[i].public_, &err), TACIT_E_USAGE);
        assert_string_equal(err.message, cases[i].message);
        check_roles(schema, "ssp");
    }
    tacit_schema_free(schema);
}

static void schema__survives_every_failed_allocation(void **state)
{
    const char *path = scratch_text(GOOD);
    tacit_status st = TACIT_E_MEMORY;

    (void)state;
    for (uint64_t nth = 1; st; nth++) {
        tacit_schema *schema = NULL, *copy = NULL;
        tacit_error err = {0};

        tct_memory_fail_at(nth, false);
        st = tacit_schema_read(&schema, path, &err);
        if (!st)
            st = tct_schema_copy(&copy, schema, &err);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_int_equal(copy != NULL, st == TACIT_OK);
        tacit_schema_free(schema);
        tacit_schema_free(copy);
        assert_true(nth < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema__reads_everything),
        cmocka_unit_test(schema__writes_what_it_reads),
        cmocka_unit_test(schema__rejects_other_files),
        cmocka_unit_test(schema__rejects_bad_labels),
        cmocka_unit_test(schema__rejects_bad_attributes),
        cmocka_unit_test(schema__rejects_bad_ranges),
        cmocka_unit_test(schema__rejects_bad_levels),
        cmocka_unit_test(schema__limits_the_inputs),
        cmocka_unit_test(schema__sets_roles),
        cmocka_unit_test(schema__rejects_bad_roles),
        cmocka_unit_test(schema__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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
#define ONE "\"attributes\": [" AGE "]}"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define CSV                                                                                                            \
    "\"csv\": {\"separator\": \"tab\", \"missing\": \"?, NA\", \"header\": false, \"names\": [\"age\", \"the "         \
    "label\"], "                                                                                                       \
    "\"skip_lines\": 3}, "
#define ABOUT                                                                                                          \
    "\"about\": {\"title\": \"People\", \"source\": \"made up\", \"licence\": \"CC0\", \"file\": \"people.csv\", "     \
    "\"sha256\": \"" HASH "\", \"note\": \"None of them exists.\"}, "

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

static tacit_schema *read_text(const char *text)
{
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_read(&schema, scratch_text(text), &err))
        fail_msg("%s", err.message);
    return schema;
}

static void check_file_parts(const tacit_schema *schema)
{
    tacit_csv_options csv = {0};

    tacit_schema_csv(schema, &csv);
    assert_int_equal(csv.separator, '\t');
    assert_string_equal(csv.missing, "?, NA");
    assert_true(csv.no_header);
    assert_string_equal(csv.names, "age,the label");
    assert_int_equal(csv.skip_lines, 3);
    assert_string_equal(tacit_schema_about(schema, "title"), "People");
    assert_string_equal(tacit_schema_about(schema, "source"), "made up");
    assert_string_equal(tacit_schema_about(schema, "licence"), "CC0");
    assert_string_equal(tacit_schema_about(schema, "file"), "people.csv");
    assert_string_equal(tacit_schema_about(schema, "sha256"), HASH);
    assert_string_equal(tacit_schema_about(schema, "note"), "None of them exists.");
    assert_string_equal(tacit_schema_about(schema, "author"), "");
}

static void schema__says_how_its_file_is_written(void **state)
{
    tacit_schema *schema = read_text(HEAD CSV LABEL ABOUT ONE), *copy = NULL, *again = NULL;
    const char *path = scratch_text("");

    (void)state;
    check_file_parts(schema);
    assert_int_equal(tct_schema_copy(&copy, schema, NULL), TACIT_OK);
    tacit_schema_free(schema);
    check_file_parts(copy);
    assert_int_equal(tacit_schema_write(copy, path, NULL), TACIT_OK);
    assert_int_equal(tacit_schema_read(&again, path, NULL), TACIT_OK);
    check_file_parts(again);
    tacit_schema_free(copy);
    tacit_schema_free(again);
}

static void schema__leaves_options_that_were_given(void **state)
{
    tacit_schema *schema = read_text(HEAD CSV LABEL ONE), *plain = read_good();
    tacit_csv_options csv = {.separator = ';', .missing = "-", .no_header = true, .names = "a,b", .skip_lines = 1};

    (void)state;
    for (int i = 0; i < 2; i++) {
        tacit_schema_csv(i ? plain : schema, &csv);
        assert_int_equal(csv.separator, ';');
        assert_string_equal(csv.missing, "-");
        assert_string_equal(csv.names, "a,b");
        assert_true(csv.no_header);
        assert_int_equal(csv.skip_lines, 1);
    }
    csv = (tacit_csv_options){0};
    tacit_schema_csv(plain, &csv);
    assert_true(!csv.separator && !csv.missing[0] && !csv.no_header && !csv.names && csv.skip_lines == 0);
    assert_string_equal(tacit_schema_about(plain, "title"), "");
    tacit_schema_free(schema);
    tacit_schema_free(plain);
}

/* Saying nothing is like leaving it out. */
static void schema__writes_no_empty_parts(void **state)
{
    tacit_schema *schema = read_text(HEAD "\"csv\": {\"header\": true, \"skip_lines\": 0}, \"about\": {}, " LABEL ONE);
    json_t *json = tct_schema_to_file_json(schema);

    (void)state;
    assert_non_null(json);
    assert_null(json_object_get(json, "csv"));
    assert_null(json_object_get(json, "about"));
    json_decref(json);
    tacit_schema_free(schema);
}

/* Model files hold schemas and what they are about, but not which file the data came from. */
static void schema__inside_a_model_is_about_no_file(void **state)
{
    tacit_schema *schema = read_text(HEAD CSV ABOUT LABEL ONE), *again = NULL;
    tct_json_at model = {.file = "model"}, inside = {.file = "model", .parent = &model, .key = "schema"};
    json_t *json = tct_schema_to_json(schema), *file = tct_schema_to_file_json(schema);
    tacit_error err = {0};

    (void)state;
    assert_true(json && file);
    assert_int_equal(json_object_size(json_object_get(json, "csv")), 1); /* how files of other people are read, too */
    assert_non_null(json_object_get(json_object_get(json, "csv"), "missing"));
    assert_null(json_object_get(json_object_get(json, "about"), "file"));
    assert_null(json_object_get(json_object_get(json, "about"), "sha256"));
    assert_int_equal(tct_schema_from_json(&again, json, &inside, NULL), TACIT_OK);
    assert_string_equal(tacit_schema_about(again, "title"), "People");
    assert_string_equal(tacit_schema_about(again, "file"), "");
    tacit_schema_free(again);
    assert_int_equal(tct_schema_from_json(&again, file, &inside, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "model: schema.csv.separator: unknown key");
    assert_null(again);
    json_decref(json);
    json_decref(file);
    tacit_schema_free(schema);
}

/* A member in an otherwise good schema. */
static void check_member_error(const char *member, const char *message)
{
    char text[4000];

    snprintf(text, sizeof(text), "%s%s, %s%s", HEAD, member, LABEL, ONE);
    check_error(text, message);
}

static void schema__rejects_bad_csv(void **state)
{
    (void)state;
    check_member_error("\"csv\": 1", "csv: expected an object");
    check_member_error("\"csv\": null", "csv: expected an object");
    check_member_error("\"csv\": {\"seperator\": \";\"}", "csv.seperator: unknown key; did you mean separator?");
    check_member_error("\"csv\": {\"separator\": 5}", "csv.separator: expected a text");
    check_member_error("\"csv\": {\"separator\": \"\"}",
                       "csv.separator: expected one character other than the quote, or \"tab\"");
    check_member_error("\"csv\": {\"separator\": \";;\"}",
                       "csv.separator: expected one character other than the quote, or \"tab\"");
    check_member_error("\"csv\": {\"separator\": \"\\n\"}",
                       "csv.separator: expected one character other than the quote, or \"tab\"");
    check_member_error("\"csv\": {\"missing\": [\"?\"]}", "csv.missing: expected a text");
    check_member_error("\"csv\": {\"missing\": \"\"}", "csv.missing: the text is empty");
    check_member_error("\"csv\": {\"missing\": \"  \"}", "csv.missing: expected markers separated by commas");
    check_member_error("\"csv\": {\"missing\": \"?,,NA\"}", "csv.missing: expected markers separated by commas");
    check_member_error("\"csv\": {\"header\": \"no\"}", "csv.header: expected true or false");
    check_member_error("\"csv\": {\"skip_lines\": -1}", "csv.skip_lines: expected a whole number, 0 or more");
    check_member_error("\"csv\": {\"skip_lines\": 1000000001}",
                       "csv.skip_lines: expected a whole number from 0 to 1000000000");
}

static void schema__rejects_bad_column_names(void **state)
{
    (void)state;
    check_member_error("\"csv\": {\"names\": [\"age\", \"y\"]}",
                       "csv.names: only for a file without header: \"header\": false");
    check_member_error("\"csv\": {\"header\": false, \"names\": \"age,y\"}", "csv.names: expected a list");
    check_member_error("\"csv\": {\"header\": false, \"names\": []}", "csv.names: expected 1 to 10000 entries, not 0");
    check_member_error("\"csv\": {\"header\": false, \"names\": [\"age\", 2]}", "csv.names[1]: expected a text");
    check_member_error("\"csv\": {\"header\": false, \"names\": [\"age\", \"age\"]}", "csv.names[1]: the same as [0]");
    check_member_error("\"csv\": {\"header\": false, \"names\": [\"age\", \"y \"]}",
                       "csv.names[1]: the text begins or ends with a blank");
}

static void schema__rejects_bad_about(void **state)
{
    static const char *const keys[] = {"title", "source", "licence", "file", "note"};
    char member[100], message[100];

    (void)state;
    check_member_error("\"about\": \"People\"", "about: expected an object");
    check_member_error("\"about\": {\"license\": \"CC0\"}", "about.license: unknown key; did you mean licence?");
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        snprintf(member, sizeof(member), "\"about\": {\"%s\": 7}", keys[i]);
        snprintf(message, sizeof(message), "about.%s: expected a text", keys[i]);
        check_member_error(member, message);
        snprintf(member, sizeof(member), "\"about\": {\"%s\": \"a\\u001b[2J\"}", keys[i]);
        snprintf(message, sizeof(message), "about.%s: the text has a control character", keys[i]);
        check_member_error(member, message);
    }
    check_member_error("\"about\": {\"title\": \"\"}", "about.title: the text is empty");
    check_member_error("\"about\": {\"sha256\": \"" HASH "0\"}",
                       "about.sha256: expected 64 hexadecimal digits in small letters");
    check_member_error("\"about\": {\"sha256\": \"abc\"}",
                       "about.sha256: expected 64 hexadecimal digits in small letters");
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
                "label.classes: expected 2 to 256 entries, not 1");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"a\", 1]}}", "label.classes[1]: expected a text");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"a\", \"b\", \"a\"]}}",
                "label.classes[2]: the same as [0]");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"clases\": []}}",
                "label.clases: unknown key; did you mean classes?");
}

static void schema__rejects_bad_attributes(void **state)
{
    (void)state;
    check_error(HEAD LABEL "\"attributes\": []}", "attributes: expected 1 to 8192 attributes, not 0");
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
    for (int a = 0; a < 10; a++) {
        tct_text_printf(&text, "%s{\"name\": \"a%d\", \"type\": \"category\", \"levels\": [", a ? ", " : "", a);
        for (int level = 0; level < 900; level++)
            tct_text_printf(&text, "%s\"%d\"", level ? ", " : "", level);
        tct_text_printf(&text, "]}");
    }
    tct_text_printf(&text, "]}");
    check_error(text.bytes, "attributes: more than 8192 numbers once encoded");
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
    const char *path = scratch_text(HEAD CSV ABOUT LABEL "\"attributes\": [" AGE ", " INCOME ", " JOB "]}");
    const char *written = scratch_text("");
    tacit_status st = TACIT_E_MEMORY;

    (void)state;
    for (uint64_t nth = 1; st; nth++) {
        tacit_schema *schema = NULL, *copy = NULL;
        tacit_error err = {0};

        tct_memory_fail_at(nth, false);
        st = tacit_schema_read(&schema, path, &err);
        if (!st)
            st = tct_schema_copy(&copy, schema, &err);
        if (!st)
            st = tacit_schema_write(copy, written, &err);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_true(copy != NULL || st);
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
        cmocka_unit_test(schema__says_how_its_file_is_written),
        cmocka_unit_test(schema__leaves_options_that_were_given),
        cmocka_unit_test(schema__writes_no_empty_parts),
        cmocka_unit_test(schema__inside_a_model_is_about_no_file),
        cmocka_unit_test(schema__rejects_bad_csv),
        cmocka_unit_test(schema__rejects_bad_column_names),
        cmocka_unit_test(schema__rejects_bad_about),
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

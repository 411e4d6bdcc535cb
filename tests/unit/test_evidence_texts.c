/*
 * What people are shown in place of codes: read, written, copied, kept in model files, and picked by language.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "schema.h"
#include "scratch.h"

#define HEAD "{\"format\": \"tacit-schema\", \"version\": 1, "
#define ABOUT                                                                                                          \
    "\"about\": {\"title\": {\"en\": \"Loans\", \"de\": \"Kredite\"}, \"file\": \"a.csv\", \"purpose\": \"credit\", "  \
    "\"controller\": \"Bank\", \"legal_basis\": \"Art. 6\", \"retention\": \"none\", \"contact\": "                    \
    "\"dpo@example.org\", "                                                                                            \
    "\"model_owner\": \"Risk\", \"date\": \"2026-01-01\", \"privacy_notice\": {\"de\": \"Nichts wird behalten.\"}, "   \
    "\"human_review\": {\"de\": \"Frag\", \"fr\": \"Demandez\"}}, "
#define LABEL                                                                                                          \
    "\"label\": {\"name\": \"y\", \"classes\": [\"0\", \"1\"], \"text\": {\"en\": \"Credit\", \"de\": \"Kredit\"}, "   \
    "\"texts\": {\"1\": {\"en\": \"granted\", \"de\": \"bewilligt\"}}}, "
#define AGE "{\"name\": \"age\", \"type\": \"integer\", \"min\": 18, \"max\": 95, \"text\": {\"de\": \"Alter\"}}"
#define SALARY                                                                                                         \
    "{\"name\": \"pay\", \"type\": \"number\", \"min\": 0, \"max\": 9, \"missing\": \"value\", \"question\": "         \
    "{\"en\": \"Your pay?\", \"de\": \"Ihr Lohn?\"}, \"help\": {\"de\": \"Netto\"}}"
#define HEALTH                                                                                                         \
    "{\"name\": \"ill\", \"type\": \"category\", \"levels\": [\"A1\", \"A2\", \"?\"], \"missing_level\": \"?\", "      \
    "\"missing\": \"refused\", \"special\": \"health\", \"text\": \"Illness\", \"texts\": {\"A2\": \"often\", "        \
    "\"?\": {\"en\": \"not known\", \"de\": \"nicht bekannt\"}}}"
#define PLAIN "{\"name\": \"job\", \"type\": \"category\", \"levels\": [\"a\", \"?\"], \"missing_level\": \"?\"}"
#define GOOD HEAD ABOUT LABEL "\"attributes\": [" AGE ", " SALARY ", " HEALTH ", " PLAIN "]}"
#define OLD HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"0\", \"1\"]}, \"attributes\": [" PLAIN "]}"

#define SAID                                                                                                           \
    "{\"label\": \"x\", \"classes\": {\"0\": \"no\"}, \"about\": {\"contact\": {\"de\": \"wir\"}}, \"attributes\": "   \
    "{\"ill\": {\"text\": \"Health\", \"question\": \"How are you?\", \"help\": {\"de\": \"Ja\"}, \"texts\": "         \
    "{\"A1\": "                                                                                                        \
    "\"seldom\"}, \"special\": \"health\"}}}"

static tacit_schema *read_text(const char *text)
{
    tacit_schema *schema = NULL;
    tacit_error err = {0};

    if (tacit_schema_read(&schema, scratch_text(text), &err))
        fail_msg("%s", err.message);
    return schema;
}

static void check_texts(const tacit_schema *s)
{
    assert_string_equal(tacit_schema_label_text(s, "de"), "Kredit");
    assert_string_equal(tacit_schema_label_text(s, NULL), "Credit");
    assert_string_equal(tacit_schema_label_text(s, "fr"), "Credit");
    assert_string_equal(tacit_schema_class_text(s, 0, "de"), "0");
    assert_string_equal(tacit_schema_class_text(s, 1, "de"), "bewilligt");
    assert_string_equal(tacit_schema_class_text(s, 2, "de"), "");
    assert_string_equal(tacit_schema_name_text(s, 0, "en"), "Alter"); /* better than a code */
    assert_string_equal(tacit_schema_name_text(s, 1, "de"), "pay");
    assert_string_equal(tacit_schema_name_text(s, 4, "de"), "");
    assert_string_equal(tacit_schema_question_text(s, 0, "de"), "Bitte angeben: Alter");
    assert_string_equal(tacit_schema_question_text(s, 1, "de"), "Ihr Lohn?");
    assert_string_equal(tacit_schema_question_text(s, 1, NULL), "Your pay?");
    assert_string_equal(tacit_schema_question_text(s, 2, "en"), "Please give: Illness");
    assert_string_equal(tacit_schema_question_text(s, 3, "de"), "Bitte angeben: job");
    assert_string_equal(tacit_schema_question_text(s, 4, "de"), "");
    assert_string_equal(tacit_schema_attribute(s, 1)->question, "Your pay?");
    assert_string_equal(tacit_schema_help_text(s, 0, "de"), "");
    assert_string_equal(tacit_schema_help_text(s, 1, "en"), "Netto");
    assert_string_equal(tacit_schema_help_text(s, 4, "en"), "");
    assert_string_equal(tacit_schema_level_text(s, 2, 0, "de"), "A1");
    assert_string_equal(tacit_schema_level_text(s, 2, 1, "de"), "often");
    assert_string_equal(tacit_schema_level_text(s, 2, 2, "de"), "nicht bekannt");
    assert_string_equal(tacit_schema_level_text(s, 2, 3, "de"), "");
    assert_string_equal(tacit_schema_level_text(s, 3, 0, "de"), "a");
    assert_string_equal(tacit_schema_level_text(s, 9, 0, "de"), "");
    assert_string_equal(tacit_schema_attribute(s, 0)->special, "");
    assert_string_equal(tacit_schema_attribute(s, 2)->special, "health");
    assert_false(tacit_schema_attribute(s, 0)->missing_is_value);
    assert_true(tacit_schema_attribute(s, 1)->missing_is_value);
    assert_false(tacit_schema_attribute(s, 2)->missing_is_value);
    assert_true(tacit_schema_attribute(s, 3)->missing_is_value); /* a level stands for it */
    assert_string_equal(tacit_schema_about_text(s, "title", "de"), "Kredite");
    assert_string_equal(tacit_schema_about(s, "title"), "Loans");
    assert_string_equal(tacit_schema_about_text(s, "privacy_notice", "en"), "Nichts wird behalten.");
    assert_string_equal(tacit_schema_about_text(s, "human_review", NULL), "Frag");
    assert_string_equal(tacit_schema_about_text(s, "contact", "de"), "dpo@example.org");
    assert_string_equal(tacit_schema_about_text(s, "source", "de"), "");
    assert_string_equal(tacit_schema_about_text(s, "nothing", "de"), "");
}

static void texts__are_picked_by_language(void **state)
{
    tacit_schema *schema = read_text(GOOD);

    (void)state;
    check_texts(schema);
    tacit_schema_free(schema);
}

static void texts__survive_copies_and_files(void **state)
{
    tacit_schema *schema = read_text(GOOD), *copy = NULL, *again = NULL;
    tct_json_at model = {.file = "model"}, inside = {.file = "model", .parent = &model, .key = "schema"};
    json_t *one, *two;

    (void)state;
    assert_int_equal(tct_schema_copy(&copy, schema, NULL), TACIT_OK);
    tacit_schema_free(schema);
    check_texts(copy);
    one = tct_schema_to_json(copy);
    assert_int_equal(tct_schema_from_json(&again, one, &inside, NULL), TACIT_OK);
    check_texts(again);
    two = tct_schema_to_json(again);
    assert_true(json_equal(one, two));
    assert_string_equal(tacit_schema_about(copy, "file"), "a.csv");
    assert_string_equal(tacit_schema_about(again, "file"), "");
    json_decref(one);
    json_decref(two);
    tacit_schema_free(copy);
    tacit_schema_free(again);
}

/* Files of before are written as before. */
static void texts__leave_no_clutter(void **state)
{
    static const char *const keys[] = {"about", "csv"};
    static const char *const attribute_keys[] = {"text", "texts", "special", "missing"};
    tacit_schema *schema = read_text(OLD), *texts = read_text(GOOD);
    json_t *json = tct_schema_to_file_json(schema);
    const json_t *label = json_object_get(json, "label");
    const json_t *attribute = json_array_get(json_object_get(json, "attributes"), 0);

    (void)state;
    for (size_t i = 0; i < 2; i++)
        assert_null(json_object_get(json, keys[i]));
    for (size_t i = 0; i < 4; i++)
        assert_null(json_object_get(attribute, attribute_keys[i]));
    assert_int_equal(json_object_size(label), 2);
    assert_string_equal(json_string_value(json_object_get(attribute, "question")), "Please give: job");
    assert_true(tct_schema_is_plain(schema));
    assert_false(tct_schema_is_plain(texts));
    json_decref(json);
    tacit_schema_free(schema);
    tacit_schema_free(texts);
}

static void texts__are_written_for_reports(void **state)
{
    tacit_schema *schema = read_text(GOOD);
    json_t *json = tct_schema_texts_json(schema);
    json_t *attributes = json_object_get(json, "attributes"), *ill = json_object_get(attributes, "ill");

    (void)state;
    assert_int_equal(json_object_size(attributes), 4);
    assert_string_equal(json_string_value(json_object_get(ill, "text")), "Illness");
    assert_string_equal(json_string_value(json_object_get(json_object_get(ill, "texts"), "A2")), "often");
    assert_string_equal(json_string_value(json_object_get(ill, "special")), "health");
    assert_string_equal(json_string_value(json_object_get(json_object_get(json, "label"), "de")), "Kredit");
    assert_int_equal(json_object_size(json_object_get(json, "classes")), 1);
    assert_string_equal(json_string_value(json_object_get(json_object_get(json, "about"), "contact")),
                        "dpo@example.org");
    json_decref(json);
    tacit_schema_free(schema);
}

/* What one schema shows, said of another one that knows only names. */
static void texts__can_be_said_of_a_schema(void **state)
{
    tacit_schema *schema = read_text(GOOD), *plain = read_text(GOOD);
    char *text = NULL, *again = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tacit_schema_texts(&text, schema, NULL), TACIT_OK);
    for (size_t a = 0; a < plain->n_attributes; a++) {
        tct_attribute_texts_clear(&plain->texts[a]);
        assert_int_equal(tacit_schema_set_texts(plain, "{}", NULL), TACIT_OK);
    }
    assert_int_equal(tacit_schema_set_texts(plain, text, &err), TACIT_OK);
    check_texts(plain);
    assert_int_equal(tacit_schema_texts(&again, plain, NULL), TACIT_OK);
    assert_string_equal(text, again);
    assert_int_equal(tacit_schema_set_texts(plain, "{\"attributes\": {\"aeg\": {}}}", &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "texts: attributes.aeg: no such attribute");
    assert_int_equal(tacit_schema_set_texts(plain, "{\"label\": \"x\", \"classes\": {\"2\": \"a\"}}", &err),
                     TACIT_E_INPUT);
    assert_string_equal(err.message, "texts: classes.2: no such class");
    assert_int_equal(tacit_schema_set_texts(plain, "{\"attributes\": {\"age\": {\"texts\": {}}}}", &err),
                     TACIT_E_INPUT);
    check_texts(plain); /* as it was */
    tacit_text_free(text);
    tacit_text_free(again);
    tacit_schema_free(schema);
    tacit_schema_free(plain);
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

static void check_attribute_error(const char *member, const char *message)
{
    char text[4000];

    snprintf(
        text, sizeof(text),
        "%s\"label\": {\"name\": \"y\", \"classes\": [\"0\", \"1\"]}, \"attributes\": [{\"name\": \"a\", \"type\": "
        "\"category\", \"levels\": [\"left\", \"right\"], %s}]}",
        HEAD, member);
    check_error(text, message);
}

static void texts__that_are_wrong_are_named(void **state)
{
    char text[1002], member[1200];

    (void)state;
    check_attribute_error("\"text\": \"\"", "attributes[0].text: the text is empty");
    check_attribute_error("\"text\": 5", "attributes[0].text: expected a text");
    check_attribute_error("\"text\": {}", "attributes[0].text: expected a text, or texts in 1 to 20 languages");
    check_attribute_error("\"text\": {\"en\": 1}", "attributes[0].text.en: expected a text");
    check_attribute_error("\"text\": {\"en\": \"\"}", "attributes[0].text.en: the text is empty");
    check_attribute_error("\"text\": {\"EN\": \"a\"}",
                          "attributes[0].text.EN: expected a language of two or three small letters, such as \"en\"");
    check_attribute_error("\"texts\": [\"a\"]", "attributes[0].texts: expected an object");
    check_attribute_error("\"texts\": {\"rigth\": \"a\"}",
                          "attributes[0].texts.rigth: no such level; did you mean right?");
    check_attribute_error("\"texts\": {\"up\": \"a\"}", "attributes[0].texts.up: no such level");
    check_attribute_error("\"question\": {\"de\": \"\"}", "attributes[0].question.de: the text is empty");
    check_attribute_error("\"special\": \"\"", "attributes[0].special: the text is empty");
    check_attribute_error("\"special\": true", "attributes[0].special: expected a text");
    check_attribute_error("\"missing\": \"yes\"", "attributes[0].missing: expected \"refused\" or \"value\"");
    check_attribute_error("\"missing\": \"value\"", "attributes[0].missing: a category needs a missing_level for that");
    check_attribute_error("\"text\": \"a\\u0007\"", "attributes[0].text: the text has a control character");
    memset(text, 'x', 1001);
    text[1001] = '\0';
    snprintf(member, sizeof(member), "\"text\": \"%s\"", text);
    check_attribute_error(member, "attributes[0].text: the text is too long");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"no\", \"yes\"], \"texts\": {\"yess\": \"a\"}}}",
                "label.texts.yess: no such class; did you mean yes?");
    check_error(HEAD "\"label\": {\"name\": \"y\", \"classes\": [\"no\", \"yes\"], \"text\": [1]}}",
                "label.text: expected a text");
    check_error(HEAD "\"about\": {\"file\": {\"en\": \"a.csv\"}}, \"label\": {\"name\": \"y\", \"classes\": [\"no\", "
                     "\"yes\"]}, \"attributes\": [" PLAIN "]}",
                "about.file: expected a text");
}

static void texts__survive_every_failed_allocation(void **state)
{
    const char *path = scratch_text(GOOD), *written = scratch_text("");
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
            st = tacit_schema_set_texts(copy, SAID, &err);
        if (!st)
            st = tacit_schema_write(copy, written, &err);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        tacit_schema_free(schema);
        tacit_schema_free(copy);
        assert_true(nth < 2000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts__are_picked_by_language),
        cmocka_unit_test(texts__survive_copies_and_files),
        cmocka_unit_test(texts__leave_no_clutter),
        cmocka_unit_test(texts__are_written_for_reports),
        cmocka_unit_test(texts__can_be_said_of_a_schema),
        cmocka_unit_test(texts__that_are_wrong_are_named),
        cmocka_unit_test(texts__survive_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

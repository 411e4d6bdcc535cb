/*
 * Not knowing is its own kind of answer.  On random models in which some attributes allow it: where it is not allowed
 * nothing that a person can say is taken as a typical value, so nobody who was declined turns the decision that way;
 * where it is allowed it is noted, saved, written down and checked as not known, never as a value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "person.h"
#include "receipt.h"
#include "scale.h"

enum { VALUE = 256 };

/* A random model; of its attributes some allow not knowing, some categories have a level for it. */
static tacit_model *draw_model(size_t seed)
{
    size_t n = 3 + seed % 4;
    tacit_model *m = seed % 3 == 2 ? make_mlp_model(seed, n, 2 + seed / 3 % 2, true, 1, 4)
                                   : make_linear_model(seed, n, seed % 3 ? 3 : 2, true);
    tct_random random;

    tct_random_seed(&random, seed, 77);
    for (size_t a = 0; a < n; a++) {
        tacit_attribute *attribute = &m->schema->attributes[a];

        if (attribute->type == TACIT_CATEGORY && tct_random_below(&random, 2))
            attribute->missing_level = tct_random_below(&random, attribute->n_levels);
        attribute->missing_is_value = (attribute->type != TACIT_CATEGORY || attribute->missing_level != TACIT_NONE) &&
                                      tct_random_below(&random, 2);
    }
    return m;
}

/* What a person would say of an attribute; "" where only not knowing is left, because it is the missing level. */
static void say(const tacit_model *m, size_t attribute, const double *x, char text[VALUE])
{
    const double *inputs = x + m->codec->domains[attribute].first;

    if (tct_is_missing_level(m->codec, attribute, inputs))
        text[0] = '\0';
    else
        tct_decode_cell(m->codec, attribute, inputs, text, VALUE);
}

/* Every way of not knowing an attribute; true if one of them was taken. */
static bool try_not_knowing(tacit_session *session, const tacit_model *m, size_t attribute)
{
    const tacit_attribute *a = &m->schema->attributes[attribute];
    size_t before = tacit_session_events(session);

    if (tacit_session_answer_unknown(session, attribute, NULL) == TACIT_OK)
        return true;
    assert_int_equal(tacit_session_events(session), before);
    if (tacit_session_answer(session, attribute, "", NULL) == TACIT_OK)
        return true;
    if (a->missing_level != TACIT_NONE &&
        tacit_session_answer(session, attribute, a->levels[a->missing_level], NULL) == TACIT_OK)
        return true;
    assert_int_equal(tacit_session_events(session), before);
    assert_false(tacit_person_knows(tacit_session_person(session), attribute));
    return false;
}

static void check_receipt_of(const tacit_model *m, tacit_session *session, size_t not_known)
{
    tacit_receipt_stamp stamp = {.id = "0123456789abcdef0123456789abcdef", .time = "2026-01-31T23:59:59Z"};
    char *text = NULL;
    bool unproven = false;
    tacit_check found;

    assert_int_equal(tacit_session_receipt(&text, session, &stamp, &unproven, NULL), TACIT_OK);
    assert_int_equal(tct_receipt_check(&found, m, text, strlen(text), "receipt", NULL, NULL), TACIT_OK);
    if (!unproven) {
        if (!found.valid)
            fail_msg("%s\n%s", found.reason, text);
        assert_int_equal(found.not_known, not_known);
        assert_string_equal(found.stamp.id, stamp.id);
        assert_string_equal(found.stamp.time, stamp.time);
    }
    tacit_text_free(text);
}

/* The same session from its bytes. */
static void check_saved(const tacit_model *m, const tacit_session *session, tacit_session *other)
{
    size_t size = tacit_session_state_size(m);
    unsigned char *bytes = tct_malloc(size, 1), *again = tct_malloc(size, 1);

    assert_true(bytes && again);
    assert_int_equal(tacit_session_save(session, bytes, NULL), TACIT_OK);
    assert_int_equal(tacit_session_restore(other, bytes, size, NULL), TACIT_OK);
    assert_int_equal(tacit_session_save(other, again, NULL), TACIT_OK);
    assert_memory_equal(bytes, again, size);
    assert_int_equal(tacit_session_events(other), tacit_session_events(session));
    for (size_t e = 0; e < tacit_session_events(session); e++)
        assert_int_equal(tacit_session_event(other, e)->not_known, tacit_session_event(session, e)->not_known);
    tct_free(bytes);
    tct_free(again);
}

/* A person who says "I do not know" wherever that is taken, and the truth elsewhere.  How many were not known. */
static size_t ask_evasive(const tacit_model *m, tacit_session *session, const double *x, tacit_session *other)
{
    size_t not_known = 0, attribute;

    while (tacit_session_next(session, &attribute, NULL) == TACIT_OK && attribute != TACIT_NONE) {
        char text[VALUE];
        bool taken = try_not_knowing(session, m, attribute);
        const tacit_event *event;

        assert_int_equal(taken, m->schema->attributes[attribute].missing_is_value);
        if (!taken) {
            say(m, attribute, x, text);
            assert_int_equal(*text ? tacit_session_answer(session, attribute, text, NULL)
                                   : tacit_session_refuse(session, attribute, NULL),
                             TACIT_OK);
        }
        event = tacit_session_event(session, tacit_session_events(session) - 1);
        assert_int_equal(event->not_known, taken);
        not_known += taken;
        check_saved(m, session, other);
    }
    return not_known;
}

static void notknown__is_taken_where_allowed_and_written_as_such(void **state)
{
    size_t seen = 0;

    (void)state;
    for (size_t seed = 1; seed <= 20 + scaled(130); seed++) {
        tacit_model *m = draw_model(seed);
        double *x = make_model_room(m->codec->n_inputs);
        tacit_session *session = NULL, *other = NULL;
        tacit_decision decision;
        tct_random random;
        size_t not_known;

        tct_random_seed(&random, seed, 5);
        draw_person(m, &random, x);
        assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_session_open(&other, m, NULL, NULL), TACIT_OK);
        not_known = ask_evasive(m, session, x, other);
        assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
        assert_true(decision.not_known <= not_known && decision.not_known <= decision.asked);
        check_receipt_of(m, session, not_known);
        seen += not_known;
        tacit_session_free(session);
        tacit_session_free(other);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(seen > 0);
}

/* The attack: of those who would be declined honestly, who is not when he does not know what speaks against him?  With
 * nothing allowed, nobody: all that is left is to refuse, and that is seen. */
static void notknown__turns_no_decision_where_it_is_not_allowed(void **state)
{
    size_t declined = 0, turned = 0;

    (void)state;
    for (size_t seed = 1; seed <= 10 + scaled(50); seed++) {
        tacit_model *m = make_linear_model(seed, 5, 2, false);
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;

        tct_random_seed(&random, seed, 6);
        for (size_t person = 0; person < 10; person++) {
            tacit_session *honest = NULL, *sly = NULL;
            tacit_decision plain, bent;

            draw_person(m, &random, x);
            assert_int_equal(tacit_session_open(&honest, m, NULL, NULL), TACIT_OK);
            assert_int_equal(tacit_session_open(&sly, m, NULL, NULL), TACIT_OK);
            for (size_t a = 0; a < m->schema->n_attributes; a++) {
                char text[VALUE];

                say(m, a, x, text);
                assert_int_equal(tacit_session_answer(honest, a, text, NULL), TACIT_OK);
                assert_false(try_not_knowing(sly, m, a));
                assert_int_equal(tacit_session_answer(sly, a, text, NULL), TACIT_OK);
            }
            assert_int_equal(tacit_session_decision(honest, &plain, NULL), TACIT_OK);
            assert_int_equal(tacit_session_decision(sly, &bent, NULL), TACIT_OK);
            declined += plain.label == 0;
            turned += plain.label == 0 && bent.label != 0;
            assert_int_equal(bent.not_known, 0);
            tacit_session_free(honest);
            tacit_session_free(sly);
        }
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(declined > 0);
    assert_int_equal(turned, 0);
}

/* ---- false receipts ---- */

static char *seal(json_t *json)
{
    char hash[65], *text = NULL;
    size_t size;

    json_object_del(json, "sha256");
    assert_int_equal(tct_json_hash(hash, json, NULL), TACIT_OK);
    assert_int_equal(json_object_set_new(json, "sha256", json_string(hash)), 0);
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    return text;
}

/* One attribute, an integer from 0 to 9; not knowing it counts as 3. */
static tacit_model *one_number(bool allowed)
{
    tacit_model *m = NULL;

    for (size_t seed = 1; !m; seed++) {
        m = make_linear_model(seed, 2, 2, false);
        if (m->schema->attributes[0].type != TACIT_INTEGER || m->schema->attributes[0].role == TACIT_PUBLIC ||
            m->schema->attributes[0].max - m->schema->attributes[0].min < 2) {
            tacit_model_free(m);
            m = NULL;
        }
    }
    m->schema->attributes[0].missing_is_value = allowed;
    return m;
}

static void check_reason(const tacit_model *m, json_t *json, const char *reason)
{
    char *text = seal(json);
    tacit_check found;

    assert_int_equal(tct_receipt_check(&found, m, text, strlen(text), "receipt", NULL, NULL), TACIT_OK);
    assert_false(found.valid);
    assert_string_equal(found.reason, reason);
    tct_free(text);
}

/* The entry of an attribute in the list of what was asked. */
static json_t *entry_of(const json_t *json, const char *name)
{
    const json_t *list = json_object_get(json, "asked");

    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "attribute")), name) == 0)
            return json_array_get(list, i);
    fail_msg("%s was not asked", name);
    return NULL;
}

static void notknown__receipts_that_lie_are_refused(void **state)
{
    tacit_model *m = one_number(true);
    tacit_session *session = NULL;
    json_t *json = NULL, *entry;
    char *text = NULL;
    size_t attribute;

    (void)state;
    assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_answer_unknown(session, 0, NULL), TACIT_OK);
    while (tacit_session_next(session, &attribute, NULL) == TACIT_OK && attribute != TACIT_NONE) {
        char number[32];

        tct_format_number(m->schema->attributes[attribute].min, number, sizeof(number));
        assert_int_equal(tacit_session_answer(session, attribute, number, NULL), TACIT_OK);
    }
    assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tct_json_parse(&json, text, strlen(text), "receipt", NULL), TACIT_OK);
    entry = entry_of(json, "a0");
    assert_true(json_is_true(json_object_get(entry, "not_known")));
    assert_null(json_object_get(entry, "value"));
    /* counted as something else */
    {
        char *kept = tct_strdup(json_string_value(json_object_get(entry, "counted_as")));

        json_object_set_new(entry, "counted_as", json_string("77"));
        check_reason(m, json, "a0 was not known, and counted as something else than the typical value");
        json_object_set_new(entry, "counted_as", json_string(kept));
        tct_free(kept);
    }
    /* said to be known and unknown at once */
    json_object_set_new(entry, "value", json_string("1"));
    check_reason(m, json, "asked[0]: there is a key that does not belong here");
    json_object_del(entry, "value");
    /* where it is no answer */
    m->schema->attributes[0].missing_is_value = false;
    check_reason(m, json, "not knowing a0 is no answer to this model");
    m->schema->attributes[0].missing_is_value = true;
    /* forms of number and time, texts that the model does not have */
    json_object_set_new(json, "id", json_string("12"));
    check_reason(m, json, "id: expected 32 hexadecimal digits in small letters");
    json_object_del(json, "id");
    json_object_set_new(json, "time", json_string("2026-13-01T00:00:00Z"));
    check_reason(m, json, "time: expected a time like 2026-01-31T23:59:59Z");
    json_object_del(json, "time");
    json_object_set_new(json, "texts", json_pack("{s:s}", "decision", "granted"));
    check_reason(m, json, "its texts are not those of the model");
    json_object_del(json, "texts");
    json_object_set_new(json, "about", json_object());
    check_reason(m, json, "its notices are not those of the model");
    json_decref(json);
    tacit_text_free(text);
    tacit_session_free(session);
    tacit_model_free(m);
}

/* A receipt of before: it is checked as it was, and says nothing about what was not known. */
static void notknown__older_receipts_are_still_checked(void **state)
{
    tacit_model *m = make_linear_model(3, 3, 2, true);
    tacit_session *session = NULL;
    json_t *json = NULL;
    char *text = NULL, *old;
    tacit_check found;
    double *x = make_model_room(m->codec->n_inputs);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 1);
    draw_person(m, &random, x);
    assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
    for (size_t a = 0; a < 3; a++) {
        char value[VALUE];

        say(m, a, x, value);
        assert_int_equal(tacit_session_answer(session, a, value, NULL), TACIT_OK);
    }
    assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tct_json_parse(&json, text, strlen(text), "receipt", NULL), TACIT_OK);
    json_object_set_new(json, "version", json_integer(1));
    old = seal(json);
    assert_int_equal(tct_receipt_check(&found, m, old, strlen(old), "receipt", NULL, NULL), TACIT_OK);
    assert_true(found.valid);
    assert_int_equal(found.version, 1);
    tct_free(old);
    json_object_set_new(json, "id", json_string("0123456789abcdef0123456789abcdef"));
    check_reason(m, json, "there is a key that does not belong here");
    json_decref(json);
    tacit_text_free(text);
    tct_free(x);
    tacit_session_free(session);
    tacit_model_free(m);
}

/* A state that says "not known" of something else than the typical value is nobody's state. */
static void notknown__states_that_lie_are_refused(void **state)
{
    tacit_model *m = one_number(true);
    tacit_session *session = NULL;
    size_t size = tacit_session_state_size(m);
    unsigned char *bytes = tct_malloc(size, 1);
    char high[32];

    (void)state;
    tct_format_number(m->schema->attributes[0].max, high, sizeof(high));
    assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_answer(session, 0, high, NULL), TACIT_OK);
    assert_int_equal(tacit_session_save(session, bytes, NULL), TACIT_OK);
    assert_int_equal(tacit_session_restore(session, bytes, size, NULL), TACIT_OK);
    bytes[size - 2 * 12 + 2] |= 3; /* what happened first */
    assert_int_equal(tacit_session_restore(session, bytes, size, NULL), TACIT_E_INPUT);
    tct_free(bytes);
    tacit_session_free(session);
    tacit_model_free(m);
}

static void notknown__public_values_follow_the_same_rule(void **state)
{
    tacit_model *m = one_number(false);
    tacit_session *session = NULL;
    tacit_person *person = NULL;
    tacit_error err = {0};

    (void)state;
    m->schema->attributes[0].role = TACIT_PUBLIC;
    assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    assert_int_equal(tacit_person_set(person, 0, "", NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_give_public(session, person, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "not knowing a0 is no answer: it can be given or refused");
    assert_int_equal(tacit_session_events(session), 0);
    m->schema->attributes[0].missing_is_value = true;
    assert_int_equal(tacit_session_give_public(session, person, &err), TACIT_OK);
    assert_true(tacit_session_event(session, 0)->not_known);
    tacit_person_free(person);
    tacit_session_free(session);
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notknown__is_taken_where_allowed_and_written_as_such),
        cmocka_unit_test(notknown__turns_no_decision_where_it_is_not_allowed),
        cmocka_unit_test(notknown__receipts_that_lie_are_refused),
        cmocka_unit_test(notknown__older_receipts_are_still_checked),
        cmocka_unit_test(notknown__states_that_lie_are_refused),
        cmocka_unit_test(notknown__public_values_follow_the_same_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

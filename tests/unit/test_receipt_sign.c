/*
 * Signatures of receipts: made by the right key and checked, and nothing else passes for one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>

#include "make_model.h"
#include "receipt.h"

/* The first secret key and public key in the tests of RFC 8032, section 7.1. */
static const unsigned char SECRET[64] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92,
                                         0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b,
                                         0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60, 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a,
                                         0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3,
                                         0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a};
static const char KEY[] = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
/* The second public key there. */
static const char OTHER_KEY[] = "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=";

typedef struct set_up {
    tacit_model *model;
    char *plain, *text; /* not signed, signed */
} set_up;

static void begin(set_up *s)
{
    tacit_session *session = NULL;
    size_t a;

    s->model = make_linear_model(51, 5, 2, false);
    assert_int_equal(tacit_session_open(&session, s->model, NULL, NULL), TACIT_OK);
    for (;;) {
        assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
        if (a == TACIT_NONE)
            break;
        assert_int_equal(tacit_session_answer(session, a, "0", NULL), TACIT_OK);
    }
    assert_int_equal(tacit_session_receipt(&s->plain, session, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_receipt_sign(&s->text, s->plain, SECRET, NULL), TACIT_OK);
    tacit_session_free(session);
}

static void end(set_up *s)
{
    tacit_text_free(s->plain);
    tacit_text_free(s->text);
    tacit_model_free(s->model);
}

static tacit_check check(const set_up *s, const char *text, const char *trusted)
{
    tacit_check found;

    assert_int_equal(tct_receipt_check(&found, s->model, text, strlen(text), "receipt", trusted, NULL), TACIT_OK);
    return found;
}

static void rejected(const set_up *s, const char *text, const char *trusted, const char *reason)
{
    tacit_check found = check(s, text, trusted);

    assert_false(found.valid || found.is_signed || found.trusted || found.key[0]);
    assert_non_null(strstr(found.reason, reason));
}

/* The signed document with another member in its signature. */
static char *change(const set_up *s, const char *key, json_t *value)
{
    json_t *json = NULL;
    char *text = NULL;

    assert_int_equal(tct_json_parse(&json, s->text, strlen(s->text), "receipt", NULL), TACIT_OK);
    assert_int_equal(json_object_set_new(json_object_get(json, "signature"), key, value), 0);
    assert_int_equal(tct_json_dump(&text, NULL, json, NULL), TACIT_OK);
    json_decref(json);
    return text;
}

static void receipt_sign__is_accepted(void **state)
{
    char both[2 * sizeof(KEY)], *again = NULL;
    set_up s;
    tacit_check found;

    (void)state;
    begin(&s);
    found = check(&s, s.text, NULL);
    assert_true(found.valid && found.is_signed && !found.trusted);
    assert_string_equal(found.key, KEY);
    found = check(&s, s.text, KEY);
    assert_true(found.valid && found.is_signed && found.trusted);
    snprintf(both, sizeof(both), "%s,%s", OTHER_KEY, KEY);
    assert_true(check(&s, s.text, both).trusted);
    found = check(&s, s.plain, NULL);
    assert_true(found.valid && !found.is_signed && !found.trusted && found.key[0] == '\0');
    assert_int_equal(tacit_receipt_sign(&again, s.plain, SECRET, NULL), TACIT_OK);
    assert_string_equal(again, s.text);
    tacit_text_free(again);
    end(&s);
}

/* What docs/FORMATS.md says is signed, and the text is what Tacit itself would write. */
static void receipt_sign__is_what_the_format_says(void **state)
{
    unsigned char key[32], signature[64];
    char message[128], *text = NULL;
    json_t *json = NULL;
    const json_t *member;
    size_t got;
    set_up s;

    (void)state;
    begin(&s);
    assert_int_equal(tct_json_parse(&json, s.text, strlen(s.text), "receipt", NULL), TACIT_OK);
    member = json_object_get(json, "signature");
    snprintf(message, sizeof(message), "tacit receipt 1\n%s", json_string_value(json_object_get(json, "sha256")));
    assert_int_equal(strlen(message), 80);
    assert_int_equal(sodium_base642bin(key, 32, json_string_value(json_object_get(member, "key")), 44, NULL, &got, NULL,
                                       sodium_base64_VARIANT_ORIGINAL),
                     0);
    assert_int_equal(sodium_base642bin(signature, 64, json_string_value(json_object_get(member, "value")), 88, NULL,
                                       &got, NULL, sodium_base64_VARIANT_ORIGINAL),
                     0);
    assert_int_equal(crypto_sign_verify_detached(signature, (unsigned char *)message, 80, key), 0);
    assert_int_equal(tct_json_dump(&text, NULL, json, NULL), TACIT_OK);
    assert_string_equal(text, s.text);
    json_object_del(json, "signature");
    tct_free(text);
    assert_int_equal(tct_json_dump(&text, NULL, json, NULL), TACIT_OK);
    assert_string_equal(text, s.plain);
    tct_free(text);
    json_decref(json);
    end(&s);
}

static void receipt_sign__another_key_is_not_trusted(void **state)
{
    static const char *const WRONG[] = {"",
                                        "abc",
                                        ",",
                                        "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                                        "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=,",
                                        "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURp="};
    tacit_error err = {0};
    tacit_check found;
    set_up s;

    (void)state;
    begin(&s);
    rejected(&s, s.text, OTHER_KEY, "signed by another key");
    rejected(&s, s.plain, KEY, "not signed");
    for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
        assert_int_equal(tct_receipt_check(&found, s.model, s.text, strlen(s.text), "receipt", WRONG[i], &err),
                         TACIT_E_USAGE);
        assert_non_null(strstr(err.message, "32 bytes in base64"));
        assert_false(found.valid);
    }
    end(&s);
}

static void receipt_sign__a_changed_one_is_rejected(void **state)
{
    size_t start;
    set_up s;

    (void)state;
    begin(&s);
    start = (size_t)(strstr(s.text, "\"signature\"") - s.text);
    for (size_t i = start; i < strlen(s.text) - 3; i++) { /* every character of it */
        char *text = tct_strdup(s.text);
        tacit_check found;

        text[i] = text[i] == 'A' ? 'B' : 'A';
        if (!tct_receipt_check(&found, s.model, text, strlen(text), "receipt", KEY, NULL)) /* else no JSON any more */
            assert_false(found.valid);
        tct_free(text);
    }
    for (size_t i = 0; i < 6; i++) {
        static const char *const KEYS[] = {"algorithm", "key", "value", "value", "key", "note"};
        static const char *const REASONS[] = {"expected ed25519", "32 bytes",           "64 bytes",
                                              "expected a text",  "signature is wrong", "does not belong"};
        char *text = change(&s, KEYS[i],
                            i == 3   ? json_integer(1)
                            : i == 4 ? json_string(OTHER_KEY)
                                     : json_string("rsa"));

        rejected(&s, text, NULL, REASONS[i]);
        tct_free(text);
    }
    end(&s);
}

/* An answer changed and the checksum made right again: the signature is no longer about it. */
static void receipt_sign__belongs_to_one_receipt(void **state)
{
    json_t *json = NULL, *signature;
    char hash[65], *text = NULL;
    set_up s;

    (void)state;
    begin(&s);
    assert_int_equal(tct_json_parse(&json, s.text, strlen(s.text), "receipt", NULL), TACIT_OK);
    signature = json_incref(json_object_get(json, "signature"));
    json_object_del(json, "signature");
    json_object_del(json, "sha256");
    json_object_set_new(json, "made_by", json_string("somebody else"));
    assert_int_equal(tct_json_hash(hash, json, NULL), TACIT_OK);
    json_object_set_new(json, "sha256", json_string(hash));
    json_object_set_new(json, "signature", signature);
    assert_int_equal(tct_json_dump(&text, NULL, json, NULL), TACIT_OK);
    rejected(&s, text, NULL, "signature is wrong");
    tct_free(text);
    json_decref(json);
    end(&s);
}

static void receipt_sign__refuses_what_is_no_receipt(void **state)
{
    static const char *const NONE[] = {"", "{}", "\n}\n", "{\n  \"format\": \"tacit-receipt\"\n}\n"};
    char *out = NULL, *text;
    tacit_error err = {0};
    set_up s;

    (void)state;
    begin(&s);
    for (size_t i = 0; i < sizeof(NONE) / sizeof(NONE[0]); i++)
        assert_int_equal(tacit_receipt_sign(&out, NONE[i], SECRET, &err), TACIT_E_INPUT);
    assert_int_equal(tacit_receipt_sign(&out, s.text, SECRET, &err), TACIT_E_INPUT); /* signed already */
    assert_null(out);
    text = tct_strdup(s.plain);
    strstr(text, "made_by")[12]++;
    assert_int_equal(tacit_receipt_sign(&out, text, SECRET, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "changed"));
    for (size_t i = 0; i < strlen(s.plain); i++) { /* cut off anywhere */
        memcpy(text, s.plain, i);
        text[i] = '\0';
        assert_int_equal(tacit_receipt_sign(&out, text, SECRET, NULL), TACIT_E_INPUT);
    }
    tct_free(text);
    for (uint64_t n = 1; n <= 2; n++) {
        tct_memory_fail_at(n, false);
        assert_int_equal(tacit_receipt_sign(&out, s.plain, SECRET, NULL), TACIT_E_MEMORY);
        assert_null(out);
    }
    tct_memory_fail_at(0, false);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receipt_sign__is_accepted),
        cmocka_unit_test(receipt_sign__is_what_the_format_says),
        cmocka_unit_test(receipt_sign__another_key_is_not_trusted),
        cmocka_unit_test(receipt_sign__a_changed_one_is_rejected),
        cmocka_unit_test(receipt_sign__belongs_to_one_receipt),
        cmocka_unit_test(receipt_sign__refuses_what_is_no_receipt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Keys: files, what is derived, what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <string.h>

#include "keys.h"
#include "scratch.h"

static srv_keys *new_keys(void)
{
    srv_keys *keys = NULL;

    assert_int_equal(srv_keys_new(&keys, NULL), TACIT_OK);
    return keys;
}

static void fill_key(unsigned char key[SRV_KEY_SIZE], unsigned number)
{
    for (size_t i = 0; i < SRV_KEY_SIZE; i++)
        key[i] = (unsigned char)(number * 37 + i * i * 29 + 131 * i);
}

static void keys__are_derived_alike_everywhere(void **state)
{
    srv_keys *one = new_keys(), *other = new_keys();
    unsigned char key[SRV_KEY_SIZE];

    (void)state;
    fill_key(key, 1);
    assert_int_equal(srv_keys_add(one, key, NULL), TACIT_OK);
    assert_int_equal(srv_keys_add_file(other, scratch_bytes(key, sizeof(key)), NULL), TACIT_OK);
    assert_memory_equal(srv_keys_sealing(one, 0), srv_keys_sealing(other, 0), SRV_KEY_SIZE);
    assert_memory_equal(srv_keys_signing(one, 0), srv_keys_signing(other, 0), SRV_SIGNING_SIZE);
    assert_string_equal(srv_keys_public(one, 0), srv_keys_public(other, 0));
    assert_string_equal(srv_keys_id_text(one, 0), srv_keys_id_text(other, 0));
    srv_keys_free(one);
    srv_keys_free(other);
}

static void keys__serve_one_purpose_each(void **state)
{
    srv_keys *keys = new_keys();
    unsigned char key[SRV_KEY_SIZE];

    (void)state;
    fill_key(key, 1);
    assert_int_equal(srv_keys_add(keys, key, NULL), TACIT_OK);
    assert_memory_not_equal(srv_keys_sealing(keys, 0), srv_keys_signing(keys, 0), SRV_KEY_SIZE);
    assert_memory_not_equal(srv_keys_sealing(keys, 0), key, SRV_KEY_SIZE);
    assert_memory_not_equal(srv_keys_signing(keys, 0), key, SRV_KEY_SIZE);
    assert_memory_not_equal(srv_keys_id(keys, 0), key, SRV_KEY_ID_SIZE);
    srv_keys_free(keys);
}

static void keys__public_half_belongs_to_the_secret(void **state)
{
    unsigned char key[SRV_KEY_SIZE], public_key[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
    char text[SRV_PUBLIC_KEY_ROOM];
    srv_keys *keys = new_keys();

    (void)state;
    fill_key(key, 1);
    assert_int_equal(srv_keys_add(keys, key, NULL), TACIT_OK);
    assert_int_equal(crypto_sign_seed_keypair(public_key, secret, srv_keys_signing(keys, 0)), 0);
    assert_memory_equal(secret, srv_keys_signing(keys, 0), SRV_SIGNING_SIZE);
    sodium_bin2base64(text, sizeof(text), public_key, sizeof(public_key), sodium_base64_VARIANT_ORIGINAL);
    assert_string_equal(srv_keys_public(keys, 0), text);
    srv_keys_free(keys);
}

static void keys__are_found_by_name(void **state)
{
    static const unsigned char nobody[SRV_KEY_ID_SIZE] = {0};
    srv_keys *keys = new_keys();

    (void)state;
    for (unsigned i = 0; i < SRV_MAX_KEYS; i++)
        assert_int_equal(srv_keys_add_random(keys, NULL), TACIT_OK);
    assert_int_equal(srv_keys_count(keys), SRV_MAX_KEYS);
    for (size_t i = 0; i < SRV_MAX_KEYS; i++) {
        assert_int_equal(srv_keys_find(keys, srv_keys_id(keys, i)), i);
        assert_int_equal(strlen(srv_keys_id_text(keys, i)), 2 * SRV_KEY_ID_SIZE);
        assert_int_equal(strlen(srv_keys_public(keys, i)), 44);
    }
    assert_true(srv_keys_find(keys, nobody) == TACIT_NONE);
    srv_keys_free(keys);
}

/* What somebody typed, and what a program counted, is no key; nothing is added. */
static void keys__rejects_files_that_are_not_random(void **state)
{
    static const char *const texts[] = {"correct horse battery staple ok?", "0123456789abcdef0123456789abcdef",
                                        "secretsecretsecretsecretsecretse"};
    unsigned char counted[SRV_KEY_SIZE], few[SRV_KEY_SIZE];
    srv_keys *keys = new_keys();
    tacit_error err = {0};

    (void)state;
    for (size_t i = 0; i < SRV_KEY_SIZE; i++) {
        counted[i] = (unsigned char)(200 + 3 * i);
        few[i] = (unsigned char)(i * i * 7 % 11 + 128);
    }
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(srv_keys_add_file(keys, scratch_bytes(texts[i], 32), &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "a key must be random bytes"));
    assert_int_equal(srv_keys_add_file(keys, scratch_bytes(counted, 32), NULL), TACIT_E_INPUT);
    assert_int_equal(srv_keys_add_file(keys, scratch_bytes(few, 32), NULL), TACIT_E_INPUT);
    assert_int_equal(srv_keys_count(keys), 0);
    srv_keys_free(keys);
}

/* Sealing keys come and go; what signs stays. */
static void keys__sign_with_one_of_their_own(void **state)
{
    unsigned char first[SRV_KEY_SIZE], second[SRV_KEY_SIZE], signing[SRV_KEY_SIZE];
    srv_keys *one = new_keys(), *other = new_keys();

    (void)state;
    fill_key(first, 1);
    fill_key(second, 2);
    fill_key(signing, 3);
    assert_int_equal(srv_keys_add_file(one, scratch_bytes(first, 32), NULL), TACIT_OK);
    assert_int_equal(srv_keys_sign_with_file(one, scratch_bytes(signing, 32), NULL), TACIT_OK);
    assert_int_equal(srv_keys_add_file(other, scratch_bytes(second, 32), NULL), TACIT_OK);
    assert_string_not_equal(srv_keys_public(one, 0), srv_keys_public(other, 0));
    assert_int_equal(srv_keys_sign_with_file(other, scratch_bytes(signing, 32), NULL), TACIT_OK);
    assert_string_equal(srv_keys_public(one, 0), srv_keys_public(other, 0));
    assert_memory_equal(srv_keys_signing(one, 0), srv_keys_signing(other, 0), SRV_SIGNING_SIZE);
    assert_memory_not_equal(srv_keys_sealing(one, 0), srv_keys_sealing(other, 0), SRV_KEY_SIZE);
    srv_keys_free(one);
    srv_keys_free(other);
}

/* A key of its own is one that nobody has who can read tokens. */
static void keys__that_seal_do_not_sign_by_name(void **state)
{
    unsigned char first[SRV_KEY_SIZE], second[SRV_KEY_SIZE];
    srv_keys *keys = new_keys();
    tacit_error err = {0};

    (void)state;
    fill_key(first, 1);
    fill_key(second, 2);
    assert_int_equal(srv_keys_add_file(keys, scratch_bytes(first, 32), NULL), TACIT_OK);
    assert_int_equal(srv_keys_add_file(keys, scratch_bytes(second, 32), NULL), TACIT_OK);
    assert_int_equal(srv_keys_sign_with_file(keys, scratch_bytes(first, 32), &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "the key that signs must be another than those that seal"));
    assert_int_equal(srv_keys_sign_with_file(keys, scratch_bytes(second, 32), NULL), TACIT_E_INPUT);
    assert_string_not_equal(srv_keys_public(keys, 0), srv_keys_public(keys, 1)); /* as before */
    srv_keys_free(keys);
}

static void keys__rejects_one_too_many(void **state)
{
    srv_keys *keys = new_keys();
    tacit_error err = {0};

    (void)state;
    for (unsigned i = 0; i < SRV_MAX_KEYS; i++)
        assert_int_equal(srv_keys_add_random(keys, NULL), TACIT_OK);
    assert_int_equal(srv_keys_add_random(keys, &err), TACIT_E_USAGE);
    assert_string_equal(err.message, "there may be at most 16 keys");
    srv_keys_free(keys);
}

static void keys__rejects_the_same_twice(void **state)
{
    srv_keys *keys = new_keys();
    unsigned char key[SRV_KEY_SIZE];
    tacit_error err = {0};

    (void)state;
    fill_key(key, 1);
    assert_int_equal(srv_keys_add(keys, key, NULL), TACIT_OK);
    assert_int_equal(srv_keys_add(keys, key, &err), TACIT_E_INPUT);
    assert_string_equal(err.message, "the same key was given before");
    assert_int_equal(srv_keys_count(keys), 1);
    srv_keys_free(keys);
}

static void keys__rejects_files_that_are_none(void **state)
{
    unsigned char bytes[SRV_KEY_SIZE + 1] = {0};
    srv_keys *keys = new_keys();
    tacit_error err = {0};
    const char *path;

    (void)state;
    path = scratch_bytes(bytes, SRV_KEY_SIZE);
    assert_int_equal(srv_keys_add_file(keys, path, &err), TACIT_E_INPUT);
    assert_string_equal(scratch_message(err.message, path),
                        "a key must be random bytes (head -c 32 /dev/urandom > FILE), and these are not");
    fill_key(bytes, 1);
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        if (size == SRV_KEY_SIZE)
            continue;
        path = scratch_bytes(bytes, size);
        assert_int_equal(srv_keys_add_file(keys, path, &err), TACIT_E_INPUT);
        assert_non_null(strstr(err.message, path));
        assert_non_null(strstr(err.message, size < SRV_KEY_SIZE ? "this one fewer" : "this one more"));
    }
    assert_int_equal(srv_keys_add_file(keys, "/no/such/file", &err), TACIT_E_IO);
    assert_string_equal(err.message, "cannot open /no/such/file: No such file or directory");
    assert_int_equal(srv_keys_add_file(keys, "/", &err), TACIT_E_IO);
    assert_int_equal(srv_keys_count(keys), 0);
    srv_keys_free(keys);
    srv_keys_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys__are_derived_alike_everywhere),
        cmocka_unit_test(keys__serve_one_purpose_each),
        cmocka_unit_test(keys__public_half_belongs_to_the_secret),
        cmocka_unit_test(keys__are_found_by_name),
        cmocka_unit_test(keys__rejects_files_that_are_not_random),
        cmocka_unit_test(keys__sign_with_one_of_their_own),
        cmocka_unit_test(keys__that_seal_do_not_sign_by_name),
        cmocka_unit_test(keys__rejects_one_too_many),
        cmocka_unit_test(keys__rejects_the_same_twice),
        cmocka_unit_test(keys__rejects_files_that_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

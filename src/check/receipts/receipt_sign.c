/*
 * receipt_sign.c -- who made a receipt.
 *
 * A checksum shows that a receipt is whole; a signature shows who wrote it.  Signed is the checksum, behind a prefix
 * that says what it is the checksum of, so that the signature is good for nothing else.  The signature is outside the
 * checksum: a receipt is the same one before and after it is signed, and signing only adds to its end.
 */
#include <sodium.h>
#include <string.h>

#include "receipt.h"

static const char PREFIX[] = "tacit receipt 1\n";
static const char HEAD[] = "{\n  \"format\": \"" TCT_RECEIPT_FORMAT "\"";

_Static_assert(crypto_sign_SECRETKEYBYTES == 64, "a key with its public half");

enum {
    HASH = 64, /* hex digits */
    SEAL_SIZE = sizeof TCT_RECEIPT_SEAL - 1,
    END_SIZE = sizeof TCT_RECEIPT_END - 1,
    TAIL = SEAL_SIZE + HASH + 1 + END_SIZE, /* all of the checksum and the end */
    KEY_TEXT = sodium_base64_ENCODED_LEN(crypto_sign_PUBLICKEYBYTES, sodium_base64_VARIANT_ORIGINAL),
    VALUE_TEXT = sodium_base64_ENCODED_LEN(crypto_sign_BYTES, sodium_base64_VARIANT_ORIGINAL),
    MEMBER = 96 + KEY_TEXT + VALUE_TEXT, /* all of the signature */
    MESSAGE = sizeof PREFIX - 1 + HASH
};

static void write_message(unsigned char message[MESSAGE], const char *sealed)
{
    memcpy(message, PREFIX, sizeof PREFIX - 1);
    memcpy(message + sizeof PREFIX - 1, sealed, HASH);
}

/* Base64 of exactly `size` bytes, in its one proper spelling. */
static bool read_base64(unsigned char *bytes, size_t size, const char *text, size_t length)
{
    size_t got;
    const char *end;

    return sodium_base642bin(bytes, size, text, length, NULL, &got, &end, sodium_base64_VARIANT_ORIGINAL) == 0 &&
           got == size && end == text + length;
}

tacit_status tct_signature_check(char key[48], json_t *json, const char *sealed, tacit_error *err)
{
    const tct_json_at top = {NULL, NULL, NULL, 0}, at = {NULL, &top, "signature", 0};
    unsigned char message[MESSAGE], signature[crypto_sign_BYTES], signer[crypto_sign_PUBLICKEYBYTES];
    json_t *object = json_incref(json_object_get(json, "signature"));
    const char *algorithm = NULL, *by = NULL, *value = NULL;
    tacit_status st = TACIT_OK;

    *key = '\0';
    if (!object)
        return TACIT_OK;
    json_object_del(json, "signature");
    if ((st = tct_json_get_string(&algorithm, object, "algorithm", &at, err)) ||
        (st = tct_json_get_string(&by, object, "key", &at, err)) ||
        (st = tct_json_get_string(&value, object, "value", &at, err)))
        goto done;
    if (json_object_size(object) != 3)
        st = tct_json_fail(&at, NULL, err, "there is a key that does not belong here");
    else if (strcmp(algorithm, "ed25519") != 0)
        st = tct_json_fail(&at, "algorithm", err, "expected ed25519");
    else if (!read_base64(signer, sizeof signer, by, strlen(by)))
        st = tct_json_fail(&at, "key", err, "expected 32 bytes in base64");
    else if (!read_base64(signature, sizeof signature, value, strlen(value)))
        st = tct_json_fail(&at, "value", err, "expected 64 bytes in base64");
    if (st)
        goto done;
    if (strlen(sealed) == HASH)
        write_message(message, sealed);
    if (strlen(sealed) != HASH || crypto_sign_verify_detached(signature, message, sizeof message, signer))
        st = tct_fail(err, TACIT_E_INPUT, "its signature is wrong");
    else
        snprintf(key, 48, "%s", by);
done:
    json_decref(object);
    return st;
}

tacit_status tct_signature_trusts(bool *out, const char *trusted, const char *key, tacit_error *err)
{
    unsigned char bytes[crypto_sign_PUBLICKEYBYTES];

    *out = false;
    for (;;) {
        size_t length = strcspn(trusted, ",");

        if (!read_base64(bytes, sizeof bytes, trusted, length))
            return tct_fail(err, TACIT_E_USAGE, "a trusted key must be a public key: 32 bytes in base64");
        *out = *out || (strlen(key) == length && strncmp(trusted, key, length) == 0);
        if (trusted[length] == '\0')
            return TACIT_OK;
        trusted += length + 1;
    }
}

/* Is this the text of a receipt that nobody changed or signed?  Then *sealed is its checksum. */
static tacit_status find_seal(const char *text, size_t size, const char **sealed, tacit_error *err)
{
    const char *tail = size >= sizeof HEAD + TAIL ? text + size - TAIL : NULL;
    tct_hash *hash = NULL;
    char hex[HASH + 1];
    tacit_status st;

    *sealed = NULL;
    if (!tail || memcmp(text, HEAD, sizeof HEAD - 1) != 0 || memcmp(tail, TCT_RECEIPT_SEAL, SEAL_SIZE) != 0 ||
        tail[SEAL_SIZE + HASH] != '"' || strcmp(tail + SEAL_SIZE + HASH + 1, TCT_RECEIPT_END) != 0)
        return tct_fail(err, TACIT_E_INPUT, "not a receipt that could be signed");
    *sealed = tail + SEAL_SIZE;
    st = tct_hash_new(&hash, err);
    if (st)
        return st;
    tct_hash_add(hash, text, size - TAIL);
    tct_hash_add(hash, TCT_RECEIPT_END, END_SIZE);
    tct_hash_finish(hash, hex);
    if (memcmp(hex, *sealed, HASH) != 0)
        return tct_fail(err, TACIT_E_INPUT, "the receipt was changed after it was written");
    return TACIT_OK;
}

/* A signature as the last member of a document. */
static char *add_signature(const char *receipt, const char *key, const char *value)
{
    char member[MEMBER];

    snprintf(member, sizeof member,
             ",\n  \"signature\": {\n    \"algorithm\": \"ed25519\",\n    \"key\": \"%s\",\n    \"value\": \"%s\"\n  }",
             key, value);
    return tct_receipt_append(receipt, member);
}

tacit_status tacit_receipt_sign(char **out, const char *receipt, const unsigned char key[64], tacit_error *err)
{
    unsigned char message[MESSAGE], signature[crypto_sign_BYTES];
    char key_text[KEY_TEXT], value_text[VALUE_TEXT];
    const char *sealed = NULL;
    tacit_status st = find_seal(receipt, strlen(receipt), &sealed, err);

    *out = NULL;
    if (st)
        return st;
    write_message(message, sealed);
    crypto_sign_detached(signature, NULL, message, sizeof message, key);
    sodium_bin2base64(key_text, sizeof key_text, key + crypto_sign_SEEDBYTES, crypto_sign_PUBLICKEYBYTES,
                      sodium_base64_VARIANT_ORIGINAL);
    sodium_bin2base64(value_text, sizeof value_text, signature, sizeof signature, sodium_base64_VARIANT_ORIGINAL);
    *out = add_signature(receipt, key_text, value_text);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

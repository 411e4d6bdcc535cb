/*
 * token.c -- sealing and opening tokens.
 *
 * A nonce is drawn for every token: 24 random bytes never meet twice, so that replicas need not agree on anything but
 * the key.  What cannot be opened is told apart as far as it helps the client: a token of the wrong length was cut off
 * on its way, one of the right length was changed.
 */
#include "token.h"

#include <sodium.h>
#include <string.h>

#include "base.h"

enum {
    VERSION = 1,
    NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    ID_AT = 1,
    NONCE_AT = ID_AT + SRV_KEY_ID_SIZE,
    SEALED_AT = NONCE_AT + NONCE_SIZE,
    /* in the content */
    MAGIC_SIZE = 4,
    HASH_AT = MAGIC_SIZE,
    EXPIRES_AT = HASH_AT + SRV_HASH_SIZE,
    DELTA_AT = EXPIRES_AT + 8,
    DECIDED_AT = DELTA_AT + 8,
    STATE_AT = DECIDED_AT + 1
};

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const unsigned char MAGIC[MAGIC_SIZE] = {'t', 'c', 't', '1'};

static void put_word(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
}

static uint64_t get_word(const unsigned char *bytes)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static size_t binary_size(size_t state_size)
{
    return SEALED_AT + STATE_AT + state_size + TAG_SIZE;
}

size_t srv_token_length(size_t state_size)
{
    return (8 * binary_size(state_size) + 5) / 6;
}

/* Bytes as base64url text, terminated.  Sealed bytes are no secret: unlike libsodium's, this need not take the same time
 * for all of them. */
static void encode(char *text, const unsigned char *bytes, size_t size)
{
    uint32_t bits = 0;
    unsigned n_bits = 0;

    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[i];
        n_bits += 8;
        while (n_bits >= 6) {
            n_bits -= 6;
            *text++ = ALPHABET[bits >> n_bits & 63];
        }
    }
    if (n_bits > 0)
        *text++ = ALPHABET[bits << (6 - n_bits) & 63];
    *text = '\0';
}

static void write_content(unsigned char *content, const srv_token *token)
{
    uint64_t delta;

    memcpy(&delta, &token->delta, sizeof(delta));
    memcpy(content, MAGIC, MAGIC_SIZE);
    memcpy(content + HASH_AT, token->model_hash, SRV_HASH_SIZE);
    put_word(content + EXPIRES_AT, (uint64_t)token->expires);
    put_word(content + DELTA_AT, delta);
    content[DECIDED_AT] = token->decided;
    memcpy(content + STATE_AT, token->state, token->state_size);
}

tacit_status srv_token_seal(char *text, const srv_keys *keys, const srv_token *token, tacit_error *err)
{
    size_t size = binary_size(token->state_size);
    unsigned char *bytes = tct_malloc(size, 1);

    if (!bytes)
        return tct_fail_memory(err);
    bytes[0] = VERSION;
    memcpy(bytes + ID_AT, srv_keys_id(keys, 0), SRV_KEY_ID_SIZE);
    randombytes_buf(bytes + NONCE_AT, NONCE_SIZE);
    write_content(bytes + SEALED_AT, token);
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + SEALED_AT, NULL, bytes + SEALED_AT, STATE_AT + token->state_size,
                                               bytes, NONCE_AT, NULL, bytes + NONCE_AT, srv_keys_sealing(keys, 0));
    encode(text, bytes, size);
    tct_free(bytes); /* sealed in place: nothing to wipe */
    return TACIT_OK;
}

/* Take what was opened, if it is for us. */
static srv_token_found read_content(srv_token *token, const unsigned char *content, size_t size, int64_t now)
{
    uint64_t delta = get_word(content + DELTA_AT);

    if (memcmp(content, MAGIC, MAGIC_SIZE) != 0 || memcmp(content + HASH_AT, token->model_hash, SRV_HASH_SIZE) != 0 ||
        size != STATE_AT + token->state_size)
        return SRV_TOKEN_OTHER_MODEL;
    token->expires = (int64_t)get_word(content + EXPIRES_AT);
    if (now >= token->expires)
        return SRV_TOKEN_EXPIRED;
    memcpy(&token->delta, &delta, sizeof(delta));
    token->decided = content[DECIDED_AT] != 0;
    memcpy(token->state, content + STATE_AT, token->state_size);
    return SRV_TOKEN_FINE;
}

/* The bytes behind the text, opened in place. */
static srv_token_found open_bytes(srv_token *token, const srv_keys *keys, unsigned char *bytes, size_t size,
                                  int64_t now)
{
    size_t key;

    if (size < binary_size(0) || bytes[0] != VERSION)
        return SRV_TOKEN_MALFORMED;
    key = srv_keys_find(keys, bytes + ID_AT);
    if (key == TACIT_NONE)
        return SRV_TOKEN_UNKNOWN_KEY;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes + SEALED_AT, NULL, NULL, bytes + SEALED_AT, size - SEALED_AT,
                                                   bytes, NONCE_AT, bytes + NONCE_AT, srv_keys_sealing(keys, key)))
        return size == binary_size(token->state_size) ? SRV_TOKEN_TAMPERED : SRV_TOKEN_MALFORMED;
    return read_content(token, bytes + SEALED_AT, size - SEALED_AT - TAG_SIZE, now);
}

/* The bytes behind base64url text, and how many; 0 when it is none.  Bits left over at the end must be 0: one token has
 * one text. */
static size_t decode(unsigned char *bytes, const char *text, size_t size)
{
    unsigned char digits[256];
    uint32_t bits = 0;
    unsigned n_bits = 0, seen = 0;
    size_t n = 0;

    memset(digits, 64, sizeof(digits));
    for (unsigned i = 0; i < 64; i++)
        digits[(unsigned char)ALPHABET[i]] = (unsigned char)i;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = digits[(unsigned char)text[i]];

        seen |= digit;
        bits = bits << 6 | (digit & 63);
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            bytes[n++] = (unsigned char)(bits >> n_bits);
        }
    }
    return seen < 64 && n_bits < 6 && (bits & ((1U << n_bits) - 1)) == 0 ? n : 0;
}

srv_token_found srv_token_open(srv_token *token, const srv_keys *keys, const char *text, size_t size, int64_t now)
{
    srv_token_found found;
    size_t room = size / 4 * 3 + 3;
    unsigned char *bytes;

    memset(token->state, 0, token->state_size);
    if (size > SRV_MAX_TOKEN)
        return SRV_TOKEN_MALFORMED;
    bytes = tct_malloc(room, 1);
    if (!bytes)
        return SRV_TOKEN_NO_MEMORY;
    found = open_bytes(token, keys, bytes, decode(bytes, text, size), now);
    tct_free_wiped(bytes, room);
    return found;
}

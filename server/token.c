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
    BLOCK = 64, /* of the cipher */
    /* in the content */
    MAGIC_SIZE = 4,
    HASH_AT = MAGIC_SIZE,
    EXPIRES_AT = HASH_AT + SRV_HASH_SIZE,
    DELTA_AT = EXPIRES_AT + 8,
    DECIDED_AT = DELTA_AT + 8,
    STATE_AT = DECIDED_AT + 1
};

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/* The other way; 0 for what is not in it. */
enum { VALID = 64 };
static const unsigned char DIGITS[256] = {
    ['A'] = VALID | 0,  ['B'] = VALID | 1,  ['C'] = VALID | 2,  ['D'] = VALID | 3,  ['E'] = VALID | 4,
    ['F'] = VALID | 5,  ['G'] = VALID | 6,  ['H'] = VALID | 7,  ['I'] = VALID | 8,  ['J'] = VALID | 9,
    ['K'] = VALID | 10, ['L'] = VALID | 11, ['M'] = VALID | 12, ['N'] = VALID | 13, ['O'] = VALID | 14,
    ['P'] = VALID | 15, ['Q'] = VALID | 16, ['R'] = VALID | 17, ['S'] = VALID | 18, ['T'] = VALID | 19,
    ['U'] = VALID | 20, ['V'] = VALID | 21, ['W'] = VALID | 22, ['X'] = VALID | 23, ['Y'] = VALID | 24,
    ['Z'] = VALID | 25, ['a'] = VALID | 26, ['b'] = VALID | 27, ['c'] = VALID | 28, ['d'] = VALID | 29,
    ['e'] = VALID | 30, ['f'] = VALID | 31, ['g'] = VALID | 32, ['h'] = VALID | 33, ['i'] = VALID | 34,
    ['j'] = VALID | 35, ['k'] = VALID | 36, ['l'] = VALID | 37, ['m'] = VALID | 38, ['n'] = VALID | 39,
    ['o'] = VALID | 40, ['p'] = VALID | 41, ['q'] = VALID | 42, ['r'] = VALID | 43, ['s'] = VALID | 44,
    ['t'] = VALID | 45, ['u'] = VALID | 46, ['v'] = VALID | 47, ['w'] = VALID | 48, ['x'] = VALID | 49,
    ['y'] = VALID | 50, ['z'] = VALID | 51, ['0'] = VALID | 52, ['1'] = VALID | 53, ['2'] = VALID | 54,
    ['3'] = VALID | 55, ['4'] = VALID | 56, ['5'] = VALID | 57, ['6'] = VALID | 58, ['7'] = VALID | 59,
    ['8'] = VALID | 60, ['9'] = VALID | 61, ['-'] = VALID | 62, ['_'] = VALID | 63};
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

/* The cipher takes four blocks at a time; three and a bit of a fourth, one by one, take longer.  Then the content is
 * filled up with zeros. */
static size_t content_size(size_t state_size)
{
    size_t size = STATE_AT + state_size, over = size % (4 * BLOCK);

    return over > 3 * BLOCK ? size + 4 * BLOCK - over : size;
}

static size_t binary_size(size_t state_size)
{
    return SEALED_AT + content_size(state_size) + TAG_SIZE;
}

size_t srv_token_length(size_t state_size)
{
    return (8 * binary_size(state_size) + 5) / 6;
}

/* Bytes as base64url text, terminated.  Sealed bytes are no secret: unlike libsodium's, this need not take the same
 * time for all of them. */
static void encode(char *text, const unsigned char *bytes, size_t size)
{
    for (; size >= 3; size -= 3, bytes += 3, text += 4) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

        text[0] = ALPHABET[bits >> 18];
        text[1] = ALPHABET[bits >> 12 & 63];
        text[2] = ALPHABET[bits >> 6 & 63];
        text[3] = ALPHABET[bits & 63];
    }
    if (size > 0) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (size > 1 ? (uint32_t)bytes[1] << 8 : 0);

        *text++ = ALPHABET[bits >> 18];
        *text++ = ALPHABET[bits >> 12 & 63];
        if (size > 1)
            *text++ = ALPHABET[bits >> 6 & 63];
    }
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
    memset(content + STATE_AT + token->state_size, 0, content_size(token->state_size) - STATE_AT - token->state_size);
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
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + SEALED_AT, NULL, bytes + SEALED_AT,
                                               content_size(token->state_size), bytes, NONCE_AT, NULL, bytes + NONCE_AT,
                                               srv_keys_sealing(keys, 0));
    encode(text, bytes, size);
    tct_free(bytes); /* sealed in place: nothing to wipe */
    return TACIT_OK;
}

/* Take what was opened, if it is for us. */
static srv_token_found read_content(srv_token *token, const unsigned char *content, size_t size, int64_t now)
{
    uint64_t delta = get_word(content + DELTA_AT);

    if (memcmp(content, MAGIC, MAGIC_SIZE) != 0 || memcmp(content + HASH_AT, token->model_hash, SRV_HASH_SIZE) != 0 ||
        size != content_size(token->state_size))
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

/* What a character stands for; *all loses VALID when that is nothing. */
static unsigned digit_of(char c, unsigned *all)
{
    unsigned digit = DIGITS[(unsigned char)c];

    *all &= digit;
    return digit & 63;
}

/* The bytes behind base64url text, and how many; 0 when it is none.  Bits left over at the end must be 0: one token has
 * one text. */
static size_t decode(unsigned char *bytes, const char *text, size_t size)
{
    unsigned all = VALID, left_over = 0;
    unsigned char *at = bytes;

    for (; size >= 4; size -= 4, text += 4, at += 3) {
        uint32_t bits = digit_of(text[0], &all) << 18 | digit_of(text[1], &all) << 12 | digit_of(text[2], &all) << 6 |
                        digit_of(text[3], &all);

        at[0] = (unsigned char)(bits >> 16);
        at[1] = (unsigned char)(bits >> 8);
        at[2] = (unsigned char)bits;
    }
    if (size > 1) {
        uint32_t bits = digit_of(text[0], &all) << 12 | digit_of(text[1], &all) << 6;

        bits |= size > 2 ? digit_of(text[2], &all) : 0;
        left_over = bits & (size > 2 ? 3 : 0x3FF);
        *at++ = (unsigned char)(bits >> 10);
        if (size > 2)
            *at++ = (unsigned char)(bits >> 2);
    }
    return all == VALID && size != 1 && left_over == 0 ? (size_t)(at - bytes) : 0;
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

/*
 * token.c -- sealing and opening tokens.
 *
 * A nonce is drawn for every token: 24 random bytes never meet twice, so that replicas need not agree on anything but
 * the key.  They are drawn some at a time, and a process that is forked, or a machine that is copied while it runs, has
 * the rest of them twice; so what is sealed changes its nonce.  What cannot be opened is told apart as far as it helps the client: a token of the wrong length was cut off
 * on its way, one of the right length was changed.
 */
#include "token.h"

#include <endian.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>

#include "base.h"

enum {
    VERSION = 2,
    NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    ID_AT = 1,
    NONCE_AT = ID_AT + SRV_KEY_ID_SIZE,
    SEALED_AT = NONCE_AT + NONCE_SIZE,
    NONCES = 64, /* drawn at a time */
    BLOCK = 64,  /* of the cipher */
    /* in the content */
    MAGIC_SIZE = 4,
    HASH_AT = MAGIC_SIZE,
    EXPIRES_AT = HASH_AT + SRV_HASH_SIZE,
    DELTA_AT = EXPIRES_AT + 8,
    DECIDED_AT = DELTA_AT + 8,
    ASKED_AT = DECIDED_AT + 1,
    SESSION_AT = ASKED_AT + 4,
    STATE_AT = SESSION_AT + SRV_SESSION_ID
};

typedef struct nonce {
    unsigned char bytes[NONCE_SIZE];
} nonce;

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
enum { DIGITS = 64, BAD = 1 << 30 };

/* Made once from the alphabet: the text of two digits, and what a character is worth at each of the four places of a
 * group, BAD where it is no digit. */
static struct {
    pthread_once_t once;
    char pairs[DIGITS * DIGITS][2];
    uint32_t worth[4][256];
} digits = {.once = PTHREAD_ONCE_INIT};

static const unsigned char MAGIC[MAGIC_SIZE] = {'t', 'c', 't', '2'};

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

static void make_digits(void)
{
    for (size_t place = 0; place < 4; place++)
        for (size_t c = 0; c < 256; c++)
            digits.worth[place][c] = BAD;
    for (size_t d = 0; d < DIGITS; d++) {
        for (size_t e = 0; e < DIGITS; e++) {
            digits.pairs[d * DIGITS + e][0] = ALPHABET[d];
            digits.pairs[d * DIGITS + e][1] = ALPHABET[e];
        }
        for (size_t place = 0; place < 4; place++)
            digits.worth[place][(unsigned char)ALPHABET[d]] = (uint32_t)d << (18 - 6 * place);
    }
}

/* Bytes as base64url text, terminated.  Sealed bytes are no secret: unlike libsodium's, this need not take the same
 * time for all of them. */
static void encode(char *text, const unsigned char *bytes, size_t size)
{
    pthread_once(&digits.once, make_digits);
    for (; size >= 8; size -= 6, bytes += 6, text += 8) { /* six of eight that are there */
        uint64_t bits;

        memcpy(&bits, bytes, sizeof(bits));
        bits = be64toh(bits);
        memcpy(text, digits.pairs[bits >> 52], 2);
        memcpy(text + 2, digits.pairs[bits >> 40 & 0xFFF], 2);
        memcpy(text + 4, digits.pairs[bits >> 28 & 0xFFF], 2);
        memcpy(text + 6, digits.pairs[bits >> 16 & 0xFFF], 2);
    }
    for (; size >= 3; size -= 3, bytes += 3, text += 4) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

        memcpy(text, digits.pairs[bits >> 12], 2);
        memcpy(text + 2, digits.pairs[bits & 0xFFF], 2);
    }
    if (size > 0) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (size > 1 ? (uint32_t)bytes[1] << 8 : 0);

        memcpy(text, digits.pairs[bits >> 12], 2);
        text += 2;
        if (size > 1)
            *text++ = ALPHABET[bits >> 6 & 63];
    }
    *text = '\0';
}

/* A nonce for what is to be sealed; key: for this alone. */
static nonce make_nonce(const unsigned char *content, size_t size, const unsigned char *key)
{
    static _Thread_local nonce drawn[NONCES];
    static _Thread_local size_t left;
    unsigned char hash[crypto_shorthash_BYTES];
    nonce made;

    if (left == 0) {
        randombytes_buf(drawn, sizeof(drawn));
        left = NONCES;
    }
    made = drawn[--left];
    crypto_shorthash(hash, content, size, key);
    for (size_t i = 0; i < sizeof(hash); i++)
        made.bytes[i] ^= hash[i];
    return made;
}

static void write_content(unsigned char *content, const srv_token *token)
{
    uint64_t delta;

    memcpy(&delta, &token->delta, sizeof(delta));
    memcpy(content, MAGIC, MAGIC_SIZE);
    memcpy(content + HASH_AT, token->model_hash, SRV_HASH_SIZE);
    put_word(content + EXPIRES_AT, (uint64_t)token->expires);
    put_word(content + DELTA_AT, delta);
    content[DECIDED_AT] = (unsigned char)(token->decided | token->free_order << 1);
    for (int i = 0; i < 4; i++)
        content[ASKED_AT + i] = (unsigned char)(token->asked >> (8 * i));
    memcpy(content + SESSION_AT, token->session, SRV_SESSION_ID);
    memcpy(content + STATE_AT, token->state, token->state_size);
    memset(content + STATE_AT + token->state_size, 0, content_size(token->state_size) - STATE_AT - token->state_size);
}

tacit_status srv_token_seal(char *text, const srv_keys *keys, const srv_token *token, tacit_error *err)
{
    size_t size = binary_size(token->state_size), inside = content_size(token->state_size);
    unsigned char *bytes = tct_malloc(size, 1);
    nonce once;

    if (!bytes)
        return tct_fail_memory(err);
    bytes[0] = VERSION;
    memcpy(bytes + ID_AT, srv_keys_id(keys, 0), SRV_KEY_ID_SIZE);
    write_content(bytes + SEALED_AT, token);
    once = make_nonce(bytes + SEALED_AT, STATE_AT + token->state_size, srv_keys_nonces(keys, 0));
    memcpy(bytes + NONCE_AT, once.bytes, NONCE_SIZE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + SEALED_AT, NULL, bytes + SEALED_AT, inside, bytes, NONCE_AT,
                                               NULL, bytes + NONCE_AT, srv_keys_sealing(keys, 0));
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
    token->decided = content[DECIDED_AT] & 1;
    token->free_order = content[DECIDED_AT] & 2;
    token->asked = 0;
    for (int i = 0; i < 4; i++)
        token->asked |= (uint32_t)content[ASKED_AT + i] << (8 * i);
    memcpy(token->session, content + SESSION_AT, SRV_SESSION_ID);
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

/* What four characters are worth; BAD is in it when one of them is no digit. */
static uint32_t worth_of(const char *text)
{
    return digits.worth[0][(unsigned char)text[0]] | digits.worth[1][(unsigned char)text[1]] |
           digits.worth[2][(unsigned char)text[2]] | digits.worth[3][(unsigned char)text[3]];
}

/* The bytes behind base64url text, and how many; 0 when it is none.  Bits left over at the end must be 0: one token has
 * one text. */
static size_t decode(unsigned char *bytes, const char *text, size_t size)
{
    uint32_t all = 0, left_over = 0;
    unsigned char *at = bytes;

    pthread_once(&digits.once, make_digits);
    for (; size >= 4; size -= 4, text += 4, at += 3) {
        uint32_t bits = worth_of(text);

        all |= bits;
        at[0] = (unsigned char)(bits >> 16);
        at[1] = (unsigned char)(bits >> 8);
        at[2] = (unsigned char)bits;
    }
    if (size > 1) {
        char group[4] = {text[0], text[1], size > 2 ? text[2] : ALPHABET[0], ALPHABET[0]};
        uint32_t bits = worth_of(group);

        all |= bits;
        left_over = bits & (size > 2 ? 0xFF : 0xFFFF);
        *at++ = (unsigned char)(bits >> 16);
        if (size > 2)
            *at++ = (unsigned char)(bits >> 8);
    }
    return !(all & BAD) && size != 1 && left_over == 0 ? (size_t)(at - bytes) : 0;
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

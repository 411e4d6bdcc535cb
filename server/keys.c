/*
 * keys.c -- keys and what is derived from them.
 *
 * A key itself is not kept: the subkeys are (BLAKE2b with a context each, crypto_kdf of libsodium), in one block from
 * sodium_malloc, which lies between guard pages, is kept out of swap and core files, and is writable only while a key
 * is added.  Which key a token was sealed with is told by four derived bytes that say nothing about it.
 */
#include "keys.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

static const char SEALING_CONTEXT[crypto_kdf_CONTEXTBYTES + 1] = "tacit-tk";
static const char NONCE_CONTEXT[crypto_kdf_CONTEXTBYTES + 1] = "tacit-no";
static const char SIGNING_CONTEXT[crypto_kdf_CONTEXTBYTES + 1] = "tacit-sg";
static const char ID_CONTEXT[crypto_kdf_CONTEXTBYTES + 1] = "tacit-id";

typedef struct secret {
    unsigned char sealing[SRV_KEY_SIZE], nonces[SRV_NONCE_KEY_SIZE], signing[SRV_SIGNING_SIZE];
} secret;

struct srv_keys {
    size_t count;
    secret *secrets; /* SRV_MAX_KEYS of them */
    unsigned char ids[SRV_MAX_KEYS][SRV_KEY_ID_SIZE];
    char id_texts[SRV_MAX_KEYS][SRV_KEY_ID_ROOM];
    char public_keys[SRV_MAX_KEYS][SRV_PUBLIC_KEY_ROOM];
};

_Static_assert(SRV_KEY_SIZE == crypto_kdf_KEYBYTES, "keys that others are derived from");
_Static_assert(SRV_KEY_SIZE == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "keys that seal");
_Static_assert(SRV_NONCE_KEY_SIZE == crypto_shorthash_KEYBYTES, "keys for nonces");
_Static_assert(SRV_SIGNING_SIZE == crypto_sign_SECRETKEYBYTES, "keys that sign");

tacit_status srv_keys_new(srv_keys **out, tacit_error *err)
{
    srv_keys *keys = NULL;

    *out = NULL;
    if (sodium_init() < 0)
        return tct_fail(err, TACIT_E_INTERNAL, "libsodium cannot be initialised");
    keys = tct_calloc(1, sizeof(*keys));
    if (!keys)
        return tct_fail_memory(err);
    keys->secrets = sodium_allocarray(SRV_MAX_KEYS, sizeof(*keys->secrets));
    if (!keys->secrets) {
        tct_free(keys);
        return tct_fail_memory(err);
    }
    *out = keys;
    return TACIT_OK;
}

void srv_keys_free(srv_keys *keys)
{
    if (!keys)
        return;
    sodium_free(keys->secrets); /* wipes */
    tct_free(keys);
}

static bool all_bytes_equal(const unsigned char key[SRV_KEY_SIZE])
{
    unsigned differing = 0;

    for (size_t i = 1; i < SRV_KEY_SIZE; i++)
        differing |= key[i] ^ key[0];
    return differing == 0;
}

/* What follows from a key, in place `index`. */
static bool derive(srv_keys *keys, size_t index, const unsigned char key[SRV_KEY_SIZE])
{
    unsigned char id[crypto_kdf_BYTES_MIN], public_key[crypto_sign_PUBLICKEYBYTES], seed[crypto_sign_SEEDBYTES];
    secret *s = &keys->secrets[index];
    bool fine = crypto_kdf_derive_from_key(s->sealing, sizeof(s->sealing), 1, SEALING_CONTEXT, key) == 0 &&
                crypto_kdf_derive_from_key(s->nonces, sizeof(s->nonces), 1, NONCE_CONTEXT, key) == 0 &&
                crypto_kdf_derive_from_key(seed, sizeof(seed), 1, SIGNING_CONTEXT, key) == 0 &&
                crypto_kdf_derive_from_key(id, sizeof(id), 1, ID_CONTEXT, key) == 0 &&
                crypto_sign_seed_keypair(public_key, s->signing, seed) == 0;

    sodium_memzero(seed, sizeof(seed));
    if (!fine)
        return false;
    memcpy(keys->ids[index], id, SRV_KEY_ID_SIZE);
    sodium_bin2hex(keys->id_texts[index], SRV_KEY_ID_ROOM, keys->ids[index], SRV_KEY_ID_SIZE);
    sodium_bin2base64(keys->public_keys[index], SRV_PUBLIC_KEY_ROOM, public_key, sizeof(public_key),
                      sodium_base64_VARIANT_ORIGINAL);
    return true;
}

tacit_status srv_keys_add(srv_keys *keys, const unsigned char key[SRV_KEY_SIZE], tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (keys->count == SRV_MAX_KEYS)
        return tct_fail(err, TACIT_E_USAGE, "there may be at most %d keys", SRV_MAX_KEYS);
    if (all_bytes_equal(key))
        return tct_fail(err, TACIT_E_INPUT, "a key must be random bytes, and these are all the same");
    sodium_mprotect_readwrite(keys->secrets);
    if (!derive(keys, keys->count, key))
        st = tct_fail(err, TACIT_E_INTERNAL, "libsodium cannot derive keys");
    sodium_mprotect_readonly(keys->secrets);
    if (st)
        return st;
    if (srv_keys_find(keys, keys->ids[keys->count]) != TACIT_NONE)
        return tct_fail(err, TACIT_E_INPUT, "the same key was given before");
    keys->count++;
    return TACIT_OK;
}

/* Up to `room` bytes of a file, without a buffer in between that would keep them. */
static tacit_status read_bytes(const char *path, unsigned char *bytes, size_t room, size_t *size, tacit_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : 1;

    *size = 0;
    while (got > 0 && *size < room) {
        got = read(file, bytes + *size, room - *size);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            *size += (size_t)got;
    }
    if (got < 0)
        tct_fail(err, TACIT_E_IO, "cannot %s %s: %s", file < 0 ? "open" : "read", path, strerror(errno));
    if (file >= 0)
        close(file);
    return got < 0 ? TACIT_E_IO : TACIT_OK;
}

/* Is this what no random generator gives: text, few different bytes, a count?  Of true keys one in 10^13 looks so. */
static bool looks_made_up(const unsigned char key[SRV_KEY_SIZE])
{
    bool seen[256] = {false};
    size_t distinct = 0, printable = 0, steps = 0;

    for (size_t i = 0; i < SRV_KEY_SIZE; i++) {
        distinct += !seen[key[i]];
        seen[key[i]] = true;
        printable += (key[i] >= 0x20 && key[i] < 0x7F) || key[i] == '\n' || key[i] == '\t';
        steps += i > 1 && (unsigned char)(key[i] - key[i - 1]) == (unsigned char)(key[1] - key[0]);
    }
    sodium_memzero(seen, sizeof(seen));
    return distinct < SRV_KEY_SIZE / 2 || printable == SRV_KEY_SIZE || steps == SRV_KEY_SIZE - 2;
}

/* The key in a file. */
static tacit_status read_key(unsigned char key[SRV_KEY_SIZE + 1], const char *path, tacit_error *err)
{
    size_t size = 0;
    tacit_status st = read_bytes(path, key, SRV_KEY_SIZE + 1, &size, err);

    if (!st && size != SRV_KEY_SIZE)
        st = tct_fail(err, TACIT_E_INPUT,
                      "%s: a key file holds exactly %d random bytes (head -c %d /dev/urandom > FILE), this one %s",
                      path, SRV_KEY_SIZE, SRV_KEY_SIZE, size < SRV_KEY_SIZE ? "fewer" : "more");
    if (!st && looks_made_up(key))
        st = tct_fail(err, TACIT_E_INPUT,
                      "%s: a key must be random bytes (head -c %d /dev/urandom > FILE), and these are not", path,
                      SRV_KEY_SIZE);
    return st;
}

tacit_status srv_keys_add_file(srv_keys *keys, const char *path, tacit_error *err)
{
    unsigned char key[SRV_KEY_SIZE + 1];
    tacit_error inner = {0};
    tacit_status st = read_key(key, path, err);

    if (!st) {
        st = srv_keys_add(keys, key, &inner);
        if (st)
            tct_fail(err, st, "%s: %s", path, inner.message);
    }
    sodium_memzero(key, sizeof(key));
    return st;
}

/* Is this one of the keys that seal?  By what is derived from it: the keys themselves are not kept. */
static bool is_sealing(const srv_keys *keys, const unsigned char key[SRV_KEY_SIZE])
{
    unsigned char sealing[SRV_KEY_SIZE];
    bool found = false;

    if (crypto_kdf_derive_from_key(sealing, sizeof(sealing), 1, SEALING_CONTEXT, key))
        return false;
    for (size_t i = 0; i < keys->count; i++)
        found = found || sodium_memcmp(sealing, keys->secrets[i].sealing, sizeof(sealing)) == 0;
    sodium_memzero(sealing, sizeof(sealing));
    return found;
}

tacit_status srv_keys_sign_with_file(srv_keys *keys, const char *path, tacit_error *err)
{
    unsigned char key[SRV_KEY_SIZE + 1], seed[crypto_sign_SEEDBYTES], public_key[crypto_sign_PUBLICKEYBYTES];
    tacit_status st = read_key(key, path, err);

    if (!st && is_sealing(keys, key))
        st = tct_fail(
            err, TACIT_E_INPUT,
            "%s: the key that signs must be another than those that seal; without one of its own leave it out", path);
    if (!st) {
        sodium_mprotect_readwrite(keys->secrets);
        if (crypto_kdf_derive_from_key(seed, sizeof(seed), 1, SIGNING_CONTEXT, key) ||
            crypto_sign_seed_keypair(public_key, keys->secrets[0].signing, seed))
            st = tct_fail(err, TACIT_E_INTERNAL, "libsodium cannot derive keys");
        for (size_t i = 0; i < keys->count && !st; i++) {
            if (i > 0)
                memcpy(keys->secrets[i].signing, keys->secrets[0].signing, SRV_SIGNING_SIZE);
            sodium_bin2base64(keys->public_keys[i], SRV_PUBLIC_KEY_ROOM, public_key, sizeof(public_key),
                              sodium_base64_VARIANT_ORIGINAL);
        }
        sodium_mprotect_readonly(keys->secrets);
        sodium_memzero(seed, sizeof(seed));
    }
    sodium_memzero(key, sizeof(key));
    return st;
}

tacit_status srv_keys_add_random(srv_keys *keys, tacit_error *err)
{
    unsigned char key[SRV_KEY_SIZE];
    tacit_status st;

    randombytes_buf(key, sizeof(key));
    st = srv_keys_add(keys, key, err);
    sodium_memzero(key, sizeof(key));
    return st;
}

size_t srv_keys_count(const srv_keys *keys)
{
    return keys->count;
}

const char *srv_keys_public(const srv_keys *keys, size_t index)
{
    return keys->public_keys[index];
}

const char *srv_keys_id_text(const srv_keys *keys, size_t index)
{
    return keys->id_texts[index];
}

const unsigned char *srv_keys_id(const srv_keys *keys, size_t index)
{
    return keys->ids[index];
}

size_t srv_keys_find(const srv_keys *keys, const unsigned char id[SRV_KEY_ID_SIZE])
{
    for (size_t i = 0; i < keys->count; i++)
        if (memcmp(keys->ids[i], id, SRV_KEY_ID_SIZE) == 0)
            return i;
    return TACIT_NONE;
}

const unsigned char *srv_keys_sealing(const srv_keys *keys, size_t index)
{
    return keys->secrets[index].sealing;
}

const unsigned char *srv_keys_nonces(const srv_keys *keys, size_t index)
{
    return keys->secrets[index].nonces;
}

const unsigned char *srv_keys_signing(const srv_keys *keys, size_t index)
{
    return keys->secrets[index].signing;
}

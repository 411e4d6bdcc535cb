/*
 * hash.c -- SHA-256 over bytes that come in pieces (libsodium).
 */
#include "base.h"

#include <sodium.h>

struct tct_hash {
    crypto_hash_sha256_state state;
};

tacit_status tct_hash_new(tct_hash **out, tacit_error *err)
{
    *out = tct_malloc(1, sizeof(**out));
    if (!*out)
        return tct_fail_memory(err);
    crypto_hash_sha256_init(&(*out)->state);
    return TACIT_OK;
}

void tct_hash_add(tct_hash *hash, const void *bytes, size_t size)
{
    if (size > 0)
        crypto_hash_sha256_update(&hash->state, bytes, size);
}

void tct_hash_finish(tct_hash *hash, char hex[65])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(&hash->state, digest);
    sodium_bin2hex(hex, 65, digest, sizeof(digest));
    tct_hash_free(hash);
}

void tct_hash_free(tct_hash *hash)
{
    tct_free_wiped(hash, sizeof(*hash)); /* the state holds the last block of the input */
}

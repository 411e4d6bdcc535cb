/*
 * keys.h -- the secrets of a server: 32-byte keys, from each of which one subkey seals tokens and one signs receipts.
 *
 * The first key seals and signs; all of them open, so that a key is replaced by putting the new one in front and
 * dropping the old one when its last token has expired.  They live in memory that is locked, fenced and read-only.
 */
#ifndef SRV_KEYS_H
#define SRV_KEYS_H

#include "tacit.h"

enum {
    SRV_KEY_SIZE = 32,
    SRV_SIGNING_SIZE = 64,
    SRV_NONCE_KEY_SIZE = 16,
    SRV_KEY_ID_SIZE = 4,
    SRV_MAX_KEYS = 16,
    SRV_PUBLIC_KEY_ROOM = 48, /* base64 of 32 bytes and a terminator need 45 */
    SRV_KEY_ID_ROOM = 2 * SRV_KEY_ID_SIZE + 1
};

typedef struct srv_keys srv_keys;

/* None yet. */
tacit_status srv_keys_new(srv_keys **out, tacit_error *err);
void srv_keys_free(srv_keys *keys); /* wipes; NULL allowed */
/* Add a key; it is copied.  More than SRV_MAX_KEYS, the same key twice, and one that is plainly not random, are errors. */
tacit_status srv_keys_add(srv_keys *keys, const unsigned char key[SRV_KEY_SIZE], tacit_error *err);
/* Add the key in a file of exactly 32 bytes (head -c 32 /dev/urandom > FILE).  Text, a count and the like are refused. */
tacit_status srv_keys_add_file(srv_keys *keys, const char *path, tacit_error *err);
/* Sign with the key in this file instead, whichever key seals: so that those can be replaced without new signatures.
 * There must be a key already, and none of them may be this one. */
tacit_status srv_keys_sign_with_file(srv_keys *keys, const char *path, tacit_error *err);
/* Add a key made up now: tokens end with the process, and no other server knows them. */
tacit_status srv_keys_add_random(srv_keys *keys, tacit_error *err);

size_t srv_keys_count(const srv_keys *keys);
/* The public half of what signs receipts, as base64, and the key's name in tokens, as hex. */
const char *srv_keys_public(const srv_keys *keys, size_t index);
const char *srv_keys_id_text(const srv_keys *keys, size_t index);
/* Bytes of the name. */
const unsigned char *srv_keys_id(const srv_keys *keys, size_t index);
/* The key with this name, or TACIT_NONE. */
size_t srv_keys_find(const srv_keys *keys, const unsigned char id[SRV_KEY_ID_SIZE]);
/* Secrets: what seals tokens, what makes their nonces, and what signs receipts (tacit_receipt_sign), of SRV_SIGNING_SIZE. */
const unsigned char *srv_keys_sealing(const srv_keys *keys, size_t index);
const unsigned char *srv_keys_nonces(const srv_keys *keys, size_t index);
const unsigned char *srv_keys_signing(const srv_keys *keys, size_t index);

#endif

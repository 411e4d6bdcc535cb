/*
 * token.h -- a session as text that only servers with the same key can read.
 *
 * base64url without padding of: version, 1 byte | key id, 4 | nonce, 24 | XChaCha20-Poly1305 of the content, with what
 * stands before it authenticated too.  The content is: magic, hash of the model, expiry, delta, whether there was a
 * decision, what was asked, the number of the session, its state.  Its length is the same for all sessions of a model: nothing about the answers,
 * nor how many there are, can be seen from outside.
 */
#ifndef SRV_TOKEN_H
#define SRV_TOKEN_H

#include "keys.h"

enum {
    SRV_HASH_SIZE = 32,
    SRV_SESSION_ID = 16,    /* bytes; random, the same in all tokens of a session */
    SRV_MAX_TOKEN = 1 << 20 /* characters; a longer one is not looked at */
};

#define SRV_NOTHING_ASKED UINT32_MAX

typedef struct srv_token {
    unsigned char model_hash[SRV_HASH_SIZE];
    int64_t expires; /* unix seconds */
    double delta;
    bool decided;
    bool free_order; /* somebody has answered what was not asked */
    uint32_t asked;  /* attribute; SRV_NOTHING_ASKED: none */
    unsigned char session[SRV_SESSION_ID];
    unsigned char *state; /* state_size bytes; personal */
    size_t state_size;
} srv_token;

typedef enum srv_token_found {
    SRV_TOKEN_FINE,
    SRV_TOKEN_MALFORMED, /* no token at all, or cut off */
    SRV_TOKEN_TAMPERED,
    SRV_TOKEN_UNKNOWN_KEY,
    SRV_TOKEN_OTHER_MODEL,
    SRV_TOKEN_EXPIRED,
    SRV_TOKEN_NO_MEMORY
} srv_token_found;

/* Characters of a token, the terminator not counted. */
size_t srv_token_length(size_t state_size);
/* Write a token, terminated: `text` has room for srv_token_length + 1. */
tacit_status srv_token_seal(char *text, const srv_keys *keys, const srv_token *token, tacit_error *err);
/* Read one made for the model of token->model_hash; fills all else and the state_size bytes at token->state, which are
 * zero unless all is fine. */
srv_token_found srv_token_open(srv_token *token, const srv_keys *keys, const char *text, size_t size, int64_t now);

#endif

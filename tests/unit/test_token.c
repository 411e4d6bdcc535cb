/*
 * Tokens: what is sealed comes back, and nothing else does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "token.h"

enum { NOW = 1700000000, STATE = 37, ROOM = 512 };

static srv_keys *keys_of(const unsigned *numbers, size_t n)
{
    unsigned char key[SRV_KEY_SIZE];
    srv_keys *keys = NULL;

    assert_int_equal(srv_keys_new(&keys, NULL), TACIT_OK);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < SRV_KEY_SIZE; i++)
            key[i] = (unsigned char)(numbers[k] + i);
        assert_int_equal(srv_keys_add(keys, key, NULL), TACIT_OK);
    }
    return keys;
}

static srv_keys *one_key(unsigned number)
{
    return keys_of(&number, 1);
}

static srv_token token_of(unsigned char *state, unsigned char model)
{
    srv_token token = {.expires = NOW + 60, .delta = 0.05, .decided = true, .state = state, .state_size = STATE};

    memset(token.model_hash, model, sizeof(token.model_hash));
    return token;
}

/* Open as the same model would. */
static srv_token_found open_text(const srv_keys *keys, const char *text, size_t size, unsigned char model, int64_t now,
                                 srv_token *out)
{
    static unsigned char state[STATE];
    srv_token token = {.state = state, .state_size = STATE};
    srv_token_found found;

    memset(state, 0xEE, sizeof(state));
    memset(token.model_hash, model, sizeof(token.model_hash));
    found = srv_token_open(&token, keys, text, size, now);
    if (found != SRV_TOKEN_FINE)
        for (size_t i = 0; i < STATE; i++)
            assert_int_equal(state[i], 0);
    if (out)
        *out = token;
    return found;
}

/* A token by key `number` for model 1. */
static size_t seal(char text[ROOM], const srv_keys *keys)
{
    unsigned char state[STATE];
    srv_token token = token_of(state, 1);

    for (size_t i = 0; i < STATE; i++)
        state[i] = (unsigned char)(i * 7);
    assert_true(srv_token_length(STATE) < ROOM);
    assert_int_equal(srv_token_seal(text, keys, &token, NULL), TACIT_OK);
    assert_int_equal(strlen(text), srv_token_length(STATE));
    return strlen(text);
}

static void token__gives_back_what_was_sealed(void **state)
{
    srv_keys *keys = one_key(1);
    char text[ROOM], again[ROOM];
    size_t size = seal(text, keys);
    srv_token token;

    (void)state;
    assert_int_equal(open_text(keys, text, size, 1, NOW, &token), SRV_TOKEN_FINE);
    assert_true(token.expires == NOW + 60 && token.delta == 0.05 && token.decided);
    for (size_t i = 0; i < STATE; i++)
        assert_int_equal(token.state[i], (unsigned char)(i * 7));
    seal(again, keys);
    assert_string_not_equal(text, again);
    srv_keys_free(keys);
}

static void token__has_one_length_for_all_values(void **state)
{
    static const double deltas[] = {0, 0.05, 0.4999999999, DBL_MIN, DBL_TRUE_MIN};
    static const int64_t ends[] = {0, 1, NOW, INT64_MAX};
    unsigned char bytes[STATE];
    srv_token token = token_of(bytes, 1), back;
    srv_keys *keys = one_key(1);
    char text[ROOM];

    (void)state;
    for (int fill = 0; fill < 256; fill += 51)
        for (size_t d = 0; d < 5; d++)
            for (size_t e = 0; e < 4; e++) {
                memset(bytes, fill, sizeof(bytes));
                token.delta = deltas[d];
                token.expires = ends[e];
                token.decided = fill > 100;
                assert_int_equal(srv_token_seal(text, keys, &token, NULL), TACIT_OK);
                assert_int_equal(strlen(text), srv_token_length(STATE));
                assert_int_equal(strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
                                 strlen(text));
                assert_int_equal(open_text(keys, text, strlen(text), 1, ends[e] - 1, &back), SRV_TOKEN_FINE);
                assert_true(back.delta == deltas[d] && back.expires == ends[e] && back.decided == token.decided);
            }
    srv_keys_free(keys);
}

/* Every character replaced by every other one that base64url has, and by some that it has not. */
static void token__rejects_a_change_anywhere(void **state)
{
    static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\n\0\xC3";
    srv_keys *keys = one_key(1);
    char text[ROOM];
    size_t size = seal(text, keys);

    (void)state;
    for (size_t i = 0; i < size; i++) {
        char old = text[i];

        for (size_t k = 0; k < sizeof(others) - 1; k++) {
            srv_token_found found;

            if (others[k] == old)
                continue;
            text[i] = others[k];
            found = open_text(keys, text, size, 1, NOW, NULL);
            if (k >= 64 || i == 0) /* not base64url; or the version */
                assert_int_equal(found, SRV_TOKEN_MALFORMED);
            else if (i == 1) /* half version, half key */
                assert_true(found == SRV_TOKEN_MALFORMED || found == SRV_TOKEN_UNKNOWN_KEY);
            else if (i < 6)
                assert_int_equal(found, SRV_TOKEN_UNKNOWN_KEY);
            else if (i == 6)
                assert_true(found == SRV_TOKEN_UNKNOWN_KEY || found == SRV_TOKEN_TAMPERED);
            else if (i == size - 1) /* bits beyond the last byte must be zero */
                assert_true(found == SRV_TOKEN_TAMPERED || found == SRV_TOKEN_MALFORMED);
            else
                assert_int_equal(found, SRV_TOKEN_TAMPERED);
        }
        text[i] = old;
    }
    assert_int_equal(open_text(keys, text, size, 1, NOW, NULL), SRV_TOKEN_FINE);
    srv_keys_free(keys);
}

static void token__rejects_other_lengths(void **state)
{
    srv_keys *keys = one_key(1);
    char text[ROOM];
    size_t size = seal(text, keys);

    (void)state;
    for (size_t cut = 0; cut < size; cut++) {
        char *exact = malloc(cut + 1);

        assert_non_null(exact);
        memcpy(exact, text, cut);
        assert_int_equal(open_text(keys, exact, cut, 1, NOW, NULL), SRV_TOKEN_MALFORMED);
        assert_int_not_equal(open_text(keys, text + size - cut, cut, 1, NOW, NULL), SRV_TOKEN_FINE);
        free(exact);
    }
    for (size_t more = 1; more < 9; more++) {
        memset(text + size, 'A', more);
        assert_int_equal(open_text(keys, text, size + more, 1, NOW, NULL), SRV_TOKEN_MALFORMED);
    }
    srv_keys_free(keys);
}

static void token__rejects_what_is_far_too_long(void **state)
{
    char *text = malloc(SRV_MAX_TOKEN + 4);
    srv_keys *keys = one_key(1);

    (void)state;
    assert_non_null(text);
    memset(text, 'A', SRV_MAX_TOKEN + 4);
    assert_int_equal(open_text(keys, text, SRV_MAX_TOKEN + 4, 1, NOW, NULL), SRV_TOKEN_MALFORMED);
    assert_int_equal(open_text(keys, text, SRV_MAX_TOKEN, 1, NOW, NULL), SRV_TOKEN_MALFORMED);
    free(text);
    srv_keys_free(keys);
}

static void token__ends(void **state)
{
    srv_keys *keys = one_key(1);
    char text[ROOM];
    size_t size = seal(text, keys);

    (void)state;
    assert_int_equal(open_text(keys, text, size, 1, NOW + 59, NULL), SRV_TOKEN_FINE);
    assert_int_equal(open_text(keys, text, size, 1, NOW + 60, NULL), SRV_TOKEN_EXPIRED);
    assert_int_equal(open_text(keys, text, size, 1, INT64_MAX, NULL), SRV_TOKEN_EXPIRED);
    srv_keys_free(keys);
}

static void token__is_of_one_model(void **state)
{
    unsigned char bytes[2 * STATE];
    srv_token longer = {.state = bytes, .state_size = sizeof(bytes)};
    srv_keys *keys = one_key(1);
    char text[ROOM];
    size_t size = seal(text, keys);

    (void)state;
    assert_int_equal(open_text(keys, text, size, 2, NOW, NULL), SRV_TOKEN_OTHER_MODEL);
    memset(longer.model_hash, 2, sizeof(longer.model_hash));
    assert_int_equal(srv_token_open(&longer, keys, text, size, NOW), SRV_TOKEN_OTHER_MODEL);
    memset(longer.model_hash, 1, sizeof(longer.model_hash)); /* the right model, but not its states */
    assert_int_equal(srv_token_open(&longer, keys, text, size, NOW), SRV_TOKEN_OTHER_MODEL);
    srv_keys_free(keys);
}

static void token__outlives_its_key_being_replaced(void **state)
{
    static const unsigned new_then_old[] = {2, 1}, newer[] = {3, 2};
    srv_keys *before = one_key(1), *during = keys_of(new_then_old, 2), *after = keys_of(newer, 2);
    char text[ROOM];
    size_t size = seal(text, before);

    (void)state;
    assert_int_equal(open_text(during, text, size, 1, NOW, NULL), SRV_TOKEN_FINE);
    assert_int_equal(open_text(after, text, size, 1, NOW, NULL), SRV_TOKEN_UNKNOWN_KEY);
    size = seal(text, during);
    assert_int_equal(open_text(before, text, size, 1, NOW, NULL), SRV_TOKEN_UNKNOWN_KEY);
    assert_int_equal(open_text(after, text, size, 1, NOW, NULL), SRV_TOKEN_FINE);
    srv_keys_free(before);
    srv_keys_free(during);
    srv_keys_free(after);
}

/* After a fork both processes hold the same random bytes; what they seal must not get the same nonce. */
static void token__has_another_nonce_in_a_copy_of_the_process(void **state)
{
    enum { NONCE_AT = 1 + SRV_KEY_ID_SIZE, NONCE = 24 };
    unsigned char mine[STATE] = {1}, others[STATE] = {2}, bytes[2][ROOM];
    srv_keys *keys = one_key(1);
    srv_token token = token_of(mine, 1);
    char text[2][ROOM];
    size_t size = seal(text[0], keys); /* draws the random bytes */
    int ends[2], status = 0;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        token.state = others;
        _exit(srv_token_seal(text[1], keys, &token, NULL) || write(ends[1], text[1], size) != (ssize_t)size);
    }
    assert_int_equal(read(ends[0], text[1], size), (ssize_t)size);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(srv_token_seal(text[0], keys, &token, NULL), TACIT_OK);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sodium_base642bin(bytes[i], ROOM, text[i], size, NULL, NULL, NULL,
                                           sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                         0);
    assert_memory_not_equal(bytes[0] + NONCE_AT, bytes[1] + NONCE_AT, NONCE);
    assert_memory_equal(bytes[0] + NONCE_AT + 8, bytes[1] + NONCE_AT + 8, NONCE - 8); /* they did hold the same */
    close(ends[0]);
    close(ends[1]);
    srv_keys_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token__gives_back_what_was_sealed),
        cmocka_unit_test(token__has_one_length_for_all_values),
        cmocka_unit_test(token__rejects_a_change_anywhere),
        cmocka_unit_test(token__rejects_other_lengths),
        cmocka_unit_test(token__rejects_what_is_far_too_long),
        cmocka_unit_test(token__ends),
        cmocka_unit_test(token__is_of_one_model),
        cmocka_unit_test(token__outlives_its_key_being_replaced),
        cmocka_unit_test(token__has_another_nonce_in_a_copy_of_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

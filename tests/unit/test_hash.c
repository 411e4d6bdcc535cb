/*
 * test_hash.c -- SHA-256: the standard's vectors, pieces of all sizes, and libsodium beside it.
 */
#include "base.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "simd.h"

static void hash_pieces(const unsigned char *bytes, size_t size, size_t piece, char hex[65])
{
    tct_hash *hash = NULL;

    assert_int_equal(tct_hash_new(&hash, NULL), TACIT_OK);
    for (size_t i = 0; i < size; i += piece)
        tct_hash_add(hash, bytes + i, size - i < piece ? size - i : piece);
    tct_hash_finish(hash, hex);
}

static void hash__matches_published_vectors(void **state)
{
    char hex[65];

    (void)state;
    hash_pieces((const unsigned char *)"", 0, 1, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash_pieces((const unsigned char *)"abc", 3, 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_pieces((const unsigned char *)"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 9, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void hash__equals_libsodium_however_cut(void **state)
{
    static const size_t pieces[] = {1, 3, 63, 64, 65, 128, 1000, 4096};
    unsigned char bytes[2000], digest[crypto_hash_sha256_BYTES];
    char hex[65], expected[65];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 5, 0);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)tct_random_bits(&random);
    for (size_t size = 0; size < sizeof(bytes); size += size < 300 ? 1 : 97) {
        crypto_hash_sha256(digest, bytes, size);
        sodium_bin2hex(expected, sizeof(expected), digest, sizeof(digest));
        for (size_t p = 0; p < 2 * (sizeof(pieces) / sizeof(pieces[0])); p++) {
            tct_simd_limit(p % 2 ? TCT_SIMD_LEVELS : TCT_SIMD_PLAIN); /* by hardware, where there is some, and not */
            hash_pieces(bytes, size, pieces[p / 2], hex);
            assert_string_equal(hex, expected);
        }
    }
}

static void hash__out_of_memory_is_reported(void **state)
{
    tct_hash *hash;
    tacit_error err;

    (void)state;
    tct_memory_fail_at(1, false);
    assert_int_equal(tct_hash_new(&hash, &err), TACIT_E_MEMORY);
    tct_memory_fail_at(0, false);
    assert_null(hash);
    tct_hash_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash__matches_published_vectors),
        cmocka_unit_test(hash__equals_libsodium_however_cut),
        cmocka_unit_test(hash__out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

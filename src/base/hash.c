/*
 * hash.c -- SHA-256 over bytes that come in pieces.
 *
 * libsodium computes it anywhere, at about 0.3 GB/s: several times slower than the CSV reader that it has to keep up
 * with.  Processors with the SHA extensions do it in hardware, about six times as fast; there the blocks go through
 * compress_blocks, which is the same function written with those instructions.  tests/unit/test_hash.c holds the two
 * against each other.
 */
#include "base.h"

#include <sodium.h>
#include <string.h>

#include "simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define BLOCK_SIZE 64

struct tct_hash {
    bool hardware;
    crypto_hash_sha256_state sodium; /* without hardware, all there is */
    uint32_t state[8];
    uint64_t size; /* bytes so far; those past the last whole block wait in `block` */
    unsigned char block[BLOCK_SIZE];
};

#if defined(__x86_64__)

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Four rounds at a time.  The instructions want the eight words a ... h as two vectors, (f e b a) and (h g d c). */
TCT_FOR_SHA static void compress_blocks(uint32_t state[8], const unsigned char *bytes, size_t n)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i dcba = _mm_loadu_si128((const __m128i *)&state[0]), hgfe = _mm_loadu_si128((const __m128i *)&state[4]);
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i feba = _mm_alignr_epi8(cdab, efgh, 8), hgdc = _mm_blend_epi16(efgh, cdab, 0xF0), turned;

    for (; n > 0; n--, bytes += BLOCK_SIZE) {
        __m128i feba_before = feba, hgdc_before = hgdc, w[4];

#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i *now = &w[i % 4], sum;

            if (i < 4) {
                *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), big_endian);
            } else { /* w[i % 4] still holds the words of 16 rounds ago */
                __m128i last = w[(i + 3) % 4];

                *now = _mm_sha256msg1_epu32(*now, w[(i + 1) % 4]);
                *now = _mm_add_epi32(*now, _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
                *now = _mm_sha256msg2_epu32(*now, last);
            }
            sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)&round_constants[4 * i]));
            hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum);
            feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sum, 0x0E));
        }
        feba = _mm_add_epi32(feba, feba_before);
        hgdc = _mm_add_epi32(hgdc, hgdc_before);
    }
    turned = _mm_shuffle_epi32(feba, 0x1B); /* a b e f */
    hgdc = _mm_shuffle_epi32(hgdc, 0xB1);   /* g h c d */
    _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(turned, hgdc, 0xF0));
    _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(hgdc, turned, 8));
}

#else /* nothing to ask for: libsodium does it all */

static void compress_blocks(uint32_t state[8], const unsigned char *bytes, size_t n)
{
    (void)state;
    (void)bytes;
    (void)n;
}

#endif

static void add_in_hardware(tct_hash *hash, const unsigned char *bytes, size_t size)
{
    size_t waiting = hash->size % BLOCK_SIZE;

    hash->size += size;
    if (waiting > 0) {
        size_t more = BLOCK_SIZE - waiting < size ? BLOCK_SIZE - waiting : size;

        memcpy(hash->block + waiting, bytes, more);
        bytes += more;
        size -= more;
        if (waiting + more < BLOCK_SIZE)
            return;
        compress_blocks(hash->state, hash->block, 1);
    }
    compress_blocks(hash->state, bytes, size / BLOCK_SIZE);
    if (size % BLOCK_SIZE > 0)
        memcpy(hash->block, bytes + size / BLOCK_SIZE * BLOCK_SIZE, size % BLOCK_SIZE);
}

/* A bit 1, zeros up to 8 bytes short of a block, the length in bits. */
static void finish_in_hardware(tct_hash *hash, unsigned char digest[crypto_hash_sha256_BYTES])
{
    static const unsigned char padding[BLOCK_SIZE] = {0x80};
    size_t waiting = hash->size % BLOCK_SIZE;
    uint64_t bits = __builtin_bswap64(hash->size * 8);

    add_in_hardware(hash, padding, (waiting < 56 ? 56 : 120) - waiting);
    add_in_hardware(hash, (const unsigned char *)&bits, sizeof(bits));
    for (size_t i = 0; i < 8; i++) {
        uint32_t word = __builtin_bswap32(hash->state[i]);

        memcpy(digest + 4 * i, &word, sizeof(word));
    }
}

tacit_status tct_hash_new(tct_hash **out, tacit_error *err)
{
    /* The fractional parts of the square roots of the first eight primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    tct_hash *hash = tct_calloc(1, sizeof(*hash));

    *out = hash;
    if (!hash)
        return tct_fail_memory(err);
    hash->hardware = tct_simd_sha();
    memcpy(hash->state, start, sizeof(start));
    crypto_hash_sha256_init(&hash->sodium);
    return TACIT_OK;
}

void tct_hash_add(tct_hash *hash, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (hash->hardware)
        add_in_hardware(hash, bytes, size);
    else
        crypto_hash_sha256_update(&hash->sodium, bytes, size);
}

void tct_hash_finish(tct_hash *hash, char hex[65])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    if (hash->hardware)
        finish_in_hardware(hash, digest);
    else
        crypto_hash_sha256_final(&hash->sodium, digest);
    sodium_bin2hex(hex, 65, digest, sizeof(digest));
    tct_hash_free(hash);
}

void tct_hash_free(tct_hash *hash)
{
    tct_free_wiped(hash, sizeof(*hash)); /* it holds the last bytes of the input */
}

tacit_status tct_hash_text(char hex[65], const char *text, size_t size, tacit_error *err)
{
    tct_hash *hash = NULL;
    tacit_status st = tct_hash_new(&hash, err);

    if (st)
        return st;
    tct_hash_add(hash, text, size);
    tct_hash_finish(hash, hex);
    return TACIT_OK;
}

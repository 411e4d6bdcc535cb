/*
 * random.c -- seeded random numbers, the same on every machine.
 *
 * xoshiro256** (Blackman and Vigna), its state filled by SplitMix64 from the seed and a stream number, so that every
 * row or thread can have a stream of its own.  Normals come from Marsaglia's polar method.  They use +, -, *, / and
 * sqrt only, which IEEE 754 fixes to the last bit; the logarithm is therefore written out here: the C library's may
 * differ between versions and processors.
 */
#include "base.h"

#include <math.h>
#include <string.h>

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

/* The output function of SplitMix64: a bijection that spreads every bit over all others. */
static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* log x for a positive normal x, within a few units of the last place: x = m 2^e with m in [sqrt(1/2), sqrt(2)), then
 * log m = 2 artanh t with t = (m - 1) / (m + 1), |t| < 0.172, by its series. */
static double portable_log(double x)
{
    uint64_t bits;
    int exponent;
    double m, t, t2, sum = 0.0;

    memcpy(&bits, &x, sizeof(bits));
    exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&m, &bits, sizeof(m));
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    t = (m - 1.0) / (m + 1.0);
    t2 = t * t;
    for (int k = 21; k >= 3; k -= 2)
        sum = (sum + 1.0 / k) * t2;
    return exponent * 0.6931471805599453 + 2.0 * t * (1.0 + sum);
}

void tct_random_seed(tct_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t x = tct_mix(seed, stream);

    for (int i = 0; i < 4; i++) {
        x += 0x9E3779B97F4A7C15u;
        random->s[i] = scramble(x);
    }
}

uint64_t tct_random_bits(tct_random *random)
{
    uint64_t *s = random->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double tct_random_uniform(tct_random *random)
{
    uint64_t bits;

    /* Multiples of 2^-53: 0 is drawn again, 1 cannot come up. */
    do
        bits = tct_random_bits(random) >> 11;
    while (bits == 0);
    return (double)bits * 0x1p-53;
}

double tct_random_normal(tct_random *random)
{
    double u, v, s;

    do {
        u = 2.0 * tct_random_uniform(random) - 1.0;
        v = 2.0 * tct_random_uniform(random) - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s == 0.0);
    return u * sqrt(-2.0 * portable_log(s) / s);
}

uint64_t tct_random_below(tct_random *random, uint64_t n)
{
    /* The high word of a 128-bit product, drawing again in the small zone that would favour some results (Lemire). */
    unsigned __int128 product = (unsigned __int128)tct_random_bits(random) * n;

    if ((uint64_t)product < n) {
        uint64_t zone = -n % n;

        while ((uint64_t)product < zone)
            product = (unsigned __int128)tct_random_bits(random) * n;
    }
    return (uint64_t)(product >> 64);
}

void tct_random_shuffle(tct_random *random, size_t *list, size_t n)
{
    for (size_t k = n; k > 1; k--) {
        size_t other = (size_t)tct_random_below(random, k), kept = list[k - 1];

        list[k - 1] = list[other];
        list[other] = kept;
    }
}

void tct_random_order(size_t *order, size_t n, uint64_t seed, uint64_t stream)
{
    tct_random random;

    tct_random_seed(&random, seed, stream);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    tct_random_shuffle(&random, order, n);
}

uint64_t tct_mix(uint64_t a, uint64_t b)
{
    return scramble(scramble(a + 0x9E3779B97F4A7C15u) + b * 0xD1342543DE82EF95u + 0x2545F4914F6CDD1Du);
}

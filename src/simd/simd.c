/*
 * simd.c -- which processor this is.
 */
#include "simd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static atomic_int found = -1; /* level and SHA as below; not looked yet */
static atomic_int most = TCT_SIMD_LEVELS;
enum { SHA = 1 << 8 };

#if defined(__x86_64__)
static int look_for_level(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt"))
        return TCT_SIMD_PLAIN;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return TCT_SIMD_AVX2;
    return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("pclmul") ? TCT_SIMD_AVX512_TEXT
                                                                                     : TCT_SIMD_AVX512;
}

/* Compilers do not know this one by name. */
static bool look_for_sha(void)
{
    const unsigned ssse3 = 1u << 9, sse41 = 1u << 19, sha = 1u << 29;
    unsigned a, b, c, d;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & ssse3) || !(c & sse41))
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha);
}
#else
static int look_for_level(void)
{
    return TCT_SIMD_PLAIN;
}

static bool look_for_sha(void)
{
    return false;
}
#endif

/* What the environment allows; whatever else it says is no limit. */
static int allowed(void)
{
    static const char *const NAMES[] = {"plain", "avx2", "avx512"};
    const char *name = secure_getenv("TACIT_SIMD");

    for (int level = TCT_SIMD_PLAIN; name && level <= TCT_SIMD_AVX512; level++)
        if (strcmp(name, NAMES[level]) == 0)
            return level;
    return TCT_SIMD_LEVELS;
}

/* Asking the processor takes longer than hashing a page of text, in virtual machines by far: once is enough.  Several
 * threads may ask at once; all find the same. */
static int what_there_is(void)
{
    int known = atomic_load_explicit(&found, memory_order_relaxed);

    if (known < 0) {
        int can = look_for_level(), may = allowed();

        known = (can < may ? can : may) | (may > TCT_SIMD_PLAIN && look_for_sha() ? SHA : 0);
        atomic_store_explicit(&found, known, memory_order_relaxed);
    }
    return known;
}

tct_simd tct_simd_level(void)
{
    int level = what_there_is() & ~SHA, limit = atomic_load_explicit(&most, memory_order_relaxed);

    return (tct_simd)(level < limit ? level : limit);
}

bool tct_simd_sha(void)
{
    return (what_there_is() & SHA) && atomic_load_explicit(&most, memory_order_relaxed) > TCT_SIMD_PLAIN;
}

void tct_simd_limit(tct_simd level)
{
    atomic_store(&most, (int)level);
}

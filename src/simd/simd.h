/*
 * simd.h -- the one place that knows the processor.
 *
 * A loop that pays is written once, as an inlined body, and compiled for several instruction sets; which version runs is
 * decided here.  All versions give the same bits, since nothing is contracted or reordered, so a level is a matter of
 * speed only.  Tests, and whoever doubts that, can forbid the better ones.
 */
#ifndef TCT_SIMD_H
#define TCT_SIMD_H

#include <stdbool.h>

/* Each has what the ones before it have. */
typedef enum tct_simd {
    TCT_SIMD_PLAIN,
    TCT_SIMD_AVX2,        /* and bit manipulation and fused products, as all such processors have */
    TCT_SIMD_AVX512,      /* F, BW, DQ, VL */
    TCT_SIMD_AVX512_TEXT, /* and what reading text takes: VBMI2, products without carries */
    TCT_SIMD_LEVELS
} tct_simd;

/* The best level that this processor has, that is not above the limit, and not above the one that TACIT_SIMD in the
 * environment (plain, avx2, avx512) names. */
tct_simd tct_simd_level(void);
/* Has it instructions for SHA-256, and is any limit above TCT_SIMD_PLAIN? */
bool tct_simd_sha(void);
/* Tests: nothing better than this; TCT_SIMD_LEVELS: no limit. */
void tct_simd_limit(tct_simd most);

/* Code for a level. */
#if defined(__x86_64__)
#define TCT_FOR_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
/* And fused products, for sums whose last bits do not matter. */
#define TCT_FOR_AVX2_FUSED __attribute__((target("fma,avx2,bmi,bmi2,popcnt,lzcnt")))
#if defined(__clang__)
#define TCT_FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,popcnt,lzcnt")))
#else
#define TCT_FOR_AVX512                                                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,popcnt,lzcnt,prefer-vector-width=512")))
#endif
#define TCT_FOR_AVX512_TEXT                                                                                            \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,pclmul,bmi,bmi2,popcnt,lzcnt")))
#define TCT_FOR_SHA __attribute__((target("sha,ssse3,sse4.1")))
#else
#define TCT_FOR_AVX2
#define TCT_FOR_AVX2_FUSED
#define TCT_FOR_AVX512
#define TCT_FOR_AVX512_TEXT
#define TCT_FOR_SHA
#endif

/* The compiler takes an address as it is, once: it does not keep one for every vector behind it in a register of its own. */
#define TCT_ONE_ADDRESS(pointer) __asm__("" : "+r"(pointer))

/* What a version is made of: inlined into each, so that it is compiled anew. */
#define TCT_INLINED static inline __attribute__((always_inline))

/* VERSION(suffix, attributes) for every version; TCT_SIMD_PICK: name_suffix of the one to use. */
#if defined(__x86_64__)
#define TCT_SIMD_VERSIONS(VERSION) VERSION(plain, ) VERSION(avx2, TCT_FOR_AVX2) VERSION(avx512, TCT_FOR_AVX512)
#define TCT_SIMD_PICK(name)                                                                                            \
    (tct_simd_level() >= TCT_SIMD_AVX512 ? name##_avx512                                                               \
     : tct_simd_level() >= TCT_SIMD_AVX2 ? name##_avx2                                                                 \
                                         : name##_plain)
#else
#define TCT_SIMD_VERSIONS(VERSION) VERSION(plain, )
#define TCT_SIMD_PICK(name) (name##_plain)
#endif

/* Define the static function `type name parameters`: `return body arguments` as compiled for this processor. */
#if defined(__x86_64__)
#define TCT_SIMD_FUNCTION(type, name, body, parameters, arguments)                                                     \
    TCT_SIMD_VERSION(type, name##_plain, , body, parameters, arguments)                                                \
    TCT_SIMD_VERSION(type, name##_avx2, TCT_FOR_AVX2, body, parameters, arguments)                                     \
    TCT_SIMD_VERSION(type, name##_avx512, TCT_FOR_AVX512, body, parameters, arguments)                                 \
    static type name parameters                                                                                        \
    {                                                                                                                  \
        return TCT_SIMD_PICK(name) arguments;                                                                          \
    }
#else
#define TCT_SIMD_FUNCTION(type, name, body, parameters, arguments)                                                     \
    TCT_SIMD_VERSION(type, name, , body, parameters, arguments)
#endif
#define TCT_SIMD_VERSION(type, name, attributes, body, parameters, arguments)                                          \
    attributes static type name parameters                                                                             \
    {                                                                                                                  \
        return body arguments;                                                                                         \
    }

#endif

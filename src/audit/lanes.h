/*
 * lanes.h -- one loop, several processors.
 *
 * Kernels that treat people side by side are ordinary loops, written once as TCT_LANES_BODY functions and compiled for
 * each kind of processor; what they compute is the same to the bit, since nothing is contracted or reordered.
 */
#ifndef TCT_LANES_H
#define TCT_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Eight people side by side.  Operators work lane by lane; comparisons give all ones where true. */
enum { TCT_EIGHT = 8 };
typedef double tct_eight __attribute__((vector_size(64)));
typedef int64_t tct_eight_mask __attribute__((vector_size(64)));
typedef double tct_eight_loose __attribute__((vector_size(64), aligned(8), may_alias)); /* in memory */
#define TCT_LOAD(from) (*(const tct_eight_loose *)(const void *)(from))
#define TCT_STORE(to, value) (*(tct_eight_loose *)(void *)(to) = (value))
#define TCT_ALL(value) ((value) - (tct_eight){0}) /* the same in every lane */
#define TCT_MAGNITUDE(v) ((tct_eight)((tct_eight_mask)(v)&INT64_MAX))
#define TCT_SELECT(mask, yes, no)                                                                                      \
    ((tct_eight)(((tct_eight_mask)(mask) & (tct_eight_mask)(yes)) | (~(tct_eight_mask)(mask) & (tct_eight_mask)(no))))

#define TCT_LANES_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define TCT_FOR_AVX2 __attribute__((target("avx2")))
#if defined(__clang__)
#define TCT_FOR_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl")))
#else
#define TCT_FOR_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#else
#define TCT_FOR_AVX2
#define TCT_FOR_AVX512
#endif

typedef enum tct_lanes_kind { TCT_LANES_PLAIN, TCT_LANES_AVX2, TCT_LANES_AVX512 } tct_lanes_kind;

/* The best kind for this processor. */
tct_lanes_kind tct_lanes_kind_here(void);
/* Tests: nothing better than this. */
void tct_lanes_limit(tct_lanes_kind most);

/* out[p] = start + sum_i coefficient[i] x[input[i] * stride + p] for p < n, i ascending; input NULL: 0, 1, 2, ... */
void tct_lanes_affine(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                      const double *x, size_t stride, size_t n);

/* Define `name(parameters)`, which calls body(arguments) as compiled for this processor. */
#define TCT_LANES_FUNCTION(name, body, parameters, arguments)                                                          \
    TCT_FOR_AVX512 static void name##_avx512 parameters                                                                \
    {                                                                                                                  \
        body arguments;                                                                                                \
    }                                                                                                                  \
    TCT_FOR_AVX2 static void name##_avx2 parameters                                                                    \
    {                                                                                                                  \
        body arguments;                                                                                                \
    }                                                                                                                  \
    static void name##_plain parameters                                                                                \
    {                                                                                                                  \
        body arguments;                                                                                                \
    }                                                                                                                  \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        switch (tct_lanes_kind_here()) {                                                                               \
        case TCT_LANES_AVX512:                                                                                         \
            name##_avx512 arguments;                                                                                   \
            break;                                                                                                     \
        case TCT_LANES_AVX2:                                                                                           \
            name##_avx2 arguments;                                                                                     \
            break;                                                                                                     \
        default:                                                                                                       \
            name##_plain arguments;                                                                                    \
        }                                                                                                              \
    }

#endif

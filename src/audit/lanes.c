/*
 * Which processor this is.
 */
#include "lanes.h"

#include <stdatomic.h>

static atomic_int most = TCT_LANES_AVX512;

tct_lanes_kind tct_lanes_kind_here(void)
{
    int kind = TCT_LANES_PLAIN;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        kind = TCT_LANES_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        kind = TCT_LANES_AVX512;
#endif
    return (tct_lanes_kind)(kind < most ? kind : most);
}

void tct_lanes_limit(tct_lanes_kind kind)
{
    most = (int)kind;
}

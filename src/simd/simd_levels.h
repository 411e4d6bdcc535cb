/*
 * simd_levels.h -- loops over numbers side by side, compiled for every level.
 *
 * Include it where LOOPS is the name of a file of loops.  That file is included once per level.  There, NAMED(x)
 * gives a name its suffix, which TCT_SIMD_PICK finds again; LEVEL stands before functions, INLINED before those that
 * they are made of; `lanes` is a vector of LANES numbers, as wide as a register of the level.  It matters that it is not
 * wider: gcc takes wider vectors apart and compares them number by number, which made audits four times slower.
 *
 * Operators work lane by lane; comparisons give all ones where true.  No lane sees another, so all levels give the same
 * bits.
 */
#include <stdint.h>

#include "simd.h"

#define INLINED LEVEL TCT_INLINED
#define LANES (BYTES / sizeof(double))
/* Sums that are formed at a time: chains of additions that do not wait for each other. */
#define SUMS (BYTES == 64 ? 4 : 8)
#define lanes NAMED(lanes)
#define masks NAMED(masks)
#define sets NAMED(sets)
#define LOAD(from) (*(const NAMED(lanes_loose) *)(const void *)(from))
#define STORE(to, value) (*(NAMED(lanes_loose) *)(void *)(to) = (value))
#define STORE_SETS(to, value) (*(NAMED(sets_loose) *)(void *)(to) = (value))
#define ALL(value) ((value) - (lanes){0}) /* the same in every lane */
#define MAGNITUDE(v) ((lanes)((masks)(v)&INT64_MAX))
#define SELECT(mask, yes, no) ((lanes)(((masks)(mask) & (masks)(yes)) | (~(masks)(mask) & (masks)(no))))

#define VECTORS                                                                                                        \
    typedef double lanes __attribute__((vector_size(BYTES)));                                                          \
    typedef int64_t masks __attribute__((vector_size(BYTES)));                                                         \
    typedef uint64_t sets __attribute__((vector_size(BYTES)));                                                         \
    typedef double NAMED(lanes_loose) __attribute__((vector_size(BYTES), aligned(8), may_alias)); /* in memory */      \
    typedef uint64_t NAMED(sets_loose) __attribute__((vector_size(BYTES), aligned(8), may_alias));

#define NAMED(x) x##_plain
#define LEVEL
#define BYTES 16
VECTORS
#include LOOPS
#undef NAMED
#undef LEVEL
#undef BYTES
#if defined(__x86_64__)
#define NAMED(x) x##_avx2
#define LEVEL TCT_FOR_AVX2
#define BYTES 32
VECTORS
#include LOOPS
#undef NAMED
#undef LEVEL
#undef BYTES
#define NAMED(x) x##_avx512
#define LEVEL TCT_FOR_AVX512
#define BYTES 64
VECTORS
#include LOOPS
#undef NAMED
#undef LEVEL
#undef BYTES
#endif
#undef lanes
#undef masks
#undef sets

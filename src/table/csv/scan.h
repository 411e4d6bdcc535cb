/*
 * scan.h -- text as bit masks: which of 64 bytes is a quote, a separator, a line feed, a blank.
 *
 * Everything that is fast about reading CSV happens on these masks; everything else is ordinary C.  Each fast function
 * has a plain twin that gives the same result.
 */
#ifndef TCT_SCAN_H
#define TCT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simd.h"

/* Bytes that must be readable (their content does not matter) behind any text given to these functions. */
#define TCT_SCAN_PAD 64
/* Words looked at in one go: 4 KiB of text. */
#define TCT_SCAN_WORDS 64

/* The masks of 64 bytes; bit i stands for byte i. */
typedef struct tct_masks {
    uint64_t quote, newline, separator;
    uint64_t low; /* NUL to space, but neither line feed nor separator: what may need a closer look */
} tct_masks;

typedef void (*tct_scan_fn)(const char *bytes, size_t size, char separator, tct_masks *out);
/* Masks of `size` bytes, (size + 63) / 64 of them; bits beyond the end are 0. */
void tct_scan_plain(const char *bytes, size_t size, char separator, tct_masks *out);
void tct_scan_avx2(const char *bytes, size_t size, char separator, tct_masks *out);
void tct_scan_avx512(const char *bytes, size_t size, char separator, tct_masks *out);

/* Bit i of the result: parity of the bits 0 ... i of x.  Of a mask of quotes it marks what is inside them, the
 * opening quote included. */
static inline uint64_t tct_parity_before(uint64_t x)
{
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    return x ^ x << 32;
}

/* The whole records at the beginning of some text. */
typedef struct tct_extent {
    size_t end;  /* just behind the last line feed outside quotes; 0 when there is none */
    size_t rows; /* records up to there, blank lines not counted */
} tct_extent;
void tct_scan_records(const char *bytes, size_t size, tct_extent *out);
void tct_scan_records_plain(const char *bytes, size_t size, tct_extent *out);

#endif

/*
 * scan_wide.h -- small pieces for the AVX-512 versions of reading: nothing where the processor is of another family.
 */
#ifndef TCT_SCAN_WIDE_H
#define TCT_SCAN_WIDE_H

#include "scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* The next word of a text of which `left` bytes are left; bytes beyond its end read as 0. */
TCT_FOR_AVX512_TEXT static inline __m512i tct_load_word(const char *bytes, size_t left)
{
    return left >= 64 ? _mm512_loadu_si512(bytes) : _mm512_maskz_loadu_epi8(((uint64_t)1 << left) - 1, bytes);
}

/* Its masks. */
TCT_FOR_AVX512_TEXT static inline void tct_scan_word(const char *bytes, size_t left, char separator, tct_masks *out)
{
    __m512i text = tct_load_word(bytes, left);
    uint64_t there = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;

    out->quote = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('"'));
    out->newline = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\n'));
    out->separator = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(separator)) & there;
    out->low = _mm512_cmple_epu8_mask(text, _mm512_set1_epi8(' ')) & ~out->newline & ~out->separator & there;
}

/* tct_parity_before: a product without carries with all ones. */
TCT_FOR_AVX512_TEXT static inline uint64_t tct_parity_avx512(uint64_t x)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)x), _mm_set1_epi8((char)0xff), 0));
}
#endif

#endif

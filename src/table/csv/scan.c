/*
 * scan.c -- the masks, and the cheap sequential stage made from them.
 *
 * A record ends at a line feed outside quotes.  Since a quote may only open a cell or be doubled inside one, "outside"
 * means an even number of quotes before it: the prefix parity of the quote mask, carried from word to word.  A doubled
 * quote flips the parity twice and changes nothing.
 *
 * A blank line is a line feed right behind another (or behind the beginning), or with one carriage return in between.
 * No quote can stand between the two, so both are outside or both are inside.
 */
#include "scan.h"

#include "scan_wide.h"

/* Drop the bits beyond the end of the text from the last word. */
static inline void trim_last(tct_masks *last, size_t size)
{
    uint64_t keep = size % 64 ? ((uint64_t)1 << size % 64) - 1 : ~(uint64_t)0;

    last->quote &= keep;
    last->newline &= keep;
    last->separator &= keep;
    last->low &= keep;
}

/* What is known of the records up to some word. */
typedef struct count {
    size_t end, rows;
    uint64_t inside; /* all ones: the next word begins inside quotes */
    uint64_t recent; /* line feeds outside quotes in the word before: the top two bits matter */
} count;

/* Rows among `ends`, the line feeds outside quotes of the word that begins at bytes[base]. */
TCT_INLINED size_t count_rows(const char *bytes, size_t base, uint64_t ends, uint64_t recent)
{
    uint64_t blank = ends & (ends << 1 | recent >> 63);
    uint64_t maybe = ends & ~blank & (ends << 2 | recent >> 62);
    size_t rows = (size_t)__builtin_popcountll(ends & ~blank);

    for (; maybe; maybe &= maybe - 1)
        rows -= bytes[base + (size_t)__builtin_ctzll(maybe) - 1] == '\r';
    return rows;
}

/* parity: tct_parity_before of the word's quotes. */
TCT_INLINED void count_word(count *c, const char *bytes, size_t base, uint64_t parity, uint64_t newline)
{
    uint64_t in = parity ^ c->inside, ends = newline & ~in;

    c->inside = in >> 63 ? ~(uint64_t)0 : 0;
    c->rows += count_rows(bytes, base, ends, c->recent);
    c->end = ends ? base + 64 - (size_t)__builtin_clzll(ends) : c->end;
    c->recent = ends;
}

TCT_INLINED void scan_records(const char *bytes, size_t size, tct_extent *out, tct_scan_fn scan)
{
    tct_masks masks[TCT_SCAN_WORDS];
    count c = {.recent = (uint64_t)1 << 63}; /* the beginning counts as a line feed */

    for (size_t group = 0; group < size; group += TCT_SCAN_WORDS * 64) {
        size_t here = size - group < TCT_SCAN_WORDS * 64 ? size - group : TCT_SCAN_WORDS * 64;

        scan(bytes + group, here, '\n', masks);
        for (size_t w = 0; w * 64 < here; w++)
            count_word(&c, bytes, group + w * 64, tct_parity_before(masks[w].quote), masks[w].newline);
    }
    *out = (tct_extent){c.end, c.rows};
}

TCT_FOR_AVX2 static void scan_records_avx2(const char *bytes, size_t size, tct_extent *out)
{
    scan_records(bytes, size, out, tct_scan_avx2);
}

void tct_scan_plain(const char *bytes, size_t size, char separator, tct_masks *out)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t bit = (uint64_t)1 << i % 64;
        tct_masks *word = &out[i / 64];

        if (i % 64 == 0)
            *word = (tct_masks){0, 0, 0, 0};
        if (bytes[i] == '"')
            word->quote |= bit;
        if (bytes[i] == '\n')
            word->newline |= bit;
        if (bytes[i] == separator)
            word->separator |= bit;
        if ((unsigned char)bytes[i] <= ' ' && bytes[i] != '\n' && bytes[i] != separator)
            word->low |= bit;
    }
}

#if defined(__x86_64__)
TCT_FOR_AVX2 static inline uint64_t equal_mask(__m256i low, __m256i high, __m256i wanted)
{
    uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));

    return a | (uint64_t)b << 32;
}

/* Bytes up to `most`, unsigned. */
TCT_FOR_AVX2 static inline uint64_t low_mask(__m256i low, __m256i high, __m256i most)
{
    uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(low, most), low));
    uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(high, most), high));

    return a | (uint64_t)b << 32;
}

TCT_FOR_AVX2 void tct_scan_avx2(const char *bytes, size_t size, char separator, tct_masks *out)
{
    const __m256i quote = _mm256_set1_epi8('"'), newline = _mm256_set1_epi8('\n');
    const __m256i between = _mm256_set1_epi8(separator), space = _mm256_set1_epi8(' ');

    for (size_t w = 0; w * 64 < size; w++) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + w * 64));
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + w * 64 + 32));

        out[w].quote = equal_mask(low, high, quote);
        out[w].newline = equal_mask(low, high, newline);
        out[w].separator = equal_mask(low, high, between);
        out[w].low = low_mask(low, high, space) & ~out[w].newline & ~out[w].separator;
    }
    if (size)
        trim_last(&out[(size - 1) / 64], size);
}

TCT_FOR_AVX512_TEXT void tct_scan_avx512(const char *bytes, size_t size, char separator, tct_masks *out)
{
    for (size_t w = 0; w * 64 < size; w++)
        tct_scan_word(bytes + w * 64, size - w * 64, separator, &out[w]);
}

TCT_FOR_AVX512_TEXT static void scan_records_avx512(const char *bytes, size_t size, tct_extent *out)
{
    const __m512i quote = _mm512_set1_epi8('"'), newline = _mm512_set1_epi8('\n');
    count c = {.recent = (uint64_t)1 << 63};

    for (size_t base = 0; base < size; base += 64) {
        __m512i text = tct_load_word(bytes + base, size - base);
        uint64_t parity = tct_parity_avx512(_mm512_cmpeq_epi8_mask(text, quote));

        count_word(&c, bytes, base, parity, _mm512_cmpeq_epi8_mask(text, newline));
    }
    *out = (tct_extent){c.end, c.rows};
}
#else
void tct_scan_avx2(const char *bytes, size_t size, char separator, tct_masks *out)
{
    tct_scan_plain(bytes, size, separator, out);
}

void tct_scan_avx512(const char *bytes, size_t size, char separator, tct_masks *out)
{
    tct_scan_plain(bytes, size, separator, out);
}

static void scan_records_avx512(const char *bytes, size_t size, tct_extent *out)
{
    tct_scan_records_plain(bytes, size, out);
}
#endif

void tct_scan_records(const char *bytes, size_t size, tct_extent *out)
{
    if (tct_simd_level() >= TCT_SIMD_AVX512_TEXT)
        scan_records_avx512(bytes, size, out);
    else if (tct_simd_level() >= TCT_SIMD_AVX2)
        scan_records_avx2(bytes, size, out);
    else
        tct_scan_records_plain(bytes, size, out);
}

void tct_scan_records_plain(const char *bytes, size_t size, tct_extent *out)
{
    scan_records(bytes, size, out, tct_scan_plain);
}

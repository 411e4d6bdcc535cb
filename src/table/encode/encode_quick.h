/*
 * encode_quick.h -- the usual cells, quickly: spellings of up to 16 bytes and whole numbers of up to 8 digits.
 *
 * Both read 16 bytes from the beginning of a cell, whatever follows it there (blocks are padded), and mask what is too
 * much.  Cells hold no NUL bytes, so two masked words are a spelling, size included.  For the few levels of an
 * attribute a pair of multipliers is looked for that sends no two of them to the same slot: one look tells the level.
 * Whatever is not found here is left to the plain way (encode.c).
 */
#ifndef TCT_ENCODE_QUICK_H
#define TCT_ENCODE_QUICK_H

#include <string.h>

#include "encode.h"

enum { TCT_QUICK_BYTES = 16, TCT_QUICK_DIGITS = 8 };

/* A spelling.  An empty slot has first 0 and second 1, which no spelling has. */
typedef struct tct_quick_slot {
    uint64_t first, second;
    double value; /* its grid value, where the levels have one */
    uint32_t index;
} tct_quick_slot;

/* The spellings of an attribute or of the classes. */
typedef struct tct_quick {
    tct_quick_slot *slots; /* NULL: the plain way */
    uint64_t factors[2];
    unsigned shift;
    bool digits; /* numbers: no missing marker begins like a number, so digits are never one */
} tct_quick;

/* Fill in the tables of a binding: one per attribute, the classes last. */
tacit_status tct_quick_new(tct_quick **out, const tct_codec *codec, const tct_csv *csv, tacit_error *err);
void tct_quick_free(tct_quick *quick, const tct_codec *codec);

/* Masks of the first and the second word for sizes up to 16. */
extern const uint64_t tct_quick_masks[TCT_QUICK_BYTES + 1][2];

/* The slot of a cell, NULL when it is not there.  quick->slots is not NULL. */
static inline const tct_quick_slot *tct_quick_find(const tct_quick *quick, const char *bytes, size_t size)
{
    const tct_quick_slot *slot;
    uint64_t first, second;

    if (size > TCT_QUICK_BYTES)
        return NULL;
    memcpy(&first, bytes, 8);
    memcpy(&second, bytes + 8, 8);
    first &= tct_quick_masks[size][0];
    second &= tct_quick_masks[size][1];
    slot = &quick->slots[(first * quick->factors[0] + second * quick->factors[1]) >> quick->shift];
    return ((slot->first ^ first) | (slot->second ^ second)) == 0 ? slot : NULL;
}

/* A whole number: an optional minus sign and 1 to 8 digits.  False when the cell is anything else.
 *
 * The digits are moved to the end of the word, so that it reads 00001234; then neighbours are joined three times: bytes
 * to numbers below 100, those to numbers below 10^4, those to one below 10^8. */
static inline bool tct_quick_whole(const char *bytes, size_t size, double *out)
{
    const uint64_t ones = 0x0101010101010101u;
    bool negative = bytes[0] == '-';
    size_t n = size - negative;
    uint64_t word, digits;
    int64_t value, sign = -(int64_t)negative;

    if (n - 1 >= TCT_QUICK_DIGITS) /* also without any */
        return false;
    memcpy(&word, bytes + negative, 8);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    digits = (word ^ 0x30 * ones) << (64 - 8 * n);
    if (((digits + 0x76 * ones) | digits) & 0x80 * ones)
        return false;
    digits = (digits * (10 * 0x100 + 1)) >> 8 & 0x00ff00ff00ff00ffu;
    digits = (digits * (100 * 0x10000 + 1)) >> 16 & 0x0000ffff0000ffffu;
    value = (int64_t)((digits * (10000 * 0x100000000u + 1)) >> 32);
    *out = (double)((value ^ sign) - sign);
    return true;
}

#endif

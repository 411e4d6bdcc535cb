/*
 * encode_wide.c -- cells of eight rows at a time.
 *
 * The cells of a column lie far apart, so their places and their bytes are gathered.  Tables of up to 16 slots stay in
 * registers; larger ones are gathered from as well.  Divisions of whole numbers are done with products: the divider
 * would take longer than everything else.
 */
#include "encode_wide.h"

#include <math.h>

#include "scan_wide.h"

bool tct_wide_here(void)
{
    return tct_simd_level() >= TCT_SIMD_AVX512_TEXT;
}

#if defined(__x86_64__)

_Static_assert(sizeof(tct_quick_slot) == 32 && sizeof(tct_cell) == 8, "as the gathers below take them");

/* The cells of some rows, at most eight. */
typedef struct cells {
    __mmask8 there;
    __m512i start, size, first; /* first: the first 8 bytes, whatever of them belongs to the cell */
} cells;

TCT_FOR_AVX512_TEXT static inline cells take_cells(const tct_column *c, size_t row)
{
    const __m512i steps =
        _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64((long long)c->stride));
    size_t left = c->n - row;
    cells out = {.there = (__mmask8)(left >= 8 ? 0xff : (1u << left) - 1)};
    __m512i both = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), out.there, steps, c->cells + row * c->stride, 8);

    out.size = _mm512_srli_epi64(both, 32);
    out.start = _mm512_and_si512(both, _mm512_set1_epi64(UINT32_MAX));
    out.first = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), out.there, out.start, c->bytes, 1);
    return out;
}

/* The lowest `size` bytes of each word, where that is fewer than 8; none where it is negative. */
TCT_FOR_AVX512_TEXT static inline __m512i keep_bytes(__m512i words, __m512i size)
{
    __m512i drop = _mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_slli_epi64(size, 3));

    drop = _mm512_max_epi64(drop, _mm512_setzero_si512());
    return _mm512_and_si512(words, _mm512_srlv_epi64(_mm512_set1_epi64(-1), drop));
}

/* Rows of these eight that are not among `found`. */
TCT_FOR_AVX512_TEXT static inline void leave_rows(tct_rest *left, size_t row, __mmask8 there, __mmask8 found)
{
    for (unsigned rest = there & ~(unsigned)found; rest; rest &= rest - 1)
        left->rows[left->n++] = (uint16_t)(row + (size_t)__builtin_ctz(rest));
}

/* A table of up to 16 slots, or where a larger one is. */
typedef struct table {
    const tct_quick_slot *slots;
    bool large;
    __m512i first[2], second[2], out[2];
    __m512i factors[2];
    __m128i shift;
} table;

/* Member `at` (of 8 bytes) of slots 0 ... 7 and 8 ... 15. */
TCT_FOR_AVX512_TEXT static inline void load_member(__m512i *to, const tct_quick *quick, size_t at)
{
    const __m512i steps = _mm512_set_epi64(28, 24, 20, 16, 12, 8, 4, 0); /* 4 words a slot */
    const char *from = (const char *)quick->slots + at;

    to[0] = _mm512_i64gather_epi64(steps, from, 8);
    to[1] = _mm512_i64gather_epi64(steps, from + 8 * sizeof(tct_quick_slot), 8);
}

TCT_FOR_AVX512_TEXT static inline void load_table(table *t, const tct_quick *quick, size_t member)
{
    t->slots = quick->slots;
    t->large = quick->shift < 60; /* more than 16 slots */
    load_member(t->first, quick, offsetof(tct_quick_slot, first));
    load_member(t->second, quick, offsetof(tct_quick_slot, second));
    load_member(t->out, quick, member);
    t->factors[0] = _mm512_set1_epi64((long long)quick->factors[0]);
    t->factors[1] = _mm512_set1_epi64((long long)quick->factors[1]);
    t->shift = _mm_cvtsi32_si128((int)quick->shift);
}

/* What the table says about each cell; *found: about which. */
TCT_FOR_AVX512_TEXT static inline __m512i look_up(const table *t, const tct_column *c, const cells *k, size_t member,
                                                  __mmask8 *found)
{
    const __m512i eight = _mm512_set1_epi64(8), zero = _mm512_setzero_si512();
    __m512i first = keep_bytes(k->first, k->size), second = zero, first_there, second_there, out;
    __m512i slot = _mm512_mullo_epi64(first, t->factors[0]);
    __mmask8 longer = _mm512_cmpgt_epi64_mask(k->size, eight);

    if (longer) {
        second = _mm512_mask_i64gather_epi64(zero, longer, k->start, c->bytes + 8, 1);
        second = keep_bytes(second, _mm512_sub_epi64(k->size, eight));
        slot = _mm512_add_epi64(slot, _mm512_mullo_epi64(second, t->factors[1]));
    }
    slot = _mm512_srl_epi64(slot, t->shift);
    if (t->large) {
        const char *slots = (const char *)t->slots;
        __m512i at = _mm512_slli_epi64(slot, 2);

        first_there = _mm512_i64gather_epi64(at, slots + offsetof(tct_quick_slot, first), 8);
        second_there = _mm512_i64gather_epi64(at, slots + offsetof(tct_quick_slot, second), 8);
        out = _mm512_i64gather_epi64(at, slots + member, 8);
    } else {
        first_there = _mm512_permutex2var_epi64(t->first[0], slot, t->first[1]);
        second_there = _mm512_permutex2var_epi64(t->second[0], slot, t->second[1]);
        out = _mm512_permutex2var_epi64(t->out[0], slot, t->out[1]);
    }
    *found = _mm512_cmpeq_epi64_mask(first, first_there) & _mm512_cmpeq_epi64_mask(second, second_there) &
             _mm512_cmple_epi64_mask(k->size, _mm512_set1_epi64(TCT_QUICK_BYTES)) & k->there;
    return out;
}

/* A member of the slot that each cell is found in: doubles, or the lower halves of such words, as whole numbers. */
TCT_FOR_AVX512_TEXT static inline __attribute__((always_inline)) void find_all(const tct_quick *quick,
                                                                               const tct_column *column, size_t member,
                                                                               double *values, uint32_t *levels,
                                                                               tct_rest *left)
{
    const tct_column c = *column;
    table t;

    load_table(&t, quick, member);
    left->n = 0;
    for (size_t row = 0; row < c.n; row += 8) {
        cells k = take_cells(&c, row);
        __mmask8 found;
        __m512i out = look_up(&t, &c, &k, member, &found);

        if (values)
            _mm512_mask_storeu_epi64(values + row, k.there, out);
        else
            _mm512_mask_cvtepi64_storeu_epi32(levels + row, k.there, out);
        leave_rows(left, row, k.there, found);
    }
}

TCT_FOR_AVX512_TEXT void tct_wide_values(const tct_quick *quick, const tct_column *column, double *values,
                                         tct_rest *left)
{
    find_all(quick, column, offsetof(tct_quick_slot, value), values, NULL, left);
}

TCT_FOR_AVX512_TEXT void tct_wide_levels(const tct_quick *quick, const tct_column *column, uint32_t *levels,
                                         tct_rest *left)
{
    find_all(quick, column, offsetof(tct_quick_slot, index), NULL, levels, left);
}

/* Whole numbers of up to 8 digits, 7 behind a minus sign; *found: where there is one.  As tct_quick_whole. */
TCT_FOR_AVX512_TEXT static inline __m512d read_whole(const cells *k, __mmask8 *found)
{
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi64(1), most = _mm512_set1_epi64(8);
    __mmask8 minus =
        _mm512_cmpeq_epi64_mask(_mm512_and_si512(k->first, _mm512_set1_epi64(0xff)), _mm512_set1_epi64('-'));
    __m512i word = _mm512_mask_srli_epi64(k->first, minus, k->first, 8);
    __m512i n = _mm512_mask_sub_epi64(k->size, minus, k->size, one), digits, over;
    __mmask8 fits = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(n, one), _mm512_mask_sub_epi64(most, minus, most, one));

    digits = _mm512_xor_si512(word, _mm512_set1_epi8('0'));
    digits = _mm512_sllv_epi64(digits, _mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_slli_epi64(n, 3)));
    over = _mm512_or_si512(_mm512_add_epi64(digits, _mm512_set1_epi8(0x76)), digits);
    *found = fits & _mm512_testn_epi64_mask(over, _mm512_set1_epi8((char)0x80)) & k->there;
    digits = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));  /* 10 and 1: pairs of digits */
    digits = _mm512_madd_epi16(digits, _mm512_set1_epi32(0x00010064)); /* 100 and 1: pairs of pairs */
    digits = _mm512_add_epi64(_mm512_mul_epu32(digits, _mm512_set1_epi64(10000)), _mm512_srli_epi64(digits, 32));
    return _mm512_cvtepi64_pd(_mm512_mask_sub_epi64(digits, minus, zero, digits));
}

/* What a division by `by` needs. */
typedef struct divisor {
    __m512d by, reciprocal;
    bool whole; /* it and everything divided are whole numbers below 2^53 */
} divisor;

/* a / by, rounded correctly.  For whole numbers from products: a first quotient is off by at most two units in the last
 * place, a first correction makes it one of the two nearest, and from there, with a correctly rounded reciprocal and a
 * remainder that is exact, a second one rounds correctly (Markstein 1990).  Nothing underflows. */
TCT_FOR_AVX512_TEXT static inline __m512d divide(__m512d a, const divisor *d)
{
    __m512d q;

    if (!d->whole)
        return _mm512_div_pd(a, d->by);
    q = _mm512_mul_pd(a, d->reciprocal);
    q = _mm512_fmadd_pd(_mm512_fnmadd_pd(d->by, q, a), d->reciprocal, q);
    return _mm512_fmadd_pd(_mm512_fnmadd_pd(d->by, q, a), d->reciprocal, q);
}

/* Below 2^50, so that sums and doubles of two of them are exact. */
static bool is_whole(double v)
{
    return fabs(v) < 0x1p50 && v == floor(v);
}

TCT_FOR_AVX512_TEXT uint64_t tct_wide_numbers(const tct_column *column, double min, double max, bool number, double *x,
                                              uint8_t *rows, tct_rest *left)
{
    const __m512d low = _mm512_set1_pd(min), high = _mm512_set1_pd(max), one = _mm512_set1_pd(1);
    const divisor range = {_mm512_set1_pd(max - min), _mm512_set1_pd(1 / (max - min)), is_whole(min) && is_whole(max)};
    const tct_column c = *column;
    uint64_t clipped = 0;

    left->n = 0;
    for (size_t row = 0; row < c.n; row += 8) {
        cells k = take_cells(&c, row);
        __mmask8 found, below, above;
        __m512d v = read_whole(&k, &found);

        below = _mm512_mask_cmp_pd_mask(found, v, low, _CMP_LT_OQ);
        above = _mm512_mask_cmp_pd_mask(found, v, high, _CMP_GT_OQ);
        clipped += (uint64_t)__builtin_popcount(below | above);
        for (unsigned out = rows ? (unsigned)(below | above) : 0; out; out &= out - 1)
            rows[row + (size_t)__builtin_ctz(out)] |= TCT_HAD_CLIPPED;
        v = _mm512_mask_mov_pd(v, below, low);
        v = _mm512_sub_pd(_mm512_mask_mov_pd(v, above, high), low);
        if (number) {
            v = divide(v, &range);
            v = _mm512_add_pd(v, v);
        } else {
            v = divide(_mm512_add_pd(v, v), &range);
        }
        _mm512_mask_storeu_pd(x + row, k.there, _mm512_sub_pd(v, one));
        leave_rows(left, row, k.there, found);
    }
    return clipped;
}

#else

static void leave_all(const tct_column *c, tct_rest *left)
{
    for (left->n = 0; left->n < c->n; left->n++)
        left->rows[left->n] = (uint16_t)left->n;
}

void tct_wide_values(const tct_quick *quick, const tct_column *c, double *values, tct_rest *left)
{
    (void)quick, (void)values;
    leave_all(c, left);
}

void tct_wide_levels(const tct_quick *quick, const tct_column *c, uint32_t *levels, tct_rest *left)
{
    (void)quick, (void)levels;
    leave_all(c, left);
}

uint64_t tct_wide_numbers(const tct_column *c, double min, double max, bool number, double *x, uint8_t *rows,
                          tct_rest *left)
{
    (void)min, (void)max, (void)number, (void)x, (void)rows;
    leave_all(c, left);
    return 0;
}

#endif

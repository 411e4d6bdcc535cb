/*
 * netsingle_loops.h -- the one loop of netlanes.c in single precision, for one level of simd_levels.h: twice as many
 * numbers in a vector.
 */
typedef float NAMED(floats) __attribute__((vector_size(BYTES)));
typedef int32_t NAMED(bits) __attribute__((vector_size(BYTES)));
typedef float NAMED(floats_loose) __attribute__((vector_size(BYTES), aligned(4), may_alias)); /* in memory */
typedef float NAMED(half_loose) __attribute__((vector_size(BYTES / 2), aligned(4), may_alias));
#define LOAD_HALF(from) (*(const NAMED(half_loose) *)(const void *)(from))
#if BYTES == 64 /* the compiler takes such a conversion apart */
#define TO_LANES(half) ((lanes)_mm512_cvtps_pd((__m256)(half)))
#else
#define TO_LANES(half) __builtin_convertvector(half, lanes)
#endif
#define floats NAMED(floats)
#define bits NAMED(bits)
#define WIDE (BYTES / sizeof(float))
#define LOAD_SINGLE(from) (*(const NAMED(floats_loose) *)(const void *)(from))
#define ALL_SINGLE(value) ((value) - (floats){0})
#define SELECT_SINGLE(mask, yes, no) ((floats)(((bits)(mask) & (bits)(yes)) | (~(bits)(mask) & (bits)(no))))

/* One row of the product, `vectors` vectors of it; weights become doubles. */
INLINED void NAMED(multiply_single_tile)(size_t vectors, const double *a, const uint32_t *live, size_t n_live,
                                         const float *w, size_t n_c, double *c)
{
    lanes acc[16];

    for (size_t q = 0; q < vectors; q++)
        acc[q] = (lanes){0};
    for (size_t k = 0; k < n_live; k++) {
        const float *row = w + live[k] * n_c;

        TCT_ONE_ADDRESS(row);
        for (size_t q = 0; q < vectors; q++)
            acc[q] += TO_LANES(LOAD_HALF(row + q * LANES)) * a[live[k]];
    }
    for (size_t q = 0; q < vectors; q++)
        STORE(c + q * LANES, acc[q]);
}

LEVEL static void NAMED(multiply_single)(const double *a, const uint32_t *live, size_t n_live, const float *w,
                                         size_t n_c, double *c)
{
    const size_t wide = LANES == 8 ? 16 : 8; /* as registers hold */
    size_t i = 0;

    for (; i + wide * LANES <= n_c; i += wide * LANES)
        NAMED(multiply_single_tile)(wide, a, live, n_live, w + i, n_c, c + i);
    for (; wide > 8 && i + 8 * LANES <= n_c; i += 8 * LANES)
        NAMED(multiply_single_tile)(8, a, live, n_live, w + i, n_c, c + i);
    for (; i + 4 * LANES <= n_c; i += 4 * LANES)
        NAMED(multiply_single_tile)(4, a, live, n_live, w + i, n_c, c + i);
    for (; i < n_c; i += LANES)
        NAMED(multiply_single_tile)(1, a, live, n_live, w + i, n_c, c + i);
}

/* The first n numbers of a vector, times sign, as doubles. */
INLINED void NAMED(put_singles)(floats v, float sign, size_t n, double *to)
{
    float all[WIDE];

    *(NAMED(floats_loose) *)(void *)all = v * sign;
    if (n == WIDE)
        for (size_t i = 0; i < WIDE; i++)
            to[i] = (double)all[i];
    else
        for (size_t i = 0; i < n; i++)
            to[i] = (double)all[i];
}

/* The same added to what is there. */
INLINED void NAMED(add_singles)(floats v, float sign, size_t n, double *to)
{
    float all[WIDE];

    *(NAMED(floats_loose) *)(void *)all = v * sign;
    for (size_t i = 0; i < n; i++)
        to[i] += (double)all[i];
}

/* Columns of y from `at` on, `tile` of them, for one vector of forms taken as they are and times -1; see twin_tile.  Until the
 * end the other form is kept without its sign: of active neurons both are the same. */
INLINED void NAMED(single_tile)(size_t tile, bool first, const tct_single_pull *p, size_t at, const float *x,
                                size_t x_stride, const tct_forms *out, size_t k, size_t n)
{
    const floats zero = {0};
    floats acc[8], twin[8], added = zero, subtracted, total = zero;

    for (size_t r = 0; r < tile; r++)
        acc[r] = zero;
    for (size_t i = 0; i < p->n_active; i++) {
        size_t j = p->live[i];
        const float *w = p->weights + j * p->stride + at;
        floats c = LOAD_SINGLE(x + j * x_stride);

        for (size_t r = 0; r < tile; r++)
            acc[r] += c * w[r];
        if (first) {
            added += c * p->plus[j];
            total += (floats)((bits)c & INT32_MAX) * p->size[j];
        }
    }
    subtracted = added;
    for (size_t r = 0; r < tile; r++)
        twin[r] = acc[r];
    for (size_t i = p->n_active; i < p->n_live; i++) {
        size_t j = p->live[i];
        const float *w = p->weights + j * p->stride + at;
        floats c = LOAD_SINGLE(x + j * x_stride), line, other;
        bits negative = (bits)(c < zero);

        line = c * SELECT_SINGLE(negative, ALL_SINGLE(p->below[j]), ALL_SINGLE(p->above[j]));
        other = c * SELECT_SINGLE(negative, ALL_SINGLE(p->above[j]), ALL_SINGLE(p->below[j]));
        for (size_t r = 0; r < tile; r++) {
            acc[r] += line * w[r];
            twin[r] += other * w[r];
        }
        if (first) {
            floats up = c * p->plus[j], down = c * p->minus[j];

            added += SELECT_SINGLE(negative, down, up);
            subtracted += SELECT_SINGLE(negative, up, down);
            total += (floats)((bits)c & INT32_MAX) * p->size[j];
        }
    }
    for (size_t r = 0; r < tile; r++) {
        NAMED(put_singles)(acc[r], 1, n, out[0].y + (at + r) * out[0].stride + k);
        NAMED(put_singles)(twin[r], -1, n, out[1].y + (at + r) * out[1].stride + k);
    }
    if (first) {
        NAMED(add_singles)(added, 1, n, out[0].constants + k);
        NAMED(add_singles)(subtracted, -1, n, out[1].constants + k);
        NAMED(add_singles)(total, 1, n, out[0].sizes + k);
        NAMED(add_singles)(total, 1, n, out[1].sizes + k);
    }
}

LEVEL static void NAMED(pull_single)(const tct_single_pull *p, const float *x, size_t x_stride, size_t n,
                                     const tct_forms *out)
{
    const size_t wide = LANES == 8 ? 8 : 4; /* sums that registers hold, twice */

    for (size_t k = 0; k < n; k += WIDE) {
        size_t at = p->n_out < wide ? p->n_out : wide, left = n - k < WIDE ? n - k : WIDE;

#define TILE(R, FIRST, AT) NAMED(single_tile)(R, FIRST, p, AT, x + k, x_stride, out, k, left)
        switch (at) {
        case 8:
            TILE(LANES == 8 ? 8 : 4, true, 0); /* there is no such tile elsewhere */
            break;
        case 7:
            TILE(LANES == 8 ? 7 : 4, true, 0);
            break;
        case 6:
            TILE(LANES == 8 ? 6 : 4, true, 0);
            break;
        case 5:
            TILE(LANES == 8 ? 5 : 4, true, 0);
            break;
        case 4:
            TILE(4, true, 0);
            break;
        case 3:
            TILE(3, true, 0);
            break;
        case 2:
            TILE(2, true, 0);
            break;
        case 1:
            TILE(1, true, 0);
            break;
        default:
            TILE(0, true, 0);
            break;
        }
        for (; LANES == 8 && at + 8 <= p->n_out; at += 8)
            TILE(8, false, at);
        for (; at + 4 <= p->n_out; at += 4)
            TILE(4, false, at);
        for (; at + 2 <= p->n_out; at += 2)
            TILE(2, false, at);
        for (; at < p->n_out; at++)
            TILE(1, false, at);
#undef TILE
    }
}

#undef floats
#undef bits
#undef WIDE
#undef LOAD_HALF
#undef TO_LANES
#undef LOAD_SINGLE
#undef ALL_SINGLE
#undef SELECT_SINGLE

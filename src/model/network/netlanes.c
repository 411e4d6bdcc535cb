/*
 * netlanes.c -- inner loops of bounding a network, eight numbers side by side.
 *
 * The loops are written once with vectors of the compiler and compiled for several instruction sets; products and
 * sums are never contracted, and a sum over a row is kept in eight lanes which are joined in one fixed order.  So all
 * versions give the same bits.
 *
 * A NaN must never vanish: a coefficient that is NaN counts as "not negative", and NaN times anything stays NaN.
 */
#include "netlanes.h"

#include <math.h>

#include "simd.h"

typedef double lanes __attribute__((vector_size(64), may_alias));
typedef int64_t masks __attribute__((vector_size(64), may_alias));

/* Lanes joined in pairs. */
#define JOIN(v) ((((v)[0] + (v)[4]) + ((v)[2] + (v)[6])) + (((v)[1] + (v)[5]) + ((v)[3] + (v)[7])))

/* R rows at once, so that a row of w is read once for all of them. */
#define MULTIPLY_ROWS(R)                                                                                               \
    for (size_t i = 0; i < n_c; i += TCT_LANES) {                                                                      \
        lanes acc[R];                                                                                                  \
        for (size_t r = 0; r < R; r++)                                                                                 \
            acc[r] = (lanes){0};                                                                                       \
        for (size_t k = 0; k < n_live; k++) {                                                                          \
            size_t j = live[k];                                                                                        \
            lanes wj = *(const lanes *)(w + j * n_c + i);                                                              \
            for (size_t r = 0; r < R; r++)                                                                             \
                acc[r] += wj * a[r * n_a + j];                                                                         \
        }                                                                                                              \
        for (size_t r = 0; r < R; r++)                                                                                 \
            *(lanes *)(c + r * n_c + i) = acc[r];                                                                      \
    }

TCT_INLINED void multiply_body(const double *a, size_t rows, size_t n_a, const uint32_t *live, size_t n_live,
                               const double *w, size_t n_c, double *c)
{
    for (; rows >= 4; rows -= 4, a += 4 * n_a, c += 4 * n_c) {
        MULTIPLY_ROWS(4)
    }
    if (rows & 2) {
        MULTIPLY_ROWS(2)
        a += 2 * n_a;
        c += 2 * n_c;
    }
    if (rows & 1) {
        MULTIPLY_ROWS(1)
    }
}

TCT_INLINED void relax_body(double *a, size_t rows, const tct_relaxation *layer, double *sum, double *size)
{
    const masks magnitude = (masks){0} + INT64_MAX;
    const lanes zero = {0};

    for (size_t r = 0; r < rows; r++, a += layer->n) {
        lanes added = zero, total = zero;

        for (size_t j = 0; j < layer->n; j += TCT_LANES) {
            lanes x = *(const lanes *)(a + j);
            masks is_negative = x < zero;
            lanes negative = (lanes)((masks)x & is_negative), other = (lanes)((masks)x & ~is_negative);
            lanes moved = negative * *(const lanes *)(layer->offset + j);

            x = other * *(const lanes *)(layer->above + j) + negative * *(const lanes *)(layer->below + j);
            *(lanes *)(a + j) = x;
            added += x * *(const lanes *)(layer->bias + j) + moved;
            total += (lanes)((masks)x & magnitude) * *(const lanes *)(layer->reach + j) - moved;
        }
        sum[r] += JOIN(added);
        size[r] += JOIN(total);
    }
}

TCT_INLINED void interval_body(const double *w, size_t n, const double *bias, const tct_span *spans, size_t n_spans,
                               const double *low, const double *high, double *least, double *most)
{
    for (size_t j = 0; j < n; j += TCT_LANES) {
        lanes lo = *(const lanes *)(bias + j), hi = lo;

        for (size_t s = 0; s < n_spans; s++) {
            lanes a, b;

            if (spans[s].onehot) {
                a = (lanes){0} + INFINITY;
                b = -a;
                for (size_t i = spans[s].first; i < spans[s].first + spans[s].width; i++) {
                    lanes wi = *(const lanes *)(w + i * n + j);
                    masks less = wi<a, more = wi> b;

                    if (high[i] == 0)
                        continue;
                    a = (lanes)(((masks)wi & less) | ((masks)a & ~less));
                    b = (lanes)(((masks)wi & more) | ((masks)b & ~more));
                }
            } else {
                lanes wi = *(const lanes *)(w + spans[s].first * n + j);
                lanes p = wi * low[spans[s].first], q = wi * high[spans[s].first];
                masks less = p < q;

                a = (lanes)(((masks)p & less) | ((masks)q & ~less));
                b = (lanes)(((masks)q & less) | ((masks)p & ~less));
            }
            lo += a;
            hi += b;
        }
        *(lanes *)(least + j) = lo;
        *(lanes *)(most + j) = hi;
    }
}

TCT_INLINED void least_body(const double *a, size_t rows, size_t n, const double *low, const double *high,
                            const double *most, double *sum, double *size)
{
    const masks magnitude = (masks){0} + INT64_MAX;
    const lanes zero = {0};

    for (size_t r = 0; r < rows; r++, a += n) {
        lanes value = zero, total = zero;

        for (size_t i = 0; i < n; i += TCT_LANES) {
            lanes x = *(const lanes *)(a + i);
            masks is_negative = x < zero;

            value +=
                x * (lanes)((*(const masks *)(high + i) & is_negative) | (*(const masks *)(low + i) & ~is_negative));
            total += (lanes)((masks)x & magnitude) * *(const lanes *)(most + i);
        }
        sum[r] += JOIN(value);
        size[r] += JOIN(total);
    }
}

TCT_INLINED void add_sizes_body(const double *x, size_t n_x, const double *w, size_t n, double *z)
{
    const masks magnitude = (masks){0} + INT64_MAX;

    for (size_t j = 0; j < n; j += TCT_LANES) {
        lanes acc = *(const lanes *)(z + j);

        for (size_t i = 0; i < n_x; i++)
            acc += (lanes)(*(const masks *)(w + i * n + j) & magnitude) * x[i];
        *(lanes *)(z + j) = acc;
    }
}

/* One version of all loops, compiled with ATTRIBUTES. */
#define VERSION(NAME, ATTRIBUTES)                                                                                      \
    ATTRIBUTES static void multiply_##NAME(const double *a, size_t rows, size_t n_a, const uint32_t *live,             \
                                           size_t n_live, const double *w, size_t n_c, double *c)                      \
    {                                                                                                                  \
        multiply_body(a, rows, n_a, live, n_live, w, n_c, c);                                                          \
    }                                                                                                                  \
    ATTRIBUTES static void relax_##NAME(double *a, size_t rows, const tct_relaxation *layer, double *sum,              \
                                        double *size)                                                                  \
    {                                                                                                                  \
        relax_body(a, rows, layer, sum, size);                                                                         \
    }                                                                                                                  \
    ATTRIBUTES static void interval_##NAME(const double *w, size_t n, const double *bias, const tct_span *spans,       \
                                           size_t n_spans, const double *low, const double *high, double *least,       \
                                           double *most)                                                               \
    {                                                                                                                  \
        interval_body(w, n, bias, spans, n_spans, low, high, least, most);                                             \
    }                                                                                                                  \
    ATTRIBUTES static void least_##NAME(const double *a, size_t rows, size_t n, const double *low, const double *high, \
                                        const double *most, double *sum, double *size)                                 \
    {                                                                                                                  \
        least_body(a, rows, n, low, high, most, sum, size);                                                            \
    }                                                                                                                  \
    ATTRIBUTES static void add_sizes_##NAME(const double *x, size_t n_x, const double *w, size_t n, double *z)         \
    {                                                                                                                  \
        add_sizes_body(x, n_x, w, n, z);                                                                               \
    }                                                                                                                  \
    static const tct_lanes version_##NAME = {multiply_##NAME, relax_##NAME, interval_##NAME, least_##NAME,             \
                                             add_sizes_##NAME};

TCT_SIMD_VERSIONS(VERSION)

const tct_lanes *tct_lanes_best(void)
{
    return TCT_SIMD_PICK(&version);
}

/*
 * lanes.c -- sums of products of many people.
 */
#include "lanes.h"

/* Four times eight people at once: their sums are chains of additions that do not wait for each other. */
TCT_INLINED void affine_body(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                             const double *x, size_t stride, size_t n)
{
    size_t p = 0;

    for (; p + 4 * TCT_EIGHT <= n; p += 4 * TCT_EIGHT) {
        tct_eight s0 = TCT_ALL(start), s1 = s0, s2 = s0, s3 = s0;

        for (size_t i = 0; i < m; i++) {
            const double *column = x + (input ? input[i] : i) * stride + p;

            s0 += coefficient[i] * TCT_LOAD(column);
            s1 += coefficient[i] * TCT_LOAD(column + TCT_EIGHT);
            s2 += coefficient[i] * TCT_LOAD(column + 2 * TCT_EIGHT);
            s3 += coefficient[i] * TCT_LOAD(column + 3 * TCT_EIGHT);
        }
        TCT_STORE(out + p, s0);
        TCT_STORE(out + p + TCT_EIGHT, s1);
        TCT_STORE(out + p + 2 * TCT_EIGHT, s2);
        TCT_STORE(out + p + 3 * TCT_EIGHT, s3);
    }
    for (; p < n; p++) {
        double s = start;

        for (size_t i = 0; i < m; i++)
            s += coefficient[i] * x[(input ? input[i] : i) * stride + p];
        out[p] = s;
    }
}

TCT_SIMD_FUNCTION(void, affine, affine_body,
                  (double *out, double start, const double *coefficient, const size_t *input, size_t m, const double *x,
                   size_t stride, size_t n),
                  (out, start, coefficient, input, m, x, stride, n))

void tct_lanes_affine(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                      const double *x, size_t stride, size_t n)
{
    affine(out, start, coefficient, input, m, x, stride, n);
}

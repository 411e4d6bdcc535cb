/*
 * descent_loops.c -- inner loops of training a network.
 *
 * A batch goes through the network with its points side by side: value j of a layer for all points of the batch is one
 * run of `lanes` numbers, and everything but the gradient's dot products is a sum of scaled runs.  Dot products are kept
 * in eight lanes that are joined in one fixed order.  The loops are written once and compiled for several instruction
 * sets; nothing is contracted and no sum is reordered, so all versions give the same bits.
 */
#include "descent.h"

#include <math.h>

#include "simd.h"

enum { RUN = 8, ROWS = 2 }; /* points and neurons side by side */
static const double ADAM_FIRST = 0.9, ADAM_SECOND = 0.999, ADAM_SMALL = 1e-8;

typedef double run __attribute__((vector_size(64)));
typedef double loose_run
    __attribute__((vector_size(64), may_alias, aligned(8))); /* in memory; locals must be aligned */

/* R neurons at once, so that a run of inputs is read once for all of them. */
#define COMBINE_ROWS(R)                                                                                                \
    for (size_t r = 0; r < lanes; r += RUN) {                                                                          \
        run sum[R];                                                                                                    \
        for (size_t q = 0; q < R; q++)                                                                                 \
            sum[q] = (run){0} + (bias ? bias[j + q] : 0);                                                              \
        for (size_t i = 0; i < n_in; i++) {                                                                            \
            run value = *(const loose_run *)(in + i * lanes + r);                                                      \
            for (size_t q = 0; q < R; q++)                                                                             \
                sum[q] += w[(j + q) * row + i * column] * value;                                                       \
        }                                                                                                              \
        for (size_t q = 0; q < R; q++)                                                                                 \
            *(loose_run *)(out + (j + q) * lanes + r) = sum[q];                                                        \
    }

TCT_INLINED void combine_body(const double *w, size_t row, size_t column, const double *bias, size_t n_in, size_t n_out,
                              const double *restrict in, double *restrict out, size_t lanes)
{
    size_t j = 0;

    for (; j + ROWS <= n_out; j += ROWS) {
        COMBINE_ROWS(ROWS)
    }
    for (; j < n_out; j++) {
        COMBINE_ROWS(1)
    }
}

#define JOIN(v) ((((v)[0] + (v)[4]) + ((v)[1] + (v)[5])) + (((v)[2] + (v)[6]) + ((v)[3] + (v)[7])))

TCT_INLINED void outer_body(const double *restrict delta, const double *restrict in, size_t n_in, size_t n_out,
                            size_t lanes, double *restrict out, double *restrict sums)
{
    for (size_t j = 0; j < n_out; j++) {
        const double *d = delta + j * lanes;
        double total = 0;
        size_t i = 0;
        for (; i + ROWS <= n_in; i += ROWS) {
            run sum[ROWS] = {{0}};
            for (size_t r = 0; r < lanes; r += RUN) {
                run value = *(const loose_run *)(d + r);
                for (size_t q = 0; q < ROWS; q++)
                    sum[q] += value * *(const loose_run *)(in + (i + q) * lanes + r);
            }
            for (size_t q = 0; q < ROWS; q++)
                out[j * n_in + i + q] = JOIN(sum[q]);
        }
        for (; i < n_in; i++) {
            run sum = {0};
            for (size_t r = 0; r < lanes; r += RUN)
                sum += *(const loose_run *)(d + r) * *(const loose_run *)(in + i * lanes + r);
            out[j * n_in + i] = JOIN(sum);
        }
        for (size_t r = 0; r < lanes; r++)
            total += d[r];
        sums[j] = total;
    }
}

TCT_INLINED void adam_body(double *restrict w, double *restrict first, double *restrict second,
                           const double *restrict g, size_t n, double rate, uint64_t steps)
{
    double up = 1 / (1 - pow(ADAM_FIRST, (double)steps)), wide = 1 / (1 - pow(ADAM_SECOND, (double)steps));

    for (size_t i = 0; i < n; i++) {
        first[i] = ADAM_FIRST * first[i] + (1 - ADAM_FIRST) * g[i];
        second[i] = ADAM_SECOND * second[i] + (1 - ADAM_SECOND) * g[i] * g[i];
        w[i] -= rate * (first[i] * up) / (sqrt(second[i] * wide) + ADAM_SMALL);
    }
}

/* One version of all loops, compiled with ATTRIBUTES. */
#define VERSION(NAME, ATTRIBUTES)                                                                                      \
    ATTRIBUTES static void combine_##NAME(const double *w, size_t row, size_t column, const double *bias, size_t n_in, \
                                          size_t n_out, const double *restrict in, double *restrict out, size_t lanes) \
    {                                                                                                                  \
        combine_body(w, row, column, bias, n_in, n_out, in, out, lanes);                                               \
    }                                                                                                                  \
    ATTRIBUTES static void outer_##NAME(const double *restrict delta, const double *restrict in, size_t n_in,          \
                                        size_t n_out, size_t lanes, double *restrict out, double *restrict sums)       \
    {                                                                                                                  \
        outer_body(delta, in, n_in, n_out, lanes, out, sums);                                                          \
    }                                                                                                                  \
    ATTRIBUTES static void adam_##NAME(double *restrict w, double *restrict first, double *restrict second,            \
                                       const double *restrict g, size_t n, double rate, uint64_t steps)                \
    {                                                                                                                  \
        adam_body(w, first, second, g, n, rate, steps);                                                                \
    }                                                                                                                  \
    static const tct_descent_loops version_##NAME = {combine_##NAME, outer_##NAME, adam_##NAME};

TCT_SIMD_VERSIONS(VERSION)

const tct_descent_loops *tct_descent_best(void)
{
    return TCT_SIMD_PICK(&version);
}

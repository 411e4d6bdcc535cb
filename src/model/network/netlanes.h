/*
 * netlanes.h -- the inner loops of bounding a network: rows of coefficients pulled back through layers.
 *
 * All rows are filled up with zeros to a multiple of TCT_LANES and start at multiples of 64 bytes.  Whatever vectors a
 * processor has, each number is made by the same roundings in the same order: the same bits everywhere.
 */
#ifndef TCT_NETLANES_H
#define TCT_NETLANES_H

#include <stddef.h>
#include <stdint.h>

enum { TCT_LANES = 8 };

static inline size_t tct_lanes_round(size_t n)
{
    return (n + TCT_LANES - 1) / TCT_LANES * TCT_LANES;
}

/* A layer of rectified neurons as a row of coefficients sees it: neuron j is replaced by above[j] z where its
 * coefficient is positive, by below[j] z + offset[j] where it is negative. */
typedef struct tct_relaxation {
    size_t n; /* filled up */
    const double *above, *below, *offset;
    const double *bias;  /* of z */
    const double *reach; /* |z| and the sum of |terms| of z stay within this */
} tct_relaxation;

/* Inputs that vary together. */
typedef struct tct_span {
    size_t first, width;
    int onehot; /* exactly one of them is 1; else there is one, in [low, high] */
} tct_span;

typedef struct tct_lanes {
    /* c = a w: `rows` rows; a: stride n_a; w and c: stride n_c; only the terms in live[n_live] are not zero. */
    void (*multiply)(const double *a, size_t rows, size_t n_a, const uint32_t *live, size_t n_live, const double *w,
                     size_t n_c, double *c);
    /* Replace neurons by lines in each row of a; sum[r] += what that and the biases add, size[r] += the sum of all
     * absolute values that take part. */
    void (*relax)(double *a, size_t rows, const tct_relaxation *layer, double *sum, double *size);
    /* Smallest and largest value of bias + w x, n neurons at a time, without padding.  w: one row of n per input.
     * A one-hot input takes part when its high is not 0. */
    void (*interval)(const double *w, size_t n, const double *bias, const tct_span *spans, size_t n_spans,
                     const double *low, const double *high, double *least, double *most);
    /* Rows of n coefficients over inputs in [low, high]: sum[r] += the least value of the row, size[r] += the sum of
     * |coefficient| most. */
    void (*least)(const double *a, size_t rows, size_t n, const double *low, const double *high, const double *most,
                  double *sum, double *size);
    /* Terms (|a| + |b|) width of n inputs, and `more`: their sum, or `least` if that is more, shares out `gap`: acc += share
     * of each term.  Returns the share per unit. */
    double (*share)(const double *a, const double *b, size_t n, const double *width, double more, double least,
                    double gap, double *acc);
    /* Least value of h = sign a + t g over inputs in [low, high], and the value of g where that is: out[0], out[1]. */
    void (*tilted)(const double *a, double sign, const double *g, double t, size_t n, const double *low,
                   const double *high, double out[2]);
    /* a . b */
    double (*dot)(const double *a, const double *b, size_t n);
    /* z += x |w|: w has n_x rows of n. */
    void (*add_sizes)(const double *x, size_t n_x, const double *w, size_t n, double *z);
} tct_lanes;

/* The loops for this processor. */
const tct_lanes *tct_lanes_best(void);

#endif

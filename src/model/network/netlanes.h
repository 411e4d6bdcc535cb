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

enum { TCT_LANES = 8, TCT_SINGLE_LANES = 16 };

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

/* What is known of a hidden neuron over a box; stays true on every part of it. */
typedef enum tct_phase { TCT_PHASE_OPEN, TCT_PHASE_ACTIVE, TCT_PHASE_DEAD } tct_phase;

/* Rectified neurons over a box: an open one has least < 0 < most; `settle` gives 0 and 1 to active ones, -1 and 0 to dead
 * ones. */
typedef struct tct_neurons {
    int64_t *phases;                         /* as tct_phase */
    double *least, *most;                    /* bounds of z */
    const double *least_whole, *most_whole;  /* others that hold, too */
    double *above, *below, *offset, *slopes; /* see tct_relaxation; slopes: `above` for one row */
} tct_neurons;

/* Inputs that vary together. */
typedef struct tct_span {
    size_t first, width;
    int onehot; /* exactly one of them is 1; else there is one, in [low, high] */
} tct_span;

/* A layer of rectified neurons as forms see it that are pulled back through it: neuron j, with coefficient c, gives way to
 * a line, and that to what feeds it.  Where c is not negative that is c above[j] z, and adds c plus[j] to the constant;
 * else c below[j] z, and c minus[j].  |c| size[j] bounds what takes part. */
typedef struct tct_pull {
    const double *above, *below, *plus, *minus, *size;
    const uint32_t *live; /* neurons that count */
    size_t n_live;
    const double *weights; /* of z: rows of n_out, `stride` apart */
    size_t n_out, stride;
} tct_pull;

/* Forms that come of it: y as there, `stride` numbers a row. */
typedef struct tct_forms {
    double *y;
    size_t stride;
    double *constants, *sizes;
} tct_forms;

/* The same in single precision. */
typedef struct tct_single_pull {
    const float *above, *below, *plus, *minus, *size;
    const uint32_t *live;
    size_t n_live, n_active; /* active neurons come first: their lines are the neurons themselves */
    const float *weights;
    size_t n_out, stride;
} tct_single_pull;

/* Where a form g . x + constant is not above 0 in a box: corner is where it is least, no more than `least` there.  A form
 * to which t times g was added costs t pad more. */
typedef struct tct_halfspace {
    const tct_span *spans;
    size_t n_spans;
    const double *low, *high, *g, *corner;
    double constant, least, pad;
} tct_halfspace;

typedef struct tct_lanes {
    /* c = a w: `rows` rows; a: stride n_a; w and c: stride n_c; only the terms in live[n_live] are not zero. */
    void (*multiply)(const double *a, size_t rows, size_t n_a, const uint32_t *live, size_t n_live, const double *w,
                     size_t n_c, double *c);
    /* The same for one row, with w in single precision. */
    void (*multiply_single)(const double *a, const uint32_t *live, size_t n_live, const float *w, size_t n_c,
                            double *c);
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
    /* Forms constants[j] + w x, one column each: least[j] is the least value of form j.  w and the rest as for
     * `interval`. */
    void (*least_columns)(const double *w, size_t n, const double *constants, const tct_span *spans, size_t n_spans,
                          const double *low, const double *high, double *least);
    /* Neuron j has two forms, columns of a and b, and a gap, which is shared out among the spans in proportion to how much
     * each moves the two: shares[s] += the shares of span s.  The proportions are those to ranges[j] twice where the spans
     * move less than that.  room: 2 n_spans TCT_LANES numbers. */
    void (*share)(const double *a, const double *b, size_t n, const tct_span *spans, size_t n_spans, const double *low,
                  const double *high, const double *gaps, const double *ranges, double *room, double *shares);
    /* What is known of n neurons becomes their lines. */
    void (*settle)(size_t n, const tct_neurons *neurons);
    /* What the lines of n neurons cost a row a at most: gaps, *sum += all of them.  Returns whether an open one takes part. */
    int (*gaps)(const double *a, size_t n, const tct_neurons *neurons, double *gaps, double *sum);
    /* values: z at a point becomes what the lines of row a make of it, and the slopes below open neurons with a
     * coefficient that is not negative move by step z over the neuron's range, within [0, 1]. */
    void (*move)(const double *a, size_t n, double step, const tct_neurons *neurons, double *values);
    /* pull_columns for sign 1, into out[0], and sign -1, into out[1]: the same numbers. */
    void (*pull_twins)(const tct_pull *layer, const double *x, size_t x_stride, size_t n, const tct_forms *out);
    /* The same in single precision, but for how the results are kept.  Of rows of x as many numbers are read as fill
     * TCT_SINGLE_LANES. */
    void (*pull_single)(const tct_single_pull *layer, const float *x, size_t x_stride, size_t n, const tct_forms *out);
    /* Forms of n columns over neurons, x (`x_stride` numbers a row, one row per neuron) times sign, become forms over what
     * feeds the neurons: y.  constants[k] += what that adds to form k, sizes[k] += the sizes. */
    void (*pull_columns)(const tct_pull *layer, const double *x, size_t x_stride, double sign, size_t n, double *y,
                         size_t y_stride, double *constants, double *sizes);
    /* least[j] = no more than sign (x[j] . inputs + constants[j]) - pads[j] in that part of a box, n columns of x. */
    void (*least_on_side)(const tct_halfspace *side, const double *x, double sign, size_t n, const double *constants,
                          const double *pads, double *least);
    /* Of forms x[j] . inputs + constants[j]: least as least_on_side for sign 1 finds it, most[j] as that for sign -1, times
     * -1. */
    void (*twins_on_side)(const tct_halfspace *side, const double *x, size_t n, const double *constants,
                          const double *pads, double *least, double *most);
    /* Least value of h = sign a + t g over inputs in [low, high], and the value of g where that is: out[0], out[1]. */
    void (*tilted)(const double *a, double sign, const double *g, double t, size_t n, const double *low,
                   const double *high, double out[2]);
    /* Rows of n numbers: z becomes z + bias where that is positive, else 0. */
    void (*rectify)(double *z, size_t rows, size_t n, const double *bias);
    /* a . b */
    double (*dot)(const double *a, const double *b, size_t n);
    /* z += x |w|: w has n_x rows of n. */
    void (*add_sizes)(const double *x, size_t n_x, const double *w, size_t n, double *z);
} tct_lanes;

/* The loops for this processor. */
const tct_lanes *tct_lanes_best(void);

#endif

/*
 * leaf_loops.h -- the loops of leaf_forms.c, leaf_back.c and leaf_cut.c, for the processor at hand.
 *
 * Neurons lie side by side in the lanes of vectors.  A table of forms has one row per column of the part (leaf_forms.h),
 * with a number for each neuron of a layer; `width`, the length of a row, is the number of neurons filled up to a multiple
 * of TCT_FORM_LANES.  What is added over neurons is added in eight sums that are joined in pairs; so every level gives the
 * same bits.
 */
#ifndef TCT_LEAF_LOOPS_H
#define TCT_LEAF_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TCT_FORM_LANES = 8 };

/* Beyond the relative errors of sums of positive numbers; beyond what underflow may take. */
#define TCT_FORMS_MORE (1 + 1e-9)
#define TCT_FORMS_TINY 1e-290

/* Where the columns of forms may be. */
typedef struct tct_form_box {
    /* of the numbers, the constant among them: within radius of middle; their size */
    const double *middle, *radius, *most;
    size_t n_numbers;
    const uint32_t *picks; /* columns of allowed levels, category after category */
    const uint32_t *ends;  /* where those of each category end in picks */
    size_t n_categories;
} tct_form_box;

/* Ends of the forms of neurons: the least and the greatest value of the one below, then of the one above. */
typedef struct tct_form_ends {
    double *least_below, *most_below, *least_above, *most_above;
} tct_form_ends;

/* What a ReLU makes of the forms of neurons. */
typedef struct tct_form_bends {
    /* the form below is multiplied by `below`, 0 or 1; the one above by `above`, `lift` added */
    double *below, *above, *lift;
    double *cost; /* what an output adds to the error of a neuron that reads it, per unit of weight */
} tct_form_bends;

/* The lines put in for neurons when a row is pulled back. */
typedef struct tct_form_lines {
    const double *low, *high; /* what the neurons compute lies between these, ... */
    const double *error;      /* ... their error (leaf_forms.c), ... */
    const double *bias;       /* ... and what they add, or NULL */
    double *under;            /* slope of the line from below where it may be active or dead, in [0, 1] */
    double *coefficient;      /* out: what the row was */
    double *gap;              /* out: what the line may have cost, where it can be split away */
} tct_form_lines;

typedef struct tct_form_loops {
    /* out = `n_columns` rows: sums over the neurons m in from[n_from] of weights row m times forms[row][m]; `absolute`: of
     * the sizes of weights.  Rows of forms are `stride` apart. */
    void (*combine)(const double *weights, size_t width, bool absolute, const uint32_t *from, size_t n_from,
                    const double *forms, size_t stride, size_t n_columns, double *out);
    /* The same of one row, which is nowhere needed side by side with others. */
    void (*weigh)(const double *weights, size_t width, bool absolute, const uint32_t *from, size_t n_from,
                  const double *values, double *out);
    /* below -= half and above = below + half, of `count` numbers. */
    void (*apart)(double *below, double *above, const double *half, size_t count);
    /* Least and greatest values of forms over a box; their sizes too, the larger of what is there and it, if wanted. */
    void (*extremes)(const double *forms, size_t width, const tct_form_box *box, double *least, double *greatest,
                     double *size);
    /* Move ends outward by rounding times size, and bound what the neurons compute. */
    void (*place)(const tct_form_ends *ends, size_t width, double rounding, const double *size, const double *error,
                  double *low, double *high);
    /* What the ReLU makes of neurons, from their ends. */
    void (*bend)(const tct_form_ends *ends, size_t width, double gamma, const double *size, const double *error,
                 const tct_form_bends *bends);
    /* One row of the forms bent: their mean and half their difference; `lift`: NULL but for the constant. */
    void (*halve)(const double *below, const double *above, size_t width, const tct_form_bends *bends,
                  const double *lift, double *middle, double *half);
    /* row: over the outputs of neurons before, over what they compute after.  sums: the constant, its size, the error,
     * the gaps. */
    void (*lines)(const tct_form_lines *lines, size_t width, double times, double *row, double sums[4]);
    /* Neurons compute z somewhere: move lines from below by step times z over its range; z becomes what the lines, as they
     * were, make of it. */
    void (*move)(const tct_form_lines *lines, size_t width, double step, double *z);
    /* out = row w over the n rows of w in list, each of `length`. */
    void (*sum_rows)(const double *row, const uint32_t *list, size_t n, const double *w, size_t length, double *out);
    /* out[k] = row . forms[k]. */
    void (*dots)(const double *row, const double *forms, size_t width, size_t n_columns, double *out);
    /* sum of |w_i| max(most_i, 0). */
    double (*reach)(const double *w, const double *most, size_t n);
    /* spread: how far two forms reach, as their ends tell. */
    void (*spread)(const tct_form_ends *ends, size_t width, double *spread);
    /* gap becomes gap / spread where both are positive, else 0; false if there is none. */
    bool (*rates)(double *gap, const double *spread, size_t width);
    /* out[k] += rate . (|below[k]| + |above[k]|). */
    void (*shares)(const double *rate, const double *below, const double *above, size_t width, size_t n_columns,
                   double *out);
    /* rate . (the range of below + that of above) over the columns in picks[n]. */
    double (*level_share)(const double *rate, const double *below, const double *above, size_t width,
                          const uint32_t *picks, size_t n);
} tct_form_loops;

const tct_form_loops *tct_form_loops_best(void);

#endif

/*
 * literal.h -- the paper's algorithm for linear classifiers, written down plainly.
 *
 * This is the yardstick: what one writes from the paper on a first try.  It shares no code with the library, keeps
 * no state between people, and estimates expected entropies with T samples as the paper does.  The slips of the
 * paper are corrected: the pure test sums the weights of unrevealed inputs only, one conditions on public inputs as
 * well, models have a bias, the Monte Carlo estimate is a mean, covariances may be singular.
 *
 * An attribute is one input that ranges over [-1, 1] (numbers, ordinal codes), or a block of inputs of which one is 1
 * and the others are 0 (one-hot categories).
 */
#ifndef LITERAL_H
#define LITERAL_H

#include "literal_gauss.h"

enum { LITERAL_SAMPLES = 1000 };

typedef struct literal_problem {
    size_t n_inputs, n_classes;
    const double *weights;    /* n_scores x n_inputs; n_scores = 1 for two classes, else n_classes */
    const double *bias;       /* n_scores */
    const double *mean;       /* n_inputs */
    const double *covariance; /* n_inputs x n_inputs */
    const size_t *sensitive;  /* first input of each sensitive attribute, ascending; all others are public */
    size_t n_sensitive;
    const size_t *widths;  /* per input, if an attribute begins there: its inputs; NULL: one each */
    size_t samples;        /* T */
    bool stop_when_proven; /* delta > 0: stop at a pure core set as well (not in the paper) */
} literal_problem;

/* What one candidate scored. */
typedef struct literal_estimate {
    double entropy; /* mean over the samples */
    double error;   /* its standard error */
} literal_estimate;

typedef struct literal_outcome {
    size_t order[LITERAL_MAX_INPUTS]; /* attributes revealed, by their first inputs, in order */
    size_t asked;
    size_t label; /* representative label */
    bool settled; /* false: everything was revealed before a core set was found */
    /* NULL, or room for n_sensitive x n_inputs: [k * n_inputs + j] is what attribute j (its first input)
     * scored when choice k was made. */
    literal_estimate *estimates;
} literal_outcome;

/* PFR: reveal the attribute with the smallest estimated expected entropy until the revealed set is a core set at
 * delta. */
void literal_release(const literal_problem *problem, const double *x, double delta, literal_random *random,
                     literal_outcome *out);
/* Baseline: the label when everything is revealed. */
size_t literal_baseline(const literal_problem *problem, const double *x);
/* Opt: size of the smallest pure core set, by trying all subsets, smaller ones first; at most 30 sensitive
 * attributes. */
size_t literal_opt(const literal_problem *problem, const double *x);

/* The pieces, for tests.  known: per input. */

/* Pure test: is the label the same over the box of everything unknown?  Then *label is it. */
bool literal_pure(const literal_problem *problem, const double *x, const bool *known, size_t *label);
/* Exact expected entropy after revealing input j, an attribute of its own (two classes), by a fine trapezoid rule in
 * place of samples. */
double literal_expected_entropy(const literal_problem *problem, const double *x, const bool *known, size_t j);

#endif

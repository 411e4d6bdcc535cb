/*
 * literal_network.h -- the paper's algorithm for networks, written down plainly.
 *
 * The yardstick for networks, as literal.h is for linear classifiers: it shares no code with the library (forward and
 * backward passes are its own), keeps no state between people, estimates expected entropies with T samples, and tests
 * a pure core set on a grid.  The grid follows the paper: (1 / Delta)^|U| points, evenly spaced over [-1, 1]^|U|, the
 * revealed inputs at their values.  With Delta = 0.2 these are five values of each free input, and evenly spaced with
 * both ends among them they are -1, -0.5, 0, 0.5, 1.  (Reading Delta as the spacing instead would take 11^|U| points.)
 *
 * An attribute is one input that ranges over [-1, 1] (numbers, ordinal codes), or a block of inputs of which one is 1
 * and the others are 0 (one-hot categories); of such a block the grid has every level.  Of integers and ordinal levels
 * it knows nothing, so it may try values that nobody can have.
 */
#ifndef LITERAL_NETWORK_H
#define LITERAL_NETWORK_H

#include "literal_gauss.h"

enum { LITERAL_MAX_LAYERS = 16, LITERAL_GRID = 5 /* 1 / Delta, Delta = 0.2 */ };

/* Affine layers with ReLU between them.  One score: label 1 iff it is >= 0; more: the largest, ties to the lower. */
typedef struct literal_network {
    size_t n_layers;              /* at most LITERAL_MAX_LAYERS */
    const size_t *sizes;          /* n_layers + 1, each at most LITERAL_MAX_INPUTS: inputs ... scores, at most
                                   * LITERAL_MAX_CLASSES of these */
    const double *const *weights; /* [l]: sizes[l + 1] x sizes[l] */
    const double *const *bias;    /* [l]: sizes[l + 1] */
    const double *mean;           /* of the inputs */
    const double *covariance;     /* inputs x inputs */
    const size_t *sensitive;      /* first input of each sensitive attribute, ascending; all others are public */
    size_t n_sensitive;
    const size_t *widths; /* per input, if an attribute begins there: its inputs; NULL: one each */
    size_t samples;       /* T */
} literal_network;

typedef struct literal_network_outcome {
    size_t order[LITERAL_MAX_INPUTS]; /* attributes revealed, by their first inputs, in order */
    size_t asked;
    size_t label;    /* representative label */
    bool settled;    /* false: everything was revealed before a core set was found */
    uint64_t points; /* of the grid that were evaluated */
} literal_network_outcome;

/* PFR for networks: reveal the attribute with the smallest estimated expected entropy until the revealed set is a core
 * set at delta, tested on the grid when delta = 0 and by Theorem 1 otherwise. */
void literal_network_release(const literal_network *network, const double *x, double delta, literal_random *random,
                             literal_network_outcome *out);

/* Label when everything is revealed. */
size_t literal_network_label(const literal_network *network, const double *x);
/* Opt: size of the smallest set that the grid takes for a pure core set, by trying all subsets, smaller ones first; at
 * most 30 sensitive attributes.  *points grows by the points evaluated. */
size_t literal_network_opt(const literal_network *network, const double *x, uint64_t *points);
/* Is the label the same at all points of the grid over the inputs not known?  Then *label is it.  Stops at the first
 * point that differs; *points grows by the points evaluated. */
bool literal_network_grid(const literal_network *network, const double *x, const bool *known, size_t *label,
                          uint64_t *points);

/* The pieces, for tests.  known: per input. */

/* Score of a network with one score, and its gradient by all inputs (NULL: not wanted). */
double literal_network_score(const literal_network *network, const double *x, double *gradient);
/* Theorem 1: Pr(label 1) of a network with one score, the inputs not known at random. */
double literal_network_probability(const literal_network *network, const double *x, const bool *known);

#endif

/*
 * literal_gauss.h -- what the literal algorithms for linear classifiers and for networks have in common: random
 * numbers, the Gaussian over what is not known given what is (Proposition 2 of the paper), and from Gaussian scores to
 * labels.
 *
 * An input whose variance given the others is below LITERAL_TOLERANCE of its own is left out of the regression: it is
 * determined already.
 */
#ifndef LITERAL_GAUSS_H
#define LITERAL_GAUSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LITERAL_MAX_INPUTS = 128, LITERAL_MAX_CLASSES = 16 };
#define LITERAL_TOLERANCE 1e-10

/* Random numbers: 64 bits of state, the caller's. */
typedef struct literal_random {
    uint64_t state;
    bool has_spare;
    double spare;
} literal_random;

double literal_uniform(literal_random *random);
double literal_normal(literal_random *random);
double literal_normal_cdf(double x);

/* A Gaussian over unknown inputs given known ones: mean_U = base + gain (x_K - mu_K), and its covariance. */
typedef struct literal_posterior {
    size_t n_known, n_unknown;
    size_t known[LITERAL_MAX_INPUTS], unknown[LITERAL_MAX_INPUTS];
    double gain[LITERAL_MAX_INPUTS * LITERAL_MAX_INPUTS];       /* n_unknown x n_known */
    double covariance[LITERAL_MAX_INPUTS * LITERAL_MAX_INPUTS]; /* n_unknown x n_unknown */
    double mean[LITERAL_MAX_INPUTS];                            /* at the values last given */
} literal_posterior;

/* Regression of the unknown on the known inputs, and what variance it leaves.  covariance: d x d; known: per input. */
void literal_condition(literal_posterior *p, size_t d, const double *covariance, const bool *known);
/* Posterior mean of the unknown inputs at the known values in x.  mean: of all inputs. */
void literal_update_mean(literal_posterior *p, const double *mean, const double *x);
/* Cholesky factor of the n x n matrix a, in place, lower part; a pivot that has lost all but LITERAL_TOLERANCE of its
 * variance becomes 0 and with it its column: the variable is left out. */
void literal_factor(double *a, size_t n);

/* An attribute as the posterior has it: the Gaussian of its inputs first ... first + width - 1, none of them known. */
typedef struct literal_block {
    size_t first, width;
    double mean[LITERAL_MAX_INPUTS];
    double factor[LITERAL_MAX_INPUTS * LITERAL_MAX_INPUTS]; /* of its covariance, width x width */
} literal_block;

/* covariance: d x d, of all inputs, to tell a variance from none. */
void literal_block_of(literal_block *block, const literal_posterior *p, size_t first, size_t width,
                      const double *covariance, size_t d);
/* Values drawn from it, into x. */
void literal_block_draw(const literal_block *block, literal_random *random, double *x);

/* One score: label 1 iff it is >= 0.  More: the largest, ties to the lower. */
size_t literal_label(const double *scores, size_t n_scores);
/* Probability of each label when the scores are Gaussian, factor: of their covariance.  Closed form for one score
 * (Proposition 4), for more the share of `samples` draws of the scores (the paper's extension to more classes). */
void literal_label_probabilities(const double *mean, const double *factor, size_t n_scores, size_t samples,
                                 literal_random *random, double *probability);
double literal_entropy(const double *probability, size_t n_classes);

#endif

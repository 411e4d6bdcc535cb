/*
 * literal_gauss.h -- what the literal algorithms for linear classifiers and for networks have in common: random
 * numbers, and the Gaussian over what is not known given what is (Proposition 2 of the paper).
 *
 * An input whose variance given the others is below LITERAL_TOLERANCE of its own is left out of the regression: it is
 * determined already.
 */
#ifndef LITERAL_GAUSS_H
#define LITERAL_GAUSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LITERAL_MAX_INPUTS = 128 };
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

#endif

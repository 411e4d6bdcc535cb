/*
 * num.h -- numbers: the normal distribution in one and more dimensions, binomial intervals,
 * and the few matrix operations we need.  Pure functions.
 */
#ifndef TCT_NUM_H
#define TCT_NUM_H

#include <stdbool.h>
#include <stddef.h>

/* ---- normal.c ---- */

double tct_normal_pdf(double x);
/* Phi(x), relative accuracy near 1e-15 down to the smallest doubles. */
double tct_normal_cdf(double x);
/* Phi^-1(p) for 0 < p < 1, full double precision; -inf and +inf at 0 and 1, NaN outside. */
double tct_normal_quantile(double p);
/* -p log p - (1-p) log(1-p) in nats; 0 at 0 and 1. */
double tct_entropy2(double p);
/* -sum p log p over n probabilities. */
double tct_entropy(const double *p, size_t n);

/* ---- bvn.c, tvn.c, polygon.c, orthant.c: Pr(Z_1 <= h_1, ..., Z_n <= h_n), Z standard normal with correlations r
 * ---- */

/* n = 2; -1 <= r <= 1, absolute error below 1e-14. */
double tct_bvn(double h, double k, double r);
/* n = 3; correlations r12, r13, r23 of a (possibly singular) correlation matrix; absolute error below 1e-12. */
double tct_tvn(const double h[3], double r12, double r13, double r23);
/* The path that it goes: the angles of r12 and r13, which grow from 0 by their sines, that of r23 by its cosine.  Returns
 * r23, or the nearest correlation that goes with the other two. */
double tct_tvn_angles(double r12, double r13, double r23, double angles[3]);
/* Standard normal mass in the plane of an intersection of n half-planes, a_i . z <= b_i, with unit normals
 * a_i = (normals[i * stride], normals[i * stride + 1]) and any offsets; absolute error near 1e-15 n. */
double tct_polygon(const double *normals, size_t stride, const double *offsets, size_t n);
/* Pr(X <= 0 in every coordinate) for X ~ N(mean, cov), n >= 1, cov n x n row-major, positive semidefinite,
 * singular allowed (a coordinate without variance is decided by its mean; X = 0 counts as <= 0).
 * n = 1, 2, 3 and covariances of rank 2 exactly, others by sequential conditioning over a fixed lattice (deterministic,
 * error around 1e-5 at n <= 8).  scratch: at least n*n + 4*n + 16 doubles. */
double tct_orthant(const double *mean, const double *cov, size_t n, double *scratch);

/* ---- binomial.c ---- */

/* Two-sided Clopper-Pearson interval for `successes` of `trials` at the given level (0.95); trials >= 1. */
void tct_clopper_pearson(double successes, double trials, double level, double *low, double *high);
/* Is its upper end at most p, and its lower end above p?  0 < p < 1; one tail instead of a search for both ends.
 * `successes` need not be whole here: the ends are quantiles of beta distributions either way. */
bool tct_clopper_high_within(double successes, double trials, double level, double p);
bool tct_clopper_low_beyond(double successes, double trials, double level, double p);
/* The t with |T| <= t at the given level (0.95), T of Student's distribution; freedom >= 1. */
double tct_student_quantile(double freedom, double level);

/* ---- paired.c ---- */

/* Two-sided interval for the difference of two shares among the same n people, n >= 1: `more` have only the first
 * property, `less` only the second; the difference is (more - less) / n. */
void tct_paired_interval(double more, double less, double n, double level, double *low, double *high);

/* ---- matrix.c ---- */

/* Mean and covariance (divided by n) of n points of d inputs, one input after the other: input i of point r is
 * x[i * stride + r].  The same bits for any number of threads.  cov is d x d, symmetric to the bit. */
void tct_moments(const double *x, size_t stride, size_t n, size_t d, double *mean, double *cov, size_t threads);

/* ---- rounding.c ---- */

/* gamma_n = n e / (1 - n e), e = 2^-53, rounded up: |computed - exact| <= gamma_n * sum |terms| for a sum or dot
 * product of n terms in any order. */
double tct_gamma(size_t n);
/* Next double up / down. */
double tct_up(double x);
double tct_down(double x);

#endif

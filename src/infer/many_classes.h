/*
 * many_classes.h -- who wins among five and more classes when their scores are Gaussian.
 *
 * An orthant in so many dimensions takes milliseconds for each class.  Here bounds by pairs of classes come first; what
 * they leave open is counted over a fixed lattice of normal noise, with a stated error.  Classes that all but surely lose
 * to the one ahead take no part, so the cost grows with those that may win.
 */
#ifndef TCT_MANY_CLASSES_H
#define TCT_MANY_CLASSES_H

#include <stddef.h>

#include "base.h"

enum {
    TCT_MANY_FROM_SCORES = 5,
    TCT_NOISE_POINTS = 512, /* a multiple of 8 */
};

/* A fixed lattice of standard normal noise: point t, coordinate s at points[s * TCT_NOISE_POINTS + t]. */
typedef struct tct_noise {
    double
        *points; /* n_scores coordinates, and one that is uniform on (0, 1); NULL below TCT_MANY_FROM_SCORES scores */
    size_t n_scores;
} tct_noise;
tacit_status tct_noise_init(tct_noise *noise, size_t n_scores, tacit_error *err);
void tct_noise_clear(tct_noise *noise);

/* The first `points` of the lattice (a multiple of 8) shaped like a covariance (k x k), k x TCT_NOISE_POINTS.  scratch: k * k. */
void tct_noise_shape(const tct_noise *noise, const double *cov, size_t k, size_t points, double *shaped,
                     double *scratch);
/* Class probabilities p[k] by counting who wins at them; only classes[n], n >= 1, ascending, can. */
void tct_noise_count(const double *shaped, size_t points, const double *mean, size_t k, const size_t *classes, size_t n,
                     double *p);

/* The classes that may win: all but those that the one with the largest mean leaves `far` standard deviations behind.
 * Returns how many, ascending, into classes[k]. */
size_t tct_may_win(const double *mean, const double *cov, size_t k, double far, size_t *classes);
/* Their means and covariances alone: m[n], v[n x n]. */
void tct_only_of(const double *mean, const double *cov, size_t k, const size_t *classes, size_t n, double *m,
                 double *v);

/* The most likely class, and a probability that it has at least, but for chance: three standard errors below the
 * estimate, or the lower bound where that is within 1e-4 of the truth.  needed: above one half, and pairs of classes show
 * that no class is as likely as that: the lower bound, whatever it is.  scratch: tct_many_scratch(k) doubles. */
size_t tct_most_likely(const tct_noise *noise, const double *mean, const double *cov, size_t k, double needed,
                       double *probability, double *scratch);
size_t tct_many_scratch(size_t k);

#endif

/*
 * logit.h -- logistic regression on some of the attributes, from where a fit with more of them ended.
 *
 * The objective is that of tct_train_logistic, and so is the minimum.  The way there is another: Newton steps with the
 * second derivatives written out, which are worth their price when many fits start close to each other, because the
 * matrix of one serves its neighbours.  Meant for up to TCT_LOGIT_MOST parameters.
 */
#ifndef TCT_LOGIT_H
#define TCT_LOGIT_H

#include "coded_people.h"

enum { TCT_LOGIT_MOST = 600 };

typedef struct tct_logit {
    const tct_coded_people *coded; /* borrowed */
    size_t *kept;                  /* attributes, ascending */
    size_t n_kept;
    size_t d, n_scores; /* inputs; 1 for two classes, else one per class */
    size_t p;           /* parameters: n_scores x (d + 1), the bias behind the weights of its score */
    double l2, bias_l2;
    double *theta;   /* p */
    double *hessian; /* p x p, of some point nearby until tct_logit_curve */
} tct_logit;

/* All attributes in `kept`, from zero on.  The gradient's length is at most `enough` at the end.  bias_l2: penalty on
 * biases, 0 as usual; above it there is a minimum even where a class has nobody. */
tacit_status tct_logit_new(tct_logit **out, const tct_coded_people *coded, const size_t *kept, size_t n_kept, double l2,
                           double bias_l2, double enough, tacit_error *err);
void tct_logit_free(tct_logit *fit);

/* Second derivatives where the fit ended, for the two below. */
tacit_status tct_logit_curve(tct_logit *fit, tacit_error *err);
/* The same people without the attributes that are not in `kept` (a subset of the fit's). */
tacit_status tct_logit_reduce(tct_logit **out, const tct_logit *fit, const size_t *kept, size_t n_kept, double enough,
                              tacit_error *err);

/* What leaving out each attribute alone would cost `judges`: losses[j] is about the sum of their log losses under a fit
 * without kept[j], at the minimum of the second-order expansion. */
tacit_status tct_logit_foresee(const tct_logit *fit, const tct_coded_people *judges, double *losses, tacit_error *err);
/* Sum of log losses of `judges`. */
tacit_status tct_logit_loss(double *loss, const tct_logit *fit, const tct_coded_people *judges, tacit_error *err);
/* As a classifier that reads the inputs of the attributes kept. */
tacit_status tct_logit_classifier(tct_classifier **out, const tct_logit *fit, tacit_error *err);

/* ---- logit_sums.c: sums over people ---- */

/* Sum of log losses; its gradient is added to `gradient` unless that is NULL.  room: n_scores x TCT_LOGIT_CHUNK. */
enum { TCT_LOGIT_CHUNK = 256 };
double tct_logit_sum(const tct_coded_people *coded, const tct_logit *fit, const double *theta, double *gradient,
                     double *room);
/* Second derivatives of the sum of log losses, added to `hessian`: whole matrix.  room: (n_scores + 1) chunks. */
void tct_logit_sum_hessian(const tct_logit *fit, const double *theta, double *hessian, double *room);

/* ---- cholesky.c: positive definite n x n matrices, row-major ---- */

/* The lower triangle becomes the factor.  false: not positive definite. */
bool tct_cholesky(double *matrix, size_t n);
/* x becomes the solution, of L L' x = x. */
void tct_cholesky_solve(const double *factor, size_t n, double *x);

#endif

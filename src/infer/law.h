/*
 * law.h -- the distribution of the classifier's scores given a belief, and the labels it makes likely.
 *
 * For a linear classifier the scores are Gaussian, with a mean affine in the known values and a covariance that
 * depends on what is known but not on the values.  So its tct_law, like a belief, is about nobody.  For other
 * classifiers the scores are taken for linear around the posterior mean (first-order Taylor): a law of that person.
 */
#ifndef TCT_LAW_H
#define TCT_LAW_H

#include "belief.h"

typedef struct tct_law {
    size_t n_scores;
    double *offset; /* n_scores; linear classifiers only */
    double *map;    /* n_known x n_scores: E[score s] = offset[s] + sum_i map[i][s] x[known[i]]; likewise */
    double *cov;    /* n_scores x n_scores */
    double *cross;  /* n_unknown x n_scores: Cov(unknown[u], score s) */
    double sigma;   /* one score: its standard deviation */
    /* Three and four scores, linear classifiers: what rules found out about every answer (answer_entropy.c), else NULL. */
    struct tct_answer_entropies *answer_entropies;
} tct_law;

/* Room for n of them; NULL without memory.  Grows as rules ask: by how many bytes since the last call. */
struct tct_answer_entropies *tct_answer_entropies_new(size_t n);
void tct_answer_entropies_free(struct tct_answer_entropies *all);
size_t tct_answer_entropies_grown(struct tct_answer_entropies *all);

tacit_status tct_law_linear(tct_law **out, const tct_belief *belief, const tct_linear *linear, tacit_error *err);
/* Room for the local laws of a classifier of any kind. */
tacit_status tct_law_local(tct_law **out, const tct_classifier *classifier, tacit_error *err);
void tct_law_free(tct_law *law);

/* The law around the posterior mean given known values x, into `law` (made by tct_law_local); mean scores into
 * mean[n_scores].  scratch: tct_law_local_scratch doubles. */
void tct_law_around(tct_law *law, double *mean, const tct_belief *belief, const tct_classifier *classifier,
                    const double *x, double *scratch);
size_t tct_law_local_scratch(const tct_classifier *classifier);
size_t tct_law_bytes(const tct_law *law, const tct_belief *belief);

/* Bias plus the terms of the known inputs, added up in the order in which they became known; those that are 0, as most of
 * a wide category's are, add nothing. */
void tct_law_partial(const tct_linear *linear, const tct_belief *belief, const double *x, double *partial);
/* Mean scores at known values x, into mean[n_scores]. */
void tct_law_mean(const tct_law *law, const tct_belief *belief, const double *x, double *mean);

/* Probability of each class when scores ~ N(mean, cov): p[n_classes].  scratch: tct_law_scratch(n_scores) doubles. */
void tct_class_probabilities(const double *mean, const double *cov, size_t n_scores, double *p, double *scratch);
/* The same within 1e-6, absolute, and much faster for three and four classes: for rules, which only order questions.
 * Whether to stop is decided by the exact ones.  (In odds.c.) */
void tct_class_odds(const double *mean, const double *cov, size_t n_scores, double *p, double *scratch);
size_t tct_law_scratch(size_t n_scores);

/* What learning an attribute does to the scores: knowing that its inputs are v moves the mean scores by
 * sum_i gain[i][s] (v_i - E v_i), and leaves covariance `cov`. */
typedef struct tct_effect {
    double *gain; /* width x n_scores */
    double *cov;  /* n_scores x n_scores */
} tct_effect;
/* scratch: width * (width + n_scores + 1) doubles. */
void tct_effect_of(tct_effect *effect, const tct_law *law, const tct_belief *belief, const tacit_model *model,
                   size_t attribute, double *scratch);

/* tau^2: by how much learning the attribute lowers the variance of the only score.  Same scratch. */
double tct_tau2(const tct_law *law, const tct_belief *belief, const tacit_model *model, size_t attribute,
                double *scratch);

#endif

/*
 * The paper's rule: smallest expected entropy of the label after the answer.
 *
 * One score: the order theorem (docs/METHOD.md) says that this is the candidate with the largest tau^2, whatever the
 * values.  More: the expectation over a one-dimensional answer is a trapezoidal sum, over a one-hot answer a sum over
 * its levels.  Up to four classes the entropies in it are exact; from five on, where an orthant takes a millisecond,
 * the label's probabilities are counted over a fixed lattice of 2048 points, good to about 0.01 in the expected
 * entropy.  Stopping always uses the exact ones.
 *
 * montecarlo: the same expectation from 1000 draws per candidate, as in the paper.  The stream of draws is fixed by
 * the seed, the number of known inputs and the candidate, so it does not depend on who is asked.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "rules_inside.h"

/* Of the trapezoidal rule: step as a share of the narrowest width, and the finest step (a coarser one where evaluating
 * the integrand takes long). */
static const double STEP_PER_WIDTH = 0.8, FINE_STEP = 0.02, COARSE_STEP = 0.25;

/* Point i of the lattice, coordinate s: multiples of square roots of primes, as normal deviates; every second point
 * is the mirror image of the one before. */
static double noise_at(size_t i, size_t s)
{
    static const double PRIMES[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    double root = sqrt(PRIMES[s % 16] + 60.0 * (double)(s / 16)), at = ((double)(i / 2) + 0.5) * root;

    return (i % 2 ? -1 : 1) * tct_normal_quantile(fmin(fmax(at - floor(at), 1e-12), 1 - 1e-12));
}

tacit_status tct_noise_init(tct_noise *noise, size_t n_scores, tacit_error *err)
{
    noise->points = NULL;
    if (n_scores < TCT_NOISE_FROM_SCORES)
        return TACIT_OK;
    noise->points = tct_malloc(TCT_NOISE_POINTS * n_scores, sizeof *noise->points);
    if (!noise->points)
        return tct_fail_memory(err);
    for (size_t i = 0; i < TCT_NOISE_POINTS; i++)
        for (size_t s = 0; s < n_scores; s++)
            noise->points[i * n_scores + s] = noise_at(i, s);
    return TACIT_OK;
}

void tct_noise_clear(tct_noise *noise)
{
    tct_free(noise->points);
    noise->points = NULL;
}

/* Everything about one candidate that the expectation needs. */
typedef struct answer {
    const tct_domain *domain;
    size_t k; /* scores */
    tct_effect effect;
    const double *expected; /* posterior means of its inputs */
    double deviation;       /* standard deviation, for one input */
    double *mean;           /* mean scores now */
    double *moved;          /* mean scores after an answer */
    double *p;              /* class probabilities after it */
    double *noise; /* TCT_NOISE_POINTS x k: deviations of the scores after it, from five classes on; else NULL */
    double *rest;  /* scratch left */
} answer;

/* L, a Cholesky factor of cov that leaves out directions without variance. */
static void factorise(const double *cov, size_t k, double *l)
{
    memset(l, 0, k * k * sizeof *l);
    for (size_t j = 0; j < k; j++) {
        double pivot = cov[j * k + j];

        for (size_t i = 0; i < j; i++)
            pivot -= l[j * k + i] * l[j * k + i];
        if (tct_determined(pivot, cov[j * k + j]))
            continue;
        l[j * k + j] = sqrt(pivot);
        for (size_t r = j + 1; r < k; r++) {
            double sum = cov[r * k + j];

            for (size_t i = 0; i < j; i++)
                sum -= l[r * k + i] * l[j * k + i];
            l[r * k + j] = sum / l[j * k + j];
        }
    }
}

void tct_noise_shape(const tct_noise *noise, const double *cov, size_t k, double *shaped, double *scratch)
{
    double *l = scratch;

    factorise(cov, k, l);
    for (size_t t = 0; t < TCT_NOISE_POINTS; t++)
        for (size_t s = 0; s < k; s++) {
            double sum = 0;

            for (size_t i = 0; i <= s; i++)
                sum += l[s * k + i] * noise->points[t * k + i];
            shaped[t * k + s] = sum;
        }
}

void tct_noise_count(const double *shaped, const double *mean, size_t k, double *p)
{
    memset(p, 0, k * sizeof *p);
    for (size_t t = 0; t < TCT_NOISE_POINTS; t++) {
        const double *noise = shaped + t * k;
        double most = mean[0] + noise[0];
        size_t winner = 0;

        for (size_t s = 1; s < k; s++)
            if (mean[s] + noise[s] > most) {
                most = mean[s] + noise[s];
                winner = s;
            }
        p[winner] += 1.0 / TCT_NOISE_POINTS;
    }
}

static void answer_prepare(answer *a, const tct_view *view, size_t attribute, double *scratch)
{
    const tct_belief *b = view->belief;
    size_t at = tct_belief_position(b, view->model->codec->domains[attribute].first), w;
    double *expected = tct_take(&scratch, b->n_unknown);

    a->domain = &view->model->codec->domains[attribute];
    a->k = view->law->n_scores;
    w = a->domain->width;
    a->effect.gain = tct_take(&scratch, w * a->k);
    a->effect.cov = tct_take(&scratch, a->k * a->k);
    a->mean = tct_take(&scratch, a->k);
    a->moved = tct_take(&scratch, a->k);
    a->p = tct_take(&scratch, view->model->classifier->n_classes);
    tct_effect_of(&a->effect, view->law, b, view->model, attribute, scratch);
    tct_belief_mean(b, view->x, expected);
    a->expected = expected + at;
    a->deviation = sqrt(b->cov[at * b->n_unknown + at]);
    memcpy(a->mean, view->scores, a->k * sizeof *a->mean);
    a->noise = NULL;
    if (view->noise->points) {
        a->noise = tct_take(&scratch, TCT_NOISE_POINTS * a->k);
        tct_noise_shape(view->noise, a->effect.cov, a->k, a->noise, scratch);
    }
    a->rest = scratch;
}

/* Entropy of the label once the answer has moved the mean scores to a->moved. */
static double entropy_after(answer *a, size_t n_classes)
{
    if (a->noise)
        tct_noise_count(a->noise, a->moved, a->k, a->p);
    else
        tct_class_probabilities(a->moved, a->effect.cov, a->k, a->p, a->rest);
    return n_classes == 2 ? tct_entropy2(a->p[1]) : tct_entropy(a->p, n_classes);
}

/* One input, moved `z` standard deviations from its mean. */
static double entropy_at(answer *a, size_t n_classes, double z)
{
    for (size_t s = 0; s < a->k; s++)
        a->moved[s] = a->mean[s] + a->effect.gain[s] * (a->deviation * z);
    return entropy_after(a, n_classes);
}

/* A one-hot attribute found to be at `level`. */
static double entropy_at_level(answer *a, size_t n_classes, size_t level)
{
    for (size_t s = 0; s < a->k; s++) {
        a->moved[s] = a->mean[s];
        for (size_t i = 0; i < a->domain->width; i++)
            a->moved[s] += a->effect.gain[i * a->k + s] * ((i == level ? 1.0 : 0.0) - a->expected[i]);
    }
    return entropy_after(a, n_classes);
}

/* The width, in standard deviations of the answer, over which the label goes from one class to another: after the
 * answer, two scores differ by a Gaussian whose mean moves with the answer.  The narrowest over all pairs. */
static double narrowest_change(const answer *a)
{
    double width = INFINITY;

    if (a->k == 1)
        return sqrt(a->effect.cov[0]) / fabs(a->effect.gain[0] * a->deviation);
    for (size_t i = 0; i < a->k; i++)
        for (size_t j = 0; j < i; j++) {
            const double *v = a->effect.cov;
            double left = sqrt(fmax(v[i * a->k + i] - 2 * v[i * a->k + j] + v[j * a->k + j], 0));
            double speed = fabs((a->effect.gain[i] - a->effect.gain[j]) * a->deviation);

            if (speed > 0)
                width = fmin(width, left / speed);
        }
    return width;
}

static double step_for(const answer *a, double finest)
{
    return fmax(STEP_PER_WIDTH * fmin(narrowest_change(a), 1), finest);
}

double tct_answer_step(const tct_view *view, size_t attribute, double *scratch)
{
    answer a;

    answer_prepare(&a, view, attribute, scratch);
    return step_for(&a, COARSE_STEP);
}

/* One input: the trapezoidal rule, whose error falls faster than any power of the step once the step resolves both the
 * answer's own density (width 1) and the changes of label. */
static double entropy_over_line(answer *a, size_t n_classes)
{
    double step = step_for(a, a->noise ? COARSE_STEP : FINE_STEP), sum = 0, weight = 0;
    long reach = (long)ceil(TCT_LINE_END / step);

    if (!(a->deviation > 0)) /* determined: the answer tells nothing */
        return entropy_at(a, n_classes, 0);
    for (long i = -reach; i <= reach; i++) {
        double z = (double)i * step, density = tct_normal_pdf(z);

        sum += density * entropy_at(a, n_classes, z);
        weight += density;
    }
    return sum / weight;
}

double tct_expected_entropy(const tct_view *view, size_t attribute, double *scratch)
{
    size_t n_classes = view->model->classifier->n_classes;
    double *levels = tct_take(&scratch, view->model->codec->domains[attribute].width);
    double sum = 0;
    answer a;

    if (!view->extremes)
        return tct_network_entropy(view, attribute, scratch);
    answer_prepare(&a, view, attribute, scratch);
    if (a.domain->kind != TCT_ONEHOT)
        return entropy_over_line(&a, n_classes);
    tct_level_weights(a.expected, a.domain->count, levels);
    for (size_t l = 0; l < a.domain->count; l++)
        if (levels[l] > 0)
            sum += levels[l] * entropy_at_level(&a, n_classes, l);
    return sum;
}

double tct_sampled_entropy(const tct_view *view, size_t attribute, size_t samples, double *scratch)
{
    size_t n_classes = view->model->classifier->n_classes;
    double *levels = tct_take(&scratch, view->model->codec->domains[attribute].width);
    double sum = 0;
    tct_random random;
    answer a;

    if (!view->extremes)
        return tct_network_sampled(view, attribute, samples, scratch);
    tct_random_seed(&random, view->seed, view->belief->n_known * (uint64_t)TCT_MAX_INPUTS + attribute);
    answer_prepare(&a, view, attribute, scratch);
    if (a.domain->kind == TCT_ONEHOT)
        tct_level_weights(a.expected, a.domain->count, levels);
    for (size_t t = 0; t < samples; t++) {
        if (a.domain->kind == TCT_ONEHOT) {
            double u = tct_random_uniform(&random);
            size_t l = 0;

            while (l + 1 < a.domain->count && u > levels[l])
                u -= levels[l++];
            sum += entropy_at_level(&a, n_classes, l);
        } else {
            sum += entropy_at(&a, n_classes, tct_random_normal(&random));
        }
    }
    return sum / (double)samples;
}

size_t tct_choose_by_entropy(const tct_view *view, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    if (view->n_candidates == 1)
        return view->candidates[0];
    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];

        tct_consider(&b, a, view->tau2 ? view->tau2[a] : -tct_expected_entropy(view, a, scratch));
    }
    return b.attribute;
}

size_t tct_choose_by_montecarlo(const tct_view *view, double *scratch)
{
    tct_best b = {TACIT_NONE, 0};

    for (size_t i = 0; i < view->n_candidates; i++) {
        size_t a = view->candidates[i];

        tct_consider(&b, a, -tct_sampled_entropy(view, a, TCT_MONTECARLO_SAMPLES, scratch));
    }
    return b.attribute;
}

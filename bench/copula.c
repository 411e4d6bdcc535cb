/*
 * copula.c -- a Gaussian copula learnt from people, as a posterior.
 *
 * Marginals.  The values of an attribute, in order, make steps: a value that a 64th of all people have, and at least 20, is
 * one by itself; others are joined until so many are in it.  So a step is about nobody, and 64 of them and their ends are
 * all that a model file would have to tell.  Within a step every value is as likely as any other.
 *
 * Dependence.  Behind each attribute is a standard normal z, and the value is that at the share Phi(z) of all people.  What a
 * step tells of z is s = E[z | step], of variance v < 1: steps hide something.  To first order the covariance of s_a and
 * s_b is r v_a v_b, so r = cov(s_a, s_b) / (v_a v_b), drawn back towards cov(s_a, s_b) until the matrix is a correlation.
 *
 * Drawing.  A known step counts as s / v = z + noise of variance 1 / v - 1, whose mean given it is s again.  The others are
 * normal given that, and each becomes a value through its steps.
 */
#include "copula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "encoded.h"
#include "num.h"
#include "posteriors.h"

enum { STEPS = 64, LEAST = 20, MOST = 64 };

typedef struct step {
    double low, high; /* inputs */
    double below;     /* share of people in steps before it */
    double score;     /* E[z | step] */
} step;

typedef struct marginal {
    step steps[STEPS + 2 * STEPS]; /* values by themselves do not fill what is between them */
    size_t n;
    double variance; /* of the score */
    double grid;     /* distance of neighbouring values, 0: any */
} marginal;

static struct {
    copula_share share;
    size_t d;
    marginal of[MOST];
    double r[MOST * MOST]; /* d x d */
} copula;

/* ---- learning ---- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* E[z | below < Phi(z) < above]. */
static double score_between(double below, double above)
{
    double from = below > 0 ? tct_normal_pdf(tct_normal_quantile(below)) : 0;
    double to = above < 1 ? tct_normal_pdf(tct_normal_quantile(above)) : 0;

    return (from - to) / (above - below);
}

static void learn_marginal(marginal *m, double *sorted, size_t n, const tct_domain *domain)
{
    size_t enough = n / STEPS > LEAST ? n / STEPS : LEAST, start = 0, run;

    m->n = 0;
    m->variance = 0;
    m->grid = domain->kind == TCT_GRID && domain->count > 1 ? 2.0 / (double)(domain->count - 1) : 0;
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < n; i += run) {
        bool alone;

        for (run = 1; i + run < n && sorted[i + run] == sorted[i];)
            run++;
        alone = run >= enough;
        if (alone && i > start && i - start >= LEAST) { /* what came before is a step by itself */
            m->steps[m->n++] = (step){.low = sorted[start], .high = sorted[i - 1], .below = (double)start / (double)n};
            start = i;
        }
        if (i + run - start >= enough || i + run == n) {
            m->steps[m->n++] =
                (step){.low = sorted[start], .high = sorted[i + run - 1], .below = (double)start / (double)n};
            start = i + run;
        }
    }
    for (size_t k = 0; k < m->n; k++) {
        double above = k + 1 < m->n ? m->steps[k + 1].below : 1;

        m->steps[k].score = score_between(m->steps[k].below, above);
        m->variance += (above - m->steps[k].below) * m->steps[k].score * m->steps[k].score;
    }
}

static double score_of(const marginal *m, double value)
{
    size_t k = 0;

    while (k + 1 < m->n && value > m->steps[k].high)
        k++;
    return m->steps[k].score;
}

/* The lower triangle of a factor of a matrix, in its place; false: it has none. */
static bool factor(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++)
            a[j * n + j] -= a[j * n + i] * a[j * n + i];
        if (!(a[j * n + j] > 1e-9))
            return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (size_t r = j + 1; r < n; r++) {
            for (size_t i = 0; i < j; i++)
                a[r * n + j] -= a[r * n + i] * a[j * n + i];
            a[r * n + j] /= a[j * n + j];
        }
    }
    return true;
}

/* cov: of the scores. */
static void learn_dependence(const double *cov)
{
    static double trial[MOST * MOST];
    size_t d = copula.d;

    for (double back = 0; back <= 1; back += 0.05) {
        for (size_t a = 0; a < d; a++)
            for (size_t b = 0; b < d; b++) {
                double v = copula.of[a].variance * copula.of[b].variance;
                double full = v > 0 ? fmin(fmax(cov[a * d + b] / v, -0.99), 0.99) : 0;

                copula.r[a * d + b] = a == b ? 1 : (1 - back) * full + back * cov[a * d + b];
            }
        memcpy(trial, copula.r, d * d * sizeof *trial);
        if (factor(trial, d))
            return;
    }
}

static tacit_status learn(const tct_encoded *people, tacit_error *err)
{
    size_t n = people->train.n, d = people->d;
    double *scores = malloc(n * d * sizeof *scores), *cov = calloc(d * d, sizeof *cov);

    if (scores && cov) {
        copula.d = d;
        for (size_t a = 0; a < d; a++) {
            memcpy(scores, people->train.x + a * n, n * sizeof *scores);
            learn_marginal(&copula.of[a], scores, n, &people->codec->domains[a]);
        }
        for (size_t a = 0; a < d; a++)
            for (size_t i = 0; i < n; i++)
                scores[a * n + i] = score_of(&copula.of[a], people->train.x[a * n + i]);
        for (size_t a = 0; a < d; a++)
            for (size_t b = 0; b < d; b++)
                for (size_t i = 0; i < n; i++)
                    cov[a * d + b] += scores[a * n + i] * scores[b * n + i] / (double)n;
        learn_dependence(cov);
    }
    free(scores);
    free(cov);
    return scores && cov ? TACIT_OK : tct_fail_memory(err);
}

/* ---- drawing ---- */

static double value_at(const marginal *m, double z)
{
    double share = tct_normal_cdf(z), above, at;
    size_t k = 0;

    while (k + 1 < m->n && share >= m->steps[k + 1].below)
        k++;
    above = k + 1 < m->n ? m->steps[k + 1].below : 1;
    at = (share - m->steps[k].below) / (above - m->steps[k].below);
    if (m->grid > 0) { /* so many values are in it, each as likely */
        double values = rint((m->steps[k].high - m->steps[k].low) / m->grid) + 1;

        return m->steps[k].low + m->grid * fmin(floor(at * values), values - 1);
    }
    return m->steps[k].low + at * (m->steps[k].high - m->steps[k].low);
}

/* Mean and factor of the unknown z: the matrix of known scores first, unknown z after it, factored as one. */
static size_t condition(const tct_region *region, size_t *unknown, double *mean, double *l)
{
    size_t d = copula.d, order[MOST], n_known = 0, n_unknown = 0;
    double w[MOST];

    for (size_t a = 0; a < d; a++)
        if (region->known[a] && copula.of[a].variance > 0)
            order[n_known++] = a;
    for (size_t a = 0; a < d; a++)
        if (!region->known[a])
            order[n_known + n_unknown] = unknown[n_unknown] = a, n_unknown++;
    d = n_known + n_unknown;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            l[i * d + j] = copula.r[order[i] * copula.d + order[j]];
    for (size_t i = 0; i < n_known; i++)
        l[i * d + i] = 1 / copula.of[order[i]].variance;
    factor(l, d);
    for (size_t i = 0; i < d; i++) {
        double sum = 0;

        for (size_t j = 0; j < (i < n_known ? i : n_known); j++)
            sum += l[i * d + j] * w[j];
        if (i < n_known) {
            const marginal *m = &copula.of[order[i]];

            w[i] = (score_of(m, region->x[order[i]]) / m->variance - sum) / l[i * d + i];
        } else
            mean[i - n_known] = sum;
    }
    for (size_t i = 0; i < n_unknown; i++)
        memmove(l + i * n_unknown, l + (n_known + i) * d + n_known, n_unknown * sizeof *l);
    return n_unknown;
}

static void copula_people(const tacit_model *model, const tct_belief *belief, const tct_region *region, uint64_t seed,
                          size_t n, double *x, double *room)
{
    size_t gaussian = copula.share == COPULA_HALF ? n / 2 : 0, d = copula.d, unknown[MOST], n_unknown;
    double mean[MOST], z[MOST], l[MOST * MOST];
    tct_random random;

    tct_posterior_gaussian.people(model, belief, region, seed, gaussian, x, room);
    n_unknown = condition(region, unknown, mean, l);
    tct_random_seed(&random, seed, belief->n_known + d);
    for (size_t i = gaussian; i < n; i++) {
        for (size_t u = 0; u < n_unknown; u++)
            z[u] = tct_random_normal(&random);
        for (size_t u = 0; u < n_unknown; u++) {
            double latent = mean[u];

            for (size_t j = 0; j <= u; j++)
                latent += l[u * n_unknown + j] * z[j];
            x[i * d + unknown[u]] = tct_region_nearest(region, unknown[u], value_at(&copula.of[unknown[u]], latent));
        }
    }
}

static void copula_answer(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random,
                          double *x)
{
    tct_posterior_gaussian.answer(model, belief, attribute, random, x); /* only looks ahead in sessions */
}

static tacit_status copula_prepare(tct_belief *belief, const tacit_model *model, tacit_error *err)
{
    return tct_posterior_gaussian.prepare(belief, model, err);
}

static bool copula_applies(const tacit_model *model)
{
    return copula.share != COPULA_NONE && model->codec->n_inputs == copula.d;
}

static const tct_posterior_ops row = {.name = "copula",
                                      .applies = copula_applies,
                                      .prepare = copula_prepare,
                                      .people = copula_people,
                                      .answer = copula_answer};

tacit_status copula_use(copula_share share, const tacit_model *model, const tacit_table *people, tacit_error *err)
{
    static bool registered;
    tct_encoded *encoded = NULL;
    tacit_status st;

    copula.share = COPULA_NONE;
    if (share == COPULA_NONE)
        return TACIT_OK;
    if (model->codec->n_inputs > MOST || model->codec->n_inputs != model->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "the copula is for at most %d attributes of one input each", MOST);
    st = tct_encoded_new(&encoded, people, model->codec, 0, 1, 1, err);
    if (!st)
        st = learn(encoded, err);
    tct_encoded_free(encoded);
    if (!st && !registered)
        tct_posterior_add_row(&row);
    registered = registered || !st;
    if (!st)
        copula.share = share;
    return st;
}

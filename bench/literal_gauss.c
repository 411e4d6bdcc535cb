/*
 * literal_gauss.c -- splitmix64, normals by the polar method, regression by a Cholesky factor, labels by counting.
 */
#include "literal_gauss.h"

#include <math.h>

static uint64_t draw_bits(literal_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double literal_uniform(literal_random *random)
{
    return ((double)(draw_bits(random) >> 11) + 0.5) * 0x1p-53;
}

double literal_normal(literal_random *random)
{
    double a, b, s;

    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    do {
        a = 2 * literal_uniform(random) - 1;
        b = 2 * literal_uniform(random) - 1;
        s = a * a + b * b;
    } while (s >= 1 || s == 0);
    s = sqrt(-2 * log(s) / s);
    random->spare = b * s;
    random->has_spare = true;
    return a * s;
}

double literal_normal_cdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* Solve L L' y = b in place; left-out variables get 0. */
static void solve(const double *l, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        double s = b[i];

        for (size_t k = 0; k < i; k++)
            s -= l[i * n + k] * b[k];
        b[i] = l[i * n + i] > 0 ? s / l[i * n + i] : 0;
    }
    for (size_t i = n; i-- > 0;) {
        double s = b[i];

        for (size_t k = i + 1; k < n; k++)
            s -= l[k * n + i] * b[k];
        b[i] = l[i * n + i] > 0 ? s / l[i * n + i] : 0;
    }
}

void literal_condition(literal_posterior *p, size_t d, const double *covariance, const bool *known)
{
    static _Thread_local double l[LITERAL_MAX_INPUTS * LITERAL_MAX_INPUTS];
    size_t nk = 0, nu = 0;

    for (size_t i = 0; i < d; i++) {
        if (known[i])
            p->known[nk++] = i;
        else
            p->unknown[nu++] = i;
    }
    p->n_known = nk;
    p->n_unknown = nu;
    for (size_t i = 0; i < nk; i++)
        for (size_t k = 0; k < nk; k++)
            l[i * nk + k] = covariance[p->known[i] * d + p->known[k]];
    literal_factor(l, nk);
    for (size_t u = 0; u < nu; u++) {
        double *row = p->gain + u * nk;

        for (size_t k = 0; k < nk; k++)
            row[k] = covariance[p->unknown[u] * d + p->known[k]];
        solve(l, nk, row);
        for (size_t v = 0; v < nu; v++) {
            double s = covariance[p->unknown[u] * d + p->unknown[v]];

            for (size_t k = 0; k < nk; k++)
                s -= row[k] * covariance[p->known[k] * d + p->unknown[v]];
            p->covariance[u * nu + v] = s;
        }
    }
}

void literal_update_mean(literal_posterior *p, const double *mean, const double *x)
{
    double deviation[LITERAL_MAX_INPUTS];

    for (size_t k = 0; k < p->n_known; k++)
        deviation[k] = x[p->known[k]] - mean[p->known[k]];
    for (size_t u = 0; u < p->n_unknown; u++) {
        const double *row = p->gain + u * p->n_known;
        double m = mean[p->unknown[u]];

        for (size_t k = 0; k < p->n_known; k++)
            m += row[k] * deviation[k];
        p->mean[u] = m;
    }
}

void literal_factor(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double variance = a[j * n + j], pivot = variance;

        for (size_t k = 0; k < j; k++)
            pivot -= a[j * n + k] * a[j * n + k];
        pivot = pivot > LITERAL_TOLERANCE * variance ? sqrt(pivot) : 0;
        a[j * n + j] = pivot;
        for (size_t i = j + 1; i < n; i++) {
            double s = a[i * n + j];

            for (size_t k = 0; k < j; k++)
                s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = pivot > 0 ? s / pivot : 0;
        }
    }
}

void literal_block_of(literal_block *block, const literal_posterior *p, size_t first, size_t width,
                      const double *covariance, size_t d)
{
    size_t start = 0; /* where the attribute is among the unknown inputs, which are in order */

    while (p->unknown[start] != first)
        start++;
    block->first = first;
    block->width = width;
    for (size_t i = 0; i < width; i++) {
        block->mean[i] = p->mean[start + i];
        for (size_t k = 0; k < width; k++)
            block->factor[i * width + k] = p->covariance[(start + i) * p->n_unknown + start + k];
        if (block->factor[i * width + i] <= LITERAL_TOLERANCE * covariance[(first + i) * d + first + i])
            block->factor[i * width + i] = 0; /* determined already */
    }
    literal_factor(block->factor, width);
}

void literal_block_draw(const literal_block *block, literal_random *random, double *x)
{
    double z[LITERAL_MAX_INPUTS];

    for (size_t i = 0; i < block->width; i++) {
        double value = block->mean[i];

        z[i] = literal_normal(random);
        for (size_t k = 0; k <= i; k++)
            value += block->factor[i * block->width + k] * z[k];
        x[block->first + i] = value;
    }
}

size_t literal_label(const double *scores, size_t n_scores)
{
    size_t best = 0;

    if (n_scores == 1)
        return scores[0] >= 0;
    for (size_t c = 1; c < n_scores; c++)
        if (scores[c] > scores[best])
            best = c;
    return best;
}

void literal_label_probabilities(const double *mean, const double *factor, size_t n_scores, size_t samples,
                                 literal_random *random, double *probability)
{
    double scores[LITERAL_MAX_CLASSES], z[LITERAL_MAX_CLASSES];

    if (n_scores == 1) {
        probability[1] = factor[0] > 0 ? literal_normal_cdf(mean[0] / factor[0]) : mean[0] >= 0;
        probability[0] = 1 - probability[1];
        return;
    }
    for (size_t c = 0; c < n_scores; c++)
        probability[c] = 0;
    for (size_t i = 0; i < samples; i++) {
        for (size_t s = 0; s < n_scores; s++) {
            z[s] = literal_normal(random);
            scores[s] = mean[s];
            for (size_t t = 0; t <= s; t++)
                scores[s] += factor[s * n_scores + t] * z[t];
        }
        probability[literal_label(scores, n_scores)]++;
    }
    for (size_t c = 0; c < n_scores; c++)
        probability[c] /= (double)samples;
}

double literal_entropy(const double *probability, size_t n_classes)
{
    double h = 0;

    for (size_t c = 0; c < n_classes; c++)
        if (probability[c] > 0)
            h -= probability[c] * log(probability[c]);
    return h;
}

/*
 * literal_network.c -- Algorithm 2 of the paper (PFR for non-linear classifiers), step by step.
 *
 *   while the known inputs K = P + R are no core set:
 *       posterior of the unknown inputs U given x_K                               (Proposition 2)
 *       for each j in U: draw T values z of X_j from its posterior;
 *           for each z: posterior mean of the rest given x_K and X_j = z,
 *                       score and gradient there: the score is about Gaussian     (Theorem 1)
 *                       hence the label's probability and its entropy             (Proposition 4)
 *           F(X_j) = - mean of the entropies                                      (Equation monte_carlo)
 *       reveal argmax F
 *
 * The regression of U on K + j and the posterior covariance do not depend on z and are solved once per candidate.
 */
#include "literal_network.h"

#include <math.h>
#include <string.h>

/* ---- the network ---- */

/* Values of all layers, after ReLU; the last are the scores. */
typedef struct activity {
    double values[LITERAL_MAX_LAYERS][LITERAL_MAX_INPUTS];
} activity;

static const double *run_forward(const literal_network *network, const double *x, activity *all)
{
    for (size_t l = 0; l < network->n_layers; l++) {
        size_t n_in = network->sizes[l], n_out = network->sizes[l + 1];
        const double *from = l ? all->values[l - 1] : x;

        for (size_t j = 0; j < n_out; j++) {
            const double *w = network->weights[l] + j * n_in;
            double sum = network->bias[l][j];

            for (size_t i = 0; i < n_in; i++)
                sum += w[i] * from[i];
            all->values[l][j] = sum > 0 || l + 1 == network->n_layers ? sum : 0;
        }
    }
    return all->values[network->n_layers - 1];
}

/* Gradient of the only score by the inputs, from the last layer to the first. */
static void run_backward(const literal_network *network, const activity *all, double *gradient)
{
    double above[LITERAL_MAX_INPUTS] = {1}, below[LITERAL_MAX_INPUTS];

    for (size_t l = network->n_layers; l-- > 0;) {
        size_t n_in = network->sizes[l], n_out = network->sizes[l + 1];

        memset(below, 0, n_in * sizeof(*below));
        for (size_t j = 0; j < n_out; j++)
            for (size_t i = 0; i < n_in; i++)
                below[i] += above[j] * network->weights[l][j * n_in + i];
        for (size_t i = 0; i < n_in; i++)
            above[i] = l == 0 || all->values[l - 1][i] > 0 ? below[i] : 0;
    }
    memcpy(gradient, above, network->sizes[0] * sizeof(*gradient));
}

static size_t label_of(const double *scores, size_t n_scores)
{
    size_t best = 0;

    if (n_scores == 1)
        return scores[0] >= 0;
    for (size_t c = 1; c < n_scores; c++)
        if (scores[c] > scores[best])
            best = c;
    return best;
}

/* ---- Theorem 1 ---- */

/* Pr(label 1): Gaussian with the score at the posterior mean and variance g' C g.  x is scratch at unknown inputs. */
static double probability_of(const literal_posterior *p, const literal_network *network, double *x)
{
    double gradient[LITERAL_MAX_INPUTS], score, variance = 0;

    for (size_t u = 0; u < p->n_unknown; u++)
        x[p->unknown[u]] = p->mean[u];
    score = literal_network_score(network, x, gradient);
    for (size_t u = 0; u < p->n_unknown; u++) {
        double inner = 0;

        for (size_t v = 0; v < p->n_unknown; v++)
            inner += p->covariance[u * p->n_unknown + v] * gradient[p->unknown[v]];
        variance += gradient[p->unknown[u]] * inner;
    }
    return variance > 0 ? literal_normal_cdf(score / sqrt(variance)) : score >= 0;
}

static double entropy_of(double p)
{
    return p > 0 && p < 1 ? -p * log(p) - (1 - p) * log(1 - p) : 0;
}

/* ---- the algorithm ---- */

/* Core test at delta; the label is the most likely one when the answer is no. */
static bool is_core(const literal_posterior *now, const literal_network *network, double *x, const bool *known,
                    double delta, literal_network_outcome *out)
{
    double p;

    if (delta == 0)
        return literal_network_grid(network, x, known, &out->label, &out->points);
    p = probability_of(now, network, x);
    out->label = p >= 0.5;
    return fmax(p, 1 - p) >= 1 - delta;
}

/* Mean entropy over T values of input j (unknown number u). */
static double estimate_entropy(const literal_posterior *now, size_t u, literal_posterior *then,
                               const literal_network *network, double *x, bool *known, literal_random *random)
{
    size_t j = now->unknown[u], d = network->sizes[0];
    double variance = now->covariance[u * now->n_unknown + u], sum = 0;
    double deviation = variance > LITERAL_TOLERANCE * network->covariance[j * d + j] ? sqrt(variance) : 0;

    known[j] = true;
    literal_condition(then, d, network->covariance, known);
    for (size_t t = 0; t < network->samples; t++) {
        x[j] = now->mean[u] + deviation * literal_normal(random);
        literal_update_mean(then, network->mean, x);
        sum += entropy_of(probability_of(then, network, x));
    }
    known[j] = false;
    return sum / (double)network->samples;
}

void literal_network_release(const literal_network *network, const double *x, double delta, literal_random *random,
                             literal_network_outcome *out)
{
    static _Thread_local literal_posterior now, then;
    size_t d = network->sizes[0];
    double values[LITERAL_MAX_INPUTS]; /* x where known, scratch elsewhere */
    bool known[LITERAL_MAX_INPUTS];

    memcpy(values, x, d * sizeof(*x));
    for (size_t i = 0; i < d; i++)
        known[i] = true;
    for (size_t i = 0; i < network->n_sensitive; i++)
        known[network->sensitive[i]] = false;
    out->points = 0;
    for (out->asked = 0; out->asked < network->n_sensitive; out->asked++) {
        size_t best = 0;
        double smallest = INFINITY;

        literal_condition(&now, d, network->covariance, known);
        literal_update_mean(&now, network->mean, values);
        out->settled = is_core(&now, network, values, known, delta, out);
        if (out->settled)
            return;
        for (size_t u = 0; u < now.n_unknown; u++) {
            double entropy = estimate_entropy(&now, u, &then, network, values, known, random);

            if (entropy < smallest) {
                smallest = entropy;
                best = now.unknown[u];
            }
        }
        out->order[out->asked] = best;
        known[best] = true;
        values[best] = x[best];
    }
    out->settled = false;
    out->label = literal_network_label(network, x);
}

size_t literal_network_label(const literal_network *network, const double *x)
{
    activity all;

    return label_of(run_forward(network, x, &all), network->sizes[network->n_layers]);
}

bool literal_network_grid(const literal_network *network, const double *x, const bool *known, size_t *label,
                          uint64_t *points)
{
    size_t d = network->sizes[0], varying[LITERAL_MAX_INPUTS], at[LITERAL_MAX_INPUTS] = {0}, n = 0, k = 0;
    double point[LITERAL_MAX_INPUTS] = {0};

    for (size_t i = 0; i < d; i++) {
        point[i] = known[i] ? x[i] : -1;
        if (!known[i])
            varying[n++] = i;
    }
    *label = literal_network_label(network, point);
    ++*points;
    while (k < n) { /* count in base LITERAL_GRID */
        if (++at[k] == LITERAL_GRID) {
            at[k] = 0;
            point[varying[k++]] = -1;
            continue;
        }
        point[varying[k]] = -1 + 2.0 * (double)at[k] / (LITERAL_GRID - 1);
        k = 0;
        ++*points;
        if (literal_network_label(network, point) != *label)
            return false;
    }
    return true;
}

double literal_network_score(const literal_network *network, const double *x, double *gradient)
{
    activity all;
    double score = run_forward(network, x, &all)[0];

    if (gradient)
        run_backward(network, &all, gradient);
    return score;
}

double literal_network_probability(const literal_network *network, const double *x, const bool *known)
{
    static _Thread_local literal_posterior now;
    double values[LITERAL_MAX_INPUTS];

    memcpy(values, x, network->sizes[0] * sizeof(*x));
    literal_condition(&now, network->sizes[0], network->covariance, known);
    literal_update_mean(&now, network->mean, values);
    return probability_of(&now, network, values);
}

/*
 * literal_network.c -- Algorithm 2 of the paper (PFR for non-linear classifiers), step by step.
 *
 *   while the known inputs K = P + R are no core set:
 *       posterior of the unknown inputs U given x_K                               (Proposition 2)
 *       for each j in U: draw T values z of X_j from its posterior;
 *           for each z: posterior mean of the rest given x_K and X_j = z,
 *                       scores and gradients there: the scores are about Gaussian (Theorem 1)
 *                       hence the label's probabilities and their entropy         (Proposition 4)
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

/* Gradient of score s by the inputs, from the last layer to the first. */
static void run_backward(const literal_network *network, const activity *all, size_t s, double *gradient)
{
    double above[LITERAL_MAX_INPUTS] = {0}, below[LITERAL_MAX_INPUTS];

    above[s] = 1;
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

static size_t count_scores(const literal_network *network)
{
    return network->sizes[network->n_layers];
}

static size_t count_classes(const literal_network *network)
{
    return count_scores(network) == 1 ? 2 : count_scores(network);
}

/* ---- attributes ---- */

/* Inputs of the attribute that begins at input i. */
static size_t width_at(const literal_network *network, size_t i)
{
    return network->widths ? network->widths[i] : 1;
}

static void set_known(const literal_network *network, size_t first, bool *known, bool value)
{
    for (size_t i = 0; i < width_at(network, first); i++)
        known[first + i] = value;
}

/* Grid values of the attribute that begins at input i. */
static size_t count_values(const literal_network *network, size_t i)
{
    return width_at(network, i) == 1 ? LITERAL_GRID : width_at(network, i);
}

/* Put it at the k-th of them. */
static void place(const literal_network *network, size_t first, size_t k, double *x)
{
    if (width_at(network, first) == 1)
        x[first] = -1 + 2.0 * (double)k / (LITERAL_GRID - 1);
    else
        for (size_t i = 0; i < width_at(network, first); i++)
            x[first + i] = i == k;
}

/* ---- Theorem 1 ---- */

/* Probabilities of the labels: the scores are Gaussian with those at the posterior mean for mean and J C J' for
 * covariance, J their gradients there.  x is scratch at unknown inputs. */
static void label_probabilities(const literal_posterior *p, const literal_network *network, double *x,
                                literal_random *random, double *probability)
{
    double gradients[LITERAL_MAX_CLASSES][LITERAL_MAX_INPUTS];
    double factor[LITERAL_MAX_CLASSES * LITERAL_MAX_CLASSES];
    size_t n = count_scores(network);
    const double *scores;
    activity all;

    for (size_t u = 0; u < p->n_unknown; u++)
        x[p->unknown[u]] = p->mean[u];
    scores = run_forward(network, x, &all);
    for (size_t s = 0; s < n; s++)
        run_backward(network, &all, s, gradients[s]);
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++) {
            double covariance = 0;

            for (size_t u = 0; u < p->n_unknown; u++) {
                double inner = 0;

                for (size_t v = 0; v < p->n_unknown; v++)
                    inner += p->covariance[u * p->n_unknown + v] * gradients[t][p->unknown[v]];
                covariance += gradients[s][p->unknown[u]] * inner;
            }
            factor[s * n + t] = covariance;
        }
    }
    literal_factor(factor, n);
    literal_label_probabilities(scores, factor, n, network->samples, random, probability);
}

/* ---- the algorithm ---- */

/* Core test at delta; the label is the most likely one when the answer is no. */
static bool is_core(const literal_posterior *now, const literal_network *network, double *x, const bool *known,
                    double delta, literal_random *random, literal_network_outcome *out)
{
    double probability[LITERAL_MAX_CLASSES];

    if (delta == 0)
        return literal_network_grid(network, x, known, &out->label, &out->points);
    label_probabilities(now, network, x, random, probability);
    out->label = 0;
    for (size_t c = 1; c < count_classes(network); c++)
        if (probability[c] > probability[out->label])
            out->label = c;
    return probability[out->label] >= 1 - delta;
}

/* Mean entropy over T values of the attribute that begins at input j.  Its inputs in x are scratch. */
static double estimate_entropy(const literal_posterior *now, size_t j, const literal_network *network, double *x,
                               bool *known, literal_random *random)
{
    static _Thread_local literal_posterior then;
    static _Thread_local literal_block block;
    double probability[LITERAL_MAX_CLASSES], sum = 0;
    size_t d = network->sizes[0];

    literal_block_of(&block, now, j, width_at(network, j), network->covariance, d);
    set_known(network, j, known, true);
    literal_condition(&then, d, network->covariance, known);
    for (size_t t = 0; t < network->samples; t++) {
        literal_block_draw(&block, random, x);
        literal_update_mean(&then, network->mean, x);
        label_probabilities(&then, network, x, random, probability);
        sum += literal_entropy(probability, count_classes(network));
    }
    set_known(network, j, known, false);
    return sum / (double)network->samples;
}

void literal_network_release(const literal_network *network, const double *x, double delta, literal_random *random,
                             literal_network_outcome *out)
{
    static _Thread_local literal_posterior now;
    size_t d = network->sizes[0];
    double values[LITERAL_MAX_INPUTS]; /* x where known, scratch elsewhere */
    bool known[LITERAL_MAX_INPUTS];

    memcpy(values, x, d * sizeof(*x));
    for (size_t i = 0; i < d; i++)
        known[i] = true;
    for (size_t i = 0; i < network->n_sensitive; i++)
        set_known(network, network->sensitive[i], known, false);
    out->points = 0;
    for (out->asked = 0; out->asked < network->n_sensitive; out->asked++) {
        size_t best = 0;
        double smallest = INFINITY;

        literal_condition(&now, d, network->covariance, known);
        literal_update_mean(&now, network->mean, values);
        out->settled = is_core(&now, network, values, known, delta, random, out);
        if (out->settled)
            return;
        for (size_t i = 0; i < network->n_sensitive; i++) {
            size_t j = network->sensitive[i];
            double entropy;

            if (known[j])
                continue;
            entropy = estimate_entropy(&now, j, network, values, known, random);
            if (entropy < smallest) {
                smallest = entropy;
                best = j;
            }
        }
        out->order[out->asked] = best;
        set_known(network, best, known, true);
        memcpy(values + best, x + best, width_at(network, best) * sizeof(*x));
    }
    out->settled = false;
    out->label = literal_network_label(network, x);
}

size_t literal_network_label(const literal_network *network, const double *x)
{
    activity all;

    return literal_label(run_forward(network, x, &all), count_scores(network));
}

size_t literal_network_opt(const literal_network *network, const double *x, uint64_t *points)
{
    size_t label;
    bool known[LITERAL_MAX_INPUTS];

    for (size_t i = 0; i < network->sizes[0]; i++)
        known[i] = true;
    for (size_t size = 0; size < network->n_sensitive; size++) {
        for (uint32_t set = 0; set < (uint32_t)1 << network->n_sensitive; set++) {
            size_t members = 0;

            for (size_t i = 0; i < network->n_sensitive; i++) {
                set_known(network, network->sensitive[i], known, set >> i & 1);
                members += set >> i & 1;
            }
            if (members == size && literal_network_grid(network, x, known, &label, points))
                return size;
        }
    }
    return network->n_sensitive;
}

bool literal_network_grid(const literal_network *network, const double *x, const bool *known, size_t *label,
                          uint64_t *points)
{
    size_t d = network->sizes[0], varying[LITERAL_MAX_INPUTS], at[LITERAL_MAX_INPUTS] = {0}, n = 0, k = 0;
    double point[LITERAL_MAX_INPUTS] = {0};

    for (size_t i = 0; i < d; i++)
        point[i] = known[i] ? x[i] : 0;
    for (size_t i = 0; i < d; i += width_at(network, i)) {
        if (known[i])
            continue;
        place(network, i, 0, point);
        varying[n++] = i;
    }
    *label = literal_network_label(network, point);
    ++*points;
    while (k < n) { /* count up, attribute by attribute, like the digits of a number */
        if (++at[k] == count_values(network, varying[k])) {
            at[k] = 0;
            place(network, varying[k++], 0, point);
            continue;
        }
        place(network, varying[k], at[k], point);
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
        run_backward(network, &all, 0, gradient);
    return score;
}

double literal_network_probability(const literal_network *network, const double *x, const bool *known)
{
    static _Thread_local literal_posterior now;
    double values[LITERAL_MAX_INPUTS], probability[LITERAL_MAX_CLASSES];

    memcpy(values, x, network->sizes[0] * sizeof(*x));
    literal_condition(&now, network->sizes[0], network->covariance, known);
    literal_update_mean(&now, network->mean, values);
    label_probabilities(&now, network, values, NULL, probability);
    return probability[1];
}

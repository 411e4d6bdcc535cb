/*
 * literal.c -- Algorithm 1 of the paper (PFR for linear classifiers), step by step.
 *
 *   while the known inputs K = P + R are no core set:
 *       posterior of the unknown inputs U given x_K                               (Proposition 2)
 *       for each j in U: draw T values z of X_j from its posterior;
 *           for each z: scores given x_K and X_j = z are Gaussian                 (Proposition 3)
 *                       hence the label's probabilities and its entropy           (Proposition 4)
 *           F(X_j) = - mean of the entropies                                      (Equation monte_carlo)
 *       reveal argmax F
 *
 * What does not depend on z (the regression of U on K + j and the posterior covariance) is solved once per candidate;
 * what does (the posterior mean, the score, the entropy) is computed per sample.
 */
#include "literal.h"

#include <math.h>
#include <string.h>

/* ---- small helpers ---- */

static size_t count_scores(const literal_problem *problem)
{
    return problem->n_classes == 2 ? 1 : problem->n_classes;
}

/* Inputs of the attribute that begins at input i. */
static size_t width_at(const literal_problem *problem, size_t i)
{
    return problem->widths ? problem->widths[i] : 1;
}

static void set_known(const literal_problem *problem, size_t first, bool *known, bool value)
{
    for (size_t i = 0; i < width_at(problem, first); i++)
        known[first + i] = value;
}

/* ---- Proposition 3 ---- */

/* Mean of score s: known inputs at their values, unknown ones at their posterior mean. */
static double score_mean(const literal_posterior *p, const literal_problem *problem, const double *x, size_t s)
{
    const double *w = problem->weights + s * problem->n_inputs;
    double m = problem->bias[s];

    for (size_t k = 0; k < p->n_known; k++)
        m += w[p->known[k]] * x[p->known[k]];
    for (size_t u = 0; u < p->n_unknown; u++)
        m += w[p->unknown[u]] * p->mean[u];
    return m;
}

/* Covariance of scores s and t. */
static double score_covariance(const literal_posterior *p, const literal_problem *problem, size_t s, size_t t)
{
    const double *ws = problem->weights + s * problem->n_inputs, *wt = problem->weights + t * problem->n_inputs;
    double v = 0;

    for (size_t i = 0; i < p->n_unknown; i++) {
        double inner = 0;

        for (size_t k = 0; k < p->n_unknown; k++)
            inner += p->covariance[i * p->n_unknown + k] * wt[p->unknown[k]];
        v += ws[p->unknown[i]] * inner;
    }
    return v;
}

/* ---- Proposition 4 and its extension to more classes ---- */

/* What of the label's distribution does not depend on values: standard deviation of the score, or a factor of the
 * scores' covariance. */
static void spread_of(const literal_posterior *p, const literal_problem *problem, double *spread)
{
    size_t n = count_scores(problem);

    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            spread[s * n + t] = score_covariance(p, problem, s, t);
    literal_factor(spread, n);
}

static void label_probabilities(const literal_posterior *p, const literal_problem *problem, const double *x,
                                const double *spread, literal_random *random, double *probability)
{
    size_t n = count_scores(problem);
    double mean[LITERAL_MAX_CLASSES];

    for (size_t s = 0; s < n; s++)
        mean[s] = score_mean(p, problem, x, s);
    literal_label_probabilities(mean, spread, n, problem->samples, random, probability);
}

/* ---- the algorithm ---- */

/* Weight of input i in the margin of class c over `other`. */
static double margin_weight(const literal_problem *problem, size_t c, size_t other, size_t i)
{
    size_t d = problem->n_inputs;

    if (count_scores(problem) == 1)
        return c ? problem->weights[i] : -problem->weights[i];
    return problem->weights[c * d + i] - problem->weights[other * d + i];
}

/* The smallest margin of class c over `other`: known attributes at their values, the others at their worst. */
static double smallest_margin(const literal_problem *problem, const double *x, const bool *known, size_t c,
                              size_t other)
{
    double low = count_scores(problem) == 1 ? (c ? problem->bias[0] : -problem->bias[0])
                                            : problem->bias[c] - problem->bias[other];

    for (size_t i = 0; i < problem->n_inputs; i += width_at(problem, i)) {
        size_t width = width_at(problem, i);
        double worst = margin_weight(problem, c, other, i);

        if (!known[i] && width == 1) {
            low -= fabs(worst);
        } else if (!known[i]) { /* one of the inputs is 1 */
            for (size_t k = 1; k < width; k++)
                worst = fmin(worst, margin_weight(problem, c, other, i + k));
            low += worst;
        } else {
            for (size_t k = 0; k < width; k++)
                low += margin_weight(problem, c, other, i + k) * x[i + k];
        }
    }
    return low;
}

bool literal_pure(const literal_problem *problem, const double *x, const bool *known, size_t *label)
{
    for (size_t c = 0; c < problem->n_classes; c++) {
        bool holds = true;

        for (size_t other = 0; other < problem->n_classes && holds; other++) {
            /* two classes: a score of 0 means label 1; more: ties go to the lower class */
            bool wins_tie = count_scores(problem) == 1 ? c == 1 : c < other;
            double low;

            if (other == c)
                continue;
            low = smallest_margin(problem, x, known, c, other);
            holds = wins_tie ? low >= 0 : low > 0;
        }
        if (holds) {
            *label = c;
            return true;
        }
    }
    return false;
}

/* Core test at delta; the label is the most likely one when the answer is no. */
static bool is_core(const literal_posterior *p, const literal_problem *problem, const double *x, const bool *known,
                    double delta, literal_random *random, size_t *label)
{
    double spread[LITERAL_MAX_CLASSES * LITERAL_MAX_CLASSES], probability[LITERAL_MAX_CLASSES];

    if ((delta == 0 || problem->stop_when_proven) && literal_pure(problem, x, known, label))
        return true;
    if (delta == 0)
        return false;
    spread_of(p, problem, spread);
    label_probabilities(p, problem, x, spread, random, probability);
    *label = 0;
    for (size_t c = 1; c < problem->n_classes; c++)
        if (probability[c] > probability[*label])
            *label = c;
    return probability[*label] >= 1 - delta;
}

/* Mean entropy over T values of the attribute that begins at input j.  Its inputs in x are scratch. */
static literal_estimate estimate_entropy(const literal_posterior *now, size_t j, const literal_problem *problem,
                                         double *x, bool *known, literal_random *random)
{
    static _Thread_local literal_posterior then;
    static _Thread_local literal_block block;
    double spread[LITERAL_MAX_CLASSES * LITERAL_MAX_CLASSES], probability[LITERAL_MAX_CLASSES];
    double sum = 0, squares = 0, n = (double)problem->samples;

    literal_block_of(&block, now, j, width_at(problem, j), problem->covariance, problem->n_inputs);
    set_known(problem, j, known, true);
    literal_condition(&then, problem->n_inputs, problem->covariance, known);
    spread_of(&then, problem, spread);
    for (size_t t = 0; t < problem->samples; t++) {
        double h;

        literal_block_draw(&block, random, x);
        literal_update_mean(&then, problem->mean, x);
        label_probabilities(&then, problem, x, spread, random, probability);
        h = literal_entropy(probability, problem->n_classes);
        sum += h;
        squares += h * h;
    }
    set_known(problem, j, known, false);
    return (literal_estimate){sum / n, sqrt(fmax(0, squares / n - sum / n * (sum / n)) / n)};
}

void literal_release(const literal_problem *problem, const double *x, double delta, literal_random *random,
                     literal_outcome *out)
{
    static _Thread_local literal_posterior now;
    double values[LITERAL_MAX_INPUTS]; /* x where known, scratch elsewhere */
    bool known[LITERAL_MAX_INPUTS];

    memcpy(values, x, problem->n_inputs * sizeof(*x));
    for (size_t i = 0; i < problem->n_inputs; i++)
        known[i] = true;
    for (size_t i = 0; i < problem->n_sensitive; i++)
        set_known(problem, problem->sensitive[i], known, false);
    for (out->asked = 0; out->asked < problem->n_sensitive; out->asked++) {
        size_t best = 0;
        double smallest = INFINITY;

        literal_condition(&now, problem->n_inputs, problem->covariance, known);
        literal_update_mean(&now, problem->mean, values);
        out->settled = is_core(&now, problem, values, known, delta, random, &out->label);
        if (out->settled)
            return;
        for (size_t i = 0; i < problem->n_sensitive; i++) {
            size_t j = problem->sensitive[i];
            literal_estimate found;

            if (known[j])
                continue;
            found = estimate_entropy(&now, j, problem, values, known, random);
            if (out->estimates)
                out->estimates[out->asked * problem->n_inputs + j] = found;
            if (found.entropy < smallest) {
                smallest = found.entropy;
                best = j;
            }
        }
        out->order[out->asked] = best;
        set_known(problem, best, known, true);
        memcpy(values + best, x + best, width_at(problem, best) * sizeof(*x));
    }
    out->settled = false;
    out->label = literal_baseline(problem, x);
}

size_t literal_baseline(const literal_problem *problem, const double *x)
{
    double scores[LITERAL_MAX_CLASSES];

    for (size_t s = 0; s < count_scores(problem); s++) {
        scores[s] = problem->bias[s];
        for (size_t i = 0; i < problem->n_inputs; i++)
            scores[s] += problem->weights[s * problem->n_inputs + i] * x[i];
    }
    return literal_label(scores, count_scores(problem));
}

size_t literal_opt(const literal_problem *problem, const double *x)
{
    size_t label;
    bool known[LITERAL_MAX_INPUTS];

    for (size_t i = 0; i < problem->n_inputs; i++)
        known[i] = true;
    for (size_t size = 0; size < problem->n_sensitive; size++) {
        for (uint32_t set = 0; set < (uint32_t)1 << problem->n_sensitive; set++) {
            size_t members = 0;

            for (size_t i = 0; i < problem->n_sensitive; i++) {
                set_known(problem, problem->sensitive[i], known, set >> i & 1);
                members += set >> i & 1;
            }
            if (members == size && literal_pure(problem, x, known, &label))
                return size;
        }
    }
    return problem->n_sensitive;
}

double literal_expected_entropy(const literal_problem *problem, const double *x, const bool *known, size_t j)
{
    enum { NODES = 4001 };
    static _Thread_local literal_posterior now, then;
    double values[LITERAL_MAX_INPUTS], spread, probability[LITERAL_MAX_CLASSES], deviation = 0, mean = 0, sum = 0,
                                                                                 total = 0;
    bool more[LITERAL_MAX_INPUTS];

    memcpy(values, x, problem->n_inputs * sizeof(*x));
    memcpy(more, known, problem->n_inputs * sizeof(*known));
    literal_condition(&now, problem->n_inputs, problem->covariance, known);
    literal_update_mean(&now, problem->mean, x);
    for (size_t u = 0; u < now.n_unknown; u++) {
        if (now.unknown[u] == j) {
            mean = now.mean[u];
            deviation = sqrt(fmax(0, now.covariance[u * now.n_unknown + u]));
        }
    }
    more[j] = true;
    literal_condition(&then, problem->n_inputs, problem->covariance, more);
    spread_of(&then, problem, &spread);
    for (size_t i = 0; i < NODES; i++) {
        double z = 10.0 * (2.0 * (double)i / (NODES - 1) - 1), w = exp(-z * z / 2);

        values[j] = mean + deviation * z;
        literal_update_mean(&then, problem->mean, values);
        label_probabilities(&then, problem, values, &spread, NULL, probability);
        sum += w * literal_entropy(probability, 2);
        total += w;
    }
    return sum / total;
}

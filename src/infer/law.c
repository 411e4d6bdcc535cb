/*
 * With X_U | x_K ~ N(mu, C) and scores f = b + W x, f | x_K is Gaussian with mean b + W_K x_K + W_U mu and covariance
 * W_U C W_U'.  Pr(label = c) is the probability that every difference f_k - f_c is negative: an orthant
 * probability in one dimension less than there are classes (num.h).
 *
 * Learning a block G of inputs is done by elimination, one input after the other, inside the block: the same steps as
 * in belief.c, with the same tolerance, carried out only on C_GG and on the covariances with the scores.
 */
#include "law.h"

#include <math.h>
#include <string.h>

#include "num.h"
#include "panel.h"
#include "odds.h"

static tct_law *law_alloc(size_t n_known, size_t n_unknown, size_t k)
{
    tct_law *law = tct_calloc(1, sizeof *law);

    if (!law)
        return NULL;
    law->n_scores = k;
    law->offset = tct_calloc(k, sizeof(double));
    law->map = tct_calloc(n_known * k + 1, sizeof(double));
    law->cov = tct_calloc(k * k, sizeof(double));
    law->cross = tct_calloc(n_unknown * k + 1, sizeof(double));
    if (!law->offset || !law->map || !law->cov || !law->cross) {
        tct_law_free(law);
        return NULL;
    }
    return law;
}

/* Covariances of scores whose weights are w (n_scores x d, the rows' unknown inputs count). */
static void set_covariances(tct_law *law, const tct_belief *b, const double *w, size_t d)
{
    size_t k = law->n_scores, n = b->n_unknown;

    memset(law->cross, 0, n * k * sizeof *law->cross);
    for (size_t s = 0; s < k; s++) {
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++)
                law->cross[u * k + s] += b->cov[u * n + v] * w[s * d + b->unknown[v]];
        for (size_t t = 0; t <= s; t++) {
            double sum = 0;

            for (size_t u = 0; u < n; u++)
                sum += w[t * d + b->unknown[u]] * law->cross[u * k + s];
            law->cov[s * k + t] = law->cov[t * k + s] = s == t && sum < 0 ? 0 : sum;
        }
    }
    law->sigma = sqrt(law->cov[0]);
}

/* A known term of a wide category: what each level adds to a score, k numbers apart; with those before it, or alone. */
static void add_terms(double *to, size_t k, double factor, const double *terms, size_t span, bool more)
{
    for (size_t l = 0; l < span; l++)
        to[l * k] = (more ? to[l * k] : 0) + factor * terms[l];
}

tacit_status tct_law_linear(tct_law **out, const tct_belief *b, const tct_linear *linear, tacit_error *err)
{
    const tct_variables *v = b->variables;
    const double *weights = v->weights ? v->weights : linear->weights;
    size_t d = v->n, k = linear->base.n_scores, n = b->n_unknown;
    tct_law *law = law_alloc(b->n_known, n, k);

    *out = law;
    if (!law)
        return tct_fail_memory(err);
    for (size_t s = 0; s < k; s++) {
        const double *w = weights + s * d;
        double *to = law->map + s;

        law->offset[s] = linear->bias[s];
        for (size_t u = 0; u < n; u++)
            law->offset[s] += w[b->unknown[u]] * b->offset[u];
        for (size_t i = 0; i < b->n_seen; i++) {
            double sum = w[b->seen[i]];
            size_t span = v->span[b->seen[i]];

            for (size_t u = 0; u < n; u++)
                sum += w[b->unknown[u]] * b->map[i * n + u];
            if (span == 1)
                *to = sum;
            else
                add_terms(to, k, sum, tct_variable_terms(v, b->seen[i]), span, v->which[b->seen[i]] > 0);
            if (span == 1 || v->which[b->seen[i]] + 1 == v->n_terms)
                to += span * k;
        }
    }
    set_covariances(law, b, weights, d);
    if (k > 1 && k <= TCT_ODDS_SCORES)
        law->answer_entropies = tct_answer_entropies_new(n); /* without memory for it rules are slower, that is all */
    return TACIT_OK;
}

tacit_status tct_law_local(tct_law **out, const tct_classifier *classifier, tacit_error *err)
{
    *out = law_alloc(0, classifier->n_inputs, classifier->n_scores);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

size_t tct_law_local_scratch(const tct_classifier *classifier)
{
    return (2 + classifier->n_scores) * classifier->n_inputs;
}

void tct_law_around(tct_law *law, double *mean, const tct_belief *b, const tct_classifier *classifier, const double *x,
                    double *scratch)
{
    size_t d = classifier->n_inputs;
    double *point = scratch, *expected = point + d, *gradient = expected + d;

    tct_belief_mean(b, x, expected);
    for (size_t i = 0; i < b->n_known; i++)
        point[b->known[i]] = x[b->known[i]];
    for (size_t u = 0; u < b->n_unknown; u++)
        point[b->unknown[u]] = expected[u];
    classifier->ops->scores(classifier, point, 1, mean);
    classifier->ops->gradient(classifier, point, 1, gradient);
    set_covariances(law, b, gradient, d);
}

void tct_law_free(tct_law *law)
{
    if (!law)
        return;
    tct_free(law->offset);
    tct_free(law->map);
    tct_free(law->cov);
    tct_free(law->cross);
    tct_answer_entropies_free(law->answer_entropies);
    tct_free(law);
}

size_t tct_law_bytes(const tct_law *law, const tct_belief *b)
{
    return sizeof *law + (1 + b->n_known + b->n_unknown + law->n_scores) * law->n_scores * sizeof(double);
}

/* Several scores, wide categories: the inputs of those are 0 but for one. */
static void add_levels(const tct_law *law, const tct_belief *b, const double *x, double *mean)
{
    const tct_variables *v = b->variables;
    size_t k = law->n_scores;
    const double *map = law->map;

    for (size_t i = 0; i < b->n_seen; i++) {
        size_t first = v->input[b->seen[i]], end = first + v->span[b->seen[i]];

        if (v->which[b->seen[i]] > 0) /* its inputs have been */
            continue;
        for (size_t input = tct_next_given(x, first, end); input < end; input = tct_next_given(x, input + 1, end))
            for (size_t s = 0; s < k; s++)
                mean[s] += map[(input - first) * k + s] * x[input];
        map += (end - first) * k;
    }
}

/* One score, wide categories: of each all products but one are 0, so that they may be added in any order. */
static void add_spans(const tct_law *law, const tct_belief *b, const double *x, double *mean)
{
    const tct_variables *v = b->variables;

    for (size_t i = 0, at = 0; i < b->n_seen; at += v->span[b->seen[i]], i++) {
        const double *map = law->map + at, *inputs = x + v->input[b->seen[i]];
        double sums[4] = {0};
        size_t span = v->span[b->seen[i]], l = 0;

        for (; l + 4 <= span; l += 4)
            for (size_t q = 0; q < 4; q++)
                sums[q] += map[l + q] * inputs[l + q];
        for (; l < span; l++)
            sums[0] += map[l] * inputs[l];
        *mean += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
}

void tct_law_mean(const tct_law *law, const tct_belief *b, const double *x, double *mean)
{
    const tct_variables *v = b->variables;
    size_t k = law->n_scores;

    memcpy(mean, law->offset, k * sizeof *mean);
    if (v->n_wide > 0) {
        (k > 1 ? add_levels : add_spans)(law, b, x, mean);
        return;
    }
    for (size_t i = 0; i < b->n_known; i++)
        for (size_t s = 0; s < k; s++)
            mean[s] += law->map[i * k + s] * x[b->known[i]];
}

void tct_law_partial(const tct_linear *linear, const tct_belief *b, const double *x, double *partial)
{
    const tct_variables *v = b->variables;
    size_t k = linear->base.n_scores, d = linear->base.n_inputs;

    memcpy(partial, linear->bias, k * sizeof *partial);
    for (size_t i = 0; i < b->n_seen; i++) {
        size_t first = v->input[b->seen[i]], end = first + v->span[b->seen[i]];

        if (v->which[b->seen[i]] > 0 || (end - first == 1 && x[first] == 0))
            continue;
        for (size_t input = tct_next_given(x, first, end); input < end; input = tct_next_given(x, input + 1, end))
            for (size_t s = 0; s < k; s++)
                partial[s] += linear->weights[s * d + input] * x[input];
    }
}

size_t tct_law_scratch(size_t k)
{
    size_t n = k; /* margins: k - 1 of them */

    return n + n * n + (n * n + 4 * n + 16);
}

/* Beyond this many standard deviations a margin's sign is taken for granted: the probability left out is below 1e-10.
 * */
static const double FAR = 6.5;
/* Two scores whose difference has less variance than this, of their own, and no mean are one. */
static const double SAME = 1e-12;

/* Probability that class c beats all others: an orthant over those it may or may not beat.  m and v: room for k and k
 * * k. */
static double class_probability(const double *mean, const double *cov, size_t k, size_t c, double *m, double *v,
                                double *inner)
{
    size_t doubtful[TCT_MAX_CLASSES], n = 0;

    for (size_t i = 0; i < k; i++) {
        double gap = mean[i] - mean[c], variance = cov[i * k + i] - 2 * cov[i * k + c] + cov[c * k + c];
        double reach = FAR * sqrt(fmax(variance, 0));

        if (i != c && gap == 0 && !(variance > SAME * (cov[i * k + i] + cov[c * k + c]))) {
            if (i < c) /* the same score for sure: the tie goes to the lower index */
                return 0;
            continue;
        }
        if (i == c || (gap < 0 && -gap > reach))
            continue;
        if (gap > reach)
            return 0;
        m[n] = gap;
        doubtful[n++] = i;
    }
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++) {
            size_t i = doubtful[row], j = doubtful[col];

            v[row * n + col] = cov[i * k + j] - cov[i * k + c] - cov[c * k + j] + cov[c * k + c];
        }
    return n ? tct_orthant(m, v, n, inner) : 1;
}

void tct_class_probabilities(const double *mean, const double *cov, size_t k, double *p, double *scratch)
{
    double *m = scratch, *v = m + k, *inner = v + k * k, rest = 1;
    size_t ahead = 0;

    if (k == 1) {
        if (cov[0] > 0)
            p[1] = tct_normal_cdf(mean[0] / sqrt(cov[0]));
        else
            p[1] = mean[0] >= 0 ? 1 : 0;
        p[0] = cov[0] > 0 ? tct_normal_cdf(-mean[0] / sqrt(cov[0])) : 1 - p[1];
        return;
    }
    for (size_t c = 1; c < k; c++)
        if (mean[c] > mean[ahead])
            ahead = c;
    for (size_t c = 0; c < k; c++)
        if (c != ahead) {
            p[c] = class_probability(mean, cov, k, c, m, v, inner);
            rest -= p[c];
        }
    p[ahead] = fmax(rest, 0); /* one orthant less to integrate */
}

void tct_effect_of(tct_effect *effect, const tct_law *law, const tct_belief *b, const tacit_model *model,
                   size_t attribute, double *scratch)
{
    size_t first = model->variables->first[attribute], w = model->variables->first[attribute + 1] - first;
    size_t k = law->n_scores, n = b->n_unknown, d = model->variables->n, at = tct_belief_position(b, first);
    double *block = scratch;       /* w x w: covariance of the inputs not yet eliminated */
    double *cross = block + w * w; /* w x k: their covariance with the scores */

    for (size_t i = 0; i < w; i++) {
        memcpy(block + i * w, b->cov + (at + i) * n + at, w * sizeof *block);
        memcpy(cross + i * k, law->cross + (at + i) * k, k * sizeof *cross);
    }
    memcpy(effect->cov, law->cov, k * k * sizeof *effect->cov);
    memset(effect->gain, 0, w * k * sizeof *effect->gain);
    tct_panel_eliminate(block, cross, w, k, model->covariance + first * d + first, d + 1, false);
    for (size_t p = 0; p < w; p++) {
        double variance = block[p * w + p];

        for (size_t s = 0; s < k && variance != 0; s++) {
            effect->gain[p * k + s] = cross[p * k + s] / variance;
            for (size_t t = 0; t < k; t++)
                effect->cov[s * k + t] -= cross[p * k + s] * cross[p * k + t] / variance;
        }
    }
    /* So far gain[p] multiplies the innovation of input p, given the inputs before it in the block.  The innovation is
     * v_p - E v_p - sum over q < p of g_pq times innovation q: fold that in, last input first. */
    for (size_t p = w; p-- > 0;)
        for (size_t q = 0; q < p; q++) {
            double variance = block[q * w + q];
            double g = variance > 0 ? block[p * w + q] / variance : 0;

            for (size_t s = 0; s < k; s++)
                effect->gain[q * k + s] -= g * effect->gain[p * k + s];
        }
    for (size_t s = 0; s < k; s++)
        if (effect->cov[s * k + s] < 0)
            effect->cov[s * k + s] = 0;
}

double tct_tau2(const tct_law *law, const tct_belief *b, const tacit_model *model, size_t attribute, double *scratch)
{
    size_t w = model->variables->first[attribute + 1] - model->variables->first[attribute];
    double left;
    tct_effect effect = {scratch, &left};

    tct_effect_of(&effect, law, b, model, attribute, scratch + w);
    return law->cov[0] - left;
}

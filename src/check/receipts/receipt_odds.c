/*
 * receipt_odds.c -- the probability of a label once more, by plain means.
 *
 * Known inputs are conditioned on one after the other, on the whole covariance and with the values at hand:
 *
 *     g = C_:j / c_jj      mean <- mean + g (x_j - mean_j)      C <- C - g C_j:
 *
 * An input whose variance has dropped to 1e-10 of what it was is determined by the ones before it and passed over.
 * The scores at the mean of the rest, and their weights, then give the Gaussian of the scores of linear classifiers.
 *
 * Networks and trees are asked about people drawn from that Gaussian instead, each attribute given the ones before:
 * categories get a level by their expected inputs, clipped at 0, all else is moved to the nearest value there is.
 * Whoever wrote the receipt drew others, so probabilities agree within five standard errors only.
 */
#include <math.h>
#include <string.h>

#include "num.h"
#include "receipt.h"

static const double DETERMINED = 1e-10;
/* A class that trails by more than this many standard deviations is as good as beaten. */
static const double FAR = 7;

static const double SURE = 0.99; /* of the lower end by which promises are kept */

enum { DRAWS = 8192, THEIR_DRAWS = 2048, FEW = 5 };

void tct_receipt_tolerance(const tacit_model *model, double probability, double *above, double *below)
{
    if (!tct_additive(model->classifier)) {
        double variance = fmax(probability * (1 - probability), FEW / (double)THEIR_DRAWS);

        *above = *below = 5 * sqrt(variance / DRAWS + variance / THEIR_DRAWS);
    } else if (model->schema->n_classes <= 4)
        *above = *below = 1e-6;
    else { /* orthants are integrated numerically here; a receipt has an estimate that is three standard errors low */
        *above = 3e-3;
        *below = 5e-3 + 0.25 * (1 - fmin(probability, 1));
    }
}

bool tct_receipt_sure(const tacit_model *model, double probability, double *sure)
{
    double agree = probability * THEIR_DRAWS, high;

    *sure = probability;
    if (tct_additive(model->classifier))
        return true;
    if (agree != rint(agree))
        return false;
    tct_clopper_pearson(agree, THEIR_DRAWS, 2 * SURE - 1, sure, &high);
    return true;
}

/* Condition on input j having value x. */
static void condition(double *mean, double *cov, size_t d, size_t j, double x)
{
    double variance = cov[j * d + j], off = x - mean[j];

    for (size_t i = 0; i < d; i++)
        mean[i] += cov[i * d + j] / variance * off;
    for (size_t i = 0; i < d; i++) {
        double g = cov[i * d + j] / variance;

        if (i == j || g == 0)
            continue;
        for (size_t k = 0; k < d; k++)
            if (k != j)
                cov[i * d + k] -= g * cov[j * d + k];
    }
    for (size_t i = 0; i < d; i++)
        cov[i * d + j] = cov[j * d + i] = 0;
}

/* Covariance of scores with the given gradients (k x d), c being zero for known inputs.  product: room for d. */
static void spread_of(const double *gradient, const double *c, size_t k, size_t d, double *cov, double *product)
{
    for (size_t s = 0; s < k; s++) {
        for (size_t i = 0; i < d; i++) {
            product[i] = 0;
            for (size_t j = 0; j < d; j++)
                product[i] += c[i * d + j] * gradient[s * d + j];
        }
        for (size_t t = 0; t < k; t++) {
            cov[s * k + t] = 0;
            for (size_t i = 0; i < d; i++)
                cov[s * k + t] += gradient[t * d + i] * product[i];
        }
    }
}

/* Probability that class c has the largest of k scores.  room: for the margins and their orthant. */
static double chance(const double *mean, const double *cov, size_t k, size_t c, double *room)
{
    size_t rivals[TCT_MAX_CLASSES], n = 0;
    double *m = room, *v = m + k, *scratch = v + k * k;

    for (size_t i = 0; i < k; i++) {
        double deviation = sqrt(fmax(cov[i * k + i] - 2 * cov[i * k + c] + cov[c * k + c], 0));

        if (i < c && deviation == 0 && mean[i] == mean[c])
            return 0; /* a tie for sure, which goes to the lower index */
        if (i != c && mean[i] - mean[c] > -FAR * deviation)
            rivals[n++] = i;
    }
    for (size_t a = 0; a < n; a++) {
        m[a] = mean[rivals[a]] - mean[c];
        for (size_t b = 0; b < n; b++)
            v[a * n + b] =
                cov[rivals[a] * k + rivals[b]] - cov[rivals[a] * k + c] - cov[c * k + rivals[b]] + cov[c * k + c];
    }
    return n ? fmin(tct_orthant(m, v, n, scratch), 1) : 1;
}

static void classes_of(double *p, const double *mean, const double *cov, size_t k, double *room)
{
    if (k == 1) {
        double deviation = sqrt(fmax(cov[0], 0));

        p[1] = deviation > 0 ? tct_normal_cdf(mean[0] / deviation) : mean[0] >= 0;
        p[0] = deviation > 0 ? tct_normal_cdf(-mean[0] / deviation) : 1 - p[1];
        return;
    }
    for (size_t c = 0; c < k; c++)
        p[c] = chance(mean, cov, k, c, room);
}

/* ---- by drawing ---- */

/* How the inputs of what is not known hang together, once for all draws: what input i moves per unit of input j, drawn
 * before it, and its own deviation. */
static void chain_of(double *cov, size_t d, const unsigned char *open, double *moves, double *deviation)
{
    double *spare = deviation + d;

    memset(moves, 0, d * d * sizeof *moves);
    for (size_t j = 0; j < d; j++) {
        deviation[j] = open[j] ? sqrt(fmax(cov[j * d + j], 0)) : 0;
        if (!open[j] || !(cov[j * d + j] > DETERMINED * spare[j])) {
            deviation[j] = 0;
            continue;
        }
        for (size_t i = j + 1; i < d; i++)
            moves[i * d + j] = cov[i * d + j] / cov[j * d + j];
        for (size_t i = j + 1; i < d; i++)
            for (size_t k = j + 1; k < d; k++)
                cov[i * d + k] -= moves[i * d + j] * cov[j * d + k];
    }
}

/* A level by its expected inputs, those before `first` moved by what was drawn. */
static size_t draw_level(const double *expected, size_t n, tct_random *random)
{
    double sum = 0, left;
    size_t k = 0;

    for (size_t l = 0; l < n; l++)
        sum += fmax(expected[l], 0);
    if (!(sum > 0))
        return (size_t)(tct_random_uniform(random) * (double)n);
    left = tct_random_uniform(random) * sum;
    while (k + 1 < n && left >= fmax(expected[k], 0))
        left -= fmax(expected[k++], 0);
    return k;
}

/* One attribute of a draw, whose expected inputs are in `at`; they become its value. */
static void draw_value(const tct_codec *codec, size_t a, double deviation, tct_random *random, double *at)
{
    const tct_domain *domain = &codec->domains[a];
    double low, high, steps;

    if (domain->kind == TCT_ONEHOT) {
        tct_codec_value(codec, a, draw_level(at, domain->count, random), at);
        return;
    }
    tct_codec_range(codec, a, &low, &high);
    *at = fmin(fmax(*at + deviation * tct_random_normal(random), low), high);
    steps = (double)(domain->count - 1);
    if (domain->kind == TCT_GRID)
        tct_codec_value(codec, a, (size_t)fmin(fmax(rint((*at + 1) / 2 * steps), 0), steps), at);
}

/* room: 3 d + d d doubles. */
static void odds_by_drawing(double *p, const tct_claim *claim, const double *mean, double *cov, double *room)
{
    const tacit_model *model = claim->model;
    const tct_codec *codec = model->codec;
    const tct_classifier *classifier = model->classifier;
    size_t d = codec->n_inputs;
    double *x = room, *deviation = x + d, *prior = deviation + d, *moves = prior + d, scores[TCT_MAX_CLASSES];
    unsigned char open[TCT_MAX_INPUTS];
    tct_random random;

    for (size_t a = 0; a < model->schema->n_attributes; a++)
        memset(open + codec->domains[a].first, !claim->region.known[a], codec->domains[a].width);
    for (size_t i = 0; i < d; i++)
        prior[i] = model->covariance[i * d + i];
    chain_of(cov, d, open, moves, deviation);
    memset(p, 0, model->schema->n_classes * sizeof *p);
    tct_random_seed(&random, 7, DRAWS);
    for (size_t n = 0; n < DRAWS; n++) {
        memcpy(x, mean, d * sizeof *x);
        for (size_t a = 0; a < model->schema->n_attributes; a++) {
            const tct_domain *domain = &codec->domains[a];
            double before[TCT_MAX_LEVELS];

            if (claim->region.known[a])
                continue;
            memcpy(before, x + domain->first, domain->width * sizeof *before);
            draw_value(codec, a, deviation[domain->first], &random, x + domain->first);
            for (size_t j = 0; j < domain->width; j++) { /* what comes later moves along */
                double off = x[domain->first + j] - before[j];

                for (size_t l = j + 1; l < domain->width; l++)
                    before[l] += moves[(domain->first + l) * d + domain->first + j] * off;
                for (size_t i = domain->first + domain->width; i < d; i++)
                    x[i] += open[i] ? moves[i * d + domain->first + j] * off : 0;
            }
        }
        classifier->ops->scores(classifier, x, 1, scores);
        p[tct_label(scores, classifier->n_scores)] += 1.0 / DRAWS;
    }
    tct_wipe(scores, sizeof scores);
}

/* ---- wide categories ---- */

/* The value of variable v: an input, or of the level that somebody is at the weight, with several scores how far that of
 * one of them is above that of the last. */
static double value_of(const tct_variables *variables, size_t v, const tct_linear *linear, const double *x)
{
    size_t d = linear->base.n_inputs, k = linear->base.n_scores;
    const double *inputs = x + variables->input[v];
    const double *weights = linear->weights + variables->which[v] * d + variables->input[v];
    const double *last = linear->weights + (k - 1) * d + variables->input[v];
    double value = 0;

    if (variables->span[v] == 1)
        return inputs[0];
    for (size_t l = 0; l < variables->span[v]; l++)
        value += (k > 1 ? weights[l] - last[l] : weights[l]) * inputs[l];
    return value;
}

/* A linear classifier where categories count by their terms: the same conditioning on those, whose sum, with all other
 * terms, is the score.  With several scores what categories add to the last one is taken off all of them. */
static tacit_status odds_by_terms(double *p, const tct_claim *claim, const size_t *order, size_t n_order,
                                  tacit_error *err)
{
    const tacit_model *model = claim->model;
    const tct_variables *variables = model->variables;
    const tct_linear *linear = tct_additive(model->classifier);
    size_t n = variables->n, k = linear->base.n_scores, d = linear->base.n_inputs;
    size_t n_room = (2 + k) * n + n * n + k + k * k + (k + k * k) + (k * k + 4 * k + 16);
    double *mean = tct_calloc(n_room, sizeof(double)), *weights, *product, *cov, *scores, *scores_cov;

    if (!mean)
        return tct_fail_memory(err);
    weights = mean + n;
    product = weights + k * n;
    cov = product + n;
    scores = cov + n * n;
    scores_cov = scores + k;
    memcpy(cov, model->covariance, n * n * sizeof(double));
    for (size_t v = 0; v < n; v++) {
        for (size_t s = 0; s < k; s++)
            weights[s * n + v] = variables->span[v] == 1    ? linear->weights[s * d + variables->input[v]]
                                 : s == variables->which[v] ? 1
                                                            : 0;
        mean[v] = value_of(variables, v, linear, model->mean);
    }
    for (size_t o = 0; o < n_order; o++)
        for (size_t v = variables->first[order[o]]; v < variables->first[order[o] + 1]; v++) {
            double value = value_of(variables, v, linear, claim->region.x);

            if (cov[v * n + v] > DETERMINED * model->covariance[v * n + v])
                condition(mean, cov, n, v, value);
            mean[v] = value;
            for (size_t j = 0; j < n; j++)
                cov[v * n + j] = cov[j * n + v] = 0;
        }
    for (size_t s = 0; s < k; s++) {
        scores[s] = linear->bias[s];
        for (size_t v = 0; v < n; v++)
            scores[s] += weights[s * n + v] * mean[v];
    }
    spread_of(weights, cov, k, n, scores_cov, product);
    classes_of(p, scores, scores_cov, k, scores_cov + k * k);
    tct_free_wiped(mean, n_room * sizeof(double));
    return TACIT_OK;
}

tacit_status tct_receipt_odds(double *p, const tct_claim *claim, const size_t *order, size_t n_order, tacit_error *err)
{
    const tacit_model *model = claim->model;
    const tct_classifier *classifier = model->classifier;
    size_t d = classifier->n_inputs, k = classifier->n_scores;
    size_t n_room = d + d * d + k * d + k + k * k + (k + k * k) + (k * k + 4 * k + 16) + (3 * d + d * d);
    double *mean, *cov, *gradient, *scores, *scores_cov;

    if (model->variables->n_wide > 0)
        return odds_by_terms(p, claim, order, n_order, err);
    mean = tct_calloc(n_room, sizeof(double));
    if (!mean)
        return tct_fail_memory(err);
    cov = mean + d;
    gradient = cov + d * d;
    scores = gradient + k * d;
    scores_cov = scores + k;
    memcpy(mean, model->mean, d * sizeof(double));
    memcpy(cov, model->covariance, d * d * sizeof(double));
    for (size_t o = 0; o < n_order; o++) {
        const tct_domain *domain = &model->codec->domains[order[o]];

        for (size_t i = domain->first; i < domain->first + domain->width; i++) {
            if (cov[i * d + i] > DETERMINED * model->covariance[i * d + i])
                condition(mean, cov, d, i, claim->region.x[i]);
            mean[i] = claim->region.x[i];
            for (size_t j = 0; j < d; j++)
                cov[i * d + j] = cov[j * d + i] = 0;
        }
    }
    if (!tct_additive(classifier)) {
        odds_by_drawing(p, claim, mean, cov, gradient);
        tct_free_wiped(mean, n_room * sizeof(double));
        return TACIT_OK;
    }
    classifier->ops->scores(classifier, mean, 1, scores);
    classifier->ops->gradient(classifier, mean, 1, gradient);
    spread_of(gradient, cov, k, d, scores_cov, mean);
    classes_of(p, scores, scores_cov, k, scores_cov + k * k);
    tct_free_wiped(mean, n_room * sizeof(double));
    return TACIT_OK;
}

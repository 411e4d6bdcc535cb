/*
 * draws.c -- drawing completions.
 *
 * With a factor L of the covariance, inputs are mean + L z, row by row.  The mean of an input given those before it is
 * what the columns before add to it, so drawing in order needs no more than L: the value that came out, clipped or
 * rounded or a level, is turned back into the z that would have given it.
 */
#include "draws.h"

#include <math.h>
#include <string.h>

#include "law.h"

tacit_status tct_factor_add(tct_belief *b, tacit_error *err)
{
    size_t n = b->n_unknown;
    tct_factor *factor = tct_calloc(1, sizeof *factor);
    double *l = tct_calloc(n * n + 1, sizeof *l);

    if (!factor || !l) {
        tct_free(factor);
        tct_free(l);
        return tct_fail_memory(err);
    }
    for (size_t j = 0; j < n; j++) {
        double pivot = b->cov[j * n + j];

        for (size_t i = 0; i < j; i++)
            pivot -= l[j * n + i] * l[j * n + i];
        if (tct_determined(pivot, b->cov[j * n + j]))
            continue;
        l[j * n + j] = sqrt(pivot);
        for (size_t r = j + 1; r < n; r++) {
            double sum = b->cov[r * n + j];

            for (size_t i = 0; i < j; i++)
                sum -= l[r * n + i] * l[j * n + i];
            l[r * n + j] = sum / l[j * n + j];
        }
    }
    factor->lower = l;
    b->factor = factor;
    return TACIT_OK;
}

void tct_factor_free(tct_factor *factor)
{
    if (!factor)
        return;
    tct_free(factor->lower);
    tct_free(factor);
}

tacit_status tct_draws_new(tct_draws **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->codec->n_inputs;
    tct_draws *draws = tct_calloc(1, sizeof *draws);

    *out = NULL;
    if (!draws)
        return tct_fail_memory(err);
    draws->model = model;
    draws->x = tct_calloc(TCT_DRAWS * d, sizeof(double));
    draws->label = tct_calloc(TCT_DRAWS, 1);
    draws->room = tct_calloc(2 * d + TCT_DRAWS * model->classifier->n_scores, sizeof(double));
    if (!draws->x || !draws->label || !draws->room) {
        tct_draws_free(draws);
        return tct_fail_memory(err);
    }
    *out = draws;
    return TACIT_OK;
}

void tct_draws_wipe(tct_draws *draws)
{
    size_t d = draws->model->codec->n_inputs;

    tct_wipe(draws->x, TCT_DRAWS * d * sizeof(double));
    tct_wipe(draws->label, TCT_DRAWS);
    tct_wipe(draws->room, (2 * d + TCT_DRAWS * draws->model->classifier->n_scores) * sizeof(double));
}

void tct_draws_free(tct_draws *draws)
{
    if (!draws)
        return;
    if (draws->x && draws->label && draws->room)
        tct_draws_wipe(draws);
    tct_free(draws->x);
    tct_free(draws->label);
    tct_free(draws->room);
    tct_free(draws);
}

/* The labels of all of them. */
static void decide(tct_draws *draws)
{
    const tct_classifier *c = draws->model->classifier;
    double *scores = draws->room + 2 * c->n_inputs;

    c->ops->scores(c, draws->x, TCT_DRAWS, scores);
    for (size_t i = 0; i < TCT_DRAWS; i++)
        draws->label[i] = (uint8_t)tct_label(scores + i * c->n_scores, c->n_scores);
}

/* Copy what is known. */
static void put_known(const tct_region *region, double *x)
{
    for (size_t a = 0; a < region->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &region->codec->domains[a];

        if (region->known[a])
            memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof *x);
    }
}

/* A level by weights, those outside the region never. */
static size_t draw_level(const tct_region *region, size_t attribute, const double *weights, tct_random *random)
{
    size_t count = region->codec->domains[attribute].count, last = TACIT_NONE;
    double sum = 0, left;

    for (size_t k = 0; k < count; k++)
        sum += tct_region_has_level(region, attribute, k) ? weights[k] : 0;
    left = tct_random_uniform(random) * sum;
    for (size_t k = 0; k < count; k++) {
        if (!tct_region_has_level(region, attribute, k) || (sum > 0 && !(weights[k] > 0)))
            continue;
        last = k;
        left -= weights[k];
        if (left < 0)
            break;
    }
    return last;
}

/* The nearest value that the attribute may have. */
static double fit_into(const tct_region *region, size_t attribute, double value)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double low, high;

    if (domain->kind == TCT_GRID) {
        tct_region_indices(region, attribute, &low, &high);
        tct_codec_value(region->codec, attribute,
                        (size_t)fmin(fmax(rint((value + 1) / 2 * (double)(domain->count - 1)), low), high), &value);
        return value;
    }
    tct_region_range(region, attribute, &low, &high);
    return fmin(fmax(value, low), high);
}

/* One attribute, whose inputs are the unknown ones from `at` on; mean: of the unknown inputs, z: of those before. */
static void draw_attribute(const tct_belief *b, const tct_region *region, size_t attribute, size_t at,
                           const double *mean, double *z, tct_random *random, double *inputs)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    const double *lower = b->factor->lower;
    size_t n = b->n_unknown;

    for (size_t i = 0; i < domain->width; i++) {
        inputs[i] = mean[at + i];
        for (size_t j = 0; j < at; j++)
            inputs[i] += lower[(at + i) * n + j] * z[j];
    }
    if (domain->kind == TCT_ONEHOT) {
        double expected[TCT_MAX_LEVELS], weights[TCT_MAX_LEVELS];

        memcpy(expected, inputs, domain->width * sizeof *expected);
        tct_level_weights(expected, domain->count, weights);
        tct_codec_value(region->codec, attribute, draw_level(region, attribute, weights, random), inputs);
        for (size_t i = 0; i < domain->width; i++) { /* what z would have given that */
            double off = inputs[i] - expected[i], own = lower[(at + i) * n + at + i];

            for (size_t j = at; j < at + i; j++)
                off -= lower[(at + i) * n + j] * z[j];
            z[at + i] = own > 0 ? off / own : 0;
        }
        return;
    }
    double own = lower[at * n + at], expected = inputs[0];

    inputs[0] = fit_into(region, attribute, expected + own * tct_random_normal(random));
    z[at] = own > 0 ? (inputs[0] - expected) / own : 0;
}

void tct_draws_likely(tct_draws *draws, const tct_belief *b, const tct_region *region, uint64_t seed)
{
    const tct_codec *codec = region->codec;
    double *mean = draws->room, *z = mean + codec->n_inputs;
    tct_random random;

    tct_random_seed(&random, seed, b->n_known);
    tct_belief_mean(b, region->x, mean);
    for (size_t i = 0; i < TCT_DRAWS; i++) {
        double *x = draws->x + i * codec->n_inputs;

        put_known(region, x);
        for (size_t a = 0, at = 0; a < codec->schema->n_attributes; a++)
            if (!region->known[a]) { /* unknown inputs are in the order of the attributes */
                draw_attribute(b, region, a, at, mean, z, &random, x + codec->domains[a].first);
                at += codec->domains[a].width;
            }
    }
    decide(draws);
}

static void draw_any(const tct_region *region, size_t attribute, bool ends, tct_random *random, double *inputs)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double u = tct_random_uniform(random), low, high;
    size_t k = 0, level;

    if (domain->kind == TCT_ONEHOT) {
        level = (size_t)(u * (double)tct_region_levels(region, attribute));
        while (!tct_region_has_level(region, attribute, k) || level-- > 0)
            k++;
        tct_codec_value(region->codec, attribute, k, inputs);
        return;
    }
    tct_region_range(region, attribute, &low, &high);
    inputs[0] = fit_into(region, attribute, low + (ends ? u >= 0.5 : u) * (high - low));
}

void tct_draws_anywhere(tct_draws *draws, const tct_region *region, uint64_t seed)
{
    const tct_codec *codec = region->codec;
    tct_random random;

    tct_random_seed(&random, seed, TCT_DRAWS);
    for (size_t i = 0; i < TCT_DRAWS; i++) {
        double *x = draws->x + i * codec->n_inputs;

        put_known(region, x);
        for (size_t a = 0; a < codec->schema->n_attributes; a++)
            if (!region->known[a])
                draw_any(region, a, i % 4 == 0, &random, x + codec->domains[a].first);
    }
    decide(draws);
}

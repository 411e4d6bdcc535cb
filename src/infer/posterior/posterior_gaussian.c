/*
 * posterior_gaussian.c -- people drawn from the Gaussian that a belief is.
 *
 * Attribute after attribute in schema order, each given the ones before: a one-hot category gets a level by the weights
 * that its expected inputs have, clipped at 0; anything else a Gaussian value, clipped into what it may be, a grid value
 * rounded to the nearest.  What follows is conditioned on the value that came out.
 *
 * With a factor L of the covariance, inputs are mean + L z, row by row.  The mean of an input given those before it is
 * what the columns before add to it, so drawing in order needs no more than L: the value that came out, clipped or
 * rounded or a level, is turned back into the z that would have given it.
 *
 * For a category of many levels that would be a triangle of numbers per person, w^2 / 2 for w levels.  With D its own
 * triangle of L and B what is below it, inputs after it only need B z = (B D^-1) (inputs - expected).  So B D^-1 stands in
 * the place of B, once per belief, and what takes the place of z is inputs - expected: w steps per later input.
 */
#include <math.h>
#include <string.h>

#include "law.h"
#include "posteriors.h"

/* Rows below the triangle of a block of `width` inputs from `at` on, times the inverse of that triangle; nothing where an
 * input is determined. */
static void divide_by_block(double *l, size_t n, size_t at, size_t width)
{
    for (size_t r = at + width; r < n; r++) {
        double *row = l + r * n + at;

        for (size_t i = width; i-- > 0;) {
            const double *own = l + (at + i) * n + at;

            row[i] = own[i] > 0 ? row[i] / own[i] : 0;
            for (size_t j = 0; j < i; j++)
                row[j] -= row[i] * own[j];
        }
    }
}

/* The same for all blocks that are wide; an attribute's variables are unknown together. */
static void divide_by_wide(const tct_belief *b, double *l)
{
    const size_t *first = b->variables->first;

    for (size_t at = 0, a = 0; at < b->n_unknown; at += first[a + 1] - first[a]) {
        while (first[a + 1] <= b->unknown[at])
            a++;
        if (first[a + 1] - first[a] > TCT_WIDE_LEVELS)
            divide_by_block(l, b->n_unknown, at, first[a + 1] - first[a]);
    }
}

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
    divide_by_wide(b, l);
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
        bool wide = domain->width > TCT_WIDE_LEVELS;

        memcpy(expected, inputs, domain->width * sizeof *expected);
        tct_level_weights(expected, domain->count, weights);
        tct_codec_value(region->codec, attribute, draw_level(region, attribute, weights, random), inputs);
        for (size_t i = 0; i < domain->width; i++) { /* what z would have given that; wide: see above */
            double off = inputs[i] - expected[i], own = lower[(at + i) * n + at + i];

            for (size_t j = at; j < at + i && !wide; j++)
                off -= lower[(at + i) * n + j] * z[j];
            z[at + i] = wide ? off : own > 0 ? off / own : 0;
        }
        return;
    }
    double own = lower[at * n + at], expected = inputs[0];

    inputs[0] = tct_region_nearest(region, attribute, expected + own * tct_random_normal(random));
    z[at] = own > 0 ? (inputs[0] - expected) / own : 0;
}

static void gaussian_people(const tacit_model *model, const tct_belief *b, const tct_region *region, uint64_t seed,
                            size_t n, double *x, double *room)
{
    const tct_codec *codec = model->codec;
    double *mean = room, *z = mean + codec->n_inputs;
    tct_random random;

    tct_random_seed(&random, seed, b->n_known);
    tct_belief_mean(b, region->x, mean);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0, at = 0; a < codec->schema->n_attributes; a++)
            if (!region->known[a]) { /* unknown inputs are in the order of the attributes */
                draw_attribute(b, region, a, at, mean, z, &random, x + i * codec->n_inputs + codec->domains[a].first);
                at += codec->domains[a].width;
            }
}

/* Posterior means of `width` unknown variables from position `first` on. */
static void find_means(const tct_belief *b, size_t first, size_t width, const double *x, double *mean)
{
    memcpy(mean, b->offset + first, width * sizeof *mean);
    for (size_t i = 0; i < b->n_seen; i++) {
        double value = tct_variable_value(b->variables, b->seen[i], x);

        for (size_t j = 0; j < width; j++)
            mean[j] += b->map[i * b->n_unknown + first + j] * value;
    }
}

static void gaussian_answer(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random,
                            double *x)
{
    const tct_domain *domain = &model->codec->domains[attribute];
    const size_t *first = belief->variables->first;
    size_t at = tct_belief_at(belief, attribute), n = first[attribute + 1] - first[attribute], level = 0;
    double *inputs = x + domain->first, terms[TCT_WIDE_LEVELS], low, high, left;

    find_means(belief, at, n, x, inputs);
    if (domain->kind == TCT_ONEHOT) {
        if (n != domain->width)
            memcpy(terms, inputs, n * sizeof *terms); /* which are written over */
        tct_belief_levels(model, attribute, domain->width == n ? inputs : terms, inputs);
        left = tct_random_uniform(random);
        while (level + 1 < domain->count && left >= inputs[level])
            left -= inputs[level++];
        tct_codec_value(model->codec, attribute, level, inputs);
        return;
    }
    tct_codec_range(model->codec, attribute, &low, &high);
    *inputs += sqrt(fmax(belief->cov[at * belief->n_unknown + at], 0)) * tct_random_normal(random);
    *inputs = fmin(fmax(*inputs, low), high);
    if (domain->kind == TCT_GRID)
        tct_codec_value(model->codec, attribute, (size_t)lround((*inputs + 1) / 2 * (double)(domain->count - 1)),
                        inputs);
}

static bool applies(const tacit_model *model)
{
    (void)model;
    return true;
}

static tacit_status gaussian_prepare(tct_belief *belief, const tacit_model *model, tacit_error *err)
{
    (void)model;
    return tct_factor_add(belief, err);
}

const tct_posterior_ops tct_posterior_gaussian = {.name = "gaussian",
                                                  .gaussian = true,
                                                  .applies = applies,
                                                  .prepare = gaussian_prepare,
                                                  .people = gaussian_people,
                                                  .answer = gaussian_answer};

/*
 * draws.c -- people drawn, and decided about.
 */
#include "draws.h"

#include <string.h>

#include "posteriors.h"

tacit_status tct_draws_new(tct_draws **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->codec->n_inputs;
    tct_draws *draws = tct_calloc(1, sizeof *draws);

    *out = NULL;
    if (!draws)
        return tct_fail_memory(err);
    draws->model = model;
    draws->n = TCT_DRAWS;
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

    c->ops->scores(c, draws->x, draws->n, scores);
    for (size_t i = 0; i < draws->n; i++)
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

void tct_draws_likely(tct_draws *draws, const tct_belief *belief, const tct_region *region, uint64_t seed)
{
    for (size_t i = 0; i < draws->n; i++)
        put_known(region, draws->x + i * region->codec->n_inputs);
    tct_posterior_row(draws->model)->people(draws->model, belief, region, seed, draws->n, draws->x, draws->room);
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
    inputs[0] = tct_region_nearest(region, attribute, low + (ends ? u >= 0.5 : u) * (high - low));
}

void tct_draws_anywhere(tct_draws *draws, const tct_region *region, uint64_t seed)
{
    const tct_codec *codec = region->codec;
    tct_random random;

    tct_random_seed(&random, seed, TCT_DRAWS);
    for (size_t i = 0; i < draws->n; i++) {
        double *x = draws->x + i * codec->n_inputs;

        put_known(region, x);
        for (size_t a = 0; a < codec->schema->n_attributes; a++)
            if (!region->known[a])
                draw_any(region, a, i % 4 == 0, &random, x + codec->domains[a].first);
    }
    decide(draws);
}

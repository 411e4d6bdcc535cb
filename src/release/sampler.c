/*
 * A one-hot category gets a level by the weights that the rules use for its answers: the posterior means, clipped at 0.
 * Anything else is a draw from its Gaussian; a number is then clipped, a grid value rounded to the nearest.
 */
#include "sampler.h"

#include <math.h>
#include <string.h>

#include "law.h"

/* Posterior means of `width` unknown inputs from position `first` on. */
static void find_means(const tct_belief *b, size_t first, size_t width, const double *x, double *mean)
{
    memcpy(mean, b->offset + first, width * sizeof *mean);
    for (size_t i = 0; i < b->n_known; i++)
        for (size_t j = 0; j < width; j++)
            mean[j] += b->map[i * b->n_unknown + first + j] * x[b->known[i]];
}

static size_t draw_level(const double *weights, size_t n, tct_random *random)
{
    double left = tct_random_uniform(random);
    size_t k = 0;

    while (k + 1 < n && left >= weights[k])
        left -= weights[k++];
    return k;
}

void tct_sample(const tacit_model *model, const tct_belief *belief, size_t attribute, tct_random *random, double *x)
{
    const tct_domain *domain = &model->codec->domains[attribute];
    size_t at = tct_belief_position(belief, domain->first);
    double *inputs = x + domain->first, low, high;

    find_means(belief, at, domain->width, x, inputs);
    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(inputs, domain->count, inputs);
        tct_codec_value(model->codec, attribute, draw_level(inputs, domain->count, random), inputs);
        return;
    }
    tct_codec_range(model->codec, attribute, &low, &high);
    *inputs += sqrt(fmax(belief->cov[at * belief->n_unknown + at], 0)) * tct_random_normal(random);
    *inputs = fmin(fmax(*inputs, low), high);
    if (domain->kind == TCT_GRID)
        tct_codec_value(model->codec, attribute, (size_t)lround((*inputs + 1) / 2 * (double)(domain->count - 1)),
                        inputs);
}

/*
 * Draws from the posterior Gaussian by a Cholesky factor that leaves out directions without variance.  A drawn number
 * is clipped, a grid value rounded to the nearest, a one-hot block set to its largest coordinate.
 */
#include "sampler.h"

#include <math.h>
#include <string.h>

struct tct_sampler {
    const tacit_model *model;
    const tct_belief *belief;
    double *known;  /* n_inputs */
    double *mean;   /* n_unknown */
    double *factor; /* n_unknown x n_unknown, lower triangular */
    double *noise;  /* n_unknown */
    tct_random random;
};

static void factorise(const tacit_model *model, const tct_belief *b, double *l)
{
    size_t n = b->n_unknown, d = model->codec->n_inputs;

    for (size_t j = 0; j < n; j++) {
        size_t input = b->unknown[j];
        double pivot = b->cov[j * n + j];

        for (size_t k = 0; k < j; k++)
            pivot -= l[j * n + k] * l[j * n + k];
        if (tct_determined(pivot, model->covariance[input * d + input]))
            continue; /* the column stays zero */
        l[j * n + j] = sqrt(pivot);
        for (size_t i = j + 1; i < n; i++) {
            double sum = b->cov[i * n + j];

            for (size_t k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = sum / l[j * n + j];
        }
    }
}

tacit_status tct_sampler_new(tct_sampler **out, const tacit_model *model, const tct_belief *belief, const double *x,
                             uint64_t seed, tacit_error *err)
{
    size_t n = belief->n_unknown, d = model->codec->n_inputs;
    tct_sampler *s = tct_calloc(1, sizeof *s);

    *out = s;
    if (!s)
        return tct_fail_memory(err);
    s->model = model;
    s->belief = belief;
    s->known = tct_calloc(d, sizeof(double));
    s->mean = tct_calloc(n + 1, sizeof(double));
    s->noise = tct_calloc(n + 1, sizeof(double));
    s->factor = tct_calloc(n * n + 1, sizeof(double));
    if (!s->known || !s->mean || !s->noise || !s->factor) {
        tct_sampler_free(s);
        *out = NULL;
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < belief->n_known; i++)
        s->known[belief->known[i]] = x[belief->known[i]];
    tct_belief_mean(belief, x, s->mean);
    factorise(model, belief, s->factor);
    tct_random_seed(&s->random, seed, belief->n_known);
    return TACIT_OK;
}

/* Move an attribute's drawn inputs to the nearest value of its domain. */
static void settle_into_domain(const tct_codec *codec, size_t a, double *inputs)
{
    const tct_domain *domain = &codec->domains[a];
    double low, high;
    size_t k = 0;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t l = 1; l < domain->count; l++)
            if (inputs[l] > inputs[k])
                k = l;
        tct_codec_value(codec, a, k, inputs);
        return;
    }
    tct_codec_range(codec, a, &low, &high);
    inputs[0] = fmin(fmax(inputs[0], low), high);
    if (domain->kind == TCT_GRID && domain->count > 1) {
        k = (size_t)llround((inputs[0] + 1) / 2 * (double)(domain->count - 1));
        tct_codec_value(codec, a, k, inputs);
    }
}

void tct_sampler_draw(tct_sampler *s, double *x)
{
    const tct_belief *b = s->belief;
    size_t n = b->n_unknown;

    memcpy(x, s->known, s->model->codec->n_inputs * sizeof *x);
    for (size_t u = 0; u < n; u++)
        s->noise[u] = tct_random_normal(&s->random);
    for (size_t u = 0; u < n; u++) {
        double value = s->mean[u];

        for (size_t v = 0; v <= u; v++)
            value += s->factor[u * n + v] * s->noise[v];
        x[b->unknown[u]] = value;
    }
    for (size_t a = 0, u = 0; a < s->model->schema->n_attributes; a++) {
        const tct_domain *domain = &s->model->codec->domains[a];

        if (u < n && b->unknown[u] == domain->first) { /* attributes are known or unknown as a whole */
            settle_into_domain(s->model->codec, a, x + domain->first);
            u += domain->width;
        }
    }
}

void tct_sampler_free(tct_sampler *s)
{
    if (!s)
        return;
    tct_free_wiped(s->known, s->model->codec->n_inputs * sizeof(double));
    tct_free_wiped(s->mean, s->belief->n_unknown * sizeof(double));
    tct_free_wiped(s->noise, s->belief->n_unknown * sizeof(double));
    tct_free(s->factor);
    tct_free(s);
}

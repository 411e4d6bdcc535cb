/*
 * Rounding.  Let r_s = linear->rounding[s] bound the error of any computed sum of score s's terms for inputs in [-1,
 * 1].  A lower bound of the margin i over c is computed as (sum of known terms of i) - (the same of c) + (sum of
 * worst terms), and compared with what the deployed scores() gives.  Errors: known sums r_i + r_c; worst terms, each
 * from a rounded weight difference, at most r_i + r_c; deployed scores r_i + r_c; the three operations that join the
 * parts, at most three roundings of magnitudes bounded by |b| + sum |w|, which r_i + r_c covers once more.  Together
 * 4 (r_i + r_c).
 */
#include "extremes.h"

#include <math.h>

static double worst_term(const tct_extremes *e, size_t pair, size_t a)
{
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + pair * e->linear->base.n_inputs + domain->first;
    double low, high, worst = INFINITY;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t l = 0; l < domain->count; l++)
            worst = fmin(worst, w[l]);
        return worst;
    }
    tct_codec_range(e->codec, a, &low, &high);
    return fmin(w[0] * low, w[0] * high);
}

tacit_status tct_extremes_new(tct_extremes **out, const tct_linear *linear, const tct_codec *codec, tacit_error *err)
{
    size_t classes = linear->base.n_classes, d = linear->base.n_inputs, n = codec->schema->n_attributes;
    bool single = linear->base.n_scores == 1;
    tct_extremes *e = tct_calloc(1, sizeof *e);

    *out = e;
    if (!e)
        return tct_fail_memory(err);
    e->linear = linear;
    e->codec = codec;
    e->n_classes = classes;
    e->n_attributes = n;
    e->weights = tct_calloc(classes * classes * d, sizeof(double));
    e->worst = tct_calloc(classes * classes * n, sizeof(double));
    e->pad = tct_calloc(classes * classes, sizeof(double));
    if (!e->weights || !e->worst || !e->pad) {
        tct_extremes_free(e);
        *out = NULL;
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < classes; i++)
        for (size_t c = 0; c < classes; c++) {
            size_t pair = tct_pair(e, i, c);

            if (i == c)
                continue;
            for (size_t j = 0; j < d; j++) {
                const double *w = linear->weights;

                e->weights[pair * d + j] = single ? (i == 1 ? w[j] : -w[j]) : w[i * d + j] - w[c * d + j];
            }
            for (size_t a = 0; a < n; a++)
                e->worst[pair * n + a] = worst_term(e, pair, a);
            e->pad[pair] = 4 * (single ? linear->rounding[0] : linear->rounding[i] + linear->rounding[c]);
        }
    return TACIT_OK;
}

void tct_extremes_free(tct_extremes *e)
{
    if (!e)
        return;
    tct_free(e->weights);
    tct_free(e->worst);
    tct_free(e->pad);
    tct_free(e);
}

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

/* The smallest term of an attribute; the first of several values, the low end of two. */
static void find_worst(tct_extremes *e, size_t pair, size_t a)
{
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + pair * e->linear->base.n_inputs + domain->first;
    size_t at = pair * e->n_attributes + a;
    double low, high;

    e->worst_input[at] = domain->first;
    e->worst_value[at] = 1;
    if (domain->kind == TCT_ONEHOT) {
        e->worst[at] = w[0];
        for (size_t l = 1; l < domain->count; l++)
            if (w[l] < e->worst[at]) {
                e->worst[at] = w[l];
                e->worst_input[at] = domain->first + l;
            }
        return;
    }
    tct_codec_range(e->codec, a, &low, &high);
    e->worst_value[at] = w[0] * low <= w[0] * high ? low : high;
    e->worst[at] = fmin(w[0] * low, w[0] * high);
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
    e->worst_input = tct_calloc(classes * classes * n, sizeof *e->worst_input);
    e->worst_value = tct_calloc(classes * classes * n, sizeof(double));
    e->pad = tct_calloc(classes * classes, sizeof(double));
    if (!e->weights || !e->worst || !e->worst_input || !e->worst_value || !e->pad) {
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
                find_worst(e, pair, a);
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
    tct_free(e->worst_input);
    tct_free(e->worst_value);
    tct_free(e->pad);
    tct_free(e);
}

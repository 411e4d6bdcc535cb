/*
 * With w the weights of the first layer, C the covariance of the unknown inputs U and g the gain of the belief's map for
 * an input that became known last, the first layer at the posterior mean moves by w_j + w_U g per unit of that input,
 * and has covariance w_U C w_U'.  A point costs n^2 / 2 products by the covariance of the first layer (n neurons),
 * n u + u^2 / 2 by that of the inputs (u unknown ones).
 */
#include "first_layer.h"

#include <math.h>
#include <string.h>

static void set_along(tct_first_layer *front, const tct_belief *b, const tct_mlp *mlp)
{
    size_t n = front->n_first, d = mlp->sizes[0], u = b->n_unknown;

    for (size_t i = 0; i < front->width; i++) {
        size_t known = b->n_known - front->width + i;
        const double *gain = b->map + known * u;

        for (size_t j = 0; j < n; j++) {
            const double *w = mlp->weights[0] + j * d;
            double sum = w[b->known[known]];

            for (size_t v = 0; v < u; v++)
                sum += w[b->unknown[v]] * gain[v];
            front->along[i * n + j] = sum;
        }
    }
}

/* room: u doubles. */
static void set_cov(tct_first_layer *front, const tct_belief *b, const tct_mlp *mlp, double *room)
{
    size_t n = front->n_first, d = mlp->sizes[0], u = b->n_unknown;

    for (size_t j = 0; j < n; j++) {
        const double *w = mlp->weights[0] + j * d;

        memset(room, 0, u * sizeof *room);
        for (size_t v = 0; v < u; v++)
            for (size_t i = 0; i < u; i++)
                room[i] += b->cov[v * u + i] * w[b->unknown[v]];
        for (size_t k = 0; k <= j; k++) {
            const double *other = mlp->weights[0] + k * d;
            double sum = 0;

            for (size_t v = 0; v < u; v++)
                sum += other[b->unknown[v]] * room[v];
            front->cov[j * n + k] = front->cov[k * n + j] = sum;
        }
    }
}

tacit_status tct_first_layer_add(tct_belief *b, const tct_classifier *classifier, size_t width, tacit_error *err)
{
    const tct_mlp *mlp = tct_as_mlp(classifier);
    size_t n, u = b->n_unknown;
    tct_first_layer *front;
    double *room = NULL;
    bool by_inputs;

    if (!mlp)
        return TACIT_OK;
    n = mlp->sizes[1];
    by_inputs = n * u + u * (u + 1) / 2 < n * (n + 1) / 2;
    front = tct_calloc(1, sizeof *front);
    if (!front)
        return tct_fail_memory(err);
    front->n_first = n;
    front->width = width;
    front->along = tct_malloc(width * n + 1, sizeof(double));
    front->cov = by_inputs ? NULL : tct_malloc(n * n, sizeof(double));
    room = by_inputs ? NULL : tct_malloc(u + 1, sizeof(double));
    if (!front->along || (!by_inputs && (!front->cov || !room))) {
        tct_first_layer_free(front);
        tct_free(room);
        return tct_fail_memory(err);
    }
    set_along(front, b, mlp);
    if (!by_inputs)
        set_cov(front, b, mlp, room);
    tct_free(room);
    b->first_layer = front;
    return TACIT_OK;
}

void tct_first_layer_free(tct_first_layer *front)
{
    if (!front)
        return;
    tct_free(front->along);
    tct_free(front->cov);
    tct_free(front);
}

size_t tct_first_layer_bytes(const tct_first_layer *front)
{
    return sizeof *front + (front->width + (front->cov ? front->n_first : 0)) * front->n_first * sizeof(double);
}

tct_spread tct_first_layer_spread(const tct_belief *b)
{
    if (b->first_layer->cov)
        return (tct_spread){b->first_layer->n_first, b->first_layer->cov, NULL};
    return (tct_spread){b->n_unknown, b->cov, b->unknown};
}

/* ---- a person ---- */

tacit_status tct_around_new(tct_around **out, const tct_classifier *classifier, bool plain, tacit_error *err)
{
    size_t d = classifier->n_inputs, k = classifier->n_scores, n;
    tct_around *a = tct_calloc(1, sizeof *a);
    tacit_status st;

    *out = NULL;
    if (!a)
        return tct_fail_memory(err);
    st = tct_netline_new(&a->line, classifier, plain, err);
    if (st || !a->line)
        goto done;
    n = a->line->n_first;
    a->size = (2 * d + (2 + k) * n) * sizeof(double);
    a->block = tct_calloc(a->size, 1);
    if (!a->block) {
        st = tct_fail_memory(err);
        goto done;
    }
    a->mean = a->block;
    a->point = a->mean + d;
    a->first = a->point + d;
    a->base = a->first + n;
    a->slopes = a->base + n;
    *out = a;
    a = NULL;
done:
    tct_around_free(a);
    return st;
}

void tct_around_free(tct_around *a)
{
    if (!a)
        return;
    tct_netline_free(a->line);
    tct_free_wiped(a->block, a->size);
    tct_free(a);
}

void tct_around_wipe(tct_around *a)
{
    tct_netline_wipe(a->line);
    tct_wipe(a->block, a->size);
}

void tct_around_law(tct_around *a, tct_law *law, double *mean, const tct_belief *b, const double *x)
{
    static const double nowhere[TCT_LANES] = {0};
    size_t k = law->n_scores, n = a->line->n_first;
    tct_spread spread = tct_first_layer_spread(b);

    tct_belief_mean(b, x, a->mean);
    for (size_t i = 0; i < b->n_known; i++)
        a->point[b->known[i]] = x[b->known[i]];
    for (size_t u = 0; u < b->n_unknown; u++)
        a->point[b->unknown[u]] = a->mean[u];
    tct_netline_first(a->line, a->point, a->first);
    tct_netline_place(a->line, a->first, a->first, nowhere);
    tct_netline_law(a->line, &spread);
    for (size_t s = 0; s < k; s++)
        mean[s] = a->line->scores[s * TCT_LANES];
    for (size_t i = 0; i < k * k; i++)
        law->cov[i] = a->line->cov[i * TCT_LANES];
    for (size_t i = 0; i < k * n; i++)
        a->slopes[i] = a->line->slopes[i * TCT_LANES];
    law->sigma = sqrt(law->cov[0]);
}

/*
 * Conditioning one input at a time.  Revealing input j (variance c_jj) changes the others by
 *
 *     g = C_:j / c_jj      mean <- mean + g (x_j - mean_j)      C <- C - g C_j:
 *
 * With mean = offset + map x_known, the first update is linear in (offset, map) and gives the new map, whose row
 * for j is g itself.  A one-hot attribute reveals its inputs one after the other;
 * one with many levels does the same in place (belief_block.c).
 *
 * Covariances are often singular: the inputs of a one-hot block sum to one, a column may repeat another.  An input
 * whose variance has dropped below 1e-10 of its prior variance is determined by what is known; dividing by that
 * variance would only amplify rounding, so revealing it changes nothing else.
 */
#include "belief.h"

#include <string.h>

#include "draws.h"
#include "first_layer.h"

static const double DETERMINED_SHARE = 1e-10;
enum { BLOCK_WIDTH = 32 }; /* inputs of an attribute that are better revealed together */

tct_belief *tct_belief_alloc(size_t n_known, size_t n_unknown)
{
    tct_belief *b = tct_calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->n_known = n_known;
    b->n_unknown = n_unknown;
    b->known = tct_malloc(n_known + 1, sizeof *b->known);
    b->unknown = tct_malloc(n_unknown + 1, sizeof *b->unknown);
    b->offset = tct_malloc(n_unknown + 1, sizeof *b->offset);
    b->map = tct_malloc(n_known * n_unknown + 1, sizeof *b->map);
    b->cov = tct_malloc(n_unknown * n_unknown + 1, sizeof *b->cov);
    if (!b->known || !b->unknown || !b->offset || !b->map || !b->cov) {
        tct_belief_free(b);
        return NULL;
    }
    return b;
}

bool tct_determined(double variance, double prior_variance)
{
    return !(variance > DETERMINED_SHARE * prior_variance);
}

tacit_status tct_belief_prior(tct_belief **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->codec->n_inputs;
    tct_belief *b = tct_belief_alloc(0, d);

    *out = b;
    if (!b)
        return tct_fail_memory(err);
    for (size_t i = 0; i < d; i++)
        b->unknown[i] = i;
    memcpy(b->offset, model->mean, d * sizeof *b->offset);
    memcpy(b->cov, model->covariance, d * d * sizeof *b->cov);
    return TACIT_OK;
}

/* The belief after one more input, the one at position p among the unknown ones. */
static tct_belief *reveal_input(const tct_belief *from, size_t p, double prior_variance)
{
    size_t n = from->n_unknown, left = n - 1;
    const double *column = from->cov + p * n; /* symmetric: row p is column p */
    bool determined = tct_determined(column[p], prior_variance);
    tct_belief *b = tct_belief_alloc(from->n_known + 1, left);
    double *gain;

    if (!b)
        return NULL;
    gain = b->map + from->n_known * left; /* the new input's row of the map */
    memcpy(b->known, from->known, from->n_known * sizeof *b->known);
    b->known[from->n_known] = from->unknown[p];
    for (size_t u = 0; u < left; u++) {
        size_t old = u < p ? u : u + 1;

        b->unknown[u] = from->unknown[old];
        gain[u] = determined ? 0.0 : column[old] / column[p];
        b->offset[u] = from->offset[old] - gain[u] * from->offset[p];
    }
    for (size_t i = 0; i < from->n_known; i++) {
        const double *was = from->map + i * n;
        double *now = b->map + i * left;

        for (size_t u = 0; u < left; u++)
            now[u] = was[u < p ? u : u + 1] - gain[u] * was[p];
    }
    for (size_t u = 0; u < left; u++) {
        size_t row = u < p ? u : u + 1;

        for (size_t v = 0; v <= u; v++) {
            size_t col = v < p ? v : v + 1;
            double c = from->cov[row * n + col] - gain[u] * column[col];

            if (u == v && c < 0)
                c = 0;
            b->cov[u * left + v] = b->cov[v * left + u] = c;
        }
    }
    return b;
}

tacit_status tct_belief_reveal(tct_belief **out, const tct_belief *from, const tacit_model *model, size_t attribute,
                               tacit_error *err)
{
    if (model->codec->domains[attribute].width >= BLOCK_WIDTH)
        return tct_belief_reveal_block(out, from, model, attribute, err);
    return tct_belief_reveal_inputs(out, from, model, attribute, err);
}

tacit_status tct_belief_reveal_inputs(tct_belief **out, const tct_belief *from, const tacit_model *model,
                                      size_t attribute, tacit_error *err)
{
    const tct_domain *domain = &model->codec->domains[attribute];
    size_t d = model->codec->n_inputs;
    const tct_belief *now = from;

    *out = NULL;
    for (size_t i = 0; i < domain->width; i++) {
        size_t input = domain->first + i;
        tct_belief *next = reveal_input(now, tct_belief_position(now, input), model->covariance[input * d + input]);

        if (now != from)
            tct_belief_free(*out);
        *out = next;
        if (!next)
            return tct_fail_memory(err);
        now = next;
    }
    return TACIT_OK;
}

void tct_belief_free(tct_belief *b)
{
    if (!b)
        return;
    tct_free(b->known);
    tct_free(b->unknown);
    tct_free(b->offset);
    tct_free(b->map);
    tct_free(b->cov);
    tct_first_layer_free(b->first_layer);
    tct_factor_free(b->factor);
    tct_free(b);
}

size_t tct_belief_bytes(const tct_belief *b)
{
    return sizeof *b + (b->n_known + b->n_unknown) * sizeof(size_t) +
           (1 + b->n_known + b->n_unknown) * b->n_unknown * sizeof(double) +
           (b->first_layer ? tct_first_layer_bytes(b->first_layer) : 0) +
           (b->factor ? b->n_unknown * b->n_unknown * sizeof(double) : 0);
}

void tct_belief_mean(const tct_belief *b, const double *x, double *mean)
{
    size_t n = b->n_unknown;

    memcpy(mean, b->offset, n * sizeof *mean);
    for (size_t i = 0; i < b->n_known; i++) {
        const double *row = b->map + i * n;
        double value = x[b->known[i]];

        for (size_t u = 0; u < n; u++)
            mean[u] += row[u] * value;
    }
}

size_t tct_belief_position(const tct_belief *b, size_t input)
{
    size_t low = 0, high = b->n_unknown;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (b->unknown[middle] <= input)
            low = middle;
        else
            high = middle;
    }
    return low;
}

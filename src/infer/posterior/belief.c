/*
 * Conditioning one variable at a time, as a rule an input.  Revealing j (variance c_jj) changes the others by
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

tct_belief *tct_belief_alloc(const tacit_model *model, size_t n_known, size_t n_seen, size_t n_unknown)
{
    tct_belief *b = tct_calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->variables = model->variables;
    b->n_known = n_known;
    b->n_seen = n_seen;
    b->n_unknown = n_unknown;
    b->known = tct_malloc(n_known + 1, sizeof *b->known);
    b->unknown = tct_malloc(n_unknown + 1, sizeof *b->unknown);
    b->offset = tct_malloc(n_unknown + 1, sizeof *b->offset);
    b->seen = tct_malloc(n_seen + 1, sizeof *b->seen);
    b->map = tct_malloc(n_seen * n_unknown + 1, sizeof *b->map);
    b->cov = tct_malloc(n_unknown * n_unknown + 1, sizeof *b->cov);
    if (!b->known || !b->seen || !b->unknown || !b->offset || !b->map || !b->cov) {
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
    size_t d = model->variables->n;
    tct_belief *b = tct_belief_alloc(model, 0, 0, d);

    *out = b;
    if (!b)
        return tct_fail_memory(err);
    for (size_t i = 0; i < d; i++)
        b->unknown[i] = i;
    memcpy(b->offset, tct_variable_means(model->variables), d * sizeof *b->offset);
    memcpy(b->cov, model->covariance, d * d * sizeof *b->cov);
    return TACIT_OK;
}

/* The belief after one more variable, the one at position p among the unknown ones; n_known: inputs known then. */
static tct_belief *reveal_variable(const tacit_model *model, const tct_belief *from, size_t p, size_t n_known,
                                   double prior_variance)
{
    size_t n = from->n_unknown, left = n - 1;
    const double *column = from->cov + p * n; /* symmetric: row p is column p */
    bool determined = tct_determined(column[p], prior_variance);
    tct_belief *b = tct_belief_alloc(model, n_known, from->n_seen + 1, left);
    double *gain;

    if (!b)
        return NULL;
    gain = b->map + from->n_seen * left; /* the new variable's row of the map */
    memcpy(b->seen, from->seen, from->n_seen * sizeof *b->seen);
    b->seen[from->n_seen] = from->unknown[p];
    for (size_t u = 0; u < left; u++) {
        size_t old = u < p ? u : u + 1;

        b->unknown[u] = from->unknown[old];
        gain[u] = determined ? 0.0 : column[old] / column[p];
        b->offset[u] = from->offset[old] - gain[u] * from->offset[p];
    }
    for (size_t i = 0; i < from->n_seen; i++) {
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
    if (model->variables->first[attribute + 1] - model->variables->first[attribute] >= BLOCK_WIDTH)
        return tct_belief_reveal_block(out, from, model, attribute, err);
    return tct_belief_reveal_inputs(out, from, model, attribute, err);
}

tacit_status tct_belief_reveal_inputs(tct_belief **out, const tct_belief *from, const tacit_model *model,
                                      size_t attribute, tacit_error *err)
{
    size_t d = model->variables->n, n_known = from->n_known + model->codec->domains[attribute].width;
    const tct_belief *now = from;

    *out = NULL;
    for (size_t v = model->variables->first[attribute]; v < model->variables->first[attribute + 1]; v++) {
        tct_belief *next =
            reveal_variable(model, now, tct_belief_position(now, v), n_known, model->covariance[v * d + v]);

        if (now != from)
            tct_belief_free(*out);
        *out = next;
        if (!next)
            return tct_fail_memory(err);
        now = next;
    }
    tct_belief_add_known(*out, from, model, attribute);
    return TACIT_OK;
}

void tct_belief_add_known(tct_belief *b, const tct_belief *from, const tacit_model *model, size_t attribute)
{
    const tct_domain *domain = &model->codec->domains[attribute];

    memcpy(b->known, from->known, from->n_known * sizeof *b->known);
    for (size_t i = 0; i < domain->width; i++)
        b->known[from->n_known + i] = domain->first + i;
}

void tct_belief_free(tct_belief *b)
{
    if (!b)
        return;
    tct_free(b->known);
    tct_free(b->seen);
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
    return sizeof *b + (b->n_known + b->n_seen + b->n_unknown) * sizeof(size_t) +
           (1 + b->n_seen + b->n_unknown) * b->n_unknown * sizeof(double) +
           (b->first_layer ? tct_first_layer_bytes(b->first_layer) : 0) +
           (b->factor ? b->n_unknown * b->n_unknown * sizeof(double) : 0);
}

void tct_belief_mean(const tct_belief *b, const double *x, double *mean)
{
    size_t n = b->n_unknown;

    memcpy(mean, b->offset, n * sizeof *mean);
    for (size_t i = 0; i < b->n_seen; i++) {
        const double *row = b->map + i * n;
        double value = tct_variable_value(b->variables, b->seen[i], x);

        for (size_t u = 0; u < n; u++)
            mean[u] += row[u] * value;
    }
}

size_t tct_belief_position(const tct_belief *b, size_t variable)
{
    size_t low = 0, high = b->n_unknown;

    if (variable < high && b->unknown[variable] == variable) /* nothing before it is known */
        return variable;
    if (variable >= b->n_seen && variable - b->n_seen < high && b->unknown[variable - b->n_seen] == variable)
        return variable - b->n_seen; /* all that is known is before it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (b->unknown[middle] <= variable)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t tct_belief_at(const tct_belief *b, size_t attribute)
{
    return tct_belief_position(b, b->variables->first[attribute]);
}

void tct_belief_levels(const tacit_model *model, size_t attribute, const double *mean, double *levels)
{
    size_t v = model->variables->first[attribute];

    tct_variable_levels(model->variables, attribute, mean, model->covariance[v * (model->variables->n + 1)], levels);
}

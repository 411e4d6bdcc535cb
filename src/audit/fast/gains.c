/*
 * People lie side by side, one per lane.  Terms are added up as in smallest_set.c.
 *
 * Rounding.  A margin here is a sum of at most all terms of the score in some order, so it is off by no more than a few
 * times linear->rounding; the bound of a plain proof lies below the true one by no more than that again.  The zone is 16
 * times linear->rounding (four pads of extremes.h), beyond which both agree on the sign.
 */
#include "gains.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { EIGHT = TCT_EIGHT };

tacit_status tct_gains_new(tct_gains **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err)
{
    const tacit_schema *schema = model->schema;
    tct_gains *g;

    *out = NULL;
    if (!extremes || model->classifier->n_scores != 1)
        return TACIT_OK;
    g = tct_calloc(1, sizeof *g);
    if (!g)
        return tct_fail_memory(err);
    g->extremes = extremes;
    g->zone = 4 * extremes->pad[tct_pair(extremes, 1, 0)];
    g->sensitive = tct_take(&g->arena, schema->n_attributes, sizeof *g->sensitive);
    for (size_t a = 0; a < schema->n_attributes && g->sensitive; a++) {
        g->sensitive[a] = schema->attributes[a].role == TACIT_SENSITIVE;
        g->n_items += g->sensitive[a];
    }
    g->gain = tct_take(&g->arena, (g->n_items + 1) * TCT_TILE, sizeof *g->gain);
    g->few = tct_take(&g->arena, model->codec->n_inputs * EIGHT, sizeof *g->few);
    g->spare = tct_take(&g->arena, (g->n_items + 1) * EIGHT, sizeof *g->spare);
    g->others = tct_take(&g->arena, (g->n_items + 1) * EIGHT, sizeof *g->others);
    g->lost = tct_take(&g->arena, g->n_items + 1, sizeof *g->lost);
    g->may_be = tct_take(&g->arena, g->n_items + 1, sizeof *g->may_be);
    if (g->arena.failed) {
        tct_gains_free(g);
        return tct_fail_memory(err);
    }
    *out = g;
    return TACIT_OK;
}

void tct_gains_free(tct_gains *g)
{
    if (!g)
        return;
    tct_arena_clear(&g->arena);
    tct_free_wiped(g, sizeof *g);
}

/* ---------------------------------------------------------------- gains */

#define LOOPS "gains_loops.h"
#include "simd_levels.h"

void tct_gains_fill(tct_gains *g, const double *x, size_t stride, size_t n, const uint8_t *full)
{
    size_t whole = n - n % EIGHT;
    uint8_t few_full[EIGHT] = {0};

    TCT_SIMD_PICK(fill)(g, x, stride, whole, full, 0);
    if (whole == n)
        return;
    for (size_t p = whole; p < n; p++) {
        few_full[p - whole] = full[p];
        for (size_t i = 0; i < g->extremes->linear->base.n_inputs; i++)
            g->few[i * EIGHT + p - whole] = x[i * stride + p];
    }
    TCT_SIMD_PICK(fill)(g, g->few, EIGHT, EIGHT, few_full, whole);
    for (size_t p = n; p < whole + EIGHT; p++)
        g->margin[p] = INFINITY;
}

double tct_gains_person(const tct_gains *g, const double *x, size_t stride, size_t p, uint8_t label, double *gain)
{
    const tct_extremes *e = g->extremes;
    const double *worst = e->worst + tct_pair(e, label, 1 - label) * e->n_attributes;
    double sign = label ? 1 : -1, margin = sign * e->linear->bias[0];

    for (size_t a = 0; a < e->n_attributes; a++) {
        const tct_domain *domain = &e->codec->domains[a];
        const double *own = x + domain->first * stride + p, *weights = e->linear->weights + domain->first;
        double term = 0, terms[4] = {0};
        size_t i = 0;

        for (; domain->kind == TCT_ONEHOT && i + 4 <= domain->width; i += 4) /* all but one are 0: any order will do */
            for (size_t k = 0; k < 4; k++)
                terms[k] += own[(i + k) * stride] * weights[i + k];
        term = (terms[0] + terms[1]) + (terms[2] + terms[3]);
        for (; i < domain->width; i++)
            term += own[i * stride] * weights[i];
        term *= sign;
        margin += term;
        if (g->sensitive[a])
            *gain++ = fmax(term - worst[a], 0);
    }
    return margin;
}

/* ---------------------------------------------------------------- counting */

bool tct_gains_needs(const tct_gains *g, size_t n, uint64_t *indispensable)
{
    bool sure = true;

    TCT_SIMD_PICK(find_needs)(g, (n + EIGHT - 1) / EIGHT * EIGHT, g->lost, g->may_be);
    for (size_t i = 0; i < g->n_items; i++)
        sure = sure && g->lost[i] == g->may_be[i];
    for (size_t i = 0; i < g->n_items && sure; i++)
        indispensable[i] += g->lost[i];
    return sure;
}

void tct_gains_need_bits(const tct_gains *g, size_t n, uint64_t *bits)
{
    TCT_SIMD_PICK(find_need_bits)(g, (n + EIGHT - 1) / EIGHT * EIGHT, bits);
}

bool tct_gains_spare(tct_gains *g, size_t n, const uint64_t *asked, size_t words, uint64_t *spare, uint64_t *others,
                     uint64_t *people, uint64_t *bits)
{
    double counts[EIGHT] = {0};
    bool sure = true;

    memset(g->spare, 0, g->n_items * EIGHT * sizeof *g->spare);
    memset(g->others, 0, g->n_items * EIGHT * sizeof *g->others);
    TCT_SIMD_PICK(find_spare)(g, (n + EIGHT - 1) / EIGHT * EIGHT, asked, words, others != NULL, bits, counts, &sure);
    if (!sure)
        return false;
    for (size_t i = 0; i < g->n_items; i++) {
        spare[i] += tct_lanes_total(g->spare + i * EIGHT);
        if (others)
            others[i] += tct_lanes_total(g->others + i * EIGHT);
    }
    *people += tct_lanes_total(counts);
    return true;
}

/*
 * bases.c -- see bases.h.
 *
 * A base comes from the one before it by sweeping `step` variables J at a time:
 *
 *     F = S_:J S_JJ^-1      S <- S - F S_J:      S_:J <- F      S_JJ <- -S_JJ^-1
 *
 * so that every row is read once for all of them.
 */
#include "bases.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "alone_inside.h"
#include "panel.h"

enum { SHARE = 4, LEAST_STEP = 64, MOST_STEP = 160, ROUND = 2 * TCT_BASE_TILE, MOST_BYTES = 64 << 20 };
static const double LEAST_LEFT = 1e-5; /* of a variance, by all the others */

void tct_bases_free(tct_bases *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->count && b->matrix; i++)
        tct_free(b->matrix[i]);
    tct_free(b->matrix);
    tct_free(b->attribute);
    tct_free(b->known);
    tct_free(b);
}

/* Attributes by what their terms may differ, per cost: about the order in which margins grow. */
static tacit_status find_places(tct_bases *b, const tacit_model *model, const tct_extremes *e, const tct_belief *start,
                                tacit_error *err)
{
    ranked *all = tct_calloc(b->n, sizeof *all);

    if (!all)
        return tct_fail_memory(err);
    for (size_t a = 0, i = 0; i < b->n; a++)
        if (model->variables->first[a] == start->unknown[i])
            all[i++] = (ranked){-(e->worst[tct_pair(e, 0, 1) * e->n_attributes + a] +
                                  e->worst[tct_pair(e, 1, 0) * e->n_attributes + a]) /
                                    model->schema->attributes[a].cost,
                                a};
    qsort(all, b->n, sizeof *all, tct_ranked_compare);
    for (size_t i = 0; i < b->n; i++)
        b->attribute[i] = all[i].index;
    tct_free(all);
    return TACIT_OK;
}

/* The first base: nothing but the start is known. */
static void fill_first(tct_bases *b, const tacit_model *model, const tct_extremes *e, const tct_belief *start)
{
    const tct_variables *v = model->variables;
    const double *weights = v->weights ? v->weights : e->linear->weights;
    size_t n = b->n, stride = b->stride;
    double *s = b->matrix[0];

    for (size_t i = 0; i < n; i++) {
        const double *row = start->cov + tct_belief_at(start, b->attribute[i]) * n;

        for (size_t j = 0; j < n; j++)
            s[i * stride + j] = row[tct_belief_at(start, b->attribute[j])];
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += weights[v->first[b->attribute[j]]] * s[i * stride + j];
        s[i * stride + n] = s[n * stride + i] = sum;
    }
    s[n * stride + n] = 1; /* never read */
}

/* -(the inverse) in place of m x m numbers; false: a pivot is as good as nothing beside least[]. */
static bool sweep_block(double *block, size_t m, const double *least)
{
    for (size_t p = 0; p < m; p++) {
        double pivot = block[p * m + p];

        if (!(pivot > least[p]))
            return false;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m && i != p; j++)
                if (j != p)
                    block[i * m + j] -= block[i * m + p] * block[p * m + j] / pivot;
        for (size_t i = 0; i < m; i++)
            if (i != p)
                block[i * m + p] = block[p * m + i] = block[p * m + i] / pivot;
        block[p * m + p] = -1 / pivot;
    }
    return true;
}

/* In place: `m` more variables from place `from` on.  room: m x m + m numbers; rows: 2 m.  False: not to be trusted. */
static bool sweep(double *s, size_t n_rows, size_t stride, size_t from, size_t m, const double *least, double *room,
                  const double **rows)
{
    double *block = room, *factors = room + m * m;
    const double **inverse = rows + m;

    for (size_t i = 0; i < m; i++) {
        rows[i] = s + (from + i) * stride;
        memcpy(block + i * m, rows[i] + from, m * sizeof *block);
    }
    if (!sweep_block(block, m, least + from))
        return false;
    for (size_t i = 0; i < m; i++)
        inverse[i] = block + i * m;
    for (size_t r = 0; r < n_rows; r++) {
        double *row = s + r * stride;

        if (r >= from && r < from + m)
            continue;
        memset(factors, 0, m * sizeof *factors);
        tct_panel_lose(factors, 0, m, row + from, inverse, m);
        tct_panel_lose(row, 0, stride, factors, rows, m);
        memcpy(row + from, factors, m * sizeof *row);
    }
    for (size_t r = 0; r < n_rows; r++)
        for (size_t j = 0; j < m && (r < from || r >= from + m); j++)
            s[(from + j) * stride + r] = s[r * stride + from + j];
    for (size_t i = 0; i < m; i++)
        memcpy(s + (from + i) * stride + from, block + i * m, m * sizeof *s);
    return true;
}

/* All bases but the first; *held: none of the variables is nearly determined by all others.  The last sweeps are for that
 * alone. */
static tacit_status sweep_all(tct_bases *b, const double *least, bool *held, tacit_error *err)
{
    size_t size = (b->n + 1) * b->stride;
    double *room = tct_malloc(b->step * (b->step + 1), sizeof *room), *rest = tct_malloc(size, sizeof *rest);
    const double **rows = tct_malloc(2 * b->step, sizeof *rows);
    tacit_status st = room && rest && rows ? TACIT_OK : tct_fail_memory(err);

    *held = !st;
    for (size_t from = 0, i = 1; from < b->n && !st && *held; from += b->step, i++) {
        size_t m = from + b->step < b->n ? b->step : b->n - from;
        double *s = i < b->count ? b->matrix[i] : rest;

        memcpy(s, b->matrix[i - 1], size * sizeof *s);
        *held = sweep(s, b->n + 1, b->stride, from, m, least, room, rows);
    }
    for (size_t i = 0; i < b->n && !st && *held; i++)
        *held = -1 / rest[i * (b->stride + 1)] > least[i];
    tct_free(room);
    tct_free(rest);
    tct_free(rows);
    return st;
}

tacit_status tct_bases_new(tct_bases **out, const tacit_model *model, const tct_extremes *extremes,
                           const tct_stage *start, tacit_error *err)
{
    size_t n = start->belief->n_unknown, step;
    tct_bases *b;
    double *least = NULL;
    bool held = false;
    tacit_status st = TACIT_OK;

    *out = NULL;
    step = (n / SHARE + TCT_BASE_TILE) / TCT_BASE_TILE * TCT_BASE_TILE;
    step = step < LEAST_STEP ? LEAST_STEP : step > MOST_STEP ? MOST_STEP : step;
    if (n <= step || n / step * (n + 1) * n * sizeof(double) > MOST_BYTES)
        return TACIT_OK;
    b = tct_calloc(1, sizeof *b);
    if (!b)
        return tct_fail_memory(err);
    *b = (tct_bases){.n = n, .stride = (n + ROUND) / ROUND * ROUND, .step = step, .count = (n + step - 1) / step};
    b->n_attributes = model->schema->n_attributes;
    b->known = tct_calloc(b->n_attributes, 1);
    b->attribute = tct_calloc(n, sizeof *b->attribute);
    b->matrix = tct_calloc(b->count, sizeof *b->matrix);
    least = tct_calloc(n, sizeof *least);
    if (!b->known || !b->attribute || !b->matrix || !least)
        st = tct_fail_memory(err);
    for (size_t i = 0; i < b->count && !st; i++) {
        b->matrix[i] = tct_calloc((n + 1) * b->stride, sizeof(double));
        st = b->matrix[i] ? TACIT_OK : tct_fail_memory(err);
    }
    if (!st)
        st = find_places(b, model, extremes, start->belief, err);
    if (!st) {
        memcpy(b->known, start->known, b->n_attributes);
        fill_first(b, model, extremes, start->belief);
        for (size_t i = 0; i < n; i++)
            least[i] = LEAST_LEFT * b->matrix[0][i * (b->stride + 1)];
        st = sweep_all(b, least, &held, err);
    }
    tct_free(least);
    if (!st && held) {
        *out = b;
        b = NULL;
    }
    tct_bases_free(b);
    return st;
}

static void free_kept(void *bases)
{
    tct_bases_free(bases);
}

const tct_bases *tct_bases_of(const tacit_model *model, const tct_extremes *extremes, const tct_stage *start)
{
    tct_kept *kept = model->bases;
    tct_bases *bases = NULL;
    int nobody = 0;

    if (atomic_compare_exchange_strong(&kept->state, &nobody, 1)) {
        if (tct_bases_new(&bases, model, extremes, start, NULL)) /* no memory for them: it takes longer, that is all */
            bases = NULL;
        kept->free = free_kept;
        kept->thing = bases;
        kept->state = 2;
    }
    if (kept->state != 2)
        return NULL;
    bases = kept->thing;
    return bases && memcmp(bases->known, start->known, bases->n_attributes) == 0 ? bases : NULL;
}

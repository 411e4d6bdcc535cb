/*
 * belief_block.c -- what becomes of a belief when an attribute of many inputs is known: a category with a thousand
 * levels.
 *
 * Does to each number what revealing one input after the other does (belief.c), in the same order, so the result is the
 * same.  But it works in place, on the lower triangle of one copy of the covariance, and takes PANEL inputs at a time:
 * first the columns of these are brought up to date among themselves, which gives their gains; then every other number
 * is read once, loses PANEL products one after the other, and is written back.  With n inputs of which w become known
 * that is w n^2 steps on memory that is near, instead of w copies of n^2 numbers.
 *
 * An attribute's inputs are neighbours.  So what is still unknown while they become known lies below `first`, or behind
 * the panel.
 */
#include <string.h>

#include "belief.h"
#include "panel.h"

enum { PANEL = TCT_PANEL };

typedef struct revealing {
    size_t n;            /* unknown inputs before */
    size_t first, width; /* those that become known, as positions among them */
    double *cov;         /* n x n; the lower triangle counts */
    double *offset;      /* n */
    double *rows;        /* (n_seen + width) x n: the map */
    size_t n_rows;
    double *columns, *gains; /* PANEL x n each, for those of the panel that are not determined */
    size_t at[PANEL];        /* their positions */
    size_t n_panel;
} revealing;

/* Number (u, v) of the covariance, whichever half it is in. */
static double *number(const revealing *r, size_t u, size_t v)
{
    return r->cov + (u > v ? u * r->n + v : v * r->n + u);
}

/* row[v] loses factor_k * product_k[v] for every k of the panel in turn, from `born` on. */
static void lose(const revealing *r, double *row, size_t from, size_t to, size_t born, const double *factors,
                 const double *products)
{
    const double *each[PANEL];

    for (size_t k = born; k < r->n_panel; k++)
        each[k - born] = products + k * r->n;
    if (born < r->n_panel && from < to)
        tct_panel_lose(row, from, to, factors + born, each, r->n_panel - born);
}

/* Bring the column of input p up to date with those of the panel before it. */
static void update_column(revealing *r, size_t p, size_t end)
{
    for (size_t k = 0; k < r->n_panel; k++) {
        const double *column = r->columns + k * r->n, *gain = r->gains + k * r->n;
        double *row = r->cov + p * r->n;

        for (size_t v = 0; v < r->first; v++)
            row[v] -= gain[p] * column[v];
        row[p] -= gain[p] * column[p];
        if (row[p] < 0)
            row[p] = 0;
        for (size_t u = p + 1; u < end; u++)
            r->cov[u * r->n + p] -= gain[u] * column[p];
    }
}

/* Input p, whose column is up to date, becomes one of the panel. */
static void add_to_panel(revealing *r, size_t p)
{
    double *column = r->columns + r->n_panel * r->n, *gain = r->gains + r->n_panel * r->n;
    double variance = r->cov[p * r->n + p], here = r->offset[p];

    for (size_t u = 0; u < r->n; u++) {
        if (u >= r->first && u <= p)
            continue;
        column[u] = *number(r, u, p);
        gain[u] = column[u] / variance;
        r->offset[u] -= gain[u] * here;
    }
    r->at[r->n_panel++] = p;
}

/* All rows of the map, and those of the panel, which become rows of it. */
static void update_map(revealing *r, size_t behind)
{
    size_t n = r->n, before = r->n_rows;

    for (size_t k = 0; k < r->n_panel; k++)
        memcpy(r->rows + r->n_rows++ * n, r->gains + k * n, n * sizeof *r->rows);
    for (size_t i = 0; i < r->n_rows; i++) {
        double *row = r->rows + i * n, here[PANEL];
        size_t born = i < before ? 0 : i - before + 1; /* a new row is changed by those after it */

        for (size_t k = 0; k < r->n_panel; k++) {
            here[k] = k < born ? 0.0 : row[r->at[k]];
            for (size_t j = k + 1; k >= born && j < r->n_panel; j++)
                row[r->at[j]] -= r->gains[k * n + r->at[j]] * here[k];
        }
        lose(r, row, 0, r->first, born, here, r->gains);
        lose(r, row, behind, n, born, here, r->gains);
    }
}

/* Everything that is neither known nor of the panel. */
static void update_rest(revealing *r, size_t behind)
{
    for (size_t u = r->first == 0 ? behind : 0; u < r->n; u = u + 1 == r->first ? behind : u + 1) {
        double *row = r->cov + u * r->n, factors[PANEL];

        for (size_t k = 0; k < r->n_panel; k++)
            factors[k] = r->gains[k * r->n + u];
        lose(r, row, 0, u < r->first ? u : r->first, 0, factors, r->columns);
        if (u > behind)
            lose(r, row, behind, u, 0, factors, r->columns);
        for (size_t k = 0; k < r->n_panel; k++) {
            row[u] -= factors[k] * r->columns[k * r->n + u];
            if (row[u] < 0)
                row[u] = 0;
        }
    }
}

/* All inputs of the attribute; row_of: which row of the map each has, TACIT_NONE where it is determined. */
static void reveal_all(revealing *r, const double *priors, size_t *row_of)
{
    size_t last = r->first + r->width;

    for (size_t from = r->first; from < last; from += PANEL) {
        size_t behind = from + PANEL < last ? from + PANEL : last;

        r->n_panel = 0;
        for (size_t p = from; p < behind; p++) {
            update_column(r, p, r->n);
            row_of[p - r->first] = TACIT_NONE;
            if (tct_determined(r->cov[p * r->n + p], priors[p - r->first]))
                continue;
            row_of[p - r->first] = r->n_rows + r->n_panel;
            add_to_panel(r, p);
        }
        update_rest(r, behind);
        update_map(r, behind);
    }
}

/* What is left, without the inputs that are known now. */
static void write_belief(const revealing *r, tct_belief *b, const tct_belief *from, const size_t *row_of)
{
    size_t left = b->n_unknown, head = r->first, tail = left - head, n = r->n;

    memcpy(b->seen, from->seen, from->n_seen * sizeof *b->seen);
    memcpy(b->seen + from->n_seen, from->unknown + r->first, r->width * sizeof *b->seen);
    memcpy(b->unknown, from->unknown, head * sizeof *b->unknown);
    memcpy(b->unknown + head, from->unknown + head + r->width, tail * sizeof *b->unknown);
    memcpy(b->offset, r->offset, head * sizeof *b->offset);
    memcpy(b->offset + head, r->offset + head + r->width, tail * sizeof *b->offset);
    for (size_t i = 0; i < b->n_seen; i++) {
        size_t which = i < from->n_seen ? i : row_of[i - from->n_seen];
        double *row = b->map + i * left;

        if (which == TACIT_NONE) {
            memset(row, 0, left * sizeof *row);
            continue;
        }
        memcpy(row, r->rows + which * n, head * sizeof *row);
        memcpy(row + head, r->rows + which * n + head + r->width, tail * sizeof *row);
    }
    for (size_t u = 0; u < left; u++)
        for (size_t v = 0; v <= u; v++)
            b->cov[u * left + v] = b->cov[v * left + u] =
                r->cov[(u < head ? u : u + r->width) * n + (v < head ? v : v + r->width)];
}

tacit_status tct_belief_reveal_block(tct_belief **out, const tct_belief *from, const tacit_model *model,
                                     size_t attribute, tacit_error *err)
{
    size_t n = from->n_unknown, d = model->variables->n, first = model->variables->first[attribute];
    revealing r = {
        .n = n, .first = tct_belief_position(from, first), .width = model->variables->first[attribute + 1] - first};
    double *priors = tct_malloc(r.width, sizeof *priors);
    size_t *row_of = tct_malloc(r.width, sizeof *row_of);
    tct_belief *b = tct_belief_alloc(model, from->n_known + model->codec->domains[attribute].width,
                                     from->n_seen + r.width, n - r.width);

    *out = NULL;
    r.n_rows = from->n_seen;
    r.cov = tct_malloc(n * n, sizeof *r.cov);
    r.offset = tct_malloc(n, sizeof *r.offset);
    r.rows = tct_malloc((from->n_seen + r.width) * n, sizeof *r.rows);
    r.columns = tct_calloc(PANEL * n, sizeof *r.columns);
    r.gains = tct_calloc(PANEL * n, sizeof *r.gains);
    if (b && priors && row_of && r.cov && r.offset && r.rows && r.columns && r.gains) {
        for (size_t i = 0; i < r.width; i++)
            priors[i] = model->covariance[(first + i) * d + first + i];
        memcpy(r.cov, from->cov, n * n * sizeof *r.cov);
        memcpy(r.offset, from->offset, n * sizeof *r.offset);
        memcpy(r.rows, from->map, from->n_seen * n * sizeof *r.rows);
        reveal_all(&r, priors, row_of);
        write_belief(&r, b, from, row_of);
        tct_belief_add_known(b, from, model, attribute);
        *out = b;
    } else {
        tct_belief_free(b);
    }
    tct_free(priors);
    tct_free(row_of);
    tct_free(r.cov);
    tct_free(r.offset);
    tct_free(r.rows);
    tct_free(r.columns);
    tct_free(r.gains);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

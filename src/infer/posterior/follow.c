/*
 * follow.c -- conditioning on one answer after the other without the covariance of everything.
 *
 * Let C be the covariance at the start and the answers so far have had, when their turn came, columns h_i and variances
 * v_i.  The next one, j, has by (1) of docs/METHOD.md the column and variance
 *
 *     h = C_:j - sum_i h_i h_i[j] / v_i      v = h[j]
 *
 * and moves means by h / v (x_j - mean_j), variances by -h^2 / v.  That is one column of length n from t earlier ones: n t
 * products where a whole covariance takes n^2, and no memory but the columns.  Variables that are known are taken out of the
 * columns once they are a quarter of them.  The tolerance for what is determined is that of belief.c.
 */
#include "follow.h"

#include <string.h>

#include "panel.h"

enum { FROM_QUESTIONS = 64, SHARE_GONE = 4 };

struct tct_follow {
    const tacit_model *model;
    size_t d;                /* variables of the model: what there is room for */
    const tct_belief *start; /* NULL: with nobody */
    size_t n_start;          /* its unknown variables */
    size_t *before;          /* d: what it knows, and ... */
    double *values_before;
    size_t n_before;
    size_t n, *seen; /* d: since then, and ... */
    double *values;
    double *mean, *variance; /* by position in the start */
    size_t m;                /* entries of columns */
    size_t *position;        /* m: of each in the start */
    size_t *entry;           /* by position: the entry, or TACIT_NONE */
    size_t n_gone;           /* of the entries, known by now */
    size_t n_columns;
    double **columns; /* n_columns rows of m; d of them */
    double *pivots;   /* n_columns */
    double *factors;  /* n_columns */
    double *room;     /* the columns' memory, d x d, touched as far as it is needed */
};

bool tct_follow_applies(const tacit_model *model)
{
    const size_t *first = model->variables->first;
    size_t n = 0;

    if (!tct_additive(model->classifier) || model->classifier->n_scores != 1)
        return false;
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        if (model->schema->attributes[a].role != TACIT_SENSITIVE)
            continue;
        if (first[a + 1] - first[a] != 1)
            return false;
        n++;
    }
    return n >= FROM_QUESTIONS;
}

tacit_status tct_follow_new(tct_follow **out, const tacit_model *model, tacit_error *err)
{
    size_t d = model->variables->n;
    tct_follow *f = *out = tct_calloc(1, sizeof *f);

    if (!f)
        return tct_fail_memory(err);
    f->model = model;
    f->d = d;
    f->before = tct_calloc(d + 1, sizeof *f->before);
    f->values_before = tct_calloc(d + 1, sizeof *f->values_before);
    f->seen = tct_calloc(d + 1, sizeof *f->seen);
    f->values = tct_calloc(d + 1, sizeof *f->values);
    f->mean = tct_calloc(d + 1, sizeof *f->mean);
    f->variance = tct_calloc(d + 1, sizeof *f->variance);
    f->position = tct_calloc(d + 1, sizeof *f->position);
    f->entry = tct_calloc(d + 1, sizeof *f->entry);
    f->columns = tct_calloc(d + 1, sizeof *f->columns);
    f->pivots = tct_calloc(d + 1, sizeof *f->pivots);
    f->factors = tct_calloc(d + 1, sizeof *f->factors);
    f->room = tct_malloc(d + 1, (d + 1) * sizeof *f->room);
    if (!f->before || !f->values_before || !f->seen || !f->values || !f->mean || !f->variance || !f->position ||
        !f->entry || !f->columns || !f->pivots || !f->factors || !f->room) {
        tct_follow_free(f);
        *out = NULL;
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < d; i++)
        f->columns[i] = f->room + i * d;
    return TACIT_OK;
}

void tct_follow_forget(tct_follow *f)
{
    tct_wipe(f->values_before, f->n_before * sizeof *f->values_before);
    tct_wipe(f->values, f->n * sizeof *f->values);
    tct_wipe(f->seen, f->n * sizeof *f->seen);
    tct_wipe(f->mean, f->n_start * sizeof *f->mean);
    f->start = NULL;
    f->n = f->n_before = 0;
}

void tct_follow_free(tct_follow *f)
{
    if (!f)
        return;
    if (f->values_before && f->values && f->seen && f->mean)
        tct_follow_forget(f);
    tct_free(f->before);
    tct_free(f->values_before);
    tct_free(f->seen);
    tct_free(f->values);
    tct_free(f->mean);
    tct_free(f->variance);
    tct_free(f->position);
    tct_free(f->entry);
    tct_free(f->columns);
    tct_free(f->pivots);
    tct_free(f->factors);
    tct_free(f->room);
    tct_free(f);
}

/* At the start of somebody's way. */
static void set_out(tct_follow *f, const tct_belief *start, const double *x)
{
    tct_follow_forget(f);
    f->start = start;
    f->n_before = start->n_seen;
    f->n_start = f->m = start->n_unknown;
    f->n_gone = f->n_columns = 0;
    memcpy(f->before, start->seen, start->n_seen * sizeof *f->before);
    for (size_t i = 0; i < start->n_seen; i++)
        f->values_before[i] = tct_variable_value(start->variables, start->seen[i], x);
    tct_belief_mean(start, x, f->mean);
    for (size_t u = 0; u < f->n_start; u++) {
        f->variance[u] = start->cov[u * f->n_start + u];
        f->position[u] = f->entry[u] = u;
    }
}

/* Take what is known out of the columns. */
static void close_up(tct_follow *f)
{
    size_t left = 0;

    for (size_t c = 0; c < f->n_columns; c++) {
        double *column = f->columns[c];
        size_t to = 0;

        for (size_t k = 0; k < f->m; k++)
            if (f->entry[f->position[k]] != TACIT_NONE)
                column[to++] = column[k];
    }
    for (size_t k = 0; k < f->m; k++)
        if (f->entry[f->position[k]] != TACIT_NONE) {
            f->entry[f->position[k]] = left;
            f->position[left++] = f->position[k];
        }
    f->m = left;
    f->n_gone = 0;
}

/* One more variable is known; p: its position in the start. */
static void reveal(tct_follow *f, size_t variable, double value)
{
    size_t p = tct_belief_position(f->start, variable), at = f->entry[p], d = f->model->variables->n;
    const double *prior = f->start->cov + p * f->n_start;
    double variance = f->variance[p], *column = f->columns[f->n_columns], off = value - f->mean[p];

    f->seen[f->n] = variable;
    f->values[f->n++] = value;
    f->entry[p] = TACIT_NONE;
    f->n_gone++;
    if (!tct_determined(variance, f->model->covariance[variable * d + variable])) {
        for (size_t k = 0; k < f->m; k++)
            column[k] = prior[f->position[k]];
        for (size_t c = 0; c < f->n_columns; c++)
            f->factors[c] = f->columns[c][at] / f->pivots[c];
        tct_panel_lose(column, 0, f->m, f->factors, (const double *const *)f->columns, f->n_columns);
        for (size_t k = 0; k < f->m; k++) {
            double gain = column[k] / variance, less = f->variance[f->position[k]] - gain * column[k];

            f->mean[f->position[k]] += gain * off;
            f->variance[f->position[k]] = less > 0 ? less : 0;
        }
        f->pivots[f->n_columns++] = variance;
    }
    if (f->n_gone * SHARE_GONE >= f->m)
        close_up(f);
}

/* Is where it stands on the way to what is asked for? */
static bool on_the_way(const tct_follow *f, const tct_belief *start, const size_t *seen, size_t n, const double *x)
{
    if (f->start != start || f->n_before != start->n_seen || f->n_start != start->n_unknown || f->n > n)
        return false;
    for (size_t i = 0; i < f->n_before; i++)
        if (f->before[i] != start->seen[i] ||
            f->values_before[i] != tct_variable_value(start->variables, f->before[i], x))
            return false;
    for (size_t i = 0; i < f->n; i++)
        if (f->seen[i] != seen[i] || f->values[i] != tct_variable_value(start->variables, seen[i], x))
            return false;
    return true;
}

void tct_follow_to(tct_follow *f, const tct_belief *start, const size_t *seen, size_t n, const double *x)
{
    if (!on_the_way(f, start, seen, n, x))
        set_out(f, start, x);
    while (f->n < n)
        tct_follow_next(f, seen[f->n], x);
}

void tct_follow_next(tct_follow *f, size_t variable, const double *x)
{
    reveal(f, variable, tct_variable_value(f->start->variables, variable, x));
}

const double *tct_follow_means(const tct_follow *f)
{
    return f->mean;
}

const double *tct_follow_variances(const tct_follow *f)
{
    return f->variance;
}

/*
 * belief_start.c -- the belief of everybody of whom the same attributes are known from the start.
 *
 * Does to each number what revealing one attribute after the other does (belief.c), in the same order, so the result is
 * the same.  But it works in place, on the lower triangle of one copy of the covariance, and an input that is
 * determined by those before it costs nothing: with n people and d > n inputs that is all but n - 1 of them, and d^2 n
 * steps do what takes d^3 otherwise.
 *
 * The inputs become known in ascending order.  So when it is the turn of input p, those below p that are still unknown
 * are the ones that stay unknown, a short list as a rule; those above p are all unknown.
 */
#include <string.h>

#include "belief.h"

typedef struct starting {
    size_t d, n_stay, n_below; /* n_below: of those that stay unknown, how many are below the input whose turn it is */
    const size_t *stay;        /* inputs that stay unknown, ascending */
    double *cov;               /* d x d; the lower triangle counts, and of it what is still unknown */
    double *offset;            /* d */
    double *rows;              /* n_rows x d: map of inputs that were not determined */
    size_t n_rows;
    double *column, *gain; /* d each */
} starting;

static void update_row(starting *s, size_t p, size_t u)
{
    double *row = s->cov + u * s->d, gain = s->gain[u];

    for (size_t i = 0; i < s->n_below && s->stay[i] <= u; i++)
        row[s->stay[i]] -= gain * s->column[s->stay[i]];
    for (size_t v = p + 1; v <= u; v++)
        row[v] -= gain * s->column[v];
    if (row[u] < 0)
        row[u] = 0;
}

static void update_map(starting *s, size_t p)
{
    for (size_t r = 0; r < s->n_rows; r++) {
        double *row = s->rows + r * s->d, here = row[p];

        for (size_t i = 0; i < s->n_below; i++)
            row[s->stay[i]] -= s->gain[s->stay[i]] * here;
        for (size_t u = p + 1; u < s->d; u++)
            row[u] -= s->gain[u] * here;
    }
    memcpy(s->rows + s->n_rows++ * s->d, s->gain, s->d * sizeof *s->gain);
}

/* Input p becomes known; it is not determined. */
static void reveal(starting *s, size_t p)
{
    size_t d = s->d;
    double variance = s->cov[p * d + p], here = s->offset[p];

    for (size_t i = 0; i < s->n_below; i++)
        s->column[s->stay[i]] = s->cov[p * d + s->stay[i]];
    for (size_t u = p + 1; u < d; u++)
        s->column[u] = s->cov[u * d + p];
    for (size_t i = 0; i < s->n_below; i++) {
        size_t u = s->stay[i];

        s->gain[u] = s->column[u] / variance;
        s->offset[u] -= s->gain[u] * here;
    }
    for (size_t u = p + 1; u < d; u++) {
        s->gain[u] = s->column[u] / variance;
        s->offset[u] -= s->gain[u] * here;
    }
    for (size_t i = 0; i < s->n_below; i++)
        update_row(s, p, s->stay[i]);
    for (size_t u = p + 1; u < d; u++)
        update_row(s, p, u);
    update_map(s, p);
}

/* All known inputs in turn; what stays unknown goes into the belief. */
static void reveal_all(starting *s, tct_belief *b, const tacit_model *model, size_t *row_of)
{
    size_t d = s->d;

    for (size_t i = 0; i < b->n_seen; i++) {
        size_t p = b->seen[i];

        while (s->n_below < s->n_stay && s->stay[s->n_below] < p)
            s->n_below++;
        row_of[i] = TACIT_NONE;
        if (tct_determined(s->cov[p * d + p], model->covariance[p * d + p]))
            continue;
        row_of[i] = s->n_rows;
        reveal(s, p);
    }
    for (size_t u = 0; u < s->n_stay; u++) {
        b->offset[u] = s->offset[s->stay[u]];
        for (size_t v = 0; v <= u; v++)
            b->cov[u * s->n_stay + v] = b->cov[v * s->n_stay + u] = s->cov[s->stay[u] * d + s->stay[v]];
        for (size_t i = 0; i < b->n_seen; i++)
            b->map[i * s->n_stay + u] = row_of[i] == TACIT_NONE ? 0.0 : s->rows[row_of[i] * d + s->stay[u]];
    }
}

/* Inputs and variables that are known. */
static void count_known(const tacit_model *model, const unsigned char *known, size_t *inputs, size_t *seen)
{
    const size_t *first = model->variables->first;

    *inputs = *seen = 0;
    for (size_t a = 0; known && a < model->schema->n_attributes; a++) {
        *inputs += known[a] ? model->codec->domains[a].width : 0;
        *seen += known[a] ? first[a + 1] - first[a] : 0;
    }
}

static void list_inputs(tct_belief *b, const tacit_model *model, const unsigned char *known)
{
    const size_t *first = model->variables->first;
    size_t k = 0, s = 0, u = 0;

    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        for (size_t i = 0; known[a] && i < model->codec->domains[a].width; i++)
            b->known[k++] = model->codec->domains[a].first + i;
        for (size_t v = first[a]; v < first[a + 1]; v++)
            if (known[a])
                b->seen[s++] = v;
            else
                b->unknown[u++] = v;
    }
}

tacit_status tct_belief_start(tct_belief **out, const tacit_model *model, const unsigned char *known, tacit_error *err)
{
    size_t d = model->variables->n, n_inputs, n_known;
    starting s = {.d = d};
    tct_belief *b;
    size_t *row_of;

    count_known(model, known, &n_inputs, &n_known);
    s.n_stay = d - n_known;
    if (n_known == 0)
        return tct_belief_prior(out, model, err);
    *out = NULL;
    b = tct_belief_alloc(model, n_inputs, n_known, d - n_known);
    row_of = tct_malloc(n_known, sizeof *row_of);
    s.cov = tct_malloc(d * d, sizeof *s.cov);
    s.rows = tct_malloc(n_known * d, sizeof *s.rows); /* touched only as far as it is needed */
    s.offset = tct_malloc(d, sizeof *s.offset);
    s.column = tct_calloc(d, sizeof *s.column);
    s.gain = tct_calloc(d, sizeof *s.gain);
    if (b && row_of && s.cov && s.rows && s.offset && s.column && s.gain) {
        list_inputs(b, model, known);
        s.stay = b->unknown;
        memcpy(s.cov, model->covariance, d * d * sizeof *s.cov);
        memcpy(s.offset, tct_variable_means(model->variables), d * sizeof *s.offset);
        reveal_all(&s, b, model, row_of);
        *out = b;
    } else {
        tct_belief_free(b);
    }
    tct_free(row_of);
    tct_free(s.cov);
    tct_free(s.rows);
    tct_free(s.offset);
    tct_free(s.column);
    tct_free(s.gain);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

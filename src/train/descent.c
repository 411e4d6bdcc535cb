/*
 * descent.c -- one network on its way down: forward and back through a batch, and a step.
 *
 * A batch's points stand side by side (descent_lanes.c).  Lanes beyond the batch (it is filled up to a multiple of RUN,
 * and the last one may be short) have inputs of 0 and residuals of 0: they add nothing.  All memory is taken before the
 * first step.
 */
#include "descent.h"

#include "simd.h"

enum { RUN = 8, TILE = 4 };

/* ---- loops that go number by number, compiled for several instruction sets: the same bits in all ---- */

TCT_INLINED void rectify_body(double *z, size_t n)
{
    for (size_t k = 0; k < n; k++)
        z[k] = z[k] > 0 ? z[k] : 0;
}

/* max(z, 0) */
TCT_SIMD_FUNCTION(void, rectify, rectify_body, (double *z, size_t n), (z, n))

TCT_INLINED void hold_back_body(double *restrict z, const double *restrict in, size_t n)
{
    for (size_t k = 0; k < n; k++)
        z[k] = in[k] > 0 ? z[k] : 0;
}

/* z where `in` is above 0, else 0. */
TCT_SIMD_FUNCTION(void, hold_back, hold_back_body, (double *z, const double *in, size_t n), (z, in, n))

TCT_INLINED void scale_body(double *z, double by, size_t n)
{
    for (size_t k = 0; k < n; k++)
        z[k] *= by;
}

TCT_SIMD_FUNCTION(void, scale, scale_body, (double *z, double by, size_t n), (z, by, n))

TCT_INLINED void go_down_body(double *restrict w, double *restrict first, const double *restrict g, size_t n,
                              double momentum, double rate)
{
    for (size_t k = 0; k < n; k++) {
        first[k] = momentum * first[k] + g[k];
        w[k] -= rate * first[k];
    }
}

TCT_SIMD_FUNCTION(void, go_down, go_down_body,
                  (double *w, double *first, const double *g, size_t n, double momentum, double rate),
                  (w, first, g, n, momentum, rate))

typedef double four __attribute__((vector_size(TILE * sizeof(double))));
typedef double four_loose __attribute__((vector_size(TILE * sizeof(double)), aligned(8), may_alias)); /* in memory */
#define LOAD(from) ((four)(*(const four_loose *)(const void *)(from)))
#define STORE(to, value) (*(four_loose *)(void *)(to) = (value))

/* TILE rows of d numbers become columns: number i of row r goes to[i * stride + r]. */
TCT_INLINED void turn_body(const double *const *row, size_t d, double *to, size_t stride)
{
    size_t i = 0;

    for (; i + TILE <= d; i += TILE) {
        four a = LOAD(row[0] + i), b = LOAD(row[1] + i), c = LOAD(row[2] + i), e = LOAD(row[3] + i);
        four even_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        four even_ce = __builtin_shufflevector(c, e, 0, 4, 2, 6), odd_ce = __builtin_shufflevector(c, e, 1, 5, 3, 7);

        STORE(to + i * stride, __builtin_shufflevector(even_ab, even_ce, 0, 1, 4, 5));
        STORE(to + (i + 1) * stride, __builtin_shufflevector(odd_ab, odd_ce, 0, 1, 4, 5));
        STORE(to + (i + 2) * stride, __builtin_shufflevector(even_ab, even_ce, 2, 3, 6, 7));
        STORE(to + (i + 3) * stride, __builtin_shufflevector(odd_ab, odd_ce, 2, 3, 6, 7));
    }
    for (; i < d; i++)
        for (size_t r = 0; r < TILE; r++)
            to[i * stride + r] = row[r][i];
}

TCT_SIMD_FUNCTION(void, turn, turn_body, (const double *const *row, size_t d, double *to, size_t stride),
                  (row, d, to, stride))

/* ---- setting up ---- */

/* Cut `block` into its parts; with block NULL only counts. */
static size_t cut(tct_descent *t)
{
    double *at = t->block;
    size_t used = 4 * t->n_parameters, widest = 0;

    for (size_t l = 0; l <= t->n_layers; l++) {
        used += t->sizes[l] * t->lanes;
        if (t->sizes[l] > widest)
            widest = t->sizes[l];
    }
    used += 2 * widest * t->lanes;
    if (!at)
        return used;
    t->parameters = at;
    t->gradient = at + t->n_parameters;
    t->first = at + 2 * t->n_parameters;
    t->second = at + 3 * t->n_parameters;
    at = t->parameters;
    for (size_t l = 0; l < t->n_layers; l++) {
        t->weights[l] = at;
        t->to_weights[l] = at + t->n_parameters;
        at += t->sizes[l] * t->sizes[l + 1];
        t->bias[l] = at;
        t->to_bias[l] = at + t->n_parameters;
        at += t->sizes[l + 1];
    }
    at = t->second + t->n_parameters;
    for (size_t l = 0; l <= t->n_layers; l++) {
        t->values[l] = at;
        at += t->sizes[l] * t->lanes;
    }
    t->back[0] = at;
    t->back[1] = at + widest * t->lanes;
    return used;
}

tacit_status tct_descent_init(tct_descent *t, const tct_points *points, size_t n_classes,
                              const tct_mlp_options *options, tacit_error *err)
{
    size_t batch = options->batch < points->n ? options->batch : points->n;

    *t = (tct_descent){.options = options, .points = points, .n_layers = options->n_hidden + 1};
    t->sizes[0] = points->d;
    for (size_t l = 0; l < options->n_hidden; l++)
        t->sizes[l + 1] = options->hidden[l];
    t->sizes[t->n_layers] = n_classes == 2 ? 1 : n_classes;
    t->lanes = (batch + RUN - 1) / RUN * RUN;
    for (size_t l = 0; l < t->n_layers; l++)
        t->n_parameters += (t->sizes[l] + 1) * t->sizes[l + 1];
    t->n_block = cut(t);
    t->block = tct_calloc(t->n_block, sizeof(double));
    t->order = tct_malloc(points->n, sizeof(size_t));
    t->batch = tct_malloc(t->lanes, sizeof(int32_t));
    if (!t->block || !t->order || !t->batch)
        return tct_fail_memory(err);
    cut(t);
    for (size_t r = 0; r < points->n; r++)
        t->order[r] = r;
    return TACIT_OK;
}

void tct_descent_clear(tct_descent *t)
{
    tct_free_wiped(t->block, t->n_block * sizeof(double));
    tct_free_wiped(t->batch, t->lanes * sizeof(int32_t));
    tct_free(t->order);
    *t = (tct_descent){0};
}

/* ---- one batch ---- */

/* Inputs and labels of `m` points from place `from` of the order on. */
static void gather(tct_descent *t, size_t from, size_t m)
{
    size_t d = t->sizes[0];

    size_t r = 0;

    for (; r + TILE <= m; r += TILE) {
        const double *rows[TILE];

        for (size_t k = 0; k < TILE; k++)
            rows[k] = t->points->rows + t->order[from + r + k] * d;
        turn(rows, d, t->values[0] + r, t->lanes);
    }
    for (; r < m; r++)
        for (size_t i = 0; i < d; i++)
            t->values[0][i * t->lanes + r] = t->points->rows[t->order[from + r] * d + i];
    for (size_t k = 0; k < m; k++)
        t->batch[k] = t->points->labels[t->order[from + k]];
    for (; r < t->lanes; r++) {
        for (size_t i = 0; i < d; i++)
            t->values[0][i * t->lanes + r] = 0;
    }
}

/* Values of all layers; returns the sum of losses of the first m lanes and leaves residuals in the last values. */
static double forward(tct_descent *t, size_t m)
{
    const tct_descent_loops *loops = tct_descent_best();
    size_t last = t->n_layers, n_scores = t->sizes[last];
    double *z = t->values[last], loss;

    for (size_t l = 0; l < last; l++) {
        double *out = t->values[l + 1];
        loops->combine(t->weights[l], t->sizes[l], 1, t->bias[l], t->sizes[l], t->sizes[l + 1], t->values[l], out,
                       t->lanes);
        if (l + 1 < last)
            rectify(out, t->sizes[l + 1] * t->lanes);
    }
    loss = tct_log_losses(t->batch, m, n_scores, z, t->lanes);
    for (size_t s = 0; s < n_scores; s++) {
        for (size_t r = m; r < t->lanes; r++)
            z[s * t->lanes + r] = 0;
    }
    return loss;
}

/* Sums over the batch of the derivatives by all parameters. */
static void backward(tct_descent *t)
{
    const tct_descent_loops *loops = tct_descent_best();
    const double *delta = t->values[t->n_layers];

    for (size_t l = t->n_layers; l-- > 0;) {
        size_t n_in = t->sizes[l], n_out = t->sizes[l + 1];
        const double *in = t->values[l];
        double *next = t->back[l % 2];
        loops->outer(delta, in, n_in, n_out, t->lanes, t->to_weights[l], t->to_bias[l]);
        if (l == 0)
            return;
        loops->combine(t->weights[l], 1, n_in, NULL, n_out, n_in, delta, next, t->lanes);
        hold_back(next, in, n_in * t->lanes);
        delta = next;
    }
}

/* Mean gradient of a batch of m, penalty included, in place of the sums. */
static void average(tct_descent *t, size_t m)
{
    double share = 1 / (double)m, decay = t->options->l2 / (double)t->points->n;

    scale(t->gradient, share, t->n_parameters);
    for (size_t l = 0; l < t->n_layers && decay > 0; l++) {
        for (size_t i = 0; i < t->sizes[l] * t->sizes[l + 1]; i++)
            t->to_weights[l][i] += decay * t->weights[l][i];
    }
}

static void step(tct_descent *t, double rate)
{
    t->steps++;
    if (t->options->adam)
        tct_descent_best()->adam(t->parameters, t->first, t->second, t->gradient, t->n_parameters, rate, t->steps);
    else
        go_down(t->parameters, t->first, t->gradient, t->n_parameters, t->options->momentum, rate);
}

/* ---- epochs ---- */

void tct_descent_shuffle(tct_descent *t, tct_random *random)
{
    tct_random_shuffle(random, t->order, t->points->n);
}

double tct_descent_epoch(tct_descent *t, double rate)
{
    size_t n = t->points->n;
    double loss = 0;

    for (size_t from = 0; from < n;) {
        size_t m = n - from < t->options->batch ? n - from : t->options->batch;
        gather(t, from, m);
        loss += forward(t, m);
        backward(t);
        average(t, m);
        step(t, rate);
        from += m;
    }
    return loss / (double)n;
}

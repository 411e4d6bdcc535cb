/*
 * newton.c -- damped Newton steps, for people that L-BFGS cannot cope with.
 *
 * Where the tails of inputs are thousands of times as long as their spread, the objective is so much steeper along some
 * parameters than along others that L-BFGS and conjugate gradients get stuck far from the minimum.  Newton steps do not mind
 * sizes.  The objective is convex, so as long as every step goes down by its share of what the slope promises, they come to the
 * minimum.  It is slow, n q^2 for q parameters and step, so it comes last and for few parameters.
 *
 * Inputs are read as (x - middle) / width one by one, and not by way of weights for inputs as they are, whose sums lose digits
 * where spreads are narrow.  With several scores all biases may grow together for nothing, and the weights of an input for next to
 * nothing: no more than rounding is left of a penalty beside inputs of 10^9.  The squares of these sums are curved up, which changes
 * no step, as sums of gradients are 0 where those of weights are.
 */
#include "newton.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 256,
    LANES = 4, /* independent sums in a dot product */
    MOST_PARAMETERS = 1024,
    STEPS = 200,
    HALVINGS = 40 /* of one of them */
};
static const double WORK = (double)((uint64_t)1 << 36); /* n q^2, at most: seconds a step */
static const double DOWNHILL = 1e-4;                    /* of what the slope promises, a step must bring so much */
static const double NEAR = 1e-12; /* of the objective: promised less, it is the minimum, however steep it looks */

/* Room for all of it: one allocation. */
typedef struct workspace {
    size_t q;
    double *gradient, *hessian, *step, *there;
    double *inputs; /* (d + 1) x CHUNK, the last ones 1 */
    double *z;      /* n_scores x CHUNK */
    double *bent;   /* CHUNK */
    double *all;
    size_t size;
} workspace;

bool tct_newton_small(size_t n, size_t n_inputs, size_t n_scores)
{
    size_t q = n_inputs < MOST_PARAMETERS ? n_scores * (n_inputs + 1) : SIZE_MAX;

    return q <= MOST_PARAMETERS && (double)n * (double)q * (double)q <= WORK;
}

static tacit_status make_workspace(workspace *k, const tct_newton *p, tacit_error *err)
{
    size_t q = p->n_scores * (p->d + 1), people = (p->d + 1 + p->n_scores + 1) * CHUNK;

    *k = (workspace){.q = q, .size = 3 * q + q * q + people};
    k->all = tct_malloc(k->size, sizeof *k->all);
    if (!k->all)
        return tct_fail_memory(err);
    k->gradient = k->all;
    k->step = k->gradient + q;
    k->there = k->step + q;
    k->hessian = k->there + q;
    k->inputs = k->hessian + q * q;
    k->z = k->inputs + (p->d + 1) * CHUNK;
    k->bent = k->z + p->n_scores * CHUNK;
    return TACIT_OK;
}

/* Place of the weight of input i for score s; of its bias, i = d. */
static size_t place_of(const tct_newton *p, size_t s, size_t i)
{
    return i < p->d ? s * p->d + i : p->n_scores * p->d + s;
}

/* Inputs of `m` points as they are read. */
static void read_inputs(const tct_newton *p, const workspace *k, size_t first, size_t m)
{
    const tct_levelled *levels = p->levels;

    memset(k->inputs, 0, p->d * CHUNK * sizeof *k->inputs);
    for (size_t c = 0; c < (levels ? levels->n_columns : p->d); c++) {
        size_t i = levels && levels->inputs ? levels->inputs[c] : c;
        double middle = p->spread ? p->spread->middle[i] : 0, width = p->spread ? p->spread->width[i] : 1;

        for (size_t r = 0; r < m; r++)
            k->inputs[i * CHUNK + r] = (p->x[c * p->stride + first + r] - middle) / width;
    }
    for (size_t c = 0; levels && c < levels->n_categories; c++)
        for (size_t r = 0; r < m; r++)
            k->inputs[(levels->first[c] + levels->levels[c][first + r]) * CHUNK + r] = 1;
    for (size_t r = 0; r < m; r++)
        k->inputs[p->d * CHUNK + r] = 1;
}

/* These, and their scores. */
static void read_chunk(const tct_newton *p, const workspace *k, const double *w, size_t first, size_t m)
{
    read_inputs(p, k, first, m);
    memset(k->z, 0, p->n_scores * CHUNK * sizeof *k->z);
    for (size_t s = 0; s < p->n_scores; s++)
        for (size_t i = 0; i <= p->d; i++)
            for (size_t r = 0; r < m; r++)
                k->z[s * CHUNK + r] += w[place_of(p, s, i)] * k->inputs[i * CHUNK + r];
}

static double dot(const double *a, const double *b, size_t m)
{
    double sums[LANES] = {0};
    size_t r = 0;

    for (; r + LANES <= m; r += LANES)
        for (size_t k = 0; k < LANES; k++)
            sums[k] += a[r + k] * b[r + k];
    for (size_t k = 0; r < m; r++, k++)
        sums[k] += a[r] * b[r];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* bent[r]: how the derivative by score s changes with score t, from the residuals: a probability is the residual, and 1 more
 * at the label. */
static void bend(const tct_newton *p, const workspace *k, size_t first, size_t m, size_t s, size_t t)
{
    const double *a = k->z + s * CHUNK, *b = k->z + t * CHUNK;

    for (size_t r = 0; r < m; r++) {
        size_t label = (size_t)p->labels[first + r];

        if (s == t)
            k->bent[r] = fabs(a[r]) * (1 - fabs(a[r]));
        else
            k->bent[r] = -(a[r] + (label == s)) * (b[r] + (label == t));
    }
}

static void add_hessian(const tct_newton *p, const workspace *k, size_t first, size_t m)
{
    double product[CHUNK];

    for (size_t s = 0; s < p->n_scores; s++)
        for (size_t t = 0; t <= s; t++) {
            bend(p, k, first, m, s, t);
            for (size_t i = 0; i <= p->d; i++) {
                for (size_t r = 0; r < m; r++)
                    product[r] = k->bent[r] * k->inputs[i * CHUNK + r];
                for (size_t j = 0; j <= (s == t ? i : p->d); j++) {
                    size_t a = place_of(p, s, i), b = place_of(p, t, j);

                    k->hessian[(a > b ? a : b) * k->q + (a > b ? b : a)] += dot(product, k->inputs + j * CHUNK, m);
                }
            }
        }
    tct_wipe(product, sizeof product);
}

/* Curve up the square of the sum of what the scores have for each input. */
static void bend_sums(const tct_newton *p, const workspace *k)
{
    for (size_t i = 0; i <= p->d; i++) {
        double most = 0;

        for (size_t s = 0; s < p->n_scores; s++)
            most = fmax(most, k->hessian[place_of(p, s, i) * (k->q + 1)]);
        for (size_t s = 0; s < p->n_scores; s++)
            for (size_t t = 0; t <= s; t++)
                k->hessian[place_of(p, s, i) * k->q + place_of(p, t, i)] += most;
    }
}

/* The objective at w, and its gradient and, if `bent`, the lower triangle of its Hessian. */
static double evaluate(const tct_newton *p, const workspace *k, const double *w, bool bent)
{
    size_t q = k->q, n_weights = p->n_scores * p->d;
    double value = 0;

    memset(k->gradient, 0, q * sizeof *k->gradient);
    if (bent)
        memset(k->hessian, 0, q * q * sizeof *k->hessian);
    for (size_t first = 0; first < p->n; first += CHUNK) {
        size_t m = p->n - first < CHUNK ? p->n - first : CHUNK;

        read_chunk(p, k, w, first, m);
        value += tct_log_losses(p->labels + first, m, p->n_scores, k->z, CHUNK);
        for (size_t s = 0; s < p->n_scores; s++)
            for (size_t i = 0; i <= p->d; i++)
                k->gradient[place_of(p, s, i)] += dot(k->z + s * CHUNK, k->inputs + i * CHUNK, m);
        if (bent)
            add_hessian(p, k, first, m);
    }
    for (size_t i = 0; i < n_weights; i++) {
        k->gradient[i] += p->l2 * w[i];
        value += p->l2 / 2 * w[i] * w[i];
        if (bent)
            k->hessian[i * q + i] += p->l2;
    }
    if (bent && p->n_scores > 1)
        bend_sums(p, k);
    return value;
}

bool tct_newton_solve(double *matrix, const double *v, size_t q, double *step)
{
    for (size_t i = 0; i < q; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * q + j];

            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * q + k] * matrix[j * q + k];
            if (i == j && !(sum > 0))
                return false;
            matrix[i * q + j] = i == j ? sqrt(sum) : sum / matrix[j * q + j];
        }
        step[i] = v[i];
        for (size_t k = 0; k < i; k++)
            step[i] -= matrix[i * q + k] * step[k];
        step[i] /= matrix[i * q + i];
    }
    for (size_t i = q; i-- > 0;) {
        for (size_t k = i + 1; k < q; k++)
            step[i] -= matrix[k * q + i] * step[k];
        step[i] /= matrix[i * q + i];
    }
    return true;
}

/* As much of the step as goes down; there is none: false. */
static bool step_down(const tct_newton *p, const workspace *k, double *w, double value, double slope)
{
    double share = 1;

    for (size_t n = 0; n < HALVINGS; n++, share /= 2) {
        for (size_t i = 0; i < k->q; i++)
            k->there[i] = w[i] - share * k->step[i];
        if (evaluate(p, k, k->there, false) <= value - DOWNHILL * share * slope) {
            memcpy(w, k->there, k->q * sizeof *w);
            return true;
        }
    }
    return false;
}

tacit_status tct_newton_minimise(const tct_newton *p, double *w, double flat, bool *found, tacit_error *err)
{
    workspace k;
    tacit_status st = make_workspace(&k, p, err);
    bool down = true, near;

    *found = false;
    for (size_t n = 0; n < STEPS && down && !st; n++) {
        double value = evaluate(p, &k, w, true), slope;

        *found = sqrt(dot(k.gradient, k.gradient, k.q)) <= flat;
        if (p->progress && !p->progress(p->context, n, 0)) {
            st = tct_fail(err, TACIT_E_STOPPED, "training was stopped");
            break;
        }
        if (!isfinite(value) || !tct_newton_solve(k.hessian, k.gradient, k.q, k.step))
            break;
        slope = dot(k.gradient, k.step, k.q);
        near = slope <= NEAR * value;
        *found = *found || near;
        down = step_down(p, &k, w, value, slope) && !near; /* after that the objective tells no more */
    }
    tct_free_wiped(k.all, k.all ? k.size * sizeof *k.all : 0);
    return st;
}

/*
 * logistic.c -- training: binary and multinomial logistic regression with a squared penalty, by L-BFGS (libLBFGS).
 *
 *   minimise   sum over points of log loss  +  l2/2 sum of squared weights,   biases free of penalty
 *
 * where the weights are those of the inputs as they are, or per spread (spread.c): then these are what is sought.
 *
 * Two classes: one row of weights, log loss log(1 + exp(-z)) with z the score signed by the class.  More classes:
 * softmax, one row per class, log loss log sum exp(z) - z_y.  The objective of softmax does not change when the same
 * number is added to all biases; of all minima the one whose biases sum to zero is taken.
 *
 * Same bits for any number of threads: points are cut into parts whose number depends on the number of points only,
 * each part sums its loss and gradient by itself, and the parts are added in order.  Inside a part, chunks of points
 * small enough for the cache go through three steps: scores, losses with residuals in place of the scores, gradient.
 *
 * How exact: L-BFGS compares objectives, and near the minimum those agree to the last bit while weights that hardly
 * matter (say a constant moved from a bias to all levels of a category) are still off in the fourth digit.  There its
 * line search gives up.  A few Newton steps go on from the gradient, which stays exact much longer: their linear
 * systems are solved by conjugate gradients, and the Hessian times a vector is a difference of two gradients.  A step
 * that does not shorten the gradient is not taken.
 *
 * Many points and few inputs, two classes: the minimum over every 16th point is near that of all.  From there Newton steps
 * with the Hessian itself, which takes the same pass over the points as the gradient, are through in four or five; the log
 * losses need not be known.  Where they are not, L-BFGS goes on as if nothing had been.
 */
#include "train.h"

#include <lbfgs.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "newton.h"
#include "simd.h"

enum {
    CHUNK = 256,    /* points that go through the steps together */
    MAX_PARTS = 32, /* parts of the points; fixes the order of summation */
    LANES = 4,      /* independent sums in a dot product */
    HISTORY = 20,   /* corrections that L-BFGS remembers */
    MAX_ITERATIONS = 3000,
    NEWTON_STEPS = 5,
    EXP_WORK = 16,         /* a point's exponential and logarithm, in multiplications */
    THREAD_WORK = 4000000, /* multiplications that are worth a thread: a few milliseconds */
    MAX_CG = 250,          /* conjugate gradient steps for one Newton step */
    MANY_POINTS = 1 << 17, /* from so many points on, and ... */
    FEW_INPUTS = 64,       /* ... up to so many inputs, the Hessian itself */
    ONE_OF = 16,           /* points among which to begin */
    MANY_NEWTON = 20,
    WIDENINGS = 3 /* of the spread */
};
static const double FLAT = 1e-5;      /* a gradient this much shorter than at the start: converged */
static const double EXACT = 1e-14;    /* this much: nothing left to gain */
static const double CG_ENOUGH = 1e-5; /* residual of a Newton step against its gradient */
static const double NEARBY = 1e-6;    /* distance of the two gradients that make a Hessian product */

typedef struct problem {
    const double *x; /* column i of point r: x[i * stride + r] */
    size_t stride, n, d, n_scores;
    size_t n_columns;
    const tct_levelled *levels; /* NULL: every input is a column of its own number */
    const int32_t *labels;
    double l2;
    const tct_input_spread *spread; /* NULL: weights of the inputs as they are */
    int threads;
    size_t n_parts, part_size;
    size_t n_parameters; /* n_scores * (d + 1): weights row by row, then biases */
    double *sums;        /* per part: gradient, then loss */
    double *scores;      /* per part: n_scores x CHUNK */
    double *plain;       /* with a spread: the weights of the inputs as they are */
    tacit_progress progress;
    void *context;
} problem;

static size_t input_of(const problem *p, size_t column)
{
    return p->levels && p->levels->inputs ? p->levels->inputs[column] : column;
}

TCT_INLINED void add_scaled_body(double *restrict z, double w, const double *restrict x, size_t m)
{
    for (size_t r = 0; r < m; r++)
        z[r] += w * x[r];
}

TCT_SIMD_FUNCTION(void, add_scaled, add_scaled_body, (double *z, double w, const double *x, size_t m), (z, w, x, m))

/* z[r] = bias + w x of `m` points from `first` on. */
static void score_chunk(const problem *p, const double *w, double bias, size_t first, size_t m, double *restrict z)
{
    for (size_t r = 0; r < m; r++)
        z[r] = bias;
    for (size_t i = 0; i < p->n_columns; i++)
        add_scaled(z, w[input_of(p, i)], p->x + i * p->stride + first, m);
    for (size_t c = 0; p->levels && c < p->levels->n_categories; c++) {
        const double *restrict own = w + p->levels->first[c];
        const uint16_t *levels = p->levels->levels[c] + first;
        for (size_t r = 0; r < m; r++)
            z[r] += own[levels[r]];
    }
}

/* Log losses of `m` points of two classes; scores become residuals, the derivatives of the losses. */
static double logistic_chunk(const int32_t *labels, size_t m, double *z)
{
    double loss = 0;

    for (size_t r = 0; r < m; r++) {
        double e = exp(-fabs(z[r])); /* never overflows */
        double likely = 1 / (1 + e), unlikely = e / (1 + e);
        double wrong = labels[r] ? -z[r] : z[r]; /* how far on the wrong side */
        loss += fmax(wrong, 0) + log1p(e);
        z[r] = (wrong > 0 ? likely : unlikely) * (labels[r] ? -1 : 1);
    }
    return loss;
}

/* The same for more classes; row s of z at z + s * stride. */
static double softmax_chunk(const int32_t *labels, size_t m, size_t n_scores, double *z, size_t stride)
{
    double loss = 0;

    for (size_t r = 0; r < m; r++) {
        size_t y = (size_t)labels[r];
        double top = z[r], total = 0;
        for (size_t s = 1; s < n_scores; s++)
            top = fmax(top, z[s * stride + r]);
        loss -= z[y * stride + r] - top;
        for (size_t s = 0; s < n_scores; s++) {
            z[s * stride + r] = exp(z[s * stride + r] - top);
            total += z[s * stride + r];
        }
        loss += log(total); /* total >= 1 */
        for (size_t s = 0; s < n_scores; s++)
            z[s * stride + r] /= total;
        z[y * stride + r] -= 1;
    }
    return loss;
}

double tct_log_losses(const int32_t *labels, size_t m, size_t n_scores, double *z, size_t stride)
{
    return n_scores == 1 ? logistic_chunk(labels, m, z) : softmax_chunk(labels, m, n_scores, z, stride);
}

TCT_INLINED double dot_body(const double *restrict a, const double *restrict b, size_t m)
{
    double sums[LANES] = {0};
    size_t r = 0;

    for (; r + LANES <= m; r += LANES) {
        for (size_t k = 0; k < LANES; k++)
            sums[k] += a[r + k] * b[r + k];
    }
    for (size_t k = 0; r < m; r++, k++)
        sums[k] += a[r] * b[r];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

TCT_SIMD_FUNCTION(double, dot, dot_body, (const double *a, const double *b, size_t m), (a, b, m))

/* Loss and gradient of one part of the points into its place in p->sums. */
static void sum_part(const problem *p, size_t part, const double *parameters)
{
    const double *biases = parameters + p->n_scores * p->d;
    double *gradient = p->sums + part * (p->n_parameters + 1);
    double *loss = gradient + p->n_parameters, *z = p->scores + part * p->n_scores * CHUNK;
    size_t end = part + 1 == p->n_parts ? p->n : (part + 1) * p->part_size;

    memset(gradient, 0, (p->n_parameters + 1) * sizeof(double));
    for (size_t first = part * p->part_size; first < end; first += CHUNK) {
        size_t m = end - first < CHUNK ? end - first : CHUNK;
        for (size_t s = 0; s < p->n_scores; s++)
            score_chunk(p, parameters + s * p->d, biases[s], first, m, z + s * CHUNK);
        *loss += tct_log_losses(p->labels + first, m, p->n_scores, z, CHUNK);
        for (size_t s = 0; s < p->n_scores; s++) {
            const double *residual = z + s * CHUNK;
            for (size_t i = 0; i < p->n_columns; i++)
                gradient[s * p->d + input_of(p, i)] += dot(residual, p->x + i * p->stride + first, m);
            for (size_t c = 0; p->levels && c < p->levels->n_categories; c++) {
                double *own = gradient + s * p->d + p->levels->first[c];
                const uint16_t *levels = p->levels->levels[c] + first;
                for (size_t r = 0; r < m; r++)
                    own[levels[r]] += residual[r];
            }
            for (size_t r = 0; r < m; r++)
                gradient[p->n_scores * p->d + s] += residual[r];
        }
    }
}

/* Weights of the inputs as they are. */
static const double *plain_weights(const problem *p, const double *weights)
{
    if (!p->spread)
        return weights;
    tct_spread_to_plain(p->spread, weights, p->n_scores, p->plain);
    return p->plain;
}

/* Objective and gradient, as libLBFGS asks for them. */
static lbfgsfloatval_t evaluate(void *instance, const lbfgsfloatval_t *parameters, lbfgsfloatval_t *gradient,
                                const int n_parameters, const lbfgsfloatval_t step)
{
    const problem *p = instance;
    const double *plain = plain_weights(p, parameters);
    double loss = 0, squares = 0;

    (void)n_parameters;
    (void)step;
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->threads)
    for (size_t part = 0; part < p->n_parts; part++)
        sum_part(p, part, plain);
    memset(gradient, 0, p->n_parameters * sizeof(double));
    for (size_t part = 0; part < p->n_parts; part++) {
        const double *sums = p->sums + part * (p->n_parameters + 1);
        for (size_t i = 0; i < p->n_parameters; i++)
            gradient[i] += sums[i];
        loss += sums[p->n_parameters];
    }
    if (p->spread)
        tct_spread_gradient(p->spread, gradient, p->n_scores);
    for (size_t i = 0; i < p->n_scores * p->d; i++) {
        gradient[i] += p->l2 * parameters[i];
        squares += parameters[i] * parameters[i];
    }
    return loss + p->l2 / 2 * squares;
}

static int report_progress(void *instance, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g, const lbfgsfloatval_t fx,
                           const lbfgsfloatval_t xnorm, const lbfgsfloatval_t gnorm, const lbfgsfloatval_t step, int n,
                           int k, int ls)
{
    const problem *p = instance;

    (void)x, (void)g, (void)fx, (void)xnorm, (void)gnorm, (void)step, (void)n, (void)ls;
    return p->progress && !p->progress(p->context, (uint64_t)k, 0) ? LBFGSERR_CANCELED : 0;
}

static double length(const double *v, size_t n)
{
    return sqrt(dot(v, v, n));
}

/* How short a gradient must be to be that of the minimum.  At the start far ends of tails may make up nearly all of it: then a
 * gradient that is much shorter says nothing about all others, who are within a few widths. */
static double flat_of(const problem *p, double at_start)
{
    return FLAT * fmax(fmin(at_start, (double)p->n), 1);
}

/* Gradient at `parameters`; returns its length. */
static double steepness(problem *p, const double *parameters, double *gradient)
{
    evaluate(p, parameters, gradient, (int)p->n_parameters, 0);
    return length(gradient, p->n_parameters);
}

/* Solve Hessian * step = -gradient, the Hessian at w, by conjugate gradients.  room: 4 vectors. */
static void newton_step(problem *p, const double *w, const double *gradient, double *step, double *room)
{
    size_t n = p->n_parameters;
    double *residual = room, *direction = room + n, *product = room + 2 * n, *beside = room + 3 * n;
    double left, enough, distance = NEARBY * fmax(1, length(w, n));

    for (size_t i = 0; i < n; i++) {
        step[i] = 0;
        direction[i] = residual[i] = -gradient[i];
    }
    left = dot(residual, residual, n);
    enough = CG_ENOUGH * CG_ENOUGH * left;
    for (size_t k = 0; k < MAX_CG && left > enough; k++) {
        double scale = distance / length(direction, n), curvature, along, before = left;
        for (size_t i = 0; i < n; i++)
            beside[i] = w[i] + scale * direction[i];
        evaluate(p, beside, product, (int)n, 0);
        for (size_t i = 0; i < n; i++)
            product[i] = (product[i] - gradient[i]) / scale;
        curvature = dot(direction, product, n);
        if (!(curvature > 0))
            return;
        along = left / curvature;
        for (size_t i = 0; i < n; i++) {
            step[i] += along * direction[i];
            residual[i] -= along * product[i];
        }
        left = dot(residual, residual, n);
        for (size_t i = 0; i < n; i++)
            direction[i] = residual[i] + left / before * direction[i];
    }
}

/* Newton steps from w on while they shorten the gradient; returns its length.  room: 7 vectors. */
static double polish(problem *p, double *w, double at_start, double *room)
{
    size_t n = p->n_parameters;
    double *gradient = room, *step = room + n, *there = room + 2 * n;
    double now = steepness(p, w, gradient);

    for (size_t k = 0; k < NEWTON_STEPS && now > EXACT * at_start; k++) {
        double then;
        newton_step(p, w, gradient, step, room + 3 * n);
        for (size_t i = 0; i < n; i++)
            there[i] = w[i] + step[i];
        then = steepness(p, there, step);
        if (!(then < now))
            break;
        now = then;
        memcpy(w, there, n * sizeof(double));
        memcpy(gradient, step, n * sizeof(double));
    }
    return now;
}

/* Cut the points into parts, get memory. */
static tacit_status prepare(problem *p, tacit_error *err)
{
    size_t chunks = p->n > 0 ? (p->n + CHUNK - 1) / CHUNK : 1;

    p->part_size = (chunks + MAX_PARTS - 1) / MAX_PARTS * CHUNK;
    p->n_parts = (p->n + p->part_size - 1) / p->part_size;
    p->sums = tct_malloc(p->n_parts, (p->n_parameters + 1) * sizeof(double));
    p->scores = tct_malloc(p->n_parts * p->n_scores, CHUNK * sizeof(double));
    p->plain = tct_malloc(p->spread ? p->n_parameters : 1, sizeof(double));
    return p->sums && p->scores && p->plain ? TACIT_OK : tct_fail_memory(err);
}

static void release(problem *p)
{
    tct_free_wiped(p->scores, p->scores ? p->n_parts * p->n_scores * CHUNK * sizeof(double) : 0);
    tct_free(p->sums);
    tct_free(p->plain);
}

/* As many as asked for (0: as there are cores), but none that would have little to do: threads wait for each other
 * after every evaluation, and on a busy machine that wait costs more than a small evaluation. */
static int choose_threads(const problem *p, size_t threads)
{
    size_t most = threads ? threads : (size_t)omp_get_max_threads();
    size_t inputs = p->n_columns + (p->levels ? p->levels->n_categories : 0);
    size_t useful = p->n * p->n_scores * (inputs + EXP_WORK) / THREAD_WORK;

    useful = useful < 1 ? 1 : useful > MAX_PARTS ? MAX_PARTS : useful;
    return (int)tacit_threads(most < useful ? most : useful);
}

/* ---- many points, two classes, few inputs ---- */

/* to[r] = a[r] * b[r] */
TCT_INLINED void multiply_body(double *restrict to, const double *restrict a, const double *restrict b, size_t m)
{
    for (size_t r = 0; r < m; r++)
        to[r] = a[r] * b[r];
}

TCT_SIMD_FUNCTION(void, multiply, multiply_body, (double *to, const double *a, const double *b, size_t m),
                  (to, a, b, m))

/* Scores of two classes become residuals; curvature[r]: second derivatives of the losses. */
static void bend_chunk(const int32_t *labels, size_t m, double *z, double *curvature)
{
    for (size_t r = 0; r < m; r++) {
        double e = exp(-fabs(z[r])), likely = 1 / (1 + e), unlikely = e / (1 + e);

        curvature[r] = likely * unlikely;
        z[r] = (z[r] >= 0 ? likely : unlikely) - (labels[r] ? 1 : 0);
    }
}

/* Gradient and Hessian (lower triangle, rows of d + 1) of one part of the points; the bias comes last. */
static void bend_part(const problem *p, size_t part, const double *w, double *gradient, double *hessian)
{
    size_t q = p->d + 1, end = part + 1 == p->n_parts ? p->n : (part + 1) * p->part_size;
    double z[CHUNK], curvature[CHUNK], bent[CHUNK], ones[CHUNK];

    memset(gradient, 0, q * sizeof *gradient);
    memset(hessian, 0, q * q * sizeof *hessian);
    for (size_t r = 0; r < CHUNK; r++)
        ones[r] = 1;
    for (size_t first = part * p->part_size; first < end; first += CHUNK) {
        size_t m = end - first < CHUNK ? end - first : CHUNK;

        score_chunk(p, w, w[p->d], first, m, z);
        bend_chunk(p->labels + first, m, z, curvature);
        for (size_t i = 0; i < q; i++) {
            const double *x = i < p->d ? p->x + i * p->stride + first : ones;

            gradient[i] += dot(z, x, m);
            multiply(bent, curvature, x, m);
            for (size_t j = 0; j <= i; j++)
                hessian[i * q + j] += dot(bent, j < p->d ? p->x + j * p->stride + first : ones, m);
        }
    }
    tct_wipe(z, sizeof z);
}

/* Gradient and Hessian of all points and the penalty, from the parts in their order; returns the gradient's length.
 * room: for every part d + 1 and (d + 1)^2 numbers, the first of which take the sums. */
static double bend(const problem *p, const double *w, double *room)
{
    size_t q = p->d + 1, size = q + q * q;
    const double *plain = plain_weights(p, w);

#pragma omp parallel for schedule(dynamic, 1) num_threads(p->threads)
    for (size_t part = 0; part < p->n_parts; part++)
        bend_part(p, part, plain, room + part * size, room + part * size + q);
    for (size_t part = 1; part < p->n_parts; part++)
        for (size_t i = 0; i < size; i++)
            room[i] += room[part * size + i];
    if (p->spread) {
        tct_spread_gradient(p->spread, room, 1);
        tct_spread_hessian(p->spread, room + q);
    }
    for (size_t i = 0; i < p->d; i++) {
        room[i] += p->l2 * w[i];
        room[q + i * q + i] += p->l2;
    }
    return length(room, q);
}

static tacit_status minimise(problem *p, double *parameters, tacit_error *err);

/* The minimum over one of ONE_OF points, with as much less penalty. */
static tacit_status minimise_few(const problem *p, double *parameters, tacit_error *err)
{
    problem few = *p;
    size_t n = p->n / ONE_OF;
    double *x = tct_malloc(n, p->d * sizeof *x);
    int32_t *labels = tct_malloc(n, sizeof *labels);
    tacit_status st = x && labels ? TACIT_OK : tct_fail_memory(err);

    few.x = x;
    few.stride = few.n = n;
    few.labels = labels;
    few.l2 = p->l2 / ONE_OF;
    few.sums = few.scores = few.plain = NULL;
    for (size_t i = 0; i < p->d && !st; i++)
        for (size_t r = 0; r < n; r++)
            x[i * n + r] = p->x[i * p->stride + r * ONE_OF];
    for (size_t r = 0; r < n && !st; r++)
        labels[r] = p->labels[r * ONE_OF];
    if (!st)
        st = prepare(&few, err);
    if (!st)
        st = minimise(&few, parameters, err);
    release(&few);
    tct_free_wiped(x, x ? n * p->d * sizeof *x : 0);
    tct_free_wiped(labels, labels ? n * sizeof *labels : 0);
    return st;
}

/* Newton steps from the minimum over few of the points on.  *found: they came to the minimum over all. */
static tacit_status minimise_many(problem *p, double *w, bool *found, tacit_error *err)
{
    size_t q = p->d + 1, size = q + q * q;
    double *room = tct_malloc(p->n_parts * size + 2 * q, sizeof *room), *step, *best, least = INFINITY, at_start;
    tacit_status st;

    *found = false;
    if (!room)
        return tct_fail_memory(err);
    step = room + p->n_parts * size;
    best = step + q;
    at_start = bend(p, w, room);
    st = minimise_few(p, w, err);
    for (size_t k = 0; k < MANY_NEWTON && !st; k++) {
        double now = bend(p, w, room);

        if (p->progress && !p->progress(p->context, k, 0))
            st = tct_fail(err, TACIT_E_STOPPED, "training was stopped");
        if (!(now < least))
            break;
        least = now;
        memcpy(best, w, q * sizeof *w);
        if (now <= EXACT * at_start || !tct_newton_solve(room + q, room, q, step))
            break;
        for (size_t i = 0; i < q; i++)
            w[i] -= step[i];
    }
    *found = !st && least <= flat_of(p, at_start);
    if (*found)
        memcpy(w, best, q * sizeof *w);
    else
        memset(w, 0, q * sizeof *w);
    tct_free(room);
    return st == TACIT_E_INPUT ? TACIT_OK : st; /* the few did not converge: all may */
}

/* From where L-BFGS got stuck on.  *found: to the minimum, else as it was. */
static tacit_status minimise_damped(const problem *p, double *parameters, double flat, bool *found, tacit_error *err)
{
    tct_newton newton = {.x = p->x,
                         .stride = p->stride,
                         .n = p->n,
                         .d = p->d,
                         .n_scores = p->n_scores,
                         .levels = p->levels,
                         .labels = p->labels,
                         .l2 = p->l2,
                         .spread = p->spread,
                         .progress = p->progress,
                         .context = p->context};
    bool there = false;
    tacit_status st = TACIT_OK;

    if (tct_newton_small(p->n, p->d, p->n_scores))
        st = tct_newton_minimise(&newton, parameters, flat, &there, err);
    *found = *found || there;
    return st;
}

/* Find the minimum from `parameters` = 0 on. */
static tacit_status minimise(problem *p, double *parameters, tacit_error *err)
{
    double *room = tct_malloc(7 * p->n_parameters, sizeof(double));
    lbfgs_parameter_t settings;
    double at_start, now;
    int result;
    bool found = false;
    tacit_status st = TACIT_OK;

    if (!room)
        return tct_fail_memory(err);
    if (p->n >= MANY_POINTS && p->n_scores == 1 && p->d <= FEW_INPUTS && !p->levels)
        st = minimise_many(p, parameters, &found, err);
    if (st || found) {
        tct_free(room);
        return st;
    }
    lbfgs_parameter_init(&settings);
    settings.m = HISTORY;
    settings.epsilon = 1e-9;
    settings.max_iterations = MAX_ITERATIONS;
    at_start = steepness(p, parameters, room);
    result = lbfgs((int)p->n_parameters, parameters, NULL, evaluate, report_progress, p, &settings);
    if (result == LBFGSERR_OUTOFMEMORY)
        st = tct_fail_memory(err);
    else if (result == LBFGSERR_CANCELED)
        st = tct_fail(err, TACIT_E_STOPPED, "training was stopped");
    else {
        now = polish(p, parameters, at_start, room);
        found = now <= FLAT * fmax(at_start, 1);
        if (!(now <= flat_of(p, at_start)))
            st = minimise_damped(p, parameters, flat_of(p, at_start), &found, err);
    }
    if (!st && !found)
        st = tct_fail(err, TACIT_E_INPUT, "training did not converge; try another l2 (now %g)", p->l2);
    tct_free(room);
    return st;
}

/* Widths halfway to 1 in the exponent, with values that are as much smaller: in the end inputs as they are, nearly. */
static tacit_status widen(tct_input_spread *wider, const tct_input_spread *from, tacit_error *err)
{
    tacit_status st = tct_spread_init(wider, from->n_inputs, err);

    for (size_t i = 0; i < from->n_inputs && !st; i++) {
        wider->middle[i] = from->middle[i];
        wider->width[i] = sqrt(from->width[i]);
    }
    return st;
}

/* With a spread so narrow that the far ends of the tails are in the way of the minimum: with wider ones. */
static tacit_status minimise_wider(problem *p, tct_input_spread *wider, double *parameters, tacit_error *err)
{
    tacit_status st = minimise(p, parameters, err);

    for (size_t k = 0; k < WIDENINGS && p->spread && st == TACIT_E_INPUT; k++) {
        tct_input_spread next;

        st = widen(&next, p->spread, err);
        tct_spread_clear(wider);
        *wider = next;
        p->spread = wider;
        memset(parameters, 0, p->n_parameters * sizeof *parameters);
        if (!st)
            st = minimise(p, parameters, err);
    }
    return st;
}

static tacit_status train(tct_classifier **out, problem given, size_t n_classes, size_t threads, tacit_error *err)
{
    problem p = given;
    size_t n_inputs = p.d;
    tct_input_spread wider = {0};
    double *parameters = NULL, *biases, mean = 0;
    tacit_status st;

    *out = NULL;
    p.n_scores = n_classes == 2 ? 1 : n_classes;
    p.n_parameters = p.n_scores * (n_inputs + 1);
    p.threads = choose_threads(&p, threads);
    st = prepare(&p, err);
    if (st)
        goto done;
    parameters = lbfgs_malloc((int)p.n_parameters); /* aligned as the library likes it */
    if (!parameters) {
        st = tct_fail_memory(err);
        goto done;
    }
    memset(parameters, 0, p.n_parameters * sizeof(double));
    st = minimise_wider(&p, &wider, parameters, err);
    if (st)
        goto done;
    if (p.spread)
        memcpy(parameters, plain_weights(&p, parameters), p.n_parameters * sizeof(double));
    biases = parameters + p.n_scores * n_inputs;
    for (size_t s = 0; s < p.n_scores && n_classes > 2; s++)
        mean += biases[s] / (double)p.n_scores;
    for (size_t s = 0; s < p.n_scores; s++)
        biases[s] -= mean;
    st = tct_linear_new(out, n_inputs, n_classes, parameters, biases, err);
done:
    lbfgs_free(parameters);
    tct_spread_clear(&wider);
    release(&p);
    return st;
}

tacit_status tct_train_logistic(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                                size_t n_inputs, size_t n_classes, double l2, const tct_input_spread *spread,
                                size_t threads, tacit_progress progress, void *context, tacit_error *err)
{
    problem p = {.x = x, .stride = stride, .n = n, .d = n_inputs, .n_columns = n_inputs, .labels = labels, .l2 = l2};

    p.spread = spread;
    p.progress = progress;
    p.context = context;
    return train(out, p, n_classes, threads, err);
}

tacit_status tct_train_logistic_levelled(tct_classifier **out, const tct_levelled *points, size_t n_classes, double l2,
                                         size_t threads, tacit_progress progress, void *context, tacit_error *err)
{
    problem p = {.x = points->x,
                 .stride = points->n,
                 .n = points->n,
                 .d = points->n_inputs,
                 .n_columns = points->n_columns,
                 .levels = points,
                 .labels = points->labels,
                 .l2 = l2,
                 .spread = points->spread,
                 .progress = progress,
                 .context = context};

    return train(out, p, n_classes, threads, err);
}

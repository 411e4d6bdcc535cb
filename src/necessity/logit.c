/*
 * logit.c -- see logit.h.
 *
 * A fit goes by Newton steps.  The matrix is that of a point nearby as long as every step shortens the gradient to a
 * quarter or less; else it is computed anew where the fit stands, and a step that does not lower the objective is
 * halved until it does.  The objective is convex, so that ends at its minimum.
 *
 * Leaving out inputs B: the expansion to second order around a minimum t with matrix H is least, among points that are
 * zero on B, at
 *     t - G_B (G_BB)^-1 t_B,      G = H^-1.
 * That is where reduced fits begin, and what losses are foreseen with.
 *
 * With three and more classes the same number may be added to all biases; a constant on the block of the biases keeps
 * the matrix regular and does not change steps, because a gradient has no part in that direction.
 */
#include "logit.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 200, MOST_HALVINGS = 40 };
static const double SHORTER = 0.25;
static const double ROUNDING = 1e-12; /* of an objective, relative */

/* Room that one fit needs on its way. */
typedef struct workspace {
    double *gradient, *step, *there, *gradient_there; /* p each */
    double *factor;                                   /* p x p */
    double *chunks;
    bool fresh; /* the factor is of where the fit stands */
} workspace;

static void clear_workspace(workspace *k, const tct_logit *fit)
{
    tct_free(k->gradient);
    tct_free(k->factor);
    tct_free_wiped(k->chunks, (fit->n_scores + 1) * TCT_LOGIT_CHUNK * sizeof(double));
}

static tacit_status make_workspace(workspace *k, const tct_logit *fit, tacit_error *err)
{
    size_t p = fit->p;

    *k = (workspace){.gradient = tct_malloc(4 * p, sizeof(double)),
                     .factor = tct_malloc(p * p, sizeof(double)),
                     .chunks = tct_malloc((fit->n_scores + 1) * TCT_LOGIT_CHUNK, sizeof(double))};
    if (!k->gradient || !k->factor || !k->chunks) {
        clear_workspace(k, fit);
        return tct_fail_memory(err);
    }
    k->step = k->gradient + p;
    k->there = k->gradient + 2 * p;
    k->gradient_there = k->gradient + 3 * p;
    return TACIT_OK;
}

static bool is_bias(const tct_logit *fit, size_t i)
{
    return i % (fit->d + 1) == fit->d;
}

/* Objective and gradient. */
static double evaluate(const tct_logit *fit, const double *theta, double *gradient, double *chunks)
{
    double value;

    memset(gradient, 0, fit->p * sizeof *gradient);
    value = tct_logit_sum(fit->coded, fit, theta, gradient, chunks);
    for (size_t i = 0; i < fit->p; i++) {
        double l2 = is_bias(fit, i) ? fit->bias_l2 : fit->l2;
        gradient[i] += l2 * theta[i];
        value += l2 / 2 * theta[i] * theta[i];
    }
    return value;
}

static double length(const double *v, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* Second derivatives of the objective where the fit stands. */
static void curve(tct_logit *fit, double *chunks)
{
    size_t p = fit->p, size = fit->d + 1;

    memset(fit->hessian, 0, p * p * sizeof *fit->hessian);
    tct_logit_sum_hessian(fit, fit->theta, fit->hessian, chunks);
    for (size_t i = 0; i < p; i++)
        fit->hessian[i * p + i] += is_bias(fit, i) ? fit->bias_l2 : fit->l2;
    for (size_t s = 0; s < fit->n_scores && fit->n_scores > 1; s++)
        for (size_t t = 0; t < fit->n_scores; t++)
            fit->hessian[(s * size + fit->d) * p + t * size + fit->d] += 1;
}

static tacit_status fail_converging(const tct_logit *fit, tacit_error *err)
{
    return tct_fail(err, TACIT_E_INPUT, "training did not converge; try another l2 (now %g)", fit->l2);
}

static tacit_status factorise(const tct_logit *fit, double *factor, tacit_error *err)
{
    memcpy(factor, fit->hessian, fit->p * fit->p * sizeof *factor);
    return tct_cholesky(factor, fit->p) ? TACIT_OK : fail_converging(fit, err);
}

static tacit_status refresh(tct_logit *fit, workspace *k, tacit_error *err)
{
    curve(fit, k->chunks);
    k->fresh = true;
    return factorise(fit, k->factor, err);
}

/* One step from the gradient on; *value and *steep are those of where it ends.  false: nowhere lower. */
static tacit_status make_step(tct_logit *fit, workspace *k, double *value, double *steep, bool *moved, tacit_error *err)
{
    size_t p = fit->p;
    double share = 1;

    *moved = false;
    for (size_t tries = 0; tries < MOST_HALVINGS && !*moved; tries++) {
        double found;

        memcpy(k->step, k->gradient, p * sizeof *k->step);
        tct_cholesky_solve(k->factor, p, k->step);
        for (size_t i = 0; i < p; i++)
            k->there[i] = fit->theta[i] - share * k->step[i];
        found = evaluate(fit, k->there, k->gradient_there, k->chunks);
        if (found <= *value + ROUNDING * fabs(*value)) {
            *moved = true;
            *value = found;
            *steep = length(k->gradient_there, p);
        } else if (!k->fresh) {
            tacit_status st = refresh(fit, k, err);
            if (st)
                return st;
        } else {
            share /= 2;
        }
    }
    if (*moved) {
        memcpy(fit->theta, k->there, p * sizeof *fit->theta);
        memcpy(k->gradient, k->gradient_there, p * sizeof *k->gradient);
    }
    return TACIT_OK;
}

/* From theta and a matrix from nearby (`have`), or none, to the minimum. */
static tacit_status minimise(tct_logit *fit, bool have, double enough, tacit_error *err)
{
    double value, steep, before = INFINITY;
    bool moved = true;
    workspace k;
    tacit_status st = make_workspace(&k, fit, err);

    if (st)
        return st;
    value = evaluate(fit, fit->theta, k.gradient, k.chunks);
    steep = length(k.gradient, fit->p);
    if (have)
        st = factorise(fit, k.factor, err);
    for (size_t i = 0; i < MOST_STEPS && steep > enough && moved && !st; i++) {
        if (!have || !(steep <= SHORTER * before))
            st = refresh(fit, &k, err);
        have = true;
        before = steep;
        if (!st)
            st = make_step(fit, &k, &value, &steep, &moved, err);
        k.fresh = k.fresh && !moved;
    }
    if (!st && !(steep <= fmax(enough, 1e-6 * (double)fit->coded->n)))
        st = fail_converging(fit, err);
    clear_workspace(&k, fit);
    return st;
}

/* ---------------------------------------------------------------- making */

/* Parameters of a classifier on these attributes. */
static size_t count_parameters(const tct_coded_people *coded, const size_t *kept, size_t n_kept)
{
    size_t d = 0;

    for (size_t j = 0; j < n_kept; j++)
        d += coded->columns[kept[j]].width;
    return (d + 1) * (coded->n_classes == 2 ? 1 : coded->n_classes);
}

static tacit_status make(tct_logit **out, const tct_coded_people *coded, const size_t *kept, size_t n_kept,
                         tacit_error *err)
{
    tct_logit *fit = tct_calloc(1, sizeof *fit);

    *out = NULL;
    if (!fit)
        return tct_fail_memory(err);
    fit->coded = coded;
    fit->n_kept = n_kept;
    fit->n_scores = coded->n_classes == 2 ? 1 : coded->n_classes;
    fit->p = count_parameters(coded, kept, n_kept);
    fit->d = fit->p / fit->n_scores - 1;
    fit->kept = tct_malloc(n_kept + 1, sizeof *fit->kept);
    fit->theta = tct_calloc(fit->p, sizeof *fit->theta);
    fit->hessian = tct_malloc(fit->p * fit->p, sizeof *fit->hessian);
    if (!fit->kept || !fit->theta || !fit->hessian) {
        tct_logit_free(fit);
        return tct_fail_memory(err);
    }
    memcpy(fit->kept, kept, n_kept * sizeof *kept);
    *out = fit;
    return TACIT_OK;
}

tacit_status tct_logit_new(tct_logit **out, const tct_coded_people *coded, const size_t *kept, size_t n_kept, double l2,
                           double bias_l2, double enough, tacit_error *err)
{
    tct_logit *fit = NULL;
    tacit_status st = make(&fit, coded, kept, n_kept, err);

    *out = NULL;
    if (st)
        return st;
    fit->l2 = l2;
    fit->bias_l2 = bias_l2;
    st = minimise(fit, false, enough, err);
    if (st)
        tct_logit_free(fit);
    else
        *out = fit;
    return st;
}

void tct_logit_free(tct_logit *fit)
{
    if (!fit)
        return;
    tct_free(fit->kept);
    tct_free(fit->theta);
    tct_free(fit->hessian);
    tct_free(fit);
}

tacit_status tct_logit_curve(tct_logit *fit, tacit_error *err)
{
    workspace k;
    tacit_status st = make_workspace(&k, fit, err);

    if (st)
        return st;
    curve(fit, k.chunks);
    clear_workspace(&k, fit);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- leaving out */

/* out[i] = is input i of a score among those of attributes not in `kept`?  Biases never are. */
static void mark_dropped(const tct_logit *fit, const size_t *kept, size_t n_kept, bool *out)
{
    size_t i = 0, k = 0;

    for (size_t j = 0; j < fit->n_kept; j++) {
        bool stays = k < n_kept && kept[k] == fit->kept[j];
        size_t width = fit->coded->columns[fit->kept[j]].width;

        k += stays;
        for (size_t w = 0; w < width; w++)
            out[i++] = !stays;
    }
    out[i] = false;
}

/* What leaving out needs. */
typedef struct expansion {
    double *factor;  /* of the matrix */
    double *columns; /* of its inverse, one per parameter left out, p numbers each */
    double *block;   /* G_BB */
    double *u, *theta;
    bool *dropped; /* per input of a score, and its bias */
} expansion;

static void clear_expansion(expansion *e)
{
    tct_free(e->factor);
    tct_free(e->columns);
    tct_free(e->block);
    tct_free(e->u);
    tct_free(e->dropped);
    *e = (expansion){0};
}

static tacit_status expand(expansion *e, const tct_logit *fit, tacit_error *err)
{
    size_t p = fit->p;
    tacit_status st = TACIT_OK;

    *e = (expansion){.factor = tct_malloc(p * p, sizeof(double)),
                     .columns = tct_malloc(p * p, sizeof(double)),
                     .block = tct_malloc(p * p, sizeof(double)),
                     .u = tct_malloc(2 * p, sizeof(double)),
                     .dropped = tct_malloc(fit->d + 1, sizeof(bool))};
    if (!e->factor || !e->columns || !e->block || !e->u || !e->dropped)
        st = tct_fail_memory(err);
    if (!st)
        st = factorise(fit, e->factor, err);
    if (st)
        clear_expansion(e);
    else
        e->theta = e->u + p;
    return st;
}

/* e->theta becomes what the second-order expansion says is best among points that are zero where e->dropped. */
static tacit_status move_to_zero(const tct_logit *fit, expansion *e, tacit_error *err)
{
    size_t p = fit->p, size = fit->d + 1, n = 0;

    memcpy(e->theta, fit->theta, p * sizeof *e->theta);
    for (size_t i = 0; i < p; i++) {
        double *column = e->columns + n * p;

        if (!e->dropped[i % size])
            continue;
        memset(column, 0, p * sizeof *column);
        column[i] = 1;
        tct_cholesky_solve(e->factor, p, column);
        e->u[n++] = e->theta[i];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0, m = 0; j < p; j++)
            if (e->dropped[j % size])
                e->block[k * n + m++] = e->columns[k * p + j];
    if (!tct_cholesky(e->block, n))
        return fail_converging(fit, err);
    tct_cholesky_solve(e->block, n, e->u);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < p; i++)
            e->theta[i] -= e->columns[k * p + i] * e->u[k];
    for (size_t i = 0; i < p; i++)
        e->theta[i] = e->dropped[i % size] ? 0 : e->theta[i];
    return TACIT_OK;
}

/* theta and matrix of a smaller fit from those of a larger one. */
static void take_over(tct_logit *to, const tct_logit *from, const expansion *e)
{
    size_t size = from->d + 1, row = 0;

    for (size_t i = 0; i < from->p; i++) {
        size_t column = 0;

        if (e->dropped[i % size])
            continue;
        to->theta[row] = e->theta[i];
        for (size_t j = 0; j < from->p; j++)
            if (!e->dropped[j % size])
                to->hessian[row * to->p + column++] = from->hessian[i * from->p + j];
        row++;
    }
}

tacit_status tct_logit_reduce(tct_logit **out, const tct_logit *fit, const size_t *kept, size_t n_kept, double enough,
                              tacit_error *err)
{
    tct_logit *less = NULL;
    expansion e;
    tacit_status st = expand(&e, fit, err);

    *out = NULL;
    if (st)
        return st;
    mark_dropped(fit, kept, n_kept, e.dropped);
    st = move_to_zero(fit, &e, err);
    if (!st)
        st = make(&less, fit->coded, kept, n_kept, err);
    if (!st) {
        less->l2 = fit->l2;
        less->bias_l2 = fit->bias_l2;
        take_over(less, fit, &e);
        st = minimise(less, true, enough, err);
    }
    clear_expansion(&e);
    if (st)
        tct_logit_free(less);
    else
        *out = less;
    return st;
}

/* ---------------------------------------------------------------- judging */

tacit_status tct_logit_foresee(const tct_logit *fit, const tct_coded_people *judges, double *losses, tacit_error *err)
{
    double *chunks = tct_malloc(fit->n_scores * TCT_LOGIT_CHUNK, sizeof(double));
    size_t *others = tct_malloc(fit->n_kept, sizeof *others);
    expansion e = {0};
    tacit_status st = chunks && others ? expand(&e, fit, err) : tct_fail_memory(err);

    for (size_t j = 0; j < fit->n_kept && !st; j++) {
        memcpy(others, fit->kept, j * sizeof *others);
        memcpy(others + j, fit->kept + j + 1, (fit->n_kept - j - 1) * sizeof *others);
        mark_dropped(fit, others, fit->n_kept - 1, e.dropped);
        st = move_to_zero(fit, &e, err);
        if (!st)
            losses[j] = tct_logit_sum(judges, fit, e.theta, NULL, chunks);
    }
    clear_expansion(&e);
    tct_free(others);
    tct_free_wiped(chunks, fit->n_scores * TCT_LOGIT_CHUNK * sizeof(double));
    return st;
}

tacit_status tct_logit_loss(double *loss, const tct_logit *fit, const tct_coded_people *judges, tacit_error *err)
{
    double *chunks = tct_malloc(fit->n_scores * TCT_LOGIT_CHUNK, sizeof(double));

    if (!chunks)
        return tct_fail_memory(err);
    *loss = tct_logit_sum(judges, fit, fit->theta, NULL, chunks);
    tct_free_wiped(chunks, fit->n_scores * TCT_LOGIT_CHUNK * sizeof(double));
    return TACIT_OK;
}

tacit_status tct_logit_classifier(tct_classifier **out, const tct_logit *fit, tacit_error *err)
{
    size_t size = fit->d + 1;
    double *weights = tct_malloc(fit->p, sizeof *weights), *biases, mean = 0;
    tacit_status st;

    *out = NULL;
    if (!weights)
        return tct_fail_memory(err);
    biases = weights + fit->n_scores * fit->d;
    for (size_t s = 0; s < fit->n_scores; s++) {
        memcpy(weights + s * fit->d, fit->theta + s * size, fit->d * sizeof *weights);
        biases[s] = fit->theta[s * size + fit->d];
        mean += fit->n_scores > 1 ? biases[s] / (double)fit->n_scores : 0;
    }
    for (size_t s = 0; s < fit->n_scores; s++)
        biases[s] -= mean;
    st = tct_linear_new(out, fit->d, fit->coded->n_classes, weights, biases, err);
    tct_free(weights);
    return st;
}

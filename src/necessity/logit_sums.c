/*
 * logit_sums.c -- sums over people: log losses, their gradient, their second derivatives.
 *
 * Chunks of people small enough for the cache go through all steps.  One thread sums in one order: same people, same
 * bits.  An attribute adds one number to a score, the weight of the person's level or of the input, so a sum over
 * people takes as many steps as there are attributes, and the second derivatives as many as there are pairs of them.
 */
#include <math.h>

#include "logit.h"
#include "train.h"

enum { CHUNK = TCT_LOGIT_CHUNK };

/* z = bias + weights x of `m` people from `first` on; `theta`: of one score. */
static void score(const tct_coded_people *c, const tct_logit *fit, const double *theta, size_t first, size_t m,
                  double *restrict z)
{
    const double *w = theta;

    for (size_t r = 0; r < m; r++)
        z[r] = theta[fit->d];
    for (size_t j = 0; j < fit->n_kept; j++) {
        const tct_coded_column *column = &c->columns[fit->kept[j]];

        if (column->values) {
            const double *restrict x = column->values + first;
            double weight = *w;
            for (size_t r = 0; r < m; r++)
                z[r] += weight * x[r];
        } else {
            const uint16_t *restrict codes = column->codes + first;
            for (size_t r = 0; r < m; r++)
                z[r] += w[codes[r]];
        }
        w += column->width;
    }
}

static double sum_products(const double *restrict a, const double *restrict b, size_t m)
{
    double sums[4] = {0};
    size_t r = 0;

    for (; r + 4 <= m; r += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += a[r + k] * b[r + k];
    for (size_t k = 0; r < m; r++, k++)
        sums[k] += a[r] * b[r];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Residuals into the gradient of one score. */
static void collect(const tct_coded_people *c, const tct_logit *fit, const double *residuals, size_t first, size_t m,
                    double *gradient)
{
    double *g = gradient;

    for (size_t j = 0; j < fit->n_kept; j++) {
        const tct_coded_column *column = &c->columns[fit->kept[j]];

        if (column->values) {
            *g += sum_products(residuals, column->values + first, m);
        } else {
            const uint16_t *codes = column->codes + first;
            for (size_t r = 0; r < m; r++)
                g[codes[r]] += residuals[r];
        }
        g += column->width;
    }
    for (size_t r = 0; r < m; r++)
        *g += residuals[r];
}

double tct_logit_sum(const tct_coded_people *coded, const tct_logit *fit, const double *theta, double *gradient,
                     double *room)
{
    size_t size = fit->d + 1;
    double loss = 0;

    for (size_t first = 0; first < coded->n; first += CHUNK) {
        size_t m = coded->n - first < CHUNK ? coded->n - first : CHUNK;

        for (size_t s = 0; s < fit->n_scores; s++)
            score(coded, fit, theta + s * size, first, m, room + s * CHUNK);
        loss += tct_log_losses(coded->labels + first, m, fit->n_scores, room, CHUNK);
        for (size_t s = 0; s < fit->n_scores && gradient; s++)
            collect(coded, fit, room + s * CHUNK, first, m, gradient + s * size);
    }
    return loss;
}

/* ---------------------------------------------------------------- second derivatives */

/* Scores of `m` people become probabilities. */
static void turn_to_probabilities(double *z, size_t m, size_t n_scores)
{
    for (size_t r = 0; r < m && n_scores == 1; r++) {
        double e = exp(-fabs(z[r]));
        z[r] = (z[r] > 0 ? 1 : e) / (1 + e);
    }
    for (size_t r = 0; r < m && n_scores > 1; r++) {
        double top = z[r], total = 0;
        for (size_t s = 1; s < n_scores; s++)
            top = fmax(top, z[s * CHUNK + r]);
        for (size_t s = 0; s < n_scores; s++)
            total += z[s * CHUNK + r] = exp(z[s * CHUNK + r] - top);
        for (size_t s = 0; s < n_scores; s++)
            z[s * CHUNK + r] /= total;
    }
}

/* A block of the matrix while chunks are added: that of two scores. */
typedef struct block {
    double *at;    /* its first element */
    size_t stride; /* of the rows */
} block;

/* Levels of one attribute by the inputs of another, or by the bias (NULL). */
static void add_levels(block b, const uint16_t *codes, const tct_coded_column *other, size_t first, size_t m,
                       const double *q)
{
    size_t stride = b.stride;

    if (!other) {
        for (size_t r = 0; r < m; r++)
            b.at[codes[r] * stride] += q[r];
    } else if (other->values) {
        const double *x = other->values + first;
        for (size_t r = 0; r < m; r++)
            b.at[codes[r] * stride] += q[r] * x[r];
    } else {
        const uint16_t *levels = other->codes + first;
        for (size_t r = 0; r < m; r++)
            b.at[codes[r] * stride + levels[r]] += q[r];
    }
}

/* One number (v: already times q) by the inputs of another attribute, or by the bias. */
static void add_number(block b, const double *v, const tct_coded_column *other, size_t first, size_t m)
{
    if (!other) {
        double sum = 0;
        for (size_t r = 0; r < m; r++)
            sum += v[r];
        *b.at += sum;
    } else if (other->values) {
        *b.at += sum_products(v, other->values + first, m);
    } else {
        const uint16_t *levels = other->codes + first;
        for (size_t r = 0; r < m; r++)
            b.at[levels[r]] += v[r];
    }
}

/* q times x x' of `m` people, upper triangle by attributes, into the block of two scores. */
static void add_outer(const tct_logit *fit, block b, size_t first, size_t m, const double *q)
{
    const tct_coded_column *columns = fit->coded->columns;
    double v[CHUNK];
    size_t row = 0;

    for (size_t j = 0; j < fit->n_kept; j++) {
        const tct_coded_column *mine = &columns[fit->kept[j]];
        size_t at = row;

        for (size_t r = 0; r < m && mine->values; r++)
            v[r] = q[r] * mine->values[first + r];
        for (size_t k = j; k <= fit->n_kept; k++) {
            const tct_coded_column *other = k < fit->n_kept ? &columns[fit->kept[k]] : NULL;
            block corner = {b.at + row * b.stride + at, b.stride};

            if (mine->values)
                add_number(corner, v, other, first, m);
            else
                add_levels(corner, mine->codes + first, other, first, m, q);
            at += other ? other->width : 1;
        }
        row += mine->width;
    }
    for (size_t r = 0; r < m; r++)
        b.at[fit->d * b.stride + fit->d] += q[r];
}

/* The blocks are symmetric, and so is their arrangement: fill in what was left out. */
static void mirror(const tct_logit *fit, double *hessian)
{
    size_t size = fit->d + 1, p = fit->p;

    for (size_t s = 0; s < fit->n_scores; s++)
        for (size_t t = s; t < fit->n_scores; t++)
            for (size_t i = 0; i < size; i++)
                for (size_t j = i + 1; j < size; j++)
                    hessian[(s * size + j) * p + t * size + i] = hessian[(s * size + i) * p + t * size + j];
    for (size_t i = 0; i < p; i++)
        for (size_t j = i + 1; j < p; j++)
            hessian[j * p + i] = hessian[i * p + j];
}

void tct_logit_sum_hessian(const tct_logit *fit, const double *theta, double *hessian, double *room)
{
    const tct_coded_people *c = fit->coded;
    size_t size = fit->d + 1;
    double *q = room + fit->n_scores * CHUNK;

    for (size_t first = 0; first < c->n; first += CHUNK) {
        size_t m = c->n - first < CHUNK ? c->n - first : CHUNK;

        for (size_t s = 0; s < fit->n_scores; s++)
            score(c, fit, theta + s * size, first, m, room + s * CHUNK);
        turn_to_probabilities(room, m, fit->n_scores);
        for (size_t s = 0; s < fit->n_scores; s++)
            for (size_t t = s; t < fit->n_scores; t++) {
                const double *a = room + s * CHUNK, *b = room + t * CHUNK;
                for (size_t r = 0; r < m; r++)
                    q[r] = a[r] * ((s == t) - b[r]);
                add_outer(fit, (block){hessian + s * size * fit->p + t * size, fit->p}, first, m, q);
            }
    }
    mirror(fit, hessian);
}

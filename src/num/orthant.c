/*
 * orthant.c -- Pr(X <= 0) for a normal vector.
 *
 * Up to three coordinates have their own functions.  For more, Genz's sequential conditioning (J. Comp. Graph. Stat. 1,
 * 1992): with the covariance factored as L L', X_i depends on independent normals y_1 ... y_i, the condition on X_i is
 * an upper limit for y_i given the earlier ones, and the probability is an integral over the unit cube of a product of
 * one-dimensional ones.  The coordinates are put in the order of the smallest expected factor first (Gibson, Glasbey and
 * Elston 1994), which makes the integrand flat.
 *
 * Singular covariances: once no variance is left, the remaining coordinates are linear in the y's.  Each is then one
 * more limit, upper or lower, for the last y that it depends on: the integrand stays smooth and nothing is divided
 * by a rounding error.
 *
 * The cube is integrated by a fixed Korobov lattice with the tent transformation, which gives smooth integrands an error
 * of nearly the order of points^-2: deterministic, no seed, the same bits every time.
 */
#include "num.h"

#include <math.h>

#define LATTICE_POINTS 4093    /* prime */
#define LATTICE_GENERATOR 1692 /* best by the weighted P2 figure in 8 dimensions among all generators */
#define GOLDEN 0.6180339887498949
#define NO_VARIANCE 1e-14      /* of the largest: rounding noise */
#define SAME 4e-15             /* a correlation this close to 1 is 1 but for rounding */
#define NO_VARIANCE_LEFT 1e-12 /* of a unit variance, after conditioning */
#define NO_COEFFICIENT 1e-6

/* Coordinates scaled to unit variance, in the caller's scratch. */
typedef struct problem {
    size_t n, rank;
    double *l;    /* n x n: correlations, then the factor below and on the diagonal */
    double *h;    /* n: upper limits */
    double *y;    /* n: expected, then sampled */
    double *last; /* n: rows from `rank` on: the y that the row limits */
    double *step; /* n: lattice step of each dimension */
} problem;

static double clamp_correlation(double r)
{
    return r > 1.0 - SAME ? 1.0 : r < SAME - 1.0 ? -1.0 : r;
}

/* Copy the coordinates that have variance.  false when one that has none is above 0. */
static bool scale_problem(problem *p, const double *mean, const double *cov, size_t n)
{
    double largest = 0.0;
    size_t m = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, cov[i * n + i]);
    for (size_t i = 0; i < n; i++) {
        if (cov[i * n + i] > NO_VARIANCE * largest)
            p->last[m++] = (double)i;
        else if (mean[i] > 0.0)
            return false;
    }
    for (size_t a = 0; a < m; a++) {
        size_t i = (size_t)p->last[a];
        double scale = sqrt(cov[i * n + i]);

        p->h[a] = -mean[i] / scale;
        for (size_t b = 0; b < m; b++) {
            size_t j = (size_t)p->last[b];

            p->l[a * m + b] = a == b ? 1.0 : clamp_correlation(cov[i * n + j] / scale / sqrt(cov[j * n + j]));
        }
    }
    p->n = m;
    return true;
}

/* Row i of the factor is known up to column k: the variance that is left. */
static double variance_left(const problem *p, size_t i, size_t k)
{
    double v = 1.0;

    for (size_t j = 0; j < k; j++)
        v -= p->l[i * p->n + j] * p->l[i * p->n + j];
    return v;
}

/* What is left of the limit of row i after the first k y's. */
static double limit_left(const problem *p, size_t i, size_t k)
{
    double h = p->h[i];

    for (size_t j = 0; j < k; j++)
        h -= p->l[i * p->n + j] * p->y[j];
    return h;
}

/* The row to come next: smallest expected probability.  n when no row has variance left. */
static size_t choose_row(const problem *p, size_t k)
{
    size_t best = p->n;
    double least = INFINITY;

    for (size_t i = k; i < p->n; i++) {
        double v = variance_left(p, i, k), limit;

        if (v <= NO_VARIANCE_LEFT)
            continue;
        limit = limit_left(p, i, k) / sqrt(v);
        if (best == p->n || limit < least) {
            best = i;
            least = limit;
        }
    }
    return best;
}

/* Rows k and i change places; factor columns before k, correlations after. */
static void swap_rows(problem *p, size_t k, size_t i)
{
    double t = p->h[k];

    p->h[k] = p->h[i];
    p->h[i] = t;
    for (size_t j = 0; j < p->n; j++) {
        t = p->l[k * p->n + j];
        p->l[k * p->n + j] = p->l[i * p->n + j];
        p->l[i * p->n + j] = t;
    }
    for (size_t j = k; j < p->n; j++) {
        t = p->l[j * p->n + k];
        p->l[j * p->n + k] = p->l[j * p->n + i];
        p->l[j * p->n + i] = t;
    }
}

/* Mean of a standard normal given that it is at most b. */
static double mean_below(double b)
{
    double mass = tct_normal_cdf(b);

    return mass > 0.0 ? -tct_normal_pdf(b) / mass : b;
}

static void factor_problem(problem *p)
{
    size_t n = p->n, k;

    for (k = 0; k < n; k++) {
        size_t i = choose_row(p, k);
        double pivot;

        if (i == n)
            break;
        if (i != k)
            swap_rows(p, k, i);
        pivot = sqrt(variance_left(p, k, k));
        for (i = k + 1; i < n; i++) {
            double c = p->l[i * n + k];

            for (size_t j = 0; j < k; j++)
                c -= p->l[i * n + j] * p->l[k * n + j];
            p->l[i * n + k] = c / pivot;
        }
        p->l[k * n + k] = pivot;
        p->y[k] = mean_below(limit_left(p, k, k) / pivot);
    }
    p->rank = k;
    for (size_t i = k; i < n; i++) {
        size_t last = k - 1;

        while (last > 0 && fabs(p->l[i * n + last]) <= NO_COEFFICIENT)
            last--;
        p->last[i] = (double)last;
    }
}

/* The interval for y_k given the earlier ones. */
static void find_limits(const problem *p, size_t k, double *low, double *high)
{
    *low = -INFINITY;
    *high = limit_left(p, k, k) / p->l[k * p->n + k];
    for (size_t i = p->rank; i < p->n; i++) {
        double limit;

        if (p->last[i] != (double)k)
            continue;
        limit = limit_left(p, i, k) / p->l[i * p->n + k];
        if (p->l[i * p->n + k] > 0.0)
            *high = fmin(*high, limit);
        else
            *low = fmax(*low, limit);
    }
}

/* Coordinate k of a lattice point, in (0, 1). */
static double lattice_coordinate(const problem *p, size_t k, size_t point)
{
    double x = (double)point * p->step[k] / LATTICE_POINTS + (double)(k + 1) * GOLDEN;

    x -= floor(x);
    return fmax(0x1p-60, fmin(1.0 - 0x1p-53, 1.0 - fabs(2.0 * x - 1.0)));
}

/* The product of conditional probabilities at one lattice point. */
static double evaluate_point(const problem *p, size_t point)
{
    double product = 1.0;

    for (size_t k = 0; k < p->rank; k++) {
        double low, high, below, mass, sign = 1.0;

        find_limits(p, k, &low, &high);
        if (low > 0.0) { /* work in the left tail, where Phi is precise */
            double t = low;

            low = -high;
            high = -t;
            sign = -1.0;
        }
        below = tct_normal_cdf(low);
        mass = tct_normal_cdf(high) - below;
        if (!(low < high && mass > 0.0))
            return 0.0;
        product *= mass;
        if (k + 1 < p->rank)
            p->y[k] = sign * tct_normal_quantile(below + lattice_coordinate(p, k, point) * mass);
    }
    return product;
}

static double integrate_lattice(const problem *p)
{
    double sum = 0.0;
    size_t step = 1;

    if (p->rank == 1)
        return evaluate_point(p, 0);
    for (size_t k = 0; k < p->rank; k++) {
        p->step[k] = (double)step;
        step = step * LATTICE_GENERATOR % LATTICE_POINTS;
    }
    for (size_t point = 0; point < LATTICE_POINTS; point++)
        sum += evaluate_point(p, point);
    return sum / LATTICE_POINTS;
}

double tct_orthant(const double *mean, const double *cov, size_t n, double *scratch)
{
    problem p = {.l = scratch,
                 .h = scratch + n * n,
                 .y = scratch + n * n + n,
                 .last = scratch + n * n + 2 * n,
                 .step = scratch + n * n + 3 * n};

    if (!scale_problem(&p, mean, cov, n))
        return 0.0;
    switch (p.n) {
    case 0:
        return 1.0;
    case 1:
        return tct_normal_cdf(p.h[0]);
    case 2:
        return tct_bvn(p.h[0], p.h[1], p.l[1]);
    case 3:
        return tct_tvn(p.h, p.l[1], p.l[2], p.l[5]);
    default:
        factor_problem(&p);
        return integrate_lattice(&p);
    }
}

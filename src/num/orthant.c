/*
 * orthant.c -- Pr(X <= 0) for a normal vector.
 *
 * Up to three coordinates have their own functions.  For more, Genz's sequential conditioning (J. Comp. Graph. Stat.
 * 1, 1992): with the covariance factored as L L', X_i depends on independent normals y_1 ... y_i, the condition on
 * X_i is an upper limit for y_i given the earlier ones, and the probability is an integral over the unit cube of a
 * product of one-dimensional ones.  The coordinates are put in the order of the smallest expected factor first
 * (Gibson, Glasbey and Elston 1994), which makes the integrand flat.
 *
 * The last two y's are not sampled: the conditions on them are half-planes, and tct_polygon has the mass of those.
 *
 * Singular covariances: once no variance is left, the remaining coordinates are linear in the y's.  Each is then one
 * more limit, upper or lower, for the last y that it depends on, or one more half-plane: the integrand stays
 * continuous and nothing is divided by a rounding error.  Rank 1 and 2 are exact.
 *
 * The cube is integrated by a fixed Korobov lattice over a periodic form of the integrand: deterministic, no seed,
 * the same bits every time.
 */
#include "num.h"

#include <math.h>

#define GOLDEN 0.6180339887498949
#define NO_VARIANCE 1e-14      /* of the largest: rounding noise */
#define SAME 4e-15             /* a correlation this close to 1 is 1 but for rounding */
#define NO_VARIANCE_LEFT 1e-12 /* of a unit variance, after conditioning */
#define NO_COEFFICIENT 1e-6

/* Korobov lattices by the number of dimensions, the generators best by the P2 figure; the last serves all beyond. */
typedef struct lattice {
    size_t points, generator; /* points is prime */
} lattice;
static const lattice lattices[] = {{2039, 462}, {2039, 462}, {4093, 1238}, {4093, 1238}, {16381, 5968}};
#define LATTICES (sizeof(lattices) / sizeof(lattices[0]))

/* Coordinates scaled to unit variance, in the caller's scratch. */
typedef struct problem {
    size_t n, rank;
    size_t sampled;  /* y's that the lattice runs over: all but two */
    size_t tail_end; /* rows sampled ... tail_end limit the last two y's; rows from there on limit earlier ones */
    double *l;       /* n x n: correlations, then the factor below and on the diagonal */
    double *h;       /* n: upper limits */
    double *y;       /* n: expected, then sampled */
    double *last;    /* n: rows from `rank` on: the y that the row limits */
    double *step;    /* n: lattice step of each dimension */
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

/* All rows limit the one y there is. */
static double interval_probability(const problem *p)
{
    double low, high;

    find_limits(p, 0, &low, &high);
    if (!(low < high))
        return 0.0;
    return low > 0.0 ? tct_normal_cdf(-low) - tct_normal_cdf(-high) : tct_normal_cdf(high) - tct_normal_cdf(low);
}

/* Sort the rows into those that limit the last two y's and the others, and scale the former so that their coefficients
 * there are unit normals of half-planes. */
static void prepare_tail(problem *p)
{
    size_t n = p->n;

    p->sampled = p->rank - 2;
    p->tail_end = n;
    for (size_t i = p->rank; i < p->tail_end;) {
        if (p->last[i] >= (double)p->sampled) {
            i++;
        } else {
            double last = p->last[i];

            p->tail_end--;
            p->last[i] = p->last[p->tail_end];
            p->last[p->tail_end] = last;
            swap_rows(p, i, p->tail_end);
        }
    }
    for (size_t i = p->sampled; i < p->tail_end; i++) {
        double *row = p->l + i * n, length;

        if (i == p->sampled)
            row[p->rank - 1] = 0.0; /* still a correlation */
        length = hypot(row[p->rank - 2], row[p->rank - 1]);
        for (size_t j = 0; j < p->rank; j++)
            row[j] /= length;
        p->h[i] /= length;
    }
}

/* Probability of the last two y's given the sampled ones. */
static double tail_probability(const problem *p)
{
    double *offsets = p->y + p->sampled;

    for (size_t i = p->sampled; i < p->tail_end; i++)
        offsets[i - p->sampled] = limit_left(p, i, p->sampled);
    return tct_polygon(p->l + p->sampled * p->n + p->sampled, p->n, offsets, p->tail_end - p->sampled);
}

/* Coordinate k of a lattice point, made periodic: in few dimensions by x^2 (3 - 2x), whose derivative goes into
 * *product and takes the edge off the ends; in many, where such factors would pile up, by the tent. */
static double lattice_coordinate(const problem *p, size_t k, double x, double *product)
{
    x += (double)(k + 1) * GOLDEN;
    x -= floor(x);
    if (p->sampled < LATTICES) {
        *product *= 6.0 * x * (1.0 - x);
        x = x * x * (3.0 - 2.0 * x);
    } else {
        x = 1.0 - fabs(2.0 * x - 1.0);
    }
    return fmax(0x1p-60, fmin(1.0 - 0x1p-53, x));
}

/* The product of conditional probabilities at one lattice point. */
static double evaluate_point(const problem *p, double share)
{
    double product = 1.0;

    for (size_t k = 0; k < p->sampled; k++) {
        double low, high, mass, from, x;
        bool mirror;

        find_limits(p, k, &low, &high);
        mirror = low > 0.0; /* work in the left tail, where Phi is precise */
        from = tct_normal_cdf(mirror ? -high : low);
        mass = tct_normal_cdf(mirror ? -low : high) - from;
        if (!(low < high && mass > 0.0))
            return 0.0;
        product *= mass;
        /* y grows with the coordinate either way: a turn would be a break in the integrand. */
        x = lattice_coordinate(p, k, share * p->step[k], &product);
        p->y[k] = mirror ? -tct_normal_quantile(from + (1.0 - x) * mass) : tct_normal_quantile(from + x * mass);
    }
    return product * tail_probability(p);
}

static double integrate_lattice(const problem *p)
{
    const lattice *rule;
    size_t step = 1;
    double sum = 0.0;

    if (p->sampled == 0)
        return tail_probability(p);
    rule = &lattices[p->sampled < LATTICES ? p->sampled - 1 : LATTICES - 1];
    for (size_t k = 0; k < p->sampled; k++) {
        p->step[k] = (double)step;
        step = step * rule->generator % rule->points;
    }
    for (size_t i = 0; i < rule->points; i++)
        sum += evaluate_point(p, (double)i / (double)rule->points);
    sum /= (double)rule->points;
    return sum > 1.0 ? 1.0 : sum;
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
        if (p.rank == 1)
            return interval_probability(&p);
        prepare_tail(&p);
        return integrate_lattice(&p);
    }
}

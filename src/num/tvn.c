/*
 * tvn.c -- the trivariate normal distribution.
 *
 * As for two variables, the derivative in a correlation is a bivariate density times the conditional distribution of
 * the third (Plackett 1954).  The pair with the largest correlation keeps it; the correlations of the remaining
 * variable with the two, sin(a) and sin(b), are let grow from 0 along sin(a x), sin(b x), x in [0, 1].  The matrix
 * stays positive semidefinite all the way: with r23 = cos(t) that means |a - b| x <= t <= pi - |a + b| x.  In these
 * angles its determinant is a product of sines and cosines, so it keeps its relative precision however close to
 * singular it gets.
 *
 * A singular matrix makes the integrand behave like sqrt(1 - x) at the end; x = u (2 - u) straightens that out.  The
 * integral is done by adaptive Gauss-Kronrod.
 */
#include "num.h"

#include <math.h>

#define PI 3.141592653589793
#define TWO_PI 6.283185307179586
#define DEGENERATE 1e-15 /* a correlation this close to 1 is 1 */
#define TOLERANCE 1e-12
#define INTERVALS 128

typedef struct kronrod {
    double node, weight, gauss; /* the half from 0 on; gauss is 0 at nodes that only the longer rule has */
} kronrod;

static const kronrod rule[11] = {{0.0, 0.149445554002916906, 0.0},
                                 {0.148874338981631211, 0.147739104901338491, 0.29552422471475287},
                                 {0.294392862701460198, 0.142775938577060081, 0.0},
                                 {0.433395394129247191, 0.134709217311473326, 0.269266719309996355},
                                 {0.562757134668604683, 0.123491976262065851, 0.0},
                                 {0.679409568299024406, 0.109387158802297642, 0.219086362515982044},
                                 {0.780817726586416897, 0.0931254545836976055, 0.0},
                                 {0.865063366688984511, 0.0750396748109199528, 0.149451349150580593},
                                 {0.930157491355708226, 0.054755896574351996, 0.0},
                                 {0.97390652851717172, 0.0325581623079647275, 0.0666713443086881376},
                                 {0.995657163025808081, 0.0116946388673718743, 0.0}};

/* h[0] is the variable whose correlations grow: to sin(a) with h[1] and sin(b) with h[2]. */
typedef struct path {
    double h[3];
    double a, b;
    double r23, t; /* r23 = cos(t) */
} path;

typedef struct interval {
    double from, to, value, error;
} interval;

/* A place u on the path: sines and cosines of a x and b x, root of the determinant, derivative of x. */
typedef struct node {
    double sa, ca, sb, cb, root, slope;
} node;

/* One of the two terms: the correlation of `own` with h[0] is s, its cosine c, that of `other` so. */
static double path_term(const path *p, double own, double s, double c, double other, double so, double root)
{
    double h = p->h[0];
    double exponent = -0.5 * (h * h + own * own - 2.0 * s * h * own) / (c * c);
    double limit = other * c * c - (so - s * p->r23) * h - (p->r23 - s * so) * own;

    if (exponent < -745.0)
        return 0.0;
    /* Without variance left the other variable is decided; exactly at the limit is inside. */
    if (root <= 0.0)
        return limit >= 0.0 ? exp(exponent) : 0.0;
    return exp(exponent) * tct_normal_cdf(limit / (c * root));
}

static node find_node(const path *p, double u)
{
    double x = u * (2.0 - u), a = p->a * x, b = p->b * x;
    double determinant = 4.0 * sin(0.5 * (p->t + a - b)) * sin(0.5 * (p->t - a + b)) * cos(0.5 * (a + b + p->t)) *
                         cos(0.5 * (a + b - p->t));

    return (node){sin(a), cos(a), sin(b), cos(b), determinant > 0.0 ? sqrt(determinant) : 0.0, 2.0 * (1.0 - u)};
}

/* The integrand. */
static double evaluate_path(const path *p, double u)
{
    node at = find_node(p, u);
    double sum = 0.0;

    if (p->a != 0.0)
        sum += p->a * path_term(p, p->h[1], at.sa, at.ca, p->h[2], at.sb, at.root);
    if (p->b != 0.0)
        sum += p->b * path_term(p, p->h[2], at.sb, at.cb, p->h[1], at.sa, at.root);
    return at.slope * sum;
}

static interval integrate(const path *p, double from, double to)
{
    interval i = {from, to, 0.0, 0.0};
    double middle = 0.5 * (from + to), half = 0.5 * (to - from), gauss = 0.0;

    for (size_t n = 0; n < 11; n++) {
        double f = evaluate_path(p, middle + half * rule[n].node);

        if (n > 0)
            f += evaluate_path(p, middle - half * rule[n].node);
        i.value += half * rule[n].weight * f;
        gauss += half * rule[n].gauss * f;
    }
    /* The difference belongs to the shorter rule; the longer one is better by about this power. */
    i.error = fabs(i.value - gauss);
    i.error = i.error < 0.005 ? fmin(i.error, pow(200.0 * i.error, 1.5)) : i.error;
    return i;
}

/* Halve the worst interval until the sum of the errors is small. */
static double integrate_adaptively(const path *p)
{
    interval list[INTERVALS];
    size_t n = 1;
    double sum = 0.0;

    list[0] = integrate(p, 0.0, 1.0);
    while (n < INTERVALS) {
        size_t worst = 0;
        double error = 0.0, middle;

        for (size_t i = 0; i < n; i++) {
            error += list[i].error;
            if (list[i].error > list[worst].error)
                worst = i;
        }
        if (error <= TOLERANCE)
            break;
        middle = 0.5 * (list[worst].from + list[worst].to);
        list[n++] = integrate(p, middle, list[worst].to);
        list[worst] = integrate(p, list[worst].from, middle);
    }
    for (size_t i = 0; i < n; i++)
        sum += list[i].value;
    return sum;
}

/* Z2 = sign Z3: two variables are left. */
static double collapse(const path *p, double r12, double sign)
{
    if (sign > 0.0)
        return tct_bvn(p->h[0], fmin(p->h[1], p->h[2]), r12);
    if (p->h[1] < -p->h[2])
        return 0.0;
    return fmax(0.0, tct_bvn(p->h[0], p->h[1], r12) - tct_bvn(p->h[0], -p->h[2], r12));
}

double tct_tvn_angles(double r12, double r13, double r23, double angles[3])
{
    double a = asin(r12), b = asin(r13), t = acos(fmax(-1.0, fmin(1.0, r23)));

    angles[0] = a;
    angles[1] = b;
    angles[2] = t;
    /* Rounded correlations may be those of no matrix: take the nearest angle that is.  Near rank 1, where all angles
     * are small, most of the path would be outside. */
    if (fabs(r23) >= 1.0 - DEGENERATE || (t >= fabs(a - b) && t <= PI - fabs(a + b)))
        return r23;
    angles[2] = t < fabs(a - b) ? fabs(a - b) : PI - fabs(a + b);
    return cos(angles[2]);
}

double tct_tvn(const double h[3], double r12, double r13, double r23)
{
    const double r[3] = {r23, r13, r12}; /* r[i]: of the pair without i */
    size_t first = fabs(r[1]) > fabs(r[0]) ? 1 : 0, second, third;
    double angles[3], along, value;
    path p;

    for (size_t i = 0; i < 3; i++)
        if (h[i] == -INFINITY)
            return 0.0;
    for (size_t i = 0; i < 3; i++)
        if (h[i] == INFINITY)
            return tct_bvn(h[(i + 1) % 3], h[(i + 2) % 3], r[i]);
    first = fabs(r[2]) > fabs(r[first]) ? 2 : first;
    second = (first + 1) % 3;
    third = (first + 2) % 3;
    along = tct_tvn_angles(r[third], r[second], r[first], angles);
    p = (path){{h[first], h[second], h[third]}, angles[0], angles[1], along, angles[2]};
    if (fabs(p.r23) >= 1.0 - DEGENERATE)
        return collapse(&p, r[third], p.r23);
    value = tct_normal_cdf(p.h[0]) * tct_bvn(p.h[1], p.h[2], p.r23);
    if (p.a != 0.0 || p.b != 0.0)
        value += integrate_adaptively(&p) / TWO_PI;
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/*
 * polygon.c -- the standard normal mass of a convex polygon in the plane.
 *
 * The polygon is an intersection of half-planes, bounded or not, possibly empty.  Around the origin, in polar
 * coordinates, the mass outside of a star-shaped region is the integral of exp(-radius^2 / 2) over the angle; taken
 * along the edges with their sign it holds for every position of the origin:
 *
 *     mass = [origin inside] - sum over edges of sign(b) (T(|b|, to / |b|) - T(|b|, from / |b|)),
 *
 * where b is the offset of the edge's line, from and to its ends measured along the line from the point nearest the
 * origin, and T is Owen's function, T(h, a) = 1/(2 pi) integral_0^a exp(-h^2 (1 + x^2) / 2) / (1 + x^2) dx.
 */
#include "num.h"

#include <math.h>

#define TWO_PI 6.283185307179586
#define PARALLEL 1e-12 /* sine of the angle between two lines */
#define TINY 1e-15

/* Gauss-Legendre on [0, 1], 12 nodes: 1e-15 for a <= 1, the poles of 1 / (1 + x^2) being that far away. */
static const double nodes[12] = {0.00921968287664037465, 0.0479413718147625717, 0.115048662902847656,
                                 0.206341022856691276,   0.316084250500909903,  0.437383295744265542,
                                 0.562616704255734458,   0.683915749499090097,  0.793658977143308724,
                                 0.884951337097152344,   0.952058628185237428,  0.990780317123359625};
static const double weights[12] = {0.0235876681932559136, 0.0534696629976592155, 0.0800391642716731132,
                                   0.101583713361532961,  0.116746268269177404,  0.124573522906701393,
                                   0.124573522906701393,  0.116746268269177404,  0.101583713361532961,
                                   0.0800391642716731132, 0.0534696629976592155, 0.0235876681932559136};

/* T(h, a) for 0 <= a <= 1. */
static double owen_series(double h, double a)
{
    double sum = 0.0, half = 0.5 * h * h;

    if (half > 700.0)
        return 0.0;
    for (int i = 0; i < 12; i++) {
        double x2 = a * nodes[i] * a * nodes[i];

        sum += weights[i] * exp(-half * (1.0 + x2)) / (1.0 + x2);
    }
    return a * sum / TWO_PI;
}

/* T(h, t / h) for h >= 0 and any t, infinite ones too. */
static double owen_t(double h, double t)
{
    double a = fabs(t), value, tail, other;

    if (t == 0.0)
        return 0.0;
    if (a <= h) {
        value = owen_series(h, a / h);
    } else {
        /* T(h, a) + T(a h, 1 / a) is known. */
        tail = tct_normal_cdf(-h);
        other = isinf(a) ? 0.0 : tct_normal_cdf(-a);
        value = 0.5 * (tail + other) - tail * other - (isinf(a) ? 0.0 : owen_series(a, h / a));
    }
    return t > 0.0 ? value : -value;
}

/* A line through the origin is moved off it by nothing that counts: with the origin on a corner the angles there would
 * be lost. */
static double offset_of(const double *offsets, size_t i)
{
    return fabs(offsets[i]) < TINY ? TINY : offsets[i];
}

/* The part of line i that lies in all other half-planes; false when there is none. */
static bool clip_edge(const double *normals, size_t stride, const double *offsets, size_t n, size_t i, double *from,
                      double *to)
{
    double x = normals[i * stride], y = normals[i * stride + 1];

    *from = -INFINITY;
    *to = INFINITY;
    for (size_t j = 0; j < n; j++) {
        double along = normals[j * stride + 1] * x - normals[j * stride] * y; /* with the direction (-y, x) */
        double across = normals[j * stride] * x + normals[j * stride + 1] * y;
        double room = offset_of(offsets, j) - offset_of(offsets, i) * across;

        if (j == i)
            continue;
        if (fabs(along) < PARALLEL) {
            /* Of two equal half-planes the first has the edge. */
            if (room < 0.0 || (room == 0.0 && across > 0.0 && j < i))
                return false;
        } else if (along > 0.0) {
            *to = fmin(*to, room / along);
        } else {
            *from = fmax(*from, room / along);
        }
    }
    return *from < *to;
}

double tct_polygon(const double *normals, size_t stride, const double *offsets, size_t n)
{
    double mass = 1.0, from, to;

    for (size_t i = 0; i < n; i++)
        if (offset_of(offsets, i) < 0.0)
            mass = 0.0;
    for (size_t i = 0; i < n; i++) {
        double b = offset_of(offsets, i), part;

        if (!clip_edge(normals, stride, offsets, n, i, &from, &to))
            continue;
        part = owen_t(fabs(b), to) - owen_t(fabs(b), from);
        mass -= b < 0.0 ? -part : part;
    }
    return mass < 0.0 ? 0.0 : mass > 1.0 ? 1.0 : mass;
}

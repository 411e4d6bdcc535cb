/*
 * quadrature.c -- Gauss-Hermite nodes and weights for the standard normal weight.
 *
 * With the orthonormal Hermite polynomials p_0 = 1, sqrt(k+1) p_{k+1} = x p_k - sqrt(k) p_{k-1}, the nodes are the
 * roots of p_n and the weights 1 / sum_{k<n} p_k(x)^2.  A root is found by bisection, counting the roots below a point
 * by the sign changes of p_0(x), ..., p_n(x) (Sturm), and polished by Newton with p_n' = sqrt(n) p_{n-1}.
 * Only the positive half is computed; the rest is its mirror image.
 */
#include "num.h"

#include <math.h>

#define BISECTIONS 40
#define POLISH 4

/* Roots of p_n above x: the sign changes in the sequence. */
static size_t roots_above(double x, size_t n)
{
    double before = 0.0, now = 1.0;
    size_t changes = 0;

    for (size_t k = 0; k < n; k++) {
        double next = (x * now - sqrt((double)k) * before) / sqrt((double)k + 1.0);

        changes += (next < 0.0) != (now < 0.0);
        before = now;
        now = next;
    }
    return changes;
}

/* p_n(x), p_{n-1}(x) and the sum of p_k(x)^2 over k < n. */
static void evaluate_hermite(double x, size_t n, double *value, double *previous, double *squares)
{
    double before = 0.0, now = 1.0, sum = 0.0;

    for (size_t k = 0; k < n; k++) {
        double next = (x * now - sqrt((double)k) * before) / sqrt((double)k + 1.0);

        sum += now * now;
        before = now;
        now = next;
    }
    *value = now;
    *previous = before;
    *squares = sum;
}

/* The root of p_n that has exactly `above` roots to its right. */
static double find_root(size_t n, size_t above)
{
    double low = 0.0, high = 2.0 * sqrt((double)n) + 1.0, x, value, previous, squares;

    for (int i = 0; i < BISECTIONS; i++) {
        x = 0.5 * (low + high);
        if (roots_above(x, n) > above)
            low = x;
        else
            high = x;
    }
    x = 0.5 * (low + high);
    for (int i = 0; i < POLISH; i++) {
        evaluate_hermite(x, n, &value, &previous, &squares);
        x -= value / (sqrt((double)n) * previous);
    }
    return x;
}

void tct_hermite(size_t n, double *nodes, double *weights)
{
    double value, previous, squares;

    for (size_t i = 0; i < n / 2; i++) {
        double x = find_root(n, i);

        evaluate_hermite(x, n, &value, &previous, &squares);
        nodes[n - 1 - i] = x;
        nodes[i] = -x;
        weights[i] = weights[n - 1 - i] = 1.0 / squares;
    }
    if (n % 2 == 1) {
        evaluate_hermite(0.0, n, &value, &previous, &squares);
        nodes[n / 2] = 0.0;
        weights[n / 2] = 1.0 / squares;
    }
}

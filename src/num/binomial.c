/*
 * binomial.c -- Clopper-Pearson intervals and Student's quantiles by inverting the regularised incomplete beta function.
 *
 * I_x(a, b) = x^a (1-x)^b / (a B(a, b)) times a continued fraction (Lentz's evaluation), which converges fast for x
 * below the mean a / (a + b); above it the other tail is computed instead.  For a million trials the factor in front
 * is a difference of huge logarithms, so it is written around the mean p = a / (a + b): the powers become exp(a g(x/p
 * - 1) + b g((1-x)/(1-p) - 1)) with g(u) = log(1 + u) - u, whose linear terms have cancelled on paper, and the gamma
 * functions are replaced by what Stirling's formula leaves over.
 */
#include "num.h"

#include <math.h>

#define TWO_PI 6.283185307179586
#define HALF_LOG_2PI 0.9189385332046728
#define FRACTION_STEPS 100000000
#define SOLVE_STEPS 200

/* log(1 + u) - u for u > -1. */
static double log1p_rest(double u)
{
    double sum = 0.0;

    if (fabs(u) > 0.1)
        return log1p(u) - u;
    for (int k = 20; k >= 2; k--)
        sum = sum * -u + 1.0 / k; /* 1/2 - u/3 + u^2/4 - ... */
    return -u * u * sum;
}

/* log Gamma(z) - ((z - 1/2) log z - z + log(2 pi)/2), for z > 0. */
static double stirling_rest(double z)
{
    double i = 1.0 / (z * z);
    int sign;

    if (z < 16.0)
        return lgamma_r(z, &sign) - ((z - 0.5) * log(z) - z + HALF_LOG_2PI);
    return (1.0 / 12 - i * (1.0 / 360 - i * (1.0 / 1260 - i * (1.0 / 1680 - i * (1.0 / 1188))))) / z;
}

/* x^a (1-x)^b / B(a, b), where y = 1 - x. */
static double beta_power(double x, double y, double a, double b)
{
    double n = a + b, p = a / n, q = b / n;
    double offset = x < y ? x - p : q - y; /* exact enough on the side where x is close to p */
    double power = a * log1p_rest(offset / p) + b * log1p_rest(-offset / q);

    return sqrt(a * q / TWO_PI) * exp(power + stirling_rest(n) - stirling_rest(a) - stirling_rest(b));
}

/* The continued fraction of I_x(a, b), for x below about the mean. */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), value;

    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    value = d;
    for (long m = 1; m < FRACTION_STEPS; m++) {
        double k = (double)m, factor;
        double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));

        d = 1.0 + even * d;
        c = 1.0 + even / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        d = 1.0 + odd * d;
        c = 1.0 + odd / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        factor = d * c;
        value *= factor;
        if (fabs(factor - 1.0) < 1e-15)
            break;
    }
    return value;
}

/* Both tails at x, and the density there. */
static void beta_tails(double x, double a, double b, double *lower, double *upper, double *density)
{
    double y = 1.0 - x, power = beta_power(x, y, a, b);

    *density = power / (x * y);
    if (x < (a + 1.0) / (a + b + 2.0)) {
        *lower = power * beta_fraction(x, a, b) / a;
        *upper = 1.0 - *lower;
    } else {
        *upper = power * beta_fraction(y, b, a) / b;
        *lower = 1.0 - *upper;
    }
}

/* The x at which the tail of the beta distribution (below x, or above) is `target`, a small number.  Newton on the
 * logarithm of the tail, which is concave, kept inside a bracket by bisection. */
static double solve_tail(double a, double b, double target, bool above)
{
    double low = 0.0, high = 1.0, x = a / (a + b);

    for (int i = 0; i < SOLVE_STEPS; i++) {
        double lower, upper, density, value, step;

        beta_tails(x, a, b, &lower, &upper, &density);
        value = above ? upper : lower;
        if (above ? value > target : value < target)
            low = x;
        else
            high = x;
        step = value > 0.0 && density > 0.0 ? log(value / target) * value / density : INFINITY;
        step = above ? x + step : x - step;
        if (!(step > low && step < high))
            step = 0.5 * (low + high);
        if (fabs(step - x) <= 1e-15 * step || high - low <= 1e-15 * high)
            return step;
        x = step;
    }
    return x;
}

void tct_clopper_pearson(double successes, double trials, double level, double *low, double *high)
{
    double tail = 0.5 * (1.0 - level);
    double k = successes, n = trials;

    *low = k <= 0.0 ? 0.0 : k >= n ? exp(log(tail) / n) : solve_tail(k, n - k + 1.0, tail, false);
    *high = k >= n ? 1.0 : k <= 0.0 ? -expm1(log(tail) / n) : solve_tail(k + 1.0, n - k, tail, true);
}

bool tct_clopper_high_within(double successes, double trials, double level, double p)
{
    double k = successes, n = trials, lower, upper, density;

    if (k >= n)
        return false;
    beta_tails(p, k + 1.0, n - k, &lower, &upper, &density);
    return upper <= 0.5 * (1.0 - level);
}

bool tct_clopper_low_beyond(double successes, double trials, double level, double p)
{
    double k = successes, n = trials, lower, upper, density;

    if (k <= 0.0)
        return false;
    beta_tails(p, k, n - k + 1.0, &lower, &upper, &density);
    return lower < 0.5 * (1.0 - level);
}

/* f / (f + T^2) has the beta distribution with f/2 and 1/2. */
double tct_student_quantile(double freedom, double level)
{
    double x = solve_tail(0.5 * freedom, 0.5, 1.0 - level, false);

    return sqrt(freedom * (1.0 / x - 1.0));
}

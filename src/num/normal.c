/*
 * normal.c -- the normal distribution in one dimension, and entropies.
 *
 * Phi comes from erfc.  In the far left tail the rounding of x / sqrt(2) alone would cost up to three digits, since
 * the relative slope of the tail is about -x; so the part of the argument that rounding drops is put back to first
 * order.
 *
 * The quantile starts from Wichura's rational approximations (Applied Statistics 37, 1988, algorithm AS 241), which
 * are good to about 1e-16 of the result.  In the tails one Halley step against Phi makes up for what their evaluation
 * loses; in the centre such a step would do harm, because Phi(x) - p cancels there.
 */
#include "num.h"

#include <math.h>

#define INV_SQRT_2 0.7071067811865476
#define INV_SQRT_2_LOW (-4.833646656726457e-17) /* 1/sqrt(2) minus the above */
#define INV_SQRT_2PI 0.39894228040143268
#define TWO_OVER_SQRT_PI 1.1283791670955126

/* Numerator and denominator of degree 7, constant term first, for three ranges. */
static const double centre[2][8] = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
static const double tail[2][8] = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
static const double far_tail[2][8] = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

static double evaluate_ratio(const double ratio[2][8], double x)
{
    double top = ratio[0][7], bottom = ratio[1][7];

    for (int i = 6; i >= 0; i--) {
        top = top * x + ratio[0][i];
        bottom = bottom * x + ratio[1][i];
    }
    return top / bottom;
}

/* Phi^-1(p) for 0 < p < 0.075. */
static double lower_tail_quantile(double p)
{
    double r = sqrt(-log(p));
    double x = r <= 5.0 ? -evaluate_ratio(tail, r - 1.6) : -evaluate_ratio(far_tail, r - 5.0);

    if (p > 1e-300) {
        double step = (tct_normal_cdf(x) - p) / tct_normal_pdf(x);

        x -= step / (1.0 + 0.5 * x * step);
    }
    return x;
}

double tct_normal_pdf(double x)
{
    return INV_SQRT_2PI * exp(-0.5 * x * x);
}

double tct_normal_cdf(double x)
{
    double y = -x * INV_SQRT_2, lost;

    if (!(x < -2.0) || x < -40.0)
        return 0.5 * erfc(y);
    lost = fma(-x, INV_SQRT_2, -y) - x * INV_SQRT_2_LOW;
    return 0.5 * (erfc(y) - lost * TWO_OVER_SQRT_PI * exp(-y * y));
}

double tct_normal_quantile(double p)
{
    double q = p - 0.5;

    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? -INFINITY : INFINITY;
    if (fabs(q) <= 0.425)
        return q * evaluate_ratio(centre, 0.180625 - q * q);
    return q < 0.0 ? lower_tail_quantile(p) : -lower_tail_quantile(1.0 - p); /* 1 - p is exact here */
}

double tct_entropy2(double p)
{
    if (p <= 0.0 || p >= 1.0)
        return 0.0;
    return -p * log(p) - (1.0 - p) * log1p(-p);
}

double tct_entropy(const double *p, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        if (p[i] > 0.0)
            sum -= p[i] * log(p[i]);
    return sum > 0.0 ? sum : 0.0;
}

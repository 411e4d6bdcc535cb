/*
 * bvn.c -- the bivariate normal distribution, to nearly full double precision.
 *
 * The derivative of Pr(X > h, Y > k) in the correlation is the bivariate density (Plackett), so the probability is
 * that of independence plus an integral over the correlation from 0 to r.  With r = sin(angle) the integrand is
 * smooth, and a few Gauss-Legendre nodes do (Drezner and Wesolowsky 1990).  Near |r| = 1 the integral runs from there
 * inwards instead, and what makes the integrand steep is subtracted and integrated in closed form (Genz, Statistics
 * and Computing 14, 2004).
 */
#include "num.h"

#include <math.h>

#define TWO_PI 6.283185307179586
#define SQRT_2PI 2.5066282746310002
#define STEEP_FROM 0.925
#define EXP_NOTHING (-100.0) /* exp of this is nothing here */

typedef struct legendre {
    double node, weight; /* the positive half */
} legendre;

static const legendre rule_6[3] = {{0.238619186083196909, 0.467913934572691047},
                                   {0.661209386466264514, 0.360761573048138608},
                                   {0.932469514203152028, 0.171324492379170345}};
static const legendre rule_12[6] = {
    {0.125233408511468915, 0.249147045813402785}, {0.367831498998180194, 0.233492536538354809},
    {0.587317954286617447, 0.203167426723065922}, {0.769902674194304687, 0.160078328543346226},
    {0.904117256370474857, 0.106939325995318431}, {0.981560634246719251, 0.0471753363865118272}};
static const legendre rule_20[10] = {
    {0.0765265211334973338, 0.152753387130725851}, {0.227785851141645078, 0.149172986472603747},
    {0.373706088715419561, 0.142096109318382051},  {0.510867001950827098, 0.131688638449176627},
    {0.636053680726515025, 0.118194531961518417},  {0.746331906460150793, 0.101930119817240435},
    {0.839116971822218823, 0.0832767415767047487}, {0.912234428251325906, 0.0626720483341090636},
    {0.963971927277913791, 0.0406014298003869413}, {0.993128599185094925, 0.0176140071391521183}};

/* Pr(X > h, Y > k) for |r| < STEEP_FROM. */
static double upper_smooth(double h, double k, double r)
{
    const legendre *rule = fabs(r) < 0.3 ? rule_6 : fabs(r) < 0.75 ? rule_12 : rule_20;
    size_t n = fabs(r) < 0.3 ? 3 : fabs(r) < 0.75 ? 6 : 10;
    double half = 0.5 * asin(r), squares = 0.5 * (h * h + k * k), sum = 0.0;

    for (size_t i = 0; i < n; i++)
        for (int side = -1; side <= 1; side += 2) {
            double s = sin(half * (1.0 + side * rule[i].node));

            sum += rule[i].weight * exp((s * h * k - squares) / (1.0 - s * s));
        }
    return sum * half / TWO_PI + tct_normal_cdf(-h) * tct_normal_cdf(-k);
}

/* For 0 <= r < 1: the probability that is missing from Pr(X > max(h, k)), the value at r = 1. */
static double missing_from_one(double h, double k, double r)
{
    double hk = h * k, gap2 = (h - k) * (h - k), gap = fabs(h - k);
    double s2 = (1.0 - r) * (1.0 + r), s = sqrt(s2);
    double c = (4.0 - hk) / 8.0, d = (12.0 - hk) / 16.0; /* of the expansion of the smooth factor in s2 */
    double exponent = -0.5 * (gap2 / s2 + hk), sum = 0.0;

    if (exponent > EXP_NOTHING)
        sum = s * exp(exponent) * (1.0 - c * (gap2 - s2) * (1.0 - d * gap2 / 5.0) / 3.0 + c * d * s2 * s2 / 5.0);
    if (hk > EXP_NOTHING)
        sum -= exp(-0.5 * hk) * SQRT_2PI * tct_normal_cdf(-gap / s) * gap *
               (1.0 - c * gap2 * (1.0 - d * gap2 / 5.0) / 3.0);
    for (size_t i = 0; i < 10; i++)
        for (int side = -1; side <= 1; side += 2) {
            double t = 0.5 * s * (1.0 + side * rule_20[i].node), t2 = t * t, root = sqrt(1.0 - t2);

            exponent = -0.5 * (gap2 / t2 + hk);
            if (exponent > EXP_NOTHING)
                sum += 0.5 * s * rule_20[i].weight * exp(exponent) *
                       (exp(-hk * t2 / (2.0 * (1.0 + root) * (1.0 + root))) / root - (1.0 + c * t2 * (1.0 + d * t2)));
        }
    return sum / TWO_PI;
}

/* Pr(X > h, Y > k) for |r| >= STEEP_FROM. */
static double upper_steep(double h, double k, double r)
{
    if (r > 0.0)
        return tct_normal_cdf(-fmax(h, k)) - (r < 1.0 ? missing_from_one(h, k, r) : 0.0);
    /* Y > k is -Y < -k, and -Y has correlation -r: Pr(X > h) - Pr(X > h, -Y > -k), or its closed form. */
    k = -k;
    if (h >= k)
        return r > -1.0 ? missing_from_one(h, k, -r) : 0.0;
    return (h < 0.0 ? tct_normal_cdf(k) - tct_normal_cdf(h) : tct_normal_cdf(-h) - tct_normal_cdf(-k)) +
           (r > -1.0 ? missing_from_one(h, k, -r) : 0.0);
}

double tct_bvn(double h, double k, double r)
{
    double p;

    if (h == -INFINITY || k == -INFINITY)
        return 0.0;
    if (h == INFINITY || k == INFINITY)
        return tct_normal_cdf(h == INFINITY ? k : h);
    p = fabs(r) < STEEP_FROM ? upper_smooth(-h, -k, r) : upper_steep(-h, -k, r);
    return p < 0.0 ? 0.0 : p > 1.0 ? 1.0 : p;
}

/*
 * With t = |mean| / standard deviation the entropy is H(t) = -p log p - (1 - p) log(1 - p), p = Phi(-t).  It falls like
 * a Gaussian tail, and a rule that compares candidates needs it to relative accuracy, also where nobody doubts the
 * label.  So H(t) = exp(-t^2 / 2) S(t), where S changes slowly: a polynomial of degree 5 on each of 296 pieces, through
 * six Chebyshev points, made once per process.  The exponential is 2^-k e^r, |r| <= log(2) / 2, e^r by its series.
 */
#include "binary_entropy.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "num.h"
#include "simd.h"

enum { DEGREE = 5, ROW = 8, END = 37, PER_UNIT = 8 }; /* pieces of 1/8 up to 37 */

#define PI 3.14159265358979324
#define LOG2_E 1.4426950408889634
#define LN_2_HIGH 0x1.62e42fefa0000p-1 /* 17 bits of zeros: times k it is exact */
#define LN_2_LOW 0x1.cf79abc9e3b3ap-40
#define ROUNDER 0x1.8p52 /* adding it rounds to a whole number, left in the last bits */

static double pieces[END * PER_UNIT + 1][ROW]; /* the last is 0 */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* exp(t^2 / 2) H(t). */
static double slow_part(double t)
{
    return exp(0.5 * t * t) * tct_entropy2(tct_normal_cdf(-t));
}

/* The polynomial in u through f at Chebyshev points of [-1/2, 1/2]: divided differences, then powers. */
static void fit_piece(double middle, double width, double *c)
{
    double u[DEGREE + 1], f[DEGREE + 1];

    for (size_t i = 0; i <= DEGREE; i++) {
        u[i] = 0.5 * cos(PI * ((double)i + 0.5) / (DEGREE + 1));
        f[i] = slow_part(middle + width * u[i]);
    }
    for (size_t order = 1; order <= DEGREE; order++)
        for (size_t i = DEGREE; i >= order; i--)
            f[i] = (f[i] - f[i - 1]) / (u[i] - u[i - order]);
    for (size_t i = 0; i <= DEGREE; i++)
        c[i] = 0;
    for (size_t i = DEGREE + 1; i-- > 0;) { /* c = c (u - u_i) + f_i */
        for (size_t j = DEGREE; j > 0; j--)
            c[j] = c[j - 1] - u[i] * c[j];
        c[0] = f[i] - u[i] * c[0];
    }
}

static void fit_pieces(void)
{
    for (size_t i = 0; i < END * PER_UNIT; i++)
        fit_piece(((double)i + 0.5) / PER_UNIT, 1.0 / PER_UNIT, pieces[i]);
}

/* exp(-y), 0 <= y < 700. */
TCT_INLINED double exp_minus(double y)
{
    double shifted = y * LOG2_E + ROUNDER, k = shifted - ROUNDER, r = (k * LN_2_HIGH - y) + k * LN_2_LOW;
    double r2 = r * r, r4 = r2 * r2, sum, scale;
    uint64_t bits;

    sum = ((1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6))) +
          r4 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040))) +
          (r4 * r4) * ((1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800)));
    memcpy(&bits, &shifted, sizeof bits);
    bits = (UINT64_C(1023) - bits) << 52; /* the last bits of `shifted` are k */
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

TCT_INLINED void entropy_body(const double *mean, const double *variance, double *h)
{
    double t[TCT_LANES], u[TCT_LANES], c[DEGREE + 1][TCT_LANES];
    int32_t index[TCT_LANES];

    for (size_t i = 0; i < TCT_LANES; i++) {
        double ratio = fabs(mean[i]) / sqrt(variance[i]);

        t[i] = ratio < END ? ratio : END; /* also NaN */
    }
    for (size_t i = 0; i < TCT_LANES; i++) {
        index[i] = (int32_t)(t[i] * PER_UNIT);
        u[i] = t[i] * PER_UNIT - (double)index[i] - 0.5;
    }
    for (size_t i = 0; i < TCT_LANES; i++)
        for (size_t k = 0; k <= DEGREE; k++)
            c[k][i] = pieces[index[i]][k];
    for (size_t i = 0; i < TCT_LANES; i++) {
        double v = u[i], v2 = v * v;
        double s = ((c[0][i] + v * c[1][i]) + v2 * (c[2][i] + v * c[3][i])) + (v2 * v2) * (c[4][i] + v * c[5][i]);

        h[i] = s * exp_minus(0.5 * t[i] * t[i]);
    }
}

TCT_SIMD_FUNCTION(void, entropy_each, entropy_body, (const double *mean, const double *variance, double *h),
                  (mean, variance, h))

void tct_binary_entropies(const double mean[TCT_LANES], const double variance[TCT_LANES], double h[TCT_LANES])
{
    pthread_once(&once, fit_pieces);
    entropy_each(mean, variance, h);
}

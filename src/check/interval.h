/*
 * interval.h -- intervals that are sure to hold the exact result.
 *
 * After every operation both ends move outward by at least one double, so that rounding, which is at most half a step,
 * cannot push the exact result outside.  No rounding modes: compilers move arithmetic across changes of those.
 */
#ifndef TCT_INTERVAL_H
#define TCT_INTERVAL_H

#include <math.h>

typedef struct tct_interval {
    double lo, hi;
} tct_interval;

/* A double above x, at least the next one: |x| 2^-52 is at least the distance of the doubles around x, and the smallest
 * double of all takes over where that product vanishes.  One multiplication and two additions instead of a call of
 * nextafter. */
static inline double tct_above(double x)
{
    return x + (fabs(x) * 0x1p-52 + 0x1p-1074);
}

static inline double tct_below(double x)
{
    return x - (fabs(x) * 0x1p-52 + 0x1p-1074);
}

static inline tct_interval tct_exactly(double x)
{
    return (tct_interval){x, x};
}

static inline tct_interval tct_plus(tct_interval a, tct_interval b)
{
    return (tct_interval){tct_below(a.lo + b.lo), tct_above(a.hi + b.hi)};
}

/* w a for an exact number w. */
static inline tct_interval tct_scaled(double w, tct_interval a)
{
    return w >= 0 ? (tct_interval){tct_below(w * a.lo), tct_above(w * a.hi)}
                  : (tct_interval){tct_below(w * a.hi), tct_above(w * a.lo)};
}

static inline tct_interval tct_times(tct_interval a, tct_interval b)
{
    double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;

    return (tct_interval){tct_below(fmin(fmin(p, q), fmin(r, s))), tct_above(fmax(fmax(p, q), fmax(r, s)))};
}

#endif

/*
 * rounding.c -- what proofs need to know about rounding.
 *
 * Bounds are made safe by padding, never by changing the rounding mode (compilers reorder across that).  The next
 * double is found in the bits: the doubles of one sign are in the order of their bit patterns.
 */
#include "num.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double tct_gamma(size_t n)
{
    double ne;

    if (n == 0)
        return 0.0;
    if (n >= (size_t)1 << 53)
        return INFINITY;
    ne = (double)n * 0x1p-53; /* exact, and so is 1 - ne: only the division rounds */
    return tct_up(ne / (1.0 - ne));
}

double tct_up(double x)
{
    uint64_t bits;

    if (isnan(x) || x == INFINITY)
        return x;
    if (x == 0.0)
        return 0x1p-1074;
    memcpy(&bits, &x, sizeof(bits));
    bits += x > 0.0 ? 1 : -(uint64_t)1;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

double tct_down(double x)
{
    return -tct_up(-x);
}

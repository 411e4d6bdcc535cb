/*
 * paired.c -- the difference of two shares among the same people.
 *
 * Tango's score interval (Statistics in Medicine 17, 1998): for a difference d, the variance is the one that fits the
 * counts best under d; the interval holds the d that the counts do not speak against.  Unlike the usual interval it does
 * not shrink to a point when nobody tells the two apart.
 */
#include <math.h>

#include "num.h"

enum { STEPS = 100 }; /* halvings: down to the last bit */

/* How far the counts are from a difference d, in standard deviations. */
static double distance(double more, double less, double n, double d)
{
    double a = 2 * n, b = -more - less + (2 * n - more + less) * d, c = -less * d * (1 - d);
    double root = sqrt(fmax(b * b - 4 * a * c, 0));
    double share = fmax((root - b) / (2 * a), 0), variance = n * (2 * share + d * (1 - d)), off = more - less - n * d;

    if (off == 0)
        return 0;
    return variance > 0 ? off / sqrt(variance) : off > 0 ? INFINITY : -INFINITY;
}

/* The difference between `inside`, which is not too far, and `outside` from which on it is. */
static double find_end(double more, double less, double n, double z, double inside, double outside)
{
    if (fabs(distance(more, less, n, outside)) <= z)
        return outside;
    for (int i = 0; i < STEPS; i++) {
        double middle = inside + (outside - inside) / 2;

        if (fabs(distance(more, less, n, middle)) <= z)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

void tct_paired_interval(double more, double less, double n, double level, double *low, double *high)
{
    double z = tct_normal_quantile(0.5 + 0.5 * level), difference = (more - less) / n;

    *low = find_end(more, less, n, z, difference, -1);
    *high = find_end(more, less, n, z, difference, 1);
}

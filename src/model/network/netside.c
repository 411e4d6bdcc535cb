/*
 * netside.c -- bounds where a margin is still in doubt, not over the whole box.
 *
 * On a box the margin is at least g . x + c, the form of the row bounded last.  Where that is positive the margin is
 * proven, so the rest of the search need only look at the other side of the plane g . x + c = 0.  In many dimensions that
 * side of a box is far smaller than the smallest box around it: a corner cut off is a simplex.  So every form a . x + b
 * that is bounded in parts of the box, of a neuron or of the margin, is bounded over the part's share of that side.  For
 * any t >= 0 no point there has
 *
 *     a . x + b  <  (a + t g) . x + b + t c
 *
 * and the right-hand side is least at a corner.  It is a concave function of t, made of straight pieces: each value with
 * its slope is a line above it, and the next t is where the last lines from the left and from the right meet.  The first
 * are those at t = 0 and at infinity.  Any t will do for a proof; a few come near the best.
 *
 * Rounding.  c is taken lower by all that the row pays for rounding, so that the margin is at least g . x + c exactly.
 * (a + t g) and its sums err by less than gamma_N times the sizes of both (netbounds.c has room for three roundings more
 * per term), that of t g + t c being t size: the pad of a is paid anyway, and 2 gamma_N t size more.
 */
#include <math.h>
#include <string.h>

#include "netbounds_inside.h"

enum { TILTS = 1 }; /* tried per form: more gained less than they took */
/* A plane further into the box, as a share of the form's range, does not pay: with many neurons it costs more, and less so in
 * a long search. */
static const double FAR_FEW_NEURONS = 0.5, FAR_MANY_NEURONS = 0.15, FAR_IN_MANY_BOXES = 0.4;

/* A margin lacks so little that single precision matters: so many times what that costs it, and what underflows. */
static const double NEAR_ZERO = 4, TINY = 0x1p-50;

/* A line: value + slope t. */
typedef struct tilt_line {
    double value, slope;
} tilt_line;

void tct_netbounds_keep(const tct_netbounds *nb, size_t row, double *side)
{
    double constant = nb->form_constant, pad = nb->rows[row].pad;

    memcpy(side, nb->form, nb->stride * sizeof(double));
    side[nb->stride] = constant - pad - 0x1p-50 * (fabs(constant) + pad);
    side[nb->stride + 1] = nb->form_size + fabs(constant) + pad;
}

void tct_netbounds_keep_all(const tct_netbounds *nb, double *side)
{
    memset(side, 0, nb->stride * sizeof(double));
    side[nb->stride] = side[nb->stride + 1] = -INFINITY; /* all points are on that side */
}

void tct_netbounds_within(tct_netbounds *nb, const double *side)
{
    nb->sided = side && isfinite(side[nb->stride]) && isfinite(side[nb->stride + 1]);
    if (!nb->sided)
        return;
    memcpy(nb->side, side, nb->stride * sizeof(double));
    nb->side_constant = side[nb->stride];
    nb->side_size = side[nb->stride + 1];
}

/* Least value of (sign a + t g) . x over the box, and g . x there. */
static tilt_line tilted(const tct_netbounds *nb, const double *a, double sign, double t)
{
    double out[2];

    nb->lanes->tilted(a, sign, nb->side, t, nb->stride, nb->low, nb->high_number, out);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        double least = INFINITY, slope = 0;

        if (!nb->spans[s].onehot)
            continue;
        for (size_t i = nb->spans[s].first; i < nb->spans[s].first + nb->spans[s].width; i++) {
            double h = sign * a[i] + t * nb->side[i];

            if (nb->high[i] != 0 && !(h >= least)) {
                least = h;
                slope = nb->side[i];
            }
        }
        out[0] += least;
        out[1] += slope;
    }
    return (tilt_line){out[0], out[1]};
}

void tct_side_place(tct_netbounds *nb)
{
    double least, range = 0, far;

    nb->near_zero = false;
    if (!nb->sided)
        return;
    for (size_t i = 0; i < nb->stride; i++) {
        nb->side_corner[i] = nb->side[i] < 0 ? nb->high_number[i] : nb->low[i];
        range += fabs(nb->side[i]) * (nb->high_number[i] - nb->low[i]);
    }
    for (size_t s = 0; s < nb->n_unknown; s++) {
        size_t at = TACIT_NONE;

        if (!nb->spans[s].onehot)
            continue;
        for (size_t i = nb->spans[s].first; i < nb->spans[s].first + nb->spans[s].width; i++)
            if (nb->high[i] != 0 && (at == TACIT_NONE || nb->side[i] < nb->side[at]))
                at = i;
        nb->side_corner[at] = 1;
        range += tct_netbounds_range(nb, s, nb->side);
    }
    least = nb->lanes->dot(nb->side, nb->side_corner, nb->stride);
    nb->side_least = least + nb->side_constant - 2 * nb->rounding * nb->side_size;
    nb->near_zero = -nb->side_least <= NEAR_ZERO * nb->single_rounding * nb->side_size + TINY;
    far = nb->n_units < nb->n_free ? FAR_FEW_NEURONS : nb->many ? FAR_IN_MANY_BOXES : FAR_MANY_NEURONS;
    nb->sided = -nb->side_least <= far * range;
}

double tct_side_bound(tct_netbounds *nb, const double *a, double sign, double constant, double pad, double *tilt)
{
    tilt_line left = tilted(nb, a, sign, 0), right;
    double best = constant + left.value - pad;

    nb->work += nb->stride;
    *tilt = 0;
    left.slope += nb->side_constant;
    if (!(left.slope > 0) || !(nb->side_least < 0))
        return best;
    right.value = sign * nb->lanes->dot(a, nb->side_corner, nb->stride);
    right.slope = nb->side_least;
    for (size_t k = 0; k < TILTS; k++) {
        double t = (right.value - left.value) / (left.slope - right.slope), bound;
        tilt_line here;

        if (!(t > 0) || !(t < INFINITY))
            break;
        here = tilted(nb, a, sign, t);
        nb->work += nb->stride;
        here.value += t * nb->side_constant;
        here.slope += nb->side_constant;
        bound = constant + here.value - pad - 2 * nb->rounding * t * nb->side_size;
        if (bound > best && bound < INFINITY) {
            best = bound;
            *tilt = t;
        }
        here.value -= here.slope * t;
        *(here.slope > 0 ? &left : &right) = here;
    }
    return best;
}

/*
 * odds_lanes.c -- who wins, for eight mean scores side by side.
 *
 * The loops are written once with vectors of the compiler and compiled for several instruction sets; products and
 * sums are never contracted, so all versions give the same bits.  exp, log and Phi are good to about 1e-8: Phi(-y) is
 * exp of a polynomial (fitted so that the absolute error is even), which makes exp(a) Phi(b) one exponential.
 *
 * A class that is behind by FAR standard deviations in all lanes counts as impossible, a margin that is ahead by as
 * much as decided: each is an error below 1e-7.
 */
#include <math.h>
#include <stdint.h>

#include "num.h"
#include "odds.h"
#include "simd.h"

/* Vectors are handed to functions below, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double lanes __attribute__((vector_size(64), may_alias));
typedef int64_t masks __attribute__((vector_size(64), may_alias));

#define TWO_PI 6.283185307179586
#define SQRT_2PI 2.5066282746310002
#define FAR 5.4
#define END 8.0       /* limits beyond this are at it */
#define PHI_END 7.0   /* of the polynomial */
#define LEAST (-80.0) /* exp of less is that */

#define SELECT(mask, a, b) ((lanes)(((masks)(a) & (mask)) | ((masks)(b) & ~(mask))))

TCT_INLINED lanes all_of(double x)
{
    return (lanes){x, x, x, x, x, x, x, x};
}

TCT_INLINED lanes least_of(lanes a, lanes b)
{
    masks less = a < b;

    return SELECT(less, a, b);
}

TCT_INLINED lanes most_of(lanes a, lanes b)
{
    masks more = a > b;

    return SELECT(more, a, b);
}

TCT_INLINED lanes size_of(lanes x)
{
    return (lanes)((masks)x & INT64_MAX);
}

/* sign * x > bound in all lanes. */
TCT_INLINED bool all_beyond(const lanes *x, double sign, double bound)
{
    masks m = *x * sign > all_of(bound);

    return m[0] & m[1] & m[2] & m[3] & m[4] & m[5] & m[6] & m[7];
}

/* exp(x) for x <= 1 or so: 2^n times a polynomial. */
TCT_INLINED lanes exp_of(lanes x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer, in the low bits */
    lanes n, r, p;

    x = most_of(x, all_of(LEAST));
    n = x * 1.4426950408889634 + shift;
    r = x - (n - shift) * 0.6931471805599453;
    p = 1.0 / 5040 * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    return (lanes)((masks)p + ((masks)n << 52));
}

/* log Phi(-y) for 0 <= y <= PHI_END. */
TCT_INLINED lanes log_tail(lanes y)
{
    lanes p = -1.92206784781429e-6 * y + 2.6775724151597726e-5;

    p = p * y + -0.00012655118096395429;
    p = p * y + -0.00010108687171750584;
    p = p * y + 0.0049043429659532237;
    p = p * y + -0.036393731485924967;
    p = p * y + -0.31829657364407231;
    p = p * y + -0.797885689925556;
    return p * y + -0.69314716531489811;
}

/* exp(e) Phi(x) for e <= 0. */
TCT_INLINED lanes weighted_phi(lanes e, lanes x)
{
    lanes tail = exp_of(e + log_tail(least_of(size_of(x), all_of(PHI_END))));
    masks above = x > all_of(0);

    return SELECT(above, exp_of(e) - tail, tail);
}

TCT_INLINED lanes phi(lanes x)
{
    lanes tail = exp_of(log_tail(least_of(size_of(x), all_of(PHI_END))));
    masks above = x > all_of(0);

    return SELECT(above, 1.0 - tail, tail);
}

/* log(x) for normal x > 0. */
TCT_INLINED lanes log_of(lanes x)
{
    const int64_t half = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
    masks bits = (masks)x - half, exponent = bits >> 52;
    lanes m = (lanes)((bits & 0xfffffffffffff) + half), s = (m - 1.0) / (m + 1.0), s2 = s * s, p;
    lanes n = (lanes)((exponent + 1024) | 0x4330000000000000) - 0x1.00000000004p52; /* to double */

    p = 2.0 / 9 * s2 + 2.0 / 7;
    p = p * s2 + 2.0 / 5;
    p = p * s2 + 2.0 / 3;
    p = p * s2 + 2.0;
    return n * 0.6931471805599453 + p * s;
}

/* The probability that is missing from that of correlation 1, for limits -h, -k (bvn.c). */
TCT_INLINED lanes missing_from_one(const tct_odds_pair *p, lanes h, lanes k)
{
    double s = p->spread, s2 = s * s;
    lanes hk = h * k, gap = size_of(h - k), gap2 = gap * gap, c = (4.0 - hk) * 0.125, d = (12.0 - hk) * 0.0625;
    lanes flat = 1.0 - c * gap2 * (1.0 - d * gap2 * 0.2) * (1.0 / 3), sum;
    masks near = gap < all_of(PHI_END * s);

    sum = s * exp_of(-0.5 * (gap2 / s2 + hk)) *
          (1.0 - c * (gap2 - s2) * (1.0 - d * gap2 * 0.2) * (1.0 / 3) + c * d * (s2 * s2 * 0.2));
    sum -= SQRT_2PI * exp_of(-0.5 * hk + log_tail(least_of(gap / s, all_of(PHI_END)))) * gap * flat;
    sum /= TWO_PI;
    for (size_t i = 0; i < 4; i++) {
        const double *node = p->nodes + 4 * i;
        double t2 = node[1], root = sqrt(1 - t2);

        sum += node[3] * exp_of(node[0] * gap2 - 0.5 * hk) *
               (exp_of(node[2] * hk) / root - (1.0 + c * t2 * (1.0 + d * t2)));
    }
    return SELECT(near, sum, all_of(0));
}

/* Both of two margins below their limits. */
TCT_INLINED lanes pair_below(const tct_odds_pair *p, lanes h, lanes k)
{
    lanes sum, squares;

    if (p->steep && p->r > 0)
        return phi(least_of(h, k)) - missing_from_one(p, h, k);
    if (p->steep)
        return most_of(phi(h) + phi(k) - 1.0, all_of(0)) + missing_from_one(p, -h, k);
    sum = phi(h) * phi(k);
    squares = h * h + k * k;
    for (size_t i = 0; i < 6; i++) {
        const double *node = p->nodes + 3 * i;

        sum += node[2] * exp_of(node[0] * squares + node[1] * (h * k));
    }
    return sum;
}

/* All margins are the first one or its opposite. */
TCT_INLINED lanes line_below(const tct_odds_class *c, const lanes *h)
{
    lanes high = h[0], low = all_of(-END);

    for (size_t i = 1; i < 3; i++)
        if (c->pairs[3 - i].r > 0)
            high = least_of(high, h[i]);
        else
            low = most_of(low, -h[i]);
    return most_of(phi(high) - phi(low), all_of(0));
}

TCT_INLINED lanes exact_below(const tct_odds_class *c, const lanes *h)
{
    lanes p = all_of(0);

    for (size_t j = 0; j < TCT_ODDS_LANES; j++) {
        double limits[3] = {h[0][j], h[1][j], h[2][j]};

        p[j] = tct_tvn(limits, c->pairs[2].r, c->pairs[1].r, c->pairs[0].r);
    }
    return p;
}

/* All of three margins below their limits. */
TCT_INLINED lanes triple_below(const tct_odds_class *c, const lanes *h)
{
    lanes first = h[c->first], s = h[(c->first + 1) % 3], t = h[(c->first + 2) % 3], sum;
    lanes squares_s = first * first + s * s, squares_t = first * first + t * t, fs = first * s, ft = first * t;

    if (c->method == TCT_ODDS_LINE)
        return line_below(c, h);
    if (c->method == TCT_ODDS_EXACT)
        return exact_below(c, h);
    sum = phi(first) * pair_below(&c->pairs[c->first], s, t);
    for (size_t i = 0; i < c->n_nodes; i++) {
        const double *a = c->nodes + i * TCT_ODDS_NODE, *b = a + TCT_ODDS_NODE / 2;

        sum += a[5] * weighted_phi(a[0] * squares_s + a[1] * fs, a[2] * t + a[3] * first + a[4] * s);
        sum += b[5] * weighted_phi(b[0] * squares_t + b[1] * ft, b[2] * s + b[3] * first + b[4] * t);
    }
    return sum;
}

/* How far ahead of its rival a class is, in standard deviations. */
TCT_INLINED lanes margin_of(const tct_odds_class *c, size_t i, const lanes *means)
{
    lanes gap = means[c->own] - means[c->other[i]];
    lanes h = least_of(most_of(gap * c->inverse[i], all_of(-END)), all_of(END));
    masks tie = gap == all_of(0);

    return c->same[i] ? SELECT(tie, all_of(c->own < c->other[i] ? END : -END), h) : h;
}

/* What is open about a class. */
typedef struct standing {
    lanes h[TCT_ODDS_MARGINS];
    bool out; /* cannot win */
    size_t n, open[TCT_ODDS_MARGINS];
} standing;

TCT_INLINED void find_standing(const tct_odds_class *c, const lanes *means, standing *s)
{
    s->out = false;
    s->n = 0;
    for (size_t i = 0; i < c->n; i++) {
        s->h[i] = margin_of(c, i, means);
        s->out = s->out || all_beyond(&s->h[i], -1, FAR);
        if (!all_beyond(&s->h[i], 1, FAR))
            s->open[s->n++] = i;
    }
}

/* Work that a class takes, about. */
TCT_INLINED size_t effort_of(const tct_odds_class *c, const standing *s)
{
    if (s->out || s->n < TCT_ODDS_MARGINS)
        return s->out ? 0 : s->n;
    return c->method == TCT_ODDS_EXACT ? SIZE_MAX : TCT_ODDS_MARGINS + c->n_nodes;
}

TCT_INLINED lanes class_wins(const tct_odds_class *c, const standing *s)
{
    const size_t *open = s->open;
    lanes p;

    if (s->out)
        return all_of(0);
    if (s->n == 0)
        p = all_of(1);
    else if (s->n == 1)
        p = phi(s->h[open[0]]);
    else if (s->n == 2)
        p = pair_below(&c->pairs[c->n == 2 ? 0 : 3 - open[0] - open[1]], s->h[open[0]], s->h[open[1]]);
    else
        p = triple_below(c, s->h);
    return least_of(most_of(p, all_of(0)), all_of(1));
}

/* All classes: the one that would take most work gets what the others leave. */
TCT_INLINED void all_win(const tct_odds *odds, const lanes *means, lanes *p)
{
    standing standings[TCT_ODDS_SCORES];
    size_t spared = 0, most = 0;
    lanes rest = all_of(1);

    for (size_t c = 0; c < odds->k; c++) {
        size_t effort;

        find_standing(&odds->classes[c], means, &standings[c]);
        effort = effort_of(&odds->classes[c], &standings[c]);
        if (effort > most) {
            most = effort;
            spared = c;
        }
    }
    for (size_t c = 0; c < odds->k; c++)
        if (c != spared) {
            p[c] = class_wins(&odds->classes[c], &standings[c]);
            rest -= p[c];
        }
    p[spared] = most_of(rest, all_of(0));
}

TCT_INLINED void load_means(const double *from, size_t k, lanes *means)
{
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < TCT_ODDS_LANES; j++)
            means[c][j] = from[c * TCT_ODDS_LANES + j];
}

TCT_INLINED void one_body(const tct_odds_class *c, const double *from, double *p)
{
    lanes means[TCT_ODDS_SCORES], wins;
    standing s;
    size_t k = c->own;

    for (size_t i = 0; i < c->n; i++)
        k = c->other[i] > k ? c->other[i] : k;
    load_means(from, k + 1, means);
    find_standing(c, means, &s);
    wins = class_wins(c, &s);
    for (size_t j = 0; j < TCT_ODDS_LANES; j++)
        p[j] = wins[j];
}

TCT_INLINED void all_body(const tct_odds *odds, const double *from, double *p)
{
    lanes means[TCT_ODDS_SCORES], wins[TCT_ODDS_SCORES];

    load_means(from, odds->k, means);
    all_win(odds, means, wins);
    for (size_t c = 0; c < odds->k; c++)
        for (size_t j = 0; j < TCT_ODDS_LANES; j++)
            p[c * TCT_ODDS_LANES + j] = wins[c][j];
}

TCT_INLINED double entropy_body(const tct_odds *odds, const double *from, const double *weights)
{
    lanes means[TCT_ODDS_SCORES], wins[TCT_ODDS_SCORES], entropy = all_of(0);
    double sum = 0;

    load_means(from, odds->k, means);
    all_win(odds, means, wins);
    for (size_t c = 0; c < odds->k; c++) {
        lanes p = most_of(wins[c], all_of(1e-30));

        entropy -= p * log_of(p);
    }
    for (size_t j = 0; j < TCT_ODDS_LANES; j++)
        sum += weights[j] * entropy[j];
    return sum;
}

/* One version of all loops, compiled with ATTRIBUTES. */
#define VERSION(NAME, ATTRIBUTES)                                                                                      \
    ATTRIBUTES static void one_##NAME(const tct_odds_class *c, const double *means, double *p)                         \
    {                                                                                                                  \
        one_body(c, means, p);                                                                                         \
    }                                                                                                                  \
    ATTRIBUTES static void all_##NAME(const tct_odds *odds, const double *means, double *p)                            \
    {                                                                                                                  \
        all_body(odds, means, p);                                                                                      \
    }                                                                                                                  \
    ATTRIBUTES static double entropy_##NAME(const tct_odds *odds, const double *means, const double *weights)          \
    {                                                                                                                  \
        return entropy_body(odds, means, weights);                                                                     \
    }                                                                                                                  \
    static const tct_odds_loops version_##NAME = {one_##NAME, all_##NAME, entropy_##NAME};

TCT_SIMD_VERSIONS(VERSION)

const tct_odds_loops *tct_odds_best(void)
{
    return TCT_SIMD_PICK(&version);
}

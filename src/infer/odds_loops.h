/*
 * odds_loops.h -- the loops of odds_lanes.c for one level of simd_levels.h.
 *
 * A block of TCT_ODDS_LANES mean scores is as many vectors as the level needs for it.  What is left out as impossible
 * or decided is found for the whole block, so that all levels leave out the same.
 */

INLINED lanes NAMED(least_of)(lanes a, lanes b)
{
    return SELECT(a < b, a, b);
}

INLINED lanes NAMED(most_of)(lanes a, lanes b)
{
    return SELECT(a > b, a, b);
}

/* sign * x > bound in all lanes of the block. */
INLINED bool NAMED(all_beyond)(const lanes *x, double sign, double bound)
{
    masks m = x[0] * sign > ALL(bound);
    int64_t all;

    for (size_t v = 1; v < VECTORS_OF_BLOCK; v++)
        m &= x[v] * sign > ALL(bound);
    all = m[0];
    for (size_t j = 1; j < LANES; j++)
        all &= m[j];
    return all;
}

/* exp(x) for x <= 1 or so: 2^n times a polynomial. */
INLINED lanes NAMED(exp_of)(lanes x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer, in the low bits */
    lanes n, r, p;

    x = NAMED(most_of)(x, ALL(LEAST));
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
INLINED lanes NAMED(log_tail)(lanes y)
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
INLINED lanes NAMED(weighted_phi)(lanes e, lanes x)
{
    lanes tail = NAMED(exp_of)(e + NAMED(log_tail)(NAMED(least_of)(MAGNITUDE(x), ALL(PHI_END))));

    return SELECT(x > ALL(0), NAMED(exp_of)(e) - tail, tail);
}

INLINED lanes NAMED(phi)(lanes x)
{
    lanes tail = NAMED(exp_of)(NAMED(log_tail)(NAMED(least_of)(MAGNITUDE(x), ALL(PHI_END))));

    return SELECT(x > ALL(0), 1.0 - tail, tail);
}

/* log(x) for normal x > 0. */
INLINED lanes NAMED(log_of)(lanes x)
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
INLINED lanes NAMED(missing_from_one)(const tct_odds_pair *p, lanes h, lanes k)
{
    double s = p->spread, s2 = s * s;
    lanes hk = h * k, gap = MAGNITUDE(h - k), gap2 = gap * gap, c = (4.0 - hk) * 0.125, d = (12.0 - hk) * 0.0625;
    lanes flat = 1.0 - c * gap2 * (1.0 - d * gap2 * 0.2) * (1.0 / 3), sum;

    sum = s * NAMED(exp_of)(-0.5 * (gap2 / s2 + hk)) *
          (1.0 - c * (gap2 - s2) * (1.0 - d * gap2 * 0.2) * (1.0 / 3) + c * d * (s2 * s2 * 0.2));
    sum -= SQRT_2PI * NAMED(exp_of)(-0.5 * hk + NAMED(log_tail)(NAMED(least_of)(gap / s, ALL(PHI_END)))) * gap * flat;
    sum /= TWO_PI;
    for (size_t i = 0; i < 4; i++) {
        const double *node = p->nodes + 4 * i;
        double t2 = node[1], root = sqrt(1 - t2);

        sum += node[3] * NAMED(exp_of)(node[0] * gap2 - 0.5 * hk) *
               (NAMED(exp_of)(node[2] * hk) / root - (1.0 + c * t2 * (1.0 + d * t2)));
    }
    return SELECT(gap < ALL(PHI_END * s), sum, ALL(0));
}

/* Both of two margins below their limits. */
INLINED lanes NAMED(pair_below)(const tct_odds_pair *p, lanes h, lanes k)
{
    lanes sum, squares;

    if (p->steep && p->r > 0)
        return NAMED(phi)(NAMED(least_of)(h, k)) - NAMED(missing_from_one)(p, h, k);
    if (p->steep)
        return NAMED(most_of)(NAMED(phi)(h) + NAMED(phi)(k) - 1.0, ALL(0)) + NAMED(missing_from_one)(p, -h, k);
    sum = NAMED(phi)(h) * NAMED(phi)(k);
    squares = h * h + k * k;
    for (size_t i = 0; i < 6; i++) {
        const double *node = p->nodes + 3 * i;

        sum += node[2] * NAMED(exp_of)(node[0] * squares + node[1] * (h * k));
    }
    return sum;
}

/* All margins are the first one or its opposite. */
INLINED lanes NAMED(line_below)(const tct_odds_class *c, const lanes *h)
{
    lanes high = h[0], low = ALL(-END);

    for (size_t i = 1; i < 3; i++)
        if (c->pairs[3 - i].r > 0)
            high = NAMED(least_of)(high, h[i]);
        else
            low = NAMED(most_of)(low, -h[i]);
    return NAMED(most_of)(NAMED(phi)(high) - NAMED(phi)(low), ALL(0));
}

#include "odds_adaptive_loops.h"

INLINED lanes NAMED(integral)(const tct_odds_class *c, const lanes *h)
{
    double limits[LANES][3], sums[LANES];

    for (size_t j = 0; j < LANES; j++)
        for (size_t i = 0; i < 3; i++)
            limits[j][i] = h[i][j];
    NAMED(integrals)(c, (const double(*)[3])limits, sums);
    return LOAD(sums);
}

/* All of three margins below their limits. */
INLINED lanes NAMED(triple_below)(const tct_odds_class *c, const lanes *h)
{
    lanes first = h[c->first], s = h[(c->first + 1) % 3], t = h[(c->first + 2) % 3], sum;
    lanes squares_s = first * first + s * s, squares_t = first * first + t * t, fs = first * s, ft = first * t;

    if (c->method == TCT_ODDS_LINE)
        return NAMED(line_below)(c, h);
    sum = NAMED(phi)(first) * NAMED(pair_below)(&c->pairs[c->first], s, t);
    if (c->method == TCT_ODDS_ADAPTIVE)
        return sum + NAMED(integral)(c, h);
    for (size_t i = 0; i < c->n_nodes; i++) {
        const double *a = c->nodes + i * TCT_ODDS_NODE, *b = a + TCT_ODDS_NODE / 2;

        sum += a[5] * NAMED(weighted_phi)(a[0] * squares_s + a[1] * fs, a[2] * t + a[3] * first + a[4] * s);
        sum += b[5] * NAMED(weighted_phi)(b[0] * squares_t + b[1] * ft, b[2] * s + b[3] * first + b[4] * t);
    }
    return sum;
}

/* What is open about a class. */
typedef struct NAMED(standing) {
    lanes h[TCT_ODDS_MARGINS][VECTORS_OF_BLOCK];
    bool out; /* cannot win */
    size_t n, open[TCT_ODDS_MARGINS];
} NAMED(standing);

/* How far ahead of its rival a class is, in standard deviations. */
INLINED lanes NAMED(margin_of)(const tct_odds_class *c, size_t i, const double *means)
{
    lanes gap = LOAD(means + c->own * TCT_ODDS_LANES) - LOAD(means + c->other[i] * TCT_ODDS_LANES);
    lanes h = NAMED(least_of)(NAMED(most_of)(gap * c->inverse[i], ALL(-END)), ALL(END));

    return c->same[i] ? SELECT(gap == ALL(0), ALL(c->own < c->other[i] ? END : -END), h) : h;
}

INLINED void NAMED(find_standing)(const tct_odds_class *c, const double *means, NAMED(standing) * s)
{
    s->out = false;
    s->n = 0;
    for (size_t i = 0; i < c->n; i++) {
        for (size_t v = 0; v < VECTORS_OF_BLOCK; v++)
            s->h[i][v] = NAMED(margin_of)(c, i, means + v * LANES);
        s->out = s->out || NAMED(all_beyond)(s->h[i], -1, FAR);
        if (!NAMED(all_beyond)(s->h[i], 1, FAR))
            s->open[s->n++] = i;
    }
}

/* Work that a class takes, about. */
INLINED size_t NAMED(effort_of)(const tct_odds_class *c, const NAMED(standing) * s)
{
    if (s->out || s->n < TCT_ODDS_MARGINS)
        return s->out ? 0 : s->n;
    return c->method == TCT_ODDS_ADAPTIVE ? SIZE_MAX : TCT_ODDS_MARGINS + c->n_nodes;
}

/* For vector v of the block. */
INLINED lanes NAMED(class_wins)(const tct_odds_class *c, const NAMED(standing) * s, size_t v)
{
    const size_t *open = s->open;
    lanes p;

    if (s->out)
        return ALL(0);
    if (s->n == 0)
        p = ALL(1);
    else if (s->n == 1)
        p = NAMED(phi)(s->h[open[0]][v]);
    else if (s->n == 2)
        p = NAMED(pair_below)(&c->pairs[c->n == 2 ? 0 : 3 - open[0] - open[1]], s->h[open[0]][v], s->h[open[1]][v]);
    else
        p = NAMED(triple_below)(c, (lanes[]){s->h[0][v], s->h[1][v], s->h[2][v]});
    return NAMED(least_of)(NAMED(most_of)(p, ALL(0)), ALL(1));
}

/* All classes: the one that would take most work gets what the others leave. */
INLINED void NAMED(all_win)(const tct_odds *odds, const double *means, double *p)
{
    NAMED(standing) standings[TCT_ODDS_SCORES];
    size_t spared = 0, most = 0;

    for (size_t c = 0; c < odds->k; c++) {
        size_t effort;

        NAMED(find_standing)(&odds->classes[c], means, &standings[c]);
        effort = NAMED(effort_of)(&odds->classes[c], &standings[c]);
        if (effort > most) {
            most = effort;
            spared = c;
        }
    }
    for (size_t v = 0; v < VECTORS_OF_BLOCK; v++) {
        lanes rest = ALL(1);

        for (size_t c = 0; c < odds->k; c++)
            if (c != spared) {
                lanes wins = NAMED(class_wins)(&odds->classes[c], &standings[c], v);

                STORE(p + c * TCT_ODDS_LANES + v * LANES, wins);
                rest -= wins;
            }
        STORE(p + spared * TCT_ODDS_LANES + v * LANES, NAMED(most_of)(rest, ALL(0)));
    }
}

LEVEL static void NAMED(one)(const tct_odds_class *c, const double *means, size_t n, double *p)
{
    NAMED(standing) s;

    NAMED(find_standing)(c, means, &s);
    for (size_t v = 0; v * LANES < n; v++)
        STORE(p + v * LANES, NAMED(class_wins)(c, &s, v));
}

LEVEL static void NAMED(all)(const tct_odds *odds, const double *means, double *p)
{
    NAMED(all_win)(odds, means, p);
}

LEVEL static double NAMED(entropy)(const tct_odds *odds, const double *means, const double *weights)
{
    double wins[TCT_ODDS_SCORES * TCT_ODDS_LANES], entropies[TCT_ODDS_LANES], sum = 0;

    NAMED(all_win)(odds, means, wins);
    for (size_t v = 0; v < VECTORS_OF_BLOCK; v++) {
        lanes entropy = ALL(0);

        for (size_t c = 0; c < odds->k; c++) {
            lanes p = NAMED(most_of)(LOAD(wins + c * TCT_ODDS_LANES + v * LANES), ALL(1e-30));

            entropy -= p * NAMED(log_of)(p);
        }
        STORE(entropies + v * LANES, entropy);
    }
    for (size_t j = 0; j < TCT_ODDS_LANES; j++)
        sum += weights[j] * entropies[j];
    return sum;
}

static const tct_odds_loops NAMED(version) = {NAMED(one), NAMED(all), NAMED(entropy)};

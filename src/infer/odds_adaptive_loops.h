/*
 * odds_adaptive_loops.h -- three margins that are nearly one line, for one level: the integral of tvn.c, with as many nodes
 * as it takes.  Part of odds_loops.h.
 *
 * Here the places on the path go side by side, not the limits: how far the interval is divided depends on one limit alone,
 * and so do its bits.  Limits with the same correlations share what belongs to the places.
 */
enum { NAMED(PLACES) = 24, NAMED(MOST_PARTS) = 64, NAMED(SHARED_PARTS) = 12 };

/* Gauss-Kronrod, 21 nodes, and three that do not count. */
typedef struct NAMED(part) {
    double from, to;
    double forms[TCT_ODDS_NODE][NAMED(PLACES)]; /* as those of a node in odds.c */
} NAMED(part);

typedef struct NAMED(estimate) {
    double from, to, value, error;
} NAMED(estimate);

typedef struct NAMED(path) {
    const tct_odds_class *c;
    size_t n;
    NAMED(part) parts[NAMED(SHARED_PARTS) + 1]; /* the last: one that is not shared */
} NAMED(path);

/* sin(x) for |x| <= pi / 2, to rounding. */
INLINED lanes NAMED(sine)(lanes x)
{
    lanes x2 = x * x, p = x2 * (-1.0 / 121645100408832000) + 1.0 / 355687428096000;

    p = p * x2 - 1.0 / 1307674368000;
    p = p * x2 + 1.0 / 6227020800;
    p = p * x2 - 1.0 / 39916800;
    p = p * x2 + 1.0 / 362880;
    p = p * x2 - 1.0 / 5040;
    p = p * x2 + 1.0 / 120;
    p = p * x2 - 1.0 / 6;
    return x + x * x2 * p;
}

/* The sine of an angle between 0 and pi. */
INLINED lanes NAMED(wide_sine)(lanes x)
{
    return NAMED(sine)(NAMED(least_of)(x, (PI_HIGH - x) + PI_LOW));
}

/* The cosine of an angle within pi / 2. */
INLINED lanes NAMED(cosine)(lanes x)
{
    return NAMED(sine)((0.5 * PI_HIGH - MAGNITUDE(x)) + 0.5 * PI_LOW);
}

/* One term at LANES places: cosine c of the own margin's angle, whose sine is s; the determinant's root; what of the first
 * margin and of the own one is taken off the limit of the other. */
INLINED void NAMED(put_term)(double (*forms)[NAMED(PLACES)], size_t at, lanes c, lanes s, lanes root, lanes of_first,
                             lanes of_own, lanes weight)
{
    lanes scale;

    c = NAMED(most_of)(c, ALL(LEAST_COSINE));
    scale = 1.0 / (c * root);
    STORE(forms[0] + at, -0.5 / (c * c));
    STORE(forms[1] + at, -1.0 / (1.0 + MAGNITUDE(s)));
    STORE(forms[2] + at, c / root);
    STORE(forms[3] + at, -of_first * scale);
    STORE(forms[4] + at, -of_own * scale);
    STORE(forms[5] + at, weight);
}

/* What belongs to the places between `from` and `to`.  With angles a, b and r = cos(t), and the sines and cosines of half
 * their sums below, sin(b) - sin(a) r = c2 s2 - c1 s1, r - sin(a) sin(b) = c1 c2 - s1 s2, and the determinant is
 * 4 s1 s2 c1 c2: nothing is lost near a line, where all of them are small. */
INLINED void NAMED(fill_part)(const tct_odds_class *c, NAMED(part) * part, double from, double to)
{
    double middle = 0.5 * (from + to), half = 0.5 * (to - from), t = c->angles[2];

    part->from = from;
    part->to = to;
    for (size_t at = 0; at < NAMED(PLACES); at += LANES) {
        lanes u = middle + half * LOAD(kronrod_nodes + at), x = u * (2.0 - u), root;
        lanes a = c->angles[0] * x, b = c->angles[1] * x, weight = (1.0 - u) * (half / PI_HIGH);
        lanes s1 = NAMED(wide_sine)(0.5 * (t + (a - b))), s2 = NAMED(wide_sine)(0.5 * (t - (a - b)));
        lanes c1 = NAMED(cosine)(0.5 * ((a + b) + t)), c2 = NAMED(cosine)(0.5 * ((a + b) - t));
        lanes det = 4.0 * (s1 * s2) * (c1 * c2), between = c1 * c2 - s1 * s2;

        for (size_t j = 0; j < LANES; j++)
            root[j] = sqrt(det[j] > LEAST_DETERMINANT ? det[j] : LEAST_DETERMINANT);
        NAMED(put_term)
        (part->forms, at, NAMED(cosine)(a), NAMED(sine)(a), root, c2 * s2 - c1 * s1, between, weight * c->angles[0]);
        NAMED(put_term)
        (part->forms + TCT_ODDS_NODE / 2, at, NAMED(cosine)(b), NAMED(sine)(b), root, c2 * s1 - c1 * s2, between,
         weight * c->angles[1]);
    }
}

INLINED const NAMED(part) * NAMED(find_part)(NAMED(path) * p, double from, double to)
{
    size_t at = 0;

    while (at < p->n && (p->parts[at].from != from || p->parts[at].to != to))
        at++;
    if (at == p->n) {
        NAMED(fill_part)(p->c, &p->parts[at], from, to);
        p->n += at < NAMED(SHARED_PARTS);
    }
    return &p->parts[at];
}

/* One term of the integrand at LANES places, for correlations of this sign: h^2 + k^2 - 2 s h k, over c^2, is
 * (h -+ k)^2 / c^2 +- 2 h k / (1 + |s|). */
INLINED lanes NAMED(at_places)(const double (*f)[NAMED(PLACES)], size_t at, double sign, double first, double own,
                               double other)
{
    double gap = first - sign * own;
    lanes e = LOAD(f[0] + at) * (gap * gap) + LOAD(f[1] + at) * (sign * first * own);
    lanes x = LOAD(f[2] + at) * other + LOAD(f[3] + at) * first + LOAD(f[4] + at) * own;

    return LOAD(f[5] + at) * NAMED(weighted_phi)(NAMED(least_of)(e, ALL(0)), x);
}

/* Eight sums side by side at every level, so that all levels add up alike. */
INLINED NAMED(estimate) NAMED(estimate_part)(NAMED(path) * p, const double *h, double from, double to)
{
    const NAMED(part) *part = NAMED(find_part)(p, from, to);
    double first = h[p->c->first], s = h[(p->c->first + 1) % 3], t = h[(p->c->first + 2) % 3];
    double sign_s = p->c->angles[0] < 0 ? -1 : 1, sign_t = p->c->angles[1] < 0 ? -1 : 1;
    double longer[TCT_ODDS_LANES] = {0}, shorter[TCT_ODDS_LANES] = {0};
    NAMED(estimate) e = {from, to, 0, 0};

    for (size_t at = 0; at < NAMED(PLACES); at += LANES) {
        size_t to_sum = at % TCT_ODDS_LANES;
        lanes f = NAMED(at_places)(part->forms, at, sign_s, first, s, t);

        f += NAMED(at_places)(part->forms + TCT_ODDS_NODE / 2, at, sign_t, first, t, s);
        STORE(longer + to_sum, LOAD(longer + to_sum) + LOAD(kronrod_weights + at) * f);
        STORE(shorter + to_sum, LOAD(shorter + to_sum) + LOAD(gauss_weights + at) * f);
    }
    for (size_t j = 0; j < TCT_ODDS_LANES; j++) {
        e.value += longer[j];
        e.error += longer[j] - shorter[j];
    }
    e.error = fabs(e.error);
    if (e.error < 0.005) /* of the shorter rule: the longer one is better by about this power */
        e.error = fmin(e.error, 200.0 * e.error * sqrt(200.0 * e.error));
    return e;
}

/* Halve the worst part until the sum of the errors is small. */
INLINED double NAMED(integrate)(NAMED(path) * p, const double *h)
{
    NAMED(estimate) list[NAMED(MOST_PARTS)];
    size_t n = 1;
    double sum = 0;

    list[0] = NAMED(estimate_part)(p, h, 0, 1);
    while (n < NAMED(MOST_PARTS)) {
        size_t worst = 0;
        double error = 0, middle;

        for (size_t i = 0; i < n; i++) {
            error += list[i].error;
            worst = list[i].error > list[worst].error ? i : worst;
        }
        if (error <= CLOSE_ENOUGH)
            break;
        middle = 0.5 * (list[worst].from + list[worst].to);
        list[n++] = NAMED(estimate_part)(p, h, middle, list[worst].to);
        list[worst] = NAMED(estimate_part)(p, h, list[worst].from, middle);
    }
    for (size_t i = 0; i < n; i++)
        sum += list[i].value;
    return sum;
}

/* What correlation adds to the probability of independence.  Who cannot win needs no integral. */
LEVEL static void NAMED(integrals)(const tct_odds_class *c, const double (*h)[3], double *sums)
{
    NAMED(path) p;

    p.c = c;
    p.n = 0;
    for (size_t j = 0; j < LANES; j++)
        sums[j] = fmin(h[j][0], fmin(h[j][1], h[j][2])) < -FAR ? 0 : NAMED(integrate)(&p, h[j]);
}

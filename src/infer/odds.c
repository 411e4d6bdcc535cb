/*
 * odds.c -- what a covariance alone says about who wins, prepared for odds_lanes.c.
 *
 * The method is that of bvn.c and tvn.c with few fixed nodes instead of many or adaptive ones: the probability of
 * independence plus an integral over the correlation (Plackett 1954; Drezner and Wesolowsky 1990; Genz 2004).  For
 * three margins the path is x -> (sin(a x), sin(b x)) with x = 1 - (1 - u)^q, which flattens what a nearly singular
 * matrix does at the end.  How many nodes are enough for 1e-7 was measured against tvn.c by the smallest cosine and the
 * determinant on the path.  All constants of the integrands, which are products of exp(quadratic form of the limits)
 * and Phi(linear form), go into the nodes; the places of a path are worked out side by side.
 */
#include "odds.h"

#include <math.h>
#include <string.h>

#include "law.h"
#include "num.h"
#include "simd.h"

#define TWO_PI 6.283185307179586
#define NO_VARIANCE 1e-14 /* of the largest margin: rounding noise */
#define SAME 1e-12        /* variance of a difference, of the scores' own: two scores that are one */
#define ONE_LINE 1e-12    /* correlations this close to +-1 are taken for that: costs less than 1e-6 */
#define STEEP_FROM 0.85
#define LEAST_SPREAD 1e-15

typedef struct legendre {
    double node, weight; /* the positive half */
} legendre;

static const legendre rule_4[2] = {{0.33998104358485626, 0.65214515486254614},
                                   {0.86113631159405258, 0.34785484513745386}};
static const legendre rule_6[3] = {{0.23861918608319691, 0.46791393457269105},
                                   {0.66120938646626451, 0.36076157304813861},
                                   {0.93246951420315203, 0.17132449237917035}};
static const legendre rule_8[4] = {{0.1834346424956498, 0.36268378337836198},
                                   {0.52553240991632899, 0.31370664587788729},
                                   {0.79666647741362674, 0.22238103445337447},
                                   {0.96028985649753623, 0.10122853629037626}};
static const legendre rule_12[6] = {
    {0.12523340851146892, 0.24914704581340279}, {0.36783149899818019, 0.23349253653835481},
    {0.58731795428661745, 0.20316742672306592}, {0.76990267419430469, 0.16007832854334623},
    {0.90411725637047486, 0.10693932599531843}, {0.98156063424671925, 0.047175336386511827}};
static const legendre rule_16[8] = {
    {0.09501250983763744, 0.1894506104550685},   {0.28160355077925891, 0.18260341504492359},
    {0.45801677765722739, 0.16915651939500254},  {0.61787624440264375, 0.14959598881657673},
    {0.75540440835500303, 0.12462897125553387},  {0.86563120238783174, 0.095158511682492785},
    {0.94457502307323258, 0.062253523938647893}, {0.98940093499164993, 0.027152459411754095}};
static const legendre rule_20[10] = {
    {0.076526521133497334, 0.15275338713072585}, {0.22778585114164508, 0.14917298647260375},
    {0.37370608871541956, 0.14209610931838205},  {0.5108670019508271, 0.13168863844917663},
    {0.63605368072651503, 0.11819453196151842},  {0.74633190646015079, 0.10193011981724044},
    {0.83911697182221882, 0.083276741576704749}, {0.91223442825132591, 0.062672048334109064},
    {0.96397192727791379, 0.040601429800386941}, {0.99312859918509492, 0.017614007139152118}};
static const legendre rule_32[16] = {
    {0.048307665687738316, 0.096540088514727801}, {0.14447196158279649, 0.095638720079274859},
    {0.23928736225213707, 0.093844399080804566},  {0.33186860228212765, 0.091173878695763885},
    {0.42135127613063535, 0.087652093004403811},  {0.50689990893222939, 0.083311924226946755},
    {0.58771575724076233, 0.078193895787070306},  {0.6630442669302152, 0.072345794108848506},
    {0.73218211874028968, 0.065822222776361847},  {0.79448379596794241, 0.058684093478535547},
    {0.84936761373256997, 0.050998059262376176},  {0.89632115576605212, 0.042835898022226681},
    {0.93490607593773969, 0.034273862913021433},  {0.96476225558750643, 0.025392065309262059},
    {0.98561151154526834, 0.016274394730905671},  {0.99726386184948156, 0.0070186100094700966}};

/* Paths by how steep they may be, mildest first. */
typedef struct path_rule {
    const legendre *rule;
    size_t n;
    int power;
    double cosine, root; /* good from here on */
} path_rule;
static const path_rule paths[] = {{rule_6, 6, 2, 0.1, 0.5},    {rule_8, 8, 2, 0.1, 0.2}, {rule_12, 12, 2, 0.1, 0.1},
                                  {rule_16, 16, 3, 0.1, 0.01}, {rule_20, 20, 3, 0.1, 0}, {rule_32, 32, 3, 0.03, 0}};
enum { N_PATHS = sizeof paths / sizeof paths[0], MOST_PLACES = 32 };

/* Node i of n on [0, 1]. */
static legendre node_of(const legendre *rule, size_t n, size_t i)
{
    const legendre *at = &rule[i < n / 2 ? n / 2 - 1 - i : i - n / 2];
    legendre node = {0.5 * (1 + (i < n / 2 ? -at->node : at->node)), 0.5 * at->weight};

    return node;
}

/* From no correlation to r: six times factor of h^2 + k^2, factor of h k, weight. */
static void prepare_smooth(tct_odds_pair *p)
{
    double angle = asin(p->r);

    for (size_t i = 0; i < 6; i++) {
        legendre at = node_of(rule_6, 6, i);
        double s = sin(angle * at.node), c2 = 1 - s * s, *node = p->nodes + 3 * i;

        node[0] = -0.5 / c2;
        node[1] = s / c2;
        node[2] = at.weight * angle / TWO_PI;
    }
}

/* From +-1 to r: four times factor of the gap squared, t^2, factor of h k in the smooth part, weight (1/root follows
 * from t^2). */
static void prepare_steep(tct_odds_pair *p)
{
    p->spread = sqrt(fmax((1 - fabs(p->r)) * (1 + fabs(p->r)), LEAST_SPREAD));
    for (size_t i = 0; i < 4; i++) {
        legendre at = node_of(rule_4, 4, i);
        double t = p->spread * at.node, root = sqrt(1 - t * t), *node = p->nodes + 4 * i;

        node[0] = -0.5 / (t * t);
        node[1] = t * t;
        node[2] = -t * t / (2 * (1 + root) * (1 + root));
        node[3] = p->spread * at.weight / TWO_PI;
    }
}

static void prepare_pair(tct_odds_pair *p, double r)
{
    p->r = r;
    p->steep = fabs(r) >= STEEP_FROM;
    if (p->steep)
        prepare_steep(p);
    else
        prepare_smooth(p);
}

/* sin(x) for |x| <= pi / 2, to rounding. */
TCT_INLINED double sine(double x)
{
    double x2 = x * x, p = x2 * (-1.0 / 121645100408832000) + 1.0 / 355687428096000;

    p = p * x2 - 1.0 / 1307674368000;
    p = p * x2 + 1.0 / 6227020800;
    p = p * x2 - 1.0 / 39916800;
    p = p * x2 + 1.0 / 362880;
    p = p * x2 - 1.0 / 5040;
    p = p * x2 + 1.0 / 120;
    p = p * x2 - 1.0 / 6;
    return x + x * x2 * p;
}

/* Places on a path side by side, and what belongs to them: of either term, as below. */
typedef struct places {
    double x[MOST_PLACES], weight[MOST_PLACES];
    double forms[TCT_ODDS_NODE][MOST_PLACES];
} places;

/* One term of node i: with own = the margin whose correlation s with the first is varied, other = the third.
 * exp(form[0] (first^2 + own^2) + form[1] first own) Phi(form[2] other + form[3] first + form[4] own) form[5]. */
TCT_INLINED void prepare_term(double (*form)[MOST_PLACES], size_t i, double s, double so, double r, double root,
                              double weight)
{
    double c2 = 1 - s * s, scale = 1 / (sqrt(c2) * root);

    form[0][i] = -0.5 / c2;
    form[1][i] = s / c2;
    form[2][i] = c2 * scale;
    form[3][i] = -(so - s * r) * scale;
    form[4][i] = -(r - s * so) * scale;
    form[5][i] = weight;
}

TCT_INLINED void prepare_places_body(places *p, size_t n, double a, double b, double r)
{
    for (size_t i = 0; i < n; i++) {
        double s = sine(a * p->x[i]), so = sine(b * p->x[i]);
        double det = 1 - s * s - so * so - r * r + 2 * s * so * r;
        double between = sqrt(det > LEAST_SPREAD ? det : LEAST_SPREAD);

        prepare_term(p->forms, i, s, so, r, between, p->weight[i] * a);
        prepare_term(p->forms + TCT_ODDS_NODE / 2, i, so, s, r, between, p->weight[i] * b);
    }
}

TCT_SIMD_FUNCTION(void, prepare_places, prepare_places_body, (places * p, size_t n, double a, double b, double r),
                  (p, n, a, b, r))

/* The path from no correlations of the first margin to rs and rt, with the other two, whose correlation is r. */
static void prepare_path(tct_odds_class *c, double rs, double rt, double r)
{
    double cosine = sqrt(fmax(0, 1 - fmax(rs * rs, rt * rt)));
    double root = sqrt(fmax(0, 1 - rs * rs - rt * rt - r * r + 2 * rs * rt * r)), a = asin(rs), b = asin(rt);
    const path_rule *path = NULL;
    places all;

    c->n_nodes = 0;
    c->method = TCT_ODDS_PATH;
    if (1 - fmin(fabs(rs), fabs(rt)) < ONE_LINE && 1 - fabs(r) < ONE_LINE) {
        c->method = TCT_ODDS_LINE;
        return;
    }
    for (size_t i = 0; i < N_PATHS && !path; i++)
        if (cosine >= paths[i].cosine && root >= paths[i].root)
            path = &paths[i];
    if (!path) {
        c->method = TCT_ODDS_ADAPTIVE;
        tct_tvn_angles(rs, rt, r, c->angles);
        return;
    }
    if (a == 0 && b == 0)
        return;
    for (size_t i = 0; i < path->n; i++) {
        legendre at = node_of(path->rule, path->n, i);
        double left = 1 - at.node, slope = path->power == 2 ? 2 * left : 3 * left * left;

        all.x[i] = 1 - slope * left / path->power;
        all.weight[i] = at.weight * slope / TWO_PI;
    }
    prepare_places(&all, path->n, a, b, r);
    for (size_t i = 0; i < path->n; i++)
        for (size_t form = 0; form < TCT_ODDS_NODE; form++)
            c->nodes[i * TCT_ODDS_NODE + form] = all.forms[form][i];
    c->n_nodes = path->n;
}

/* Correlations of the margins of c, v[i][j]; a margin without variance has none. */
static void find_correlations(tct_odds_class *c, const double *cov, size_t k, double v[3][3])
{
    const double *own = cov + c->own * k;
    double largest = 0;

    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            v[i][j] = cov[c->other[i] * k + c->other[j]] - own[c->other[i]] - own[c->other[j]] + own[c->own];
    for (size_t i = 0; i < c->n; i++)
        largest = fmax(largest, v[i][i]);
    for (size_t i = 0; i < c->n; i++) {
        bool none = !(v[i][i] > NO_VARIANCE * largest);

        c->same[i] = none || !(v[i][i] > SAME * (cov[c->other[i] * (k + 1)] + own[c->own]));
        c->inverse[i] = none ? 1e200 : 1 / sqrt(v[i][i]);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < i; j++) {
            double r = v[i][j] * c->inverse[i] * c->inverse[j];

            if (c->inverse[i] == 1e200 || c->inverse[j] == 1e200)
                r = 0;
            v[i][j] = v[j][i] = fmin(fmax(r, -1), 1);
        }
}

void tct_odds_class_prepare(tct_odds_class *c, const double *cov, size_t k, size_t own, const size_t *others, size_t n,
                            double *buffer)
{
    double r[3][3], *most;

    c->own = own;
    c->n = n;
    memcpy(c->other, others, n * sizeof *others);
    c->nodes = buffer;
    c->n_nodes = 0;
    find_correlations(c, cov, k, r);
    if (n == 2)
        prepare_pair(&c->pairs[0], r[0][1]);
    if (n < 3)
        return;
    c->first = 0;
    most = &r[1][2];
    for (size_t i = 0; i < 3; i++) {
        double *between = &r[(i + 1) % 3][(i + 2) % 3];

        c->pairs[i].r = *between;
        if (fabs(*between) > fabs(*most)) {
            c->first = i;
            most = between;
        }
    }
    for (size_t i = 0; i < 3; i++)
        if (i == c->first || c->same[0] || c->same[1] || c->same[2])
            prepare_pair(&c->pairs[i], c->pairs[i].r);
    prepare_path(c, r[c->first][(c->first + 1) % 3], r[c->first][(c->first + 2) % 3], *most);
}

size_t tct_odds_prepare(tct_odds *odds, const double *cov, size_t k, double *buffer)
{
    size_t used = 0;

    odds->k = k;
    for (size_t c = 0; c < k; c++) {
        size_t others[TCT_ODDS_MARGINS], n = 0;

        for (size_t i = 0; i < k; i++)
            if (i != c)
                others[n++] = i;
        tct_odds_class_prepare(&odds->classes[c], cov, k, c, others, n, buffer + used);
        used += odds->classes[c].n_nodes * TCT_ODDS_NODE;
        /* Any margin may turn out to be decided, so any pair may be needed. */
        for (size_t i = 0; i < n && n == TCT_ODDS_MARGINS; i++)
            if (i != odds->classes[c].first)
                prepare_pair(&odds->classes[c].pairs[i], odds->classes[c].pairs[i].r);
    }
    return used;
}

/* The margins of class c that may go either way; false when it cannot win. */
static bool find_doubtful(const double *mean, const double *cov, size_t k, size_t c, size_t *others, size_t *n)
{
    static const double FAR = 5.3; /* less than in odds_lanes.c: none of those left is decided there */

    *n = 0;
    for (size_t i = 0; i < k; i++) {
        double gap = mean[c] - mean[i], variance = cov[i * k + i] - 2 * cov[i * k + c] + cov[c * k + c];

        if (i == c || (gap > 0 && gap * gap > FAR * FAR * variance))
            continue;
        if (gap < 0 && gap * gap > FAR * FAR * variance)
            return false;
        others[(*n)++] = i;
    }
    return true;
}

/* Points whose scores have one covariance, and where the same margins of a class are doubtful, go through the loops
 * together: none of these margins is decided at any of them, so each lane is what it would be alone. */
static void count_class(const double *means, const double *covs, size_t n, size_t k, size_t c,
                        const unsigned char *ahead, double *p)
{
    double block[TCT_ODDS_SCORES * TCT_ODDS_LANES], buffer[TCT_ODDS_BUFFER], wins[TCT_ODDS_LANES];
    size_t others[TCT_ODDS_POINTS][TCT_ODDS_MARGINS], n_others[TCT_ODDS_POINTS], own[TCT_ODDS_LANES];
    bool open[TCT_ODDS_POINTS];
    tct_odds_class one;

    for (size_t i = 0; i < n; i++) {
        p[i * k + c] = 0;
        open[i] = ahead[i] != c && find_doubtful(means + i * k, covs + i * k * k, k, c, others[i], &n_others[i]);
    }
    for (size_t i = 0; i < n; i++) {
        size_t m = 0;

        for (size_t j = i; j < n && open[i] && m < TCT_ODDS_LANES; j++)
            if (j == i || (open[j] && n_others[j] == n_others[i] &&
                           memcmp(others[j], others[i], n_others[i] * sizeof **others) == 0 &&
                           memcmp(covs + j * k * k, covs + i * k * k, k * k * sizeof *covs) == 0))
                own[m++] = j;
        if (m == 0)
            continue;
        for (size_t s = 0; s < k; s++)
            for (size_t v = 0; v < TCT_ODDS_LANES; v++)
                block[s * TCT_ODDS_LANES + v] = means[own[v < m ? v : 0] * k + s];
        tct_odds_class_prepare(&one, covs + i * k * k, k, c, others[i], n_others[i], buffer);
        tct_odds_best()->one(&one, block, m, wins);
        for (size_t v = 0; v < m; v++) {
            p[own[v] * k + c] = wins[v];
            open[own[v]] = false;
        }
    }
}

void tct_class_odds_each(const double *means, const double *covs, size_t n, size_t k, double *p)
{
    unsigned char ahead[TCT_ODDS_POINTS];

    for (size_t i = 0; i < n; i++) {
        ahead[i] = 0;
        for (size_t c = 1; c < k; c++)
            ahead[i] = means[i * k + c] > means[i * k + ahead[i]] ? (unsigned char)c : ahead[i];
    }
    for (size_t c = 0; c < k; c++)
        count_class(means, covs, n, k, c, ahead, p);
    for (size_t i = 0; i < n; i++) {
        double rest = 1;

        for (size_t c = 0; c < k; c++)
            rest -= c == ahead[i] ? 0 : p[i * k + c];
        p[i * k + ahead[i]] = fmax(rest, 0);
    }
}

void tct_class_odds(const double *mean, const double *cov, size_t k, double *p, double *scratch)
{
    if (k < 2 || k > TCT_ODDS_SCORES)
        tct_class_probabilities(mean, cov, k, p, scratch);
    else
        tct_class_odds_each(mean, cov, 1, k, p);
}

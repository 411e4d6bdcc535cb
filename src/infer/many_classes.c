/*
 * many_classes.c -- who wins among five and more classes.
 *
 * Class c fails to win when any of the others beats it.  With B_i the event that class i does, and S the sum of Pr(B_i):
 *
 *     1 - S  <=  Pr(c wins)  <=  1 - max Pr(B_i)
 *
 * and where that leaves too much open,
 *
 *     Pr(c fails) = S E[1 / N],
 *
 * N the number of the B_i that happen, the mean over a draw that first picks i with probability Pr(B_i) / S and then
 * scores given B_i (Owen, Maximov and Chertkov 2019).  Since 1 <= N, the draws' spread is small just where it matters,
 * when failing is rare.  The draws are a fixed lattice, so the same question has the same answer always; the
 * standard error is that of as many independent draws, which is more than the lattice's.
 */
#include "many_classes.h"

#include <math.h>
#include <string.h>

#include "law.h"
#include "num.h"
#include "simd.h"

#define FAR 4.0 /* standard deviations: chance below 4e-5 */
#define SAME 1e-12
#define CLOSE 1e-4 /* bounds this close need no count */
#define STANDARD_ERRORS 3.0

enum { P = TCT_NOISE_POINTS };

/* ---- the lattice ---- */

static bool is_prime(size_t n)
{
    for (size_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return true;
}

/* The square root that makes coordinate s; from the 64th on, of a prime above all numbers before. */
static double root_of(size_t s)
{
    static const double PRIMES[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    size_t prime = 256;

    if (s < 64)
        return sqrt(PRIMES[s % 16] + 60.0 * (double)(s / 16));
    for (size_t left = s - 63; left > 0; left -= is_prime(prime))
        prime++;
    return sqrt((double)prime);
}

/* Multiples of a square root, between 0 and 1. */
static double uniform_at(size_t i, double root)
{
    double at = ((double)i + 0.5) * root;

    return fmin(fmax(at - floor(at), 1e-12), 1 - 1e-12);
}

/* Every second point is the mirror image of the one before. */
static double noise_at(size_t i, double root)
{
    return (i % 2 ? -1 : 1) * tct_normal_quantile(uniform_at(i / 2, root));
}

tacit_status tct_noise_init(tct_noise *noise, size_t n_scores, tacit_error *err)
{
    *noise = (tct_noise){NULL, n_scores};
    if (n_scores < TCT_MANY_FROM_SCORES)
        return TACIT_OK;
    noise->points = tct_malloc(P * (n_scores + 1), sizeof *noise->points);
    if (!noise->points)
        return tct_fail_memory(err);
    for (size_t s = 0; s < n_scores; s++) {
        double root = root_of(s);

        for (size_t i = 0; i < P; i++)
            noise->points[s * P + i] = noise_at(i, root);
    }
    for (size_t i = 0; i < P; i++)
        noise->points[n_scores * P + i] = uniform_at(i, root_of(n_scores));
    return TACIT_OK;
}

void tct_noise_clear(tct_noise *noise)
{
    tct_free(noise->points);
    noise->points = NULL;
}

/* ---- counting ---- */

#define LOOPS "many_classes_loops.h"
#include "simd_levels.h"

/* L, a Cholesky factor of cov that leaves out directions without variance; returns how many columns it has, and which
 * into used[k]: as many as there are unknown inputs at most, so the cost grows with k * k alone. */
static size_t factorise(const double *cov, size_t k, double *l, size_t *used)
{
    size_t n = 0;

    memset(l, 0, k * k * sizeof *l);
    for (size_t j = 0; j < k; j++) {
        double pivot = cov[j * k + j];

        for (size_t i = 0; i < n; i++)
            pivot -= l[j * k + used[i]] * l[j * k + used[i]];
        if (tct_determined(pivot, cov[j * k + j]))
            continue;
        l[j * k + j] = sqrt(pivot);
        for (size_t r = j + 1; r < k; r++) {
            double sum = cov[r * k + j];

            for (size_t i = 0; i < n; i++)
                sum -= l[r * k + used[i]] * l[j * k + used[i]];
            l[r * k + j] = sum / l[j * k + j];
        }
        used[n++] = j;
    }
    return n;
}

void tct_noise_shape(const tct_noise *noise, const double *cov, size_t k, size_t points, double *shaped,
                     double *scratch)
{
    size_t used[TCT_MAX_CLASSES], n = factorise(cov, k, scratch, used);

    for (size_t s = 0; s < k; s++)
        TCT_SIMD_PICK(combine)(shaped + s * P, noise->points, points, scratch + s * k, used, n);
}

void tct_noise_count(const double *shaped, size_t points, const double *mean, size_t k, const size_t *classes, size_t n,
                     double *p)
{
    enum { SIDE_BY_SIDE = 4 }; /* counters that do not wait for each other; it divides P / 2 */
    double winner[P];
    uint32_t counts[SIDE_BY_SIDE][TCT_MAX_CLASSES];

    memset(p, 0, k * sizeof *p);
    if (n == 1) {
        p[classes[0]] = 1;
        return;
    }
    TCT_SIMD_PICK(winners)(shaped, points, mean, classes, n, winner);
    for (size_t v = 0; v < SIDE_BY_SIDE; v++)
        memset(counts[v], 0, k * sizeof **counts);
    for (size_t t = 0; t < points; t += SIDE_BY_SIDE)
        for (size_t v = 0; v < SIDE_BY_SIDE; v++)
            counts[v][(uint32_t)winner[t + v]]++;
    for (size_t i = 0; i < n; i++) {
        size_t c = classes[i];

        p[c] = (double)(counts[0][c] + counts[1][c] + counts[2][c] + counts[3][c]) / (double)points;
    }
    tct_wipe(winner, points * sizeof *winner);
    tct_wipe(counts, sizeof counts);
}

/* ---- those that may win ---- */

static size_t ahead_of(const double *mean, size_t k)
{
    size_t ahead = 0;

    for (size_t c = 1; c < k; c++)
        ahead = mean[c] > mean[ahead] ? c : ahead;
    return ahead;
}

/* Variance of score i less score c. */
static double variance_of(const double *cov, size_t k, size_t i, size_t c)
{
    return fmax(cov[i * k + i] - 2 * cov[i * k + c] + cov[c * k + c], 0);
}

size_t tct_may_win(const double *mean, const double *cov, size_t k, double far, size_t *classes)
{
    size_t ahead = ahead_of(mean, k), n = 0;

    for (size_t c = 0; c < k; c++)
        if (c == ahead || !(mean[ahead] - mean[c] > far * sqrt(variance_of(cov, k, c, ahead))))
            classes[n++] = c;
    return n;
}

void tct_only_of(const double *mean, const double *cov, size_t k, const size_t *classes, size_t n, double *m, double *v)
{
    for (size_t i = 0; i < n; i++) {
        m[i] = mean[classes[i]];
        for (size_t j = 0; j < n; j++)
            v[i * n + j] = cov[classes[i] * k + classes[j]];
    }
}

/* ---- one class against the others ---- */

/* What pairs tell: beaten[i] = Pr(class i beats c), 0 at c; returns their sum. */
static double beaten_by(const double *mean, const double *cov, size_t k, size_t c, double *beaten)
{
    double sum = 0;

    for (size_t i = 0; i < k; i++) {
        double gap = mean[c] - mean[i], variance = variance_of(cov, k, i, c);

        beaten[i] = 0;
        if (i == c)
            continue;
        if (variance > SAME * (cov[i * k + i] + cov[c * k + c]))
            beaten[i] = tct_normal_cdf(-gap / sqrt(variance));
        else /* one score but for a constant; a tie goes to the lower index */
            beaten[i] = gap < 0 || (gap == 0 && i < c) ? 1 : 0;
        sum += beaten[i];
    }
    return sum;
}

/* Of the points from `from` to `to`, where class i beats c: the sums of 1 / N and of its square are added.  beaten: Pr(B_j);
 * u: uniform, for the margin by which i beats c, which takes the place of the lattice's own. */
static void add_shares(const double *mean, const double *cov, size_t k, size_t c, size_t i, const double *beaten,
                       const double *u, const double *shaped, size_t from, size_t to, double sums[2])
{
    double variance = variance_of(cov, k, i, c), move[P], count[P];
    const double *own = shaped + c * P, *other = shaped + i * P;

    for (size_t t = from; t < to; t++) {
        double margin = -sqrt(variance) * tct_normal_quantile(u[t] * beaten[i]);

        move[t] = variance > 0 ? (margin - (other[t] - own[t])) / variance : 0;
        count[t] = 1;
    }
    for (size_t j = 0; j < k; j++) {
        double slope = (cov[j * k + i] - cov[j * k + c]) - (cov[c * k + i] - cov[c * k + c]), gap = mean[j] - mean[c];

        if (beaten[j] == 0 || j == i) /* never: c itself, and a score that is the same as c's but for rounding */
            continue;
        TCT_SIMD_PICK(add_leads)(shaped + j * P, own, move, gap, slope, j < c, from, to, count);
    }
    for (size_t t = from; t < to; t++) {
        sums[0] += 1 / count[t];
        sums[1] += 1 / (count[t] * count[t]);
    }
    tct_wipe(move + from, (to - from) * sizeof *move);
    tct_wipe(count + from, (to - from) * sizeof *count);
}

/* Pr(c wins), three standard errors below its estimate.  shaped: the lattice for cov. */
static double wins_at_least(const tct_noise *noise, const double *mean, const double *cov, size_t k, size_t c,
                            const double *shaped, double *beaten)
{
    double sum = beaten_by(mean, cov, k, c, beaten), sums[2] = {0}, below = 0, share, error;
    size_t from = 0;

    if (sum <= CLOSE)
        return 1 - sum;
    for (size_t i = 0; i < k; i++) {
        size_t to;

        below += beaten[i];
        to = i + 1 == k ? P : (size_t)fmin(below / sum * P + 0.5, P);
        if (to > from && beaten[i] > 0)
            add_shares(mean, cov, k, c, i, beaten, noise->points + noise->n_scores * P, shaped, from, to, sums);
        from = to > from && beaten[i] > 0 ? to : from;
    }
    share = sums[0] / P;
    error = STANDARD_ERRORS * sqrt(fmax(sums[1] / P - share * share, 0) / P);
    return fmin(fmax(1 - sum * (share + error), fmax(1 - sum, 0)), 1);
}

size_t tct_many_scratch(size_t k)
{
    return 2 * k + 2 * k * k + (P + 1) * k;
}

/* The same from the share of points at which it does, which is less spread where failing is usual. */
static double counted_at_least(double share)
{
    return share - STANDARD_ERRORS * sqrt(share * (1 - share) / P);
}

/* Is no class as likely as `needed`?  The one ahead fails where any other beats it; and any other loses to it with
 * probability one half at least. */
static bool out_of_reach(const double *beaten, size_t k, double needed)
{
    double most = 0;

    for (size_t c = 0; c < k; c++)
        most = fmax(most, beaten[c]);
    return needed > 0.5 && 1 - most < needed - CLOSE;
}

size_t tct_most_likely(const tct_noise *noise, const double *mean, const double *cov, size_t k, double needed,
                       double *probability, double *scratch)
{
    size_t classes[TCT_MAX_CLASSES], n = tct_may_win(mean, cov, k, FAR, classes), best;
    double *m = scratch, *v = m + k, *l = v + k * k, *beaten = l + k * k, *shaped = beaten + k;
    double left_out = (double)(k - n) * 4e-5;

    best = ahead_of(mean, k);
    *probability = 1 - beaten_by(mean, cov, k, best, beaten);
    if (*probability >= 1 - CLOSE)
        return best;
    if (out_of_reach(beaten, k, needed)) {
        *probability = fmax(*probability - left_out, 0); /* not above what counting would tell */
        return best;
    }
    tct_only_of(mean, cov, k, classes, n, m, v);
    tct_noise_shape(noise, v, n, P, shaped, l);
    best = ahead_of(m, n);
    *probability = wins_at_least(noise, m, v, n, best, shaped, beaten);
    if (*probability < 0.5) {
        size_t all[TCT_MAX_CLASSES], counted;
        double share;

        for (size_t c = 0; c < n; c++)
            all[c] = c;
        tct_noise_count(shaped, P, m, n, all, n, beaten);
        counted = ahead_of(beaten, n);
        share = beaten[best];
        if (counted != best) {
            best = counted;
            share = beaten[best];
            *probability = wins_at_least(noise, m, v, n, best, shaped, beaten);
        }
        *probability = fmax(*probability, fmin(counted_at_least(share), 0.5)); /* no promise rests on this */
    }
    *probability = fmax(*probability - left_out, 0);
    return classes[best];
}

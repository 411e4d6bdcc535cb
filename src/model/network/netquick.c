/*
 * netquick.c -- see netquick.h.
 *
 * The bound.  Write r for a bound of the size of a layer's exact values (reach) and e for one of how far they are off.
 * With u = 2^-24, n inputs of a layer whose sizes are at most r and which are off by at most e, weights w rounded, and
 * sums of n + 1 terms in any order, fused or not,
 *
 *     e' = sum |w| e + (n + 4) 2u (|bias| + sum |w| (r + e)) + what underflows,      r' = |bias| + sum |w| r
 *
 * bounds the next layer: every term passes at most n + 3 roundings, and 2u leaves room for their products as long as n u
 * is small, for the roundings of the double path that is being foretold, and for those of this computation.  ReLU moves
 * no two numbers apart.  So if a score is further than e from the cut, or ahead of all others by more than 2e, double
 * precision gives the same label.  Where numbers could overflow nothing is sure.
 *
 * A category adds one of its weights, in size at most the largest: it is one term.  A neuron of the first layer with
 * base + sum |w| below -e is 0 at all points, in both precisions, and left out; neurons
 * further on that are 0 at the points at hand are left out as well.
 */
#include "netquick.h"

#include <math.h>
#include <string.h>

#include "simd.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const double UNIT = 0x1p-23;  /* twice that of single precision */
static const double TINY = 0x1p-100; /* more than what underflows */
static const double LARGE = 0x1p100; /* less than what overflows */

/* Tables of levels: as large as registers take; as small as comparing takes less than looking up. */
enum { MOST_IN_REGISTERS = 128, FEW_LEVELS = 4, LEVEL_BITS = 0x3fffff };

struct tct_quick_loops {
    void (*label)(tct_netquick *quick, const tct_quick_term *terms, size_t n, const float *x, uint8_t *label);
};

/* Vectors are handed to functions of the loops, but all of those are inlined: no calling convention is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define NAMED(x) x##_plain
#define SET
#define BYTES 16
#define ROWS 2
#define ADD_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#define ANY(m) (((int64_pair)(m))[0] != 0 || ((int64_pair)(m))[1] != 0)
typedef int64_t int64_pair __attribute__((vector_size(16)));
#include "netquick_loops.h"
#if defined(__x86_64__)
#define NAMED(x) x##_avx2
#define SET TCT_FOR_AVX2_FUSED
#define BYTES 32
#define ROWS 2
#define ADD_PRODUCT(sum, a, b) ((NAMED(floats))_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(sum)))
#define ANY(m) (_mm256_movemask_ps((__m256)(m)) != 0)
#include "netquick_loops.h"
#define NAMED(x) x##_avx512
#define SET TCT_FOR_AVX512
#define BYTES 64
#define ROWS 4
#define ADD_PRODUCT(sum, a, b) ((NAMED(floats))_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(sum)))
#define ANY(m) (_mm512_test_epi32_mask((__m512i)(m), (__m512i)(m)) != 0)
#include "netquick_loops.h"
#endif

/* ---- objects ---- */

/* False: some are beyond what single precision should see. */
static bool round_all(const double *from, size_t n, float *to)
{
    bool all = true;

    for (size_t i = 0; i < n; i++) {
        all = all && fabs(from[i]) < LARGE;
        to[i] = all ? (float)from[i] : 0;
    }
    return all;
}

static bool fill(tct_netquick *q)
{
    const tct_mlp *mlp = q->mlp;
    float *w = q->weights, *b = q->bias;
    bool all = true;

    all = round_all(mlp->weights[0], mlp->sizes[0] * q->n_first, q->rows);
    for (size_t l = 1; l < mlp->n_layers; l++) {
        all = round_all(mlp->weights[l], mlp->sizes[l] * mlp->sizes[l + 1], w) && all;
        all = round_all(mlp->bias[l], mlp->sizes[l + 1], b) && all;
        w += mlp->sizes[l] * mlp->sizes[l + 1];
        b += mlp->sizes[l + 1];
    }
    return all;
}

tacit_status tct_netquick_new(tct_netquick **out, const tct_classifier *classifier, tacit_error *err)
{
    const tct_mlp *mlp = tct_as_mlp(classifier);
    tct_netquick *q;

    *out = NULL;
    if (!mlp)
        return TACIT_OK;
    q = tct_calloc(1, sizeof *q);
    if (!q)
        return tct_fail_memory(err);
    q->mlp = mlp;
    q->n_first = mlp->sizes[1];
    q->n_scores = classifier->n_scores;
    q->loops = TCT_SIMD_PICK(&loops);
    for (size_t l = 1; l <= mlp->n_layers; l++) {
        q->widest = mlp->sizes[l] > q->widest ? mlp->sizes[l] : q->widest;
        q->n_weights += l < mlp->n_layers ? mlp->sizes[l] * mlp->sizes[l + 1] : 0;
        q->n_bias += l < mlp->n_layers ? mlp->sizes[l + 1] : 0;
    }
    q->weights = tct_calloc(q->n_weights + 1, sizeof(float));
    q->rows = tct_calloc(mlp->sizes[0] * q->n_first + TCT_QUICK, sizeof(float));
    q->bias = tct_calloc(q->n_bias + 1, sizeof(float));
    q->base = tct_calloc(q->n_first, sizeof(float));
    q->values = tct_calloc(2 * q->widest * TCT_QUICK, sizeof(float));
    q->live = tct_calloc(q->widest, sizeof *q->live);
    q->open = tct_calloc(q->n_first, sizeof *q->open);
    q->reach = tct_calloc(2 * q->widest, sizeof(double));
    q->error = tct_calloc(2 * q->widest, sizeof(double));
    if (!q->weights || !q->rows || !q->bias || !q->base || !q->values || !q->live || !q->open || !q->reach ||
        !q->error) {
        q->n_first = q->widest = 0; /* nothing to wipe yet */
        tct_netquick_free(q);
        return tct_fail_memory(err);
    }
    q->fits = fill(q);
    *out = q;
    return TACIT_OK;
}

void tct_netquick_wipe(tct_netquick *q)
{
    tct_wipe(q->base, q->n_first * sizeof(float));
    tct_wipe(q->values, 2 * q->widest * TCT_QUICK * sizeof(float));
    tct_wipe(q->live, q->widest * sizeof *q->live);
    tct_wipe(q->open, q->n_first * sizeof *q->open);
    tct_wipe(q->reach, 2 * q->widest * sizeof(double));
    tct_wipe(q->error, 2 * q->widest * sizeof(double));
}

void tct_netquick_free(tct_netquick *q)
{
    if (!q)
        return;
    tct_netquick_wipe(q);
    tct_free(q->weights);
    tct_free(q->rows);
    tct_free(q->bias);
    tct_free(q->base);
    tct_free(q->values);
    tct_free(q->live);
    tct_free(q->open);
    tct_free(q->reach);
    tct_free(q->error);
    tct_free(q);
}

/* ---- how far scores may be off ---- */

static double off_by(double passed_on, size_t n, double sizes)
{
    return passed_on + (double)(n + 4) * (UNIT * sizes + TINY * UNIT);
}

/* The largest that a term may add to a neuron with these weights, in size. */
static double most_of(const tct_quick_term *term, const float *row)
{
    double most = fabs((double)row[term->first]);

    for (size_t l = 1; l < term->levels; l++)
        most = fmax(most, fabs((double)row[term->first + l]));
    return most;
}

/* Reach and error of the first layer; which of its neurons may be active. */
static void bound_first(tct_netquick *q, const double *base, const tct_quick_term *terms, size_t n)
{
    double *reach = q->reach, *error = q->error;

    q->n_open = 0;
    for (size_t j = 0; j < q->n_first; j++) {
        double own = 0;

        for (size_t i = 0; i < n; i++)
            own += most_of(&terms[i], q->rows + j * q->mlp->sizes[0]) + TINY;
        own *= 1 + UNIT; /* of the weights before rounding */
        reach[j] = fabs(base[j]) + own;
        error[j] = off_by(0, n, reach[j]);
        if (q->mlp->n_layers > 1 && base[j] + own < -2 * error[j])
            reach[j] = error[j] = 0;
        else
            q->open[q->n_open++] = j;
    }
}

/* From those of layer l to those of the next. */
static void bound_next(const tct_netquick *q, size_t l, const double *reach, const double *error, double *next_reach,
                       double *next_error)
{
    size_t n = q->mlp->sizes[l];

    for (size_t j = 0; j < q->mlp->sizes[l + 1]; j++) {
        const double *w = q->mlp->weights[l] + j * n;
        double sizes = fabs(q->mlp->bias[l][j]), passed_on = 0;

        for (size_t i = 0; i < n; i++) {
            sizes += (fabs(w[i]) + TINY) * (reach[i] + TINY);
            passed_on += (fabs(w[i]) + TINY) * error[i];
        }
        next_reach[j] = sizes;
        next_error[j] = off_by(passed_on * (1 + UNIT), n, sizes + passed_on);
    }
}

static bool within(const double *reach, size_t n)
{
    bool all = true;

    for (size_t j = 0; j < n; j++)
        all = all && reach[j] < LARGE;
    return all;
}

void tct_netquick_begin(tct_netquick *q, const double *base, const tct_quick_term *terms, size_t n)
{
    const tct_mlp *mlp = q->mlp;
    size_t at = 0;
    double most = 0;
    bool fits = round_all(base, q->n_first, q->base) && q->fits;

    bound_first(q, base, terms, n);
    fits = fits && within(q->reach, q->n_first);
    for (size_t l = 1; l < mlp->n_layers; l++, at ^= 1) {
        double *reach = q->reach + (at ^ 1) * q->widest;

        bound_next(q, l, q->reach + at * q->widest, q->error + at * q->widest, reach, q->error + (at ^ 1) * q->widest);
        fits = fits && within(reach, mlp->sizes[l + 1]);
    }
    for (size_t s = 0; s < q->n_scores; s++)
        most = fmax(most, q->error[at * q->widest + s]);
    q->doubt = fits ? (float)(most * (1 + 4 * UNIT)) : INFINITY; /* the cast may round down */
}

void tct_netquick_labels(tct_netquick *q, const tct_quick_term *terms, size_t n, const float *x, uint8_t *label)
{
    q->loops->label(q, terms, n, x, label);
}

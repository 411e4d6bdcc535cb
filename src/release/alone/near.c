/*
 * near.c -- see near.h.
 *
 * A base B knows what this person has not answered, R, and does not know what it has, A; D = R and A together are few.  Let y
 * be the person's values and, with S as in bases.h, m0 = S_UB y_B the means by the base, as if R were known.  Taking R back
 * and putting A in moves means by S_UD d, and those of R by d_R, where
 *
 *     S_DD d = h      h_A = y_A - m0_A      h_R = -(S_RB y_B)
 *
 * (S exchanges values and coefficients: R must get the coefficient 0, A its value).  The means do not depend on y_R, which
 * cancels out; so that one m0 serves base after base, y_R are the person's values, and what rounding leaves of them is far
 * below what the caller takes for a difference.
 *
 * S_DD^-1 is kept, and D gains and loses one attribute per answer, which is a product of two vectors each.  So an answer costs
 * |D|^2, and a mean |D| products, when somebody wants to know it.  With many answers the next base is nearer.
 */
#include "near.h"

#include <math.h>
#include <string.h>

#include "panel.h"
#include "simd.h"

enum { MOST = 256, WIDTH = 32, FEWER = 2 }; /* of D; numbers gone through at a time at most: MOST is a multiple */

struct tct_near {
    const tct_bases *bases;
    size_t base, n_known;
    size_t apart[2];      /* |D| by this base, and by the next one */
    double *values;       /* stride: by place */
    double *means;        /* stride: m0, by place */
    unsigned char *known; /* by place */
    size_t *where;        /* by place: in D */
    size_t n;             /* |D| */
    size_t place[MOST];
    double h[MOST], moves[MOST]; /* d */
    double *inverse;             /* MOST x MOST */
    double factors[MOST], column[MOST];
};

#define LOOPS "near_loops.h"
#include "simd_levels.h"

tacit_status tct_near_new(tct_near **out, const tct_bases *bases, tacit_error *err)
{
    tct_near *w = *out = tct_calloc(1, sizeof *w);

    if (!w)
        return tct_fail_memory(err);
    w->bases = bases;
    w->values = tct_calloc(bases->stride, sizeof(double));
    w->means = tct_calloc(bases->stride, sizeof(double));
    w->known = tct_calloc(bases->stride, 1);
    w->where = tct_calloc(bases->stride, sizeof *w->where);
    w->inverse = tct_calloc(MOST * MOST, sizeof(double));
    if (!w->values || !w->means || !w->known || !w->where || !w->inverse) {
        tct_near_free(w);
        *out = NULL;
        return tct_fail_memory(err);
    }
    return TACIT_OK;
}

void tct_near_forget(tct_near *w)
{
    tct_wipe(w->values, w->bases->stride * sizeof(double));
    tct_wipe(w->means, w->bases->stride * sizeof(double));
    tct_wipe(w->h, sizeof w->h);
    tct_wipe(w->moves, sizeof w->moves);
}

void tct_near_free(tct_near *w)
{
    if (!w)
        return;
    if (w->values && w->means)
        tct_near_forget(w);
    tct_free(w->values);
    tct_free(w->means);
    tct_free(w->known);
    tct_free(w->where);
    tct_free(w->inverse);
    tct_free(w);
}

static const double *row_of(const tct_near *w, size_t place)
{
    return w->bases->matrix[w->base] + place * w->bases->stride;
}

static size_t known_by(const tct_near *w, size_t base)
{
    return base * w->bases->step;
}

/* The rest of rows is of the past. */
static void forget_rest(tct_near *w)
{
    for (size_t k = w->n; k < MOST && k < w->n + WIDTH; k++)
        w->column[k] = 0;
}

/* column = S_DD^-1 S_D,place; returns S_place,D d.  *variance: of the place. */
static double look_at(tct_near *w, size_t place, double *variance)
{
    const double *row = row_of(w, place);
    double mean = 0, known = 0;

    for (size_t k = 0; k < w->n; k++) {
        w->factors[k] = row[w->place[k]];
        mean += row[w->place[k]] * w->moves[k];
    }
    TCT_SIMD_PICK(multiply)(w->column, w->inverse, MOST, w->factors, w->n);
    forget_rest(w);
    for (size_t k = 0; k < w->n; k++)
        known += w->factors[k] * w->column[k];
    *variance = row[place] - known;
    return mean;
}

/* D gains a place; false: there is no more room. */
static bool add(tct_near *w, size_t place, double h, double *off, double *variance)
{
    size_t n = w->n;

    if (n == MOST)
        return false;
    *off = h - look_at(w, place, variance);
    TCT_SIMD_PICK(add_product)(w->inverse, MOST, w->column, 1 / *variance, w->n);
    for (size_t k = 0; k < n; k++) {
        w->moves[k] -= w->column[k] / *variance * *off;
        w->inverse[k * MOST + n] = w->inverse[n * MOST + k] = -w->column[k] / *variance;
    }
    w->inverse[n * MOST + n] = 1 / *variance;
    w->moves[n] = *off / *variance;
    w->h[n] = h;
    w->place[n] = place;
    w->where[place] = n;
    w->n++;
    return true;
}

/* A place of R was answered: its value was the base's all the time. */
static void take_out(tct_near *w, size_t place, double *off, double *variance)
{
    size_t at = w->where[place], last = w->n - 1;
    double pivot = w->inverse[at * MOST + at];

    *off = -w->moves[at];
    *variance = -pivot;
    memcpy(w->column, w->inverse + at * MOST, w->n * sizeof *w->column);
    forget_rest(w);
    for (size_t k = 0; k < w->n; k++)
        w->moves[k] += w->column[k] / pivot * *off;
    TCT_SIMD_PICK(add_product)(w->inverse, MOST, w->column, -1 / pivot, w->n);
    for (size_t k = 0; k < w->n; k++) /* the last one takes its place */
        w->inverse[at * MOST + k] = w->inverse[last * MOST + k];
    for (size_t k = 0; k < w->n; k++)
        w->inverse[k * MOST + at] = w->inverse[k * MOST + last];
    w->place[at] = w->place[last];
    w->where[w->place[at]] = at;
    w->moves[at] = w->moves[last];
    w->h[at] = w->h[last];
    w->n--;
}

/* -(S_place,B y_B) */
static double coefficient(const tct_near *w, size_t place)
{
    const double *row = row_of(w, place);
    double sums[4] = {0};

    for (size_t i = 0; i < known_by(w, w->base); i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] -= row[i + k] * w->values[i + k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* m0 by the next base. */
static void move_means(tct_near *w)
{
    size_t from = known_by(w, w->base), behind, stride = w->bases->stride;

    w->base++;
    behind = known_by(w, w->base);
    for (size_t k = from; k < behind; k += MOST) {
        const double *rows[MOST];
        double factors[MOST];
        size_t n = behind - k < MOST ? behind - k : MOST;

        for (size_t i = 0; i < n; i++) {
            rows[i] = row_of(w, k + i);
            factors[i] = w->means[k + i] - w->values[k + i];
        }
        tct_panel_lose(w->means, behind, stride, factors, rows, n);
        tct_wipe(factors, sizeof factors);
    }
}

static void count_apart(tct_near *w)
{
    for (size_t i = 0; i < 2; i++) {
        size_t n = known_by(w, w->base + i);

        w->apart[i] = w->n_known;
        for (size_t p = 0; p < n && p < w->bases->n; p++)
            w->apart[i] += w->known[p] ? (size_t)-1 : 1;
    }
}

/* On to the next base; false: it is not near either. */
static bool move_on(tct_near *w)
{
    size_t n;
    double off, variance;
    bool near = true;

    move_means(w);
    n = known_by(w, w->base);
    w->n = 0;
    for (size_t p = 0; p < n && near; p++)
        if (!w->known[p])
            near = add(w, p, coefficient(w, p), &off, &variance);
    for (size_t p = n; p < w->bases->n && near; p++)
        if (w->known[p])
            near = add(w, p, w->values[p] - w->means[p], &off, &variance);
    count_apart(w);
    return near;
}

void tct_near_start(tct_near *w, const double *values)
{
    memcpy(w->values, values, w->bases->n * sizeof *values);
    memset(w->means, 0, w->bases->stride * sizeof(double));
    memset(w->known, 0, w->bases->n);
    w->base = w->n_known = w->n = 0;
    count_apart(w);
}

bool tct_near_answer(tct_near *w, size_t place, double *off, double *variance)
{
    bool near = true;

    if (place < known_by(w, w->base))
        take_out(w, place, off, variance);
    else
        near = add(w, place, w->values[place] - w->means[place], off, variance);
    w->known[place] = 1;
    w->n_known++;
    for (size_t i = 0; i < 2; i++)
        w->apart[i] += place < known_by(w, w->base + i) ? (size_t)-1 : 1;
    if (near && w->base + 1 < w->bases->count && w->apart[1] + FEWER < w->apart[0])
        near = tct_near_residual(w) < 1e-10 && move_on(w);
    return near && *variance > 0;
}

void tct_near_means(const tct_near *w, size_t tile, double *means)
{
    size_t at = tile * TCT_BASE_TILE;

    if (at < known_by(w, w->base)) {
        for (size_t s = 0; s < TCT_BASE_TILE; s++)
            means[s] = w->known[at + s] ? 0 : w->values[at + s] + w->moves[w->where[at + s]];
        return;
    }
    memcpy(means, w->means + at, TCT_BASE_TILE * sizeof *means);
    TCT_SIMD_PICK(add_rows)(means, row_of(w, 0) + at, w->bases->stride, w->place, w->moves, w->n);
}

double tct_near_variance(tct_near *w, size_t place)
{
    double variance;

    if (place < known_by(w, w->base))
        return -w->inverse[w->where[place] * (MOST + 1)];
    look_at(w, place, &variance);
    return variance;
}

double tct_near_score(const tct_near *w)
{
    const double *row = row_of(w, w->bases->n);
    double sum = w->means[w->bases->n];

    for (size_t k = 0; k < w->n; k++)
        sum += row[w->place[k]] * w->moves[k];
    return sum;
}

size_t tct_near_base_within(const tct_near *w)
{
    size_t first = 0;

    while (first < w->bases->n && w->known[first])
        first++;
    return first / w->bases->step < w->bases->count ? first / w->bases->step : w->bases->count - 1;
}

double tct_near_residual(const tct_near *w)
{
    double worst = 0;

    for (size_t i = 0; i < w->n; i++) {
        const double *row = row_of(w, w->place[i]);
        double sum = -w->h[i], size = fabs(w->h[i]);

        for (size_t k = 0; k < w->n; k++) {
            double term = row[w->place[k]] * w->moves[k];

            sum += term;
            size += fabs(term);
        }
        worst = size > 0 ? fmax(worst, fabs(sum) / size) : worst;
    }
    return worst;
}

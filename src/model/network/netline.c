/*
 * netline.c -- scores, slopes and covariances of a network from the values of its first layer.
 *
 * Forward: z = bias + w a, a = z > 0 ? z : 0.  Back: the slopes of a score with respect to a layer are those with
 * respect to the next, times its weights, where the neuron is active (a > 0).  With v the slopes with respect to the
 * first layer, the variance is v' C v, C the covariance of the first layer; or g' C g, g = w' v and C the covariance
 * of the inputs, whichever is cheaper: the spread says which.
 *
 * A neuron that is dead at all of the points adds nothing anywhere and is left out: rectified neurons mostly are.
 *
 * The loops (netline_loops.h) are written once with vectors of the compiler and compiled for several instruction sets,
 * products and sums never contracted: each point has its own sums in their own fixed order, the same bits everywhere.
 */
#include "netline.h"

#include <string.h>

#include "simd.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { ALIGN = 64 };

struct tct_netline_loops {
    void (*add)(double *to, const double *column, double by, size_t n); /* to += by column */
    void (*place)(tct_netline *line, const double *at, const double *along, const double *t);
    void (*scores)(tct_netline *line, size_t n);
    void (*law)(tct_netline *line, const tct_spread *spread);
};

/* Several rows side by side: their sums do not wait for each other. */
#define IN_TILES(n, i)                                                                                                 \
    for (; (i) + 4 <= (n); (i) += 4)                                                                                   \
        TILE(4);                                                                                                       \
    if ((i) + 2 <= (n)) {                                                                                              \
        TILE(2);                                                                                                       \
        (i) += 2;                                                                                                      \
    }                                                                                                                  \
    if ((i) < (n))                                                                                                     \
    TILE(1)

#define NAMED(x) x##_plain
#define SET
#define BYTES 16
#define ANY(m) (((m)[0] | (m)[1]) != 0)
#include "netline_loops.h"
#if defined(__x86_64__)
#define NAMED(x) x##_avx2
#define SET TCT_FOR_AVX2
#define BYTES 32
#define ANY(m) (_mm256_movemask_pd((__m256d)(m)) != 0)
#include "netline_loops.h"
#define NAMED(x) x##_avx512
#define SET TCT_FOR_AVX512
#define BYTES 64
#include "netline_loops.h"
#endif

static const struct tct_netline_loops *best_loops(void)
{
    return TCT_SIMD_PICK(&loops);
}

/* ---- objects ---- */

static double *carve(char *arena, size_t *used, size_t count)
{
    double *piece = arena ? (double *)(void *)(arena + *used) : NULL;

    *used += (count + 1) * TCT_LANES * sizeof(double);
    return piece;
}

/* Lay out the room to work; returns its size. */
static size_t carve_all(tct_netline *line, char *arena)
{
    const tct_mlp *mlp = line->mlp;
    size_t used = 0, d = mlp->sizes[0], k = line->n_scores, wide = d > line->n_first ? d : line->n_first;
    size_t later = 0;

    line->n_hidden = 0;
    for (size_t l = 1; l < mlp->n_layers; l++)
        line->n_hidden += mlp->sizes[l];
    line->first = carve(arena, &used, line->n_first);
    line->scores = carve(arena, &used, k);
    line->slopes = carve(arena, &used, k * line->n_first);
    line->cov = carve(arena, &used, k * k);
    line->values = carve(arena, &used, line->n_hidden);
    line->signal = carve(arena, &used, 2 * mlp->widest);
    line->turned = carve(arena, &used, k * d);
    line->product = carve(arena, &used, wide);
    line->live = (size_t *)(void *)carve(arena, &used, line->n_hidden);
    line->all = (size_t *)(void *)carve(arena, &used, wide);
    for (size_t i = 0; arena && i < wide; i++)
        line->all[i] = i;
    line->columns = carve(arena, &used, (d * line->n_first + TCT_LANES - 1) / TCT_LANES);
    for (size_t l = 1; l < mlp->n_layers; l++)
        later += (mlp->sizes[l] + 1) * tct_lanes_round(mlp->sizes[l + 1]);
    line->turned_weights = carve(arena, &used, later / TCT_LANES);
    return used;
}

/* Weights with one row per input. */
static void turn_weights(tct_netline *line)
{
    const tct_mlp *mlp = line->mlp;
    double *to = line->turned_weights;

    for (size_t i = 0; i < mlp->sizes[0]; i++)
        for (size_t j = 0; j < line->n_first; j++)
            line->columns[i * line->n_first + j] = mlp->weights[0][j * mlp->sizes[0] + i];
    for (size_t l = 1; l < mlp->n_layers; l++) {
        size_t n = mlp->sizes[l], wide = tct_lanes_round(mlp->sizes[l + 1]);

        memcpy(to, mlp->bias[l], mlp->sizes[l + 1] * sizeof *to);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < mlp->sizes[l + 1]; j++)
                to[(i + 1) * wide + j] = mlp->weights[l][j * n + i];
        to += (n + 1) * wide;
    }
}

tacit_status tct_netline_new(tct_netline **out, const tct_classifier *classifier, bool plain, tacit_error *err)
{
    const tct_mlp *mlp = tct_as_mlp(classifier);
    tct_netline *line;
    char *arena;

    *out = NULL;
    if (!mlp)
        return TACIT_OK;
    line = tct_calloc(1, sizeof *line);
    if (!line)
        return tct_fail_memory(err);
    line->mlp = mlp;
    line->n_first = mlp->sizes[1];
    line->n_scores = classifier->n_scores;
    line->loops = plain ? &loops_plain : best_loops();
    line->size = carve_all(line, NULL) + ALIGN;
    line->block = tct_calloc(line->size, 1);
    if (!line->block) {
        tct_netline_free(line);
        return tct_fail_memory(err);
    }
    arena = line->block;
    carve_all(line, arena + (ALIGN - (uintptr_t)arena % ALIGN));
    turn_weights(line);
    *out = line;
    return TACIT_OK;
}

void tct_netline_free(tct_netline *line)
{
    if (!line)
        return;
    tct_free_wiped(line->block, line->size);
    tct_free(line);
}

void tct_netline_wipe(tct_netline *line)
{
    tct_wipe(line->first, (size_t)((char *)line->all - (char *)line->first)); /* see carve_all */
    tct_wipe(line->n_live, sizeof line->n_live);
}

void tct_netline_first(const tct_netline *line, const double *x, double *first)
{
    memcpy(first, line->mlp->bias[0], line->n_first * sizeof *first);
    for (size_t i = 0; i < line->mlp->sizes[0]; i++)
        tct_netline_step(line, i, x[i], first);
}

void tct_netline_step(const tct_netline *line, size_t input, double by, double *first)
{
    if (by != 0) /* no sum is -0, so a term of 0 changes none */
        line->loops->add(first, line->columns + input * line->n_first, by, line->n_first);
}

void tct_netline_place(tct_netline *line, const double *at, const double *along, const double t[TCT_LANES])
{
    line->loops->place(line, at, along, t);
}

void tct_netline_scores(tct_netline *line, size_t n)
{
    line->loops->scores(line, n);
}

void tct_netline_law(tct_netline *line, const tct_spread *spread)
{
    line->loops->law(line, spread);
}

/*
 * alone_tiles.c -- candidates in tiles of sixteen, each as far as it had to be brought.  How and why is told in alone.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alone_inside.h"
#include "simd.h"

static const double NOISE = 1e-10; /* of covariances, relative to the deviations */

/* What does not change about the candidates of a tile, SLOTS each. */
typedef struct tile_facts {
    const double *weight, *worst; /* of the margin of the expected label */
    const double *low, *high, *cost;
    const double *speed; /* (weight / cost)^2 */
    const double *doubt; /* room for the rounding of variances */
} tile_facts;

#define LOOPS "alone_loops.h"
#include "simd_levels.h"

static tile_facts facts_of(const tct_alone *w, size_t tile, size_t label)
{
    size_t at = tile * SLOTS;

    return (tile_facts){.weight = w->slots[label ? WEIGHT_1 : WEIGHT_0] + at,
                        .worst = w->slots[label ? WORST_1 : WORST_0] + at,
                        .low = w->slots[LOW] + at,
                        .high = w->slots[HIGH] + at,
                        .cost = w->slots[COST] + at,
                        .speed = w->slots[SPEED] + at,
                        .doubt = w->slots[DOUBTS] + at};
}

void tct_alone_rank(tct_alone *w, size_t tile, size_t label)
{
    size_t at = tile * SLOTS, best = NOBODY;
    double *scores = w->slots[SCORE] + at, most, fastest;
    tile_facts facts = facts_of(w, tile, label);

    TCT_SIMD_PICK(score_tile)
    (&facts, w->slots[MEAN] + at, w->slots[VARIANCE] + at, scores, &most, &fastest);
    for (size_t s = 0; s < SLOTS && w->n_open[tile] > 0; s++)
        if (scores[s] == most && (best == NOBODY || w->attribute[at + s] < w->attribute[at + best]))
            best = s;
    w->best[tile] = best == NOBODY ? NOBODY : at + best;
    w->score[tile] = most;
    w->reach[tile] = sqrt(fastest);
}

void tct_alone_close(tct_alone *w, size_t slot)
{
    w->open[slot] = false;
    w->slots[WORST_0][slot] = w->slots[WORST_1][slot] = INFINITY;
    w->slots[COST][slot] = 1;
    w->slots[SPEED][slot] = 0;
}

/* Where the rows of a tile begin. */
static double *rows_of(const tct_alone *w, size_t tile)
{
    return w->rows + tile * w->row_step;
}

void tct_alone_bring(tct_alone *w, size_t tile)
{
    size_t from = w->seen[tile], to = w->n_answers, at = tile * SLOTS;
    double *rows = rows_of(w, tile);

    TCT_SIMD_PICK(bring_rows)(rows, w->factors, from, to);
    for (size_t i = from; i < to; i++)
        TCT_SIMD_PICK(move_tile)
    (rows + i * SLOTS, w->pivots[i], w->offs[i], w->slots[MEAN] + at, w->slots[VARIANCE] + at);
    w->seen[tile] = to;
}

void tct_alone_bring_all(tct_alone *w)
{
    for (size_t tile = 0; tile < w->n_tiles; tile++)
        if (w->best[tile] != NOBODY && w->seen[tile] < w->n_answers) {
            tct_alone_bring(w, tile);
            w->best[tile] = ANYBODY;
        }
    for (size_t s = 0; s < w->n_tiles * SLOTS; s++)
        if (w->open[s]) {
            w->means[w->position[s]] = w->slots[MEAN][s];
            w->variances[w->position[s]] = w->slots[VARIANCE][s];
        }
}

/* What the best of a tile may gain at most, whatever it has not seen. */
static double most_of_tile(const tct_alone *w, size_t tile)
{
    double unseen = w->surprise[w->n_answers] - w->surprise[w->seen[tile]];
    double most = w->score[tile] + w->reach[tile] * sqrt(unseen > 0 ? unseen : 0);

    return most + ROUNDING * (fabs(most) + w->scale);
}

/* Of two that lead, the lower attribute; NOBODY loses to all. */
static size_t better_of(const tct_alone *w, size_t leader, size_t tile)
{
    size_t best = w->best[tile];
    double lead = leader == NOBODY ? -INFINITY : w->score[leader / SLOTS];

    return leader == NOBODY || w->score[tile] > lead ||
                   (w->score[tile] == lead && w->attribute[best] < w->attribute[leader])
               ? best
               : leader;
}

size_t tct_alone_leader(tct_alone *w, size_t label)
{
    size_t leader = NOBODY;

    for (size_t t = 0; t < w->n_tiles; t++) {
        w->most[t] = -INFINITY;
        if (w->best[t] == NOBODY)
            continue;
        if (w->seen[t] == w->n_answers)
            leader = better_of(w, leader, t);
        else
            w->most[t] = most_of_tile(w, t);
    }
    for (;;) {
        size_t next = 0;

        for (size_t t = 1; t < w->n_tiles; t++)
            next = w->most[t] > w->most[next] ? t : next;
        if (w->most[next] == -INFINITY || (leader != NOBODY && w->most[next] < w->score[leader / SLOTS]))
            return w->attribute[leader];
        tct_alone_bring(w, next);
        tct_alone_rank(w, next, label);
        leader = better_of(w, leader, next);
        w->most[next] = -INFINITY;
    }
}

/* ---- fewer tiles ---- */

/* The tiles that have seen everything, in list[]; *n_open: how many candidates are left in them. */
static size_t find_current(const tct_alone *w, size_t *list, size_t *n_open)
{
    size_t n = 0;

    *n_open = 0;
    for (size_t t = 0; t < w->n_tiles; t++) {
        if (w->best[t] == NOBODY || w->seen[t] < w->n_answers)
            continue;
        list[n++] = t;
        *n_open += w->n_open[t];
    }
    return n;
}

/* Numbers of slots: from order[k] to the k-th slot of the tiles of the list, `count` rows of tiles that are `step` apart. */
static void move_numbers(const tct_alone *w, double *numbers, size_t step, size_t count, size_t n, const size_t *list)
{
    for (size_t k = 0; k < n; k++)
        w->moved[k] = w->order[k].index / SLOTS * step + w->order[k].index % SLOTS;
    memset(w->room + n, 0, (SLOTS - n % SLOTS) % SLOTS * sizeof *w->room); /* whole tiles are moved */
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < n; k++)
            w->room[k] = numbers[w->moved[k] + i * SLOTS];
        for (size_t t = 0; t * SLOTS < n; t++)
            memcpy(numbers + list[t] * step + i * SLOTS, w->room + t * SLOTS, SLOTS * sizeof *numbers);
    }
}

/* The same for what slots are about, and slots of the list that are left over are empty. */
static void move_candidates(tct_alone *w, size_t n, const size_t *list, size_t n_list)
{
    for (size_t k = 0; k < n; k++)
        w->moved[k] = w->attribute[w->order[k].index];
    for (size_t k = 0; k < n_list * SLOTS; k++) {
        size_t slot = list[k / SLOTS] * SLOTS + k % SLOTS;

        w->open[slot] = k < n;
        if (k >= n) {
            tct_alone_close(w, slot);
            continue;
        }
        w->attribute[slot] = w->moved[k];
        w->position[slot] = (uint32_t)tct_belief_at(w->start, w->moved[k]);
        w->slot_of[w->moved[k]] = slot;
    }
    for (size_t i = 0; i < n_list; i++) {
        w->best[list[i]] = i * SLOTS < n ? ANYBODY : NOBODY;
        w->n_open[list[i]] = n <= i * SLOTS ? 0 : n < (i + 1) * SLOTS ? n - i * SLOTS : SLOTS;
    }
}

void tct_alone_close_up(tct_alone *w)
{
    size_t n_open, *list = w->list, n_list = find_current(w, list, &n_open), n = 0;

    if ((n_open + SLOTS - 1) / SLOTS * 4 > n_list * 3)
        return;
    for (size_t i = 0; i < n_list; i++)
        for (size_t s = list[i] * SLOTS; s < (list[i] + 1) * SLOTS; s++)
            if (w->open[s])
                w->order[n++] = (ranked){w->slots[SCORE][s], s};
    qsort(w->order, n, sizeof *w->order, tct_ranked_compare);
    for (size_t i = 0; i < SLOT_ARRAYS; i++)
        move_numbers(w, w->slots[i], SLOTS, 1, n, list);
    move_numbers(w, w->rows, w->row_step, w->n_answers, n, list);
    move_candidates(w, n, list, n_list);
}

/* In four sums that do not wait for each other. */
static double sum_of_products(const double *a, const double *b, size_t n)
{
    double sums[4] = {0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        sums[0] += a[i] * b[i];
        sums[1] += a[i + 1] * b[i + 1];
        sums[2] += a[i + 2] * b[i + 2];
        sums[3] += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        sums[0] += a[i] * b[i];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

/* The next row of every tile that has candidates left: covariances at the start. */
static void pick_covariances(tct_alone *w, const double *prior)
{
    for (size_t tile = 0; tile < w->n_tiles; tile++) {
        double *row = rows_of(w, tile) + w->n_answers * SLOTS;
        const uint32_t *position = w->position + tile * SLOTS;

        for (size_t s = 0; s < SLOTS && w->best[tile] != NOBODY; s++)
            row[s] = prior[position[s]];
    }
}

void tct_alone_answer(tct_alone *w, size_t slot, double off, const tct_law *law)
{
    size_t n = w->n_answers;
    const double *row = rows_of(w, slot / SLOTS) + slot % SLOTS;
    double variance = w->slots[VARIANCE][slot], *factors = w->factors + triangle(n);

    for (size_t j = 0; j < n; j++)
        factors[j] = row[j * SLOTS];
    TCT_SIMD_PICK(divide)(factors, w->pivots, n);
    w->through[n] = law->cross[w->position[slot]] - sum_of_products(factors, w->through, n);
    w->mean_score += w->through[n] / variance * off;
    w->score_doubt += NOISE * law->sigma * sqrt(w->prior[w->attribute[slot]]) / variance * fabs(off);
    pick_covariances(w, w->start->cov + w->position[slot] * w->start->n_unknown);
    w->pivots[n] = variance;
    w->offs[n] = off;
    w->surprise[n + 1] = w->surprise[n] + off * off / variance;
    w->n_answers++;
}

int tct_ranked_compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/*
 * netattack.c -- looking for completions with another label before anything is proven.
 *
 * Projected sign gradients: from a point of the region, move every unknown attribute in the direction that lowers an
 * open margin, by steps that shrink.  Numbers move by a share of their range; whole numbers by whole steps; a
 * one-hot attribute goes to the level with the least coefficient.  Where that ends, single attributes are moved to the
 * ends of their ranges and elsewhere, which finds what gradients do not see: a counterexample found late is one for which
 * the search has worked in vain.  Late attacks begin from the boxes that the search has doubts about, too.  The margins that
 * steer are computed fast and without care; a completion counts only once the deployed scores have given it its label.
 */
#include <math.h>
#include <string.h>

#include "verifier_inside.h"

enum { RESTARTS = 2, STEPS = 20, POLISH = 40 };
enum { SHARE = 8 }; /* later attacks go on until they took 1 / SHARE of the work before: they grow with the search */
enum { VALUES = 4, WALKS = 4 }; /* of a number that are tried from a point; times through all attributes */
enum {
    LATE = 4,
    BOXES = 32
}; /* attacks from this one on, after 6,144 boxes, begin from so many boxes of the search, too */
static const double FIRST_STEP = 0.5, SHRINK = 0.8, WALK_STEP = 0.25, BOX_STEP = 0.01;
static const double POLISH_STEP = 0.1, POLISH_LEAST = 1e-5;

/* Nearest value of a grid to `x` in the region. */
static double nearest_on_grid(const tct_region *region, size_t attribute, double x)
{
    double k = rint((x + 1) / 2 * (double)(region->codec->domains[attribute].count - 1)), first, last, value;

    tct_region_indices(region, attribute, &first, &last);
    tct_codec_value(region->codec, attribute, (size_t)fmin(fmax(k, first), last), &value);
    return value;
}

/* The level in the region with the largest (sign 1) or smallest (-1) value, the first among equals. */
static size_t best_level(const tct_region *region, const tct_unknown *u, const double *values, double sign)
{
    size_t best = TACIT_NONE;

    for (size_t i = 0; i < u->width; i++)
        if (tct_region_has_level(region, u->attribute, i) &&
            (best == TACIT_NONE || sign * values[i] > sign * values[best]))
            best = i;
    return best;
}

/* Number `from` among the levels in the region. */
static size_t nth_level(const tct_region *region, const tct_unknown *u, size_t from)
{
    size_t k = 0;

    while (!tct_region_has_level(region, u->attribute, k) || from-- > 0)
        k++;
    return k;
}

void tct_attack_centre(tct_verifier *v, double *point)
{
    const tct_region *region = &v->nb->region;

    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];
        double *values = point + u->first, low, high;

        for (size_t i = 0; i < u->width; i++)
            values[i] = 0;
        if (u->kind == TCT_ONEHOT) {
            values[nth_level(region, u, 0)] = 1;
            continue;
        }
        tct_region_range(region, u->attribute, &low, &high);
        values[0] = low > 0 || high < 0 ? low + (high - low) / 2 : 0;
        if (u->kind == TCT_GRID)
            values[0] = nearest_on_grid(region, u->attribute, values[0]);
    }
}

void tct_attack_project(const tct_verifier *v, double *x)
{
    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];
        const tct_region *region = &v->nb->region;
        double *values = x + u->input, low, high;

        if (u->kind == TCT_ONEHOT) {
            tct_codec_value(v->codec, u->attribute, best_level(region, u, values, 1), values);
        } else if (u->kind == TCT_GRID) {
            values[0] = nearest_on_grid(region, u->attribute, values[0]);
        } else {
            tct_region_range(region, u->attribute, &low, &high);
            values[0] = fmin(fmax(values[0], low), high);
        }
    }
}

/* Some point of the region, or a corner of it. */
static void draw_start(tct_verifier *v, tct_random *random, bool corner, double *point)
{
    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];
        const tct_region *region = &v->nb->region;
        double low, high, t = tct_random_uniform(random);

        if (u->kind == TCT_ONEHOT) {
            size_t levels = tct_region_levels(region, u->attribute);

            memset(point + u->first, 0, u->width * sizeof(double));
            point[u->first + nth_level(region, u, (size_t)(t * (double)levels))] = 1;
            continue;
        }
        if (corner)
            t = t < 0.5 ? 0 : 1;
        tct_region_range(region, u->attribute, &low, &high);
        point[u->first] = fmin(low + t * (high - low), high);
        if (u->kind == TCT_GRID)
            point[u->first] = nearest_on_grid(region, u->attribute, point[u->first]);
    }
}

/* One step down the gradient; false when nothing moves.  Numbers move by `share` of their range, or in proportion to
 * their slopes, the steepest by that much. */
static bool descend(tct_verifier *v, double share, bool in_proportion, double *point)
{
    bool moved = false;
    double steepest = 0;

    for (size_t i = 0; i < v->nb->n_free && in_proportion; i++)
        steepest = fmax(steepest, fabs(v->gradient[i]));

    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];
        double *x = point + u->first, low, high, to;
        const double *g = v->gradient + u->first;
        const tct_region *region = &v->nb->region;
        size_t hot = 0, best;

        if (u->kind == TCT_ONEHOT) {
            best = best_level(region, u, g, -1);
            for (size_t i = 0; i < u->width; i++)
                hot = x[i] != 0 ? i : hot;
            if (g[best] < g[hot]) {
                x[hot] = 0;
                x[best] = 1;
                moved = true;
            }
            continue;
        }
        if (g[0] == 0)
            continue;
        tct_region_range(region, u->attribute, &low, &high);
        to = share * (high - low) * (in_proportion ? fabs(g[0]) / steepest : 1);
        if (u->kind == TCT_GRID && u->count > 1)
            to = fmax(to, 2 / (double)(u->count - 1));
        to = fmin(fmax(x[0] - (g[0] > 0 ? to : -to), low), high);
        if (u->kind == TCT_GRID)
            to = nearest_on_grid(region, u->attribute, to);
        moved = moved || to != x[0];
        x[0] = to;
    }
    return moved;
}

/* Put an attribute of a point to value number k: an end of its range, `share` of that up or down, or a level; false when
 * there is no such value. */
static bool put_value(const tct_verifier *v, const tct_unknown *u, size_t k, double share, double *point)
{
    const tct_region *region = &v->nb->region;
    double *x = point + u->first, low, high, step;

    if (u->kind == TCT_ONEHOT) {
        if (k >= tct_region_levels(region, u->attribute))
            return false;
        memset(x, 0, u->width * sizeof(double));
        x[nth_level(region, u, k)] = 1;
        return true;
    }
    if (k >= VALUES)
        return false;
    tct_region_range(region, u->attribute, &low, &high);
    if (k < 2) { /* ends are on the grid */
        x[0] = k == 0 ? low : high;
        return true;
    }
    step = share * (high - low);
    if (u->kind == TCT_GRID && u->count > 1)
        step = fmax(step, 2 / (double)(u->count - 1));
    x[0] = fmin(fmax(k == 2 ? x[0] + step : x[0] - step, low), high);
    if (u->kind == TCT_GRID)
        x[0] = nearest_on_grid(region, u->attribute, x[0]);
    return true;
}

/* The point with values number `from` and on of an attribute into trials, as many as there is room for; their number. */
static size_t put_trials(tct_verifier *v, const tct_unknown *u, size_t from, double share, const double *point)
{
    size_t n = 0;

    for (; n < TCT_POINTS; n++) {
        double *trial = v->trials + n * v->nb->stride;

        memcpy(trial, point, v->nb->n_free * sizeof(double));
        memset(trial + v->nb->n_free, 0, (v->nb->stride - v->nb->n_free) * sizeof(double));
        if (!put_value(v, u, from + n, share, trial))
            break;
    }
    return n;
}

/* From a point with this margin, one attribute after the other to the best of some values, a few times while that helps:
 * moves that a gradient does not see.  Returns the margin in the end, and evaluates the point if it is lost. */
static double walk_along(tct_verifier *v, size_t row, double *point, double value)
{
    double before = INFINITY, share = WALK_STEP, values[TCT_POINTS];

    for (size_t round = 0; round < WALKS && value > 0 && value < before; round++, share /= 2) {
        before = value;
        for (size_t s = 0; s < v->nb->n_unknown && value > 0; s++) {
            const tct_unknown *u = &v->nb->unknown[s];
            size_t n;

            for (size_t from = 0; (n = put_trials(v, u, from, share, point)) > 0; from += n) {
                tct_netbounds_values(v->nb, row, v->trials, n, values);
                for (size_t k = 0; k < n; k++)
                    if (values[k] < value) {
                        value = values[k];
                        memcpy(point + u->first, v->trials + k * v->nb->stride + u->first, u->width * sizeof(double));
                    }
            }
        }
    }
    if (value <= 0)
        tct_verifier_try(v, point);
    return value;
}

/* From the most promising point that the search has seen, small steps that are kept only when they help. */
static void polish(tct_verifier *v)
{
    double share = POLISH_STEP, value;
    bool in_proportion = false;

    value = tct_netbounds_value(v->nb, v->best_row, v->best, v->gradient);
    for (size_t step = 0; step < POLISH && value > 0 && share > POLISH_LEAST; step++) {
        double next;

        memcpy(v->point, v->best, v->nb->n_free * sizeof(double));
        if (!descend(v, share, in_proportion, v->point))
            break;
        next = tct_netbounds_value(v->nb, v->best_row, v->point, NULL);
        if (next < value) {
            memcpy(v->best, v->point, v->nb->n_free * sizeof(double));
            value = tct_netbounds_value(v->nb, v->best_row, v->best, v->gradient);
            share *= 1.5;
        } else {
            in_proportion = !in_proportion;
            share *= 0.7;
        }
    }
    v->best_value = walk_along(v, v->best_row, v->best, value);
}

/* From v->point down the gradient, then along attributes. */
static void go_down(tct_verifier *v, size_t row, double share)
{
    for (size_t step = 0; step < STEPS && !v->refuted; step++, share *= SHRINK) {
        double value = tct_netbounds_value(v->nb, row, v->point, v->gradient);

        if ((value <= 0 && tct_verifier_try(v, v->point)) || !descend(v, share, false, v->point))
            break;
    }
    if (!v->refuted)
        walk_along(v, row, v->point, tct_netbounds_value(v->nb, row, v->point, NULL));
}

/* From the corners of the boxes that are most in doubt, by small steps: after a long search these are near where a
 * counterexample must be, if there is one. */
static void go_down_from_boxes(tct_verifier *v)
{
    for (size_t k = 0; k < BOXES && !v->refuted; k++)
        for (size_t r = 0; r < v->n_open && !v->refuted; r++)
            if (tct_search_corner(v, v->open_rows[r], k, v->point))
                go_down(v, v->open_rows[r], BOX_STEP);
}

void tct_attack(tct_verifier *v, uint64_t round)
{
    uint64_t until = round > 1 ? v->nb->work + v->nb->work / SHARE : 0;
    tct_random random;

    polish(v);
    if (round >= LATE && !v->refuted)
        go_down_from_boxes(v);
    tct_random_seed(&random, 1, round);
    for (size_t restart = 0; (restart < RESTARTS || v->nb->work < until) && !v->refuted; restart++) {
        draw_start(v, &random, restart % 2, v->point);
        go_down(v, v->open_rows[restart % v->n_open], FIRST_STEP);
    }
}

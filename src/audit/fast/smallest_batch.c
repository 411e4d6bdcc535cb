/*
 * People lie side by side, with the gains and deficits of gains.c.  The largest gain of everybody is taken off, twice:
 * most people need no more.  The others move close together and go on.  Counts are kept per lane and added up at the
 * end.
 */
#include "smallest_batch.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { PEOPLE = TCT_TILE, EIGHT = TCT_EIGHT, ROUNDS = 2 };

struct tct_smallest_batch {
    size_t n_items;
    double *gain, *deficit;       /* of the tile at hand: n_items x PEOPLE, PEOPLE */
    double least[PEOPLE];         /* deficits above this are not covered: ties go to label 1 */
    double taken[ROUNDS][PEOPLE]; /* item, -1: none was needed */
    double more[PEOPLE];          /* 1: that was not enough */
    /* those who need more, close together */
    double *rest_gain; /* n_items x PEOPLE, -1: taken */
    double rest_deficit[PEOPLE], rest_least[PEOPLE], rest_taken[PEOPLE];
    /* people of the current call, per lane */
    double *members;              /* n_items x EIGHT: who took the item in a round */
    double takers[ROUNDS][EIGHT]; /* who took anything in a round */
};

tacit_status tct_smallest_batch_new(tct_smallest_batch **out, const tacit_model *model, const tct_extremes *extremes,
                                    tacit_error *err)
{
    const tacit_schema *schema = model->schema;
    double cost = NAN;
    size_t n_items = 0;
    tct_smallest_batch *s;

    *out = NULL;
    if (!extremes || model->classifier->n_scores != 1)
        return TACIT_OK;
    for (size_t a = 0; a < schema->n_attributes; a++)
        if (schema->attributes[a].role == TACIT_SENSITIVE) {
            if (n_items++ == 0)
                cost = schema->attributes[a].cost;
            if (schema->attributes[a].cost != cost)
                return TACIT_OK;
        }
    s = tct_calloc(1, sizeof *s);
    if (!s)
        return tct_fail_memory(err);
    s->n_items = n_items;
    s->members = tct_calloc((n_items + 1) * EIGHT, sizeof *s->members);
    s->rest_gain = tct_calloc((n_items + 1) * PEOPLE, sizeof *s->rest_gain);
    if (!s->members || !s->rest_gain) {
        tct_smallest_batch_free(s);
        return tct_fail_memory(err);
    }
    *out = s;
    return TACIT_OK;
}

void tct_smallest_batch_free(tct_smallest_batch *s)
{
    if (!s)
        return;
    tct_free_wiped(s->members, (s->n_items + 1) * EIGHT * sizeof *s->members);
    tct_free_wiped(s->rest_gain, (s->n_items + 1) * PEOPLE * sizeof *s->rest_gain);
    tct_free_wiped(s, sizeof *s);
}

#define LOOPS "smallest_loops.h"
#include "simd_levels.h"

/* Those on the list, close together: what is left to take, and what is missing. */
static size_t seat_rest(tct_smallest_batch *s, const uint16_t *list, size_t n)
{
    size_t rounded = (n + EIGHT - 1) / EIGHT * EIGHT;

    for (size_t i = 0; i < s->n_items; i++)
        for (size_t k = 0; k < n; k++)
            s->rest_gain[i * PEOPLE + k] = s->gain[i * PEOPLE + list[k]];
    for (size_t k = 0; k < n; k++) {
        s->rest_deficit[k] = s->deficit[list[k]];
        s->rest_least[k] = s->least[list[k]];
        for (size_t round = 0; round < ROUNDS; round++)
            if (s->taken[round][list[k]] >= 0)
                s->rest_gain[(size_t)s->taken[round][list[k]] * PEOPLE + k] = -1;
    }
    for (size_t k = n; k < rounded; k++) { /* of nobody, nothing is needed */
        s->rest_deficit[k] = 0;
        s->rest_least[k] = INFINITY;
    }
    return rounded;
}

void tct_smallest_batch_count(tct_smallest_batch *s, tct_gains *gains, size_t n, const uint8_t *full,
                              uint64_t *histogram, uint64_t *members)
{
    uint16_t rest[PEOPLE];
    uint64_t takers[ROUNDS];
    size_t left = 0;

    s->gain = gains->gain;
    s->deficit = gains->deficit;
    memset(s->members, 0, s->n_items * EIGHT * sizeof *s->members);
    memset(s->takers, 0, sizeof s->takers);
    TCT_SIMD_PICK(begin)(s, n, full);
    for (size_t p = 0; p < n; p++) {
        rest[left] = (uint16_t)p;
        left += s->more[p] > 0;
    }
    TCT_SIMD_PICK(finish)(s, seat_rest(s, rest, left));
    for (size_t k = 0; k < left; k++) {
        size_t p = rest[k], size = (s->taken[0][p] >= 0) + (size_t)(s->taken[1][p] >= 0);

        histogram[size]--; /* that is where they are counted in the end */
        histogram[size + (size_t)s->rest_taken[k]]++;
    }
    for (size_t i = 0; i < s->n_items; i++)
        members[i] += tct_lanes_total(s->members + i * EIGHT);
    for (size_t round = 0; round < ROUNDS; round++)
        takers[round] = tct_lanes_total(s->takers[round]);
    histogram[0] += n - takers[0];
    if (s->n_items > 0)
        histogram[1] += takers[0] - takers[1];
    if (s->n_items > 1)
        histogram[2] += takers[1];
}

/*
 * People lie side by side, with the gains and deficits of gains.c.  The largest gain of everybody is taken off, twice:
 * most people need no more.  The others move close together and go on.  Counts are kept per lane and added up at the
 * end.
 */
#include "smallest_batch.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { LANES = TCT_TILE, EIGHT = TCT_EIGHT, ROUNDS = 2 };

struct tct_smallest_batch {
    size_t n_items;
    double *gain, *deficit;      /* of the tile at hand: n_items x LANES, LANES */
    double least[LANES];         /* deficits above this are not covered: ties go to label 1 */
    double taken[ROUNDS][LANES]; /* item, -1: none was needed */
    double more[LANES];          /* 1: that was not enough */
    /* those who need more, close together */
    double *rest_gain; /* n_items x LANES, -1: taken */
    double rest_deficit[LANES], rest_least[LANES], rest_taken[LANES];
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
    s->rest_gain = tct_calloc((n_items + 1) * LANES, sizeof *s->rest_gain);
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
    tct_free_wiped(s->rest_gain, (s->n_items + 1) * LANES * sizeof *s->rest_gain);
    tct_free_wiped(s, sizeof *s);
}

/* The largest gain that was not taken in the round before, off the deficit of those who need it. */
TCT_INLINED void take_largest(tct_smallest_batch *s, size_t round, size_t at)
{
    tct_eight zero = {0}, best = zero - 1, item = best, before = best, deficit = TCT_LOAD(s->deficit + at);

    if (round > 0)
        before = TCT_LOAD(s->taken[round - 1] + at);
    for (size_t i = 0; i < s->n_items; i++) {
        tct_eight index = TCT_ALL((double)i), g = TCT_LOAD(s->gain + i * LANES + at);
        tct_eight_mask larger;

        g = TCT_SELECT(before == index, zero - 1, g);
        larger = g > best;
        item = TCT_SELECT(larger, index, item);
        best = TCT_SELECT(larger, g, best);
    }
    item = TCT_SELECT(deficit > TCT_LOAD(s->least + at), item, zero - 1);
    TCT_STORE(s->taken[round] + at, item);
    TCT_STORE(s->deficit + at, TCT_SELECT(item >= zero, deficit - best, deficit));
}

/* Count who took which item, and who needs more. */
TCT_INLINED void count_taken(tct_smallest_batch *s, size_t at)
{
    tct_eight zero = {0}, one = zero + 1, first = TCT_LOAD(s->taken[0] + at), second = TCT_LOAD(s->taken[1] + at);

    for (size_t i = 0; i < s->n_items; i++) {
        tct_eight index = TCT_ALL((double)i), count = TCT_LOAD(s->members + i * EIGHT);

        count += TCT_SELECT(first == index, one, zero); /* never both */
        count += TCT_SELECT(second == index, one, zero);
        TCT_STORE(s->members + i * EIGHT, count);
    }
    TCT_STORE(s->takers[0], TCT_LOAD(s->takers[0]) + TCT_SELECT(first >= zero, one, zero));
    TCT_STORE(s->takers[1], TCT_LOAD(s->takers[1]) + TCT_SELECT(second >= zero, one, zero));
    TCT_STORE(s->more + at, TCT_SELECT(TCT_LOAD(s->deficit + at) > TCT_LOAD(s->least + at), one, zero));
}

/* n people side by side, rounded up to a multiple of 8. */
TCT_INLINED void begin_body(tct_smallest_batch *s, size_t n, const uint8_t *full)
{
    for (size_t at = 0; at < n; at += EIGHT) {
        for (size_t p = at; p < at + EIGHT; p++) /* of nobody, nothing is needed */
            s->least[p] = p >= n ? INFINITY : full[p] ? 0 : -0x1p-1074;
        take_largest(s, 0, at);
        take_largest(s, 1, at);
        count_taken(s, at);
    }
}

TCT_SIMD_FUNCTION(void, begin, begin_body, (tct_smallest_batch * s, size_t n, const uint8_t *full), (s, n, full))

/* Those on the list, close together: what is left to take, and what is missing. */
static size_t seat_rest(tct_smallest_batch *s, const uint16_t *list, size_t n)
{
    size_t rounded = (n + EIGHT - 1) / EIGHT * EIGHT;

    for (size_t i = 0; i < s->n_items; i++)
        for (size_t k = 0; k < n; k++)
            s->rest_gain[i * LANES + k] = s->gain[i * LANES + list[k]];
    for (size_t k = 0; k < n; k++) {
        s->rest_deficit[k] = s->deficit[list[k]];
        s->rest_least[k] = s->least[list[k]];
        for (size_t round = 0; round < ROUNDS; round++)
            if (s->taken[round][list[k]] >= 0)
                s->rest_gain[(size_t)s->taken[round][list[k]] * LANES + k] = -1;
    }
    for (size_t k = n; k < rounded; k++) { /* of nobody, nothing is needed */
        s->rest_deficit[k] = 0;
        s->rest_least[k] = INFINITY;
    }
    return rounded;
}

/* As many rounds as one of eight people needs.  rest_taken: how many more attributes each takes. */
TCT_INLINED void finish_body(tct_smallest_batch *s, size_t n)
{
    for (size_t at = 0; at < n; at += EIGHT) {
        tct_eight zero = {0}, one = zero + 1, size = zero, deficit = TCT_LOAD(s->rest_deficit + at);
        bool more = true;

        while (more) {
            tct_eight best = zero - 1, item = best;

            for (size_t i = 0; i < s->n_items; i++) {
                tct_eight g = TCT_LOAD(s->rest_gain + i * LANES + at);
                tct_eight_mask larger = g > best;

                item = TCT_SELECT(larger, TCT_ALL((double)i), item);
                best = TCT_SELECT(larger, g, best);
            }
            item = TCT_SELECT(deficit > TCT_LOAD(s->rest_least + at), item, zero - 1);
            deficit = TCT_SELECT(item >= zero, deficit - best, deficit);
            size += TCT_SELECT(item >= zero, one, zero);
            for (size_t i = 0; i < s->n_items; i++) {
                tct_eight_mask is_it = item == TCT_ALL((double)i);
                double *gain = s->rest_gain + i * LANES + at, *members = s->members + i * EIGHT;

                TCT_STORE(gain, TCT_SELECT(is_it, zero - 1, TCT_LOAD(gain)));
                TCT_STORE(members, TCT_LOAD(members) + TCT_SELECT(is_it, one, zero));
            }
            more = false;
            for (size_t p = 0; p < EIGHT; p++)
                more |= item[p] >= 0;
        }
        TCT_STORE(s->rest_taken + at, size);
    }
}

TCT_SIMD_FUNCTION(void, finish, finish_body, (tct_smallest_batch * s, size_t n), (s, n))

static uint64_t add_lanes(const double *counts)
{
    uint64_t sum = 0;

    for (size_t p = 0; p < EIGHT; p++)
        sum += (uint64_t)counts[p];
    return sum;
}

void tct_smallest_batch_count(tct_smallest_batch *s, tct_gains *gains, size_t n, const uint8_t *full,
                              uint64_t *histogram, uint64_t *members)
{
    uint16_t rest[LANES];
    uint64_t takers[ROUNDS];
    size_t left = 0;

    s->gain = gains->gain;
    s->deficit = gains->deficit;
    memset(s->members, 0, s->n_items * EIGHT * sizeof *s->members);
    memset(s->takers, 0, sizeof s->takers);
    begin(s, n, full);
    for (size_t p = 0; p < n; p++) {
        rest[left] = (uint16_t)p;
        left += s->more[p] > 0;
    }
    finish(s, seat_rest(s, rest, left));
    for (size_t k = 0; k < left; k++) {
        size_t p = rest[k], size = (s->taken[0][p] >= 0) + (size_t)(s->taken[1][p] >= 0);

        histogram[size]--; /* that is where they are counted in the end */
        histogram[size + (size_t)s->rest_taken[k]]++;
    }
    for (size_t i = 0; i < s->n_items; i++)
        members[i] += add_lanes(s->members + i * EIGHT);
    for (size_t round = 0; round < ROUNDS; round++)
        takers[round] = add_lanes(s->takers[round]);
    histogram[0] += n - takers[0];
    if (s->n_items > 0)
        histogram[1] += takers[0] - takers[1];
    if (s->n_items > 1)
        histogram[2] += takers[1];
}

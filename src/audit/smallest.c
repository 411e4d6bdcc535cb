/*
 * People lie side by side, with the gains and deficits of gains.c.  The largest gain of everybody is taken off, twice:
 * most people need no more.  The others go on one by one.  Counts are kept per lane and added up at the end.
 */
#include "smallest.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { LANES = TCT_TILE, EIGHT = TCT_EIGHT, ROUNDS = 2 };

struct tct_smallest {
    size_t n_items;
    double *gain, *deficit;      /* of the tile at hand: n_items x LANES, LANES */
    double least[LANES];         /* deficits above this are not covered: ties go to label 1 */
    double taken[ROUNDS][LANES]; /* item, -1: none was needed */
    double more[LANES];          /* 1: that was not enough */
    /* people of the current call, per lane */
    double *members;              /* n_items x EIGHT: who took the item in a round */
    double takers[ROUNDS][EIGHT]; /* who took anything in a round */
};

tacit_status tct_smallest_new(tct_smallest **out, const tacit_model *model, const tct_extremes *extremes,
                              tacit_error *err)
{
    const tacit_schema *schema = model->schema;
    double cost = NAN;
    size_t n_items = 0;
    tct_smallest *s;

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
    if (!s->members) {
        tct_smallest_free(s);
        return tct_fail_memory(err);
    }
    *out = s;
    return TACIT_OK;
}

void tct_smallest_free(tct_smallest *s)
{
    if (!s)
        return;
    tct_free_wiped(s->members, (s->n_items + 1) * EIGHT * sizeof *s->members);
    tct_free_wiped(s, sizeof *s);
}

/* The largest gain that was not taken in the round before, off the deficit of those who need it. */
TCT_LANES_BODY void take_largest(tct_smallest *s, size_t round, size_t at)
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
TCT_LANES_BODY void count_taken(tct_smallest *s, size_t at)
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
TCT_LANES_BODY void begin_body(tct_smallest *s, size_t n, const uint8_t *full)
{
    for (size_t at = 0; at < n; at += EIGHT) {
        for (size_t p = at; p < at + EIGHT; p++) /* of nobody, nothing is needed */
            s->least[p] = p >= n ? INFINITY : full[p] ? 0 : -0x1p-1074;
        take_largest(s, 0, at);
        take_largest(s, 1, at);
        count_taken(s, at);
    }
}

TCT_LANES_FUNCTION(begin, begin_body, (tct_smallest * s, size_t n, const uint8_t *full), (s, n, full))

/* One person alone, from where the rounds have left off; returns how many more attributes it takes. */
static size_t finish_person(tct_smallest *s, size_t p, uint64_t *members)
{
    size_t taken = 0;

    for (size_t round = 0; round < ROUNDS; round++)
        if (s->taken[round][p] >= 0)
            s->gain[(size_t)s->taken[round][p] * LANES + p] = -1;
    while (s->deficit[p] > s->least[p]) {
        size_t best = s->n_items;
        double most = -1;

        for (size_t i = 0; i < s->n_items; i++)
            if (s->gain[i * LANES + p] > most) {
                most = s->gain[i * LANES + p];
                best = i;
            }
        if (best == s->n_items)
            break;
        s->deficit[p] -= most;
        s->gain[best * LANES + p] = -1;
        members[best]++;
        taken++;
    }
    return taken;
}

static uint64_t add_lanes(const double *counts)
{
    uint64_t sum = 0;

    for (size_t p = 0; p < EIGHT; p++)
        sum += (uint64_t)counts[p];
    return sum;
}

void tct_smallest_count(tct_smallest *s, tct_gains *gains, size_t n, const uint8_t *full, uint64_t *histogram,
                        uint64_t *members)
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
    for (size_t k = 0; k < left; k++) {
        size_t p = rest[k], size = (s->taken[0][p] >= 0) + (size_t)(s->taken[1][p] >= 0);

        histogram[size]--; /* that is where they are counted in the end */
        histogram[size + finish_person(s, p, members)]++;
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

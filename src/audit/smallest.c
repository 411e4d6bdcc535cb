/*
 * People lie side by side.  Gains and deficits are computed as in opt.c, term by term in the same order.  Then the
 * largest gain of everybody is taken off, twice: most people need no more.  The others go on one by one.
 */
#include "smallest.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { LANES = 64, EIGHT = TCT_EIGHT, ROUNDS = 2 };

struct tct_smallest {
    const tct_extremes *extremes;
    unsigned char *sensitive; /* per attribute */
    size_t n_items, rounds;
    double *gain;                       /* n_items x LANES; -1 once taken */
    double deficit[LANES], sign[LANES]; /* sign of the margin that counts: 1 for label 1, -1 for label 0 */
    double least[LANES];                /* deficits above this are not covered: ties go to label 1 */
    double taken[ROUNDS][LANES];        /* item, -1: none was needed */
    double *few;                        /* n_inputs x EIGHT: people who do not fill a row of lanes */
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
    s->extremes = extremes;
    s->n_items = n_items;
    s->rounds = n_items < ROUNDS ? n_items : ROUNDS;
    s->sensitive = tct_calloc(schema->n_attributes, sizeof *s->sensitive);
    s->gain = tct_calloc((n_items + 1) * LANES, sizeof *s->gain);
    s->few = tct_calloc(model->codec->n_inputs * EIGHT, sizeof *s->few);
    if (!s->sensitive || !s->gain || !s->few) {
        tct_smallest_free(s);
        return tct_fail_memory(err);
    }
    for (size_t a = 0; a < schema->n_attributes; a++)
        s->sensitive[a] = schema->attributes[a].role == TACIT_SENSITIVE;
    *out = s;
    return TACIT_OK;
}

void tct_smallest_free(tct_smallest *s)
{
    if (!s)
        return;
    tct_free(s->sensitive);
    tct_free_wiped(s->gain, (s->n_items + 1) * LANES * sizeof *s->gain);
    tct_free_wiped(s->few, s->extremes->linear->base.n_inputs * EIGHT * sizeof *s->few);
    tct_free_wiped(s, sizeof *s);
}

/* Gains and deficits of 8 people.  Own label's side of everything: the score's terms, or their opposites. */
TCT_LANES_BODY void set_up_eight(tct_smallest *s, const double *x, size_t stride, size_t at)
{
    const tct_extremes *e = s->extremes;
    const tct_linear *linear = e->linear;
    const double *worst0 = e->worst + tct_pair(e, 0, 1) * e->n_attributes;
    const double *worst1 = e->worst + tct_pair(e, 1, 0) * e->n_attributes;
    double *gain = s->gain + at;
    tct_eight sign = TCT_LOAD(s->sign + at), margin = sign * linear->bias[0], zero = {0};
    tct_eight_mask one = sign > 0;

    for (size_t a = 0; a < e->n_attributes; a++) {
        const tct_domain *domain = &e->codec->domains[a];
        tct_eight term = {0}, worst, more;

        for (size_t i = domain->first; i < domain->first + domain->width; i++)
            term += TCT_LOAD(x + i * stride) * linear->weights[i];
        term *= sign;
        if (!s->sensitive[a]) {
            margin += term;
            continue;
        }
        worst = TCT_SELECT(one, TCT_ALL(worst1[a]), TCT_ALL(worst0[a]));
        margin += worst;
        more = term - worst;
        TCT_STORE(gain, TCT_SELECT(more > zero, more, zero));
        gain += LANES;
    }
    TCT_STORE(s->deficit + at, -margin);
}

/* The largest gain of 8 people: taken off the deficit of those who need it. */
TCT_LANES_BODY void take_largest(tct_smallest *s, size_t at, double *taken)
{
    double *gain = s->gain + at;
    tct_eight zero = {0}, best = zero - 1, item = zero, deficit = TCT_LOAD(s->deficit + at);
    tct_eight_mask needed;

    for (size_t i = 0; i < s->n_items; i++) {
        tct_eight g = TCT_LOAD(gain + i * LANES);
        tct_eight_mask larger = g > best;

        item = TCT_SELECT(larger, TCT_ALL((double)i), item);
        best = TCT_SELECT(larger, g, best);
    }
    needed = deficit > TCT_LOAD(s->least + at);
    item = TCT_SELECT(needed, item, zero - 1);
    TCT_STORE(s->deficit + at, TCT_SELECT(needed, deficit - best, deficit));
    TCT_STORE(taken, item);
    for (size_t i = 0; i < s->n_items; i++)
        TCT_STORE(gain + i * LANES, TCT_SELECT(item == (double)i, zero - 1, TCT_LOAD(gain + i * LANES)));
}

/* n is a multiple of EIGHT. */
TCT_LANES_BODY void begin_body(tct_smallest *s, const double *x, size_t stride, size_t n, const uint8_t *full)
{
    for (size_t p = 0; p < n; p++) {
        s->sign[p] = full[p] ? 1.0 : -1.0;
        s->least[p] = full[p] ? 0.0 : -0x1p-1074;
    }
    for (size_t at = 0; at < n; at += EIGHT) {
        set_up_eight(s, x + at, stride, at);
        for (size_t round = 0; round < s->rounds; round++)
            take_largest(s, at, s->taken[round] + at);
    }
}

TCT_LANES_FUNCTION(begin, begin_body, (tct_smallest * s, const double *x, size_t stride, size_t n, const uint8_t *full),
                   (s, x, stride, n, full))

/* One person alone, from where the rounds have left off; returns how many more attributes it takes. */
static size_t finish_person(tct_smallest *s, size_t p, uint64_t *members)
{
    size_t taken = 0;

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

/* n people, side by side: from begin() on. */
static void count_lanes(tct_smallest *s, size_t n, uint64_t *histogram, uint64_t *members)
{
    for (size_t p = 0; p < n; p++) {
        size_t size = 0;

        for (size_t round = 0; round < s->rounds; round++)
            if (s->taken[round][p] >= 0) {
                members[(size_t)s->taken[round][p]]++;
                size++;
            }
        histogram[size + finish_person(s, p, members)]++;
    }
}

void tct_smallest_count(tct_smallest *s, const double *x, size_t stride, size_t n, const uint8_t *full,
                        uint64_t *histogram, uint64_t *members)
{
    size_t whole = n - n % EIGHT, d = s->extremes->linear->base.n_inputs;
    uint8_t few_full[EIGHT] = {0};

    for (size_t at = 0; at < whole; at += LANES) {
        size_t here = whole - at < LANES ? whole - at : LANES;

        begin(s, x + at, stride, here, full + at);
        count_lanes(s, here, histogram, members);
    }
    if (whole == n)
        return;
    for (size_t p = 0; p < n - whole; p++) {
        few_full[p] = full[whole + p];
        for (size_t i = 0; i < d; i++)
            s->few[i * EIGHT + p] = x[i * stride + whole + p];
    }
    begin(s, s->few, EIGHT, EIGHT, few_full);
    count_lanes(s, n - whole, histogram, members);
}

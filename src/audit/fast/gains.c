/*
 * People lie side by side, eight to a register.  Terms are added up as in smallest_set.c.
 *
 * Rounding.  A margin here is a sum of at most all terms of the score in some order, so it is off by no more than a few
 * times linear->rounding; the bound of a plain proof lies below the true one by no more than that again.  The zone is 16
 * times linear->rounding (four pads of extremes.h), beyond which both agree on the sign.
 */
#include "gains.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { EIGHT = TCT_EIGHT };
typedef uint64_t eight_words __attribute__((vector_size(64)));
typedef uint64_t eight_words_loose __attribute__((vector_size(64), aligned(8), may_alias)); /* in memory */

tacit_status tct_gains_new(tct_gains **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err)
{
    const tacit_schema *schema = model->schema;
    tct_gains *g;

    *out = NULL;
    if (!extremes || model->classifier->n_scores != 1)
        return TACIT_OK;
    g = tct_calloc(1, sizeof *g);
    if (!g)
        return tct_fail_memory(err);
    g->extremes = extremes;
    g->zone = 4 * extremes->pad[tct_pair(extremes, 1, 0)];
    g->sensitive = tct_calloc(schema->n_attributes, sizeof *g->sensitive);
    for (size_t a = 0; a < schema->n_attributes && g->sensitive; a++) {
        g->sensitive[a] = schema->attributes[a].role == TACIT_SENSITIVE;
        g->n_items += g->sensitive[a];
    }
    g->gain = tct_calloc((g->n_items + 1) * TCT_TILE, sizeof *g->gain);
    g->few = tct_calloc(model->codec->n_inputs * EIGHT, sizeof *g->few);
    g->spare = tct_calloc((g->n_items + 1) * EIGHT, sizeof *g->spare);
    g->others = tct_calloc((g->n_items + 1) * EIGHT, sizeof *g->others);
    g->lost = tct_calloc(g->n_items + 1, sizeof *g->lost);
    g->may_be = tct_calloc(g->n_items + 1, sizeof *g->may_be);
    if (!g->sensitive || !g->gain || !g->few || !g->spare || !g->others || !g->lost || !g->may_be) {
        tct_gains_free(g);
        return tct_fail_memory(err);
    }
    *out = g;
    return TACIT_OK;
}

void tct_gains_free(tct_gains *g)
{
    if (!g)
        return;
    tct_free(g->sensitive);
    tct_free_wiped(g->gain, (g->n_items + 1) * TCT_TILE * sizeof *g->gain);
    tct_free_wiped(g->few, g->extremes->linear->base.n_inputs * EIGHT * sizeof *g->few);
    tct_free(g->spare);
    tct_free(g->others);
    tct_free(g->lost);
    tct_free(g->may_be);
    tct_free_wiped(g, sizeof *g);
}

/* ---------------------------------------------------------------- gains */

/* Gains, deficits and margins of n people, a multiple of 8.  Own label's side of everything: the score's terms, or their
 * opposites. */
TCT_INLINED void fill_body(tct_gains *g, const double *x, size_t stride, size_t n, const uint8_t *full, size_t to)
{
    const tct_extremes *e = g->extremes;
    const tct_linear *linear = e->linear;
    const double *worst0 = e->worst + tct_pair(e, 0, 1) * e->n_attributes;
    const double *worst1 = e->worst + tct_pair(e, 1, 0) * e->n_attributes;

    for (size_t at = 0; at < n; at += EIGHT) {
        double *gain = g->gain + to + at;
        tct_eight zero = {0}, label = zero, sign, proven, whole;

        for (size_t p = 0; p < EIGHT; p++)
            label[p] = full[at + p];
        sign = TCT_SELECT(label > zero, zero + 1, zero - 1);
        proven = whole = sign * linear->bias[0];
        for (size_t a = 0; a < e->n_attributes; a++) {
            const tct_domain *domain = &e->codec->domains[a];
            tct_eight term = {0}, worst, more;

            for (size_t i = domain->first; i < domain->first + domain->width; i++)
                term += TCT_LOAD(x + i * stride + at) * linear->weights[i];
            term *= sign;
            whole += term;
            if (!g->sensitive[a]) {
                proven += term;
                continue;
            }
            worst = TCT_SELECT(label > zero, TCT_ALL(worst1[a]), TCT_ALL(worst0[a]));
            proven += worst;
            more = term - worst;
            TCT_STORE(gain, TCT_SELECT(more > zero, more, zero));
            gain += TCT_TILE;
        }
        TCT_STORE(g->deficit + to + at, -proven);
        TCT_STORE(g->margin + to + at, whole);
    }
}

TCT_SIMD_FUNCTION(void, fill, fill_body,
                  (tct_gains * g, const double *x, size_t stride, size_t n, const uint8_t *full, size_t to),
                  (g, x, stride, n, full, to))

void tct_gains_fill(tct_gains *g, const double *x, size_t stride, size_t n, const uint8_t *full)
{
    size_t whole = n - n % EIGHT;
    uint8_t few_full[EIGHT] = {0};

    fill(g, x, stride, whole, full, 0);
    if (whole == n)
        return;
    for (size_t p = whole; p < n; p++) {
        few_full[p - whole] = full[p];
        for (size_t i = 0; i < g->extremes->linear->base.n_inputs; i++)
            g->few[i * EIGHT + p - whole] = x[i * stride + p];
    }
    fill(g, g->few, EIGHT, EIGHT, few_full, whole);
    for (size_t p = n; p < whole + EIGHT; p++)
        g->margin[p] = INFINITY;
}

double tct_gains_person(const tct_gains *g, const double *x, size_t stride, size_t p, uint8_t label, double *gain)
{
    const tct_extremes *e = g->extremes;
    const double *worst = e->worst + tct_pair(e, label, 1 - label) * e->n_attributes;
    double sign = label ? 1 : -1, margin = sign * e->linear->bias[0];

    for (size_t a = 0; a < e->n_attributes; a++) {
        const tct_domain *domain = &e->codec->domains[a];
        double term = 0;

        for (size_t i = domain->first; i < domain->first + domain->width; i++)
            term += x[i * stride + p] * e->linear->weights[i];
        term *= sign;
        margin += term;
        if (g->sensitive[a])
            *gain++ = fmax(term - worst[a], 0);
    }
    return margin;
}

/* ---------------------------------------------------------------- counting */

static uint64_t add_lanes(const double *counts)
{
    uint64_t sum = 0;

    for (size_t p = 0; p < EIGHT; p++)
        sum += (uint64_t)counts[p];
    return sum;
}

/* lost[i]: lanes in which item i's gain exceeds the margin by more than the zone, and in which it does so at all or comes
 * within the zone; the same unless somebody is in the zone. */
TCT_INLINED void needs_body(const tct_gains *g, size_t n, uint64_t *lost, uint64_t *may_be)
{
    for (size_t i = 0; i < g->n_items; i++) {
        tct_eight_mask sure = {0}, perhaps = {0};

        for (size_t at = 0; at < n; at += EIGHT) {
            tct_eight rest = TCT_LOAD(g->margin + at) - TCT_LOAD(g->gain + i * TCT_TILE + at);

            sure += (tct_eight_mask)(rest < -g->zone); /* all ones is -1 */
            perhaps += (tct_eight_mask)(rest <= g->zone);
        }
        lost[i] = may_be[i] = 0;
        for (size_t p = 0; p < EIGHT; p++) {
            lost[i] += (uint64_t)-sure[p];
            may_be[i] += (uint64_t)-perhaps[p];
        }
    }
}

TCT_SIMD_FUNCTION(void, find_needs, needs_body, (const tct_gains *g, size_t n, uint64_t *lost, uint64_t *may_be),
                  (g, n, lost, may_be))

bool tct_gains_needs(const tct_gains *g, size_t n, uint64_t *indispensable)
{
    bool sure = true;

    find_needs(g, (n + EIGHT - 1) / EIGHT * EIGHT, g->lost, g->may_be);
    for (size_t i = 0; i < g->n_items; i++)
        sure = sure && g->lost[i] == g->may_be[i];
    for (size_t i = 0; i < g->n_items && sure; i++)
        indispensable[i] += g->lost[i];
    return sure;
}

TCT_INLINED void need_bits_body(const tct_gains *g, size_t n, uint64_t *bits)
{
    for (size_t at = 0; at < n; at += EIGHT) {
        tct_eight margin = TCT_LOAD(g->margin + at);
        eight_words found = {0};

        for (size_t i = 0; i < g->n_items; i++)
            found |= (eight_words)(margin < TCT_LOAD(g->gain + i * TCT_TILE + at)) & ((uint64_t)1 << i % 64);
        *(eight_words_loose *)(void *)(bits + at) = found;
    }
}

TCT_SIMD_FUNCTION(void, find_need_bits, need_bits_body, (const tct_gains *g, size_t n, uint64_t *bits), (g, n, bits))

void tct_gains_need_bits(const tct_gains *g, size_t n, uint64_t *bits)
{
    find_need_bits(g, (n + EIGHT - 1) / EIGHT * EIGHT, bits);
}

/* Eight people, whose words of what was asked are at `asked`.  *nearest: how near to 0 anything came. */
TCT_INLINED void spare_eight(tct_gains *g, size_t at, const uint64_t *asked, size_t words, bool want_others,
                             uint64_t *found, tct_eight *people, tct_eight *nearest)
{
    tct_eight zero = {0}, one = zero + 1, margin = TCT_LOAD(g->margin + at), left = margin, any = zero;
    eight_words bits = {0}, given, spares = {0}, rest = {0};

    for (size_t i = 0; i < g->n_items; i++) { /* not asked: lost */
        for (size_t p = 0; p < EIGHT && i % 64 == 0; p++)
            bits[p] = asked[p * words + i / 64];
        given = -((bits >> (i % 64)) & 1); /* all ones, or none */
        left -= TCT_SELECT(given, zero, TCT_LOAD(g->gain + i * TCT_TILE + at));
    }
    for (size_t i = 0; i < g->n_items; i++) {
        tct_eight gain = TCT_LOAD(g->gain + i * TCT_TILE + at), without = left - gain, alone = margin - gain;
        tct_eight spared = TCT_SELECT(without > g->zone, one, zero), near;

        for (size_t p = 0; p < EIGHT && i % 64 == 0 && words > 1; p++)
            bits[p] = asked[p * words + i / 64];
        given = -((bits >> (i % 64)) & 1);
        spared = TCT_SELECT(given, spared, zero);
        near = TCT_SELECT(given, TCT_MAGNITUDE(without), zero + INFINITY);
        *nearest = TCT_SELECT(near < *nearest, near, *nearest);
        any = TCT_SELECT(spared > any, spared, any);
        spares |= (eight_words)(spared > zero) & ((uint64_t)1 << i % 64);
        TCT_STORE(g->spare + i * EIGHT, TCT_LOAD(g->spare + i * EIGHT) + spared);
        if (want_others) {
            tct_eight other = TCT_SELECT(alone > g->zone, one, zero);

            other = TCT_SELECT(given, other, zero) - spared; /* what is spare is dispensable, but near 0 */
            near = TCT_SELECT(given, TCT_MAGNITUDE(alone), zero + INFINITY);
            *nearest = TCT_SELECT(near < *nearest, near, *nearest);
            TCT_STORE(g->others + i * EIGHT, TCT_LOAD(g->others + i * EIGHT) + other);
            rest |= (eight_words)(other > zero) & ((uint64_t)1 << i % 64);
        }
    }
    *people += any;
    if (found) {
        *(eight_words_loose *)(void *)(found + at) = spares;
        *(eight_words_loose *)(void *)(found + TCT_TILE + at) = rest;
    }
}

TCT_INLINED void spare_body(tct_gains *g, size_t n, const uint64_t *asked, size_t words, bool want_others,
                            uint64_t *found, double *people, bool *sure)
{
    tct_eight counts = {0}, nearest = counts + INFINITY;

    for (size_t at = 0; at < n; at += EIGHT)
        spare_eight(g, at, asked + at * words, words, want_others, found, &counts, &nearest);
    TCT_STORE(people, counts);
    for (size_t p = 0; p < EIGHT; p++)
        *sure = *sure && nearest[p] > g->zone;
}

TCT_SIMD_FUNCTION(void, find_spare, spare_body,
                  (tct_gains * g, size_t n, const uint64_t *asked, size_t words, bool want_others, uint64_t *found,
                   double *people, bool *sure),
                  (g, n, asked, words, want_others, found, people, sure))

bool tct_gains_spare(tct_gains *g, size_t n, const uint64_t *asked, size_t words, uint64_t *spare, uint64_t *others,
                     uint64_t *people, uint64_t *bits)
{
    double counts[EIGHT];
    bool sure = true;

    memset(g->spare, 0, g->n_items * EIGHT * sizeof *g->spare);
    memset(g->others, 0, g->n_items * EIGHT * sizeof *g->others);
    find_spare(g, (n + EIGHT - 1) / EIGHT * EIGHT, asked, words, others != NULL, bits, counts, &sure);
    if (!sure)
        return false;
    for (size_t i = 0; i < g->n_items; i++) {
        spare[i] += add_lanes(g->spare + i * EIGHT);
        if (others)
            others[i] += add_lanes(g->others + i * EIGHT);
    }
    *people += add_lanes(counts);
    return true;
}

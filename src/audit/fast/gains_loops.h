/*
 * gains_loops.h -- the loops of gains.c for one level of simd_levels.h.
 */

#define spare_few NAMED(spare_few)

/* Gains, deficits and margins of n people, a multiple of 8.  Own label's side of everything: the score's terms, or their
 * opposites. */
LEVEL static void NAMED(fill)(tct_gains *g, const double *x, size_t stride, size_t n, const uint8_t *full, size_t to)
{
    const tct_extremes *e = g->extremes;
    const tct_linear *linear = e->linear;
    const double *worst0 = e->worst + tct_pair(e, 0, 1) * e->n_attributes;
    const double *worst1 = e->worst + tct_pair(e, 1, 0) * e->n_attributes;

    for (size_t at = 0; at < n; at += LANES) {
        double *gain = g->gain + to + at;
        lanes zero = {0}, label = zero, sign, proven, whole;

        for (size_t p = 0; p < LANES; p++)
            label[p] = full[at + p];
        sign = SELECT(label > zero, zero + 1, zero - 1);
        proven = whole = sign * linear->bias[0];
        for (size_t a = 0; a < e->n_attributes; a++) {
            const tct_domain *domain = &e->codec->domains[a];
            lanes term = {0}, worst, more;

            for (size_t i = domain->first; i < domain->first + domain->width; i++)
                term += LOAD(x + i * stride + at) * linear->weights[i];
            term *= sign;
            whole += term;
            if (!g->sensitive[a]) {
                proven += term;
                continue;
            }
            worst = SELECT(label > zero, ALL(worst1[a]), ALL(worst0[a]));
            proven += worst;
            more = term - worst;
            STORE(gain, SELECT(more > zero, more, zero));
            gain += TCT_TILE;
        }
        STORE(g->deficit + to + at, -proven);
        STORE(g->margin + to + at, whole);
    }
}

/* lost[i]: lanes in which item i's gain exceeds the margin by more than the zone, and in which it does so at all or comes
 * within the zone; the same unless somebody is in the zone. */
LEVEL static void NAMED(find_needs)(const tct_gains *g, size_t n, uint64_t *lost, uint64_t *may_be)
{
    for (size_t i = 0; i < g->n_items; i++) {
        masks sure = {0}, perhaps = {0};

        for (size_t at = 0; at < n; at += LANES) {
            lanes rest = LOAD(g->margin + at) - LOAD(g->gain + i * TCT_TILE + at);

            sure += (masks)(rest < -g->zone); /* all ones is -1 */
            perhaps += (masks)(rest <= g->zone);
        }
        lost[i] = may_be[i] = 0;
        for (size_t p = 0; p < LANES; p++) {
            lost[i] += (uint64_t)-sure[p];
            may_be[i] += (uint64_t)-perhaps[p];
        }
    }
}

LEVEL static void NAMED(find_need_bits)(const tct_gains *g, size_t n, uint64_t *bits)
{
    for (size_t at = 0; at < n; at += LANES) {
        lanes margin = LOAD(g->margin + at);
        sets found = {0};

        for (size_t i = 0; i < g->n_items; i++)
            found |= (sets)(margin < LOAD(g->gain + i * TCT_TILE + at)) & ((uint64_t)1 << i % 64);
        STORE_SETS(bits + at, found);
    }
}

/* A few people, whose words of what was asked are at `asked`.  *nearest: how near to 0 anything came. */
INLINED void spare_few(tct_gains *g, size_t at, const uint64_t *asked, size_t words, bool want_others, uint64_t *found,
                       lanes *people, lanes *nearest)
{
    lanes zero = {0}, one = zero + 1, margin = LOAD(g->margin + at), left = margin, any = zero;
    sets bits = {0}, given, spares = {0}, rest = {0};

    for (size_t i = 0; i < g->n_items; i++) { /* not asked: lost */
        for (size_t p = 0; p < LANES && i % 64 == 0; p++)
            bits[p] = asked[p * words + i / 64];
        given = -((bits >> (i % 64)) & 1); /* all ones, or none */
        left -= SELECT(given, zero, LOAD(g->gain + i * TCT_TILE + at));
    }
    for (size_t i = 0; i < g->n_items; i++) {
        lanes gain = LOAD(g->gain + i * TCT_TILE + at), without = left - gain, alone = margin - gain;
        lanes spared = SELECT(without > g->zone, one, zero), near;

        for (size_t p = 0; p < LANES && i % 64 == 0 && words > 1; p++)
            bits[p] = asked[p * words + i / 64];
        given = -((bits >> (i % 64)) & 1);
        spared = SELECT(given, spared, zero);
        near = SELECT(given, MAGNITUDE(without), zero + INFINITY);
        *nearest = SELECT(near < *nearest, near, *nearest);
        any = SELECT(spared > any, spared, any);
        spares |= (sets)(spared > zero) & ((uint64_t)1 << i % 64);
        STORE(g->spare + i * EIGHT, LOAD(g->spare + i * EIGHT) + spared);
        if (want_others) {
            lanes other = SELECT(alone > g->zone, one, zero);

            other = SELECT(given, other, zero) - spared; /* what is spare is dispensable, but near 0 */
            near = SELECT(given, MAGNITUDE(alone), zero + INFINITY);
            *nearest = SELECT(near < *nearest, near, *nearest);
            STORE(g->others + i * EIGHT, LOAD(g->others + i * EIGHT) + other);
            rest |= (sets)(other > zero) & ((uint64_t)1 << i % 64);
        }
    }
    *people += any;
    if (found) {
        STORE_SETS(found + at, spares);
        STORE_SETS(found + TCT_TILE + at, rest);
    }
}

LEVEL static void NAMED(find_spare)(tct_gains *g, size_t n, const uint64_t *asked, size_t words, bool want_others,
                                    uint64_t *found, double *people, bool *sure)
{
    lanes counts = {0}, nearest = counts + INFINITY;

    for (size_t at = 0; at < n; at += LANES)
        spare_few(g, at, asked + at * words, words, want_others, found, &counts, &nearest);
    STORE(people, counts);
    for (size_t p = 0; p < LANES; p++)
        *sure = *sure && nearest[p] > g->zone;
}

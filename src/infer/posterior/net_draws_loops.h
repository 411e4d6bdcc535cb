/*
 * net_draws_loops.h -- the loops of net_draws.c, for one level; see simd_levels.h.
 */
#define NEAREST(t) (((t) + ALL(ROUNDER)) - ALL(ROUNDER))

/* Input j of the unknown ones is off from what was expected of it by `off`: those after it are expected elsewhere. */
INLINED void NAMED(move_on)(const tct_net_draws *d, size_t j, lanes off, double *expected)
{
    const double *moves = d->moves + j * d->n_inputs;

    for (size_t i = j + 1; i < d->n_inputs; i++)
        STORE(expected + i * LANES, LOAD(expected + i * LANES) + ALL(moves[i]) * off);
}

INLINED void NAMED(draw_single)(const tct_net_draws *d, const tct_net_unknown *a, size_t from, double *expected,
                                double *inputs)
{
    lanes mean = LOAD(expected + a->at * LANES);
    lanes v = mean + ALL(a->deviation) * LOAD(d->noise + a->first * TCT_NET_DRAWS + from);

    if (a->steps > 0) {
        lanes k = NEAREST((v + ALL(1.0)) * ALL(0.5) * ALL(a->steps));

        k = SELECT(k < ALL(0.0), ALL(0.0), k);
        k = SELECT(k > ALL(a->steps), ALL(a->steps), k);
        v = ALL(2.0) * k / ALL(a->steps) - ALL(1.0);
    } else {
        v = SELECT(v < ALL(a->low), ALL(a->low), v);
        v = SELECT(v > ALL(a->high), ALL(a->high), v);
    }
    STORE(d->values + a->first * TCT_NET_DRAWS + from, v);
    STORE(inputs + a->at * LANES, v);
    if (a->deviation > 0)
        NAMED(move_on)(d, a->at, v - mean, expected);
}

INLINED void NAMED(draw_level)(const tct_net_draws *d, const tct_net_unknown *a, size_t from, double *expected,
                               double *inputs)
{
    lanes sum = ALL(0.0), left, level = ALL(0.0);
    masks none, picked = {0};

    for (size_t i = 0; i < a->width; i++) {
        lanes e = LOAD(expected + (a->at + i) * LANES);

        sum += SELECT(e > ALL(0.0), e, ALL(0.0));
    }
    none = ~(masks)(sum > ALL(0.0));
    sum = SELECT(none, ALL((double)a->width), sum);
    left = LOAD(d->noise + a->first * TCT_NET_DRAWS + from) * sum;
    for (size_t i = 0; i < a->width; i++) {
        lanes e = LOAD(expected + (a->at + i) * LANES);
        masks here;

        left -= SELECT(none, ALL(1.0), SELECT(e > ALL(0.0), e, ALL(0.0)));
        here = i + 1 < a->width ? (masks)(left < ALL(0.0)) & ~picked : ~picked;
        picked |= here;
        STORE(inputs + (a->at + i) * LANES, SELECT(here, ALL(1.0), ALL(0.0)));
        level = SELECT(here, ALL((double)i), level);
    }
    STORE(d->values + a->first * TCT_NET_DRAWS + from, level);
    for (size_t i = 0; i < a->width; i++) /* expectations within the block move as well */
        NAMED(move_on)
    (d, a->at + i, LOAD(inputs + (a->at + i) * LANES) - LOAD(expected + (a->at + i) * LANES), expected);
}

INLINED void NAMED(first_tile)(const tct_net_draws *d, size_t tile, size_t j, const double *inputs, double *first)
{
    lanes sum[4];

    for (size_t r = 0; r < tile; r++)
        sum[r] = ALL(d->base[j + r]);
    for (size_t u = 0; u < d->n_unknown; u++)
        for (size_t i = 0; i < d->unknown[u].width; i++) {
            const double *w = d->line->columns + (d->unknown[u].first + i) * d->line->n_first + j;
            lanes x = LOAD(inputs + (d->unknown[u].at + i) * LANES);

            for (size_t r = 0; r < tile; r++)
                sum[r] += ALL(w[r]) * x;
        }
    for (size_t r = 0; r < tile; r++)
        STORE(first + (j + r) * TCT_LANES, sum[r]);
}

/* TCT_LANES people from `from` on, up to their first layer. */
LEVEL static void NAMED(draw_people)(const tct_net_draws *d, size_t from)
{
    double *expected = d->room, *inputs = expected + d->n_inputs * LANES;

    for (size_t part = 0; part < TCT_LANES; part += LANES) {
        double *first = d->line->first + part;
        size_t j = 0;

        for (size_t i = 0; i < d->n_inputs; i++)
            STORE(expected + i * LANES, ALL(d->mean[i]));
        for (size_t u = 0; u < d->n_unknown; u++) {
            if (d->unknown[u].kind == TCT_ONEHOT)
                NAMED(draw_level)(d, &d->unknown[u], from + part, expected, inputs);
            else
                NAMED(draw_single)(d, &d->unknown[u], from + part, expected, inputs);
        }
        for (; j + 4 <= d->line->n_first; j += 4)
            NAMED(first_tile)(d, 4, j, inputs, first);
        for (; j < d->line->n_first; j++)
            NAMED(first_tile)(d, 1, j, inputs, first);
    }
}

#undef NEAREST

/*
 * net_draws_loops.h -- the loops of net_draws.c, for one level; see simd_levels.h.
 */
#define NEAREST(t) (((t) + ALL(ROUNDER)) - ALL(ROUNDER))
#define PARTS (TCT_QUICK / LANES) /* of the people drawn at a time */

typedef float NAMED(lanes_rough) __attribute__((vector_size(BYTES / 2)));

/* Inputs j up to `to` of the unknown ones are off from what was expected of them by off[PARTS] each: those from `from` up
 * to `end` are expected elsewhere. */
INLINED void NAMED(move_on)(const tct_net_draws *d, size_t j, size_t to, const double *off, size_t from, size_t end,
                            double *expected)
{
    size_t n = d->n_inputs;

    for (size_t i = from; i < end; i++) {
        double *here = expected + i * TCT_QUICK;
        lanes sum[PARTS];

        for (size_t p = 0; p < PARTS; p++)
            sum[p] = LOAD(here + p * LANES);
        for (size_t k = j; k < to; k++) {
            lanes move = ALL(d->moves[k * n + i]);

            if (d->moves[k * n + k] == 0) /* determined: it moves nothing */
                continue;
            for (size_t p = 0; p < PARTS; p++)
                sum[p] += move * LOAD(off + (k - j) * TCT_QUICK + p * LANES);
        }
        for (size_t p = 0; p < PARTS; p++)
            STORE(here + p * LANES, sum[p]);
    }
}

INLINED void NAMED(put_rough)(float *to, const lanes *v)
{
    NAMED(lanes_rough) rough = __builtin_convertvector(*v, NAMED(lanes_rough));

    memcpy(to, &rough, sizeof rough);
}

/* A value that it may have, near v. */
INLINED void NAMED(settle)(const tct_net_unknown *a, lanes *v)
{
    if (a->steps > 0) {
        lanes k = NEAREST((*v + ALL(1.0)) * ALL(0.5) * ALL(a->steps));

        k = SELECT(k < ALL(0.0), ALL(0.0), k);
        k = SELECT(k > ALL(a->steps), ALL(a->steps), k);
        *v = ALL(2.0) * k / ALL(a->steps) - ALL(1.0);
    } else {
        *v = SELECT(*v < ALL(a->low), ALL(a->low), *v);
        *v = SELECT(*v > ALL(a->high), ALL(a->high), *v);
    }
}

INLINED void NAMED(draw_single)(const tct_net_draws *d, const tct_net_unknown *a, size_t from, double *expected)
{
    const double *noise = d->noise + a->first * TCT_NET_DRAWS + from;
    double *values = d->values + a->first * TCT_NET_DRAWS + from;
    double *off = d->room + d->n_inputs * TCT_QUICK;

    for (size_t p = 0; p < PARTS; p++) {
        lanes mean = LOAD(expected + a->at * TCT_QUICK + p * LANES);
        lanes v = mean + ALL(a->deviation) * LOAD(noise + p * LANES);

        NAMED(settle)(a, &v);
        STORE(values + p * LANES, v);
        NAMED(put_rough)(d->rough + a->at * TCT_QUICK + p * LANES, &v);
        STORE(off + p * LANES, v - mean);
    }
    if (a->deviation > 0)
        NAMED(move_on)(d, a->at, a->at + 1, off, a->at + 1, d->n_inputs, expected);
}

/* Levels of a few people: how many weights can be taken off what was drawn before nothing is left. */
INLINED void NAMED(pick_level)(const tct_net_unknown *a, const double *noise, const double *expected, double *values)
{
    lanes sum = ALL(0.0), left, level = ALL(0.0);
    masks none;

    for (size_t i = 0; i < a->width; i++) {
        lanes e = LOAD(expected + (a->at + i) * TCT_QUICK);

        sum += SELECT(e > ALL(0.0), e, ALL(0.0));
    }
    none = ~(masks)(sum > ALL(0.0));
    left = LOAD(noise) * SELECT(none, ALL((double)a->width), sum);
    for (size_t i = 0; i + 1 < a->width; i++) {
        lanes e = LOAD(expected + (a->at + i) * TCT_QUICK);

        left -= SELECT(none, ALL(1.0), SELECT(e > ALL(0.0), e, ALL(0.0)));
        level += SELECT(left < ALL(0.0), ALL(0.0), ALL(1.0));
    }
    STORE(values, level);
}

INLINED void NAMED(draw_level)(const tct_net_draws *d, const tct_net_unknown *a, size_t from, double *expected)
{
    const double *noise = d->noise + a->first * TCT_NET_DRAWS + from;
    double *values = d->values + a->first * TCT_NET_DRAWS + from, *off = d->room + d->n_inputs * TCT_QUICK;
    size_t end = a->at + a->width;

    for (size_t p = 0; p < PARTS; p++)
        NAMED(pick_level)(a, noise + p * LANES, expected + p * LANES, values + p * LANES);
    for (size_t i = 0; i < a->width; i++) { /* expectations within the block move as well, each when its turn comes */
        size_t row = (a->at + i) * TCT_QUICK;

        if (end < d->n_inputs) /* else nobody is left whom it could move */
            NAMED(move_on)(d, a->at, a->at + i, off, a->at + i, a->at + i + 1, expected);
        for (size_t p = 0; p < PARTS; p++) {
            lanes v = SELECT(LOAD(values + p * LANES) == ALL((double)i), ALL(1.0), ALL(0.0));

            NAMED(put_rough)(d->rough + row + p * LANES, &v);
            STORE(off + i * TCT_QUICK + p * LANES, v - LOAD(expected + row + p * LANES));
        }
    }
    NAMED(move_on)(d, a->at, end, off, end, d->n_inputs, expected);
}

/* Values of TCT_QUICK people from `from` on, and their inputs in single precision. */
LEVEL static void NAMED(draw_people)(const tct_net_draws *d, size_t from)
{
    for (size_t i = 0; i < d->n_inputs; i++)
        for (size_t p = 0; p < TCT_QUICK; p += LANES)
            STORE(d->room + i * TCT_QUICK + p, ALL(d->mean[i]));
    for (size_t u = 0; u < d->n_unknown; u++) {
        if (d->unknown[u].kind == TCT_ONEHOT)
            NAMED(draw_level)(d, &d->unknown[u], from, d->room);
        else
            NAMED(draw_single)(d, &d->unknown[u], from, d->room);
    }
}

INLINED void NAMED(first_tile)(const tct_net_draws *d, size_t tile, size_t j, const double *inputs, double *first)
{
    lanes sum[4];

    for (size_t r = 0; r < tile; r++)
        sum[r] = ALL(d->base[j + r]);
    for (size_t i = 0; i < d->n_inputs; i++) {
        const double *w = d->line->columns + d->inputs[i] * d->line->n_first + j;
        lanes x = LOAD(inputs + i * TCT_LANES);

        for (size_t r = 0; r < tile; r++)
            sum[r] += ALL(w[r]) * x;
    }
    for (size_t r = 0; r < tile; r++)
        STORE(first + (j + r) * TCT_LANES, sum[r]);
}

/* The first layer of the TCT_LANES people in the room. */
LEVEL static void NAMED(first_layer)(const tct_net_draws *d)
{
    for (size_t part = 0; part < TCT_LANES; part += LANES) {
        double *first = d->line->first + part;
        size_t j = 0;

        for (; j + 4 <= d->line->n_first; j += 4)
            NAMED(first_tile)(d, 4, j, d->room + part, first);
        for (; j < d->line->n_first; j++)
            NAMED(first_tile)(d, 1, j, d->room + part, first);
    }
}

#undef NEAREST
#undef PARTS

/*
 * net_draws_loops.h -- the loops of net_draws.c, for one level; see simd_levels.h.
 */
#define NEAREST(t) (((t) + ALL(ROUNDER)) - ALL(ROUNDER))
#define PARTS (TCT_QUICK / LANES) /* of the people drawn at a time */

typedef float NAMED(lanes_rough) __attribute__((vector_size(BYTES / 2)));

/* table[level] of each lane, for n levels, given as ROUNDER and their number. */
INLINED lanes NAMED(look_up)(const double *table, size_t n, lanes level)
{
    lanes found = ALL(table[0]);

#if BYTES == 64
    for (size_t from = 0; from < n && n <= MOST_IN_REGISTERS; from += 2 * LANES) {
        const double *here = table + from;
        lanes next = (lanes)_mm512_permutex2var_pd((__m512d)LOAD(here), (__m512i)level, (__m512d)LOAD(here + LANES));

        found = SELECT(level >= ALL(ROUNDER + (double)from), next, found);
    }
    if (n <= MOST_IN_REGISTERS)
        return found;
#else
    for (size_t l = 1; l < n && n <= FEW_LEVELS; l++)
        found = SELECT(level >= ALL(ROUNDER + (double)l), ALL(table[l]), found);
    if (n <= FEW_LEVELS)
        return found;
#endif
    for (size_t i = 0; i < LANES; i++)
        found[i] = table[((masks)level)[i] & UINT32_MAX];
    return found;
}

/* The same for TCT_QUICK people, added to their sums. */
INLINED void NAMED(add_from_table)(const double *table, size_t n, const double *levels, lanes *sum)
{
#if BYTES == 64
    if (n <= LANES) {
        __m512d all = (__m512d)LOAD(table);

        for (size_t p = 0; p < PARTS; p++)
            sum[p] += (lanes)_mm512_permutexvar_pd((__m512i)LOAD(levels + p * LANES), all);
        return;
    }
    if (n <= 2 * LANES) {
        __m512d low = (__m512d)LOAD(table), high = (__m512d)LOAD(table + LANES);

        for (size_t p = 0; p < PARTS; p++)
            sum[p] += (lanes)_mm512_permutex2var_pd(low, (__m512i)LOAD(levels + p * LANES), high);
        return;
    }
#endif
    for (size_t p = 0; p < PARTS; p++)
        sum[p] += NAMED(look_up)(table, n, LOAD(levels + p * LANES));
}

/* What is expected of unknown input i, given the values of the `before` unknown attributes before its own. */
INLINED void NAMED(expect)(const tct_net_draws *d, size_t i, size_t before, const double *given, double *expected)
{
    const double *shares = d->shares + i * d->n_inputs;
    lanes sum[PARTS];

    for (size_t p = 0; p < PARTS; p++)
        sum[p] = ALL(d->start[i]);
    for (size_t u = 0; u < before; u++) {
        lanes share = ALL(shares[d->unknown[u].at]);

        if (d->unknown[u].kind == TCT_ONEHOT)
            continue;
        for (size_t p = 0; p < PARTS; p++)
            sum[p] += share * LOAD(given + u * TCT_QUICK + p * LANES);
    }
    for (size_t u = 0; u < before; u++)
        if (d->unknown[u].kind == TCT_ONEHOT)
            NAMED(add_from_table)(shares + d->unknown[u].at, d->unknown[u].width, given + u * TCT_QUICK, sum);
    for (size_t p = 0; p < PARTS; p++)
        STORE(expected + p * LANES, sum[p]);
}

INLINED void NAMED(put_rough)(float *to, const lanes *v)
{
    NAMED(lanes_rough) rough = __builtin_convertvector(*v, NAMED(lanes_rough));

    memcpy(to, &rough, sizeof rough);
}

/* Values that it may have, near v. */
INLINED void NAMED(settle)(const tct_net_unknown *a, lanes v[PARTS])
{
    lanes low = ALL(a->low), high = ALL(a->high), steps = ALL(a->steps);

    for (size_t p = 0; p < PARTS && !(a->steps > 0); p++) {
        v[p] = SELECT(v[p] < low, low, v[p]);
        v[p] = SELECT(v[p] > high, high, v[p]);
    }
    for (size_t p = 0; p < PARTS && a->steps > 0; p++) {
        lanes k = NEAREST((v[p] + ALL(1.0)) * ALL(0.5) * steps);

        k = SELECT(k < ALL(0.0), ALL(0.0), k);
        k = SELECT(k > steps, steps, k);
        v[p] = ALL(2.0) * k / steps - ALL(1.0);
    }
}

INLINED void NAMED(draw_single)(const tct_net_draws *d, size_t u, size_t from, const double *expected, double *given)
{
    const tct_net_unknown *a = &d->unknown[u];
    const double *noise = d->noise + a->first * TCT_NET_DRAWS + from;
    double *values = d->values + a->first * TCT_NET_DRAWS + from;

    lanes v[PARTS], deviation = ALL(a->deviation);

    for (size_t p = 0; p < PARTS; p++)
        v[p] = LOAD(expected + p * LANES) + deviation * LOAD(noise + p * LANES);
    NAMED(settle)(a, v);
    for (size_t p = 0; p < PARTS; p++) {
        STORE(values + p * LANES, v[p]);
        STORE(given + p * LANES, v[p]);
        NAMED(put_rough)(d->rough + u * TCT_QUICK + p * LANES, &v[p]);
    }
}

/* Weights of levels: what is expected of their inputs, where that is above 0; their sum.  Where none is, all weigh 1. */
INLINED void NAMED(weigh_levels)(const tct_net_unknown *a, double *expected, lanes sum[PARTS])
{
    masks none = {0};
    int64_t some = 0;

    for (size_t p = 0; p < PARTS; p++)
        sum[p] = ALL(0.0);
    for (size_t i = 0; i < a->width; i++)
        for (size_t p = 0; p < PARTS; p++) {
            lanes e = LOAD(expected + i * TCT_QUICK + p * LANES);

            e = SELECT(e > ALL(0.0), e, ALL(0.0));
            STORE(expected + i * TCT_QUICK + p * LANES, e);
            sum[p] += e;
        }
    for (size_t p = 0; p < PARTS; p++)
        none |= ~(masks)(sum[p] > ALL(0.0));
    for (size_t j = 0; j < LANES; j++)
        some |= none[j];
    for (size_t p = 0; p < PARTS && some; p++) {
        none = ~(masks)(sum[p] > ALL(0.0));
        for (size_t i = 0; i < a->width; i++) {
            double *here = expected + i * TCT_QUICK + p * LANES;

            STORE(here, SELECT(none, ALL(1.0), LOAD(here)));
        }
        sum[p] = SELECT(none, ALL((double)a->width), sum[p]);
    }
}

/* How many weights can be taken off what was drawn before nothing is left. */
INLINED void NAMED(draw_level)(const tct_net_draws *d, size_t u, size_t from, double *expected, double *given)
{
    const tct_net_unknown *a = &d->unknown[u];
    const double *noise = d->noise + a->first * TCT_NET_DRAWS + from;
    double *values = d->values + a->first * TCT_NET_DRAWS + from;
    lanes left[PARTS], level[PARTS];

    NAMED(weigh_levels)(a, expected, left);
    for (size_t p = 0; p < PARTS; p++) {
        left[p] = LOAD(noise + p * LANES) * left[p];
        level[p] = ALL(0.0);
    }
    for (size_t i = 0; i + 1 < a->width; i++)
        for (size_t p = 0; p < PARTS; p++) {
            left[p] -= LOAD(expected + i * TCT_QUICK + p * LANES);
            level[p] += SELECT(left[p] < ALL(0.0), ALL(0.0), ALL(1.0));
        }
    for (size_t p = 0; p < PARTS; p++) {
        lanes rough = level[p] + ALL((double)TCT_QUICK_LEVELS);

        STORE(values + p * LANES, level[p]);
        STORE(given + p * LANES, level[p] + ALL(ROUNDER));
        NAMED(put_rough)(d->rough + u * TCT_QUICK + p * LANES, &rough);
    }
}

/* Values of TCT_QUICK people from `from` on, also in single precision. */
LEVEL static void NAMED(draw_people)(const tct_net_draws *d, size_t from)
{
    double *given = d->room + d->n_inputs * TCT_QUICK;

    for (size_t u = 0; u < d->n_unknown; u++) {
        const tct_net_unknown *a = &d->unknown[u];

        for (size_t i = 0; i < a->width; i++)
            NAMED(expect)(d, a->at + i, u, given, d->room + i * TCT_QUICK);
        if (a->kind == TCT_ONEHOT)
            NAMED(draw_level)(d, u, from, d->room, given + u * TCT_QUICK);
        else
            NAMED(draw_single)(d, u, from, d->room, given + u * TCT_QUICK);
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

/*
 * netlanes_loops.h -- the loops of netlanes.c for one level of simd_levels.h.
 */

/* `rows` rows of the product, `vectors` vectors of each: sums that do not wait for each other. */
INLINED void NAMED(multiply_tile)(size_t rows, size_t vectors, const double *a, size_t n_a, const uint32_t *live,
                                  size_t n_live, const double *w, size_t n_c, double *c)
{
    lanes acc[16];

    for (size_t s = 0; s < rows * vectors; s++)
        acc[s] = (lanes){0};
    for (size_t k = 0; k < n_live; k++) {
        const double *row = w + live[k] * n_c, *column = a + live[k];

        TCT_ONE_ADDRESS(row);
        for (size_t q = 0; q < vectors; q++)
            for (size_t r = 0; r < rows; r++)
                acc[r * vectors + q] += LOAD(row + q * LANES) * column[r * n_a];
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t q = 0; q < vectors; q++)
            STORE(c + r * n_c + q * LANES, acc[r * vectors + q]);
}

/* The same for all columns: tiles of `vectors`, then smaller ones. */
INLINED void NAMED(multiply_rows)(size_t rows, size_t vectors, const double *a, size_t n_a, const uint32_t *live,
                                  size_t n_live, const double *w, size_t n_c, double *c)
{
    size_t i = 0;

    for (; i + vectors * LANES <= n_c; i += vectors * LANES)
        NAMED(multiply_tile)(rows, vectors, a, n_a, live, n_live, w + i, n_c, c + i);
    for (; vectors > 8 && i + 8 * LANES <= n_c; i += 8 * LANES)
        NAMED(multiply_tile)(rows, 8, a, n_a, live, n_live, w + i, n_c, c + i);
    for (; vectors > 4 && i + 4 * LANES <= n_c; i += 4 * LANES)
        NAMED(multiply_tile)(rows, 4, a, n_a, live, n_live, w + i, n_c, c + i);
    for (; vectors > 2 && i + 2 * LANES <= n_c; i += 2 * LANES)
        NAMED(multiply_tile)(rows, 2, a, n_a, live, n_live, w + i, n_c, c + i);
    for (; i < n_c; i += LANES)
        NAMED(multiply_tile)(rows, 1, a, n_a, live, n_live, w + i, n_c, c + i);
}

LEVEL static void NAMED(multiply)(const double *a, size_t rows, size_t n_a, const uint32_t *live, size_t n_live,
                                  const double *w, size_t n_c, double *c)
{
    for (; rows >= 4; rows -= 4, a += 4 * n_a, c += 4 * n_c)
        NAMED(multiply_rows)(4, 2, a, n_a, live, n_live, w, n_c, c);
    if (rows & 2) {
        NAMED(multiply_rows)(2, 4, a, n_a, live, n_live, w, n_c, c);
        a += 2 * n_a;
        c += 2 * n_c;
    }
    if (rows & 1)
        NAMED(multiply_rows)(1, LANES == 8 ? 16 : 8, a, n_a, live, n_live, w, n_c, c); /* as registers hold */
}

/* Eight lanes joined in pairs. */
INLINED double NAMED(join)(const lanes *v)
{
    double all[TCT_LANES];

    for (size_t q = 0; q < VECTORS_OF_BLOCK; q++)
        STORE(all + q * LANES, v[q]);
    return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

LEVEL static void NAMED(relax)(double *a, size_t rows, const tct_relaxation *layer, double *sum, double *size)
{
    const lanes zero = {0};

    for (size_t r = 0; r < rows; r++, a += layer->n) {
        lanes added[VECTORS_OF_BLOCK] = {{0}}, total[VECTORS_OF_BLOCK] = {{0}};

        for (size_t j = 0; j < layer->n; j += TCT_LANES)
            for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES) {
                lanes x = LOAD(a + i);
                masks is_negative = x < zero;
                lanes negative = (lanes)((masks)x & is_negative), other = (lanes)((masks)x & ~is_negative);
                lanes moved = negative * LOAD(layer->offset + i);

                x = other * LOAD(layer->above + i) + negative * LOAD(layer->below + i);
                STORE(a + i, x);
                added[q] += x * LOAD(layer->bias + i) + moved;
                total[q] += MAGNITUDE(x) * LOAD(layer->reach + i) - moved;
            }
        sum[r] += NAMED(join)(added);
        size[r] += NAMED(join)(total);
    }
}

LEVEL static void NAMED(interval)(const double *w, size_t n, const double *bias, const tct_span *spans, size_t n_spans,
                                  const double *low, const double *high, double *least, double *most)
{
    for (size_t j = 0; j < n; j += LANES) {
        lanes lo = LOAD(bias + j), hi = lo;

        for (size_t s = 0; s < n_spans; s++) {
            lanes a, b;

            if (spans[s].onehot) {
                a = (lanes){0} + INFINITY;
                b = -a;
                for (size_t i = spans[s].first; i < spans[s].first + spans[s].width; i++) {
                    lanes wi = LOAD(w + i * n + j);

                    if (high[i] == 0)
                        continue;
                    a = SELECT(wi < a, wi, a);
                    b = SELECT(wi > b, wi, b);
                }
            } else {
                lanes wi = LOAD(w + spans[s].first * n + j);
                lanes p = wi * low[spans[s].first], q = wi * high[spans[s].first];
                masks less = p < q;

                a = SELECT(less, p, q);
                b = SELECT(less, q, p);
            }
            lo += a;
            hi += b;
        }
        STORE(least + j, lo);
        STORE(most + j, hi);
    }
}

LEVEL static void NAMED(least)(const double *a, size_t rows, size_t n, const double *low, const double *high,
                               const double *most, double *sum, double *size)
{
    const lanes zero = {0};

    for (size_t r = 0; r < rows; r++, a += n) {
        lanes value[VECTORS_OF_BLOCK] = {{0}}, total[VECTORS_OF_BLOCK] = {{0}};

        for (size_t j = 0; j < n; j += TCT_LANES)
            for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES) {
                lanes x = LOAD(a + i);

                value[q] += x * SELECT(x < zero, LOAD(high + i), LOAD(low + i));
                total[q] += MAGNITUDE(x) * LOAD(most + i);
            }
        sum[r] += NAMED(join)(value);
        size[r] += NAMED(join)(total);
    }
}

LEVEL static void NAMED(least_columns)(const double *w, size_t n, const double *constants, const tct_span *spans,
                                       size_t n_spans, const double *low, const double *high, double *least)
{
    const lanes zero = {0};

    for (size_t j = 0; j < n; j += LANES) {
        lanes sum = zero;

        for (size_t s = 0; s < n_spans; s++) {
            size_t i = spans[s].first, end = i + spans[s].width;
            lanes wi = LOAD(w + i * n + j), a = zero + INFINITY;

            for (; spans[s].onehot && i < end; i++) {
                wi = LOAD(w + i * n + j);
                a = high[i] == 0 ? a : SELECT(wi < a, wi, a);
            }
            sum += spans[s].onehot ? a : wi * SELECT(wi < zero, ALL(high[i]), ALL(low[i]));
        }
        STORE(least + j, LOAD(constants + j) + sum); /* last: a constant has been through many roundings before */
    }
}

/* Largest less smallest coefficient of a span of levels. */
INLINED lanes NAMED(range)(const double *w, size_t n, const tct_span *span, const double *high)
{
    lanes least = (lanes){0} + INFINITY, most = -least;

    for (size_t i = span->first; i < span->first + span->width; i++) {
        lanes wi = LOAD(w + i * n);

        if (high[i] == 0)
            continue;
        least = SELECT(wi < least, wi, least);
        most = SELECT(wi > most, wi, most);
    }
    return most - least;
}

LEVEL static void NAMED(share)(const double *a, const double *b, size_t n, const tct_span *spans, size_t n_spans,
                               const double *low, const double *high, const double *gaps, const double *ranges,
                               double *room, double *shares)
{
    const lanes zero = {0};
    double *sums = room + n_spans * TCT_LANES;

    for (size_t k = 0; k < n_spans * TCT_LANES; k++)
        sums[k] = 0;
    for (size_t j = 0; j < n; j += LANES) {
        size_t q = j % TCT_LANES;
        lanes total = zero, gap = LOAD(gaps + j), least = LOAD(ranges + j) * 2;

        for (size_t s = 0; s < n_spans; s++) {
            size_t i = spans[s].first;
            lanes moved = (MAGNITUDE(LOAD(a + i * n + j)) + MAGNITUDE(LOAD(b + i * n + j))) * (high[i] - low[i]);

            if (spans[s].onehot)
                moved = NAMED(range)(a + j, n, &spans[s], high) + NAMED(range)(b + j, n, &spans[s], high);
            STORE(room + s * TCT_LANES + q, moved);
            total += moved;
        }
        total = SELECT(total > least, total, least);
        gap = SELECT(gap > zero, gap, zero);
        gap = SELECT(total > zero, gap / total, zero);
        for (size_t s = 0, at = q; s < n_spans; s++, at += TCT_LANES)
            STORE(sums + at, LOAD(sums + at) + LOAD(room + at) * gap);
    }
    for (size_t s = 0; s < n_spans; s++) {
        lanes sum[VECTORS_OF_BLOCK];

        for (size_t q = 0; q < VECTORS_OF_BLOCK; q++)
            sum[q] = LOAD(sums + s * TCT_LANES + q * LANES);
        shares[s] += NAMED(join)(sum);
    }
}

LEVEL static void NAMED(settle)(size_t n, const tct_neurons *p)
{
    const lanes zero = {0};

    for (size_t j = 0; j < n; j += LANES) {
        lanes l = LOAD(p->least + j), u = LOAD(p->most + j), known = LOAD(p->least_whole + j);
        masks was = (masks)LOAD(p->phases + j), active, dead;
        lanes above, below, offset, other;

        l = SELECT(l > known, l, known);
        known = LOAD(p->most_whole + j);
        u = SELECT(u < known, u, known);
        active = (was == ACTIVE) | ((was == OPEN) & (masks)(l >= zero));
        dead = ~active & ((was == DEAD) | (masks)(u <= zero));
        l = SELECT(active, zero, SELECT(dead, zero - 1, l));
        u = SELECT(active, zero + 1, SELECT(dead, zero, u));
        above = SELECT(u > -l, zero + 1, zero);
        below = u / (u - l);
        offset = -below * l;
        other = (1 - below) * u;
        offset = SELECT(offset > other, offset, other) * (1 + 0x1p-50) + DBL_MIN;
        STORE(p->phases + j, (lanes)((active & ACTIVE) | (dead & DEAD)));
        STORE(p->least + j, l);
        STORE(p->most + j, u);
        STORE(p->above + j, above);
        STORE(p->slopes + j, above);
        STORE(p->below + j, below);
        STORE(p->offset + j, SELECT(active | dead, zero, offset));
    }
}

/* Which of these neurons are open; no number counts as such. */
INLINED masks NAMED(open)(lanes least, lanes most)
{
    const lanes zero = {0};

    return ~((masks)(least >= zero) | (masks)(most <= zero));
}

LEVEL static int NAMED(gaps)(const double *a, size_t n, const tct_neurons *p, double *gaps, double *sum)
{
    const lanes zero = {0};
    lanes total[VECTORS_OF_BLOCK] = {{0}};
    masks any = {0};
    int64_t all = 0;

    for (size_t j = 0; j < n; j += TCT_LANES)
        for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES) {
            lanes x = LOAD(a + i), l = LOAD(p->least + i), u = LOAD(p->most + i), slope = LOAD(p->slopes + i);
            lanes under = -slope * l, other = (1 - slope) * u;

            under = SELECT(under > other, under, other);
            under = SELECT(x >= zero, x * under, -x * LOAD(p->offset + i));
            STORE(gaps + i, under);
            total[q] += under;
            any |= NAMED(open)(l, u) & (masks)(x != zero);
        }
    for (size_t q = 0; q < LANES; q++)
        all |= any[q];
    *sum += NAMED(join)(total);
    return all != 0;
}

LEVEL static void NAMED(move)(const double *a, size_t n, double step, const tct_neurons *p, double *values)
{
    const lanes zero = {0};

    for (size_t j = 0; j < n; j += LANES) {
        lanes z = LOAD(values + j), l = LOAD(p->least + j), u = LOAD(p->most + j), slope = LOAD(p->slopes + j);
        masks negative = (masks)(LOAD(a + j) < zero), moves = NAMED(open)(l, u) & ~negative;
        lanes moved = slope + step * z / (u - l);

        STORE(values + j, SELECT(negative, LOAD(p->below + j) * z + LOAD(p->offset + j), slope * z));
        moved = SELECT(moved > zero, SELECT(moved < zero + 1, moved, zero + 1), zero); /* 0 should it be no number */
        STORE(p->slopes + j, SELECT(moves, moved, slope));
    }
}

LEVEL static void NAMED(tilted)(const double *a, double sign, const double *g, double t, size_t n, const double *low,
                                const double *high, double out[2])
{
    const lanes zero = {0};
    lanes value[VECTORS_OF_BLOCK] = {{0}}, slope[VECTORS_OF_BLOCK] = {{0}};

    for (size_t j = 0; j < n; j += TCT_LANES)
        for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES) {
            lanes x = LOAD(a + i) * sign + LOAD(g + i) * t;
            lanes at = SELECT(x < zero, LOAD(high + i), LOAD(low + i));

            value[q] += x * at;
            slope[q] += LOAD(g + i) * at;
        }
    out[0] = NAMED(join)(value);
    out[1] = NAMED(join)(slope);
}

/* Columns of y from `at` on, `tile` of them for one vector of forms; the first tile adds up constants and sizes. */
INLINED void NAMED(pull_tile)(size_t tile, bool first, const tct_pull *p, size_t at, const double *x, size_t x_stride,
                              double sign, double *y, size_t y_stride, double *constants, double *sizes)
{
    const lanes zero = {0};
    lanes acc[8], added = zero, total = zero;

    for (size_t r = 0; r < tile; r++)
        acc[r] = zero;
    for (size_t k = 0; k < p->n_live; k++) {
        size_t j = p->live[k];
        const double *w = p->weights + j * p->stride + at;
        lanes c = LOAD(x + j * x_stride) * sign, line;
        masks negative = (masks)(c < zero);

        line = c * SELECT(negative, ALL(p->below[j]), ALL(p->above[j]));
        for (size_t r = 0; r < tile; r++)
            acc[r] += line * w[r];
        if (first) {
            added += c * SELECT(negative, ALL(p->minus[j]), ALL(p->plus[j]));
            total += MAGNITUDE(c) * p->size[j];
        }
    }
    for (size_t r = 0; r < tile; r++)
        STORE(y + (at + r) * y_stride, acc[r]);
    if (first) {
        STORE(constants, LOAD(constants) + added);
        STORE(sizes, LOAD(sizes) + total);
    }
}

LEVEL static void NAMED(pull_columns)(const tct_pull *p, const double *x, size_t x_stride, double sign, size_t n,
                                      double *y, size_t y_stride, double *constants, double *sizes)
{
    for (size_t k = 0; k < n; k += LANES) {
        size_t at = 0;

#define TILE(R, FIRST)                                                                                                 \
    NAMED(pull_tile)(R, FIRST, p, at, x + k, x_stride, sign, y + k, y_stride, constants + k, sizes + k)
        switch (p->n_out < 8 ? p->n_out : 8) {
        case 8:
            TILE(8, true);
            break;
        case 7:
            TILE(7, true);
            break;
        case 6:
            TILE(6, true);
            break;
        case 5:
            TILE(5, true);
            break;
        case 4:
            TILE(4, true);
            break;
        case 3:
            TILE(3, true);
            break;
        case 2:
            TILE(2, true);
            break;
        case 1:
            TILE(1, true);
            break;
        default:
            TILE(0, true);
            break;
        }
        for (at = 8; at + 8 <= p->n_out; at += 8)
            TILE(8, false);
        for (; at + 4 <= p->n_out; at += 4)
            TILE(4, false);
        for (; at + 2 <= p->n_out; at += 2)
            TILE(2, false);
        for (; at < p->n_out; at++)
            TILE(1, false);
#undef TILE
    }
}

/* Columns of y from `at` on, `tile` of them, for the same vector of forms taken once as they are and once times -1. */
INLINED void NAMED(twin_tile)(size_t tile, bool first, const tct_pull *p, size_t at, const double *x, size_t x_stride,
                              const tct_forms *out, size_t k)
{
    const lanes zero = {0};
    lanes acc[8], twin[8], added = zero, subtracted = zero, total = zero;

    for (size_t r = 0; r < tile; r++)
        acc[r] = twin[r] = zero;
    for (size_t i = 0; i < p->n_live; i++) {
        size_t j = p->live[i];
        const double *w = p->weights + j * p->stride + at;
        lanes c = LOAD(x + j * x_stride), d = -c, line, other;
        masks negative = (masks)(c < zero), positive = (masks)(d < zero);

        line = c * SELECT(negative, ALL(p->below[j]), ALL(p->above[j]));
        other = d * SELECT(positive, ALL(p->below[j]), ALL(p->above[j]));
        for (size_t r = 0; r < tile; r++) {
            acc[r] += line * w[r];
            twin[r] += other * w[r];
        }
        if (first) {
            added += c * SELECT(negative, ALL(p->minus[j]), ALL(p->plus[j]));
            subtracted += d * SELECT(positive, ALL(p->minus[j]), ALL(p->plus[j]));
            total += MAGNITUDE(c) * p->size[j];
        }
    }
    for (size_t r = 0; r < tile; r++) {
        STORE(out[0].y + (at + r) * out[0].stride + k, acc[r]);
        STORE(out[1].y + (at + r) * out[1].stride + k, twin[r]);
    }
    if (first) {
        STORE(out[0].constants + k, LOAD(out[0].constants + k) + added);
        STORE(out[1].constants + k, LOAD(out[1].constants + k) + subtracted);
        STORE(out[0].sizes + k, LOAD(out[0].sizes + k) + total);
        STORE(out[1].sizes + k, LOAD(out[1].sizes + k) + total);
    }
}

LEVEL static void NAMED(pull_twins)(const tct_pull *p, const double *x, size_t x_stride, size_t n, const tct_forms *out)
{
    const size_t wide = LANES == 8 ? 8 : 4; /* sums that registers hold, twice */

    for (size_t k = 0; k < n; k += LANES) {
        size_t at = p->n_out < wide ? p->n_out : wide;

#define TILE(R, FIRST, AT) NAMED(twin_tile)(R, FIRST, p, AT, x + k, x_stride, out, k)
        switch (at) {
        case 8:
            TILE(LANES == 8 ? 8 : 4, true, 0); /* there is no such tile elsewhere */
            break;
        case 7:
            TILE(LANES == 8 ? 7 : 4, true, 0);
            break;
        case 6:
            TILE(LANES == 8 ? 6 : 4, true, 0);
            break;
        case 5:
            TILE(LANES == 8 ? 5 : 4, true, 0);
            break;
        case 4:
            TILE(4, true, 0);
            break;
        case 3:
            TILE(3, true, 0);
            break;
        case 2:
            TILE(2, true, 0);
            break;
        case 1:
            TILE(1, true, 0);
            break;
        default:
            TILE(0, true, 0);
            break;
        }
        for (; LANES == 8 && at + 8 <= p->n_out; at += 8)
            TILE(8, false, at);
        for (; at + 4 <= p->n_out; at += 4)
            TILE(4, false, at);
        for (; at + 2 <= p->n_out; at += 2)
            TILE(2, false, at);
        for (; at < p->n_out; at++)
            TILE(1, false, at);
#undef TILE
    }
}

/* Least value of h = sign a + t g over the box, and the value of g there; and that of a at the corner of g. */
INLINED lanes NAMED(tilted_columns)(const tct_halfspace *s, const double *a, double sign, size_t n, lanes t,
                                    lanes *slope, lanes *at_corner)
{
    const lanes zero = {0};
    lanes value = zero;

    *slope = *at_corner = zero;
    for (size_t k = 0; k < s->n_spans; k++) {
        size_t i = s->spans[k].first, end = i + s->spans[k].width;
        lanes w = LOAD(a + i * n), h = w * sign + s->g[i] * t, least = zero + INFINITY, there = zero;

        if (!s->spans[k].onehot) {
            lanes at = SELECT(h < zero, ALL(s->high[i]), ALL(s->low[i]));

            value += h * at;
            *slope += s->g[i] * at;
            *at_corner += w * s->corner[i];
            continue;
        }
        for (; i < end; i++) {
            masks lower;

            if (s->high[i] == 0)
                continue;
            w = LOAD(a + i * n);
            h = w * sign + s->g[i] * t;
            lower = ~(masks)(h >= least);
            least = SELECT(lower, h, least);
            there = SELECT(lower, ALL(s->g[i]), there);
            *at_corner += w * s->corner[i];
        }
        value += least;
        *slope += there;
    }
    return value;
}

LEVEL static void NAMED(least_on_side)(const tct_halfspace *s, const double *a, double sign, size_t n,
                                       const double *constants, const double *pads, double *least)
{
    const lanes zero = {0};

    for (size_t j = 0; j < n; j += LANES) {
        lanes slope, corner, t, bound, constant = LOAD(constants + j) * sign;
        lanes value = NAMED(tilted_columns)(s, a + j, sign, n, zero, &slope, &corner);
        lanes best = constant + value - LOAD(pads + j);
        masks tried;

        slope += s->constant;
        t = (corner * sign - value) / (slope - s->least);
        tried = (masks)(slope > zero) & (masks)(t > zero) & (masks)(t < zero + INFINITY);
        t = (lanes)((masks)t & tried);
        value = NAMED(tilted_columns)(s, a + j, sign, n, t, &slope, &corner) + t * s->constant;
        bound = constant + value - LOAD(pads + j) - t * s->pad;
        tried &= (masks)(bound > best) & (masks)(bound < zero + INFINITY);
        STORE(least + j, SELECT(tried, bound, best));
    }
}

/* A bound with t times g added: what it takes to find t, and where the last one is. */
typedef struct NAMED(tilt) {
    lanes value, slope, t;
} NAMED(tilt);

/* t from the bound at 0, its slope there, and the form at the corner of g.  Returns where there is one. */
INLINED masks NAMED(meet)(const tct_halfspace *s, NAMED(tilt) * tilt, lanes corner)
{
    const lanes zero = {0};
    lanes slope = tilt->slope + s->constant, t = (corner - tilt->value) / (slope - s->least);
    masks tried = (masks)(slope > zero) & (masks)(t > zero) & (masks)(t < zero + INFINITY);

    tilt->t = (lanes)((masks)t & tried);
    return tried;
}

/* The better of the bounds at 0 and at t, the latter in tilt->value. */
INLINED lanes NAMED(better)(const tct_halfspace *s, const NAMED(tilt) * tilt, lanes flat, masks tried, lanes constant,
                            lanes pad)
{
    lanes best = constant + flat - pad,
          bound = constant + (tilt->value + tilt->t * s->constant) - pad - tilt->t * s->pad;

    tried &= (masks)(bound > best) & (masks)(bound < (lanes){0} + INFINITY);
    return SELECT(tried, bound, best);
}

/* Least values of w and -w with t of each times g added, and for t = 0 the slopes; a span of levels. */
INLINED void NAMED(twin_levels)(const tct_halfspace *s, const tct_span *span, const double *a, size_t n, bool flat,
                                NAMED(tilt) * up, NAMED(tilt) * down, lanes *corner)
{
    const lanes zero = {0};
    lanes least = zero + INFINITY, other = least, there = zero, opposite = zero;

    for (size_t i = span->first; i < span->first + span->width; i++) {
        lanes w, h, d;
        masks lower;

        if (s->high[i] == 0)
            continue;
        w = LOAD(a + i * n);
        h = flat ? w : w + s->g[i] * up->t;
        d = flat ? -w : -w + s->g[i] * down->t;
        lower = ~(masks)(h >= least);
        least = SELECT(lower, h, least);
        there = SELECT(lower, ALL(s->g[i]), there);
        lower = ~(masks)(d >= other);
        other = SELECT(lower, d, other);
        opposite = SELECT(lower, ALL(s->g[i]), opposite);
        *corner += w * s->corner[i];
    }
    up->value += least;
    down->value += other;
    up->slope += there;
    down->slope += opposite;
}

/* The same over all spans. */
INLINED void NAMED(twin_values)(const tct_halfspace *s, const double *a, size_t n, bool flat, NAMED(tilt) * up,
                                NAMED(tilt) * down, lanes *corner)
{
    const lanes zero = {0};

    up->value = up->slope = down->value = down->slope = *corner = zero;
    for (size_t k = 0; k < s->n_spans; k++) {
        size_t i = s->spans[k].first;
        lanes w = LOAD(a + i * n), h, d, at;

        if (s->spans[k].onehot) {
            NAMED(twin_levels)(s, &s->spans[k], a, n, flat, up, down, corner);
            continue;
        }
        h = flat ? w : w + s->g[i] * up->t;
        d = flat ? -w : -w + s->g[i] * down->t;
        at = SELECT(h < zero, ALL(s->high[i]), ALL(s->low[i]));
        up->value += h * at;
        up->slope += s->g[i] * at;
        at = SELECT(d < zero, ALL(s->high[i]), ALL(s->low[i]));
        down->value += d * at;
        down->slope += s->g[i] * at;
        *corner += w * s->corner[i];
    }
}

LEVEL static void NAMED(twins_on_side)(const tct_halfspace *s, const double *a, size_t n, const double *constants,
                                       const double *pads, double *least, double *most)
{
    for (size_t j = 0; j < n; j += LANES) {
        NAMED(tilt) up, down;
        lanes corner, unused, flat, other, constant = LOAD(constants + j), pad = LOAD(pads + j);
        masks tried, also;

        NAMED(twin_values)(s, a + j, n, true, &up, &down, &corner);
        tried = NAMED(meet)(s, &up, corner);
        also = NAMED(meet)(s, &down, -corner);
        flat = up.value;
        other = down.value;
        NAMED(twin_values)(s, a + j, n, false, &up, &down, &unused);
        STORE(least + j, NAMED(better)(s, &up, flat, tried, constant, pad));
        STORE(most + j, -NAMED(better)(s, &down, other, also, -constant, pad));
    }
}

LEVEL static double NAMED(dot)(const double *a, const double *b, size_t n)
{
    lanes sum[VECTORS_OF_BLOCK] = {{0}};

    for (size_t j = 0; j < n; j += TCT_LANES)
        for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES)
            sum[q] += LOAD(a + i) * LOAD(b + i);
    return NAMED(join)(sum);
}

LEVEL static void NAMED(add_sizes)(const double *x, size_t n_x, const double *w, size_t n, double *z)
{
    for (size_t j = 0; j < n; j += LANES) {
        lanes acc = LOAD(z + j);

        for (size_t i = 0; i < n_x; i++)
            acc += MAGNITUDE(LOAD(w + i * n + j)) * x[i];
        STORE(z + j, acc);
    }
}

LEVEL static void NAMED(rectify)(double *z, size_t rows, size_t n, const double *bias)
{
    for (size_t r = 0; r < rows; r++, z += n)
        for (size_t j = 0; j < n; j += LANES) {
            lanes x = LOAD(z + j) + LOAD(bias + j);

            STORE(z + j, (lanes)((masks)x & (x > (lanes){0})));
        }
}

#include "netsingle_loops.h"

static const tct_lanes NAMED(version) = {
    NAMED(multiply),      NAMED(multiply_single), NAMED(relax),        NAMED(interval),      NAMED(least),
    NAMED(least_columns), NAMED(share),           NAMED(settle),       NAMED(gaps),          NAMED(move),
    NAMED(pull_twins),    NAMED(pull_single),     NAMED(pull_columns), NAMED(least_on_side), NAMED(twins_on_side),
    NAMED(tilted),        NAMED(rectify),         NAMED(dot),          NAMED(add_sizes)};

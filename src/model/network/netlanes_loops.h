/*
 * netlanes_loops.h -- the loops of netlanes.c for one level of simd_levels.h.
 */

/* `rows` rows of the product, `vectors` vectors of each: sums that do not wait for each other. */
INLINED void NAMED(multiply_tile)(size_t rows, size_t vectors, const double *a, size_t n_a, const uint32_t *live,
                                  size_t n_live, const double *w, size_t n_c, double *c)
{
    lanes acc[8];

    for (size_t s = 0; s < rows * vectors; s++)
        acc[s] = (lanes){0};
    for (size_t k = 0; k < n_live; k++) {
        size_t j = live[k];

        for (size_t q = 0; q < vectors; q++)
            for (size_t r = 0; r < rows; r++)
                acc[r * vectors + q] += LOAD(w + j * n_c + q * LANES) * a[r * n_a + j];
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t q = 0; q < vectors; q++)
            STORE(c + r * n_c + q * LANES, acc[r * vectors + q]);
}

/* The same for all columns: tiles of `vectors`, then single ones. */
INLINED void NAMED(multiply_rows)(size_t rows, size_t vectors, const double *a, size_t n_a, const uint32_t *live,
                                  size_t n_live, const double *w, size_t n_c, double *c)
{
    size_t i = 0;

    for (; i + vectors * LANES <= n_c; i += vectors * LANES)
        NAMED(multiply_tile)(rows, vectors, a, n_a, live, n_live, w + i, n_c, c + i);
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
        NAMED(multiply_rows)(1, 8, a, n_a, live, n_live, w, n_c, c);
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

LEVEL static double NAMED(share)(const double *a, const double *b, size_t n, const double *width, double more,
                                 double least, double gap, double *acc)
{
    lanes total[VECTORS_OF_BLOCK] = {{0}};
    double sum;

    for (size_t j = 0; j < n; j += TCT_LANES)
        for (size_t q = 0, i = j; q < VECTORS_OF_BLOCK; q++, i += LANES)
            total[q] += (MAGNITUDE(LOAD(a + i)) + MAGNITUDE(LOAD(b + i))) * LOAD(width + i);
    sum = NAMED(join)(total) + more;
    sum = sum > least ? sum : least;
    gap = sum > 0 ? gap / sum : 0;
    for (size_t i = 0; i < n; i += LANES)
        STORE(acc + i, LOAD(acc + i) + (MAGNITUDE(LOAD(a + i)) + MAGNITUDE(LOAD(b + i))) * LOAD(width + i) * gap);
    return gap;
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

static const tct_lanes NAMED(version) = {NAMED(multiply), NAMED(relax),  NAMED(interval), NAMED(least),
                                         NAMED(share),    NAMED(tilted), NAMED(dot),      NAMED(add_sizes)};

/*
 * leaf_forms_loops.h -- the loops of leaf_forms.c for one level of simd_levels.h.
 */

/* Eight lanes joined in pairs: the same bits at every level. */
INLINED double NAMED(joined)(const lanes *v)
{
    double all[BLOCK];

    for (size_t q = 0; q < BLOCK / LANES; q++)
        STORE(all + q * LANES, v[q]);
    return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

/* R neurons at once, so that a row of forms is read once for all of them. */
#define COMBINE_ROWS(R)                                                                                                \
    for (size_t k = 0; k < stride; k += LANES) {                                                                       \
        lanes sum[R];                                                                                                  \
        for (size_t r = 0; r < R; r++)                                                                                 \
            sum[r] = (lanes){0};                                                                                       \
        for (size_t m = 0; m < n_from; m++) {                                                                          \
            lanes form = LOAD(forms + from[m] * stride + k);                                                           \
            for (size_t r = 0; r < R; r++)                                                                             \
                sum[r] += form * (absolute ? fabs(w[r * n + from[m]]) : w[r * n + from[m]]);                           \
        }                                                                                                              \
        for (size_t r = 0; r < R; r++)                                                                                 \
            STORE(out + r * stride + k, sum[r]);                                                                       \
    }

INLINED void NAMED(combine_some)(const double *w, size_t n, size_t rows, bool absolute, const uint32_t *from,
                                 size_t n_from, const double *forms, size_t stride, double *out)
{
    for (; rows >= 8; rows -= 8, w += 8 * n, out += 8 * stride) {
        COMBINE_ROWS(8)
    }
    for (; rows >= 4; rows -= 4, w += 4 * n, out += 4 * stride) {
        COMBINE_ROWS(4)
    }
    for (; rows > 0; rows--, w += n, out += stride) {
        COMBINE_ROWS(1)
    }
}
#undef COMBINE_ROWS

LEVEL static void NAMED(combine)(const double *w, size_t n, size_t rows, const uint32_t *from, size_t n_from,
                                 const double *forms, size_t stride, double *out)
{
    NAMED(combine_some)(w, n, rows, false, from, n_from, forms, stride, out);
}

LEVEL static void NAMED(combine_sizes)(const double *w, size_t n, size_t rows, const uint32_t *from, size_t n_from,
                                       const double *forms, size_t stride, double *out)
{
    NAMED(combine_some)(w, n, rows, true, from, n_from, forms, stride, out);
}

LEVEL static void NAMED(extremes)(const double *form, size_t stride, const double *from, const double *to,
                                  const double *most, double out[3])
{
    const lanes zero = {0};
    lanes least[BLOCK / LANES] = {{0}}, greatest[BLOCK / LANES] = {{0}}, size[BLOCK / LANES] = {{0}};

    for (size_t j = 0; j < stride; j += BLOCK)
        for (size_t q = 0, k = j; q < BLOCK / LANES; q++, k += LANES) {
            lanes c = LOAD(form + k), a = LOAD(from + k), b = LOAD(to + k);
            masks negative = c < zero;

            least[q] += c * SELECT(negative, b, a);
            greatest[q] += c * SELECT(negative, a, b);
            size[q] += MAGNITUDE(c) * LOAD(most + k);
        }
    out[0] = NAMED(joined)(least);
    out[1] = NAMED(joined)(greatest);
    out[2] = NAMED(joined)(size);
}

LEVEL static double NAMED(weighted)(const double *w, const double *cost, size_t n)
{
    lanes sum[BLOCK / LANES] = {{0}};
    size_t i = 0;
    double rest = 0;

    for (; i + BLOCK <= n; i += BLOCK)
        for (size_t q = 0; q < BLOCK / LANES; q++)
            sum[q] += MAGNITUDE(LOAD(w + i + q * LANES)) * LOAD(cost + i + q * LANES);
    for (; i < n; i++)
        rest += fabs(w[i]) * cost[i];
    return NAMED(joined)(sum) + rest;
}

LEVEL static void NAMED(apart)(double *lower, double *upper, const double *half, size_t stride)
{
    for (size_t k = 0; k < stride; k += LANES) {
        lanes middle = LOAD(lower + k), by = LOAD(half + k);

        STORE(lower + k, middle - by);
        STORE(upper + k, middle + by);
    }
}

LEVEL static void NAMED(halve)(const double *lower, const double *upper, size_t stride, double *middle, double *half)
{
    for (size_t k = 0; k < stride; k += LANES) {
        lanes low = LOAD(lower + k), high = LOAD(upper + k);

        STORE(middle + k, (low + high) / 2);
        STORE(half + k, (high - low) / 2);
    }
}

/* Sums over the rows in their order, wherever a vector ends. */
LEVEL static void NAMED(sum_rows)(const double *m, const double *w, size_t n, size_t width, double *out)
{
    size_t i = 0;

    for (; i + 4 * LANES <= width; i += 4 * LANES) {
        lanes sum[4] = {{0}};

        for (size_t j = 0; j < n; j++)
            for (size_t q = 0; m[j] != 0 && q < 4; q++)
                sum[q] += LOAD(w + j * width + i + q * LANES) * m[j];
        for (size_t q = 0; q < 4; q++)
            STORE(out + i + q * LANES, sum[q]);
    }
    for (; i + LANES <= width; i += LANES) {
        lanes sum = {0};

        for (size_t j = 0; j < n; j++)
            if (m[j] != 0)
                sum += LOAD(w + j * width + i) * m[j];
        STORE(out + i, sum);
    }
    for (; i < width; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += m[j] != 0 ? w[j * width + i] * m[j] : 0;
        out[i] = sum;
    }
}

static const form_loops NAMED(loops) = {NAMED(combine), NAMED(combine_sizes), NAMED(extremes), NAMED(weighted),
                                        NAMED(apart),   NAMED(halve),         NAMED(sum_rows)};

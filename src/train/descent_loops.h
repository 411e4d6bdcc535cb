/*
 * descent_loops.h -- the loops of descent_lanes.c for one level of simd_levels.h.
 */

/* R neurons at once, so that a run of inputs is read once for all of them. */
#define COMBINE_ROWS(R)                                                                                                \
    for (size_t r = 0; r < n_points; r += RUN) {                                                                       \
        lanes sum[R][VECTORS_OF_RUN];                                                                                  \
        for (size_t q = 0; q < R; q++)                                                                                 \
            for (size_t v = 0; v < VECTORS_OF_RUN; v++)                                                                \
                sum[q][v] = (lanes){0} + (bias ? bias[j + q] : 0);                                                     \
        for (size_t i = 0; i < n_in; i++)                                                                              \
            for (size_t v = 0; v < VECTORS_OF_RUN; v++) {                                                              \
                lanes value = LOAD(in + i * n_points + r + v * LANES);                                                 \
                for (size_t q = 0; q < R; q++)                                                                         \
                    sum[q][v] += w[(j + q) * row + i * column] * value;                                                \
            }                                                                                                          \
        for (size_t q = 0; q < R; q++)                                                                                 \
            for (size_t v = 0; v < VECTORS_OF_RUN; v++)                                                                \
                STORE(out + (j + q) * n_points + r + v * LANES, sum[q][v]);                                            \
    }

LEVEL static void NAMED(combine)(const double *w, size_t row, size_t column, const double *bias, size_t n_in,
                                 size_t n_out, const double *restrict in, double *restrict out, size_t n_points)
{
    size_t j = 0;

    for (; j + 4 <= n_out; j += 4) {
        COMBINE_ROWS(4)
    }
    for (; j + 2 <= n_out; j += 2) {
        COMBINE_ROWS(2)
    }
    for (; j < n_out; j++) {
        COMBINE_ROWS(1)
    }
}
#undef COMBINE_ROWS

/* Eight lanes joined in one fixed order. */
INLINED double NAMED(join)(const lanes *sum)
{
    double all[RUN];

    for (size_t v = 0; v < VECTORS_OF_RUN; v++)
        STORE(all + v * LANES, sum[v]);
    return ((all[0] + all[4]) + (all[1] + all[5])) + ((all[2] + all[6]) + (all[3] + all[7]));
}

/* R inputs at once. */
#define OUTER_ROWS(R)                                                                                                  \
    {                                                                                                                  \
        lanes sum[R][VECTORS_OF_RUN] = {{{0}}};                                                                        \
        for (size_t r = 0; r < n_points; r += RUN)                                                                     \
            for (size_t v = 0; v < VECTORS_OF_RUN; v++) {                                                              \
                lanes value = LOAD(d + r + v * LANES);                                                                 \
                for (size_t q = 0; q < R; q++)                                                                         \
                    sum[q][v] += value * LOAD(in + (i + q) * n_points + r + v * LANES);                                \
            }                                                                                                          \
        for (size_t q = 0; q < R; q++)                                                                                 \
            out[j * n_in + i + q] = NAMED(join)(sum[q]);                                                               \
    }

LEVEL static void NAMED(outer)(const double *restrict delta, const double *restrict in, size_t n_in, size_t n_out,
                               size_t n_points, double *restrict out, double *restrict sums)
{
    for (size_t j = 0; j < n_out; j++) {
        const double *d = delta + j * n_points;
        double total = 0;
        size_t i = 0;

        for (; i + 4 <= n_in; i += 4) {
            OUTER_ROWS(4)
        }
        for (; i < n_in; i++) {
            OUTER_ROWS(1)
        }
        for (size_t r = 0; r < n_points; r++)
            total += d[r];
        sums[j] = total;
    }
}
#undef OUTER_ROWS

LEVEL static void NAMED(adam)(double *restrict w, double *restrict first, double *restrict second,
                              const double *restrict g, size_t n, double rate, uint64_t steps)
{
    double up = 1 / (1 - pow(ADAM_FIRST, (double)steps)), wide = 1 / (1 - pow(ADAM_SECOND, (double)steps));

    for (size_t i = 0; i < n; i++) {
        first[i] = ADAM_FIRST * first[i] + (1 - ADAM_FIRST) * g[i];
        second[i] = ADAM_SECOND * second[i] + (1 - ADAM_SECOND) * g[i] * g[i];
        w[i] -= rate * (first[i] * up) / (sqrt(second[i] * wide) + ADAM_SMALL);
    }
}

static const tct_descent_loops NAMED(version) = {NAMED(combine), NAMED(outer), NAMED(adam)};

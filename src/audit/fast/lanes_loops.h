/*
 * lanes_loops.h -- the loop of lanes.c for one level of simd_levels.h.
 */

LEVEL static void NAMED(affine)(double *out, double start, const double *coefficient, const size_t *input, size_t m,
                                const double *x, size_t stride, size_t n)
{
    size_t p = 0;

    for (; p + SUMS * LANES <= n; p += SUMS * LANES) {
        lanes sum[SUMS];

        for (size_t k = 0; k < SUMS; k++)
            sum[k] = ALL(start);
        for (size_t i = 0; i < m; i++) {
            const double *column = x + (input ? input[i] : i) * stride + p;

            for (size_t k = 0; k < SUMS; k++)
                sum[k] += coefficient[i] * LOAD(column + k * LANES);
        }
        for (size_t k = 0; k < SUMS; k++)
            STORE(out + p + k * LANES, sum[k]);
    }
    for (; p < n; p++) {
        double s = start;

        for (size_t i = 0; i < m; i++)
            s += coefficient[i] * x[(input ? input[i] : i) * stride + p];
        out[p] = s;
    }
}

/*
 * near_loops.h -- the loop of near.c over the places of a tile, for one level; see simd_levels.h.
 */
#define VECTORS_OF_TILE (TCT_BASE_TILE / LANES)

/* out[] gains factors[k] times row places[k], two sums side by side; s: where the tile begins in row 0. */
LEVEL static void NAMED(add_rows)(double *out, const double *s, size_t stride, const size_t *places,
                                  const double *factors, size_t n)
{
    lanes even[VECTORS_OF_TILE], odd[VECTORS_OF_TILE];
    size_t k = 0;

    for (size_t r = 0; r < VECTORS_OF_TILE; r++) {
        even[r] = LOAD(out + r * LANES);
        odd[r] = ALL(0.0);
    }
    for (; k + 2 <= n; k += 2) {
        const double *one = s + places[k] * stride, *two = s + places[k + 1] * stride;

        for (size_t r = 0; r < VECTORS_OF_TILE; r++) {
            even[r] += ALL(factors[k]) * LOAD(one + r * LANES);
            odd[r] += ALL(factors[k + 1]) * LOAD(two + r * LANES);
        }
    }
    for (size_t r = 0; r < VECTORS_OF_TILE; r++) {
        if (k < n)
            even[r] += ALL(factors[k]) * LOAD(s + places[k] * stride + r * LANES);
        STORE(out + r * LANES, even[r] + odd[r]);
    }
}

/* The first n rows of a symmetric matrix gain by * column column^T; column[] is 0 from n to the next multiple of LANES. */
LEVEL static void NAMED(add_product)(double *matrix, size_t stride, const double *column, double by, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double *row = matrix + k * stride;
        lanes factor = ALL(by * column[k]);

        for (size_t v = 0; v < n; v += LANES)
            STORE(row + v, LOAD(row + v) + factor * LOAD(column + v));
    }
}

/* out = the first n rows of a symmetric matrix times factors[]; whole vectors of out[] are written. */
LEVEL static void NAMED(multiply)(double *out, const double *matrix, size_t stride, const double *factors, size_t n)
{
    enum { FEW = 4 };

    for (size_t v = 0; v < n; v += FEW * LANES) {
        lanes sums[FEW];

        for (size_t r = 0; r < FEW; r++)
            sums[r] = ALL(0.0);
        for (size_t k = 0; k < n; k++)
            for (size_t r = 0; r < FEW; r++)
                sums[r] += ALL(factors[k]) * LOAD(matrix + k * stride + v + r * LANES);
        for (size_t r = 0; r < FEW; r++)
            STORE(out + v + r * LANES, sums[r]);
    }
}

#undef VECTORS_OF_TILE

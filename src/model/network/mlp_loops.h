/*
 * mlp_loops.h -- the loops of mlp.c, for one level; see simd_levels.h.
 *
 * Neurons lie side by side in a vector, and each has its own sum, from left to right.
 */

/* `vectors` vectors of neurons from j on, for each of the people. */
INLINED void NAMED(affine_tile)(const affine_map *a, size_t j, size_t vectors, size_t people)
{
    lanes sum[PEOPLE][8];

    for (size_t p = 0; p < people; p++)
        for (size_t q = 0; q < vectors; q++)
            sum[p][q] = LOAD(a->bias + j + q * LANES);
    for (size_t k = 0; k < a->n_live; k++) {
        size_t i = a->live ? a->live[k] : k;
        const double *row = a->w + i * a->stride + j;

        TCT_ONE_ADDRESS(row);
        for (size_t q = 0; q < vectors; q++) {
            lanes w = LOAD(row + q * LANES);

            for (size_t p = 0; p < people; p++)
                sum[p][q] += w * a->x[p * a->x_stride + i];
        }
    }
    for (size_t p = 0; p < people; p++)
        for (size_t q = 0; q < vectors; q++)
            STORE(a->z + p * a->z_stride + j + q * LANES, sum[p][q]);
}

/* people: 1 or PEOPLE. */
LEVEL static void NAMED(affine)(const affine_map *a, size_t people)
{
    size_t j = 0;

    for (; people == 1 && j + 8 * LANES <= a->stride; j += 8 * LANES)
        NAMED(affine_tile)(a, j, 8, 1);
    for (; people == 1 && j < a->stride; j += LANES)
        NAMED(affine_tile)(a, j, 1, 1);
    for (; j + 2 * LANES <= a->stride; j += 2 * LANES)
        NAMED(affine_tile)(a, j, 2, PEOPLE);
    for (; j < a->stride; j += LANES)
        NAMED(affine_tile)(a, j, 1, PEOPLE);
}

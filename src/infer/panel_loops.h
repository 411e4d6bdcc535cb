/*
 * panel_loops.h -- the loop of panel.c, for one level; see simd_levels.h.
 */
LEVEL static void NAMED(lose)(double *row, size_t from, size_t to, const double *factors, const double *const *products,
                              size_t n)
{
    enum { FEW = 4 }; /* chains that do not wait for each other */
    size_t v = from;

    for (; v + FEW * LANES <= to; v += FEW * LANES) {
        lanes now[FEW];

        for (size_t i = 0; i < FEW; i++)
            now[i] = LOAD(row + v + i * LANES);
        for (size_t k = 0; k < n; k++) {
            lanes factor = ALL(factors[k]);

            for (size_t i = 0; i < FEW; i++)
                now[i] -= factor * LOAD(products[k] + v + i * LANES);
        }
        for (size_t i = 0; i < FEW; i++)
            STORE(row + v + i * LANES, now[i]);
    }
    for (; v < to; v++)
        for (size_t k = 0; k < n; k++)
            row[v] -= factors[k] * products[k][v];
}

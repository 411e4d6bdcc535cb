/*
 * worst_steps_loops.h -- the loop of worst_completion.c, for one level; see simd_levels.h.
 */

/* `neurons` neurons from j on, side by side: their sums do not wait for each other. */
INLINED void NAMED(add_to)(const steps *all, size_t j, size_t neurons, size_t part, const double *start, double *first)
{
    lanes sum[4];

    for (size_t r = 0; r < neurons; r++) {
        sum[r] = LOAD(first + (j + r) * TCT_LANES + part);
        if (start)
            sum[r] = ALL(start[j + r]);
    }
    for (size_t k = 0; k < all->n; k++) {
        const double *column = all->columns[k] + j;
        lanes by = LOAD(all->by[k] + part);

        for (size_t r = 0; r < neurons; r++)
            sum[r] += ALL(column[r]) * by;
    }
    for (size_t r = 0; r < neurons; r++)
        STORE(first + (j + r) * TCT_LANES + part, sum[r]);
}

/* first[j][point] += what the steps do to neuron j, one after the other; from start[j] on, if that is not NULL. */
LEVEL static void NAMED(add_steps)(const steps *all, size_t n_first, const double *start, double *first)
{
    for (size_t part = 0; part < TCT_LANES; part += LANES) {
        size_t j = 0;

        for (; j + 4 <= n_first; j += 4)
            NAMED(add_to)(all, j, 4, part, start, first);
        for (; j < n_first; j++)
            NAMED(add_to)(all, j, 1, part, start, first);
    }
}

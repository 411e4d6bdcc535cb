/*
 * worst_steps_loops.h -- the loop of worst_completion.c, for one level; see simd_levels.h.
 */

/* first[j][point] += what the steps do to neuron j, one after the other; from start[j] on, if that is not NULL. */
LEVEL static void NAMED(add_steps)(const steps *all, size_t n_first, const double *start, double *first)
{
    for (size_t part = 0; part < TCT_LANES; part += LANES)
        for (size_t j = 0; j < n_first; j++) {
            double *here = first + j * TCT_LANES + part;
            lanes sum = LOAD(here);

            if (start)
                sum = ALL(start[j]);
            for (size_t k = 0; k < all->n; k++)
                sum += ALL(all->columns[k][j]) * LOAD(all->by[k] + part);
            STORE(here, sum);
        }
}

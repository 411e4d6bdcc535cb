/*
 * many_classes_loops.h -- the loops of many_classes.c for one level of simd_levels.h.
 */

/* to += factor from. */
LEVEL static void NAMED(add)(double *restrict to, const double *restrict from, size_t points, double factor)
{
    for (size_t t = 0; t < points; t += LANES)
        STORE(to + t, LOAD(to + t) + factor * LOAD(from + t));
}

/* Who of classes[n] wins at each point; the first among equals. */
LEVEL static void NAMED(winners)(const double *shaped, size_t points, const double *mean, const size_t *classes,
                                 size_t n, double *winner)
{
    for (size_t t = 0; t < points; t += LANES) {
        lanes most = LOAD(shaped + classes[0] * P + t) + mean[classes[0]], who = ALL((double)classes[0]);

        for (size_t i = 1; i < n; i++) {
            size_t s = classes[i];
            lanes score = LOAD(shaped + s * P + t) + mean[s];
            masks more = score > most;

            most = SELECT(more, score, most);
            who = SELECT(more, ALL((double)s), who);
        }
        STORE(winner + t, who);
    }
}

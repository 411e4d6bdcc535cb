/*
 * many_classes_loops.h -- the loops of many_classes.c for one level of simd_levels.h.
 *
 * Several vectors of points go through a loop together, so that none waits for the result before; all of them see the same
 * operations in the same order, so no level and no number of vectors changes a bit.
 */

#define TOGETHER 4 /* P / 2 is a multiple of so many of the widest */

/* to = the sum of factors[i] times row i of `from`, rows of P, in their order, those with the factor 0 left out. */
LEVEL static void NAMED(combine)(double *restrict to, const double *restrict from, size_t points,
                                 const double *restrict factors, const size_t *restrict rows, size_t n)
{
    for (size_t t = 0; t < points; t += TOGETHER * LANES) {
        lanes sums[TOGETHER] = {{0}};

        for (size_t r = 0; r < n; r++) {
            double factor = factors[rows[r]];
            const double *row = from + rows[r] * P + t;

            for (size_t v = 0; v < TOGETHER && factor != 0; v++)
                sums[v] += factor * LOAD(row + v * LANES);
        }
        for (size_t v = 0; v < TOGETHER; v++)
            STORE(to + t + v * LANES, sums[v]);
    }
}

/* Who of classes[n] wins at each point; the first among equals. */
LEVEL static void NAMED(winners)(const double *shaped, size_t points, const double *mean, const size_t *classes,
                                 size_t n, double *winner)
{
    for (size_t t = 0; t < points; t += TOGETHER * LANES) {
        lanes most[TOGETHER], who[TOGETHER];

        for (size_t v = 0; v < TOGETHER; v++) {
            most[v] = LOAD(shaped + classes[0] * P + t + v * LANES) + mean[classes[0]];
            who[v] = ALL((double)classes[0]);
        }
        for (size_t i = 1; i < n; i++) {
            size_t s = classes[i];

            for (size_t v = 0; v < TOGETHER; v++) {
                lanes score = LOAD(shaped + s * P + t + v * LANES) + mean[s];
                masks more = score > most[v];

                most[v] = SELECT(more, score, most[v]);
                who[v] = SELECT(more, ALL((double)s), who[v]);
            }
        }
        for (size_t v = 0; v < TOGETHER; v++)
            STORE(winner + t + v * LANES, who[v]);
    }
}

/* Where a class beats another: count[t] += 1 for points from <= t < to.  ties: equal scores count too. */
LEVEL static void NAMED(add_leads)(const double *restrict score, const double *restrict own,
                                   const double *restrict move, double gap, double slope, bool ties, size_t from,
                                   size_t to, double *restrict count)
{
    size_t t = from;

    for (; t + LANES <= to; t += LANES) {
        lanes lead = gap + (LOAD(score + t) - LOAD(own + t)) + slope * LOAD(move + t);
        masks more = ties ? (masks)(lead >= ALL(0.0)) : (masks)(lead > ALL(0.0));

        STORE(count + t, LOAD(count + t) + SELECT(more, ALL(1.0), ALL(0.0)));
    }
    for (; t < to; t++) {
        double lead = gap + (score[t] - own[t]) + slope * move[t];

        count[t] += lead > 0 || (ties && lead == 0) ? 1 : 0;
    }
}

#undef TOGETHER

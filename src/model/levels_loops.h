/*
 * levels_loops.h -- the loops of levels.c, for one level of instructions; see simd_levels.h.
 */
#define PARTS (LEVEL_SUMS / LANES)

/* The sums of every part, put together in one order. */
INLINED double NAMED(put_together)(const lanes *sums, const double *rest)
{
    double all[LEVEL_SUMS];

    for (size_t r = 0; r < PARTS; r++)
        STORE(all + r * LANES, sums[r]);
    for (size_t r = 0; r < LEVEL_SUMS; r++)
        all[r] += rest[r];
    for (size_t half = LEVEL_SUMS / 2; half > 0; half /= 2)
        for (size_t r = 0; r < half; r++)
            all[r] += all[r + half];
    return all[0];
}

/* What levels weigh by what was learnt of their terms, not below 0; their sum. */
LEVEL static double NAMED(weigh)(const tct_level_moves *m, double *levels)
{
    lanes sums[PARTS] = {0};
    double rest[LEVEL_SUMS] = {0};
    size_t l = 0;

    for (; l + LEVEL_SUMS <= m->n; l += LEVEL_SUMS)
        for (size_t r = 0; r < PARTS; r++) {
            size_t at = l + r * LANES;
            lanes weight = ALL(1.0);

            for (size_t j = 0; j < m->n_terms; j++)
                weight += (LOAD(m->slopes + j * m->step + at) - ALL(m->centre)) * ALL(m->moved[j]);
            weight *= LOAD(m->shares + at);
            weight = SELECT(weight > ALL(0.0), weight, ALL(0.0));
            sums[r] += weight;
            STORE(levels + at, weight);
        }
    for (; l < m->n; l++) {
        double weight = 1;

        for (size_t j = 0; j < m->n_terms; j++)
            weight += (m->slopes[j * m->step + l] - m->centre) * m->moved[j];
        weight *= m->shares[l];
        levels[l] = weight > 0 ? weight : 0;
        rest[l % LEVEL_SUMS] += levels[l];
    }
    return NAMED(put_together)(sums, rest);
}

LEVEL static void NAMED(divide)(double *levels, double by, size_t n)
{
    size_t l = 0;

    for (; l + LANES <= n; l += LANES)
        STORE(levels + l, LOAD(levels + l) / ALL(by));
    for (; l < n; l++)
        levels[l] /= by;
}

LEVEL static double NAMED(mean_term)(const double *levels, const double *terms, size_t n)
{
    lanes sums[PARTS] = {0};
    double rest[LEVEL_SUMS] = {0};
    size_t l = 0;

    for (; l + LEVEL_SUMS <= n; l += LEVEL_SUMS)
        for (size_t r = 0; r < PARTS; r++)
            sums[r] += LOAD(levels + l + r * LANES) * LOAD(terms + l + r * LANES);
    for (; l < n; l++)
        rest[l % LEVEL_SUMS] += levels[l] * terms[l];
    return NAMED(put_together)(sums, rest);
}

/* Levels whose margins over all other classes are 0 or more. */
LEVEL static double NAMED(share_proven)(const tct_level_margins *m, size_t n_margins, const double *levels, size_t n)
{
    lanes sums[PARTS] = {0};
    double rest[LEVEL_SUMS] = {0};
    size_t l = 0;

    for (; l + LEVEL_SUMS <= n; l += LEVEL_SUMS)
        for (size_t r = 0; r < PARTS; r++) {
            size_t at = l + r * LANES;
            lanes share = LOAD(levels + at);

            for (size_t c = 0; c < n_margins; c++) {
                lanes margin = ALL(m[c].now) + LOAD(m[c].terms + at) - ALL(m[c].worst);

                share = SELECT(margin >= ALL(0.0), share, ALL(0.0));
            }
            sums[r] += share;
        }
    for (; l < n; l++) {
        bool proven = true;

        for (size_t c = 0; c < n_margins; c++)
            proven = proven && m[c].now + m[c].terms[l] - m[c].worst >= 0;
        rest[l % LEVEL_SUMS] += proven ? levels[l] : 0;
    }
    return NAMED(put_together)(sums, rest);
}

#undef PARTS

/*
 * smallest_loops.h -- the loops of smallest_batch.c for one level of simd_levels.h.
 */

#define take_largest NAMED(take_largest)
#define count_taken NAMED(count_taken)

/* The largest gain that was not taken in the round before, off the deficit of those who need it. */
INLINED void take_largest(tct_smallest_batch *s, size_t round, size_t at)
{
    lanes zero = {0}, best = zero - 1, item = best, before = best, deficit = LOAD(s->deficit + at);

    if (round > 0)
        before = LOAD(s->taken[round - 1] + at);
    for (size_t i = 0; i < s->n_items; i++) {
        lanes index = ALL((double)i), g = LOAD(s->gain + i * PEOPLE + at);
        masks larger;

        g = SELECT(before == index, zero - 1, g);
        larger = g > best;
        item = SELECT(larger, index, item);
        best = SELECT(larger, g, best);
    }
    item = SELECT(deficit > LOAD(s->least + at), item, zero - 1);
    STORE(s->taken[round] + at, item);
    STORE(s->deficit + at, SELECT(item >= zero, deficit - best, deficit));
}

/* Count who took which item, and who needs more. */
INLINED void count_taken(tct_smallest_batch *s, size_t at)
{
    lanes zero = {0}, one = zero + 1, first = LOAD(s->taken[0] + at), second = LOAD(s->taken[1] + at);

    for (size_t i = 0; i < s->n_items; i++) {
        lanes index = ALL((double)i), count = LOAD(s->members + i * EIGHT);

        count += SELECT(first == index, one, zero); /* never both */
        count += SELECT(second == index, one, zero);
        STORE(s->members + i * EIGHT, count);
    }
    STORE(s->takers[0], LOAD(s->takers[0]) + SELECT(first >= zero, one, zero));
    STORE(s->takers[1], LOAD(s->takers[1]) + SELECT(second >= zero, one, zero));
    STORE(s->more + at, SELECT(LOAD(s->deficit + at) > LOAD(s->least + at), one, zero));
}

/* n people side by side, rounded up to a multiple of 8. */
LEVEL static void NAMED(begin)(tct_smallest_batch *s, size_t n, const uint8_t *full)
{
    for (size_t at = 0; at < n; at += LANES) {
        for (size_t p = at; p < at + LANES; p++) /* of nobody, nothing is needed */
            s->least[p] = p >= n ? INFINITY : full[p] ? 0 : -0x1p-1074;
        take_largest(s, 0, at);
        take_largest(s, 1, at);
        count_taken(s, at);
    }
}

/* As many rounds as one of a few people needs.  rest_taken: how many more attributes each takes. */
LEVEL static void NAMED(finish)(tct_smallest_batch *s, size_t n)
{
    for (size_t at = 0; at < n; at += LANES) {
        lanes zero = {0}, one = zero + 1, size = zero, deficit = LOAD(s->rest_deficit + at);
        bool more = true;

        while (more) {
            lanes best = zero - 1, item = best;

            for (size_t i = 0; i < s->n_items; i++) {
                lanes g = LOAD(s->rest_gain + i * PEOPLE + at);
                masks larger = g > best;

                item = SELECT(larger, ALL((double)i), item);
                best = SELECT(larger, g, best);
            }
            item = SELECT(deficit > LOAD(s->rest_least + at), item, zero - 1);
            deficit = SELECT(item >= zero, deficit - best, deficit);
            size += SELECT(item >= zero, one, zero);
            for (size_t i = 0; i < s->n_items; i++) {
                masks is_it = item == ALL((double)i);
                double *gain = s->rest_gain + i * PEOPLE + at, *members = s->members + i * EIGHT;

                STORE(gain, SELECT(is_it, zero - 1, LOAD(gain)));
                STORE(members, LOAD(members) + SELECT(is_it, one, zero));
            }
            more = false;
            for (size_t p = 0; p < LANES; p++)
                more |= item[p] >= 0;
        }
        STORE(s->rest_taken + at, size);
    }
}

/*
 * chain_loops.h -- what a stage says of people side by side, for one level of simd_levels.h.
 */

typedef int32_t NAMED(ints) __attribute__((vector_size(BYTES / 2)));

LEVEL static void NAMED(judge)(const link *l, size_t n_likely, size_t n_promises, const double *partial,
                               const double *mean, size_t n, uint32_t *said)
{
    lanes zero = {0}, proven = ALL((double)(n_promises * HOW)) + TCT_ENDING_PACKED(TACIT_CERTAIN, 0);

    for (size_t p = 0; p < n; p += LANES) {
        lanes known = LOAD(partial + p), m = LOAD(mean + p), word;
        NAMED(ints) out;

        word = SELECT(m >= zero, zero + TCT_ENDING_PACKED(TACIT_LIKELY, 1), zero + TCT_ENDING_PACKED(TACIT_LIKELY, 0));
        for (size_t i = 0; i < n_likely; i++)
            word += SELECT(MAGNITUDE(m) >= l->thresholds[i], zero + HOW, zero);
        word = SELECT(-known + l->floor[0] > zero, proven, word);
        word = SELECT(known + l->floor[1] >= zero, proven + 1, word);
        out = __builtin_convertvector(word, NAMED(ints));
        memcpy(said + p, &out, sizeof out);
    }
}

/*
 * tree_crowd_loops.h -- people side by side in a tree, for one level of simd_levels.h.
 */

/* Words of 16 bits, and how many people are gone through at once. */
#define WORDS (BYTES / sizeof(uint16_t))
#define AT_ONCE 4
#define PEOPLE (AT_ONCE * WORDS)
#define words NAMED(words)
#define LOAD_WORDS(from) (*(const NAMED(words_loose) *)(const void *)(from))
#define STORE_WORDS(to, value) (*(NAMED(words_loose) *)(void *)(to) = (value))

typedef uint16_t words __attribute__((vector_size(BYTES)));
typedef uint16_t NAMED(words_loose) __attribute__((vector_size(BYTES), aligned(2), may_alias));

/* What the tests leave of the leaves of a tree that has up to 16, for PEOPLE people. */
INLINED void NAMED(leave)(const crowd_room *r, size_t at, words *left)
{
    words all[AT_ONCE];

    for (size_t v = 0; v < AT_ONCE; v++)
        all[v] = (uint16_t)r->leaves - (words){0};
    for (size_t i = 0; i < r->n_asked; i++) {
        const asked *test = &r->asked[i];
        words base = test->base - (words){0}, span = test->span - (words){0}, taken = (uint16_t)test->left - (words){0};

        for (size_t v = 0; v < AT_ONCE; v++) {
            words cell = LOAD_WORDS(test->cells + at + v * WORDS) - base;

            all[v] &= ~((words)(cell >= span) & taken);
        }
    }
    for (size_t v = 0; v < AT_ONCE; v++)
        left[v] = all[v] & -all[v];
}

#if BYTES == 64

/* Add the leaves of 16 people, in the lower half of lowest bits `bits`, to their sums. */
INLINED void NAMED(add_single)(__m512 leaves, __m256i bits, float *sums)
{
    __m512 number = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(bits));
    __m512i place = _mm512_srli_epi32(_mm512_castps_si512(number), 23);

    _mm512_storeu_ps(sums, _mm512_add_ps(_mm512_loadu_ps(sums), _mm512_permutexvar_ps(place, leaves)));
}

INLINED void NAMED(add_double)(__m512d low, __m512d high, __m128i bits, double *sums)
{
    __m512d number = _mm512_cvtepi64_pd(_mm512_cvtepu16_epi64(bits));
    __m512i place = _mm512_srli_epi64(_mm512_castpd_si512(number), 52);

    _mm512_storeu_pd(sums, _mm512_add_pd(_mm512_loadu_pd(sums), _mm512_permutex2var_pd(low, place, high)));
}

INLINED void NAMED(add_leaves)(const crowd_room *r, size_t tree, size_t at, const words *left)
{
    size_t sum = (size_t)r->trees->scores[tree] * r->crowd->people + at;

    if (r->singles) {
        __m512 leaves = _mm512_loadu_ps(r->crowd->singles + r->crowd->value[tree]);

        for (size_t v = 0; v < AT_ONCE; v++) {
            float *to = r->singles + sum + v * WORDS;

            NAMED(add_single)(leaves, _mm512_castsi512_si256((__m512i)left[v]), to);
            NAMED(add_single)(leaves, _mm512_extracti64x4_epi64((__m512i)left[v], 1), to + WORDS / 2);
        }
        return;
    }
    __m512d low = _mm512_loadu_pd(r->crowd->doubles + r->crowd->value[tree]);
    __m512d high = _mm512_loadu_pd(r->crowd->doubles + r->crowd->value[tree] + 8);

    for (size_t v = 0; v < AT_ONCE; v++) {
        __m128i parts[4];

        _mm512_storeu_si512(parts, (__m512i)left[v]);
        for (size_t k = 0; k < 4; k++)
            NAMED(add_double)(low, high, parts[k], r->doubles + sum + v * WORDS + 8 * k);
    }
}

/* The same for up to 64 leaves: 32 people, whose words are four vectors. */
INLINED void NAMED(add_wide)(const crowd_room *r, size_t tree, size_t at)
{
    size_t sum = (size_t)r->trees->scores[tree] * r->crowd->people + at, value = r->crowd->value[tree];
    __m512i all[4];

    for (size_t v = 0; v < 4; v++)
        all[v] = _mm512_set1_epi64((long long)r->leaves);
    for (size_t i = 0; i < r->n_asked; i++) {
        const asked *test = &r->asked[i];
        __m512i cell = _mm512_sub_epi16(_mm512_loadu_si512(test->cells + at), _mm512_set1_epi16((short)test->base));
        __mmask32 right = _mm512_cmpge_epu16_mask(cell, _mm512_set1_epi16((short)test->span));
        uint64_t left = ~test->left;
        __m512i kept = _mm512_set1_epi64((long long)left);

        for (size_t v = 0; v < 4; v++)
            all[v] = _mm512_mask_and_epi64(all[v], (__mmask8)(right >> 8 * v), all[v], kept);
    }
    for (size_t v = 0; v < 4; v++) {
        __m512i bit = _mm512_and_si512(all[v], _mm512_sub_epi64(_mm512_setzero_si512(), all[v]));
        __m512i place = _mm512_srli_epi64(_mm512_castpd_si512(_mm512_cvtepu64_pd(bit)), 52);

        place = _mm512_and_si512(place, _mm512_set1_epi64(TCT_CROWD_WIDE - 1));
        if (r->singles) {
            float *to = r->singles + sum + 8 * v;
            __m256 leaf = _mm512_i64gather_ps(place, r->crowd->singles + value, 4);

            _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(to), leaf));
        } else {
            double *to = r->doubles + sum + 8 * v;
            __m512d leaf = _mm512_i64gather_pd(place, r->crowd->doubles + value, 8);

            _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), leaf));
        }
    }
}

#else

INLINED void NAMED(add_leaves)(const crowd_room *r, size_t tree, size_t at, const words *left)
{
    size_t sum = (size_t)r->trees->scores[tree] * r->crowd->people + at, value = r->crowd->value[tree];
    uint16_t bits[PEOPLE];

    for (size_t v = 0; v < AT_ONCE; v++)
        STORE_WORDS(bits + v * WORDS, left[v]);
    for (size_t i = 0; i < PEOPLE; i++) {
        size_t place = value + ((size_t)__builtin_ctz(bits[i]) + TCT_CROWD_LEAVES - 1) % TCT_CROWD_LEAVES;

        if (r->singles)
            r->singles[sum + i] += r->crowd->singles[place];
        else
            r->doubles[sum + i] += r->crowd->doubles[place];
    }
}

#endif

/* A tree that was asked: its leaves are added to everybody's sums. */
LEVEL static void NAMED(add_tree)(const crowd_room *r, size_t tree)
{
    words left[AT_ONCE];

#if BYTES == 64
    if (r->crowd->value[tree + 1] - r->crowd->value[tree] > TCT_CROWD_LEAVES) {
        for (size_t at = 0; at < r->n; at += WORDS)
            NAMED(add_wide)(r, tree, at);
        return;
    }
#endif
    for (size_t at = 0; at < r->n; at += PEOPLE) {
        NAMED(leave)(r, at, left);
        NAMED(add_leaves)(r, tree, at, left);
    }
}

#undef WORDS
#undef AT_ONCE
#undef PEOPLE
#undef words
#undef LOAD_WORDS
#undef STORE_WORDS

/*
 * treebound_loops.h -- the loops of treebound.c for one level of simd_levels.h.
 *
 * Leaves of a tree lie side by side, in blocks of TCT_TREE_BLOCK, which are as many vectors as the level needs.  A bit
 * says whether a piece reaches a leaf.  All numbers are whole: no order of minima or sums matters.
 */

#define WAITING 32
#define PARTS (TCT_TREE_BLOCK * sizeof(int64_t) / BYTES) /* vectors of a block */
#define WHOLE(from) (*(const NAMED(whole_loose) *)(const void *)(from))
#define STORE_WHOLE(to, value) (*(NAMED(whole_loose) *)(void *)(to) = (value))
#if BYTES == 32
#define CHOOSE(mask, yes, no) ((masks)_mm256_blendv_epi8((__m256i)(no), (__m256i)(yes), (__m256i)(mask)))
#else
#define CHOOSE(mask, yes, no) (((mask) & (yes)) | (~(mask) & (no)))
#endif
#define EVERY(value) ((value) - (masks){0})

typedef int64_t NAMED(whole_loose) __attribute__((vector_size(BYTES), aligned(8), may_alias));

#define LANE_BITS (BYTES == 32 ? &FOUR_LANES[0][0] : &TWO_LANES[0][0])

#if BYTES == 64
#define LESSER(a, b) ((masks)_mm512_min_epi64((__m512i)(a), (__m512i)(b)))
#define LARGER(a, b) ((masks)_mm512_max_epi64((__m512i)(a), (__m512i)(b)))
/* The same in lanes of a block of which `bits` has the bit. */
#define LESSER_IN(a, b, bits, part)                                                                                    \
    ((masks)_mm512_mask_min_epi64((__m512i)(a), (__mmask8)(bits), (__m512i)(a), (__m512i)(b)))
#define LARGER_IN(a, b, bits, part)                                                                                    \
    ((masks)_mm512_mask_max_epi64((__m512i)(a), (__mmask8)(bits), (__m512i)(a), (__m512i)(b)))
#define LEAST_OF(a) _mm512_reduce_min_epi64((__m512i)(a))
#else
#define LESSER(a, b) CHOOSE((a) < (b), a, b)
#define LARGER(a, b) CHOOSE((a) > (b), a, b)
#define LESSER_IN(a, b, bits, part) NAMED(lesser_in)(a, b, bits, part)
#define LARGER_IN(a, b, bits, part) NAMED(larger_in)(a, b, bits, part)
#define LEAST_OF(a) NAMED(least_of)(a)

/* All ones in lanes of a part of a block of which `bits` has the bit. */
INLINED masks NAMED(lanes_of)(unsigned bits, size_t part)
{
    return WHOLE(LANE_BITS + LANES * (bits >> part * LANES & ((1U << LANES) - 1)));
}

INLINED masks NAMED(lesser_in)(masks a, masks b, unsigned bits, size_t part)
{
    masks m = NAMED(lanes_of)(bits, part) & (b < a);

    return CHOOSE(m, b, a);
}

INLINED masks NAMED(larger_in)(masks a, masks b, unsigned bits, size_t part)
{
    masks m = NAMED(lanes_of)(bits, part) & (b > a);

    return CHOOSE(m, b, a);
}

INLINED int64_t NAMED(least_of)(masks a)
{
    int64_t least = a[0];

    for (size_t j = 1; j < LANES; j++)
        least = a[j] < least ? a[j] : least;
    return least;
}
#endif

INLINED int64_t NAMED(least_in_block)(const masks *block)
{
    masks least = block[0];

    for (size_t k = 1; k < PARTS; k++)
        least = LESSER(least, block[k]);
    return LEAST_OF(least);
}

/* Bytes that are 0 or 1 as lanes of all zeros or ones; the number of each lane; is any of all ones; rounding down. */
#if BYTES == 64
#define LIVING(from) (-(masks)_mm512_cvtepu8_epi64(_mm_loadu_si64(from)))
#define COUNT ((masks){0, 1, 2, 3, 4, 5, 6, 7})
#define SOME(mask) (_mm512_movepi64_mask((__m512i)(mask)) != 0)
#define FLOOR(v) ((lanes)_mm512_floor_pd((__m512d)(v)))
#elif BYTES == 32
#define LIVING(from) (-(masks)_mm256_cvtepu8_epi64(_mm_loadu_si32(from)))
#define COUNT ((masks){0, 1, 2, 3})
#define SOME(mask) (!_mm256_testz_si256((__m256i)(mask), (__m256i)(mask)))
#define FLOOR(v) ((lanes)_mm256_floor_pd((__m256d)(v)))
#else
#define LIVING(from) ((masks){-(int64_t)(from)[0], -(int64_t)(from)[1]})
#define COUNT ((masks){0, 1})
#define SOME(mask) ((((mask)[0]) | ((mask)[1])) != 0)
#endif

/* What h is the least of, for one block: what the tree has left, and what it gave to this link; raw: plain values. */
INLINED void NAMED(load_block)(const tct_treebound_view *v, const tct_tree_link *link, size_t b, bool raw, masks *out)
{
    for (size_t k = 0; k < PARTS; k++) {
        size_t at = b * TCT_TREE_BLOCK + k * LANES;
        masks left = WHOLE(v->left + link->first_leaf + at);

        if (raw)
            out[k] = CHOOSE(left < EVERY(FAR / 2), WHOLE(v->values + link->first_leaf + at), EVERY(FAR));
        else
            out[k] = left + WHOLE(v->most + link->most + at);
    }
}

/* Which leaves of a block a piece reaches. */
INLINED unsigned NAMED(bits_of)(const uint64_t *who, size_t b)
{
    return (unsigned)(who[b * TCT_TREE_BLOCK / 64] >> b * TCT_TREE_BLOCK % 64 & 0xff);
}

/* The least number of each of as many vectors as one has lanes, side by side. */
INLINED masks NAMED(least_of_each)(const masks *all)
{
#if BYTES == 64
    masks two[4], four[2];

    for (size_t k = 0; k < 4; k++)
        two[k] = LESSER(_mm512_unpacklo_epi64((__m512i)all[2 * k], (__m512i)all[2 * k + 1]),
                        _mm512_unpackhi_epi64((__m512i)all[2 * k], (__m512i)all[2 * k + 1]));
    for (size_t k = 0; k < 2; k++)
        four[k] = LESSER(__builtin_shufflevector(two[2 * k], two[2 * k + 1], 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(two[2 * k], two[2 * k + 1], 2, 3, 10, 11, 6, 7, 14, 15));
    return LESSER(__builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11),
                  __builtin_shufflevector(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15));
#elif BYTES == 32
    masks two[2];

    for (size_t k = 0; k < 2; k++) {
        masks low = (masks)_mm256_unpacklo_epi64((__m256i)all[2 * k], (__m256i)all[2 * k + 1]);
        masks high = (masks)_mm256_unpackhi_epi64((__m256i)all[2 * k], (__m256i)all[2 * k + 1]);

        two[k] = LESSER(low, high);
    }
    return LESSER((masks)_mm256_permute2x128_si256((__m256i)two[0], (__m256i)two[1], 0x20),
                  (masks)_mm256_permute2x128_si256((__m256i)two[0], (__m256i)two[1], 0x31));
#else
    return (masks){LEAST_OF(all[0]), LEAST_OF(all[1])};
#endif
}

/* The least numbers of pieces, which wait until there are many: h of `first` and those that follow it.  What is written behind the
 * last is of no use yet. */
INLINED void NAMED(set_h)(const tct_treebound_view *v, const masks *least, size_t first, size_t n)
{
    for (size_t k = 0; k < n; k += LANES)
        STORE_WHOLE(v->h + first + k, NAMED(least_of_each)(least + k) & LIVING(v->here + first + k));
}

/* h of the pieces of some links, which follow one another.  Most trees have one block, which is loaded once for all pieces. */
INLINED void NAMED(find_pieces)(const tct_treebound_view *v, const tct_tree_link *own, size_t n, bool raw)
{
    masks all[WAITING];
    size_t waiting = 0, first = n ? own->first : 0;

    for (const tct_tree_link *link = own; link < own + n; link++) {
        const uint64_t *who = v->who + link->who;
        size_t words = tct_tree_words(link->n_blocks);
        masks block[PARTS], least[PARTS];

        NAMED(load_block)(v, link, 0, raw, block);
        for (size_t p = 0; p < link->n_pieces; p++, who += words) {
            for (size_t k = 0; k < PARTS; k++)
                least[k] = LESSER_IN(EVERY(FAR), block[k], NAMED(bits_of)(who, 0), k);
            for (size_t b = 1; b < link->n_blocks; b++) {
                masks more[PARTS];

                NAMED(load_block)(v, link, b, raw, more);
                for (size_t k = 0; k < PARTS; k++)
                    least[k] = LESSER_IN(least[k], more[k], NAMED(bits_of)(who, b), k);
            }
            for (size_t k = 1; k < PARTS; k++)
                least[0] = LESSER(least[0], least[k]);
            all[waiting++] = least[0];
            if (waiting == WAITING) {
                NAMED(set_h)(v, all, first, waiting);
                first += waiting;
                waiting = 0;
            }
        }
    }
    NAMED(set_h)(v, all, first, waiting);
}

LEVEL static int64_t NAMED(find_h)(const tct_treebound_view *v, const tct_tree_link *own, size_t n)
{
    int64_t parts = 0;

    for (size_t i = 0; i < n; i++)
        parts += v->rests[own[i].tree].part;
    NAMED(find_pieces)(v, own, n, false);
    return parts;
}

LEVEL static void NAMED(find_raw)(const tct_treebound_view *v, const tct_tree_link *own, size_t n)
{
    NAMED(find_pieces)(v, own, n, true);
}

LEVEL static void NAMED(find_extremes)(const tct_treebound_view *v, size_t n)
{
    for (tct_tree_rest *rest = v->rests; rest < v->rests + n; rest++) {
        masks low = EVERY(FAR), high = EVERY(FAR); /* high: less the largest */

        for (size_t at = rest->first_leaf; at < rest->first_leaf + rest->n_blocks * TCT_TREE_BLOCK; at += LANES) {
            masks in = WHOLE(v->left + at) < EVERY(FAR / 2), value = WHOLE(v->values + at);
            masks least = CHOOSE(in, value, EVERY(FAR)), most = CHOOSE(in, -value, EVERY(FAR));

            low = LESSER(low, least);
            high = LESSER(high, most);
        }
        rest->raw = LEAST_OF(low);
        rest->most = -LEAST_OF(high);
    }
}

/* One block of a link: the largest phi among the living pieces that reach each leaf.  least: NULL, or of the tree so
 * far. */
INLINED void NAMED(shift_block)(const tct_treebound_view *v, const tct_tree_link *link, const int64_t *phi, size_t b,
                                masks *least)
{
    const uint64_t *who = v->who + link->who;
    const unsigned char *here = v->here + link->first;
    size_t words = tct_tree_words(link->n_blocks);
    masks now[PARTS];

    for (size_t k = 0; k < PARTS; k++)
        now[k] = EVERY(-FAR);
    for (size_t p = 0; p < link->n_pieces; p++) {
        unsigned bits = NAMED(bits_of)(who + p * words, b) & -(unsigned)here[p];

        for (size_t k = 0; k < PARTS; k++)
            now[k] = LARGER_IN(now[k], EVERY(phi[link->first + p]), bits, k);
    }
    for (size_t k = 0; k < PARTS; k++) {
        size_t at = b * TCT_TREE_BLOCK + k * LANES;
        int64_t *left = v->left + link->first_leaf + at, *most = v->most + link->most + at;
        masks dead = (WHOLE(left) >= EVERY(FAR / 2)) | (now[k] <= EVERY(-FAR / 2));
        masks rest = CHOOSE(dead, EVERY(FAR), WHOLE(left) + WHOLE(most) - now[k]);

        STORE_WHOLE(left, rest);
        STORE_WHOLE(most, ~dead & now[k]);
        if (least)
            least[k] = LESSER(least[k], rest);
    }
}

LEVEL static int64_t NAMED(shift)(const tct_treebound_view *v, const int64_t *phi, const tct_tree_link *own, size_t n)
{
    int64_t parts = 0;

    for (size_t i = 0; i < n; i++) {
        const tct_tree_link *link = &own[i];
        masks least[PARTS];

        for (size_t k = 0; k < PARTS; k++)
            least[k] = EVERY(FAR);
        for (size_t b = 0; b < link->n_blocks; b++)
            NAMED(shift_block)(v, link, phi, b, least);
        parts += v->rests[link->tree].part = NAMED(least_in_block)(least);
    }
    return parts;
}

LEVEL static void NAMED(give)(const tct_treebound_view *v, const int64_t *phi, const tct_tree_link *own, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tct_tree_link *link = &own[i];

        for (size_t b = 0; b < link->n_blocks; b++)
            NAMED(shift_block)(v, link, phi, b, NULL);
        v->rests[link->tree].part = 0;
    }
}

/* ---- the cells of an axis ---- */

LEVEL static bool NAMED(judge)(tct_tree_row *row)
{
    masks least = EVERY(FAR);
    bool killed = false;

    for (size_t c = 0; c < row->n; c += LANES) {
        masks in = LIVING(row->alive + c) & (COUNT < EVERY((int64_t)(row->n - c))), sums = WHOLE(row->sums + c);
        masks bounds = sums + EVERY(row->rest), proven = in & (bounds >= EVERY(row->target));

        if (row->slices) {
            masks before = WHOLE(row->slices + c), raised = in & (bounds > before);

            STORE_WHOLE(row->slices + c, CHOOSE(raised, bounds, before));
        }
        if (SOME(proven)) {
            for (size_t j = 0; j < LANES; j++)
                row->alive[c + j] = proven[j] ? 0 : row->alive[c + j];
            killed = true;
        }
        in &= ~proven;
        least = LESSER(least, CHOOSE(in, sums, EVERY(FAR)));
    }
    row->least = LEAST_OF(least);
    return killed;
}

/* Numbers below 2^52 are doubles, and so are they behind 2^52, in the last bits.  Their quotient, rounded to nearest, is not
 * rounded up to a whole number: it would have to be nearer to one than 1 / n. */
#if BYTES > 16
INLINED masks NAMED(shares_of)(masks sizes, lanes n)
{
    const lanes far = ALL(0x1p52);
    lanes shares = ((lanes)(sizes | (masks)far) - far) / n;

    return (masks)(FLOOR(shares) + far) ^ (masks)far;
}
#endif

LEVEL static void NAMED(share)(tct_tree_row *row, size_t n)
{
    row->best = row->n;
    for (size_t c = 0; c < row->n; c += LANES) {
        masks in = LIVING(row->alive + c) & (COUNT < EVERY((int64_t)(row->n - c)));
        masks sizes = WHOLE(row->sums + c) - EVERY(row->least), shares = sizes, first = in & (sizes == EVERY(0));
        bool large = BYTES == 16 || SOME(in & (sizes >= EVERY((int64_t)1 << 52)));

        for (size_t j = 0; row->best == row->n && SOME(first) && j < LANES; j++)
            row->best = first[j] ? c + j : row->n;
#if BYTES > 16
        if (!large)
            shares = NAMED(shares_of)(sizes, ALL((double)n));
#endif
        for (size_t j = 0; large && j < LANES; j++)
            shares[j] = in[j] ? share_of((uint64_t)sizes[j], n) : 0;
        STORE_WHOLE(row->sums + c, CHOOSE(in, shares, EVERY(FAR)));
    }
}

/* What is written behind the end of a row is written anew with the next one. */
LEVEL static void NAMED(spread)(const tct_tree_row *row)
{
    const int64_t *from = row->sums;
    int64_t *to = row->sums + TCT_LEAST_ROWS * (row->n + 1);

    for (size_t width = 1; 2 * width <= row->n; width *= 2) {
        for (size_t c = 0; c + 2 * width <= row->n; c += LANES)
            STORE_WHOLE(to + c, LESSER(WHOLE(from + c), WHOLE(from + c + width)));
        from = to;
        to += row->n + 1;
    }
}

LEVEL static void NAMED(hand_out)(const tct_treebound_view *v, const tct_tree_places *places, const int64_t *rows,
                                  size_t first, size_t n, int64_t *phi)
{
#if BYTES == 64
    for (size_t p = first; p < first + n; p += LANES) {
        masks in = LIVING(v->here + p) & (COUNT < EVERY((int64_t)(first + n - p)));
        __m256i one = _mm256_loadu_si256((const __m256i *)(const void *)(places->one + p));
        __m256i other = _mm256_loadu_si256((const __m256i *)(const void *)(places->other + p));
        masks least = LESSER(_mm512_i32gather_epi64(one, rows, 8), _mm512_i32gather_epi64(other, rows, 8));

        STORE_WHOLE(phi + p, CHOOSE(in, WHOLE(v->h + p) - least, WHOLE(phi + p)));
    }
#else
    for (size_t p = first; p < first + n; p++) {
        int64_t least = rows[places->one[p]], other = rows[places->other[p]];

        least = other < least ? other : least;
        phi[p] = v->here[p] ? v->h[p] - least : phi[p];
    }
#endif
}

static const tct_treebound_loops NAMED(version) = {NAMED(find_h), NAMED(find_raw), NAMED(find_extremes),
                                                   NAMED(shift),  NAMED(give),     NAMED(judge),
                                                   NAMED(share),  NAMED(spread),   NAMED(hand_out)};

#undef PARTS
#undef WAITING
#undef LANE_BITS
#undef WHOLE
#undef STORE_WHOLE
#undef CHOOSE
#undef EVERY
#undef LESSER
#undef LARGER
#undef LESSER_IN
#undef LARGER_IN
#undef LEAST_OF
#undef LIVING
#undef COUNT
#undef SOME
#undef FLOOR

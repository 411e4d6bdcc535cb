/*
 * treebound_loops.h -- the loops of treebound.c for one level of simd_levels.h.
 *
 * Leaves of a tree lie side by side, in blocks of TCT_TREE_BLOCK, which are as many vectors as the level needs.  A bit
 * says whether a piece reaches a leaf.  All numbers are whole: no order of minima or sums matters.
 */

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

/* h of the pieces of a link.  Most trees have one block, which is loaded once for all pieces. */
INLINED void NAMED(find_pieces)(const tct_treebound_view *v, const tct_tree_link *link, bool raw)
{
    const uint64_t *who = v->who + link->who;
    size_t words = tct_tree_words(link->n_blocks);
    int64_t *h = v->h + link->first;
    masks block[PARTS], least[PARTS];

    NAMED(load_block)(v, link, 0, raw, block);
    for (size_t p = 0; p < link->n_pieces; p++, who += words) {
        for (size_t k = 0; k < PARTS; k++)
            least[k] = LESSER_IN(EVERY(FAR), block[k], NAMED(bits_of)(who, 0), k);
        for (size_t b = 1; b < link->n_blocks; b++) {
            masks more[PARTS];

            if (NAMED(bits_of)(who, b) == 0)
                continue;
            NAMED(load_block)(v, link, b, raw, more);
            for (size_t k = 0; k < PARTS; k++)
                least[k] = LESSER_IN(least[k], more[k], NAMED(bits_of)(who, b), k);
        }
        h[p] = v->here[link->first + p] ? NAMED(least_in_block)(least) : 0;
    }
}

LEVEL static int64_t NAMED(find_h)(const tct_treebound_view *v, const tct_tree_link *own, size_t n)
{
    int64_t parts = 0;

    for (size_t i = 0; i < n; i++) {
        const tct_tree_link *link = &own[i];

        parts += v->rests[link->tree].part;
        NAMED(find_pieces)(v, link, false);
    }
    return parts;
}

LEVEL static void NAMED(find_raw)(const tct_treebound_view *v, const tct_tree_link *own, size_t n)
{
    for (size_t i = 0; i < n; i++)
        NAMED(find_pieces)(v, &own[i], true);
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
        unsigned bits = NAMED(bits_of)(who + p * words, b);

        if (!here[p])
            continue;
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

static const tct_treebound_loops NAMED(version) = {NAMED(find_h), NAMED(find_raw), NAMED(find_extremes), NAMED(shift),
                                                   NAMED(give)};

#undef PARTS
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

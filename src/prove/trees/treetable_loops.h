/*
 * treetable_loops.h -- the links of trees of the table, for one level of simd_levels.h.
 *
 * Leaves that are left are numbered anew, without those that are gone: bits of a word move together.
 */

#if BYTES > 16
#define SQUEEZE(leaves, alive) _pext_u64(leaves, alive)
#else
#define SQUEEZE(leaves, alive) NAMED(squeeze)(leaves, alive)

INLINED uint64_t NAMED(squeeze)(uint64_t leaves, uint64_t alive)
{
    uint64_t out = 0;

    for (size_t k = 0; alive; alive &= alive - 1, k++)
        out |= (leaves >> __builtin_ctzll(alive) & 1) << k;
    return out;
}
#endif

/* The largest leaf of a tree, in absolute value, of those that are left. */
LEVEL static double NAMED(largest_leaf)(const double *values, uint64_t alive)
{
    double most = 0;
#if BYTES == 64
    __m512d all = _mm512_setzero_pd();

    for (; alive; alive >>= TCT_TREE_BLOCK, values += TCT_TREE_BLOCK)
        all = _mm512_mask_max_pd(all, (__mmask8)alive, all, _mm512_abs_pd(_mm512_loadu_pd(values)));
    most = _mm512_reduce_max_pd(all);
#else
    for (uint64_t left = alive; left; left &= left - 1) {
        double value = fabs(values[__builtin_ctzll(left)]);

        most = value > most ? value : most;
    }
#endif
    return most;
}

/* Those leaves, times sign, rounded down to units, and what fills up the last block.  How many these are.  A unit is a power of 2:
 * dividing by it is multiplying by 1 / unit, unless that is too large. */
LEVEL static size_t NAMED(round_leaves)(const double *values, uint64_t alive, double sign, double unit, int64_t *out)
{
    size_t n = 0;

#if BYTES == 64
    for (double times = sign / unit; isfinite(times) && alive; alive >>= TCT_TREE_BLOCK, values += TCT_TREE_BLOCK) {
        __mmask8 here = (__mmask8)alive;
        __m512d whole = _mm512_floor_pd(_mm512_mul_pd(_mm512_loadu_pd(values), _mm512_set1_pd(times)));

        _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi64(here, _mm512_cvttpd_epi64(whole)));
        n += (size_t)__builtin_popcount(here);
    }
#endif
    for (uint64_t left = alive; left; left &= left - 1)
        out[n++] = tct_whole_below(sign * values[__builtin_ctzll(left)] / unit);
    while (n % TCT_TREE_BLOCK)
        out[n++] = TCT_NOBODY;
    return n;
}

/* Levels with the same answers to the tests that are left are a piece. */
INLINED size_t NAMED(lay_levels)(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *left,
                                 const uint64_t *reaches, uint64_t alive, uint32_t *map)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    uint64_t *who = (uint64_t *)g->who.items + link->who;
    uint64_t pieces[TCT_MAX_LEVELS + 1];
    size_t n = 0, p = 0;

    for (size_t v = 0; v < axis->n_cells; v++) {
        uint32_t level = tct_treegrid_cell(g, link->axis, v);

        pieces[n] = answers_of(g, left, link->n_tests, level);
        if (v == 0 || pieces[p] != pieces[n]) /* else it is like the one before */
            for (p = 0; pieces[p] != pieces[n];)
                p++;
        map[v] = (uint32_t)p;
        n += p == n;
        who[p] = SQUEEZE(reaches[level], alive);
    }
    return n;
}

/* Numbers: a piece begins with each cut that is left.  All of its cells leave the same leaves of those that are left, since a
 * test that is not left has none of these on either side. */
INLINED size_t NAMED(lay_numbers)(const tct_treegrid *g, const tct_tree_link *link, const uint32_t *left,
                                  const uint64_t *reaches, uint64_t alive, uint32_t *map)
{
    const tct_tree_axis *axis = &g->axes[link->axis];
    const tct_tree_test *tests = g->table->tests.items;
    uint64_t *who = (uint64_t *)g->who.items + link->who;
    size_t n = 1;

    map[0] = 0;
    who[0] = SQUEEZE(reaches[0], alive);
    for (size_t j = 0; j < link->n_tests; j++) {
        uint32_t cut = tct_treegrid_rank(g, axis, tests[left[j]].test);

        n += cut != map[n - 1];
        map[n - 1] = cut;
        who[n - 1] = SQUEEZE(tests[left[j]].reach, alive);
    }
    if (g->lacks[axis->attribute]) {
        n += map[n - 1] != axis->n_cells - 1;
        map[n - 1] = (uint32_t)axis->n_cells - 1;
        who[n - 1] = SQUEEZE(reaches[1], alive);
    }
    map[n] = (uint32_t)axis->n_cells;
    return n;
}

/* Links of all axes, with their pieces and the leaves that each reaches.  There is room. */
LEVEL static void NAMED(lay_links)(tct_treegrid *g, const uint64_t *alive, const uint32_t *rest_of)
{
    const tct_tree_test *tests = g->table->tests.items;
    tct_tree_rest *rests = g->rests.items;
    tct_tree_link *link = g->links.items;

    for (size_t x = 0; x < g->n_axes; x++) {
        const tct_tree_axis *axis = &g->axes[x];
        const uint32_t *left = (const uint32_t *)g->tests.items + axis->first_test, *end = left + axis->n_tests;

        for (; left < end; left += link++->n_tests) {
            const tct_tree_asked *asked = (const tct_tree_asked *)g->table->asked.items + tests[*left].asked;
            const uint64_t *reaches = (const uint64_t *)g->table->reaches.items + asked->first_reach;
            tct_tree_rest *rest = &rests[rest_of[asked->tree]];
            uint32_t *map = (uint32_t *)g->maps.items + g->n_maps;
            uint32_t n = 1;

            while (left + n < end && tests[left[n]].asked == tests[*left].asked)
                n++;
            *link = (tct_tree_link){.tree = rest_of[asked->tree],
                                    .axis = (uint32_t)x,
                                    .n_tests = n,
                                    .map = g->n_maps,
                                    .who = g->n_who,
                                    .first_leaf = rest->first_leaf,
                                    .n_blocks = (uint32_t)rest->n_blocks,
                                    .own = (uint32_t)(rest->first_link + rest->n_links++)};
            if (axis->levels)
                link->n_pieces = (uint32_t)NAMED(lay_levels)(g, link, left, reaches, alive[asked->tree], map);
            else
                link->n_pieces = (uint32_t)NAMED(lay_numbers)(g, link, left, reaches, alive[asked->tree], map);
            g->n_maps += axis->levels ? axis->n_cells : link->n_pieces + 1;
            g->n_who += link->n_pieces;
        }
    }
}

#undef SQUEEZE

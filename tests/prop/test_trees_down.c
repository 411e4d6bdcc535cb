/*
 * Going down on what is left of ensembles of trees, one axis after the other: by the deployed sums it goes down as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_trees.h"
#include "scale.h"
#include "treesearch_inside.h"

/* So much may any score of the model be off. */
static double rounding_of(const tacit_model *m)
{
    const tct_trees *t = tct_as_trees(m->classifier);
    double size = fabs(t->cut);

    for (size_t s = 0; s < t->base.n_scores; s++)
        size += fabs(t->start[s]);
    for (size_t i = 0; i < t->n_nodes; i++)
        size += t->nodes[i].attribute == TCT_TREE_LEAF ? fabs(t->nodes[i].value) : 0;
    return 2 * tct_trees_rounding(t, t->n_trees + 1, size) + size * 0x1p-40;
}

/* What the deployed sums make of the margin of label 0 over label 1. */
static double margin_at(const tct_trees *t, const uint32_t *cells)
{
    double sums[TCT_MAX_CLASSES];

    tct_trees_sums(t, cells, sums);
    return t->base.n_scores == 1 ? -sums[0] : sums[0] - sums[1];
}

/* Going down on what is left of trees, one axis after the other, goes down by the deployed sums too.  Some trees have more leaves
 * than a word has bits. */
static void trees__descents(void **state)
{
    size_t large = 0, moved = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(400); seed++) {
        tacit_model *m = seed % 2 ? make_tree_model(seed, 2 + seed % 5, 2 + seed % 3, 1 + seed % 17, 1 + seed % 5)
                                  : make_tree_model(seed, 12, 2 + seed % 4 / 2, 3, 16);
        const tct_trees *t = tct_as_trees(m->classifier);
        double near = rounding_of(m), x[256], y[256], before;
        tct_treesearch *search = NULL;
        tct_treegrid *g = NULL;
        uint32_t cells[256];
        tct_random random;
        unsigned char known[16] = {0};
        tct_region region;

        tct_random_seed(&random, seed, 29);
        draw_person(m, &random, x);
        for (size_t a = 0; a < m->schema->n_attributes && seed % 2; a++) /* else all of the trees is left */
            known[a] = tct_random_below(&random, 5) < 2;
        region = tct_region_of(m->codec, known, x);
        assert_int_equal(tct_treesearch_new(&search, m, NULL), TACIT_OK);
        assert_int_equal(tct_treegrid_new(&g, m, NULL, NULL), TACIT_OK);
        tct_treegrid_region(g, &region);
        assert_int_equal(tct_treegrid_margin(g, 0, 1, NULL), TACIT_OK);
        tct_treegrid_whole(g);
        for (size_t i = 0; i < g->n_rests; i++)
            large += ((const tct_tree_rest *)g->rests.items)[i].n_blocks * TCT_TREE_BLOCK > 64;
        for (size_t k = 0; k < 10; k++) {
            draw_person(m, &random, y);
            tct_trees_cells(t, y, cells);
            tct_treegrid_fit(g, cells);
            before = margin_at(t, cells);
            assert_int_equal(tct_treescreen_descend(search, g, cells, NULL), TACIT_OK);
            assert_true(margin_at(t, cells) <= before + near);
            moved += margin_at(t, cells) < before;
        }
        tct_treegrid_free(g);
        tct_treesearch_free(search);
        tacit_model_free(m);
    }
    print_message("%zu moved, %zu large trees\n", moved, large);
    assert_true(moved > 0);
    assert_true(large > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees__descents)};

    return cmocka_run_group_tests_name("trees_down", tests, NULL, NULL);
}

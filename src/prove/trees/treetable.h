/*
 * treetable.h -- ensembles of small trees as lists of tests, so that what is known is put into them without walking them.
 *
 * A test divides a run of leaves, which are numbered from left to right; 64 of them fit into a word.  A known value takes
 * the leaves of one side away from every test about its attribute; a test of which leaves are left on both sides is
 * left itself.  That is what walking the trees finds (treegrid.c), in a step per test.  It holds where every attribute is
 * known or may be anything: a leaf is then reached by somebody iff none of the known values takes it away.
 *
 * Tests of all trees lie together, attribute by attribute, so that these steps are taken one after the other without a branch
 * that a processor would have to foresee.
 */
#ifndef TCT_TREETABLE_H
#define TCT_TREETABLE_H

#include "treegrid_inside.h"

enum { TCT_TABLE_LEAVES = 64 };

/* A test of a tree. */
typedef struct tct_tree_test {
    uint64_t sides[2]; /* leaves on the left, on the right */
    uint64_t reach;    /* numbers: the leaves that its cut leaves, and all cells up to the next cut of the tree */
    uint32_t test;     /* as in tct_tree_node */
    uint32_t asked;    /* what tct_tree_asked it belongs to */
    uint32_t tree;
    bool missing_left;
} tct_tree_test;

/* The tests of a tree about one attribute: the leaves that are left by numbers below all cuts and by "missing", or by each
 * level. */
typedef struct tct_tree_asked {
    uint32_t tree;
    uint32_t first_reach;
} tct_tree_asked;

/* A tree as nobody known leaves it. */
typedef struct tct_tree_shape {
    size_t first_value;
    uint64_t leaves;
} tct_tree_shape;

struct tct_treetable {
    tct_tree_shape *shapes; /* per tree */
    size_t *first_test;     /* per attribute, and where the last ends */
    /* tests: by attribute, tree and cut; values: of leaves, double, those of each tree filled up to whole blocks */
    tct_tree_list tests, asked, reaches, values;
    size_t n_tests, n_asked, n_reaches, n_values;
    /* Many classes: tests, ascending by attribute and score; where those of each attribute and score begin, and where the
     * last end.  Both NULL where classes are few. */
    uint32_t *of_score;
    size_t *first_of;
    bool whole; /* every leaf of the model can be reached, so that leaves are numbered as in tree_walk.h */
};

/* NULL if some tree has too many leaves. */
tacit_status tct_treetable_new(tct_treetable **out, const tacit_model *model, tacit_error *err);
void tct_treetable_free(tct_treetable *table);

/* Does it serve for the grid's region? */
bool tct_treetable_fits(const tct_treegrid *g);
/* What is left of the trees, as tct_treegrid_margin wants it, but for the order of links. */
tacit_status tct_treetable_margin(tct_treegrid *g, size_t label, size_t against, tacit_error *err);
/* Mark the cuts that are left, for tct_treegrid_lay_axes. */
void tct_treetable_mark(const tct_treegrid *g, unsigned char *marks);

#endif

/*
 * treetable.h -- trees of few leaves as lists of tests, so that what is known is put into them without walking them.
 *
 * A test divides a run of leaves, which are numbered from left to right; 64 of them fit into a word.  A known value takes
 * the leaves of one side away from every test about its attribute; a test of which leaves are left on both sides is
 * left itself.  That is what walking the tree finds (treegrid.c), in a step per test.  It holds where every attribute is
 * known or may be anything: a leaf is then reached by somebody iff none of the known values takes it away.
 */
#ifndef TCT_TREETABLE_H
#define TCT_TREETABLE_H

#include "treegrid_inside.h"

enum { TCT_TABLE_LEAVES = 64 };

/* A test of a tree. */
typedef struct tct_tree_test {
    uint64_t sides[2]; /* leaves on the left, on the right */
    uint32_t test;     /* as in tct_tree_node */
    uint16_t attribute;
    unsigned char first, middle, end; /* the same leaves: first ... middle - 1, middle ... end - 1 */
    bool missing_left;
} tct_tree_test;

/* A tree as nobody known leaves it. */
typedef struct tct_tree_shape {
    size_t first_test, n_tests; /* by attribute; of a number from the lowest cut on */
    size_t first_value, n_leaves;
} tct_tree_shape;

struct tct_treetable {
    tct_tree_shape *shapes;      /* per tree; n_leaves 0: it has too many */
    tct_tree_list tests, values; /* values: of leaves, double */
    size_t n_tests, n_values;
};

tacit_status tct_treetable_new(tct_treetable **out, const tacit_model *model, tacit_error *err);
void tct_treetable_free(tct_treetable *table);

/* Does it serve for the grid's region? */
bool tct_treetable_fits(const tct_treegrid *g);
/* What is left of a tree of the table: its leaves, links and tests.  *most: the largest leaf in absolute value. */
tacit_status tct_treetable_condition(tct_treegrid *g, tct_tree_rest *rest, double *most, tacit_error *err);
/* The value of a leaf that is the only one left. */
double tct_treetable_only(const tct_treegrid *g, const tct_tree_rest *rest);
/* Mark the cuts that are left, for tct_treegrid_lay_axes. */
void tct_treetable_mark(const tct_treegrid *g, unsigned char *marks);
/* Pieces of all links of a tree: where they begin. */
void tct_treetable_lay_pieces(tct_treegrid *g, const tct_tree_rest *rest);
/* Which leaves they reach, and the leaves, each times `sign`, rounded down to units. */
void tct_treetable_lay_leaves(tct_treegrid *g, const tct_tree_rest *rest, double sign);

#endif

/*
 * treegrid_inside.h -- what treegrid.c and treelayout.c share: what is left of trees, before it is laid out.
 */
#ifndef TCT_TREEGRID_INSIDE_H
#define TCT_TREEGRID_INSIDE_H

#include "treegrid.h"

#define TCT_OPEN UINT32_MAX /* no single cell; no link */

/* A node that is left; `test` of a number is a cell of the model, of levels the set in the model. */
typedef struct tct_left_node {
    double value;
    uint32_t left, right, test;
    uint32_t link; /* of its tree; TCT_OPEN: a leaf */
    bool missing_left;
} tct_left_node;

/* The test of a node that is left, by link. */
typedef struct tct_left_test {
    uint32_t link, test;
} tct_left_test;

/* Make the grid: cells of all axes, from the cuts that are left.  offsets: per axis, where its marks begin. */
tacit_status tct_treegrid_lay_axes(tct_treegrid *g, size_t *offsets, tacit_error *err);
/* Pieces of all links of a tree, whose tests are [from, to). */
tacit_status tct_treegrid_lay_links(tct_treegrid *g, tct_tree_rest *rest, const size_t *offsets, size_t from, size_t to,
                                    tacit_error *err);
/* Its leaves, each times `sign`, rounded down to units. */
tacit_status tct_treegrid_list_leaves(tct_treegrid *g, tct_tree_rest *rest, const size_t *offsets, double sign,
                                      tacit_error *err);

#endif

/*
 * treegrid_inside.h -- what treegrid.c and treelayout.c share: what is left of trees, before it is laid out.
 */
#ifndef TCT_TREEGRID_INSIDE_H
#define TCT_TREEGRID_INSIDE_H

#include "treegrid.h"

#define TCT_OPEN UINT32_MAX /* no single cell; no link */

/* A node that is left.  Those of a tree are in preorder: its left child is the next one. */
typedef struct tct_left_node {
    double value;    /* of a leaf */
    uint32_t test;   /* numbers: a cell of the model, then of the grid; levels: the set in the model */
    uint32_t link;   /* of its tree; TCT_OPEN: a leaf */
    uint32_t leaves; /* below it, or 1 */
    bool missing_left;
} tct_left_node;

/* Make the grid: cells of all axes, from the cuts that are left; nodes then test cells of the grid. */
tacit_status tct_treegrid_lay_axes(tct_treegrid *g, tacit_error *err);
/* Pieces of all links of a tree, and its leaves, each times `sign`, rounded down to units. */
tacit_status tct_treegrid_lay_tree(tct_treegrid *g, tct_tree_rest *rest, double sign, tacit_error *err);

#endif

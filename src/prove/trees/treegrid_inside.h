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

/* What is left of one tree, which is walked.  *most: the largest leaf in absolute value. */
tacit_status tct_treegrid_condition(tct_treegrid *g, tct_tree_rest *rest, double *most, tacit_error *err);
/* What a tree counts in a margin. */
double tct_treegrid_sign(const tct_trees *t, size_t tree, size_t label, size_t against);
/* How much must be left over, in units, for the sum of the trees to prove the margin: from the largest leaves, added up, and
 * the number of trees, by sign. */
void tct_treegrid_target(tct_treegrid *g, size_t label, size_t against, const double size[2], const size_t count[2]);
/* Make the grid: cells of all axes, from the cuts that are left; nodes then test cells of the grid. */
tacit_status tct_treegrid_lay_axes(tct_treegrid *g, tacit_error *err);
/* Pieces of all links of a tree, and its leaves, each times `sign`, rounded down to units. */
tacit_status tct_treegrid_lay_tree(tct_treegrid *g, tct_tree_rest *rest, double sign, tacit_error *err);

/* Where the pieces of all links lie in their axes, once the links are in order (tct_tree_places). */
tacit_status tct_treegrid_lay_pieces(tct_treegrid *g, tacit_error *err);

/* The grid cell that begins where a node cuts a number; those on either side of all cells have no cell of their own. */
static inline uint32_t tct_treegrid_rank(const tct_treegrid *g, const tct_tree_axis *axis, uint32_t test)
{
    size_t a = axis->attribute;

    if (test <= g->low[a])
        return 0;
    if (test >= g->high[a])
        return (uint32_t)(axis->n_cells - g->lacks[a]);
    return ((const uint32_t *)g->marks.items)[axis->ranks + test];
}

/* floor, for numbers far below 2^63, without a call. */
static inline int64_t tct_whole_below(double x)
{
    int64_t near = (int64_t)x;

    return near - ((double)near > x);
}

#endif

/*
 * treegrid.h -- one margin of an ensemble of trees over a region: what is left of the trees, and bounds of their sum.
 *
 * What is known is put in, and every tree becomes a tree over unknown attributes (axes) or a constant.  What must be
 * proven is that the sum of all of them, each a lower estimate in whole units, is at least `target` everywhere:
 *
 *     two classes, label 1     sum of trees  >=  cut - start + rounding
 *     two classes, label 0     the same with everything negated
 *     label y against class c  trees of y less trees of c  >  start of c - start of y + rounding of both
 *
 * Cells of an axis that no remaining test tells apart are one grid cell.  A box is a set of grid cells per axis.  The
 * cells that one tree does not tell apart are a piece; a leaf is a product of sets of pieces.  METHOD.md, trees, says
 * why the bounds hold.
 */
#ifndef TCT_TREEGRID_H
#define TCT_TREEGRID_H

#include "trees.h"

/* A list that grows and is used again.  Wiped when freed. */
typedef struct tct_tree_list {
    void *items;
    size_t room; /* bytes */
    size_t used; /* of them, at most, since it was last wiped */
} tct_tree_list;

/* An attribute that is not known. */
typedef struct tct_tree_axis {
    size_t attribute;
    bool ordered; /* cuts are between neighbours */
    bool levels;  /* tests are about sets of them */
    size_t first; /* of its cells, among those of all axes */
    size_t n_cells;
    size_t first_link, n_links;   /* in axis_links */
    size_t first_piece, n_pieces; /* of all of these, among those of all links */
    size_t ranks;                 /* its first in the list of ranks */
    size_t first_test, n_tests;   /* in the list of tests that are left; with a table only */
} tct_tree_axis;

enum {
    TCT_TREE_BLOCK = 8, /* leaves are looked at so many at a time */
    TCT_TREE_SPARE = 8  /* numbers behind the last cell and piece: loops look at as many at a time */
};
#define TCT_NOBODY (INT64_MAX / 4) /* value of leaves that only fill up a block */

/* A tree that reads an axis.  64 bytes: loops go through many of them. */
typedef struct tct_tree_link {
    uint32_t tree, axis;
    uint32_t n_tests; /* nodes of the tree that ask about it */
    uint32_t n_pieces;
    uint32_t n_blocks; /* of leaves of the tree */
    uint32_t own;      /* its place among the links tree by tree */
    size_t first;      /* of its pieces, among those of all links */
    size_t map;        /* numbers: first cell of each piece, and where the last ends; levels: piece of each cell */
    size_t who; /* which leaves each piece reaches: a bit each in words for all leaves of the tree, piece after piece */
    size_t most;       /* per leaf: the largest phi of the pieces that reach it */
    size_t first_leaf; /* of the tree */
} tct_tree_link;

/* Words that have a bit for each leaf of so many blocks. */
static inline size_t tct_tree_words(size_t n_blocks)
{
    return (n_blocks * TCT_TREE_BLOCK + 63) / 64;
}

/* What is left of a tree. */
typedef struct tct_tree_rest {
    size_t tree;      /* of the ensemble */
    size_t root, end; /* in the list of what is left of nodes */
    size_t first_link, n_links;
    size_t first_leaf, n_blocks; /* the last block is filled up with leaves that nobody reaches */
    int64_t part;                /* least leaf in the box less what is shifted to the axes */
    int64_t raw, most;           /* least and largest leaf in the box, when last looked for */
} tct_tree_rest;

typedef struct tct_treetable tct_treetable;

typedef struct tct_treegrid {
    const tct_trees *trees;
    const tct_treetable *table; /* NULL: all trees are walked */
    const tct_codec *codec;
    /* the region */
    uint32_t *low, *high; /* per attribute: cells low ... high - 1, that for "missing" not included */
    unsigned char *lacks; /* per attribute: "missing" is possible */
    uint64_t **levels;    /* per category: its levels */
    uint32_t *fixed;      /* per attribute: its only cell, or UINT32_MAX */
    size_t *axis_of;      /* per attribute */
    /* the margin */
    double unit;
    int64_t constant, target;
    int64_t beaten; /* a sum up to this, every tree rounded down, is that of somebody who has another label */
    /* what is left of the trees */
    tct_tree_axis *axes;
    size_t n_axes, n_cells, n_pieces, n_rests, n_links, n_leaves;
    tct_tree_list nodes, tests, rests, links, axis_links, pieces, cells, maps, values, who, marks;
    size_t n_nodes, n_tests, n_maps, n_who, n_mosts;
    /* a box */
    unsigned char *alive; /* n_cells */
    int64_t *phi;         /* n_pieces */
    tct_tree_list alive_room, phi_room;
    /* what follows from it */
    tct_tree_list h_room, here_room, most_room, leaf_room, sum_room, order_room, left_room;
    int64_t *least_phi; /* per axis */
    int64_t bound;      /* of the whole sum */
    size_t *best;       /* per axis: cell at which the last sweep found the bound least */
    int64_t *slices;    /* NULL, or per cell: the best bound of its slice so far, for sweeps to raise */
} tct_treegrid;

/* A cut of a box: the cells of one axis that go left. */
typedef struct tct_tree_cut {
    size_t axis;
    size_t at;                 /* ordered axes: cells below it go left */
    const unsigned char *left; /* marks of its cells that go left; good until the next cut is looked for */
    bool right_first;          /* the right side has the lower bound */
} tct_tree_cut;

/* table: of the model (treetable.h), borrowed, or NULL. */
tacit_status tct_treegrid_new(tct_treegrid **out, const tacit_model *model, const tct_treetable *table,
                              tacit_error *err);
void tct_treegrid_free(tct_treegrid *g);
void tct_treegrid_forget(tct_treegrid *g); /* wipes what is known of a person */
/* The region whose completions are looked at. */
void tct_treegrid_region(tct_treegrid *g, const tct_region *region);
/* The region of another grid of the same model. */
void tct_treegrid_adopt(tct_treegrid *g, const tct_treegrid *from);
/* How many attributes are narrower in a region within another; SIZE_MAX: it is not within. */
size_t tct_treegrid_narrowed(const tct_treegrid *inner, const tct_treegrid *outer);
/* Of the living cells of a box, keep those of a region within the grid's own, of which one attribute is narrower.  *axis: its
 * axis; n_axes: no cell has died.  False: none is left on some axis, so that all of the region was proven. */
bool tct_treegrid_narrow(tct_treegrid *g, const tct_treegrid *inner, size_t *axis);
/* Move every cell of a person into the region. */
void tct_treegrid_fit(const tct_treegrid *g, uint32_t *cells);
/* Is there but one completion? */
bool tct_treegrid_is_point(const tct_treegrid *g);
/* Prepare to prove that `label` beats `against` (any other class of two). */
tacit_status tct_treegrid_margin(tct_treegrid *g, size_t label, size_t against, tacit_error *err);
/* All of the region, nothing shifted, and what follows from that: sets the bound. */
void tct_treegrid_whole(tct_treegrid *g);
/* What follows from the living cells and the shifts: sets the bound. */
void tct_treegrid_enter(tct_treegrid *g);
/* The same where only cells of one axis have died since that was last found, by entering or by a sweep that did not prove
 * the box. */
void tct_treegrid_enter_axis(tct_treegrid *g, size_t axis);
/* What was found, in so many bytes, to come back to. */
size_t tct_treegrid_state_size(const tct_treegrid *g);
void tct_treegrid_save_state(const tct_treegrid *g, void *to);
void tct_treegrid_load_state(tct_treegrid *g, const void *from);
/* Does every tree end in one number over the box? */
bool tct_treegrid_constant(const tct_treegrid *g);
/* The sum of the trees' least leaves. */
int64_t tct_treegrid_raw(const tct_treegrid *g);
/* Raise the bound, one axis after the other; kills cells that are proven.  True: the box is proven. */
bool tct_treegrid_sweep(tct_treegrid *g);
/* Where to cut a box that is not constant; false: memory or cells are lacking. */
bool tct_treegrid_cut(tct_treegrid *g, tct_tree_cut *cut);
/* Kill the cells of one side. */
void tct_treegrid_take(tct_treegrid *g, const tct_tree_cut *cut, bool right);

/* The cell, of the model, that grid cell `cell` of an axis begins with. */
static inline uint32_t tct_treegrid_cell(const tct_treegrid *g, size_t axis, size_t cell)
{
    return ((const uint32_t *)g->cells.items)[g->axes[axis].first + cell];
}

/* Room for so many bytes; what is there stays. */
tacit_status tct_tree_list_reserve(tct_tree_list *list, size_t bytes, tacit_error *err);
/* Wipe what was used of it. */
void tct_tree_list_wipe(tct_tree_list *list);

#endif

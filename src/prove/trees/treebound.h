/*
 * treebound.h -- what treebound.c and its loops share.
 */
#ifndef TCT_TREEBOUND_H
#define TCT_TREEBOUND_H

#include "treegrid.h"

#define TCT_TREE_FAR (INT64_MAX / 4) /* more than any sum; leaves that nobody of the box is in have about this */

/* Rows of numbers, one per cell of an axis and one more each: their sums or shares, two for cuts, and the least of 2, 4, 8 ...
 * numbers from each cell on. */
enum { TCT_SUMS_ROW, TCT_BELOW_ROW, TCT_ABOVE_ROW, TCT_LEAST_ROWS };

/* Pieces of numbers: the cells from starts to before ends.  The least share of these is the lesser of the numbers at `one` and
 * `other` of the rows above.  Levels: 0. */
typedef struct tct_tree_places {
    uint32_t *starts, *ends, *one, *other;
} tct_tree_places;

static inline tct_tree_places tct_tree_places_of(const tct_treegrid *g)
{
    uint32_t *all = g->pieces.items;
    size_t room = g->n_pieces + TCT_TREE_SPARE;

    return (tct_tree_places){all, all + room, all + 2 * room, all + 3 * room};
}

/* The cells of an axis in a step of a sweep. */
typedef struct tct_tree_row {
    unsigned char *alive;
    int64_t *sums;   /* then the shares */
    int64_t *slices; /* or NULL */
    size_t n;
    int64_t rest, target;
    int64_t least; /* sum of a living cell; TCT_TREE_FAR: none lives */
    size_t best;   /* the first cell that has it */
} tct_tree_row;

/* Everything that the loops read and write, with its types. */
typedef struct tct_treebound_view {
    const tct_tree_link *links; /* axis by axis */
    tct_tree_rest *rests;
    const uint32_t *maps;
    const int64_t *values; /* per leaf */
    const uint64_t *who;   /* per piece: leaves that it reaches */
    unsigned char *here;   /* per piece: does it live? */
    int64_t *h;            /* per piece; 0 where it is dead */
    int64_t *most;         /* per link and leaf of its tree: the largest phi in it */
    int64_t *left;         /* per leaf: its value less these; TCT_TREE_FAR: nobody of the box is in it */
} tct_treebound_view;

/* Loops over the leaves of some links: own[0 ... n - 1]. */
typedef struct tct_treebound_loops {
    /* h of their pieces: the least leaf less what its tree gave to other axes.  The sum of their trees' parts. */
    int64_t (*find_h)(const tct_treebound_view *v, const tct_tree_link *own, size_t n);
    /* h of their pieces: the least leaf, whatever was shifted. */
    void (*find_raw)(const tct_treebound_view *v, const tct_tree_link *own, size_t n);
    /* Least and largest leaf of trees 0 ... n - 1 in the box: raw and most are set. */
    void (*find_extremes)(const tct_treebound_view *v, size_t n);
    /* Make the leaves know new phi and which pieces live.  The sum of their trees' parts, which are set. */
    int64_t (*shift)(const tct_treebound_view *v, const int64_t *phi, const tct_tree_link *own, size_t n);
    /* The same after a sweep's step, which leaves their trees parts of 0. */
    void (*give)(const tct_treebound_view *v, const int64_t *phi, const tct_tree_link *own, size_t n);
    /* The sums of living cells bound their slices; what reaches the target dies.  Sets `least`.  True: some died. */
    bool (*judge)(tct_tree_row *row);
    /* What every living cell has above the least, divided among n links, rounded down; FAR where it is dead.  Sets `best`. */
    void (*share)(tct_tree_row *row, size_t n);
    /* The rows of the least of runs of shares. */
    void (*spread)(const tct_tree_row *row);
    /* phi of living pieces first ... first + n - 1, of numbers: h less the least share in the piece. */
    void (*hand_out)(const tct_treebound_view *v, const tct_tree_places *places, const int64_t *rows, size_t first,
                     size_t n, int64_t *phi);
} tct_treebound_loops;

#endif

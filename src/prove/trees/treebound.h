/*
 * treebound.h -- what treebound.c and its loops share.
 */
#ifndef TCT_TREEBOUND_H
#define TCT_TREEBOUND_H

#include "treegrid.h"

#define TCT_TREE_FAR (INT64_MAX / 4) /* more than any sum; leaves that nobody of the box is in have about this */

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
} tct_treebound_loops;

#endif

/*
 * tree_walk.h -- where people end in trees, for many trees at a time.
 */
#ifndef TCT_TREE_WALK_H
#define TCT_TREE_WALK_H

#include "trees.h"

/* A node once more: cells base ... base + span - 1 go to `yes`, all others to `no`.  A leaf sends everybody to itself. */
typedef struct tct_tree_step {
    uint32_t base, span, yes, no, attribute;
} tct_tree_step;

/* Ensembles of trees of up to 16 leaves: what a cell leaves of the leaves of all trees, which are numbered from left to right.  A bit
 * is left iff no test about the attribute takes the leaf away; so the leaf that a person ends in is the one that all of
 * his cells leave. */
typedef struct tct_tree_reach {
    size_t n_rows;     /* attributes that some tree reads */
    size_t width;      /* of a row: trees, filled up */
    size_t *attribute; /* n_rows, ascending */
    size_t *first;     /* per attribute: the row of its first cell */
    uint32_t *leaves;  /* TCT_REACH_LEAVES per tree: nodes */
    uint16_t *rows;
} tct_tree_reach;

enum { TCT_REACH_LEAVES = 16 };

void tct_tree_reach_free(tct_tree_reach *reach);
/* What the cells of a person leave of trees first ... first + TCT_TREES_AT_ONCE - 1; UINT32_MAX: it is not known.  Bits that no
 * leaf has are left as well. */
void tct_tree_leave(const tct_tree_reach *reach, size_t first, const uint32_t *cells, uint16_t *left);

/* Where a node that is no leaf sends a cell. */
static inline size_t tct_tree_next(const tct_trees *trees, size_t i, uint32_t cell)
{
    if (trees->steps) {
        const tct_tree_step *step = &trees->steps[i];

        return cell - step->base < step->span ? step->yes : step->no;
    }
    return tct_tree_goes_left(trees, &trees->nodes[i], cell) ? i + 1 : trees->nodes[i].right;
}

/* Steps for the nodes of an ensemble that is finished, or what cells leave of its leaves.  Where a node's cells are no such run,
 * trees are walked node by node instead. */
tacit_status tct_tree_walk_prepare(tct_trees *trees, tacit_error *err);
/* The leaves, as indices of nodes, in which trees first ... first + n - 1 end; n is at most TCT_TREES_AT_ONCE, of which `first` is
 * a multiple. */
void tct_tree_walk(const tct_trees *trees, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves);
/* The same, one tree after the other, node by node. */
void tct_tree_walk_plain(const tct_trees *trees, size_t first, size_t n, const uint32_t *cells, uint32_t *leaves);

#endif

/*
 * trees.h -- ensembles of decision trees: boosted trees and forests.
 *
 * A tree asks one attribute after the other which side of a cut its value is on, or whether its level is in a set, and
 * ends in a number.  A score is the sum of what its trees end in, added to a start in the order of the trees, in single
 * or double precision as the library does that the ensemble was trained with.  With two classes the label is 1 iff the
 * score is at least `cut`.
 *
 * A forest of two classes adds up the shares of both, and compares these sums.  What is left of one is the other but for
 * rounding, so one score is enough for proofs, which stay clear of that; but the label of a person is that of both sums
 * (tct_rival), as the library has it.
 *
 * Trees see numbers by cells (cells.h): values that no test tells apart are one.  So a person is a vector of small whole
 * numbers, a node asks "cell < test" or "level in set", and what a proof quantifies over is finite.
 */
#ifndef TCT_TREES_H
#define TCT_TREES_H

#include "model.h"

enum {
    TCT_TREE_DEPTH = 500,      /* nodes from a root to a leaf, at most */
    TCT_TREES_AT_ONCE = 32,    /* looked at together */
    TCT_TREES_WALKED = 8,      /* of these, walked side by side */
    TCT_TREE_LEAF = UINT16_MAX /* in place of an attribute */
};

/* Nodes of a tree are in preorder: the left child of node i is i + 1. */
typedef struct tct_tree_node {
    double value; /* of a leaf */
    union {
        struct {
            uint32_t right; /* node */
            uint32_t test;  /* numbers: cells below it go left.  Levels: first word, in `sets`, of those that go left */
        };
        double rival; /* of a leaf: what it adds to the sum of the rival, if there is one */
    };
    uint16_t attribute;
    bool missing_left; /* numbers: where "missing" goes */
} tct_tree_node;

/* How the trees see an attribute. */
typedef struct tct_tree_attribute {
    size_t first, width; /* inputs */
    size_t count;        /* cells, that for "missing" included; or levels */
    bool levels;         /* tests are about sets of levels */
    bool missing;        /* numbers: the last cell is for that */
    double *cuts;        /* numbers */
    size_t n_cuts;
} tct_tree_attribute;

/* Two classes: the sum of the first, which that of the second is compared with. */
typedef struct tct_rival {
    double divide; /* both sums are divided by it before; 0: there is no rival, the score is compared with the cut */
    double start;
    bool ties_won; /* by the second class */
} tct_rival;

typedef struct tct_trees {
    tct_classifier base;
    bool single;   /* scores are added up, and numbers compared, in single precision */
    bool wide;     /* numbers are compared in double precision all the same: something was done to them before */
    double *start; /* n_scores: what the trees are added to */
    double cut;    /* one score: label 1 iff it is at least this; with a rival near enough to where the two are equal */
    tct_rival rival;
    double slack;  /* proofs must leave so much between scores: what a library does after the sum may round it away */
    bool in_order; /* proofs are about sums in the order of the trees alone; else in whatever order */
    tct_tree_attribute *attributes;
    size_t n_attributes;
    size_t *roots;    /* n_trees + 1: the nodes of tree t are roots[t] ... roots[t + 1] - 1 */
    uint16_t *scores; /* n_trees: which score it belongs to */
    size_t n_trees, roots_room, scores_room;
    tct_tree_node *nodes;
    size_t n_nodes, nodes_room;
    uint64_t *sets;
    size_t n_sets, sets_room; /* words */
    size_t n_leaves;
    struct tct_tree_step *steps;  /* NULL, or the nodes as tree_walk.h has them */
    struct tct_tree_reach *reach; /* NULL, or what each cell leaves of the leaves */
    struct tct_tree_crowd *crowd; /* NULL, or how many people go through them side by side */
} tct_trees;
extern const tct_classifier_ops tct_trees_ops;

/* The classifier as trees, or NULL when it is of another kind. */
const tct_trees *tct_as_trees(const tct_classifier *classifier);

/* Building: an ensemble of no trees over these attributes, whose `first` is set here and whose cuts are copied; then
 * trees in their order, each node in preorder; then a look at the whole, without which it is good for nothing. */
tacit_status tct_trees_new(tct_trees **out, size_t n_classes, const tct_tree_attribute *attributes, size_t n_attributes,
                           tacit_error *err);
tacit_status tct_trees_begin_tree(tct_trees *trees, size_t score, tacit_error *err);
/* *index: of the node; its `right` may be set later. */
tacit_status tct_trees_add_node(tct_trees *trees, const tct_tree_node *node, size_t *index, tacit_error *err);
/* Room for a set of the attribute's levels, empty; *first: its first word. */
tacit_status tct_trees_add_set(tct_trees *trees, size_t attribute, uint32_t *first, tacit_error *err);
tacit_status tct_trees_finish(tct_trees *trees, tacit_error *err);
void tct_trees_free(tct_trees *trees);

/* Let a codec read numbers as these trees do. */
tacit_status tct_trees_codec(const tct_classifier *self, tct_codec *codec, tacit_error *err);

static inline bool tct_set_has(const uint64_t *set, size_t k)
{
    return set[k / 64] >> (k % 64) & 1;
}

static inline size_t tct_set_words(size_t count)
{
    return (count + 63) / 64;
}

/* Which way a node sends a cell or level. */
static inline bool tct_tree_goes_left(const tct_trees *trees, const tct_tree_node *node, uint32_t cell)
{
    const tct_tree_attribute *a = &trees->attributes[node->attribute];

    if (a->levels)
        return tct_set_has(trees->sets + node->test, cell);
    return cell > a->n_cuts ? node->missing_left : cell < node->test;
}

/* Cells of a person, one per attribute. */
void tct_trees_cells(const tct_trees *trees, const double *x, uint32_t *cells);
/* The deployed sums of such a person, start included, cut not. */
void tct_trees_sums(const tct_trees *trees, const uint32_t *cells, double *sums);
size_t tct_trees_label(const tct_trees *trees, const uint32_t *cells);

/* By how much a score may differ from the exact sum, whatever the order in which its terms are added up; `size` bounds
 * the sum of their absolute values, `n` is their number, start included. */
double tct_trees_rounding(const tct_trees *trees, size_t n, double size);

#endif

/*
 * tree_crowd.h -- the sums of many people, side by side in every tree.
 */
#ifndef TCT_TREE_CROWD_H
#define TCT_TREE_CROWD_H

#include "trees.h"

enum {
    TCT_CROWD = 512,       /* people looked at together, at most */
    TCT_CROWD_LEAST = 32,  /* fewer are walked one by one */
    TCT_CROWD_LEAVES = 16, /* of a tree, at every level of instructions */
    TCT_CROWD_WIDE = 64    /* at the best one */
};

/* A node: who has cell - base >= span, in 16 bits, goes right, and does not reach the leaves of `left`. */
typedef struct tct_crowd_test {
    uint64_t left;
    uint16_t row;
    bool by_level; /* cells that go left are no run: it is as `node` has it */
    union {
        struct {
            uint16_t base, span;
        };
        uint32_t node;
    };
} tct_crowd_test;

typedef struct tct_tree_crowd {
    size_t n_rows;     /* attributes that some tree reads */
    size_t *attribute; /* n_rows, ascending */
    size_t *first;     /* n_trees + 1: tests of tree k are first[k] ... first[k + 1] - 1 */
    size_t *value;     /* n_trees + 1: its leaves, up to a power of two that is at least 16 */
    tct_crowd_test *tests;
    float *singles;  /* leaves, from left to right, the first one last: see tree_crowd.c */
    double *doubles; /* one of the two */
    size_t n_sides;  /* tests of a tree that are by level, at most */
    size_t people;   /* looked at together: as many as there is room for */
    bool wide;       /* some tree has more than TCT_CROWD_LEAVES leaves */
} tct_tree_crowd;

/* For an ensemble that is finished: NULL where its trees are too large, or cells or scores too many. */
tacit_status tct_tree_crowd_new(tct_tree_crowd **out, const tct_trees *trees, tacit_error *err);
void tct_tree_crowd_free(tct_tree_crowd *crowd);

/* The deployed sums of n people with inputs x[n x n_inputs], start included, into sums[n x n_scores]: the bits of tct_trees_sums.
 * False: there is no crowd, people are few, or the processor is no help; then nothing was done. */
bool tct_tree_crowd_sums(const tct_trees *trees, const double *x, size_t n, double *sums);

#endif

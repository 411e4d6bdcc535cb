/*
 * boost.h -- boosted trees: what is learnt from, how one tree is grown, and how many are added up.
 *
 * People are seen by cells (cells.h), as the finished trees will see them: numbers by cuts that were chosen before
 * (boost_cells.c), categories by their levels.  Slopes and curvatures of the loss are whole numbers, so that their sums
 * are exact: they depend neither on an order nor on the number of threads, and what one child of a node has is what its
 * parent has less the other's.
 */
#ifndef TCT_BOOST_H
#define TCT_BOOST_H

#include "train.h"
#include "trees.h"

enum {
    TCT_BOOST_CELLS = 256, /* of a number, at most, that for "missing" included */
    TCT_BOOST_DEPTH = 16   /* of a tree, at most */
};
#define TCT_BOOST_UNIT 0x1p30 /* slopes and curvatures are multiples of 1 / this */

/* Slope and curvature of the loss of one person in a score; of several, added up. */
typedef struct tct_slope {
    int32_t slope, curve;
} tct_slope;
typedef int64_t tct_slopes __attribute__((vector_size(16)));

/* How people are seen: an attribute of them. */
typedef struct tct_boost_column {
    size_t first;   /* in a list of sums with one entry for each cell of each column */
    uint32_t count; /* cells, that for "missing" included; or levels */
    bool levels, missing;
} tct_boost_column;

/* How a node sends people on. */
typedef struct tct_split_rule {
    double gain;   /* what it takes off the loss; 0: there is none */
    size_t column; /* or TACIT_NONE */
    uint32_t test; /* numbers: cells below it go left */
    bool missing_left;
    uint64_t set[(TCT_MAX_LEVELS + 63) / 64]; /* levels: those that go left */
    tct_slopes left;                          /* sums of who goes left */
} tct_split_rule;

/* A tree being grown. */
typedef struct tct_grower {
    size_t n, n_columns, n_cells; /* people; their attributes; all cells together */
    const tct_boost_column *columns;
    const uint16_t *cells; /* n x n_columns: one person after the other */
    size_t depth, threads;
    double l2, rate;
    const tct_slope *slopes; /* n: of the score that is improved */
    double *score;           /* n: improved */
    tct_trees *trees;        /* gets the nodes */
    uint32_t *rows, *spare;  /* n: people, node by node */
    tct_slopes *sums;        /* depth + 1 lists, and one for each thread but the first */
} tct_grower;

/* n, n_columns, n_cells, depth and threads are set. */
tacit_status tct_grower_init(tct_grower *grower, tacit_error *err);
void tct_grower_clear(tct_grower *grower); /* wipes */
/* Sums over some of the people for every cell. */
void tct_grower_sums(const tct_grower *grower, const uint32_t *rows, size_t n, tct_slopes *sums);
/* The split that gains most, given those sums and the sums over all these people. */
void tct_grower_split(const tct_grower *grower, const tct_slopes *sums, tct_slopes all, tct_split_rule *best);
/* A tree for everybody, at the end of the ensemble. */
tacit_status tct_grower_tree(tct_grower *grower, tacit_error *err);

/* The number nearest to v of so many significant digits. */
double tct_round_digits(double v, int digits);

#endif

/*
 * leaves.h -- does a claim hold over one part of its region?  One way to know per kind of classifier.
 *
 * These are the leaves of proofs.  They share nothing with the provers: whoever trusts them, and the walk through the
 * tree (checker.h), need not trust the search.  A yes is a proof about what scores() computes; a no says nothing,
 * except where the part is a single point.
 */
#ifndef TCT_LEAVES_H
#define TCT_LEAVES_H

#include "claim.h"

typedef struct tct_leaf tct_leaf;

/* One row of the table. */
typedef struct tct_leaf_ops {
    const char *kind;  /* of the classifiers it is for: tct_classifier_ops.kind */
    const char *proof; /* what receipts call such a proof */
    bool whole;        /* the region is its only leaf: such a proof needs no tree */
    tacit_status (*make)(tct_leaf **out, const tct_claim *claim, tacit_error *err); /* borrows the claim */
    void (*free)(tct_leaf *leaf);                                                   /* wipes */
    bool (*holds)(tct_leaf *leaf, const tct_region *part);
} tct_leaf_ops;

/* What all leaves begin with. */
struct tct_leaf {
    const tct_leaf_ops *ops;
    const tct_claim *claim;
    size_t against; /* after a no: a class that was not ruled out; TACIT_NONE: not known */
};

extern const tct_leaf_ops tct_leaf_linear, tct_leaf_network, tct_leaf_trees;

/* The row for a model's kind; NULL when there is none. */
const tct_leaf_ops *tct_leaf_row(const tacit_model *model);
/* Is there a row by whose leaves such proofs are made? */
bool tct_leaf_proof_exists(const char *proof);
/* One more row, for kinds that are not built in.  Before the first proof is checked; up to 8. */
void tct_leaf_add_row(const tct_leaf_ops *ops);

#endif

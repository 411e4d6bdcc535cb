/*
 * provers.h -- is the label the same for every completion of what is known?  One prover per kind of classifier.
 *
 * A prover decides regions; nobody outside its row knows how.  It belongs to one thread, and may keep what it has seen
 * of a person until it is told to forget.  A new kind of classifier is one row here, with its own way of proving.
 */
#ifndef TCT_PROVERS_H
#define TCT_PROVERS_H

#include "claim.h"
#include "proof.h"

/* What was found out about a region. */
typedef struct tct_finding {
    tacit_verdict verdict;
    size_t label;       /* TACIT_CERTIFIED */
    uint64_t nodes;     /* work: bounds evaluated */
    double *witness[2]; /* room for n_inputs each, given by the caller, or NULL when not wanted; filled when
                           TACIT_REFUTED: two completions with different labels */
} tct_finding;

typedef struct tct_prover tct_prover;

/* Bounds of a label's lead for every value of every attribute that is not known, all others staying as they are.  The
 * prover's, until it is used again. */
typedef struct tct_slices {
    const double *lower; /* 0: proven; else below 0 */
    const size_t *first; /* per attribute: its values are from here on, by index of its grid or levels */
    double now;          /* the bound without an answer, at most 0 */
    bool search;         /* a search with an answer put in is cheap enough to look ahead with */
} tct_slices;

/* One row of the table. */
typedef struct tct_prover_ops {
    const char *kind; /* of the classifiers it is for: tct_classifier_ops.kind */
    tacit_status (*make)(tct_prover **out, const tacit_model *model, tacit_error *err);
    void (*free)(tct_prover *prover); /* wipes */
    /* Decide a region.  budget: work in bounds evaluated, 0 for the usual.  A function of the region, the budget and
     * what was seen since the last `forget`; no clock.  TACIT_CERTIFIED only when proven about what scores() computes,
     * TACIT_REFUTED only with two completions that scores() gives different labels. */
    tacit_status (*decide)(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                           tacit_error *err);
    /* Slices of a region for a label.  NULL: it has none. */
    tacit_status (*slices)(tct_prover *prover, const tct_region *region, size_t label, tct_slices *out,
                           tacit_error *err);
    /* After slices(), and before anything else but such and searches with a budget: do people that it knows show that an
     * answer, by its index, does not settle the decision?  thorough: look at all of them.  NULL: it knows nobody. */
    tacit_status (*leaves_open)(tct_prover *prover, size_t attribute, size_t value, bool thorough, bool *open,
                                tacit_error *err);
    /* This region of the same person was decided without it: what is kept helps no more.  The region stays where it is
     * until the next question about the person is decided.  NULL: it has no slices. */
    void (*skip)(tct_prover *prover, const tct_region *region);
    /* Another person: wipe what is kept.  NULL: nothing is. */
    void (*forget)(tct_prover *prover);
    /* Does it decide every region in which one attribute is open and whole? */
    bool (*decides_one)(const tacit_model *model);
    /* Write a proof of the claim that the checker accepts.  *made is false, and the proof empty, when that takes more
     * than max_leaves leaves (0: TCT_PROOF_LEAVES), or when the claim is not true.  Deterministic. */
    tacit_status (*write)(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves, tacit_error *err);
} tct_prover_ops;

/* What all provers begin with. */
struct tct_prover {
    const tct_prover_ops *ops;
    const tacit_model *model; /* borrowed */
};

extern const tct_prover_ops tct_prover_linear, tct_prover_network, tct_prover_trees;

/* The row for a model's kind; NULL when there is none. */
const tct_prover_ops *tct_prover_row(const tacit_model *model);
/* One more row, for kinds that are not built in.  Before the first prover is made; up to 8. */
void tct_prover_add_row(const tct_prover_ops *ops);

/* TACIT_E_USAGE when nothing can be proven about this kind of model. */
tacit_status tct_prover_new(tct_prover **out, const tacit_model *model, tacit_error *err);
void tct_prover_free(tct_prover *prover);
tacit_status tct_prover_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                               tacit_error *err);
/* What provers of an experiment's models share (tacit_model.proven): models that differ in their roles and in nothing
 * else, and of one thread.  To be freed by tct_recall_free. */
tacit_status tct_proven_new(struct tct_recall **out, const tacit_model *model, tacit_error *err);
void tct_prover_forget(tct_prover *prover);
bool tct_prover_decides_one(const tacit_model *model);
/* As `write` of the row. */
tacit_status tct_prover_write(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves,
                              tacit_error *err);

/* One region and no more. */
tacit_status tct_certify(tct_finding *finding, const tacit_model *model, const tct_region *region, tacit_error *err);

/* Label of one point. */
size_t tct_label_of(const tct_classifier *classifier, const double *x);

#endif

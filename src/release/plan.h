/*
 * plan.h -- the stages of the protocol: which attributes are known, in which order they became known.
 *
 * Everything that depends on that but not on anybody's values (belief, score law, proof frame, value-free scores) is
 * computed once per stage and shared by everybody who comes through it.  Stages form trees that grow as they are
 * walked: a tree starts where some attributes are known, an edge is "this attribute became known".  A plan belongs to
 * one thread.
 */
#ifndef TCT_PLAN_H
#define TCT_PLAN_H

#include "linear_proof.h"
#include "rules.h"

typedef struct tct_stage tct_stage;
struct tct_stage {
    unsigned char *known; /* per attribute */
    size_t n_unknown;     /* attributes */
    tct_belief *belief;
    tct_law *law;                   /* linear classifiers; else NULL */
    tct_linear_proof *linear_proof; /* likewise */
    double *tau2;                   /* per attribute; one score only, else NULL */
    size_t attribute;               /* what became known last */
    tct_stage **children;           /* per attribute, NULL where not yet walked */
    tct_stage *next_loose;          /* list of stages that are not part of the tree */
    tct_stage *start;               /* where its tree begins */
    size_t bytes;                   /* of the whole tree; kept in its start */
};

typedef struct tct_plan tct_plan;

tacit_status tct_plan_new(tct_plan **out, const tacit_model *model, tacit_error *err);
void tct_plan_free(tct_plan *plan);
const tacit_model *tct_plan_model(const tct_plan *plan);
const tct_extremes *tct_plan_extremes(const tct_plan *plan); /* NULL unless linear */
/* Bytes the trees may grow to (default 64 MiB).  Beyond, new stages are made for the moment ("loose"), to be forgotten
 * soon: slower, same results.  Returns the limit before. */
size_t tct_plan_limit(tct_plan *plan, size_t bytes);

/* The stage in which exactly the attributes marked in `known` (NULL: none) are known, taken in schema order.  A few
 * such starts are kept, with the stages behind them.  Asking for one more drops the one not asked for the longest. */
tacit_status tct_plan_start(tct_plan *plan, const unsigned char *known, const tct_stage **out, tacit_error *err);
/* The same for exactly the public attributes. */
tacit_status tct_plan_public(tct_plan *plan, const tct_stage **out, tacit_error *err);
/* The stage after `stage` once `attribute`, unknown there, is known. */
tacit_status tct_plan_step(tct_plan *plan, const tct_stage *stage, size_t attribute, const tct_stage **out,
                           tacit_error *err);
/* Forget the loose stages made since the mark, except `keep` (NULL: none).  Marks nest. */
const tct_stage *tct_plan_mark(const tct_plan *plan);
void tct_plan_forget(tct_plan *plan, const tct_stage *mark, const tct_stage *keep);

#endif

/*
 * plan.h -- the stages of the protocol: which attributes are known, in which order they became known.
 *
 * Everything that depends on that but not on anybody's values (belief, score law, proof frame, value-free scores) is
 * computed once per stage and shared by everybody who comes through it.  Stages form a tree that grows as it is
 * walked: the root knows nothing, an edge is "this attribute became known".  A plan belongs to one thread.
 */
#ifndef TCT_PLAN_H
#define TCT_PLAN_H

#include "frame.h"
#include "rules.h"

typedef struct tct_stage tct_stage;
struct tct_stage {
    unsigned char *known; /* per attribute */
    size_t n_unknown;     /* attributes */
    tct_belief *belief;
    tct_law *law;
    tct_frame *frame;
    double *tau2;            /* per attribute; one score only, else NULL */
    const tct_stage *parent; /* NULL at the root */
    size_t attribute;        /* what became known last */
    tct_stage **children;    /* per attribute, NULL where not yet walked */
    tct_stage *next_loose;   /* list of stages that are not part of the tree */
};

typedef struct tct_plan tct_plan;

tacit_status tct_plan_new(tct_plan **out, const tacit_model *model, tacit_error *err);
void tct_plan_free(tct_plan *plan);
const tacit_model *tct_plan_model(const tct_plan *plan);
const tct_extremes *tct_plan_extremes(const tct_plan *plan);
/* Bytes the tree may grow to (default 64 MiB).  Beyond, new stages are made for the moment and forgotten by
 * tct_plan_forget: slower, same results. */
void tct_plan_limit(tct_plan *plan, size_t bytes);

const tct_stage *tct_plan_root(const tct_plan *plan);
/* The stage after `stage` once `attribute`, unknown there, is known. */
tacit_status tct_plan_step(tct_plan *plan, const tct_stage *stage, size_t attribute, const tct_stage **out,
                           tacit_error *err);
/* The stage in which exactly the public attributes are known, in schema order. */
tacit_status tct_plan_public(tct_plan *plan, const tct_stage **out, tacit_error *err);
/* Drop the stages made for the moment: between two people. */
void tct_plan_forget(tct_plan *plan);

#endif

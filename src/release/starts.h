/*
 * starts.h -- where walks begin: what was found there, by the values that are known there.
 *
 * An audit begins for everybody where the public attributes are known, and many people are alike in those.  What a prover
 * says there, and which question a rule of proofs asks first, is a function of those values alone; so it is found once
 * for all who are alike.  Nothing that anybody was asked for is kept: only values known at the start.  They are
 * wiped with the walker.  The table is of a fixed size, and who comes later may take another's place: what is found is
 * the same with and without.
 */
#ifndef TCT_STARTS_H
#define TCT_STARTS_H

#include "plan.h"

typedef struct tct_starts tct_starts;

/* What was found at a start. */
typedef struct tct_start {
    size_t label; /* proven; TACIT_NONE: open */
    size_t next;  /* where it is open: what to ask for */
} tct_start;

tacit_status tct_starts_new(tct_starts **out, const tacit_model *model, tacit_error *err);
void tct_starts_free(tct_starts *starts); /* wipes */
void tct_starts_forget(tct_starts *starts);
/* x: read where the stage, which is one that a plan starts with, knows.  NULL: nobody like that was seen. */
const tct_start *tct_starts_find(tct_starts *starts, const tct_stage *stage, const double *x);
/* Right after tct_starts_find found nothing for the same person. */
void tct_starts_keep(tct_starts *starts, tct_start found);

#endif

/*
 * alike.h -- people who are alike so far: what was found for one of them, by the values that are known (recall.h).
 *
 * An audit begins for everybody where the public attributes are known, and many people are alike in those.  What a prover
 * says there, what is likely, and which question a rule asks, is a function of those values alone; and so it goes on for
 * who give the same answers: walks that began alike asked for the same.  So it is found once for all who are alike.
 * Values are kept in audits only, which have them in a file, and wiped with the walker: what is found is the same with and
 * without.
 */
#ifndef TCT_ALIKE_H
#define TCT_ALIKE_H

#include "plan.h"

enum { TCT_ALIKE_PROMISES = 64 }; /* at most */

typedef struct tct_alike tct_alike;

/* What was found. */
typedef struct tct_found {
    tacit_settled settled; /* without regard to a promise */
    size_t label;          /* proven, or likely */
    double probability;    /* of that label, where anybody asks for it; else NaN */
    uint64_t kept;         /* bit i: promise i is, and was not before */
    size_t next;           /* what to ask for; TACIT_NONE: nothing */
} tct_found;

tacit_status tct_alike_new(tct_alike **out, const tacit_model *model, tacit_error *err);
void tct_alike_free(tct_alike *alike); /* wipes */
void tct_alike_forget(tct_alike *alike);
/* What is found is about these promises, n <= TCT_ALIKE_PROMISES; what was about others is forgotten. */
void tct_alike_about(tct_alike *alike, const tct_promise *promises, size_t n);
/* x: read where the stage knows.  NULL: nobody like that was seen. */
const tct_found *tct_alike_find(tct_alike *alike, const tct_stage *stage, const double *x);
/* Right after tct_alike_find found nothing for the same person. */
void tct_alike_keep(tct_alike *alike, tct_found found);

#endif

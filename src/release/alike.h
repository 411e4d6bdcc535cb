/*
 * alike.h -- people who are alike so far: what was found for one of them, by the values that are known (recall.h).
 *
 * An audit begins for everybody where the public attributes are known, and many people are alike in those.  What a prover
 * says there, what is likely, and which question a rule asks, is a function of those values alone; and so it goes on for
 * who give the same answers.  So it is found once for all who are alike.  Values are kept in audits only, which have them in
 * a file, and wiped with the walker: what is found is the same with and without.
 *
 * In an experiment the same people are asked again and again, each time for one attribute more (trial.c).  Once they have
 * told that one they stand where they stood before, and so it is found once for all sizes.
 */
#ifndef TCT_ALIKE_H
#define TCT_ALIKE_H

#include "plan.h"
#include "provers.h"
#include "score_laws.h"

enum { TCT_ALIKE_PROMISES = 64 }; /* at most */

typedef struct tct_alike tct_alike;

/* What was found. */
typedef struct tct_found {
    tacit_settled settled; /* without regard to a promise */
    size_t label;          /* proven, or likely */
    double probability;    /* of that label, where anybody asks for it; else NaN */
    uint64_t kept;         /* bit i: promise i is */
    bool chosen;           /* what to ask for is found too; else nobody had to know */
    size_t next;           /* that; TACIT_NONE: nothing */
} tct_found;

/* Does it pay?  Where only proofs count: if the prover looks ahead, which takes long.  Promises: wherever looking does, that
 * is, where it is not one score with a law of its own.  In experiments: wherever something is searched for. */
bool tct_alike_pays(const tacit_model *model, const tct_score_law_ops *law, const tct_prover *prover, bool proofs);
/* For walks by this rule and law.  Those of an experiment (tacit_model.alikes) share theirs.  But rules that prove compare
 * chances that may be the same, and rounding would tell where people came from: there every size has its own. */
tacit_status tct_alike_new(tct_alike **out, const tacit_model *model, const tct_rule_ops *rule,
                           const tct_score_law_ops *law, bool proofs, tacit_error *err);
void tct_alike_free(tct_alike *alike); /* wipes, unless it is an experiment's */
void tct_alike_forget(tct_alike *alike);
/* What is found is about these promises, n <= TCT_ALIKE_PROMISES; what was about others is forgotten. */
void tct_alike_about(tct_alike *alike, const tct_promise *promises, size_t n);
/* x: read where the stage knows.  NULL: nobody like that was seen. */
tct_found *tct_alike_find(tct_alike *alike, const tct_stage *stage, const double *x);
/* Right after tct_alike_find found `before` for the same person: instead of that, or of nothing. */
void tct_alike_keep(tct_alike *alike, tct_found *before, tct_found found);

/* Those of an experiment's walks, one for each rule and law: of models (tacit_model.alikes) that differ in their roles and
 * in nothing else, and of one thread. */
typedef struct tct_alikes tct_alikes;
/* model: one of them, which outlives this. */
tacit_status tct_alikes_new(tct_alikes **out, const tacit_model *model, tacit_error *err);
void tct_alikes_free(tct_alikes *alikes); /* wipes */

#endif

/*
 * alone.h -- the walk of one person through hundreds of questions, by a rule for proofs.
 *
 * The same questions as by the rules themselves (rule_margin.c) and the posterior of follow.h, which look at every candidate
 * after every answer.  Here most candidates are only known not to lead.
 */
#ifndef TCT_ALONE_H
#define TCT_ALONE_H

#include "plan.h"

typedef struct tct_alone tct_alone;

/* *out stays NULL where it does not apply: follow.h does not, or a question is a category. */
tacit_status tct_alone_new(tct_alone **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err);
void tct_alone_free(tct_alone *alone); /* wipes */

/* From `from` on until the decision is proven, or everything known: asked[] in order.  view: of the rule, as far as it is
 * the same for all steps; candidates[], one per attribute, and scratch are room for the rule.  stop: it is TACIT_RULE_STOP,
 * else TACIT_RULE_MARGIN.  *label: TACIT_NONE if everything became known.  Returns false, and does nothing, where something
 * unknown is no candidate. */
bool tct_alone_walk(tct_alone *alone, const tct_stage *from, const double *x, bool stop, const tct_view *view,
                    size_t *candidates, double *scratch, size_t *asked, size_t *n_asked, size_t *label);

#endif

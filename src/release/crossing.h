/*
 * crossing.h -- from which promise on the entropy rule asks for less than the rule of proofs.
 *
 * Left open, the rule is the one of proofs at delta = 0.  As promises get looser more people are stopped as likely, to
 * which the entropy rule is the shorter way, and at some delta it overtakes the other.  Where depends on the model.  So it
 * is found out, once a model: people are drawn from its Gaussian and asked both ways.
 */
#ifndef TCT_CROSSING_H
#define TCT_CROSSING_H

#include "rules.h"

/* The rule (never AUTO) that `rule` means for this delta and model. */
tacit_status tct_rule_at(tacit_rule *out, tacit_rule rule, double delta, const tacit_model *model, tacit_error *err);

#endif

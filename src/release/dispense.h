/*
 * dispense.h -- what one person could have kept to themselves.
 *
 * An attribute is indispensable to a person if, with everything else known, the decision still depends on it: some
 * value of it changes the label.  An answer is spare if the decision stays proven without it, the other answers given.
 */
#ifndef TCT_DISPENSE_H
#define TCT_DISPENSE_H

#include "model.h"

typedef struct tct_dispense tct_dispense;
/* For the sensitive attributes of `model`, which it borrows. */
tacit_status tct_dispense_new(tct_dispense **out, const tacit_model *model, tacit_error *err);
void tct_dispense_free(tct_dispense *dispense); /* wipes */
/* Can a need be left open? */
bool tct_dispense_may_be_open(const tacit_model *model);

/* Does the decision about x, all known, depend on each sensitive attribute, the others known?  needs[i]: a tacit_need,
 * sensitive attributes in schema order.  Also begins with this person. */
tacit_status tct_dispense_needs(tct_dispense *dispense, const double *x, unsigned char *needs, tacit_error *err);
/* Which of n answers are spare, for a person whose decision they prove: asked[] attributes, needs[] as found for this
 * person.  spare[i]: 1 or 0 per sensitive attribute; 0 for what was not asked, and where it could not be proven. */
tacit_status tct_dispense_spare(tct_dispense *dispense, const double *x, const size_t *asked, size_t n,
                                const unsigned char *needs, unsigned char *spare, tacit_error *err);

#endif

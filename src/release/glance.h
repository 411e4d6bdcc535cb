/*
 * glance.h -- one look at a person as they stand, for certificates and for what a decision rests on.
 */
#ifndef TCT_GLANCE_H
#define TCT_GLANCE_H

#include "walk.h"

/* One look at a person as they stand, without a promise, by a plan and a walker of its own. */
typedef struct tct_glance {
    tct_plan *plan;
    tct_walker *walker; /* it has just looked */
    const tct_stage *stage;
    tct_look look;
} tct_glance;
/* seed: of people who are drawn.  To be ended whether it worked or not. */
tacit_status tct_glance_at(tct_glance *out, const tacit_person *person, uint64_t seed, tacit_error *err);
void tct_glance_end(tct_glance *glance);

#endif

/*
 * calibration_view.h -- what a model's calibration says, for people.
 */
#ifndef CLI_CALIBRATION_VIEW_H
#define CLI_CALIBRATION_VIEW_H

#include "tacit.h"

/* The table of levels and what it comes to, on standard output. */
void calibration_view(const tacit_model *model);
/* Were there people enough?  What was counted is told, and stands in the model file.  CLI_DONE, or a complaint. */
int calibration_enough(const tacit_model *model);

/* One sentence on where delta > 0 stops in a calibrated model; NULL when there is nothing to say.  Free it. */
char *calibration_sentence(const tacit_model *model, tacit_rule rule, double delta);

#endif

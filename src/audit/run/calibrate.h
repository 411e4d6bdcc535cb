/*
 * calibrate.h -- counting how often a nominal confidence was right.  One calibrator per thread; counts are whole
 * numbers and add up in any order.
 */
#ifndef TCT_CALIBRATE_H
#define TCT_CALIBRATE_H

#include "walk.h"

typedef struct tct_calibrator tct_calibrator;

tacit_status tct_calibrator_new(tct_calibrator **out, const tacit_model *model, tacit_error *err);
void tct_calibrator_free(tct_calibrator *calibrator); /* wipes */

/* Count n more people: input i of person r at x[i * stride + r].  A calibration the model may have plays no part. */
tacit_status tct_calibrator_count(tct_calibrator *calibrator, const double *x, size_t stride, size_t n,
                                  tacit_error *err);
/* Add what was counted. */
void tct_calibrator_add(const tct_calibrator *calibrator, tct_calibration *into);

#endif

/*
 * tacit/calibrate.h -- how far the confidence of a model can be trusted.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_CALIBRATE_H
#define TACIT_CALIBRATE_H

#include "audit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_calibrate_options {
    size_t size;     /* see tacit.h */
    tacit_part part; /* not the training part; ALL only for a file other than the training file */
    double alpha;    /* chance that the bounds do not hold, at least 1e-6 and below 1; 0 means 0.05 */
    size_t threads;  /* 0 = all cores; the result does not depend on it */
    bool unknown_as_missing;
    tacit_progress progress; /* in rows */
    void *progress_context;
} tacit_calibrate_options;

/* A copy of the model that knows how often its nominal confidence was right on these people.  At delta > 0 it stops as
 * likely only where the bounds allow it; where they never do, delta is kept by proof. */
TACIT_API tacit_status tacit_model_calibrate(tacit_model **out, const tacit_model *model, const tacit_table *table,
                                             const tacit_calibrate_options *options, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif

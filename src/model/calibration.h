/*
 * calibration.h -- how often a nominal confidence was right, counted on people the model was not trained on.
 *
 * A policy stops a person as likely at the first stage whose nominal confidence is at least 1 - q.  The levels q are
 * fixed once and for all: 0.4, 0.2, 0.1, ... , each half of the one before.  For every level the calibration holds how
 * many people were stopped as likely and how many of them got another label than with everything known; and the same
 * for those on its margins, whom a stricter level would have asked more.  Bounds, and the least delta that a level
 * keeps, follow from the counts (docs/METHOD.md, section 20), so a model file holds counts only.
 */
#ifndef TCT_CALIBRATION_H
#define TCT_CALIBRATION_H

#include "json.h"

enum { TCT_LEVELS = 16 };
/* The least alpha: below it the rounding of the bounds would matter. */
#define TCT_LEAST_ALPHA 1e-6
/* More people say nothing more, and their bounds would take long to compute. */
#define TCT_MOST_PEOPLE 1000000000
/* Margin m: people whom the level that many steps further would have asked more. */
extern const size_t tct_margin_steps[TACIT_MARGINS];
enum { TCT_MOST_STEPS = 3 };

typedef struct tct_calibration {
    double alpha;
    uint64_t people;
    char data_hash[65];
    tacit_calibration_row rows[TCT_LEVELS]; /* from the loosest to the strictest */
} tct_calibration;

/* The nominal failure that level k tolerates; also for levels beyond the last row. */
double tct_calibration_level(size_t k);

/* Fill everything that follows from alpha and the counts. */
void tct_calibration_derive(tct_calibration *calibration);

/* The nominal failure to tolerate so that delta is kept: that of the loosest level that keeps it.  0 when there
 * is none: then only proofs do.  Never more for a smaller delta. */
double tct_calibration_nominal(const tct_calibration *calibration, double delta);

/* The member "calibration" of a model file.  NULL on lack of memory. */
json_t *tct_calibration_to_json(const tct_calibration *calibration);
/* Checks everything that counts must obey. */
tacit_status tct_calibration_from_json(tct_calibration *out, const json_t *json, const tct_json_at *at,
                                       tacit_error *err);

#endif

/*
 * predictions.h -- does an imported model give the labels that the deployed one gave?
 */
#ifndef TCT_PREDICTIONS_H
#define TCT_PREDICTIONS_H

#include "model.h"

/* Compare the labels of all rows of a table with its column `column`, which has classes; or, for two classes,
 * probabilities of the second, compared with `threshold` (NaN: above one half).  Cells without a value are let be.  Rows
 * that differ are an error with the first of them and how many there are; so is a column in which nothing can be
 * compared.  *compared: rows. */
tacit_status tct_predictions_check(uint64_t *compared, const tacit_model *model, const tacit_table *table,
                                   const char *column, double threshold, tacit_error *err);

#endif

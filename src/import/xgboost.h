/*
 * xgboost.h -- ensembles of trees from the model files of XGBoost.
 */
#ifndef TCT_XGBOOST_H
#define TCT_XGBOOST_H

#include "json.h"
#include "raw_trees.h"

/* What is in a model file of XGBoost (versions 1.0 to 3.x), from its JSON.  threshold: label 1 iff the probability is at
 * least this; NaN: as XGBoost's predict does.  What is not known to be decided as deployed is refused by name. */
tacit_status tct_xgboost_read(tct_raw_trees *raw, const json_t *root, const char *file, double threshold,
                              tacit_error *err);

#endif

/*
 * catboost.h -- ensembles of trees from the JSON models of CatBoost.
 */
#ifndef TCT_CATBOOST_H
#define TCT_CATBOOST_H

#include "json.h"
#include "raw_trees.h"

/* Does a JSON document look like a model of CatBoost? */
bool tct_catboost_looks_like(const json_t *root);

/* What is in such a model whose tests are on numbers.  threshold: label 1 iff the probability is at least this; NaN: as
 * CatBoost's predict does, iff the score is above 0.  What is not known to be decided as deployed is refused by name. */
tacit_status tct_catboost_read(tct_raw_trees *raw, const json_t *root, const char *file, double threshold,
                               tacit_error *err);

#endif

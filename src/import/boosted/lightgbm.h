/*
 * lightgbm.h -- ensembles of trees from the model files of LightGBM.
 */
#ifndef TCT_LIGHTGBM_H
#define TCT_LIGHTGBM_H

#include "raw_trees.h"

/* Do the bytes begin like a text model of LightGBM? */
bool tct_lightgbm_looks_like(const char *bytes, size_t size);

/* What is in a text model of LightGBM (versions v2 to v4).  table: with the people; where it has no column of the first
 * feature's name and all names are those that LightGBM gives by itself, the features have no names.  threshold: label 1
 * iff the probability is at least this; NaN: as LightGBM's classifier does, above one half.  What is not known to be
 * decided as deployed is refused by name. */
tacit_status tct_lightgbm_read(tct_raw_trees *raw, const char *bytes, size_t size, const char *file,
                               const tacit_table *table, double threshold, tacit_error *err);

#endif

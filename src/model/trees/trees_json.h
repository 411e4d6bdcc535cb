/*
 * trees_json.h -- an ensemble of trees in a model file.
 */
#ifndef TCT_TREES_JSON_H
#define TCT_TREES_JSON_H

#include "trees.h"

json_t *tct_trees_to_json(const tct_classifier *self);
tacit_status tct_trees_from_json(tct_classifier **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                                 size_t n_classes, tacit_error *err);

#endif

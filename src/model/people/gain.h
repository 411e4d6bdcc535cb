/*
 * gain.h -- what a classifier adds to always giving the most frequent class.
 */
#ifndef TCT_GAIN_H
#define TCT_GAIN_H

#include "base.h"

/* From counts: people of class t who are given class d are confusion[t * n_classes + d]. */
void tct_baseline_of(tacit_baseline *out, const uint64_t *confusion, size_t n_classes);

#endif

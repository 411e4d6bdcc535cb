/*
 * decided_view.h -- what a model decides, from what, and whether it is worth asking anybody for.
 */
#ifndef CLI_DECIDED_VIEW_H
#define CLI_DECIDED_VIEW_H

#include "tacit.h"

/* The section of an audit, to standard output. */
void decided_view(const tacit_audit *audit);
/* Whether the model was trained on the people audited: a remark, to standard output. */
void provenance_view(const tacit_audit *audit);
/* Columns whose values are spread otherwise than in training, and what clipping changes: remarks, to standard output. */
void quality_view(const tacit_audit *audit);
/* One or two sentences: right how often, and against always giving the most frequent class, called `majority`.  free it. */
char *decided_sentence(const tacit_baseline *baseline, const char *majority);
/* A word of warning when it is not better than that, else NULL; free it. */
char *decided_warning(const tacit_baseline *baseline, const char *majority);

#endif

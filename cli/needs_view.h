/*
 * needs_view.h -- what decisions depend on, beside what was asked for.
 */
#ifndef CLI_NEEDS_VIEW_H
#define CLI_NEEDS_VIEW_H

#include "tacit.h"

/* A table about the first delta of the audit; nothing if it was not counted. */
void needs_view(const tacit_schema *schema, const tacit_audit *audit);

#endif

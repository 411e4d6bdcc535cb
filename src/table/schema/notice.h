/*
 * notice.h -- remarks on columns that repeat each other or point at people.
 */
#ifndef TCT_NOTICE_H
#define TCT_NOTICE_H

#include "schema.h"

/* Look at the training rows of the table that the schema was inferred from, and add remarks of the kinds near_unique,
 * determined and near_duplicate.  held: by row number - 1. */
tacit_status tct_notice_columns(tacit_schema *schema, const tacit_table *table, const bool *held, tacit_error *err);

#endif

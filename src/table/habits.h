/*
 * habits.h -- how a file is written, found out from all of it: what stands for "missing", and the decimal mark.
 */
#ifndef TCT_HABITS_H
#define TCT_HABITS_H

#include "schema.h"

/* Settle what the options left open, for a table whose blocks are split. */
tacit_status tct_habits_find(tacit_table *table, const tacit_csv_options *opt, tacit_error *err);
/* Remarks on what was found out. */
tacit_status tct_habits_remark(tacit_schema *schema, const tacit_table *table, tacit_error *err);
/* The schema's "csv" says how this table was read: markers and decimal mark. */
tacit_status tct_habits_keep(tacit_schema *schema, const tacit_table *table, tacit_error *err);

#endif

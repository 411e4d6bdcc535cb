/*
 * habits.h -- how a file is written, found out from all of it: what stands for "missing", and the decimal mark.
 */
#ifndef TCT_HABITS_H
#define TCT_HABITS_H

#include "schema.h"

/* What the options leave open is looked for: begin before the first block, note every block that is split (by any
 * thread), find when all blocks are there. */
tacit_status tct_habits_begin(tacit_table *table, const tacit_csv_options *options, tacit_error *err);
void tct_habits_note(tacit_table *table, const tct_block *block);
tacit_status tct_habits_find(tacit_table *table, tacit_error *err);
/* The spellings that programs write for "no value". */
enum { TCT_USUAL_MARKERS = 9 };
extern const char *const tct_usual_markers[TCT_USUAL_MARKERS];

/* Remarks on what was found out. */
tacit_status tct_habits_remark(tacit_schema *schema, const tacit_table *table, tacit_error *err);
/* The schema's "csv" says how this table was read: markers and decimal mark. */
tacit_status tct_habits_keep(tacit_schema *schema, const tacit_table *table, tacit_error *err);

#endif

/*
 * remarks.h -- what was noticed in a table: columns that identify people, that repeat each other, that cannot matter.
 *
 * A remark names columns and says something about them, never a value of anybody.  `fit` makes them, the schema and the
 * model carry them, audits and reports show them.
 */
#ifndef TCT_REMARKS_H
#define TCT_REMARKS_H

#include "base.h"

struct tacit_schema;

/* More than these are cut off, and the last remark says so. */
enum { TCT_MAX_REMARKS = 200, TCT_MAX_REMARK_COLUMNS = 50, TCT_MAX_REMARK = 10000 };

/* Append a remark on these columns; a printf-style text. */
tacit_status tct_remark_add(struct tacit_schema *schema, const char *kind, const char *const *columns, size_t n_columns,
                            tacit_error *err, const char *format, ...) __attribute__((format(printf, 6, 7)));
tacit_status tct_remarks_copy(struct tacit_schema *to, const struct tacit_schema *from, tacit_error *err);
void tct_remarks_clear(struct tacit_schema *schema);

#endif

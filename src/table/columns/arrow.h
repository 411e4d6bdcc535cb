/*
 * arrow.h -- what an Arrow schema and its arrays say, as vectors.
 */
#ifndef TCT_ARROW_H
#define TCT_ARROW_H

#include "vectors.h"

/* Is this the schema of a record batch?  Errors name the table (`name`), the column and its type. */
tacit_status tct_arrow_check_schema(const struct ArrowSchema *schema, const char *name, tacit_error *err);

/* Vectors of an array of that schema: 2 per column, the second is room for a dictionary.  Buffers have no size in this
 * interface: that they are as long as the lengths say is the producer's word. */
tacit_status tct_arrow_vectors(tct_vector *out, const struct ArrowSchema *schema, const struct ArrowArray *array,
                               const char *name, tacit_error *err);

#endif

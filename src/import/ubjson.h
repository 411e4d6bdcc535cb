/*
 * ubjson.h -- Universal Binary JSON (draft 12), as XGBoost writes it, into JSON in memory.
 */
#ifndef TCT_UBJSON_H
#define TCT_UBJSON_H

#include "json.h"

/* Does this look like an object in UBJSON rather than JSON? */
bool tct_ubjson_looks_like(const char *bytes, size_t size);
/* All of the bytes must be one value.  Numbers that are not finite become null. */
tacit_status tct_ubjson_parse(json_t **out, const char *bytes, size_t size, const char *file, tacit_error *err);

#endif

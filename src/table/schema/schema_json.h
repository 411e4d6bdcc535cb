/*
 * schema_json.h -- what the files that read and write schemas share.
 */
#ifndef TCT_SCHEMA_JSON_H
#define TCT_SCHEMA_JSON_H

#include "schema.h"

/* A text of a schema: UTF-8 without control characters, at most `limit` bytes. */
tacit_status tct_json_check_text(const char *text, size_t limit, const char *key, const tct_json_at *at,
                                 tacit_error *err);
/* A list of different names, borrowed from the JSON; the list itself is the caller's. */
tacit_status tct_json_names(const char ***out, size_t *count, const json_t *object, const char *key, size_t least,
                            size_t most, const tct_json_at *at, tacit_error *err);

/* ---- csv_json.c ---- */

/* file: of a schema file, else of a model file. */
tacit_status tct_csv_from_json(tacit_csv_options *csv, const json_t *json, bool file, const tct_json_at *at,
                               tacit_error *err);
/* Add "csv" where anything is to be said; false on lack of memory. */
void tct_put_csv(json_t **json, const tacit_csv_options *csv, bool file);

/* ---- remarks_json.c ---- */

/* The member "remarks", which may be left out. */
tacit_status tct_remarks_from_json(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err);

#endif

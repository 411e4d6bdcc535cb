/*
 * audit_json.h -- an audit as a JSON value, for what is written from it.
 */
#ifndef TCT_AUDIT_JSON_H
#define TCT_AUDIT_JSON_H

#include "audit.h"
#include "json.h"

/* NULL on lack of memory. `about` may be NULL. */
json_t *tct_audit_to_json(const tacit_audit *audit, const tacit_audit_provenance *about);
/* All groupings: what is shown of them, with intervals and differences. */
json_t *tct_groupings_json(const tacit_audit *audit);

#endif

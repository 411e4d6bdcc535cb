/*
 * audit_quality_json.h -- the parts of an audit's JSON that are about the data: column by column, and whom it touches.
 */
#ifndef TCT_AUDIT_QUALITY_JSON_H
#define TCT_AUDIT_QUALITY_JSON_H

#include "audit.h"
#include "json.h"

/* Each NULL on lack of memory. */
json_t *tct_audit_cells_json(const tacit_audit *audit);
json_t *tct_audit_quality_json(const tacit_audit *audit);
json_t *tct_audit_quality_people_json(const tacit_audit *audit);
/* How they fare at one delta. */
json_t *tct_audit_released_json(const tacit_audit *audit, const tacit_audit_result *result);

#endif

/*
 * audit_decided_json.h -- the parts of an audit's JSON that say what is decided, from what, and how well.
 */
#ifndef TCT_AUDIT_DECIDED_JSON_H
#define TCT_AUDIT_DECIDED_JSON_H

#include "audit.h"
#include "json.h"

/* Each NULL on lack of memory. */
json_t *tct_audit_label_json(const tacit_audit *audit);
json_t *tct_audit_public_json(const tacit_audit *audit);            /* names */
json_t *tct_audit_public_attributes_json(const tacit_audit *audit); /* and what is to be said about them */
json_t *tct_audit_baseline_json(const tacit_audit *audit);
/* What the description says about an attribute beside its name, into its object. */
void tct_audit_put_description(json_t **object, const tacit_audit *audit, size_t attribute);

#endif

/*
 * audit_json.h -- an audit as a JSON value, for what is written from it.
 */
#ifndef TCT_AUDIT_JSON_H
#define TCT_AUDIT_JSON_H

#include "audit.h"
#include "json.h"

/* The ends of an interval. */
static inline json_t *tct_ends_json(double low, double high)
{
    const double ends[] = {low, high};

    return tct_json_numbers(ends, 2);
}

/* NULL on lack of memory. `about` may be NULL. */
json_t *tct_audit_to_json(const tacit_audit *audit, const tacit_audit_provenance *about);
/* All groupings: what is shown of them, with intervals and differences. */
json_t *tct_groupings_json(const tacit_audit *audit);
/* The same with what is said about it from outside (about_json, necessity); *out is NULL on failure. */
tacit_status tct_audit_document(json_t **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                tacit_error *err);

#endif

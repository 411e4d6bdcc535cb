/*
 * describe.h -- what an audit is about, in words: what is decided, what is known and what is asked for, what the owner
 * says about the model.
 *
 * One JSON object, made from the model once.  Partial audits carry it as it is, so that whoever joins them knows as much
 * as whoever had the model:
 *
 *   { "model": {"origin", "data_hash", "train_rows", "test_rows"}, "label": {"name", "classes": [{"name"}]}, "attributes": [{"name", "role", "question", ...}], "about": {},
 *     "remarks": [] }
 *
 * Names are checked when it is read; texts to be shown flow through.
 */
#ifndef TCT_DESCRIBE_H
#define TCT_DESCRIBE_H

#include "audit.h"
#include "json.h"
#include "model.h"

/* NULL on lack of memory. */
json_t *tct_describe_model(const tacit_model *model);
/* Is it such an object, and do its sensitive attributes have these names? */
tacit_status tct_describe_check(const json_t *describe, char *const *names, const size_t *attributes,
                                size_t n_sensitive, const tct_json_at *at, tacit_error *err);

/* What is in it; checked before. */
tacit_origin tct_describe_origin(const json_t *describe);
uint64_t tct_describe_count(const json_t *describe, const char *key); /* "train_rows", "test_rows" */
const char *tct_describe_label(const json_t *describe);
size_t tct_describe_classes(const json_t *describe);
const json_t *tct_describe_class(const json_t *describe, size_t c);
size_t tct_describe_attributes(const json_t *describe);
const json_t *tct_describe_attribute(const json_t *describe, size_t a);
const char *tct_describe_name(const json_t *entry); /* of a class or an attribute */
bool tct_describe_is_public(const json_t *attribute);

#endif

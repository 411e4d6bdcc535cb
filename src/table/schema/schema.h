/*
 * schema.h -- the inside of tacit_schema: attributes and label, read from JSON, inferred from a table, checked.
 */
#ifndef TCT_SCHEMA_H
#define TCT_SCHEMA_H

#include "base.h"
#include "csv.h"
#include "json.h"
#include "texts.h"

/* Limits, each with its error message. */
enum {
    TCT_MAX_ATTRIBUTES = 8192,
    TCT_MAX_LEVELS = 1000, /* per category */
    TCT_MAX_CLASSES = 256,
    TCT_MAX_INPUTS = 8192,
    TCT_MAX_COLUMNS = 10000, /* names of columns in a schema's "csv" */
    TCT_MAX_NAME = 120,      /* bytes of an attribute, level or class name */
    TCT_MAX_TEXT = 1000,     /* bytes of a question or help text */
    TCT_MAX_GRID = 1000000   /* values of an integer; beyond it is a number */
};

struct tacit_schema {
    tacit_attribute *attributes; /* strings and levels owned here */
    size_t n_attributes;
    char *label;
    char **classes; /* sorted: by value when all are numbers, else by bytes */
    size_t n_classes;
    tacit_remark *remarks; /* owned here */
    size_t n_remarks;
    tacit_csv_options csv;                /* how its files are written; texts owned here */
    tct_wording about[TCT_ABOUT];         /* by tct_about_keys */
    tct_wording label_text, *class_texts; /* what people are shown; class_texts: one per class, or NULL */
    tct_attribute_texts *texts;           /* one per attribute */
};

tacit_status tct_schema_from_json(tacit_schema **out, const json_t *json, const tct_json_at *at, tacit_error *err);
/* A schema as model files hold it, and as schema files do; NULL on lack of memory. */
json_t *tct_schema_to_json(const tacit_schema *schema);
json_t *tct_schema_to_file_json(const tacit_schema *schema);
/* Does the schema say nothing that programs before model files of version 3 did not know? */
bool tct_schema_is_plain(const tacit_schema *schema);
/* All that people are shown: {"label": text, "classes": {class: text}, "attributes": {name: {"text", "texts",
 * "question", "help", "special"}}, "about": {...}}.  Nothing that is not said, but for question, attributes, about. */
json_t *tct_schema_texts_json(const tacit_schema *schema);
/* The remarks: [{"kind", "columns", "text"}, ...], empty when there are none; NULL on lack of memory. */
json_t *tct_schema_remarks_json(const tacit_schema *schema);
tacit_status tct_schema_copy(tacit_schema **out, const tacit_schema *schema, tacit_error *err);

/* tacit_schema_infer with columns that are categories whatever they hold. */
tacit_status tct_schema_infer_as(tacit_schema **out, const tacit_table *table, const tacit_infer_options *options,
                                 const char *const *categories, size_t n_categories, tacit_error *err);

/* Building one: append a copy of an attribute (question NULL or "": made from the name; help NULL: ""). */
tacit_status tct_schema_add(tacit_schema *schema, const tacit_attribute *attribute, tacit_error *err);
/* A copy of a list of texts. */
tacit_status tct_schema_copy_texts(char ***out, const char *const *texts, size_t count, tacit_error *err);
/* Numbers the attributes need once encoded; more than TCT_MAX_INPUTS is an error. */
tacit_status tct_schema_check_inputs(const tacit_schema *schema, tacit_error *err);
/* May `value` be a bound of an integer's domain: whole and exact? */
bool tct_schema_is_whole(double value);

#endif

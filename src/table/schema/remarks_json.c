/*
 * remarks_json.c -- the remarks of a schema as JSON: [{"kind": ..., "columns": [...], "text": ...}, ...].
 *
 * Files may come from a later Tacit that makes other remarks, so any kind is accepted; kinds are short words.
 */
#include "json_put.h"
#include "remarks.h"
#include "schema.h"
#include "schema_json.h"

static json_t *write_remark(const tacit_remark *remark)
{
    json_t *json = json_object();

    tct_put_text(&json, "kind", remark->kind);
    tct_put(&json, "columns", tct_texts_json(remark->columns, remark->n_columns));
    tct_put_text(&json, "text", remark->text);
    return json;
}

json_t *tct_schema_remarks_json(const tacit_schema *schema)
{
    json_t *array = json_array();

    for (size_t i = 0; i < schema->n_remarks; i++)
        tct_append(&array, write_remark(&schema->remarks[i]));
    return array;
}

static tacit_status read_remark(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    static const char *const keys[] = {"kind", "columns", "text"};
    const char *kind = NULL, *text = NULL, **columns = NULL;
    size_t n_columns = 0;
    tacit_status st = tct_json_check_keys(json, keys, sizeof(keys) / sizeof(*keys), at, err);

    if (!st)
        st = tct_json_get_string(&kind, json, "kind", at, err);
    if (!st)
        st = tct_json_check_text(kind, TCT_MAX_NAME, "kind", at, err);
    if (!st)
        st = tct_json_get_string(&text, json, "text", at, err);
    if (!st)
        st = tct_json_check_text(text, TCT_MAX_REMARK, "text", at, err);
    if (!st)
        st = tct_json_names(&columns, &n_columns, json, "columns", 0, TCT_MAX_REMARK_COLUMNS, at, err);
    if (!st)
        st = tct_remark_add(schema, kind, columns, n_columns, err, "%s", text);
    tct_free(columns);
    return st;
}

tacit_status tct_remarks_from_json(tacit_schema *schema, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at list = {.parent = at, .key = "remarks"};
    json_t *array;
    tacit_status st;

    if (!json_object_get(json, "remarks"))
        return TACIT_OK;
    st = tct_json_get_array(&array, json, "remarks", at, err);
    if (!st && json_array_size(array) > TCT_MAX_REMARKS)
        st = tct_json_fail(&list, NULL, err, "expected at most %d remarks", TCT_MAX_REMARKS);
    for (size_t i = 0; !st && i < json_array_size(array); i++) {
        tct_json_at item = {.parent = &list, .index = i};

        st = read_remark(schema, json_array_get(array, i), &item, err);
    }
    return st;
}

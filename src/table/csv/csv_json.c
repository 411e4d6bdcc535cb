/*
 * csv_json.c -- how files are written, as the member "csv" of a schema.
 *
 * A schema file says all of it.  A model file says what the next file of people must be read by as well, whoever wrote
 * it: what stands for "missing", and the decimal mark.
 */
#include <string.h>

#include "json_put.h"
#include "schema.h"
#include "schema_json.h"

#define MAX_SKIP 1000000000

/* Set a text of the schema's own; checks it first. */
static tacit_status keep_text(const char **out, const char *text, const char *key, const tct_json_at *at,
                              tacit_error *err)
{
    tacit_status st = tct_json_check_text(text, TCT_MAX_TEXT, key, at, err);

    if (st)
        return st;
    *out = tct_strdup(text);
    return *out ? TACIT_OK : tct_fail_memory(err);
}

static tacit_status read_separator(char *out, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL;
    tacit_status st = tct_json_optional_string(&text, json, "separator", at, err);

    if (st || !text)
        return st;
    if (strcmp(text, "tab") == 0)
        text = "\t";
    if (strlen(text) != 1 || strchr("\"\n\r", text[0]))
        return tct_json_fail(at, "separator", err, "expected one character other than the quote, or \"tab\"");
    *out = text[0];
    return TACIT_OK;
}

/* Markers, separated by commas as on the command line. */
static tacit_status read_markers(const char **out, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL;
    tct_names names = {0};
    tacit_status st = tct_json_optional_string(&text, json, "missing", at, err);

    if (st || !text)
        return st;
    st = keep_text(out, text, "missing", at, err);
    if (st)
        return st;
    st = tct_names_split(&names, text, err);
    if (st == TACIT_E_USAGE || (!st && names.count == 0))
        st = tct_json_fail(at, "missing", err, "expected markers separated by commas");
    tct_names_free(&names);
    return st;
}

static tacit_status read_decimal(char *out, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *text = NULL;
    tacit_status st = tct_json_optional_string(&text, json, "decimal", at, err);

    if (st || !text)
        return st;
    if (strcmp(text, ",") != 0 && strcmp(text, ".") != 0)
        return tct_json_fail(at, "decimal", err, "expected \".\" or \",\"");
    *out = text[0];
    return TACIT_OK;
}

/* Names of columns, kept as the one text that tacit_csv_options has. */
static tacit_status read_columns(tacit_csv_options *csv, const json_t *json, const tct_json_at *at, tacit_error *err)
{
    tct_json_at list = {.parent = at, .key = "names"};
    const char **names = NULL;
    tct_text joined = {0};
    size_t count = 0;
    tacit_status st;

    if (!json_object_get(json, "names"))
        return TACIT_OK;
    if (!csv->no_header)
        return tct_json_fail(at, "names", err, "only for a file without header: \"header\": false");
    st = tct_json_names(&names, &count, json, "names", 1, TCT_MAX_COLUMNS, at, err);
    for (size_t i = 0; !st && i < count; i++) {
        tct_json_at item = {.parent = &list, .index = i};

        if (names[i][0] == ' ' || names[i][strlen(names[i]) - 1] == ' ')
            st = tct_json_fail(&item, NULL, err, "the text begins or ends with a blank");
        if (i)
            tct_text_append(&joined, ",", 1);
        if (tct_needs_quotes(names[i]))
            tct_text_quote(&joined, names[i]);
        else
            tct_text_printf(&joined, "%s", names[i]);
    }
    if (!st) {
        csv->names = joined.failed ? NULL : tct_strdup(joined.bytes);
        if (!csv->names)
            st = tct_fail_memory(err);
    }
    tct_text_free(&joined);
    tct_free(names);
    return st;
}

tacit_status tct_csv_from_json(tacit_csv_options *csv, const json_t *json, bool file, const tct_json_at *at,
                               tacit_error *err)
{
    static const char *const keys[] = {"missing", "decimal", "separator", "header", "names", "skip_lines"};
    const json_t *header;
    uint64_t skip = 0;
    tacit_status st = tct_json_check_keys(json, keys, file ? 6 : 2, at, err);

    if (!st)
        st = read_separator(&csv->separator, json, at, err);
    if (!st)
        st = read_markers(&csv->missing, json, at, err);
    if (!st)
        st = read_decimal(&csv->decimal, json, at, err);
    if (st)
        return st;
    header = json_object_get(json, "header");
    if (header && !json_is_boolean(header))
        return tct_json_fail(at, "header", err, "expected true or false");
    csv->no_header = json_is_false(header); /* of NULL: it is not */
    st = read_columns(csv, json, at, err);
    if (!st && json_object_get(json, "skip_lines"))
        st = tct_json_get_count(&skip, json, "skip_lines", at, err);
    if (!st && skip > MAX_SKIP)
        st = tct_json_fail(at, "skip_lines", err, "expected a whole number from 0 to %d", MAX_SKIP);
    csv->skip_lines = (size_t)skip;
    return st;
}

/* The names of columns as a list again. */
static json_t *write_columns(const char *joined)
{
    tct_names names = {0};
    json_t *list = NULL;

    if (!tct_names_split(&names, joined, NULL))
        list = tct_texts_json((const char *const *)names.items, names.count);
    tct_names_free(&names);
    return list;
}

void tct_put_csv(json_t **json, const tacit_csv_options *csv, bool file)
{
    const char separator[2] = {csv->separator, '\0'}, decimal[2] = {csv->decimal, '\0'};
    json_t *object;

    if (!csv->missing && !csv->decimal && !(file && (csv->separator || csv->no_header || csv->skip_lines)))
        return;
    object = json_object();
    if (file && csv->separator)
        tct_put_text(&object, "separator", csv->separator == '\t' ? "tab" : separator);
    if (csv->missing)
        tct_put_text(&object, "missing", csv->missing);
    if (csv->decimal)
        tct_put_text(&object, "decimal", decimal);
    if (file && csv->no_header)
        tct_put(&object, "header", json_false());
    if (file && csv->names)
        tct_put(&object, "names", write_columns(csv->names));
    if (file && csv->skip_lines)
        tct_put_count(&object, "skip_lines", csv->skip_lines);
    tct_put(json, "csv", object);
}

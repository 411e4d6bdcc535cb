/*
 * remarks.c -- the list of remarks of a schema.
 */
#include "remarks.h"

#include "schema.h"

static void clear_remark(tacit_remark *remark)
{
    for (size_t i = 0; remark->columns && i < remark->n_columns; i++)
        tct_free((void *)(uintptr_t)remark->columns[i]);
    tct_free((void *)(uintptr_t)remark->columns);
    tct_free((void *)(uintptr_t)remark->kind);
    tct_free((void *)(uintptr_t)remark->text);
}

/* Append a copy. */
static tacit_status append_remark(tacit_schema *schema, const tacit_remark *remark, tacit_error *err)
{
    tacit_remark *grown = tct_realloc(schema->remarks, schema->n_remarks + 1, sizeof(*grown)), made = {0};
    char **columns = NULL;
    tacit_status st;

    if (!grown)
        return tct_fail_memory(err);
    schema->remarks = grown;
    made.kind = tct_strdup(remark->kind);
    made.text = tct_strdup(remark->text);
    st = made.kind && made.text ? TACIT_OK : tct_fail_memory(err);
    if (!st && remark->n_columns > 0)
        st = tct_schema_copy_texts(&columns, remark->columns, remark->n_columns, err);
    made.columns = (const char *const *)columns;
    made.n_columns = columns ? remark->n_columns : 0;
    if (st)
        clear_remark(&made);
    else
        schema->remarks[schema->n_remarks++] = made;
    return st;
}

tacit_status tct_remark_add(tacit_schema *schema, const char *kind, const char *const *columns, size_t n_columns,
                            tacit_error *err, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    tacit_status st;
    int size;

    if (schema->n_remarks >= TCT_MAX_REMARKS)
        return TACIT_OK;
    if (schema->n_remarks + 1 == TCT_MAX_REMARKS)
        return append_remark(
            schema, &(tacit_remark){.kind = "more", .text = "there are more remarks than are listed here"}, err);
    va_start(arguments, format);
    size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    line = tct_malloc((size_t)size + 1, 1);
    if (!line)
        return tct_fail_memory(err);
    va_start(arguments, format);
    vsnprintf(line, (size_t)size + 1, format, arguments);
    va_end(arguments);
    st = append_remark(
        schema,
        &(tacit_remark){.kind = kind,
                        .text = line,
                        .columns = columns,
                        .n_columns = n_columns < TCT_MAX_REMARK_COLUMNS ? n_columns : TCT_MAX_REMARK_COLUMNS},
        err);
    tct_free(line);
    return st;
}

tacit_status tct_remarks_copy(tacit_schema *to, const tacit_schema *from, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; !st && i < from->n_remarks; i++)
        st = append_remark(to, &from->remarks[i], err);
    return st;
}

void tct_remarks_clear(tacit_schema *schema)
{
    for (size_t i = 0; i < schema->n_remarks; i++)
        clear_remark(&schema->remarks[i]);
    tct_free(schema->remarks);
    schema->remarks = NULL;
    schema->n_remarks = 0;
}

size_t tacit_schema_remarks(const tacit_schema *schema)
{
    return schema->n_remarks;
}

const tacit_remark *tacit_schema_remark(const tacit_schema *schema, size_t index)
{
    return index < schema->n_remarks ? &schema->remarks[index] : NULL;
}

size_t tacit_schema_notes(const tacit_schema *schema)
{
    return schema->n_remarks;
}

const char *tacit_schema_note(const tacit_schema *schema, size_t index)
{
    return index < schema->n_remarks ? schema->remarks[index].text : NULL;
}

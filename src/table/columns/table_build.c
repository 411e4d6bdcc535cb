/*
 * table_build.c -- tables from arrays of the caller's.
 */
#include "table_columns.h"

/* How the types of columns lie in memory. */
static const struct {
    tct_vector_type type;
    ptrdiff_t size;
} layouts[] = {
    [TACIT_COLUMN_INT8] = {TCT_VECTOR_INT8, 1},       [TACIT_COLUMN_INT16] = {TCT_VECTOR_INT16, 2},
    [TACIT_COLUMN_INT32] = {TCT_VECTOR_INT32, 4},     [TACIT_COLUMN_INT64] = {TCT_VECTOR_INT64, 8},
    [TACIT_COLUMN_UINT8] = {TCT_VECTOR_UINT8, 1},     [TACIT_COLUMN_UINT16] = {TCT_VECTOR_UINT16, 2},
    [TACIT_COLUMN_UINT32] = {TCT_VECTOR_UINT32, 4},   [TACIT_COLUMN_UINT64] = {TCT_VECTOR_UINT64, 8},
    [TACIT_COLUMN_FLOAT16] = {TCT_VECTOR_FLOAT16, 2}, [TACIT_COLUMN_FLOAT32] = {TCT_VECTOR_FLOAT32, 4},
    [TACIT_COLUMN_FLOAT64] = {TCT_VECTOR_FLOAT64, 8}, [TACIT_COLUMN_BOOL] = {TCT_VECTOR_BOOL, 1},
    [TACIT_COLUMN_DAYS] = {TCT_VECTOR_TIMES, 8},      [TACIT_COLUMN_TEXT] = {TCT_VECTOR_POINTERS, sizeof(char *)},
};

static tacit_status check_column(const tacit_column *column, size_t at, size_t n_rows, tacit_error *err)
{
    unsigned type = (unsigned)column->type;
    const char *name = column->name ? column->name : "";

    if (type == 0 || type >= sizeof layouts / sizeof *layouts)
        return tct_fail(err, TACIT_E_USAGE, "column %zu (%s): there is no type %u", at + 1, name, type);
    if (column->reserved[0] || column->reserved[1])
        return tct_fail(err, TACIT_E_USAGE, "column %zu (%s): what is reserved must be NULL", at + 1, name);
    if (!column->values && n_rows > 0)
        return tct_fail(err, TACIT_E_USAGE, "column %zu (%s): no values", at + 1, name);
    if (column->levels && type > TACIT_COLUMN_UINT64)
        return tct_fail(err, TACIT_E_USAGE, "column %zu (%s): only integers can be places in a list of levels", at + 1,
                        name);
    return TACIT_OK;
}

tacit_status tct_column_vector(const tacit_column *column, size_t at, size_t first, size_t n_rows, tct_vector *vector,
                               tct_vector *levels, tacit_error *err)
{
    tacit_status st = check_column(column, at, n_rows, err);
    ptrdiff_t size = st ? 0 : layouts[column->type].size, stride = column->stride ? column->stride : size;

    if (st)
        return st;
    *vector = (tct_vector){.type = layouts[column->type].type,
                           .values = column->values,
                           .stride = stride,
                           .n = n_rows,
                           .missing = column->missing ? column->missing + first : NULL,
                           .per_day = 1,
                           .lowest_missing = true};
    if (first > 0)
        vector->values += (ptrdiff_t)first * stride;
    if (!column->levels)
        return TACIT_OK;
    *levels = (tct_vector){.type = TCT_VECTOR_POINTERS,
                           .values = (const unsigned char *)column->levels,
                           .stride = sizeof(char *),
                           .n = column->n_levels};
    vector->dictionary = levels;
    vector->negative_missing = true;
    return TACIT_OK;
}

tacit_status tacit_table_build(tacit_table **out, const char *name, const tacit_column *columns, size_t n_columns,
                               size_t n_rows, const tacit_csv_options *options, size_t threads, tacit_error *err)
{
    tct_vector *vectors = tct_calloc(n_columns + 1, 2 * sizeof(*vectors));
    const char **names = tct_calloc(n_columns + 1, sizeof(*names));
    tct_chunk chunk = {.vectors = vectors, .n_rows = n_rows};
    tct_columns all = {.names = names, .n_columns = n_columns, .chunks = &chunk, .n_chunks = 1};
    tacit_status st = vectors && names ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    if (!st && n_columns == 0)
        st = tct_fail(err, TACIT_E_USAGE, "a table needs a column");
    for (size_t i = 0; i < n_columns && !st; i++) {
        names[i] = columns[i].name;
        st = tct_column_vector(&columns[i], i, 0, n_rows, &vectors[i], &vectors[n_columns + 1 + i], err);
    }
    if (!st)
        st = tct_table_from_columns(out, name, &all, options, threads, err);
    tct_free(vectors);
    tct_free(names);
    return st;
}

/*
 * arrow.c -- Arrow's format strings and buffers.
 *
 * A format is a few characters: "l" a 64-bit integer, "u" texts, "tsu:UTC" microseconds in a time zone.  The columns of a
 * record batch are the children of a struct, "+s"; its offset is to be added to theirs, and a row that is null in it is
 * null in all of them.
 */
#include "arrow.h"

#include <string.h>

#define SECONDS_A_DAY 86400

/* Formats that are one character. */
static const struct {
    char format;
    tct_vector_type type;
    ptrdiff_t size;
} plain[] = {{'n', TCT_VECTOR_NULL, 0},    {'b', TCT_VECTOR_BITS, 0},    {'c', TCT_VECTOR_INT8, 1},
             {'C', TCT_VECTOR_UINT8, 1},   {'s', TCT_VECTOR_INT16, 2},   {'S', TCT_VECTOR_UINT16, 2},
             {'i', TCT_VECTOR_INT32, 4},   {'I', TCT_VECTOR_UINT32, 4},  {'l', TCT_VECTOR_INT64, 8},
             {'L', TCT_VECTOR_UINT64, 8},  {'e', TCT_VECTOR_FLOAT16, 2}, {'f', TCT_VECTOR_FLOAT32, 4},
             {'g', TCT_VECTOR_FLOAT64, 8}, {'u', TCT_VECTOR_TEXT, 4},    {'U', TCT_VECTOR_LARGE_TEXT, 8}};

/* What is refused, by how its format begins. */
static const struct {
    const char *format, *what;
} others[] = {{"d:", "decimals: cast them to floating point, or to texts if they are codes"},
              {"z", "binary data"},
              {"Z", "binary data"},
              {"vz", "binary data"},
              {"w:", "binary data"},
              {"tt", "times of day: cast them to numbers"},
              {"tD", "durations: cast them to numbers"},
              {"ti", "intervals"},
              {"+s", "structs: take their fields apart into columns"},
              {"+m", "maps"},
              {"+u", "unions"},
              {"+r", "run-end encoded values: decode them first"},
              {"+", "lists"}};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static tacit_status refuse(const char *name, const char *column, const char *format, tacit_error *err)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(format, others[i].format))
            return tct_fail_at(err, TACIT_E_INPUT, name, 0, column, "%s cannot be read", others[i].what);
    return tct_fail_at(err, TACIT_E_INPUT, name, 0, column, "there is no Arrow format like this one");
}

static tacit_status malformed(const char *name, const char *column, const char *what, tacit_error *err)
{
    return tct_fail_at(err, TACIT_E_INPUT, name, 0, column, "malformed Arrow data: %s", what);
}

/* "+02:00" or "-0530" in seconds. */
static bool read_offset(const char *zone, int64_t *seconds)
{
    int digits[4];
    size_t n = 0;

    if (*zone != '+' && *zone != '-')
        return false;
    for (const char *c = zone + 1; *c; c++) {
        if (*c == ':' && n == 2)
            continue;
        if (*c < '0' || *c > '9' || n == 4)
            return false;
        digits[n++] = *c - '0';
    }
    if (n != 4 || digits[0] > 2 || digits[2] > 5)
        return false;
    *seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60;
    *seconds = *zone == '-' ? -*seconds : *seconds;
    return true;
}

/* Timestamps: "ts", the unit, ":" and a zone.  The day is that of the zone. */
static tacit_status describe_stamp(tct_vector *v, const char *name, const char *column, const char *format,
                                   tacit_error *err)
{
    static const char *const utc[] = {"", "UTC", "Etc/UTC", "Z", "GMT"};
    const char *units = "smun", *unit = format[2] ? strchr(units, format[2]) : NULL, *zone;
    int64_t per_second = 1, seconds = 0;
    bool known = false;

    if (!unit || format[3] != ':')
        return refuse(name, column, "", err);
    zone = format + 4;
    for (const char *u = units; u < unit; u++)
        per_second *= 1000;
    for (size_t i = 0; i < sizeof utc / sizeof *utc; i++)
        known = known || strcmp(zone, utc[i]) == 0;
    if (!known && !read_offset(zone, &seconds))
        return tct_fail_at(err, TACIT_E_INPUT, name, 0, column,
                           "timestamps in a time zone that has a name: convert them to UTC or leave the zone out");
    v->type = TCT_VECTOR_TIMES;
    v->stride = 8;
    v->per_day = SECONDS_A_DAY * per_second;
    v->offset = seconds * per_second;
    return TACIT_OK;
}

/* Type and stride from a format. */
static tacit_status describe_format(tct_vector *v, const char *name, const char *column, const char *format,
                                    tacit_error *err)
{
    *v = (tct_vector){.per_day = 1};
    if (!format)
        return malformed(name, column, "no format", err);
    for (size_t i = 0; i < sizeof plain / sizeof *plain && format[0] && !format[1]; i++)
        if (plain[i].format == format[0]) {
            v->type = plain[i].type;
            v->stride = plain[i].size;
            return TACIT_OK;
        }
    if (strcmp(format, "vu") == 0) {
        v->type = TCT_VECTOR_VIEWS;
        v->stride = 16;
        return TACIT_OK;
    }
    if (strcmp(format, "tdD") == 0) {
        v->type = TCT_VECTOR_DAYS32;
        v->stride = 4;
        return TACIT_OK;
    }
    if (strcmp(format, "tdm") == 0) {
        v->type = TCT_VECTOR_TIMES;
        v->stride = 8;
        v->per_day = SECONDS_A_DAY * 1000;
        return TACIT_OK;
    }
    return begins(format, "ts") ? describe_stamp(v, name, column, format, err) : refuse(name, column, format, err);
}

/* Is it a schema that may have a dictionary, and can both be read? */
static tacit_status check_column(const struct ArrowSchema *schema, const char *name, tacit_error *err)
{
    tct_vector v;
    tacit_status st;

    if (!schema)
        return malformed(name, NULL, "a column without schema", err);
    st = describe_format(&v, name, schema->name, schema->format, err);
    if (st || !schema->dictionary)
        return st;
    if (v.type < TCT_VECTOR_INT8 || v.type > TCT_VECTOR_UINT64)
        return malformed(name, schema->name, "places in a dictionary that are no integers", err);
    if (schema->dictionary->dictionary)
        return tct_fail_at(err, TACIT_E_INPUT, name, 0, schema->name, "dictionaries of dictionaries cannot be read");
    return describe_format(&v, name, schema->name, schema->dictionary->format, err);
}

tacit_status tct_arrow_check_schema(const struct ArrowSchema *schema, const char *name, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    if (!schema->format || strcmp(schema->format, "+s") != 0 || schema->dictionary)
        return tct_fail_at(err, TACIT_E_INPUT, name, 0, NULL,
                           "not a record batch: the Arrow format of a table is a struct");
    if (schema->n_children <= 0 || !schema->children)
        return tct_fail_at(err, TACIT_E_INPUT, name, 0, NULL, "no columns");
    for (int64_t i = 0; i < schema->n_children && !st; i++)
        st = check_column(schema->children[i], name, err);
    return st;
}

/* ---- arrays ---- */

/* How many buffers a vector of this type has, at least. */
static int64_t buffers_of(tct_vector_type type)
{
    if (type == TCT_VECTOR_NULL)
        return 0;
    return type == TCT_VECTOR_TEXT || type == TCT_VECTOR_LARGE_TEXT || type == TCT_VECTOR_VIEWS ? 3 : 2;
}

static tacit_status find_views(tct_vector *v, const struct ArrowArray *array, const char *name, const char *column,
                               tacit_error *err)
{
    v->n_buffers = (size_t)array->n_buffers - 3;
    v->buffers = array->buffers + 2;
    v->buffer_sizes = array->buffers[array->n_buffers - 1];
    return v->n_buffers == 0 || v->buffer_sizes ? TACIT_OK
                                                : malformed(name, column, "buffers of texts without sizes", err);
}

/* n rows of an array from its row `first` on. */
static tacit_status find_buffers(tct_vector *v, const struct ArrowArray *array, size_t first, size_t n,
                                 const char *name, const char *column, tacit_error *err)
{
    size_t at;

    if (!array || array->length < 0 || array->offset < 0 || array->null_count < -1 ||
        __builtin_add_overflow((size_t)array->offset, first, &at) || (uint64_t)array->length < first ||
        (uint64_t)array->length - first < n)
        return malformed(name, column, "lengths that do not fit together", err);
    if (array->n_buffers < buffers_of(v->type) || (array->n_buffers > 0 && !array->buffers))
        return malformed(name, column, "too few buffers", err);
    v->n = n;
    if (v->type == TCT_VECTOR_NULL || n == 0)
        return TACIT_OK;
    v->valid = array->buffers[0];
    v->valid_at = v->bits_at = at;
    if (!v->valid && array->null_count > 0)
        return malformed(name, column, "nulls, but nothing says which", err);
    if (!array->buffers[1])
        return malformed(name, column, "no values", err);
    v->values = (const unsigned char *)array->buffers[1] + at * (size_t)v->stride;
    if (v->type == TCT_VECTOR_VIEWS)
        return find_views(v, array, name, column, err);
    if (buffers_of(v->type) == 3)
        v->bytes = array->buffers[2];
    return TACIT_OK;
}

static tacit_status read_column(tct_vector *v, tct_vector *dictionary, const struct ArrowSchema *schema,
                                const struct ArrowArray *array, size_t first, size_t n, const char *name,
                                tacit_error *err)
{
    const struct ArrowArray *values;
    tacit_status st = describe_format(v, name, schema->name, schema->format, err);

    if (!st)
        st = find_buffers(v, array, first, n, name, schema->name, err);
    if (st || !schema->dictionary)
        return st;
    values = array->dictionary;
    if (!values || values->length < 0)
        return malformed(name, schema->name, "no dictionary", err);
    st = describe_format(dictionary, name, schema->name, schema->dictionary->format, err);
    if (!st)
        st = find_buffers(dictionary, values, 0, (size_t)values->length, name, schema->name, err);
    v->dictionary = dictionary;
    return st;
}

/* Is some row of a record batch null as a whole? */
static bool has_null_rows(const struct ArrowArray *array)
{
    const unsigned char *valid = array->n_buffers > 0 && array->buffers ? array->buffers[0] : NULL;

    for (int64_t i = 0; valid && array->null_count != 0 && i < array->length; i++)
        if (!(valid[(array->offset + i) / 8] >> (array->offset + i) % 8 & 1))
            return true;
    return false;
}

tacit_status tct_arrow_vectors(tct_vector *out, const struct ArrowSchema *schema, const struct ArrowArray *array,
                               const char *name, tacit_error *err)
{
    size_t n = (size_t)schema->n_children;
    tacit_status st = TACIT_OK;

    if (array->n_children != schema->n_children || !array->children)
        return malformed(name, NULL, "an array of other columns than the schema's", err);
    if (array->length < 0 || array->offset < 0)
        return malformed(name, NULL, "a negative length", err);
    if (has_null_rows(array))
        return tct_fail_at(err, TACIT_E_INPUT, name, 0, NULL,
                           "rows that are null as a whole: leave them out, or say so in their columns");
    for (size_t i = 0; i < n && !st; i++)
        st = read_column(&out[2 * i], &out[2 * i + 1], schema->children[i], array->children[i], (size_t)array->offset,
                         (size_t)array->length, name, err);
    return st;
}

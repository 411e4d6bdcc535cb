/*
 * vectors.c -- see vectors.h.
 *
 * Values are copied out of their place by memcpy: nobody promises that it is aligned.
 */
#include "vectors.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv_inside.h"
#include "dates.h"

#define MOST_EXACT 9007199254740992 /* 2^53 */
enum { VIEW_INSIDE = 12 };          /* bytes of a text that a view holds itself */

static bool is_integer(tct_vector_type type)
{
    return type >= TCT_VECTOR_INT8 && type <= TCT_VECTOR_UINT64;
}

static bool has_bit(const unsigned char *bits, size_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}

static bool is_missing(const tct_vector *v, size_t row)
{
    return v->type == TCT_VECTOR_NULL || (v->missing && v->missing[row]) ||
           (v->valid && !has_bit(v->valid, v->valid_at + row));
}

static const unsigned char *place_of(const tct_vector *v, size_t row)
{
    return v->values + (ptrdiff_t)row * v->stride;
}

/* An integer: its absolute value, and its sign. */
static uint64_t read_integer(const tct_vector *v, size_t row, bool *negative)
{
    const unsigned char *from = place_of(v, row);
    int64_t value = 0;
    uint64_t large;

    *negative = false;
#define READ(code, T)                                                                                                  \
    case code: {                                                                                                       \
        T one;                                                                                                         \
        memcpy(&one, from, sizeof one);                                                                                \
        value = one;                                                                                                   \
        break;                                                                                                         \
    }
    switch (v->type) {
    case TCT_VECTOR_INT8:
        value = *from < 128 ? *from : *from - 256;
        break;
        READ(TCT_VECTOR_INT16, int16_t)
        READ(TCT_VECTOR_INT32, int32_t)
        READ(TCT_VECTOR_DAYS32, int32_t)
        READ(TCT_VECTOR_INT64, int64_t)
        READ(TCT_VECTOR_TIMES, int64_t)
        READ(TCT_VECTOR_UINT8, uint8_t)
        READ(TCT_VECTOR_UINT16, uint16_t)
        READ(TCT_VECTOR_UINT32, uint32_t)
    default:
        memcpy(&large, from, sizeof large);
        return large;
    }
#undef READ
    *negative = value < 0;
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Half precision: 1 sign, 5 exponent, 10 fraction bits. */
static double read_half(const unsigned char *from)
{
    uint16_t bits;
    double value;
    int exponent;

    memcpy(&bits, from, sizeof bits);
    exponent = bits >> 10 & 31;
    value = exponent == 31 ? (bits & 1023 ? NAN : INFINITY)
            : exponent     ? ldexp(1024 + (bits & 1023), exponent - 25)
                           : ldexp(bits & 1023, -24);
    return bits >> 15 ? -value : value;
}

static double read_float(const tct_vector *v, size_t row)
{
    const unsigned char *from = place_of(v, row);
    double value;
    float shorter;

    if (v->type == TCT_VECTOR_FLOAT16)
        return read_half(from);
    if (v->type == TCT_VECTOR_FLOAT32) {
        memcpy(&shorter, from, sizeof shorter);
        return shorter;
    }
    memcpy(&value, from, sizeof value);
    return value;
}

static bool read_truth(const tct_vector *v, size_t row)
{
    return v->type == TCT_VECTOR_BITS ? has_bit(v->values, v->bits_at + row) : *place_of(v, row) != 0;
}

/* The day of a date or a time; NaN when it is none. */
static const char *read_day(const tct_vector *v, size_t row, double *day)
{
    bool negative;
    uint64_t size = read_integer(v, row, &negative);
    int64_t value = negative ? (int64_t)(0 - size) : (int64_t)size, days;

    *day = NAN;
    if (v->lowest_missing && value == INT64_MIN)
        return NULL;
    if (__builtin_add_overflow(value, v->offset, &value))
        return "a time beyond all years";
    days = value / v->per_day - (value % v->per_day < 0);
    if (days < TCT_FIRST_DAY || days > TCT_LAST_DAY)
        return "a date outside the years 1 to 9999";
    *day = (double)days;
    return NULL;
}

static const char *read_view(const tct_vector *v, size_t row, const char **bytes, size_t *size)
{
    const unsigned char *view = place_of(v, row);
    int32_t length, buffer, offset;

    memcpy(&length, view, 4);
    memcpy(&buffer, view + 8, 4);
    memcpy(&offset, view + 12, 4);
    if (length < 0)
        return "a text of negative length";
    *size = (size_t)length;
    *bytes = (const char *)view + 4;
    if (length <= VIEW_INSIDE)
        return NULL;
    if (buffer < 0 || (size_t)buffer >= v->n_buffers || offset < 0 || !v->buffers[buffer] ||
        v->buffer_sizes[buffer] < (int64_t)offset + length)
        return "a text that lies outside its buffers";
    *bytes = (const char *)v->buffers[buffer] + offset;
    return NULL;
}

static const char *read_text(const tct_vector *v, size_t row, const char **bytes, size_t *size)
{
    int64_t from = 0, to = 0;
    int32_t ends[2];

    if (v->type == TCT_VECTOR_VIEWS)
        return read_view(v, row, bytes, size);
    if (v->type == TCT_VECTOR_POINTERS) {
        memcpy(bytes, place_of(v, row), sizeof *bytes);
        *size = *bytes ? strlen(*bytes) : 0;
        return NULL;
    }
    if (v->type == TCT_VECTOR_TEXT) {
        memcpy(ends, place_of(v, row), sizeof ends);
        from = ends[0];
        to = ends[1];
    } else {
        memcpy(&from, place_of(v, row), 8);
        memcpy(&to, place_of(v, row + 1), 8);
    }
    if (from < 0 || to < from || (to > from && !v->bytes))
        return "a text that ends before it begins";
    *bytes = v->bytes + (v->bytes ? from : 0);
    *size = (size_t)(to - from);
    return NULL;
}

/* Blanks dropped as around a cell of a file. */
static const char *take_text(const char *bytes, size_t size, tct_datum *value)
{
    while (size > 0 && (*bytes == ' ' || *bytes == '\t')) {
        bytes++;
        size--;
    }
    while (size > 0 && (bytes[size - 1] == ' ' || bytes[size - 1] == '\t'))
        size--;
    value->bytes = bytes;
    value->size = size;
    if (size > TCT_MAX_RECORD)
        return "a text longer than 64 MiB";
    return size > 0 && memchr(bytes, '\0', size) ? "a NUL byte in the text" : NULL;
}

static bool is_text(tct_vector_type type)
{
    return type >= TCT_VECTOR_POINTERS || type == TCT_VECTOR_NULL;
}

tct_holds tct_vector_holds(const tct_vector *v, bool beyond)
{
    v = v->dictionary ? v->dictionary : v;
    if (is_text(v->type) || beyond)
        return TCT_TEXT;
    if (is_integer(v->type))
        return TCT_WHOLE;
    if (v->type == TCT_VECTOR_DAYS32 || v->type == TCT_VECTOR_TIMES)
        return TCT_DAYS;
    return v->type == TCT_VECTOR_BOOL || v->type == TCT_VECTOR_BITS ? TCT_TRUTH : TCT_REAL;
}

/* Is there an int64_t of 2^53 or more, missing ones included?  Without a branch in the loop. */
static bool holds_large(const tct_vector *v)
{
    const unsigned char *from = v->values;
    uint64_t large = 0;

    for (size_t r = 0; r < v->n; r++, from += v->stride) {
        uint64_t bits;

        memcpy(&bits, from, sizeof bits);
        large |= bits + (MOST_EXACT - 1) > 2 * (uint64_t)(MOST_EXACT - 1);
    }
    return large != 0;
}

bool tct_vector_beyond(const tct_vector *v)
{
    bool negative;

    v = v->dictionary ? v->dictionary : v;
    if (v->type != TCT_VECTOR_INT64 && v->type != TCT_VECTOR_UINT64)
        return false;
    if (v->type == TCT_VECTOR_INT64 && !holds_large(v))
        return false;
    for (size_t r = 0; r < v->n; r++) /* what is missing may have any value */
        if (read_integer(v, r, &negative) >= MOST_EXACT && !is_missing(v, r))
            return true;
    return false;
}
/* A value that is there, of a vector without dictionary. */
static const char *read_value(const tct_vector *v, size_t row, tct_datum *value, char buffer[TCT_DATUM_ROOM])
{
    const char *problem = NULL, *bytes = NULL;
    size_t size = 0;
    uint64_t whole;
    bool negative;

    switch (value->holds) {
    case TCT_TRUTH:
        value->number = read_truth(v, row);
        return NULL;
    case TCT_DAYS:
        return read_day(v, row, &value->number);
    case TCT_REAL:
        value->number = read_float(v, row) + 0.0; /* no negative zero */
        return NULL;
    case TCT_WHOLE:
        whole = read_integer(v, row, &negative);
        value->number = negative ? -(double)whole : (double)whole;
        return NULL;
    default:
        break;
    }
    if (is_integer(v->type)) {
        whole = read_integer(v, row, &negative);
        bytes = buffer;
        size = (size_t)snprintf(buffer, TCT_DATUM_ROOM, "%s%" PRIu64, negative ? "-" : "", whole);
    } else {
        problem = read_text(v, row, &bytes, &size);
    }
    return problem ? problem : take_text(bytes, size, value);
}

const char *tct_vector_value(const tct_vector *v, size_t row, tct_holds holds, tct_datum *value,
                             char buffer[TCT_DATUM_ROOM])
{
    bool negative;
    uint64_t place;

    *value = (tct_datum){.holds = holds, .number = NAN};
    if (is_missing(v, row))
        return NULL;
    if (!v->dictionary)
        return read_value(v, row, value, buffer);
    place = read_integer(v, row, &negative);
    if (negative && v->negative_missing)
        return NULL;
    if (negative || place >= v->dictionary->n)
        return "a place that is not in the dictionary";
    return is_missing(v->dictionary, place) ? NULL : read_value(v->dictionary, place, value, buffer);
}

bool tct_vector_numbers(const tct_vector *v, size_t first, size_t n, double *numbers, size_t stride)
{
    const unsigned char *from = place_of(v, first);

    if (v->dictionary)
        return false;
#define FILL(code, T)                                                                                                  \
    case code:                                                                                                         \
        for (size_t r = 0; r < n; r++, from += v->stride) {                                                            \
            T one;                                                                                                     \
            memcpy(&one, from, sizeof one);                                                                            \
            numbers[r * stride] = (double)one + 0.0; /* no negative zero */                                            \
        }                                                                                                              \
        break;
    switch (v->type) {
        FILL(TCT_VECTOR_INT8, int8_t)
        FILL(TCT_VECTOR_INT16, int16_t)
        FILL(TCT_VECTOR_INT32, int32_t)
        FILL(TCT_VECTOR_INT64, int64_t)
        FILL(TCT_VECTOR_UINT8, uint8_t)
        FILL(TCT_VECTOR_UINT16, uint16_t)
        FILL(TCT_VECTOR_UINT32, uint32_t)
        FILL(TCT_VECTOR_UINT64, uint64_t)
        FILL(TCT_VECTOR_FLOAT32, float)
        FILL(TCT_VECTOR_FLOAT64, double)
    case TCT_VECTOR_BOOL:
        for (size_t r = 0; r < n; r++, from += v->stride)
            numbers[r * stride] = *from != 0;
        break;
    default:
        return false;
    }
#undef FILL
    for (size_t r = 0; r < n && (v->missing || v->valid); r++)
        if (is_missing(v, first + r))
            numbers[r * stride] = NAN;
    return true;
}

bool tct_vector_place(const tct_vector *v, size_t row, size_t *place)
{
    bool negative;

    if (!v->dictionary || is_missing(v, row))
        return false;
    *place = read_integer(v, row, &negative);
    return !negative && *place < v->dictionary->n;
}

/*
 * tacit/columns.h -- tables from columns in memory: arrays of numbers and texts, and what the Arrow C data interface
 * hands over.  Part of tacit.h, which says what holds everywhere.
 *
 * A table made so is like one that was read from a file with the same content: the same schema is inferred, the same
 * models are trained, the same people are counted.  What differs is its name and its hash (of the values; the same for
 * the same columns, types and rows, however they were handed over).
 *
 *   integers      as they are.  Columns with values beyond 2^53 are texts, so that no digit is lost.
 *   floats        as they are; shorter ones are widened exactly.  NaN is missing.
 *   truth values  the texts True and False; where a number is wanted 1 and 0
 *   dates, times  the day: the time of day is not looked at, as in a file
 *   texts         blanks around them are dropped, an empty one is missing, and so are the markers of the options (for
 *                 numbers: markers that are this number).  With a NUL byte they are an error.
 * Where a number is taken as a level or a class, its text counts: 1 for integers, 1.0 for floats; if the model knows no
 * such level, the other of the two.
 *
 * Of tacit_csv_options what is about cells counts (missing, usual, decimal, skip_bad, defer_bad); the rest is about
 * files.  name: in place of a file's name in messages; NULL: "table".  threads: 0 = all cores.
 */
#ifndef TACIT_COLUMNS_H
#define TACIT_COLUMNS_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the values of a column are. */
typedef enum tacit_column_type {
    TACIT_COLUMN_INT8 = 1,
    TACIT_COLUMN_INT16 = 2,
    TACIT_COLUMN_INT32 = 3,
    TACIT_COLUMN_INT64 = 4,
    TACIT_COLUMN_UINT8 = 5,
    TACIT_COLUMN_UINT16 = 6,
    TACIT_COLUMN_UINT32 = 7,
    TACIT_COLUMN_UINT64 = 8,
    TACIT_COLUMN_FLOAT16 = 9,
    TACIT_COLUMN_FLOAT32 = 10,
    TACIT_COLUMN_FLOAT64 = 11,
    TACIT_COLUMN_BOOL = 12, /* a byte each: 0 is false */
    TACIT_COLUMN_DAYS = 13, /* int64_t each: days since 1970-01-01; INT64_MIN: missing */
    TACIT_COLUMN_TEXT = 14  /* const char * each, terminated, UTF-8; NULL: missing */
} tacit_column_type;

typedef struct tacit_column {
    const char *name;
    tacit_column_type type;
    const void *values; /* that of the first row; aligned as the type is, or not */
    ptrdiff_t stride;   /* bytes from a row's value to the next one's, may be negative; 0: they follow each other */
    const unsigned char *missing; /* a byte per row: not 0 where the value is missing; NULL: none is */
    /* Integers only: the values are places in this list of texts, which are what counts; negative ones are missing. */
    const char *const *levels;
    size_t n_levels;
    const void *reserved[2]; /* NULL */
} tacit_column;

/* Everything is copied. */
TACIT_API tacit_status tacit_table_build(tacit_table **out, const char *name, const tacit_column *columns,
                                         size_t n_columns, size_t n_rows, const tacit_csv_options *options,
                                         size_t threads, tacit_error *err);

/* The structs of the Arrow C data and stream interfaces, as every library that speaks them defines them; the two macros
 * keep several of them apart. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* What the columns are. */
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* What they hold. */
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
/* Arrays one after the other, all of one schema. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* A table from a record batch (format "+s"), or from a stream of them: integers, floats, truth values, texts in all three
 * layouts, dictionaries of these, dates, timestamps without a zone or in UTC or at a fixed offset, and columns of nulls.
 * Nulls are missing.  All other types are errors that name the column and the type.
 *
 * Values are copied.  schema, array and stream are the library's from the call on: they are released once before it
 * returns, whatever it returns, and marked so. */
TACIT_API tacit_status tacit_table_from_arrow(tacit_table **out, const char *name, struct ArrowSchema *schema,
                                              struct ArrowArray *array, const tacit_csv_options *options,
                                              size_t threads, tacit_error *err);
TACIT_API tacit_status tacit_table_from_arrow_stream(tacit_table **out, const char *name,
                                                     struct ArrowArrayStream *stream, const tacit_csv_options *options,
                                                     size_t threads, tacit_error *err);
/* The same with columns of one's own beside those of the stream, n_rows each, which must be as many as the stream has:
 * labels, groups. */
TACIT_API tacit_status tacit_table_from_arrow_beside(tacit_table **out, const char *name,
                                                     struct ArrowArrayStream *stream, const tacit_column *columns,
                                                     size_t n_columns, size_t n_rows, const tacit_csv_options *options,
                                                     size_t threads, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif

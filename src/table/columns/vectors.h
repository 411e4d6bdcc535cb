/*
 * vectors.h -- columns as they lie in somebody else's memory, and single values of them.
 *
 * Callers' arrays and Arrow's buffers differ in how they say what is missing and where texts are.  A tct_vector says all
 * of that in one way; tct_vector_value reads one row of it, whatever it is.  What fills whole tables asks for many numbers
 * in one go, and for places in dictionaries.
 */
#ifndef TCT_VECTORS_H
#define TCT_VECTORS_H

#include "csv.h"

typedef enum tct_vector_type {
    TCT_VECTOR_NULL, /* all missing */
    TCT_VECTOR_INT8,
    TCT_VECTOR_INT16,
    TCT_VECTOR_INT32,
    TCT_VECTOR_INT64,
    TCT_VECTOR_UINT8,
    TCT_VECTOR_UINT16,
    TCT_VECTOR_UINT32,
    TCT_VECTOR_UINT64,
    TCT_VECTOR_FLOAT16,
    TCT_VECTOR_FLOAT32,
    TCT_VECTOR_FLOAT64,
    TCT_VECTOR_BOOL,       /* a byte each */
    TCT_VECTOR_BITS,       /* a bit each */
    TCT_VECTOR_DAYS32,     /* int32_t: days */
    TCT_VECTOR_TIMES,      /* int64_t: so many units a day */
    TCT_VECTOR_POINTERS,   /* const char *, terminated */
    TCT_VECTOR_TEXT,       /* 32-bit offsets into bytes */
    TCT_VECTOR_LARGE_TEXT, /* 64-bit offsets */
    TCT_VECTOR_VIEWS       /* 16 bytes each: size, then the text itself or where it is */
} tct_vector_type;

typedef struct tct_vector tct_vector;
struct tct_vector {
    tct_vector_type type;
    const unsigned char *values; /* of row 0; offsets and views too.  TCT_VECTOR_BITS: of bit 0 */
    ptrdiff_t stride;
    size_t n;                     /* rows */
    const unsigned char *missing; /* a byte per row, or NULL */
    const unsigned char *valid;   /* a bit per row, that of row 0 is valid_at; or NULL */
    size_t valid_at;
    size_t bits_at;          /* TCT_VECTOR_BITS: the bit of row 0 */
    int64_t per_day, offset; /* TCT_VECTOR_TIMES: units a day, and units to add before */
    bool lowest_missing;     /* TCT_VECTOR_TIMES: INT64_MIN is no value */
    /* Texts. */
    const char *bytes;
    const void *const *buffers; /* of views */
    const int64_t *buffer_sizes;
    size_t n_buffers;
    /* Integers that are places in another vector. */
    const tct_vector *dictionary;
    bool negative_missing; /* a negative place is no value */
};

/* How the cells of a column are held that has this vector; beyond: some integer does not fit into a double. */
tct_holds tct_vector_holds(const tct_vector *vector, bool beyond);
/* Is there an integer of 2^53 or more among the values that are not missing? */
bool tct_vector_beyond(const tct_vector *vector);

/* The value of a row, held so.  A text is that of the vector, or of the buffer.  What is wrong with it, for a message
 * about the row and the column, or NULL. */
const char *tct_vector_value(const tct_vector *vector, size_t row, tct_holds holds, tct_datum *value,
                             char buffer[TCT_DATUM_ROOM]);

/* Rows first ... first + n - 1 of a vector of integers, floats or truth values, as tct_vector_value reads them, into every
 * stride-th number.  False: it is no such vector. */
bool tct_vector_numbers(const tct_vector *vector, size_t first, size_t n, double *numbers, size_t stride);
/* The place in the dictionary that a row names; false where it names none. */
bool tct_vector_place(const tct_vector *vector, size_t row, size_t *place);

#endif

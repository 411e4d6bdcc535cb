/*
 * json.h -- reading JSON (Jansson) with errors that name the file and the place inside ("attributes[3].min"),
 * and writing it so that doubles read back exactly.
 */
#ifndef TCT_JSON_H
#define TCT_JSON_H

#include <jansson.h>

#include "base.h"

/* Parse text; duplicate keys and anything after the value are errors.  `file` is for messages. */
tacit_status tct_json_parse(json_t **out, const char *text, size_t size, const char *file, tacit_error *err);
tacit_status tct_json_read(json_t **out, const char *path, size_t limit, tacit_error *err);

/* Where we are inside a document, for messages: a linked list on the stack. */
typedef struct tct_json_at {
    const char *file;
    const struct tct_json_at *parent;
    const char *key; /* NULL: an index */
    size_t index;
} tct_json_at;

/* Members of an object.  The `get` forms need the key to be there; `optional` forms leave *out alone when it is not. */
tacit_status tct_json_get(json_t **out, const json_t *object, const char *key, const tct_json_at *at, tacit_error *err);
tacit_status tct_json_get_string(const char **out, const json_t *object, const char *key, const tct_json_at *at,
                                 tacit_error *err);
tacit_status tct_json_get_number(double *out, const json_t *object, const char *key, const tct_json_at *at,
                                 tacit_error *err);
tacit_status tct_json_get_count(uint64_t *out, const json_t *object, const char *key, const tct_json_at *at,
                                tacit_error *err);
tacit_status tct_json_get_array(json_t **out, const json_t *object, const char *key, const tct_json_at *at,
                                tacit_error *err);
tacit_status tct_json_optional_string(const char **out, const json_t *object, const char *key, const tct_json_at *at,
                                      tacit_error *err);
tacit_status tct_json_optional_number(double *out, const json_t *object, const char *key, const tct_json_at *at,
                                      tacit_error *err);
/* Exactly `count` finite numbers. */
tacit_status tct_json_get_numbers(double *out, size_t count, const json_t *object, const char *key,
                                  const tct_json_at *at, tacit_error *err);
/* Exactly `count` whole numbers, none above `most`. */
tacit_status tct_json_get_counts(uint64_t *out, size_t count, uint64_t most, const json_t *object, const char *key,
                                 const tct_json_at *at, tacit_error *err);
/* An object without other keys than these; a misspelt one is named. */
tacit_status tct_json_check_keys(const json_t *object, const char *const *known, size_t n_known, const tct_json_at *at,
                                 tacit_error *err);
/* Complain about the place `at`. */
tacit_status tct_json_fail(const tct_json_at *at, const char *key, tacit_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* NULL on lack of memory; NaN and infinities become null. */
json_t *tct_json_numbers(const double *values, size_t count);
json_t *tct_json_number(double value);
/* A number where every reader of JSON keeps all its digits, else a text. */
json_t *tct_json_seed(uint64_t seed);
/* Text with two-space indentation, keys in the order set, numeric arrays on one line, doubles by
 * tct_format_number, a line feed at the end.  Terminated; tct_free it. */
tacit_status tct_json_dump(char **out, size_t *size, const json_t *json, tacit_error *err);
/* SHA-256 of that text, which is wiped. */
tacit_status tct_json_hash(char hex[65], const json_t *json, tacit_error *err);

#endif

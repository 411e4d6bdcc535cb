/*
 * jsonout.h -- printing JSON to standard output: keys in the order given, two blanks a level, doubles that read
 * back exactly, NaN as null.
 */
#ifndef CLI_JSONOUT_H
#define CLI_JSONOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_out {
    size_t depth;
    bool filled; /* the object or array open now has a member already */
} json_out;

/* key is NULL inside an array and at the top.  `bracket` is '{' or '['; end closes the innermost with '}' or ']'. */
void json_begin(json_out *json, const char *key, char bracket);
void json_end(json_out *json, char bracket);
void json_text(json_out *json, const char *key, const char *text); /* NULL: null */
void json_number(json_out *json, const char *key, double value);
void json_count(json_out *json, const char *key, uint64_t value);
void json_truth(json_out *json, const char *key, bool value);

#endif

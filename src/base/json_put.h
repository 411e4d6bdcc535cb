/*
 * json_put.h -- building JSON without a check after every member: what could not be made makes the whole NULL in the end.
 */
#ifndef TCT_JSON_PUT_H
#define TCT_JSON_PUT_H

#include "json.h"

/* Take the value over.  On lack of memory, or when it is NULL, the container is given up and becomes NULL for good. */
static inline void tct_put(json_t **object, const char *key, json_t *value)
{
    if (!*object) {
        json_decref(value);
    } else if (json_object_set_new(*object, key, value)) {
        json_decref(*object);
        *object = NULL;
    }
}

/* The same under a name of any bytes: the writer mends them. */
static inline void tct_put_any(json_t **object, const char *key, json_t *value)
{
    if (!*object) {
        json_decref(value);
    } else if (json_object_set_new_nocheck(*object, key, value)) {
        json_decref(*object);
        *object = NULL;
    }
}

static inline void tct_append(json_t **list, json_t *value)
{
    if (!*list) {
        json_decref(value);
    } else if (json_array_append_new(*list, value)) {
        json_decref(*list);
        *list = NULL;
    }
}

static inline void tct_put_text(json_t **object, const char *key, const char *text)
{
    tct_put(object, key, json_string(text));
}

static inline void tct_put_count(json_t **object, const char *key, uint64_t count)
{
    tct_put(object, key, json_integer((json_int_t)count));
}

static inline void tct_put_number(json_t **object, const char *key, double value)
{
    tct_put(object, key, tct_json_number(value));
}

/* A member of another object that goes in there as it is; left out when it is not there. */
static inline void tct_put_same(json_t **object, const json_t *from, const char *key)
{
    json_t *value = json_object_get(from, key);

    if (value)
        tct_put(object, key, json_incref(value));
}

/* An object, left out when it is empty. */
static inline void tct_put_filled(json_t **object, const char *key, json_t *value)
{
    if (value && json_object_size(value) == 0)
        json_decref(value);
    else
        tct_put(object, key, value);
}

static inline json_t *tct_texts_json(const char *const *texts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        tct_append(&list, json_string(texts[i]));
    return list;
}

static inline json_t *tct_counts_json(const uint64_t *counts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        tct_append(&list, json_integer((json_int_t)counts[i]));
    return list;
}

#endif

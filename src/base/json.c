/*
 * json.c -- reading JSON with errors that name the file and the place.
 *
 * Jansson's own messages quote the text near an error.  A file may hold a person's answers, so that part is cut off:
 * the line and the column are enough to find it.
 */
#include "json.h"

#include <math.h>
#include <string.h>

#include "json_put.h"

/* Steps from the document down to a place; deeper ones are left out of messages. */
#define PATH_STEPS 32

/* Jansson's message without what it quotes from the text. */
static void keep_reason(const char *message, char *reason, size_t room)
{
    const char *quote = strstr(message, " near '");
    const char *end = strstr(message, " near end of file");
    int size = quote ? (int)(quote - message) : end ? (int)(end - message) : (int)strlen(message);

    snprintf(reason, room, "%.*s%s", size, message, end && !quote ? " where the file ends" : "");
}

static const char *file_of(const tct_json_at *at)
{
    for (; at; at = at->parent)
        if (at->file)
            return at->file;
    return NULL;
}

/* The path of `at`, then `key` (NULL allowed): "attributes[3].min". */
static void write_path(const tct_json_at *at, const char *key, char *path, size_t room)
{
    const tct_json_at *steps[PATH_STEPS];
    size_t n = 0, used = 0;

    for (; at && n < PATH_STEPS; at = at->parent)
        if (at->key || at->parent) /* the document itself is no step */
            steps[n++] = at;
    path[0] = '\0';
    while (n-- > 0 && used < room) {
        if (steps[n]->key)
            used += (size_t)snprintf(path + used, room - used, "%s%s", used ? "." : "", steps[n]->key);
        else
            used += (size_t)snprintf(path + used, room - used, "[%zu]", steps[n]->index);
    }
    if (key && used < room)
        snprintf(path + used, room - used, "%s%s", used ? "." : "", key);
}

static bool finite_number(const json_t *json, double *out)
{
    if (!json_is_number(json))
        return false;
    *out = json_number_value(json);
    return isfinite(*out);
}

tacit_status tct_json_parse(json_t **out, const char *text, size_t size, const char *file, tacit_error *err)
{
    json_error_t error;
    char reason[JSON_ERROR_TEXT_LENGTH + 32];
    size_t used = 0;

    *out = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (*out)
        return TACIT_OK;
    if (json_error_code(&error) == json_error_out_of_memory)
        return tct_fail_memory(err);
    while (used < size && strchr(" \t\r\n", text[used]) && text[used])
        used++;
    if (used == size)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "not valid JSON: the file is empty");
    keep_reason(error.text, reason, sizeof(reason));
    return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "line %d, column %d: not valid JSON: %s",
                       error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1, reason);
}

tacit_status tct_json_read(json_t **out, const char *path, size_t limit, tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tacit_status st;

    *out = NULL;
    st = tct_file_read(&text, &size, path, limit, err);
    if (!st)
        st = tct_json_parse(out, text, size, path, err);
    tct_free_wiped(text, size);
    return st;
}

tacit_status tct_json_get(json_t **out, const json_t *object, const char *key, const tct_json_at *at, tacit_error *err)
{
    *out = NULL;
    if (!json_is_object(object))
        return tct_json_fail(at, NULL, err, "expected an object");
    *out = json_object_get(object, key);
    if (!*out)
        return tct_json_fail(at, key, err, "missing");
    return TACIT_OK;
}

tacit_status tct_json_get_string(const char **out, const json_t *object, const char *key, const tct_json_at *at,
                                 tacit_error *err)
{
    json_t *member;
    tacit_status st = tct_json_get(&member, object, key, at, err);

    *out = NULL;
    if (st)
        return st;
    if (!json_is_string(member))
        return tct_json_fail(at, key, err, "expected a text");
    *out = json_string_value(member);
    return TACIT_OK;
}

tacit_status tct_json_get_number(double *out, const json_t *object, const char *key, const tct_json_at *at,
                                 tacit_error *err)
{
    json_t *member;
    tacit_status st = tct_json_get(&member, object, key, at, err);

    if (st)
        return st;
    if (!finite_number(member, out))
        return tct_json_fail(at, key, err, "expected a number");
    return TACIT_OK;
}

tacit_status tct_json_get_count(uint64_t *out, const json_t *object, const char *key, const tct_json_at *at,
                                tacit_error *err)
{
    json_t *member;
    tacit_status st = tct_json_get(&member, object, key, at, err);

    if (st)
        return st;
    if (!json_is_integer(member) || json_integer_value(member) < 0)
        return tct_json_fail(at, key, err, "expected a whole number, 0 or more");
    *out = (uint64_t)json_integer_value(member);
    return TACIT_OK;
}

tacit_status tct_json_get_array(json_t **out, const json_t *object, const char *key, const tct_json_at *at,
                                tacit_error *err)
{
    tacit_status st = tct_json_get(out, object, key, at, err);

    if (st)
        return st;
    if (!json_is_array(*out)) {
        *out = NULL;
        return tct_json_fail(at, key, err, "expected a list");
    }
    return TACIT_OK;
}

tacit_status tct_json_optional_string(const char **out, const json_t *object, const char *key, const tct_json_at *at,
                                      tacit_error *err)
{
    if (json_is_object(object) && !json_object_get(object, key))
        return TACIT_OK;
    return tct_json_get_string(out, object, key, at, err);
}

tacit_status tct_json_optional_number(double *out, const json_t *object, const char *key, const tct_json_at *at,
                                      tacit_error *err)
{
    if (json_is_object(object) && !json_object_get(object, key))
        return TACIT_OK;
    return tct_json_get_number(out, object, key, at, err);
}

tacit_status tct_json_get_numbers(double *out, size_t count, const json_t *object, const char *key,
                                  const tct_json_at *at, tacit_error *err)
{
    tct_json_at list = {.file = NULL, .parent = at, .key = key};
    json_t *array;
    tacit_status st = tct_json_get_array(&array, object, key, at, err);

    if (st)
        return st;
    if (json_array_size(array) != count)
        return tct_json_fail(at, key, err, "expected %zu numbers, not %zu", count, json_array_size(array));
    for (size_t i = 0; i < count; i++) {
        tct_json_at item = {.file = NULL, .parent = &list, .index = i};

        if (!finite_number(json_array_get(array, i), &out[i]))
            return tct_json_fail(&item, NULL, err, "expected a number");
    }
    return TACIT_OK;
}

tacit_status tct_json_fail(const tct_json_at *at, const char *key, tacit_error *err, const char *format, ...)
{
    char path[256], what[512];
    va_list arguments;

    write_path(at, key, path, sizeof(path));
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    return tct_fail_at(err, TACIT_E_INPUT, file_of(at), 0, NULL, "%s%s%s", path, path[0] ? ": " : "", what);
}

tacit_status tct_json_get_counts(uint64_t *out, size_t count, uint64_t most, const json_t *object, const char *key,
                                 const tct_json_at *at, tacit_error *err)
{
    json_t *list;
    tacit_status st = tct_json_get_array(&list, object, key, at, err);

    if (st)
        return st;
    if (json_array_size(list) != count)
        return tct_json_fail(at, key, err, "expected %zu counts, not %zu", count, json_array_size(list));
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);

        if (!json_is_integer(item) || json_integer_value(item) < 0 || (uint64_t)json_integer_value(item) > most)
            return tct_json_fail(at, key, err, "expected whole numbers from 0 to %llu", (unsigned long long)most);
        out[i] = (uint64_t)json_integer_value(item);
    }
    return TACIT_OK;
}

tacit_status tct_json_check_keys(const json_t *object, const char *const *known, size_t n_known, const tct_json_at *at,
                                 tacit_error *err)
{
    json_t *iterated = (json_t *)(uintptr_t)object; /* Jansson's iterators want it so */
    const char *key, *close;
    json_t *member;

    if (!json_is_object(object))
        return tct_json_fail(at, NULL, err, "expected an object");
    json_object_foreach(iterated, key, member)
    {
        bool found = false;

        for (size_t i = 0; i < n_known && !found; i++)
            found = strcmp(key, known[i]) == 0;
        if (found)
            continue;
        close = tacit_suggest(key, known, n_known);
        return tct_json_fail(at, key, err, close ? "unknown key; did you mean %s?" : "unknown key", close);
    }
    return TACIT_OK;
}

json_t *tct_json_numbers(const double *values, size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        tct_append(&array, tct_json_number(values[i]));
    return array;
}

json_t *tct_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *tct_json_seed(uint64_t seed)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    return seed <= UINT64_C(9007199254740992) ? json_integer((json_int_t)seed) : json_string(text);
}

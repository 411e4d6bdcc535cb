/*
 * json_dump.c -- JSON as text that people can read and that doubles survive.
 *
 * Objects take a line per member.  A list of plain values (numbers, texts, true, false, null) goes on one line when it
 * fits; a longer one fills lines of about LINE_WIDTH columns, so that a matrix in a model file does not take a line per
 * number.  Jansson's own writer has neither, and writes all doubles with 17 digits.
 */
#include "json.h"

#include <math.h>
#include <string.h>

#define LINE_WIDTH 100

static void put(tct_text *out, const char *text)
{
    tct_text_append(out, text, strlen(text));
}

static void put_indent(tct_text *out, size_t depth)
{
    put(out, "\n");
    for (size_t i = 0; i < depth; i++)
        put(out, "  ");
}

/* Length of the valid UTF-8 character at `s` (of `left` bytes), 0 when there is none. */
static size_t utf8_length(const unsigned char *s, size_t left)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;

    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90)) /* longer than need be */
        return 0;
    if ((s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF4 && s[1] >= 0x90)) /* surrogates; beyond U+10FFFF */
        return 0;
    return n;
}

static void put_escaped(tct_text *out, unsigned char c)
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* character, letter, character, letter, ... */

    for (const char *pair = named; *pair; pair += 2)
        if ((unsigned char)*pair == c) {
            tct_text_printf(out, "\\%c", pair[1]);
            return;
        }
    tct_text_printf(out, "\\u%04x", c);
}

/* Bytes at `s` (of `left`) that stand for themselves. */
static size_t plain_length(const unsigned char *s, size_t left)
{
    size_t n = 0;

    while (n < left && s[n] >= 0x20 && s[n] < 0x7F && s[n] != '"' && s[n] != '\\')
        n++;
    return n;
}

static void put_string(tct_text *out, const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;

    put(out, "\"");
    for (size_t i = 0; i < size;) {
        size_t n = plain_length(s + i, size - i);

        if (n > 0) {
            tct_text_append(out, text + i, n);
            i += n;
            continue;
        }
        n = utf8_length(s + i, size - i);
        if (n == 0) {
            put(out, "\xEF\xBF\xBD"); /* U+FFFD, the replacement character */
            n = 1;
        } else if (s[i] < 0x20 || s[i] == 0x7F || s[i] == '"' || s[i] == '\\') {
            put_escaped(out, s[i]);
        } else {
            tct_text_append(out, text + i, n);
        }
        i += n;
    }
    put(out, "\"");
}

static void put_real(tct_text *out, double value)
{
    char text[32];

    tct_format_number(value, text, sizeof(text));
    /* "-0" would be read back as the integer 0. */
    put(out, !isfinite(value) ? "null" : value == 0.0 && signbit(value) ? "-0.0" : text);
}

static void put_scalar(tct_text *out, const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_STRING:
        put_string(out, json_string_value(json), json_string_length(json));
        break;
    case JSON_INTEGER:
        tct_text_printf(out, "%lld", (long long)json_integer_value(json));
        break;
    case JSON_REAL:
        put_real(out, json_real_value(json));
        break;
    default:
        put(out, json_is_true(json) ? "true" : json_is_false(json) ? "false" : "null");
        break;
    }
}

static bool is_container(const json_t *json)
{
    return json_is_object(json) || json_is_array(json);
}

static bool is_plain_list(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (is_container(json_array_get(array, i)))
            return false;
    return true;
}

/* Column that the end of `out` is in. */
static size_t column_of(const tct_text *out)
{
    const char *line = out->size ? memrchr(out->bytes, '\n', out->size) : NULL;

    return line ? (size_t)(out->bytes + out->size - line - 1) : out->size;
}

/* The list on the line begun; false, and nothing written, when that line gets too long. */
static bool put_on_line(tct_text *out, const json_t *array)
{
    size_t start = out->size, most = LINE_WIDTH - 1;
    size_t column = column_of(out);

    if (column >= most)
        return false;
    put(out, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        put(out, i > 0 ? ", " : "");
        put_scalar(out, json_array_get(array, i));
        if (out->size - start > most - column) {
            out->size = start;
            return false;
        }
    }
    put(out, "]");
    return true;
}

/* The list on lines of its own, each as full as it gets. */
static void put_filled(tct_text *out, const json_t *array, size_t depth)
{
    tct_text item = {0};
    size_t column = LINE_WIDTH;

    put(out, "[");
    for (size_t i = 0; i < json_array_size(array) && !out->failed; i++) {
        item.size = 0;
        put_scalar(&item, json_array_get(array, i));
        out->failed |= item.failed;
        put(out, i > 0 ? "," : "");
        if (column + 2 + item.size >= LINE_WIDTH) {
            put_indent(out, depth + 1);
            column = 2 * (depth + 1);
        } else {
            put(out, " ");
            column += 2;
        }
        tct_text_append(out, item.bytes, item.size);
        column += item.size;
    }
    put_indent(out, depth);
    put(out, "]");
    tct_text_free(&item);
}

static void put_json(tct_text *out, const json_t *json, size_t depth);

static void put_object(tct_text *out, const json_t *json, size_t depth)
{
    json_t *object = (json_t *)(uintptr_t)json; /* iterating does not change it, but Jansson's type says so */
    bool first = true;

    put(out, "{");
    for (void *i = json_object_iter(object); i && !out->failed; i = json_object_iter_next(object, i)) {
        const char *key = json_object_iter_key(i);

        put(out, first ? "" : ",");
        put_indent(out, depth + 1);
        put_string(out, key, strlen(key));
        put(out, ": ");
        put_json(out, json_object_iter_value(i), depth + 1);
        first = false;
    }
    if (!first)
        put_indent(out, depth);
    put(out, "}");
}

static void put_json(tct_text *out, const json_t *json, size_t depth)
{
    if (json_is_object(json)) {
        put_object(out, json, depth);
    } else if (json_is_array(json) && is_plain_list(json)) {
        if (!put_on_line(out, json))
            put_filled(out, json, depth);
    } else if (json_is_array(json)) {
        put(out, "[");
        for (size_t i = 0; i < json_array_size(json) && !out->failed; i++) {
            put(out, i > 0 ? "," : "");
            put_indent(out, depth + 1);
            put_json(out, json_array_get(json, i), depth + 1);
        }
        put_indent(out, depth);
        put(out, "]");
    } else {
        put_scalar(out, json);
    }
}

tacit_status tct_json_dump(char **out, size_t *size, const json_t *json, tacit_error *err)
{
    tct_text text = {0};

    *out = NULL;
    put_json(&text, json, 0);
    put(&text, "\n");
    if (text.failed) {
        tct_text_free(&text);
        return tct_fail_memory(err);
    }
    *out = text.bytes;
    if (size)
        *size = text.size;
    return TACIT_OK;
}

tacit_status tct_json_hash(char hex[65], const json_t *json, tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tacit_status st = tct_json_dump(&text, &size, json, err);

    if (!st)
        st = tct_hash_text(hex, text, size, err);
    tct_free_wiped(text, size);
    return st;
}

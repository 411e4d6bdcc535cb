/*
 * ubjson.c -- reading Universal Binary JSON.
 *
 * Every value begins with a letter for its type.  Containers may say the type of all their members ($) and how many
 * there are (#); then neither types nor an end are written.  Numbers are big-endian.  What a count promises is held
 * against the bytes that are left before anything is allocated for it.
 */
#include "ubjson.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

typedef struct reading {
    const unsigned char *at, *end;
    const char *file;
    const unsigned char *start;
    tacit_error *err;
} reading;

static tacit_status refuse(const reading *r, const char *why)
{
    return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "not valid UBJSON at byte %zu: %s",
                       (size_t)(r->at - r->start), why);
}

bool tct_ubjson_looks_like(const char *bytes, size_t size)
{
    return size > 2 && bytes[0] == '{' && bytes[1] && strchr("LlIiU$#", bytes[1]) != NULL;
}

/* Bytes of a number type; 0: it is none. */
static size_t size_of(char type)
{
    switch (type) {
    case 'i':
    case 'U':
        return 1;
    case 'I':
        return 2;
    case 'l':
    case 'd':
        return 4;
    case 'L':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

static uint64_t take_bits(reading *r, size_t size)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | *r->at++;
    return bits;
}

/* A number of a type whose bytes are there. */
static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *take_number(reading *r, char type)
{
    uint64_t bits = take_bits(r, size_of(type));
    uint32_t half = (uint32_t)bits;
    double wide;
    float narrow;

    switch (type) {
    case 'i':
        return json_integer((int8_t)bits);
    case 'U':
        return json_integer((json_int_t)bits);
    case 'I':
        return json_integer((int16_t)bits);
    case 'l':
        return json_integer((int32_t)bits);
    case 'L':
        return json_integer((int64_t)bits);
    case 'd':
        memcpy(&narrow, &half, sizeof narrow);
        return real_or_null((double)narrow);
    default:
        memcpy(&wide, &bits, sizeof wide);
        return real_or_null(wide);
    }
}

/* Is it UTF-8?  Whatever is taken for text must be. */
static bool is_text(const unsigned char *s, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t n = s[i] < 0x80 ? 1 : s[i] < 0xC2 ? 0 : s[i] < 0xE0 ? 2 : s[i] < 0xF0 ? 3 : s[i] < 0xF5 ? 4 : 0;

        if (n == 0 || n > size - i || s[i] == 0 || (s[i] == 0xE0 && s[i + 1] < 0xA0) ||
            (s[i] == 0xED && s[i + 1] >= 0xA0) || (s[i] == 0xF0 && s[i + 1] < 0x90) ||
            (s[i] == 0xF4 && s[i + 1] >= 0x90))
            return false;
        for (size_t k = 1; k < n; k++)
            if ((s[i + k] & 0xC0) != 0x80)
                return false;
        i += n;
    }
    return true;
}

/* A length or count: a whole number with its type before it. */
static tacit_status take_count(reading *r, size_t *out)
{
    char type = r->at < r->end ? (char)*r->at++ : '\0';
    size_t size = size_of(type);
    json_t *number;

    if (size == 0 || type == 'd' || type == 'D' || (size_t)(r->end - r->at) < size)
        return refuse(r, "a length is missing");
    number = take_number(r, type);
    if (!number)
        return tct_fail_memory(r->err);
    if (json_integer_value(number) < 0 || (uint64_t)json_integer_value(number) > (uint64_t)(r->end - r->at)) {
        json_decref(number);
        return refuse(r, "it is shorter than it says");
    }
    *out = (size_t)json_integer_value(number);
    json_decref(number);
    return TACIT_OK;
}

static tacit_status take_value(json_t **out, reading *r, char type, size_t depth);

/* The type and the number of members, where they are said. */
static tacit_status take_header(reading *r, char *type, size_t *count, bool *counted)
{
    *type = '\0';
    *counted = false;
    if (r->at < r->end && *r->at == '$') {
        if (r->end - r->at < 3 || r->at[2] != '#')
            return refuse(r, "a type without a count");
        *type = (char)r->at[1];
        r->at += 2;
    }
    if (r->at < r->end && *r->at == '#') {
        r->at++;
        *counted = true;
        return take_count(r, count);
    }
    return TACIT_OK;
}

static bool at_end(reading *r, char close)
{
    while (r->at < r->end && *r->at == 'N')
        r->at++;
    if (r->at < r->end && (char)*r->at == close) {
        r->at++;
        return true;
    }
    return false;
}

/* Members of an array or object, into it. */
static tacit_status take_members(json_t *into, reading *r, bool object, size_t depth)
{
    size_t count = 0, size = 0;
    bool counted;
    char type, key[512];
    tacit_status st = take_header(r, &type, &count, &counted);

    for (size_t i = 0; !st && (counted ? i < count : !at_end(r, object ? '}' : ']')); i++) {
        json_t *value = NULL;

        if (object) {
            st = take_count(r, &size);
            if (!st && (size >= sizeof key || !is_text(r->at, size)))
                st = refuse(r, "a name is too long, or not UTF-8");
            if (st)
                break;
            memcpy(key, r->at, size);
            key[size] = '\0';
            if (json_object_get(into, key)) {
                st = refuse(r, "a name comes twice");
                break;
            }
            r->at += size;
        }
        if (!type && r->at == r->end)
            st = refuse(r, "it ends too early");
        else
            st = take_value(&value, r, type ? type : (char)*r->at++, depth + 1);
        if (!st && (object ? json_object_set_new_nocheck(into, key, value) : json_array_append_new(into, value)))
            st = tct_fail_memory(r->err);
    }
    return st;
}

static tacit_status take_text(json_t **out, reading *r)
{
    size_t size = 0;
    tacit_status st = take_count(r, &size);

    if (st)
        return st;
    if (!is_text(r->at, size))
        return refuse(r, "a text is not UTF-8");
    *out = json_stringn_nocheck((const char *)r->at, size);
    r->at += size;
    return *out ? TACIT_OK : tct_fail_memory(r->err);
}

static tacit_status take_value(json_t **out, reading *r, char type, size_t depth)
{
    tacit_status st;

    *out = NULL;
    if (depth > MOST_DEPTH)
        return refuse(r, "it is nested too deeply");
    if (size_of(type) > 0) {
        if ((size_t)(r->end - r->at) < size_of(type))
            return refuse(r, "it ends too early");
        *out = take_number(r, type);
        return *out ? TACIT_OK : tct_fail_memory(r->err);
    }
    switch (type) {
    case 'Z':
        *out = json_null();
        return TACIT_OK;
    case 'T':
    case 'F':
        *out = json_boolean(type == 'T');
        return TACIT_OK;
    case 'S':
        return take_text(out, r);
    case '[':
    case '{':
        *out = type == '[' ? json_array() : json_object();
        st = *out ? take_members(*out, r, type == '{', depth) : tct_fail_memory(r->err);
        if (st) {
            json_decref(*out);
            *out = NULL;
        }
        return st;
    default:
        return refuse(r, "an unknown type");
    }
}

tacit_status tct_ubjson_parse(json_t **out, const char *bytes, size_t size, const char *file, tacit_error *err)
{
    reading r = {(const unsigned char *)bytes, (const unsigned char *)bytes + size, file, (const unsigned char *)bytes,
                 err};
    tacit_status st;

    *out = NULL;
    if (size == 0)
        return refuse(&r, "it is empty");
    r.at++;
    st = take_value(out, &r, bytes[0], 0);
    if (!st && r.at != r.end) {
        json_decref(*out);
        *out = NULL;
        st = refuse(&r, "something follows the end");
    }
    return st;
}

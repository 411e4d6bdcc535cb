/*
 * jsonout.c -- see jsonout.h.  Text that is no UTF-8 is printed with U+FFFD in place of the stray bytes, so that the
 * output is JSON whatever the names in a file look like.
 */
#include "jsonout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of the UTF-8 character at p, 0 when there is none. */
static size_t character_size(const unsigned char *p)
{
    size_t size = p[0] < 0x80                   ? 1
                  : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                  : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                  : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                : 0;

    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    /* Over-long forms, surrogates, beyond U+10FFFF. */
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return size;
}

static void print_string(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    putchar('"');
    while (*p) {
        size_t size = character_size(p);

        if (size == 0)
            fputs("\\ufffd", stdout);
        else if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 0x20)
            printf("\\u%04x", *p);
        else
            fwrite(p, 1, size, stdout);
        p += size ? size : 1;
    }
    putchar('"');
}

/* Comma, line, indentation and key of the next member. */
static void start_member(json_out *json, const char *key)
{
    if (json->filled)
        putchar(',');
    if (json->depth)
        printf("\n%*s", (int)(2 * json->depth), "");
    if (key) {
        print_string(key);
        fputs(": ", stdout);
    }
    json->filled = true;
}

void json_begin(json_out *json, const char *key, char bracket)
{
    start_member(json, key);
    putchar(bracket);
    json->depth++;
    json->filled = false;
}

void json_end(json_out *json, char bracket)
{
    json->depth--;
    if (json->filled)
        printf("\n%*s", (int)(2 * json->depth), "");
    putchar(bracket);
    json->filled = true;
    if (json->depth == 0)
        putchar('\n');
}

void json_text(json_out *json, const char *key, const char *text)
{
    start_member(json, key);
    if (text)
        print_string(text);
    else
        fputs("null", stdout);
}

void json_number(json_out *json, const char *key, double value)
{
    char text[40];

    start_member(json, key);
    if (!isfinite(value)) {
        fputs("null", stdout);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, stdout);
}

void json_count(json_out *json, const char *key, uint64_t value)
{
    start_member(json, key);
    printf("%" PRIu64, value);
}

void json_truth(json_out *json, const char *key, bool value)
{
    start_member(json, key);
    fputs(value ? "true" : "false", stdout);
}

/*
 * names.c -- what may be the name of a column, an attribute, a level, a class.
 *
 * Names are shown on terminals and web pages and stored in JSON, so they are valid UTF-8 (no overlong forms, no
 * surrogates, nothing beyond U+10FFFF) without control characters (U+0000-001F, U+007F-009F).
 */
#include "names.h"

#include <stdint.h>

/* Length of the valid UTF-8 character at the beginning, 0 when there is none; its code in *code. */
static size_t read_character(const unsigned char *c, size_t size, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;

    if (length == 0 || length > size)
        return 0;
    *code = length == 1 ? c[0] : c[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3F);
    }
    if (*code < smallest[length] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
        return 0;
    return length;
}

const char *tct_name_problem(const char *bytes, size_t size, size_t limit)
{
    const unsigned char *c = (const unsigned char *)bytes;
    uint32_t code = 0;

    if (size == 0)
        return "is empty";
    if (size > limit)
        return "is too long";
    for (size_t length; size > 0; c += length, size -= length) {
        length = read_character(c, size, &code);
        if (length == 0)
            return "is not UTF-8 text";
        if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            return "has a control character";
    }
    return NULL;
}

/*
 * error.c -- filling in a tacit_error.
 *
 * A message is one line whatever went into it: names come from files, and a name may hold a line feed or an escape
 * sequence that a terminal would obey.  Control characters become '?', and a message that is too long is cut between
 * two UTF-8 characters.
 */
#include "base.h"

#include <string.h>

/* Make `text`, of which snprintf wanted `wanted` bytes, one clean line. */
static void clean_line(char *text, size_t room, size_t wanted)
{
    size_t size = strlen(text);

    if (wanted >= room) {
        while (size > 0 && ((unsigned char)text[size - 1] & 0xC0) == 0x80)
            size--;
        if (size > 0 && (unsigned char)text[size - 1] >= 0xC0)
            size--;
        text[size] = '\0';
    }
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
}

/* Append to a fixed buffer; returns the length that would have been reached. */
static size_t append_format(char *text, size_t room, size_t used, const char *format, va_list arguments)
{
    int more = vsnprintf(used < room ? text + used : NULL, used < room ? room - used : 0, format, arguments);

    return used + (more > 0 ? (size_t)more : 0);
}

__attribute__((format(printf, 4, 5))) static size_t append_printf(char *text, size_t room, size_t used,
                                                                  const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    used = append_format(text, room, used, format, arguments);
    va_end(arguments);
    return used;
}

/* "FILE: row R, column C: " as far as the parts are given. */
static size_t append_place(char *text, size_t room, const char *file, size_t row, const char *column)
{
    size_t used = 0;

    text[0] = '\0';
    if (file)
        used = append_printf(text, room, used, "%s: ", file);
    if (row)
        used = append_printf(text, room, used, "row %zu%s", row, column ? ", " : ": ");
    if (column)
        used = append_printf(text, room, used, "column %s: ", column);
    return used;
}

tacit_status tct_fail(tacit_error *err, tacit_status status, const char *format, ...)
{
    va_list arguments;
    size_t used;

    if (!err)
        return status;
    memset(err, 0, sizeof(*err));
    err->status = status;
    va_start(arguments, format);
    used = append_format(err->message, sizeof(err->message), 0, format, arguments);
    va_end(arguments);
    clean_line(err->message, sizeof(err->message), used);
    return status;
}

tacit_status tct_fail_at(tacit_error *err, tacit_status status, const char *file, size_t row, const char *column,
                         const char *format, ...)
{
    va_list arguments;
    size_t used;

    if (!err)
        return status;
    memset(err, 0, sizeof(*err));
    err->status = status;
    err->row = row;
    used = append_printf(err->column, sizeof(err->column), 0, "%s", column ? column : "");
    clean_line(err->column, sizeof(err->column), used);
    used = append_place(err->message, sizeof(err->message), file, row, column);
    va_start(arguments, format);
    used = append_format(err->message, sizeof(err->message), used, format, arguments);
    va_end(arguments);
    clean_line(err->message, sizeof(err->message), used);
    return status;
}

tacit_status tct_fail_memory(tacit_error *err)
{
    return tct_fail(err, TACIT_E_MEMORY, "out of memory");
}

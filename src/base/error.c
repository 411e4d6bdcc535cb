/*
 * error.c -- filling in a tacit_error.
 *
 * A message is one line whatever went into it (a list of problems has one each): names come from files, and a name may
 * hold a line feed or an escape sequence that a terminal would obey.  Control characters become '?', and a message that
 * is too long is cut between two UTF-8 characters.
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

static tacit_status fail_with(tacit_error *err, tacit_status status, const char *file, size_t row, const char *column,
                              const char *format, va_list arguments)
{
    size_t used;

    if (!err)
        return status;
    memset(err, 0, sizeof(*err));
    err->status = status;
    err->row = row;
    used = append_printf(err->column, sizeof(err->column), 0, "%s", column ? column : "");
    clean_line(err->column, sizeof(err->column), used);
    used = append_place(err->message, sizeof(err->message), file, row, column);
    used = append_format(err->message, sizeof(err->message), used, format, arguments);
    clean_line(err->message, sizeof(err->message), used);
    return status;
}

tacit_status tct_fail(tacit_error *err, tacit_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    status = fail_with(err, status, NULL, 0, NULL, format, arguments);
    va_end(arguments);
    return status;
}

tacit_status tct_fail_at(tacit_error *err, tacit_status status, const char *file, size_t row, const char *column,
                         const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    status = fail_with(err, status, file, row, column, format, arguments);
    va_end(arguments);
    return status;
}

/* A problem without the name of its file. */
static const char *without_file(const char *message, const char *file)
{
    size_t size = strlen(file);

    return strncmp(message, file, size) == 0 && strncmp(message + size, ": ", 2) == 0 ? message + size + 2 : message;
}

tacit_status tct_fail_list(tacit_error *err, const char *file, const tacit_error *problems, size_t count)
{
    enum { REST = 64 }; /* bytes for "... and so many more" */
    tacit_status status = problems[0].status;
    size_t used, room = sizeof(err->message), i;

    for (i = 1; i < count; i++)
        if (problems[i].status == TACIT_E_INPUT)
            status = TACIT_E_INPUT;
    if (!err)
        return status;
    if (count == 1) {
        *err = problems[0];
        return status;
    }
    memset(err, 0, sizeof(*err));
    err->status = status;
    err->row = problems[0].row;
    memcpy(err->column, problems[0].column, sizeof(err->column));
    used = append_printf(err->message, room, 0, "%.2000s: %zu problems:", file, count);
    for (i = 0; i < count; i++) {
        const char *text = without_file(problems[i].message, file);

        if (used + strlen(text) + 3 + REST >= room)
            break;
        used = append_printf(err->message, room, used, "\n  %s", text);
    }
    if (i < count)
        append_printf(err->message, room, used, "\n  ... and %zu more", count - i);
    return status;
}

tacit_status tct_fail_memory(tacit_error *err)
{
    return tct_fail(err, TACIT_E_MEMORY, "out of memory");
}

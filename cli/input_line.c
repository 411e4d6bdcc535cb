/*
 * input_line.c -- see input_line.h.
 */
#include "input_line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Next byte, or -1. */
static int next_byte(line_reader *reader)
{
    while (reader->at == reader->size) {
        ssize_t got;

        if (reader->ended || cli_interrupted())
            return -1;
        got = read(STDIN_FILENO, reader->bytes, sizeof(reader->bytes));
        if (got < 0 && errno == EINTR)
            continue;
        reader->ended = got <= 0;
        reader->at = 0;
        reader->size = got > 0 ? (size_t)got : 0;
    }
    return (unsigned char)reader->bytes[reader->at++];
}

static void trim(char *line, size_t size)
{
    size_t start = strspn(line, " \t\r");

    while (size > start && strchr(" \t\r", line[size - 1]))
        size--;
    memmove(line, line + start, size - start);
    memset(line + size - start, 0, LINE_ROOM - (size - start));
}

line_result line_read(line_reader *reader, char line[LINE_ROOM])
{
    size_t size = 0;
    bool long_line = false;
    int byte;

    explicit_bzero(line, LINE_ROOM);
    while ((byte = next_byte(reader)) >= 0 && byte != '\n') {
        if (size + 1 < LINE_ROOM)
            line[size++] = (char)byte;
        else
            long_line = true;
    }
    if (byte < 0 && (size == 0 || cli_interrupted()))
        return LINE_ENDED;
    if (long_line || memchr(line, '\0', size))
        return LINE_TOO_LONG;
    trim(line, size);
    return LINE_READ;
}

void line_wipe(line_reader *reader)
{
    explicit_bzero(reader, sizeof(*reader));
}

/*
 * input_line.h -- lines typed by a person, read without a trace: no stdio buffer keeps them, and what was read is
 * wiped.
 */
#ifndef CLI_INPUT_LINE_H
#define CLI_INPUT_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_ROOM = 1024 };

typedef struct line_reader {
    char bytes[LINE_ROOM];
    size_t size, at;
    bool ended;
} line_reader;

typedef enum line_result {
    LINE_READ = 0,
    LINE_TOO_LONG, /* passed over to its end */
    LINE_ENDED     /* end of input, or interrupted */
} line_result;

/* The next line of standard input without its end and without blanks around it. */
line_result line_read(line_reader *reader, char line[LINE_ROOM]);
void line_wipe(line_reader *reader);

#endif

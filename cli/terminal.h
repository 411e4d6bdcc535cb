/*
 * terminal.h -- how things look: colour, symbols, tables, bars, wrapped text, progress.
 *
 * Colour only on a terminal and without NO_COLOR; symbols outside ASCII only in a UTF-8 locale.  Everything else
 * prints the same text everywhere, so that what people see can be tested.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef enum term_style {
    STYLE_PLAIN = 0,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_BAD,
    STYLE_ACCENT
} term_style;

/* Set once by term_start, read-only after. */
typedef struct term_look {
    bool utf8, colour;
    bool narrow;  /* words that are longer than a line are broken: somebody said how long it is */
    size_t width; /* of standard output; 80 when it is no terminal */
    const char *delta, *line, *bullet, *dots, *at_least, *dash, *range, *arrow;
} term_look;
extern term_look term;

void term_start(void);

/* Escape sequence that turns a style on; "" without colour.  STYLE_PLAIN turns all off. */
const char *term_on(term_style style);
/* Columns a text takes. */
size_t term_columns(const char *text);
/* A copy of `text` (free it) that is safe to print: control characters become '?', and it is cut with dots to `columns`
 * (0: not cut). */
char *term_clean(const char *text, size_t columns);
/* Print `text` cleaned, in a style. */
void term_print(term_style style, const char *text);
/* Print words wrapped to `width`: the first line starts at column `at` (already printed), the others are indented.
 * Empty lines in the text separate paragraphs. */
void term_wrap(FILE *out, size_t at, size_t indent, size_t width, const char *text);
/* Sentences wrapped to the width of the terminal. */
void term_say(term_style style, const char *text);
/* The same, indented. */
void term_say_at(term_style style, size_t indent, const char *text);
/* A heading with an empty line above. */
void term_heading(const char *text);

/* A bar of at most `columns` columns for a share between 0 and 1 (free it); any share above 0 shows. */
char *term_bar(double share, size_t columns);
/* "24 %", "24.1 %": rounded, but never to 0 or 100 unless it is exactly that ("<0.1 %", "99.9 %").  NaN: a dash. */
void term_percent(double share, int digits, char *text, size_t size);
/* 12345 as "12,345". */
void term_count(uint64_t value, char *text, size_t size);

/* ---- tables: columns as wide as needed, the first row is the head ---- */

typedef struct term_table term_table;
/* One letter per column: l or r. */
term_table *table_new(const char *alignment);
void table_cell(term_table *table, term_style style, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Print, indented, and free. */
void table_print(term_table *table, size_t indent);
/* Free without printing. */
void table_discard(term_table *table);

/* ---- progress on standard error, if that is a terminal ---- */

typedef struct term_progress {
    const char *title;
    bool shown; /* false: nothing is ever printed */
    bool drawn, told;
    uint64_t first; /* what was done when it was told first: work taken up again took no time */
    struct timespec started, last;
} term_progress;
void progress_start(term_progress *progress, const char *title, bool quiet);
/* A tacit_progress: draws, and returns false once the program was interrupted. */
bool progress_step(void *context, uint64_t done, uint64_t total);
void progress_end(term_progress *progress);

#endif

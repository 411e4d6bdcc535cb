/*
 * tables.c -- tables that line up, and the progress bar.
 */
#include "terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { GAP = 2 }; /* columns between columns */

struct term_table {
    char *alignment;
    size_t n_columns, n_cells;
    char **cells;
    term_style *styles;
};

term_table *table_new(const char *alignment)
{
    term_table *table = cli_alloc(1, sizeof(*table));

    table->alignment = cli_format("%s", alignment);
    table->n_columns = strlen(alignment);
    return table;
}

void table_cell(term_table *table, term_style style, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = cli_format_list(format, arguments);
    va_end(arguments);
    table->cells = cli_realloc(table->cells, table->n_cells + 1, sizeof(*table->cells));
    table->styles = cli_realloc(table->styles, table->n_cells + 1, sizeof(*table->styles));
    table->cells[table->n_cells] = term_clean(text, 0);
    table->styles[table->n_cells++] = style;
    free(text);
}

static size_t column_width(const term_table *table, size_t column)
{
    size_t width = 0;

    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        size_t columns = term_columns(table->cells[i]);

        if (columns > width)
            width = columns;
    }
    return width;
}

/* Bytes of `text` that go on a line of `room` columns: as many words as fit, or as much of a longer word. */
static size_t line_size(const char *text, size_t room)
{
    size_t words = 0, fits = 0, size = 0;

    if (term_columns(text) <= room)
        return strlen(text);
    do {
        char *start;
        bool fit;

        do
            size++;
        while (((unsigned char)text[size] & 0xc0) == 0x80); /* to the end of a character */
        start = cli_format("%.*s", (int)size, text);
        fit = term_columns(start) <= room;
        free(start);
        if (!fit)
            break;
        fits = size;
        words = text[size] == ' ' && text[size - 1] != ' ' ? size : words;
    } while (text[size]);
    return words ? words : fits ? fits : size;
}

/* A line of a row: the first column and those from `from` to before `to`, without blanks at its end.  `texts` are what
 * is left of the cells: what was printed is passed over.  Is there more to come? */
static bool print_line(const term_table *table, const char **texts, size_t row, const size_t *widths, size_t indent,
                       size_t from, size_t to)
{
    size_t owed = indent; /* blanks before the next text */
    bool more = false;

    for (size_t c = 0; c < to; c = c ? c + 1 : from) {
        size_t size = line_size(texts[c], widths[c]);
        char *text = cli_format("%.*s", (int)size, texts[c]);
        size_t columns = term_columns(text), pad = columns < widths[c] ? widths[c] - columns : 0;
        term_style style = table->styles[row * table->n_columns + c];

        style = row == 0 && style == STYLE_PLAIN ? STYLE_DIM : style;
        texts[c] += size;
        texts[c] += *texts[c] == ' ';
        more = more || *texts[c];
        if (table->alignment[c] == 'r')
            owed += pad;
        if (columns) {
            printf("%*s%s%s%s", (int)owed, "", style ? term_on(style) : "", text, style ? term_on(STYLE_PLAIN) : "");
            owed = 0;
        }
        owed += (table->alignment[c] == 'r' ? 0 : pad) + GAP;
        free(text);
    }
    putchar('\n');
    return more;
}

/* The lines of a row: one, or more where a cell is wider than its column may be. */
static void print_row(const term_table *table, size_t row, const size_t *widths, size_t indent, size_t from, size_t to)
{
    const char **texts = cli_alloc(table->n_columns, sizeof(*texts));

    for (size_t c = 0; c < table->n_columns; c++)
        texts[c] = table->cells[row * table->n_columns + c];
    while (print_line(table, texts, row, widths, indent, from, to))
        continue;
    free(texts);
}

void table_discard(term_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->styles);
    free(table->alignment);
    free(table);
}

/* The first column and those from `from` to before `to`. */
static void print_part(const term_table *table, const size_t *widths, size_t indent, size_t from, size_t to)
{
    size_t total = widths[0];

    for (size_t c = from; c < to; c++)
        total += GAP + widths[c];
    for (size_t row = 0; row * table->n_columns < table->n_cells; row++) {
        print_row(table, row, widths, indent, from, to);
        if (row == 0) {
            printf("%*s%s", (int)indent, "", term_on(STYLE_DIM));
            for (size_t i = 0; i < total; i++)
                fputs(term.line, stdout);
            printf("%s\n", term_on(STYLE_PLAIN));
        }
    }
}

/* How wide columns are: as their widest cell, unless the first and another one do not fit beside each other.  Then the
 * first takes half the terminal at most and the other what is left, and their cells go on on further lines. */
static void choose_widths(const term_table *table, size_t indent, size_t *widths)
{
    size_t room = term.width - indent, widest = 0;

    for (size_t c = 0; c < table->n_columns; c++) {
        widths[c] = column_width(table, c);
        widest = c && widths[c] > widest ? widths[c] : widest;
    }
    if (widths[0] + GAP + widest <= room)
        return;
    if (widths[0] > room / 2)
        widths[0] = widest + GAP < room / 2 ? room - GAP - widest : room / 2;
    for (size_t c = 1; c < table->n_columns; c++)
        if (widths[c] > room - GAP - widths[0])
            widths[c] = room - GAP - widths[0];
}

/* A table that is wider than the terminal is printed in parts, each with the first column. */
void table_print(term_table *table, size_t indent)
{
    size_t *widths = cli_alloc(table->n_columns, sizeof(*widths)), from = 1;

    choose_widths(table, indent, widths);
    do {
        size_t total = indent + widths[0], to = from;

        while (to < table->n_columns && (to == from || total + GAP + widths[to] <= term.width))
            total += GAP + widths[to++];
        print_part(table, widths, indent, from, to);
        from = to;
    } while (from < table->n_columns);
    table_discard(table);
    free(widths);
}

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

/* "40 s left", "12 min left", "2 h 5 min left". */
static void print_left(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, "  %.0f s left", seconds);
    else if (seconds < 5400)
        fprintf(stderr, "  %.0f min left", seconds / 60);
    else
        fprintf(stderr, "  %.0f h %.0f min left", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
}

void progress_start(term_progress *progress, const char *title, bool quiet)
{
    memset(progress, 0, sizeof(*progress));
    progress->title = title;
    progress->shown = !quiet && isatty(STDERR_FILENO);
    clock_gettime(CLOCK_MONOTONIC, &progress->started);
    progress->last = progress->started;
}

bool progress_step(void *context, uint64_t done, uint64_t total)
{
    enum { BAR = 30 };
    term_progress *progress = context;
    struct timespec now;
    double spent, share = total ? (double)done / (double)total : 0;

    if (!progress->told)
        progress->first = done;
    progress->told = true;
    if (cli_interrupted())
        return false;
    if (!progress->shown)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    spent = seconds_between(&progress->started, &now);
    /* Short work shows nothing; long work ten pictures a second. */
    if (spent < 0.3 || (progress->drawn && seconds_between(&progress->last, &now) < 0.1))
        return true;
    progress->last = now;
    progress->drawn = true;
    if (total) {
        char *bar = term_bar(share, BAR);

        fprintf(stderr, "\r\033[K%s  %s%*s %3.0f %%", progress->title, bar, (int)(BAR - term_columns(bar)), "",
                100 * share);
        if (spent > 2 && done > progress->first && (double)(done - progress->first) > 0.02 * (double)total)
            print_left(spent * (double)(total - done) / (double)(done - progress->first));
        free(bar);
    } else {
        fprintf(stderr, "\r\033[K%s  %.0f s", progress->title, spent);
    }
    fflush(stderr);
    return true;
}

void progress_end(term_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

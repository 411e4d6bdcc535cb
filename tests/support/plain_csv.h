/*
 * plain_csv.h -- a CSV reader that looks at one character after the other: the twin of the fast one.
 *
 *   plain_csv csv;
 *   plain_csv_read(&csv, bytes, size, ';', false);
 *   csv.cells[row * csv.n_columns + column].text ...
 *   plain_csv_free(&csv);
 *
 * It knows no blocks, no masks, no threads.  RFC 4180 as Tacit reads it: blanks (space, tab) around a cell are
 * dropped, a quote opens a cell or is doubled inside one, a line ends with LF or CRLF outside quotes, empty lines do
 * not count.  Where the first line ends with CR alone, CR, LF and CRLF are all line ends.
 */
#ifndef TEST_PLAIN_CSV_H
#define TEST_PLAIN_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_cell {
    char *text;
    size_t size;
} plain_cell;

typedef struct plain_csv {
    plain_cell *cells;
    size_t n_cells, room;
    size_t n_columns; /* of the first record */
    size_t n_rows;    /* good records, the first included */
    bool bad;         /* the record after the good ones is wrong */
} plain_csv;

static inline void plain_csv_free(plain_csv *csv)
{
    for (size_t i = 0; i < csv->n_cells; i++)
        free(csv->cells[i].text);
    free(csv->cells);
    memset(csv, 0, sizeof(*csv));
}

static inline void plain_add_cell(plain_csv *csv, const char *text, size_t size)
{
    if (csv->n_cells == csv->room) {
        csv->room = 2 * csv->room + 16;
        csv->cells = realloc(csv->cells, csv->room * sizeof(*csv->cells));
    }
    if (!csv->cells)
        abort();
    csv->cells[csv->n_cells].text = malloc(size + 1);
    if (!csv->cells[csv->n_cells].text)
        abort();
    memcpy(csv->cells[csv->n_cells].text, text, size);
    csv->cells[csv->n_cells].text[size] = '\0';
    csv->cells[csv->n_cells++].size = size;
}

static inline bool plain_at_line_end(const char *bytes, size_t size, size_t at)
{
    return at == size || bytes[at] == '\n' || (bytes[at] == '\r' && (at + 1 == size || bytes[at + 1] == '\n'));
}

/* One cell from `at` on; false when it is wrong.  Leaves *at at its separator or line end. */
static inline bool plain_read_cell(plain_csv *csv, const char *bytes, size_t size, char separator, size_t *at,
                                   char *text)
{
    size_t used = 0, i = *at;
    bool ok = true;

    while (i < size && (bytes[i] == ' ' || bytes[i] == '\t') && bytes[i] != separator)
        i++;
    if (i < size && bytes[i] == '"') {
        bool closed = false;

        for (i++; i < size && !closed; i++) {
            if (bytes[i] != '"')
                text[used++] = bytes[i];
            else if (i + 1 < size && bytes[i + 1] == '"')
                text[used++] = bytes[i++];
            else
                closed = true;
            ok = ok && bytes[i] != '\0';
        }
        while (i < size && (bytes[i] == ' ' || bytes[i] == '\t') && bytes[i] != separator)
            i++;
        ok = ok && closed && (plain_at_line_end(bytes, size, i) || bytes[i] == separator);
    } else {
        while (!plain_at_line_end(bytes, size, i) && bytes[i] != separator) {
            ok = ok && bytes[i] != '"' && bytes[i] != '\0';
            text[used++] = bytes[i++];
        }
        while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '\t'))
            used--;
    }
    if (ok)
        plain_add_cell(csv, text, used);
    *at = i;
    return ok;
}

/* Does the first line end with CR alone? */
static inline bool plain_has_cr_ends(const char *bytes, size_t size)
{
    size_t at = 0;
    bool quoted = false;

    while (at < size && (quoted || (bytes[at] != '\n' && bytes[at] != '\r')))
        quoted ^= bytes[at++] == '"';
    return at + 1 < size && bytes[at] == '\r' && bytes[at + 1] != '\n';
}

/* Every CR and CRLF a LF, in place; the new size. */
static inline size_t plain_mend_line_ends(char *bytes, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\r')
            bytes[n++] = bytes[i];
        else if (i + 1 == size || bytes[i + 1] != '\n')
            bytes[n++] = '\n';
    return n;
}

/* Reads until the end or the first wrong record.  skip_bom: as at the beginning of a file. */
static inline void plain_csv_read(plain_csv *csv, const char *from, size_t size, char separator, bool skip_bom)
{
    char *text = malloc(size + 1), *bytes = malloc(size + 1);
    size_t at;

    if (!bytes)
        abort();
    memcpy(bytes, from, size);
    if (skip_bom && plain_has_cr_ends(bytes, size))
        size = plain_mend_line_ends(bytes, size);
    at = skip_bom && size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    memset(csv, 0, sizeof(*csv));
    if (!text)
        abort();
    while (at < size && !csv->bad) {
        size_t cells = csv->n_cells;
        bool ok = true;

        if (plain_at_line_end(bytes, size, at)) { /* an empty line */
            at += bytes[at] == '\r' && at + 1 < size ? 2 : 1;
            continue;
        }
        for (;; at++) {
            ok = plain_read_cell(csv, bytes, size, separator, &at, text);
            if (!ok || at == size || bytes[at] != separator)
                break;
        }
        if (csv->n_rows == 0)
            csv->n_columns = csv->n_cells - cells;
        csv->bad = !ok || csv->n_cells - cells != csv->n_columns;
        csv->n_rows += !csv->bad;
        if (at < size)
            at += bytes[at] == '\r' ? 2 : 1;
    }
    free(text);
    free(bytes);
}

#endif

/*
 * tacit/table.h -- CSV files in memory.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_TABLE_H
#define TACIT_TABLE_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_table tacit_table;

/* How to read a CSV file.  Zero-initialised is the usual case. */
typedef struct tacit_csv_options {
    size_t size;         /* see tacit.h */
    char separator;      /* 0: found out among , ; tab | */
    const char *missing; /* comma-separated markers that mean "missing", beside the empty cell; NULL: tacit_table_read
                            finds out whether the usual ones (NA, N/A, NaN, null, ?, ...) occur, others take none */
    unsigned usual;      /* which of the usual markers mean "missing" as well: set by tacit_schema_csv */
    bool no_header;      /* the first row is data; columns are named by `names`, else c1, c2, ... */
    const char *names;   /* comma-separated column names, for no_header */
    char decimal;        /* '.' or ','; 0: found out by tacit_table_read, else '.' */
    size_t skip_lines;   /* lines to pass over before the header (or the first row) */
    size_t skip_bad;     /* bad rows, of the wrong number of cells or with text for a number, that may be left out */
    bool defer_bad; /* tacit_table_read: if there are more, go on; who uses the table will list them beside all else
                            that is wrong */
} tacit_csv_options;

/* Read a whole CSV file ("-": standard input), plain or packed by gzip or zstd.  RFC 4180, CRLF or LF, UTF-8 BOM allowed; blank lines are
 * passed over; blanks around an unquoted cell are dropped.  threads: 0 = all cores. */
TACIT_API tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *options,
                                        size_t threads, tacit_error *err);
/* The same for the bytes of such a file.  name: for messages; NULL: "table". */
TACIT_API tacit_status tacit_table_parse(tacit_table **out, const char *name, const void *bytes, size_t size,
                                         const tacit_csv_options *options, size_t threads, tacit_error *err);
TACIT_API void tacit_table_free(tacit_table *table);
TACIT_API size_t tacit_table_rows(const tacit_table *table);
TACIT_API size_t tacit_table_columns(const tacit_table *table);
TACIT_API const char *tacit_table_column_name(const tacit_table *table, size_t column);
/* Rows that were left out so far: bad ones, and those that tacit_table_drop_unlabelled took out.  Others keep the numbers
 * they have in the file. */
TACIT_API size_t tacit_table_skipped(const tacit_table *table);
TACIT_API size_t tacit_table_unlabelled(const tacit_table *table);
/* Leave out the rows without label.  A name that is no column changes nothing: other calls will tell. */
TACIT_API tacit_status tacit_table_drop_unlabelled(tacit_table *table, const char *label, tacit_error *err);
/* SHA-256 of the file as it is, packed or not; of a table made from columns that of its values.  Hex. */
TACIT_API const char *tacit_table_hash(const tacit_table *table);

#ifdef __cplusplus
}
#endif
#endif

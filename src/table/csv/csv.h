/*
 * csv.h -- reading CSV in blocks of whole records.
 *
 * One stage is sequential and cheap: read bytes, find the end of the last whole record, count records.  The other,
 * splitting a block into cells, is independent per block and runs on any thread.  A table is the list of all blocks of
 * a file; an audit streams them.  The same two functions serve both.
 *
 * Strict RFC 4180: a quote may only open a cell or be doubled inside one.  So whether a byte is inside quotes
 * is the parity of the quotes before it.
 */
#ifndef TCT_CSV_H
#define TCT_CSV_H

#include "base.h"

typedef struct tct_csv tct_csv;

/* What the cells of a column hold.  In a file all hold text; tables made from columns (table_columns.h) also have numbers,
 * whose kind says how they would be written in a file. */
typedef enum tct_holds {
    TCT_TEXT = 0,
    TCT_WHOLE = 1, /* 12 */
    TCT_REAL = 2,  /* 1.5, 12.0 */
    TCT_TRUTH = 3, /* True, False */
    TCT_DAYS = 4   /* since 1970-01-01, written as a date */
} tct_holds;

typedef union tct_cell {
    struct {
        uint32_t start, size; /* in the block's bytes; quotes removed, doubled quotes undone, blanks trimmed */
    };
    double number; /* in a column that holds numbers; NaN: missing */
} tct_cell;

/* One cell, whatever it holds. */
typedef struct tct_datum {
    tct_holds holds;
    const char *bytes; /* TCT_TEXT; not terminated */
    size_t size;
    double number; /* all others; NaN: missing */
} tct_datum;

/* Whole records.  Zero-initialise; reuse for as many blocks as you like; tct_block_clear wipes and frees. */
typedef struct tct_block {
    char *bytes;
    size_t size, room;
    tct_cell *cells; /* n_rows x n_columns, after tct_csv_split */
    size_t cells_room;
    size_t n_rows;        /* records, blank lines not counted */
    uint64_t sequence;    /* 0, 1, 2, ... */
    uint64_t first_row;   /* number of its first record, from 1 */
    const uint64_t *rows; /* numbers of its records where they are not consecutive (borrowed), else NULL */
    uint64_t *own_rows;   /* room for them where rows were left out */
    size_t own_room;
    bool numbers; /* cells hold numbers of people: they are wiped */
} tct_block;

/* The number of a record in the file, from 1. */
static inline uint64_t tct_block_row(const tct_block *block, size_t row)
{
    return block->rows ? block->rows[row] : block->first_row + row;
}
/* Leave out rows of a split block: those with drop[r]. */
tacit_status tct_block_drop(tct_block *block, size_t n_columns, const bool *drop, tacit_error *err);
void tct_block_clear(tct_block *block);

/* Opens, skips lines, finds the separator, reads the header.  Columns of the same name are told apart (a, a.2, a.3),
 * those without get one ("column 3").  An empty file, a NUL byte, a line beyond the limit are errors with their
 * place. */
tacit_status tct_csv_open(tct_csv **out, const char *path, const tacit_csv_options *options, tacit_error *err);
/* The same for a file or its bytes in memory, which must stay. */
typedef struct tct_csv_from {
    const char *name;  /* the path, or what to call it */
    const void *bytes; /* NULL: a file */
    size_t size;
} tct_csv_from;
tacit_status tct_csv_open_from(tct_csv **out, const tct_csv_from *from, const tacit_csv_options *options,
                               tacit_error *err);
void tct_csv_close(tct_csv *csv);
/* Hash every byte of the file from its beginning on (call right after open); finish gives the SHA-256 after the last
 * block. */
tacit_status tct_csv_hash_start(tct_csv *csv, tacit_error *err);
void tct_csv_hash_finish(tct_csv *csv, char hex[65]);

/* Hand out blocks of about this many bytes (usual: 256 KB).  Between open and the first block. */
void tct_csv_set_block_size(tct_csv *csv, size_t size);

const char *tct_csv_path(const tct_csv *csv);
size_t tct_csv_columns(const tct_csv *csv);
const char *tct_csv_column(const tct_csv *csv, size_t column);
/* Index of the column called `name`, or TACIT_NONE. */
size_t tct_csv_find(const tct_csv *csv, const char *name);
uint64_t tct_csv_bytes_done(const tct_csv *csv);
uint64_t tct_csv_bytes_total(const tct_csv *csv); /* 0 when not known */

/* Next block; n_rows = 0 at the end.  Callable from many threads at once (it locks). */
tacit_status tct_csv_next(tct_csv *csv, tct_block *block, tacit_error *err);
/* Split into cells.  Ragged records and misplaced quotes are errors with row and column; or they are left out and
 * counted, where bad rows may be.  Touches `block`, and counts. */
tacit_status tct_csv_split(const tct_csv *csv, tct_block *block, tacit_error *err);
/* The same, but whatever is wrong with its records: *bad tells the first that is bad, if its status is not TACIT_OK, and
 * all such are left out and counted.  For who will fail, but wants to know what else is wrong. */
tacit_status tct_csv_split_good(const tct_csv *csv, tct_block *block, tacit_error *bad, tacit_error *err);
/* Rows left out by tct_csv_split and tct_csv_count_bad; those beyond the limit are an error. */
uint64_t tct_csv_bad(const tct_csv *csv);
bool tct_csv_may_skip(const tct_csv *csv);
void tct_csv_count_bad(const tct_csv *csv, uint64_t rows, uint64_t first);
uint64_t tct_csv_first_bad(const tct_csv *csv); /* the row; if there is one */
tacit_status tct_csv_fail_skipped(const tct_csv *csv, uint64_t bad, uint64_t first, tacit_error *err);
tacit_status tct_csv_check_bad(const tct_csv *csv, uint64_t bad, tacit_error *err);
/* Bad rows that may not be left out: `first` as it is where it is the only one. */
tacit_status tct_csv_fail_bad(const char *path, const tacit_error *first, uint64_t rows, tacit_error *err);
/* A cell with its decimal mark turned into a point (a point into what is in no number); the cell itself where the mark
 * is a point. */
enum { TCT_POINT_ROOM = 64 };
const char *tct_csv_point(const tct_csv *csv, const char *bytes, size_t size, char buffer[TCT_POINT_ROOM]);
/* A cell as a number, with the file's decimal mark. */
bool tct_csv_number(const tct_csv *csv, const char *bytes, size_t size, double *out);
/* Other markers than those the file was opened with (comma-separated). */
tacit_status tct_csv_set_missing(tct_csv *csv, const char *markers, tacit_error *err);
/* Does this cell mean "missing"? */
bool tct_csv_missing(const tct_csv *csv, const char *bytes, size_t size);

/* ---- datum.c: cells, whether they hold text or numbers ---- */

tct_holds tct_csv_holds(const tct_csv *csv, size_t column);
tct_datum tct_datum_at(const tct_csv *csv, const tct_block *block, size_t row, size_t column);
bool tct_datum_missing(const tct_csv *csv, const tct_datum *value);
/* As a finite number; a text with the file's decimal mark.  False for anything else, dates too. */
bool tct_datum_number(const tct_csv *csv, const tct_datum *value, double *out);
/* As a date in this order; numbers that are dates have no order. */
bool tct_datum_date(const tct_datum *value, int order, int64_t *days);
/* How it is written.  A number has several spellings: 0 is the one that a file would have, further ones are what it may be
 * called elsewhere (1.0 and 1).  False when there is no such spelling.  Numbers are written into the buffer. */
enum { TCT_DATUM_ROOM = 40 };
bool tct_datum_text(const tct_datum *value, size_t spelling, char buffer[TCT_DATUM_ROOM], const char **bytes,
                    size_t *size);

/* ---- csv_stretch.c: a file read by several processes, each its part ---- */

/* What a process finds out about its stretch of a file without knowing what stands before it: everything twice, for a
 * stretch that begins outside quotes and for one that begins inside.  Plain data, to be told to the others. */
typedef struct tct_stretch {
    uint64_t begin, end; /* of all records in the file: the others must have found the same */
    uint64_t quotes;     /* in the stretch, 0 even or 1 odd */
    struct {
        uint64_t rows;   /* records that end in the stretch, blank lines not counted */
        uint64_t first;  /* position behind the first end of a record, 0: none ends here */
        uint64_t is_row; /* 1: that record is no blank line */
    } begins[2];         /* [0]: outside quotes, [1]: inside */
} tct_stretch;

/* Look at stretch `part` of `parts` (by bytes).  Right after open; the file must be an ordinary one. */
tacit_status tct_csv_look(tct_csv *csv, size_t part, size_t parts, tct_stretch *out, tacit_error *err);
/* From here on the file consists of the records that begin in this stretch; rows keep their numbers in the file. */
tacit_status tct_csv_confine(tct_csv *csv, size_t part, size_t parts, const tct_stretch *all, tacit_error *err);
/* SHA-256 of the whole file, whatever was read of it. */
tacit_status tct_csv_hash_file(const tct_csv *csv, char hex[65], tacit_error *err);

/* The table behind tacit_table: all blocks of a file, split, in order. */
struct tacit_table {
    tct_csv *csv; /* names, options, markers; at its end */
    tct_block *blocks;
    size_t n_blocks;
    size_t n_rows;
    size_t last_row; /* number of the last row */
    size_t n_unlabelled;
    bool defer;           /* too many bad rows are told about by who uses the table */
    tacit_error *problem; /* bad rows that were not told about yet, or NULL */
    unsigned *marked;     /* per column: which of the usual markers it has (habits.c); NULL: they were not looked for */
    bool ask_commas;      /* the decimal mark is to be found out */
    bool commas;          /* there is a comma somewhere that does not separate cells */
    bool found_comma;     /* the decimal comma was found out */
    char hash[65];
};

/* Were more bad rows left out than may be?  An error, or one for later if the table puts it off. */
tacit_status tct_table_check_bad(tacit_table *table, tacit_error *err);

#endif

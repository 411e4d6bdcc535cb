/*
 * csv_inside.h -- the inside of tct_csv, shared by the files that read, split and encode.
 */
#ifndef TCT_CSV_INSIDE_H
#define TCT_CSV_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "csv.h"
#include "scan.h"

/* More than this share of its cells says what a column holds. */
#define TCT_MOSTLY 0.9

enum {
    TCT_BLOCK_SIZE = 1 << 18, /* bytes of records read in one go */
    TCT_MAX_RECORD = 1 << 26  /* bytes of one record */
};

struct tct_csv {
    char *path;
    tct_source *source; /* NULL once the file has ended, unless it is packed: it knows the hash */
    bool packed;        /* gzip or zstd */
    int slice;          /* descriptor to read a part of the file from instead, -1: none */
    uint64_t slice_at, slice_end;
    tct_stamp stamp; /* of the file, when its parts were looked for */
    uint64_t total;
    _Atomic uint64_t done;
    char separator, decimal;
    size_t skip_bad;            /* bad rows that may be left out */
    _Atomic uint64_t bad;       /* those that were */
    _Atomic uint64_t first_bad; /* number of the first, UINT64_MAX: none */
    bool no_header;
    char **columns;
    bool *renamed; /* columns that did not have this name in the header, or NULL */
    size_t n_columns;
    unsigned char *holds; /* per column: a tct_holds; NULL: all hold text */
    tct_names missing;
    bool marker_first[256]; /* some marker begins with this byte */
    size_t block_size;

    pthread_mutex_t lock; /* of what follows */
    char *pending;        /* bytes read but not handed out yet: pending[pending_at ... pending_size) */
    size_t pending_at, pending_size, pending_room;
    bool at_end;  /* the reader has nothing more */
    bool stopped; /* the last block was handed out, or an error was */
    uint64_t sequence, rows;
    uint64_t tickets; /* stretches of bytes handed out for hashing */

    pthread_mutex_t hash_lock; /* of what follows */
    pthread_cond_t hash_turn;
    tct_hash *hash;
    uint64_t hashed; /* tickets done: stretches are hashed in the order of the file */
};

/* What is wrong with a record. */
typedef enum tct_trouble_kind {
    TCT_TROUBLE_NONE,
    TCT_TROUBLE_RAGGED,
    TCT_TROUBLE_QUOTE_INSIDE, /* a quote inside an unquoted cell */
    TCT_TROUBLE_QUOTE_AFTER,  /* text behind the closing quote */
    TCT_TROUBLE_NUL
} tct_trouble_kind;

typedef struct tct_trouble {
    tct_trouble_kind kind;
    size_t row;    /* index in the block */
    size_t column; /* of a misplaced quote */
    size_t cells;  /* of a ragged record */
} tct_trouble;

/* Options and markers, but no source yet and no columns. */
tacit_status tct_csv_new(tct_csv **out, const char *path, const tacit_csv_options *options, tacit_error *err);
/* The name of column i: that of the header, made different from all before it. */
struct tct_lookup;
tacit_status tct_csv_name_column(tct_csv *csv, size_t i, const char *name, size_t size, struct tct_lookup *seen,
                                 tacit_error *err);

/* Cells of a block of whole records, `block->n_rows` of which are not blank.  Lack of memory is the only failure;
 * anything wrong with the text goes to *trouble, the first in the order of the file. */
tacit_status tct_split_block(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble,
                             tacit_error *err);
/* The twin without special instructions. */
tacit_status tct_split_block_plain(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble,
                                   tacit_error *err);
/* What to say about misplaced quotes and NUL bytes. */
const char *tct_trouble_text(tct_trouble_kind kind);

/* Take the bad records out of a block that is not split yet, and count them (csv_bad.c). */
tacit_status tct_skip_bad(const tct_csv *csv, tct_block *block, tacit_error *err);

/* A block that could not be split without its bad records, split (csv_bad.c). */
tacit_status tct_csv_mend(const tct_csv *csv, tct_block *block, const tct_trouble *trouble, tacit_error *err);

/* Room for `size` bytes and the padding; what is there stays. */
tacit_status tct_block_reserve(tct_block *block, size_t size, tacit_error *err);

/* The next bytes of the slice; fewer than `room` only at its end. */
tacit_status tct_slice_read(tct_csv *csv, void *bytes, size_t room, size_t *got, tacit_error *err);
void tct_slice_close(tct_csv *csv);

static inline bool tct_csv_missing_quick(const tct_csv *csv, const char *bytes, size_t size)
{
    if (size == 0)
        return true;
    return csv->marker_first[(unsigned char)bytes[0]] && tct_csv_missing(csv, bytes, size);
}

#endif

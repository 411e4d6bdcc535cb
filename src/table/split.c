/*
 * split.c -- a block of whole records into cells.
 *
 * A cell ends at a separator or a line feed outside quotes (see scan.c).  The common cells need no look at their
 * inside: without a quote between its ends and without a blank at either end, a cell is what lies between; with
 * exactly two quotes, at both ends, it is what lies between those.  How many quotes a cell has comes from counting bits.
 * Everything else (blanks to trim, doubled quotes, a carriage return, misplaced quotes) takes the slow path of
 * tidy_cell.
 *
 *     58;"management"; "say ""hi""" \r\n    ->    58 | management | say "hi"
 */
#include <assert.h>

#include "csv_inside.h"

/* A cell being tidied: bytes[start ... end). */
typedef struct span {
    size_t start, end;
} span;

/* Where the splitter stands. */
typedef struct place {
    tct_cell *row, *cell; /* first of this record, next to write */
    size_t start;         /* of the next cell */
    size_t nul;           /* first NUL byte, SIZE_MAX: none so far */
} place;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void trim_blanks(const char *bytes, span *cell)
{
    while (cell->start < cell->end && is_blank(bytes[cell->start]))
        cell->start++;
    while (cell->end > cell->start && is_blank(bytes[cell->end - 1]))
        cell->end--;
}

/* Trim, take the quotes off, undo doubled quotes in place. */
static __attribute__((noinline)) tct_trouble_kind tidy_cell(char *bytes, span *cell)
{
    size_t to, from;

    if (bytes[cell->end] == '\n' && cell->end > cell->start && bytes[cell->end - 1] == '\r')
        cell->end--;
    trim_blanks(bytes, cell);
    if (!memchr(bytes + cell->start, '"', cell->end - cell->start))
        return TCT_TROUBLE_NONE;
    if (bytes[cell->start] != '"')
        return TCT_TROUBLE_QUOTE_INSIDE;
    to = from = ++cell->start;
    while (from < cell->end && (bytes[from] != '"' || (from + 1 < cell->end && bytes[from + 1] == '"'))) {
        from += bytes[from] == '"';
        bytes[to++] = bytes[from++];
    }
    if (from + 1 != cell->end)
        return TCT_TROUBLE_QUOTE_AFTER;
    cell->end = to;
    return TCT_TROUBLE_NONE;
}

/* Cells of the record from `start`, the beginning of a cell outside quotes, to its end. */
static size_t count_cells(const char *bytes, size_t start, char separator)
{
    bool inside = false;
    size_t cells = 1;

    for (; inside || bytes[start] != '\n'; start++) {
        inside ^= bytes[start] == '"';
        cells += !inside && bytes[start] == separator;
    }
    return cells;
}

static bool stop_at(tct_trouble *trouble, tct_trouble_kind kind, const tct_block *block, const place *at,
                    size_t n_columns)
{
    trouble->kind = kind;
    trouble->row = (size_t)(at->row - block->cells) / n_columns;
    trouble->column = (size_t)(at->cell - at->row);
    return false;
}

/* The record has ended at bytes[end]. */
static inline __attribute__((always_inline)) bool end_row(const tct_block *block, size_t n_columns, size_t end,
                                                          place *at, tct_trouble *trouble)
{
    size_t cells = (size_t)(at->cell - at->row);

    if (__builtin_expect(at->nul < end, false))
        return stop_at(trouble, TCT_TROUBLE_NUL, block, at, n_columns);
    if (__builtin_expect(cells != n_columns || n_columns == 1, false)) {
        size_t size = end - at->start;

        if (cells == 1 && (size == 0 || (size == 1 && block->bytes[at->start] == '\r'))) {
            at->cell = at->row; /* a blank line */
            return true;
        }
        trouble->cells = cells;
        if (cells != n_columns)
            return stop_at(trouble, TCT_TROUBLE_RAGGED, block, at, n_columns);
    }
    at->row = at->cell;
    return true;
}

/* The cells that end in one word of 64 bytes from bytes[base] on.  ends: their ends; before: number of quotes before the
 * word less those before the cell's start. */
static inline __attribute__((always_inline)) bool split_word(tct_block *block, size_t n_columns, const tct_masks *masks,
                                                             uint64_t ends, size_t base, uint64_t *before, place *at,
                                                             tct_trouble *trouble)
{
    char *bytes = block->bytes;
    uint64_t quotes_done = 0; /* quotes of this word up to the cell's start */

    for (; ends; ends &= ends - 1) {
        size_t end = base + (size_t)__builtin_ctzll(ends);
        uint64_t quotes_here = (uint64_t)__builtin_popcountll(masks->quote & ((ends & -ends) - 1));
        uint64_t quotes = *before + quotes_here - quotes_done;
        char first = bytes[at->start], last = bytes[end - (end > at->start)];
        bool quoted = (quotes == 2) & (first == '"') & (last == '"');
        bool odd = (quotes != 2 * (uint64_t)quoted) | (first == ' ') | (first == '\t') | (last == ' ') |
                   (last == '\t') | (last == '\r');
        span cell = {at->start + quoted, end - quoted};

        if (__builtin_expect(odd, false)) {
            tct_trouble_kind kind;

            cell = (span){at->start, end};
            kind = tidy_cell(bytes, &cell);
            if (kind)
                return stop_at(trouble, at->nul < end ? TCT_TROUBLE_NUL : kind, block, at, n_columns);
        }
        *at->cell++ = (tct_cell){(uint32_t)cell.start, (uint32_t)(cell.end - cell.start)};
        if (masks->newline & ends & -ends && !end_row(block, n_columns, end, at, trouble))
            return false;
        at->start = end + 1;
        quotes_done = quotes_here;
        *before = 0;
    }
    *before += (uint64_t)__builtin_popcountll(masks->quote) - quotes_done;
    return true;
}

/* Fill block->cells, which have room for one row and 64 cells more than the block has. */
static inline __attribute__((always_inline)) void split_rows(tct_block *block, size_t n_columns, char separator,
                                                             tct_trouble *trouble, tct_scan_fn scan)
{
    tct_masks masks[TCT_SCAN_WORDS];
    place at = {block->cells, block->cells, 0, SIZE_MAX};
    uint64_t inside = 0, before = 0;

    for (size_t group = 0; group < block->size; group += TCT_SCAN_WORDS * 64) {
        size_t here = block->size - group < TCT_SCAN_WORDS * 64 ? block->size - group : TCT_SCAN_WORDS * 64;

        scan(block->bytes + group, here, separator, masks);
        for (size_t w = 0; w * 64 < here; w++) {
            uint64_t in = tct_parity_before(masks[w].quote) ^ inside;
            uint64_t ends = (masks[w].separator | masks[w].newline) & ~in;

            inside = in >> 63 ? ~(uint64_t)0 : 0;
            if (masks[w].nul && at.nul == SIZE_MAX)
                at.nul = group + w * 64 + (size_t)__builtin_ctzll(masks[w].nul);
            if (!split_word(block, n_columns, &masks[w], ends, group + w * 64, &before, &at, trouble))
                return;
            if ((size_t)(at.cell - at.row) > n_columns) {
                trouble->cells = (size_t)(at.cell - at.row) + count_cells(block->bytes, at.start, separator);
                stop_at(trouble, TCT_TROUBLE_RAGGED, block, &at, n_columns);
                return;
            }
        }
    }
    assert((size_t)(at.cell - block->cells) == block->n_rows * n_columns);
}

TCT_TARGET_AVX2 static void split_rows_avx2(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble)
{
    split_rows(block, n_columns, separator, trouble, tct_scan_avx2);
}

static tacit_status reserve_cells(tct_block *block, size_t n_columns, tacit_error *err)
{
    size_t room;

    if (__builtin_mul_overflow(block->n_rows + 1, n_columns, &room) || room > SIZE_MAX - 64)
        return tct_fail_memory(err);
    room += 64;
    if (room <= block->cells_room)
        return TACIT_OK;
    tct_free(block->cells);
    room += room / 8; /* the next block may have a few more */
    block->cells = tct_malloc(room, sizeof(*block->cells));
    block->cells_room = block->cells ? room : 0;
    return block->cells ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_split_block(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble,
                             tacit_error *err)
{
    tacit_status st;

    if (!tct_scan_can_avx2())
        return tct_split_block_plain(block, n_columns, separator, trouble, err);
    trouble->kind = TCT_TROUBLE_NONE;
    st = reserve_cells(block, n_columns, err);
    if (!st)
        split_rows_avx2(block, n_columns, separator, trouble);
    return st;
}

tacit_status tct_split_block_plain(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble,
                                   tacit_error *err)
{
    tacit_status st = reserve_cells(block, n_columns, err);

    trouble->kind = TCT_TROUBLE_NONE;
    if (!st)
        split_rows(block, n_columns, separator, trouble, tct_scan_plain);
    return st;
}

const char *tct_trouble_text(tct_trouble_kind kind)
{
    switch (kind) {
    case TCT_TROUBLE_QUOTE_INSIDE:
        return "quote inside an unquoted cell";
    case TCT_TROUBLE_QUOTE_AFTER:
        return "text behind the closing quote";
    case TCT_TROUBLE_NUL:
        return "NUL byte";
    default:
        return "wrong number of cells";
    }
}

/*
 * csv_bad.c -- rows that are left out, and numbers with a decimal comma.
 *
 * Where bad rows may be left out, the records of a block are looked at one by one before it is split: plain, byte by
 * byte, which only those pay who asked for it.  Whatever is left splits without trouble.  Where records begin and end is
 * a matter of quotes, so a quote that is not closed stays an error: nobody knows how many rows it swallows.
 *
 * Rows keep the numbers they have in the file: messages stay true, and so does which rows were held out.
 */
#include "csv_inside.h"
#include "sniff.h"

/* Is the record, which ends with a line feed, as it should be? */
static bool is_good(const tct_csv *csv, const char *record, size_t size)
{
    return !memchr(record, '\0', size) && !tct_sniff_quotes(record, size, csv->separator) &&
           tct_sniff_cells(record, csv->separator) == csv->n_columns;
}

static size_t record_size(const char *bytes, size_t size)
{
    bool inside = false;
    size_t i = 0;

    for (; i < size; i++) {
        inside ^= bytes[i] == '"';
        if (!inside && bytes[i] == '\n')
            return i + 1;
    }
    return i;
}

static bool is_blank(const char *record, size_t size)
{
    return size == 1 || (size == 2 && record[0] == '\r');
}

/* Room for the numbers of all rows of the block. */
static tacit_status number_rows(tct_block *block, tacit_error *err)
{
    if (block->rows)
        return TACIT_OK;
    if (block->own_room < block->n_rows) {
        tct_free(block->own_rows);
        block->own_rows = tct_malloc(block->n_rows, sizeof(*block->own_rows));
        block->own_room = block->own_rows ? block->n_rows : 0;
        if (!block->own_rows)
            return tct_fail_memory(err);
    }
    for (size_t r = 0; r < block->n_rows; r++)
        block->own_rows[r] = block->first_row + r;
    block->rows = block->own_rows;
    return TACIT_OK;
}

tacit_status tct_skip_bad(const tct_csv *csv, tct_block *block, tacit_error *err)
{
    size_t to = 0, kept = 0, row = 0, size;
    uint64_t first = UINT64_MAX;
    tacit_status st = number_rows(block, err);

    if (st)
        return st;
    for (size_t at = 0; at < block->size; at += size) {
        char *record = block->bytes + at;

        size = record_size(record, block->size - at);
        if (is_blank(record, size))
            continue;
        if (is_good(csv, record, size)) {
            memmove(block->bytes + to, record, size);
            to += size;
            block->own_rows[kept++] = block->first_row + row;
        } else if (first == UINT64_MAX) {
            first = block->first_row + row;
        }
        row++;
    }
    if (first != UINT64_MAX)
        tct_csv_count_bad(csv, row - kept, first);
    tct_wipe(block->bytes + to, block->size - to);
    block->size = to;
    block->n_rows = kept;
    return TACIT_OK;
}

/* The cells that were split so far as they were in the file: a quote in one was doubled, and there is room for it. */
static void untidy_cells(tct_block *block, size_t n_cells)
{
    for (size_t i = 0; i < n_cells; i++) {
        char *text = block->bytes + block->cells[i].start;
        size_t from = block->cells[i].size, to = from;

        if (!memchr(text, '"', from))
            continue;
        for (size_t k = 0; k < from; k++)
            to += text[k] == '"';
        text[to] = '"'; /* the one that closes it */
        while (from > 0) {
            text[--to] = text[--from];
            if (text[from] == '"')
                text[--to] = '"';
        }
    }
}

tacit_status tct_csv_mend(const tct_csv *csv, tct_block *block, const tct_trouble *trouble, tacit_error *err)
{
    tct_trouble none;
    tacit_status st;

    untidy_cells(block, trouble->row * csv->n_columns + trouble->column);
    st = tct_skip_bad(csv, block, err);
    return st ? st : tct_split_block(block, csv->n_columns, csv->separator, &none, err);
}

tacit_status tct_block_drop(tct_block *block, size_t n_columns, const bool *drop, tacit_error *err)
{
    size_t kept = 0;
    tacit_status st = number_rows(block, err);

    if (st)
        return st;
    for (size_t r = 0; r < block->n_rows; r++) {
        if (drop[r])
            continue;
        if (kept < r)
            memcpy(block->cells + kept * n_columns, block->cells + r * n_columns, n_columns * sizeof(*block->cells));
        block->own_rows[kept++] = block->rows[r];
    }
    block->n_rows = kept;
    return TACIT_OK;
}

uint64_t tct_csv_bad(const tct_csv *csv)
{
    return csv->bad;
}

bool tct_csv_may_skip(const tct_csv *csv)
{
    return csv->skip_bad > 0;
}

void tct_csv_count_bad(const tct_csv *csv, uint64_t rows, uint64_t first)
{
    tct_csv *counter = (tct_csv *)(uintptr_t)csv; /* counting changes nothing else */
    uint64_t before = atomic_load(&counter->first_bad);

    atomic_fetch_add(&counter->bad, rows);
    while (first < before && !atomic_compare_exchange_weak(&counter->first_bad, &before, first))
        ;
}

tacit_status tct_csv_fail_skipped(const tct_csv *csv, uint64_t bad, uint64_t first, tacit_error *err)
{
    return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL,
                       "%llu bad rows, %zu may be left out (--skip-bad-rows); the first is row %llu",
                       (unsigned long long)bad, csv->skip_bad, (unsigned long long)first);
}

tacit_status tct_csv_check_bad(const tct_csv *csv, uint64_t bad, tacit_error *err)
{
    return bad > csv->skip_bad ? tct_csv_fail_skipped(csv, bad, csv->first_bad, err) : TACIT_OK;
}

uint64_t tct_csv_first_bad(const tct_csv *csv)
{
    return csv->first_bad;
}

tacit_status tct_csv_fail_bad(const char *path, const tacit_error *first, uint64_t rows, tacit_error *err)
{
    if (rows > 1)
        return tct_fail_at(err, TACIT_E_INPUT, path, first->row, NULL,
                           "the first of %llu bad rows (wrong number of cells, misplaced quotes); --skip-bad-rows "
                           "leaves them out",
                           (unsigned long long)rows);
    if (err)
        *err = *first;
    return first->status;
}

const char *tct_csv_point(const tct_csv *csv, const char *bytes, size_t size, char buffer[TCT_POINT_ROOM])
{
    if (csv->decimal != ',' || size >= TCT_POINT_ROOM)
        return bytes;
    for (size_t i = 0; i < size; i++)
        buffer[i] = bytes[i] == ',' ? '.' : bytes[i] == '.' ? ':' : bytes[i]; /* ':': in no number */
    return buffer;
}

bool tct_csv_number(const tct_csv *csv, const char *bytes, size_t size, double *out)
{
    char buffer[TCT_POINT_ROOM];
    bool is_number = tct_parse_number(tct_csv_point(csv, bytes, size, buffer), size, out);

    if (csv->decimal == ',')
        tct_wipe(buffer, sizeof(buffer));
    return is_number;
}

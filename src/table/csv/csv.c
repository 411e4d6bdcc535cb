/*
 * csv.c -- the sequential stage: bytes from the file into blocks of whole records.
 *
 * A block is filled up to block_size, cut behind its last whole record, and what follows the cut goes back to
 * `pending`, from which the next block starts.  A record that does not fit makes its block grow.  Every block ends
 * with a line feed: one is added when the file does not end with one.
 *
 * Hashing is slower than everything else here, so it happens outside the lock: each stretch of bytes handed out has a
 * ticket, and stretches are hashed in the order of their tickets while other threads read and split.  A ticket is
 * drawn only when nothing can fail any more, so nobody waits for a turn that never comes.
 */
#include "csv.h"

#include "csv_inside.h"
#include "habits.h"
#include "lookup.h"
#include "sniff.h"

static tacit_status fail_row(const tct_csv *csv, tacit_error *err, uint64_t row, const char *text)
{
    return tct_fail_at(err, TACIT_E_INPUT, csv->path, (size_t)row, NULL, "%s", text);
}

/* ---- blocks ---- */

static tacit_status read_bytes(tct_csv *csv, void *bytes, size_t room, size_t *got, tacit_error *err)
{
    return csv->slice >= 0 ? tct_slice_read(csv, bytes, room, got, err)
                           : tct_source_read(csv->source, bytes, room, got, err);
}

/* Take up to `want` bytes in all into the block: from pending first, then from the source. */
static tacit_status take_bytes(tct_csv *csv, tct_block *block, size_t want, tacit_error *err)
{
    size_t have = csv->pending_size - csv->pending_at, got = 0;
    tacit_status st = tct_block_reserve(block, want + 1, err); /* one more for a last line feed */

    if (st)
        return st;
    have = have < want - block->size ? have : want - block->size;
    if (have > 0)
        memcpy(block->bytes + block->size, csv->pending + csv->pending_at, have);
    csv->pending_at += have;
    block->size += have;
    if (block->size < want && !csv->at_end) {
        st = read_bytes(csv, block->bytes + block->size, want - block->size, &got, err);
        block->size += got;
        csv->at_end = block->size < want;
    }
    return st;
}

/* Bytes that are to have room for `wanted`, and for what scanning reads behind them; the first `used` are kept. */
static tacit_status reserve(char **bytes, size_t *room, size_t used, size_t wanted, tacit_error *err)
{
    char *larger;

    if (wanted <= *room)
        return TACIT_OK;
    larger = tct_malloc(wanted + TCT_SCAN_PAD, 1);
    if (!larger)
        return tct_fail_memory(err);
    if (used > 0)
        memcpy(larger, *bytes, used);
    tct_free_wiped(*bytes, *room);
    *bytes = larger;
    *room = wanted;
    return TACIT_OK;
}

/* Give the bytes from block->bytes[end] to [size) back. */
static tacit_status give_back(tct_csv *csv, const tct_block *block, size_t end, size_t size, tacit_error *err)
{
    size_t tail = size - end;
    tacit_status st;

    if (csv->pending_at < csv->pending_size && csv->pending_at >= tail) { /* all of it came from there */
        csv->pending_at -= tail;
        return TACIT_OK;
    }
    csv->pending_at = csv->pending_size = 0;
    st = reserve(&csv->pending, &csv->pending_room, csv->pending_size, tail, err);
    if (st)
        return st;
    if (tail > 0)
        memcpy(csv->pending, block->bytes + end, tail);
    csv->pending_size = tail;
    return TACIT_OK;
}

/* The record at the beginning of the block does not end in it. */
static tacit_status fail_endless(const tct_csv *csv, const tct_block *block, bool at_end, tacit_error *err)
{
    tct_trouble_kind kind = tct_sniff_quotes(block->bytes, block->size, csv->separator);

    if (kind)
        return fail_row(csv, err, csv->rows + 1, tct_trouble_text(kind));
    if (at_end)
        return fail_row(csv, err, csv->rows + 1, "unclosed quote");
    return fail_row(csv, err, csv->rows + 1, "record longer than 64 MiB (a quote that is never closed?)");
}

/* Whole records into the block, with their number; none at the end of the file.  *own: bytes that are the file's. */
static tacit_status fill_block(tct_csv *csv, tct_block *block, size_t *own, tacit_error *err)
{
    size_t want = csv->block_size;
    tct_extent extent = {0, 0};
    tacit_status st;
    bool end, added = false;

    block->size = block->n_rows = 0;
    for (;; want = 2 * block->size) {
        st = take_bytes(csv, block, want, err);
        if (st)
            return st;
        end = csv->at_end && csv->pending_at == csv->pending_size;
        added = end && block->size > 0 && block->bytes[block->size - 1] != '\n';
        if (added)
            block->bytes[block->size] = '\n';
        tct_scan_records(block->bytes, block->size + added, &extent);
        if (extent.end > 0 || block->size == 0)
            break;
        if (end || block->size >= TCT_MAX_RECORD)
            return fail_endless(csv, block, end, err);
    }
    *own = extent.end < block->size ? extent.end : block->size;
    st = give_back(csv, block, *own, block->size, err);
    block->size = extent.end;
    block->n_rows = extent.rows;
    return st;
}

/* Hash a stretch when its turn comes. */
static void hash_in_turn(tct_csv *csv, const tct_block *block, size_t own, uint64_t ticket)
{
    pthread_mutex_lock(&csv->hash_lock);
    while (csv->hashed != ticket)
        pthread_cond_wait(&csv->hash_turn, &csv->hash_lock);
    tct_hash_add(csv->hash, block->bytes, own);
    csv->hashed++;
    pthread_cond_broadcast(&csv->hash_turn);
    pthread_mutex_unlock(&csv->hash_lock);
}

/* ---- opening ---- */

/* More bytes into pending; false when there are none. */
static tacit_status read_more(tct_csv *csv, bool *more, tacit_error *err)
{
    size_t want = csv->pending_size < csv->block_size ? csv->block_size : 2 * csv->pending_size, got = 0;
    tacit_status st;

    *more = false;
    if (csv->at_end)
        return TACIT_OK;
    if (csv->pending_size >= TCT_MAX_RECORD)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "no end of the header within 64 MiB");
    st = reserve(&csv->pending, &csv->pending_room, csv->pending_size, want, err);
    if (!st)
        st = tct_source_read(csv->source, csv->pending + csv->pending_size, want - csv->pending_size, &got, err);
    if (st)
        return st;
    csv->pending_size += got;
    csv->at_end = csv->pending_size < want;
    *more = got > 0;
    return TACIT_OK;
}

/* Pass over one line; *found is false at the end of the file. */
static tacit_status skip_line(tct_csv *csv, bool *found, tacit_error *err)
{
    size_t seen = csv->pending_at;
    tacit_status st;
    bool more = true;

    *found = false;
    while (more) {
        const char *end = seen < csv->pending_size ? memchr(csv->pending + seen, '\n', csv->pending_size - seen) : NULL;

        if (end) {
            csv->pending_at = (size_t)(end - csv->pending) + 1;
            *found = true;
            return TACIT_OK;
        }
        seen = csv->pending_size;
        st = read_more(csv, &more, err);
        if (st)
            return st;
    }
    return TACIT_OK;
}

/* Byte order mark, lines to pass over, blank lines.  Leaves the header at pending_at, or says that there is none. */
static tacit_status find_header(tct_csv *csv, size_t skip_lines, tacit_error *err)
{
    tacit_status st;
    bool more, found;

    st = read_more(csv, &more, err);
    if (st)
        return st;
    if (csv->pending_size >= 2 &&
        (memcmp(csv->pending, "\xFF\xFE", 2) == 0 || memcmp(csv->pending, "\xFE\xFF", 2) == 0))
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "UTF-16 text; expected UTF-8");
    if (csv->pending_size >= 3 && memcmp(csv->pending, "\xEF\xBB\xBF", 3) == 0)
        csv->pending_at = 3;
    for (size_t i = 0; i < skip_lines; i++) {
        st = skip_line(csv, &found, err);
        if (st)
            return st;
        if (!found)
            return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "fewer than the %zu lines to skip", skip_lines);
    }
    for (;;) {
        const char *line = csv->pending + csv->pending_at;
        size_t left = csv->pending_size - csv->pending_at;

        if (left < 2 && !csv->at_end)
            st = read_more(csv, &more, err);
        else if (left >= 1 && (line[0] == '\n' || (line[0] == '\r' && (left < 2 || line[1] == '\n'))))
            csv->pending_at += line[0] == '\n' || left < 2 ? 1 : 2;
        else
            return left ? TACIT_OK : tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "empty file");
        if (st)
            return st;
    }
}

/* The first record into `header`, terminated by a line feed. */
static tacit_status load_header(tct_csv *csv, tct_block *header, tacit_error *err)
{
    size_t size, i = 0;
    bool inside = false, more = true;
    tacit_status st = TACIT_OK;

    for (;; i++) {
        while (!st && more && csv->pending_at + i == csv->pending_size)
            st = read_more(csv, &more, err);
        if (st)
            return st;
        if (csv->pending_at + i == csv->pending_size)
            break;
        inside ^= csv->pending[csv->pending_at + i] == '"';
        if (!inside && csv->pending[csv->pending_at + i] == '\n')
            break;
    }
    size = i;
    if (memchr(csv->pending + csv->pending_at, '\0', size))
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "NUL byte in the first line: not a text file");
    if (inside)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "header: unclosed quote");
    st = tct_block_reserve(header, size + 1, err);
    if (st)
        return st;
    memcpy(header->bytes, csv->pending + csv->pending_at, size);
    header->bytes[size] = '\n';
    header->size = size + 1;
    header->n_rows = 1;
    return TACIT_OK;
}

tacit_status tct_csv_name_column(tct_csv *csv, size_t i, const char *name, size_t size, tct_lookup *seen,
                                 tacit_error *err)
{
    tct_text text = {0};
    uint32_t index;
    tacit_status st = TACIT_OK;

    if (size == 0)
        tct_text_printf(&text, "column %zu", i + 1);
    else
        tct_text_append(&text, name, size);
    for (size_t n = 2; !text.failed && tct_lookup_find(seen, text.bytes, text.size) != TCT_LOOKUP_NONE; n++) {
        text.size = 0;
        tct_text_append(&text, name, size);
        tct_text_printf(&text, size ? ".%zu" : "column.%zu", n);
    }
    csv->columns[i] = text.failed ? NULL : tct_strdup(text.bytes);
    if (!csv->columns[i])
        st = tct_fail_memory(err);
    else
        csv->renamed[i] = strlen(csv->columns[i]) != size || memcmp(csv->columns[i], name, size) != 0;
    if (!st)
        st = tct_lookup_add(seen, csv->columns[i], strlen(csv->columns[i]), &index, err);
    tct_text_free(&text);
    return st;
}

static tacit_status check_duplicates(const tct_csv *csv, tacit_error *err)
{
    tct_lookup seen = {0};
    uint32_t index;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; !st && i < csv->n_columns; i++) {
        st = tct_lookup_add(&seen, csv->columns[i], strlen(csv->columns[i]), &index, err);
        if (!st && index < i)
            st = tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, csv->columns[i], "the name occurs twice");
    }
    tct_lookup_clear(&seen);
    return st;
}

/* Column names from the header's cells, or c1, c2, ... */
static tacit_status name_columns(tct_csv *csv, const tct_block *header, tacit_error *err)
{
    tct_lookup seen = {0};
    tacit_status st = TACIT_OK;

    csv->columns = tct_calloc(csv->n_columns, sizeof(*csv->columns));
    csv->renamed = tct_calloc(csv->n_columns, sizeof(*csv->renamed));
    if (!csv->columns || !csv->renamed)
        return tct_fail_memory(err);
    for (size_t i = 0; !st && i < csv->n_columns; i++) {
        const char *name = header->bytes + header->cells[i].start;
        size_t size = header->cells[i].size;
        char number[32];
        const char *problem;

        if (csv->no_header) {
            size = (size_t)snprintf(number, sizeof(number), "c%zu", i + 1);
            name = number;
        }
        problem = size ? tct_name_problem(name, size, SIZE_MAX) : NULL;
        st = problem ? tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "header: the name of column %zu %s", i + 1,
                                   problem)
                     : tct_csv_name_column(csv, i, name, size, &seen, err);
    }
    tct_lookup_clear(&seen);
    return st;
}

/* Column names as the caller gave them. */
static tacit_status take_names(tct_csv *csv, const char *names, tacit_error *err)
{
    tct_names list;
    size_t count;
    tacit_status st = tct_names_split(&list, names, err);

    if (st)
        return st;
    count = list.count;
    if (count == csv->n_columns) {
        csv->columns = list.items; /* now ours */
        return check_duplicates(csv, err);
    }
    tct_names_free(&list);
    return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL,
                       "%zu column names given, but the first row has %zu cells", count, csv->n_columns);
}

static tacit_status read_header(tct_csv *csv, const tacit_csv_options *options, tacit_error *err)
{
    tct_block header = {0};
    tct_trouble trouble;
    tacit_status st;

    st = find_header(csv, options->skip_lines, err);
    if (!st)
        st = load_header(csv, &header, err);
    if (st)
        goto done;
    if (!csv->separator)
        csv->separator = tct_sniff_separator(csv->pending + csv->pending_at, csv->pending_size - csv->pending_at);
    csv->n_columns = tct_sniff_cells(header.bytes, csv->separator);
    st = tct_split_block(&header, csv->n_columns, csv->separator, &trouble, err);
    if (st)
        goto done;
    if (trouble.kind) {
        st = tct_fail_at(err, TACIT_E_INPUT, csv->path, csv->no_header, NULL, "%scell %zu: %s",
                         csv->no_header ? "" : "header: ", trouble.column + 1, tct_trouble_text(trouble.kind));
        goto done;
    }
    st = options->names ? take_names(csv, options->names, err) : name_columns(csv, &header, err);
    if (!csv->no_header) /* pass over it; without a last line feed it is all there is */
        csv->pending_at +=
            header.size < csv->pending_size - csv->pending_at ? header.size : csv->pending_size - csv->pending_at;
    csv->done = csv->pending_at;
done:
    tct_block_clear(&header);
    return st;
}

static tacit_status check_options(const tacit_csv_options *options, tacit_error *err)
{
    if (options->separator == '"' || options->separator == '\n' || options->separator == '\r')
        return tct_fail(err, TACIT_E_USAGE, "a quote or a line end cannot separate cells");
    if (options->decimal && options->decimal != '.' && options->decimal != ',')
        return tct_fail(err, TACIT_E_USAGE, "the decimal mark is a point or a comma");
    if (options->decimal == ',' && options->separator == ',')
        return tct_fail(err, TACIT_E_USAGE, "a comma cannot both separate cells and be the decimal mark");
    if (options->names && !options->no_header)
        return tct_fail(err, TACIT_E_USAGE, "column names are given for a file that has a header of its own");
    return TACIT_OK;
}

/* Those that are said, and the usual ones. */
static tacit_status set_markers(tct_csv *csv, const tacit_csv_options *options, tacit_error *err)
{
    tct_text list = {0};
    tacit_status st;

    if (!options->usual)
        return tct_csv_set_missing(csv, options->missing, err);
    tct_text_printf(&list, "%s", options->missing ? options->missing : "");
    for (size_t m = 0; m < TCT_USUAL_MARKERS; m++)
        if (options->usual >> m & 1)
            tct_text_printf(&list, "%s%s", list.size ? "," : "", tct_usual_markers[m]);
    st = list.failed ? tct_fail_memory(err) : tct_csv_set_missing(csv, list.bytes, err);
    tct_text_free(&list);
    return st;
}

/* ---- public ---- */

void tct_block_clear(tct_block *block)
{
    if (!block)
        return;
    tct_free_wiped(block->bytes, block->room);
    if (block->numbers)
        tct_wipe(block->cells, block->cells_room * sizeof(*block->cells));
    tct_free(block->cells);
    tct_free(block->own_rows);
    memset(block, 0, sizeof(*block));
}

tacit_status tct_block_reserve(tct_block *block, size_t size, tacit_error *err)
{
    return reserve(&block->bytes, &block->room, block->size, size, err);
}

tacit_status tct_csv_new(tct_csv **out, const char *path, const tacit_csv_options *options, tacit_error *err)
{
    tct_csv *csv = NULL;
    tacit_status st;

    *out = NULL;
    st = check_options(options, err);
    if (st)
        return st;
    csv = tct_calloc(1, sizeof(*csv));
    if (!csv)
        return tct_fail_memory(err);
    pthread_mutex_init(&csv->lock, NULL);
    pthread_mutex_init(&csv->hash_lock, NULL);
    pthread_cond_init(&csv->hash_turn, NULL);
    csv->slice = -1;
    csv->separator = options->separator;
    csv->decimal = options->decimal ? options->decimal : '.';
    csv->skip_bad = options->skip_bad;
    csv->first_bad = UINT64_MAX;
    csv->no_header = options->no_header;
    csv->block_size = TCT_BLOCK_SIZE;
    csv->path = tct_strdup(path);
    st = csv->path ? set_markers(csv, options, err) : tct_fail_memory(err);
    if (st)
        tct_csv_close(csv);
    else
        *out = csv;
    return st;
}

tacit_status tct_csv_open_from(tct_csv **out, const tct_csv_from *from, const tacit_csv_options *options,
                               tacit_error *err)
{
    static const tacit_csv_options usual = {0};
    tct_csv *csv = NULL;
    tacit_status st;

    *out = NULL;
    options = options ? options : &usual;
    st = tct_csv_new(&csv, from->bytes == NULL && strcmp(from->name, "-") == 0 ? "standard input" : from->name, options,
                     err);
    if (st)
        return st;
    st = from->bytes ? tct_source_parse(&csv->source, from->name, from->bytes, from->size, err)
                     : tct_source_open(&csv->source, from->name, err);
    if (st)
        goto done;
    csv->total = tct_source_size(csv->source);
    csv->packed = tct_source_packed(csv->source);
    if (csv->total > 0 && csv->total < csv->block_size && !csv->packed)
        csv->block_size = (size_t)csv->total + 1; /* a small file needs no more, and one byte more tells its end */
    st = read_header(csv, options, err);
    if (st)
        goto done;
    *out = csv;
    csv = NULL;
done:
    tct_csv_close(csv);
    return st;
}

tacit_status tct_csv_open(tct_csv **out, const char *path, const tacit_csv_options *options, tacit_error *err)
{
    tct_csv_from from = {.name = path};

    return tct_csv_open_from(out, &from, options, err);
}

void tct_csv_close(tct_csv *csv)
{
    if (!csv)
        return;
    for (size_t i = 0; csv->columns && i < csv->n_columns; i++)
        tct_free(csv->columns[i]);
    tct_free(csv->columns);
    tct_free(csv->renamed);
    tct_free(csv->holds);
    tct_names_free(&csv->missing);
    tct_free_wiped(csv->pending, csv->pending_room);
    tct_source_close(csv->source);
    tct_slice_close(csv);
    tct_hash_free(csv->hash);
    tct_free(csv->path);
    pthread_cond_destroy(&csv->hash_turn);
    pthread_mutex_destroy(&csv->hash_lock);
    pthread_mutex_destroy(&csv->lock);
    tct_free(csv);
}

tacit_status tct_csv_hash_start(tct_csv *csv, tacit_error *err)
{
    tacit_status st;

    if (csv->packed) /* its source does it */
        return TACIT_OK;
    st = tct_hash_new(&csv->hash, err);
    if (!st)
        tct_hash_add(csv->hash, csv->pending, csv->pending_at); /* the rest comes in blocks */
    return st;
}

void tct_csv_hash_finish(tct_csv *csv, char hex[65])
{
    if (csv->packed) {
        tct_source_hash(csv->source, hex);
        return;
    }
    tct_hash_finish(csv->hash, hex);
    csv->hash = NULL;
}

void tct_csv_set_block_size(tct_csv *csv, size_t size)
{
    csv->block_size = size;
}

const char *tct_csv_path(const tct_csv *csv)
{
    return csv->path;
}

size_t tct_csv_columns(const tct_csv *csv)
{
    return csv->n_columns;
}

const char *tct_csv_column(const tct_csv *csv, size_t column)
{
    return csv->columns[column];
}

size_t tct_csv_find(const tct_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_columns; i++)
        if (strcmp(csv->columns[i], name) == 0)
            return i;
    return TACIT_NONE;
}

uint64_t tct_csv_bytes_done(const tct_csv *csv)
{
    return csv->packed ? tct_source_raw(csv->source) : csv->done;
}

uint64_t tct_csv_bytes_total(const tct_csv *csv)
{
    return csv->total;
}

tacit_status tct_csv_next(tct_csv *csv, tct_block *block, tacit_error *err)
{
    size_t own = 0;
    uint64_t ticket;
    tacit_status st = TACIT_OK;
    bool more = true;

    while (more) {
        pthread_mutex_lock(&csv->lock);
        block->n_rows = block->size = own = 0;
        block->rows = NULL;
        if (!csv->stopped)
            st = fill_block(csv, block, &own, err);
        more = !st && own > 0;
        ticket = csv->tickets;
        csv->tickets += more;
        csv->stopped = csv->stopped || !more;
        csv->done += own;
        block->sequence = csv->sequence;
        block->first_row = csv->rows + 1;
        csv->rows += block->n_rows;
        csv->sequence += block->n_rows > 0;
        if (csv->at_end && csv->stopped && csv->source && !tct_source_packed(csv->source)) {
            tct_source_close(csv->source);
            csv->source = NULL;
        }
        pthread_mutex_unlock(&csv->lock);
        if (more && csv->hash)
            hash_in_turn(csv, block, own, ticket);
        if (block->n_rows > 0)
            break; /* else a stretch of blank lines: go on */
    }
    return st;
}

/* What is wrong with a record. */
static tacit_status fail_trouble(const tct_csv *csv, const tct_block *block, const tct_trouble *trouble,
                                 tacit_error *err)
{
    size_t row = (size_t)tct_block_row(block, trouble->row);

    if (trouble->kind == TCT_TROUBLE_RAGGED)
        return tct_fail_at(err, TACIT_E_INPUT, csv->path, row, NULL, "%zu cell%s where the %s has %zu", trouble->cells,
                           trouble->cells == 1 ? "" : "s", csv->no_header ? "first row" : "header", csv->n_columns);
    if (trouble->kind == TCT_TROUBLE_NUL || trouble->column >= csv->n_columns)
        return fail_row(csv, err, row, tct_trouble_text(trouble->kind));
    return tct_fail_at(err, TACIT_E_INPUT, csv->path, row, csv->columns[trouble->column], "%s",
                       tct_trouble_text(trouble->kind));
}

tacit_status tct_csv_split(const tct_csv *csv, tct_block *block, tacit_error *err)
{
    tct_trouble trouble;
    tacit_status st = csv->skip_bad ? tct_skip_bad(csv, block, err) : TACIT_OK;

    if (!st)
        st = tct_split_block(block, csv->n_columns, csv->separator, &trouble, err);
    return st || !trouble.kind ? st : fail_trouble(csv, block, &trouble, err);
}

tacit_status tct_csv_split_good(const tct_csv *csv, tct_block *block, tacit_error *bad, tacit_error *err)
{
    tct_trouble trouble;
    tacit_status st = csv->skip_bad ? tct_skip_bad(csv, block, err) : TACIT_OK;

    bad->status = TACIT_OK;
    if (!st)
        st = tct_split_block(block, csv->n_columns, csv->separator, &trouble, err);
    if (st || !trouble.kind)
        return st;
    fail_trouble(csv, block, &trouble, bad);
    return tct_csv_mend(csv, block, &trouble, err);
}

tacit_status tct_csv_set_missing(tct_csv *csv, const char *markers, tacit_error *err)
{
    tct_names names = {0};
    tacit_status st = tct_names_split(&names, markers, err);

    if (st)
        return st;
    tct_names_free(&csv->missing);
    csv->missing = names;
    memset(csv->marker_first, 0, sizeof(csv->marker_first));
    for (size_t i = 0; i < names.count; i++)
        csv->marker_first[(unsigned char)names.items[i][0]] = true;
    return TACIT_OK;
}

bool tct_csv_missing(const tct_csv *csv, const char *bytes, size_t size)
{
    if (size == 0)
        return true;
    if (!csv->marker_first[(unsigned char)bytes[0]])
        return false;
    for (size_t i = 0; i < csv->missing.count; i++)
        if (strlen(csv->missing.items[i]) == size && memcmp(csv->missing.items[i], bytes, size) == 0)
            return true;
    return false;
}

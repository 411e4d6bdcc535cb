/*
 * csv_stretch.c -- a file read by several processes, each its part.
 *
 * The records of a file are cut into stretches of equally many bytes.  Where a record ends depends on the quotes before
 * it, all the way from the beginning; but only on whether their number is even.  So each process looks at its stretch
 * twice at once, as if it began outside quotes and as if inside, and tells the others; from all answers everyone knows
 * how its stretch really begins.
 *
 * A record belongs to the stretch in which it begins, except that one which begins with the very first byte of a
 * stretch (but the first) belongs to the one before: then "behind the first end of a record in my stretch" is where a
 * process begins, and where the next one begins is where it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "csv_inside.h"

enum { CHUNK = 1 << 20, CONTEXT = 2 }; /* bytes read in one go, and kept from before them */

/* A stretch being looked at. */
typedef struct looker {
    tct_stretch *out;
    uint64_t inside;    /* all ones: the next word begins inside quotes, if the stretch begins outside */
    uint64_t recent[2]; /* ends of records in the word before, either way */
} looker;

static tacit_status fail_read(const tct_csv *csv, tacit_error *err)
{
    return tct_fail(err, TACIT_E_IO, "cannot read %s: %s", csv->path, strerror(errno));
}

/* `size` bytes at `at`, all of them. */
static tacit_status read_at(const tct_csv *csv, int fd, uint64_t at, char *bytes, size_t size, tacit_error *err)
{
    while (size > 0) {
        ssize_t n = pread(fd, bytes, size, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_read(csv, err);
        if (n == 0)
            return tct_fail_at(err, TACIT_E_IO, csv->path, 0, NULL, "the file became shorter while it was read");
        bytes += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return TACIT_OK;
}

/* Line feeds among `ends` behind which only a blank line stands, as in scan.c. */
static uint64_t find_blank(const char *word, uint64_t ends, uint64_t recent)
{
    uint64_t blank = ends & (ends << 1 | recent >> 63);

    for (uint64_t maybe = ends & ~blank & (ends << 2 | recent >> 62); maybe; maybe &= maybe - 1)
        if (word[__builtin_ctzll(maybe) - 1] == '\r')
            blank |= maybe & -maybe;
    return blank;
}

/* 64 bytes, the first of which is at `position` of the file. */
static void look_at_word(looker *l, const tct_masks *masks, const char *word, uint64_t position)
{
    uint64_t in = tct_parity_before(masks->quote) ^ l->inside;

    for (size_t way = 0; way < 2; way++) {
        uint64_t ends = masks->newline & (way ? in : ~in);

        if (ends) {
            uint64_t blank = find_blank(word, ends, l->recent[way]);

            if (l->out->begins[way].first == 0) {
                l->out->begins[way].first = position + (uint64_t)__builtin_ctzll(ends) + 1;
                l->out->begins[way].is_row = !(blank & ends & -ends);
            }
            l->out->begins[way].rows += (uint64_t)__builtin_popcountll(ends & ~blank);
        }
        l->recent[way] = ends;
    }
    l->inside = in >> 63 ? ~(uint64_t)0 : 0;
}

/* `size` bytes; the two before them can be read as well. */
static void look_at_bytes(looker *l, const char *bytes, size_t size, uint64_t position)
{
    tct_scan_fn scan = tct_simd_level() >= TCT_SIMD_AVX2 ? tct_scan_avx2 : tct_scan_plain;
    tct_masks masks[TCT_SCAN_WORDS];

    for (size_t group = 0; group < size; group += TCT_SCAN_WORDS * 64) {
        size_t here = size - group < TCT_SCAN_WORDS * 64 ? size - group : TCT_SCAN_WORDS * 64;

        scan(bytes + group, here, '\n', masks);
        for (size_t w = 0; w * 64 < here; w++)
            look_at_word(l, &masks[w], bytes + group + w * 64, position + group + w * 64);
    }
}

/* Where stretch `part` begins. */
static uint64_t stretch_begin(uint64_t begin, uint64_t end, size_t part, size_t parts)
{
    uint64_t size = end - begin;

    return begin + size / parts * part + size % parts * part / parts;
}

tacit_status tct_csv_look(tct_csv *csv, size_t part, size_t parts, tct_stretch *out, tacit_error *err)
{
    uint64_t at, end;
    looker l = {.out = out};
    char *buffer = NULL;
    tacit_status st = TACIT_OK;
    int fd = -1;

    memset(out, 0, sizeof *out);
    if (csv->total == 0)
        return tct_fail_at(err, TACIT_E_USAGE, csv->path, 0, NULL,
                           "only an ordinary file can be read by several processes");
    if (csv->packed)
        return tct_fail_at(
            err, TACIT_E_USAGE, csv->path, 0, NULL,
            "a packed file cannot be read by several processes: unpack it first (nor one whose lines end with "
            "CR alone)");
    out->begin = csv->done;
    out->end = csv->total;
    at = stretch_begin(out->begin, out->end, part, parts);
    end = stretch_begin(out->begin, out->end, part + 1, parts);
    fd = open(csv->path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return fail_read(csv, err);
    csv->stamp = tct_stamp_take(fd);
    buffer = tct_malloc(CONTEXT + CHUNK + TCT_SCAN_PAD, 1);
    if (!buffer)
        st = tct_fail_memory(err);
    if (!st) {
        memset(buffer, '\n', CONTEXT); /* the beginning counts as a line feed */
        if (at > out->begin) {
            size_t context = at - out->begin < CONTEXT ? (size_t)(at - out->begin) : CONTEXT;

            st = read_at(csv, fd, at - context, buffer + CONTEXT - context, context, err);
        }
        for (size_t way = 0; way < 2; way++) /* a line feed right before another is outside quotes if that one is */
            l.recent[way] = (uint64_t)(buffer[1] == '\n') << 63 | (uint64_t)(buffer[0] == '\n') << 62;
    }
    while (!st && at < end) {
        size_t size = end - at < CHUNK ? (size_t)(end - at) : CHUNK;

        st = read_at(csv, fd, at, buffer + CONTEXT, size, err);
        if (!st) {
            look_at_bytes(&l, buffer + CONTEXT, size, at);
            memmove(buffer, buffer + size, CONTEXT);
        }
        at += size;
    }
    out->quotes = l.inside & 1;
    tct_free_wiped(buffer, CONTEXT + CHUNK + TCT_SCAN_PAD);
    close(fd);
    return st;
}

/* Where the records of stretch `part` begin, and how many rows end before. */
static uint64_t find_start(const tct_stretch *all, size_t part, size_t parts, uint64_t *rows)
{
    size_t way = 0;

    *rows = 0;
    if (part == 0)
        return all[0].begin;
    for (size_t i = 0; i < parts; i++) {
        if (i >= part && all[i].begins[way].first) {
            *rows += all[i].begins[way].is_row;
            return all[i].begins[way].first;
        }
        *rows += all[i].begins[way].rows;
        way ^= all[i].quotes;
    }
    return all[0].end;
}

/* Is it still the file that was looked through? */
static tacit_status check_slice(const tct_csv *csv, tacit_error *err)
{
    tct_stamp now = tct_stamp_take(csv->slice);

    return tct_stamp_compare(&csv->stamp, &now, csv->path, err);
}

tacit_status tct_csv_confine(tct_csv *csv, size_t part, size_t parts, const tct_stretch *all, tacit_error *err)
{
    uint64_t rows, ignored, start, end;
    tacit_status st;

    for (size_t i = 0; i < parts; i++)
        if (all[i].begin != csv->done || all[i].end != csv->total)
            return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL,
                               "process %zu sees another file of this name than process %zu", i, part);
    start = find_start(all, part, parts, &rows);
    end = part + 1 < parts ? find_start(all, part + 1, parts, &ignored) : csv->total;
    csv->slice = open(csv->path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (csv->slice < 0)
        return fail_read(csv, err);
    st = check_slice(csv, err);
    if (st)
        return st;
    posix_fadvise(csv->slice, (off_t)start, (off_t)(end - start), POSIX_FADV_SEQUENTIAL);
    tct_source_close(csv->source);
    csv->source = NULL;
    csv->slice_at = start;
    csv->slice_end = end;
    csv->pending_at = csv->pending_size = 0;
    csv->at_end = false;
    csv->rows = rows;
    csv->done = 0;
    csv->total = end - start;
    return TACIT_OK;
}

tacit_status tct_csv_hash_file(const tct_csv *csv, char hex[65], tacit_error *err)
{
    tct_reader *reader = NULL;
    tct_hash *hash = NULL;
    char *buffer = tct_malloc(CHUNK, 1);
    size_t got = CHUNK;
    tacit_status st = buffer ? tct_hash_new(&hash, err) : tct_fail_memory(err);

    if (!st)
        st = tct_reader_open(&reader, csv->path, err);
    if (!st)
        st = tct_stamp_compare(&csv->stamp, tct_reader_stamp(reader), csv->path, err);
    while (!st && got == CHUNK) {
        st = tct_reader_read(reader, buffer, CHUNK, &got, err);
        if (!st)
            tct_hash_add(hash, buffer, got);
    }
    if (!st) {
        tct_hash_finish(hash, hex);
        hash = NULL;
    }
    tct_hash_free(hash);
    tct_reader_close(reader);
    tct_free_wiped(buffer, CHUNK);
    return st;
}

tacit_status tct_slice_read(tct_csv *csv, void *bytes, size_t room, size_t *got, tacit_error *err)
{
    uint64_t left = csv->slice_end - csv->slice_at;
    tacit_status st;

    *got = left < room ? (size_t)left : room;
    st = read_at(csv, csv->slice, csv->slice_at, bytes, *got, err);
    csv->slice_at += *got;
    return !st && csv->slice_at == csv->slice_end ? check_slice(csv, err) : st;
}

void tct_slice_close(tct_csv *csv)
{
    if (csv->slice >= 0)
        close(csv->slice);
    csv->slice = -1;
}

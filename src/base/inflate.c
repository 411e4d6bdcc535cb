/*
 * inflate.c -- bytes to read that may be packed: gzip and zstd, told by how they begin.
 *
 * Everything streams: a packed file that would fill the disk costs a window and two buffers, however long what comes
 * out of it is.  A gzip file may have several members and a zstd file several frames, one behind the other.  What ends
 * too early, is damaged, or has something else behind its end is an error: rows that were lost must not go unnoticed.
 *
 * A file whose first line ends with a carriage return alone, as old Macs wrote them, comes out with line feeds, whatever its
 * other lines end with.  That makes it a kind of packing too; what is packed otherwise is unpacked up to there and looked at
 * in the same way.
 *
 * The hash is that of the bytes as they are in the file, packed or not, so that `sha256sum` gives the same.
 *
 * Windows hold what people wrote.  Both libraries get their memory here, with its size in front, and it is wiped.
 */
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_customMem */
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base.h"

enum { PEEK = 6, IN_SIZE = 1 << 16, SIZE_ROOM = 16 };

typedef enum packing { PLAIN, GZIP, ZSTD, CR_ENDS } packing;

struct tct_source {
    tct_reader *reader;
    char *name; /* for messages */
    packing packing;
    unsigned char *in; /* packed bytes: in[at ... size), of room; when plain, those that were looked at */
    size_t at, size, room;
    bool in_ended; /* the file has no more */
    bool cr_ends;  /* what comes out of GZIP and ZSTD has them as well */
    bool after_cr; /* of these line ends: the last byte was one, so that a line feed here says nothing new */
    /* of GZIP and ZSTD: what came out to be looked at, first[first_at ... first_size), of IN_SIZE */
    unsigned char *first;
    size_t first_at, first_size;
    bool inside;          /* of a member or frame */
    bool finished;        /* nothing more comes out */
    _Atomic uint64_t raw; /* bytes of the file that were read */
    tct_hash *hash;       /* of those; NULL when plain */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DStream *zstd;
};

/* ---- memory ---- */

static void *give_memory(size_t size)
{
    unsigned char *block = size < SIZE_MAX - SIZE_ROOM ? tct_malloc(size + SIZE_ROOM, 1) : NULL;

    if (!block)
        return NULL;
    memcpy(block, &size, sizeof(size));
    return block + SIZE_ROOM;
}

static void take_memory(void *memory)
{
    unsigned char *block = memory;
    size_t size;

    if (!memory)
        return;
    block -= SIZE_ROOM;
    memcpy(&size, block, sizeof(size));
    tct_free_wiped(block, size + SIZE_ROOM);
}

static void *gzip_alloc(void *context, unsigned count, unsigned size)
{
    (void)context;
    return give_memory((size_t)count * size);
}

static void *zstd_alloc(void *context, size_t size)
{
    (void)context;
    return give_memory(size);
}

static void free_any(void *context, void *memory)
{
    (void)context;
    take_memory(memory);
}

/* ---- messages ---- */

static const char *packing_name(const tct_source *source)
{
    return source->packing == GZIP ? "gzip" : "zstd";
}

static tacit_status fail_damaged(const tct_source *source, tacit_error *err)
{
    return tct_fail_at(err, TACIT_E_INPUT, source->name, 0, NULL, "the %s data is damaged", packing_name(source));
}

/* What is packed in a way that is not read here. */
static tacit_status refuse_others(const tct_source *source, tacit_error *err)
{
    static const struct {
        const char *magic, *advice;
    } others[] = {{"BZh", "a bzip2 file: unpack it first (bunzip2)"},
                  {"\xFD"
                   "7zXZ",
                   "an xz file: unpack it first (unxz)"},
                  {"PK\003\004", "a ZIP archive or a spreadsheet: save it as CSV, or unpack it first"},
                  {"\xD0\xCF\x11\xE0", "an old spreadsheet file: save it as CSV first"},
                  {"PAR1", "a Parquet file: write it as CSV first"}};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        size_t length = strlen(others[i].magic);

        if (source->size >= length && memcmp(source->in, others[i].magic, length) == 0)
            return tct_fail_at(err, TACIT_E_INPUT, source->name, 0, NULL, "%s", others[i].advice);
    }
    return TACIT_OK;
}

/* ---- packed bytes ---- */

/* More packed bytes, if there are any. */
static tacit_status refill(tct_source *source, tacit_error *err)
{
    size_t got = 0;
    tacit_status st;

    if (source->at < source->size || source->in_ended)
        return TACIT_OK;
    st = tct_reader_read(source->reader, source->in, IN_SIZE, &got, err);
    if (st)
        return st;
    tct_hash_add(source->hash, source->in, got);
    source->raw += got;
    source->at = 0;
    source->size = got;
    source->in_ended = got < IN_SIZE;
    return TACIT_OK;
}

static tacit_status inflate_some(tct_source *source, unsigned char *out, size_t room, size_t *got, tacit_error *err)
{
    z_stream *z = &source->gzip;
    size_t most = room < (1u << 30) ? room : 1u << 30;
    int code;

    if (!source->inside && inflateReset(z) != Z_OK)
        return fail_damaged(source, err);
    source->inside = true;
    z->next_in = source->in + source->at;
    z->avail_in = (unsigned)(source->size - source->at);
    z->next_out = out;
    z->avail_out = (unsigned)most;
    code = inflate(z, Z_NO_FLUSH);
    source->at = source->size - z->avail_in;
    *got = most - z->avail_out;
    if (code == Z_MEM_ERROR)
        return tct_fail_memory(err);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return fail_damaged(source, err);
    source->inside = code != Z_STREAM_END;
    return TACIT_OK;
}

static tacit_status unpack_zstd(tct_source *source, unsigned char *out, size_t room, size_t *got, tacit_error *err)
{
    ZSTD_inBuffer in = {source->in, source->size, source->at};
    ZSTD_outBuffer to = {out, room, 0};
    size_t code = ZSTD_decompressStream(source->zstd, &to, &in);

    source->at = in.pos;
    *got = to.pos;
    if (ZSTD_isError(code)) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
            return tct_fail_memory(err);
        if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
            return tct_fail_at(err, TACIT_E_INPUT, source->name, 0, NULL,
                               "the zstd data needs more than 128 MiB of memory: unpack it first");
        return fail_damaged(source, err);
    }
    source->inside = code != 0;
    return TACIT_OK;
}

/* Every line end a line feed, from one place to another or to the same; returns how many bytes are left. */
static size_t mend_line_ends(tct_source *source, unsigned char *out, const unsigned char *in, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned char c = in[i];

        if (c != '\n' || !source->after_cr)
            out[n++] = c == '\r' ? '\n' : c;
        source->after_cr = c == '\r';
    }
    return n;
}

static tacit_status read_packed(tct_source *source, unsigned char *bytes, size_t room, size_t *got, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    while (!st && *got < room && !source->finished) {
        size_t before, some = 0;

        st = refill(source, err);
        if (st)
            break;
        before = source->at;
        if (source->at == source->size && !source->inside) { /* the file ends behind a member or frame */
            source->finished = true;
            break;
        }
        if (source->packing == CR_ENDS) {
            size_t size = source->size - source->at < room - *got ? source->size - source->at : room - *got;

            some = mend_line_ends(source, bytes + *got, source->in + source->at, size);
            source->at += size;
        } else {
            st = source->packing == GZIP ? inflate_some(source, bytes + *got, room - *got, &some, err)
                                         : unpack_zstd(source, bytes + *got, room - *got, &some, err);
            if (!st && source->inside && some == 0 && source->at == before && source->in_ended &&
                source->at == source->size)
                st = tct_fail_at(err, TACIT_E_INPUT, source->name, 0, NULL, "the %s data ends too early",
                                 packing_name(source));
            if (source->cr_ends)
                some = mend_line_ends(source, bytes + *got, bytes + *got, some);
        }
        *got += some;
    }
    return st;
}

/* ---- opening ---- */

/* Does the first line end with a carriage return that no line feed follows?  One that may follow behind what was looked at
 * does no harm: it is left out.  Nor is anything said by one that ends the file. */
static bool has_cr_ends(const unsigned char *bytes, size_t size)
{
    bool quoted = false;

    for (size_t i = 0; i < size; i++) {
        quoted ^= bytes[i] == '"';
        if (!quoted && bytes[i] == '\n')
            return false;
        if (!quoted && bytes[i] == '\r')
            return i + 1 == size ? size == IN_SIZE : bytes[i + 1] != '\n';
    }
    return false;
}

/* The first line of what is packed. */
static tacit_status look_inside(tct_source *source, tacit_error *err)
{
    tacit_status st;

    source->first = tct_malloc(IN_SIZE, 1);
    if (!source->first)
        return tct_fail_memory(err);
    st = read_packed(source, source->first, IN_SIZE, &source->first_size, err);
    source->cr_ends = !st && has_cr_ends(source->first, source->first_size);
    if (source->cr_ends)
        source->first_size = mend_line_ends(source, source->first, source->first, source->first_size);
    return st;
}

static tacit_status start_packed(tct_source *source, tacit_error *err)
{
    const ZSTD_customMem memory = {zstd_alloc, free_any, NULL};
    unsigned char *in = tct_malloc(IN_SIZE, 1);
    tacit_status st = in ? tct_hash_new(&source->hash, err) : tct_fail_memory(err);

    if (st) {
        tct_free(in);
        return st;
    }
    memcpy(in, source->in, source->size);
    tct_free_wiped(source->in, source->room);
    source->in = in;
    source->room = IN_SIZE;
    tct_hash_add(source->hash, in, source->size);
    source->in_ended = source->size < PEEK;
    if (source->packing == GZIP) {
        source->gzip.zalloc = gzip_alloc;
        source->gzip.zfree = free_any;
        source->gzip_ready = inflateInit2(&source->gzip, 16 + MAX_WBITS) == Z_OK; /* 16: gzip, nothing else */
        return source->gzip_ready ? look_inside(source, err) : tct_fail_memory(err);
    }
    source->zstd = ZSTD_createDStream_advanced(memory);
    return source->zstd ? look_inside(source, err) : tct_fail_memory(err);
}

/* The first line of what is not packed. */
static tacit_status look_at_first_line(tct_source *source, tacit_error *err)
{
    unsigned char *in = tct_malloc(IN_SIZE, 1);
    size_t more = 0;
    tacit_status st;

    if (!in)
        return tct_fail_memory(err);
    memcpy(in, source->in, source->size);
    tct_free_wiped(source->in, source->room);
    source->in = in;
    source->room = IN_SIZE;
    st = source->size < PEEK ? TACIT_OK : tct_reader_read(source->reader, in + PEEK, IN_SIZE - PEEK, &more, err);
    source->size += more;
    source->raw = source->size;
    if (st || !has_cr_ends(in, source->size))
        return st;
    source->packing = CR_ENDS;
    source->in_ended = source->size < IN_SIZE;
    st = tct_hash_new(&source->hash, err);
    if (!st)
        tct_hash_add(source->hash, in, source->size);
    return st;
}

/* How the file begins. */
static tacit_status look_at_beginning(tct_source *source, tacit_error *err)
{
    tacit_status st;

    source->in = tct_malloc(PEEK, 1);
    if (!source->in)
        return tct_fail_memory(err);
    source->room = PEEK;
    st = tct_reader_read(source->reader, source->in, PEEK, &source->size, err);
    if (st)
        return st;
    source->raw = source->size;
    if (source->size >= 2 && memcmp(source->in, "\x1F\x8B", 2) == 0)
        source->packing = GZIP;
    else if (source->size >= 4 && memcmp(source->in, "\x28\xB5\x2F\xFD", 4) == 0)
        source->packing = ZSTD;
    else {
        st = refuse_others(source, err);
        return st ? st : look_at_first_line(source, err);
    }
    return start_packed(source, err);
}

/* ---- public ---- */

/* Of a reader, which is taken over in any case. */
static tacit_status open_reader(tct_source **out, const char *name, tct_reader *reader, tacit_error *err)
{
    tct_source *source = tct_calloc(1, sizeof(*source));
    tacit_status st;

    *out = NULL;
    if (!source) {
        tct_reader_close(reader);
        return tct_fail_memory(err);
    }
    source->reader = reader;
    source->name = tct_strdup(name);
    st = source->name ? look_at_beginning(source, err) : tct_fail_memory(err);
    if (st)
        tct_source_close(source);
    else
        *out = source;
    return st;
}

tacit_status tct_source_open(tct_source **out, const char *path, tacit_error *err)
{
    tct_reader *reader;
    tacit_status st = tct_reader_open(&reader, path, err);

    *out = NULL;
    return st ? st : open_reader(out, strcmp(path, "-") == 0 ? "standard input" : path, reader, err);
}

tacit_status tct_source_parse(tct_source **out, const char *name, const void *bytes, size_t size, tacit_error *err)
{
    tct_reader *reader;
    tacit_status st = tct_reader_parse(&reader, name, bytes, size, err);

    *out = NULL;
    return st ? st : open_reader(out, name, reader, err);
}

tacit_status tct_source_read(tct_source *source, void *bytes, size_t room, size_t *got, tacit_error *err)
{
    size_t more = 0, looked = source->size - source->at;
    tacit_status st;

    *got = 0;
    if (source->packing != PLAIN) {
        size_t first = source->first_size - source->first_at < room ? source->first_size - source->first_at : room;

        if (first > 0)
            memcpy(bytes, source->first + source->first_at, first);
        source->first_at += first;
        st = read_packed(source, (unsigned char *)bytes + first, room - first, &more, err);
        *got = first + more;
        return st;
    }
    if (looked > 0) {
        looked = looked < room ? looked : room;
        memcpy(bytes, source->in + source->at, looked);
        source->at += looked;
    }
    st = tct_reader_read(source->reader, (char *)bytes + looked, room - looked, &more, err);
    *got = looked + more;
    return st;
}

uint64_t tct_source_size(const tct_source *source)
{
    return tct_reader_size(source->reader);
}

bool tct_source_packed(const tct_source *source)
{
    return source->packing != PLAIN;
}

uint64_t tct_source_raw(const tct_source *source)
{
    return source->raw;
}

void tct_source_hash(tct_source *source, char hex[65])
{
    tct_hash_finish(source->hash, hex);
    source->hash = NULL;
}

void tct_source_close(tct_source *source)
{
    if (!source)
        return;
    if (source->gzip_ready)
        inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    tct_hash_free(source->hash);
    tct_free_wiped(source->in, source->room);
    tct_free_wiped(source->first, source->first ? IN_SIZE : 0);
    tct_reader_close(source->reader);
    tct_free(source->name);
    tct_free(source);
}

/*
 * test_evidence_inflate.c -- packed files give what was packed, in pieces of any size, and nothing else gets through:
 * data that was cut off anywhere, damaged, or followed by something else is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "base.h"
#include "csv.h"
#include "scale.h"
#include "scratch.h"

enum { ROOM = 1 << 20 };

typedef enum packing { AS_IS, BY_GZIP, BY_ZSTD } packing;

static unsigned char packed[2 * ROOM], unpacked[ROOM + 1];

/* Text that packs well or badly, never beginning like a packed file. */
static size_t make_bytes(tct_random *random, unsigned char *bytes, size_t most)
{
    size_t size = (size_t)tct_random_below(random, most);
    uint64_t letters = 1 + tct_random_below(random, 200);

    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(1 + (i < 6 ? 'a' : 0) + tct_random_below(random, i < 6 ? 4 : letters));
    return size;
}

/* One member or frame behind the others. */
static size_t pack(packing how, const unsigned char *bytes, size_t size, unsigned char *out, size_t room)
{
    z_stream z = {0};
    size_t used;

    if (how == AS_IS) {
        memcpy(out, bytes, size);
        return size;
    }
    if (how == BY_ZSTD) {
        ZSTD_CCtx *context = ZSTD_createCCtx();

        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        used = ZSTD_compress2(context, out, room, bytes, size);
        ZSTD_freeCCtx(context);
        assert_false(ZSTD_isError(used));
        return used;
    }
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)bytes;
    z.avail_in = (unsigned)size;
    z.next_out = out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    used = room - z.avail_out;
    deflateEnd(&z);
    return used;
}

/* Read all of it in pieces; the SHA-256 too where it is packed. */
static tacit_status read_all(const char *path, tct_random *random, size_t *size, char hex[65], tacit_error *err)
{
    tct_source *source = NULL;
    tacit_status st = tct_source_open(&source, path, err);

    *size = 0;
    for (size_t want = 1, got = 1; !st && got == want; *size += got) {
        want = 1 + (size_t)tct_random_below(random, tct_random_below(random, 3) ? 100000 : 7);
        want = want < sizeof(unpacked) - *size ? want : sizeof(unpacked) - *size;
        st = tct_source_read(source, unpacked + *size, want, &got, err);
    }
    if (!st && tct_source_packed(source)) {
        assert_int_equal(tct_source_raw(source), tct_source_size(source));
        tct_source_hash(source, hex);
    }
    tct_source_close(source);
    return st;
}

static void inflate__gives_what_was_packed(void **state)
{
    static unsigned char bytes[ROOM];
    size_t rounds = scaled(60);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 0);
    for (size_t round = 0; round < rounds; round++) {
        packing how = (packing)(round % 3);
        size_t members = how == AS_IS ? 1 : 1 + (size_t)tct_random_below(&random, 3), size = 0, used = 0, got;
        char hex[65] = "", expected[65];
        tacit_error err = {0};

        for (size_t m = 0; m < members; m++) {
            size_t more = make_bytes(&random, bytes + size, ROOM / 3);

            if (size == 0 && more > 0)
                bytes[0] = '\n'; /* what begins with a line that ends with CR alone comes out otherwise */
            used += pack(how, bytes + size, more, packed + used, sizeof(packed) - used);
            size += more;
        }
        assert_int_equal(read_all(scratch_bytes(packed, used), &random, &got, hex, &err), TACIT_OK);
        assert_int_equal(got, size);
        assert_memory_equal(unpacked, bytes, size);
        assert_int_equal(tct_hash_text(expected, (const char *)packed, used, &err), TACIT_OK);
        if (how != AS_IS)
            assert_string_equal(hex, expected);
    }
}

/* Lines that end in all ways, the first with CR alone: packed or not, in pieces of any size, all end with a line feed. */
static void inflate__mends_line_ends(void **state)
{
    static const char *const ends[] = {"\r", "\r\n", "\n"};
    static unsigned char bytes[ROOM], mended[ROOM];
    size_t rounds = scaled(30);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 3, 0);
    for (size_t round = 0; round < rounds; round++) {
        packing how = (packing)(round % 3);
        size_t most = 1 + (size_t)tct_random_below(&random, ROOM / 4), size = 0, n = 0, used, got;
        char hex[65];
        tacit_error err = {0};

        for (const char *end = ends[0]; size < most; end = ends[tct_random_below(&random, 3)]) {
            for (size_t left = 1 + tct_random_below(&random, 9); left > 0; left--)
                bytes[size++] = mended[n++] = (unsigned char)('a' + left);
            memcpy(bytes + size, end, strlen(end));
            size += strlen(end);
            mended[n++] = '\n';
        }
        bytes[size++] = mended[n++] = 'z';
        used = pack(how, bytes, size, packed, sizeof(packed));
        assert_int_equal(read_all(scratch_bytes(packed, used), &random, &got, hex, &err), TACIT_OK);
        assert_int_equal(got, n);
        assert_memory_equal(unpacked, mended, n);
    }
}

/* A first line that is as long as what is looked at to find out how it ends, or nearly. */
static void inflate__mends_line_ends_after_a_long_line(void **state)
{
    static unsigned char bytes[ROOM], mended[ROOM];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 4, 0);
    for (packing how = AS_IS; how <= BY_ZSTD; how++)
        for (size_t length = (1 << 16) - 3; length <= (1 << 16) - 1; length++) {
            size_t used, got;
            char hex[65];
            tacit_error err = {0};

            memset(bytes, 'a', length);
            memset(mended, 'a', length);
            memcpy(bytes + length, "\rb\rc", 4);
            memcpy(mended + length, "\nb\nc", 4);
            used = pack(how, bytes, length + 4, packed, sizeof(packed));
            assert_int_equal(read_all(scratch_bytes(packed, used), &random, &got, hex, &err), TACIT_OK);
            assert_int_equal(got, length + 4);
            assert_memory_equal(unpacked, mended, got);
        }
}

static void inflate__notices_what_is_cut_off(void **state)
{
    unsigned char bytes[3000];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 2, 0);
    for (packing how = BY_GZIP; how <= BY_ZSTD; how++) {
        size_t size = 100 + make_bytes(&random, bytes, sizeof(bytes) - 100), got, used;

        memset(bytes + size - 100, 'z', 100);
        used = pack(how, bytes, size, packed, sizeof(packed));
        for (size_t cut = how == BY_GZIP ? 2 : 4; cut < used; cut++) {
            char hex[65];
            tacit_error err = {0};

            assert_int_equal(read_all(scratch_bytes(packed, cut), &random, &got, hex, &err), TACIT_E_INPUT);
            assert_non_null(strstr(err.message, "data ends too early"));
        }
    }
}

static void inflate__notices_damage(void **state)
{
    unsigned char bytes[3000];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 3, 0);
    for (size_t round = 0; round < scaled(300); round++) {
        packing how = round % 2 ? BY_GZIP : BY_ZSTD;
        size_t size = 10 + make_bytes(&random, bytes, sizeof(bytes) - 10), got, used, at;
        char hex[65];
        tacit_error err = {0};
        tacit_status st;

        memset(bytes + size - 10, 'z', 10);
        used = pack(how, bytes, size, packed, sizeof(packed));
        at = used - 1 - (size_t)tct_random_below(&random, 4); /* of the checksum (and of the size, in gzip) */
        packed[at] ^= (unsigned char)(1u << tct_random_below(&random, 8));
        st = read_all(scratch_bytes(packed, used), &random, &got, hex, &err);
        assert_int_equal(st, TACIT_E_INPUT);
        assert_non_null(strstr(err.message, "data is damaged"));
    }
}

static void inflate__notices_what_stands_behind(void **state)
{
    static const char text[] = "a,b\n1,2\n";
    tct_random random;

    (void)state;
    tct_random_seed(&random, 4, 0);
    for (packing how = BY_GZIP; how <= BY_ZSTD; how++) {
        size_t used = pack(how, (const unsigned char *)text, sizeof(text) - 1, packed, sizeof(packed)), got;
        char hex[65];
        tacit_error err = {0};

        memcpy(packed + used, "no gzip and no zstd", 19);
        assert_int_equal(read_all(scratch_bytes(packed, used + 19), &random, &got, hex, &err), TACIT_E_INPUT);
    }
}

static void inflate__names_what_it_does_not_read(void **state)
{
    static const char *const files[][2] = {{"BZh91AY", "bzip2"},
                                           {"\xFD"
                                            "7zXZ",
                                            "xz file"},
                                           {"PK\003\004abc", "spreadsheet"},
                                           {"PAR1abc", "Parquet"}};

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        tct_source *source = NULL;
        tacit_error err = {0};

        assert_int_equal(tct_source_open(&source, scratch_text(files[i][0]), &err), TACIT_E_INPUT);
        assert_null(source);
        assert_non_null(strstr(err.message, files[i][1]));
    }
}

/* A few kilobytes that unpack to gigabytes: what is held is a window and a block. */
static void inflate__streams_what_would_fill_memory(void **state)
{
    static unsigned char zeros[1 << 16];
    unsigned char *bomb = malloc(8 << 20);
    tct_source *source = NULL;
    z_stream z = {0};
    tacit_error err = {0};
    size_t got = sizeof(zeros), total = 0, used;

    (void)state;
    assert_non_null(bomb);
    memset(zeros, 'x', sizeof(zeros));
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = bomb;
    z.avail_out = 8 << 20;
    for (size_t i = 0; i < 4096; i++) { /* 256 MB */
        z.next_in = zeros;
        z.avail_in = sizeof(zeros);
        assert_int_equal(deflate(&z, i == 4095 ? Z_FINISH : Z_NO_FLUSH), i == 4095 ? Z_STREAM_END : Z_OK);
    }
    used = (8 << 20) - z.avail_out;
    deflateEnd(&z);
    assert_int_equal(tct_source_open(&source, scratch_bytes(bomb, used), &err), TACIT_OK);
    tct_memory_fail_at(0, false);
    while (got == sizeof(zeros)) {
        assert_int_equal(tct_source_read(source, zeros, sizeof(zeros), &got, &err), TACIT_OK);
        total += got;
    }
    assert_int_equal(total, 4096 * sizeof(zeros));
    assert_true(tct_memory_count() < 8); /* nothing grew on the way */
    tct_source_close(source);
    free(bomb);
}

static void inflate__table_has_the_files_hash(void **state)
{
    static const char text[] = "a,b\n1,2\n3,4\n";

    (void)state;
    for (packing how = AS_IS; how <= BY_ZSTD; how++) {
        size_t used = pack(how, (const unsigned char *)text, sizeof(text) - 1, packed, sizeof(packed));
        tacit_table *table = NULL;
        char expected[65];
        tacit_error err = {0};

        assert_int_equal(tacit_table_read(&table, scratch_bytes(packed, used), NULL, 2, &err), TACIT_OK);
        assert_int_equal(tacit_table_rows(table), 2);
        assert_int_equal(tct_hash_text(expected, (const char *)packed, used, &err), TACIT_OK);
        assert_string_equal(tacit_table_hash(table), expected);
        tacit_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inflate__gives_what_was_packed),
        cmocka_unit_test(inflate__mends_line_ends),
        cmocka_unit_test(inflate__mends_line_ends_after_a_long_line),
        cmocka_unit_test(inflate__notices_what_is_cut_off),
        cmocka_unit_test(inflate__notices_damage),
        cmocka_unit_test(inflate__notices_what_stands_behind),
        cmocka_unit_test(inflate__names_what_it_does_not_read),
        cmocka_unit_test(inflate__streams_what_would_fill_memory),
        cmocka_unit_test(inflate__table_has_the_files_hash),
    };

    return cmocka_run_group_tests_name("inflate", tests, NULL, NULL);
}

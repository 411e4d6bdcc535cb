/*
 * The fast CSV reader equals a plain one that looks at one character after the other: the same cells, and the first
 * wrong record at the same row, on random texts and with blocks of any size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "plain_csv.h"
#include "scale.h"
#include "scratch.h"
#include "simd.h"
#include "sniff.h"

enum { TEXT_MAX = 700 };

/* Texts of several kinds: noise, mostly valid records, records with quotes and line ends inside them. */
static size_t make_noise(tct_random *random, char *text)
{
    static const char letters[] = "ab1 \t,,,\"\"\n\n\r\r\n;";
    size_t size = (size_t)tct_random_below(random, TEXT_MAX);

    for (size_t i = 0; i < size; i++)
        text[i] = letters[tct_random_below(random, sizeof(letters) - 1)];
    if (size > 0 && tct_random_below(random, 8) == 0)
        text[tct_random_below(random, size)] = '\0';
    return size;
}

static size_t make_cell(tct_random *random, char *text)
{
    static const char plain[] = "abc123;' \t\r", quoted[] = "abc,; \t\n\r";
    size_t size = (size_t)tct_random_below(random, tct_random_below(random, 5) == 0 ? 90 : 6), used = 0;
    bool smooth = tct_random_below(random, 40) > 0; /* most cells have nothing to trim or undo */

    if (tct_random_below(random, 2) == 0) {
        for (; used < size; used++)
            text[used] = plain[tct_random_below(random, sizeof(plain) - (smooth ? 4 : 1))];
        return used;
    }
    if (!smooth && tct_random_below(random, 6) == 0)
        text[used++] = ' ';
    text[used++] = '"';
    for (size_t i = 0; i < size; i++) {
        text[used++] = !smooth && tct_random_below(random, 8) == 0
                           ? '"'
                           : quoted[tct_random_below(random, sizeof(quoted) - (smooth ? 5 : 1))];
        if (text[used - 1] == '"')
            text[used++] = '"';
    }
    text[used++] = '"';
    if (!smooth && tct_random_below(random, 6) == 0)
        text[used++] = '\t';
    return used;
}

static size_t make_records(tct_random *random, char *text, size_t room)
{
    size_t n_columns = 1 + (size_t)tct_random_below(random, 5), used = 0;
    bool crlf = tct_random_below(random, 3) == 0;

    while (used + n_columns * 200 + 40 < room && tct_random_below(random, 60) > 0) {
        size_t n = tct_random_below(random, 100) == 0 ? 1 + (size_t)tct_random_below(random, n_columns + 1) : n_columns;

        for (size_t c = 0; c < n; c++) {
            if (c > 0)
                text[used++] = ',';
            used += make_cell(random, text + used);
        }
        do {
            if (crlf || tct_random_below(random, 50) == 0)
                text[used++] = '\r';
            text[used++] = '\n';
        } while (tct_random_below(random, 20) == 0 && used + 4 < room);
    }
    if (used > 0 && tct_random_below(random, 5) == 0)
        text[tct_random_below(random, used)] = "\"\n,a\0"[tct_random_below(random, 5)];
    return used > 0 && tct_random_below(random, 3) == 0 ? used - 1 : used; /* maybe no line end */
}

/* The cells of a block are the plain reader's from record `first` on. */
static void check_cells(const tct_block *block, const plain_csv *plain, size_t n_rows, size_t first)
{
    for (size_t i = 0; i < n_rows * plain->n_columns; i++) {
        const plain_cell *expected = &plain->cells[first * plain->n_columns + i];

        assert_int_equal(block->cells[i].size, expected->size);
        assert_memory_equal(block->bytes + block->cells[i].start, expected->text, expected->size);
    }
}

static tct_block copy_block(const tct_block *block)
{
    tct_block copy = {0};

    assert_int_equal(tct_block_reserve(&copy, block->size, NULL), TACIT_OK);
    memcpy(copy.bytes, block->bytes, block->size);
    copy.size = block->size;
    copy.n_rows = block->n_rows;
    return copy;
}

/* Split with the fast splitter and its twin: the same, and right as far as the plain reader found no fault. */
static bool check_block(tct_csv *csv, tct_block *block, const plain_csv *plain)
{
    tct_block twin = copy_block(block);
    tct_trouble trouble, twin_trouble;
    size_t first = (size_t)block->first_row - 1, good;
    tct_extent extent, twin_extent;

    tct_scan_records(block->bytes, block->size, &extent);
    tct_scan_records_plain(block->bytes, block->size, &twin_extent);
    assert_memory_equal(&extent, &twin_extent, sizeof(extent));
    assert_int_equal(extent.end, block->size);
    assert_int_equal(extent.rows, block->n_rows);

    assert_int_equal(tct_split_block(block, csv->n_columns, csv->separator, &trouble, NULL), TACIT_OK);
    assert_int_equal(tct_split_block_plain(&twin, csv->n_columns, csv->separator, &twin_trouble, NULL), TACIT_OK);
    assert_int_equal(trouble.kind, twin_trouble.kind);
    good = trouble.kind ? trouble.row : block->n_rows;
    if (trouble.kind) {
        assert_int_equal(trouble.row, twin_trouble.row);
        assert_true(plain->bad);
        assert_int_equal(first + good, plain->n_rows);
    }
    assert_true(first + good <= plain->n_rows);
    check_cells(block, plain, good, first);
    check_cells(&twin, plain, good, first);
    tct_block_clear(&twin);
    return !trouble.kind;
}

static void check_text(const char *text, size_t size, size_t block_size)
{
    tacit_csv_options options = {.separator = ',', .no_header = true};
    const char *path = scratch_bytes(text, size);
    tct_block block = {0};
    tacit_error err = {0};
    tct_csv *csv = NULL;
    plain_csv plain;
    tacit_status st;
    size_t rows = 0;
    bool good = true;

    plain_csv_read(&plain, text, size, ',', true);
    st = tct_csv_open(&csv, path, &options, &err);
    if (st) { /* the first record is wrong, or there is none */
        assert_int_equal(plain.n_rows, 0);
        plain_csv_free(&plain);
        return;
    }
    tct_csv_set_block_size(csv, block_size);
    assert_int_equal(tct_csv_columns(csv), plain.n_columns);
    do {
        st = tct_csv_next(csv, &block, &err);
        if (st || block.n_rows == 0)
            break;
        assert_int_equal(block.first_row, rows + 1);
        rows += block.n_rows;
        good = check_block(csv, &block, &plain);
    } while (good);
    if (st) { /* a record that does not end */
        assert_true(plain.bad);
        assert_int_equal(err.row, plain.n_rows + 1);
    } else if (good) {
        assert_false(plain.bad);
        assert_int_equal(rows, plain.n_rows);
    }
    tct_block_clear(&block);
    tct_csv_close(csv);
    plain_csv_free(&plain);
}

/* As any processor would do that this one can be. */
static void pick_processor(uint64_t i)
{
    tct_simd_limit(i % 2 ? TCT_SIMD_AVX512_TEXT : TCT_SIMD_AVX2);
}

static size_t draw_block_size(tct_random *random)
{
    return tct_random_below(random, 3) == 0 ? 1 << 20 : 1 + (size_t)tct_random_below(random, 300);
}

static void csv_prop__noise_reads_like_the_plain_reader(void **state)
{
    char text[TEXT_MAX];

    (void)state;
    for (uint64_t i = 0; i < scaled(4000); i++) {
        tct_random random;

        pick_processor(i);
        tct_random_seed(&random, 1, i);
        check_text(text, make_noise(&random, text), draw_block_size(&random));
    }
}

static void csv_prop__records_read_like_the_plain_reader(void **state)
{
    static char text[20000];

    (void)state;
    for (uint64_t i = 0; i < scaled(4000); i++) {
        tct_random random;

        pick_processor(i);
        tct_random_seed(&random, 2, i);
        check_text(text, make_records(&random, text, 600 + (size_t)tct_random_below(&random, sizeof(text) - 600)),
                   draw_block_size(&random));
    }
}

static void csv_prop__masks_equal_their_twin(void **state)
{
    static char text[TCT_SCAN_WORDS * 64 + TCT_SCAN_PAD];
    tct_masks fast[TCT_SCAN_WORDS], plain[TCT_SCAN_WORDS];

    (void)state;
    tct_simd_limit(TCT_SIMD_LEVELS);
    if (tct_simd_level() < TCT_SIMD_AVX2) {
        print_message("skipped: this processor has no AVX2\n");
        skip();
    }
    for (uint64_t i = 0; i < 500; i++) {
        tct_random random;
        size_t size;

        tct_random_seed(&random, 3, i);
        size = (size_t)tct_random_below(&random, TCT_SCAN_WORDS * 64 + 1);
        for (size_t b = 0; b < sizeof(text); b++)
            text[b] = "\"\n,;\0a \t\r\x80"[tct_random_below(&random, 10)];
        memset(fast, 1, sizeof(fast));
        memset(plain, 1, sizeof(plain));
        tct_scan_avx2(text, size, ';', fast);
        tct_scan_plain(text, size, ';', plain);
        assert_memory_equal(fast, plain, sizeof(fast));
        if (tct_simd_level() < TCT_SIMD_AVX512_TEXT)
            continue;
        memset(fast, 1, sizeof(fast));
        tct_scan_avx512(text, size, ';', fast);
        assert_memory_equal(fast, plain, sizeof(fast));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_prop__noise_reads_like_the_plain_reader),
        cmocka_unit_test(csv_prop__records_read_like_the_plain_reader),
        cmocka_unit_test(csv_prop__masks_equal_their_twin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

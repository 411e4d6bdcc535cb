/*
 * A file read in stretches equals the file read as a whole: the same cells in the same rows, and the first thing that
 * is wrong told in the same words, wherever the stretches are cut: in quotes, between CR and LF, in blank lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv_inside.h"
#include "scale.h"
#include "scratch.h"

enum { TEXT_MAX = 600, MOST_PARTS = 9 };

/* Records, mostly sound, with quotes, line ends of both kinds and blank lines. */
static size_t make_text(tct_random *random, char *text)
{
    static const char *const cells[] = {"a",  "12", "", "\"x\"", "\"a\nb\"", "\"\n\n\"", "\"\r\n\"", "\"q\"\"\n\"\"\"",
                                        " b "};
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\n\r\n", "\r\n\r\n"};
    size_t used = (size_t)snprintf(text, TEXT_MAX, "one,two\n"), rows = (size_t)tct_random_below(random, 40);

    for (size_t r = 0; r < rows && used < TEXT_MAX - 60; r++)
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s,%s%s", cells[tct_random_below(random, 9)],
                                 cells[tct_random_below(random, 9)], ends[tct_random_below(random, 5)]);
    if (tct_random_below(random, 4) == 0 && used > 8) /* spoiled somewhere behind the header */
        text[8 + tct_random_below(random, used - 8)] = "\"\",\nx"[tct_random_below(random, 5)];
    if (tct_random_below(random, 3) == 0)
        while (used > 8 && (text[used - 1] == '\n' || text[used - 1] == '\r'))
            used--;
    return used;
}

/* Everything a reader hands out, as text; the error instead once there is one. */
static void read_all(tct_csv *csv, tct_text *out)
{
    tct_block block = {0};
    tacit_error err = {0};
    size_t columns = tct_csv_columns(csv);

    for (;;) {
        tacit_status st = tct_csv_next(csv, &block, &err);

        if (!st && block.n_rows == 0)
            break;
        if (!st)
            st = tct_csv_split(csv, &block, &err);
        if (st) {
            out->size = 0;
            tct_text_printf(out, "error: %s", err.message);
            break;
        }
        for (size_t r = 0; r < block.n_rows; r++)
            for (size_t c = 0; c < columns; c++) {
                const tct_cell *cell = &block.cells[r * columns + c];

                tct_text_printf(out, "%llu %zu [%.*s]\n", (unsigned long long)block.first_row + r, c, (int)cell->size,
                                block.bytes + cell->start);
            }
    }
    tct_block_clear(&block);
}

static void read_in_parts(const char *path, size_t parts, size_t block_size, tct_text *out)
{
    tct_stretch all[MOST_PARTS];

    for (size_t p = 0; p < parts; p++) {
        tct_csv *csv = NULL;

        assert_int_equal(tct_csv_open(&csv, path, &(tacit_csv_options){.separator = ','}, NULL), TACIT_OK);
        assert_int_equal(tct_csv_look(csv, p, parts, &all[p], NULL), TACIT_OK);
        tct_csv_close(csv);
    }
    for (size_t p = 0; p < parts; p++) {
        tct_csv *csv = NULL;
        tct_text part = {0};

        assert_int_equal(tct_csv_open(&csv, path, &(tacit_csv_options){.separator = ','}, NULL), TACIT_OK);
        assert_int_equal(tct_csv_confine(csv, p, parts, all, NULL), TACIT_OK);
        tct_csv_set_block_size(csv, block_size);
        read_all(csv, &part);
        tct_csv_close(csv);
        if (part.bytes && strncmp(part.bytes, "error", 5) == 0) { /* the first one counts */
            out->size = 0;
            tct_text_append(out, part.bytes, part.size);
            tct_text_free(&part);
            return;
        }
        tct_text_append(out, part.bytes ? part.bytes : "", part.size);
        tct_text_free(&part);
    }
}

static void stretch__parts_equal_the_whole(void **state)
{
    static char text[TEXT_MAX];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 3, 0);
    for (size_t n = scaled(3000); n-- > 0;) {
        size_t size = make_text(&random, text), parts = 1 + (size_t)tct_random_below(&random, MOST_PARTS);
        size_t block_size = 1 + (size_t)tct_random_below(&random, 200);
        const char *path = scratch_bytes(text, size);
        tct_text whole = {0}, joined = {0};
        tct_csv *csv = NULL;

        assert_int_equal(tct_csv_open(&csv, path, &(tacit_csv_options){.separator = ','}, NULL), TACIT_OK);
        tct_csv_set_block_size(csv, block_size);
        read_all(csv, &whole);
        tct_csv_close(csv);
        read_in_parts(path, parts, block_size, &joined);
        assert_string_equal(whole.bytes ? whole.bytes : "", joined.bytes ? joined.bytes : "");
        tct_text_free(&whole);
        tct_text_free(&joined);
    }
}

static void stretch__long_records_and_chunks(void **state)
{
    enum { SIZE = 5 << 20 };
    char *text = malloc(SIZE);
    size_t used = (size_t)snprintf(text, SIZE, "one,two\n");
    tct_text whole = {0}, joined = {0};
    const char *path;
    tct_csv *csv = NULL;

    (void)state;
    assert_non_null(text);
    for (size_t r = 0; used < SIZE - 100000; r++) { /* a quoted cell of many lines now and then */
        size_t lines = r % 1000 == 7 ? 3000 : r % 5 == 0 ? 3 : 0;

        used += (size_t)snprintf(text + used, SIZE - used, "%zu,\"", r);
        for (size_t i = 0; i < lines; i++)
            used += (size_t)snprintf(text + used, SIZE - used, "line %zu\n", i);
        used += (size_t)snprintf(text + used, SIZE - used, "\"\n");
    }
    path = scratch_bytes(text, used);
    free(text);
    assert_int_equal(tct_csv_open(&csv, path, NULL, NULL), TACIT_OK);
    read_all(csv, &whole);
    tct_csv_close(csv);
    for (size_t parts = 2; parts <= MOST_PARTS; parts += 3) {
        joined.size = 0;
        read_in_parts(path, parts, 1 << 20, &joined);
        assert_int_equal(joined.size, whole.size);
        assert_memory_equal(joined.bytes, whole.bytes, whole.size);
    }
    tct_text_free(&whole);
    tct_text_free(&joined);
}

static void stretch__refuses_pipes_and_other_files(void **state)
{
    const char *path = scratch_text("one,two\n1,2\n3,4\n"), *other = scratch_text("one,two\n1,2\n");
    tct_stretch all[2];
    tct_csv *csv = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_csv_open(&csv, other, NULL, NULL), TACIT_OK);
    assert_int_equal(tct_csv_look(csv, 0, 2, &all[0], NULL), TACIT_OK);
    tct_csv_close(csv);
    assert_int_equal(tct_csv_open(&csv, path, NULL, NULL), TACIT_OK);
    assert_int_equal(tct_csv_look(csv, 1, 2, &all[1], NULL), TACIT_OK);
    assert_int_equal(tct_csv_confine(csv, 1, 2, all, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "process 0 sees another file"));
    csv->total = 0; /* as for a pipe */
    assert_int_equal(tct_csv_look(csv, 0, 2, &all[0], &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "only an ordinary file"));
    tct_csv_close(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretch__parts_equal_the_whole),
        cmocka_unit_test(stretch__long_records_and_chunks),
        cmocka_unit_test(stretch__refuses_pipes_and_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

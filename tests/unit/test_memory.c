/*
 * test_memory.c -- overflow checks, wiping, growing lists, arenas, and the hook that lets allocations fail.
 */
#include "arena.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void memory__overflow_gives_null(void **state)
{
    (void)state;
    assert_null(tct_malloc(SIZE_MAX, 2));
    assert_null(tct_calloc(SIZE_MAX / 2, 3));
    assert_null(tct_realloc(NULL, SIZE_MAX / 8 + 1, 8));
    assert_null(tct_malloc((size_t)PTRDIFF_MAX + 1, 1));
}

static void memory__nothing_is_still_a_block(void **state)
{
    void *block = tct_malloc(0, 8);

    (void)state;
    assert_non_null(block);
    block = tct_realloc(block, 0, 0);
    assert_non_null(block);
    tct_free(block);
    tct_free(NULL);
    tct_free_wiped(NULL, 10);
}

static void memory__calloc_zeroes_and_realloc_keeps(void **state)
{
    unsigned char *block = tct_calloc(100, 3);

    (void)state;
    assert_non_null(block);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(block[i], 0);
    memset(block, 7, 300);
    block = tct_realloc(block, 1000, 1);
    assert_non_null(block);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(block[i], 7);
    tct_free(block);
}

static void memory__wipe_zeroes(void **state)
{
    char secret[16] = "a person's value";

    (void)state;
    tct_wipe(secret, sizeof(secret));
    for (size_t i = 0; i < sizeof(secret); i++)
        assert_int_equal(secret[i], 0);
    tct_wipe(NULL, 0);
}

static void memory__strings_are_copied(void **state)
{
    char *copy = tct_strdup("income"), *part = tct_strndup("income", 2), *whole = tct_strndup("in", 10);

    (void)state;
    assert_string_equal(copy, "income");
    assert_string_equal(part, "in");
    assert_string_equal(whole, "in");
    tct_free(copy);
    tct_free(part);
    tct_free(whole);
}

static void memory__nth_fails_once_or_forever(void **state)
{
    void *block[4];

    (void)state;
    for (int forever = 0; forever < 2; forever++) {
        tct_memory_fail_at(2, forever);
        for (int i = 0; i < 4; i++)
            block[i] = tct_malloc(1, 1);
        assert_int_equal(tct_memory_count(), 4);
        tct_memory_fail_at(0, false);
        assert_non_null(block[0]);
        assert_null(block[1]);
        assert_int_equal(block[2] == NULL, forever);
        assert_int_equal(block[3] == NULL, forever);
        for (int i = 0; i < 4; i++)
            tct_free(block[i]);
    }
}

static void memory__counts_while_off(void **state)
{
    (void)state;
    tct_memory_fail_at(0, false);
    tct_free(tct_calloc(1, 1));
    tct_free(tct_realloc(NULL, 1, 1));
    tct_free(tct_strdup("x"));
    assert_int_equal(tct_memory_count(), 3);
}

static void memory__lists_grow(void **state)
{
    size_t room = 0, *list = NULL;

    (void)state;
    for (size_t n = 0; n < 1000; n++) {
        size_t before = room, *longer = tct_grow(list, &room, n + 1, sizeof *list);

        assert_non_null(longer);
        assert_true(room > n && (room == before ? longer == list : room >= 2 * before));
        list = longer;
        list[n] = n;
    }
    for (size_t n = 0; n < 1000; n++)
        assert_int_equal(list[n], n);
    tct_memory_fail_at(1, true);
    assert_null(tct_grow(list, &room, room + 1, sizeof *list));
    assert_ptr_equal(tct_grow(list, &room, room, sizeof *list), list);
    tct_memory_fail_at(0, false);
    assert_int_equal(list[999], 999);
    assert_null(tct_grow(list, &room, SIZE_MAX, sizeof *list));
    tct_free(list);
}

static void memory__arenas_remember_failure(void **state)
{
    static const char zeros[64];
    tct_arena arena = {0};
    tacit_error err;

    (void)state;
    for (size_t size = 0; size <= 64; size++) {
        void *piece = tct_take(&arena, size, 1);

        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        assert_memory_equal(piece, zeros, size);
        memset(piece, 1, size);
    }
    assert_int_equal(tct_arena_check(&arena, &err), TACIT_OK);
    assert_null(tct_take(&arena, SIZE_MAX, 1));
    assert_null(tct_take(&arena, SIZE_MAX / 2, 3));
    assert_non_null(tct_take(&arena, 1, 1));
    assert_int_equal(tct_arena_check(&arena, &err), TACIT_E_MEMORY);
    tct_arena_clear(&arena);
    assert_int_equal(tct_arena_check(&arena, &err), TACIT_OK);
    assert_null(arena.pieces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory__overflow_gives_null),
        cmocka_unit_test(memory__nothing_is_still_a_block),
        cmocka_unit_test(memory__calloc_zeroes_and_realloc_keeps),
        cmocka_unit_test(memory__wipe_zeroes),
        cmocka_unit_test(memory__strings_are_copied),
        cmocka_unit_test(memory__nth_fails_once_or_forever),
        cmocka_unit_test(memory__counts_while_off),
        cmocka_unit_test(memory__lists_grow),
        cmocka_unit_test(memory__arenas_remember_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

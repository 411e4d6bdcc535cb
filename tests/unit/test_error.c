/*
 * test_error.c -- messages: places, one line, cut cleanly, NULL allowed.
 */
#include "base.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void error__message_without_place(void **state)
{
    tacit_error err;

    (void)state;
    memset(&err, 'x', sizeof(err));
    assert_int_equal(tct_fail(&err, TACIT_E_USAGE, "bad delta %g", 0.7), TACIT_E_USAGE);
    assert_int_equal(err.status, TACIT_E_USAGE);
    assert_string_equal(err.message, "bad delta 0.7");
    assert_string_equal(err.column, "");
    assert_int_equal(err.row, 0);
    assert_int_equal(tct_fail_memory(&err), TACIT_E_MEMORY);
    assert_string_equal(err.message, "out of memory");
}

static void error__null_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(tct_fail(NULL, TACIT_E_IO, "x"), TACIT_E_IO);
    assert_int_equal(tct_fail_at(NULL, TACIT_E_INPUT, "f", 1, "c", "x"), TACIT_E_INPUT);
    assert_int_equal(tct_fail_memory(NULL), TACIT_E_MEMORY);
}

static void error__place_in_all_combinations(void **state)
{
    tacit_error err;

    (void)state;
    tct_fail_at(&err, TACIT_E_INPUT, "people.csv", 12, "income", "expected %s", "a number");
    assert_string_equal(err.message, "people.csv: row 12, column income: expected a number");
    assert_int_equal(err.row, 12);
    assert_string_equal(err.column, "income");
    tct_fail_at(&err, TACIT_E_INPUT, "people.csv", 0, "income", "no such column");
    assert_string_equal(err.message, "people.csv: column income: no such column");
    tct_fail_at(&err, TACIT_E_INPUT, "people.csv", 3, NULL, "too few cells");
    assert_string_equal(err.message, "people.csv: row 3: too few cells");
    tct_fail_at(&err, TACIT_E_INPUT, NULL, 0, NULL, "empty");
    assert_string_equal(err.message, "empty");
}

static void error__is_one_line(void **state)
{
    tacit_error err;

    (void)state;
    tct_fail_at(&err, TACIT_E_INPUT, "a\nb", 1, "c\x1b[2Jd\x7f", "x\r\ty");
    assert_string_equal(err.message, "a?b: row 1, column c?[2Jd?: x??y");
    assert_string_equal(err.column, "c?[2Jd?");
}

static void error__is_cut_between_characters(void **state)
{
    tacit_error err;
    char name[6000];

    (void)state;
    for (size_t i = 0; i + 2 < sizeof(name); i += 2)
        memcpy(name + i, "\xC3\xA9", 3);
    for (int shift = 0; shift < 2; shift++) {
        tct_fail_at(&err, TACIT_E_INPUT, NULL, 0, name, "%s%s", shift ? "x" : "", name);
        assert_true(strlen(err.message) < sizeof(err.message));
        assert_true(strlen(err.message) > sizeof(err.message) - 4);
        assert_int_equal((unsigned char)err.message[strlen(err.message) - 1], 0xA9);
        assert_int_equal((unsigned char)err.column[strlen(err.column) - 1], 0xA9);
    }
}

static void error__version_is_known(void **state)
{
    (void)state;
    assert_string_equal(tacit_version(), TACIT_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error__message_without_place),     cmocka_unit_test(error__null_is_allowed),
        cmocka_unit_test(error__place_in_all_combinations), cmocka_unit_test(error__is_one_line),
        cmocka_unit_test(error__is_cut_between_characters), cmocka_unit_test(error__version_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

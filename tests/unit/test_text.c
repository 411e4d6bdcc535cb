/*
 * test_text.c -- growing text, lists of names, suggestions.
 */
#include "base.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void text__grows(void **state)
{
    tct_text text = {0};
    char expected[4001];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        tct_text_append(&text, "ab", 2);
        tct_text_printf(&text, "%02d", i % 100);
        memcpy(expected + 4 * i, "ab", 2);
        expected[4 * i + 2] = (char)('0' + i % 100 / 10);
        expected[4 * i + 3] = (char)('0' + i % 10);
    }
    expected[4000] = '\0';
    assert_false(text.failed);
    assert_int_equal(text.size, 4000);
    assert_string_equal(text.bytes, expected);
    tct_text_free(&text);
    assert_null(text.bytes);
    tct_text_free(NULL);
}

static void text__printf_longer_than_its_room(void **state)
{
    tct_text text = {0};
    char word[500];

    (void)state;
    memset(word, 'w', sizeof(word));
    word[499] = '\0';
    tct_text_printf(&text, "%s|%s", word, word);
    assert_int_equal(text.size, 999);
    assert_int_equal(text.bytes[499], '|');
    assert_int_equal(text.bytes[999], '\0');
    tct_text_free(&text);
}

static void text__remembers_that_memory_ran_out(void **state)
{
    tct_text text = {0};

    (void)state;
    tct_text_append(&text, "x", 1);
    tct_memory_fail_at(1, true);
    tct_text_printf(&text, "%200s", "y");
    assert_true(text.failed);
    tct_memory_fail_at(0, false);
    tct_text_append(&text, "z", 1);
    assert_int_equal(text.size, 1);
    assert_string_equal(text.bytes, "x");
    tct_text_free(&text);
}

static void names__are_trimmed(void **state)
{
    tct_names names;

    (void)state;
    assert_int_equal(tct_names_split(&names, " age,job title ,\tincome", NULL), TACIT_OK);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.items[0], "age");
    assert_string_equal(names.items[1], "job title");
    assert_string_equal(names.items[2], "income");
    tct_names_free(&names);
    tct_names_free(NULL);
}

static void names__nothing_is_an_empty_list(void **state)
{
    static const char *const lists[] = {NULL, "", "  "};
    tct_names names;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(tct_names_split(&names, lists[i], NULL), TACIT_OK);
        assert_int_equal(names.count, 0);
        tct_names_free(&names);
    }
}

static void names__rejects_an_empty_name(void **state)
{
    static const char *const lists[] = {"a,,b", ",a", "a, ", ","};
    tct_names names;
    tacit_error err;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tct_names_split(&names, lists[i], &err), TACIT_E_USAGE);
        assert_int_equal(names.count, 0);
        assert_null(names.items);
        assert_non_null(strstr(err.message, "empty name"));
    }
}

static void names__out_of_memory_leaves_nothing(void **state)
{
    tct_names names;

    (void)state;
    for (uint64_t nth = 1; nth <= 4; nth++) {
        tct_memory_fail_at(nth, false);
        assert_int_equal(tct_names_split(&names, "a,b,c", NULL), TACIT_E_MEMORY);
        assert_null(names.items);
    }
    tct_memory_fail_at(0, false);
}

static void suggest__finds_the_closest(void **state)
{
    static const char *const words[] = {"age", "income", "Marital Status", "housing", NULL, "x"};

    (void)state;
    assert_string_equal(tacit_suggest("incmoe", words, 6), "income");
    assert_string_equal(tacit_suggest("INCOME", words, 6), "income");
    assert_string_equal(tacit_suggest("marital-status", words, 6), "Marital Status");
    assert_string_equal(tacit_suggest("aeg", words, 6), "age");
    assert_string_equal(tacit_suggest("house", words, 6) ? "something" : "nothing", "nothing");
    assert_string_equal(tacit_suggest("hosing", words, 6), "housing");
    assert_null(tacit_suggest("zzzzzz", words, 6));
    assert_null(tacit_suggest("y", words, 6));
    assert_null(tacit_suggest("", words, 6));
    assert_null(tacit_suggest("age", NULL, 0));
}

static void suggest__prefers_fewer_edits_then_the_first(void **state)
{
    static const char *const words[] = {"balances", "balance", "balanse"};

    (void)state;
    assert_string_equal(tacit_suggest("balance", words, 3), "balance");
    assert_string_equal(tacit_suggest("balanc", words, 3), "balance");
    assert_string_equal(tacit_suggest("balanxes", words, 3), "balances");
}

static void suggest__ignores_very_long_words(void **state)
{
    char word[1000];
    const char *words[] = {word};

    (void)state;
    memset(word, 'a', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    assert_null(tacit_suggest(word, words, 1));
    assert_null(tacit_suggest("aaaa", words, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text__grows),
        cmocka_unit_test(text__printf_longer_than_its_room),
        cmocka_unit_test(text__remembers_that_memory_ran_out),
        cmocka_unit_test(names__are_trimmed),
        cmocka_unit_test(names__nothing_is_an_empty_list),
        cmocka_unit_test(names__rejects_an_empty_name),
        cmocka_unit_test(names__out_of_memory_leaves_nothing),
        cmocka_unit_test(suggest__finds_the_closest),
        cmocka_unit_test(suggest__prefers_fewer_edits_then_the_first),
        cmocka_unit_test(suggest__ignores_very_long_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

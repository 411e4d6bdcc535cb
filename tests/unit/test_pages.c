/*
 * test_pages.c -- pages filled with data; and the pages that were built in, when there are any.
 */
#include "pages.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#define PAGE(data) "<p>&amp;</p><script id=\"data\">" data "</script><p>end</p>"

static void fill(const char *json, const char *expected)
{
    static const char page[] = PAGE(TCT_PAGE_DATA);
    char *out = NULL;
    tacit_error err = {0};

    assert_int_equal(tct_page_fill(&out, page, strlen(page), json, &err), TACIT_OK);
    assert_string_equal(out, expected);
    tct_free(out);
}

static void pages__data_take_their_place(void **state)
{
    (void)state;
    fill("{\"a\": [1, 2]}", PAGE("{\"a\": [1, 2]}"));
    fill("", PAGE(""));
}

static void pages__data_cannot_end_the_script(void **state)
{
    (void)state;
    fill("[\"</script><script>\", \"<!--\", \"<\"]",
         PAGE("[\"\\u003c/script>\\u003cscript>\", \"\\u003c!--\", \"\\u003c\"]"));
}

static void pages__line_ends_of_javascript_are_escaped(void **state)
{
    (void)state;
    fill("[\"a\xe2\x80\xa8"
         "b\xe2\x80\xa9\"]",
         PAGE("[\"a\\u2028b\\u2029\"]"));
    /* Their neighbours, and texts that end within, are left alone. */
    fill("\xe2\x80\xa7\xe2\x80\xaa\xe2\x82\xac\xe2\x80", PAGE("\xe2\x80\xa7\xe2\x80\xaa\xe2\x82\xac\xe2\x80"));
}

static void pages__data_that_hold_the_place_are_kept(void **state)
{
    (void)state;
    fill("[\"" TCT_PAGE_DATA "\"]", PAGE("[\"" TCT_PAGE_DATA "\"]"));
}

static void pages__a_page_need_not_be_terminated(void **state)
{
    static const char page[] = "a" TCT_PAGE_DATA "bcd";
    char *out = NULL;

    (void)state;
    assert_int_equal(tct_page_fill(&out, page, strlen(page) - 2, "1", NULL), TACIT_OK);
    assert_string_equal(out, "a1b");
    tct_free(out);
}

static void pages__refuses_to_fill_what_is_not_there(void **state)
{
    char *out = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_page_fill(&out, NULL, 0, "1", &err), TACIT_E_USAGE);
    assert_string_equal(err.message, "this tacit was built without pages");
    assert_null(out);
    assert_int_equal(tct_page_fill(&out, "abc", 3, "1", &err), TACIT_E_INTERNAL);
    assert_string_equal(err.message, "the page has no place for data");
    assert_null(out);
}

static void pages__says_when_memory_is_short(void **state)
{
    char *out = NULL;
    tacit_error err = {0};

    (void)state;
    tct_memory_fail_at(1, true);
    assert_int_equal(tct_page_fill(&out, TCT_PAGE_DATA, strlen(TCT_PAGE_DATA), "<", &err), TACIT_E_MEMORY);
    tct_memory_fail_at(0, false);
    assert_null(out);
}

static void check_built_in(const char *page, size_t size)
{
    const char *place, *more;

    if (!page) {
        assert_int_equal(size, 0);
        return;
    }
    assert_memory_equal(page, "<!doctype html>", 15);
    place = memmem(page, size, TCT_PAGE_DATA, strlen(TCT_PAGE_DATA));
    assert_non_null(place);
    more = memmem(place + 1, size - (size_t)(place + 1 - page), TCT_PAGE_DATA, strlen(TCT_PAGE_DATA));
    assert_null(more);
}

static void pages__what_is_built_in_has_one_place(void **state)
{
    (void)state;
    check_built_in(tct_page_experiment, tct_page_experiment_size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages__data_take_their_place),
        cmocka_unit_test(pages__data_cannot_end_the_script),
        cmocka_unit_test(pages__line_ends_of_javascript_are_escaped),
        cmocka_unit_test(pages__data_that_hold_the_place_are_kept),
        cmocka_unit_test(pages__a_page_need_not_be_terminated),
        cmocka_unit_test(pages__refuses_to_fill_what_is_not_there),
        cmocka_unit_test(pages__says_when_memory_is_short),
        cmocka_unit_test(pages__what_is_built_in_has_one_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_words.c -- the words of the pages: every key has a text in both languages, with the same arguments, the same choice
 * between one and many, and the same markup.
 */
#include "html.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

/* Which of {0} ... {8} are in a text, as bits. */
static unsigned arguments_of(const char *text)
{
    unsigned bits = 0;

    for (const char *p = text; (p = strchr(p, '{')); p++) {
        assert_true(p[1] >= '0' && p[1] <= '8' && p[2] == '}');
        bits |= 1U << (p[1] - '0');
    }
    return bits;
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

static void words__are_complete_and_alike(void **state)
{
    static const char *const parts[] = {"|", "<b>", "</b>"};

    (void)state;
    for (size_t w = 0; w < TCT_N_WORDS; w++) {
        if (!tct_words_en[w] || !tct_words_de[w])
            fail_msg("word %zu has no text in one of the languages (English: %s)", w,
                     tct_words_en[w] ? tct_words_en[w] : "none");
        assert_true(*tct_words_en[w] && *tct_words_de[w]);
        if (arguments_of(tct_words_en[w]) != arguments_of(tct_words_de[w]))
            fail_msg("other arguments: %s / %s", tct_words_en[w], tct_words_de[w]);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (count_of(tct_words_en[w], parts[i]) != count_of(tct_words_de[w], parts[i]))
                fail_msg("other markup: %s / %s", tct_words_en[w], tct_words_de[w]);
    }
}

/* Quotation marks of the other language, or of neither. */
static void words__are_set_in_their_language(void **state)
{
    (void)state;
    for (size_t w = 0; w < TCT_N_WORDS; w++) {
        assert_null(strchr(tct_words_en[w], '"'));
        assert_null(strchr(tct_words_de[w], '"'));
        assert_null(strstr(tct_words_en[w], "„"));
        assert_null(strstr(tct_words_de[w], "”"));
    }
}

static void sentences__take_their_arguments_escaped(void **state)
{
    tct_html h;
    char *out = NULL;

    (void)state;
    assert_int_equal(tct_html_begin(&h, "en", NULL), TACIT_OK);
    tct_say_many(&h, W_people, 1, "<1>");
    tct_say_many(&h, W_people, 2, "\"2' & \xff");
    assert_int_equal(tct_html_end(&h, &out, NULL), TACIT_OK);
    assert_string_equal(out, "&lt;1&gt; person&quot;2&#39; &amp; \xef\xbf\xbd people");
    tct_free(out);
    assert_int_equal(tct_html_begin(&h, "fr", NULL), TACIT_E_USAGE);
}

static void numbers__are_written_as_the_language_does(void **state)
{
    static const struct {
        const char *lang, *count, *decimal, *percent, *few, *most, *delta;
    } cases[] = {
        {"en", "1,234,567", "−3.10", "93.4\xc2\xa0%", "less than 0.1\xc2\xa0%", "more than 99.9\xc2\xa0%",
         "δ\xc2\xa0=\xc2\xa0"
         "0.05"},
        {"de", "1.234.567", "−3,10", "93,4\xe2\x80\xaf%", "weniger als 0,1\xe2\x80\xaf%", "mehr als 99,9\xe2\x80\xaf%",
         "δ\xc2\xa0=\xc2\xa0"
         "0,05"},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        tct_html h;
        char *out = NULL;

        assert_int_equal(tct_html_begin(&h, cases[i].lang, NULL), TACIT_OK);
        assert_string_equal(tct_count(&h, 1234567), cases[i].count);
        assert_string_equal(tct_decimal(&h, -3.1, 2), cases[i].decimal);
        assert_string_equal(tct_decimal(&h, -0.001, 2), i ? "0,00" : "0.00");
        assert_string_equal(tct_percent(&h, 0.934, 1), cases[i].percent);
        assert_string_equal(tct_share(&h, 0.00001), cases[i].few);
        assert_string_equal(tct_share(&h, 0.9995), cases[i].most);
        assert_string_equal(tct_delta_is(&h, 0.05), cases[i].delta);
        assert_string_equal(tct_share(&h, 0), i ? "0\xe2\x80\xaf%" : "0\xc2\xa0%");
        assert_string_equal(tct_share(&h, 1), i ? "100\xe2\x80\xaf%" : "100\xc2\xa0%");
        tct_raw(&h, "x");
        assert_int_equal(tct_html_end(&h, &out, NULL), TACIT_OK);
        tct_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words__are_complete_and_alike),
        cmocka_unit_test(words__are_set_in_their_language),
        cmocka_unit_test(sentences__take_their_arguments_escaped),
        cmocka_unit_test(numbers__are_written_as_the_language_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

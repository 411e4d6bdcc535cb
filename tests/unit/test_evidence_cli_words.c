/*
 * test_evidence_cli_words.c -- what `ask` and `explain` say in another language: every sentence of the code is there, once,
 * and prints the same values in the same order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"

#define CLI TEST_DATA_DIR "/../../cli/"

static const struct {
    const char *english, *german;
} words[] = {
#include "../../cli/words_de.h"
};
enum { WORDS_COUNT = sizeof(words) / sizeof(*words) };

static size_t find_word(const char *english)
{
    size_t i = 0;

    while (i < WORDS_COUNT && strcmp(words[i].english, english) != 0)
        i++;
    return i;
}

/* The conversions of a format, one behind the other. */
static void list_conversions(tct_text *out, const char *format)
{
    tct_text_append(out, "", 0);
    for (; *format; format++)
        if (*format == '%') {
            size_t size = 1 + strcspn(format + 1, "sdguxfzc%");

            size += format[size] == 'z' ? 2 : 1;
            tct_text_append(out, format, size);
            format += size - 1;
        }
}

static void cli_words__print_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORDS_COUNT; i++) {
        tct_text english = {0}, german = {0};

        list_conversions(&english, words[i].english);
        list_conversions(&german, words[i].german);
        tct_text_append(&english, "|", 1);
        tct_text_append(&german, "|", 1);
        assert_string_equal(english.bytes, german.bytes);
        assert_int_equal(find_word(words[i].english), i);
        tct_text_free(&english);
        tct_text_free(&german);
    }
}

/* A literal, or several one behind the other, from the quote at `at` on. */
static void read_literal(tct_text *out, const char *at)
{
    while (*at == '"') {
        for (at++; *at != '"'; at++) {
            bool feed = at[0] == '\\' && at[1] == 'n';

            tct_text_append(out, feed ? "\n" : at, 1);
            at += feed;
        }
        at++;
        at += strspn(at, " \n");
    }
}

static void cli_words__none_is_missing(void **state)
{
    static const char *const files[] = {"cmd_ask.c", "cmd_explain.c", "describe.c", "calibration_view.c"};
    size_t found = 0;

    (void)state;
    for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++) {
        char path[1024], *source;
        size_t size;

        snprintf(path, sizeof(path), "%s%s", CLI, files[f]);
        assert_int_equal(tct_file_read(&source, &size, path, 1 << 20, NULL), TACIT_OK);
        for (const char *at = source; (at = strstr(at, "WORDS(")); at++) {
            const char *literal = at + 6 + strspn(at + 6, " \n");
            tct_text text = {0};

            if (*literal != '"')
                continue;
            read_literal(&text, literal);
            if (find_word(text.bytes) == WORDS_COUNT)
                fail_msg("%s: no German for: %s", files[f], text.bytes);
            tct_text_free(&text);
            found++;
        }
        tct_free(source);
    }
    assert_true(found > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cli_words__print_the_same),
        cmocka_unit_test(cli_words__none_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_number.c -- decimal numbers: what is one, correct rounding against strtod, shortest texts that read back.
 */
#include "base.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* tct_parse_number and strtod agree on `text`, which is a decimal number. */
static void expect_like_strtod(const char *text)
{
    double expected = strtod(text, NULL), got = 42.0;
    bool ok = tct_parse_number(text, strlen(text), &got);

    if (isinf(expected) ? ok : !ok || !same_bits(got, expected))
        fail_msg("%s: got %d %a, expected %a", text, ok, got, expected);
}

static void number__accepts_plain_forms(void **state)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+7",
                                        "42",
                                        "3.25",
                                        "-.5",
                                        "5.",
                                        "1e3",
                                        "1E+3",
                                        "12e-2",
                                        "000012",
                                        "0.0001",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "1e308",
                                        "5e-324",
                                        "2e-324",
                                        "1e-400",
                                        "0e9999",
                                        "0.0e-99999999999999999999",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "1.7976931348623158e308",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "99999999999999999999e-40",
                                        "2.2250738585072011e-308"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_like_strtod(texts[i]);
}

static void number__rejects_everything_else(void **state)
{
    static const char *const texts[] = {"",
                                        " 1",
                                        "1 ",
                                        "+",
                                        "-",
                                        ".",
                                        "-.",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "1e5.0",
                                        "1.2.3",
                                        "0x10",
                                        "inf",
                                        "nan",
                                        "-inf",
                                        "1,5",
                                        "1_0",
                                        "--1",
                                        "1e999",
                                        "1f",
                                        "1e 5",
                                        "\302\2401",
                                        "1e99999999999999999999",
                                        "123456789e400",
                                        "Infinity",
                                        "1d5"};
    double value = 42.0;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (tct_parse_number(texts[i], strlen(texts[i]), &value))
            fail_msg("\"%s\" was taken for %g", texts[i], value);
    assert_false(tct_parse_number("1\0", 2, &value));
}

static void number__reads_only_its_bytes(void **state)
{
    double value;

    (void)state;
    assert_true(tct_parse_number("12345", 2, &value));
    assert_true(value == 12.0);
    assert_true(tct_parse_number("1e55", 3, &value));
    assert_true(value == 1e5);
}

static void number__long_digits_round_correctly(void **state)
{
    char text[3000];
    double value;

    (void)state;
    /* Half way between 1 and the next double, then a nonzero digit 2,500 places on. */
    snprintf(text, sizeof(text), "1.00000000000000011102230246251565404236316680908203125");
    assert_true(tct_parse_number(text, strlen(text), &value) && value == 1.0);
    memset(text + strlen(text), '0', 2500);
    text[2554] = '1';
    text[2555] = '\0';
    assert_true(tct_parse_number(text, strlen(text), &value) && value == 1.0 + 0x1p-52);
    /* A thousand zeros before and behind the point. */
    memset(text, '0', sizeof(text));
    text[1000] = '.';
    memcpy(text + 2000, "7e999", 6);
    assert_true(tct_parse_number(text, strlen(text), &value));
    assert_true(value == 0.7);
    memset(text, '9', 400);
    text[400] = '\0';
    assert_false(tct_parse_number(text, strlen(text), &value));
}

static void write_random_number(tct_random *random, int kind, char *text, size_t size)
{
    uint64_t bits = tct_random_bits(random), more = tct_random_bits(random);
    double value;

    switch (kind) {
    case 0: /* any double */
        memcpy(&value, &bits, sizeof(value));
        snprintf(text, size, "%.17g", isfinite(value) ? value : 1.0);
        break;
    case 1: /* ordinary cells */
        snprintf(text, size, "%.*f", (int)(bits % 8), (tct_random_uniform(random) - 0.5) * pow(10, (double)(more % 9)));
        break;
    case 2:
        snprintf(text, size, "%llue%d", (unsigned long long)(more >> bits % 64), (int)(bits >> 32) % 40);
        break;
    case 3:
        snprintf(text, size, "%llu.%llu", (unsigned long long)(bits >> more % 64),
                 (unsigned long long)(more >> bits % 64));
        break;
    case 4: /* all 17 digits */
        snprintf(text, size, "%.17g", tct_random_normal(random));
        break;
    case 5: /* small */
        snprintf(text, size, "0.%0*d%llu", (int)(bits % 30) + 1, 0, (unsigned long long)more);
        break;
    case 6: /* half way between two doubles */
        snprintf(text, size, "%llu.5", (unsigned long long)(bits >> 11 | 1ull << 52));
        break;
    default: /* half way, the last digit moved or not */
        snprintf(text, size, "%llu5e-%d", (unsigned long long)(more % 1000000000000000000u), (int)(bits % 30));
        break;
    }
}

static void number__agrees_with_strtod_on_a_million(void **state)
{
    tct_random random;
    char text[128];

    (void)state;
    tct_random_seed(&random, 2024, 1);
    for (int i = 0; i < 1000000; i++) {
        write_random_number(&random, i % 8, text, sizeof(text));
        expect_like_strtod(text);
    }
}

static void number__formats_as_people_write(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1.0, "1"},
                 {-17.0, "-17"},
                 {0.1, "0.1"},
                 {100000.0, "100000"},
                 {1e15, "1000000000000000"},
                 {9007199254740991.0, "9007199254740991"},
                 {1e22, "1e22"},
                 {1e300, "1e300"},
                 {1e-7, "1e-7"},
                 {-2.5e-10, "-2.5e-10"},
                 {5e-324, "5e-324"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {123456.789, "123456.789"},
                 {1.7976931348623157e308, "1.7976931348623157e308"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"}};
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tct_format_number(cases[i].value, text, sizeof(text));
        assert_string_equal(text, cases[i].text);
    }
    tct_format_number(NAN, text, sizeof(text));
    assert_string_equal(text, "nan");
}

static void number__formats_read_back(void **state)
{
    tct_random random;
    char text[32];

    (void)state;
    tct_random_seed(&random, 3, 3);
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = tct_random_bits(&random);
        double value, again;

        memcpy(&value, &bits, sizeof(value));
        if (i % 2)
            value = tct_random_normal(&random);
        if (!isfinite(value))
            continue;
        tct_format_number(value, text, sizeof(text));
        if (!tct_parse_number(text, strlen(text), &again) || !same_bits(value, again) || strtod(text, NULL) != value)
            fail_msg("%a was written %s and read %a", value, text, again);
    }
}

static void number__does_not_depend_on_the_locale(void **state)
{
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    const char *set = NULL;
    char text[32];
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof(commas) / sizeof(commas[0]) && !set; i++)
        set = setlocale(LC_NUMERIC, commas[i]);
    if (!set) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    tct_format_number(0.1, text, sizeof(text));
    assert_string_equal(text, "0.1");
    assert_true(tct_parse_number("123456789.123456789123e-30", 26, &value));
    setlocale(LC_NUMERIC, "C");
    assert_true(value == strtod("123456789.123456789123e-30", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number__accepts_plain_forms),
        cmocka_unit_test(number__rejects_everything_else),
        cmocka_unit_test(number__reads_only_its_bytes),
        cmocka_unit_test(number__long_digits_round_correctly),
        cmocka_unit_test(number__agrees_with_strtod_on_a_million),
        cmocka_unit_test(number__formats_as_people_write),
        cmocka_unit_test(number__formats_read_back),
        cmocka_unit_test(number__does_not_depend_on_the_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

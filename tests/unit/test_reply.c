/*
 * test_reply.c -- the text of replies, and what becomes of their memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "reply.h"

/* What was written, terminated; free it. */
static char *text_of(srv_out *out)
{
    srv_reply reply = {0};
    char *text;

    srv_out_finish(out, &reply);
    assert_int_equal(reply.status, 200);
    text = malloc(reply.size + 1);
    assert_non_null(text);
    memcpy(text, reply.body, reply.size);
    text[reply.size] = '\0';
    srv_reply_clear(&reply);
    return text;
}

static void check_number(double value, const char *expected)
{
    srv_out out;
    char *text;

    srv_out_start(&out, 0);
    srv_out_number(&out, value);
    text = text_of(&out);
    assert_string_equal(text, expected);
    free(text);
}

static void reply__writes_numbers_as_everybody_does(void **state)
{
    char expected[32];
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 1);
    check_number(0, "0");
    check_number(NAN, "null");
    check_number(-INFINITY, "null");
    for (size_t i = 0; i < 20000; i++) {
        double any = tct_random_uniform(&random), value;

        value = i % 4 == 0   ? any
                : i % 4 == 1 ? round(any * 1000) / 1000
                : i % 4 == 2 ? floor(any * 5000)
                             : -round(any * 1e7) / 1000;
        tct_format_number(value, expected, sizeof(expected));
        check_number(value, expected);
    }
}

static void reply__escapes_what_json_and_pages_reserve(void **state)
{
    srv_out out;
    char *text;

    (void)state;
    srv_out_start(&out, 0);
    srv_out_string(&out, "a\"b\\c\nd<e\x7f"
                         "f\xc3\xa4");
    text = text_of(&out);
    assert_string_equal(text, "\"a\\u0022b\\u005cc\\u000ad\\u003ce\\u007ff\xc3\xa4\"");
    free(text);
}

static void reply__grows_and_is_padded(void **state)
{
    srv_reply reply = {0};
    srv_out out;

    (void)state;
    for (size_t size = 1; size < 20000; size = size * 2 + 1) {
        srv_out_start(&out, 10);
        for (size_t i = 0; i < size; i++)
            srv_out_bytes(&out, i % 2 ? "x" : "y", 1);
        srv_out_finish(&out, &reply);
        assert_int_equal(reply.size, size);
        assert_false(reply.padded);
        srv_reply_pad(&reply, 2048);
        assert_true(reply.padded);
        assert_int_equal(reply.size, (size + 2047) / 2048 * 2048);
        for (size_t i = 0; i < reply.size; i++)
            assert_int_equal(reply.body[i], i >= size ? ' ' : i % 2 ? 'x' : 'y');
        srv_reply_clear(&reply);
    }
}

/* ---- memory ---- */

static srv_reply write_secret(void)
{
    srv_reply reply = {0};
    srv_out out;

    srv_out_start(&out, 100);
    srv_out_text(&out, "a secret");
    srv_out_finish(&out, &reply);
    srv_reply_pad(&reply, 64);
    return reply;
}

static void reply__is_wiped_where_the_next_one_is_written(void **state)
{
    srv_reply reply = write_secret();
    const char *place = reply.body;
    srv_out out;

    (void)state;
    srv_reply_clear(&reply);
    srv_out_start(&out, 100);
    assert_ptr_equal(out.body, place); /* the spare one of this thread */
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(out.body[i], 0);
    srv_out_drop(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reply__writes_numbers_as_everybody_does),
        cmocka_unit_test(reply__escapes_what_json_and_pages_reserve),
        cmocka_unit_test(reply__grows_and_is_padded),
        cmocka_unit_test(reply__is_wiped_where_the_next_one_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

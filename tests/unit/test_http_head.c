/*
 * test_http_head.c -- heads of requests, and bodies in chunks, as bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "http_body.h"
#include "http_head.h"
#include "limits.h"

static srv_head head_of(const char *text)
{
    size_t scanned = 0;
    srv_head head;

    assert_int_equal(srv_head_end(text, strlen(text), &scanned), strlen(text));
    srv_head_read(&head, text, strlen(text));
    return head;
}

static void same(srv_slice found, const char *expected)
{
    assert_int_equal(found.size, strlen(expected));
    assert_memory_equal(found.text, expected, found.size);
}

static void head__is_read(void **state)
{
    srv_head head = head_of("POST /m/a/v1/answers?x=y HTTP/1.1\r\nHOST: \tb.example:80 \r\nContent-length:12\r\n"
                            "content-type:  application/JSON; charset=utf-8\r\nExpect: 100-Continue\r\n"
                            "X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\nOrigin: null\r\n\r\n");

    (void)state;
    assert_null(head.fault);
    assert_int_equal(head.method, SRV_POST);
    same(head.path, "/m/a/v1/answers");
    same(head.host, "b.example:80");
    same(head.origin, "null");
    same(head.forwarded, "2.2.2.2");
    assert_int_equal(head.length, 12);
    assert_true(head.has_length && head.expects && !head.chunked && !head.last && !head.old);
    assert_true(srv_head_is_json(&head));
    assert_false(srv_head_is_local(&head));
}

static void head__says_when_the_connection_ends(void **state)
{
    static const struct {
        const char *text;
        bool last;
    } cases[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", false},
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: foo, Close\r\n\r\n", true},
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", false},
        {"GET / HTTP/1.0\r\n\r\n", true},
        {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        srv_head head = head_of(cases[i].text);

        assert_null(head.fault);
        assert_int_equal(head.last, cases[i].last);
    }
}

/* Lines that another reader would take for something else. */
static void head__faults(void **state)
{
    static const char *const texts[] = {
        "GET / HTTP/1.1\nHost: a\n\n",
        "GET / HTTP/1.1\r\nHost: a\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n X: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tc\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\rY: c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\x01\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX\xc3\xa4: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n",
        "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (!head_of(texts[i]).fault)
            fail_msg("taken: %s", texts[i]);
}

static void head__a_host_in_the_path_counts(void **state)
{
    srv_head head = head_of("GET HTTPS://A.example:1/b?c HTTP/1.1\r\nHost: localhost\r\n\r\n");

    (void)state;
    assert_null(head.fault);
    same(head.host, "A.example:1");
    same(head.path, "/b");
    head = head_of("GET http://a.example?c HTTP/1.1\r\nHost: localhost\r\n\r\n");
    same(head.path, "/");
    same(head.host, "a.example");
    head = head_of("GET http://a.example HTTP/1.1\r\nHost: localhost\r\n\r\n");
    same(head.path, "/");
    head = head_of("GET ?c HTTP/1.1\r\nHost: localhost\r\n\r\n");
    same(head.path, "");
}

/* ---- chunks ---- */

static srv_body take(const char *text, srv_chunks *chunks, size_t *used)
{
    char *bytes = strdup(text);
    srv_body body = {0};
    bool enough;

    assert_non_null(bytes);
    *chunks = (srv_chunks){0};
    *used = srv_chunks_take(chunks, &body, bytes, strlen(text), SRV_BODY_BYTES, &enough);
    free(bytes);
    return body;
}

static void chunks__are_put_together(void **state)
{
    static const char text[] = "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nGET / ";
    srv_chunks chunks;
    size_t used;
    srv_body body = take(text, &chunks, &used);

    (void)state;
    assert_int_equal(chunks.state, SRV_CHUNK_DONE);
    assert_int_equal(body.size, 13);
    assert_memory_equal(body.bytes, "abc0123456789", 13);
    assert_int_equal(used, strlen(text) - 6); /* what follows is the next request */
    srv_body_clear(&body);
}

static void chunks__faults(void **state)
{
    static const char *const texts[] = {"\r\n",   "x\r\n", "3\n",       "3 \r\n",    "3\r\nabcd",        "3\r\nabc\n",
                                        "-1\r\n", "0x1",   "000000003", "0\r\n\x01", "3;\x02\r\nabc\r\n"};
    srv_chunks chunks;
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        srv_body body = take(texts[i], &chunks, &used);

        assert_int_equal(chunks.state, SRV_CHUNK_FAULT);
        srv_body_clear(&body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head__is_read),
        cmocka_unit_test(head__says_when_the_connection_ends),
        cmocka_unit_test(head__faults),
        cmocka_unit_test(head__a_host_in_the_path_counts),
        cmocka_unit_test(chunks__are_put_together),
        cmocka_unit_test(chunks__faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

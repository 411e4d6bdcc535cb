/*
 * test_limits.c -- every limit of the server: whoever meets it is told, and the next client is served.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver.h"
#include "limits.h"

static const char post_head[] = "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/* Options come in pairs, NULL where there is none. */
static void start(server *s, const char *option, const char *value, const char *option_2, const char *value_2)
{
    const char *const arguments[] = {demo_model, option, value, option_2, value_2, NULL};

    *s = (server){0};
    server_start(s, arguments);
}

/* `size` bytes of 'x', terminated; free it. */
static char *make_filler(size_t size)
{
    char *text = malloc(size + 1);

    assert_non_null(text);
    memset(text, 'x', size);
    text[size] = '\0';
    return text;
}

/* ---- sizes ---- */

static void limits__body_that_is_announced_too_large(void **state)
{
    char head[512], *filler = make_filler(SRV_DRAIN_BYTES / 2);
    server s;
    answer a;
    int fd;

    (void)state;
    start(&s, NULL, NULL, NULL, NULL);
    fd = client_open(&s);
    snprintf(head, sizeof(head), "%sContent-Length: %d\r\n\r\n", post_head, SRV_DRAIN_BYTES / 2);
    client_say(fd, head);
    client_say(fd, filler);
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 413, "body-too-large"));
    answer_free(&a);
    a = ask_on(fd, "POST", "/v1/sessions", "{}"); /* it was read to its end: the connection goes on */
    assert_int_equal(a.status, 200);
    answer_free(&a);
    snprintf(head, sizeof(head), "%sContent-Length: 99999999999\r\n\r\n", post_head);
    client_say(fd, head); /* nobody waits for that much */
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 413, "body-too-large"));
    answer_free(&a);
    assert_true(client_closed(fd));
    close(fd);
    fd = client_open(&s);
    snprintf(head, sizeof(head), "%sExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", post_head,
             SRV_DRAIN_BYTES / 2);
    client_say(fd, head); /* who asks first is told at once */
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 413, "body-too-large"));
    answer_free(&a);
    close(fd);
    assert_serves(&s);
    server_stop(&s);
    free(filler);
}

static void limits__body_that_grows_too_large(void **state)
{
    char *filler = make_filler(8192), head[512];
    server s;
    answer a;
    int fd;

    (void)state;
    start(&s, NULL, NULL, NULL, NULL);
    fd = client_open(&s);
    snprintf(head, sizeof(head), "%sTransfer-Encoding: chunked\r\n\r\n", post_head);
    client_say(fd, head);
    for (int i = 0; i < 16; i++) {
        client_say(fd, "2000\r\n");
        client_say(fd, filler);
        client_say(fd, "\r\n");
    }
    client_say(fd, "0\r\n\r\n");
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 413, "body-too-large"));
    answer_free(&a);
    a = ask_on(fd, "POST", "/v1/sessions", "{}");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    /* One that never ends is cut off. */
    client_say(fd, head);
    while (client_say(fd, "2000\r\n") && client_say(fd, filler) && client_say(fd, "\r\n"))
        continue;
    close(fd);
    assert_serves(&s);
    server_stop(&s);
    free(filler);
}

/* The whole limit can be used. */
static void limits__body_just_small_enough(void **state)
{
    char *filler = make_filler(SRV_BODY_BYTES - 2), head[512];
    server s;
    answer a;
    int fd;

    (void)state;
    start(&s, NULL, NULL, NULL, NULL);
    memset(filler, ' ', SRV_BODY_BYTES - 2);
    fd = client_open(&s);
    snprintf(head, sizeof(head), "%sContent-Length: %d\r\n\r\n{}", post_head, (int)SRV_BODY_BYTES);
    client_say(fd, head);
    client_say(fd, filler);
    a = client_read(fd, false);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    close(fd);
    server_stop(&s);
    free(filler);
}

static void limits__head_too_large(void **state)
{
    char *filler = make_filler(SRV_HEADER_BYTES), *huge = make_filler(200000);
    server s;
    answer a;
    int fd;

    (void)state;
    start(&s, NULL, NULL, NULL, NULL);
    fd = client_open(&s);
    client_say(fd, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Filler: ");
    client_say(fd, filler);
    client_say(fd, "\r\n\r\n");
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 431, "headers-too-large"));
    assert_string_equal(answer_header(&a, "Cache-Control"), "no-store");
    answer_free(&a);
    close(fd);
    fd = client_open(&s); /* far beyond, and never ending */
    client_say(fd, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Filler: ");
    client_say(fd, huge);
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 431, "headers-too-large"));
    answer_free(&a);
    close(fd);
    fd = client_open(&s);
    client_say(fd, "GET /");
    client_say(fd, huge);
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 431, "headers-too-large"));
    answer_free(&a);
    close(fd);
    assert_serves(&s);
    server_stop(&s);
    free(filler);
    free(huge);
}

/* A head of so many bytes, made of the same piece again and again; free it. */
static char *make_head(const char *start, const char *piece, const char *end, size_t size)
{
    size_t used = strlen(start), step = strlen(piece), last = strlen(end);
    char *text = malloc(size + 1);

    assert_non_null(text);
    memcpy(text, start, used);
    for (; used + step + last <= size; used += step)
        memcpy(text + used, piece, step);
    memcpy(text + used, end, last + 1);
    return text;
}

/* Whatever a head within the limit is made of, it gets an answer, and so does the next request on the connection. */
static void limits__any_head_within_them_is_answered(void **state)
{
    static const char tail[] = "\r\nHost: localhost\r\n\r\n", get[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    static const struct {
        const char *what, *start, *piece, *end;
    } heads[] = {
        {"cookies", "GET /healthz HTTP/1.1\r\nCookie: a=1", "; a=1", tail},
        {"short cookies", "GET /healthz HTTP/1.1\r\nCookie: a", ";a", tail},
        {"arguments", "GET /healthz?a=1", "&a=1", " HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {"empty arguments", "GET /healthz?", "&", " HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {"headers", get, "A: b\r\n", "\r\n"},
        {"short headers", get, "A:\r\n", "\r\n"},
        {"a long header", "GET /healthz HTTP/1.1\r\nX: ", "y", tail},
    };
    static const size_t sizes[] = {2300, SRV_HEADER_BYTES / 2, SRV_HEADER_BYTES};
    size_t asked = 0, answered = 0;
    server s;

    (void)state;
    start(&s, NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads) * 3; i++) {
        char *text = make_head(heads[i / 3].start, heads[i / 3].piece, heads[i / 3].end, sizes[i % 3]);
        int fd = client_open(&s);
        answer a;

        client_say(fd, text);
        a = client_read(fd, false);
        asked++;
        answered += a.status == 200;
        if (a.status != 200)
            print_message("%s, %zu bytes: %d\n", heads[i / 3].what, strlen(text), a.status);
        answer_free(&a);
        close(fd);
        free(text);
    }
    print_message("%zu of %zu heads within the limit were answered\n", answered, asked);
    assert_int_equal(answered, asked);
    assert_serves(&s);
    server_stop(&s);
}

static void limits__json_too_deep(void **state)
{
    char body[2 * SRV_JSON_DEPTH + 64] = "{\"public\":";
    size_t size = strlen(body);
    server s;
    answer a;

    (void)state;
    for (int i = 0; i < SRV_JSON_DEPTH; i++)
        body[size++] = '[';
    for (int i = 0; i < SRV_JSON_DEPTH; i++)
        body[size++] = ']';
    body[size++] = '}';
    start(&s, NULL, NULL, NULL, NULL);
    a = ask(&s, "POST", "/v1/sessions", body);
    assert_true(answer_is_problem(&a, 400, "body-too-deep"));
    answer_free(&a);
    assert_serves(&s);
    server_stop(&s);
}

/* ---- numbers ---- */

/* A connection that the server has seen, because it has answered on it. */
static int open_and_use(const server *s, int status)
{
    int fd = client_open(s);
    answer a = ask_on(fd, "GET", "/healthz", NULL);

    assert_int_equal(a.status, status);
    answer_free(&a);
    return fd;
}

static void limits__connections_of_one_address(void **state)
{
    int held[2], over[SRV_TURNED_AWAY], fd;
    server s;
    answer a;

    (void)state;
    start(&s, "--per-address", "2", NULL, NULL);
    held[0] = open_and_use(&s, 200);
    held[1] = open_and_use(&s, 200);
    fd = client_open(&s);
    a = ask_on(fd, "GET", "/healthz", NULL);
    assert_true(answer_is_problem(&a, 429, "too-many-connections"));
    assert_string_equal(answer_header(&a, "Retry-After"), "1");
    answer_free(&a);
    assert_true(client_closed(fd));
    close(fd);
    /* Those who are let in to be told are bounded too: others are closed, and the two go on. */
    for (size_t i = 0; i < SRV_TURNED_AWAY; i++)
        over[i] = client_open(&s);
    for (size_t i = 0; i < 20; i++) {
        fd = client_open(&s);
        close(fd);
    }
    a = ask_on(held[0], "GET", "/healthz", NULL);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    for (size_t i = 0; i < SRV_TURNED_AWAY; i++)
        close(over[i]);
    close(held[0]);
    close(held[1]);
    do { /* until the server has seen that they left */
        a = ask(&s, "GET", "/healthz", NULL);
        fd = a.status;
        answer_free(&a);
    } while (fd == 429 || fd == 0);
    assert_int_equal(fd, 200);
    server_stop(&s);
}

static void limits__connections_of_one_address_of_ipv6(void **state)
{
    static const char *const arguments[] = {demo_model, "--per-address", "1", "--rate", "0.01", NULL};
    server s = {.host = "[::1]", .six = true};
    int held, fd;
    answer a;

    (void)state;
    if (access("/proc/net/if_inet6", R_OK) != 0) {
        print_message("skipped: there is no IPv6 here\n");
        skip();
    }
    server_start(&s, arguments);
    held = open_and_use(&s, 200);
    fd = client_open(&s);
    a = ask_on(fd, "GET", "/healthz", NULL);
    assert_true(answer_is_problem(&a, 429, "too-many-connections"));
    answer_free(&a);
    close(fd);
    a = ask_on(held, "POST", "/v1/sessions", "{}");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask_on(held, "POST", "/v1/sessions", "{}");
    assert_true(answer_is_problem(&a, 429, "too-many-sessions"));
    answer_free(&a);
    close(held);
    server_stop(&s);
}

static void limits__connections_in_all(void **state)
{
    int held[3], fd;
    server s;
    answer a;

    (void)state;
    start(&s, "--connections", "3", NULL, NULL);
    for (size_t i = 0; i < 3; i++)
        held[i] = open_and_use(&s, 200);
    fd = client_open(&s);
    a = ask_on(fd, "GET", "/healthz", NULL);
    assert_true(answer_is_problem(&a, 503, "too-many-connections"));
    answer_free(&a);
    assert_true(client_closed(fd));
    close(fd);
    for (size_t i = 0; i < 3; i++)
        close(held[i]);
    do {
        a = ask(&s, "GET", "/healthz", NULL);
        fd = a.status;
        answer_free(&a);
    } while (fd == 503);
    assert_int_equal(fd, 200);
    server_stop(&s);
}

static void limits__sessions_per_second(void **state)
{
    server s;
    answer a;

    (void)state;
    start(&s, "--rate", "0.5", NULL, NULL);
    a = ask(&s, "POST", "/v1/sessions", "{}");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask(&s, "POST", "/v1/sessions", "{}");
    assert_true(answer_is_problem(&a, 429, "too-many-sessions"));
    assert_in_range(strtol(answer_header(&a, "Retry-After"), NULL, 10), 1, 2);
    answer_free(&a);
    assert_serves(&s);
    sleep(2);
    a = ask(&s, "POST", "/v1/sessions", "{}");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    server_stop(&s);
}

static int begin_for(const server *s, const char *forwarded)
{
    char text[512];
    answer a;
    int status;

    snprintf(text, sizeof(text), "%sX-Forwarded-For: %s\r\nContent-Length: 2\r\n\r\n{}", post_head, forwarded);
    a = ask_text(s, text);
    status = a.status;
    answer_free(&a);
    return status;
}

static void limits__behind_a_proxy_clients_are_told_apart(void **state)
{
    static const char *const arguments[] = {demo_model, "--behind-proxy", "--rate", "0.01", "--per-address", "1", NULL};
    server s = {0};
    int held[3];

    (void)state;
    server_start(&s, arguments);
    for (size_t i = 0; i < 3; i++) /* all from the proxy */
        held[i] = open_and_use(&s, 200);
    assert_int_equal(begin_for(&s, "203.0.113.1"), 200);
    assert_int_equal(begin_for(&s, "203.0.113.2"), 200);
    assert_int_equal(begin_for(&s, "203.0.113.1"), 429);
    assert_int_equal(begin_for(&s, "203.0.113.9, 203.0.113.1"), 429); /* what a client wrote does not count */
    assert_int_equal(begin_for(&s, "203.0.113.1, 203.0.113.9"), 200);
    for (size_t i = 0; i < 3; i++)
        close(held[i]);
    server_stop(&s);
    start(&s, "--rate", "0.01", NULL, NULL); /* without the option nobody is believed */
    assert_int_equal(begin_for(&s, "203.0.113.1"), 200);
    assert_int_equal(begin_for(&s, "203.0.113.2"), 429);
    server_stop(&s);
}

/* ---- patience ---- */

static void limits__idle_connections_are_closed_quietly(void **state)
{
    server s;
    int fresh, used;

    (void)state;
    start(&s, "--idle-seconds", "1", NULL, NULL);
    fresh = client_open(&s);
    used = open_and_use(&s, 200);
    assert_true(client_closed(fresh));
    assert_true(client_closed(used));
    close(fresh);
    close(used);
    assert_serves(&s);
    server_stop(&s);
}

/* Say `text` slowly, without end, until there is an answer; it must be 408. */
static void dribble(int fd, const char *text)
{
    answer a;

    for (size_t i = 0; client_send(fd, text + i % strlen(text), 1) && i < 40; i++)
        usleep(50000);
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 408, "too-slow"));
    assert_string_equal(answer_header(&a, "Cache-Control"), "no-store");
    assert_non_null(answer_header(&a, "Content-Security-Policy"));
    answer_free(&a);
    assert_true(client_closed(fd));
}

static void limits__slow_heads_and_bodies(void **state)
{
    char head[512], *talk;
    server s;
    answer a;
    int fd;

    (void)state;
    start(&s, "--request-seconds", "1", NULL, NULL);
    fd = client_open(&s);
    client_say(fd, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    dribble(fd, "a");
    close(fd);
    fd = open_and_use(&s, 200); /* the second request of a connection */
    client_say(fd, "GET /healthz HTT");
    a = client_read(fd, false); /* and then nothing */
    assert_true(answer_is_problem(&a, 408, "too-slow"));
    answer_free(&a);
    close(fd);
    fd = client_open(&s);
    snprintf(head, sizeof(head), "%sContent-Length: 1000\r\n\r\n", post_head);
    client_say(fd, head);
    dribble(fd, " ");
    close(fd);
    assert_serves(&s);
    server_stop(&s);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "Z - - 408 "));
    assert_non_null(strstr(talk, "Z POST /v1/sessions 408 "));
    free(talk);
}

/* Nobody who is slow, idle or gone keeps others waiting. */
static void limits__others_are_served_meanwhile(void **state)
{
    enum { SLOW = 40 };
    int slow[SLOW];
    server s;

    (void)state;
    start(&s, "--request-seconds", "2", "--threads", "2");
    for (size_t i = 0; i < SLOW; i++) {
        slow[i] = client_open(&s);
        client_say(slow[i], i % 2 ? "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: " : post_head);
    }
    for (size_t i = 0; i < 50; i++)
        assert_serves(&s);
    for (size_t i = 0; i < SLOW; i++) {
        answer a = client_read(slow[i], false);

        assert_int_equal(a.status, 408);
        answer_free(&a);
        close(slow[i]);
    }
    assert_serves(&s);
    server_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits__body_that_is_announced_too_large),
        cmocka_unit_test(limits__body_that_grows_too_large),
        cmocka_unit_test(limits__body_just_small_enough),
        cmocka_unit_test(limits__head_too_large),
        cmocka_unit_test(limits__any_head_within_them_is_answered),
        cmocka_unit_test(limits__json_too_deep),
        cmocka_unit_test(limits__connections_of_one_address),
        cmocka_unit_test(limits__connections_of_one_address_of_ipv6),
        cmocka_unit_test(limits__connections_in_all),
        cmocka_unit_test(limits__sessions_per_second),
        cmocka_unit_test(limits__behind_a_proxy_clients_are_told_apart),
        cmocka_unit_test(limits__idle_connections_are_closed_quietly),
        cmocka_unit_test(limits__slow_heads_and_bodies),
        cmocka_unit_test(limits__others_are_served_meanwhile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

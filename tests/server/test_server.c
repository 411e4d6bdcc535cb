/*
 * test_server.c -- tacit serve over HTTP: what every answer has, how connections are kept, other sites, and the paths of
 * models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>

#include "driver.h"

/* ---- what every answer has ---- */

static void check_header(const answer *a, const char *name, const char *expected)
{
    const char *found = answer_header(a, name);

    if (!found || strcmp(found, expected) != 0)
        fail_msg("%s: %s in:\n%s", name, found ? found : "missing", a->head);
}

static void check_headers(const answer *a)
{
    const char *type = answer_header(a, "Content-Type"); /* good until the next one is looked for */
    bool page = type && strcmp(type, "text/html; charset=utf-8") == 0;

    check_header(a, "Cache-Control", "no-store");
    check_header(a, "Cross-Origin-Resource-Policy", "same-origin");
    check_header(a, "Referrer-Policy", "no-referrer");
    check_header(a, "X-Content-Type-Options", "nosniff");
    if (page) {
        check_header(a, "Content-Security-Policy",
                     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
                     "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        check_header(a, "Cross-Origin-Opener-Policy", "same-origin");
        assert_non_null(answer_header(a, "Permissions-Policy"));
    } else {
        check_header(a, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
    assert_null(answer_header(a, "Access-Control-Allow-Origin"));
    assert_null(answer_header(a, "Set-Cookie"));
}

static void server__every_answer_has_the_security_headers(void **state)
{
    static const struct {
        const char *method, *path, *body;
        int status;
    } requests[] = {
        {"GET", "/", NULL, 200},
        {"GET", "/ask.js", NULL, 200},
        {"GET", "/ask.css", NULL, 200},
        {"GET", "/m/loans/", NULL, 200},
        {"GET", "/m/loans/ask.js", NULL, 200},
        {"GET", "/healthz", NULL, 200},
        {"GET", "/metrics", NULL, 200},
        {"GET", "/v1/models", NULL, 200},
        {"GET", "/v1/model", NULL, 200},
        {"GET", "/v1/key", NULL, 200},
        {"GET", "/v1/openapi.json", NULL, 200},
        {"POST", "/v1/sessions", somebody, 200},
        {"POST", "/m/loans/v1/sessions", somebody, 200},
        {"GET", "/m/loans", NULL, 308},
        {"OPTIONS", "/v1/sessions", NULL, 204},
        {"GET", "/nothing", NULL, 404},
        {"POST", "/nothing", "{}", 404},
        {"GET", "/m/other/", NULL, 404},
        {"GET", "/v1/sessions", NULL, 405},
        {"DELETE", "/v1/model", NULL, 405},
        {"POST", "/v1/sessions", "{", 400},
        {"POST", "/v1/answers", "{}", 422},
        {"POST", "/v1/receipts", "{}", 422},
        {"POST", "/v1/receipts", "{\"token\":\"x\"}", 400},
        {"POST", "/v1/answers", "{\"token\":\"x\",\"attribute\":\"income\",\"value\":1}", 400},
    };
    bool pages;
    server s;
    answer a;

    (void)state;
    server_start_plain(&s);
    a = ask(&s, "GET", "/", NULL);
    pages = a.status == 200; /* 404 in a build without them */
    answer_free(&a);
    for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
        const char *path = requests[i].path;
        bool is_page = strstr(path, "ask.") || strcmp(path, "/") == 0 || strcmp(path, "/m/loans/") == 0;

        a = ask(&s, requests[i].method, path, requests[i].body);
        if (a.status != (is_page && !pages ? 404 : requests[i].status))
            fail_msg("%s %s: %d %s", requests[i].method, path, a.status, a.body);
        if (a.status >= 400)
            assert_string_equal(answer_header(&a, "Content-Type"), "application/problem+json");
        check_headers(&a);
        answer_free(&a);
    }
    server_stop(&s);
}

static void server__tells_what_is_allowed(void **state)
{
    server s;
    answer a;
    int fd;

    (void)state;
    server_start_plain(&s);
    a = ask(&s, "PUT", "/v1/answers", "{}");
    assert_true(answer_is_problem(&a, 405, "method-not-allowed"));
    assert_string_equal(answer_header(&a, "Allow"), "POST, OPTIONS");
    answer_free(&a);
    a = ask(&s, "OPTIONS", "/v1/model", NULL);
    assert_int_equal(a.status, 204);
    assert_string_equal(answer_header(&a, "Allow"), "GET, HEAD, OPTIONS");
    answer_free(&a);
    fd = client_open(&s);
    client_say(
        fd, "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}");
    a = client_read(fd, false);
    assert_true(answer_is_problem(&a, 415, "media-type"));
    answer_free(&a);
    client_say(fd, "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
                   "Content-Length: 2\r\n\r\n{}");
    a = client_read(fd, false);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask_on(fd, "GET", "/m/loans?a=b", NULL);
    assert_int_equal(a.status, 308);
    assert_string_equal(answer_header(&a, "Location"), "./loans/");
    answer_free(&a);
    close(fd);
    server_stop(&s);
}

/* ---- connections ---- */

static void server__keeps_connections_and_answers_in_order(void **state)
{
    static const char several[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                  "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                  "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                  "Content-Length: 2\r\n\r\n{}"
                                  "HEAD /v1/model HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                  "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    static const int statuses[] = {200, 404, 200, 200, 200};
    server s;
    answer a;
    int fd;

    (void)state;
    server_start_plain(&s);
    fd = client_open(&s);
    for (int i = 0; i < 20; i++) {
        a = ask_on(fd, i % 2 ? "POST" : "GET", i % 2 ? "/v1/sessions" : "/v1/model", i % 2 ? somebody : NULL);
        assert_int_equal(a.status, 200);
        answer_free(&a);
    }
    client_say(fd, several);
    for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
        a = client_read(fd, i == 3);
        assert_int_equal(a.status, statuses[i]);
        answer_free(&a);
    }
    assert_true(client_closed(fd));
    close(fd);
    server_stop(&s);
}

static void server__head_is_get_without_body(void **state)
{
    static const char *const paths[] = {"/", "/healthz", "/v1/model", "/v1/openapi.json", "/nothing"};
    server s;
    int fd;

    (void)state;
    server_start_plain(&s);
    fd = client_open(&s);
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        answer head = ask_on(fd, "HEAD", paths[i], NULL), get = ask_on(fd, "GET", paths[i], NULL);

        assert_int_equal(head.status, get.status);
        assert_int_equal(head.size, get.size);
        check_headers(&head);
        answer_free(&head);
        answer_free(&get);
    }
    close(fd);
    server_stop(&s);
}

/* Bodies that come in pieces, announced or not. */
static void server__takes_bodies_in_pieces(void **state)
{
    server s;
    answer a;
    int fd;

    (void)state;
    server_start_plain(&s);
    fd = client_open(&s);
    client_say(fd, "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n");
    for (const char *c = somebody; *c; c++) {
        char piece[16];

        snprintf(piece, sizeof(piece), "1\r\n%c\r\n", *c);
        client_say(fd, piece);
    }
    client_say(fd, "0\r\n\r\n");
    a = client_read(fd, false);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    client_say(fd, "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    a = client_read(fd, false);
    assert_int_equal(a.status, 100);
    answer_free(&a);
    client_say(fd, "{}");
    a = client_read(fd, false);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    close(fd);
    server_stop(&s);
}

static void server__speaks_ipv6(void **state)
{
    static const char *const arguments[] = {demo_model, NULL};
    server s = {.host = "[::1]", .six = true};
    char *talk;

    (void)state;
    if (access("/proc/net/if_inet6", R_OK) != 0) {
        print_message("skipped: there is no IPv6 here\n");
        skip();
    }
    server_start(&s, arguments);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "listening on http://[::1]:"));
    free(talk);
    assert_serves(&s);
    server_stop(&s);
}

/* ---- other sites ---- */

static answer ask_from(const server *s, const char *method, const char *origin)
{
    char text[256];

    snprintf(text, sizeof(text), "%s /v1/model HTTP/1.1\r\nHost: localhost\r\nOrigin: %s\r\n\r\n", method, origin);
    return ask_text(s, text);
}

static void server__lets_in_other_origins_only_when_told(void **state)
{
    static const char *const some[] = {demo_model, "--cors", "https://a.example", "--cors", "http://b.example:81",
                                       NULL};
    static const char *const all[] = {demo_model, "--cors", "*", NULL};
    server s = {0};
    answer a;

    (void)state;
    server_start_plain(&s);
    a = ask_from(&s, "OPTIONS", "https://a.example");
    assert_int_equal(a.status, 204);
    check_headers(&a);
    answer_free(&a);
    server_stop(&s);
    server_start(&s, some);
    a = ask_from(&s, "GET", "https://a.example");
    assert_string_equal(answer_header(&a, "Access-Control-Allow-Origin"), "https://a.example");
    assert_string_equal(answer_header(&a, "Vary"), "Origin");
    answer_free(&a);
    a = ask_from(&s, "OPTIONS", "http://b.example:81");
    assert_int_equal(a.status, 204);
    assert_string_equal(answer_header(&a, "Access-Control-Allow-Origin"), "http://b.example:81");
    assert_string_equal(answer_header(&a, "Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
    assert_string_equal(answer_header(&a, "Access-Control-Allow-Headers"), "Content-Type");
    answer_free(&a);
    a = ask_from(&s, "GET", "https://c.example");
    assert_int_equal(a.status, 200);
    assert_null(answer_header(&a, "Access-Control-Allow-Origin"));
    answer_free(&a);
    server_stop(&s);
    server_start(&s, all);
    a = ask_from(&s, "GET", "https://c.example");
    assert_string_equal(answer_header(&a, "Access-Control-Allow-Origin"), "*");
    answer_free(&a);
    server_stop(&s);
}

static void server__lets_itself_be_framed_only_when_told(void **state)
{
    static const char *const arguments[] = {demo_model, "--embed",           "https://a.example",
                                            "--embed",  "https://b.example", NULL};
    server s = {0};
    answer a;

    (void)state;
    server_start(&s, arguments);
    a = ask(&s, "GET", "/", NULL);
    /* without pages there is nothing to show, and nobody may */
    assert_non_null(
        strstr(answer_header(&a, "Content-Security-Policy"),
               HAS_PAGES ? "; frame-ancestors https://a.example https://b.example" : "; frame-ancestors 'none'"));
    answer_free(&a);
    a = ask(&s, "GET", "/v1/model", NULL); /* not for showing at all */
    assert_non_null(strstr(answer_header(&a, "Content-Security-Policy"), "; frame-ancestors 'none'"));
    answer_free(&a);
    server_stop(&s);
}

/* ---- models ---- */

static const char *copy_model(const char *name)
{
    char *text = read_text(demo_model);
    const char *path = scratch_file(name, text, strlen(text), 0644);

    free(text);
    return path;
}

static void server__several_models_have_paths(void **state)
{
    const char *const arguments[] = {copy_model("first.tacit"), copy_model("second one.tacit"), NULL};
    server s = {0};
    answer a;
    char *talk;

    (void)state;
    server_start(&s, arguments);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "/m/first/\n"));
    assert_non_null(strstr(talk, "/m/second-one/\n"));
    free(talk);
    a = ask(&s, "GET", "/", NULL); /* the page, which lists them; or word that there are no pages */
    assert_true(a.status == 200 || answer_is_problem(&a, 404, "not-found"));
    answer_free(&a);
    a = ask(&s, "GET", "/v1/models", NULL);
    assert_non_null(strstr(a.body, "\"name\":\"first\""));
    assert_non_null(strstr(a.body, "\"name\":\"second-one\""));
    answer_free(&a);
    a = ask(&s, "GET", "/v1/model", NULL);
    assert_true(answer_is_problem(&a, 404, "not-found"));
    assert_non_null(strstr(a.body, "/m/NAME"));
    answer_free(&a);
    a = ask(&s, "POST", "/v1/sessions", "{}");
    assert_true(answer_is_problem(&a, 404, "not-found"));
    answer_free(&a);
    a = ask(&s, "GET", "/m/second-one/v1/model", NULL);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask(&s, "POST", "/m/first/v1/sessions", "{}");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    server_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(server__every_answer_has_the_security_headers),
        cmocka_unit_test(server__tells_what_is_allowed),
        cmocka_unit_test(server__keeps_connections_and_answers_in_order),
        cmocka_unit_test(server__head_is_get_without_body),
        cmocka_unit_test(server__takes_bodies_in_pieces),
        cmocka_unit_test(server__speaks_ipv6),
        cmocka_unit_test(server__lets_in_other_origins_only_when_told),
        cmocka_unit_test(server__lets_itself_be_framed_only_when_told),
        cmocka_unit_test(server__several_models_have_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

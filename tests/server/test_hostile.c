/*
 * test_hostile.c -- clients that want to be misunderstood, and surroundings that are not as they should be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>

#include "driver.h"
#include "limits.h"

static const char hidden[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/* Heads that a proxy may read in another way than we do: refused, and what follows is not taken for a request. */
static void hostile__ambiguous_heads_are_refused(void **state)
{
    static const char *const ends[] = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 45\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Length : 2\r\n\r\n{}",
        "Content-Length\t: 2\r\n\r\n{}",
        "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Length:\r\n 45\r\nContent-Length: 2\r\n\r\n{}",
        "Host: localhost\r\nContent-Length: 2\r\n\r\n{}",
        ": x\r\nContent-Length: 2\r\n\r\n{}",
        ":\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Length: 2\r\n: x\r\n\r\n{}",
        "X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}",
        "X: a\nContent-Length: 2\r\n\r\n{}",
        "X: a\rY: b\r\nContent-Length: 2\r\n\r\n{}",
        "X\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Length: +2\r\n\r\n{}",
        "Content-Length: 2, 2\r\n\r\n{}",
        "Content-Length: 0x2\r\n\r\n{}",
        "Content-Length:\r\n\r\n{}",
        "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2 \r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n000000002\r\n{}\r\n0\r\n\r\n",
    };
    server s;

    (void)state;
    server_start_plain(&s);
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        int fd = client_open(&s);
        answer a;

        client_say(fd, "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
        client_say(fd, ends[i]);
        client_say(fd, hidden);
        a = client_read(fd, false);
        if (!answer_is_problem(&a, 400, "bad-request"))
            fail_msg("%s: %d %s", ends[i], a.status, a.body);
        assert_string_equal(answer_header(&a, "Connection"), "close");
        answer_free(&a);
        a = client_read(fd, false);
        assert_int_equal(a.status, 0);
        answer_free(&a);
        close(fd);
    }
    assert_serves(&s);
    server_stop(&s);
}

static void hostile__paths_have_one_spelling(void **state)
{
    static const char *const paths[] = {
        "/healthz%00", "/metrics%00/x", "/%68ealthz",         "/m%2floans/", "//healthz",
        "/./healthz",  "/healthz/",     "/m/loans/../loans/", "/m/%6coans/", "http://localhost/%68ealthz"};
    server s;

    (void)state;
    server_start_plain(&s);
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        answer a = ask(&s, "GET", paths[i], NULL);

        if (!answer_is_problem(&a, 404, "not-found"))
            fail_msg("%s: %d", paths[i], a.status);
        answer_free(&a);
    }
    server_stop(&s);
}

/* A path may have its host in front: then that counts, and not the header. */
static void hostile__paths_with_a_host(void **state)
{
    server s;
    answer a;

    (void)state;
    server_start_plain(&s);
    a = ask_text(&s, "GET http://127.0.0.1:80/healthz?a=b HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask_text(&s, "GET HTTP://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(answer_is_problem(&a, 421, "misdirected"));
    answer_free(&a);
    a = ask_text(&s, "GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n"); /* the same as http://localhost/ */
    assert_int_equal(a.status, 200);
    answer_free(&a);
    a = ask_text(&s, "GET http://evil.example HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(answer_is_problem(&a, 421, "misdirected"));
    answer_free(&a);
    server_stop(&s);
}

/* ---- a site that has its name point to this machine ---- */

static int status_for_host(const server *s, const char *host)
{
    char text[256];
    answer a;
    int status;

    snprintf(text, sizeof(text), "GET /v1/model HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    a = ask_text(s, text);
    status = a.status;
    assert_true(status == 200 || answer_is_problem(&a, 421, "misdirected"));
    answer_free(&a);
    return status;
}

static void hostile__names_of_others_are_not_ours(void **state)
{
    static const char *const ours[] = {"localhost",  "LOCALHOST:8080", "loans.localhost:80", "127.0.0.1",
                                       "[::1]:8080", "127.0.0.1:1",    "192.168.1.7"};
    static const char *const others[] = {"evil.example",      "evil.example:8080", "127.0.0.1.evil.example",
                                         "localhost.evil.ex", "notlocalhost",      ".localhost"};
    static const char *const proxied[] = {demo_model, "--behind-proxy", NULL}, *const open[] = {demo_model, NULL};
    server s;

    (void)state;
    server_start_plain(&s);
    for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
        assert_int_equal(status_for_host(&s, ours[i]), 200);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_int_equal(status_for_host(&s, others[i]), 421);
    server_stop(&s);
    s = (server){0};
    server_start(&s, proxied);
    assert_int_equal(status_for_host(&s, "questions.example"), 200);
    server_stop(&s);
    s = (server){.host = "0.0.0.0"};
    server_start(&s, open);
    assert_int_equal(status_for_host(&s, "questions.example"), 200);
    server_stop(&s);
}

/* ---- whoever sees answers pass by, or reads the log ---- */

static void hostile__sizes_tell_little(void **state)
{
    static const char *const bodies[] = {
        somebody,
        "{\"public\":{\"region\":\"capital\",\"loan_amount\":22000}}",
        "{\"public\":{\"loan_term\":12},\"receipt\":false}",
        "{}",
        "{\"public\":{\"loan_term\":\"none\"}}", /* a problem */
    };
    static const char *const arguments[] = {demo_model, "--rate", "0", "--cors", "*", NULL};
    server s = {0};

    (void)state;
    server_start(&s, arguments);
    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        answer a = ask(&s, "POST", "/v1/sessions", bodies[i]);

        assert_true(a.status == 200 || a.status == 422);
        assert_int_equal(a.size, SRV_REPLY_STEP);
        answer_free(&a);
    }
    server_stop(&s);
}

/* A model with a category of many levels and a number, both sensitive. */
static const char *wide_model(void)
{
    enum { ROWS = 900, LEVELS = 300 };
    const char *data = scratch_path("wide.csv"), *model = scratch_path("wide.tacit");
    const char *const fit[] = {"fit", data, "--label", "y", "--sensitive", "town,age", "-o", model, "--quiet", NULL};
    FILE *file = fopen(data, "w");

    assert_non_null(file);
    fprintf(file, "town,age,y\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "town number %d of the province,%d,%d\n", i * 7 % LEVELS, 20 + i * 13 % 50,
                (i * 7 % LEVELS) * 3 + i * 13 % 50 * 10 > 700);
    fclose(file);
    assert_int_equal(run_tacit(fit, NULL), 0);
    return model;
}

/* One size whichever question it is, and for the decision too. */
static void hostile__every_step_has_one_size(void **state)
{
    const char *const arguments[] = {wide_model(), NULL};
    static const char *const starts[] = {"{}", "{\"x\":1}"};
    char *token, body[8192];
    server s = {0};
    size_t size;
    answer a;

    (void)state;
    server_start(&s, arguments);
    a = ask(&s, "POST", "/v1/sessions", starts[0]);
    size = a.size;
    for (int i = 0; strstr(a.body, "\"status\":\"open\""); i++) {
        const char *name = strstr(a.body, "\"next\":{\"name\":\"town\"") ? "town" : "age";

        token = answer_token(&a);
        answer_free(&a);
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%s\",\"refuse\":true}", token, name);
        a = ask(&s, "POST", "/v1/answers", body);
        assert_int_equal(a.status, 200);
        assert_int_equal(a.size, size);
        free(token);
    }
    answer_free(&a);
    a = ask(&s, "POST", "/v1/sessions", starts[1]);
    assert_int_equal(a.status, 422);
    assert_int_equal(a.size, size);
    answer_free(&a);
    server_stop(&s);
}

/* ---- surroundings ---- */

static void hostile__without_standard_files(void **state)
{
    server s;
    int status;

    (void)state;
    server_start_mute(&s);
    for (int i = 0; i < 20; i++)
        assert_serves(&s);
    status = server_end(&s, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0); /* where they are missing, sockets must not take their place */
}

/* Browsers write origins in small letters; another spelling would never fit. */
static void hostile__origins_are_spelt_as_browsers_do(void **state)
{
    static const char *const arguments[] = {"serve", demo_model, "--cors", "https://Shop.example", NULL};

    (void)state;
    assert_int_equal(run_tacit(arguments, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile__ambiguous_heads_are_refused),
        cmocka_unit_test(hostile__paths_have_one_spelling),
        cmocka_unit_test(hostile__paths_with_a_host),
        cmocka_unit_test(hostile__names_of_others_are_not_ours),
        cmocka_unit_test(hostile__sizes_tell_little),
        cmocka_unit_test(hostile__every_step_has_one_size),
        cmocka_unit_test(hostile__without_standard_files),
        cmocka_unit_test(hostile__origins_are_spelt_as_browsers_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

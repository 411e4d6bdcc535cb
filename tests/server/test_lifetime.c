/*
 * test_lifetime.c -- tacit serve from its keys and certificates to its end, and what it leaves behind: nothing.
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
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>

#include "driver.h"

static void lifetime__warns_about_keys(void **state)
{
    const char *open_key = scratch_file("open.key",
                                        "\x91"
                                        "123456789abcdefghijklmnopqrstu\xfe",
                                        32, 0644);
    const char *own_key = scratch_file("own.key",
                                       "\x87"
                                       "utsrqponmlkjihgfedcba987654321\xf0",
                                       32, 0600);
    const char *const opened[] = {demo_model, "--key", own_key, "--key", open_key, NULL};
    const char *const closed[] = {demo_model, "--key", own_key, NULL};
    server s = {0};
    char *talk;

    (void)state;
    server_start_plain(&s);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "tacit: note: no --key"));
    free(talk);
    server_stop(&s);
    server_start(&s, opened);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "open.key: others may read this key"));
    assert_null(strstr(talk, "own.key"));
    assert_null(strstr(talk, "no --key"));
    free(talk);
    server_stop(&s);
    server_start(&s, closed);
    talk = server_talk(&s);
    assert_null(strstr(talk, "note"));
    free(talk);
    server_stop(&s);
}

static void lifetime__tokens_outlive_it_with_the_same_key(void **state)
{
    const char *key = scratch_file("own.key",
                                   "\x87"
                                   "utsrqponmlkjihgfedcba987654321\xf0",
                                   32, 0600);
    const char *const arguments[] = {demo_model, "--key", key, NULL};
    server s = {0};
    char *token, body[4096];
    answer a;

    (void)state;
    server_start(&s, arguments);
    a = ask(&s, "POST", "/v1/sessions", somebody);
    token = answer_token(&a);
    answer_free(&a);
    assert_true(WIFSIGNALED(server_end(&s, SIGKILL)));
    server_start(&s, arguments);
    snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"income\",\"value\":2876.79}", token);
    a = ask(&s, "POST", "/v1/answers", body);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    server_stop(&s);
    server_start_plain(&s);
    a = ask(&s, "POST", "/v1/answers", body);
    assert_true(answer_is_problem(&a, 401, "token-unknown-key"));
    assert_non_null(answer_header(&a, "WWW-Authenticate"));
    answer_free(&a);
    server_stop(&s);
    free(token);
}

static void lifetime__says_that_a_port_is_in_use(void **state)
{
    char place[32];
    const char *const arguments[] = {"serve", demo_model, "--listen", place, NULL};
    const char *out = scratch_path("in-use");
    server s;
    FILE *file;
    char line[512] = "";

    (void)state;
    server_start_plain(&s);
    snprintf(place, sizeof(place), "127.0.0.1:%d", s.port);
    assert_int_equal(run_tacit(arguments, out), 3);
    file = fopen(out, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        if (strstr(line, "note:") == NULL)
            break;
    }
    fclose(file);
    assert_non_null(strstr(line, "tacit: cannot listen on 127.0.0.1:"));
    assert_non_null(strstr(line, "in use"));
    assert_serves(&s);
    server_stop(&s);
}

/* ---- TLS ---- */

/* A certificate for localhost in cert.pem and key.pem of the folder, or the test is skipped. */
static void make_certificate(void)
{
    if (!run_shell("command -v openssl >/dev/null")) {
        print_message("skipped: openssl is not installed\n");
        skip();
    }
    assert_true(
        run_shell("cd '%s' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
                  "-subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null && "
                  "openssl genpkey -algorithm ec -pkeyopt ec_paramgen_curve:prime256v1 -out other.pem "
                  "2>/dev/null",
                  scratch_folder()));
}

static void lifetime__speaks_tls(void **state)
{
    server s = {0};
    char *talk;

    (void)state;
    make_certificate();
    {
        const char *const arguments[] = {
            demo_model, "--tls-cert", scratch_path("cert.pem"), "--tls-key", scratch_path("key.pem"), NULL};

        server_start(&s, arguments);
    }
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "listening on https://"));
    free(talk);
    assert_true(run_shell("printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' | "
                          "openssl s_client -quiet -verify_return_error -CAfile '%s/cert.pem' -servername localhost "
                          "-connect 127.0.0.1:%d >'%s/tls-out' 2>/dev/null; grep -q '^HTTP/1.1 200' '%s/tls-out' && "
                          "grep -qi '^Strict-Transport-Security: ' '%s/tls-out' && grep -q '^ok' '%s/tls-out'",
                          scratch_folder(), s.port, scratch_folder(), scratch_folder(), scratch_folder(),
                          scratch_folder()));
    /* Too old a version is refused. */
    assert_false(run_shell("openssl s_client -tls1_1 -connect 127.0.0.1:%d </dev/null >/dev/null 2>&1", s.port));
    server_stop(&s);
}

static void lifetime__says_what_is_wrong_with_a_certificate(void **state)
{
    static const struct {
        const char *cert, *key, *complaint;
    } cases[] = {
        {"missing.pem", "key.pem", "missing.pem"},
        {"cert.pem", "missing.pem", "missing.pem"},
        {"key.pem", "key.pem", "expected a certificate in PEM format"},
        {"cert.pem", "cert.pem", "expected a private key in PEM format"},
        {"cert.pem", "other.pem", "expected a certificate and the private key"},
        {"broken.pem", "key.pem", "expected a certificate and the private key"},
    };
    static const char broken[] = "-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n";

    (void)state;
    make_certificate();
    scratch_file("broken.pem", broken, strlen(broken), 0644);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *const arguments[] = {"serve",      demo_model,
                                         "--tls-cert", scratch_path(cases[i].cert),
                                         "--tls-key",  scratch_path(cases[i].key),
                                         "--listen",   "127.0.0.1:0",
                                         NULL};

        assert_int_equal(run_tacit(arguments, scratch_path("tls-complaint")), 3);
        if (!run_shell("grep -q '^tacit: .*%s' '%s'", cases[i].complaint, scratch_path("tls-complaint")))
            fail_msg("%s is not said", cases[i].complaint);
    }
}

/* ---- the end ---- */

static void lifetime__finishes_what_is_under_way(void **state)
{
    size_t half = strlen(somebody) / 2;
    int quiet, fd, status;
    char head[256];
    server s;
    answer a;

    (void)state;
    server_start_plain(&s);
    quiet = client_open(&s);
    fd = client_open(&s);
    a = ask_on(quiet, "GET", "/healthz", NULL);
    answer_free(&a);
    a = ask_on(fd, "GET", "/healthz", NULL);
    answer_free(&a);
    snprintf(head, sizeof(head),
             "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
             "%zu\r\n\r\n",
             strlen(somebody));
    client_say(fd, head);
    client_send(fd, somebody, half);
    assert_int_equal(kill(s.pid, SIGTERM), 0);
    assert_true(client_closed(quiet)); /* idle ones end at once */
    close(quiet);
    assert_int_equal(waitpid(s.pid, &status, WNOHANG), 0);
    assert_int_equal(client_try(&s), -1); /* nobody new is let in */
    client_send(fd, somebody + half, strlen(somebody) - half);
    a = client_read(fd, false);
    assert_int_equal(a.status, 200);
    assert_string_equal(answer_header(&a, "Connection"), "close");
    answer_free(&a);
    assert_true(client_closed(fd));
    close(fd);
    assert_int_equal(waitpid(s.pid, &status, 0), s.pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void lifetime__a_second_signal_ends_it_at_once(void **state)
{
    int fd, status;
    server s;
    answer a;

    (void)state;
    server_start_plain(&s);
    fd = client_open(&s);
    a = ask_on(fd, "GET", "/healthz", NULL);
    answer_free(&a);
    client_say(fd, "GET /healthz HTTP/1.1\r\n");
    assert_int_equal(kill(s.pid, SIGINT), 0);
    while (client_try(&s) >= 0) /* until the first one is seen */
        usleep(1000);
    assert_int_equal(kill(s.pid, SIGINT), 0);
    assert_int_equal(waitpid(s.pid, &status, 0), s.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    close(fd);
}

/* ---- what is not written down ---- */

static const char *const markers[] = {"31337", "Marker", "marker", "87654"};

static const char *const free_order[] = {demo_model, "--free-order", NULL};

static void lifetime__writes_down_nothing_of_anybody(void **state)
{
    static const char strange[] =
        "GET /Marker?value=87654 HTTP/1.1\r\nHost: localhost\r\nX-Marker: Marker\r\nX-Forwarded-For: 31.33.7.1\r\n"
        "User-Agent: Marker\r\nCookie: marker=87654\r\n\r\n";
    char *token, body[4096], *talk;
    server s;
    answer a, metrics;
    int fd;

    (void)state;
    s = (server){0};
    server_start(&s, free_order);
    fd = client_open(&s);
    a = ask_on(fd, "POST", "/v1/sessions", somebody);
    token = answer_token(&a);
    answer_free(&a);
    snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"income\",\"value\":31337.25}", token);
    a = ask_on(fd, "POST", "/v1/answers", body);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"job\",\"value\":\"Marker\"}", token);
    a = ask_on(fd, "POST", "/v1/answers", body);
    assert_true(answer_is_problem(&a, 422, "body-member"));
    assert_null(strstr(a.body, "Marker"));
    answer_free(&a);
    a = ask_on(fd, "POST", "/m/Marker/v1/answers", "{\"87654\":87654}");
    assert_int_equal(a.status, 404);
    answer_free(&a);
    client_say(fd, strange);
    a = client_read(fd, false);
    assert_int_equal(a.status, 404);
    answer_free(&a);
    metrics = ask_on(fd, "GET", "/metrics", NULL);
    assert_non_null(strstr(metrics.body, "tacit_requests_total{route=\"/v1/answers\",status=\"200\"} 1\n"));
    client_say(fd, "Marker Marker Marker Marker\r\n\r\n");
    a = client_read(fd, false);
    answer_free(&a);
    close(fd);
    server_stop(&s);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "Z POST /v1/answers 200 "));
    for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++) {
        assert_null(strstr(talk, markers[i]));
        assert_null(strstr(metrics.body, markers[i]));
    }
    assert_null(strstr(talk, "127.0.0.1 "));
    assert_null(strstr(talk, token));
    answer_free(&metrics);
    free(talk);
    free(token);
}

static void lifetime__can_be_told_not_to_log(void **state)
{
    static const char *const arguments[] = {demo_model, "--no-log", NULL};
    server s = {0};
    char *talk;

    (void)state;
    server_start(&s, arguments);
    assert_serves(&s);
    server_stop(&s);
    talk = server_talk(&s);
    assert_null(strstr(talk, "/healthz"));
    free(talk);
}

static void lifetime__leaves_no_core(void **state)
{
    char path[64], line[256];
    bool found = false;
    FILE *file;
    server s;

    (void)state;
    server_start_plain(&s);
    snprintf(path, sizeof(path), "/proc/%d/limits", (int)s.pid);
    file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) /* 1 byte is no core file either */
        found = found || strncmp(line, "Max core file size        0                    0 ", 49) == 0 ||
                strncmp(line, "Max core file size        1                    1 ", 49) == 0;
    fclose(file);
    assert_true(found);
    server_stop(&s);
}

/* How often a text or number occurs in all memory of a process; SIZE_MAX: we may not look. */
static size_t count_in_memory(pid_t pid, const void *what, size_t size)
{
    enum { LARGEST = 256 << 20 }; /* what is larger is the shadow of a sanitizer */
    char path[64], line[1024];
    FILE *maps;
    size_t count = 0;
    int memory;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "r");
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    memory = open(path, O_RDONLY | O_CLOEXEC);
    while (maps && memory >= 0 && fgets(line, sizeof(line), maps)) {
        char *end = NULL, *bytes;
        uintmax_t from = strtoumax(line, &end, 16), to = strtoumax(end + 1, &end, 16);
        ssize_t got;

        if (strncmp(end, " rw", 3) != 0 || to - from > LARGEST)
            continue;
        bytes = malloc(to - from);
        assert_non_null(bytes);
        got = pread(memory, bytes, to - from, (off_t)from);
        for (const char *at = bytes; got > 0 && (at = memmem(at, (size_t)(bytes + got - at), what, size)); at++)
            count++;
        free(bytes);
    }
    if (maps)
        fclose(maps);
    if (memory < 0)
        return SIZE_MAX;
    close(memory);
    return count;
}

/* Under the address sanitizer every function's stack stays what it was. */
#ifdef __SANITIZE_ADDRESS__
enum { STACKS_STAY = true };
#else
enum { STACKS_STAY = false };
#endif

/* The last traces go when the answer is on its way: look again for a while. */
static bool is_gone(pid_t pid, const void *what, size_t size)
{
    for (int i = 0; i < 100; i++) {
        if (count_in_memory(pid, what, size) == 0)
            return true;
        usleep(20000);
    }
    return false;
}

static void lifetime__keeps_nothing_in_memory(void **state)
{
    static const char text[] = "31337.123456", other[] = "SecretMarker";
    const double number = 31337.123456;
    char body[4096], *token;
    server s;
    answer a;
    int fd;

    (void)state;
    s = (server){0};
    server_start(&s, free_order);
    if (count_in_memory(s.pid, "loan_amount", 11) == SIZE_MAX) {
        server_stop(&s);
        print_message("skipped: only root may look into the server's memory\n");
        skip();
    }
    assert_true(count_in_memory(s.pid, "loan_amount", 11) > 0);
    fd = client_open(&s);
    a = ask_on(fd, "POST", "/v1/sessions", somebody);
    token = answer_token(&a);
    answer_free(&a);
    for (size_t i = 0; i < 3; i++) {
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%s\",\"value\":\"%s\"}", token,
                 i == 1 ? "job" : "income", i == 1 ? other : text);
        a = ask_on(fd, "POST", "/v1/answers", body);
        assert_int_equal(a.status, i == 1 ? 422 : 200);
        answer_free(&a);
    }
    /* The connection is still open. */
    assert_true(is_gone(s.pid, text, strlen(text)));
    assert_true(STACKS_STAY || is_gone(s.pid, &number, sizeof(number)));
    assert_true(is_gone(s.pid, other, strlen(other)));
    close(fd);
    server_stop(&s);
    free(token);
}

/* A network leaves more to wipe: what it knew of the person on its way through the layers. */
static void lifetime__keeps_nothing_of_a_network_in_memory(void **state)
{
    const char *data = DEMO_FOLDER "/loans.csv", *model = scratch_path("network.tacit");
    const char *const fit[] = {"fit",     data,  "--label",  "outcome", "--public", "region,loan_amount,loan_term",
                               "--model", "mlp", "--hidden", "10,10",   "--epochs", "5",
                               "-o",      model, "--quiet",  NULL};
    const char *const arguments[] = {model, NULL};
    static const char text[] = "31337.123456";
    const double number = 31337.123456;
    char body[4096], *token;
    int given = 0;
    server s = {0};
    answer a;

    (void)state;
    assert_int_equal(run_tacit(fit, NULL), 0);
    server_start(&s, arguments);
    if (count_in_memory(s.pid, "loan_amount", 11) == SIZE_MAX) {
        server_stop(&s);
        print_message("skipped: only root may look into the server's memory\n");
        skip();
    }
    a = ask(&s, "POST", "/v1/sessions", somebody);
    while (strstr(a.body, "\"status\":\"open\"")) {
        const char *name = strstr(a.body, "\"next\":{\"name\":\"") + strlen("\"next\":{\"name\":\"");
        int size = (int)strcspn(name, "\"");

        token = answer_token(&a);
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%.*s\",%s%s,\"receipt\":true}", token, size,
                 name, strncmp(name, "income\"", 7) == 0 ? "\"value\":" : "\"refuse\":",
                 strncmp(name, "income\"", 7) == 0 ? text : "true");
        given += strncmp(name, "income\"", 7) == 0;
        free(token);
        answer_free(&a);
        a = ask(&s, "POST", "/v1/answers", body);
        assert_int_equal(a.status, 200);
    }
    assert_non_null(strstr(a.body, "\"receipt\":"));
    answer_free(&a);
    assert_int_equal(given, 1);
    assert_true(is_gone(s.pid, text, strlen(text)));
    assert_true(STACKS_STAY || is_gone(s.pid, &number, sizeof(number)));
    server_stop(&s);
}

/* Somebody who leaves in the middle of an answer: what was decrypted so far goes too. */
static void lifetime__keeps_nothing_of_tls_in_memory(void **state)
{
    static const char marker[] = "SecretMarker";
    server s = {0};

    (void)state;
    make_certificate();
    {
        const char *const arguments[] = {
            demo_model, "--tls-cert", scratch_path("cert.pem"), "--tls-key", scratch_path("key.pem"), NULL};

        server_start(&s, arguments);
    }
    if (STACKS_STAY || count_in_memory(s.pid, "loan_amount", 11) == SIZE_MAX) {
        server_stop(&s);
        print_message("skipped: a sanitizer keeps what was freed, or only root may look into the server's memory\n");
        skip();
    }
    assert_true(
        run_shell("(printf 'POST /v1/sessions HTTP/1.1\\r\\nHost: localhost\\r\\n"
                  "Content-Type: application/json\\r\\nContent-Length: 900\\r\\n\\r\\n{\"public\":{\"region\":\"%s\"'"
                  "; sleep 0.3) | openssl s_client -connect 127.0.0.1:%d >'%s/tls-out' 2>&1",
                  marker, s.port, scratch_folder()));
    assert_true(is_gone(s.pid, marker, strlen(marker)));
    server_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifetime__warns_about_keys),
        cmocka_unit_test(lifetime__tokens_outlive_it_with_the_same_key),
        cmocka_unit_test(lifetime__says_that_a_port_is_in_use),
        cmocka_unit_test(lifetime__speaks_tls),
        cmocka_unit_test(lifetime__says_what_is_wrong_with_a_certificate),
        cmocka_unit_test(lifetime__finishes_what_is_under_way),
        cmocka_unit_test(lifetime__a_second_signal_ends_it_at_once),
        cmocka_unit_test(lifetime__writes_down_nothing_of_anybody),
        cmocka_unit_test(lifetime__can_be_told_not_to_log),
        cmocka_unit_test(lifetime__leaves_no_core),
        cmocka_unit_test(lifetime__keeps_nothing_in_memory),
        cmocka_unit_test(lifetime__keeps_nothing_of_a_network_in_memory),
        cmocka_unit_test(lifetime__keeps_nothing_of_tls_in_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

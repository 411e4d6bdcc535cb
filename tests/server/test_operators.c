/*
 * test_operators.c -- what those who run the service rely on: doors of their own, stopping and reading files again without
 * losing anybody, logs and counts.
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

/* Whoever was let in by the kernel is served, however soon the end comes. */
static void operators__nobody_who_came_is_turned_away(void **state)
{
    enum { ROUNDS = 8, CLIENTS = 32 };
    size_t answered = 0;

    (void)state;
    for (size_t round = 0; round < ROUNDS; round++) {
        int clients[CLIENTS], status;
        server s;

        server_start_plain(&s);
        for (size_t i = 0; i < CLIENTS; i++)
            clients[i] = client_open(&s);
        assert_int_equal(kill(s.pid, SIGTERM), 0);
        for (size_t i = 0; i < CLIENTS; i++) {
            answer a;

            client_say(clients[i], "GET /v1/model HTTP/1.1\r\nHost: localhost\r\n\r\n");
            a = client_read(clients[i], false);
            answered += a.status == 200;
            answer_free(&a);
            close(clients[i]);
        }
        assert_int_equal(waitpid(s.pid, &status, 0), s.pid);
        assert_int_equal(status, 0);
    }
    print_message("%zu of %d clients were answered by servers told to stop\n", answered, ROUNDS * CLIENTS);
    assert_int_equal(answered, ROUNDS * CLIENTS);
}

/* The port in the line about the admin's address. */
static int admin_port(const server *s)
{
    char *talk = server_talk(s), *line = strstr(talk, "metrics on http://127.0.0.1:");
    int port;

    assert_non_null(line);
    port = (int)strtol(line + strlen("metrics on http://127.0.0.1:"), NULL, 10);
    free(talk);
    return port;
}

static int status_of(const server *s, const char *path)
{
    answer a = ask(s, "GET", path, NULL);
    int status = a.status;

    answer_free(&a);
    return status;
}

static void operators__operators_have_a_door_of_their_own(void **state)
{
    static const char *const arguments[] = {demo_model, "--admin", "127.0.0.1:0", "--drain-seconds", "2", NULL};
    server s = {0}, admin = {0};
    int status;
    answer a;

    (void)state;
    server_start(&s, arguments);
    admin.port = admin_port(&s);
    assert_int_equal(status_of(&s, "/healthz"), 404);
    assert_int_equal(status_of(&s, "/readyz"), 404);
    assert_int_equal(status_of(&s, "/metrics"), 404);
    assert_int_equal(status_of(&s, "/v1/model"), 200);
    assert_int_equal(status_of(&admin, "/healthz"), 200);
    assert_int_equal(status_of(&admin, "/readyz"), 200);
    assert_int_equal(status_of(&admin, "/metrics"), 200);
    assert_int_equal(status_of(&admin, "/v1/model"), 404);
    assert_int_equal(kill(s.pid, SIGTERM), 0);
    while ((status = status_of(&admin, "/readyz")) == 200) /* until it has heard */
        usleep(1000);
    assert_int_equal(status, 503);
    a = ask(&s, "POST", "/v1/sessions", somebody);
    assert_int_equal(a.status, 200);
    assert_string_equal(answer_header(&a, "Connection"), "close");
    answer_free(&a);
    assert_int_equal(waitpid(s.pid, &status, 0), s.pid);
    assert_int_equal(status, 0);
}

static void operators__listens_in_the_file_system(void **state)
{
    char place[DRIVER_PATH + 64];
    const char *path = scratch_path("socket"), *out = scratch_path("socket-talk");
    const char *const words[] = {"serve", demo_model, "--listen", place, "--admin", "127.0.0.1:0", NULL};
    struct stat about;
    server s = {0};
    int status = 0;
    mode_t before = umask(0002);

    (void)state;
    snprintf(place, sizeof(place), "unix:%s", path);
    s.pid = launch_tacit(words, out);
    umask(before);
    while (access(path, F_OK) != 0 && waitpid(s.pid, &status, WNOHANG) == 0)
        usleep(1000);
    assert_true(run_shell("printf 'GET /v1/model HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' | node -e "
                          "'const c=require(\"net\").connect(\"%s\");process.stdin.pipe(c);c.pipe(process.stdout)' | "
                          "grep -q '^HTTP/1.1 200 OK'",
                          path));
    assert_int_equal(run_tacit(words, NULL), 3); /* it is in use */
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0660); /* whatever the umask is */
    assert_true(WIFEXITED(server_end(&s, SIGTERM)));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_false(run_shell("grep -q unencrypted '%s'", out)); /* nobody listens in on a file */
}

/* A receipt is good until its key is on the list of those that others may have. */
static void operators__revoked_keys_sign_nothing(void **state)
{
    const char *receipt = scratch_path("receipt.json"), *list = scratch_path("revoked.txt");
    const char *const check[] = {"check", receipt, "--model", demo_model, NULL};
    const char *const with_list[] = {"check", receipt, "--model", demo_model, "--revoked", list, NULL};
    const char *from, *key;
    server s;
    answer a;

    (void)state;
    server_start_plain(&s);
    a = ask(&s, "POST", "/v1/sessions", somebody);
    while (strstr(a.body, "\"status\":\"open\"")) {
        const char *name = strstr(a.body, "\"attribute\":\"") + strlen("\"attribute\":\"");
        char *token = answer_token(&a), body[4096];

        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%.*s\",\"refuse\":true,\"receipt\":true}",
                 token, (int)strcspn(name, "\""), name);
        free(token);
        answer_free(&a);
        a = ask(&s, "POST", "/v1/answers", body);
    }
    from = strstr(a.body, "\"receipt\":") + strlen("\"receipt\":");
    scratch_file("receipt.json", from, (size_t)(strstr(from, ",\"receipt_unproven\"") - from), 0644);
    assert_int_equal(run_tacit(check, NULL), 0);
    key = strstr(from, "\"key\":\"") ? strstr(from, "\"key\":\"") + 7 : strstr(from, "\"key\": \"") + 8;
    scratch_file("revoked.txt", key, 44, 0644);
    assert_int_equal(run_tacit(with_list, scratch_path("revoked-said")), 1);
    assert_true(
        run_shell("grep -q '^not valid: it is signed by a key that was revoked$' '%s'", scratch_path("revoked-said")));
    answer_free(&a);
    server_stop(&s);
}

/* The hash of the model that is served. */
static char *served_hash(const server *s)
{
    answer a = ask(s, "GET", "/v1/model", NULL);
    const char *start = strstr(a.body, "\"model_hash\":\"");
    char *hash;

    assert_int_equal(a.status, 200);
    assert_non_null(start);
    hash = strndup(start + strlen("\"model_hash\":\""), 64);
    assert_non_null(hash);
    answer_free(&a);
    return hash;
}

/* Send SIGHUP and ask all the while, until the log says that it has happened. */
static unsigned hang_up(const server *s, const char *said)
{
    unsigned answers = 0;
    bool done = false;

    assert_int_equal(kill(s->pid, SIGHUP), 0);
    while (!done) {
        answer a = ask(s, "POST", "/v1/sessions", somebody);
        char *talk = server_talk(s);

        assert_int_equal(a.status, 200);
        answers++;
        done = strstr(talk, said) != NULL;
        free(talk);
        answer_free(&a);
    }
    return answers;
}

/* A new model under the same name: nobody's request is lost, a file that is none changes nothing, and keys stay. */
static void operators__reads_its_files_again(void **state)
{
    const char *data = DEMO_FOLDER "/loans.csv", *path = scratch_path("again.tacit");
    const char *const fit[] = {"fit",  data, "--label", "outcome", "--public", "region,loan_amount,loan_term",
                               "--l2", "3",  "-o",      path,      "--quiet",  NULL};
    const char *const arguments[] = {path, "--rate", "0", "--no-log", NULL};
    char *text = read_text(demo_model), *before, *after, *token, body[4096];
    server s = {0};
    answer a;

    (void)state;
    scratch_file("again.tacit", text, strlen(text), 0644);
    server_start(&s, arguments);
    before = served_hash(&s);
    a = ask(&s, "POST", "/v1/sessions", somebody);
    token = answer_token(&a);
    answer_free(&a);
    scratch_file("again.tacit", "no model", 8, 0644);
    assert_true(hang_up(&s, "note: everything stays as it was") > 0);
    after = served_hash(&s);
    assert_string_equal(after, before);
    free(after);
    snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"income\",\"value\":2876.79}", token);
    a = ask(&s, "POST", "/v1/answers", body);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    assert_int_equal(run_tacit(fit, NULL), 0);
    assert_true(hang_up(&s, "note: models, keys and certificates were read again") > 0);
    after = served_hash(&s);
    assert_string_not_equal(after, before);
    a = ask(&s, "POST", "/v1/answers", body); /* the key that was made up is the same, the model is not */
    assert_true(answer_is_problem(&a, 401, "token-other-model"));
    answer_free(&a);
    server_stop(&s);
    free(text);
    free(token);
    free(before);
    free(after);
}

static void operators__counts_decisions_and_logs_objects(void **state)
{
    static const char *const arguments[] = {demo_model, "--log", "json", NULL};
    char *talk, *token, body[4096], line[128], id[64];
    server s = {0};
    answer a;

    (void)state;
    server_start(&s, arguments);
    a = ask(&s, "POST", "/v1/sessions", somebody);
    while (strstr(a.body, "\"status\":\"open\"")) {
        const char *name = strstr(a.body, "\"attribute\":\"") + strlen("\"attribute\":\"");

        token = answer_token(&a);
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%.*s\",\"refuse\":true}", token,
                 (int)strcspn(name, "\""), name);
        free(token);
        answer_free(&a);
        a = ask(&s, "POST", "/v1/answers", body);
        assert_int_equal(a.status, 200);
    }
    snprintf(id, sizeof(id), "\"id\":\"%s\"", answer_header(&a, "X-Request-Id"));
    snprintf(line, sizeof(line), "tacit_decisions_total{model=\"loans\",label=\"%s\",status=\"unsettled\"} 1\n",
             strstr(a.body, "\"label\":\"repaid\"") ? "repaid" : "default");
    answer_free(&a);
    a = ask(&s, "GET", "/metrics", NULL);
    assert_non_null(strstr(a.body, line));
    assert_non_null(strstr(a.body, "tacit_refusals_total{model=\"loans\"} 9\n"));
    assert_non_null(strstr(a.body, "tacit_forks_refused_total{model=\"loans\"} 0\n"));
    answer_free(&a);
    server_stop(&s);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "\"route\":\"/v1/answers\",\"status\":200,\"bytes\":2048,\"ms\":"));
    assert_non_null(strstr(talk, id));
    free(talk);
}

/* Whoever reads objects gets nothing else, whatever there is to say. */
static void operators__everything_logged_is_an_object(void **state)
{
    const char *key =
        scratch_file("open.key", "\x93\x01\xfe-opened\x88\x11\x02\x1f\x9a\xcc/key of 32\x80\x81\x82\x83\xee", 32, 0644);
    const char *signing = scratch_file(
        "signing.key", "\x13\x02\xfd-signed\x89\x14\x05\x1e\x9b\xcd/key of 32\x90\x91\x92\x93\xef", 32, 0644);
    char *text = read_text(demo_model), *talk = NULL, *rest, *line;
    const char *model = scratch_file("objects.tacit", text, strlen(text), 0600);
    const char *const arguments[] = {model, "--log", "json", "--signing-key", signing, "--key", key, NULL};
    server s = {0};
    size_t keys = 0;

    (void)state;
    free(text);
    server_start(&s, arguments);
    assert_int_equal(status_of(&s, "/v1/model"), 200);
    scratch_file("objects.tacit", "no \"model\"", 10, 0600);
    assert_int_equal(kill(s.pid, SIGHUP), 0);
    do {
        free(talk);
        usleep(1000);
        talk = server_talk(&s);
    } while (!strstr(talk, "everything stays as it was"));
    assert_int_equal(status_of(&s, "/v1/model"), 200);
    server_stop(&s);
    free(talk);
    rest = talk = server_talk(&s);
    assert_non_null(strstr(talk, "\"level\":\"error\",\"message\":\""));
    assert_non_null(strstr(talk, "\"level\":\"note\",\"message\":\"everything stays as it was\"}"));
    while ((line = strsep(&rest, "\n")) != NULL) {
        keys += strstr(line, "others may read this key") != NULL;
        assert_true(!*line || (line[0] == '{' && line[strlen(line) - 1] == '}') ||
                    strstr(line, "listening on ") == line);
    }
    assert_int_equal(keys, 2); /* what signs is as secret as what seals */
    free(talk);
}

/* Told, not guessed at: fewer connections than usual, because the system allows no more. */
static void operators__says_when_the_system_allows_less(void **state)
{
    char command[1024];

    (void)state;
    snprintf(command, sizeof(command),
             "ulimit -n 2048; timeout 10 '%s' serve '%s' --listen 127.0.0.1:0 >'%s' 2>&1 & sleep 0.5; kill $!; wait; "
             "grep -q 'note: at most [0-9]* connections at a time: the system allows 2048 open files' '%s'",
             TACIT_PROGRAM, demo_model, scratch_path("few-files"), scratch_path("few-files"));
    assert_true(run_shell("%s", command));
}

/* The operators' door, left open to everybody. */
static void operators__says_who_can_see_the_metrics(void **state)
{
    static const char *const open[] = {demo_model, "--admin", "0.0.0.0:0", NULL}, *const own[] = {demo_model, "--admin",
                                                                                                  "127.0.0.1:0", NULL};
    char *talk;
    server s = {0};

    (void)state;
    server_start(&s, open);
    server_stop(&s);
    talk = server_talk(&s);
    assert_non_null(strstr(talk, "note: --admin 0.0.0.0:0: whoever reaches it sees health and metrics"));
    free(talk);
    server_start(&s, own);
    server_stop(&s);
    talk = server_talk(&s);
    assert_null(strstr(talk, "whoever reaches it"));
    free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators__nobody_who_came_is_turned_away),
        cmocka_unit_test(operators__operators_have_a_door_of_their_own),
        cmocka_unit_test(operators__listens_in_the_file_system),
        cmocka_unit_test(operators__reads_its_files_again),
        cmocka_unit_test(operators__revoked_keys_sign_nothing),
        cmocka_unit_test(operators__counts_decisions_and_logs_objects),
        cmocka_unit_test(operators__everything_logged_is_an_object),
        cmocka_unit_test(operators__says_when_the_system_allows_less),
        cmocka_unit_test(operators__says_who_can_see_the_metrics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

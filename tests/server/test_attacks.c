/*
 * test_attacks.c -- clients that use the service for something else: to keep it busy, to find out the model, to get
 * another decision than others would.  Sizes are fixed, and what came of it is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <signal.h>

#include "driver.h"
#include "limits.h"

enum { BODY = 8192 };

/* A network on the sample's people, trained once; NULL: it could not be. */
static const char *network_model(void)
{
    static const char *path;
    const char *data = DEMO_FOLDER "/loans.csv";

    if (!path) {
        const char *const fit[] = {
            "fit",      data,    "--label",  "outcome", "--public", "region,loan_amount,loan_term", "--model", "mlp",
            "--hidden", "10,10", "--epochs", "5",       "-o",       scratch_path("network.tacit"),  "--quiet", NULL};

        assert_int_equal(run_tacit(fit, NULL), 0);
        path = scratch_path("network.tacit");
    }
    return path;
}

static json_t *step_of(answer a, int status)
{
    json_t *step;

    if (a.status != status)
        fail_msg("%d %s", a.status, a.body);
    step = json_loads(a.body, 0, NULL);
    assert_non_null(step);
    answer_free(&a);
    return step;
}

/* The body that answers what is asked with the k-th of some values. */
static void write_answer(char body[BODY], const json_t *step, unsigned k)
{
    json_t *question = json_object_get(step, "next"), *levels = json_object_get(question, "levels");
    const char *token = json_string_value(json_object_get(step, "token"));
    const char *name = json_string_value(json_object_get(question, "name"));

    double min = json_number_value(json_object_get(question, "min"));
    double max = json_number_value(json_object_get(question, "max"));

    if (levels)
        snprintf(body, BODY, "{\"token\":\"%s\",\"attribute\":\"%s\",\"value\":\"%s\"}", token, name,
                 json_string_value(json_array_get(levels, k % json_array_size(levels))));
    else
        snprintf(body, BODY, "{\"token\":\"%s\",\"attribute\":\"%s\",\"value\":%.0f}", token, name,
                 min + (k % 7 + 0.5) / 7 * (max - min));
}

/* ---- work ---- */

/* The same token again and again: after its share the client is told to wait, and others are served all the while. */
static void attacks__one_token_does_not_keep_the_server_busy(void **state)
{
    const char *const arguments[] = {network_model(), "--work", "0.0001", "--forks", "0", NULL};
    unsigned done = 0, refused = 0;
    char body[BODY];
    server s = {0};
    json_t *step;
    int fd;

    (void)state;
    server_start(&s, arguments);
    fd = client_open(&s);
    step = step_of(ask_on(fd, "POST", "/v1/sessions", somebody), 200);
    write_answer(body, step, 3);
    for (int i = 0; i < 200; i++) {
        answer a = ask_on(fd, "POST", "/v1/answers", body);

        done += a.status == 200;
        refused += a.status == 429;
        if (a.status == 429) {
            assert_true(answer_is_problem(&a, 429, "too-much-work"));
            assert_non_null(answer_header(&a, "Retry-After"));
        }
        answer_free(&a);
        assert_serves(&s);
    }
    print_message("one token used 200 times: %u answers, %u times told to wait\n", done, refused);
    assert_int_equal(done + refused, 200);
    assert_true(refused > 100);
    close(fd);
    json_decref(step);
    server_stop(&s);
}

/* A byte that has come; -1: nothing has. */
static int recv_now(int fd, char *byte)
{
    return (int)recv(fd, byte, 1, MSG_DONTWAIT | MSG_PEEK);
}

/* Proofs are made where nobody waits for them: a request behind them on another connection is answered before. */
static void attacks__others_do_not_wait_for_proofs(void **state)
{
    enum { ATTACKERS = 8 };
    const char *const arguments[] = {network_model(), "--work", "0",           "--forks", "0",
                                     "--threads",     "1",      "--time-step", "2000",    NULL};
    int attackers[ATTACKERS], fd;
    char body[BODY], text[2 * BODY];
    server s = {0};
    json_t *step;

    (void)state;
    server_start(&s, arguments);
    step = step_of(ask(&s, "POST", "/v1/sessions", somebody), 200);
    write_answer(body, step, 3);
    snprintf(text, sizeof(text),
             "POST /v1/answers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
             "%zu\r\n\r\n%s",
             strlen(body), body);
    for (size_t i = 0; i < ATTACKERS; i++) {
        attackers[i] = client_open(&s);
        client_say(attackers[i], text);
    }
    fd = client_open(&s);
    for (int i = 0; i < 100; i++) {
        answer a = ask_on(fd, "GET", "/v1/model", NULL);
        char byte;

        assert_int_equal(a.status, 200);
        answer_free(&a);
        if (i == 0) /* not one of them has its answer yet: it waits, and no thread does */
            for (size_t k = 0; k < ATTACKERS; k++)
                assert_int_equal(recv_now(attackers[k], &byte), -1);
    }
    for (size_t i = 0; i < ATTACKERS; i++) {
        answer a = client_read(attackers[i], false);

        assert_int_equal(a.status, 200);
        answer_free(&a);
        close(attackers[i]);
    }
    close(fd);
    json_decref(step);
    server_stop(&s);
}

/* ---- the model ---- */

/* From each of some sessions, up to the last question but one or two, and from there again and again. */
static unsigned collect(const server *s, unsigned sessions, unsigned tries)
{
    unsigned decisions = 0;
    char body[BODY];
    int fd = client_open(s);

    for (unsigned i = 0; i < sessions; i++) {
        json_t *step = step_of(ask_on(fd, "POST", "/v1/sessions", somebody), 200), *last = json_incref(step);

        for (unsigned k = i; json_object_get(step, "next"); k++) {
            json_decref(last);
            last = json_incref(step);
            write_answer(body, step, k);
            json_decref(step);
            step = step_of(ask_on(fd, "POST", "/v1/answers", body), 200);
        }
        decisions++;
        for (unsigned k = 0; k < tries; k++) {
            answer a;

            write_answer(body, last, k);
            a = ask_on(fd, "POST", "/v1/answers", body);
            assert_true(a.status == 200 || answer_is_problem(&a, 429, "too-many-decisions"));
            decisions += a.status == 200 && strstr(a.body, "\"decision\":");
            answer_free(&a);
        }
        json_decref(step);
        json_decref(last);
    }
    close(fd);
    return decisions;
}

static void attacks__forked_tokens_give_few_decisions(void **state)
{
    enum { SESSIONS = 30, TRIES = 45 };
    static const char *const free_forks[] = {demo_model, "--rate", "0", "--forks", "0", NULL};
    static const char *const by_default[] = {demo_model, "--rate", "0", NULL};
    unsigned before, after;
    server s = {0};

    (void)state;
    server_start(&s, free_forks);
    before = collect(&s, SESSIONS, TRIES);
    server_stop(&s);
    s = (server){0};
    server_start(&s, by_default);
    after = collect(&s, SESSIONS, TRIES);
    server_stop(&s);
    print_message("%d sessions forked %d times: %u decisions with --forks 0, %u by default\n", SESSIONS, TRIES, before,
                  after);
    assert_true(before > SESSIONS * TRIES / 2);
    assert_true(after <= SESSIONS * SRV_FORKS);
}

/* ---- the order ---- */

static void attacks__the_order_is_not_for_clients_to_choose(void **state)
{
    static const char *const by_default[] = {demo_model, NULL}, *const free_order[] = {demo_model, "--free-order",
                                                                                       NULL};
    static const char *const *const ways[] = {by_default, free_order};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char body[BODY];
        server s = {0};
        json_t *step;
        answer a;

        server_start(&s, ways[i]);
        step = step_of(ask(&s, "POST", "/v1/sessions", somebody), 200);
        assert_string_not_equal(json_string_value(json_object_get(json_object_get(step, "next"), "name")), "job");
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"job\",\"refuse\":true}",
                 json_string_value(json_object_get(step, "token")));
        a = ask(&s, "POST", "/v1/answers", body);
        assert_true(i == 0 ? answer_is_problem(&a, 409, "attribute-not-asked") : a.status == 200);
        answer_free(&a);
        json_decref(step);
        server_stop(&s);
    }
}

/* ---- time ---- */

/* The log knows steps of time and nothing between them. */
static void attacks__durations_are_told_in_steps(void **state)
{
    const char *const arguments[] = {network_model(), NULL};
    server s = {0};
    unsigned lines = 0;
    char *talk, *line;
    json_t *step;

    (void)state;
    server_start(&s, arguments);
    step = step_of(ask(&s, "POST", "/v1/sessions", somebody), 200);
    for (unsigned k = 0; json_object_get(step, "next"); k++) {
        char body[BODY];

        write_answer(body, step, k);
        json_decref(step);
        step = step_of(ask(&s, "POST", "/v1/answers", body), 200);
    }
    json_decref(step);
    server_stop(&s);
    talk = server_talk(&s);
    for (line = talk; (line = strstr(line, " bytes ")) != NULL; lines++) {
        unsigned long ms = strtoul(line += strlen(" bytes "), &line, 10);

        assert_int_equal(strncmp(line, " ms\n", 4), 0);
        assert_int_equal(ms % SRV_TIME_STEP, 0);
        ms /= SRV_TIME_STEP;
        assert_int_equal(ms & (ms - 1), 0);
    }
    assert_true(lines >= 2);
    assert_null(strstr(talk, " us"));
    free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks__one_token_does_not_keep_the_server_busy),
        cmocka_unit_test(attacks__others_do_not_wait_for_proofs),
        cmocka_unit_test(attacks__forked_tokens_give_few_decisions),
        cmocka_unit_test(attacks__the_order_is_not_for_clients_to_choose),
        cmocka_unit_test(attacks__durations_are_told_in_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

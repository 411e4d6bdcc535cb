/*
 * test_proxy.c -- two replicas behind nginx with the configuration of examples/deploy, restarted and killed in turn while
 * people answer: every session ends, and nobody sees anything but 200 (or 429, and then waits).
 *
 * Also what nginx makes of heads that we refuse: none of them gets through to become two requests.
 *
 * TACIT_TEST_SCALE multiplies the number of people (400, eight at a time) and of restarts and kills (one each); with 25 it
 * takes some minutes.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <signal.h>

#include "keeper.h"

enum { BODY = 8192, PEOPLE = 400, ENDS = 1, CLIENTS = 8, MOST_OTHER = 20 };

/* ---- the proxy ---- */

static pid_t proxy_pid;

/* The example, without TLS and with other ports. */
static void write_configuration(const char *path, int port, const server servers[2])
{
    char *text = read_text(DEPLOY_FOLDER "/nginx.conf"), *rest = text, *line;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file, "daemon off;\nerror_log %s/nginx-error.log crit;\npid %s/nginx.pid;\nevents {}\nhttp {\n",
            scratch_folder(), scratch_folder());
    for (int n = 0; n < 5; n++)
        fprintf(file, "%s_temp_path %s/nginx-%d;\n",
                (const char *const[]){"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}[n], scratch_folder(), n);
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (strstr(line, "listen 443"))
            fprintf(file, "listen 127.0.0.1:%d;\n", port);
        else if (strstr(line, "server 127.0.0.1:8080"))
            fprintf(file, "server 127.0.0.1:%d%s\n", servers[0].port,
                    strchr(line, ' ') ? strstr(line, " max_fails") : "");
        else if (strstr(line, "server 127.0.0.1:8081"))
            fprintf(file, "server 127.0.0.1:%d%s\n", servers[1].port, strstr(line, " max_fails"));
        else if (!strstr(line, "ssl_") && !strstr(line, "error_log"))
            fprintf(file, "%s\n", line);
    }
    fprintf(file, "}\n");
    fclose(file);
    free(text);
}

static bool has_nginx(void)
{
    return system("command -v nginx >/dev/null 2>&1") == 0;
}

/* A port that was free a moment ago: that of a server that has ended. */
static int find_port(void)
{
    server s;
    int port;

    server_start_plain(&s);
    port = s.port;
    server_stop(&s);
    return port;
}

static server start_proxy(const server servers[2])
{
    const char *path = scratch_path("nginx.conf");
    server proxy = {.port = find_port()};
    int fd = -1;

    write_configuration(path, proxy.port, servers);
    proxy_pid = fork();
    assert_true(proxy_pid >= 0);
    if (proxy_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        execlp("nginx", "nginx", "-c", path, "-p", scratch_folder(), "-e", scratch_path("nginx-start.log"),
               (char *)NULL);
        _exit(98);
    }
    for (int i = 0; fd < 0 && i < 2000 && waitpid(proxy_pid, NULL, WNOHANG) == 0; i++) {
        usleep(5000);
        fd = client_try(&proxy);
    }
    if (fd < 0)
        fail_msg("nginx did not start: %s", read_text(scratch_path("nginx-start.log")));
    close(fd);
    return proxy;
}

static void stop_proxy(void)
{
    kill(proxy_pid, SIGTERM);
    waitpid(proxy_pid, NULL, 0);
}

/* ---- people ---- */

/* Shared by all clients. */
typedef struct tally {
    atomic_uint sessions, steps, busy, other;
    atomic_bool over; /* all restarts are made */
} tally;

/* One step over the proxy; whoever is told to wait does. */
static json_t *take_step(const server *proxy, int *fd, tally *t, const char *path, const char *body)
{
    for (;;) {
        answer a;
        int status;
        json_t *step = NULL;

        if (*fd < 0)
            *fd = client_try(proxy);
        a = ask_on(*fd, "POST", path, body);
        status = a.status;
        if (status == 200)
            step = json_loads(a.body, 0, NULL);
        else if (status != 429)
            print_message("%d %s\n", status, a.body ? a.body : "");
        if (status == 0 ||
            (status && answer_header(&a, "Connection") && strcmp(answer_header(&a, "Connection"), "close") == 0)) {
            close(*fd);
            *fd = -1;
        }
        answer_free(&a);
        t->steps++;
        t->busy += status == 429;
        t->other += status != 200 && status != 429;
        if (step || t->other > MOST_OTHER)
            return step;
        usleep(100000);
    }
}

static void run_session(const server *proxy, int *fd, tally *t)
{
    char body[BODY];
    json_t *step = take_step(proxy, fd, t, "/v1/sessions", somebody), *next;

    while (step && (next = json_object_get(step, "next")) != NULL) {
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%s\",\"refuse\":true}",
                 json_string_value(json_object_get(step, "token")), json_string_value(json_object_get(next, "name")));
        json_decref(step);
        step = take_step(proxy, fd, t, "/v1/answers", body);
    }
    t->sessions += step && json_object_get(step, "decision");
    json_decref(step);
}

/* A client is a process; each serves one person after the other until there were enough. */
static void start_clients(pid_t clients[CLIENTS], const server *proxy, tally *t, unsigned people)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        int fd = -1;

        clients[i] = fork();
        assert_true(clients[i] >= 0);
        if (clients[i] > 0)
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while ((t->sessions < people || !t->over) && t->other <= MOST_OTHER)
            run_session(proxy, &fd, t);
        _exit(0);
    }
}

static void end_clients(const pid_t clients[CLIENTS])
{
    for (size_t i = 0; i < CLIENTS; i++) {
        int status = -1;

        assert_int_equal(waitpid(clients[i], &status, 0), clients[i]);
        assert_int_equal(status, 0);
    }
}

static void proxy__nobody_notices_restarts(void **state)
{
    const char *scale_text = getenv("TACIT_TEST_SCALE");
    double scale = scale_text ? strtod(scale_text, NULL) : 1;
    unsigned people = (unsigned)(PEOPLE * scale), ends = (unsigned)(ENDS * scale) * 2;
    const char *key = scratch_file(
        "proxy.key", "\x93\x01\xfe-proxy\x88\x11\x02\x1f\x9a\xcc.key of 32\x80\x81\x82\x83 b\xee", 32, 0600);
    const char *const arguments[] = {demo_model, "--key", key, "--behind-proxy", "--rate", "0", "--drain-seconds", "1",
                                     "--forks",  "0",     NULL};
    server servers[2], proxy;
    pid_t clients[CLIENTS];
    keeper k = {0};
    tally *t;

    (void)state;
    if (!has_nginx()) {
        print_message("skipped: nginx is not installed\n");
        skip();
    }
    t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(t != MAP_FAILED);
    start_keeper(&k, arguments, servers);
    proxy = start_proxy(servers);
    start_clients(clients, &proxy, t, people);
    for (unsigned i = 0; i < ends && t->other <= MOST_OTHER; i++) {
        while (t->sessions < i * (people / ends) && t->other <= MOST_OTHER)
            usleep(1000);
        order_end(&k, i % 2 ? SIGKILL : SIGTERM);
        await_keeper(&k);
    }
    t->over = true;
    end_clients(clients);
    print_message("%u sessions, %u steps, %u restarts, %u kills: %u told to wait, %u other answers\n", t->sessions,
                  t->steps, (ends + 1) / 2, ends / 2, t->busy, t->other);
    assert_int_equal(t->other, 0);
    assert_true(t->sessions >= people);
    stop_proxy();
    end_keeper(&k);
    munmap(t, sizeof(*t));
}

/* A request that closes a connection without an answer made nginx give up both replicas for ten seconds. */
static void proxy__strange_heads_harm_nobody(void **state)
{
    static const char *const heads[] = {
        "GET /v1/model HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n",
        "GET /v1/model HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
        "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\n{}",
        "GET /v1/model HTTP/1.1\nHost: x\n\n",
        "GET http://y/v1/model HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/model HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
    };
    static const char *const arguments[] = {demo_model, "--behind-proxy", NULL};
    char *cookies, *text;
    server servers[2] = {{0}}, proxy;

    (void)state;
    if (!has_nginx()) {
        print_message("skipped: nginx is not installed\n");
        skip();
    }
    cookies = calloc(3000, 1);
    assert_non_null(cookies);
    for (size_t i = 0; i < 300; i++)
        snprintf(cookies + strlen(cookies), 10, "c%zu=1; ", i);
    text = malloc(4000);
    assert_non_null(text);
    snprintf(text, 4000, "GET /v1/model HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n", cookies);
    for (size_t i = 0; i < 2; i++)
        server_start(&servers[i], arguments);
    proxy = start_proxy(servers);
    for (size_t i = 0; i < 10 * (sizeof(heads) / sizeof(*heads) + 1); i++) {
        size_t which = i % (sizeof(heads) / sizeof(*heads) + 1);
        int fd = client_open(&proxy);
        answer a;

        client_say(fd, which == 0 ? text : heads[which - 1]);
        a = client_read(fd, false);
        if (a.status != 200 && a.status != 400 && a.status != 501)
            fail_msg("head %zu: %d", which, a.status);
        answer_free(&a);
        close(fd);
        a = ask(&proxy, "GET", "/v1/model", NULL); /* the next is served */
        assert_int_equal(a.status, 200);
        answer_free(&a);
    }
    stop_proxy();
    for (size_t i = 0; i < 2; i++)
        server_stop(&servers[i]);
    free(cookies);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proxy__strange_heads_harm_nobody),
        cmocka_unit_test(proxy__nobody_notices_restarts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_heads.c -- the same odd heads to this server and to node's: whoever stands in front of us and lets a head through
 * must have seen the same requests in it.
 *
 * Heads are put together from a request that is fine and up to two oddities, by a fixed seed.  Behind each comes a
 * second request.  Where both servers take the first one, both must see as many requests, and the second of ours must be
 * the one that was sent: then both agreed where the first one ended.  A head that only one of them takes is no harm: it is
 * either refused before it reaches us, or by us.  Upgrades are left out: node ends the connection behind them.
 */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver.h"

enum { HEADS = 600, HEAD_ROOM = 4096, ANSWER_ROOM = 65536, PATIENCE = 2000, SHORT = 150 };

/* Answers every request with 200, and says where it listens. */
static const char node_script[] =
    "const server = require('http').createServer((request, response) => {\n"
    "  request.on('error', () => {}).on('data', () => {}).on('end', () => response.end('{}'));\n"
    "});\n"
    "server.keepAliveTimeout = 60000;\n"
    "server.listen(0, '127.0.0.1', () => console.log(server.address().port));\n";

/* ---- heads ---- */

typedef struct head {
    char text[HEAD_ROOM];
    size_t size; /* there may be a NUL inside */
} head;

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void put(head *h, const char *text, size_t size)
{
    assert_true(h->size + size < sizeof(h->text));
    memcpy(h->text + h->size, text, size);
    h->size += size;
    h->text[h->size] = '\0';
}

static void put_text(head *h, const char *text)
{
    put(h, text, strlen(text));
}

#define ODD(text)                                                                                                      \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

/* Lines that stand among those of a request with a body of two bytes. */
static const struct {
    const char *text;
    size_t size;
} oddities[] = {
    ODD(": x\r\n"),
    ODD(" x: y\r\n"),
    ODD("\tx: y\r\n"),
    ODD("x : y\r\n"),
    ODD("x\t: y\r\n"),
    ODD("x: a\r\n b\r\n"),
    ODD("x: a\r\n\tContent-Length: 0\r\n"),
    ODD("x y: z\r\n"),
    ODD("x\r\n"),
    ODD("x: y\n"),
    ODD("x: y\r"),
    ODD("x: y\r\r\n"),
    ODD("x: a\0b\r\n"),
    ODD("x\0: a\r\n"),
    ODD("x: \x01\r\n"),
    ODD("x: \x7f\r\n"),
    ODD("x: \xff\xfe\r\n"),
    ODD("x\xe9: y\r\n"),
    ODD("x(: y\r\n"),
    ODD("x:\r\n"),
    ODD("x:    y   \r\n"),
    ODD("Content-Length: 2\r\n"),
    ODD("Content-Length: 3\r\n"),
    ODD("Content-Length: 0\r\n"),
    ODD("Content-Length: +2\r\n"),
    ODD("Content-Length: 02\r\n"),
    ODD("Content-Length: 2, 2\r\n"),
    ODD("Content-Length: 2,3\r\n"),
    ODD("Content-Length: -1\r\n"),
    ODD("Content-Length: 0x2\r\n"),
    ODD("Content-Length: 2 \r\n"),
    ODD("Content-Length: 2 2\r\n"),
    ODD("Content-Length:\r\n"),
    ODD("Content-Length: 18446744073709551618\r\n"),
    ODD("content-length : 2\r\n"),
    ODD("Content_Length: 7\r\n"),
    ODD("Transfer-Encoding: chunked\r\n"),
    ODD("Transfer-Encoding: identity\r\n"),
    ODD("Transfer-Encoding: gzip, chunked\r\n"),
    ODD("Transfer-Encoding: chunked, chunked\r\n"),
    ODD("Transfer-Encoding: chunked, identity\r\n"),
    ODD("Transfer-Encoding: xchunked\r\n"),
    ODD("Transfer-Encoding: \x0b"
        "chunked\r\n"),
    ODD("Transfer-Encoding : chunked\r\n"),
    ODD("Transfer_Encoding: chunked\r\n"),
    ODD("Transfer-Encoding:\r\n chunked\r\n"),
    ODD("tRANSFER-eNCODING: CHUNKED\r\n"),
    ODD("Connection: close\r\n"),
    ODD("Connection: keep-alive, Content-Length\r\n"),
    ODD("Connection: transfer-encoding\r\n"),
    ODD("Host: other\r\n"),
    ODD("Expect: 100-continue\r\n"),
    ODD("Expect: nothing\r\n"),
    ODD("Trailer: Content-Length\r\n"),
};

static const char *const first_lines[] = {
    "POST /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions HTTP/1.0\r\n",
    "POST  /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions  HTTP/1.1\r\n",
    "POST /v1/sessions\tHTTP/1.1\r\n",
    "POST /v1/sessions HTTP/1.1\n",
    "POST http://localhost/v1/sessions HTTP/1.1\r\n",
    "post /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions HTTP/1.2\r\n",
    "POST /v1/sessions\r\n",
    "\r\nPOST /v1/sessions HTTP/1.1\r\n",
    "POST /v1/sessions HTTP/01.1\r\n",
};

/* How the end of the body is told, and a body; most fit together. */
static const struct {
    const char *line, *body;
} framings[] = {
    {"Content-Length: 2\r\n", "{}"},
    {"Content-Length: 2\r\n", "{}"},
    {"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "2;x=y\r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "02\r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "1\r\n{\r\n1\r\n}\r\n0\r\nContent-Length: 9\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "2\n{}\n0\n\n"},
    {"Transfer-Encoding: chunked\r\n", " 2\r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "2 \r\n{}\r\n0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "2\r\n{}0\r\n\r\n"},
    {"Transfer-Encoding: chunked\r\n", "10000000000000002\r\n{}\r\n0\r\n\r\n"},
    {"", ""},
    {"", "2\r\n{}\r\n0\r\n\r\n"},
    {"Content-Length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n"},
};

static void make_head(head *h, uint64_t *state)
{
    size_t kinds = sizeof(oddities) / sizeof(*oddities), odd = draw(state, 3), where = draw(state, odd + 1);
    size_t framing = draw(state, 2) ? draw(state, 3) : draw(state, sizeof(framings) / sizeof(*framings));

    h->size = 0;
    put_text(h, first_lines[draw(state, 4) ? 0 : draw(state, sizeof(first_lines) / sizeof(*first_lines))]);
    put_text(h, "Host: localhost\r\nContent-Type: application/json\r\n");
    for (size_t i = 0; i <= odd; i++) {
        size_t which = draw(state, kinds);

        if (i == where)
            put_text(h, framings[framing].line);
        else
            put(h, oddities[which].text, oddities[which].size);
    }
    put_text(h, "\r\n");
    put_text(h, framings[framing].body);
}

/* ---- both servers ---- */

typedef struct seen {
    unsigned requests; /* none where the first was refused, and the connection ended with that */
    bool last;         /* there is a second one, which is the one that was sent */
} seen;

/* Everything that a server says to the head and to the request behind it. */
static void exchange(const server *s, const head *h, char answers[ANSWER_ROOM])
{
    static const char behind[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t got = 0;
    int fd = client_open(s);

    client_send(fd, h->text, h->size);
    client_send(fd, behind, sizeof(behind) - 1);
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        ssize_t more;

        /* Who still waits for a body says nothing more: once it was silent for a while, that is the end. */
        if (poll(&waiting, 1, got > 0 ? SHORT : PATIENCE / 4) <= 0)
            break;
        more = recv(fd, answers + got, ANSWER_ROOM - 1 - got, 0);
        if (more <= 0)
            break;
        got += (size_t)more;
    }
    answers[got] = '\0';
    close(fd);
}

static seen look(const char *answers)
{
    unsigned n = 0;
    long first = 0, last = 0;

    for (const char *at = answers; (at = strstr(at, "HTTP/1.1 ")) != NULL; at += 9) {
        long status = strtol(at + 9, NULL, 10);

        if (status <= 100) /* to go on, or no answer but a word about versions */
            continue;
        first = n++ == 0 ? status : first;
        last = status;
    }
    return (seen){n == 1 && first != 200 ? 0 : n, n == 2 && last == 200};
}

static pid_t start_node(server *node)
{
    const char *script = scratch_file("echo.js", node_script, sizeof(node_script) - 1, 0600);
    char line[32] = "";
    int out[2];
    pid_t pid;
    FILE *file;

    assert_int_equal(pipe(out), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        execlp("node", "node", script, (char *)NULL);
        _exit(98);
    }
    close(out[1]);
    file = fdopen(out[0], "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    fclose(file);
    *node = (server){.port = (int)strtol(line, NULL, 10)};
    return pid;
}

static void heads__node_sees_the_same_requests(void **state)
{
    static const char *const arguments[] = {demo_model, "--rate", "0", "--per-address", "0", NULL};
    static char ours[ANSWER_ROOM], theirs[ANSWER_ROOM];
    unsigned both = 0, only_we = 0, only_they = 0, neither = 0;
    uint64_t seed = 14;
    server s = {0}, node;
    pid_t pid;
    head h;

    (void)state;
    if (system("command -v node >/dev/null 2>&1") != 0) {
        print_message("skipped: node is not installed\n");
        skip();
    }
    server_start(&s, arguments);
    pid = start_node(&node);
    for (size_t i = 0; i < HEADS; i++) {
        seen we, they;

        make_head(&h, &seed);
        exchange(&s, &h, ours);
        exchange(&node, &h, theirs);
        we = look(ours);
        they = look(theirs);
        both += we.requests && they.requests;
        only_we += we.requests && !they.requests;
        only_they += !we.requests && they.requests;
        neither += !we.requests && !they.requests;
        if (we.requests && they.requests && (we.requests != they.requests || we.last != they.last))
            fail_msg("head %zu: we see %u requests, node %u:\n%s", i, we.requests, they.requests, h.text);
        assert_true(strlen(ours) > 0 || !they.requests); /* whoever is waited for by others is answered */
    }
    print_message(
        "%d odd heads: %u taken by both, which saw the same requests; %u by us alone, %u by node alone, %u by "
        "neither\n",
        HEADS, both, only_we, only_they, neither);
    assert_true(both >= HEADS / 20 && neither >= HEADS / 20);
    assert_serves(&s);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    server_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads__node_sees_the_same_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

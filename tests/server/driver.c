/*
 * driver.c -- the real program as a server, and a small HTTP client on plain sockets.
 */
#include "driver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

const char demo_model[] = DEMO_FOLDER "/loans.tacit";
const char somebody[] = "{\"public\":{\"region\":\"north\",\"loan_amount\":17250,\"loan_term\":60}}";

enum { PATIENCE = 60, HEAD_ROOM = 65536, PATHS = 128 };

static char folder[DRIVER_PATH];
static pid_t owner; /* of the folder: not a child that fails */

/* ---- files ---- */

static int remove_one(const char *path, const struct stat *about, int what, struct FTW *place)
{
    (void)about;
    (void)what;
    (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    if (getpid() == owner)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_folder(void)
{
    const char *place = getenv("TMPDIR");

    if (!*folder) {
        snprintf(folder, sizeof(folder), "%s/tacit-server-XXXXXX", place && *place ? place : "/tmp");
        if (!mkdtemp(folder)) {
            perror("driver.c");
            abort();
        }
        owner = getpid();
        atexit(remove_folder);
    }
    return folder;
}

const char *scratch_path(const char *name)
{
    static char paths[PATHS][DRIVER_PATH + 64];
    static size_t used;
    char path[sizeof(paths[0])];

    snprintf(path, sizeof(path), "%s/%s", scratch_folder(), name);
    for (size_t i = 0; i < used; i++)
        if (strcmp(paths[i], path) == 0)
            return paths[i];
    assert_true(used < PATHS);
    memcpy(paths[used], path, sizeof(path));
    return paths[used++];
}

const char *scratch_file(const char *name, const void *bytes, size_t size, unsigned mode)
{
    const char *path = scratch_path(name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
    return path;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0, room = 0;

    assert_non_null(file);
    do {
        text = realloc(text, room += 65536);
        assert_non_null(text);
        size += fread(text + size, 1, room - size - 1, file);
    } while (size + 1 == room);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* ---- the server ---- */

static void become_tacit(const char *const *arguments, const char *out)
{
    int fd = open(out ? out : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int nothing = open("/dev/null", O_RDONLY);

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves no server behind */
    if (fd < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(99);
    close(fd);
    execv(TACIT_PROGRAM, (char *const *)(uintptr_t)arguments);
    _exit(98);
}

static pid_t launch(const char *const *arguments, const char *out)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        become_tacit(arguments, out);
    return pid;
}

static void rest(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};

    nanosleep(&time, NULL);
}

/* The port in the line "listening on http://HOST:PORT/", once it is there whole; 0: not yet. */
static int find_port(const char *talk)
{
    const char *line = strstr(talk, "listening on http"), *slash, *colon;

    if (!line || !strchr(line, '\n'))
        return 0;
    slash = strchr(strstr(line, "//") + 2, '/');
    colon = slash;
    while (*colon != ':')
        colon--;
    return (int)strtol(colon + 1, NULL, 10);
}

void server_start(server *s, const char *const *arguments)
{
    static unsigned number;
    const char *words[DRIVER_ARGUMENTS] = {TACIT_PROGRAM, "serve"};
    char name[32], place[64];
    size_t n = 2;

    while (*arguments && n < DRIVER_ARGUMENTS - 3)
        words[n++] = *arguments++;
    snprintf(place, sizeof(place), "%s:%d", s->host ? s->host : "127.0.0.1", s->wanted_port);
    words[n++] = "--listen";
    words[n++] = place;
    snprintf(name, sizeof(name), "talk-%ld-%u", (long)getpid(), number++); /* keepers start servers, too */
    snprintf(s->talk, sizeof(s->talk), "%s", scratch_path(name));
    s->port = 0;
    s->pid = launch(words, s->talk);
    for (int i = 0; s->port == 0; i++) {
        char *talk;
        int status;

        rest(5);
        talk = access(s->talk, R_OK) == 0 ? server_talk(s) : NULL;
        s->port = talk ? find_port(talk) : 0;
        if (s->port == 0 && (waitpid(s->pid, &status, WNOHANG) == s->pid || i > PATIENCE * 200))
            fail_msg("the server did not start: %s", talk ? talk : "");
        free(talk);
    }
}

void server_start_plain(server *s)
{
    static const char *const arguments[] = {demo_model, NULL};

    *s = (server){0};
    server_start(s, arguments);
}

/* A port that was free a moment ago. */
static int find_free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    close(fd);
    return ntohs(address.sin_port);
}

void server_start_mute(server *s)
{
    char place[64];
    const char *const words[] = {TACIT_PROGRAM, "serve", demo_model, "--listen", place, NULL};
    int fd = -1;

    *s = (server){.port = find_free_port()};
    snprintf(place, sizeof(place), "127.0.0.1:%d", s->port);
    s->pid = fork();
    assert_true(s->pid >= 0);
    if (s->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
            close(file);
        execv(TACIT_PROGRAM, (char *const *)(uintptr_t)words);
        _exit(98);
    }
    for (int i = 0; fd < 0 && i < PATIENCE * 200; i++) {
        rest(5);
        fd = client_try(s);
    }
    assert_true(fd >= 0);
    close(fd);
}

int server_end(server *s, int signal)
{
    int status = 0;

    kill(s->pid, signal);
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    s->pid = 0;
    return status;
}

void server_stop(server *s)
{
    int status = server_end(s, SIGTERM);
    char *talk = server_talk(s);

    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || strstr(talk, "Sanitizer"))
        fail_msg("the server ended with %x: %s", (unsigned)status, talk);
    free(talk);
}

char *server_talk(const server *s)
{
    return read_text(s->talk);
}

pid_t launch_tacit(const char *const *arguments, const char *out)
{
    const char *words[DRIVER_ARGUMENTS] = {TACIT_PROGRAM};

    for (size_t n = 1; *arguments && n < DRIVER_ARGUMENTS - 1; n++)
        words[n] = *arguments++;
    return launch(words, out);
}

int run_tacit(const char *const *arguments, const char *out)
{
    int status = 0;
    pid_t pid = launch_tacit(arguments, out);

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

bool run_shell(const char *format, ...)
{
    char command[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof(command), format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

/* ---- the client ---- */

static int open_socket(const server *s)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)s->port)};
    struct timeval patience = {.tv_sec = PATIENCE};
    int fd = socket(s->six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    int failed;

    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    six.sin6_addr = in6addr_loopback;
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    failed = s->six ? connect(fd, (const struct sockaddr *)&six, sizeof(six))
                    : connect(fd, (const struct sockaddr *)&four, sizeof(four));
    if (failed) {
        close(fd);
        return -1;
    }
    return fd;
}

int client_try(const server *s)
{
    return open_socket(s);
}

int client_open(const server *s)
{
    int fd = open_socket(s);

    if (fd < 0)
        fail_msg("cannot connect: %s", strerror(errno));
    return fd;
}

bool client_send(int fd, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        from += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool client_say(int fd, const char *text)
{
    return client_send(fd, text, strlen(text));
}

/* Up to the empty line; false: closed before it. */
static bool read_head(int fd, char *head)
{
    size_t size = 0;

    while (size + 1 < HEAD_ROOM) {
        ssize_t got = recv(fd, head + size, 1, 0);

        if (got <= 0) {
            if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
                fail_msg("no answer");
            break;
        }
        head[++size] = '\0';
        if (size >= 4 && memcmp(head + size - 4, "\r\n\r\n", 4) == 0)
            return true;
    }
    head[size] = '\0';
    return false;
}

answer client_read(int fd, bool head_only)
{
    answer a = {.head = calloc(1, HEAD_ROOM)};
    const char *length;

    assert_non_null(a.head);
    if (!read_head(fd, a.head))
        return a;
    a.status = (int)strtol(a.head + 9, NULL, 10);
    length = answer_header(&a, "Content-Length");
    a.size = length ? strtoul(length, NULL, 10) : 0;
    a.has_body = !head_only;
    a.body = calloc(1, a.size + 1);
    assert_non_null(a.body);
    for (size_t got = 0; !head_only && got < a.size;) {
        ssize_t some = recv(fd, a.body + got, a.size - got, 0);

        if (some <= 0)
            fail_msg("the body is cut off");
        got += (size_t)some;
    }
    return a;
}

bool client_closed(int fd)
{
    char byte;
    ssize_t got = recv(fd, &byte, 1, 0);

    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        fail_msg("the connection is still open");
    return got <= 0;
}

void answer_free(answer *a)
{
    free(a->head);
    free(a->body);
    *a = (answer){0};
}

const char *answer_header(const answer *a, const char *name)
{
    static char value[4096];
    size_t size = strlen(name);
    const char *line = a->head;

    while (line && (line = strchr(line, '\n')) != NULL) {
        line++;
        if (strncasecmp(line, name, size) == 0 && line[size] == ':') {
            snprintf(value, sizeof(value), "%.*s", (int)strcspn(line + size + 2, "\r\n"), line + size + 2);
            return value;
        }
    }
    return NULL;
}

bool answer_is_problem(const answer *a, int status, const char *code)
{
    const char *type = answer_header(a, "Content-Type");
    char member[128];

    snprintf(member, sizeof(member), "\"code\":\"%s\"", code);
    if (a->status == status && type && strcmp(type, "application/problem+json") == 0 && strstr(a->body, member))
        return true;
    print_error("expected %d %s, found:\n%s%s\n", status, code, a->head, a->body ? a->body : "");
    return false;
}

char *answer_token(const answer *a)
{
    const char *start = strstr(a->body, "\"token\":\"");
    char *token;

    assert_non_null(start);
    start += strlen("\"token\":\"");
    token = strndup(start, strcspn(start, "\""));
    assert_non_null(token);
    return token;
}

answer ask_on(int fd, const char *method, const char *path, const char *body)
{
    size_t room = strlen(path) + (body ? strlen(body) : 0) + 512;
    char *text = malloc(room);
    answer a;

    assert_non_null(text);
    if (body)
        snprintf(text, room,
                 "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 method, path, strlen(body), body);
    else
        snprintf(text, room, "%s %s HTTP/1.1\r\nHost: localhost\r\n\r\n", method, path);
    client_say(fd, text);
    free(text);
    a = client_read(fd, strcmp(method, "HEAD") == 0);
    return a;
}

answer ask(const server *s, const char *method, const char *path, const char *body)
{
    int fd = client_open(s);
    answer a = ask_on(fd, method, path, body);

    close(fd);
    return a;
}

answer ask_text(const server *s, const char *text)
{
    int fd = client_open(s);
    answer a;

    client_say(fd, text);
    a = client_read(fd, false);
    close(fd);
    return a;
}

void assert_serves(const server *s)
{
    answer a = ask(s, "GET", "/healthz", NULL);

    assert_int_equal(a.status, 200);
    assert_string_equal(a.body, "ok\n");
    answer_free(&a);
}

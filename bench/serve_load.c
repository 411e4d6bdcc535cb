/*
 * serve_load.c -- a bounded HTTP client on epoll.
 */
#include "serve_load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A request has room for two lines. */
enum { REPLY_ROOM = 262144, LINE = 65536, COLUMNS = 1024, EVENTS = 256, DRIP_MILLISECONDS = 200 };

typedef struct client {
    int fd;
    bool slow;
    size_t which; /* recorded request under way */
    size_t sent;
    double since;
    char *reply; /* REPLY_ROOM, shared where answers are read in one go */
    size_t got, expected;
} client;

double clock_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void give_up(const char *what)
{
    fprintf(stderr, "bench_serve: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *get_memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);

    if (!block)
        give_up("memory");
    return block;
}

double process_rss(pid_t pid)
{
    char path[64], line[256];
    double kib = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    if (!file)
        give_up(path);
    while (fgets(line, sizeof(line), file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtod(line + 6, NULL);
    fclose(file);
    return kib / 1024;
}

double process_cpu(pid_t pid)
{
    char path[64], line[1024] = "";
    const char *rest;
    unsigned long user = 0, system = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (!file || !fgets(line, sizeof(line), file))
        give_up(path);
    fclose(file);
    rest = strrchr(line, ')'); /* of the name; the times are 12 and 13 fields further on */
    if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        give_up("the times of a process");
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* ---- recordings ---- */

void recording_add(recording *r, const char *request, size_t size)
{
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->requests = realloc(r->requests, r->room * sizeof(*r->requests));
        r->sizes = realloc(r->sizes, r->room * sizeof(*r->sizes));
        if (!r->requests || !r->sizes)
            give_up("memory");
    }
    r->requests[r->count] = get_memory(size, 1);
    memcpy(r->requests[r->count], request, size);
    r->sizes[r->count++] = size;
}

void recording_free(recording *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->requests[i]);
    free(r->requests);
    free(r->sizes);
    free(r->is_public);
    free(r->firsts);
    *r = (recording){0};
}

static int open_connection(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof(to)))
        give_up("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

/* Bytes of the whole answer, once its head is there; 0: not yet. */
static size_t whole_size(const char *reply, size_t got)
{
    const char *end = memmem(reply, got, "\r\n\r\n", 4);
    const char *length = end ? memmem(reply, got, "Content-Length: ", 16) : NULL;

    return length ? (size_t)(end + 4 - reply) + strtoul(length + 16, NULL, 10) : 0;
}

/* One request and its answer, the slow way; the terminated body. */
static const char *exchange(int fd, const char *request, size_t size, char *reply, size_t *body_size)
{
    size_t got = 0, whole = 0;

    if (send(fd, request, size, MSG_NOSIGNAL) != (ssize_t)size)
        give_up("send");
    while (whole == 0 || got < whole) {
        ssize_t some = recv(fd, reply + got, REPLY_ROOM - 1 - got, 0);

        if (some <= 0)
            give_up("recv");
        got += (size_t)some;
        reply[got] = '\0';
        whole = whole_size(reply, got);
    }
    if (strncmp(reply, "HTTP/1.1 200", 12) != 0) {
        fprintf(stderr, "%s\n", reply);
        give_up("an answer other than 200");
    }
    *body_size = got - (size_t)(strstr(reply, "\r\n\r\n") + 4 - reply);
    return strstr(reply, "\r\n\r\n") + 4;
}

/* The text of the member that starts with `start`, e.g. "\"token\":\"", cut out of a JSON text; false: not there. */
static bool cut_out(const char *json, const char *start, char *out, size_t room)
{
    const char *at = strstr(json, start);
    size_t size;

    if (!at)
        return false;
    at += strlen(start);
    size = strcspn(at, "\"");
    if (size >= room)
        give_up("a text that is too long");
    memcpy(out, at, size);
    out[size] = '\0';
    return true;
}

static size_t split_line(char *line, char **cells)
{
    char *rest = line;
    size_t n = 0;

    line[strcspn(line, "\r\n")] = '\0';
    while (rest && n < COLUMNS)
        cells[n++] = strsep(&rest, ",");
    return n;
}

static size_t write_request(char *out, const recording *r, const char *path, const char *body)
{
    int size = snprintf(out, 2 * LINE,
                        "POST %s%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n%s",
                        r->base ? r->base : "", path, strlen(body), body);

    return (size_t)size;
}

/* A cell as a JSON value. */
static size_t write_value(char *out, size_t room, const char *cell)
{
    if (strlen(cell) > 1000)
        give_up("a cell that is too long");
    return (size_t)snprintf(out, room, *cell ? "\"%s\"" : "null", cell);
}

/* What the page sends at first: everything public. */
static void write_start(char *body, size_t room, const recording *r, char **names, char **cells, size_t n)
{
    size_t size = (size_t)snprintf(body, room, "{\"receipt\":%s,\"public\":{", r->receipts ? "true" : "false"),
           count = 0;

    for (size_t i = 0; i < n; i++)
        if (r->is_public[i] && size < room - 4096) {
            size += (size_t)snprintf(body + size, room - size, "%s\"%s\":", count++ ? "," : "", names[i]);
            size += write_value(body + size, room - size, cells[i]);
        }
    snprintf(body + size, room - size, "}}");
}

/* Which columns are public attributes, by what the server says of its model. */
static void find_public(recording *r, int fd, char **names, size_t n)
{
    static char reply[REPLY_ROOM], start[1100], request[1100];
    size_t body_size;
    const char *json;

    snprintf(request, sizeof(request), "GET %.1000s/v1/model HTTP/1.1\r\nHost: localhost\r\n\r\n",
             r->base ? r->base : "");
    json = exchange(fd, request, strlen(request), reply, &body_size);
    r->is_public = get_memory(n, sizeof(*r->is_public));
    for (size_t i = 0; i < n; i++) {
        snprintf(start, sizeof(start), "{\"name\":\"%.1000s\",\"role\":\"public\"", names[i]);
        r->is_public[i] = strstr(json, start) != NULL;
    }
}

/* One person from the first question to the decision. */
static void record_person(recording *r, int fd, char **names, char **cells, size_t n, double *bytes)
{
    static char request[2 * LINE], reply[REPLY_ROOM], body[LINE + LINE / 2], token[LINE], name[1024], value[1024];
    size_t size, body_size;
    const char *json;

    write_start(body, sizeof(body), r, names, cells, n);
    size = write_request(request, r, "/v1/sessions", body);
    json = exchange(fd, request, size, reply, &body_size);
    recording_add(r, request, size);
    *bytes += (double)body_size;
    while (strstr(json, "\"status\":\"open\"") && cut_out(json, "\"token\":\"", token, sizeof(token)) &&
           cut_out(json, "\"next\":{\"name\":\"", name, sizeof(name))) {
        const char *cell = "";

        for (size_t i = 0; i < n; i++)
            if (strcmp(names[i], name) == 0)
                cell = cells[i];
        write_value(value, sizeof(value), cell);
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%s\",\"value\":%s,\"receipt\":%s}", token, name,
                 value, r->receipts ? "true" : "false");
        size = write_request(request, r, "/v1/answers", body);
        json = exchange(fd, request, size, reply, &body_size);
        recording_add(r, request, size);
        *bytes += (double)body_size;
    }
}

void record_people(recording *r, int port, const char *csv, size_t people)
{
    static char header[LINE], line[LINE];
    static char *names[COLUMNS], *cells[COLUMNS];
    FILE *file = fopen(csv, "r");
    int fd = open_connection(port);
    double bytes = 0, sent = 0;
    size_t n;

    if (!file || !fgets(header, sizeof(header), file))
        give_up(csv);
    n = split_line(header, names);
    find_public(r, fd, names, n);
    r->firsts = get_memory(people, sizeof(*r->firsts));
    for (size_t i = 0; i < people && fgets(line, sizeof(line), file); i++)
        if (split_line(line, cells) == n) {
            r->firsts[r->people++] = r->count;
            record_person(r, fd, names, cells, n, &bytes);
        }
    fclose(file);
    close(fd);
    for (size_t i = 0; i < r->count; i++)
        sent += (double)r->sizes[i];
    r->reply_bytes = bytes / (double)r->count;
    r->request_bytes = sent / (double)r->count;
}

size_t replay_person(const recording *r, int port, size_t person, double *times)
{
    static char reply[REPLY_ROOM];
    size_t first = r->firsts[person], end = person + 1 < r->people ? r->firsts[person + 1] : r->count, size;
    int fd = open_connection(port);

    for (size_t i = first; i < end; i++) {
        double start = clock_seconds();

        exchange(fd, r->requests[i], r->sizes[i], reply, &size);
        times[i - first] = 1000 * (clock_seconds() - start);
    }
    close(fd);
    return end - first;
}

/* ---- load ---- */

typedef struct running {
    const load *l;
    int poll;
    client *clients;
    size_t begun, done;
    float *times; /* milliseconds, one for each step */
    load_result result;
} running;

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static void watch(running *run, client *c)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

    if (fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK) || epoll_ctl(run->poll, EPOLL_CTL_ADD, c->fd, &event))
        give_up("epoll");
}

/* The socket's buffer is larger than any request, and empty: one call sends all of it. */
static void send_next(running *run, client *c)
{
    const recording *what = run->l->what;

    if (run->begun == run->l->steps)
        return;
    c->which = run->begun++ % what->count;
    c->got = c->expected = 0;
    c->since = clock_seconds();
    if (send(c->fd, what->requests[c->which], what->sizes[c->which], MSG_NOSIGNAL) != (ssize_t)what->sizes[c->which])
        give_up("send");
}

static void finish_step(running *run, client *c)
{
    run->times[run->done++] = (float)(1000 * (clock_seconds() - c->since));
    if (memcmp(c->reply, "HTTP/1.1 200", 12) != 0)
        run->result.failed++;
    if (run->l->report && run->done % run->l->every == 0)
        run->l->report(run->l->context, run->done);
    send_next(run, c);
}

static void open_client(running *run, client *c)
{
    c->fd = open_connection(run->l->port);
    c->sent = 0;
    watch(run, c);
}

static void hear_client(running *run, client *c)
{
    ssize_t got = recv(c->fd, c->reply + c->got, REPLY_ROOM - 1 - c->got, 0);

    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    if (got <= 0 || c->slow) { /* ended: a slow one comes back, for the others that is a failure */
        close(c->fd);
        if (c->slow)
            run->result.slow_ended++;
        else
            run->result.failed++;
        open_client(run, c);
        if (!c->slow) {
            run->begun--;
            send_next(run, c);
        }
        return;
    }
    c->got += (size_t)got;
    if (c->expected == 0)
        c->expected = whole_size(c->reply, c->got);
    if (c->expected > 0 && c->got >= c->expected)
        finish_step(run, c);
}

/* Another byte from every slow client. */
static void drip(running *run)
{
    static const char start[] = "POST /v1/answers HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

    for (size_t i = 0; i < run->l->slow; i++) {
        client *c = &run->clients[run->l->connections + i];
        bool begins = c->sent == 0;

        if (send(c->fd, begins ? start : "x", begins ? sizeof(start) - 1 : 1, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
            c->sent++;
    }
}

static void loop(running *run)
{
    struct epoll_event events[EVENTS];
    int patience = run->l->awake ? 0 : run->l->slow ? DRIP_MILLISECONDS : 10000;
    double dripped = 0;

    while (run->done < run->l->steps) {
        int n = epoll_wait(run->poll, events, EVENTS, patience);

        if (n == 0 && !run->l->slow && !run->l->awake)
            give_up("no answer for ten seconds");
        for (int i = 0; i < n; i++)
            hear_client(run, events[i].data.ptr);
        if (run->l->slow && clock_seconds() - dripped > DRIP_MILLISECONDS / 1000.0) {
            drip(run);
            dripped = clock_seconds();
        }
    }
}

load_result run_load(const load *l)
{
    running run = {.l = l, .poll = epoll_create1(EPOLL_CLOEXEC)};
    size_t all = l->connections + l->slow;
    double start;

    run.clients = get_memory(all, sizeof(*run.clients));
    run.times = get_memory(l->steps, sizeof(*run.times));
    for (size_t i = 0; i < all; i++) {
        client *c = &run.clients[i];

        c->slow = i >= l->connections;
        c->reply = get_memory(c->slow ? REPLY_ROOM / 64 : REPLY_ROOM, 1);
        open_client(&run, c);
    }
    start = clock_seconds();
    if (l->slow)
        drip(&run);
    for (size_t i = 0; i < l->connections; i++)
        send_next(&run, &run.clients[i]);
    loop(&run);
    run.result.seconds = clock_seconds() - start;
    run.result.per_second = (double)l->steps / run.result.seconds;
    qsort(run.times, l->steps, sizeof(*run.times), compare_times);
    run.result.p50 = run.times[l->steps / 2];
    run.result.p99 = run.times[l->steps - 1 - l->steps / 100];
    run.result.worst = run.times[l->steps - 1];
    for (size_t i = 0; i < all; i++) {
        close(run.clients[i].fd);
        free(run.clients[i].reply);
    }
    close(run.poll);
    free(run.clients);
    free(run.times);
    return run.result;
}

/* ---- many connections ---- */

/* A request on each of them, one after the other; answers 200. */
static size_t use_all(const int *sockets, size_t n, const recording *what, char *reply, float *times)
{
    size_t fine = 0, size;

    for (size_t i = 0; i < n; i++) {
        double start = clock_seconds();

        exchange(sockets[i], what->requests[i % what->count], what->sizes[i % what->count], reply, &size);
        times[i] = (float)(1000 * (clock_seconds() - start));
        fine++;
    }
    return fine;
}

crowd_result run_crowd(int port, size_t connections, const recording *what, pid_t server, double *rss)
{
    int *sockets = get_memory(connections, sizeof(*sockets));
    float *times = get_memory(connections, sizeof(*times));
    char *reply = get_memory(REPLY_ROOM, 1);
    crowd_result result = {0};
    double start = clock_seconds();

    for (size_t i = 0; i < connections; i++)
        sockets[i] = open_connection(port);
    result.open = connections;
    result.first = use_all(sockets, connections, what, reply, times);
    result.open_seconds = clock_seconds() - start;
    start = clock_seconds();
    result.second = use_all(sockets, connections, what, reply, times);
    result.second_seconds = clock_seconds() - start;
    *rss = process_rss(server);
    qsort(times, connections, sizeof(*times), compare_times);
    result.p99 = times[connections - 1 - connections / 100];
    for (size_t i = 0; i < connections; i++)
        close(sockets[i]);
    free(sockets);
    free(times);
    free(reply);
    return result;
}

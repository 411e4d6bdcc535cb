/*
 * http_listen.c -- where to listen: an address and a port, or a socket in the file system.
 */
#include <errno.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"

enum { WAITING = 1024, SOCKET_MODE = 0660 /* the user, and the group that the proxy is in */ };

/* Split "HOST:PORT" or "[HOST]:PORT". */
static tacit_status split_place(const char *option, const char *place, char *host, size_t host_room, char *port,
                                size_t port_room, tacit_error *err)
{
    const char *colon = strrchr(place, ':');
    const char *from = place;
    size_t size = colon ? (size_t)(colon - place) : 0;
    size_t digits = colon ? strlen(colon + 1) : 0;

    if (size >= 2 && place[0] == '[' && colon[-1] == ']') {
        from++;
        size -= 2;
    } else if (memchr(place, ':', size)) {
        size = 0; /* an IPv6 address without brackets could mean anything */
    }
    if (size == 0 || size >= host_room || digits == 0 || digits >= port_room ||
        strspn(colon + 1, "0123456789") != digits || strtoul(colon + 1, NULL, 10) > UINT16_MAX)
        return tct_fail(err, TACIT_E_USAGE,
                        "%s: expected HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080, or unix:PATH", option);
    memcpy(host, from, size);
    host[size] = '\0';
    memcpy(port, colon + 1, digits + 1);
    return TACIT_OK;
}

static int open_socket(const struct addrinfo *where)
{
    int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, saved;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, WAITING) == 0)
        return fd;
    saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        struct sockaddr_in in;

        memcpy(&in, address, sizeof(in));
        return ntohl(in.sin_addr.s_addr) >> 24 == 127;
    } else {
        struct sockaddr_in6 in;

        memcpy(&in, address, sizeof(in));
        return IN6_IS_ADDR_LOOPBACK(&in.sin6_addr);
    }
}

/* Port 0 became a real one: ask. */
static void tell_url(srv_listener *l, bool tls)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof(address);
    char host[INET6_ADDRSTRLEN] = "", port[8] = "";
    bool six;

    memset(&address, 0, sizeof(address));
    getsockname(l->socket, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
    six = address.ss_family == AF_INET6;
    snprintf(l->url, sizeof(l->url), "%s://%s%s%s:%s/", tls ? "https" : "http", six ? "[" : "", host, six ? "]" : "",
             port);
    l->local = is_loopback(&address);
}

/* A socket that was left behind is replaced; one that somebody listens on, or a file that is none, is not.  Who may connect
 * does not depend on the umask; nobody can before listen(). */
static tacit_status listen_in_files(srv_listener *l, const char *option, const char *path, tacit_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat about;
    int probe;
    bool taken;

    if (strlen(path) >= sizeof(address.sun_path) || strlen(path) + 8 > sizeof(l->url))
        return tct_fail(err, TACIT_E_USAGE, "%s: the path of a socket may have %zu bytes", option,
                        sizeof(address.sun_path) - 1);
    memcpy(address.sun_path, path, strlen(path));
    probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    taken = probe >= 0 && connect(probe, (const struct sockaddr *)&address, sizeof(address)) == 0;
    if (probe >= 0)
        close(probe);
    if (!taken && lstat(path, &about) == 0 && S_ISSOCK(about.st_mode))
        unlink(path);
    l->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (taken)
        errno = EADDRINUSE;
    if (l->socket < 0 || taken || bind(l->socket, (const struct sockaddr *)&address, sizeof(address)) ||
        chmod(path, SOCKET_MODE) || listen(l->socket, WAITING))
        return tct_fail(err, TACIT_E_IO, "cannot listen on %s: %s", path, strerror(errno));
    snprintf(l->url, sizeof(l->url), "unix:%s", path);
    return TACIT_OK;
}

static tacit_status listen_on_port(srv_listener *l, const char *option, const char *place, bool tls, tacit_error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char host[256], port[8];
    tacit_status status = split_place(option, place, host, sizeof(host), port, sizeof(port), err);
    int problem;

    if (status)
        return status;
    problem = getaddrinfo(host, port, &hints, &found);
    if (problem)
        return tct_fail(err, TACIT_E_INPUT, "%s %s: %s", option, place, gai_strerror(problem));
    for (const struct addrinfo *one = found; one && l->socket < 0; one = one->ai_next)
        l->socket = open_socket(one); /* "localhost" has two addresses, and a machine without IPv6 only one of them */
    if (l->socket < 0)
        status = tct_fail(err, TACIT_E_IO, "cannot listen on %s: %s", place, strerror(errno));
    else
        tell_url(l, tls);
    freeaddrinfo(found);
    return status;
}

tacit_status srv_listen(srv_listener *l, const char *option, const char *place, bool tls, tacit_error *err)
{
    if (strncmp(place, "unix:", 5) == 0)
        return listen_in_files(l, option, place + 5, err);
    return listen_on_port(l, option, place, tls, err);
}

void srv_listener_shut(srv_listener *l)
{
    struct sock_filter nothing[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog program = {.len = 1, .filter = nothing};

    if (l->socket >= 0) /* where that cannot be done, a client that comes in the next moment is reset */
        setsockopt(l->socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

void srv_listener_close(srv_listener *l)
{
    if (l->socket < 0)
        return;
    close(l->socket);
    l->socket = -1;
    if (strncmp(l->url, "unix:", 5) == 0)
        unlink(l->url + 5);
}

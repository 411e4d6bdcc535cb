/*
 * http_listen.c -- where to listen, and with which certificate.  Sockets are made here and not by the library, which
 * would only say that it did not work.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "http_inner.h"

enum { WAITING = 1024, PEM_BYTES = 1024 * 1024 };

/* Split "HOST:PORT" or "[HOST]:PORT". */
static tacit_status split_place(const char *place, char *host, size_t host_room, char *port, size_t port_room,
                                tacit_error *err)
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
        return tct_fail(err, TACIT_E_USAGE, "--listen: expected HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080");
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
static void tell_url(int fd, bool tls, char *url, size_t size, bool *local)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof(address);
    char host[INET6_ADDRSTRLEN] = "", port[8] = "";
    bool six;

    memset(&address, 0, sizeof(address));
    getsockname(fd, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
    six = address.ss_family == AF_INET6;
    snprintf(url, size, "%s://%s%s%s:%s/", tls ? "https" : "http", six ? "[" : "", host, six ? "]" : "", port);
    *local = is_loopback(&address);
}

tacit_status srv_listen(int *out, const char *place, bool tls, char *url, size_t size, bool *local, tacit_error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char host[256], port[8];
    tacit_status status = split_place(place, host, sizeof(host), port, sizeof(port), err);
    int problem;

    *out = -1;
    if (status)
        return status;
    problem = getaddrinfo(host, port, &hints, &found);
    if (problem)
        return tct_fail(err, TACIT_E_INPUT, "--listen %s: %s", place, gai_strerror(problem));
    for (const struct addrinfo *one = found; one && *out < 0; one = one->ai_next)
        *out = open_socket(one); /* "localhost" has two addresses, and a machine without IPv6 only one of them */
    if (*out < 0)
        status = tct_fail(err, TACIT_E_IO, "cannot listen on %s: %s", place, strerror(errno));
    else
        tell_url(*out, tls, url, size, local);
    freeaddrinfo(found);
    return status;
}

static tacit_status read_pem(char **out, size_t *size, const char *path, const char *mark, const char *what,
                             tacit_error *err)
{
    tacit_status status = tct_file_read(out, size, path, PEM_BYTES, err);

    if (!status && (memchr(*out, '\0', *size) || !strstr(*out, mark)))
        status = tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL, "expected %s in PEM format", what);
    return status;
}

tacit_status srv_tls_read(srv_tls *out, const char *cert, const char *key, tacit_error *err)
{
    tacit_status status;

    memset(out, 0, sizeof(*out));
    status = read_pem(&out->cert, &out->cert_size, cert, "-----BEGIN CERTIFICATE-----", "a certificate", err);
    if (!status)
        status = read_pem(&out->key, &out->key_size, key, "PRIVATE KEY-----", "a private key", err);
    if (status)
        srv_tls_clear(out);
    return status;
}

void srv_tls_clear(srv_tls *tls)
{
    tct_free(tls->cert);
    tct_free_wiped(tls->key, tls->key_size);
    memset(tls, 0, sizeof(*tls));
}

/*
 * http_head.c -- heads of requests that are not answered, whatever they ask for.
 *
 * Where a proxy and we could disagree about where a request ends, somebody could hide another one inside it: such heads
 * are refused and the connection closed.  And the owner of any site can let its name point to 127.0.0.1, which makes
 * its pages ours in the eyes of a browser: a server that only this machine can reach answers to names of this machine
 * only.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http_inner.h"

/* What is found on the way through the headers. */
typedef struct finds {
    srv_head *head;
    size_t hosts, lengths, codings;
    bool strange_name, strange_coding;
} finds;

/* What the name of a header is made of (RFC 9110): bit c of the words for a character c. */
static const uint64_t token_bits[4] = {
    /* ! # $ % & ' * + - . 0 ... 9 */ 0x03ff6cfa00000000,
    /* A ... Z ^ _ ` a ... z | ~ */ 0x57ffffffc7fffffe,
};

static bool is_token(const char *text, size_t size)
{
    uint64_t good = size > 0;

    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];

        good &= token_bits[c / 64] >> c % 64;
    }
    return good & 1;
}

/* Is it the header called `whole`? */
static bool is_called(const char *name, size_t size, const char *whole, size_t whole_size)
{
    return size == whole_size && strncasecmp(name, whole, whole_size) == 0;
}

/* The library takes a line that was folded for a part of the header's name. */
static bool is_folded(const char *name, size_t size, const char *whole, size_t whole_size)
{
    return size > whole_size && strncasecmp(name, whole, whole_size) == 0;
}

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size,
                            const char *value, size_t value_size)
{
    static const char host[] = "Host", length[] = "Content-Length", coding[] = "Transfer-Encoding";
    static const char type[] = "Content-Type", expect[] = "Expect", forwarded[] = "X-Forwarded-For";
    finds *f = context;

    (void)kind;
    (void)value_size;
    f->strange_name = f->strange_name || !is_token(name, name_size) ||
                      is_folded(name, name_size, length, sizeof(length) - 1) ||
                      is_folded(name, name_size, coding, sizeof(coding) - 1);
    if (is_called(name, name_size, host, sizeof(host) - 1)) {
        f->hosts++;
        f->head->host = value;
    } else if (is_called(name, name_size, length, sizeof(length) - 1)) {
        f->lengths++;
        f->head->length = value ? strtoull(value, NULL, 10) : 0;
    } else if (is_called(name, name_size, coding, sizeof(coding) - 1)) {
        f->codings++;
        f->strange_coding = !value || strcasecmp(value, "chunked") != 0;
    } else if (is_called(name, name_size, type, sizeof(type) - 1)) {
        f->head->type = value;
    } else if (is_called(name, name_size, expect, sizeof(expect) - 1)) {
        f->head->expects = true;
    } else if (is_called(name, name_size, forwarded, sizeof(forwarded) - 1)) {
        f->head->forwarded = value;
    }
    return MHD_YES;
}

static const char *find_fault(const finds *f, const char *version)
{
    if (f->strange_name)
        return "the name of a header without blanks and other strange characters";
    if (f->hosts > 1)
        return "one Host";
    if (f->lengths > 1)
        return "one Content-Length";
    if (f->codings > 1 || f->strange_coding)
        return "chunked as the only Transfer-Encoding";
    if (f->codings > 0 && f->lengths > 0)
        return "Content-Length or Transfer-Encoding, not both";
    if (f->codings > 0 && strcmp(version, "HTTP/1.1") != 0)
        return "no Transfer-Encoding before HTTP/1.1";
    return NULL;
}

void srv_head_read(srv_head *head, struct MHD_Connection *connection, const char *version)
{
    const union MHD_ConnectionInfo *size = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    finds f = {.head = head};

    *head = (srv_head){.size = size ? size->header_size : 0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, look, &f);
    head->chunked = f.codings > 0;
    head->fault = find_fault(&f, version);
}

/* An address, "localhost", or a name below it; without port and brackets. */
static bool is_local_name(const char *name)
{
    static const char local[] = ".localhost";
    size_t size = strlen(name), tail = sizeof(local) - 1;
    unsigned char address[sizeof(struct in6_addr)];

    return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1 ||
           strcasecmp(name, local + 1) == 0 || (size > tail && strcasecmp(name + size - tail, local) == 0);
}

bool srv_head_is_json(const srv_head *head)
{
    static const char json[] = "application/json";
    size_t size = sizeof(json) - 1;

    return head->type && strncasecmp(head->type, json, size) == 0 &&
           (!head->type[size] || strchr("; \t", head->type[size]));
}

bool srv_head_is_for_us(const srv_head *head, const srv_http *http)
{
    const char *host = head->host;
    char name[256];
    size_t size;

    if (!http->local || http->settings.behind_proxy || http->settings.tls_cert || !host)
        return true;
    if (*host == '[')
        size = strcspn(++host, "]");
    else
        size = strcspn(host, ":");
    if (size >= sizeof(name))
        return false;
    memcpy(name, host, size);
    name[size] = '\0';
    return is_local_name(name);
}

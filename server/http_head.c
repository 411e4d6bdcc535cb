/*
 * http_head.c -- reading heads.
 *
 * Where a proxy and we could disagree about where a request ends, somebody could hide another one inside it: so lines
 * end with CR LF and nothing else, names are tokens (RFC 9110), and what says how long the body is stands there once.
 * And the owner of any site can let its name point to 127.0.0.1, which makes its pages ours in the eyes of a browser: a
 * server that only this machine can reach answers to names of this machine only.
 */
#include "http_head.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_DIGITS = 18, HOST_ROOM = 256 };

typedef struct finds {
    srv_head *head;
    size_t hosts, lengths, codings;
    bool closes;
} finds;

/* What names and methods are made of: bit c of the words for a character c. */
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

/* No control characters but tabs. */
static bool is_value(const char *text, size_t size)
{
    bool good = true;

    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];

        good = good && (c >= 0x20 || c == '\t') && c != 0x7F;
    }
    return good;
}

/* Neither blanks nor control characters, ASCII. */
static bool is_visible(const char *text, size_t size)
{
    bool good = size > 0;

    for (size_t i = 0; i < size; i++)
        good = good && text[i] > 0x20 && text[i] < 0x7F;
    return good;
}

static bool is_called(srv_slice name, const char *whole)
{
    return name.size == strlen(whole) && strncasecmp(name.text, whole, name.size) == 0;
}

static srv_slice trim(srv_slice s)
{
    while (s.size > 0 && (s.text[0] == ' ' || s.text[0] == '\t')) {
        s.text++;
        s.size--;
    }
    while (s.size > 0 && (s.text[s.size - 1] == ' ' || s.text[s.size - 1] == '\t'))
        s.size--;
    return s;
}

/* Is `word` one of those in a list with commas? */
static bool has_word(srv_slice list, const char *word)
{
    while (list.size > 0) {
        const char *comma = memchr(list.text, ',', list.size);
        size_t size = comma ? (size_t)(comma - list.text) : list.size;

        if (is_called(trim((srv_slice){list.text, size}), word))
            return true;
        size += comma != NULL;
        list.text += size;
        list.size -= size;
    }
    return false;
}

/* ---- the request line ---- */

/* "http://host/path": the host counts, the rest is the path. */
static srv_slice take_host(srv_head *head, srv_slice target)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(schemes[i]), host = 0;

        if (target.size <= size || strncasecmp(target.text, schemes[i], size) != 0)
            continue;
        target.text += size;
        target.size -= size;
        while (host < target.size && target.text[host] != '/' && target.text[host] != '?')
            host++;
        head->host = (srv_slice){target.text, host};
        target.text += host;
        target.size -= host;
        return target;
    }
    return target;
}

static const char *read_first_line(srv_head *head, srv_slice line)
{
    const char *blank = memchr(line.text, ' ', line.size), *last;
    srv_slice target, version;
    const char *query;

    if (!blank || !is_token(line.text, (size_t)(blank - line.text)))
        return "a method, a blank and a path in the first line";
    head->method = srv_method_named(line.text, (size_t)(blank - line.text));
    target.text = blank + 1;
    last = memchr(target.text, ' ', line.size - (size_t)(target.text - line.text));
    if (!last || !is_visible(target.text, (size_t)(last - target.text)))
        return "a path of visible characters, a blank and a version in the first line";
    target.size = (size_t)(last - target.text);
    version = (srv_slice){last + 1, line.size - (size_t)(last + 1 - line.text)};
    head->old = version.size == 8 && memcmp(version.text, "HTTP/1.0", 8) == 0;
    if (!head->old && !(version.size == 8 && memcmp(version.text, "HTTP/1.1", 8) == 0))
        return "HTTP/1.1 at the end of the first line";
    target = take_host(head, target);
    query = memchr(target.text, '?', target.size);
    head->path = (srv_slice){target.text, query ? (size_t)(query - target.text) : target.size};
    if (head->host.size > 0 && head->path.size == 0) /* "http://host" and "http://host?query" mean the root */
        head->path = (srv_slice){"/", 1};
    return NULL;
}

/* ---- headers ---- */

static const char *take_length(finds *f, srv_slice value)
{
    uint64_t length = 0;

    if (f->lengths++)
        return "one Content-Length";
    if (value.size == 0 || value.size > LENGTH_DIGITS)
        return "a Content-Length of up to 18 digits";
    for (size_t i = 0; i < value.size; i++) {
        if (value.text[i] < '0' || value.text[i] > '9')
            return "a Content-Length of digits only";
        length = 10 * length + (uint64_t)(value.text[i] - '0');
    }
    f->head->length = length;
    f->head->has_length = true;
    return NULL;
}

static const char *take_header(finds *f, srv_slice name, srv_slice value)
{
    srv_head *head = f->head;

    if (is_called(name, "Host")) {
        if (f->hosts++)
            return "one Host";
        if (!head->host.text)
            head->host = value;
    } else if (is_called(name, "Content-Length")) {
        return take_length(f, value);
    } else if (is_called(name, "Transfer-Encoding")) {
        if (f->codings++ || !is_called(value, "chunked"))
            return "chunked as the only Transfer-Encoding";
        head->chunked = true;
    } else if (is_called(name, "Content-Type")) {
        head->type = value;
    } else if (is_called(name, "Origin")) {
        head->origin = value;
    } else if (is_called(name, "Expect")) {
        head->expects = is_called(value, "100-continue");
    } else if (is_called(name, "X-Forwarded-For")) {
        head->forwarded = value;
    } else if (is_called(name, "Connection")) {
        f->closes = f->closes || has_word(value, "close");
        head->last = f->closes || (head->last && !has_word(value, "keep-alive"));
    }
    return NULL;
}

static const char *read_line(finds *f, srv_slice line)
{
    const char *colon = memchr(line.text, ':', line.size);
    srv_slice name = {line.text, colon ? (size_t)(colon - line.text) : 0}, value;

    if (!colon)
        return "a header with a colon on every line";
    if (!is_token(name.text, name.size))
        return "the name of a header without blanks and other strange characters";
    value = (srv_slice){colon + 1, line.size - name.size - 1};
    if (!is_value(value.text, value.size))
        return "the value of a header without control characters";
    return take_header(f, name, trim(value));
}

/* What all lines together lack. */
static const char *find_fault(const finds *f)
{
    if (f->hosts == 0 && !f->head->old)
        return "a Host";
    if (f->head->chunked && f->lengths > 0)
        return "Content-Length or Transfer-Encoding, not both";
    if (f->head->chunked && f->head->old)
        return "no Transfer-Encoding before HTTP/1.1";
    return NULL;
}

size_t srv_head_end(const char *bytes, size_t size, size_t *scanned)
{
    const char *at = bytes + *scanned, *end = bytes + size;

    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));

        if (!feed)
            break;
        if (feed + 1 < end && feed[1] == '\n')
            return (size_t)(feed + 2 - bytes);
        if (feed + 2 < end && feed[1] == '\r' && feed[2] == '\n')
            return (size_t)(feed + 3 - bytes);
        at = feed + 1;
    }
    *scanned = size > 2 ? size - 2 : 0; /* what comes may belong to the last two */
    return 0;
}

void srv_head_read(srv_head *head, const char *bytes, size_t size)
{
    finds f = {.head = head};
    const char *at = bytes, *end = bytes + size;
    bool first = true;

    *head = (srv_head){.method = SRV_OTHER_METHOD};
    while (at < end && !head->fault) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        srv_slice line = {at, feed ? (size_t)(feed - at) : 0};

        if (!feed || line.size == 0 || line.text[line.size - 1] != '\r') {
            head->fault = "lines that end with CR LF";
            return;
        }
        line.size--;
        at = feed + 1;
        if (line.size == 0 && !first) {
            head->fault = at == end ? find_fault(&f) : "nothing behind the empty line";
            return;
        }
        head->fault = first ? read_first_line(head, line) : read_line(&f, line);
        if (first)
            head->last = head->old;
        first = false;
    }
    if (!head->fault)
        head->fault = "an empty line at the end";
}

bool srv_head_is_json(const srv_head *head)
{
    static const char json[] = "application/json";
    size_t size = sizeof(json) - 1;

    return head->type.size >= size && strncasecmp(head->type.text, json, size) == 0 &&
           (head->type.size == size || memchr("; \t", head->type.text[size], 3));
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

bool srv_head_is_local(const srv_head *head)
{
    srv_slice host = head->host;
    char name[HOST_ROOM];
    const char *end;
    bool six = host.size > 0 && host.text[0] == '[';

    if (!host.text)
        return true;
    if (six) {
        host.text++;
        host.size--;
    }
    end = memchr(host.text, six ? ']' : ':', host.size);
    if (end)
        host.size = (size_t)(end - host.text);
    if (host.size >= sizeof(name) || memchr(host.text, '\0', host.size))
        return false;
    memcpy(name, host.text, host.size);
    name[host.size] = '\0';
    return is_local_name(name);
}

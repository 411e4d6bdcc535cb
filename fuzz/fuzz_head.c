/*
 * fuzz_head.c -- any bytes as the head of a request, and what follows as its body in chunks.
 *
 * Where the head ends does not depend on the pieces it came in; what is taken out of it lies inside of it; a head
 * without fault has lines that end with CR LF and nothing that a proxy would not let pass; chunks give the same body in
 * whatever pieces they come.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "http_body.h"
#include "http_head.h"
#include "limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_inside(srv_slice s, const char *bytes, size_t size)
{
    return !s.text || (s.text >= bytes && s.text + s.size <= bytes + size);
}

static void check_head(const char *bytes, size_t size)
{
    srv_head head;

    srv_head_read(&head, bytes, size);
    if (head.fault)
        return;
    require(is_inside(head.host, bytes, size) && head.path.text != NULL);
    require(is_inside(head.path, bytes, size) || (head.path.size == 1 && head.path.text[0] == '/')); /* "http://host" */
    require(is_inside(head.type, bytes, size) && is_inside(head.origin, bytes, size));
    require(is_inside(head.forwarded, bytes, size));
    require(!(head.chunked && (head.has_length || head.old)));
    require(head.host.text || head.old);
    require(size >= 4 && memcmp(bytes + size - 4, "\r\n\r\n", 4) == 0);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];

        require(c != '\n' || (i > 0 && bytes[i - 1] == '\r'));
        require(c != '\r' || (i + 1 < size && bytes[i + 1] == '\n'));
        require(c >= 0x20 || c == '\r' || c == '\n' || c == '\t');
        if (i >= 2 && bytes[i - 2] == '\r' && bytes[i - 1] == '\n')
            require(c != ' ' && c != '\t' && c != ':');
    }
    srv_head_is_json(&head);
    srv_head_is_local(&head);
}

/* All of a body in chunks, handed over in pieces of so many bytes. */
static srv_body read_chunks(const uint8_t *data, size_t size, size_t piece, srv_chunks *chunks)
{
    srv_body body = {0};
    bool enough = false;

    *chunks = (srv_chunks){0};
    for (size_t at = 0; at < size && !enough;) {
        size_t n = piece < size - at ? piece : size - at, used;
        char *bytes = malloc(n);

        require(bytes != NULL);
        memcpy(bytes, data + at, n);
        used = srv_chunks_take(chunks, &body, bytes, n, SRV_BODY_BYTES, &enough);
        require(used <= n);
        free(bytes);
        if (used < n)
            break;
        at += n;
    }
    return body;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t scanned = 0, whole, end = 0;
    char *bytes = malloc(size ? size : 1);
    srv_chunks one, other;
    srv_body first, second;

    require(bytes != NULL);
    if (size)
        memcpy(bytes, data, size);
    whole = srv_head_end(bytes, size, &scanned);
    scanned = 0;
    for (size_t n = 0; n <= size && end == 0; n++)
        end = srv_head_end(bytes, n, &scanned);
    require(end == whole);
    if (whole > 0)
        check_head(bytes, whole);
    first = read_chunks(data + whole, size - whole, size + 1, &one);
    second = read_chunks(data + whole, size - whole, 3, &other);
    require(one.state == other.state && first.size == second.size && first.too_large == second.too_large);
    require(first.size == 0 || memcmp(first.bytes, second.bytes, first.size) == 0);
    srv_body_clear(&first);
    srv_body_clear(&second);
    free(bytes);
    return 0;
}

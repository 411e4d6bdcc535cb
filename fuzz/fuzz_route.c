/*
 * fuzz_route.c -- any bytes as what the server knows of a request before it looks into it: "METHOD PATH HEADER BODY",
 * separated by line feeds.
 *
 * A route is found for every path, and the same when it is asked for by its own pattern; a model's name is a part of
 * the path; the address in a header is found whatever stands around it; a body that comes in pieces is put together, or
 * refused as a whole, and its pieces are gone from where they came.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "http.h"
#include "http_body.h"
#include "route.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The next line as text of its own; what follows it stays in *data. */
static char *take_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = memchr(*data, '\n', *size);
    size_t length = end ? (size_t)(end - *data) : *size;
    char *line = malloc(length + 1);

    require(line != NULL);
    memcpy(line, *data, length);
    line[length] = '\0';
    *data += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
    return line;
}

static void try_route(const char *method_name, const char *path)
{
    srv_method method = srv_method_named(method_name, strlen(method_name));
    srv_match match = srv_route_find(method, path, strlen(path));
    const char *pattern = srv_route_pattern(match.route);

    require(match.route < SRV_ROUTES && *pattern);
    require(match.allowed ? match.route != SRV_ROUTE_NONE : true);
    require((match.route == SRV_ROUTE_NONE) == (*srv_route_allow(match.route) == '\0'));
    if (match.model)
        require(match.model == path + 3 && match.model + match.model_size <= path + strlen(path) &&
                !memchr(match.model, '/', match.model_size));
    if (match.route != SRV_ROUTE_NONE) {
        srv_match again = srv_route_find(method, pattern, strlen(pattern));

        require(again.route == match.route && again.allowed == match.allowed);
        require(match.model || strcmp(pattern, path) == 0);
    }
}

static void try_header(const char *header)
{
    srv_address plain, behind;
    size_t size = strlen(header);
    char *longer = malloc(size + 16);
    bool found = srv_address_forwarded(&plain, header);

    require(longer != NULL);
    memcpy(longer, "10.0.0.1, ", 10);
    memcpy(longer + 10, header, size + 1);
    require(srv_address_forwarded(&behind, longer) == found);
    if (found)
        require(memcmp(&plain, &behind, sizeof(plain)) == 0);
    if (srv_http_is_origin(header))
        require(!strpbrk(header, " ;,'\"*\r\n"));
    free(longer);
}

static void try_body(const uint8_t *data, size_t size)
{
    size_t limit = size > 0 ? data[0] * 4u : 0, at = 0;
    srv_body body = {0};
    char *given = malloc(size + 1);

    require(given != NULL);
    memcpy(given, data, size);
    while (at < size) {
        size_t piece = 1 + data[at] % 64;

        piece = piece > size - at ? size - at : piece;
        require(srv_body_take(&body, given + at, piece, limit));
        at += piece;
    }
    require(body.too_large == (size > limit));
    if (!body.too_large)
        require(body.size == size && (size == 0 || memcmp(body.bytes, data, size) == 0));
    else
        require(body.size == 0 && body.bytes == NULL);
    for (size_t i = 0; i < size; i++)
        require(given[i] == 0);
    srv_body_clear(&body);
    free(given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *method, *path, *header;

    if (size > 65536)
        return 0;
    method = take_line(&data, &size);
    path = take_line(&data, &size);
    header = take_line(&data, &size);
    try_route(method, path);
    try_header(header);
    try_body(data, size);
    free(method);
    free(path);
    free(header);
    return 0;
}

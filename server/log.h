/*
 * log.h -- the access log: one line a request on standard error.
 *
 * 2026-03-01T12:00:00Z POST /v1/answers 200 2048 bytes 25 ms
 *
 * or as JSON, with a number of the request that its answer has too (X-Request-Id):
 *
 * {"time":"2026-03-01T12:00:00Z","id":"00f3...","method":"POST","route":"/v1/answers","status":200,"bytes":2048,"ms":25}
 *
 * Nothing in a line comes from the client, except which of the known methods and routes it used: no address, no path,
 * no header, no model.
 */
#ifndef SRV_LOG_H
#define SRV_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "route.h"

typedef struct srv_log_line {
    int64_t time; /* unix seconds */
    srv_method method;
    srv_route route;
    unsigned status; /* 0: the client left before there was one */
    size_t bytes;    /* of the body of the answer */
    uint64_t millis; /* it took to make, at most: one of few numbers, because an exact one would tell who it was */
    uint64_t id;
    const char *problem; /* its code; NULL: none */
} srv_log_line;

enum { SRV_LOG_ROOM = 320 };

/* The line as text, with its end; returns its size. */
size_t srv_log_format(char text[SRV_LOG_ROOM], const srv_log_line *line);
size_t srv_log_format_json(char text[SRV_LOG_ROOM], const srv_log_line *line);
/* Write it, in one piece, or not at all where it would have to wait; false: the line is lost. */
bool srv_log_write(int file, const srv_log_line *line, bool json);

#endif

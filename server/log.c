/*
 * log.c -- the access log.  A line is one write, so that lines of several threads do not mix.
 */
#include "log.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

size_t srv_log_format(char text[SRV_LOG_ROOM], const srv_log_line *line)
{
    time_t seconds = (time_t)line->time;
    char stamp[32] = "-", status[12] = "-";
    struct tm parts;
    int size;

    if (gmtime_r(&seconds, &parts))
        strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (line->status)
        snprintf(status, sizeof(status), "%u", line->status);
    size = snprintf(text, SRV_LOG_ROOM, "%s %s %s %s %zu bytes %llu us\n", stamp, srv_method_name(line->method),
                    srv_route_pattern(line->route), status, line->bytes, (unsigned long long)line->micros);
    return size < 0 ? 0 : (size_t)size;
}

void srv_log_write(int file, const srv_log_line *line)
{
    char text[SRV_LOG_ROOM];
    size_t size = srv_log_format(text, line);
    ssize_t written = write(file, text, size);

    (void)written;
}

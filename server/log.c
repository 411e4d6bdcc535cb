/*
 * log.c -- the access log.  A line is one write, so that lines of several threads do not mix.
 *
 * Nobody waits for whoever reads the log: a pipe that is full would hold up every request, and the end of the server.
 * So there is a look before each write, by one thread at a time; where something can be written, a line can.
 */
#include "log.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void write_time(char stamp[32], int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm parts;

    if (!gmtime_r(&seconds, &parts) || !strftime(stamp, 32, "%Y-%m-%dT%H:%M:%SZ", &parts))
        memcpy(stamp, "-", 2);
}

size_t srv_log_format(char text[SRV_LOG_ROOM], const srv_log_line *line)
{
    char stamp[32], status[12] = "-";
    int size;

    write_time(stamp, line->time);
    if (line->status)
        snprintf(status, sizeof(status), "%u", line->status);
    size = snprintf(text, SRV_LOG_ROOM, "%s %s %s %s %zu bytes %llu ms\n", stamp, srv_method_name(line->method),
                    srv_route_pattern(line->route), status, line->bytes, (unsigned long long)line->millis);
    return size < 0 ? 0 : (size_t)size;
}

size_t srv_log_format_json(char text[SRV_LOG_ROOM], const srv_log_line *line)
{
    char stamp[32];
    int size;

    write_time(stamp, line->time);
    size =
        snprintf(text, SRV_LOG_ROOM,
                 "{\"time\":\"%s\",\"id\":\"%016llx\",\"method\":\"%s\",\"route\":\"%s\",\"status\":%u,\"bytes\":%zu,"
                 "\"ms\":%llu%s%s%s}\n",
                 stamp, (unsigned long long)line->id, srv_method_name(line->method), srv_route_pattern(line->route),
                 line->status, line->bytes, (unsigned long long)line->millis, line->problem ? ",\"problem\":\"" : "",
                 line->problem ? line->problem : "", line->problem ? "\"" : "");
    return size < 0 ? 0 : (size_t)size;
}

bool srv_log_write(int file, const srv_log_line *line, bool json)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    char text[SRV_LOG_ROOM];
    size_t size = json ? srv_log_format_json(text, line) : srv_log_format(text, line);
    struct pollfd room = {.fd = file, .events = POLLOUT};
    ssize_t written = -1;

    pthread_mutex_lock(&mutex);
    if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT))
        written = write(file, text, size);
    pthread_mutex_unlock(&mutex);
    return written == (ssize_t)size;
}

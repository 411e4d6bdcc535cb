/*
 * metrics.c -- counters that threads add to without waiting for each other.  Numbers that belong together may be
 * read a request apart; nobody who reads a graph can tell.
 */
#include "metrics.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base.h"

/* Statuses we send; anything else is counted as the last. */
static const unsigned statuses[] = {200, 204, 308, 400, 401, 404, 405, 408, 409,
                                    413, 415, 421, 422, 429, 431, 500, 503, 0};
enum { STATUSES = sizeof(statuses) / sizeof(*statuses) };

/* Upper ends of the classes of duration, in milliseconds: the steps that answers take (SRV_TIME_STEP). */
static const uint64_t ends[] = {25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800};
enum { CLASSES = sizeof(ends) / sizeof(*ends) };

struct srv_metrics {
    atomic_uint_fast64_t requests[SRV_ROUTES][STATUSES];
    atomic_uint_fast64_t durations[SRV_ROUTES][CLASSES + 1]; /* each request in one class */
    atomic_uint_fast64_t millis[SRV_ROUTES];
    atomic_uint_fast64_t problems[SRV_PROBLEMS];
    atomic_uint_fast64_t bytes, connections, shut_out, lost_lines;
};

static void count(atomic_uint_fast64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

static uint64_t value(atomic_uint_fast64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

srv_metrics *srv_metrics_new(void)
{
    return tct_calloc(1, sizeof(srv_metrics));
}

void srv_metrics_free(srv_metrics *metrics)
{
    tct_free(metrics);
}

void srv_metrics_request(srv_metrics *metrics, srv_route route, unsigned status, uint64_t millis, size_t bytes)
{
    size_t s = 0, d = 0;

    while (s + 1 < STATUSES && statuses[s] != status)
        s++;
    while (d < CLASSES && millis > ends[d])
        d++;
    count(&metrics->requests[route][s], 1);
    count(&metrics->durations[route][d], 1);
    count(&metrics->millis[route], millis);
    count(&metrics->bytes, bytes);
}

void srv_metrics_problem(srv_metrics *metrics, const char *code)
{
    for (int i = 0; code && i < SRV_PROBLEMS; i++) {
        if (strcmp(srv_problem_name((srv_problem_code)i), code) == 0) {
            count(&metrics->problems[i], 1); /* two that share a name are one */
            return;
        }
    }
}

void srv_metrics_connection(srv_metrics *metrics)
{
    count(&metrics->connections, 1);
}

void srv_metrics_shut_out(srv_metrics *metrics)
{
    count(&metrics->shut_out, 1);
}

void srv_metrics_lost_line(srv_metrics *metrics)
{
    count(&metrics->lost_lines, 1);
}

/* ---- writing ---- */

static void put_head(srv_out *out, const char *name, const char *type, const char *help)
{
    char line[256];

    snprintf(line, sizeof(line), "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
    srv_out_text(out, line);
}

static void put_plain(srv_out *out, const char *name, const char *type, const char *help, uint64_t number)
{
    put_head(out, name, type, help);
    srv_out_text(out, name);
    srv_out_text(out, " ");
    srv_out_count(out, number);
    srv_out_text(out, "\n");
}

static void put_requests(srv_out *out, srv_metrics *m)
{
    char line[160], status[12];

    put_head(out, "tacit_requests_total", "counter", "Requests by route and status; status 0: the client left.");
    for (int r = 0; r < SRV_ROUTES; r++) {
        for (size_t s = 0; s < STATUSES; s++) {
            uint64_t number = value(&m->requests[r][s]);

            if (number == 0)
                continue;
            snprintf(status, sizeof(status), "%u", statuses[s]);
            snprintf(line, sizeof(line), "tacit_requests_total{route=\"%s\",status=\"%s\"} %llu\n",
                     srv_route_pattern((srv_route)r), status, (unsigned long long)number);
            srv_out_text(out, line);
        }
    }
}

static void put_durations_of(srv_out *out, srv_metrics *m, srv_route route)
{
    const char *name = "tacit_request_seconds", *pattern = srv_route_pattern(route);
    uint64_t so_far = 0;
    char line[192];

    for (size_t d = 0; d <= CLASSES; d++) {
        char end[24] = "+Inf";

        so_far += value(&m->durations[route][d]);
        if (d < CLASSES)
            snprintf(end, sizeof(end), "%g", (double)ends[d] / 1e3);
        snprintf(line, sizeof(line), "%s_bucket{route=\"%s\",le=\"%s\"} %llu\n", name, pattern, end,
                 (unsigned long long)so_far);
        srv_out_text(out, line);
    }
    snprintf(line, sizeof(line), "%s_sum{route=\"%s\"} %.3f\n%s_count{route=\"%s\"} %llu\n", name, pattern,
             (double)value(&m->millis[route]) / 1e3, name, pattern, (unsigned long long)so_far);
    srv_out_text(out, line);
}

static void put_durations(srv_out *out, srv_metrics *m)
{
    put_head(out, "tacit_request_seconds", "histogram", "Time to make an answer, by route.");
    for (int r = 0; r < SRV_ROUTES; r++) {
        uint64_t all = 0;

        for (size_t d = 0; d <= CLASSES; d++)
            all += value(&m->durations[r][d]);
        if (all > 0)
            put_durations_of(out, m, (srv_route)r);
    }
}

static void put_problems(srv_out *out, srv_metrics *m)
{
    char line[128];

    put_head(out, "tacit_problems_total", "counter", "Requests that were refused, by the code of the problem.");
    for (int i = 0; i < SRV_PROBLEMS; i++) {
        uint64_t number = value(&m->problems[i]);

        if (number == 0)
            continue;
        snprintf(line, sizeof(line), "tacit_problems_total{code=\"%s\"} %llu\n", srv_problem_name((srv_problem_code)i),
                 (unsigned long long)number);
        srv_out_text(out, line);
    }
}

void srv_metrics_reply(srv_metrics *metrics, const srv_service *service, size_t connections, srv_reply *reply)
{
    srv_out out;

    srv_out_start(&out, 8192);
    put_requests(&out, metrics);
    put_durations(&out, metrics);
    put_problems(&out, metrics);
    if (service)
        srv_service_counts(service, &out);
    put_plain(&out, "tacit_reply_bytes_total", "counter", "Bytes of bodies sent.", value(&metrics->bytes));
    put_plain(&out, "tacit_connections", "gauge", "Connections open now.", connections);
    put_plain(&out, "tacit_connections_total", "counter", "Connections let in.", value(&metrics->connections));
    put_plain(&out, "tacit_connections_shut_out_total", "counter", "Connections closed at once, being too many.",
              value(&metrics->shut_out));
    put_plain(&out, "tacit_log_lines_lost_total", "counter", "Lines of the access log that nobody took.",
              value(&metrics->lost_lines));
    put_head(&out, "tacit_build_info", "gauge", "Which version this is.");
    srv_out_text(&out, "tacit_build_info{version=\"");
    srv_out_text(&out, tacit_version());
    srv_out_text(&out, "\"} 1\n");
    srv_out_finish(&out, reply);
    if (reply->status == 200)
        reply->type = "text/plain; version=0.0.4; charset=utf-8";
}

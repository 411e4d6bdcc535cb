/*
 * test_metrics.c -- counters as Prometheus text, and lines of the access log.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <pthread.h>

#include "log.h"
#include "metrics.h"

/* The metrics as terminated text, of static memory. */
static const char *text_of(srv_metrics *metrics)
{
    static char text[32768];
    srv_reply reply = {0};

    srv_metrics_reply(metrics, NULL, 7, &reply);
    assert_int_equal(reply.status, 200);
    assert_string_equal(reply.type, "text/plain; version=0.0.4; charset=utf-8");
    assert_in_range(reply.size, 1, sizeof(text) - 1);
    memcpy(text, reply.body, reply.size);
    text[reply.size] = '\0';
    srv_reply_clear(&reply);
    return text;
}

static void has(const char *text, const char *line)
{
    const char *at = strstr(text, line);

    if (!at || (at != text && at[-1] != '\n') || at[strlen(line)] != '\n')
        fail_msg("no line '%s' in:\n%s", line, text);
}

static void metrics__counts_requests_by_route_and_status(void **state)
{
    srv_metrics *m = srv_metrics_new();
    const char *text;

    (void)state;
    srv_metrics_request(m, SRV_ROUTE_ANSWERS, 200, 50, 1000);
    srv_metrics_request(m, SRV_ROUTE_ANSWERS, 200, 50, 1000);
    srv_metrics_request(m, SRV_ROUTE_ANSWERS, 401, 100, 10);
    srv_metrics_request(m, SRV_ROUTE_NONE, 418, 25600, 1);
    text = text_of(m);
    has(text, "tacit_requests_total{route=\"/v1/answers\",status=\"200\"} 2");
    has(text, "tacit_requests_total{route=\"/v1/answers\",status=\"401\"} 1");
    has(text, "tacit_requests_total{route=\"-\",status=\"0\"} 1");
    has(text, "tacit_request_seconds_bucket{route=\"/v1/answers\",le=\"0.025\"} 0");
    has(text, "tacit_request_seconds_bucket{route=\"/v1/answers\",le=\"0.05\"} 2");
    has(text, "tacit_request_seconds_bucket{route=\"/v1/answers\",le=\"0.1\"} 3");
    has(text, "tacit_request_seconds_bucket{route=\"/v1/answers\",le=\"+Inf\"} 3");
    has(text, "tacit_request_seconds_sum{route=\"/v1/answers\"} 0.200");
    has(text, "tacit_request_seconds_count{route=\"/v1/answers\"} 3");
    has(text, "tacit_request_seconds_bucket{route=\"-\",le=\"12.8\"} 0");
    has(text, "tacit_request_seconds_bucket{route=\"-\",le=\"+Inf\"} 1");
    has(text, "tacit_reply_bytes_total 2011");
    has(text, "tacit_connections 7");
    srv_metrics_free(m);
}

static void metrics__counts_problems_and_connections(void **state)
{
    srv_metrics *m = srv_metrics_new();
    const char *text;

    (void)state;
    srv_metrics_problem(m, srv_problem_name(SRV_TOO_SLOW));
    srv_metrics_problem(m, srv_problem_name(SRV_TOO_MANY_FROM_ADDRESS));
    srv_metrics_problem(m, srv_problem_name(SRV_TOO_MANY_CONNECTIONS));
    srv_metrics_problem(m, NULL);
    srv_metrics_connection(m);
    srv_metrics_shut_out(m);
    srv_metrics_shut_out(m);
    text = text_of(m);
    has(text, "tacit_problems_total{code=\"too-slow\"} 1");
    has(text, "tacit_problems_total{code=\"too-many-connections\"} 2");
    has(text, "tacit_connections_total 1");
    has(text, "tacit_connections_shut_out_total 2");
    srv_metrics_free(m);
}

enum { THREADS = 4, EACH = 20000 };

static void *count_many(void *context)
{
    for (int i = 0; i < EACH; i++)
        srv_metrics_request(context, SRV_ROUTE_SESSIONS, 200, 1, 1);
    return NULL;
}

static void metrics__threads_lose_nothing(void **state)
{
    srv_metrics *m = srv_metrics_new();
    pthread_t threads[THREADS];

    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_many, m), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    has(text_of(m), "tacit_requests_total{route=\"/v1/sessions\",status=\"200\"} 80000");
    srv_metrics_free(m);
}

static void log__has_a_line_a_request(void **state)
{
    srv_log_line line = {
        .time = 1772366400, .method = SRV_POST, .route = SRV_ROUTE_ANSWERS, .status = 200, .bytes = 2048, .millis = 25};
    char text[SRV_LOG_ROOM];
    size_t size = srv_log_format(text, &line);

    (void)state;
    assert_string_equal(text, "2026-03-01T12:00:00Z POST /v1/answers 200 2048 bytes 25 ms\n");
    assert_int_equal(size, strlen(text));
    line = (srv_log_line){.time = 0, .method = SRV_OTHER_METHOD, .route = SRV_ROUTE_NONE};
    srv_log_format(text, &line);
    assert_string_equal(text, "1970-01-01T00:00:00Z - - - 0 bytes 0 ms\n");
}

static void log__has_an_object_a_request(void **state)
{
    srv_log_line line = {.time = 1772366400,
                         .method = SRV_POST,
                         .route = SRV_ROUTE_ANSWERS,
                         .status = 409,
                         .bytes = 2048,
                         .millis = 25,
                         .id = 0xabc,
                         .problem = srv_problem_name(SRV_ATTRIBUTE_NOT_ASKED)};
    char text[SRV_LOG_ROOM];

    (void)state;
    srv_log_format_json(text, &line);
    assert_string_equal(text, "{\"time\":\"2026-03-01T12:00:00Z\",\"id\":\"0000000000000abc\",\"method\":\"POST\","
                              "\"route\":\"/v1/answers\",\"status\":409,\"bytes\":2048,\"ms\":25,"
                              "\"problem\":\"attribute-not-asked\"}\n");
}

static void log__the_longest_line_fits(void **state)
{
    srv_log_line line = {.time = INT64_MAX, .status = UINT32_MAX, .bytes = SIZE_MAX, .millis = UINT64_MAX};
    char text[SRV_LOG_ROOM];

    (void)state;
    for (int r = 0; r < SRV_ROUTES; r++) {
        line.route = (srv_route)r;
        line.method = SRV_OPTIONS;
        assert_in_range(srv_log_format(text, &line), 1, SRV_LOG_ROOM - 1);
        assert_int_equal(text[strlen(text) - 1], '\n');
        line.problem = srv_problem_name(SRV_TOO_MANY_FROM_ADDRESS);
        line.id = UINT64_MAX;
        assert_in_range(srv_log_format_json(text, &line), 1, SRV_LOG_ROOM - 1);
        assert_int_equal(text[strlen(text) - 1], '\n');
    }
}

/* Who reads the log may be slow, or asleep: lines are lost then, and nothing waits. */
static void log__waits_for_nobody(void **state)
{
    srv_log_line line = {.time = 1772366400, .method = SRV_GET, .route = SRV_ROUTE_HEALTH, .status = 200};
    char text[4096];
    int ends[2], written = 0;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    while (srv_log_write(ends[1], &line, false))
        written++;
    assert_true(written > 1);
    assert_false(srv_log_write(ends[1], &line, false));
    while (written > 1) { /* half a page may be left: all of it */
        ssize_t got = read(ends[0], text, sizeof(text));

        assert_true(got > 0);
        for (ssize_t i = 0; i < got; i++)
            written -= text[i] == '\n';
    }
    assert_true(srv_log_write(ends[1], &line, false));
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics__counts_requests_by_route_and_status),
        cmocka_unit_test(metrics__counts_problems_and_connections),
        cmocka_unit_test(metrics__threads_lose_nothing),
        cmocka_unit_test(log__has_a_line_a_request),
        cmocka_unit_test(log__has_an_object_a_request),
        cmocka_unit_test(log__the_longest_line_fits),
        cmocka_unit_test(log__waits_for_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

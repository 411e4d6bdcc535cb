/*
 * metrics.h -- counts of what the server did, as Prometheus text.  They are about requests, never about people: no
 * address, no value; decisions only as sums.
 */
#ifndef SRV_METRICS_H
#define SRV_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "reply.h"
#include "route.h"
#include "service.h"

typedef struct srv_metrics srv_metrics;

/* NULL when memory is short. */
srv_metrics *srv_metrics_new(void);
void srv_metrics_free(srv_metrics *metrics); /* NULL allowed */

/* Any thread may count. */
void srv_metrics_request(srv_metrics *metrics, srv_route route, unsigned status, uint64_t millis, size_t bytes);
void srv_metrics_problem(srv_metrics *metrics, const char *code); /* one of srv_problem_name; NULL: nothing */
void srv_metrics_connection(srv_metrics *metrics);                /* one was let in */
void srv_metrics_shut_out(srv_metrics *metrics);                  /* one was not */
void srv_metrics_lost_line(srv_metrics *metrics);                 /* of the access log */

/* All of it; `connections` are open now; service (NULL allowed): what it has counted itself. */
void srv_metrics_reply(srv_metrics *metrics, const srv_service *service, size_t connections, srv_reply *reply);

#endif

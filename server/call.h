/*
 * call.h -- one request, from its head to its reply: all that is known of it is here, and whoever answers gets this.
 *
 * Without sockets: tests and fuzz targets make calls of their own, with as much in them as the endpoint needs.
 */
#ifndef SRV_CALL_H
#define SRV_CALL_H

#include "guard.h"
#include "http_head.h"
#include "service.h"

struct srv_http;

typedef struct srv_call {
    const srv_service *service;
    struct srv_http *http;  /* the server it came to; NULL: none */
    const srv_model *model; /* NULL where none is needed */
    srv_worker *worker;     /* only for POST; belongs to the thread */
    const char *body;       /* only for POST; need not be terminated */
    size_t size;
    int64_t now; /* unix seconds */

    srv_head head;
    srv_match match;
    srv_address address; /* whom rates and budgets are counted for */

    /* For the answer, beside the reply. */
    char location[SRV_MAX_MODEL_NAME + 8]; /* where else to go; "": nowhere */
} srv_call;

#endif

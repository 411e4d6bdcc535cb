/*
 * api.h -- the endpoints of the HTTP API, without HTTP: JSON text in, a reply out (openapi.json says what they hold).
 *
 * An endpoint never fails: what goes wrong is a problem in the reply, which names members and attributes and holds
 * nothing of the request.  Nothing about the person remains when it returns, except in the reply.
 */
#ifndef SRV_API_H
#define SRV_API_H

#include "service.h"

typedef struct srv_call {
    const srv_service *service;
    const srv_model *model; /* NULL where none is needed */
    srv_worker *worker;     /* only for POST; belongs to the caller */
    const char *body;       /* only for POST; need not be terminated */
    size_t size;
    int64_t now; /* unix seconds */
} srv_call;

typedef void srv_endpoint(const srv_call *call, srv_reply *reply);

/* GET: shared bodies, made when the service was. */
srv_endpoint srv_api_models;  /* v1/models; no model */
srv_endpoint srv_api_model;   /* v1/model */
srv_endpoint srv_api_key;     /* v1/key; no model */
srv_endpoint srv_api_openapi; /* v1/openapi.json; no model */
/* POST */
srv_endpoint srv_api_sessions; /* v1/sessions */
srv_endpoint srv_api_answers;  /* v1/answers */
srv_endpoint srv_api_receipts; /* v1/receipts */

#endif

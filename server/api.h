/*
 * api.h -- the endpoints of the HTTP API, without HTTP: JSON text in, a reply out (openapi.json says what they hold).
 *
 * An endpoint never fails: what goes wrong is a problem in the reply, which names members and attributes and holds
 * nothing of the request.  Nothing about the person remains when it returns, except in the reply.
 */
#ifndef SRV_API_H
#define SRV_API_H

#include "call.h"

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

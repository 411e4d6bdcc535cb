/*
 * route.h -- which endpoint a request is for, and who answers there.
 *
 * Every endpoint of a model is there twice: below "/" for a service with one model, and below "/m/NAME/" always.
 */
#ifndef SRV_ROUTE_H
#define SRV_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "reply.h"

typedef enum srv_method { SRV_GET = 0, SRV_HEAD, SRV_POST, SRV_OPTIONS, SRV_OTHER_METHOD, SRV_METHODS } srv_method;

typedef enum srv_route {
    SRV_ROUTE_NONE = 0, /* no such path */
    SRV_ROUTE_HEALTH,   /* /healthz */
    SRV_ROUTE_READY,    /* /readyz */
    SRV_ROUTE_METRICS,  /* /metrics */
    SRV_ROUTE_MODELS,   /* /v1/models */
    SRV_ROUTE_NO_SLASH, /* /m/NAME: a slash is missing */
    SRV_ROUTE_PAGE,     /* BASE */
    SRV_ROUTE_SCRIPT,   /* BASE ask.js */
    SRV_ROUTE_STYLE,    /* BASE ask.css */
    SRV_ROUTE_MODEL,    /* BASE v1/model */
    SRV_ROUTE_KEY,      /* BASE v1/key */
    SRV_ROUTE_OPENAPI,  /* BASE v1/openapi.json */
    SRV_ROUTE_SESSIONS, /* BASE v1/sessions */
    SRV_ROUTE_ANSWERS,  /* BASE v1/answers */
    SRV_ROUTE_RECEIPTS, /* BASE v1/receipts */
    SRV_ROUTES
} srv_route;

typedef struct srv_match {
    srv_route route;
    bool allowed;      /* the method goes with the route; SRV_ROUTE_NONE: false */
    const char *model; /* NAME of "/m/NAME...", a part of the path; NULL: the path has none */
    size_t model_size;
} srv_match;

srv_method srv_method_named(const char *name, size_t size);
const char *srv_method_name(srv_method method);

/* `path` is as it was sent, without a query; it starts with "/" unless a client makes no sense. */
srv_match srv_route_find(srv_method method, const char *path, size_t size);
/* For logs and metrics: "/v1/answers", the same for every model. */
const char *srv_route_pattern(srv_route route);
/* The value of an Allow header; "" for SRV_ROUTE_NONE. */
const char *srv_route_allow(srv_route route);

/* Who answers: an endpoint makes *reply of what a call says (call.h). */
struct srv_call;
typedef void srv_endpoint(struct srv_call *call, srv_reply *reply);
srv_endpoint *srv_route_endpoint(srv_route route);

/* What else is known of a route. */
typedef enum srv_route_trait {
    SRV_OF_MODEL = 1,      /* below "/" and "/m/NAME/"; the call needs a model */
    SRV_ANY_MODEL = 2,     /* the same, but below "/" it needs none */
    SRV_POSTED = 4,        /* POST, not GET */
    SRV_COUNTED = 8,       /* by --rate */
    SRV_ABOUT_SERVER = 16, /* for those who look after the server, not for people */
    SRV_PROVES = 32        /* always takes long */
} srv_route_trait;
bool srv_route_is(srv_route route, srv_route_trait trait);

#endif

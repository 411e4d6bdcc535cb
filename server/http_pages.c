/*
 * http_pages.c -- the files of the page, which are the same for every model and for a list of them, and what the server
 * says of itself.
 */
#include "http_pages.h"

#include <stdio.h>

#include "http_inner.h"
#include "pages.h"

static void answer_file(srv_reply *reply, const char *type, const unsigned char *bytes, size_t size)
{
    if (size == 0)
        srv_problem(reply, SRV_NOT_FOUND, "This server was built without pages; the API is at v1/.");
    else
        srv_reply_shared(reply, type, (const char *)bytes, size);
}

void srv_page_html(srv_call *call, srv_reply *reply)
{
    (void)call;
    answer_file(reply, "text/html; charset=utf-8", tct_ask_html, tct_ask_html_size);
}

void srv_page_script(srv_call *call, srv_reply *reply)
{
    (void)call;
    answer_file(reply, "text/javascript; charset=utf-8", tct_ask_js, tct_ask_js_size);
}

void srv_page_style(srv_call *call, srv_reply *reply)
{
    (void)call;
    answer_file(reply, "text/css; charset=utf-8", tct_ask_css, tct_ask_css_size);
}

void srv_page_nothing(srv_call *call, srv_reply *reply)
{
    (void)call;
    srv_problem(reply, SRV_NOT_FOUND, "There is nothing at this path.");
}

bool srv_page_model(srv_call *call, srv_reply *reply)
{
    const srv_match *match = &call->match;

    if (match->model)
        call->model = srv_service_find(call->service, match->model, match->model_size);
    else if (srv_service_models(call->service) == 1)
        call->model = srv_service_model(call->service, 0);
    if (call->model)
        return true;
    if (match->model)
        srv_problem(reply, SRV_NOT_FOUND, "There is no such model here; /v1/models lists those there are.");
    else
        srv_problem(reply, SRV_NOT_FOUND,
                    "There are several models here: put /m/NAME before this path; /v1/models lists the names.");
    return false;
}

void srv_page_no_slash(srv_call *call, srv_reply *reply)
{
    if (!srv_page_model(call, reply))
        return;
    snprintf(call->location, sizeof(call->location), "./%s/", srv_model_name(call->model)); /* needs no escaping */
    srv_reply_shared(reply, NULL, NULL, 0);
    reply->status = 308;
}

static const char plain[] = "text/plain; charset=utf-8";

void srv_page_health(srv_call *call, srv_reply *reply)
{
    static const char healthy[] = "ok\n";

    (void)call;
    srv_reply_shared(reply, plain, healthy, sizeof(healthy) - 1);
}

void srv_page_ready(srv_call *call, srv_reply *reply)
{
    static const char ready[] = "ready\n", leaving[] = "leaving\n";
    bool serves = atomic_load(&call->http->stage) == SRV_SERVING;

    srv_reply_shared(reply, plain, serves ? ready : leaving, serves ? sizeof(ready) - 1 : sizeof(leaving) - 1);
    reply->status = serves ? 200 : 503;
}

void srv_page_metrics(srv_call *call, srv_reply *reply)
{
    srv_metrics_reply(call->http->metrics, call->service, srv_guard_connections(call->http->guard), reply);
}

/*
 * http_answer.c -- from a route to its answer: pages, endpoints of the API, and what the server says of itself.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base.h"
#include "http_inner.h"
#include "limits.h"
#include "pages.h"

/* The model a request is about: that of its path, or the only one.  NULL after a problem. */
static const srv_model *choose_model(const srv_http *http, const srv_match *match, srv_reply *reply)
{
    const srv_model *model = NULL;

    if (match->model)
        model = srv_service_find(http->service, match->model, match->model_size);
    else if (srv_service_models(http->service) == 1)
        return srv_service_model(http->service, 0);
    if (model)
        return model;
    if (match->model)
        srv_problem(reply, SRV_NOT_FOUND, "There is no such model here; /v1/models lists those there are.");
    else
        srv_problem(reply, SRV_NOT_FOUND,
                    "There are several models here: put /m/NAME before this path; /v1/models lists the names.");
    return NULL;
}

static void answer_page(srv_reply *reply, const char *type, const unsigned char *bytes, size_t size)
{
    if (size == 0)
        srv_problem(reply, SRV_NOT_FOUND, "This server was built without pages; the API is at v1/.");
    else
        srv_reply_shared(reply, type, (const char *)bytes, size);
}

/* The page is the same for every model, and for a list of them.  Is the route one of its files? */
static bool answer_file(srv_route route, srv_reply *reply)
{
    switch (route) {
    case SRV_ROUTE_PAGE:
        answer_page(reply, "text/html; charset=utf-8", tct_ask_html, tct_ask_html_size);
        return true;
    case SRV_ROUTE_SCRIPT:
        answer_page(reply, "text/javascript; charset=utf-8", tct_ask_js, tct_ask_js_size);
        return true;
    case SRV_ROUTE_STYLE:
        answer_page(reply, "text/css; charset=utf-8", tct_ask_css, tct_ask_css_size);
        return true;
    default:
        return false;
    }
}

/* "./NAME/": relative, because only the client knows what stands before our paths.  Names need no escaping. */
static void answer_redirect(const srv_model *model, srv_question *question, srv_reply *reply)
{
    size_t room = strlen(srv_model_name(model)) + sizeof("./"
                                                         "/");

    question->location = tct_malloc(room, 1);
    if (!question->location) {
        srv_problem(reply, SRV_INTERNAL, "Memory is short.");
        return;
    }
    snprintf(question->location, room, "./%s/", srv_model_name(model));
    srv_reply_shared(reply, NULL, NULL, 0);
    reply->status = 308;
}

static void answer_step(srv_http *http, const srv_model *model, const srv_question *question, srv_reply *reply)
{
    bool begins = question->match.route == SRV_ROUTE_SESSIONS;
    bool counted = begins || question->match.route == SRV_ROUTE_RECEIPTS; /* a proof may take long, too */
    unsigned wait = counted ? srv_guard_session(http->guard, &question->address, srv_watch_clock()) : 0;
    srv_call call = {.service = http->service,
                     .model = model,
                     .body = question->body,
                     .size = question->size,
                     .now = (int64_t)time(NULL)};

    if (wait > 0) {
        srv_problem(reply, SRV_TOO_MANY_SESSIONS,
                    "Too many sessions were begun, or receipts fetched, from this address; try again in %u s.", wait);
        reply->retry_after = wait;
        return;
    }
    call.worker = srv_worker_mine(http->service);
    if (!call.worker)
        srv_problem(reply, SRV_INTERNAL, "Memory is short.");
    else
        (begins                                       ? srv_api_sessions
         : question->match.route == SRV_ROUTE_ANSWERS ? srv_api_answers
                                                      : srv_api_receipts)(&call, reply);
    srv_reply_pad(reply, SRV_REPLY_STEP); /* or the log, and whoever sees it pass by, could tell decisions apart */
}

static void answer_of_model(srv_http *http, const srv_model *model, srv_question *question, srv_reply *reply)
{
    srv_call call = {.service = http->service, .model = model, .now = (int64_t)time(NULL)};

    if (answer_file(question->match.route, reply))
        return;
    switch (question->match.route) {
    case SRV_ROUTE_NO_SLASH:
        answer_redirect(model, question, reply);
        break;
    case SRV_ROUTE_MODEL:
        srv_api_model(&call, reply);
        break;
    case SRV_ROUTE_KEY:
        srv_api_key(&call, reply);
        break;
    case SRV_ROUTE_OPENAPI:
        srv_api_openapi(&call, reply);
        break;
    case SRV_ROUTE_SESSIONS:
    case SRV_ROUTE_ANSWERS:
    case SRV_ROUTE_RECEIPTS:
        answer_step(http, model, question, reply);
        break;
    default:
        srv_problem(reply, SRV_NOT_FOUND, "There is nothing at this path.");
        break;
    }
}

void srv_answer(srv_http *http, srv_question *question, srv_reply *reply)
{
    static const char healthy[] = "ok\n";
    srv_call call = {.service = http->service, .now = (int64_t)time(NULL)};
    const srv_model *model;

    switch (question->match.route) {
    case SRV_ROUTE_NONE:
        srv_problem(reply, SRV_NOT_FOUND, "There is nothing at this path.");
        return;
    case SRV_ROUTE_HEALTH:
        srv_reply_shared(reply, "text/plain; charset=utf-8", healthy, sizeof(healthy) - 1);
        return;
    case SRV_ROUTE_METRICS:
        srv_metrics_reply(http->metrics, srv_guard_connections(http->guard), reply);
        return;
    case SRV_ROUTE_MODELS:
        srv_api_models(&call, reply);
        return;
    default:
        break;
    }
    if (!question->match.model && answer_file(question->match.route, reply))
        return;
    model = choose_model(http, &question->match, reply);
    if (model)
        answer_of_model(http, model, question, reply);
}

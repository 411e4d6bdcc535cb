/*
 * route.c -- which endpoint a request is for.  One table; paths are compared whole and byte by byte, so that there is
 * one spelling of each.
 */
#include "route.h"

#include <string.h>

#include "api.h"
#include "http_pages.h"

typedef struct route_row {
    const char *pattern; /* in logs; for routes of a model without its base */
    unsigned traits;
    srv_endpoint *endpoint;
} route_row;

enum { FILE_OF_PAGE = SRV_OF_MODEL | SRV_ANY_MODEL, STEP = SRV_OF_MODEL | SRV_POSTED };

static const route_row rows[SRV_ROUTES] = {
    [SRV_ROUTE_NONE] = {"-", 0, srv_page_nothing},
    [SRV_ROUTE_HEALTH] = {"/healthz", SRV_ABOUT_SERVER, srv_page_health},
    [SRV_ROUTE_READY] = {"/readyz", SRV_ABOUT_SERVER, srv_page_ready},
    [SRV_ROUTE_METRICS] = {"/metrics", SRV_ABOUT_SERVER, srv_page_metrics},
    [SRV_ROUTE_MODELS] = {"/v1/models", 0, srv_api_models},
    [SRV_ROUTE_NO_SLASH] = {"/m/NAME", 0, srv_page_no_slash},
    [SRV_ROUTE_PAGE] = {"/", FILE_OF_PAGE, srv_page_html},
    [SRV_ROUTE_SCRIPT] = {"/ask.js", FILE_OF_PAGE, srv_page_script},
    [SRV_ROUTE_STYLE] = {"/ask.css", FILE_OF_PAGE, srv_page_style},
    [SRV_ROUTE_MODEL] = {"/v1/model", SRV_OF_MODEL, srv_api_model},
    [SRV_ROUTE_KEY] = {"/v1/key", SRV_OF_MODEL, srv_api_key},
    [SRV_ROUTE_OPENAPI] = {"/v1/openapi.json", SRV_OF_MODEL, srv_api_openapi},
    [SRV_ROUTE_SESSIONS] = {"/v1/sessions", STEP | SRV_COUNTED, srv_api_sessions},
    [SRV_ROUTE_ANSWERS] = {"/v1/answers", STEP, srv_api_answers},
    [SRV_ROUTE_RECEIPTS] = {"/v1/receipts", STEP | SRV_COUNTED | SRV_PROVES, srv_api_receipts},
};

static const char *const methods[SRV_METHODS] = {
    [SRV_GET] = "GET", [SRV_HEAD] = "HEAD", [SRV_POST] = "POST", [SRV_OPTIONS] = "OPTIONS", [SRV_OTHER_METHOD] = "-",
};

static bool is_row(const route_row *row, const char *path, size_t size)
{
    return strlen(row->pattern) == size && memcmp(row->pattern, path, size) == 0;
}

/* The route of `path`, which starts with "/"; only those of a model where `of_model`. */
static srv_route find_row(const char *path, size_t size, bool of_model)
{
    for (int i = SRV_ROUTE_NONE + 1; i < SRV_ROUTES; i++)
        if (i != SRV_ROUTE_NO_SLASH && (!of_model || (rows[i].traits & SRV_OF_MODEL)) && is_row(&rows[i], path, size))
            return (srv_route)i;
    return SRV_ROUTE_NONE;
}

static bool method_fits(srv_route route, srv_method method)
{
    if (route == SRV_ROUTE_NONE)
        return false;
    return method == SRV_OPTIONS ||
           (srv_route_is(route, SRV_POSTED) ? method == SRV_POST : method == SRV_GET || method == SRV_HEAD);
}

srv_method srv_method_named(const char *name, size_t size)
{
    for (int i = 0; i < SRV_OTHER_METHOD; i++)
        if (strlen(methods[i]) == size && memcmp(methods[i], name, size) == 0)
            return (srv_method)i;
    return SRV_OTHER_METHOD;
}

const char *srv_method_name(srv_method method)
{
    return methods[method];
}

srv_match srv_route_find(srv_method method, const char *path, size_t size)
{
    srv_match match = {.route = SRV_ROUTE_NONE};

    if (size > 3 && memcmp(path, "/m/", 3) == 0) {
        const char *slash = memchr(path + 3, '/', size - 3);

        match.model = path + 3;
        match.model_size = slash ? (size_t)(slash - match.model) : size - 3;
        if (!slash)
            match.route = SRV_ROUTE_NO_SLASH;
        else if (match.model_size > 0)
            match.route = find_row(slash, size - (size_t)(slash - path), true);
    } else if (size > 0) {
        match.route = find_row(path, size, false);
    }
    match.allowed = method_fits(match.route, method);
    return match;
}

const char *srv_route_pattern(srv_route route)
{
    return rows[route].pattern;
}

const char *srv_route_allow(srv_route route)
{
    if (route == SRV_ROUTE_NONE)
        return "";
    return srv_route_is(route, SRV_POSTED) ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

srv_endpoint *srv_route_endpoint(srv_route route)
{
    return rows[route].endpoint;
}

bool srv_route_is(srv_route route, srv_route_trait trait)
{
    return rows[route].traits & (unsigned)trait;
}

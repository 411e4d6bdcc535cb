/*
 * test_route.c -- which path and method is which endpoint.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "route.h"

static srv_match find(srv_method method, const char *path)
{
    return srv_route_find(method, path, strlen(path));
}

static void route__every_path_has_one_spelling(void **state)
{
    static const struct {
        const char *path;
        srv_route route;
    } paths[] = {
        {"/", SRV_ROUTE_PAGE},
        {"/ask.js", SRV_ROUTE_SCRIPT},
        {"/ask.css", SRV_ROUTE_STYLE},
        {"/healthz", SRV_ROUTE_HEALTH},
        {"/readyz", SRV_ROUTE_READY},
        {"/metrics", SRV_ROUTE_METRICS},
        {"/v1/models", SRV_ROUTE_MODELS},
        {"/v1/model", SRV_ROUTE_MODEL},
        {"/v1/key", SRV_ROUTE_KEY},
        {"/v1/openapi.json", SRV_ROUTE_OPENAPI},
        {"", SRV_ROUTE_NONE},
        {"*", SRV_ROUTE_NONE},
        {"//", SRV_ROUTE_NONE},
        {"/v1", SRV_ROUTE_NONE},
        {"/v1/", SRV_ROUTE_NONE},
        {"/v1/model/", SRV_ROUTE_NONE},
        {"/V1/model", SRV_ROUTE_NONE},
        {"/./v1/model", SRV_ROUTE_NONE},
        {"/v1//model", SRV_ROUTE_NONE},
        {"/v1/sessions/../model", SRV_ROUTE_NONE},
        {"v1/model", SRV_ROUTE_NONE},
        {"-", SRV_ROUTE_NONE},
        {"/m", SRV_ROUTE_NONE},
        {"/m/", SRV_ROUTE_NONE},
        {"/m/NAME", SRV_ROUTE_NO_SLASH},
        {"/healthz ", SRV_ROUTE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        srv_match match = find(SRV_GET, paths[i].path);

        assert_int_equal(match.route, paths[i].route);
        assert_int_equal(match.allowed, paths[i].route != SRV_ROUTE_NONE);
    }
}

static void route__models_have_paths_of_their_own(void **state)
{
    srv_match match = find(SRV_POST, "/m/loans-2.b/v1/answers");

    (void)state;
    assert_int_equal(match.route, SRV_ROUTE_ANSWERS);
    assert_true(match.allowed);
    assert_int_equal(match.model_size, 9);
    assert_memory_equal(match.model, "loans-2.b", 9);
    assert_int_equal(find(SRV_GET, "/m/a/").route, SRV_ROUTE_PAGE);
    assert_int_equal(find(SRV_GET, "/m/a/ask.js").route, SRV_ROUTE_SCRIPT);
    assert_null(find(SRV_GET, "/v1/model").model);
    /* What belongs to no model has no second path, and a model needs a name. */
    assert_int_equal(find(SRV_GET, "/m/a/healthz").route, SRV_ROUTE_NONE);
    assert_int_equal(find(SRV_GET, "/m/a/metrics").route, SRV_ROUTE_NONE);
    assert_int_equal(find(SRV_GET, "/m/a/v1/models").route, SRV_ROUTE_NONE);
    assert_int_equal(find(SRV_GET, "/m//v1/model").route, SRV_ROUTE_NONE);
    assert_int_equal(find(SRV_GET, "/m/a/m/b/").route, SRV_ROUTE_NONE);
    assert_int_equal(find(SRV_GET, "/m/a//").route, SRV_ROUTE_NONE);
}

static void route__methods_that_do_not_fit_are_told(void **state)
{
    (void)state;
    assert_int_equal(find(SRV_GET, "/v1/answers").route, SRV_ROUTE_ANSWERS);
    assert_false(find(SRV_GET, "/v1/answers").allowed);
    assert_false(find(SRV_HEAD, "/v1/sessions").allowed);
    assert_false(find(SRV_POST, "/v1/model").allowed);
    assert_false(find(SRV_OTHER_METHOD, "/").allowed);
    assert_true(find(SRV_HEAD, "/v1/model").allowed);
    assert_true(find(SRV_OPTIONS, "/v1/answers").allowed);
    assert_int_equal(find(SRV_POST, "/v1/receipts").route, SRV_ROUTE_RECEIPTS);
    assert_true(find(SRV_POST, "/v1/receipts").allowed);
    assert_false(find(SRV_GET, "/v1/receipts").allowed);
    assert_false(find(SRV_OPTIONS, "/nothing").allowed);
    assert_string_equal(srv_route_allow(SRV_ROUTE_ANSWERS), "POST, OPTIONS");
    assert_string_equal(srv_route_allow(SRV_ROUTE_MODEL), "GET, HEAD, OPTIONS");
    assert_string_equal(srv_route_allow(SRV_ROUTE_NONE), "");
}

static void route__methods_are_known_by_name(void **state)
{
    (void)state;
    for (int i = 0; i < SRV_OTHER_METHOD; i++)
        assert_int_equal(srv_method_named(srv_method_name((srv_method)i), strlen(srv_method_name((srv_method)i))), i);
    assert_int_equal(srv_method_named("get", 3), SRV_OTHER_METHOD);
    assert_int_equal(srv_method_named("-", 1), SRV_OTHER_METHOD);
    assert_int_equal(srv_method_named("", 0), SRV_OTHER_METHOD);
    assert_string_equal(srv_method_name(SRV_OTHER_METHOD), "-");
}

static void route__size_counts_and_not_the_terminator(void **state)
{
    (void)state;
    assert_int_equal(srv_route_find(SRV_GET, "/healthz", 7).route, SRV_ROUTE_NONE);
    assert_int_equal(srv_route_find(SRV_GET, "/healthzzz", 8).route, SRV_ROUTE_HEALTH);
    assert_int_equal(srv_route_find(SRV_GET, "/m/ab/", 5).route, SRV_ROUTE_NO_SLASH);
}

static void route__patterns_hold_nothing_of_the_path(void **state)
{
    (void)state;
    assert_string_equal(srv_route_pattern(find(SRV_GET, "/m/marker/v1/model").route), "/v1/model");
    assert_string_equal(srv_route_pattern(find(SRV_GET, "/m/marker").route), "/m/NAME");
    assert_string_equal(srv_route_pattern(find(SRV_GET, "/marker").route), "-");
}

/* Whoever adds a route says who answers there. */
static void route__every_route_has_an_endpoint(void **state)
{
    (void)state;
    for (int i = 0; i < SRV_ROUTES; i++)
        assert_non_null(srv_route_endpoint((srv_route)i));
    assert_true(srv_route_is(SRV_ROUTE_RECEIPTS, SRV_PROVES));
    assert_true(srv_route_is(SRV_ROUTE_SESSIONS, SRV_COUNTED));
    assert_false(srv_route_is(SRV_ROUTE_ANSWERS, SRV_COUNTED));
    assert_true(srv_route_is(SRV_ROUTE_READY, SRV_ABOUT_SERVER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(route__every_path_has_one_spelling),
        cmocka_unit_test(route__models_have_paths_of_their_own),
        cmocka_unit_test(route__methods_that_do_not_fit_are_told),
        cmocka_unit_test(route__methods_are_known_by_name),
        cmocka_unit_test(route__size_counts_and_not_the_terminator),
        cmocka_unit_test(route__patterns_hold_nothing_of_the_path),
        cmocka_unit_test(route__every_route_has_an_endpoint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

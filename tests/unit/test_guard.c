/*
 * test_guard.c -- limits per address, the rate of sessions, and patience.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>

#include "guard.h"
#include "limits.h"

/* Of any text that X-Forwarded-For may hold. */
static srv_address address(const char *text)
{
    srv_address out;

    memset(&out, 0xee, sizeof(out));
    assert_true(srv_address_forwarded(&out, text));
    return out;
}

static bool same(srv_address a, srv_address b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static srv_guard *new_guard(size_t connections, size_t per_address, double rate)
{
    srv_guard_settings settings = {.connections = connections, .per_address = per_address, .rate = rate};
    srv_guard *guard = NULL;

    assert_int_equal(srv_guard_new(&guard, &settings, NULL), TACIT_OK);
    return guard;
}

static void guard__reads_the_last_forwarded_address(void **state)
{
    srv_address out;

    (void)state;
    assert_true(same(address("203.0.113.7"), address("198.51.100.1, 203.0.113.7")));
    assert_true(same(address("203.0.113.7"), address("junk,203.0.113.7:4711 ")));
    assert_true(same(address("203.0.113.7"), address("::ffff:203.0.113.7")));
    assert_true(same(address("2001:db8::1"), address("1.2.3.4,\t[2001:db8::1]:443")));
    assert_true(same(address("2001:db8::1"), address("[2001:db8::1]")));
    assert_false(same(address("203.0.113.7"), address("203.0.113.8")));
    assert_false(srv_address_forwarded(&out, ""));
    assert_false(srv_address_forwarded(&out, "1.2.3.4,"));
    assert_false(srv_address_forwarded(&out, "unknown"));
    assert_false(srv_address_forwarded(&out, "1.2.3"));
    assert_false(srv_address_forwarded(&out, "[2001:db8::1"));
    assert_false(srv_address_forwarded(&out, "[2001:db8::1]x"));
    assert_false(srv_address_forwarded(&out, "2001:db8:1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21:22:23"));
}

static void guard__an_ipv6_client_is_its_network(void **state)
{
    (void)state;
    assert_true(same(address("2001:db8:0:1::1"), address("2001:db8:0:1:ffff::2")));
    assert_false(same(address("2001:db8:0:1::1"), address("2001:db8:0:2::1")));
}

static void guard__knows_peers(void **state)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr other = {.sa_family = AF_UNIX};
    srv_address none = {{0}};

    (void)state;
    inet_pton(AF_INET, "203.0.113.7", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
    assert_true(same(srv_address_of((const struct sockaddr *)&four), address("203.0.113.7")));
    assert_true(same(srv_address_of((const struct sockaddr *)&six), address("2001:db8::1")));
    assert_true(same(srv_address_of(&other), none));
    assert_true(same(srv_address_of(NULL), none));
}

static void guard__limits_connections_of_an_address(void **state)
{
    srv_guard *guard = new_guard(1000, 2, 0);
    srv_address one = address("1.2.3.4"), two = address("1.2.3.5");

    (void)state;
    assert_int_equal(srv_guard_enter(guard, &one), SRV_ADMITTED);
    assert_int_equal(srv_guard_enter(guard, &one), SRV_ADMITTED);
    for (int i = 0; i < SRV_TURNED_AWAY; i++) {
        assert_int_equal(srv_guard_judge(guard, &one), SRV_FULL_ADDRESS);
        assert_int_equal(srv_guard_enter(guard, &one), SRV_FULL_ADDRESS);
    }
    assert_int_equal(srv_guard_judge(guard, &one), SRV_SHUT_OUT);
    assert_int_equal(srv_guard_enter(guard, &two), SRV_ADMITTED);
    assert_int_equal(srv_guard_connections(guard), 3 + SRV_TURNED_AWAY);
    for (int i = 0; i < SRV_TURNED_AWAY + 1; i++)
        srv_guard_leave(guard, &one);
    assert_int_equal(srv_guard_judge(guard, &one), SRV_ADMITTED);
    srv_guard_leave(guard, &one);
    srv_guard_leave(guard, &two);
    assert_int_equal(srv_guard_connections(guard), 0);
    srv_guard_free(guard);
}

static void guard__limits_connections_in_all(void **state)
{
    srv_guard *guard = new_guard(3, 0, 0);
    srv_address one = address("1.2.3.4"), other = address("9.9.9.9");

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(srv_guard_enter(guard, &one), SRV_ADMITTED);
    for (int i = 0; i < SRV_TURNED_AWAY; i++)
        assert_int_equal(srv_guard_enter(guard, &other), SRV_FULL);
    assert_int_equal(srv_guard_judge(guard, &other), SRV_SHUT_OUT);
    for (int i = 0; i <= SRV_TURNED_AWAY; i++)
        srv_guard_leave(guard, i < SRV_TURNED_AWAY ? &other : &one);
    assert_int_equal(srv_guard_judge(guard, &other), SRV_ADMITTED);
    srv_guard_free(guard);
}

static void guard__limits_sessions_per_second(void **state)
{
    srv_guard *guard = new_guard(10, 0, 4);
    srv_address one = address("1.2.3.4"), two = address("1.2.3.5");

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(srv_guard_session(guard, &one, 1000), 0);
    assert_int_equal(srv_guard_session(guard, &one, 1000), 1);
    assert_int_equal(srv_guard_session(guard, &two, 1000), 0);
    assert_int_equal(srv_guard_session(guard, &one, 1249), 1);
    assert_int_equal(srv_guard_session(guard, &one, 1251), 0);
    assert_int_equal(srv_guard_session(guard, &one, 1252), 1);
    /* A long rest allows no more than a second's worth. */
    for (int i = 0; i < 4; i++)
        assert_int_equal(srv_guard_session(guard, &one, 1000000), 0);
    assert_int_equal(srv_guard_session(guard, &one, 1000000), 1);
    srv_guard_free(guard);
}

static void guard__says_how_long_to_wait(void **state)
{
    srv_guard *guard = new_guard(10, 0, 0.2);
    srv_address one = address("1.2.3.4");

    (void)state;
    assert_int_equal(srv_guard_session(guard, &one, 0), 0);
    assert_int_equal(srv_guard_session(guard, &one, 0), 5);
    assert_int_equal(srv_guard_session(guard, &one, 2500), 3);
    assert_int_equal(srv_guard_session(guard, &one, 5001), 0);
    srv_guard_free(guard);
    guard = new_guard(10, 0, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(srv_guard_session(guard, &one, 0), 0);
    srv_guard_free(guard);
}

/* Whoever has a connection is not forgotten, however many others pass by. */
static void guard__many_addresses_do_not_push_out_connections(void **state)
{
    srv_guard *guard = new_guard(10, 2, 1);
    srv_address here = address("1.2.3.4");
    char text[32];

    (void)state;
    srv_guard_enter(guard, &here);
    srv_guard_enter(guard, &here);
    for (unsigned i = 0; i < 200000; i++) {
        srv_address passing;

        snprintf(text, sizeof(text), "10.%u.%u.%u", i >> 16 & 255, i >> 8 & 255, i & 255);
        passing = address(text);
        assert_int_equal(srv_guard_session(guard, &passing, i), 0);
    }
    assert_int_equal(srv_guard_judge(guard, &here), SRV_FULL_ADDRESS);
    srv_guard_free(guard);
}

static void guard__patience_has_an_end(void **state)
{
    srv_patience p = {.idle = 60, .request = 15, .reply = 30};

    (void)state;
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_IDLE, 100, 159), SRV_IN_TIME);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_IDLE, 100, 160), SRV_END_QUIETLY);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_HEAD, 100, 114), SRV_IN_TIME);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_HEAD, 100, 115), SRV_END_SLOW);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_BODY, 100, 115), SRV_END_SLOW);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_REPLY, 100, 129), SRV_IN_TIME);
    assert_int_equal(srv_patience_judge(&p, SRV_PHASE_REPLY, 100, 130), SRV_END_QUIETLY);
}

/* ---- work ---- */

static void guard__limits_work_and_forgives_it(void **state)
{
    srv_guard_settings settings = {.connections = 10, .work = 0.5};
    srv_address one = address("203.0.113.1"), two = address("203.0.113.2");
    srv_guard *guard = NULL;

    (void)state;
    assert_int_equal(srv_guard_new(&guard, &settings, NULL), TACIT_OK);
    assert_int_equal(srv_guard_work(guard, &one, 1000), 0);
    srv_guard_worked(guard, &one, 9, 1000); /* 0.5 of 20 seconds are saved up: one is left */
    assert_int_equal(srv_guard_work(guard, &one, 1000), 0);
    srv_guard_worked(guard, &one, 3, 1000);
    assert_int_equal(srv_guard_work(guard, &one, 1000), 4); /* two too many take four seconds */
    assert_int_equal(srv_guard_work(guard, &two, 1000), 0);
    assert_int_equal(srv_guard_work(guard, &one, 4000), 1);
    assert_int_equal(srv_guard_work(guard, &one, 5001), 0);
    srv_guard_free(guard);
}

/* What is under way counts before it is known how much it is. */
static void guard__limits_work_at_once(void **state)
{
    srv_guard_settings settings = {.connections = 10, .work = 0.5};
    srv_address one = address("203.0.113.1");
    srv_guard *guard = NULL;

    (void)state;
    assert_int_equal(srv_guard_new(&guard, &settings, NULL), TACIT_OK);
    for (int i = 0; i < SRV_WORK_AT_ONCE; i++)
        assert_int_equal(srv_guard_work(guard, &one, 0), 0);
    assert_int_equal(srv_guard_work(guard, &one, 0), 1);
    srv_guard_worked(guard, &one, 0.001, 0);
    assert_int_equal(srv_guard_work(guard, &one, 0), 0);
    assert_int_equal(srv_guard_work(guard, &one, 0), 1);
    srv_guard_free(guard);
    settings.work = 0;
    assert_int_equal(srv_guard_new(&guard, &settings, NULL), TACIT_OK);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(srv_guard_work(guard, &one, 0), 0);
    srv_guard_free(guard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guard__reads_the_last_forwarded_address),
        cmocka_unit_test(guard__an_ipv6_client_is_its_network),
        cmocka_unit_test(guard__knows_peers),
        cmocka_unit_test(guard__limits_connections_of_an_address),
        cmocka_unit_test(guard__limits_connections_in_all),
        cmocka_unit_test(guard__limits_sessions_per_second),
        cmocka_unit_test(guard__says_how_long_to_wait),
        cmocka_unit_test(guard__many_addresses_do_not_push_out_connections),
        cmocka_unit_test(guard__patience_has_an_end),
        cmocka_unit_test(guard__limits_work_and_forgives_it),
        cmocka_unit_test(guard__limits_work_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Whether a promise was kept: kept, not shown, broken, and how many more people would show it.  22 of 282 at delta 0.05
 * were once called kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "num.h"
#include "promise.h"

static tacit_audit_result judge(double delta, uint64_t failed, uint64_t stopped)
{
    tacit_audit_result r = {.delta = delta, .failed = failed, .stopped = stopped};

    tct_judge_promise(&r);
    return r;
}

static void promise__observed_above_delta_is_not_kept(void **state)
{
    tacit_audit_result r = judge(0.05, 22, 282);

    (void)state;
    assert_true(r.observed > 0.078 && r.observed < 0.0781);
    assert_true(r.low < 0.05 && r.high > 0.05);
    assert_int_equal(r.promise, TACIT_PROMISE_NOT_SHOWN);
    assert_true(r.more_people > 0);
    assert_string_equal(tacit_promise_name(r.promise), "not shown");
}

static void promise__three_states(void **state)
{
    (void)state;
    assert_int_equal(judge(0.05, 0, 1000).promise, TACIT_PROMISE_KEPT);
    assert_int_equal(judge(0.05, 200, 1000).promise, TACIT_PROMISE_BROKEN);
    assert_int_equal(judge(0.05, 1000, 1000).promise, TACIT_PROMISE_BROKEN);
    assert_int_equal(judge(0.05, 0, 10).promise, TACIT_PROMISE_NOT_SHOWN);
    assert_int_equal(judge(0.05, 0, 1).promise, TACIT_PROMISE_NOT_SHOWN);
    assert_int_equal(judge(0.05, 1, 1).promise, TACIT_PROMISE_NOT_SHOWN); /* low is 0.025 */
    assert_int_equal(judge(0.02, 1, 1).promise, TACIT_PROMISE_BROKEN);
    assert_int_equal(judge(0.05, 50, 1000).promise, TACIT_PROMISE_NOT_SHOWN);
    assert_string_equal(tacit_promise_name(TACIT_PROMISE_KEPT), "kept");
    assert_string_equal(tacit_promise_name(TACIT_PROMISE_BROKEN), "broken");
    assert_string_equal(tacit_promise_name((tacit_promise)7), "unknown");
}

static void promise__nobody_stopped_shows_nothing(void **state)
{
    tacit_audit_result r = judge(0.05, 0, 0);

    (void)state;
    assert_int_equal(r.promise, TACIT_PROMISE_NOT_SHOWN);
    assert_int_equal(r.more_people, 0);
    assert_true(isnan(r.observed) && isnan(r.low) && isnan(r.high));
    assert_true(r.promised == 0.05);
}

static void promise__proofs_are_not_estimated(void **state)
{
    (void)state;
    assert_int_equal(judge(0, 0, 0).promise, TACIT_PROMISE_KEPT);
    assert_int_equal(judge(0, 0, 1).promise, TACIT_PROMISE_KEPT);
    assert_int_equal(judge(0, 1, 1000000).promise, TACIT_PROMISE_BROKEN);
    assert_int_equal(judge(0, 0, 5).more_people, 0);
    assert_int_equal(judge(0, 1, 5).more_people, 0);
}

/* The number by counting up: the first at which the interval itself leaves delta outside. */
static uint64_t count_up(double delta, uint64_t failed, uint64_t stopped)
{
    double observed = (double)failed / (double)stopped;

    for (uint64_t more = 1; more < 200000; more++) {
        double n = (double)(stopped + more), low, high;

        tct_clopper_pearson(observed * n, n, 0.95, &low, &high);
        if (observed < delta ? high <= delta : low > delta)
            return more;
    }
    return 0;
}

static void promise__more_people_is_the_least_number(void **state)
{
    static const struct {
        double delta;
        uint64_t failed, stopped;
    } CASES[] = {{0.05, 22, 282}, {0.05, 0, 10}, {0.05, 0, 1},  {0.1, 3, 40},    {0.1, 5, 40},
                 {0.3, 1, 1},     {0.49, 0, 1},  {0.01, 1, 90}, {0.2, 7, 29},    {0.45, 9, 17},
                 {0.05, 1, 21},   {0.05, 1, 19}, {0.4, 2, 2},   {0.001, 0, 3000}};

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_audit_result r = judge(CASES[i].delta, CASES[i].failed, CASES[i].stopped);

        assert_int_equal(r.promise, TACIT_PROMISE_NOT_SHOWN);
        assert_int_equal(r.more_people, count_up(CASES[i].delta, CASES[i].failed, CASES[i].stopped));
        assert_true(r.more_people > 0);
    }
}

static void promise__no_number_where_there_is_none(void **state)
{
    (void)state;
    assert_int_equal(judge(0.25, 25, 100).more_people, 0);              /* observed is delta */
    assert_int_equal(judge(0.05, 0, 1000).more_people, 0);              /* kept already */
    assert_int_equal(judge(0.05, 999, 1000).more_people, 0);            /* broken already */
    assert_int_equal(judge(0.05, 50001, 1000000).more_people, 0);       /* 10^9 would not do */
    assert_int_equal(judge(0.05, 50000001, 1000000000).more_people, 0); /* and takes no time to find out */
}

/* Kept over all, and everybody of one label fails. */
static void promise__points_out_a_label_that_fails(void **state)
{
    uint64_t stopped[] = {980, 20, 0}, failed[] = {0, 20, 0}, none[] = {0, 0, 0};
    tacit_audit_result r = {.delta = 0.1, .promise = TACIT_PROMISE_KEPT};

    (void)state;
    r.stopped = 1000;
    r.failed = 20;
    assert_false(tacit_audit_label_fails(&r, 1)); /* not counted by label */
    r.label_stopped = stopped;
    r.label_failed = failed;
    assert_false(tacit_audit_label_fails(&r, 0));
    assert_true(tacit_audit_label_fails(&r, 1));
    assert_false(tacit_audit_label_fails(&r, 2)); /* nobody */
    failed[1] = 3;                                /* 15 % of 20: may be chance */
    assert_false(tacit_audit_label_fails(&r, 1));
    failed[1] = 20;
    r.promise = TACIT_PROMISE_BROKEN; /* said already */
    assert_false(tacit_audit_label_fails(&r, 1));
    r.promise = TACIT_PROMISE_KEPT;
    r.label_failed = none;
    assert_false(tacit_audit_label_fails(&r, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promise__points_out_a_label_that_fails),
        cmocka_unit_test(promise__observed_above_delta_is_not_kept),
        cmocka_unit_test(promise__three_states),
        cmocka_unit_test(promise__nobody_stopped_shows_nothing),
        cmocka_unit_test(promise__proofs_are_not_estimated),
        cmocka_unit_test(promise__more_people_is_the_least_number),
        cmocka_unit_test(promise__no_number_where_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

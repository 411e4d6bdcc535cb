/*
 * test_looser.c -- of promises that go by one rule the looser never asks anybody for more, for linear models, networks and
 * a kind that is judged by people drawn.  And where the rule changes, linear models do not ask for more on average: the
 * change is where entropy asks for less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "crossing.h"
#include "scale.h"
#include "stumps.h"
#include "walk.h"

enum { N_DELTAS = 7, PEOPLE = 6, MANY = 400, ROOM = 16, INPUTS = 128 };
/* From strict to loose. */
static const double DELTAS[N_DELTAS] = {0, 1e-5, 0.0005, 0.002, 0.005, 0.05, 0.2};

static tacit_model *model_of(uint64_t seed)
{
    return make_model_of_some_kind(seed, 4 + seed % 3, 2 + seed / 3 % 3);
}

static tacit_rule rule_of(const tacit_model *m, size_t i)
{
    tacit_rule rule;

    assert_int_equal(tct_rule_at(&rule, TACIT_RULE_AUTO, DELTAS[i], m, NULL), TACIT_OK);
    return rule;
}

/* How many attributes a person is asked for under each promise. */
static void ask(const tacit_model *m, tct_plan *plan, const double *x, size_t counts[N_DELTAS])
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        tacit_rule rule = rule_of(m, i);
        tct_promise promise = tct_promise_of(m, rule, DELTAS[i]);
        const tct_stage *start;
        size_t asked[ROOM];
        tct_walker *walker;
        tct_stop stop;

        assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
        assert_int_equal(tct_walker_new(&walker, plan, rule, 0, NULL), TACIT_OK);
        assert_int_equal(tct_walker_run(walker, start, x, NULL, &promise, 1, &stop, asked, NULL), TACIT_OK);
        counts[i] = stop.end.asked;
        tct_walker_free(walker);
    }
}

static void looser__never_asks_more_by_the_same_rule(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(36); seed++) {
        tacit_model *m = model_of(seed);
        tct_plan *plan;
        tct_random random;

        assert_true(m->codec->n_inputs <= INPUTS);
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        tct_random_seed(&random, seed, 8);
        for (size_t person = 0; person < PEOPLE; person++) {
            size_t counts[N_DELTAS];
            double x[INPUTS];

            draw_person(m, &random, x);
            ask(m, plan, x, counts);
            for (size_t i = 1; i < N_DELTAS; i++)
                if (rule_of(m, i) == rule_of(m, i - 1))
                    assert_true(counts[i] <= counts[i - 1]);
            /* what people drawn cannot tell is proven in the order of delta = 0 */
            for (size_t i = 1; i < N_DELTAS && DELTAS[i] < TCT_STRICT && !tct_additive(m->classifier); i++)
                assert_true(counts[i] <= counts[0]);
        }
        tct_plan_free(plan);
        tacit_model_free(m);
    }
}

/* Pairs of promises of which the looser asks typical people for more, beyond what chance explains. */
static size_t count_broken(const tacit_model *m, uint64_t seed)
{
    double sum[N_DELTAS][N_DELTAS] = {{0}}, squares[N_DELTAS][N_DELTAS] = {{0}};
    size_t broken = 0;
    tct_random random;
    tct_plan *plan;

    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    tct_random_seed(&random, seed, 9);
    for (size_t person = 0; person < MANY; person++) {
        size_t counts[N_DELTAS];
        double x[INPUTS];

        draw_typical_person(m, &random, x);
        ask(m, plan, x, counts);
        for (size_t i = 0; i < N_DELTAS; i++)
            for (size_t j = i + 1; j < N_DELTAS; j++) {
                double more = (double)counts[j] - (double)counts[i];

                sum[i][j] += more;
                squares[i][j] += more * more;
            }
    }
    for (size_t i = 0; i < N_DELTAS; i++)
        for (size_t j = i + 1; j < N_DELTAS; j++)
            broken += sum[i][j] > 3 * sqrt(squares[i][j]);
    tct_plan_free(plan);
    return broken;
}

static void looser__asks_no_more_where_the_rule_changes(void **state)
{
    static const struct {
        size_t n_classes, n_models;
    } ways[] = {{2, 24}, {3, 3}, {5, 8}, {8, 2}};

    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        size_t usual = 0;

        for (uint64_t seed = 0; seed < ways[k].n_models; seed++) {
            tacit_model *m = make_linear_model(seed, 8, ways[k].n_classes, false);

            assert_int_equal(count_broken(m, seed), 0);
            assert_true(m->crossing->likely != TCT_STRICT); /* found out */
            tct_crossing_set(m, TCT_USUAL_CROSSING);
            usual += count_broken(m, seed);
            tacit_model_free(m);
        }
        if (ways[k].n_classes == 2 || ways[k].n_classes == 5)
            assert_true(usual > 0); /* there is something to find */
    }
}

/* Of more classes nothing is found out. */
static void looser__nine_classes_have_the_usual_change(void **state)
{
    tacit_model *m = make_linear_model(1, 4, 9, false);

    (void)state;
    rule_of(m, N_DELTAS - 1);
    assert_true(m->crossing->known && m->crossing->likely == TCT_STRICT);
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looser__never_asks_more_by_the_same_rule),
        cmocka_unit_test(looser__asks_no_more_where_the_rule_changes),
        cmocka_unit_test(looser__nine_classes_have_the_usual_change),
    };

    stumps_register();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_looser.c -- a promise that is hardly looser than a proof asks nobody for more than a proof does, and among
 * promises of one rule the looser never asks more: person by person, for linear models, networks and a kind that is
 * judged by people drawn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scale.h"
#include "stumps.h"
#include "walk.h"

enum { N_DELTAS = 7, PEOPLE = 6, ROOM = 16, INPUTS = 128 };
/* From strict to loose. */
static const double DELTAS[N_DELTAS] = {0, 1e-5, 0.0005, 0.002, 0.005, 0.05, 0.2};

static tacit_model *model_of(uint64_t seed)
{
    return make_model_of_some_kind(seed, 4 + seed % 3, 2 + seed / 3 % 3);
}

/* How many attributes a person is asked for under each promise. */
static void ask(const tacit_model *m, tct_plan *plan, const double *x, size_t counts[N_DELTAS])
{
    for (size_t i = 0; i < N_DELTAS; i++) {
        tacit_rule rule = tct_rule_for(TACIT_RULE_AUTO, DELTAS[i], m);
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

static void looser__never_asks_more_than_a_proof(void **state)
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
                if (tct_rule_for(TACIT_RULE_AUTO, DELTAS[i], m) == tct_rule_for(TACIT_RULE_AUTO, DELTAS[i - 1], m))
                    assert_true(counts[i] <= counts[i - 1]);
            for (size_t i = 1; i < N_DELTAS && DELTAS[i] < TCT_STRICT; i++)
                assert_true(counts[i] <= counts[0]);
        }
        tct_plan_free(plan);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looser__never_asks_more_than_a_proof),
    };

    stumps_register();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

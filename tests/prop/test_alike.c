/*
 * test_alike.c -- people who are alike so far (alike.h): walks that take from each other what was found end as walks that
 * do not, at several promises at once, for networks and for linear models of more classes; also after other promises.  The
 * same where the walks of an experiment share what was proven, from size to size.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_model.h"
#include "recall.h"
#include "scale.h"
#include "walk.h"

enum { INPUTS = 128, ATTRIBUTES = 8, PROMISES = 3, KINDS = 3, PEOPLE = 12 };

/* One of a few values of every attribute: many people are alike for a while. */
static void draw_one_of_few(const tacit_model *model, double kinds[KINDS][INPUTS], tct_random *random, double *x)
{
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        const tct_domain *domain = &model->codec->domains[a];

        memcpy(x + domain->first, kinds[tct_random_below(random, KINDS)] + domain->first, domain->width * sizeof *x);
    }
}

/* The same person walked by both. */
static void compare(tct_walker *quick, tct_walker *plain, const tct_stage *start, const double *x,
                    const tct_promise *promises, size_t n)
{
    size_t asked[2][ATTRIBUTES];
    tct_stop stops[2][PROMISES];

    memset(stops, 0, sizeof stops);
    assert_int_equal(tct_walker_run(quick, start, x, NULL, promises, n, stops[0], asked[0], NULL), TACIT_OK);
    assert_int_equal(tct_walker_run(plain, start, x, NULL, promises, n, stops[1], asked[1], NULL), TACIT_OK);
    for (size_t i = 0; i < n; i++) {
        assert_memory_equal(&stops[0][i].end, &stops[1][i].end, sizeof stops[0][i].end);
        assert_memory_equal(&stops[0][i].probability, &stops[1][i].probability, sizeof(double));
        assert_memory_equal(asked[0], asked[1], stops[0][i].end.asked * sizeof asked[0][0]);
    }
    tct_walker_next_person(quick);
    tct_walker_next_person(plain);
}

static void walk_many(const tacit_model *model, uint64_t seed)
{
    const tct_promise promises[2][PROMISES] = {
        {tct_promise_nominal(0.01), tct_promise_nominal(0.1), tct_promise_nominal(0.3)},
        {tct_promise_nominal(0.4), tct_promise_nominal(0), tct_promise_nominal(0.02)}};
    double kinds[KINDS][INPUTS], x[INPUTS];
    tct_walker *quick, *plain;
    const tct_stage *start;
    tct_random random;
    tct_plan *plan;

    tct_random_seed(&random, seed, 6);
    for (size_t k = 0; k < KINDS; k++)
        draw_typical_person(model, &random, kinds[k]);
    assert_int_equal(tct_plan_new(&plan, model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&quick, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&plain, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
    tct_walker_plain(plain, true);
    for (size_t p = 0; p < 40; p++) {
        draw_one_of_few(model, kinds, &random, x);
        compare(quick, plain, start, x, promises[p / 15 % 2], p % 15 == 14 ? 1 : PROMISES);
    }
    tct_walker_free(quick);
    tct_walker_free(plain);
    tct_plan_free(plan);
}

static void alike__walks_end_as_those_of_people_apart(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(20); seed++) {
        tacit_model *network = make_mlp_model(seed, 3 + seed % 5, 2 + seed % 3, seed % 2, seed % 3, 2 + seed % 7);
        tacit_model *linear = make_linear_model(seed, 3 + seed % 5, 3 + seed % 3, seed % 2);

        walk_many(network, seed);
        walk_many(linear, seed);
        tacit_model_free(network);
        tacit_model_free(linear);
    }
}

/* A way of walking, on a plan of its own. */
typedef struct way {
    tct_plan *plan;
    const tct_stage *start;
    tct_walker *walker;
} way;

static way way_of(const tacit_model *model, tacit_rule rule)
{
    way w;

    assert_int_equal(tct_plan_new(&w.plan, model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(w.plan, &w.start, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&w.walker, w.plan, rule, 0, NULL), TACIT_OK);
    return w;
}

static void end_way(way *w)
{
    tct_walker_free(w->walker);
    tct_plan_free(w->plan);
}

/* Everybody by both. */
static void compare_ways(const tacit_model *shared, const tacit_model *apart, double x[PEOPLE][INPUTS], tacit_rule rule,
                         const tct_promise *promises, size_t n)
{
    way ways[2] = {way_of(shared, rule), way_of(apart, rule)};

    tct_walker_plain(ways[1].walker, TCT_PLAIN_STAGES);
    for (size_t p = 0; p < PEOPLE; p++) {
        size_t asked[2][ATTRIBUTES];
        tct_stop stops[2][PROMISES];

        memset(stops, 0, sizeof stops);
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(
                tct_walker_run(ways[i].walker, ways[i].start, x[p], NULL, promises, n, stops[i], asked[i], NULL),
                TACIT_OK);
            tct_walker_next_person(ways[i].walker);
        }
        for (size_t i = 0; i < n; i++) {
            assert_memory_equal(&stops[0][i].end, &stops[1][i].end, sizeof stops[0][i].end);
            assert_memory_equal(asked[0], asked[1], stops[0][i].end.asked * sizeof asked[0][0]);
            assert_int_equal(isnan(stops[0][i].probability), isnan(stops[1][i].probability));
            if (!isnan(stops[0][i].probability))
                assert_true(stops[0][i].probability == stops[1][i].probability);
        }
    }
    end_way(&ways[0]);
    end_way(&ways[1]);
}

static void walk_all_sizes(const tacit_model *model, uint64_t seed)
{
    const tct_promise promises[] = {tct_promise_nominal(0), tct_promise_nominal(0.05), tct_promise_nominal(0.2)};
    static double kinds[KINDS][INPUTS], x[PEOPLE][INPUTS];
    size_t sensitive[ATTRIBUTES];
    tct_recall *proven;
    tct_random random;

    tct_random_seed(&random, seed, 7);
    for (size_t k = 0; k < KINDS; k++)
        draw_typical_person(model, &random, kinds[k]);
    for (size_t p = 0; p < PEOPLE; p++)
        draw_one_of_few(model, kinds, &random, x[p]);
    for (size_t a = 0; a < ATTRIBUTES; a++)
        sensitive[a] = a;
    assert_int_equal(tct_proven_new(&proven, model, NULL), TACIT_OK);
    for (size_t size = model->schema->n_attributes; size > 0; size--) {
        tacit_model *shared, *apart;

        assert_int_equal(tct_model_with_sensitive(&shared, model, sensitive, size, NULL), TACIT_OK);
        assert_int_equal(tct_model_with_sensitive(&apart, model, sensitive, size, NULL), TACIT_OK);
        shared->proven = proven;
        compare_ways(shared, apart, x, TACIT_RULE_ENTROPY, promises + 1, 2);
        compare_ways(shared, apart, x, TACIT_RULE_STOP, promises, 1);
        shared->first_order = apart->first_order = true;
        compare_ways(shared, apart, x, TACIT_RULE_ENTROPY, promises, PROMISES);
        tacit_model_free(shared);
        tacit_model_free(apart);
    }
    tct_recall_free(proven);
}

static void alike__sizes_share_what_is_proven(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(12); seed++) {
        tacit_model *network = make_mlp_model(seed, 3 + seed % 5, 2 + seed % 3, seed % 2, seed % 3, 2 + seed % 7);
        tacit_model *linear = make_linear_model(seed, 3 + seed % 5, 3 + seed % 2, seed % 2);

        walk_all_sizes(network, seed);
        walk_all_sizes(linear, seed);
        tacit_model_free(network);
        tacit_model_free(linear);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alike__walks_end_as_those_of_people_apart),
                                       cmocka_unit_test(alike__sizes_share_what_is_proven)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

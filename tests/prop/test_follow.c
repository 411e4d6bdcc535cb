/*
 * One person followed answer by answer: means and variances as a belief has them, and the same walk as by stages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "follow.h"
#include "make_model.h"
#include "scale.h"
#include "simd.h"
#include "walk.h"

enum { ATTRIBUTES = 90, MANY = 230 };

/* All attributes sensitive but the first few; weights without ties. */
static tacit_model *make_large_model(uint64_t seed)
{
    tacit_model *drawn = make_linear_model(seed, ATTRIBUTES, 2, false), *model = NULL;
    size_t sensitive[ATTRIBUTES], n = 0;

    for (size_t a = seed % 4; a < ATTRIBUTES; a++)
        sensitive[n++] = a;
    assert_int_equal(tct_model_with_sensitive(&model, drawn, sensitive, n, NULL), TACIT_OK);
    tacit_model_free(drawn);
    assert_true(tct_follow_applies(model));
    return model;
}

static void follow__means_are_those_of_a_belief(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(20); seed++) {
        tacit_model *m = make_large_model(seed);
        size_t d = m->variables->n, order[ATTRIBUTES];
        unsigned char known[ATTRIBUTES] = {0};
        double *x = make_model_room(d), *mean = make_model_room(d);
        tct_belief *start, *now, *next;
        tct_follow *follow;
        tct_random random;

        tct_random_seed(&random, seed, 4);
        draw_typical_person(m, &random, x);
        for (size_t a = 0; a < seed % 4; a++)
            known[a] = 1;
        assert_int_equal(tct_belief_start(&start, m, known, NULL), TACIT_OK);
        assert_int_equal(tct_belief_start(&now, m, known, NULL), TACIT_OK);
        assert_int_equal(tct_follow_new(&follow, m, NULL), TACIT_OK);
        for (size_t t = 0; t + 1 < start->n_unknown; t++) {
            size_t which = tct_random_below(&random, now->n_unknown);

            order[t] = now->unknown[which];
            assert_int_equal(tct_belief_reveal(&next, now, m, order[t], NULL), TACIT_OK);
            tct_belief_free(now);
            now = next;
            if (t % 7 == 3) /* from the beginning now and then */
                tct_follow_forget(follow);
            tct_follow_to(follow, start, order, t + 1, x);
            tct_belief_mean(now, x, mean);
            for (size_t u = 0; u < now->n_unknown; u++) {
                size_t at = tct_belief_position(start, now->unknown[u]);
                double prior = m->covariance[now->unknown[u] * (d + 1)];

                assert_true(fabs(tct_follow_means(follow)[at] - mean[u]) < 1e-6);
                assert_true(fabs(tct_follow_variances(follow)[at] - now->cov[u * now->n_unknown + u]) <= 1e-9 * prior);
            }
        }
        tct_follow_free(follow);
        tct_belief_free(start);
        tct_belief_free(now);
        tct_free(x);
        tct_free(mean);
        tacit_model_free(m);
    }
}

/* Two walkers of the same rule, and where both begin. */
typedef struct pair_of_walkers {
    tct_plan *plan;
    const tct_stage *start;
    tct_walker *quick, *plain;
} pair_of_walkers;

static void open_walkers(pair_of_walkers *w, const tacit_model *m, uint64_t seed, tct_plain_way way)
{
    tacit_rule rule = seed % 2 ? TACIT_RULE_MARGIN : TACIT_RULE_STOP;

    assert_int_equal(tct_plan_new(&w->plan, m, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(w->plan, &w->start, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&w->quick, w->plan, rule, 0, NULL), TACIT_OK);
    assert_int_equal(tct_walker_new(&w->plain, w->plan, rule, 0, NULL), TACIT_OK);
    tct_walker_plain(w->plain, way);
}

static void close_walkers(pair_of_walkers *w)
{
    tct_walker_free(w->quick);
    tct_walker_free(w->plain);
    tct_plan_free(w->plan);
}

static void follow__walk_is_the_one_by_stages(void **state)
{
    const tct_promise promise = tct_promise_nominal(0);

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(20); seed++) {
        tacit_model *m = make_large_model(seed);
        double *x = make_model_room(m->variables->n);
        pair_of_walkers w;
        tct_random random;

        open_walkers(&w, m, seed, TCT_PLAIN_STAGES);
        tct_random_seed(&random, seed, 6);
        for (size_t p = 0; p < 6; p++) {
            size_t asked[2][ATTRIBUTES];
            tct_stop stops[2];
            const tct_stage *stage = w.start, *mark = tct_plan_mark(w.plan);

            draw_typical_person(m, &random, x);
            assert_int_equal(tct_walker_run(w.quick, w.start, x, NULL, &promise, 1, &stops[0], asked[0], NULL),
                             TACIT_OK);
            assert_int_equal(tct_walker_run(w.plain, w.start, x, NULL, &promise, 1, &stops[1], asked[1], NULL),
                             TACIT_OK);
            assert_memory_equal(&stops[0].end, &stops[1].end, sizeof stops[0].end);
            assert_memory_equal(asked[0], asked[1], stops[0].end.asked * sizeof asked[0][0]);
            for (size_t i = 0; i < stops[0].end.asked; i++) { /* a session asks the same */
                assert_int_equal(tct_walker_choose(w.quick, stage, x, NULL), asked[0][i]);
                assert_int_equal(tct_plan_step(w.plan, stage, asked[0][i], &stage, NULL), TACIT_OK);
                tct_plan_forget(w.plan, mark, stage);
            }
            tct_plan_forget(w.plan, mark, NULL);
            tct_walker_next_person(w.quick);
        }
        close_walkers(&w);
        tct_free(x);
        tacit_model_free(m);
    }
}

/* Numbers only, all of them sensitive but a few; a covariance of few causes, so that answers determine others from some
 * point on, and the rest as before. */
static tacit_model *make_larger_model(uint64_t seed)
{
    tacit_model *drawn = make_linear_model(seed, MANY, 2, false), *model = NULL;
    size_t sensitive[MANY], n = 0, d = drawn->variables->n, causes = seed % 3 == 0 ? 40 : 0;
    double *load = make_model_room(d * 40);
    tct_random random;

    tct_random_seed(&random, seed, 8);
    for (size_t i = 0; i < d * causes; i++)
        load[i] = 0.05 * tct_random_normal(&random);
    for (size_t i = 0; i < d && causes; i++)
        for (size_t j = 0; j < d; j++) {
            drawn->covariance[i * d + j] = 0;
            for (size_t c = 0; c < causes; c++)
                drawn->covariance[i * d + j] += load[i * causes + c] * load[j * causes + c];
        }
    for (size_t a = seed % 5; a < MANY; a++) {
        sensitive[n++] = a;
        if (seed % 2)
            drawn->schema->attributes[a].cost = 1 + (double)(a % 3);
    }
    assert_int_equal(tct_model_with_sensitive(&model, drawn, sensitive, n, NULL), TACIT_OK);
    tacit_model_free(drawn);
    tct_free(load);
    return model;
}

/* The same questions as by looking at every candidate after every answer, on every processor. */
static void follow__leaders_are_those_of_the_rule(void **state)
{
    const tct_promise promise = tct_promise_nominal(0);
    size_t longest = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(24); seed++) {
        tacit_model *m = make_larger_model(seed);
        double *x = make_model_room(m->variables->n);
        pair_of_walkers w;
        tct_random random;

        open_walkers(&w, m, seed, TCT_PLAIN_LOOKS);
        tct_random_seed(&random, seed, 6);
        for (size_t p = 0; p < 12; p++) {
            size_t asked[2][MANY];
            tct_stop stops[2];

            draw_typical_person(m, &random, x);
            tct_simd_limit(p % 4 == 3 ? TCT_SIMD_LEVELS : (tct_simd)(p % 4));
            assert_int_equal(tct_walker_run(w.quick, w.start, x, NULL, &promise, 1, &stops[0], asked[0], NULL),
                             TACIT_OK);
            tct_simd_limit(TCT_SIMD_LEVELS);
            assert_int_equal(tct_walker_run(w.plain, w.start, x, NULL, &promise, 1, &stops[1], asked[1], NULL),
                             TACIT_OK);
            assert_memory_equal(&stops[0].end, &stops[1].end, sizeof stops[0].end);
            assert_memory_equal(asked[0], asked[1], stops[0].end.asked * sizeof asked[0][0]);
            longest = stops[0].end.asked > longest ? stops[0].end.asked : longest;
        }
        close_walkers(&w);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(longest > ATTRIBUTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follow__means_are_those_of_a_belief),
        cmocka_unit_test(follow__walk_is_the_one_by_stages),
        cmocka_unit_test(follow__leaders_are_those_of_the_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

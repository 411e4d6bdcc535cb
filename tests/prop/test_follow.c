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
#include "near.h"
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
    for (size_t i = 0; i < d && seed % 3 == 1; i++) /* all of them, nothing */
        drawn->covariance[i * (d + 1)] = 1.2 * drawn->covariance[i * (d + 1)] + 1e-3;
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

/* Nothing tells attributes apart, or pairs of them: rounding decides between candidates that are as good. */
static void make_ties(tacit_model *m, uint64_t seed)
{
    size_t d = m->variables->n;
    tct_linear *linear = (tct_linear *)m->classifier;

    for (size_t i = 0; i < d; i++) {
        m->mean[i] = 0;
        linear->weights[i] = seed % 2 ? 1 : 1 + 0.01 * (double)(i / 2);
        for (size_t j = 0; j < d; j++)
            m->covariance[i * d + j] = i == j ? 0.1 : 0.02 * cos((double)(i / 2) - (double)(j / 2));
    }
}

/* The same questions as by looking at every candidate after every answer, on every processor. */
static void follow__leaders_are_those_of_the_rule(void **state)
{
    const tct_promise promise = tct_promise_nominal(0);
    size_t longest = 0, with_bases = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(24); seed++) {
        tacit_model *m = make_larger_model(seed);
        double *x = make_model_room(m->variables->n);
        pair_of_walkers w;
        tct_random random;

        if (seed % 8 >= 6)
            make_ties(m, seed);
        open_walkers(&w, m, seed, TCT_PLAIN_LOOKS);
        tct_random_seed(&random, seed, 6);
        for (size_t p = 0; p < 20; p++) { /* the later ones by bases, where there are some */
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
        with_bases += tct_bases_of(m, tct_plan_extremes(w.plan), w.start) != NULL;
        close_walkers(&w);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(longest > ATTRIBUTES && with_bases > 0);
}

/* An order in which somebody might be asked: about that of the bases, some much later or sooner. */
static void draw_order(const tct_bases *b, tct_random *random, size_t *order)
{
    double key[MANY];
    size_t n = b->n;

    for (size_t i = 0; i < n; i++) {
        double off = (tct_random_below(random, 20) ? 12 : 80) * tct_random_normal(random), mine = (double)i + off;
        size_t at = i;

        for (; at > 0 && key[at - 1] > mine; at--) {
            key[at] = key[at - 1];
            order[at] = order[at - 1];
        }
        key[at] = mine;
        order[at] = i;
    }
}

/* What is known of whom is near a base is what is known of whom is followed; values at a place: by the order of bases. */
static void compare_near(const tacit_model *m, const tct_bases *b, const tct_stage *start, uint64_t seed)
{
    const tct_belief *belief = start->belief;
    size_t d = m->variables->n, order[MANY], seen[MANY];
    double *x = make_model_room(d), *before = make_model_room(d), values[MANY], means[2][TCT_BASE_TILE];
    tct_follow *follow;
    tct_near *near;
    tct_random random;

    tct_random_seed(&random, seed, 12);
    assert_int_equal(tct_follow_new(&follow, m, NULL), TACIT_OK);
    assert_int_equal(tct_near_new(&near, b, NULL), TACIT_OK);
    for (size_t p = 0; p < 3; p++) {
        draw_typical_person(m, &random, x);
        draw_order(b, &random, order);
        tct_belief_mean(belief, x, before);
        for (size_t i = 0; i < b->n; i++)
            values[i] = x[m->variables->first[b->attribute[i]]] - before[tct_belief_at(belief, b->attribute[i])];
        tct_near_start(near, values);
        for (size_t t = 0; t + 1 < b->n; t++) {
            double off, variance, score = 0;
            size_t at = tct_belief_at(belief, b->attribute[order[t]]);
            double expected = t > 0 ? tct_follow_variances(follow)[at] : belief->cov[at * (belief->n_unknown + 1)];

            seen[t] = m->variables->first[b->attribute[order[t]]];
            assert_true(tct_near_answer(near, order[t], &off, &variance));
            assert_true(fabs(variance - expected) <= 1e-9 * belief->cov[at * (belief->n_unknown + 1)]);
            tct_follow_to(follow, belief, seen, t + 1, x);
            for (size_t k = 0; k <= t; k++)
                score += m->classifier->n_scores == 1
                             ? tct_as_linear(m->classifier)->weights[seen[k]] * values[order[k]]
                             : 0;
            for (size_t k = t + 1; k < b->n; k++) {
                size_t place = order[k], position = tct_belief_at(belief, b->attribute[place]);
                double moved = tct_follow_means(follow)[position] - before[position];

                score += tct_as_linear(m->classifier)->weights[m->variables->first[b->attribute[place]]] * moved;
                if (k % 5)
                    continue;
                tct_simd_limit(TCT_SIMD_LEVELS);
                tct_near_means(near, place / TCT_BASE_TILE, means[0]);
                tct_simd_limit((tct_simd)(k % 3));
                tct_near_means(near, place / TCT_BASE_TILE, means[1]);
                assert_memory_equal(&means[0][place % TCT_BASE_TILE], &means[1][place % TCT_BASE_TILE], sizeof(double));
                assert_true(fabs(means[0][place % TCT_BASE_TILE] - moved) < 1e-10);
                assert_true(fabs(tct_near_variance(near, place) - tct_follow_variances(follow)[position]) <=
                            1e-9 * belief->cov[position * (belief->n_unknown + 1)]);
            }
            tct_simd_limit((tct_simd)(t % TCT_SIMD_LEVELS));
            assert_true(fabs(tct_near_score(near) - score) < 1e-8);
            assert_true(tct_near_residual(near) < 1e-10);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        tct_near_forget(near);
    }
    tct_near_free(near);
    tct_follow_free(follow);
    tct_free(x);
    tct_free(before);
}

static void follow__who_is_near_a_base_is_as_followed(void **state)
{
    size_t with_bases = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(12); seed++) {
        tacit_model *m = make_larger_model(seed);
        const tct_bases *b;
        pair_of_walkers w;

        open_walkers(&w, m, seed, TCT_PLAIN_LOOKS);
        b = tct_bases_of(m, tct_plan_extremes(w.plan), w.start);
        assert_true(b == tct_bases_of(m, tct_plan_extremes(w.plan), w.start));
        assert_true(seed % 3 == 0 ? b == NULL : seed % 3 == 1 ? b != NULL : true); /* 0: answers determine others */
        if (b) {
            with_bases++;
            compare_near(m, b, w.start, seed);
        }
        close_walkers(&w);
        tacit_model_free(m);
    }
    assert_true(with_bases > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follow__means_are_those_of_a_belief),
        cmocka_unit_test(follow__walk_is_the_one_by_stages),
        cmocka_unit_test(follow__leaders_are_those_of_the_rule),
        cmocka_unit_test(follow__who_is_near_a_base_is_as_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_net_draws.c -- people drawn for networks many at a time (net_draws.h): the same bits one by one and by every set of
 * instructions; values that there are; the same law as the people that trees draw (draws.h), labels as the network
 * itself gives them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draws.h"
#include "make_model.h"
#include "net_draws.h"
#include "plan.h"
#include "posteriors.h"
#include "scale.h"
#include "simd.h"

enum { INPUTS = 128 };

/* A person at a stage. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    const tct_stage *stage;
    double x[INPUTS];
} set_up;

static void begin(set_up *s, uint64_t seed)
{
    tct_random random;

    memset(s, 0, sizeof *s);
    s->model = make_mlp_model(seed, 3 + seed % 4, 2 + seed % 3, seed % 4 != 0, seed % 3, 1 + seed % 9);
    assert_true(s->model->codec->n_inputs <= INPUTS);
    assert_int_equal(tct_plan_new(&s->plan, s->model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(s->plan, &s->stage, NULL), TACIT_OK);
    tct_random_seed(&random, seed, 6);
    draw_typical_person(s->model, &random, s->x);
    for (size_t a = 0; a < s->model->schema->n_attributes; a++)
        if (!s->stage->known[a] && s->stage->n_unknown > 1 && tct_random_below(&random, 3) == 0)
            assert_int_equal(tct_plan_step(s->plan, s->stage, a, &s->stage, NULL), TACIT_OK);
    for (size_t a = 0; a < s->model->schema->n_attributes; a++) /* nobody may look */
        for (size_t i = 0; !s->stage->known[a] && i < s->model->codec->domains[a].width; i++)
            s->x[s->model->codec->domains[a].first + i] = NAN;
}

static void end(set_up *s)
{
    tct_plan_free(s->plan);
    tacit_model_free(s->model);
}

static tct_net_draws *drawn(const set_up *s, bool plain)
{
    tct_net_draws *draws = NULL;

    assert_int_equal(tct_net_draws_new(&draws, s->model, plain, NULL), TACIT_OK);
    assert_non_null(draws);
    tct_net_draws_likely(draws, s->stage->belief, s->stage->known, s->x, 5);
    return draws;
}

static bool same(const tct_net_draws *a, const tct_net_draws *b)
{
    bool equal = memcmp(a->label, b->label, TCT_NET_DRAWS) == 0 && a->n_unknown == b->n_unknown;

    for (size_t u = 0; u < a->n_unknown && equal; u++) {
        size_t row = a->unknown[u].first * TCT_NET_DRAWS;

        equal = memcmp(a->values + row, b->values + row, TCT_NET_DRAWS * sizeof(double)) == 0;
    }
    return equal;
}

static void net_draws__same_bits_one_by_one_and_by_every_level(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(60); seed++) {
        tct_net_draws *plain, *other;
        set_up s;

        begin(&s, seed);
        plain = drawn(&s, true);
        for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
            tct_simd_limit((tct_simd)level);
            other = drawn(&s, false);
            assert_true(same(plain, other));
            tct_net_draws_free(other);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        tct_net_draws_free(plain);
        end(&s);
    }
}

/* What is expected of an attribute given those before it is what conditioning on them, one after the other, says. */
static void net_draws__expects_what_conditioning_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(60); seed++) {
        tct_net_draws *draws;
        tct_random random;
        double mean[INPUTS], x[INPUTS];
        set_up s;

        begin(&s, seed);
        draws = drawn(&s, false);
        tct_random_seed(&random, seed, 7);
        draw_typical_person(s.model, &random, x);
        for (size_t j = 0; j < draws->n_inputs; j++)
            s.x[draws->inputs[j]] = x[draws->inputs[j]];
        for (size_t u = 0; u < draws->n_unknown; u++) {
            const tct_net_unknown *a = &draws->unknown[u];

            tct_belief_mean(s.stage->belief, s.x, mean);
            for (size_t i = 0; i < a->width; i++) {
                double expected = draws->start[a->at + i];

                for (size_t j = 0; j < a->at; j++)
                    expected += draws->shares[(a->at + i) * draws->n_inputs + j] * s.x[draws->inputs[j]];
                assert_true(fabs(expected - mean[tct_belief_position(s.stage->belief, a->first + i)]) < 1e-7);
            }
            if (u + 1 < draws->n_unknown)
                assert_int_equal(tct_plan_step(s.plan, s.stage, a->attribute, &s.stage, NULL), TACIT_OK);
        }
        tct_net_draws_free(draws);
        end(&s);
    }
}

/* The inputs of one of the people, in x. */
static void put_person(const set_up *s, const tct_net_draws *draws, size_t person, double *x)
{
    memcpy(x, s->x, INPUTS * sizeof *x);
    for (size_t u = 0; u < draws->n_unknown; u++) {
        const tct_net_unknown *a = &draws->unknown[u];
        double value = draws->values[a->first * TCT_NET_DRAWS + person];

        if (a->kind == TCT_ONEHOT)
            tct_codec_value(s->model->codec, a->attribute, (size_t)value, x + a->first);
        else
            x[a->first] = value;
    }
}

static void net_draws__values_exist_and_labels_are_those_of_the_network(void **state)
{
    size_t differ = 0, people = 0;

    (void)state;
    for (uint64_t seed = 0; seed < scaled(60); seed++) {
        tct_net_draws *draws;
        set_up s;

        begin(&s, seed);
        draws = drawn(&s, false);
        for (size_t i = 0; i < TCT_NET_DRAWS; i += 16) {
            const tct_classifier *c = s.model->classifier;
            tct_region region = tct_region_of(s.model->codec, s.stage->known, s.x);
            double x[INPUTS], scores[TCT_MAX_CLASSES];

            put_person(&s, draws, i, x);
            for (size_t a = 0; a < s.model->schema->n_attributes; a++)
                assert_true(tct_region_holds(&region, a, x + s.model->codec->domains[a].first));
            c->ops->scores(c, x, 1, scores);
            differ += tct_label(scores, c->n_scores) != draws->label[i];
            people++;
        }
        tct_net_draws_free(draws);
        end(&s);
    }
    assert_true(differ * 1000 <= people); /* sums in another order: ties only */
}

static void net_draws__same_law_as_people_drawn_one_after_the_other(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < scaled(60); seed++) {
        size_t ours[TCT_MAX_CLASSES] = {0}, theirs[TCT_MAX_CLASSES] = {0};
        tct_draws *slow = NULL;
        tct_net_draws *draws;
        tct_belief *belief;
        tct_region region;
        set_up s;

        begin(&s, seed);
        draws = drawn(&s, false);
        region = tct_region_of(s.model->codec, s.stage->known, s.x);
        belief = s.stage->belief;
        assert_int_equal(tct_posterior_gaussian.prepare(belief, s.model, NULL), TACIT_OK);
        assert_int_equal(tct_draws_new(&slow, s.model, NULL), TACIT_OK);
        tct_draws_likely(slow, belief, &region, 5);
        for (size_t i = 0; i < TCT_NET_DRAWS; i++) {
            ours[draws->label[i]]++;
            theirs[slow->label[i]]++;
        }
        for (size_t c = 0; c < s.model->classifier->n_classes; c++) {
            double share = ((double)ours[c] + (double)theirs[c]) / (2 * TCT_NET_DRAWS);

            assert_true(fabs((double)ours[c] - (double)theirs[c]) <=
                        5 * sqrt(2 * TCT_NET_DRAWS * fmax(share * (1 - share), 0.002)));
        }
        tct_draws_free(slow);
        tct_net_draws_free(draws);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(net_draws__same_bits_one_by_one_and_by_every_level),
        cmocka_unit_test(net_draws__expects_what_conditioning_says),
        cmocka_unit_test(net_draws__values_exist_and_labels_are_those_of_the_network),
        cmocka_unit_test(net_draws__same_law_as_people_drawn_one_after_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

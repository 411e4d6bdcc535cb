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

enum { INPUTS = 256, WIDEST = 80 };

/* A person at a stage. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    const tct_stage *stage;
    double x[INPUTS];
} set_up;

/* A network of one hidden layer about three categories, of as many levels as fill a register, two, a few and more than all,
 * and two numbers between them. */
static tacit_model *make_wide_model(uint64_t seed)
{
    static const size_t widths[] = {2, 4, 5, 8, 9, 16, 17, 32, 42, 64, 65, WIDEST};
    static char names[WIDEST][8];
    const char *levels[WIDEST];
    tacit_schema *schema;
    tct_codec *codec = NULL;
    tct_classifier *classifier = NULL;
    tacit_model *model = NULL;
    double *weights[2], *bias[2], *mean, *covariance;
    tct_random random;
    size_t sizes[3] = {0, 10, 1};

    tct_random_seed(&random, seed, 8);
    schema = make_schema(2, 2, false, &random);
    for (size_t l = 0; l < WIDEST; l++) {
        snprintf(names[l], sizeof names[l], "l%zu", l);
        levels[l] = names[l];
    }
    for (size_t i = 0; i < 3; i++) {
        char name[8];
        tacit_attribute a = {.name = name, .type = TACIT_CATEGORY, .encoding = TACIT_ONEHOT, .cost = 1};

        snprintf(name, sizeof name, "w%zu", i);
        a.role = TACIT_SENSITIVE;
        a.missing_level = TACIT_NONE;
        a.levels = levels;
        a.n_levels = widths[(seed + 5 * i) % (sizeof widths / sizeof *widths)];
        assert_int_equal(tct_schema_add(schema, &a, NULL), TACIT_OK);
    }
    assert_int_equal(tct_codec_new(&codec, schema, NULL), TACIT_OK);
    sizes[0] = codec->n_inputs;
    mean = make_model_room(sizes[0]);
    covariance = make_model_room(sizes[0] * sizes[0]);
    make_layers(1, 2, sizes, weights, bias, &random);
    make_moments(codec, &random, mean, covariance);
    assert_int_equal(
        tct_mlp_new(&classifier, 2, 2, sizes, (const double *const *)weights, (const double *const *)bias, NULL),
        TACIT_OK);
    make_balance(codec, classifier, 1, bias[1], &random);
    classifier->ops->free(classifier);
    assert_int_equal(
        tct_mlp_new(&classifier, 2, 2, sizes, (const double *const *)weights, (const double *const *)bias, NULL),
        TACIT_OK);
    assert_int_equal(tct_model_assemble(&model, schema, classifier, mean, covariance, NULL), TACIT_OK);
    for (size_t l = 0; l < 2; l++) {
        tct_free(weights[l]);
        tct_free(bias[l]);
    }
    tct_codec_free(codec);
    return model;
}

/* Every other seed: wide categories. */
static void begin(set_up *s, uint64_t seed)
{
    tct_random random;

    memset(s, 0, sizeof *s);
    s->model = seed % 2 ? make_wide_model(seed / 2)
                        : make_mlp_model(seed, 3 + seed % 4, 2 + seed % 3, seed % 4 != 0, seed % 3, 1 + seed % 9);
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

/*
 * test_netrule.c -- the fast way from a network's first layer (first_layer.h, netline.h) gives what the plain one gives: laws
 * around a person, expected entropies, choices; and the same bits with and without the processor's vectors.  Random
 * networks of up to three hidden layers, one to five scores, all kinds of attributes, any set of them known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "binary_entropy.h"
#include "first_layer.h"
#include "make_model.h"
#include "plan.h"
#include "rules_inside.h"
#include "scale.h"
#include "score_laws.h"
#include "simd.h"
#include "worst_completion.h"

enum { ROOM = 16, INPUTS = 128, MOST_SCORES = 6, SAMPLES = 50 };
static const double CLOSE = 1e-9;

/* A person at a stage, seen in three ways: plainly, from the first layer, and that without the processor's vectors. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    const tct_stage *stage;
    tct_noise noise;
    tct_law *law[3], *ahead;
    tct_around *around[3]; /* the first is NULL */
    double scores[3][MOST_SCORES];
    size_t candidates[ROOM], n_candidates;
    double x[INPUTS], *scratch;
} set_up;

static char where[160]; /* the case being tried */

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", where, #condition);                                                                     \
    } while (0)

static const tct_belief *belief_after(void *context, size_t attribute)
{
    const set_up *s = context;
    const tct_stage *next;

    CHECK(!tct_plan_step(s->plan, s->stage, attribute, &next, NULL));
    return next->belief;
}

/* Walk to where a random set of attributes is known. */
static void walk(set_up *s, tct_random *random)
{
    size_t n = s->model->schema->n_attributes;

    CHECK(!tct_plan_public(s->plan, &s->stage, NULL));
    for (size_t a = 0; a < n; a++)
        if (!s->stage->known[a] && s->stage->n_unknown > 1 && tct_random_below(random, 3) == 0)
            CHECK(!tct_plan_step(s->plan, s->stage, a, &s->stage, NULL));
    s->n_candidates = 0;
    for (size_t a = 0; a < n; a++)
        if (!s->stage->known[a])
            s->candidates[s->n_candidates++] = a;
}

static void begin(set_up *s, uint64_t seed, size_t n_attributes, size_t n_classes)
{
    size_t layers = seed % 4, width = seed % 7 == 0 ? 24 : 1 + seed % 9;
    bool categories = seed % 3 != 0;
    tct_random random;

    memset(s, 0, sizeof *s);
    snprintf(where, sizeof where, "make_mlp_model(%llu, %zu, %zu, %d, %zu, %zu)", (unsigned long long)seed,
             n_attributes, n_classes, categories, layers, width);
    s->model = make_mlp_model(seed, n_attributes, n_classes, categories, layers, width);
    CHECK(s->model->codec->n_inputs <= INPUTS);
    CHECK(!tct_plan_new(&s->plan, s->model, NULL));
    CHECK(!tct_noise_init(&s->noise, s->model->classifier->n_scores, NULL));
    for (size_t i = 0; i < 3; i++)
        CHECK(!tct_law_local(&s->law[i], s->model->classifier, NULL));
    CHECK(!tct_law_local(&s->ahead, s->model->classifier, NULL));
    CHECK(!tct_around_new(&s->around[1], s->model->classifier, false, NULL) && s->around[1]);
    CHECK(!tct_around_new(&s->around[2], s->model->classifier, true, NULL));
    s->scratch = make_model_room(tct_rule_scratch(s->model));
    tct_random_seed(&random, seed, 6);
    if (seed % 2)
        draw_person(s->model, &random, s->x);
    else
        draw_typical_person(s->model, &random, s->x);
    walk(s, &random);
    for (size_t a = 0; a < s->model->schema->n_attributes; a++) /* nobody may look */
        for (size_t i = 0; !s->stage->known[a] && i < s->model->codec->domains[a].width; i++)
            s->x[s->model->codec->domains[a].first + i] = NAN;
    if (s->n_candidates == 0)
        return;
    tct_law_around(s->law[0], s->scores[0], s->stage->belief, s->model->classifier, s->x, s->scratch);
    for (size_t i = 1; i < 3; i++)
        tct_around_law(s->around[i], s->law[i], s->scores[i], s->stage->belief, s->x);
}

static void end(set_up *s)
{
    for (size_t i = 0; i < 3; i++) {
        tct_law_free(s->law[i]);
        tct_around_free(s->around[i]);
    }
    tct_law_free(s->ahead);
    tct_noise_clear(&s->noise);
    tct_free(s->scratch);
    tct_plan_free(s->plan);
    tacit_model_free(s->model);
}

static tct_view view_of(set_up *s, size_t way)
{
    return (tct_view){.model = s->model,
                      .belief = s->stage->belief,
                      .law = s->law[way],
                      .scores = s->scores[way],
                      .after = belief_after,
                      .context = s,
                      .local = s->ahead,
                      .around = s->around[way],
                      .known = s->stage->known,
                      .x = s->x,
                      .noise = &s->noise,
                      .candidates = s->candidates,
                      .n_candidates = s->n_candidates,
                      .seed = 3};
}

static bool close_to(double a, double b, double scale)
{
    return fabs(a - b) <= CLOSE * fmax(scale, 1);
}

/* One score: as near as the laws are.  More: the probabilities in between are good to 1e-6 (three and four), or counted
 * over a lattice, and may jump by as much where a covariance is singular. */
static double tolerance(const set_up *s)
{
    size_t k = s->model->classifier->n_scores;

    return k == 1 ? CLOSE : k < TCT_MANY_FROM_SCORES ? 1e-5 : 0.02;
}

static void netrule__laws_equal_the_plain_ones(void **state)
{
    size_t cases = scaled(3000), by_inputs = 0, by_layer = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        size_t k;
        set_up s;

        begin(&s, c + 1, 1 + c % 7, 2 + c % 4);
        k = s.law[0]->n_scores;
        by_inputs += s.n_candidates && !s.stage->belief->first_layer->cov;
        by_layer += s.n_candidates && s.stage->belief->first_layer->cov;
        for (size_t i = 0; i < k; i++) {
            CHECK(close_to(s.scores[1][i], s.scores[0][i], fabs(s.scores[0][i])));
            CHECK(memcmp(&s.scores[1][i], &s.scores[2][i], sizeof(double)) == 0);
            for (size_t j = 0; j < k; j++)
                CHECK(close_to(s.law[1]->cov[i * k + j], s.law[0]->cov[i * k + j],
                               s.law[0]->cov[i * k + i] + s.law[0]->cov[j * k + j]));
        }
        CHECK(memcmp(s.law[1]->cov, s.law[2]->cov, k * k * sizeof(double)) == 0);
        CHECK(memcmp(&s.law[1]->sigma, &s.law[2]->sigma, sizeof(double)) == 0);
        end(&s);
    }
    assert_true(cases < 1000 || (by_inputs > cases / 10 && by_layer > cases / 10));
}

/* Entropies of all candidates, and who is chosen: the first of the best. */
static void netrule__entropies_and_choices_equal_the_plain_ones(void **state)
{
    size_t cases = scaled(3000), same = 0, choices = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        double found[3][ROOM];
        size_t chosen[3];
        set_up s;

        begin(&s, c + 100000, 1 + c % 7, c % 3 ? 2 : c % 20 ? 3 + c / 3 % 2 : 5);
        for (size_t way = 0; way < 3 && s.n_candidates; way++) {
            tct_view view = view_of(&s, way);

            for (size_t i = 0; i < s.n_candidates; i++)
                found[way][i] = tct_network_entropy(&view, s.candidates[i], s.scratch);
            chosen[way] = tct_network_by_entropy(&view, s.scratch);
        }
        for (size_t i = 0; i < s.n_candidates; i++) {
            CHECK(fabs(found[1][i] - found[0][i]) <= tolerance(&s));
            CHECK(memcmp(&found[1][i], &found[2][i], sizeof(double)) == 0);
            CHECK(found[1][i] >= 0 && found[1][i] <= log((double)s.model->classifier->n_classes) + CLOSE);
        }
        if (s.n_candidates) {
            double of_plain = 0, of_fast = 0;

            for (size_t i = 0; i < s.n_candidates; i++) {
                of_plain = s.candidates[i] == chosen[0] ? found[0][i] : of_plain;
                of_fast = s.candidates[i] == chosen[1] ? found[0][i] : of_fast;
            }
            CHECK(chosen[1] == chosen[2]);
            CHECK(chosen[0] == chosen[1] || fabs(of_plain - of_fast) <= tolerance(&s));
            same += chosen[0] == chosen[1];
            choices++;
        }
        end(&s);
    }
    print_message("%zu of %zu choices the same\n", same, choices);
    assert_true(same * 100 >= choices * 99);
}

static void netrule__sampled_entropies_equal_the_plain_ones(void **state)
{
    size_t cases = scaled(500);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;

        begin(&s, c + 200000, 1 + c % 7, c % 4 ? 2 : 3);
        for (size_t i = 0; i < s.n_candidates; i++) {
            tct_view plain = view_of(&s, 0), fast = view_of(&s, 1);
            double a = tct_network_sampled(&plain, s.candidates[i], SAMPLES + i, s.scratch);
            double b = tct_network_sampled(&fast, s.candidates[i], SAMPLES + i, s.scratch);

            CHECK(fabs(a - b) <= tolerance(&s));
        }
        end(&s);
    }
}

/* The worst margin that a whole search finds from a completion, with an attribute as in y if it is one. */
static double search_all(const tct_worst *with, const double *from, size_t attribute, const double *y, double *to)
{
    const tct_codec *codec = with->model->codec;
    unsigned char known[TCT_MAX_ATTRIBUTES];
    double first[64];
    tct_worst s = *with;

    memcpy(to, from, codec->n_inputs * sizeof *to);
    memcpy(known, with->known, codec->schema->n_attributes);
    if (attribute != TACIT_NONE) {
        const tct_domain *domain = &codec->domains[attribute];

        memcpy(to + domain->first, y + domain->first, domain->width * sizeof *to);
        known[attribute] = 1;
    }
    s.known = known;
    s.at = (tct_completion){to, first};
    s.enough = -INFINITY;
    tct_worst_search(&s, 2);
    return s.margin;
}

/* The chance that a candidate's answer settles it, every value looked at from both completions. */
static double chance_of(const tct_view *view, tct_worst *s, const double *expected, const double *worst, size_t a,
                        const double *mean)
{
    const tct_domain *domain = &view->model->codec->domains[a];
    size_t at = tct_belief_position(view->belief, domain->first), n = domain->kind == TCT_ONEHOT ? domain->count : 8;
    double weights[INPUTS], chance = 0, y[INPUTS], room[INPUTS], low, high, scores[MOST_SCORES];
    double deviation = sqrt(view->belief->cov[at * view->belief->n_unknown + at]);
    size_t label = s->label;

    if (domain->kind == TCT_ONEHOT)
        tct_level_weights(mean + at, n, weights);
    else
        tct_codec_range(view->model->codec, a, &low, &high);
    for (size_t k = 0; k < n; k++) {
        bool holds = true;

        memcpy(y, expected, view->model->codec->n_inputs * sizeof *y);
        if (domain->kind == TCT_ONEHOT && weights[k] < 0.02)
            continue;
        if (domain->kind == TCT_ONEHOT)
            for (size_t i = 0; i < n; i++)
                y[domain->first + i] = i == k;
        else
            y[domain->first] = fmin(fmax(mean[at] + deviation * tct_normal_quantile(((double)k + 0.5) / 8), low), high);
        view->model->classifier->ops->scores(view->model->classifier, y, 1, scores);
        s->label = tct_label(scores, view->model->classifier->n_scores);
        if (s->label == label)
            holds = search_all(s, worst, a, y, room) > 0;
        if (holds && search_all(s, expected, a, y, room) > 0)
            chance += domain->kind == TCT_ONEHOT ? weights[k] : 0.125;
    }
    s->label = label;
    return chance;
}

/* The margin and stop rules without any short cut. */
static size_t choose_plainly(const tct_view *view, bool stop)
{
    const tct_codec *codec = view->model->codec;
    double mean[INPUTS], expected[INPUTS], worst[INPUTS], room[INPUTS], chances[ROOM] = {0}, leading = 0, likeliest = 0;
    double now;
    double moved[64];
    tct_worst s = {.model = view->model, .line = view->around->line, .known = view->known, .moved = moved};
    tct_best best = {TACIT_NONE, 0};

    tct_belief_mean(view->belief, view->x, mean);
    memcpy(expected, view->x, codec->n_inputs * sizeof *expected);
    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        if (!view->known[a])
            tct_expected_inputs(view, a, mean + tct_belief_position(view->belief, codec->domains[a].first),
                                expected + codec->domains[a].first);
    s.label = tct_label(view->scores, view->model->classifier->n_scores);
    now = search_all(&s, expected, TACIT_NONE, NULL, worst);
    for (size_t i = 0; i < view->n_candidates && stop; i++) {
        double chance = chance_of(view, &s, expected, worst, view->candidates[i], mean);

        chances[i] = chance / codec->schema->attributes[view->candidates[i]].cost;
        likeliest = fmax(likeliest, chance);
        leading = fmax(leading, chances[i]);
    }
    for (size_t i = 0; i < view->n_candidates; i++) {
        double margin = fmin(search_all(&s, expected, view->candidates[i], expected, room),
                             search_all(&s, worst, view->candidates[i], expected, room));

        if (likeliest <= 0.05 || chances[i] == leading)
            tct_consider(&best, view->candidates[i],
                         (margin - now) / codec->schema->attributes[view->candidates[i]].cost);
    }
    return best.attribute;
}

static void netrule__worst_choices_equal_the_plain_ones(void **state)
{
    size_t cases = scaled(1500), same = 0, choices = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        set_up s;

        begin(&s, c + 300000, 2 + c % 8, c % 3 ? 2 : 3 + c / 3 % 2);
        for (int stop = 0; stop < 2 && s.n_candidates; stop++) {
            tct_view view = view_of(&s, 1);
            size_t plain = choose_plainly(&view, stop);

            same += plain == (stop ? tct_network_stop : tct_network_margin)(&view, s.scratch);
            choices++;
        }
        end(&s);
    }
    print_message("%zu of %zu choices the same\n", same, choices);
    assert_true(same * 200 >= choices * 199); /* where two are equal but for rounding either may lead */
}

/* Against the functions of the normal distribution, over the whole range of how sure one can be. */
static void netrule__doubt_is_accurate_however_small(void **state)
{
    double mean[TCT_LANES], variance[TCT_LANES], h[TCT_LANES], plain[TCT_LANES];

    (void)state;
    for (size_t step = 0; step < 40000; step++) {
        for (size_t i = 0; i < TCT_LANES; i++) {
            double sigma = 0.25 * (double)(1 + i);

            mean[i] = (i % 2 ? 1 : -1) * sigma * ((double)step + (double)i / TCT_LANES) * 0.001;
            variance[i] = sigma * sigma;
        }
        tct_binary_entropies(mean, variance, h);
        tct_simd_limit(TCT_SIMD_PLAIN);
        tct_binary_entropies(mean, variance, plain);
        tct_simd_limit(TCT_SIMD_LEVELS);
        assert_memory_equal(h, plain, sizeof h);
        for (size_t i = 0; i < TCT_LANES; i++) {
            double t = fabs(mean[i]) / sqrt(variance[i]), right = tct_entropy2(tct_normal_cdf(-t));

            assert_true(t >= 37 ? h[i] == 0 : fabs(h[i] - right) <= 1e-12 * right);
        }
    }
}

static void netrule__doubt_at_the_ends(void **state)
{
    double mean[TCT_LANES] = {0, 1, -1, 0, 1e300, -1e300, 1, 5e-324};
    double variance[TCT_LANES] = {0, 0, 0, 1, 1, 1e-300, 1e300, 1}, h[TCT_LANES];

    (void)state;
    tct_binary_entropies(mean, variance, h);
    for (size_t i = 0; i < 3; i++)
        assert_true(h[i] == 0);
    assert_true(fabs(h[3] - log(2)) < 1e-12 && fabs(h[6] - log(2)) < 1e-12 && fabs(h[7] - log(2)) < 1e-12);
    assert_true(h[4] == 0 && h[5] == 0);
}

static bool is_zero(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;

    for (size_t i = 0; i < size; i++)
        if (b[i] != 0)
            return false;
    return true;
}

/* What is known of a person, and what the network makes of it, does not outlast the person. */
static void netrule__laws_forget_a_person(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tct_score_law *law = NULL;
        const tct_netline *line;
        double *scratch;
        tct_view view;
        set_up s;

        begin(&s, seed, 2 + seed % 6, 2 + seed % 3);
        if (s.n_candidates > 0) {
            CHECK(!tct_scores_network.make(&law, s.model, NULL));
            scratch = make_model_room(tct_scores_network.scratch(s.model));
            view = view_of(&s, 1);
            tct_scores_network.look(law, &view, true, scratch);
            line = view.around->line;
            CHECK(!is_zero(view.around->block, view.around->size));
            tct_scores_network.wipe(law);
            CHECK(is_zero(view.around->block, view.around->size));
            CHECK(is_zero(line->first, (size_t)((char *)line->all - (char *)line->first)));
            tct_scores_network.look(law, &view, true, scratch); /* and goes on */
            CHECK(memcmp(view.around->first, s.around[1]->first, line->n_first * sizeof(double)) == 0);
            tct_scores_network.free(law);
            tct_free(scratch);
        }
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netrule__laws_equal_the_plain_ones),
        cmocka_unit_test(netrule__entropies_and_choices_equal_the_plain_ones),
        cmocka_unit_test(netrule__sampled_entropies_equal_the_plain_ones),
        cmocka_unit_test(netrule__worst_choices_equal_the_plain_ones),
        cmocka_unit_test(netrule__doubt_is_accurate_however_small),
        cmocka_unit_test(netrule__doubt_at_the_ends),
        cmocka_unit_test(netrule__laws_forget_a_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

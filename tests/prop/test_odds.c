/*
 * test_odds.c -- the quick probabilities and expected entropies of three and four classes against the exact ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_model.h"
#include "plan.h"
#include "answer_entropy.h"
#include "scale.h"
#include "score_laws.h"
#include "simd.h"

enum { ROOM = 64, RANK = 5 };

/* Mean scores and their covariance. */
typedef struct problem {
    size_t k;
    double mean[TCT_ODDS_SCORES], cov[TCT_ODDS_SCORES * TCT_ODDS_SCORES];
} problem;

/* Of any rank; every third with directions of little variance, every fourth in which everything nearly cancels, some
 * with equal means, some with two equal scores, some with far classes. */
static problem make_problem(size_t c, tct_random *random)
{
    problem p = {.k = 2 + c % 3};
    double f[TCT_ODDS_SCORES][RANK], spread = c % 2 ? 1 : 8 * tct_random_uniform(random);
    double thin = c % 3 ? 1 : pow(10, -5 * tct_random_uniform(random)), thinner = c % 4 ? 1 : thin;
    size_t rank = 1 + tct_random_below(random, RANK);

    for (size_t i = 0; i < p.k; i++) {
        p.mean[i] = spread * tct_random_normal(random);
        for (size_t j = 0; j < RANK; j++)
            f[i][j] = j < rank ? (j == 0 ? 1 : j == 1 ? thin : thin * thinner) * tct_random_normal(random) : 0;
    }
    if (c % 17 == 0) {
        memcpy(f[1], f[0], sizeof f[0]);
        p.mean[1] = p.mean[0];
    }
    if (c % 13 == 0 && thin == 1) /* elsewhere a tie is for rounding to decide */
        for (size_t i = 1; i < p.k; i++)
            p.mean[i] = p.mean[0];
    for (size_t i = 0; i < p.k; i++)
        for (size_t j = 0; j < p.k; j++)
            for (size_t d = 0; d < RANK; d++)
                p.cov[i * p.k + j] += f[i][d] * f[j][d];
    return p;
}

static void check_close(const problem *p, size_t c, const double *got, size_t stride, const double *expected)
{
    for (size_t i = 0; i < p->k; i++)
        if (!(fabs(got[i * stride] - expected[i]) <= 1e-6))
            fail_msg("case %zu: class %zu of %zu: %.9g, expected %.9g", c, i, p->k, got[i * stride], expected[i]);
}

/* One at a time, and in lanes of which each has other means. */
static void odds__close_to_the_exact_ones(void **state)
{
    static double scratch[TCT_ODDS_SCORES * TCT_ODDS_BUFFER];
    size_t cases = scaled(20000);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 1);
    for (size_t c = 0; c < cases; c++) {
        problem p = make_problem(c, &random);
        double exact[TCT_ODDS_SCORES], quick[TCT_ODDS_SCORES], step[TCT_ODDS_SCORES];
        double means[TCT_ODDS_SCORES * TCT_ODDS_LANES], plain[TCT_ODDS_SCORES * TCT_ODDS_LANES] = {0};
        double best[TCT_ODDS_SCORES * TCT_ODDS_LANES] = {0}, weights[TCT_ODDS_LANES] = {0};
        tct_odds odds;

        tct_class_probabilities(p.mean, p.cov, p.k, exact, scratch);
        tct_class_odds(p.mean, p.cov, p.k, quick, scratch);
        check_close(&p, c, quick, 1, exact);
        for (size_t i = 0; i < p.k; i++) {
            step[i] = c % 3 ? 0 : 0.3 * tct_random_normal(&random);
            for (size_t j = 0; j < TCT_ODDS_LANES; j++)
                means[i * TCT_ODDS_LANES + j] = p.mean[i] + (double)j * step[i];
        }
        for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) { /* what is prepared counts too */
            tct_simd_limit((tct_simd)level);
            tct_odds_prepare(&odds, p.cov, p.k, scratch);
            tct_odds_best()->all(&odds, means, level == TCT_SIMD_PLAIN ? plain : best);
            assert_true(level == TCT_SIMD_PLAIN || memcmp(plain, best, sizeof plain) == 0);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        check_close(&p, c, best, TCT_ODDS_LANES, exact);
        weights[0] = 1;
        assert_true(fabs(tct_odds_best()->entropy(&odds, means, weights) - tct_entropy(exact, p.k)) <= 1e-5);
    }
}

/* One variable moves all four scores, and their means are equal: the two extreme ones share the label.  Correlations
 * that are 1 but for rounding used to lead the exact ones astray. */
static void odds__one_cause_and_a_tie(void **state)
{
    static double scratch[TCT_ODDS_SCORES * TCT_ODDS_BUFFER];
    size_t cases = scaled(20000);
    tct_random random;

    (void)state;
    tct_random_seed(&random, 2, 1);
    for (size_t c = 0; c < cases; c++) {
        problem p = {.k = TCT_ODDS_SCORES};
        double f[TCT_ODDS_SCORES], exact[TCT_ODDS_SCORES], expected[TCT_ODDS_SCORES];
        size_t least = 0, most = 0;

        for (size_t i = 0; i < p.k; i++) {
            f[i] = tct_random_normal(&random);
            least = f[i] < f[least] ? i : least;
            most = f[i] > f[most] ? i : most;
        }
        for (size_t i = 0; i < p.k; i++) {
            expected[i] = i == least || i == most ? 0.5 : 0;
            for (size_t j = 0; j < p.k; j++)
                p.cov[i * p.k + j] = f[i] * f[j];
        }
        tct_class_probabilities(p.mean, p.cov, p.k, exact, scratch);
        for (size_t i = 0; i < p.k; i++)
            if (!(fabs(exact[i] - expected[i]) <= 1e-4)) /* what rounding the covariance may do */
                fail_msg("case %zu: class %zu: %.9g, expected %.9g", c, i, exact[i], expected[i]);
    }
}

/* Three margins that are nearly one line: adaptively, by all levels alike, whoever is beside, as tvn.c has it, but
 * for what a correlation rounded otherwise does. */
static void odds__nearly_one_line(void **state)
{
    size_t cases = scaled(20000), tried = 0, adaptive = 0;
    tct_random random;

    (void)state;
    tct_random_seed(&random, 7, 3);
    for (size_t c = 0; c < cases; c++) {
        static const size_t others[] = {1, 2, 3};
        double f[4][3] = {{0}}, cov[16] = {0}, means[4 * TCT_ODDS_LANES] = {0}, h[3], buffer[TCT_ODDS_BUFFER];
        double plain[TCT_ODDS_LANES], best[TCT_ODDS_LANES], alone[TCT_ODDS_LANES], r[3];
        double thin = pow(10, -1 - 4 * tct_random_uniform(&random)), thinner = thin * (double)(c % 2);
        tct_odds_class one;

        for (size_t i = 1; i < 4; i++) {
            f[i][0] = (c >> i & 4 ? -1 : 1) * (1 + tct_random_uniform(&random));
            f[i][1] = thin * tct_random_normal(&random);
            f[i][2] = thinner * tct_random_normal(&random);
            for (size_t j = 0; j < TCT_ODDS_LANES; j++)
                means[i * TCT_ODDS_LANES + j] = f[i][0] * (j % 2 ? 0.5 : 1 + thin * tct_random_normal(&random)) +
                                                (j % 3 ? 2 * tct_random_normal(&random) : 0);
        }
        for (size_t i = 0; i < 16; i++)
            for (size_t d = 0; d < 3; d++)
                cov[i] += f[i / 4][d] * f[i % 4][d];
        if (c % 5 != 2) /* one in five, for time; a looser tolerance fails at 9,662 */
            continue;
        tried++;
        tct_odds_class_prepare(&one, cov, 4, 0, others, 3, buffer);
        if (one.method != TCT_ODDS_ADAPTIVE)
            continue;
        adaptive++;
        tct_simd_limit(TCT_SIMD_PLAIN);
        tct_odds_best()->one(&one, means, TCT_ODDS_LANES, plain);
        tct_simd_limit(TCT_SIMD_LEVELS);
        tct_odds_best()->one(&one, means, TCT_ODDS_LANES, best);
        assert_memory_equal(plain, best, sizeof plain);
        for (size_t i = 0; i < 3; i++)
            r[i] = one.pairs[i].r;
        for (size_t j = 0; j < TCT_ODDS_LANES; j++) {
            for (size_t i = 0; i < 3; i++)
                h[i] = -means[(i + 1) * TCT_ODDS_LANES + j] * one.inverse[i];
            if (!(fabs(best[j] - tct_tvn(h, r[2], r[1], r[0])) <= 1e-6 + 1e-16 / (1 - fabs(r[one.first]))))
                fail_msg("case %zu, lane %zu: %.9g, expected %.9g", c, j, best[j], tct_tvn(h, r[2], r[1], r[0]));
        }
        for (size_t i = 1; i < 4; i++)
            for (size_t j = 0; j < TCT_ODDS_LANES; j++)
                means[i * TCT_ODDS_LANES + j] = means[i * TCT_ODDS_LANES];
        tct_odds_best()->one(&one, means, TCT_ODDS_LANES, alone);
        assert_true(alone[0] == best[0]);
    }
    assert_true(adaptive > tried / 4);
}

/* A model in which some attributes count for much more than others, and what is known about somebody. */
typedef struct set_up {
    tacit_model *model;
    tct_plan *plan;
    const tct_stage *stage;
    tct_noise noise;
    tct_view view;
    size_t candidates[ROOM], n;
    double x[ROOM], scores[TCT_ODDS_SCORES], *scratch;
} set_up;

/* Up to six attributes, of which at least two stay unknown. */
static void open_case(set_up *s, size_t c, size_t classes, bool categories)
{
    size_t n = 3 + c % 4;
    unsigned char known[ROOM] = {0};
    tct_linear *linear;
    tct_random random;

    memset(s, 0, sizeof *s);
    tct_random_seed(&random, c, 11);
    s->model = make_linear_model(7 * c + 5, n, classes, categories);
    linear = (tct_linear *)s->model->classifier;
    for (size_t a = 0; a < n; a++) {
        const tct_domain *domain = &s->model->codec->domains[a];
        double factor = pow(10, 2 * tct_random_uniform(&random) - (c % 5 ? 1 : 2));

        for (size_t i = 0; i < classes; i++)
            for (size_t w = 0; w < domain->width; w++)
                linear->weights[i * linear->base.n_inputs + domain->first + w] *= factor;
        known[a] = a + 2 < n && tct_random_below(&random, 2);
        if (!known[a])
            s->candidates[s->n++] = a;
    }
    draw_typical_person(s->model, &random, s->x);
    s->scratch = make_model_room(tct_rule_scratch(s->model));
    assert_int_equal(tct_noise_init(&s->noise, classes, NULL), TACIT_OK);
    assert_int_equal(tct_plan_new(&s->plan, s->model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_start(s->plan, known, &s->stage, NULL), TACIT_OK);
    tct_law_mean(s->stage->law, s->stage->belief, s->x, s->scores);
    s->view = (tct_view){.model = s->model,
                         .ways = &tct_scores_linear.ways,
                         .belief = s->stage->belief,
                         .law = s->stage->law,
                         .scores = s->scores,
                         .extremes = tct_plan_extremes(s->plan),
                         .x = s->x,
                         .known = s->stage->known,
                         .noise = &s->noise,
                         .candidates = s->candidates,
                         .n_candidates = s->n};
}

static void close_case(set_up *s)
{
    tct_noise_clear(&s->noise);
    tct_plan_free(s->plan);
    tacit_model_free(s->model);
    tct_free(s->scratch);
}

/* Entropy once the inputs of a candidate are known to be off their means by `moved`. */
static double entropy_after(const set_up *s, const tct_effect *effect, size_t width, const double *moved)
{
    double mean[TCT_ODDS_SCORES], p[TCT_ODDS_SCORES];
    size_t k = s->stage->law->n_scores;

    memcpy(mean, s->scores, sizeof mean);
    for (size_t i = 0; i < width; i++)
        for (size_t c = 0; c < k; c++)
            mean[c] += effect->gain[i * k + c] * moved[i];
    tct_class_probabilities(mean, effect->cov, k, p, s->scratch);
    return tct_entropy(p, k);
}

/* A step that resolves the narrowest change from one class to another too, unless there is nothing to it. */
static double step_for(const set_up *s, const tct_effect *effect, double deviation, double step)
{
    size_t k = s->stage->law->n_scores;

    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++) {
            const double *v = effect->cov;
            double left = sqrt(fmax(v[i * k + i] - 2 * v[i * k + j] + v[j * k + j], 0));
            double speed = fabs(effect->gain[i] - effect->gain[j]) * deviation;

            if (speed > 0 && left < 1.5 * step * speed)
                step = fmax(left / (1.5 * speed), 2e-5);
        }
    return step;
}

/* The same figure by definition, with very many nodes. */
static double fine_entropy(const set_up *s, size_t attribute, double step)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];
    const tct_belief *b = s->stage->belief;
    double gain[ROOM], cov[TCT_ODDS_SCORES * TCT_ODDS_SCORES], mean[ROOM], levels[ROOM], moved[ROOM];
    double sum = 0, weight = 0, deviation;
    size_t at = tct_belief_position(b, domain->first);
    tct_effect effect = {gain, cov};

    tct_effect_of(&effect, s->stage->law, b, s->model, attribute, s->scratch);
    tct_belief_mean(b, s->x, mean);
    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(mean + at, domain->count, levels);
        for (size_t l = 0; l < domain->count; l++) {
            for (size_t i = 0; i < domain->width; i++)
                moved[i] = (i == l ? 1 : 0) - mean[at + i];
            sum += levels[l] * entropy_after(s, &effect, domain->width, moved);
        }
        return sum;
    }
    deviation = sqrt(b->cov[at * b->n_unknown + at]);
    step = step_for(s, &effect, deviation, step);
    for (long i = -(long)(6 / step); i <= (long)(6 / step); i++) {
        double z = (double)i * step, density = tct_normal_pdf(z);

        moved[0] = deviation * z;
        sum += density * entropy_after(s, &effect, 1, moved);
        weight += density;
    }
    return sum / weight;
}

/* Expected entropies, and the choice: the best candidate or one that is as good. */
static void check_entropies(size_t c, size_t classes, bool categories, double step)
{
    double fine[ROOM], least = INFINITY;
    size_t choice;
    set_up s;

    open_case(&s, c, classes, categories);
    for (size_t i = 0; i < s.n; i++) {
        double quick = tct_expected_entropy(&s.view, s.candidates[i], s.scratch);

        fine[i] = fine_entropy(&s, s.candidates[i], step);
        least = fmin(least, fine[i]);
        if (!(fabs(quick - fine[i]) <= 1e-5))
            fail_msg("case %zu, %zu classes, attribute %zu: %.9g, expected %.9g", c, classes, s.candidates[i], quick,
                     fine[i]);
        /* Kept or not, the same bits. */
        assert_true(tct_expected_entropy(&s.view, s.candidates[i], s.scratch) == quick);
    }
    choice = tct_rule_get(TACIT_RULE_ENTROPY)->choose(&s.view, s.scratch);
    for (size_t i = 0; i < s.n; i++)
        if (s.candidates[i] == choice && !(fine[i] <= least + 1e-5))
            fail_msg("case %zu, %zu classes: chose %zu, %.9g above the best", c, classes, choice, fine[i] - least);
    close_case(&s);
}

static void prospect__three_classes_close_to_a_fine_sum(void **state)
{
    size_t cases = scaled(40);

    (void)state;
    for (size_t c = 0; c < cases; c++)
        check_entropies(c, 3, c % 4 == 0, 0.0005);
}

static void prospect__four_classes_close_to_a_fine_sum(void **state)
{
    size_t cases = scaled(10);

    (void)state;
    for (size_t c = 0; c < cases; c++)
        check_entropies(c, 4, c % 4 == 0, 0.0005);
}

/* What an answer may say at most is not less than what it says. */
static void prospect__information_is_a_bound(void **state)
{
    size_t cases = scaled(400);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        double p[TCT_ODDS_SCORES], now;
        set_up s;

        open_case(&s, c, 3 + c % 2, false);
        now = tct_answer_entropy_now(s.stage->law, s.scores, p, s.scratch);
        for (size_t i = 0; i < s.n; i++) {
            tct_answer_entropy_room room;
            const tct_answer_entropy *after =
                tct_answer_entropy_of(s.stage->law, s.stage->belief, s.model, s.candidates[i], &room, s.scratch);

            assert_true(now - after->information <= tct_expected_entropy(&s.view, s.candidates[i], s.scratch) + 5e-6);
        }
        close_case(&s);
    }
}

/* Points of shared covariances give the same bits together as one by one. */
static void odds__points_together(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 9, 9);
    for (size_t c = 0; c < 200; c++) {
        enum { N = 40 };
        size_t k = 2 + c % 3;
        double means[N * 4], covs[N * 16], p[N * 4], one[4], scratch[64];

        for (size_t i = 0; i < N; i++) {
            for (size_t s = 0; s < k; s++) {
                means[i * k + s] = 2 * tct_random_normal(&random);
                for (size_t t = 0; t < k; t++) /* one of three */
                    covs[i * k * k + s * k + t] = s == t ? 1 + (double)(i % 3) : 0.1 * (double)(i % 3 + c % 2);
            }
        }
        tct_class_odds_each(means, covs, N, k, p);
        for (size_t i = 0; i < N; i++) {
            tct_class_odds(means + i * k, covs + i * k * k, k, one, scratch);
            assert_memory_equal(one, p + i * k, k * sizeof *one);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odds__points_together),
        cmocka_unit_test(odds__close_to_the_exact_ones),
        cmocka_unit_test(odds__one_cause_and_a_tie),
        cmocka_unit_test(odds__nearly_one_line),
        cmocka_unit_test(prospect__three_classes_close_to_a_fine_sum),
        cmocka_unit_test(prospect__four_classes_close_to_a_fine_sum),
        cmocka_unit_test(prospect__information_is_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
